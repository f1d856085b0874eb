# SPDX-License-Identifier: Apache-2.0
"""Arrays that grow, with NumPy's indexing."""
from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from . import _xta, attributes, errors, html, indexing, labels, types

Box = Sequence[tuple[int, int]]
Bounds = tuple[tuple[int, int], ...]

_KINDS = ("create", "extend", "shrink", "add_axis", "checkpoint")
_pool: ThreadPoolExecutor | None = None


def _forget_pool() -> None:
    """In a child of fork there are no threads but one."""
    global _pool
    _pool = None


os.register_at_fork(after_in_child=_forget_pool)


class Growth(NamedTuple):
    """One growth of a step: `by` cells of an axis, at its front or back."""

    axis: int
    front: bool
    by: int


class Step(NamedTuple):
    """A structural step of an array.

    kind:    "create", "extend", "shrink", "add_axis" or "checkpoint" (what compaction left of earlier steps)
    growths: of extend and shrink, in their order
    axis:    of add_axis: where the axis was inserted; else 0
    bounds:  after the step
    """

    step: int
    kind: str
    growths: tuple[Growth, ...]
    axis: int
    bounds: Bounds


class Axis:
    """An axis of an array: `a.axes["time"]`.

    `name` and `unit` can be set; "" means none. `unit` and `calendar` are those of the coordinates where the axis
    itself has none, as in a data set.
    """

    def __init__(self, array: Array, number: int) -> None:
        self._array = array
        self.number = number

    @property
    def name(self) -> str:
        return self._array._axis_texts()[0][self.number]

    @name.setter
    def name(self, name: str) -> None:
        self._array._set_axis_text(self.number, "name", name)

    @property
    def unit(self) -> str:
        return self._array._axis_texts()[1][self.number] or self._of_coordinates(3)

    @unit.setter
    def unit(self, unit: str) -> None:
        self._array._set_axis_text(self.number, "unit", unit)

    @property
    def calendar(self) -> str:
        """CF's calendar of the coordinates; "" if none is told."""
        return self._of_coordinates(4)

    @property
    def attrs(self) -> attributes.Attributes:
        return attributes.of_array(self._array, self.number)

    def set_regular(self, origin: float, step: float, dtype: Any = None) -> None:
        """Give the axis regular coordinates: that of cell c is origin + c * step, for every c.

        Args:
            dtype: f4, f8 or an integer; None: i8 if both are integers, else f8

        Raises:
            xta.ArgumentError: not finite, or a step of 0
            xta.RangeError: a value does not fit the type
        """
        code, origin, step = labels.regular(origin, step, dtype)
        self._array._set_regular(self.number, code, origin, step)

    def remove_regular(self) -> None:
        """Remove regular coordinates."""
        self._array._set_regular(self.number, 0, 0, 0)

    def _of_coordinates(self, field: int) -> str:
        found = self._array._coordinates(self.number)
        return str(found[field]) if found else ""

    def __repr__(self) -> str:
        return f"<xta.Axis {self.number} {self.name!r} {self._array.bounds[self.number]}>"


class Axes(Mapping[str, Axis]):
    """The axes of an array, by name or number."""

    def __init__(self, array: Array) -> None:
        self._array = array

    def __getitem__(self, key: str | int) -> Axis:
        try:
            return Axis(self._array, self._array.axis_number(key))
        except errors.NotFoundError as missing:
            raise KeyError(key) from missing

    def __iter__(self) -> Iterator[str]:
        return iter(self._array.dims)

    def __len__(self) -> int:
        return self._array.ndim


