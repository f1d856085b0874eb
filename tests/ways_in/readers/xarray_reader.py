"""xarray by engine="xta". SPDX-License-Identifier: Apache-2.0"""
import pathlib
import sys

import xarray

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import expected

with xarray.open_dataset(sys.argv[1], engine="xta", decode_times=False) as ocean:
    time, y, x = (ocean[name].values for name in ("time", "y", "x"))
    expected.compare("temp", ocean["temp"].values, expected.temp(time, y, x))
    expected.compare("flag", ocean["flag"].values, expected.flag(time, y, x))
expected.found(time, y, 2 * time.size * y.size * x.size)
