# Odd scenes: cells that are no numbers, negative or all the same, scenes of one pixel or of none, more endmembers than
# possible, files that do not fit or were cut: the results of NumPy, or one clear line and no file left behind.
# SPDX-License-Identifier: Apache-2.0
source "$XTA_SOURCE_DIR/hyper/tests/cli/hyper_scene.sh"
if ! python3 -c 'import numpy' 2>/dev/null; then
    echo "SKIPPED: no NumPy to compare with: odd scenes under xta hyper" >&2
    exit 77
fi
mkdir odd && cd odd && python3 "$XTA_SOURCE_DIR/hyper/tests/cli/hyper_odd.py"
