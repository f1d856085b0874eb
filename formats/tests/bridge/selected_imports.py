# Imports of what labels select, judged by xarray's selection of the same file: NetCDF, HDF5 with dimension scales and
# Zarr, whole and one variable of them; calendars, descending latitudes, lists, steps, the nearest; several files; what
# was read; errors, which leave nothing behind.
# SPDX-License-Identifier: Apache-2.0
import glob
import os
import random
import warnings

import cftime
import h5py
import netCDF4
import numpy as np
import xarray

from judge import call, check, done, run, workplace

warnings.simplefilter("ignore")
TOOL = os.environ["XTA_TOOL"]
SEED = int(os.environ.get("XTA_SEED", "20240611"))
DICE = random.Random(SEED)
N = max(1, round(2 * float(os.environ.get("XTA_SCALE", "1"))))
CALENDARS = ("standard", "proleptic_gregorian", "noleap", "360_day", "all_leap", "julian")


def make(path, calendar, kind="NETCDF4", days=400, first=0):
    """Daily fields with bounds, 2-d coordinates, a variable without time, names, and a group in NetCDF-4."""
    with netCDF4.Dataset(path, "w", format=kind) as f:
        for name, n in (("time", None), ("lat", 7), ("lon", 9), ("nv", 2), ("y", 4)):
            f.createDimension(name, n)
        time = f.createVariable("time", "f8", ("time",))
        time.units, time.calendar, time.bounds = "days since 2000-01-01", calendar, "time_bnds"
        t = first + np.arange(days)
        time[:] = t + 0.5
        f.createVariable("time_bnds", "f8", ("time", "nv"))[:] = np.stack([t, t + 1], 1)
        lat = f.createVariable("lat", "f4", ("lat",))
        lat.units = "degrees_north"
        lat[:] = [80, 60.5, 40.25, 10, -5, -30.1, -88]
        lon = f.createVariable("lon", "i2", ("lon",))
        lon.units = "degrees_east"
        lon[:] = np.arange(9) * 40
        f.createVariable("nav", "f8", ("lat", "lon"))[:] = np.arange(63).reshape(7, 9) / 8
        storage = {} if kind.startswith("NETCDF3") else dict(chunksizes=(10, 7, 4), zlib=True)
        v = f.createVariable("tas", "f4", ("time", "lat", "lon"), fill_value=-999, **storage)
        v.units, v.coordinates = "K", "nav"
        v[:] = (t[:, None, None] * 63 + np.arange(63).reshape(7, 9)) / 4
        f.createVariable("area", "i4", ("y", "lon"))[:] = np.arange(36).reshape(4, 9)
        f.createVariable("count", "i2", ("time",))[:] = t
        f.createVariable("mask", "i1", ("y",))[:] = [3, 1, 4, 1]
        if kind == "NETCDF4":
            g = f.createGroup("model")
            g.createVariable("pr", "f8", ("time", "lon"))[:] = t[:, None] + np.arange(9) / 16
    return path


def make_hdf5(path):
    """The same without NetCDF's marks: dimension scales only."""
    with h5py.File(path, "w") as f:
        for name, values in (("t", np.arange(50) * 0.5), ("lat", np.float32([80, 60.5, 10, -88]))):
            f[name] = values
            f[name].make_scale(name)
        f["v"] = np.arange(200.0).reshape(50, 4)
        for axis, name in enumerate(("t", "lat")):
            f["v"].dims[axis].attach_scale(f[name])
            f["v"].dims[axis].label = name
        f["whole"] = np.arange(3)


# ---- random selections: the text, and the cells of the axis ----

def dates(times, calendar):
    return cftime.num2date(times, "days since 2000-01-01", calendar)


