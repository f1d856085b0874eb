# Many NetCDF files into one data set: months in any order, at both ends, tiles of space and time, overlaps, and every
# disagreement that has to be refused. Judged by NCO, xarray and NumPy.
# SPDX-License-Identifier: Apache-2.0
import glob
import itertools
import json
import os
import random
import shutil
import subprocess
import warnings

import netCDF4
import numpy as np
import xarray

from judge import call, check, data_folder, done, workplace

warnings.simplefilter("ignore")
TOOL = os.environ["XTA_TOOL"]
DATA = data_folder("netcdf")
DATA = DATA and os.path.abspath(DATA)
DICE = random.Random(20261125)
ALL = float(os.environ.get("XTA_SCALE", "1")) >= 1  # sanitizers run a part


def tool(*words, code=0):
    got, _, err = call(TOOL, *words)
    check(got == code, words, "exit", got, err)
    return err


def opened(path):
    with xarray.open_dataset(path, decode_times=False) as x:
        return x.load()


def exported(folder):
    tool("export", folder + "/", "out.nc", "--force")
    return opened("out.nc")


def contents(folder):
    """All bytes of all files."""
    return {name: open(os.path.join(folder, name), "rb").read() for name in sorted(os.listdir(folder))}


def fresh(name):
    shutil.rmtree(name, ignore_errors=True)
    return name


def write(path, time, y, x, epoch="2001-01-01", calendar="standard", cells=None, unlimited=True, kind="f8", **more):
    """tas(time, y, x), pr(time) and area(y, x), whose cells follow from the coordinates (in days since 2001)."""
    shift = (np.datetime64("2001-01-01") - np.datetime64(epoch)).astype(int)
    with netCDF4.Dataset(path, "w") as f:
        f.createDimension("time", None if unlimited else len(time))
        f.createDimension("y", len(y))
        f.createDimension("x", len(x))
        t = f.createVariable("time", kind, ("time",))
        t.units = more.get("time_units", "days since " + epoch)
        t.calendar = calendar
        t[:] = np.asarray(time) + shift
        for name, values in (("y", y), ("x", x)):
            f.createVariable(name, more.get("kind_" + name, "f8"), (name,))[:] = values
            f[name].units = more.get("unit_" + name, "m")
        tas = f.createVariable("tas", more.get("type", "f4"), ("time", "y", "x"), fill_value=more.get("fill", 1e20))
        tas.units = more.get("units", "K")
        tas[:] = field(time, y, x) if cells is None else cells
        if "scale" in more:
            tas.scale_factor = more["scale"]
        if more.get("pr", True):
            f.createVariable("pr", "i4", ("time",))[:] = np.floor(np.asarray(time) * 4).astype("i4")
        f.createVariable("area", "f4", ("y", "x"))[:] = more.get("area", np.outer(y, np.ones(len(x))))
    return path


def field(time, y, x):
    return (np.asarray(time)[:, None, None] * 4 + np.asarray(y)[None, :, None] * 0.25
            + np.asarray(x)[None, None, :] * 0.125).astype("f4")


def same(a, b, what):
    check(set(a.variables) == set(b.variables), what, "variables", list(a.variables), list(b.variables))
    for name in a.variables:
        p, q = a[name], b[name]
        check(p.dims == q.dims and p.dtype == q.dtype, what, name, p.dims, q.dims, p.dtype, q.dtype)
        check(np.array_equal(p.values, q.values, equal_nan=p.dtype.kind == "f"), what, name, "values")


def nemo():
    files = sorted(glob.glob(os.path.join(DATA, "nemo_1m_*.nc")))
    if shutil.which("ncrcat"):
        subprocess.run(["ncrcat", "-h", *files, "want.nc"], check=True)
        want = opened("want.nc")
    else:
        print("SKIPPED in part: ncrcat is missing; xarray concatenates instead")
        want = xarray.concat([opened(f) for f in files], "time_counter",
                             data_vars="minimal", coords="minimal", compat="override")
    for order in DICE.sample(list(itertools.permutations(files)), 2 if ALL else 1):
        tool("import", *order, fresh("nemo") + "/", "--append", "time_counter")
        same(want, exported("nemo"), "nemo")
    for words in (("--append", "time_counter", "--front"), ("--at", "auto")):
        tool("import", files[2], fresh("nemo") + "/")
        tool("import", files[0], files[1], "nemo/", *words)
        same(want, exported("nemo"), words)
    # One by one, from the middle: back, then front.
    tool("import", files[1], fresh("nemo") + "/")
    tool("import", files[2], "nemo/", "--append", "time_counter")
    tool("import", files[0], "nemo/", "--append", "time_counter", "--front")
    same(want, exported("nemo"), "nemo one by one")
    # Again: everything is there, and equal.
    before = contents("nemo")
    tool("import", *files, "nemo/", "--append", "time_counter")
    check(before == contents("nemo"), "nemo again")
    # Where each month came from.
    notes = json.loads(subprocess.run([TOOL, "history", "nemo", "--files", "--json"], capture_output=True,
                                      check=True).stdout)
    check(len(notes["sources"]) == 2 and all(os.path.basename(n["source"]).startswith("nemo_1m_2015")
                                             for n in notes["sources"]), notes)
    # The middle is missing: nothing can be put between cells.
    tool("import", files[0], files[2], fresh("nemo") + "/", "--append", "time_counter")
    check("between" in tool("import", files[1], "nemo/", "--at", "auto", code=1), "a month in between")


