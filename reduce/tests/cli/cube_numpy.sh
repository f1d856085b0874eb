# Cubes against NumPy: random histories of growth, questions by labels and by boxes.
# SPDX-License-Identifier: Apache-2.0
python3 -c 'import numpy' 2>/dev/null || { echo "SKIPPED: no numpy"; exit 77; }
python3 "$XTA_SOURCE_DIR/reduce/tests/cli/cube_numpy.py" "${XTA_CUBE_HISTORIES:-6}" 2>&1
