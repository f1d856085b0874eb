"""Cubes of random histories against NumPy, through the tool. See cube_numpy.sh.

usage: cube_numpy.py HISTORIES

SPDX-License-Identifier: Apache-2.0
"""
import csv
import io
import os
import shutil
import subprocess
import sys
import tempfile

import numpy

LEVELS = ("t:1>2>8,y:1>4,x:1>3>6", "t:4>16,y:2>4", "t:1>5,y:1>2>4>8,x:2", "t:8,y:1>3,x:5")
TYPES = ("f4", "f8", "i2", "u1", "i8")
NAMES = {"f4": "f32", "f8": "f64", "i2": "i16", "u1": "u8", "i8": "i64"}


def xta(*words):
    return subprocess.run(("xta",) + words, check=True, stdout=subprocess.PIPE, text=True).stdout


class Base:
    """An array in files, and the same as a NumPy array whose first cell has the coordinates `lo`."""

    def __init__(self, random, dtype):
        self.random, self.dtype = random, dtype
        self.lo = numpy.zeros(3, int)
        self.cells = self.new((5, 4, 6))
        xta("create", "base", "--type", NAMES[dtype], "--bounds", "5,4,6", "--names", "t,y,x", "--chunk", "4,4,4")
        self.write(self.cells, self.lo)

    def new(self, shape):
        if self.dtype in ("f4", "f8"):
            cells = self.random.normal(10, 30, shape).astype(self.dtype)
            cells[self.random.random(shape) < 0.05] = numpy.nan
            return cells
        low = 0 if self.dtype == "u1" else -100
        return self.random.integers(low, 100, shape).astype(self.dtype)

    def write(self, cells, lo):
        numpy.save("slab.npy", cells)
        box = ",".join("%d:%d" % (a, a + n) for a, n in zip(lo, cells.shape))
        xta("write", "base", "--box=" + box, "--from", "slab.npy")

    def grow(self):
        axis, front = int(self.random.integers(3)), bool(self.random.integers(2))
        shape = list(self.cells.shape)
        shape[axis] = int(self.random.integers(1, 9))
        slab = self.new(shape)
        lo = self.lo.copy()
        lo[axis] += -shape[axis] if front else self.cells.shape[axis]
        xta("extend", "base", "--axis", "tyx"[axis], "--by", str(shape[axis]), *(["--front"] if front else []))
        self.write(slab, lo)
        self.cells = numpy.concatenate([slab, self.cells] if front else [self.cells, slab], axis)
        if front:
            self.lo = lo


def check(base):
    random = base.random
    lo = [int(random.integers(0, n)) for n in base.cells.shape]
    hi = [int(random.integers(a + 1, n + 1)) for a, n in zip(lo, base.cells.shape)]
    block = int(random.integers(1, 9))
    box = ",".join("%d:%d" % (a + o, b + o) for a, b, o in zip(lo, hi, base.lo))
    text = xta("query", "cube", "--box=" + box, "--measure", "count,sum,mean,min,max", "--by", "t:%d" % block)
    found = list(csv.reader(io.StringIO(text)))[1:]
    cells = base.cells[tuple(slice(a, b) for a, b in zip(lo, hi))]
    groups = numpy.floor_divide(numpy.arange(lo[0], hi[0]) + base.lo[0], block)
    assert len(found) == len(numpy.unique(groups))
    for row, group in zip(found, numpy.unique(groups)):
        part = cells[groups == group]
        part = part[~numpy.isnan(part)]
        assert row[0] == "[%d:%d)" % (group * block, group * block + block)
        assert int(row[1]) == part.size
        if part.size == 0:
            assert row[3:] == ["nan", "nan", "nan"]
            continue
        if base.dtype in ("f4", "f8"):
            scale = numpy.abs(part.astype("f8")).sum() * 1e-14
            assert abs(float(row[2]) - part.astype("f8").sum()) <= scale
            assert abs(float(row[3]) - part.astype("f8").mean()) <= scale
        else:
            assert int(row[2]) == int(part.astype("i8").sum())
            assert abs(float(row[3]) - part.astype("f8").mean()) <= 1e-12 * 100
        assert numpy.dtype(base.dtype).type(row[4]) == part.min()
        assert numpy.dtype(base.dtype).type(row[5]) == part.max()


def history(number):
    random = numpy.random.default_rng(number)
    base = Base(random, TYPES[number % len(TYPES)])
    xta("cube", "base", "cube", "--levels", LEVELS[int(random.integers(len(LEVELS)))])
    for _ in range(3):
        base.grow()
        if random.integers(2):
            xta("cube", "cube")
        check(base)
    xta("cube", "cube")
    check(base)
    for name in ("base.xta", "base.xmd"):
        os.remove(name)
    shutil.rmtree("cube")


# In memory, where the machine has a file system there: cubes sync many files.
fast = "/dev/shm" if os.access("/dev/shm", os.W_OK) else "."
with tempfile.TemporaryDirectory(dir=fast) as folder:
    os.chdir(folder)
    for number in range(int(sys.argv[1])):
        history(number)
    os.chdir("/")
print("histories equal NumPy")
