# SPDX-License-Identifier: Apache-2.0
"""Random histories of growth against an array of NumPy with signed coordinates."""
from __future__ import annotations

import unittest
from typing import Any

import numpy as np
import xta
from support import DTYPES, Case, random_cells, steps


class Oracle:
    """The cells of an array, and the coordinate of the first on each axis."""

    def __init__(self, shape: list[int], dtype: str, fill: Any) -> None:
        self.fill = fill
        self.lo = [0] * len(shape)
        self.cells = np.full(shape, fill, dtype)

    @property
    def bounds(self) -> tuple[tuple[int, int], ...]:
        return tuple((lo, lo + n) for lo, n in zip(self.lo, self.cells.shape))

    def grow(self, axis: int, front: bool, block: Any) -> None:
        self.cells = np.concatenate([block, self.cells] if front else [self.cells, block], axis)
        if front:
            self.lo[axis] -= block.shape[axis]

    def extend(self, axis: int, front: bool, by: int) -> None:
        shape = list(self.cells.shape)
        shape[axis] = by
        self.grow(axis, front, np.full(shape, self.fill, self.cells.dtype))

    def shrink(self, axis: int, front: bool, by: int) -> None:
        n = self.cells.shape[axis]
        keep = slice(by, n) if front else slice(0, n - by)
        self.cells = self.cells[(slice(None),) * axis + (keep,)]
        if front:
            self.lo[axis] += by

    def add_axis(self, position: int) -> None:
        self.cells = np.expand_dims(self.cells, position)
        self.lo.insert(position, 0)


