#!/usr/bin/env bash
# Random arrays and data sets, served and read by zarr, xarray and a reader of version 3.
# SPDX-License-Identifier: Apache-2.0
set -eu
here=$(dirname "$0")
export XTA_TOOL="$XTA_BUILD_DIR/xta"
export XTA_GROWER="$XTA_BUILD_DIR/views/tests/serve/views_grower"
export PYTHONPATH="$XTA_SOURCE_DIR/formats/tests/bridge:$XTA_SOURCE_DIR/tests/ways_in"
exec "${XTA_PYTHON:-/usr/bin/python3}" -B "$here/served_arrays.py"