def of_time(times, calendar):
    d = dates(times, calendar)
    a, b = sorted(DICE.sample(range(len(d)), 2))
    day = [x.strftime("%Y-%m-%d") for x in d]
    month = [x.strftime("%Y-%m") for x in d]
    form = DICE.randrange(6)
    if form == 0:
        return f"{month[a]}", [k for k in range(len(d)) if month[k] == month[a]]
    if form == 1:
        return f"{month[a]}:{day[b]}", [k for k in range(len(d)) if month[a] <= month[k] and k <= b]
    if form == 2:
        step = DICE.randint(2, 90)
        return f"{day[a]}:{month[b]}:{step}", [k for k in range(a, len(d)) if month[k] <= month[b]][::step]
    if form == 3:
        cells = DICE.sample(range(len(d)), 3)
        return "[" + ",".join(day[k] for k in cells) + "]", cells
    if form == 4:  # midnight is half a day before its noon and after the noon before
        return f"{day[b]}T11~0.9", [b]
    return f"{day[a]}:", list(range(a, len(d)))


def of_numbers(values):
    """xarray's own selection of the coordinates, by slices and method='nearest'."""
    index = xarray.DataArray(np.arange(len(values)), dims="x", coords={"x": values})
    lo, hi = sorted(DICE.sample([float(v) for v in values], 2))
    form = DICE.randrange(5)
    ends = slice(hi, lo) if values[0] > values[-1] else slice(lo, hi)
    if form == 0:
        return f"{lo!r}:{hi!r}", list(index.sel(x=ends).values)
    if form == 1:
        step = DICE.randint(2, 4)
        return f"{lo!r}:{hi!r}:{step}", list(index.sel(x=ends).values[::step])
    if form == 2:
        at = DICE.uniform(float(min(values)) - 3, float(max(values)) + 3)
        return f"{at!r}~", [int(index.sel(x=at, method="nearest"))]
    if form == 3:
        cells = DICE.sample(range(len(values)), 3)
        return "[" + ",".join(str(values[k]) for k in cells) + "]", cells
    return str(values[0]), [0]


def selection(f):
    """A random selection of a data set: its text, and the cells for isel."""
    parts, cells = [], {}
    names = [name for name in ("time", "lat", "lon", "y") if name in f.dims]
    for name in DICE.sample(names, DICE.randint(1, len(names))):
        if name == "y":  # no coordinates: numbers
            text, chosen = DICE.choice([("1:2", [1, 2]), ("[3,0]", [3, 0]), ("::2", [0, 2]), ("2", [2])])
        elif name == "time":
            text, chosen = of_time(f.time.values, f.time.attrs["calendar"])
        else:
            text, chosen = of_numbers(f[name].values)
        parts.append(f"{name}={text}")
        cells[name] = chosen
    return ",".join(parts), cells


def opened(path, **more):
    with xarray.open_dataset(path, decode_times=False, mask_and_scale=False, **more) as f:
        return f.load()


def exported(folder):
    run(TOOL, "export", folder, "out.nc", "--force")
    return opened("out.nc")


def judge_whole(path, group=None):
    whole = opened(path)
    inner = opened(path, group=group) if group else None
    for _ in range(N):
        text, cells = selection(whole)
        run("rm", "-rf", "got")
        run(TOOL, "import", path, "got/", "--sel", text)
        got, want = exported("got"), whole.isel(cells)
        check(list(got.variables) == list(want.variables), path, text, list(got.variables))
        for name in want.variables:
            a, b = got[name], want[name]
            check(a.dims == b.dims and a.dtype == b.dtype and np.array_equal(a.values, b.values), path, text, name,
                  a.shape, b.shape, f"(seed {SEED})")
            check(a.attrs == b.attrs, path, text, name, a.attrs, b.attrs)
        if group:
            own = inner.isel({k: v for k, v in cells.items() if k in inner.dims})
            xarray.testing.assert_identical(opened("out.nc", group=group), own)


