#!/usr/bin/env bash
# Eight clients read a data set while it grows at both ends.
# SPDX-License-Identifier: Apache-2.0
set -eu
here=$(dirname "$0")
export XTA_TOOL="$XTA_BUILD_DIR/xta"
export XTA_GROWER="$XTA_BUILD_DIR/views/tests/serve/views_grower"
export PYTHONPATH="$XTA_SOURCE_DIR/formats/tests/bridge:$XTA_SOURCE_DIR/tests/ways_in"
exec "${XTA_PYTHON:-/usr/bin/python3}" -B "$here/served_growth.py"
