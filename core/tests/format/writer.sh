#!/usr/bin/env bash
# The duties of a writer, checked from outside: in its files and its system calls.
# SPDX-License-Identifier: Apache-2.0
set -eu
exec "${XTA_PYTHON:-/usr/bin/python3}" -B "$(dirname "$0")/writer.py"
