# Copy, concat and diff of random arrays against NumPy.
# SPDX-License-Identifier: Apache-2.0
python3 -c 'import numpy' 2>/dev/null || { echo "SKIPPED: no numpy"; exit 77; }
python3 "$XTA_SOURCE_DIR/core/tests/cli/verbs_numpy.py" 2>&1
