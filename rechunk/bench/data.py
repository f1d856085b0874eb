#!/usr/bin/env python3
"""The cube that is rechunked: made in every format, and checked afterwards.

usage: data.py make FOLDER N FORMAT I,J,K     write a cube of N^3 u16 as FORMAT in chunks of this shape
       data.py check FOLDER N FORMAT NAME     compare 200 boxes of a result with the expected cells

Formats: raw (one dense file), npy (a folder of one .npy file a block), nc (a NetCDF-4 file, which is HDF5),
zarr, xta (by the tool in $XTA_TOOL). Sources are called source_FORMAT..., results have any name. Exit code 77:
the library for this format is not installed.

SPDX-License-Identifier: Apache-2.0
"""
import itertools
import os
import pathlib
import random
import subprocess
import sys

import numpy

VARIABLE = "cube"


def cells(n, lo, hi):
    """The cells of a box: a hash of their coordinates, so that misplaced cells are detected."""
    i, j, k = (numpy.arange(lo[d], hi[d], dtype=numpy.uint32) for d in range(3))
    place = (i[:, None, None] * numpy.uint32(n) + j[None, :, None]) * numpy.uint32(n) + k[None, None, :]
    place *= numpy.uint32(2654435761)
    return (place >> numpy.uint32(16)).astype(numpy.uint16)


def boxes(n, shape):
    """The blocks of a shape, in row-major order."""
    starts = [range(0, n, length) for length in shape]
    for lo in itertools.product(*starts):
        yield lo, tuple(min(a + length, n) for a, length in zip(lo, shape))


def slices(lo, hi):
    return tuple(slice(a, b) for a, b in zip(lo, hi))


def need(name):
    try:
        return __import__(name)
    except ImportError:
        print(f"data.py: python3-{name} is not here", file=sys.stderr)
        sys.exit(77)


def make_raw(folder, n, _):
    with open(folder / "source.raw", "wb") as out:
        for i in range(n):
            out.write(cells(n, (i, 0, 0), (i + 1, n, n)).tobytes())


def make_npy(folder, n, shape):
    target = folder / "source_npy"
    target.mkdir()
    for lo, hi in boxes(n, shape):
        number = "_".join(str(a // length) for a, length in zip(lo, shape))
        numpy.save(target / f"{number}.npy", cells(n, lo, hi))


def make_nc(folder, n, shape):
    h5py = need("h5py")
    with h5py.File(folder / "source.nc", "w", libver=("earliest", "v110")) as out:
        cube = out.create_dataset(VARIABLE, (n, n, n), "u2", chunks=tuple(shape))
        for lo, hi in boxes(n, shape):
            cube[slices(lo, hi)] = cells(n, lo, hi)
        for d, name in enumerate("zyx"):  # dimensions, or it is no NetCDF
            axis = out.create_dataset(name, (n,), "i4")
            axis[...] = numpy.arange(n)
            axis.make_scale(name)
            cube.dims[d].attach_scale(axis)


def make_zarr(folder, n, shape):
    zarr = need("zarr")
    out = zarr.open(str(folder / "source.zarr"), "w", shape=(n, n, n), chunks=tuple(shape), dtype="u2",
                    compressor=None)
    for lo, hi in boxes(n, shape):
        out[slices(lo, hi)] = cells(n, lo, hi)


def make_xta(folder, n, shape):
    tool = os.environ["XTA_TOOL"]
    run = [tool, "import", str(folder / "source.raw"), str(folder / "source"), "--format", "raw",
           "--type", "u16", "--bounds", f"{n},{n},{n}", "--chunk", ",".join(map(str, shape)),
           "--memory", "256MiB"]
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL)


class Xta:
    """Reads boxes of an array with the tool."""

    def __init__(self, path):
        self.path = path

    def __getitem__(self, place):
        box = ",".join(f"{s.start}:{s.stop}" for s in place)
        done = subprocess.run([os.environ["XTA_TOOL"], "read", self.path, "--box", box, "--as", "raw"],
                              check=True, capture_output=True)
        return numpy.frombuffer(done.stdout, "u2").reshape([s.stop - s.start for s in place])


class Folder:
    """Reads boxes of a folder of .npy blocks."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.shape = numpy.load(self.path / "0_0_0.npy", mmap_mode="r").shape

    def __getitem__(self, place):
        out = numpy.empty([s.stop - s.start for s in place], "u2")
        for at in itertools.product(*(range(s.start, s.stop) for s in place)):
            number = "_".join(str(a // length) for a, length in zip(at, self.shape))
            block = numpy.load(self.path / f"{number}.npy", mmap_mode="r")
            inside = tuple(a % length for a, length in zip(at, self.shape))
            out[tuple(a - s.start for a, s in zip(at, place))] = block[inside]
        return out


def open_result(form, path):
    if form == "xta":
        return Xta(path)
    if form == "npy":
        return Folder(path)
    if form == "nc":
        return need("h5py").File(path, "r")[VARIABLE]
    if form == "zarr":
        return need("zarr").open(path, "r")
    n = round((os.path.getsize(path) / 2) ** (1 / 3))
    return numpy.memmap(path, "u2", "r", shape=(n, n, n))


def check(folder, n, form, name):
    result = open_result(form, str(folder / name))
    chance = random.Random(n)
    for count in range(200):
        # Corners first; then random boxes, a few cells wide, so that most of them cross block borders.
        if count < 8:
            lo = tuple((n - 3) * (count >> d & 1) for d in range(3))
            hi = tuple(a + 3 for a in lo)
        else:
            lo = tuple(chance.randrange(n) for _ in range(3))
            hi = tuple(min(n, a + chance.randrange(1, 4)) for a in lo)
        if not numpy.array_equal(numpy.asarray(result[slices(lo, hi)]), cells(n, lo, hi)):
            print(f"data.py: {name}: wrong cells at {lo} to {hi}", file=sys.stderr)
            return 1
    return 0


def main(words):
    if len(words) == 5 and words[0] == "make":
        shape = [int(length) for length in words[4].split(",")]
        globals()[f"make_{words[3]}"](pathlib.Path(words[1]), int(words[2]), shape)
        return 0
    if len(words) == 5 and words[0] == "check":
        return check(pathlib.Path(words[1]), int(words[2]), words[3], words[4])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
