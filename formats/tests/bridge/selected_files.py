# Exports of what labels select, judged by xarray's selection of the same file: whole data sets with groups, and single
# members with steps and lists.
# SPDX-License-Identifier: Apache-2.0
import os
import warnings

import netCDF4
import numpy as np
import xarray

from judge import call, check, done, run, workplace

warnings.simplefilter("ignore")
TOOL = os.environ["XTA_TOOL"]


def make(path):
    """Days of two years, regular and listed coordinates, names, a member without time, a group."""
    with netCDF4.Dataset(path, "w") as f:
        for name, n in (("time", None), ("lat", 5), ("lon", 8), ("station", 3)):
            f.createDimension(name, n)
        time = f.createVariable("time", "f8", ("time",))
        time.units, time.calendar = "days since 2015-01-01", "noleap"
        time[:] = np.arange(730) + 0.5
        lat = f.createVariable("lat", "f4", ("lat",))
        lat.units, lat.standard_name = "degrees_north", "latitude"
        lat[:] = [60, 52.5, 40.25, 30, 10]
        lon = f.createVariable("lon", "i4", ("lon",))
        lon.units = "degrees_east"
        lon[:] = np.arange(8) * 5
        sst = f.createVariable("sst", "f4", ("time", "lat", "lon"), chunksizes=(31, 5, 8), zlib=True,
                               fill_value=-999)
        sst[:] = np.arange(730 * 40).reshape(730, 5, 8)
        sst.units = "K"
        f.createVariable("depth", "f8", ("lat", "lon"))[:] = np.arange(40).reshape(5, 8)
        f.createVariable("height", "i2", ("station",))[:] = [1, 2, 3]
        f.createVariable("flag", "i1", ("time",))[:] = np.arange(730) % 7
        group = f.createGroup("model")
        group.createVariable("tas", "f8", ("time", "lon"))[:] = np.arange(730 * 8).reshape(730, 8) / 4


def judge_set():
    run(TOOL, "import", "--no-history", "in.nc", "set/")
    whole = xarray.open_dataset("in.nc")
    group = xarray.open_dataset("in.nc", group="model")
    for text, wanted in (
            ("time=2015-01:2015-03", dict(time=slice("2015-01", "2015-03"))),
            ("time=2016-02-28,lat=30:52.5", dict(time=slice("2016-02-28", "2016-02-28"), lat=slice(52.5, 30))),
            ("lon=12~,time=2016:", dict(lon=slice(10, 10), time=slice("2016", None))),
            ("lat=60", dict(lat=slice(60, 60)))):
        run(TOOL, "export", "--no-history", "set", "out.nc", "--sel", text, "--force")
        out = xarray.open_dataset("out.nc")
        xarray.testing.assert_identical(out.load(), whole.sel(wanted).load())
        check(list(out.variables) == list(whole.variables), text, list(out.variables))
        inner = xarray.open_dataset("out.nc", group="model")
        cut = group.isel(time=[k for k, t in enumerate(whole.time.values) if t in set(out.time.values)],
                         lon=np.searchsorted(whole.lon.values, out.lon.values))
        xarray.testing.assert_identical(inner.load(), cut.load())
        out.close()
        inner.close()
    with netCDF4.Dataset("out.nc") as f:
        check(f.dimensions["time"].isunlimited() and f["sst"].filters()["zlib"], "storage is kept")
    # What is exported comes back, at the true coordinates.
    run(TOOL, "export", "--no-history", "set", "part.nc", "--sel", "time=2016-06,lat=10:40.25")
    run(TOOL, "import", "--no-history", "part.nc", "part/")
    check(run(TOOL, "read", "part/sst", "--sel", "time=2016-06-10,lat=30")
          == run(TOOL, "read", "set/sst", "--sel", "time=2016-06-10,lat=30"), "cells that came back")


def judge_member():
    whole = xarray.open_dataset("in.nc")
    for text, wanted in (("time=2015:2015:100,lon=[25,5],lat=40.25", dict(time=slice(0, 365, 100), lon=[5, 1], lat=[2])),
                         ("time=2015-02,lat=[10,60]", dict(time=slice(31, 59), lat=[4, 0])),
                         ("time=::365", dict(time=slice(None, None, 365)))):
        wanted = whole.sst.isel(wanted)
        run(TOOL, "export", "--no-history", "set/sst", "one.npy", "--sel", text, "--force")
        check(np.array_equal(np.load("one.npy"), wanted.values), text)
        run(TOOL, "copy", "set/sst", "copy", "--sel", text, "--overwrite")
        check(run(TOOL, "read", "copy") == run(TOOL, "read", "set/sst", "--sel", text), text, "copied")
        run(TOOL, "export", "--no-history", "copy", "copy.nc", "--force")
        with xarray.open_dataset("copy.nc") as copy:
            for axis in ("time", "lat", "lon"):
                check(np.array_equal(copy[axis].values, wanted[axis].values), text, axis, copy[axis].values)
                check(copy[axis].dtype == wanted[axis].dtype, text, axis, copy[axis].dtype)
    run(TOOL, "copy", "set/sst", "box", "--sel", "time=2016-06-10:2016-06-11,lat=30:52.5")
    check("525:527,1:4,0:8" in run(TOOL, "info", "box"), "cells of a box keep their numbers")
    check(run(TOOL, "read", "box", "--sel", "time=2016-06-11,lat=30")
          == run(TOOL, "read", "set/sst", "--sel", "time=2016-06-11,lat=30"), "a copied box has labels")


def judge_errors():
    for text, said in (("time=::2", "set/sst: axis time: a list or a step"), ("lat=[10,30]", "axis lat"),
                       ("depth=3", "no member has an axis depth"), ("time=2019", "no cell has 2019"),
                       ("lat=10,lat=30", "axis lat is selected twice"), ("time", "is not AXIS=LABELS")):
        code, _, err = call(TOOL, "export", "set", "bad.nc", "--sel", text)
        check(code != 0 and said in err and err.count("\n") == 1, text, "answered", code, err)
        check(not os.path.exists("bad.nc"), "bad.nc was left behind")
    code, _, err = call(TOOL, "export", "set", "bad.nc", "--box", "0:1")
    check(code == 2 and "--box is for one array" in err, err)


with workplace() as folder:
    os.chdir(folder)
    make("in.nc")
    judge_set()
    judge_member()
    judge_errors()
    os.chdir("/")
done("selected_files")
