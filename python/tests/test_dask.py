# SPDX-License-Identifier: Apache-2.0
"""Arrays of Dask from XTA and into it: threads, processes that are killed, and no lock."""

import os
import pickle
import shutil
import subprocess
import sys
import threading
import time
import warnings

from xarray_support import SEED, count, random_cells, run, scratch  # exits where Dask is missing

import dask
import dask.array as da
import distributed
import numpy as np
import xarray as xr

import xta
import xta.dask_array as xd
import xta.xarray_accessor
from xta.snapshot import Target, chunk_sizes
from test_xarray import made_of, opened, refused

warnings.simplefilter("ignore", xr.SerializationWarning)


def random_array(rng, path):
    """An array that has grown at both ends, so that its first chunks are partial; with its cells."""
    ndim = int(rng.integers(1, 4))
    shape = tuple(int(n) for n in rng.integers(1, 12, ndim))
    chunks = tuple(int(n) for n in rng.integers(1, 6, ndim))
    cells = random_cells(rng, rng.choice(["f4", "i2", "f8", "u1"]), shape)
    array = xta.from_numpy(path, cells, dims=tuple(f"d{k}" for k in range(ndim)), chunks=chunks)
    for _ in range(int(rng.integers(0, 5))):
        axis, front = int(rng.integers(0, ndim)), bool(rng.random() < 0.5)
        part = random_cells(
            rng, cells.dtype, [int(rng.integers(1, 9)) if k == axis else n for k, n in enumerate(cells.shape)]
        )
        array.append(part, axis=axis, front=front)
        cells = np.concatenate([part, cells] if front else [cells, part], axis)
    return array, cells


# ---- reading ----


def test_chunks_follow_the_edges():
    assert chunk_sizes(-5, 7, 4) == (1, 4, 4, 3) and chunk_sizes(0, 8, 4) == (4, 4)
    assert chunk_sizes(3, 3, 4) == (0,) and chunk_sizes(1, 2, 4) == (1,)
    rng = np.random.default_rng(SEED)
    folder = scratch()
    n = count(25)
    for k in range(n):
        array, cells = random_array(rng, os.path.join(folder, f"a{k}"))
        with array:
            edges = [set(array.chunk_edges(axis)) for axis in range(array.ndim)]
            for chunks in ({}, "auto", int(rng.integers(1, 15)), {0: 3}, {array.ndim - 1: -1}):
                with dask.config.set({"array.chunk-size": f"{int(rng.integers(1, 500))}B"}):
                    blocks = xd.from_array(array, chunks)
                assert np.array_equal(blocks.compute(scheduler="sync"), cells)
                for axis, lengths in enumerate(blocks.chunks):
                    assert set(np.cumsum(lengths)) <= edges[axis], (chunks, blocks.chunks, edges)
            axis = int(rng.integers(0, array.ndim))
            key = (slice(None),) * axis + (rng.integers(0, cells.shape[axis], 4),)
            assert np.array_equal(xd.from_array(array)[key].compute(scheduler="threads"), cells[key])
    refused(ValueError, ["axis"], lambda: xd.chunks_of(os.path.join(folder, "a0"), {9: 1}))
    refused(ValueError, ["cells"], lambda: xd.chunks_of(os.path.join(folder, "a0"), {0: (1000, 1)}))
    refused(ValueError, ["at least 1"], lambda: xd.chunks_of(os.path.join(folder, "a0"), {0: 0}))
    refused(ValueError, ["'large'"], lambda: xd.chunks_of(os.path.join(folder, "a0"), "large"))
    shutil.rmtree(folder)
    return f"{n} arrays in blocks of 5 kinds"


