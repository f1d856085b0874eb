# SPDX-License-Identifier: Apache-2.0
"""xarray with engine="xta" beside xarray in memory."""

import os
import pickle
import shutil
import subprocess
import sys
import time
import warnings

from xarray_support import SEED, count, random_cells, random_dataset, run, scratch  # exits where xarray is missing

import numpy as np
import pandas as pd
import xarray as xr

import xta
import xta.xarray_accessor

warnings.simplefilter("ignore", xr.SerializationWarning)


def opened(path, **kwargs):
    return xr.open_dataset(path, engine="xta", **kwargs)


def refused(error, words, call):
    """The call raises this error, whose text has these words."""
    try:
        call()
    except error as e:
        for word in words:
            assert word in str(e), f"{word!r} is not in the text: {e}"
        return
    raise AssertionError(f"no {error}")


# ---- round trips ----


def test_round_trips():
    rng = np.random.default_rng(SEED)
    folder = scratch()
    n = count(5)
    for k in range(n):
        ds = random_dataset(rng)
        path = os.path.join(folder, f"set{k}")
        ds.xta.to_xta(path)
        with opened(path) as back:
            xr.testing.assert_identical(ds, back.load())
            again = os.path.join(folder, f"again{k}")
            back.xta.to_xta(again)
        with opened(again) as back:
            xr.testing.assert_identical(ds, back.load())
        with opened(path, decode_cf=False) as raw:
            with opened(again, decode_cf=False) as raw_again:
                assert {k: v.dtype for k, v in raw.variables.items()} == {
                    k: v.dtype for k, v in raw_again.variables.items()
                }
    shutil.rmtree(folder)
    return f"{n} data sets, written, read, written again: identical"


def test_encoding_is_kept():
    folder = scratch()
    path = os.path.join(folder, "set")
    ds = xr.Dataset(
        {"sst": (("time", "lat", "lon"), np.full((4, 6, 8), 20.5, "f8"))},
        {"time": pd.date_range("2000-01-01", periods=4)},
    )
    ds["sst"].encoding = {"dtype": "i2", "scale_factor": 0.01, "add_offset": 10.0, "_FillValue": -32768}
    ds.xta.to_xta(
        path,
        encoding={"sst": {"chunks": (2, 3, 8)}, "time": {"units": "hours since 1970-01-01"}},
        unlimited_dims=["time"],
    )
    with xta.open(os.path.join(path, "sst")) as array:
        assert array.dtype == np.int16 and tuple(array.chunks) == (2, 3, 8) and array.fill_value == -32768
    with opened(path) as back:
        xr.testing.assert_identical(ds, back.load())
        assert back.encoding["unlimited_dims"] == {"time"}
        assert back["time"].encoding["units"] == "hours since 1970-01-01"
        assert back["sst"].encoding["preferred_chunks"] == {"time": (2, 2), "lat": (3, 3), "lon": (8,)}
        back.isel(time=slice(1, 3)).xta.to_xta(path + "2")
    with xta.open(os.path.join(path + "2", "sst")) as array:
        assert array.dtype == np.int16 and tuple(array.chunks) == (2, 3, 8)
    refused(ValueError, ["compressor"], lambda: ds.xta.to_xta(path + "3", encoding={"sst": {"compressor": 1}}))
    refused(ValueError, ["nothing"], lambda: ds.xta.to_xta(path + "3", encoding={"nothing": {}}))
    assert not os.path.exists(path + "3")
    shutil.rmtree(folder)


