"""xta reduce --by against xarray and cftime, in all calendars of CF. See reduce_by_xarray.sh.

SPDX-License-Identifier: Apache-2.0
"""
import csv
import io
import json
import os
import subprocess
import tempfile

import cftime
import numpy
import xarray

CALENDARS = ("standard", "proleptic_gregorian", "julian", "noleap", "all_leap", "360_day")
SEASONS = ("DJF", "MAM", "JJA", "SON")
RESAMPLE = {"month": "MS", "season": "QS-DEC", "year": "AS"}


def xta(*words):
    return subprocess.run(("xta",) + words, check=True, stdout=subprocess.PIPE, text=True).stdout


def make(path, calendar, cells, begin, step, unit):
    numpy.save(path + ".npy", cells)
    xta("create", path, "--type", "f64", "--bounds", ",".join(map(str, cells.shape)), "--names", "time,x",
        "--chunk", "50,3")
    xta("attr", path, "values//regular=%d,%d,8" % (begin, step), "--type", "i64", "--axis", "time")
    xta("attr", path, "--axis", "time", "--set-unit", unit)
    xta("attr", path, "calendar=" + calendar, "--axis", "time")
    xta("write", path, "--box", ":,:", "--from", path + ".npy")


def rows(text):
    return list(csv.reader(io.StringIO(text)))[1:]


def check_resampled(path, calendar, data, by):
    """Groups that follow each other: labels, means and the coordinates of the array."""
    wanted = data.resample(time=RESAMPLE[by]).mean()
    wanted = wanted.where(data.resample(time=RESAMPLE[by]).count() > 0, drop=True)
    found = rows(xta("reduce", path, "--over", "time", "--by", by))
    values = numpy.array([float(r[2]) for r in found]).reshape(wanted.shape)
    numpy.testing.assert_allclose(values, wanted.values, rtol=1e-12)
    for k, time in enumerate(wanted.time.values):
        label = {"month": "%04d-%02d" % (time.year, time.month), "year": "%04d" % time.year,
                 "season": "%04d-%s" % (time.year + time.month // 12, SEASONS[time.month % 12 // 3])}[by]
        assert found[k * 3][0] == label, (calendar, by, found[k * 3][0], label)
    out = path + "_" + by
    xta("reduce", path, "--over", "time", "--by", by, "--out", out)
    numbers = [float(v) for v in xta("attr", out, "values", "--axis", "time").replace(",", " ").split()]
    times = cftime.num2date(numbers, data.attrs["unit"], calendar)
    assert list(times) == list(wanted.time.values), (calendar, by)
    assert xta("attr", out, "calendar", "--axis", "time").strip() == calendar


def check_parts_of_years(path, data):
    wanted = data.groupby("time.month").mean()
    found = rows(xta("reduce", path, "--by", "month-of-year", "--over", "time"))
    assert [int(r[0]) for r in found[::3]] == list(wanted.month.values)
    numpy.testing.assert_allclose([float(r[2]) for r in found], wanted.values.ravel(), rtol=1e-12)
    wanted = data.groupby("time.season").mean()
    for r in rows(xta("reduce", path, "--by", "season-of-year", "--over", "time")):
        numpy.testing.assert_allclose(float(r[2]), float(wanted.sel(season=r[0])[int(r[1])]), rtol=1e-12)


def check_days(path, data):
    wanted = data.groupby(data.time.dt.strftime("%Y-%m-%d")).sum(...)
    found = rows(xta("reduce", path, "--over", "x", "--by", "time:day", "--with", "sum"))
    assert [r[0] for r in found] == [str(v) for v in wanted.strftime.values]
    numpy.testing.assert_allclose([float(r[1]) for r in found], wanted.values, rtol=1e-12)


random = numpy.random.default_rng(38)
fast = "/dev/shm" if os.access("/dev/shm", os.W_OK) else "."
with tempfile.TemporaryDirectory(dir=fast) as folder:
    os.chdir(folder)
    for calendar in CALENDARS:
        cases = [("six", 5, 6, "hours since 1999-11-17 03:00:00", 900)]
        if calendar in ("standard", "noleap", "360_day"):
            cases.append(("days", -800, 1, "days since 2001-02-03", 1500))
        for name, begin, step, unit, n in cases:
            path = calendar + "_" + name
            cells = random.normal(size=(n, 3))
            make(path, calendar, cells, begin, step, unit)
            times = cftime.num2date(begin + step * numpy.arange(n), unit, calendar)
            data = xarray.DataArray(cells, dims=("time", "x"), coords={"time": xarray.CFTimeIndex(times)},
                                    attrs={"unit": unit})
            for by in RESAMPLE:
                check_resampled(path, calendar, data, by)
            check_parts_of_years(path, data)
            if name == "six":
                check_days(path, data)
                object_ = json.loads(xta("reduce", path, "--by", "year", "--json"))
                assert [r["time"] for r in object_["results"]][0] == "1999"
    os.chdir("/")
print("groups of %d calendars equal" % len(CALENDARS))
