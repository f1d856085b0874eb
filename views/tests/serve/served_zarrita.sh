#!/usr/bin/env bash
# The served stores of version 3, read by zarrita.
# SPDX-License-Identifier: Apache-2.0
set -eu
here=$(dirname "$0")
export XTA_TOOL="$XTA_BUILD_DIR/xta"
export PYTHONPATH="$XTA_SOURCE_DIR/formats/tests/bridge"
exec "${XTA_PYTHON:-/usr/bin/python3}" -B "$here/served_zarrita.py"
