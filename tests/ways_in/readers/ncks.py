"""ncks copies temp to a NetCDF file, which netCDF4 reads. SPDX-License-Identifier: Apache-2.0"""
import os
import pathlib
import subprocess
import sys
import tempfile

import netCDF4

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import expected

with tempfile.TemporaryDirectory() as work:
    subprocess.run([os.environ["XTA_NC"], "ncks", "-O", "-v", "temp,time,y,x", sys.argv[1], f"{work}/copy.nc"], check=True,
                   stdout=subprocess.DEVNULL)
    with netCDF4.Dataset(f"{work}/copy.nc") as copy:
        time, y, x = (copy[name][:].data for name in ("time", "y", "x"))
        expected.compare("temp", copy["temp"][:].data, expected.temp(time, y, x))
expected.found(time, y, time.size * y.size * x.size)
