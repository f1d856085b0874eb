#!/usr/bin/env bash
# Damaged journals: refused by the library, each with its status and text, and by the reference reader.
# SPDX-License-Identifier: Apache-2.0
set -eu
exec "${XTA_PYTHON:-/usr/bin/python3}" -B "$(dirname "$0")/bad.py"
