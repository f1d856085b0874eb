# Stat of random arrays, boxes and axes against NumPy.
# SPDX-License-Identifier: Apache-2.0
python3 -c 'import numpy' 2>/dev/null || { echo "SKIPPED: no numpy"; exit 77; }
python3 "$XTA_SOURCE_DIR/reduce/tests/cli/stat_numpy.py" 2>&1