MONTHS = np.cumsum([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])


def months():
    """Twelve months of days; each file has an epoch of its own."""
    y, x = np.arange(3) * 10.0, np.arange(4) * 5.0
    days = [np.arange(MONTHS[k], MONTHS[k + 1]) + 0.5 for k in range(12)]
    files = [write(f"m{k:02}.nc", d, y, x, epoch=f"2001-{k % 3 + 1:02}-01") for k, d in enumerate(days)]
    whole = np.concatenate(days)
    want = opened(write("whole.nc", whole, y, x))

    def result(name):
        got = exported(name)
        # Times are in the epoch of the file that came first.
        shift = (np.datetime64("2001-01-01") - np.datetime64(got.time.units.split()[-1])).astype(int)
        check(np.array_equal(got.time.values, want.time.values + shift), name, "time")
        return got.assign_coords(time=want.time)

    for words in (("--append", "time"), ("--append", "time", "--front"), ("--at", "auto")):
        mixed = DICE.sample(files, 12)
        tool("import", *mixed, fresh("year") + "/", *words)
        same(want, result("year"), ("months", words))
    # In several calls: from the middle to both ends.
    tool("import", files[5], fresh("year") + "/")
    for k in range(6, 12):
        tool("import", files[k], "year/", "--append", "time")
    tool("import", *DICE.sample(files[:5], 5), "year/", "--append", "time", "--front")
    same(want, result("year"), "months from the middle")
    # Mean days of months: 15.5, 45, 74.5, ... are not regular; the list grows at both ends.
    mean = [np.array([(MONTHS[k] + MONTHS[k + 1]) / 2]) for k in range(12)]
    files = [write(f"n{k:02}.nc", d, y, x) for k, d in enumerate(mean)]
    two = write("two.nc", np.concatenate(mean[4:6]), y, x)  # two values are regular: they become a list
    want = opened(write("whole.nc", np.concatenate(mean), y, x))
    tool("import", two, fresh("year") + "/")
    tool("import", *DICE.sample(files[6:], 6), "year/", "--append", "time")
    tool("import", *DICE.sample(files[:4], 4), "year/", "--at", "auto")
    same(want, exported("year"), "means of months")
    if shutil.which("ncrcat"):
        subprocess.run(["ncrcat", "-O", "-h", *files, "nco.nc"], check=True)
        same(opened("nco.nc"), exported("year"), "ncrcat of months")


def tiles(irregular):
    """Two growing dimensions at once, and a third: tiles in any order are the whole."""
    time = np.arange(24.0) * 0.25
    y, x = 60.0 - np.arange(12) * 0.5, np.arange(20) * 2.0
    if irregular:
        y, time = y - np.arange(12) ** 2 * 0.01, time + np.arange(24) % 2 * 0.125
    want = opened(write("whole.nc", time, y, x))
    files = []
    for t, j, i in itertools.product(range(0, 24, 8), range(0, 12, 4), range(0, 20, 10)):
        files.append(write(f"t{t}_{j}_{i}.nc", time[t:t + 8], y[j:j + 4], x[i:i + 10]))
    tool("import", *DICE.sample(files, len(files)), fresh("tiles") + "/", "--at", "auto")
    same(want, exported("tiles"), ("tiles", irregular))
    if not irregular and ALL:
        # One call for each tile, gaps and all.
        fresh("tiles")
        for f in DICE.sample(files, len(files)):
            tool("import", f, "tiles/", "--at", "auto")
        same(want, exported("tiles"), "tiles one by one")


