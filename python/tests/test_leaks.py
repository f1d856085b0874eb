# SPDX-License-Identifier: Apache-2.0
"""Nothing leaks: memory of Python and of C, descriptors, references."""
from __future__ import annotations

import ctypes
import gc
import os
import sys
import unittest

import numpy as np
import xta
from leak_work import use_all
from support import Case, steps


class Mallinfo(ctypes.Structure):
    """struct mallinfo2 of the C library."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
    ]


libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Mallinfo


def allocated() -> tuple[int, int]:
    """Blocks that Python has allocated, and bytes that everything has allocated by malloc."""
    gc.collect()
    sys._clear_type_cache()  # it keeps names of attributes
    info = libc.mallinfo2()
    return sys.getallocatedblocks(), info.uordblks + info.hblkhd


class Leaks(Case):
    def test_rounds(self) -> None:
        """After some rounds to warm up, a round adds no block, no byte and no descriptor.

        Pools start another thread when all are busy, which depends on what else the machine does; so a batch of rounds may
        add something. A leak adds in every batch.
        """
        n, found = steps(8), []
        for _ in range(6):
            use_all()
        for _ in range(5):
            descriptors = len(os.listdir("/proc/self/fd"))
            blocks, size = allocated()
            for _ in range(n):
                use_all()
            more_blocks, more_size = allocated()
            found.append((more_blocks - blocks, more_size - size, len(os.listdir("/proc/self/fd")) - descriptors))
            print(f"{n} rounds: {found[-1][0]} blocks, {found[-1][1]} bytes, {found[-1][2]} descriptors more")
            if found[-1][0] < n and found[-1][1] < 200 * n and found[-1][2] <= 0:
                return
        self.fail(f"more blocks, bytes and descriptors in each of {len(found)} batches of {n} rounds: {found}")

    def test_a_leak_is_seen(self) -> None:
        """The counters of the test above do count."""
        blocks, size = allocated()
        kept = [(object(), k + 10**6) for k in range(1000)]
        memory = ctypes.create_string_buffer(10**6)
        more_blocks, more_size = allocated()
        self.assertGreater(more_blocks - blocks, len(kept))
        self.assertGreater(more_size - size, len(memory) / 2)

    def test_references(self) -> None:
        """Of objects that many calls use."""
        a = xta.from_numpy(self.path("a"), np.ones((8, 8)))
        row, dtype = np.ones(8), a.dtype
        shared = [row, dtype, a, None, Ellipsis]
        gc.collect()
        before = [sys.getrefcount(thing) for thing in shared]
        for _ in range(2000):
            a[1, 2], a[0], a[...], a.shape, a.bounds, a.fill_value
            a[3] = row
            a[:, 1] = 5
            a.read(((0, 1), (0, 8)))
            try:
                a[9, 9]
            except xta.BoxError:
                pass
        gc.collect()
        after = [sys.getrefcount(thing) for thing in shared]
        for thing, was, now in zip(shared, before, after):
            self.assertLess(abs(now - was), 500, f"{type(thing)}: {was} references became {now}")


if __name__ == "__main__":
    unittest.main()