class Growth(Case):
    def start(self) -> None:
        ndim = self.random.randint(1, 3)
        shape = [self.random.randint(0, 5) for _ in range(ndim)]
        self.dtype = self.random.choice(DTYPES)
        fill = random_cells(self.numbers, (), self.dtype)[()] if self.random.random() < 0.5 else np.zeros((), self.dtype)[()]
        self.oracle = Oracle(shape, self.dtype, fill)
        chunks = [self.random.choice((1, 2, 4)) for _ in range(ndim)]
        policy = self.random.choice(("exact", "linear", "exponential", "cubical"))
        order = self.random.choice(("row", "column", "morton", "hilbert"))
        self.access = self.random.choice(("auto", "mapped", "cached"))
        self.array = xta.create(
            self.path(f"a{self.random.random()}"), shape, self.dtype, chunks, fill_value=fill, policy=policy,
            policy_amount=2, order=order, access=self.access, exclusive_writer=self.random.random() < 0.3,
        )
        self.reader = xta.open(self.array.path)
        self.snapshots: list[tuple[int, tuple[tuple[int, int], ...]]] = [(0, self.array.bounds)]

    def change(self) -> None:
        axis = self.random.randrange(self.array.ndim)
        front = self.random.random() < 0.5
        by = self.random.randint(0, 4)
        kind = self.random.random()
        n = self.array.shape[axis]
        if kind < 0.35:
            after = self.array.extend({axis: by}, front)
            self.oracle.extend(axis, front, by)
            self.assertEqual(after, self.oracle.bounds)
        elif kind < 0.75:
            shape = list(self.oracle.cells.shape)
            shape[axis] = by
            block = random_cells(self.numbers, shape, self.dtype)
            first = self.array.append(block, axis, front)
            self.oracle.grow(axis, front, block)
            lo, hi = self.oracle.bounds[axis]
            self.assertEqual(first, lo if front else hi - by)
        elif kind < 0.85 and n > 0:
            by = self.random.randint(0, min(n, 3))
            self.array.shrink({axis: by}, front)
            self.oracle.shrink(axis, front, by)
        elif kind < 0.88 and self.array.ndim < 4:
            position = self.random.randint(0, self.array.ndim)
            self.array.add_axis(position)
            self.oracle.add_axis(position)

    def write(self) -> None:
        box = []
        for lo, hi in self.array.bounds:
            ends = sorted(self.random.randint(lo, hi) for _ in range(2))
            box.append((ends[0], ends[1]))
        shape = [hi - lo for lo, hi in box]
        values = random_cells(self.numbers, shape, self.dtype)
        self.array.write(values, [lo for lo, _ in box])
        where = tuple(slice(lo - first, hi - first) for (lo, hi), first in zip(box, self.oracle.lo))
        self.oracle.cells[where] = values
        self.assertSame(self.array.read(box), self.oracle.cells[where])
        out = np.empty(shape[::-1], self.dtype).T
        self.assertIs(self.array.read(box, out=out), out)
        self.assertSame(out, self.oracle.cells[where])
        self.assertSame(self.array.read(box, order="F"), self.oracle.cells[where])

    def test_history(self) -> None:
        for k in range(steps(1200)):
            if k % 40 == 0:
                self.start()
            self.change()
            self.oracle.cells = self.oracle.cells.copy()
            self.assertEqual(self.array.bounds, self.oracle.bounds)
            self.write()
            if k % 8 == 0:
                self.assertSame(self.array[...], self.oracle.cells)
                if self.access == "cached":
                    self.array.sync()
                self.reader.refresh()
                self.assertEqual(self.reader.bounds, self.oracle.bounds)
                self.assertSame(self.reader[...], self.oracle.cells)
                self.assertFalse(self.reader.refresh())
            if k % 40 == 39:
                self.check_history()

    def check_history(self) -> None:
        steps_of = self.array.history()
        self.assertEqual([step.step for step in steps_of], list(range(len(steps_of))))
        self.assertEqual(steps_of[-1].bounds, self.array.bounds)
        self.assertEqual(self.array.step, len(steps_of) - 1)
        past = self.random.choice(steps_of)
        with self.array.as_of(past.step) as then:
            self.assertEqual((then.bounds, then.step, then.mode), (past.bounds, past.step, "r"))
        self.array.close()
        self.reader.close()

    def test_snapshot(self) -> None:
        """What others do changes nothing until refresh: position 0 stays the cell that it was."""
        a = xta.from_numpy(self.path("a"), np.arange(12.0).reshape(3, 4), chunks=(2, 2))
        b = xta.open(a.path)
        a.append([[9.0] * 4], 0, front=True)
        a.extend({1: 2})
        self.assertEqual((b.bounds, b[0, 0], b.shape), (((0, 3), (0, 4)), 0.0, (3, 4)))
        self.assertSame(b[...], np.arange(12.0).reshape(3, 4))
        self.assertTrue(b.refresh())
        self.assertEqual((b.bounds, b[0, 0]), (((-1, 3), (0, 6)), 9.0))
        a.shrink({0: 1})
        self.assertSame(b[-1], np.zeros(6))
        self.assertSame(b.read(((2, 3), (0, 6))), np.zeros((1, 6)))

    def test_sync(self) -> None:
        """Other calls than refresh and growth leave the snapshot alone, even if the library's handle has caught up:
        then cells that have gone are an error until refresh."""
        a = xta.from_numpy(self.path("a"), np.ones(4))
        b = xta.open(a.path, "r+")
        b.extend({0: 2})
        a.sync()
        a.attrs["x"] = 1
        self.assertEqual((a.bounds, a[...].tolist()), (((0, 4),), [1] * 4))
        b.shrink({0: 5})
        a.attrs["x"] = 2
        self.assertEqual(a.bounds, ((0, 4),))
        with self.assertRaises(xta.BoxError):
            a[...]
        self.assertTrue(a.refresh())
        self.assertEqual((a.bounds, a[...].tolist()), (((0, 1),), [1]))

    def test_chunks(self) -> None:
        a = xta.create(self.path("a"), (10, 0), "i2", chunks=(4, 3), dims=("x", None))
        a.extend({"x": 3}, front=True)
        self.assertEqual(a.chunks, (4, 3))
        self.assertEqual(a.chunk_edges("x"), (0, 3, 7, 11, 13))
        self.assertEqual(a.chunk_edges(1), (0,))
        self.assertEqual((a.dims, a.lo, a.hi, a.size, a.nbytes, len(a)), (("x", "dim_1"), (-3, 0), (10, 0), 0, 0, 13))
        self.assertEqual(a.extend({"x": 1, "dim_1": 2}), ((-3, 11), (0, 2)))


if __name__ == "__main__":
    unittest.main()