def test_a_dask_array_stays_as_it_was():
    folder = scratch()
    path = os.path.join(folder, "a")
    with xta.from_numpy(path, np.arange(12.0).reshape(4, 3), chunks=(3, 2)) as array:
        blocks = xd.from_array(path, {})
        there = pickle.dumps(blocks)
        array.append(np.full((2, 3), -1.0), axis=0, front=True)
        assert xd.from_array(path, {}).chunks == ((2, 3, 1), (2, 1))
    for b in (blocks, pickle.loads(there)):
        assert np.array_equal(b.compute(), np.arange(12.0).reshape(4, 3))
    shutil.rmtree(folder)


def test_xarray_chunks():
    folder = scratch()
    path = os.path.join(folder, "set")
    made_of([0, 0], [6, 5]).xta.to_xta(path, encoding={"a": {"chunks": (4, 3)}, "b": {"chunks": (3, 4)}})
    made_of([-2, 0], [0, 5]).drop_vars("x2").xta.append(path, "y")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ds = opened(path, chunks={})
    assert ds["a"].chunks == ((2, 4, 2), (3, 2)) and ds["b"].chunks == ((3, 2), (2, 4, 2))
    xr.testing.assert_identical(ds.compute(), made_of([-2, 0], [6, 5]))
    later = ds.xta.refresh()
    assert later["a"].chunks == ds["a"].chunks
    shutil.rmtree(folder)


# ---- writing ----


def test_store_by_threads():
    rng = np.random.default_rng(SEED)
    folder = scratch()
    n = count(12)
    for k in range(n):
        array, cells = random_array(rng, os.path.join(folder, f"a{k}"))
        new = random_cells(rng, cells.dtype, cells.shape)
        blocks = da.from_array(new, chunks=tuple(int(c) for c in rng.integers(1, 7, array.ndim)))
        with array:
            if k % 2:
                da.store(blocks, xd.target(array), lock=False, scheduler="threads")
            else:
                xd.store(blocks, array, scheduler="threads")
            assert np.array_equal(array[...], new), "blocks that end inside chunks were lost"
    with xta.create(os.path.join(folder, "wrong"), shape=(3, 3), dtype="f4") as array:
        refused(ValueError, ["shape"], lambda: xd.store(da.zeros((2, 3)), array))
    shutil.rmtree(folder)
    return f"{n} arrays, blocks across the edges of chunks, no lock"


def test_append():
    rng = np.random.default_rng(SEED)
    folder = scratch()
    n = count(8)
    for k in range(n):
        array, cells = random_array(rng, os.path.join(folder, f"a{k}"))
        axis, front = int(rng.integers(0, array.ndim)), bool(k % 2)
        part = random_cells(
            rng, cells.dtype, [int(rng.integers(1, 9)) if i == axis else s for i, s in enumerate(cells.shape)]
        )
        with array:
            lo, hi = xd.append(array, da.from_array(part, chunks=2), axis, front=front)
            assert hi - lo == part.shape[axis] and (lo == array.lo[axis] if front else hi == array.hi[axis])
            assert np.array_equal(array[...], np.concatenate([part, cells] if front else [cells, part], axis))
            refused(ValueError, ["do not continue"], lambda: xd.append(array, da.zeros((1,) * (array.ndim + 1)), 0))
    path = os.path.join(folder, "set")
    made_of([0, 0], [4, 3]).xta.to_xta(path)
    part = made_of([4, 0], [9, 3])
    xd.append(
        path,
        {name: da.from_array(part[name].values, chunks=2) for name in ("a", "b", "y2")},
        "y",
        coords=part["y"].values,
    )
    with opened(path) as ds:
        xr.testing.assert_identical(ds.load(), made_of([0, 0], [9, 3]))
    made_of([9, 0], [14, 3]).drop_vars("x2").chunk({"y": 2}).xta.append(path, "y")
    made_of([-5, 0], [0, 3]).drop_vars("x2").chunk({"y": 2}).xta.append(path, "y")
    made_of([-5, 0], [16, 3]).drop_vars("x2").chunk({"y": 3}).xta.append(path, "y", overlap="replace")
    with opened(path) as ds:
        xr.testing.assert_identical(ds.load(), made_of([-5, 0], [16, 3]))
    shutil.rmtree(folder)
    return f"{n} arrays, and a data set"


