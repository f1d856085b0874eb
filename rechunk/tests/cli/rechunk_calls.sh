# Plan, report and system calls agree, whatever the order of cells on either side.
# SPDX-License-Identifier: Apache-2.0
if ! command -v strace >/dev/null || ! strace -o /dev/null true 2>/dev/null; then
    echo "SKIPPED: no strace, or it may not look at programs here" >&2
    exit 77
fi
python3 "$XTA_SOURCE_DIR/rechunk/tests/cli/rechunk_calls.py"
