"""copy, concat and diff of random arrays that have grown, against NumPy. See verbs_numpy.sh.

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import random
import subprocess
import sys

import numpy

TYPES = {"u8": "u1", "i16": "i2", "i64": "i8", "u64": "u8", "f32": "f4", "f64": "f8", "c64": "c8"}
ORDERS = ("row", "column", "morton", "hilbert")
SEED = int(os.environ.get("XTA_SEED", "37"))
ROUNDS = max(1, int(6 * float(os.environ.get("XTA_SCALE", "1"))))
dice = random.Random(SEED)
numbers = numpy.random.default_rng(SEED)


def run(*words):
    return subprocess.run(("xta",) + words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


def xta(*words):
    done = run(*words)
    assert done.returncode == 0, (SEED, words, done.stderr)
    return done.stdout


def box_text(lo, shape):
    return ",".join(f"{a}:{a + n}" for a, n in zip(lo, shape))


def random_cells(kind, shape):
    if kind[0] == "f":
        cells = numpy.round(numbers.normal(size=shape), 2).astype(kind)
        cells[numbers.random(shape) < 0.1] = numpy.nan
        cells[numbers.random(shape) < 0.05] = numpy.inf
        return cells
    if kind == "c8":
        return numpy.round(numbers.normal(size=shape) + 1j * numbers.normal(size=shape), 2).astype(kind)
    if kind == "i8":
        return numbers.integers(2**62, 2**63 - 1, size=shape).astype(kind)
    return numbers.integers(0, 100, size=shape).astype(kind)


def make(path, name, cells, lo):
    """An array with these cells that begins at lo <= 0: it has grown at the front, and by one at the back."""
    order = dice.choice(ORDERS)
    chunk = [2 ** dice.randrange(3) for _ in lo] if order in ("morton", "hilbert") else [dice.randrange(1, 5) for _ in lo]
    back = [n + a - 1 for n, a in zip(cells.shape, lo)]
    xta("create", path, "--type", name, "--bounds", ",".join(map(str, back)), "--chunk", ",".join(map(str, chunk)),
        "--order", order, "--fill", "1")
    for axis in dice.sample(range(len(lo)), len(lo)):
        xta("extend", path, "--axis", str(axis), "--by", "1")
        if lo[axis] < 0:
            xta("extend", path, "--axis", str(axis), "--by", str(-lo[axis]), "--front")
    numpy.save(path + ".npy", cells)
    xta("write", path, f"--box={box_text(lo, cells.shape)}", "--from", path + ".npy")


def read(path, shape):
    xta("read", path, "--out", path + ".out.npy")
    cells = numpy.load(path + ".out.npy")
    assert cells.shape == tuple(shape), (SEED, path, cells.shape, shape)
    return cells


def same(a, b):
    return (a == b) | ((a != a) & (b != b))


def check_copy(path, cells, lo):
    first = [dice.randrange(n) for n in cells.shape]
    length = [dice.randrange(1, n - f + 1) for n, f in zip(cells.shape, first)]
    at = [a + f for a, f in zip(lo, first)]
    options = ["--chunk", ",".join(str(dice.randrange(1, 4)) for _ in lo), "--order", "row"] if dice.random() < 0.5 else []
    xta("copy", path, path + "_part", f"--box={box_text(at, length)}", *options)
    part = cells[tuple(slice(f, f + n) for f, n in zip(first, length))]
    bounds = json.loads(xta("info", path + "_part", "--json"))["bounds"]
    assert bounds == [[a, a + n] for a, n in zip(at, length)], (SEED, path, bounds)
    assert same(read(path + "_part", length), part).all(), (SEED, path, "copy")
    xta("copy", path, path + "_all")
    assert run("diff", path, path + "_all").returncode == 0, (SEED, path, "copy differs")


def wide(cell):
    return int(cell) if numpy.issubdtype(type(cell), numpy.integer) else complex(cell)


def naive_diff(a, b, lo, absolute, relative):
    """[(coordinates, difference or None)] of the cells that differ, in row-major order."""
    found = []
    for place in numpy.ndindex(*a.shape):
        x, y = wide(a[place]), wide(b[place])
        if x == y or (x != x and y != y):
            continue
        size = abs(x - y) if x == x and y == y else None
        if size is not None and (size <= absolute or (size <= relative * max(abs(x), abs(y)) and max(abs(x), abs(y)) < float("inf"))):
            continue
        found.append(([c + o for c, o in zip(place, lo)], size))
    return found


def check_diff(path, name, kind, cells, lo):
    other = cells.copy()
    for _ in range(dice.randrange(5)):
        place = tuple(dice.randrange(n) for n in cells.shape)
        change = random_cells(kind, (1,))[0]
        other[place] = change if dice.random() < 0.5 else other[place] + numpy.array(1, kind)
    make(path + "_other", name, other, lo)
    absolute, relative = dice.choice([(0, 0), (1, 0), (0, 0.5), (0.1, 0.01)])
    done = run("diff", path, path + "_other", "--json", "--tolerance", str(absolute), "--relative", str(relative))
    wanted = naive_diff(cells, other, lo, absolute, relative)
    assert done.returncode == (1 if wanted else 0), (SEED, path, done.returncode, wanted)
    report = json.loads(done.stdout)
    assert report["equal"] == (not wanted)
    quiet = run("diff", path, path + "_other", "--quiet", "--tolerance", str(absolute), "--relative", str(relative))
    assert quiet.returncode == done.returncode and quiet.stdout == ""
    if not wanted:
        return 0
    cells_found = report["arrays"][0]["differences"][-1]
    assert cells_found["what"] == "cells" and cells_found["n_cells"] == cells.size
    assert cells_found["n_different"] == len(wanted), (SEED, path, cells_found, wanted)
    assert cells_found["first"]["at"] == wanted[0][0], (SEED, path, cells_found, wanted)
    assert cells_found["n_nan"] == sum(size is None for _, size in wanted)
    sized = [(at, size) for at, size in wanted if size is not None]
    if sized:
        largest = max(size for _, size in sized)
        got = cells_found["largest"]
        assert numpy.isclose(float(got["size"]), float(largest), rtol=1e-6), (SEED, path, got, largest)
        assert got["at"] in [at for at, size in sized if numpy.isclose(float(size), float(largest), rtol=1e-6)]
    return 1


def check_concat(path, name, cells, lo):
    axis = dice.randrange(cells.ndim)
    cuts = sorted(dice.sample(range(1, cells.shape[axis]), min(2, cells.shape[axis] - 1)))
    pieces = numpy.split(cells, cuts, axis)
    words = []
    begin = [0] * cells.ndim
    for k, piece in enumerate(pieces):
        start = list(lo)
        start[axis] = dice.randrange(-piece.shape[axis] + 1, 1)
        make(f"{path}_piece{k}", name, piece, start)
        values = ",".join(str(100 - c) for c in range(begin[axis], begin[axis] + piece.shape[axis]))
        xta("attr", f"{path}_piece{k}", f"values={values}", "--axis", str(axis), "--type", "i32")
        begin[axis] += piece.shape[axis]
        words.append(f"{path}_piece{k}")
    first = json.loads(xta("info", words[0], "--json"))["bounds"]
    shuffled = dice.sample(words, len(words))
    done = run("concat", path + "_joined", *shuffled, "--along", str(axis), "--sort")
    if all(p.shape[axis] == 1 for p in pieces):
        pieces.reverse()  # single values give no direction: they are sorted in ascending order
        cells = numpy.concatenate(pieces, axis)
        first = json.loads(xta("info", words[-1], "--json"))["bounds"]
    assert done.returncode == 0, (SEED, path, done.stderr)
    assert same(read(path + "_joined", cells.shape), cells).all(), (SEED, path, "concat")
    info = json.loads(xta("info", path + "_joined", "--json"))
    assert info["bounds"][axis][0] == first[axis][0], (SEED, path)
    listed = info["axes"][axis]["attributes"]["values"]["values"]
    assert sorted(listed) == sorted(100 - c for c in range(cells.shape[axis])), (SEED, path, listed)
    assert run("concat", path + "_twice", words[0], words[0], "--along", str(axis)).returncode == 1


def main():
    differed = 0
    for k in range(ROUNDS):
        name = dice.choice(sorted(TYPES))
        kind = TYPES[name]
        shape = tuple(dice.randrange(2, 7) for _ in range(dice.randrange(1, 4)))
        lo = [-dice.randrange(n) for n in shape]
        path = f"r{k}"
        cells = random_cells(kind, shape)
        make(path, name, cells, lo)
        check_copy(path, cells, lo)
        differed += check_diff(path, name, kind, cells, lo)
        check_concat(path, name, cells, lo)
    print("equal" if differed or ROUNDS < 5 else "nothing differed")


numpy.seterr(all="ignore")
sys.exit(main())
