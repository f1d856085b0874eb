#!/usr/bin/env bash
# Cells selected by labels against xarray.
# SPDX-License-Identifier: Apache-2.0
set -eu
exec "${XTA_PYTHON:-/usr/bin/python3}" -B "$(dirname "$0")/selections.py"
