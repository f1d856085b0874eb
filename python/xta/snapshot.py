# SPDX-License-Identifier: Apache-2.0
"""The cells that an array had at one moment, for lazy programs such as xarray and Dask.

No cell of an array ever changes its coordinates. So a snapshot is a path and the bounds of that moment: any handle of
the array, in any process, reads the same cells with it, however far the array has grown since. That is what makes a
snapshot cheap to pickle and safe to read beside a writer.
"""

from __future__ import annotations

import collections
import math
import operator
import os
import sys
import threading

import numpy as np

import xta

# A box is read as a whole, and what was not asked for is dropped, if it is small or mostly asked for.
SMALL_BOX_BYTES = 64 << 10
MOSTLY = 4
# Below this many cells a call for a box costs more than a point for each of its cells.
CELLS_WORTH_A_CALL = 64


# ---- handles of this process ----

_HANDLES_KEPT = 64
_handles: collections.OrderedDict = collections.OrderedDict()
_handles_lock = threading.Lock()


def _forget_handles():
    global _handles_lock
    _handles_lock = threading.Lock()
    _handles.clear()


os.register_at_fork(after_in_child=_forget_handles)


def _journal_identity(path):
    """Which journal is at a path now: an array that was replaced has another one."""
    for suffix in (".xmd", ".pma"):
        try:
            found = os.stat(path + suffix)
        except FileNotFoundError:
            continue
        return found.st_dev, found.st_ino
    return None


def handle(path, mode="r"):
    """An open array, shared by whoever asks for it in this process.

    Tasks of Dask come as pickles, each with a snapshot of its own; they would open and close the array again and again.
    """
    identity = _journal_identity(path)
    with _handles_lock:
        kept = _handles.get((path, mode))
        if kept is not None and kept[0] == identity and not kept[1].closed:
            _handles.move_to_end((path, mode))
            return kept[1]
    array = xta.open(path, mode=mode)
    with _handles_lock:
        _handles[path, mode] = identity, array
        for key in [k for k, (old, _) in _handles.items() if old != _journal_identity(k[0])]:
            del _handles[key]  # files that were deleted or replaced would keep their disk space
        while len(_handles) > _HANDLES_KEPT:
            _handles.popitem(last=False)
    return array


def array_path(path):
    """A path without the suffix of a journal, from the root: workers may run in another folder."""
    path = os.path.abspath(os.fspath(path))
    root, suffix = os.path.splitext(path)
    return root if suffix in (".xmd", ".xta", ".pma", ".pta") else path


# ---- the grid of chunks ----


