#!/usr/bin/env python3
"""The usual ways to rechunk in Python: one process for each measurement.

usage: peers.py h5py SOURCE.nc TARGET.nc I,J,K      loop over the target's chunks
       peers.py zarr SOURCE.zarr TARGET.zarr I,J,K  zarr.copy
       peers.py dask SOURCE.zarr TARGET.zarr I,J,K  dask.array: from_zarr, rechunk, to_zarr

Exit code 77: the library is not installed.

SPDX-License-Identifier: Apache-2.0
"""
import itertools
import sys


def rechunk_h5py(source, target, shape):
    import h5py
    with h5py.File(source, "r") as before, h5py.File(target, "w") as after:
        cube = before["cube"]
        out = after.create_dataset("cube", cube.shape, cube.dtype, chunks=shape)
        starts = [range(0, n, length) for n, length in zip(cube.shape, shape)]
        for lo in itertools.product(*starts):
            place = tuple(slice(a, a + length) for a, length in zip(lo, shape))
            out[place] = cube[place]


def rechunk_zarr(source, target, shape):
    import zarr
    before = zarr.open(source, "r")
    group = zarr.open_group(target, "w")
    zarr.copy(before, group, name="cube", chunks=shape, compressor=None)


def rechunk_dask(source, target, shape):
    import dask.array
    before = dask.array.from_zarr(source)
    before.rechunk(shape).to_zarr(target, overwrite=True, compressor=None)


def main(words):
    if len(words) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    shape = tuple(int(length) for length in words[3].split(","))
    try:
        globals()[f"rechunk_{words[0]}"](words[1], words[2], shape)
    except ImportError as error:
        print(f"peers.py: {error}", file=sys.stderr)
        return 77
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
