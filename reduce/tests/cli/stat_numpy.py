"""stat of random arrays, boxes and axes against NumPy. See stat_numpy.sh.

SPDX-License-Identifier: Apache-2.0
"""
import itertools
import json
import os
import random
import subprocess
import warnings

import numpy

TYPES = {"u8": "u1", "i16": "i2", "i64": "i8", "f16": "f2", "f32": "f4", "f64": "f8"}
SEED = int(os.environ.get("XTA_SEED", "38"))
ROUNDS = max(1, int(10 * float(os.environ.get("XTA_SCALE", "1"))))
dice = random.Random(SEED)
numbers = numpy.random.default_rng(SEED)


def xta(*words):
    done = subprocess.run(("xta",) + words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0, (SEED, words, done.stderr)
    return done.stdout


def make(path, name, kind, shape, lo):
    cells = numbers.integers(0, 30, size=shape).astype(kind)
    if kind[0] == "f":
        cells /= numpy.array(7, kind)
        cells[numbers.random(shape) < 0.3] = numpy.nan
    chunk = ",".join(str(dice.randrange(1, 5)) for _ in shape)
    xta("create", path, "--type", name, "--bounds", ",".join(str(n + a) for n, a in zip(shape, lo)), "--chunk", chunk,
        "--order", dice.choice(("row", "column")))
    for axis, first in enumerate(lo):
        if first:
            xta("extend", path, "--axis", str(axis), "--by", str(-first), "--front")
    numpy.save(path + ".npy", cells)
    xta("write", path, "--box", ",".join(":" for _ in shape), "--from", path + ".npy")
    return cells


def check_result(result, cells, counted, places):
    """`cells` of one result, which of them count, and their coordinates, all in row-major order."""
    assert result["n_cells"] == cells.size and result["count"] == counted.sum(), (SEED, result)
    assert result["n_missing"] == cells.size - counted.sum()
    if not counted.any():
        assert result["min"] is None and result["max_at"] is None and result["mean"] is None, (SEED, result)
        return
    values = cells[counted]
    for name, value in (("min", values.min()), ("max", values.max())):
        assert cells.dtype.type(result[name]) == value, (SEED, name, result, value)
        first = places[numpy.flatnonzero(counted & (cells == value))[0]]
        assert result[name + "_at"] == list(first), (SEED, name, result, first)
    wide = values.astype("f8")
    assert numpy.isclose(result["mean"], wide.mean()) and numpy.isclose(result["std"], wide.std(), atol=1e-9), (SEED, result)


def check(path, name, kind):
    shape = tuple(dice.randrange(1, 9) for _ in range(dice.randrange(1, 4)))
    lo = [-dice.randrange(n) for n in shape]
    cells = make(path, name, kind, shape, lo)
    first = [dice.randrange(n) for n in shape]
    length = [dice.randrange(1, n - f + 1) for n, f in zip(shape, first)]
    box = [(a + f, a + f + n) for a, f, n in zip(lo, first, length)]
    over = sorted(dice.sample(range(len(shape)), dice.randrange(1, len(shape) + 1)))
    missing = int(numbers.integers(0, 30)) if kind[0] != "f" else None
    words = ["--missing", str(missing)] if missing is not None else []
    report = json.loads(xta("stat", path, "--json", "--box=" + ",".join(f"{a}:{b}" for a, b in box), "--over",
                            ",".join(map(str, over)), *words))
    entry = report["arrays"][0]
    assert entry["box"] == [list(b) for b in box] and entry["type"] == name
    part = cells[tuple(slice(f, f + n) for f, n in zip(first, length))]
    counted = ~numpy.isnan(part.astype("f8")) if kind[0] == "f" else part != missing
    kept = [axis for axis in range(len(shape)) if axis not in over]
    groups = list(itertools.product(*(range(length[axis]) for axis in kept)))
    assert len(entry["results"]) == len(groups), (SEED, entry)
    for result, group in zip(entry["results"], groups):
        index = [slice(None)] * len(shape)
        for axis, at in zip(kept, group):
            index[axis] = slice(at, at + 1)
        assert result["at"] == [box[axis][0] + at for axis, at in zip(kept, group)], (SEED, result)
        chosen = part[tuple(index)]
        ranges = [range(box[a][0] + (group[kept.index(a)] if a in kept else 0), box[a][1]) for a in range(len(shape))]
        ranges = [r[:1] if a in kept else r for a, r in enumerate(ranges)]
        places = list(itertools.product(*ranges))
        check_result(result, chosen.ravel(), counted[tuple(index)].ravel(), places)


def main():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(ROUNDS):
            name = dice.choice(sorted(TYPES))
            check(f"s{k}", name, TYPES[name])
    print("equal")


main()