def chunk_sizes(lo, hi, chunk):
    """How many cells of [lo, hi) lie in each chunk: the first and the last may be partial."""
    if hi <= lo:
        return (0,)
    edges = [lo, *range((lo // chunk + 1) * chunk, hi, chunk), hi]
    return tuple(b - a for a, b in zip(edges, edges[1:]))


# ---- one snapshot ----


class Snapshot:
    """The cells of an array within bounds. Positions count from the lower bounds of the snapshot."""

    __slots__ = ("path", "lo", "shape", "dtype", "chunks", "fill_value", "_array")

    def __init__(self, array, bounds=None):
        bounds = array.bounds if bounds is None else bounds
        self.path = array_path(array.path)
        self.lo = tuple(int(lo) for lo, _ in bounds)
        self.shape = tuple(int(hi - lo) for lo, hi in bounds)
        self.dtype = np.dtype(array.dtype)
        self.chunks = tuple(array.chunks)
        self.fill_value = array.fill_value
        self._array = array

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return math.prod(self.shape)

    @property
    def bounds(self):
        return tuple((lo, lo + n) for lo, n in zip(self.lo, self.shape))

    @property
    def chunk_sizes(self):
        return tuple(chunk_sizes(lo, hi, c) for (lo, hi), c in zip(self.bounds, self.chunks))

    def __getstate__(self):
        return {name: getattr(self, name) for name in self.__slots__ if name != "_array"}

    def __setstate__(self, state):
        for name, value in state.items():
            setattr(self, name, value)
        self._array = None

    def __dask_tokenize__(self):
        return "xta", self.path, _journal_identity(self.path), self.bounds, str(self.dtype)

    @property
    def array(self):
        """A handle whose bounds contain the snapshot, unless cells were taken away meanwhile."""
        array = self._array
        if array is not None and not array.closed:
            return array
        array = handle(self.path)
        if np.dtype(array.dtype) != self.dtype or array.ndim != self.ndim:
            raise xta.Error(
                f"{self.path}: is now an array of {array.ndim} axes of {array.dtype}; when it was opened it "
                f"had {self.ndim} of {self.dtype}. Open it again"
            )
        if not self._within(array):
            array.refresh()
        return array

    def _within(self, array):
        return all(a <= lo and hi <= b for (a, b), (lo, hi) in zip(array.bounds, self.bounds))

    def read(self, box):
        """The cells of a box of positions, ((start, stop), ...). Cells that were taken away are fill values."""
        box = tuple((lo + start, lo + stop) for lo, (start, stop) in zip(self.lo, box))
        array = self.array
        try:
            return array.read(box)
        except IndexError:
            return self._read_what_is_left(array, box)

    def _read_what_is_left(self, array, box):
        out = np.full([hi - lo for lo, hi in box], self.fill_value, self.dtype)
        left = [(max(lo, a), min(hi, b)) for (lo, hi), (a, b) in zip(box, array.bounds)]
        if all(lo < hi for lo, hi in left):
            where = tuple(slice(lo - a, hi - a) for (lo, hi), (a, _) in zip(left, box))
            out[where] = array.read(tuple(left))
        return out

    def __array__(self, dtype=None):
        return np.asarray(self.read(tuple((0, n) for n in self.shape)), dtype=dtype)

    def __getitem__(self, key):
        """Integers, slices and lists, each for its axis alone, as xarray's outer indexing has it."""
        return self.outer(_complete(self, key))

    def outer(self, key):
        axes = [_AxisKey(self.path, axis, k, n) for axis, (k, n) in enumerate(zip(key, self.shape))]
        shape = [a.count for a in axes]
        if 0 in shape:
            cells = np.empty(shape, self.dtype)
        else:
            cells = self._read_axes(axes, shape)
        return cells[tuple(0 if a.single else slice(None) for a in axes)]

    def _read_axes(self, axes, shape):
        wanted = math.prod(shape)
        box = math.prod(a.stop - a.start for a in axes)
        runs = math.prod(len(a.runs) for a in axes)
        if box <= MOSTLY * wanted or box * self.dtype.itemsize <= SMALL_BOX_BYTES:
            cells = self.read([(a.start, a.stop) for a in axes])
            for axis, a in enumerate(axes):
                cells = a.pick(cells, axis)
            return cells
        if all(a.step for a in axes):
            return self._at(tuple(a.as_slice(lo) for lo, a in zip(self.lo, axes)))
        if runs * CELLS_WORTH_A_CALL > wanted:
            return self._at(np.ix_(*(a.positions() + lo for lo, a in zip(self.lo, axes))))
        out = np.empty(shape, self.dtype)
        for index in np.ndindex(*(len(a.runs) for a in axes)):
            run = [a.runs[i] for a, i in zip(axes, index)]
            where = tuple(slice(at, at + hi - lo) for lo, hi, at in run)
            out[where] = self.read([(lo, hi) for lo, hi, _ in run])
        return out

    def points(self, key):
        """Index arrays, of one shape when broadcast, for some axes, slices for the others. The result has the axes of
        the points first, then those of the slices."""
        points = iter(np.broadcast_arrays(*(k for k in key if isinstance(k, np.ndarray))))
        axes = [
            _AxisKey(self.path, axis, k, n) if isinstance(k, slice) else None
            for axis, (k, n) in enumerate(zip(key, self.shape))
        ]
        absolute = [
            self._coordinates(axis, next(points)) if a is None else a.as_slice(self.lo[axis])
            for axis, a in enumerate(axes)
        ]
        cells = self._at(tuple(absolute))
        where = [axis for axis, a in enumerate(axes) if a is None]
        n = absolute[where[0]].ndim
        if where == list(range(where[0], where[-1] + 1)):
            # NumPy leaves the axes of neighbouring lists in their place.
            cells = np.moveaxis(cells, range(where[0], where[0] + n), range(n))
        return cells

    def _coordinates(self, axis, positions):
        n = self.shape[axis]
        wrong = (positions < -n) | (positions >= n)
        if wrong.any():
            raise IndexError(f"{self.path}: axis {axis}: position {positions[wrong][0]} is not within {n} cells")
        return np.where(positions < 0, positions + n, positions).astype(np.int64) + self.lo[axis]

    def _at(self, key):
        array = self.array
        try:
            return np.asarray(array.at[key])
        except IndexError:
            if self._within(array):
                raise
        # Cells were taken away: read what is left of the box around them.
        whole = self.read(tuple((0, n) for n in self.shape))
        return whole[
            tuple(
                slice(k.start - lo, k.stop - lo, k.step) if isinstance(k, slice) else k - lo
                for k, lo in zip(key, self.lo)
            )
        ]


def _complete(what, key):
    """An index with an item for each axis."""
    key = key if isinstance(key, tuple) else (key,)
    if any(k is Ellipsis for k in key):
        at = next(i for i, k in enumerate(key) if k is Ellipsis)
        key = key[:at] + (slice(None),) * (what.ndim - len(key) + 1) + key[at + 1 :]
    if len(key) > what.ndim:
        raise IndexError(f"{what.path}: {len(key)} indices for {what.ndim} axes")
    return key + (slice(None),) * (what.ndim - len(key))


class _AxisKey:
    """What is wanted of one axis: its positions, ascending or not, and the runs that they form."""

    __slots__ = ("single", "count", "start", "stop", "step", "_positions", "_runs")

    def __init__(self, path, axis, key, n):
        self.single, self.step, self._positions, self._runs = False, 0, None, None
        if isinstance(key, slice):
            self._set_range(range(*key.indices(n)))
            return
        if np.ndim(key) == 0:
            position = operator.index(key)
            self.single = True
            if not -n <= position < n:
                raise IndexError(f"{path}: axis {axis}: position {position} is not within {n} cells")
            position %= n
            self._set_range(range(position, position + 1))
            return
        positions = np.asarray(key)
        if positions.dtype == bool:
            if positions.shape != (n,):
                raise IndexError(f"{path}: axis {axis}: a boolean index of shape {positions.shape} for {n} cells")
            positions = np.flatnonzero(positions)
        if positions.ndim != 1:
            raise IndexError(f"{path}: axis {axis}: an index of {positions.ndim} dimensions; one is wanted")
        if positions.size and not (-n <= positions.min() and positions.max() < n):
            wrong = positions[(positions < -n) | (positions >= n)][0]
            raise IndexError(f"{path}: axis {axis}: position {wrong} is not within {n} cells")
        positions = np.where(positions < 0, positions + n, positions).astype(np.int64)
        self.count, self._positions = len(positions), positions
        self.start, self.stop = (int(positions.min()), int(positions.max()) + 1) if len(positions) else (0, 0)

    def _set_range(self, positions):
        self.count, self.step = len(positions), positions.step
        if self.count == 0:
            self.start = self.stop = 0
            return
        first, last = positions[0], positions[-1]
        self.start, self.stop = min(first, last), max(first, last) + 1

    def positions(self):
        if self._positions is not None:
            return self._positions
        forward = np.arange(self.start, self.stop, abs(self.step))
        return forward if self.step > 0 else forward[::-1]

    def as_slice(self, lo):
        """In coordinates of the array. A backward step starts from the end; its stop may be below any coordinate."""
        if self.step > 0:
            return slice(lo + self.start, lo + self.stop, self.step)
        return slice(lo + self.stop - 1, lo + self.start - 1, self.step)

    @property
    def runs(self):
        """(start, stop, where in the result) of each run of ascending neighbours."""
        if self._runs is None and self.step == 1:
            self._runs = [(self.start, self.stop, 0)]
        if self._runs is None:
            positions = self.positions()
            cuts = [0, *(np.flatnonzero(np.diff(positions) != 1) + 1).tolist(), len(positions)]
            self._runs = [(int(positions[a]), int(positions[b - 1]) + 1, a) for a, b in zip(cuts, cuts[1:])]
        return self._runs

    def pick(self, cells, axis):
        """Of cells that cover start to stop on the axis, those that are wanted."""
        if self.step == 1:
            return cells
        if self.step:
            where = [slice(None)] * cells.ndim
            where[axis] = slice(None, None, self.step)
            return cells[tuple(where)]
        return np.take(cells, self._positions - self.start, axis)


def _is_worker():
    """Whether this is a task of a worker of dask.distributed."""
    distributed = sys.modules.get("distributed.worker")
    try:
        return distributed is not None and distributed.get_worker() is not None
    except ValueError:
        return False


class Target:
    """Where blocks are written: supports `target[region] = block`, as dask.array.store wants it.

    No lock is needed, nor blocks that end at the edges of chunks: XTA writes the cells that are named, and no others. A
    target is a path and bounds, so it goes to other processes and machines, which open the array themselves.
    """

    __slots__ = ("path", "lo", "shape", "dtype")

    def __init__(self, path, bounds, dtype):
        self.path = array_path(path)
        self.lo = tuple(int(lo) for lo, _ in bounds)
        self.shape = tuple(int(hi - lo) for lo, hi in bounds)
        self.dtype = np.dtype(dtype)

    @property
    def ndim(self):
        return len(self.shape)

    def __getstate__(self):
        return {name: getattr(self, name) for name in self.__slots__}

    def __setstate__(self, state):
        for name, value in state.items():
            setattr(self, name, value)

    def __setitem__(self, key, block):
        axes = self._axes(key)
        array = handle(self.path, "r+")
        box = [(lo + a.start, lo + a.stop) for lo, a in zip(self.lo, axes)]
        if not all(a <= lo and hi <= b for (lo, hi), (a, b) in zip(box, array.bounds)):
            array.refresh()
        if all(a.step == 1 for a in axes):
            shape = tuple(a.count for a in axes)
            kept = tuple(a.count for a in axes if not a.single)
            if 0 in shape:
                return
            block = np.broadcast_to(np.asarray(block), kept).reshape(shape)
            array.write(np.ascontiguousarray(block, self.dtype), lo=tuple(lo for lo, _ in box))
        else:
            array.at[tuple(lo + a.start if a.single else a.as_slice(lo) for lo, a in zip(self.lo, axes))] = block
        if _is_worker() or not array._info()["mapped"]:
            # The worker may be killed, or run on another machine, before anybody else syncs.
            array.sync()

    def sync(self):
        """Make what this process has written durable."""
        handle(self.path, "r+").sync()

    def _axes(self, key):
        axes = [_AxisKey(self.path, axis, k, n) for axis, (k, n) in enumerate(zip(_complete(self, key), self.shape))]
        if not all(a.step for a in axes):
            raise IndexError(f"{self.path}: blocks are written to slices; write lists with Array.at")
        return axes


def grow(opened, blocks, dim, n, coords=None, front=False, unit=None, calendar=None):
    """Append n cells to a dimension in one step, also where no member brings cells. The first new coordinate."""
    if blocks or coords is not None:
        return opened.append(blocks, dim, coords, front, unit, calendar)
    first = opened._append(dim, front, n, None, [])
    opened._after_change()
    return first
