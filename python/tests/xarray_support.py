# SPDX-License-Identifier: Apache-2.0
"""What the tests of xarray and Dask share: random data sets, and the numbers of a run."""

import os
import random
import sys
import tempfile

import numpy as np

try:
    import dask.array  # noqa: F401
    import distributed  # noqa: F401
    import pandas as pd
    import xarray as xr
except ImportError as e:
    print(f"SKIPPED: {e}")
    sys.exit(77)

SCALE = float(os.environ.get("XTA_SCALE", "1"))
SEED = int(os.environ.get("XTA_SEED", random.randrange(2**31)))

DTYPES = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", "?"]
CALENDARS = ["standard", "noleap", "360_day"]


def count(n, least=1):
    """How many rounds: XTA_SCALE times as many as a quick run."""
    return max(least, int(n * SCALE))


def scratch():
    return tempfile.mkdtemp(prefix="xta-xarray-")


def random_cells(rng, dtype, shape):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, size=shape, dtype=dtype, endpoint=True)
    if dtype.kind == "c":
        return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    return rng.standard_normal(shape).astype(dtype)


def random_texts(rng, shape, longest=9):
    alphabet = np.array(list("abcdefgh \u00e9\u4e16\u754c"))
    texts = ["".join(rng.choice(alphabet, rng.integers(0, longest))).strip() for _ in range(int(np.prod(shape)))]
    return np.array(texts, dtype=object).reshape(shape)


def times(rng, n):
    step = rng.choice(np.array(["1h", "1D", "6h", "17min", "30s"]))
    start = pd.Timestamp("1990-01-01") + pd.Timedelta(int(rng.integers(0, 20000)), "h")
    values = pd.date_range(start, periods=n, freq=str(step))
    if rng.random() < 0.3 and n > 2:
        values = values.delete(int(rng.integers(1, n - 1))).append(values[-1:] + pd.Timedelta(1, "D"))
    return values


def random_dataset(rng):
    """Times, texts, booleans, packed values, scalars, coordinates of one and two dimensions, attributes."""
    sizes = {
        "time": int(rng.integers(1, 9)),
        "lat": int(rng.integers(1, 6)),
        "lon": int(rng.integers(1, 7)),
        "station": int(rng.integers(1, 4)),
    }
    coords = {
        "time": ("time", times(rng, sizes["time"]), {"long_name": "time of the observation"}),
        "lat": ("lat", np.linspace(-60, 60, sizes["lat"]), {"units": "degrees_north"}),
        "station": (
            "station",
            np.array([f"s{k:02}\u00e9"[: 2 + k % 3] + str(k) for k in range(sizes["station"])], object),
        ),
    }
    if rng.random() < 0.5:
        coords["lon"] = (
            "lon",
            (np.arange(sizes["lon"]) * 0.5).astype(rng.choice(["f4", "f8"])),
            {"units": "degrees_east"},
        )
    if rng.random() < 0.5:
        coords["area"] = (("lat", "lon"), rng.random((sizes["lat"], sizes["lon"])))
    if rng.random() < 0.5:
        coords["height"] = ((), 2.0, {"units": "m"})
    variables = {}
    for k in range(int(rng.integers(1, 6))):
        dims = tuple(rng.permutation(list(sizes))[: rng.integers(0, 4)])
        shape = tuple(sizes[d] for d in dims)
        variables[f"v{k}"] = random_variable(rng, dims, shape)
    attrs = {"title": "of a test", "version": 3, "factors": np.array([0.5, 1.5]), "note": "\u00e9"}
    return xr.Dataset(variables, coords, attrs)


def random_variable(rng, dims, shape):
    kind = rng.choice(["number", "number", "text", "bytes", "time", "duration", "packed", "missing"])
    attrs = {"long_name": f"a {kind}", "rank": np.int32(len(dims))}
    if kind == "number":
        return dims, random_cells(rng, rng.choice(DTYPES), shape), attrs
    if kind == "text":
        return dims, random_texts(rng, shape), attrs
    if kind == "bytes":
        return dims, rng.choice(np.array([b"a", b"bc", b"", b"xyz"]), shape), attrs
    if kind == "time":
        hours = rng.integers(0, 10**5, shape)
        return dims, np.datetime64("2000-01-01", "ns") + hours * np.timedelta64(3600 * 10**9, "ns"), attrs
    if kind == "duration":
        return dims, rng.integers(0, 10**5, shape) * np.timedelta64(60 * 10**9, "ns"), attrs
    if kind == "packed":
        values = rng.integers(-100, 100, shape) * 0.5
        return xr.Variable(dims, values, attrs, {"dtype": "i2", "scale_factor": 0.5, "_FillValue": -999})
    values = rng.standard_normal(shape)
    values = np.where(rng.random(shape) < 0.3, np.nan, values)
    return dims, values.astype("f4"), attrs


def run(tests):
    """Run the tests of a file, or those that the command line names; print the seed."""
    print(f"seed {SEED} (XTA_SEED), scale {SCALE} (XTA_SCALE)")
    for name, test in tests.items():
        if name.startswith("test_") and (len(sys.argv) < 2 or name in sys.argv[1:]):
            said = test()
            print(f"{name}: {said or 'passed'}", flush=True)
