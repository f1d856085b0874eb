#!/usr/bin/env bash
# Round trips of round_trip_map.py, judged by h5py, h5dump, ncdump and Astropy.
# SPDX-License-Identifier: Apache-2.0
set -eu
here=$(dirname "$0")
exec "${XTA_PYTHON:-/usr/bin/python3}" -B "$here/round_trip_map.py"