def judge_one(path):
    """One variable, as --sel of a copy of the whole one finds it."""
    whole = opened(path)
    run(TOOL, "import", f"{path}:tas", "whole")
    for _ in range(N):
        text, cells = selection(whole.tas)
        run("rm", "-f", "one.xta", "one.xmd")
        box = run(TOOL, "import", f"{path}:tas", "one", "--sel", text).strip()
        want = whole.tas.isel(cells)
        check(all(part.startswith("0:") for part in box.split(",")), text, box)
        run(TOOL, "export", "one", "one.npy", "--force")
        check(np.array_equal(np.load("one.npy"), want.values), text, "cells")
        run(TOOL, "export", "one", "one.nc", "--force")
        with xarray.open_dataset("one.nc", decode_times=False, mask_and_scale=False) as got:
            for name in ("time", "lat", "lon", "nav"):
                check(np.array_equal(got[name].values, want[name].values), text, name, got[name].values)
    run("rm", "-f", "box.xta", "box.xmd")
    check(run(TOOL, "import", f"{path}:tas", "box", "--box", "30:40,2,:").strip() == "30:40,2:3,0:9", "numbers are kept")
    check(run(TOOL, "read", "box") == run(TOOL, "read", "whole", "--box", "30:40,2,:"), "the cells of a box")
    run(TOOL, "import", f"{path}:tas", "box", "--box", "40:43,2,:", "--append", "time")
    check(run(TOOL, "read", "box") == run(TOOL, "read", "whole", "--box", "30:43,2,:"), "an append of a box")


def judge_hdf5():
    make_hdf5("plain.h5")
    run(TOOL, "import", "plain.h5", "plain/", "--sel", "t=2:3.5,lat=[10,80]")
    want = np.arange(200.0).reshape(50, 4)[4:8][:, [2, 0]]
    run(TOOL, "export", "plain/v", "v.npy")
    check(np.array_equal(np.load("v.npy"), want), "HDF5", np.load("v.npy"))
    run(TOOL, "export", "plain/whole", "w.npy")
    check(np.array_equal(np.load("w.npy"), np.arange(3)), "HDF5: without the dimension")
    run(TOOL, "import", "plain.h5:v", "v", "--sel", "t=2:3.5,lat=[10,80]")
    run(TOOL, "export", "v", "v.npy", "--force")
    check(np.array_equal(np.load("v.npy"), want), "one HDF5 dataset", np.load("v.npy"))


def judge_zarr():
    whole = xarray.open_dataset("noleap.nc", decode_times=False)
    whole[["tas", "nav", "count"]].to_zarr("in.zarr", consolidated=True)
    for _ in range(N):
        text, cells = selection(whole.tas)
        run("rm", "-rf", "z")
        run(TOOL, "import", "in.zarr", "z/", "--sel", text)
        got, want = exported("z"), whole.isel(cells)
        for name in ("tas", "nav", "count", "time", "lat", "lon"):
            check(np.array_equal(got[name].values, want[name].values), "Zarr", text, name)


def judge_many():
    """Months of one file each: ranges, and the same list of latitudes in all of them."""
    kind = "NETCDF4_CLASSIC"  # a group has no coordinates of its own to be placed by
    make("year.nc", "noleap", kind, days=60)
    files = [make(f"m{k}.nc", "noleap", kind, days=20, first=20 * k) for k in range(3)]
    DICE.shuffle(files)
    whole = opened("year.nc")
    ranges = ("time=2000-01-15:2000-02-10,lat=-10:50", dict(time=range(14, 41), lat=[2, 3, 4]))
    month = ("time=2000-02,lon=100~,lat=[80,-5]", dict(time=range(31, 59), lon=[2], lat=[0, 4]))
    steps = ("lat=::3", dict(lat=[0, 3, 6]))
    append, place = ("--append", "time"), ("--at", "auto")
    for words, (text, cells) in ((append, ranges), (append, month), (place, ranges), (place, steps)):
        run("rm", "-rf", "got")
        run(TOOL, "import", *files, "got/", *words, "--sel", text)
        got, want = exported("got"), whole.isel({k: list(v) for k, v in cells.items()})
        for name in want.variables:
            check(np.array_equal(got[name].values, want[name].values), words, text, name)
    for words, text, said in ((append, "time=::2", "has other coordinates than in"),
                              (place, "lat=[-5,80,10]", "sort the list"), (append, "time=2003", "no cell has 2003"),
                              (place, "time=[2000-01-03,2000-02-03]", "no cell has"),
                              (append, "depth=3", "no dimension depth")):
        refused(*files, "bad/", *words, "--sel", text, said=said)
    # One file more, into what is there.
    run("rm", "-rf", "got")
    run(TOOL, "import", "m0.nc", "got/", "--sel", "lat=10:90,time=2000-01-10:")
    run(TOOL, "import", "m1.nc", "got/", "--append", "time", "--sel", "lat=10:90,time=:2000-01-31")
    check(np.array_equal(exported("got").tas.values, whole.tas.values[9:31, :4]), "one file after another")


