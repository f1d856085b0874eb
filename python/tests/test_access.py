# SPDX-License-Identifier: Apache-2.0
"""How cells are accessed, and the exclusive writer: what others see and may do."""
from __future__ import annotations

import os
import pickle
import unittest
from collections.abc import Callable
from typing import Any

import numpy as np
import xta
from support import Case


class Access(Case):
    def test_cached(self) -> None:
        """Others see cells in a cache after sync, and growth at once."""
        with xta.create(self.path("a"), (0, 8), "i4", chunks=(4, 8), access="cached", exclusive_writer=True) as a:
            reader = xta.open(a.path)
            a.extend({0: 4})
            a[:] = np.arange(32, dtype="i4").reshape(4, 8)
            self.assertTrue(reader.refresh())
            self.assertEqual(reader[...].tolist(), [[0] * 8] * 4)  # as HDF5, which keeps them too
            a.sync()
            self.assertSame(reader[...], np.arange(32, dtype="i4").reshape(4, 8))
            a[3] = 7
        self.assertEqual(reader[3].tolist(), [7] * 8)

    def test_handed_over(self) -> None:
        """Functions that open the array again see what is in its cache."""
        a = xta.create(self.path("a"), (4, 8, 3), "f4", chunks=(2, 4, 3), access="cached")
        uses: dict[str, Callable[[], Any]] = {
            "reduce": lambda: xta.reduce(a, None, "mean"),
            "rechunk": lambda: xta.rechunk(a, (2, 2, 3), self.path(f"r{a[0, 0, 0]}")) and None,
            "pickle": lambda: pickle.loads(pickle.dumps(a))[0, 0, 0],
            "as_of": lambda: a.as_of(a.step)[0, 0, 0],
        }
        for k, (name, use) in enumerate(uses.items(), 1):
            a[:] = k
            seen = use()
            if name == "rechunk":
                seen = xta.open(self.path(f"r{a[0, 0, 0]}"))[0, 0, 0]
            self.assertEqual(float(seen), k, name)

    def test_small_cache(self) -> None:
        """Cells that a cache of a few chunks does not hold are in the file, and come back."""
        cells = np.arange(6400.0).reshape(100, 64)
        with xta.create(self.path("a"), (100, 64), "f8", chunks=(10, 64), access="cached", cache_bytes=5120) as a:
            a[:] = cells
            self.assertSame(a[...], cells)
            self.assertSame(xta.open(a.path)[:80], cells[:80])
            with self.assertRaises(xta.NotContiguous):
                a.view()

    def test_exclusive(self) -> None:
        """Cells of others go in, their growth is refused until the exclusive writer has closed."""
        a = xta.create(self.path("a"), (2,), "i2", exclusive_writer=True)
        other = xta.open(a.path, "r+")
        with self.assertRaises(xta.BusyError):
            other.extend({0: 1})
        with self.assertRaises(xta.BusyError):
            xta.open(a.path, "r+", exclusive_writer=True)
        other[0] = 5
        a.extend({0: 1})
        self.assertEqual(a[...].tolist(), [5, 0, 0])
        a.close()
        self.assertEqual(other.extend({0: 1}), ((0, 4),))
        with self.assertRaises(xta.ArgumentError):
            xta.open(a.path, exclusive_writer=True)

    def in_child(self, work: Callable[[], bool]) -> int:
        child = os.fork()
        if child == 0:
            try:
                os._exit(0 if work() else 1)
            finally:
                os._exit(2)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def test_others(self) -> None:
        """A child made by fork, and a pickle, have the cells but are not the exclusive writer."""
        for access in ("mapped", "cached"):
            a = xta.create(self.path(access), (3,), "i4", access=access, exclusive_writer=True)
            a[:] = 1
            a.sync()

            def child() -> bool:
                a[1] = 9
                try:
                    a.extend({0: 1})
                except xta.BusyError:
                    a.close()
                    return True
                return False

            self.assertEqual(self.in_child(child), 0, access)
            copy = pickle.loads(pickle.dumps(a))
            self.assertEqual(copy[...].tolist(), [1, 9, 1], access)
            with self.assertRaises(xta.BusyError):
                copy.extend({0: 1})
            self.assertEqual(a.extend({0: 1}), ((0, 4),))
            a.close()

    def test_refused(self) -> None:
        xta.create_dataset(self.path("set")).close()
        for options in ({"access": "mapped"}, {"cache_bytes": 1}, {"exclusive_writer": True}):
            with self.assertRaisesRegex(ValueError, "is a data set"):
                xta.open(self.path("set"), **options)
        with self.assertRaisesRegex(ValueError, "access 'fast': one of auto, mapped, cached"):
            xta.create(self.path("a"), (1,), "i4", access="fast")
        for wrong in (-1, 2**64):
            with self.assertRaisesRegex(ValueError, "cache_bytes"):
                xta.create(self.path("a"), (1,), "i4", access="cached", cache_bytes=wrong)
        with self.assertRaises(TypeError):
            xta.create(self.path("a"), (1,), "i4", access="cached", cache_bytes=1.5)
        self.assertEqual(os.listdir(self.folder), ["set"])


if __name__ == "__main__":
    unittest.main()