def test_modes_and_groups():
    folder = scratch()
    path = os.path.join(folder, "set")
    first = xr.Dataset({"a": ("x", np.arange(5))})
    second = xr.Dataset({"b": ("x", np.arange(5) * 2.0)})
    first.xta.to_xta(path)
    refused(FileExistsError, ["mode='w'"], lambda: second.xta.to_xta(path))
    second.xta.to_xta(path, mode="a")
    with opened(path) as back:
        xr.testing.assert_identical(back.load(), first.merge(second))
    refused(FileExistsError, ["'b'"], lambda: second.xta.to_xta(path, mode="a"))
    before = opened(path)
    there = pickle.dumps(before)
    second.xta.to_xta(path, mode="w")
    xr.testing.assert_identical(before.load(), first.merge(second))
    refused(xta.Error, ["a"], lambda: pickle.loads(there)["a"].load())
    with opened(path) as back:
        xr.testing.assert_identical(back.load(), second)
    first.xta.to_xta(path, mode="a", group="deep/down")
    with opened(path, group="deep/down") as back:
        xr.testing.assert_identical(back.load(), first)
    with opened(path, drop_variables="b") as back:
        assert not back.variables
    with open(os.path.join(path, "notes.txt"), "w") as notes:
        notes.write("mine")
    refused(FileExistsError, ["notes.txt"], lambda: second.xta.to_xta(path, mode="w"))
    assert not [name for name in os.listdir(folder) if name != "set"]
    refused(ValueError, ["mode"], lambda: second.xta.to_xta(path + "2", mode="r"))
    refused(ValueError, ["group"], lambda: second.xta.to_xta(path, mode="a", group="../out"))
    more = xr.Dataset({"c": ("x", np.arange(5)), "e": ("x", np.arange(5))})
    refused(
        TypeError,
        ["'c'", "names"],
        lambda: more.assign(c=more["c"].assign_attrs(names=["p", "q"])).xta.to_xta(path, mode="a"),
    )
    refused(ValueError, ["'x' has 4"], lambda: more.isel(x=slice(0, 4)).xta.to_xta(path, mode="a"))
    refused(xta.Error, ["dataset"], lambda: more.rename(e="dataset").xta.to_xta(path, mode="a"))
    with opened(path) as back:
        xr.testing.assert_identical(back.load(), second)
    shutil.rmtree(folder)


def test_array_alone():
    folder = scratch()
    path = os.path.join(folder, "sst")
    cells = np.arange(24.0).reshape(4, 6)
    with xta.from_numpy(path, cells, dims=("time", "x")) as array:
        array.attrs["units"] = "degC"
        array.append(np.full((1, 6), -1.0), axis="time", front=True)
    for name in (path, path + ".xmd"):
        with opened(name) as ds:
            assert (
                list(ds.variables) == ["sst"] and ds["sst"].dims == ("time", "x") and ds["sst"].attrs["units"] == "degC"
            )
            assert np.array_equal(ds["sst"].values, np.vstack([np.full((1, 6), -1.0), cells]))
    assert xr.open_dataset(path + ".xmd")["sst"].shape == (5, 6)
    shutil.rmtree(folder)


def test_netcdf_on_both_sides():
    """What xarray writes and `xta import` reads is what the engine shows, and the other way."""
    rng = np.random.default_rng(SEED)
    folder = scratch()
    tool = os.environ.get("XTA_TOOL") or shutil.which("xta")
    if tool is None or subprocess.run([tool, "help", "import"], capture_output=True, check=False).returncode:
        return "SKIPPED: there is no `xta import` (XTA_TOOL)"
    n = count(3)
    for k in range(n):
        path = os.path.join(folder, f"set{k}")
        ds = random_dataset(rng)
        ds = ds.drop_vars([name for name, v in ds.variables.items() if v.dtype.kind in "cS" or v.dtype == np.float16])
        ds.to_netcdf(path + ".nc", engine="netcdf4")
        subprocess.run([tool, "import", path + ".nc", path + "/", "--no-history"], stdout=subprocess.DEVNULL, check=True)
        with opened(path) as ours, xr.open_dataset(path + ".nc", engine="netcdf4") as theirs:
            xr.testing.assert_identical(theirs.load(), ours.load())
        ds.xta.to_xta(path, mode="w")
        out = path + "-out.nc"
        subprocess.run([tool, "export", path, out, "--no-history"], stdout=subprocess.DEVNULL, check=True)
        with xr.open_dataset(out, engine="netcdf4") as theirs:
            xr.testing.assert_identical(theirs.load(), ds)
    shutil.rmtree(folder)
    return f"{n} data sets imported from NetCDF and exported to it: identical"


# ---- random growths and selections ----


def slab(rng, ds, dim, n, front):
    """n cells that continue a data set along a dimension, with labels that go on in its step or leave a gap."""
    labels = ds[dim].values
    step = labels[1] - labels[0]
    gap = step * int(rng.integers(1, 3))
    new = labels[0] - gap - step * np.arange(n)[::-1] if front else labels[-1] + gap + step * np.arange(n)
    variables = {}
    for name, var in ds.variables.items():
        if name == dim or dim not in var.dims:
            continue
        shape = [n if d == dim else k for d, k in zip(var.dims, var.shape)]
        variables[name] = var.dims, random_cells(rng, var.dtype, shape)
    others = {d: ds[d] for d in ds.dims if d != dim}
    part = xr.Dataset(variables, {dim: (dim, new.astype(labels.dtype)), **others})
    return part.set_coords([name for name in ds.coords if name in part.variables])