def fails(block):
    raise RuntimeError("the disk of a source")


def test_append_cut_off():
    folder = scratch()
    path = os.path.join(folder, "set")
    made_of([0, 0], [4, 3]).xta.to_xta(path)
    whole = made_of([4, 0], [9, 3]).drop_vars("x2")
    broken = whole.assign(a=(("y", "x"), da.from_array(whole["a"].values, chunks=2).map_blocks(fails, dtype="f8")))
    refused(RuntimeError, ["the disk"], lambda: broken.xta.append(path, "y"))
    with opened(path) as ds:
        assert ds["a"][4:].isnull().all() and ds["y"].values.tolist() == list(range(9)), "grown, with fill values"
    refused(ValueError, ["'replace'"], lambda: whole.xta.append(path, "y"))
    assert whole.chunk({"y": 2}).xta.append(path, "y", overlap="replace") == ("y", 0, 5, 0)
    with opened(path) as ds:
        xr.testing.assert_identical(ds.load(), made_of([0, 0], [9, 3]))
    shutil.rmtree(folder)


def test_to_xta_of_blocks():
    folder = scratch()
    path = os.path.join(folder, "set")
    ds = made_of([0, 0], [30, 20])
    ds.chunk({"y": 7, "x": 6}).xta.to_xta(path)
    with opened(path) as back:
        xr.testing.assert_identical(back.load(), ds)
        assert back["a"].encoding["chunks"] == (7, 6)
    later = ds.chunk({"y": 7, "x": 6}).xta.to_xta(path + "2", compute=False)
    with opened(path + "2") as back:
        assert back["a"].isnull().all() and back["y"].size == 30
    later.compute()
    with opened(path + "2") as back:
        xr.testing.assert_identical(back.load(), ds)
    shutil.rmtree(folder)


def test_no_lock_is_used():
    """Two blocks of one chunk are written at the same time: the second comes before the first ends."""
    folder = scratch()
    together = threading.Barrier(2, timeout=60)

    with xta.create(os.path.join(folder, "a"), shape=(8, 8), dtype="f8", chunks=(8, 8)) as array:

        class Meeting(Target):
            """Nobody leaves a write before both are in one, which a lock would not let happen."""

            def __setitem__(self, key, block):
                together.wait()
                super().__setitem__(key, block)
                together.wait()

        blocks = da.from_array(np.arange(64.0).reshape(8, 8), chunks=(4, 8))
        xd.store(blocks, Meeting(array.path, array.bounds, array.dtype), scheduler="threads", num_workers=2)
        assert np.array_equal(array[...], np.arange(64.0).reshape(8, 8))
    shutil.rmtree(folder)


# ---- distributed ----


WORKER = """
import asyncio, sys
from distributed import Worker

async def work():
    async with Worker(sys.argv[1], nthreads=2, host="127.0.0.1", dashboard=False) as worker:
        await worker.finished()

asyncio.run(work())
"""


class Workers:
    """Processes that work for a scheduler; one after the other is killed, and another started for it."""

    def __init__(self, address, n):
        self.address = address
        self.killed = 0
        self.running = [self._start() for _ in range(n)]

    def _start(self):
        return subprocess.Popen([sys.executable, "-c", WORKER, self.address], stderr=subprocess.DEVNULL)

    def kill_one(self):
        worker = self.running.pop(0)
        worker.kill()
        worker.wait()
        self.killed += 1
        self.running.append(self._start())

    def stop(self):
        for worker in self.running:
            worker.kill()
            worker.wait()


def slow(block):
    time.sleep(0.02)
    return block


def kill_while_it_fills(workers, path, cells, kills):
    """Kill at equal parts of the work, as far as it shows in the cells."""
    array = xta.open(path)
    for k in range(1, kills + 1):
        while (array[...] >= 0).sum() < cells * k // (kills + 2):
            time.sleep(0.01)
            array.refresh()
        workers.kill_one()
    array.close()


