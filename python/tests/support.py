# SPDX-License-Identifier: Apache-2.0
"""What the tests of the package share: a scratch folder, seeds, scale."""
from __future__ import annotations

import os
import random
import shutil
import tempfile
import unittest
from typing import Any

import numpy as np

SCALE = float(os.environ.get("XTA_SCALE", "1"))


def steps(n: int) -> int:
    """How often a property is tried: XTA_SCALE times n."""
    return max(1, int(n * SCALE))


class Case(unittest.TestCase):
    """A test with a scratch folder and a seed, which a failure prints."""

    def setUp(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="xta-python-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.seed = int(os.environ.get("XTA_SEED", "0")) or random.randrange(1, 1 << 31)
        self.random = random.Random(self.seed)
        self.numbers = np.random.default_rng(self.seed)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def run(self, result: unittest.TestResult | None = None) -> Any:
        before = len(result.failures) + len(result.errors) if result else 0
        done = super().run(result)
        if result and len(result.failures) + len(result.errors) > before:
            print(f"{self.id()}: XTA_SEED={self.seed}")
        return done

    def assertSame(self, found: Any, wanted: Any, what: str = "") -> None:
        """The same type, shape, dtype and cells, NaN like NaN."""
        found, wanted = np.asanyarray(found), np.asanyarray(wanted)
        self.assertEqual((found.shape, found.dtype), (wanted.shape, wanted.dtype), what)
        self.assertTrue(found.tobytes() == wanted.tobytes() or np.array_equal(found, wanted, equal_nan=True), what)


DTYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", "S1", "S5"]


def random_cells(numbers: np.random.Generator, shape: Any, dtype: str) -> np.ndarray[Any, Any]:
    """Cells of any type of the library."""
    wanted = np.dtype(dtype)
    if wanted.kind == "b":
        return numbers.integers(0, 2, shape).astype(bool)
    if wanted.kind == "S":
        n = int(np.prod(shape, dtype=int))
        return np.frombuffer(numbers.integers(97, 123, n * wanted.itemsize, np.uint8).tobytes(), wanted).reshape(shape)
    if wanted.kind in "iu":
        limits = np.iinfo(wanted)
        return numbers.integers(limits.min, limits.max, shape, wanted, endpoint=True)
    cells = numbers.standard_normal(shape) * 100
    return (cells + 1j * numbers.standard_normal(shape) if wanted.kind == "c" else cells).astype(wanted)
