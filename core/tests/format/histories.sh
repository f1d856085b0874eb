#!/usr/bin/env bash
# Random arrays: the library and the reference reader agree on all of them.
# SPDX-License-Identifier: Apache-2.0
set -eu
exec "${XTA_PYTHON:-/usr/bin/python3}" -B "$(dirname "$0")/histories.py"
