# SPDX-License-Identifier: Apache-2.0
"""Appends to a data set by xarray: labels that are there, what is refused, several processes at once."""

import os
import shutil
import subprocess
import sys

from xarray_support import count, run, scratch  # exits where xarray is missing

import numpy as np
import pandas as pd
import xarray as xr

import xta.xarray_accessor
from test_xarray import opened, refused


def series(days, value=1.0, start="2000-01-01"):
    times = pd.Timestamp(start) + pd.to_timedelta(np.asarray(days), "D")
    return xr.Dataset({"v": (("time", "x"), np.full((len(days), 3), value))}, {"time": times, "x": [10, 20, 30]})


def labels_of(path):
    with opened(path) as ds:
        return (
            list((ds["time"].values - np.datetime64("2000-01-01")) // np.timedelta64(1, "D")),
            ds["v"].values[:, 0].tolist(),
        )


def test_append_overlap():
    folder = scratch()
    path = os.path.join(folder, "set")
    series([0, 1, 2]).xta.to_xta(path)
    assert series([3, 4], 2.0).xta.append(path, "time") == ("time", 2, 0, 0)
    refused(
        ValueError,
        ["2 of the 3 labels", "replace", "2000-01-04"],
        lambda: series([3, 4, 5], 3.0).xta.append(path, "time"),
    )
    assert labels_of(path) == ([0, 1, 2, 3, 4], [1, 1, 1, 2, 2])
    assert series([3, 4, 5], 3.0).xta.append(path, "time", overlap="skip") == ("time", 1, 0, 2)
    assert labels_of(path) == ([0, 1, 2, 3, 4, 5], [1, 1, 1, 2, 2, 3])
    assert series([4, 5, 6], 4.0).xta.append(path, "time", overlap="replace") == ("time", 1, 2, 0)
    assert labels_of(path) == ([0, 1, 2, 3, 4, 5, 6], [1, 1, 1, 2, 4, 4, 4])
    assert series([-3, -1], 5.0).xta.append(path, "time") == ("time", 2, 0, 0)
    assert labels_of(path)[0] == [-3, -1, 0, 1, 2, 3, 4, 5, 6]
    refused(ValueError, ["lies between"], lambda: series([-2], 6.0).xta.append(path, "time"))
    refused(ValueError, ["lies between"], lambda: series([-2, 7], 6.0).xta.append(path, "time", overlap="replace"))
    assert series([-4, 0, 9], 7.0).xta.append(path, "time", overlap="replace") == ("time", 2, 1, 0)
    assert labels_of(path) == ([-4, -3, -1, 0, 1, 2, 3, 4, 5, 6, 9], [7, 5, 5, 7, 1, 1, 2, 4, 4, 4, 7])
    refused(ValueError, ["front=True"], lambda: series([10]).xta.append(path, "time", front=True))
    refused(ValueError, ["comes 2 times"], lambda: series([10, 10]).xta.append(path, "time"))
    refused(ValueError, ["neither ascending"], lambda: series([10, 12, 11]).xta.append(path, "time"))
    refused(ValueError, ["sortby"], lambda: series([12, 11, 10]).xta.append(path, "time"))
    refused(ValueError, ["overlap"], lambda: series([12]).xta.append(path, "time", overlap="keep"))
    assert len(labels_of(path)[0]) == 11
    shutil.rmtree(folder)


def test_append_refuses():
    folder = scratch()
    path = os.path.join(folder, "set")
    start = series([0, 1, 2]).assign(w=("time", np.arange(3)), text=("time", ["a", "bb", "ccc"]))
    start.xta.to_xta(path)
    more = series([3]).assign(w=("time", [7]), text=("time", ["d"]))
    refused(ValueError, ["'w'", "missing='fill'"], lambda: more.drop_vars("w").xta.append(path, "time"))
    refused(ValueError, ["'x'", "10 at", "11"][:1], lambda: more.assign_coords(x=[11, 20, 30]).xta.append(path, "time"))
    refused(ValueError, ["'x'", "2 cells"], lambda: more.isel(x=slice(0, 2)).xta.append(path, "time"))
    refused(ValueError, ["'new'"], lambda: more.assign(new=("time", [1])).xta.append(path, "time"))
    refused(
        ValueError,
        ["2000-01-04T12", "int64"][1:],
        lambda: more.assign_coords(time=more.time + np.timedelta64(12, "h")).xta.append(path, "time"),
    )
    refused(
        ValueError,
        ["cannot be stored", "_FillValue"],
        lambda: more.assign(w=("time", [np.nan])).xta.append(path, "time"),
    )
    refused(ValueError, ["longer than"], lambda: more.assign(text=("time", ["too long"])).xta.append(path, "time"))
    refused(
        ValueError,
        ["'v'", "degC"],
        lambda: (
            start.assign(v=start.v.assign_attrs(units="K")).xta.to_xta(path + "K"),
            more.assign(v=more.v.assign_attrs(units="degC")).xta.append(path + "K", "time"),
        ),
    )
    refused(ValueError, ["no dimension 'day'"], lambda: more.rename(time="day").xta.append(path, "day"))
    refused(
        ValueError,
        ["list of labels", "labels"][1:],
        lambda: more.drop_vars("time").assign().xta.append(path + "none", "time")
        if _without_labels(path + "none")
        else None,
    )
    assert labels_of(path)[0] == [0, 1, 2]
    more.drop_vars("w").xta.append(path, "time", missing="fill")
    with opened(path) as back:
        assert back["w"].values.tolist() == [0, 1, 2, 0] and back["text"].values.tolist() == ["a", "bb", "ccc", "d"]
    refused(FileNotFoundError, ["nowhere"], lambda: more.xta.append(os.path.join(folder, "nowhere"), "time"))
    refused(ValueError, ["not opened"], lambda: more.xta.append(start, "time"))
    shutil.rmtree(folder)


def _without_labels(path):
    """A set whose time has a list of labels, so that a Dataset without labels cannot continue it."""
    series([0, 1, 5]).assign(w=("time", np.arange(3)), text=("time", ["a", "b", "c"])).xta.to_xta(path)
    return True


def test_append_texts_calendars_and_nothing():
    folder = scratch()
    path = os.path.join(folder, "stations")

    def stations(*names):
        return xr.Dataset({"v": ("station", np.arange(len(names)) + 10)}, {"station": list(names)})

    stations("b", "a", "z\u00fcrich").xta.to_xta(path)
    assert stations("c", "aa").xta.append(path, "station") == ("station", 2, 0, 0)
    assert stations("0", "b").xta.append(path, "station", overlap="skip") == ("station", 1, 0, 1)
    assert stations("q", "c").xta.append(path, "station", overlap="replace") == ("station", 1, 1, 0)
    refused(ValueError, ["first is c"], lambda: stations("c").xta.append(path, "station"))
    with opened(path) as ds:
        assert ds["station"].values.tolist() == ["b", "a", "z\u00fcrich", "c", "aa", "0", "q"]
        assert ds["v"].values.tolist() == [10, 11, 12, 11, 11, 10, 10]
    for calendar in ("noleap", "360_day"):
        path = os.path.join(folder, calendar)
        whole = xr.Dataset(
            {"v": ("time", np.arange(40.0))}, {"time": xr.cftime_range("2000-02-20", periods=40, calendar=calendar)}
        )
        whole.isel(time=slice(10, 30)).xta.to_xta(path)
        whole.isel(time=slice(30, 40)).xta.append(path, "time")
        whole.isel(time=slice(0, 10)).xta.append(path, "time")
        with opened(path) as ds:
            xr.testing.assert_identical(ds.load(), whole)
        other = whole.isel(time=slice(0, 2)).assign_coords(time=pd.date_range("2001-01-01", periods=2))
        refused(ValueError, ["calendar", calendar], lambda: other.xta.append(path, "time"))
    path = os.path.join(folder, "empty")
    empty = series([0, 1]).isel(time=slice(0, 0))
    empty["time"].encoding = {"units": "hours since 2000-01-01", "dtype": "i8"}
    empty.xta.to_xta(path)
    assert series([3, 5]).xta.append(path, "time") == ("time", 2, 0, 0) and labels_of(path)[0] == [3, 5]
    shutil.rmtree(folder)


APPENDER = """
import sys, warnings
import numpy as np, pandas as pd, xarray as xr
import xta.xarray_accessor
path, me, n = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for k in range(n):
    if me < 0:
        days = np.arange(k * 3, k * 3 + 5)
        times = pd.Timestamp("2000-01-01") + pd.to_timedelta(days, "D")
        values = np.repeat(days[:, None] * 1.0, 3, 1)
        ds = xr.Dataset({"v": (("time", "x"), values)}, {"time": times, "x": [10, 20, 30]})
        ds.xta.append(path, "time", overlap="skip")
    else:
        ds = xr.Dataset({"v": (("t", "x"), np.full((2, 3), me * 1000.0 + k))})
        ds.xta.append(path, "t", front=bool(k % 2))
"""


def processes(path, ids, n):
    env = dict(os.environ)
    started = [subprocess.Popen([sys.executable, "-c", APPENDER, path, str(me), str(n)], env=env) for me in ids]
    assert [p.wait() for p in started] == [0] * len(started)


def test_append_nothing_and_exactly():
    """No cells at all; integers that the floats of the set cannot hold; names that no array can have."""
    folder = scratch()
    path = os.path.join(folder, "set")
    start = xr.Dataset({"a b": ("t", [1.0, 2.0]), "c/d": (("t", "x"), np.zeros((2, 2), "f4"))})
    with xta.create_dataset(path) as made:
        made.set_dim("t", 2, unlimited=True)
        made.set_dim("x", 2)
        made.add("a_b", "f8", ("t",), attrs={"netcdf/name": "a b"})[...] = [1, 2]
        made.add("c_d", "f4", ("t", "x"), attrs={"netcdf/name": "c/d"})
    assert start.isel(t=slice(0, 0)).xta.append(path, "t") == ("t", 0, 0, 0)
    assert start.isel(t=slice(0, 0)).xta.append(path, "t", front=True) == ("t", 0, 0, 0)
    assert start.xta.append(path, "t") == ("t", 2, 0, 0)
    for value, kind in ((2**53 + 1, "i8"), (2**64 - 1, "u8"), (-(2**63) + 1, "i8")):
        more = start.isel(t=[0]).assign({"a b": ("t", np.array([value], kind))})
        refused(ValueError, ["'a b'", str(value), "float64"], lambda: more.xta.append(path, "t"))
    more = start.isel(t=[0]).assign({"c/d": (("t", "x"), np.array([[1, 2**24 + 1]]))})
    refused(ValueError, ["'c/d'", str(2**24 + 1), "float32"], lambda: more.xta.append(path, "t"))
    exact = start.isel(t=[0]).assign({"a b": ("t", [2**53]), "c/d": (("t", "x"), [[True, False]])})
    assert exact.xta.append(path, "t") == ("t", 1, 0, 0)
    with opened(path) as ds:
        assert ds["a b"].values.tolist() == [1, 2, 1, 2, 2**53] and ds["c/d"].values[-1].tolist() == [1, 0]
    shutil.rmtree(folder)


def test_packed_cells_that_mean_missing():
    """A number that packing makes the fill value would come back as missing."""
    folder = scratch()
    path = os.path.join(folder, "set")
    packing = {"dtype": "i2", "scale_factor": 0.5, "add_offset": 10.0, "_FillValue": -2}
    start = xr.Dataset({"v": ("t", [10.0, np.nan])}, {"t": [0, 1]})
    start.xta.to_xta(path, encoding={"v": packing}, unlimited_dims=["t"])
    for value in (9.0, 9.1):
        more = xr.Dataset({"v": ("t", [11.0, value])}, {"t": [2, 3]})
        refused(ValueError, ["'v'", str(value), "-2", "missing"], lambda: more.xta.append(path, "t"))
        region = {"t": slice(0, 2)}
        refused(ValueError, ["-2", "missing"], lambda: more.drop_vars("t").xta.to_xta(path, region=region))
    refused(ValueError, ["-2", "missing"], lambda: more.chunk({"t": 1}).xta.append(path, "t"))
    good = xr.Dataset({"v": ("t", [9.5, np.nan])}, {"t": [1002, 1003]})
    good.xta.append(path, "t")
    good.assign_coords(t=[2002, 2003]).chunk({"t": 1}).xta.append(path, "t")
    with opened(path) as ds:
        assert str(ds["v"].values[-4:].tolist()) == "[9.5, nan, 9.5, nan]"
        assert ds["v"].values[0] == 10
    shutil.rmtree(folder)


def test_replace_what_others_have_appended():
    """Labels that another process appends after this one has opened the set are replaced, too."""
    folder = scratch()
    path = os.path.join(folder, "set")
    series([0, 1, 2]).xta.to_xta(path)
    of_set, tries = xta.xarray_append.SetSnapshot.of_set, []

    def later(where):
        tries.append(where)
        if len(tries) == 2:  # the first is that of the form of the set
            with xta.open(path, "r+") as other:
                other.append({"v": np.full((2, 3), 2.0)}, "time", [3, 4], unit="days since 2000-01-01")
        return of_set(where)

    xta.xarray_append.SetSnapshot.of_set = later
    try:
        assert series([2, 3, 4], 5.0).xta.append(path, "time", overlap="replace") == ("time", 0, 3, 0)
    finally:
        xta.xarray_append.SetSnapshot.of_set = of_set
    assert labels_of(path) == ([0, 1, 2, 3, 4], [1, 1, 5, 5, 5])
    shutil.rmtree(folder)


def test_processes_append():
    folder = scratch()
    n = count(4)
    path = os.path.join(folder, "plain")
    xr.Dataset({"v": (("t", "x"), np.zeros((0, 3)))}).xta.to_xta(path)
    processes(path, range(3), n)
    with opened(path) as ds:
        values = ds["v"].values
        assert values.shape == (3 * n * 2, 3) and (values == values[:, :1]).all()
        found, times = np.unique(values[:, 0], return_counts=True)
        assert set(found) == {me * 1000.0 + k for me in range(3) for k in range(n)} and (times == 2).all()
    path = os.path.join(folder, "labelled")
    series([0], 0.0).xta.to_xta(path)
    processes(path, [-1, -1], n)
    days, values = labels_of(path)
    assert days == list(range(3 * (n - 1) + 5)) == values, (days, values)
    shutil.rmtree(folder)
    return f"3 processes appended {3 * n} slabs, 2 the same {n} overlapping series: nothing lost, none twice"


if __name__ == "__main__":
    run(dict(globals()))