class Coords(Mapping[str, Any]):
    """Coordinates of the axes: `a.coords["time"]` is an array with a value for each cell of the snapshot, or None.

    Numbers are as they are stored: `a.axes["time"].unit` and `.calendar` say what they mean. Names are str.
    """

    def __init__(self, array: Array) -> None:
        self._array = array

    def __getitem__(self, key: str | int) -> np.ndarray[Any, Any] | None:
        try:
            axis = self._array.axis_number(key)
        except errors.NotFoundError as missing:
            raise KeyError(key) from missing
        return labels.coordinates(self._array, axis)

    def __iter__(self) -> Iterator[str]:
        return iter(self._array.dims)

    def __len__(self) -> int:
        return self._array.ndim


class At:
    """Cells by XTA's coordinates: `a.at[-12:0]`. A negative number is a coordinate, and None the end of an axis.

    Slices are cut at the bounds; integers and lists beyond them raise xta.BoxError. The rest is as in `a[...]`.
    """

    def __init__(self, array: Array) -> None:
        self._array = array

    def __getitem__(self, key: Any) -> Any:
        return self._array[labels.positions(self._array, key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._array[labels.positions(self._array, key)] = value


class Array(_xta.Array):
    """An open array: bounds, cells, growth, attributes. Made by xta.open, xta.create, xta.from_numpy.

    `a[...]` has NumPy's rules; position 0 is the lowest coordinate of the snapshot. The bounds of the snapshot are those
    at opening, and change by `refresh` and by growth through this object only; whatever others do, no cell moves.

    All methods may be called by several threads. `close` waits for calls in progress; later calls raise
    xta.ClosedError. In a child made by fork the files are opened again; the snapshot stays.
    """

    bounds: Bounds
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    path: str
    closed: bool
    fill_value: Any
    __array_priority__ = 0.0

    # ---- properties ----

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        """Cells."""
        return int(np.prod(self.shape, dtype=object))

    @property
    def itemsize(self) -> int:
        """Bytes of a cell."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all cells."""
        return self.size * self.itemsize

    @property
    def mode(self) -> str:
        """ "r" or "r+"."""
        return "r+" if self._writable else "r"

    @property
    def lo(self) -> tuple[int, ...]:
        """The lowest coordinate of each axis."""
        return tuple(lo for lo, _ in self.bounds)

    @property
    def hi(self) -> tuple[int, ...]:
        """The coordinate after the last of each axis."""
        return tuple(hi for _, hi in self.bounds)

    @property
    def dims(self) -> tuple[str, ...]:
        """Names of the axes; "dim_0" and so on for those without."""
        return tuple(name or f"dim_{axis}" for axis, name in enumerate(self._axis_texts()[0]))

    @property
    def chunks(self) -> tuple[int, ...]:
        """Cells of a chunk on each axis."""
        return self._info()["chunks"]

    @property
    def order(self) -> str:
        """Order of the cells inside a chunk: "row", "column", "morton" or "hilbert"."""
        return ("row", "column", "morton", "hilbert")[self._info()["order"]]

    @property
    def step(self) -> int:
        """Number of the structural step that this handle has read last; 0 is the creation."""
        pinned = self._at_step
        return self._info()["n_steps"] if pinned is None else pinned

    @property
    def attrs(self) -> attributes.Attributes:
        """Attributes of the array: a mutable mapping."""
        return attributes.of_array(self)

    @property
    def axes(self) -> Axes:
        return Axes(self)

    @property
    def coords(self) -> Coords:
        return Coords(self)

    @property
    def at(self) -> At:
        return At(self)

    def axis_number(self, axis: str | int) -> int:
        """Number of an axis of a name, or of a number from 0 (negative: from the end).

        Raises:
            xta.NotFoundError: there is none
        """
        if isinstance(axis, str):
            if axis in self.dims:
                return self.dims.index(axis)
        elif -self.ndim <= axis < self.ndim:
            return int(axis) % self.ndim
        text = f"no axis {axis!r}; there are {', '.join(self.dims)}"
        raise errors.from_text(9, text, self.path, None, axis)

    def chunk_edges(self, axis: str | int) -> tuple[int, ...]:
        """Positions of the snapshot where chunks begin on an axis, with 0 and the end."""
        number = self.axis_number(axis)
        lo, hi = self.bounds[number]
        length = self.chunks[number]
        first = lo - lo % length + length
        return (0, *(edge - lo for edge in range(first, hi, length)), *((hi - lo,) if hi > lo else ()))

    # ---- cells ----

    def _box(self, box: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """A box of positions in coordinates."""
        return [(lo + low, hi + low) for (lo, hi), low in zip(box, self.lo)]

    def _get_general(self, key: Any) -> Any:
        index = indexing.parse(key, self.shape, self.path)
        if isinstance(index, tuple):
            return self[index]
        box = indexing.cover(index)
        if indexing.result_cells(index) == 0:
            return np.broadcast_to(np.empty((), self.dtype), self.shape)[key]
        if not index.lists:
            return self[indexing.without_masks(index)].reshape(indexing.points(index).result_shape)
        if indexing.is_dense(index, box):
            return self.read(self._box(box))[indexing.shifted(index, box)]
        plan = indexing.points(index)
        return plan.place(self._read_points(plan))

    def _read_points(self, plan: indexing.Points) -> np.ndarray[Any, Any]:
        lows = np.array([self.lo[axis] for axis in plan.axes], np.int64)
        lengths = [plan.box[axis][1] - plan.box[axis][0] for axis in plan.others]
        cells = np.empty((len(plan.rows), *lengths), self.dtype)
        self._points(plan.axes, np.ascontiguousarray(plan.rows + lows), self._box(plan.box), cells, False)
        return cells[(slice(None), *(plan.inner[axis] for axis in plan.others))]

    def _set_general(self, key: Any, value: Any) -> None:
        index = indexing.parse(key, self.shape, self.path)
        if isinstance(index, tuple):
            self[index] = value
            return
        if not index.lists:  # masks of no axes: what the rest names, or nothing
            block = np.empty(indexing.points(index).result_shape, self.dtype)
            block[...] = value
            if block.size:
                rest = indexing.without_masks(index)
                self[rest] = block.reshape(np.broadcast_to(block.flat[0], self.shape)[rest].shape)
            return
        plan = indexing.points(index)
        block = np.empty(plan.result_shape, self.dtype)
        block[...] = value
        if block.size == 0:
            return
        cells = plan.unplace(block)
        stepped = plan.list_stepped_axes(index)
        cells = np.moveaxis(cells, stepped, range(1, 1 + len(stepped)))
        lows = np.array([self.lo[axis] for axis in plan.axes], np.int64)
        self._points(plan.axes, np.ascontiguousarray(plan.rows + lows), self._box(plan.box), np.ascontiguousarray(cells), True)

    def read(
        self, box: Box | None = None, out: np.ndarray[Any, Any] | None = None, order: str = "C"
    ) -> np.ndarray[Any, Any]:
        """Read a box in one call of the library.

        Args:
            box: ((lo, hi), ...) in coordinates; None: all
            out: an array of the box's shape, of any strides, to read into; its dtype may be another than the array's:
                 values are converted, and those that do not fit raise xta.RangeError
            order: "C" or "F", of a new array

        Raises:
            xta.BoxError: the box leaves the bounds
        """
        limits = self.bounds if box is None else box
        if out is None:
            out = self._empty(limits, order)
        code, _ = types.code_of(out.dtype)
        if not out.dtype.isnative:
            raise TypeError(f"out has dtype {out.dtype}; it must be native-endian")
        if out.dtype.kind == self.dtype.kind == "S" and out.dtype != self.dtype:
            raise TypeError(f"out has dtype {out.dtype}; the cells have {self.dtype}, whose length is not converted")
        self._read(limits, out, code)
        return out

    def _empty(self, box: Box, order: str) -> np.ndarray[Any, Any]:
        """A new array for the cells of a box. A box that leaves the bounds may be one that no memory can hold."""
        try:
            return np.empty([hi - lo for lo, hi in box], self.dtype, order=order)  # type: ignore[call-overload]
        except (MemoryError, ValueError):
            for axis, ((lo, hi), (low, high)) in enumerate(zip(box, self.bounds)):
                if not low <= lo <= hi <= high:
                    text = f"axis {axis}: box {lo}:{hi} leaves the bounds {low}:{high}"
                    raise errors.from_text(2, text, self.path, axis, (lo, hi)) from None
            raise

    def write(self, values: Any, lo: Sequence[int] | None = None) -> None:
        """Write a box in one call of the library.

        Args:
            values: cells, with as many axes as the array; other types are converted, and values that do not fit raise
                    xta.RangeError (nothing is written then)
            lo: coordinate of the first cell on each axis; None: that of the array

        Raises:
            xta.BoxError: the box leaves the bounds
            xta.AccessError: opened read-only
        """
        memory, code = types.as_cells(values, self.dtype, self.path)
        if memory.ndim != self.ndim:
            raise errors.from_text(
                1, f"values of {memory.ndim} axes; the array has {self.ndim}", self.path, None, memory.ndim
            )
        first = self.lo if lo is None else tuple(lo)
        self._write([(low, low + n) for low, n in zip(first, memory.shape)], memory, code)

    def view(self, box: Box | None = None) -> np.ndarray[Any, Any]:
        """The cells of a box where they lie in the mapped data file: a read-only array without a copy.

        It shows later changes of the cells, and keeps the files open after `close`. memoryview(a.view(box)) is its memory.

        Raises:
            xta.NotContiguous: they do not lie together, or not as they are; read them
            xta.BoxError: the box leaves the bounds, or is empty
        """
        return self._view(self.bounds if box is None else box)

    async def read_async(self, box: Box | None = None, out: np.ndarray[Any, Any] | None = None) -> np.ndarray[Any, Any]:
        """Read a box in a thread of a pool, as `read` does; several run at the same time."""
        global _pool
        if _pool is None:
            _pool = ThreadPoolExecutor(min(32, (os.cpu_count() or 1) + 4), "xta")
        return await asyncio.get_running_loop().run_in_executor(_pool, self.read, box, out)

    def sel(
        self, method: str | None = None, tolerance: Any = None, **selection: Any
    ) -> Any:
        """Read the cells that labels select: `a.sel(time="2015-01", lat=slice(40, 50), lev=850)`.

        Args:
            method: None, or "nearest": the cells nearest to single labels
            tolerance: of nearest: not farther than this, in the unit of the coordinates
            selection: for each axis a number, date or name (the axis is left out of the result; a date text that is a
                period, such as "2015-01", keeps it), slice(a, b) with both ends included, slice(a, b, step), or a list.
                Dates are ISO texts, datetime.date, datetime.datetime or numpy.datetime64

        Raises:
            xta.NotFoundError: no such axis, or no cell of this label; the text names the nearest
        """
        return labels.select(self, selection, method, tolerance)

    def isel(self, **selection: Any) -> Any:
        """Read cells by position, each axis by itself: `a.isel(time=-1, lat=[3, 5])`."""
        return labels.outer(self, {self.axis_number(name): item for name, item in selection.items()})

    # ---- growth ----

    def _growths(self, amounts: Mapping[str | int, int], front: bool) -> tuple[tuple[int, bool, int], ...]:
        return tuple((self.axis_number(axis), front, int(by)) for axis, by in amounts.items())

    def extend(self, amounts: Mapping[str | int, int], front: bool = False) -> Bounds:
        """Extend axes in one step: `a.extend({"time": 12})`. New cells have the fill value.

        Returns:
            the bounds after the step
        """
        return self._extend(self._growths(amounts, front))

    def shrink(self, amounts: Mapping[str | int, int], front: bool = False) -> Bounds:
        """Remove cells at one end of axes, in one step. Their content is lost.

        Returns:
            the bounds after the step
        """
        return self._shrink(self._growths(amounts, front))

    def append(self, block: Any, axis: str | int = 0, front: bool = False) -> int:
        """Append a slab with its cells, in one step: others see all of it or nothing.

        Args:
            block: the lengths of the array on the other axes; without `axis` at all it is one cell thick

        Returns:
            the first coordinate of the new cells
        """
        memory, code = types.as_cells(block, self.dtype, self.path)
        number = self.axis_number(axis)
        if memory.ndim == self.ndim - 1:
            memory = np.expand_dims(memory, number)
        expected = [n for k, n in enumerate(self.shape) if k != number]
        if memory.ndim != self.ndim or [n for k, n in enumerate(memory.shape) if k != number] != expected:
            text = f"axis {number}: a block of shape {memory.shape} cannot be appended to {self.shape}"
            raise errors.from_text(1, text, self.path, number, memory.shape)
        by = memory.shape[number]
        after = self._append(number, front, by, memory, code)
        return after[number][0] if front else after[number][1] - by

    def add_axis(self, position: int, name: str | None = None) -> None:
        """Insert an axis of length 1. Waits for calls in progress. Every cell has coordinate 0 on it."""
        self._add_axis(position, name)

    # ---- history ----

    def history(self) -> list[Step]:
        """Every structural step, oldest first."""
        return [
            Step(step, _KINDS[kind], tuple(Growth(*growth) for growth in growths), axis, bounds)
            for step, kind, growths, axis, bounds in self._history()
        ]

    def as_of(self, step: int) -> Array:
        """The array as of a structural step: its bounds then; cells are those of now. Read-only."""
        return _xta.open_array(type(self), self._shared_path(), False, int(step), None)

    def _shared_path(self) -> bytes:
        """The path, for another handle: what this one keeps in a cache is written first."""
        if self._writable and not self._info()["mapped"]:
            self.sync()
        return os.fsencode(self.path)

    # ---- protocols ----

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    def __bool__(self) -> bool:
        raise ValueError("the truth value of an array is ambiguous; read it first")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if copy is False:
            raise ValueError("reading an array always makes a copy; view() does not")
        cells = self.read()
        return cells if dtype is None else cells.astype(dtype, copy=False)

    def __dlpack__(self, **options: Any) -> Any:
        """A DLPack capsule of a copy of all cells."""
        return self.read().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __enter__(self) -> Array:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        if self.closed:
            raise errors.closed(self.path)
        self._shared_path()
        return reopen, (type(self), self.path, self._writable, self._at_step, self.bounds)

    def __repr__(self) -> str:
        if self.closed:
            return f"<xta.Array {self.path} (closed)>"
        axes = ", ".join(f"{name}: {lo}:{hi}" for name, (lo, hi) in zip(self.dims, self.bounds))
        return f"<xta.Array {self.path} {self.dtype} ({axes}) {self.mode}>"

    def _repr_html_(self) -> str:
        return html.array(self)


def _within(inner: Bounds, outer: Bounds) -> bool:
    return len(inner) == len(outer) and all(
        low <= lo and hi <= high for (lo, hi), (low, high) in zip(inner, outer)
    )


def reopen(cls: type[Array], path: str, writable: bool, step: int | None, bounds: Bounds) -> Array:
    """Open the array of a pickle with the bounds it had. Read-only, also if it has shrunk meanwhile: as of the last
    step with these bounds."""
    array: Array = _xta.open_array(cls, os.fsencode(path), writable, step, bounds)
    if writable or step is not None:
        return array
    steps = array.history()
    if _within(bounds, steps[-1].bounds):
        return array
    array.close()
    for past in reversed(steps):
        if past.bounds == bounds:
            return _xta.open_array(cls, os.fsencode(path), False, past.step, None)
    raise errors.from_text(9, f"no step has the bounds {bounds} any more", path, None, bounds)
