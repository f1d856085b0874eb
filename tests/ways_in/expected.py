"""What the cells of grower.c are, and what a reader says that has found them so.

A reader is a program of any kind that opens the data set once. It compares the cells that it read with cells(), and
ends with found(), which prints one line of JSON: the first and last time (hours) and y (metres) that it saw, and how
many cells it compared. A mixture of two steps shows, since each cell is a function of its coordinates.

SPDX-License-Identifier: Apache-2.0
"""
import json
import sys

import numpy as np

HOURS, METRES, N_X = 6.0, 1000.0, 16


def numbers(time, y, x):
    """The cells that have these coordinates, one array for each axis; each must follow the one before."""
    axes = [np.asarray(time, "f8") / HOURS, (np.asarray(y, "f8") - METRES / 2) / METRES,
            (np.asarray(x, "f8") - METRES / 2) / METRES]
    for name, axis in zip(("time", "y", "x"), axes):
        if axis.size == 0 or not np.array_equal(axis, np.arange(axis[0], axis[0] + axis.size)) or axis[0] % 1 != 0:
            sys.exit(f"{name}: the coordinates are not those of cells that follow each other: {axis[:3]} ... {axis[-3:]}")
    if axes[2].size != N_X or axes[2][0] != 0:
        sys.exit(f"x: not the {N_X} cells that there are: {axes[2]}")
    return axes


def temp(time, y, x):
    """The member temp at these coordinates, as grower.c writes it."""
    t, y, x = numbers(time, y, x)
    return 1e6 * t[:, None, None] + 1e3 * y[:, None] + x


def flag(time, y, x):
    """The member flag."""
    t, y, x = numbers(time, y, x)
    return (7 * t[:, None, None] + 13 * y[:, None] + x).astype("i4")


def compare(what, cells, wanted):
    """Ends the program if one of the cells is not as wanted."""
    cells = np.asarray(cells)
    if cells.shape != wanted.shape:
        sys.exit(f"{what}: {cells.shape} cells for coordinates of {wanted.shape}")
    wrong = np.argwhere(cells != wanted)
    if wrong.size:
        at = tuple(wrong[0])
        sys.exit(f"{what}: {len(wrong)} of {wanted.size} cells are wrong, the first at {at}: {cells[at]}, not {wanted[at]}")


def found(time, y, n_cells):
    """Says what was seen."""
    print(json.dumps({"time": [float(time[0]), float(time[-1])], "y": [float(y[0]), float(y[-1])], "cells": int(n_cells)}))
