#!/usr/bin/env bash
# Headers of ENVI and class maps of round_trip_scenes.py, judged by GDAL's tools and NumPy.
# SPDX-License-Identifier: Apache-2.0
set -eu
here=$(dirname "$0")
export XTA_BRIDGE_IO="$XTA_BUILD_DIR/formats/tests/bridge/bridge_io"
exec "${XTA_PYTHON:-/usr/bin/python3}" -B "$here/round_trip_scenes.py"
