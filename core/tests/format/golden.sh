#!/usr/bin/env bash
# Golden files: read by the library and by the reference reader, and written again with the same bytes.
# SPDX-License-Identifier: Apache-2.0
set -eu
exec "${XTA_PYTHON:-/usr/bin/python3}" -B "$(dirname "$0")/golden.py"