def overlaps():
    y, x = np.arange(3) * 10.0, np.arange(4) * 5.0
    a = write("a.nc", np.arange(0.0, 10), y, x)
    b = write("b.nc", np.arange(6.0, 14), y, x)
    other = write("other.nc", np.arange(6.0, 14), y, x, cells=field(np.arange(6.0, 14), y, x) + 1)
    want = opened(write("whole.nc", np.arange(0.0, 14), y, x))
    for words in (("--append", "time"), ("--at", "auto")):
        tool("import", a, fresh("over") + "/")
        tool("import", b, "over/", *words)  # the common days are equal
        same(want, exported("over"), ("equal overlap", words))
        tool("import", a, fresh("over") + "/")
        before = exported("over")
        text = tool("import", other, "over/", *words, code=1)
        check("tas" in text and "cell 6,0,0" in text, text)
        same(before, exported("over"), "refused: nothing has changed")
        tool("import", other, "over/", *words, "--overlap", "skip")
        kept = want.copy(deep=True)
        kept.tas.values[10:] += 1
        same(kept, exported("over"), ("skip", words))
        tool("import", a, fresh("over") + "/")
        tool("import", other, "over/", *words, "--overlap", "replace")
        replaced = want.copy(deep=True)
        replaced.tas.values[6:] += 1
        same(replaced, exported("over"), ("replace", words))


def disagreements():
    """Each of these has to be refused, and leaves the data set as it was."""
    y, x, t = np.arange(3) * 10.0, np.arange(4) * 5.0, np.arange(10.0, 20)
    a = write("a.nc", np.arange(0.0, 10), y, x)
    ulp = y.copy()
    ulp[1] = np.nextafter(ulp[1], np.inf)
    cases = {
        "another latitude": (dict(y=y + 1), "y"),
        "a latitude that differs by one ulp": (dict(y=ulp), "y"),
        "descending latitudes": (dict(y=y[::-1].copy()), "descending"),
        "fewer latitudes": (dict(y=y[:2]), "y"),
        "latitudes of another unit": (dict(unit_y="K"), "converted"),
        "a calendar": (dict(calendar="noleap"), "calendar"),
        "a time that is no time": (dict(time_units="m"), "time"),
        "times out of order": (dict(time=t[::-1].copy()), "descending"),
        "a time twice": (dict(time=np.r_[t[:5], t[4:9]]), "ascending"),
        "NaN": (dict(time=np.r_[t[:5], np.nan, t[6:]]), "ascending"),
        "times before": (dict(time=t - 30), "--front"),
        "another unit": (dict(units="degC"), "units"),
        "packed cells": (dict(scale=0.5), "scale_factor"),
        "another fill value": (dict(fill=-1.0), "_FillValue"),
        "another type": (dict(type="f8"), "type"),
        "a missing variable": (dict(pr=False), "pr"),
    }
    tool("import", a, fresh("set") + "/")
    before = contents("set")
    for what, (change, word) in cases.items():
        b = write("b.nc", **{"time": t, "y": y, "x": x, **change})
        text = tool("import", b, "set/", "--append", "time", code=1)
        check(word in text and "b.nc" in text and text.count("\n") == 1, what, text)
        check(before == contents("set"), what, "something has changed")
    # What is no error, but is said: a variable without time that differs.
    b = write("b.nc", t, y, x, area=np.ones((3, 4)))
    check("area" in tool("import", b, "set/", "--append", "time", "--strict", code=1), "strict")
    check(before == contents("set"), "strict: something has changed")
    check("lost" in tool("import", b, "set/", "--append", "time"), "area is kept")
    check(exported("set").sizes["time"] == 20, "appended all the same")
    # Other words for the same: hours, single precision, kilometres.
    c = write("c.nc", (np.arange(20.0, 25) - 0) * 24, y / 1000, x, time_units="hours since 2001-01-01", unit_y="km",
              cells=field(np.arange(20.0, 25), y, x))
    text = tool("import", c, "set/", "--append", "time")
    got = exported("set")
    check(np.array_equal(got.time.values, np.arange(25.0)) and np.array_equal(got.y.values, y), "converted", got)
    # A gap: --append joins, --at auto leaves fill values.
    d = write("d.nc", np.arange(30.0, 32), y, x)
    shutil.copytree("set", fresh("joined"))
    tool("import", d, "joined/", "--append", "time")
    check(np.array_equal(exported("joined").time.values, np.r_[np.arange(25.0), 30, 31]), "joined")
    tool("import", d, "set/", "--at", "auto")
    got = exported("set")
    check(np.array_equal(got.time.values, np.arange(32.0)) and bool(np.isnan(got.tas.values[25:30]).all())
          and np.array_equal(got.tas.values[30:], field(np.arange(30.0, 32), y, x)), "gap")
    tool("import", a, d, "new.xta/", code=2)
    tool("import", a, d, "array", code=2)
    tool("import", a, "set/", "--append", "depth", code=1)
    tool("import", a, "set/", "--append", "time", "--overlap", "perhaps", code=2)


with workplace() as place:
    os.chdir(place)
    if DATA is not None:
        nemo()
    months()
    tiles(False)
    tiles(True)
    overlaps()
    disagreements()
    os.chdir("/")
done("whole_appends")