def some_positions(rng, n):
    kind = rng.integers(0, 7)
    if kind == 0:
        return int(rng.integers(-n, n))
    if kind == 1:
        return rng.integers(-n, n, rng.integers(0, 6))
    if kind == 2:
        return rng.random(n) < 0.4
    if kind == 3:
        return slice(None, None, int(rng.choice([-3, -2, -1, 2, 3])))
    if kind == 4:
        return np.sort(rng.permutation(n)[: rng.integers(1, n + 1)])
    a, b = sorted(int(k) for k in rng.integers(0, n + 1, 2))
    return slice(a, b, int(rng.choice([1, 1, 2, 5])))


def some_selection(rng, ds):
    """A function that selects, and its name; the same is done to both data sets."""
    dims = [d for d in ds.dims if rng.random() < 0.6]
    kind = rng.choice(["isel", "isel", "sel", "where", "points", "nearest", "lazy"])
    if kind == "isel":
        key = {d: some_positions(rng, ds.sizes[d]) for d in dims}
        return lambda x: x.isel(key), f"isel {key}"
    if kind == "sel":
        key = {}
        for d in dims:
            labels = ds[d].values
            a, b = sorted(int(k) for k in rng.integers(0, len(labels), 2))
            key[d] = slice(labels[a], labels[b]) if rng.random() < 0.6 else rng.choice(labels, 3)
        return lambda x: x.sel(key), f"sel {key}"
    if kind == "where":
        limit = ds["lat"].values[int(rng.integers(0, ds.sizes["lat"]))]
        drop = bool(rng.random() < 0.5)
        return lambda x: x.where(x["lat"] > limit, drop=drop), f"where lat > {limit} drop {drop}"
    if kind == "points":
        n = int(rng.integers(1, 40))
        shape = (n,) if rng.random() < 0.7 else (n, 2)
        names = ("point", "pair")[: len(shape)]
        key = {d: xr.DataArray(rng.integers(0, ds.sizes[d], shape), dims=names) for d in (dims or ["lat"])}
        return lambda x: x.isel(key), f"points {n} of {list(key)}"
    if kind == "nearest":
        at = float(rng.uniform(-20, 20))
        return lambda x: x.sel(lat=at, method="nearest"), f"nearest {at}"
    first, then = some_positions(rng, ds.sizes["time"]), slice(None, None, 2)
    return lambda x: x.isel(lat=then).isel(time=first), f"isel lat {then}, time {first}"


def start_set(rng, path):
    t, y, x = 5, 4, 6
    ds = xr.Dataset(
        {
            "f": (("time", "lat", "lon"), random_cells(rng, "f4", (t, y, x))),
            "i": (("lon", "time"), random_cells(rng, "i2", (x, t))),
            "b": (("lat",), rng.random(y) < 0.5),
            "c": (("time", "lat"), random_cells(rng, "c8", (t, y))),
        },
        {
            "time": pd.date_range("2000-01-01", periods=t),
            "lat": np.arange(y) * 2.5,
            "lon": np.arange(x) * 4,
            "quality": ("time", random_cells(rng, "i4", (t,))),
        },
    )
    chunks = {"f": tuple(int(k) for k in rng.integers(1, 5, 3)), "i": tuple(int(k) for k in rng.integers(1, 5, 2))}
    ds.xta.to_xta(path, encoding={name: {"chunks": c} for name, c in chunks.items()})
    return ds


