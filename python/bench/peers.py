# SPDX-License-Identifier: Apache-2.0
"""The same work by xta, h5py, zarr-python and netcdf4-python: CSV with seconds, and ratios to xta.

Each library does it at its best: no filters, one chunk shape for all, chunk caches that hold a row of chunks, zarr
without a compressor. Files are in the page cache. Appends are timed until the calls have returned (HDF5's cells are
then in the memory of the process, XTA's in the file, or in memory too: "xta, in a cache"), with each of them seen by
other processes (HDF5 and NetCDF are flushed), until the file is closed (which puts XTA's cells on the disk, and the
others' into the page cache), and until all is on the disk (the others' files are synced, too). Where a library has no
writers in several processes, each process opens the file under a lock of the file system, which is what users do.
XTA has two ways to append, and all rows of both; ratios are to the faster one of the row.

Each work that writes is done by a process of its own, as a program that appends to a file does it. One more row,
"appends, again", is for a process that has done the same with other files before and still has their memory.

    python3 peers.py [FOLDER]        XTA_SCALE scales the counts
"""

import csv
import fcntl
import functools
import glob
import multiprocessing
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

import xta

SCALE = float(os.environ.get("XTA_SCALE", "1"))
SHAPE = (128, 256, 512)
CHUNKS = (8, 64, 128)
BOX = (8, 32, 32)
ROUNDS = 5
# What has become of appended cells when the clock stops.
RETURNED, SEEN, CLOSED, ON_DISK = "returned", "seen", "closed", "on disk"


def n_of(n):
    return max(4, int(n * SCALE))


class Xta:
    name = "xta"

    def create(self, path, shape, chunks):
        return xta.create(path, shape=shape, dtype="f4", chunks=chunks, dims=("time", "y", "x"))

    def open(self, path, mode="r"):
        return xta.open(path, mode=mode)

    def append(self, a, block):
        a.append(block, axis="time")

    def close(self, a):
        a.close()

    def append_seen(self, a, block):
        self.append(a, block)  # an append that has returned is seen

    def sync(self, path):
        pass  # close has done it

    def write_share(self, path, where, block):
        with xta.open(path, mode="r+") as a:
            for t in where:
                a[t] = block


class XtaInCache(Xta):
    """One writer, whose cells stay in a cache until it is full or closed, as HDF5's do."""

    name = "xta, in a cache"

    def create(self, path, shape, chunks):
        return xta.create(
            path, shape=shape, dtype="f4", chunks=chunks, dims=("time", "y", "x"),
            access="cached", cache_bytes=64 << 20, exclusive_writer=True,
        )

    def append(self, a, block):
        n = a.shape[0]
        a.extend({"time": len(block)})
        a[n:] = block

    def append_seen(self, a, block):
        super().append(a, block)


class Hdf5:
    name = "h5py"

    def __init__(self):
        import h5py

        self.h5py = h5py

    def create(self, path, shape, chunks):
        f = self.h5py.File(path, "w", libver="latest", rdcc_nbytes=64 << 20, rdcc_nslots=10007)
        return f.create_dataset("a", shape, "f4", chunks=chunks, maxshape=(None, *shape[1:]))

    def open(self, path, mode="r"):
        return self.h5py.File(path, mode, libver="latest", rdcc_nbytes=64 << 20, rdcc_nslots=10007)["a"]

    def append(self, a, block):
        n = a.shape[0]
        a.resize(n + len(block), 0)
        a[n:] = block

    def append_seen(self, a, block):
        self.append(a, block)
        a.file.flush()

    def sync(self, path):
        sync_files(path)

    def close(self, a):
        a.file.close()

    def write_share(self, path, where, block):
        for t in where:
            with locked(path):
                a = self.open(path, "r+")
                a[t] = block
                self.close(a)


