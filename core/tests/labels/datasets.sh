#!/usr/bin/env bash
# Data sets that grow, and selections of their members, against xarray.
# SPDX-License-Identifier: Apache-2.0
set -eu
exec "${XTA_PYTHON:-/usr/bin/python3}" -B "$(dirname "$0")/datasets.py"
