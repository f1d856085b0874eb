# SPDX-License-Identifier: Apache-2.0
"""Cells by coordinate and by label: what `at`, `sel`, `isel` and `coords` come to."""
from __future__ import annotations

import datetime
import operator
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import errors, types

NAMES = 3


# ---- coordinates ----


def coordinates(array: Any, axis: int) -> np.ndarray[Any, Any] | None:
    """The coordinates of the cells of the snapshot; None: the axis has none."""
    found = array._coordinates(axis)
    if found is None:
        return None
    kind, code, values, _, _, first = found
    whole = np.array(values, dtype=str) if kind == NAMES else np.frombuffer(values, types.dtype_of(code, 0))
    lo, hi = array.bounds[axis]
    if lo < first or hi > first + len(whole):
        text = f"axis {axis}: coordinates of {first}:{first + len(whole)} do not cover {lo}:{hi}"
        raise errors.from_text(2, text, array.path, axis, (lo, hi))
    return whole[lo - first : hi - first]


def regular(origin: Any, step: Any, dtype: Any) -> tuple[int, Any, Any]:
    """Type, origin and step of regular coordinates."""
    whole = all(isinstance(number, (int, np.integer)) for number in (origin, step))
    wanted = np.dtype(dtype if dtype is not None else "i8" if whole else "f8")
    code, _ = types.code_of(wanted)
    return (code, float(origin), float(step)) if wanted.kind == "f" else (code, int(origin), int(step))


# ---- cells in XTA's coordinates ----


def _slice_at(item: slice, lo: int, n: int) -> slice:
    """A slice of coordinates as one of positions, cut at the bounds."""
    step = 1 if item.step is None else int(item.step)
    start, stop = (None if end is None else int(end) - lo for end in (item.start, item.stop))
    if step > 0:
        return slice(None if start is None else max(start, 0), None if stop is None else max(stop, 0), step)
    if start is not None and start < 0:
        return slice(0, 0, step)
    # A stop below the first cell means that the first cell is included.
    return slice(start, None if stop is not None and stop < 0 else stop, step)


def _cell_at(array: Any, item: Any, axis: int) -> Any:
    lo, hi = array.bounds[axis]
    cells = np.asarray(item)
    if cells.dtype.kind not in "iu" and cells.size:
        raise IndexError("coordinates are integers")
    wrong = (cells < lo) | (cells >= hi)
    if wrong.any():
        value = int(cells[wrong].flat[0]) if cells.ndim else int(cells)
        text = f"axis {axis}: coordinate {value} is outside of the bounds {lo}:{hi}"
        raise errors.from_text(2, text, array.path, axis, value)
    return cells.astype(np.int64) - lo if cells.ndim else int(cells) - lo


def positions(array: Any, key: Any) -> tuple[Any, ...]:
    """An index in coordinates as one in positions."""
    items = list(key) if isinstance(key, tuple) else [key]
    items = [np.asarray(item) if isinstance(item, list) else item for item in items]

    def n_axes(item: Any) -> int:
        mask = getattr(item, "dtype", None) == bool or isinstance(item, bool)
        return np.ndim(item) if mask else int(item is not None and item is not Ellipsis)

    result: list[Any] = []
    axis = 0
    for k, item in enumerate(items):
        if item is Ellipsis:
            axis = array.ndim - sum(n_axes(rest) for rest in items[k + 1 :])
        elif axis + n_axes(item) > array.ndim:
            raise IndexError(f"too many indices for array: array is {array.ndim}-dimensional")
        elif isinstance(item, slice):
            lo, hi = array.bounds[axis]
            item = _slice_at(item, lo, hi - lo)
            axis += 1
        elif item is not None and n_axes(item) == 1 and getattr(item, "dtype", None) != bool:
            item = _cell_at(array, item, axis)
            axis += 1
        else:
            axis += n_axes(item)
        result.append(item)
    return tuple(result)


# ---- each axis by itself ----


def _position(array: Any, item: Any, axis: int) -> int:
    position, n = operator.index(item), array.shape[axis]
    if not -n <= position < n:
        text = f"axis {axis}: position {position} is out of bounds; the axis has {n} cells"
        raise errors.from_text(2, text, array.path, axis, position)
    return position % n


def _listed(array: Any, item: Any, axis: int) -> np.ndarray[Any, Any]:
    """An integer, a slice, a list or a mask as a list of positions."""
    n = array.shape[axis]
    if isinstance(item, slice):
        return np.arange(*item.indices(n))
    if np.ndim(item) == 0:
        return np.array([_position(array, item, axis)])
    cells = np.asarray(item)
    if cells.dtype != bool:
        return cells
    if cells.shape != (n,):
        raise IndexError(
            f"{array.path}: axis {axis}: boolean index did not match indexed array along dimension {axis}; dimension "
            f"is {n} but corresponding boolean dimension is {len(cells)}"
        )
    return np.flatnonzero(cells)


def outer(array: Any, parts: Mapping[int, Any]) -> Any:
    """Read cells, each axis by itself: of every axis an integer, a slice, a list of positions or a mask."""
    key = [parts.get(axis, slice(None)) for axis in range(array.ndim)]
    lists = [axis for axis, item in enumerate(key) if np.ndim(item) == 1 and not isinstance(item, slice)]
    if not lists:
        return array[tuple(key)]
    if len(lists) == 1:
        return _one_list(array, key)
    cells = array[np.ix_(*[_listed(array, item, axis) for axis, item in enumerate(key)])]
    gone = tuple(axis for axis, item in enumerate(key) if np.ndim(item) == 0 and not isinstance(item, slice))
    return cells.squeeze(gone)


