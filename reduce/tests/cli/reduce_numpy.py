"""Reductions of arrays that have grown at both ends against NumPy. See reduce_numpy.sh.

SPDX-License-Identifier: Apache-2.0
"""
import csv
import io
import itertools
import subprocess
import warnings

import numpy

SHAPE = (5, 1100, 6)
FRONT = (2, 60, 0)  # cells added at the front of each axis
STATISTICS = ("count", "sum", "mean", "min", "max", "var")
AXES = "tyx"


def xta(*words):
    done = subprocess.run(("xta",) + words, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def make(path, cells):
    """An array that begins with the cells behind FRONT, and has grown to all of them."""
    numpy.save(path + ".npy", cells)
    xta("create", path, "--type", {1: "u8", 2: "i16", 4: "i32", 8: "f64"}[cells.dtype.itemsize] if cells.dtype != "f4" else "f32", "--bounds",
        ",".join(str(n - f) for n, f in zip(cells.shape, FRONT)), "--chunk", "2,100,4", "--names", "t,y,x")
    for axis, front in enumerate(FRONT):
        if front:
            xta("extend", path, "--axis", str(axis), "--by", str(front), "--front")
    xta("write", path, "--box", ":,:,:", "--from", path + ".npy")


def numpy_answers(cells, axes):
    """Every statistic over axes, NaN skipped, in the order in which the table has its lines."""
    wide = cells.astype("f8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {
            "count": numpy.sum(~numpy.isnan(wide), axis=axes),
            "sum": numpy.nansum(wide, axis=axes),
            "mean": numpy.nanmean(wide, axis=axes),
            "min": numpy.nanmin(wide, axis=axes),
            "max": numpy.nanmax(wide, axis=axes),
            "var": numpy.nanvar(wide, axis=axes),
        }
    return {name: numpy.atleast_1d(values).ravel() for name, values in found.items()}


def compare(path, cells, axes):
    text = xta("reduce", path, "--over", ",".join(AXES[a] for a in axes), "--with", ",".join(STATISTICS))
    rows = list(csv.DictReader(io.StringIO(text)))
    want = numpy_answers(cells, axes)
    kept = [a for a in range(3) if a not in axes]
    coordinates = itertools.product(*(range(-FRONT[a], SHAPE[a] - FRONT[a]) for a in kept))
    for row, place in zip(rows, coordinates):
        assert all(int(row[AXES[a]]) == c for a, c in zip(kept, place)), row
    for name in STATISTICS:
        got = numpy.array([float(row[name]) for row in rows])
        assert got.shape == want[name].shape, (name, got.shape)
        if name in ("min", "max") and cells.dtype == "f4":
            got = got.astype("f4").astype("f8")  # printed with the digits of its type
        numpy.testing.assert_allclose(got, want[name], rtol=1e-11, atol=1e-11, err_msg=name)
    return len(rows) * len(STATISTICS)


def main():
    random = numpy.random.default_rng(14)
    n = 0
    for kind in ("u1", "i2", "i4", "f4", "f8"):
        cells = (random.normal(100, 20, SHAPE)).astype(kind)
        if kind[0] == "f":
            cells[random.random(SHAPE) < 0.03] = numpy.nan
        make(kind, cells)
        for size in (1, 2, 3):
            for axes in itertools.combinations(range(3), size):
                n += compare(kind, cells, axes)
    print(f"{n} results agree with NumPy")


main()