def bytes_read(*words):
    """What a command reads by system calls, as the kernel counts it for a process and its ended children."""
    out = run("/bin/sh", "-c", '"$@" >&2; cat /proc/$$/io', "sh", *words)
    return int(out.split("rchar:")[1].split()[0])


def judge_reads():
    """Of 32 MB nothing is read but what is selected, its coordinates and the tool's own files."""
    with netCDF4.Dataset("big.nc", "w", format="NETCDF3_64BIT_OFFSET") as f:
        for name, n in (("t", 64), ("y", 250), ("x", 500)):
            f.createDimension(name, n)
            f.createVariable(name, "f8", (name,))[:] = np.arange(n)
        f.createVariable("v", "f4", ("t", "y", "x"))[:] = np.arange(8000000).reshape(64, 250, 500)
    with netCDF4.Dataset("big.nc") as f, netCDF4.Dataset("big4.nc", "w") as g:
        for name in ("t", "y", "x"):
            g.createDimension(name, len(f.dimensions[name]))
            g.createVariable(name, "f8", (name,))[:] = f[name][:]
        g.createVariable("v", "f4", ("t", "y", "x"), chunksizes=(1, 50, 100))[:] = f["v"][:]
    base = bytes_read(TOOL, "import", "big.nc", "none/", "--sel", "t=0,y=0,x=0")
    whole = bytes_read(TOOL, "import", "big.nc", "all/") - base
    check(whole > 31e6, "the counter counts", whole)
    for path in ("big.nc", "big4.nc"):
        for number, (text, wanted) in enumerate((("t=::32", 1e6), ("t=[60,2]", 1e6), ("t=5,y=20~", 2e3),
                                                 ("t=3:4,y=0:49,x=0:99", 2e5))):
            read = bytes_read(TOOL, "import", path, f"{path}{number}/", "--sel", text) - base
            check(read < wanted + 3e5, path, text, "read", read, "of", whole)
            if number % 2 > 0:
                continue
            read = bytes_read(TOOL, "import", path + ":v", f"{path}{number}v", "--sel", text) - base
            check(read < wanted + 3e5, path, text, "of one variable read", read, "of", whole)
    run(TOOL, "export", "big.nc2/v", "v.npy", "--force")
    check(np.array_equal(np.load("v.npy"), np.arange(8000000, dtype="f4").reshape(64, 250, 500)[5:6, 20:21]), "cells")


def refused(*words, said, code=1):
    got, out, err = call(TOOL, "import", *words)
    check(got == code and said in err and err.count("\n") == 1, words, "answered", got, err)
    check(not glob.glob("bad*"), words, "left", glob.glob("bad*"))


def judge_errors():
    """More of them are in the tests of the tool (import_selected)."""
    for text, said in (("lat=41:42", "noleap.nc: lat: no cell lies in 41:42"),
                       ("time=2000-02-29", "noleap.nc: time: 2000-02-29"), ("y=7", "noleap.nc: y: no cell has 7"),
                       ("lat=north", "noleap.nc: lat: \"north\" is no number")):
        refused("noleap.nc", "bad/", "--sel", text, said=said)
    refused("noleap.nc:tas", "bad", "--sel", "time=2000-13-01", said="noleap.nc: time: 2000-13-01: month 13", code=2)
    np.save("plain.npy", np.arange(12).reshape(3, 4))
    refused("plain.npy", "bad", "--sel", "0=1", said="plain.npy: npy has no coordinates of axes, so labels (--sel) select "
            "nothing; select cells by number: --box LO:HI,...")


with workplace() as folder:
    os.chdir(folder)
    make("noleap.nc", "noleap")
    judge_whole("noleap.nc", "model")
    for k in range(N // 2):
        judge_whole(make("any.nc", DICE.choice(CALENDARS)), "model")
    make("classic.nc", "360_day", "NETCDF3_CLASSIC")
    judge_whole("classic.nc")
    judge_one("noleap.nc")
    judge_hdf5()
    judge_zarr()
    judge_many()
    judge_reads()
    judge_errors()
    os.chdir("/")
done("selected_imports")
