# SPDX-License-Identifier: Apache-2.0
"""NumPy's general indices: lists, arrays of integers and masks, alone and mixed with slices.

Basic indices (integers, slices, ellipsis, new axes) never come here: the extension makes one box of them. A general
index is brought into one form: for each axis of the array a slice or an array of positions. If the box that covers
the positions has few other cells it is read in one piece, and NumPy indexes that. Otherwise each point is read, all of
them in one call of the library. Writing always goes by points, since cells that the index does not name are not ours
to write.
"""
from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import errors

Array = np.ndarray[Any, Any]

# The covering box is read if it has at most this many times the cells of the result, or this many cells at all.
COVER_FACTOR = 4
COVER_CELLS = 4096


@dataclass
class Index:
    """A general index of an array of `len(axes)` axes.

    axes:  for each axis a slice with positions within the axis, or an array of positions, not negative; all arrays
           have been broadcast to one shape
    key:   the same for NumPy, with the new axes of the index, and masks of no axes
    shape: of the arrays
    """

    axes: list[slice | Array]
    key: list[Any]
    shape: tuple[int, ...]

    @property
    def lists(self) -> list[int]:
        return [axis for axis, item in enumerate(self.axes) if not isinstance(item, slice)]


def _is_integer(item: Any) -> bool:
    return not isinstance(item, (bool, np.bool_)) and hasattr(item, "__index__") and np.ndim(item) == 0


def _as_array(item: Any) -> Array:
    array = np.asarray(item)
    if array.size == 0 and not isinstance(item, np.ndarray):
        array = array.astype(np.intp)
    if array.dtype.kind not in "biu":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    return array


def _item(item: Any) -> Any:
    """An item of an index as None, Ellipsis, a slice, an int or an array."""
    if item is None or item is Ellipsis or isinstance(item, slice):
        return item
    return operator.index(item) if _is_integer(item) else _as_array(item)


def _expand(key: Any, ndim: int) -> list[Any]:
    """The items of an index, with slices for the axes that it does not name."""
    items = list(key) if isinstance(key, tuple) else [key]
    items = [_item(item) for item in items]
    if sum(item is Ellipsis for item in items) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    named = sum(
        item.ndim if isinstance(item, np.ndarray) and item.dtype == bool else item is not None and item is not Ellipsis
        for item in items
    )
    if named > ndim:
        raise IndexError(f"too many indices for array: array is {ndim}-dimensional, but {named} were indexed")
    rest = [slice(None)] * (ndim - named)
    where = next((k for k, item in enumerate(items) if item is Ellipsis), None)
    if where is None:
        return items + rest
    # An ellipsis that stands for no axis still separates lists.
    return items[:where] + (rest or [Ellipsis]) + items[where + 1 :]


def _positions(item: Any, axis: int, n: int, path: str) -> Array:
    """Positions on an axis of n cells, those from the end made positive."""
    array = np.asarray(item).astype(np.int64)
    wrong = (array < -n) | (array >= n)
    if wrong.any():
        value = int(array[wrong].flat[0])
        text = f"axis {axis}: position {value} is out of bounds; the axis has {n} cells"
        raise errors.from_text(2, text, path, axis, value)
    return np.where(array < 0, array + n, array)


def _mask(item: Array, axis: int, shape: tuple[int, ...]) -> tuple[Array, ...]:
    for k, n in enumerate(item.shape):
        if n != shape[axis + k]:
            raise IndexError(
                f"boolean index did not match indexed array along dimension {axis + k}; dimension is "
                f"{shape[axis + k]} but corresponding boolean dimension is {n}"
            )
    return item.nonzero()


def parse(key: Any, shape: tuple[int, ...], path: str) -> Index | tuple[Any, ...]:
    """Bring an index into the form of Index, or into that of a basic one: what counts as an integer as one.

    Raises:
        IndexError: as NumPy would; errors.BoxError for positions out of bounds
    """
    axes: list[Any] = []
    marks: list[Any] = []  # for NumPy: None, or the number of an axis, or a mask of no axes
    items = _expand(key, len(shape))
    if not any(isinstance(item, np.ndarray) for item in items):
        return tuple(items)
    for item in items:
        axis = len(axes)
        if item is None or item is Ellipsis:
            marks.append(item)
        elif isinstance(item, slice):
            marks.append(axis)
            axes.append(item)
        elif isinstance(item, np.ndarray) and item.dtype == bool:
            marks.extend(range(axis, axis + item.ndim) if item.ndim else [item])
            axes.extend(_mask(item, axis, shape) if item.ndim else [])
        else:
            marks.append(axis)
            axes.append(_positions(item, axis, shape[axis], path))
    loose = [np.zeros(int(mark)) for mark in marks if isinstance(mark, np.ndarray)]
    lists = [axis for axis, item in enumerate(axes) if not isinstance(item, slice)]
    try:
        arrays = np.broadcast_arrays(*[axes[axis] for axis in lists], *loose)
    except ValueError:
        raise IndexError("shape mismatch: indexing arrays could not be broadcast together") from None
    for axis, array in zip(lists, arrays):
        axes[axis] = array
    axes = [slice(*item.indices(n)) if isinstance(item, slice) else item for item, n in zip(axes, shape)]
    return Index(axes, [axes[mark] if isinstance(mark, int) else mark for mark in marks], arrays[0].shape)


def _range(item: slice) -> range:
    return range(item.start, item.stop, item.step)


