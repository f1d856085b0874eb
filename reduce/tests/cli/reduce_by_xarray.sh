# Groups of a calendar against xarray, in all calendars of CF.
# SPDX-License-Identifier: Apache-2.0
python3 -c 'import xarray, cftime' 2>/dev/null || { echo "SKIPPED: no xarray or cftime"; exit 77; }
python3 "$XTA_SOURCE_DIR/reduce/tests/cli/reduce_by_xarray.py" 2>&1
