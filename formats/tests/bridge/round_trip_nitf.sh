#!/usr/bin/env bash
# Round trips of round_trip_nitf.py with the tools that judge them.
# SPDX-License-Identifier: Apache-2.0
set -eu
here=$(dirname "$0")
export XTA_BRIDGE_IO="$XTA_BUILD_DIR/formats/tests/bridge/bridge_io"
exec "${XTA_PYTHON:-/usr/bin/python3}" -B "$here/round_trip_nitf.py"