def test_growths_and_selections():
    rng = np.random.default_rng(SEED)
    folder = scratch()
    n, growths, selections = count(100), 0, 0
    while growths + selections < n:
        path = os.path.join(folder, f"set{growths}")
        memory = start_set(rng, path)
        lazy = opened(path)
        for _ in range(50):
            if rng.random() < 0.25 and memory.nbytes < 2 << 20:
                dim, front = str(rng.choice(["time", "lon", "lat"])), bool(rng.random() < 0.5)
                part = slab(rng, memory, dim, int(rng.integers(1, 5)), front)
                before = memory
                part.xta.append(lazy if rng.random() < 0.5 else path, dim)
                memory = xr.concat(
                    [part, memory] if front else [memory, part],
                    dim,
                    data_vars="minimal",
                    coords="minimal",
                    compat="override",
                    join="override",
                )
                xr.testing.assert_identical(lazy.load() if rng.random() < 0.2 else lazy, before)
                lazy = lazy.xta.refresh()
                growths += 1
            else:
                select, what = some_selection(rng, memory)
                try:
                    xr.testing.assert_identical(select(lazy).load(), select(memory))
                except Exception as e:
                    raise AssertionError(f"{what} of {dict(memory.sizes)}") from e
                selections += 1
    shutil.rmtree(folder)
    return f"{growths} growths and {selections} selections equal xarray in memory"


# ---- append ----


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


# ---- opened while it grows ----

GROWER = """
import os, sys
import numpy as np, pandas as pd, xarray as xr
import xta.xarray_accessor
path = sys.argv[1]
sys.path.insert(0, sys.argv[2])
from test_xarray import made_of
lo, hi = [0, 0], [4, 3]
k = 0
while os.path.exists(path + ".go"):
    dim, front = k % 2, (k // 2) % 2
    a, b = list(lo), list(hi)
    if front:
        lo[dim] -= 1 + k % 3
        b[dim] = a[dim]
        a[dim] = lo[dim]
    else:
        hi[dim] += 1 + k % 3
        a[dim] = b[dim]
        b[dim] = hi[dim]
    made_of(a, b).drop_vars([("y", "x")[1 - dim] + "2"]).xta.append(path, ("y", "x")[dim])
    k += 1
print(k)
"""


def made_of(lo, hi):
    """Each cell is a function of its coordinates."""
    y, x = np.arange(lo[0], hi[0]), np.arange(lo[1], hi[1])
    return xr.Dataset(
        {
            "a": (("y", "x"), y[:, None] * 1000.0 + x),
            "b": (("x", "y"), x[:, None] * 7 - y),
            "y2": ("y", y * y),
            "x2": ("x", x * x),
        },
        {"y": y, "x": x},
    )


def test_opened_while_it_grows():
    folder = scratch()
    path = os.path.join(folder, "set")
    made_of([0, 0], [4, 3]).xta.to_xta(path, encoding={"a": {"chunks": (5, 7)}, "b": {"chunks": (3, 2)}})
    open(path + ".go", "w").close()
    grower = subprocess.Popen(
        [sys.executable, "-c", GROWER, path, os.path.dirname(os.path.abspath(__file__))],
        stdout=subprocess.PIPE,
        text=True,
    )
    n, shapes, first = count(40), set(), opened(path)
    start = first.sizes["y"], first.sizes["x"]
    try:
        while first.xta.refresh().sizes == first.sizes:
            assert grower.poll() is None
            time.sleep(0.05)
        opens = 0
        while opens < n or len(shapes) < 5:
            opens += 1
            with opened(path) as ds:
                lo = int(ds["y"][0]), int(ds["x"][0])
                hi = int(ds["y"][-1]) + 1, int(ds["x"][-1]) + 1
                xr.testing.assert_identical(ds.load(), made_of(lo, hi))
                shapes.add((lo, hi))
            assert grower.poll() is None
    finally:
        os.remove(path + ".go")
        steps = int(grower.communicate()[0])
    assert grower.returncode == 0
    assert (first.sizes["y"], first.sizes["x"]) == start
    with opened(path) as ds:
        assert ds.sizes["y"] > start[0]
    later = first.xta.refresh()
    lo, hi = (int(first["y"][0]), int(first["x"][0])), (int(first["y"][-1]) + 1, int(first["x"][-1]) + 1)
    xr.testing.assert_identical(first.load(), made_of(lo, hi))
    assert later.sizes["y"] > start[0] or later.sizes["x"] > start[1]
    shutil.rmtree(folder)
    return f"{opens} opens during {steps} growths, {len(shapes)} different states, none mixed"


# ---- pickles, regions, errors ----