def test_distributed_with_killed_workers():
    folder = scratch()
    path = os.path.join(folder, "a")
    side, block, kills = 24, 4, count(2)
    cells = np.arange(side * side * side, dtype="i4").reshape(side, side, side)
    with dask.config.set({"distributed.scheduler.allowed-failures": 1000}):
        cluster = distributed.LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address=None, silence_logs=50)
        workers = Workers(cluster.scheduler_address, 2)
        client = distributed.Client(cluster)
        try:
            with xta.create(path, shape=(side, side, 0), dtype="i4", chunks=(5, 7, 6), fill_value=-1) as array:
                source = da.from_array(cells, chunks=block).map_blocks(slow, dtype="i4")
                killer = threading.Thread(
                    target=kill_while_it_fills, args=(workers, path, cells.size, kills), daemon=True
                )
                killer.start()
                lo, hi = xd.append(array, source, 2)
                killer.join()
                assert (lo, hi) == (0, side) and np.array_equal(array[...], cells)
            total = xd.from_array(path, {}).astype("i8").sum().compute()
            assert total == cells.sum(dtype="i8") and workers.killed == kills
            ds = xr.Dataset({"a": (("x", "y", "z"), xd.from_array(path, {}))})
            ds.xta.to_xta(path + "set")
            with opened(path + "set", chunks={}) as back:
                assert (back["a"] == cells).all().compute()
        finally:
            client.close()
            workers.stop()
            cluster.close()
    shutil.rmtree(folder)
    return (
        f"{(side // block) ** 3} blocks by 2 processes, {workers.killed} of them killed meanwhile and replaced: whole"
    )


# ---- rechunk ----


def test_rechunk():
    rng = np.random.default_rng(SEED)
    folder = scratch()
    n = count(4)
    for k in range(n):
        array, cells = random_array(rng, os.path.join(folder, f"a{k}"))
        array.close()
        chunks = tuple(int(c) for c in rng.integers(1, 9, cells.ndim))
        to = os.path.join(folder, f"b{k}")
        plan = xd.rechunk(os.path.join(folder, f"a{k}"), chunks, "2MB", to, temp_store="unused")
        assert not os.path.exists(to + ".xmd") and repr(plan)
        with plan.execute() as made:
            assert tuple(made.chunks) == chunks and np.array_equal(made[...], cells) and made.dims == array_dims(cells)
    to = os.path.join(folder, "blocks")
    with xd.rechunk(da.from_array(cells, chunks=3), chunks, "2MB", to).execute() as made:
        assert tuple(made.chunks) == chunks and np.array_equal(made[...], cells)
    path = os.path.join(folder, "set")
    made_of([0, 0], [6, 5]).xta.to_xta(path, encoding={"a": {"chunks": (4, 3)}})
    made_of([-2, 0], [0, 5]).drop_vars("x2").xta.append(path, "y")
    xd.rechunk(path, {"a": {"y": 2, "x": 5}, "b": (5, 3)}, "2MB", path + "2").execute().close()
    with opened(path + "2") as ds:
        xr.testing.assert_identical(ds.load(), made_of([-2, 0], [6, 5]))
        assert ds["a"].encoding["chunks"] == (2, 5) and ds["b"].encoding["chunks"] == (5, 3)
    refused(ValueError, ["'nothing'"], lambda: xd.rechunk(path, {"nothing": (1, 1)}, "2MB", path + "3"))
    refused(FileExistsError, ["set2"], lambda: xd.rechunk(path, {"a": (1, 1)}, "2MB", path + "2"))
    shutil.rmtree(folder)
    return f"{n} arrays, blocks of Dask, a data set"


def array_dims(cells):
    return tuple(f"d{k}" for k in range(cells.ndim))


if __name__ == "__main__":
    run(dict(globals()))