def cover(index: Index) -> list[tuple[int, int]]:
    """The least box of positions that contains the cells."""
    box = []
    for item in index.axes:
        cells = _range(item) if isinstance(item, slice) else item
        if len(cells) == 0 if isinstance(item, slice) else item.size == 0:
            box.append((0, 0))
        else:
            box.append((int(min(cells[0], cells[-1])), int(max(cells[0], cells[-1])) + 1)
                       if isinstance(item, slice) else (int(item.min()), int(item.max()) + 1))
    return box


def shifted(index: Index, box: list[tuple[int, int]]) -> tuple[Any, ...]:
    """The index within a box that covers it, for NumPy."""
    key: list[Any] = []
    axis = 0
    for item in index.key:
        if item is None or item is Ellipsis:
            key.append(item)
        elif isinstance(item, slice):
            key.append(_within(item, box[axis][0]))
            axis += 1
        elif axis < len(index.axes) and item is index.axes[axis]:
            key.append(item - box[axis][0])
            axis += 1
        else:
            key.append(item)
    return tuple(key)


def n_cells(box: list[tuple[int, int]]) -> int:
    total = 1
    for lo, hi in box:
        total *= hi - lo
    return total


def result_cells(index: Index) -> int:
    total = int(np.prod(index.shape, dtype=np.int64))
    for item in index.axes:
        if isinstance(item, slice):
            total *= len(_range(item))
    return total


def is_dense(index: Index, box: list[tuple[int, int]]) -> bool:
    """Whether the box that covers the cells has few others."""
    return n_cells(box) <= max(COVER_CELLS, COVER_FACTOR * result_cells(index))


def without_masks(index: Index) -> tuple[Any, ...]:
    """An index whose only arrays are masks of no axes, without them."""
    return tuple(
        _within(item, 0) if isinstance(item, slice) else item for item in index.key if not isinstance(item, np.ndarray)
    )


@dataclass
class Points:
    """What one call of the library moves: for each point a box of the other axes.

    axes:   numbers of the axes that points give
    rows:   positions, one row for each point
    box:    positions on the other axes, (0, 1) on those of the points
    inner:  of the cells of the box, which ones
    shape:  of the points
    rest:   lengths of the other axes in the result, and 1 for each new axis
    before: how many of those stand before the points in the result
    """

    axes: list[int]
    rows: Array
    box: list[tuple[int, int]]
    inner: tuple[slice, ...]
    shape: tuple[int, ...]
    rest: list[int]
    before: int

    def place(self, cells: Array) -> Array:
        """Cells in the order of points and other axes, as NumPy orders the axes of a result."""
        n = len(self.shape)
        cells = cells.reshape(*self.shape, *self.rest)
        return np.moveaxis(cells, range(n), range(self.before, self.before + n))

    def unplace(self, cells: Array) -> Array:
        """The opposite: points, then the axes of the array that they do not give."""
        n = len(self.shape)
        cells = np.moveaxis(cells, range(self.before, self.before + n), range(n))
        return cells.reshape(len(self.rows), *(self.box_shape[axis] for axis in self.others))

    @property
    def others(self) -> list[int]:
        return [axis for axis in range(len(self.box)) if axis not in self.axes]

    @property
    def box_shape(self) -> list[int]:
        """Cells of each axis that the index takes of the box."""
        return [len(range(*part.indices(hi - lo))) for part, (lo, hi) in zip(self.inner, self.box)]

    @property
    def result_shape(self) -> tuple[int, ...]:
        return (*self.rest[: self.before], *self.shape, *self.rest[self.before :])

    def list_stepped_axes(self, index: Index) -> list[int]:
        """Make lists of the axes with a step other than 1: for each point all their positions. So no cell is named
        that the index does not name. Returns where these axes were behind the points."""
        stepped = [axis for axis in self.others if self.inner[axis].step not in (None, 1)]
        where = [1 + self.others.index(axis) for axis in stepped]
        for axis in stepped:
            positions = np.array(_range(index.axes[axis]), np.int64)
            self.rows = np.column_stack(
                [np.repeat(self.rows, len(positions), axis=0), np.tile(positions, len(self.rows))]
            )
            self.box[axis] = (0, 1)
        self.axes = self.axes + stepped
        return where


def _within(item: slice, lo: int) -> slice:
    """A slice of the axis as one of the box that begins at `lo`."""
    cells = _range(item)
    if not cells:
        return slice(0, 0)
    stop = cells.stop - lo
    return slice(cells.start - lo, None if stop < 0 else stop, cells.step)


def _count_before(key: list[Any]) -> int:
    """How many axes of the result stand before the lists: those before the first one, if all lists follow each
    other, else none."""
    where = [k for k, item in enumerate(key) if isinstance(item, np.ndarray)]
    if where != list(range(where[0], where[-1] + 1)):
        return 0
    return sum(item is not Ellipsis for item in key[: where[0]])


def points(index: Index) -> Points:
    """The points of an index."""
    lists = index.lists
    shape = index.shape
    rows = np.empty((int(np.prod(shape, dtype=np.int64)), len(lists)), np.int64)
    for k, axis in enumerate(lists):
        rows[:, k] = index.axes[axis].ravel()
    box = cover(index)
    inner = tuple(
        _within(item, lo) if isinstance(item, slice) else slice(0, 1) for item, (lo, _) in zip(index.axes, box)
    )
    rest = [
        1 if item is None else len(_range(item))
        for item in index.key
        if not isinstance(item, np.ndarray) and item is not Ellipsis
    ]
    box = [(0, 1) if axis in lists else pair for axis, pair in enumerate(box)]
    return Points(lists, rows, box, inner, shape, rest, _count_before(index.key))