def test_pickle():
    folder = scratch()
    path = os.path.join(folder, "set")
    made_of([0, 0], [4, 3]).xta.to_xta(path)
    lazy = opened(path)
    there = pickle.dumps(lazy)
    made_of([-2, 0], [0, 3]).drop_vars("x2").xta.append(path, "y")
    again = pickle.loads(there)
    xr.testing.assert_identical(again.load(), made_of([0, 0], [4, 3]))
    other = subprocess.run(
        [
            sys.executable,
            "-c",
            "import pickle, sys; ds = pickle.load(sys.stdin.buffer); "
            "print(float(ds['a'].sum()), ds.xta.refresh().sizes['y'])",
        ],
        input=there,
        stdout=subprocess.PIPE,
        check=True,
    ).stdout.split()
    assert float(other[0]) == float(made_of([0, 0], [4, 3])["a"].sum()) and int(other[1]) == 6
    shutil.rmtree(folder)


def test_regions():
    folder = scratch()
    path = os.path.join(folder, "set")
    whole = made_of([0, 0], [6, 5])
    whole.xta.to_xta(path)
    part = whole[["a"]].isel(y=slice(2, 4)) * -1.0
    part.xta.to_xta(path, region={"y": slice(2, 4)})
    expected = whole.copy(deep=True)
    expected["a"][2:4] = part["a"]
    with opened(path) as ds:
        xr.testing.assert_identical(ds.load(), expected)
    (whole[["a", "b"]].isel(y=slice(1, 3), x=slice(3, 5)) * 3).xta.to_xta(path, region="auto")
    expected["a"][1:3, 3:5] = whole["a"][1:3, 3:5] * 3
    expected["b"][3:5, 1:3] = whole["b"][3:5, 1:3] * 3
    with opened(path) as ds:
        xr.testing.assert_identical(ds.load(), expected)
    refused(ValueError, ["Append"], lambda: part.xta.to_xta(path, region={"y": slice(5, 7)}))
    refused(ValueError, ["label"], lambda: part.xta.to_xta(path, region={"y": slice(3, 5)}))
    refused(ValueError, ["from 2 to 5"], lambda: part.xta.to_xta(path, region={"y": slice(2, 5)}))
    refused(ValueError, ["'z'"], lambda: part.xta.to_xta(path, region={"z": slice(2, 5)}))
    refused(ValueError, ["'x2'"], lambda: part.assign(x2=whole["x2"]).xta.to_xta(path, region={"y": slice(2, 4)}))
    with opened(path) as ds:
        xr.testing.assert_identical(ds.load(), expected)
    shutil.rmtree(folder)


def test_errors():
    folder = scratch()
    path = os.path.join(folder, "set")
    refused(FileNotFoundError, ["nothing"], lambda: opened(os.path.join(folder, "nothing")))
    made_of([0, 0], [4, 3]).xta.to_xta(path)
    lazy = opened(path)
    refused(IndexError, [], lambda: lazy["a"].isel(y=9).load())
    refused(
        TypeError,
        ["'a'", "datetime", "no array"][:1],
        lambda: xr.Dataset({"a": ("x", np.array([1, 2], "f16" if hasattr(np, "float128") else "V3"))}).xta.to_xta(
            path + "2"
        ),
    )
    assert not os.path.exists(path + "2")
    refused(ValueError, ["not opened from XTA"], lambda: made_of([0, 0], [1, 1]).xta.refresh())
    with open(os.path.join(path, "a.xmd"), "r+b") as journal:
        journal.truncate(20)
    refused(xta.Error, ["a"], lambda: opened(path))
    os.remove(os.path.join(path, "a.xta"))
    refused(xta.Error, ["a"], lambda: opened(path))
    shutil.rmtree(folder)


def test_shrunk_under_a_reader():
    folder = scratch()
    path = os.path.join(folder, "set")
    made_of([0, 0], [8, 3]).xta.to_xta(path)
    lazy = opened(path)
    there = pickle.dumps(lazy)
    for name in ("a", "b", "y2"):
        with xta.open(os.path.join(path, name), mode="r+") as array:
            array.shrink({"y": 3})
    again = pickle.loads(there)
    for ds in (lazy, again):
        values = ds["y2"].values
        assert values.shape == (8,) and values[:5].tolist() == [0, 1, 4, 9, 16]
    assert again["y2"].values[5:].tolist() == [0, 0, 0]
    shutil.rmtree(folder)


if __name__ == "__main__":
    run(dict(globals()))
