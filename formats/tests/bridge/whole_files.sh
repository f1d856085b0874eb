#!/usr/bin/env bash
# Whole files of whole_files.py.
# SPDX-License-Identifier: Apache-2.0
set -eu
here=$(dirname "$0")
export XTA_BRIDGE_IO="$XTA_BUILD_DIR/formats/tests/bridge/bridge_io"
export XTA_VERBS_IO="$XTA_BUILD_DIR/formats/tests/bridge/verbs_io"
export XTA_TOOL="$XTA_BUILD_DIR/xta"
exec "${XTA_PYTHON:-/usr/bin/python3}" -B "$here/whole_files.py"