class NetCDF:
    name = "netcdf4"

    def __init__(self):
        import netCDF4

        self.netCDF4 = netCDF4

    def create(self, path, shape, chunks):
        f = self.netCDF4.Dataset(path, "w")
        for dim, n in zip(("time", "y", "x"), (None, *shape[1:])):
            f.createDimension(dim, n)
        a = f.createVariable("a", "f4", ("time", "y", "x"), chunksizes=chunks, fill_value=False)
        return self._ready(f, a)

    def open(self, path, mode="r"):
        f = self.netCDF4.Dataset(path, mode)
        return self._ready(f, f["a"])

    def _ready(self, f, a):
        a.set_var_chunk_cache(64 << 20, 10007, 0.75)
        a.set_auto_maskandscale(False)
        return _Open(f, a)

    def append(self, a, block):
        n = a.shape[0]
        a[n : n + len(block)] = block

    def append_seen(self, a, block):
        self.append(a, block)
        a.file.sync()

    def sync(self, path):
        sync_files(path)

    def close(self, a):
        a.file.close()

    def write_share(self, path, where, block):
        for t in where:
            with locked(path):
                a = self.open(path, "r+")
                a[t] = block
                self.close(a)


class _Open:
    """A variable with its file: netCDF4 closes files, not variables."""

    def __init__(self, file, variable):
        self.file, self.variable = file, variable
        self.__class__ = _Open

    def __getitem__(self, key):
        return self.variable[key]

    def __setitem__(self, key, value):
        self.variable[key] = value

    @property
    def shape(self):
        return self.variable.shape


class Zarr:
    name = "zarr"

    def __init__(self):
        import zarr

        self.zarr = zarr

    def create(self, path, shape, chunks):
        return self.zarr.open(path, "w", shape=shape, chunks=chunks, dtype="f4", compressor=None, fill_value=None)

    def open(self, path, mode="r"):
        return self.zarr.open(path, mode)

    def append(self, a, block):
        a.append(block)

    def append_seen(self, a, block):
        self.append(a, block)

    def sync(self, path):
        sync_files(path)

    def close(self, a):
        pass

    def write_share(self, path, where, block):
        # Two processes must not write one chunk: zarr's own locks, of files.
        a = self.zarr.open(path, "r+", synchronizer=self.zarr.ProcessSynchronizer(path + ".sync"))
        for t in where:
            a[t] = block


class locked:
    def __init__(self, path):
        self.path = path + ".lock"

    def __enter__(self):
        self.file = open(self.path, "w")
        fcntl.flock(self.file, fcntl.LOCK_EX)

    def __exit__(self, *_):
        self.file.close()


# ---- work ----

AGAIN = "appends, again"


def timed(call):
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def fill(peer, path, cells):
    a = peer.create(path, SHAPE, CHUNKS)
    a[:] = cells
    peer.close(a)


def boxes(peer, a, cells, rng):
    total = 0.0
    for _ in range(n_of(1000)):
        lo = [int(rng.integers(0, n - b)) for n, b in zip(SHAPE, BOX)]
        key = tuple(slice(l, l + b) for l, b in zip(lo, BOX))
        seconds, got = timed(lambda: a[key])
        total += seconds
        assert got[0, 0, 0] == cells[key][0, 0, 0] and got.shape == BOX
    return total


def planes(axis):
    def run(peer, a, cells, rng):
        total = 0.0
        for _ in range(n_of(40)):
            at = int(rng.integers(0, SHAPE[axis]))
            key = (slice(None),) * axis + (at,)
            seconds, got = timed(lambda: a[key])
            total += seconds
            assert np.array_equal(got, cells[key])
        return total

    return run


def files_of(path):
    """The files of an array: one, those in its folder, or an array's pair."""
    if os.path.isfile(path):
        return [path]
    inside = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
    return inside or glob.glob(glob.escape(path) + ".*")


def sync_files(path):
    for name in files_of(path):
        with open(name, "rb") as f:
            os.fsync(f.fileno())


def appends(until):
    def run(peer, path):
        block = np.full((1, *SHAPE[1:]), 1.5, "f4")
        a = peer.create(path, (0, *SHAPE[1:]), (1, *CHUNKS[1:]))
        append = peer.append_seen if until == SEEN else peer.append

        def work():
            for _ in range(n_of(100)):
                append(a, block)
            if until in (CLOSED, ON_DISK):
                peer.close(a)
            if until == ON_DISK:
                peer.sync(path)

        seconds, _ = timed(work)
        if until not in (CLOSED, ON_DISK):
            peer.close(a)
        a = peer.open(path)
        assert a.shape[0] == n_of(100) and a[-1, -1, -1] == 1.5
        peer.close(a)
        return seconds

    return run


