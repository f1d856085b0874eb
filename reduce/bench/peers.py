"""The peers of xta reduce over the same cells, in the page cache: NumPy, xarray with bottleneck, Dask, and, where they
are installed, ncwa and cdo over a NetCDF file. Prints `peer,case,seconds,processor seconds`, the best of the rounds.

usage: peers.py FOLDER ROUNDS

Best settings: NumPy over a memory map of the file; xarray and Dask in memory, Dask with the chunks of the array and
with one thread and with two; ncwa in double precision and cdo over an uncompressed classic file, which they map or
read at once. NumPy's sums of float32 are asked for in float64, as ours are.

SPDX-License-Identifier: Apache-2.0
"""
import os
import resource
import shutil
import subprocess
import sys
import time

import numpy

FOLDER, ROUNDS = sys.argv[1], int(sys.argv[2])
BUDGET = 60  # seconds of a case, after which no further round begins; four times that ends it
CASES = {"sum all": (0, 1, 2), "sum time": (0,), "sum lines": (1,), "sum samples": (2,)}
NAMES = ("t", "y", "x")


def used():
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def measure(peer, case, run):
    """The best time and the best processor time; a case that takes too long is said to."""
    best = best_cpu = float("inf")
    began = time.perf_counter()
    for _ in range(ROUNDS + 1):
        start, cpu = time.perf_counter(), used()
        try:
            run()
        except subprocess.TimeoutExpired:
            print(f"SKIPPED: {peer}, {case}: more than {4 * BUDGET} s", file=sys.stderr)
            break
        best, best_cpu = min(best, time.perf_counter() - start), min(best_cpu, used() - cpu)
        if time.perf_counter() - began > BUDGET:
            break
    if best < float("inf"):
        print(f"{peer},{case},{best:.5f},{best_cpu:.5f}", flush=True)


def in_memory(cells):
    for case, axes in CASES.items():
        measure("numpy f64", case, lambda axes=axes: numpy.sum(cells, axis=axes, dtype="f8"))
        measure("numpy f32", case, lambda axes=axes: numpy.sum(cells, axis=axes))
    measure("numpy f64", "var time", lambda: numpy.var(cells, axis=0, dtype="f8"))
    measure("numpy f32", "max time", lambda: numpy.max(cells, axis=0))
    try:
        import bottleneck
        import xarray
    except ImportError:
        print("SKIPPED: no xarray with bottleneck", file=sys.stderr)
    else:
        print(f"xarray {xarray.__version__}, bottleneck {bottleneck.__version__}", file=sys.stderr)
        named = xarray.DataArray(cells, dims=NAMES)
        for case, axes in CASES.items():
            dims = [NAMES[a] for a in axes]
            measure("xarray", case, lambda dims=dims: named.sum(dims, skipna=True).values)
            measure("bottleneck", case, lambda axes=axes: bottleneck.nansum(
                cells, axis=None if len(axes) == 3 else axes[0]))
    try:
        import dask
        import dask.array
    except ImportError:
        print("SKIPPED: no Dask", file=sys.stderr)
        return
    lazy = dask.array.from_array(cells, chunks=(4, 256, 256), name=False)
    large = dask.array.from_array(cells, chunks=(64, 512, 1024), name=False)
    for threads in (1, 2):
        with dask.config.set(scheduler="threads", num_workers=threads):
            for case, axes in CASES.items():
                measure(f"dask {threads}", case, lambda axes=axes: large.sum(axis=axes, dtype="f8").compute())
            measure(f"dask small chunks {threads}", "sum all", lambda: lazy.sum(dtype="f8").compute())


def over_netcdf(cells):
    try:
        import netCDF4
    except ImportError:
        print("SKIPPED: no netCDF4, so neither ncwa nor cdo", file=sys.stderr)
        return
    path, out = os.path.join(FOLDER, "reduce.nc"), os.path.join(FOLDER, "reduced.nc")
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_OFFSET") as file:
        for name, length in zip(NAMES, cells.shape):
            file.createDimension(name, length)
        file.createVariable("v", "f4", NAMES)[:] = cells
    if shutil.which("ncwa"):
        for case, axes in CASES.items():
            dims = ",".join(NAMES[a] for a in axes)
            measure("ncwa", case, lambda dims=dims: subprocess.run(
                ["ncwa", "-O", "-h", "--dbl", "-y", "ttl", "-a", dims, path, out], check=True, timeout=4 * BUDGET))
    else:
        print("SKIPPED: no ncwa", file=sys.stderr)
    if shutil.which("cdo"):
        for case, operator in (("sum all", ["-fldsum", "-timsum"]), ("sum time", ["-timsum"])):
            measure("cdo", case, lambda operator=operator: subprocess.run(
                ["cdo", "-s", "-b", "F64", "-O"] + operator + [path, out], check=True,
                stderr=subprocess.DEVNULL, timeout=4 * BUDGET))
    else:
        print("SKIPPED: no cdo", file=sys.stderr)


mapped = numpy.load(os.path.join(FOLDER, "reduce.npy"), mmap_mode="r")
print(f"numpy {numpy.__version__}, {mapped.nbytes >> 20} MiB", file=sys.stderr)
in_memory(mapped)
over_netcdf(mapped)
