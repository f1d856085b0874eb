"""netCDF4 for Python. SPDX-License-Identifier: Apache-2.0"""
import pathlib
import sys

import netCDF4

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import expected

with netCDF4.Dataset(sys.argv[1]) as ocean:
    time, y, x = (ocean[name][:].data for name in ("time", "y", "x"))
    expected.compare("temp", ocean["temp"][:].data, expected.temp(time, y, x))
    expected.compare("flag", ocean["flag"][:].data, expected.flag(time, y, x))
expected.found(time, y, 2 * time.size * y.size * x.size)
