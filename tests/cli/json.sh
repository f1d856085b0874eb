# What --json prints against docs/JSON.md.
# SPDX-License-Identifier: Apache-2.0
python3 "$XTA_SOURCE_DIR/tests/cli/json_fields.py" 2>&1