def writers(peer, path):
    n, k = n_of(64), 4
    peer.close(peer.create(path, (n, *SHAPE[1:]), CHUNKS))
    block = np.full(SHAPE[1:], 2.5, "f4")
    context = multiprocessing.get_context("fork")
    shares = [context.Process(target=peer.write_share, args=(path, range(w, n, k), block)) for w in range(k)]

    def run():
        for share in shares:
            share.start()
        for share in shares:
            share.join()

    seconds, _ = timed(run)
    assert all(share.exitcode == 0 for share in shares)
    a = peer.open(path)
    assert (a[:] == 2.5).all(), f"{peer.name} lost cells"
    peer.close(a)
    return seconds


PEERS = {peer.name: peer for peer in (Xta, XtaInCache, Hdf5, Zarr, NetCDF)}
READS = {"boxes": boxes, "plane time": planes(0), "plane y": planes(1), "plane x": planes(2)}
WRITES = {
    "appends": appends(RETURNED),
    "appends, each seen by other processes": appends(SEEN),
    "appends, then closed": appends(CLOSED),
    "appends, then on disk": appends(ON_DISK),
    "writers": writers,
}


def in_new_process(work, name):
    def run(path):
        ran = subprocess.run([sys.executable, __file__, "--work", work, name, path], stdout=subprocess.PIPE, check=True)
        return float(ran.stdout)

    return run


def write(work, path):
    """The work's result. What was written before is on the disk, and what this wrote leaves the page cache.

    Memory that nobody has used for long may be cold for a virtual machine, and files that are removed slow down their
    successors on some file systems.
    """
    os.sync()
    result = work(path)
    for name in files_of(path):
        with open(name, "rb") as f:
            os.fsync(f.fileno())
            os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return result


def main():
    if sys.argv[1:2] == ["--work"]:
        work, name, path = sys.argv[2:]
        print(WRITES[work](PEERS[name](), path))
        return 0
    folder = tempfile.mkdtemp(prefix="xta-peers-", dir=sys.argv[1] if len(sys.argv) > 1 else None)
    cells = np.random.default_rng(1).random(SHAPE, "f4")
    peers = []
    for name, peer in PEERS.items():
        try:
            peers.append(peer())
        except ImportError as e:
            print(f"without {name}: {e}", file=sys.stderr)
    best = {}
    in_cache = next(peer for peer in peers if peer.name == XtaInCache.name)
    for peer in peers:
        if peer is not in_cache:
            fill(peer, os.path.join(folder, peer.name), cells)
    for round_ in range(ROUNDS):
        for peer in peers:
            path = os.path.join(folder, peer.name)
            if peer is not in_cache:
                a = peer.open(path)
                for work, run in READS.items():
                    keep(best, work, peer, run(peer, a, cells, np.random.default_rng(round_)))
                peer.close(a)
            for work in WRITES:
                if work.startswith("appends") or peer is not in_cache:
                    keep(best, work, peer, write(in_new_process(work, peer.name), f"{path}-{work}-{round_}"))
            keep(best, AGAIN, peer, write(functools.partial(WRITES["appends"], peer), f"{path}-{AGAIN}-{round_}"))
    shutil.rmtree(folder)
    out = csv.writer(sys.stdout)
    out.writerow(["work", "library", "seconds", "ratio to the faster xta", f"best of {ROUNDS} on {platform.node()}"])
    ours = {work: min(best[work, "xta"], best.get((work, in_cache.name), float("inf"))) for work, _ in best}
    for (work, name), seconds in best.items():
        out.writerow([work, name, f"{seconds:.4f}", f"{seconds / ours[work]:.2f}"])
    behind = [key for key, seconds in best.items() if seconds < ours[key[0]]]
    for work, name in behind:
        print(f"{name} is ahead at {work}", file=sys.stderr)
    return 1 if behind else 0


def keep(best, work, peer, seconds):
    key = work, peer.name
    best[key] = min(seconds, best.get(key, seconds))


if __name__ == "__main__":
    sys.exit(main())