def _one_list(array: Any, key: list[Any]) -> Any:
    """Integers beside a list are lists to NumPy, and would move its axis; as slices they do not."""
    single = [axis for axis, item in enumerate(key) if np.ndim(item) == 0 and not isinstance(item, slice)]
    whole = list(key)
    for axis in single:
        at = _position(array, key[axis], axis)
        whole[axis] = slice(at, at + 1)
    return array[tuple(whole)].squeeze(tuple(single))


# ---- labels ----


def _number_text(label: Any) -> str:
    # The repr of NumPy's own scalars has the name of their type from NumPy 2 on.
    return str(label) if isinstance(label, np.generic) else repr(label)


def _label_text(label: Any, names: bool) -> str:
    """A label as the library reads it."""
    if isinstance(label, str):
        if names:
            return '"' + label.replace('"', '""') + '"'
        if set(label) & set(',[]~"=') or not label:
            raise ValueError(f"label {label!r}: neither a number nor a date")
        return label
    if isinstance(label, (bytes, np.bytes_)):
        return _label_text(label.decode(), names)
    if isinstance(label, np.datetime64):
        return str(types.microseconds(np.array([label]))[0])
    if isinstance(label, (datetime.date, datetime.datetime)):
        return label.isoformat()
    if isinstance(label, (int, float, np.integer, np.floating)) and not isinstance(label, bool):
        return _number_text(label)
    raise TypeError(f"label {label!r}: give a number, a date or a name")


def _tolerance_text(tolerance: Any) -> str:
    if tolerance is None:
        return ""
    if isinstance(tolerance, np.timedelta64):
        return f"{float(tolerance / np.timedelta64(1, 's'))!r}s"
    if isinstance(tolerance, datetime.timedelta):
        return f"{tolerance.total_seconds()!r}s"
    return tolerance if isinstance(tolerance, str) else _number_text(tolerance)


def _axis_text(label: Any, names: bool, near: str) -> str:
    """What the library takes for one axis."""
    if isinstance(label, slice):
        start, stop = ("" if end is None else _label_text(end, names) for end in (label.start, label.stop))
        return f"{start}:{stop}" + (f":{int(label.step)}" if label.step not in (None, 1) else "")
    if isinstance(label, (list, tuple, np.ndarray)) and np.ndim(label) == 1:
        return "[" + ",".join(_label_text(item, names) + near for item in label) + "]"
    if isinstance(label, np.ndarray):
        label = label[()]
    return _label_text(label, names) + near


def _axis_word(array: Any, axis: int) -> str:
    """An axis as the library reads it: its number, unless another axis is called so."""
    names = array._axis_texts()[0]
    if str(axis) not in names or names[axis] == str(axis):
        return str(axis)
    if not names[axis] or set(names[axis]) & set(',:=[]~"'):
        raise ValueError(f"axis {axis}, {names[axis]!r}: another axis is called {axis}; give one of them another name")
    return str(names[axis])


def _is_single(label: Any, is_time: bool, near: str) -> bool:
    """Whether a label is one cell, whose axis the result does not have."""
    if isinstance(label, slice) or np.ndim(label) > 0:
        return False
    if near:
        return True
    is_day = isinstance(label, datetime.date) and not isinstance(label, datetime.datetime)
    return not (is_time and (isinstance(label, str) or is_day)) and not (isinstance(label, str) and ":" in label)


def _part(array: Any, found: tuple[Any, ...], axis: int, single: bool) -> Any:
    """Positions of the cells that the library has found on an axis."""
    lo, hi, step, cells, _ = found
    first, end = array.bounds[axis]
    whole = np.array(cells, np.int64) if cells is not None else np.arange(lo, hi, step)
    if single and len(whole) == 1:
        return int(whole[0]) - first
    if len(whole) and (whole.min() < first or whole.max() >= end):
        whole = whole[(whole >= first) & (whole < end)]
    if cells is not None:
        return whole - first
    return slice(int(whole[0]) - first, int(whole[-1]) + 1 - first, step) if len(whole) else slice(0, 0)


def select(array: Any, selection: Mapping[str, Any], method: str | None, tolerance: Any) -> Any:
    """Read the cells of labels."""
    if method not in (None, "nearest"):
        raise ValueError(f"method {method!r}: None or 'nearest'")
    if tolerance is not None and method is None:
        raise ValueError("a tolerance needs method='nearest'")
    near = "~" + _tolerance_text(tolerance) if method else ""
    texts, singles = [], {}
    for name, label in selection.items():
        axis = array.axis_number(name)
        if isinstance(label, slice) and label == slice(None):
            continue
        if np.ndim(label) == 1 and len(label) == 0:
            raise ValueError(f"{name}: an empty list of labels")
        found = array._coordinates(axis)
        names = found is not None and found[0] == NAMES
        is_time = found is not None and " since " in found[3]
        singles[axis] = _is_single(label, is_time, near)
        texts.append(f"{_axis_word(array, axis)}={_axis_text(label, names, near)}")
    if not texts:
        return array.read()
    cells = array._select(",".join(texts))
    parts = {axis: _part(array, cells[axis], axis, single) for axis, single in singles.items()}
    return outer(array, parts)
