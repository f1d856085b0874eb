#!/usr/bin/env bash
# What is inside a file opens nothing else; see untrusted.py.
# SPDX-License-Identifier: Apache-2.0
set -eu
here=$(dirname "$0")
export XTA_BRIDGE_IO="$XTA_BUILD_DIR/formats/tests/bridge/bridge_io"
exec "${XTA_PYTHON:-/usr/bin/python3}" -B "$here/untrusted.py"
