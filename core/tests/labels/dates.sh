#!/usr/bin/env bash
# Calendars, dates and units of time against cftime.
# SPDX-License-Identifier: Apache-2.0
set -eu
exec "${XTA_PYTHON:-/usr/bin/python3}" -B "$(dirname "$0")/dates.py"
