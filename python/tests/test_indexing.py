# SPDX-License-Identifier: Apache-2.0
"""Every index that NumPy takes gives what it gives, reading and assigning; what it refuses is refused."""
from __future__ import annotations

import unittest
import warnings
from typing import Any

import numpy as np
import xta
from support import DTYPES, Case, random_cells, steps
from xta import indexing


class Indexing(Case):
    def random_array(self) -> tuple[xta.Array, np.ndarray[Any, Any]]:
        """An array that has grown at both sides, and its cells."""
        ndim = self.random.randint(1, 4)
        dtype = self.random.choice(DTYPES)
        shape = [self.random.randint(0 if self.random.random() < 0.1 else 1, (30, 12, 8, 5)[ndim - 1]) for _ in range(ndim)]
        chunks = [self.random.choice((1, 2, 3, 4, 7)) for _ in range(ndim)]
        order = self.random.choice(("row", "column"))
        name = self.path(f"a{self.random.random()}")
        a = xta.create(name, shape, dtype, chunks=chunks, order=order)
        for axis in range(ndim):
            a.extend({axis: self.random.randint(0, 3)}, front=True)
            a.extend({axis: self.random.randint(0, 3)})
        cells = random_cells(self.numbers, a.shape, dtype)
        if cells.size:
            a.write(cells)
        return a, cells.copy()

    def random_slice(self, n: int) -> slice:
        ends = [self.random.choice((None, self.random.randint(-n - 2, n + 2))) for _ in range(2)]
        return slice(*ends, self.random.choice((None, 1, 1, 2, 3, -1, -1, -2, -5)))

    def random_list(self, n: int, shape: tuple[int, ...]) -> Any:
        if n == 0:
            return np.zeros((0,) * max(1, len(shape)), int)
        cells = self.numbers.integers(-n, n, shape)
        if self.random.random() < 0.3 and len(shape) == 1:
            first = self.random.randrange(n)
            cells = np.arange(first, min(n, first + shape[0]))
        return cells.tolist() if self.random.random() < 0.4 and cells.size else cells

    def random_key(self, shape: tuple[int, ...]) -> Any:
        general = self.random.random() < 0.6
        lists = self.random.choice(((3,), (1,), (4,), (2, 3), (3, 1), ()))
        items: list[Any] = []
        axis = 0
        while axis < len(shape):
            n = shape[axis]
            kind = self.random.random()
            if kind < 0.25 and n:
                items.append(self.random.choice((int, np.int64, np.int32))(self.random.randint(-n, n - 1)))
            elif kind < 0.6 or not general:
                items.append(self.random_slice(n))
            elif kind < 0.85:
                items.append(self.random_list(n, lists))
            else:
                k = self.random.randint(1, min(2, len(shape) - axis))
                mask = self.numbers.random(shape[axis : axis + k]) < 0.4
                items.append(mask)
                axis += k - 1
            axis += 1
            if self.random.random() < 0.1:
                items.append(self.random.choice((None, None, None, True, False)))
        if self.random.random() < 0.3:
            where = self.random.randint(0, len(items))
            items[where:] = [Ellipsis] + items[self.random.randint(where, len(items)) :]
        elif self.random.random() < 0.2:
            items = items[: self.random.randint(0, len(items))]
        if len(items) == 1 and self.random.random() < 0.5:
            return items[0]
        return tuple(items)

    def of_both(self, act: Any, a: Any, b: Any) -> tuple[Any, Any]:
        """The results of an action, or the kinds of exceptions."""
        results = []
        for array in (a, b):
            try:
                results.append(act(array))
            except (IndexError, ValueError, TypeError) as error:
                results.append(IndexError if isinstance(error, IndexError) else ValueError)
        return results[0], results[1]

    def test_random(self) -> None:
        a, cells = self.random_array()
        n_equal = 0
        for k in range(steps(2000)):
            if k % 25 == 0:
                a.close()
                a, cells = self.random_array()
            # Now and then the covering box is never taken, so that points are tried with small arrays as well.
            indexing.COVER_CELLS = self.random.choice((0, 0, 4096))
            indexing.COVER_FACTOR = self.random.choice((0, 0, 4))
            key = self.random_key(cells.shape)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found, wanted = self.of_both(lambda array: array[key], a, cells)
            what = f"{cells.shape} {cells.dtype} [{key!r}]"
            if isinstance(wanted, type):
                self.assertIs(found, wanted, what)
                continue
            self.assertNotIsInstance(found, type, what)
            self.assertIs(type(found), type(wanted), what)
            self.assertSame(found, wanted, what)
            n_equal += 1
            self.assign(a, cells, key, wanted, what)
        print(f"{n_equal} indexings equal NumPy")
        self.assertGreater(n_equal, steps(2000) * 0.7)

    def assign(self, a: xta.Array, cells: np.ndarray[Any, Any], key: Any, wanted: Any, what: str) -> None:
        shape = np.shape(wanted)
        value = random_cells(self.numbers, shape, cells.dtype.str)
        kind = self.random.random()
        if kind < 0.2:
            value = random_cells(self.numbers, (), cells.dtype.str)[()]
        elif kind < 0.4 and shape:
            value = random_cells(self.numbers, shape[self.random.randint(0, len(shape)) :], cells.dtype.str)
        elif kind < 0.5 and cells.dtype.kind in "fc":
            value = self.random.randint(-5, 5)
        elif kind < 0.6 and shape:
            value = np.asfortranarray(value)

        def act(array: Any) -> None:
            array[key] = value

        found, wanted = self.of_both(act, a, cells)
        self.assertIs(found, wanted, f"{what} = {np.shape(value)}")
        self.assertSame(a[...], cells, f"{what} = {value!r}")

    def test_coordinates(self) -> None:
        """a.at[c] is a[c - lo]."""
        for _ in range(steps(300)):
            a, cells = self.random_array()
            lo, hi = a.bounds[0]
            if lo == hi:
                continue
            c = self.random.randint(lo, hi - 1)
            self.assertSame(a.at[c], cells[c - lo])
            first, last = sorted(self.random.randint(lo - 3, hi + 3) for _ in range(2))
            step = self.random.choice((1, 2, 3))
            wanted = [k - lo for k in range(first, last, step) if lo <= k < hi]
            if first >= lo:
                self.assertSame(a.at[first:last:step], cells[wanted])
            wanted = [k - lo for k in range(last, first, -step) if lo <= k < hi]
            if last < hi:
                self.assertSame(a.at[last:first:-step], cells[wanted])
            self.assertSame(a.at[[c, lo, hi - 1]], cells[[c - lo, 0, -1]])
            self.assertSame(a.at[..., :], cells[...])
            mask = self.numbers.random(cells.shape[0]) < 0.5
            self.assertSame(a.at[mask], cells[mask])
            with self.assertRaises(xta.BoxError) as caught:
                a.at[hi]
            self.assertEqual((caught.exception.axis, caught.exception.value), (0, hi))
            a.at[c:] = cells[c - lo :][::-1]
            cells[c - lo :] = cells[c - lo :][::-1].copy()
            self.assertSame(a[...], cells)
            a.close()

    def test_what_numpy_refuses(self) -> None:
        a = xta.create(self.path("a"), (3, 4), "f4")
        for key in ((0, 0, 0), (..., ...), "x", 1.5, ([0, 1], [0, 1, 2]), np.zeros((2, 2), bool), [[0, 1], [2]], {1: 2}):
            with self.subTest(key=key), self.assertRaises((IndexError, ValueError)):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    a[key]
        for position in (3, -4, 10**30):
            with self.subTest(position=position), self.assertRaises(IndexError):
                a[position]
        with self.assertRaises(xta.BoxError) as caught:
            a[[0, 5]]
        self.assertEqual((caught.exception.axis, caught.exception.value, caught.exception.path), (0, 5, a.path))
        with self.assertRaises(ValueError):
            a[0] = [1, 2]
        with self.assertRaises(ValueError):
            a[0, 0] = "x"
        with self.assertRaises(ValueError):
            del a[0]
        with self.assertRaises(ValueError):
            a[::0]

    def test_isel_refuses(self) -> None:
        """As one list or mask would, also if there are several, or integers beside them."""
        cells = np.arange(20).reshape(4, 5)
        a = xta.from_numpy(self.path("a"), cells, dims=("t", "x"))
        self.assertSame(a.isel(t=[True, False, True, False], x=[1, 2]), cells[[0, 2]][:, [1, 2]])
        self.assertSame(a.isel(t=-1, x=[True, False, False, False, True]), cells[-1, [0, 4]])
        self.assertSame(a.isel(t=np.array([-1, 0]), x=slice(None, None, -2)), cells[[-1, 0], ::-2])
        for mask in ([True, False], [True] * 5, [True] * 4 + [False]):
            for other in ([1, 2], slice(1, 3), 2):
                with self.subTest(mask=mask, other=other), self.assertRaisesRegex(IndexError, "dimension 0|axis 0"):
                    a.isel(t=mask, x=other)
        for position in (4, -5, 10**30):
            for other in ([1, 2], [True] * 5, 2):
                with self.subTest(position=position, other=other), self.assertRaises(IndexError) as caught:
                    a.isel(t=position, x=other)
                if position < 10**30:
                    error = caught.exception
                    self.assertIsInstance(error, xta.BoxError)
                    self.assertEqual((error.axis, error.value, error.path), (0, position, a.path))

    def test_only_named_cells_are_written(self) -> None:
        """What another handle wrote between them survives, with lists, steps and masks."""
        a = xta.create(self.path("a"), (10, 10), "i4", chunks=(4, 4))
        writes: list[list[tuple[int, int]]] = []
        points = a._points

        class Spy(xta.Array):
            def _points(self, axes: Any, rows: Any, box: Any, memory: Any, write: bool) -> None:
                if write:
                    writes.append([(axes, rows.copy(), box)])  # type: ignore[list-item]
                super()._points(axes, rows, box, memory, write)

        self.assertTrue(callable(points))
        a.__class__ = Spy
        a[[1, 5], ::2] = 1
        (axes, rows, box) = writes[0][0]  # type: ignore[misc]
        named = {(r[0], r[1]) for r in rows.tolist()}
        self.assertEqual(named, {(r, c) for r in (1, 5) for c in range(0, 10, 2)})
        self.assertEqual((axes, box), ([0, 1], [(0, 1), (0, 1)]))


if __name__ == "__main__":
    unittest.main()
