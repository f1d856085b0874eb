# SPDX-License-Identifier: Apache-2.0
"""Reductions against NumPy, and arrays that get other chunks."""
from __future__ import annotations

import os
import signal
import unittest
import warnings
from typing import Any

import numpy as np
import xta
from support import Case, random_cells, steps


class Reduce(Case):
    def of_numpy(self, cells: np.ndarray[Any, Any], axes: tuple[int, ...], name: str) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if name == "count":
                return (~np.isnan(cells)).sum(axes)
            return getattr(np, "nan" + name)(cells.astype("f8") if name not in ("min", "max") else cells, axis=axes)

    def grown(self, path: str) -> tuple[Any, np.ndarray[Any, Any]]:
        """An array with a random history of growths and writes, and its cells."""
        ndim = self.random.randint(1, 3)
        shape = [self.random.randint(1, 7) for _ in range(ndim)]
        dtype = self.random.choice(("f4", "f8", "i2", "u1"))
        a = xta.create(path, shape, dtype, [self.random.randint(1, 4) for _ in range(ndim)], fill_value=self.random.choice((0, 3)))
        cells = np.full(shape, a.fill_value, dtype)
        for _ in range(self.random.randint(0, 4)):
            axis, n, front = self.random.randrange(ndim), self.random.randint(1, 3), self.random.random() < 0.5
            a.extend({axis: n}, front=front)
            cells = np.insert(cells, [0 if front else cells.shape[axis]] * n, a.fill_value, axis)
            box = tuple(slice(*sorted((self.random.randint(0, m), self.random.randint(0, m)))) for m in cells.shape)
            some = random_cells(self.numbers, cells[box].shape, dtype)
            if dtype[0] == "f":
                some[self.numbers.random(some.shape) < self.random.choice((0, 0.2, 0.9))] = np.nan
            cells[box] = some
            a[box] = some
        return a, cells

    def compare(self, found: Any, cells: np.ndarray[Any, Any], axes: tuple[int, ...], name: str) -> None:
        wanted = np.asarray(self.of_numpy(cells, axes, name))
        self.assertEqual(np.shape(found), wanted.shape)
        if name == "sum":  # of no cell it is 0, in NumPy too
            wanted = np.nan_to_num(wanted)
        np.testing.assert_allclose(np.asarray(found, "f8"), wanted.astype("f8"), rtol=1e-6, atol=1e-9, err_msg=name)

    def in_groups(self, a: Any, cells: np.ndarray[Any, Any], axes: list[int], names: list[str]) -> None:
        axis, n = self.random.choice(axes), self.random.randint(1, 4)
        if self.random.random() < 0.5:
            numbers = np.arange(a.bounds[axis][0], a.bounds[axis][1]) // n
            groups, found = xta.reduce(a, axes, names, by=(axis, n))
            wanted = np.unique(numbers)
        else:
            numbers = np.array([self.random.randint(-1, n) for _ in range(cells.shape[axis])])
            groups, found = xta.reduce(a, axes, names, by=(axis, numbers))
            wanted = np.unique(numbers[numbers >= 0])
        self.assertEqual(groups.tolist(), wanted.tolist())
        at = axis - sum(other < axis for other in axes)  # of the groups in the result
        for name in names:
            for k, group in enumerate(groups):
                some = np.compress(numbers == group, cells, axis)
                self.compare(np.take(found[name], k, at), some, tuple(axes), name)

    def test_random(self) -> None:
        """All statistics over some axes, of arrays that have grown and of memory, some in groups."""
        for k in range(steps(2000)):
            a, cells = self.grown(self.path(f"a{k}"))
            axes = sorted(self.random.sample(range(cells.ndim), self.random.randint(1, cells.ndim)))
            names = self.random.sample(["count", "sum", "mean", "min", "max", "var"], 3)
            if k % 2 == 0:
                xta.open(a.path, "r+").extend({0: 2})  # is not in the snapshot
                found = xta.reduce(a, axes, names)
                of_memory = xta.reduce(cells, [axis - cells.ndim for axis in axes], names)
                for name in names:
                    self.compare(found[name], cells, tuple(axes), name)
                    np.testing.assert_allclose(np.asarray(of_memory[name], "f8"), np.asarray(found[name], "f8"), rtol=1e-9)
            else:
                self.in_groups(a, cells, axes, names)

    def test_groups(self) -> None:
        a = xta.create(self.path("a"), (10, 2), "f8", (4, 2), dims=("t", "x"))
        a.extend({"t": 3}, front=True)
        cells = self.numbers.standard_normal((13, 2))
        a.write(cells)
        labels = [5, 5, -1, 2, 2, 2, 7, 7, 7, 7, 5, -1, 2]
        groups, means = xta.reduce(a, "t", by=("t", labels))
        self.assertEqual(groups.tolist(), [2, 5, 7])
        for group, mean in zip(groups, means):
            np.testing.assert_allclose(mean, cells[np.array(labels) == group].mean(0))
        groups, sums = xta.reduce(a, ["t", "x"], ["sum"], by=("t", 4))
        self.assertEqual(groups.tolist(), [-1, 0, 1, 2])
        np.testing.assert_allclose(sums["sum"], [cells[:3].sum(), cells[3:7].sum(), cells[7:11].sum(), cells[11:].sum()])

    def test_options(self) -> None:
        cells = np.array([1.0, 2.0, np.nan, -9.0])
        self.assertEqual(xta.reduce(cells, missing=-9), 1.5)
        self.assertTrue(np.isnan(xta.reduce(cells, propagate_nan=True)))
        self.assertTrue(np.isnan(xta.reduce(cells, min_count=4)))
        self.assertEqual(xta.reduce(cells, statistics="var", missing=-9, ddof=1), 0.5)
        self.assertEqual(xta.reduce(np.array([250, 250], "u1"), statistics="sum"), 500)

    def test_errors(self) -> None:
        a = xta.from_numpy(self.path("a"), np.ones((2, 3)), dims=("t", "x"))
        for k, (kind, act) in enumerate((
            (ValueError, lambda: xta.reduce(a, "t", "median")), (ValueError, lambda: xta.reduce(a, "t", [])),
            (xta.NotFoundError, lambda: xta.reduce(a, "y")), (ValueError, lambda: xta.reduce(np.ones(3), 1)),
            (ValueError, lambda: xta.reduce(3.0)), (xta.ArgumentError, lambda: xta.reduce(a, "t", by=("x", 2))),
            (xta.ArgumentError, lambda: xta.reduce(a, "t", by=("t", [1, 2, 3]))),
            (ValueError, lambda: xta.reduce(a, "t", by=("t", [0.5, 1]))), (ValueError, lambda: xta.reduce(a, "t", by=("t", 0))),
            (xta.TypeMismatchError, lambda: xta.reduce(np.ones(3, "c16"))), (xta.TypeMismatchError, lambda: xta.reduce(np.array([b"x"]))),
            (xta.ArgumentError, lambda: xta.reduce(a, "t", threads=-1)),
            (ValueError, lambda: xta.reduce(a, "t", ddof=-1)), (ValueError, lambda: xta.reduce(a, "t", min_count=-1)),
            (ValueError, lambda: xta.reduce(a, "t", memory_bytes=-1)),
            (ValueError, lambda: xta.rechunk(a, (1, 1), memory_bytes=-1)),
            (ValueError, lambda: xta.reduce(np.arange(4, dtype="u1"), missing=256)),
            (ValueError, lambda: xta.reduce(np.arange(4), missing=1.5)),
            (TypeError, lambda: xta.reduce(np.ma.array([1.0, 2], mask=[True, False]))),
            (OverflowError, lambda: xta.reduce(a, "t", by=("t", 2**70))), (TypeError, lambda: xta.reduce(a, "t", ddof="x")),
        )):
            with self.subTest(k), self.assertRaises(kind):
                act()


