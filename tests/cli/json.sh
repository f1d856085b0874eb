# What --json prints against docs/JSON.md. In memory, where there is such a folder: most of the time is taken by syncs.
# SPDX-License-Identifier: Apache-2.0
memory=$(mktemp -d -p /dev/shm 2>/dev/null) && trap 'rm -rf "$memory"' EXIT && cd "$memory"
python3 "$XTA_SOURCE_DIR/tests/cli/json_fields.py" 2>&1
