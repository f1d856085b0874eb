#!/usr/bin/python3
"""Reads temp.npy and flag.npy of a mounted data set with NumPy, plain and mapped, while it grows.

  npy_reader.py FOLDER      of the data set, below a mount point of xta mount

The files hold no coordinates: those of the first cell follow from its value, and must give those of all others.

SPDX-License-Identifier: Apache-2.0
"""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../tests/ways_in"))
import expected  # noqa: E402  pylint: disable=wrong-import-position


def coordinates_of(cells):
    """Of temp, whose first cell is 1e6 t + 1e3 y; y is between -500 and 500."""
    first = float(cells[0, 0, 0])
    t = np.round(first / 1e6)
    y = np.round((first - 1e6 * t) / 1e3)
    shape = cells.shape
    return (expected.HOURS * (t + np.arange(shape[0])), expected.METRES * (y + np.arange(shape[1]) + 0.5),
            expected.METRES * (np.arange(shape[2]) + 0.5))


def main():
    folder = sys.argv[1]
    mapped = np.load(os.path.join(folder, "temp.npy"), mmap_mode="r")
    plain = np.load(os.path.join(folder, "temp.npy"))
    axes = coordinates_of(plain)
    expected.compare("temp, mapped", mapped, expected.temp(*coordinates_of(mapped)))
    expected.compare("temp", plain, expected.temp(*axes))
    n_cells = mapped.size + plain.size
    # flag is another file, opened later: of the same step, or of one after it.
    flag = np.load(os.path.join(folder, "flag.npy"))
    for axis, step in enumerate((7, 13, 1)):
        if not (np.diff(flag, axis=axis) == step).all():
            sys.exit(f"flag: cells along axis {axis} do not differ by {step}")
    if any(n < m for n, m in zip(flag.shape, plain.shape)):
        sys.exit(f"flag: {flag.shape} cells, after temp had {plain.shape}")
    expected.found(axes[0], axes[1], n_cells + flag.size)


main()