class Rechunk(Case):
    def test_random(self) -> None:
        for k in range(steps(6)):
            ndim = self.random.randint(1, 3)
            a = xta.create(self.path(f"a{k}"), [self.random.randint(1, 9) for _ in range(ndim)], "i4",
                           [self.random.randint(1, 4) for _ in range(ndim)], attrs={"title": "x"})
            a.extend({0: 2}, front=True)
            a.write(random_cells(self.numbers, a.shape, "i4"))
            chunks = tuple(self.random.randint(1, 5) for _ in range(ndim))
            order = self.random.choice(("row", "column"))
            done = xta.rechunk(a, chunks, self.path(f"b{k}"), order=order, verify=True)
            self.assertEqual(done["bytes_written"], a.nbytes)
            with xta.open(self.path(f"b{k}")) as b:
                self.assertEqual((b.chunks, b.bounds, b.order, b.attrs["title"]), (chunks, a.bounds, order, "x"))
                self.assertSame(b[...], a[...])
            cells = a[...]
            a.close()
            xta.rechunk(a.path, chunks)
            with xta.open(a.path) as again:
                self.assertEqual((again.chunks, again.bounds), (chunks, a.bounds))
                self.assertSame(again[...], cells)

    def test_errors(self) -> None:
        a = xta.from_numpy(self.path("a"), np.ones((64, 64)), chunks=(8, 8))
        before = set(os.listdir(self.folder))
        for kind, act in (
            (xta.ExistsError, lambda: xta.rechunk(a, (4, 4), self.path("a"))),
            (xta.ArgumentError, lambda: xta.rechunk(a, (0, 4), self.path("b"))),
            (xta.OutOfMemoryError, lambda: xta.rechunk(a, (64, 1), self.path("b"), memory_bytes=4)),
            (xta.NotFoundError, lambda: xta.rechunk(self.path("no"), (4, 4), self.path("b"))),
            (ValueError, lambda: xta.rechunk(a, (4, 4), self.path("b"), order="zigzag")),
        ):
            with self.subTest(kind=kind), self.assertRaises(kind):
                act()
            self.assertEqual(set(os.listdir(self.folder)), before)
        self.assertEqual(a[...].sum(), 4096)

    def test_interrupt(self) -> None:
        """A signal whose handler raises, as that of Ctrl-C, ends a run; the source is as it was, the target is gone."""
        a = xta.from_numpy(self.path("a"), np.ones((1500, 1500)), chunks=(1, 1500))

        class Interrupted(Exception):
            pass

        def interrupt(number: int, frame: Any) -> None:
            raise Interrupted

        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, interrupt))
        before = set(os.listdir(self.folder))
        n_interrupted = 0
        for _ in range(200):
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.02)
                xta.rechunk(a, (1500, 1), self.path("b"), memory_bytes=2 << 20)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except Interrupted:
                n_interrupted += not os.path.exists(self.path("b.xmd"))
            for name in set(os.listdir(self.folder)) - before:
                os.remove(self.path(name))
            if n_interrupted:
                break
        self.assertEqual(n_interrupted, 1)
        self.assertEqual(a[...].sum(), 1500 * 1500)


if __name__ == "__main__":
    unittest.main()
