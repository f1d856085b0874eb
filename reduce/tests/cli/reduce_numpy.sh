# Reduce against NumPy: every statistic of arrays of several types that have grown at both ends.
# SPDX-License-Identifier: Apache-2.0
python3 -c 'import numpy' 2>/dev/null || { echo "SKIPPED: no numpy"; exit 77; }
python3 "$XTA_SOURCE_DIR/reduce/tests/cli/reduce_numpy.py" 2>&1
