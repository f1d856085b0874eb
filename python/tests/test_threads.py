# SPDX-License-Identifier: Apache-2.0
"""Threads and processes on one array: nothing lost, nothing mixed; close waits; fork opens again."""
from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
import time
import unittest
from typing import Any

import numpy as np
import xta
from support import Case, steps


def row_of(coordinate: int) -> np.ndarray[Any, Any]:
    """A row that says where it was put."""
    return coordinate * 1000 + np.arange(16, dtype="i8")


def append_rows(path: str, who: int, n: int) -> None:
    """A process that appends rows of its own number."""
    with xta.open(path, "r+") as a:
        for k in range(n):
            a.append(np.full((1, 16), who * 100000 + k), 0, front=k % 3 == 2)


class Threads(Case):
    def run_all(self, *actions: Any) -> None:
        failures: list[BaseException] = []

        def guard(act: Any) -> None:
            try:
                act()
            except BaseException as error:  # noqa: BLE001
                failures.append(error)

        threads = [threading.Thread(target=guard, args=(act,)) for act in actions]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]

    def test_reading_and_appending(self) -> None:
        """Eight threads on one handle: four append, four read; each row is whole, none is lost."""
        a = xta.create(self.path("a"), (0, 16), "i8", chunks=(8, 16))
        n = steps(150)
        done = threading.Event()

        def append(who: int) -> None:
            for k in range(n):
                a.append(np.full((1, 16), who * 100000 + k), 0, front=k % 2 == 1)
                if k % 10 == 0:
                    a.attrs[f"by_{who}"] = k

        def read() -> None:
            while not done.is_set():
                low, high = a.bounds[0]
                rows = a.read(((low, high), (0, 16)))
                self.assertTrue((rows == rows[:, :1]).all())
                list(a.attrs.items())
                if high > low:
                    self.assertEqual(len(set(a.at[high - 1].tolist())), 1)

        def all_appends() -> None:
            try:
                self.run_all(*[lambda who=who: append(who) for who in range(1, 5)])
            finally:
                done.set()

        self.run_all(all_appends, read, read, read, read)
        found = sorted(a[:, 0].tolist())
        self.assertEqual(found, sorted(who * 100000 + k for who in range(1, 5) for k in range(n)))
        self.assertEqual(len(a), 4 * n)

    def test_data_set(self) -> None:
        """Four threads append to one data set while another reads: each step is whole."""
        d = xta.create_dataset(self.path("d"))
        d.set_dim("time", 0, origin=0, step=1)
        d.set_dim("x", 3)
        d.add("a", "i8", ("time", "x"))
        d.add("b", "i8", ("time",))
        n = steps(25)
        done = threading.Event()

        def append(who: int) -> None:
            for k in range(n):
                value = who * 1000 + k
                d.append({"a": np.full((1, 3), value), "b": [value]}, "time", front=k % 2 == 1)
                d.attrs[f"by_{who}"] = k

        def read() -> None:
            while not done.is_set():
                d.dims, dict(d.attrs), d["a"][...], d["a"].coords["x"]

        def all_appends() -> None:
            try:
                self.run_all(*[lambda who=who: append(who) for who in range(1, 5)])
            finally:
                done.set()

        self.run_all(all_appends, read)
        self.assertSame(d["a"][:, 2], d["b"][...])
        self.assertEqual(sorted(d["b"][...].tolist()), sorted(w * 1000 + k for w in range(1, 5) for k in range(n)))

    def test_processes(self) -> None:
        """Four processes append, at both ends: nothing is lost."""
        a = xta.create(self.path("a"), (0, 16), "i8", chunks=(8, 16))
        n = steps(60)
        context = multiprocessing.get_context("spawn")
        workers = [context.Process(target=append_rows, args=(a.path, who, n)) for who in range(1, 5)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual([worker.exitcode for worker in workers], [0] * 4)
        self.assertTrue(a.refresh())
        rows = a[...]
        self.assertTrue((rows == rows[:, :1]).all())
        self.assertEqual(sorted(rows[:, 0].tolist()), sorted(w * 100000 + k for w in range(1, 5) for k in range(n)))

    def test_close_waits(self) -> None:
        """Reads in progress end well; later ones raise ClosedError."""
        for _ in range(steps(8)):
            a = xta.from_numpy(self.path(f"a{self.random.random()}"), np.ones((512, 512)), chunks=(64, 64))
            counts = [0] * 4
            closed = threading.Event()

            def read(k: int) -> None:
                while True:
                    try:
                        self.assertEqual(a[...].sum(), 512 * 512)
                    except xta.ClosedError:
                        self.assertTrue(closed.is_set())
                        return
                    counts[k] += 1

            def close() -> None:
                while min(counts) == 0:
                    time.sleep(0.001)
                closed.set()
                a.close()

            self.run_all(close, *[lambda k=k: read(k) for k in range(4)])
            self.assertTrue(a.closed)

    def test_add_axis_waits(self) -> None:
        a = xta.from_numpy(self.path("a"), np.arange(4096.0))
        done = threading.Event()

        def read() -> None:
            while not done.is_set():
                self.assertEqual(a[...].sum(), 4096 * 4095 / 2)

        def add() -> None:
            try:
                for position in range(3):
                    time.sleep(0.005)
                    a.add_axis(position)
            finally:
                done.set()

        self.run_all(add, read, read)
        self.assertEqual(a.shape, (1, 1, 1, 4096))

    def test_add_axis_and_close(self) -> None:
        """Whichever is first: the axis is there, or the array was closed; both wait for the reads."""
        for k in range(steps(20)):
            a = xta.from_numpy(self.path(f"a{k}"), np.ones((512, 512)), chunks=(64, 64))
            ready, added = threading.Barrier(3), []

            def read(a: Any = a) -> None:
                ready.wait()
                try:
                    self.assertEqual(a[...].sum(), 512 * 512)
                except xta.ClosedError:
                    pass

            def add(a: Any = a) -> None:
                ready.wait()
                try:
                    a.add_axis(0)
                    added.append(True)
                except xta.ClosedError:
                    added.append(False)

            def close(a: Any = a) -> None:
                ready.wait()
                a.close()

            self.run_all(read, add, close)
            with xta.open(a.path) as again:
                self.assertEqual(again.ndim, 2 + sum(added))

    def test_async(self) -> None:
        cells = self.numbers.standard_normal((64, 64))
        a = xta.from_numpy(self.path("a"), cells, chunks=(8, 8))

        async def read_all() -> list[np.ndarray[Any, Any]]:
            return await asyncio.gather(*[a.read_async(((k, k + 8), (0, 64))) for k in range(0, 64, 8)])

        self.assertSame(np.concatenate(asyncio.run(read_all())), cells)

        async def fail() -> None:
            await a.read_async(((0, 65), (0, 64)))

        with self.assertRaises(xta.BoxError):
            asyncio.run(fail())

    def test_fork(self) -> None:
        """A child sees the snapshot of its parent, opens the files again, and may append."""
        a = xta.create(self.path("a"), (0, 16), "i8")
        reader = xta.open(a.path)
        a.append(np.ones((2, 16)), 0)
        d = xta.create_dataset(self.path("d"))
        d.set_dim("t", 3)
        m = d.add("m", "f8", ("t",))
        m[...] = 7
        child = os.fork()
        if child == 0:
            try:
                assert reader.bounds == ((0, 0), (0, 16)) and reader.refresh() and len(reader) == 2
                assert (a[...] == 1).all()
                a.append(np.full((1, 16), 5), 0, front=True)
                assert (m[...] == 7).all() and (d["m"][...] == 7).all()
                a.close()
                reader.close()
                d.close()
                os._exit(0)
            except BaseException as error:  # noqa: BLE001
                print(repr(error), flush=True)
                os._exit(1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertEqual(len(a), 2)
        self.assertTrue(a.refresh())
        self.assertEqual((a.bounds[0], a[0, 0]), ((-1, 2), 5))
        self.assertSame(m[...], np.full(3, 7.0))

    def test_fork_async(self) -> None:
        """The threads of the pool stay with the parent; a child makes its own."""
        a = xta.from_numpy(self.path("a"), np.arange(3.0))
        asyncio.run(a.read_async())
        time.sleep(0.1)  # so that the thread waits for work
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            os._exit(asyncio.run(a.read_async()).tolist() != [0, 1, 2])
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)

    def test_fork_without_files(self) -> None:
        a = xta.from_numpy(self.path("a"), np.ones(3))
        child = os.fork()
        if child == 0:
            os.rename(self.path("a.xmd"), self.path("b.xmd"))
            try:
                a[0]
            except xta.NotFoundError:
                os._exit(0)
            os._exit(1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertEqual(a[0], 1)


if __name__ == "__main__":
    unittest.main()
