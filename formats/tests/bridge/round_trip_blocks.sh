#!/usr/bin/env bash
# Block grids of round_trip_blocks.py: every format as source and as target.
# SPDX-License-Identifier: Apache-2.0
set -eu
here=$(dirname "$0")
export XTA_BRIDGE_IO="$XTA_BUILD_DIR/formats/tests/bridge/bridge_io"
export XTA_BLOCKS_IO="$XTA_BUILD_DIR/formats/tests/bridge/blocks_io"
exec "${XTA_PYTHON:-/usr/bin/python3}" -B "$here/round_trip_blocks.py"
