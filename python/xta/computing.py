# SPDX-License-Identifier: Apache-2.0
"""Reductions and repartitioning: calls of libxta_reduce and libxta_rechunk."""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import creation, types
from .array import Array

STATISTICS = {"count": 0, "sum": 1, "mean": 2, "min": 3, "max": 4, "var": 5}


def _source(values: Any) -> tuple[Any, Any, np.dtype[Any], int, Any]:
    """What is reduced, for the extension: source, box, dtype, number of axes, and a function from names to axes."""
    if isinstance(values, Array):
        bounds = values.bounds
        return values._shared_path(), bounds, values.dtype, len(bounds), values.axis_number
    memory, code = types.as_memory(values)
    if memory.ndim == 0:
        raise ValueError("an array has at least one axis")

    def number(axis: Any) -> int:
        if not isinstance(axis, (int, np.integer)) or not -memory.ndim <= axis < memory.ndim:
            raise ValueError(f"axis {axis!r}: the array has axes 0 to {memory.ndim - 1}")
        return int(axis) % memory.ndim

    return (code, memory.itemsize, np.ascontiguousarray(memory)), None, memory.dtype, memory.ndim, number


def _numbers(statistics: str | Sequence[str]) -> list[int]:
    names = [statistics] if isinstance(statistics, str) else list(statistics)
    unknown = [name for name in names if name not in STATISTICS]
    if unknown or not names:
        raise ValueError(f"statistic {unknown[0] if unknown else None!r}: of {', '.join(STATISTICS)}")
    return [STATISTICS[name] for name in names]


def reduce(
    values: Any,
    axes: Any = None,
    statistics: str | Sequence[str] = "mean",
    *,
    by: Any = None,
    missing: Any = None,
    propagate_nan: bool = False,
    min_count: int = 0,
    ddof: int = 0,
    threads: int = 0,
    memory_bytes: int = 0,
) -> Any:
    """Statistics over whole axes, in one pass; the same bits for any chunks, threads and history of growth.

    Args:
        values: an array of the package (its snapshot is reduced, from its files), or anything of NumPy
        axes: names or numbers of the reduced axes; None: all
        statistics: "count", "sum", "mean", "min", "max", "var", or a list of them
        by: (axis, labels), an integer for each cell of the axis (negative: of no group), or (axis, length): groups are
            floor(coordinate / length). The axis remains in the result, with one cell for each group
        missing: a value that does not count
        propagate_nan: a NaN makes a result NaN; otherwise it does not count
        min_count: the fewest cells that give a value; results without one are NaN, or the least integer (of unsigned
            types: the greatest)
        ddof: the variance is divided by count - ddof
        threads, memory_bytes: 0: as many as there are; 512 MiB

    Returns:
        an array of the axes that remain (a scalar, if none does), or a dict of them if `statistics` is a list. With
        `by`, a pair: the labels or numbers of the groups, and that

    Raises:
        xta.ArgumentError: what does not fit the array
        xta.TypeMismatchError: cells that are complex numbers or bytes
    """
    from . import _more

    source, box, dtype, ndim, number = _source(values)
    numbers = _numbers(statistics)
    chosen = None if axes is None else sorted({number(axis) for axis in ([axes] if np.ndim(axes) == 0 else axes)})
    groups, labels = _groups(by, number)
    cell = None if missing is None else types.cell_of("missing", missing, dtype)
    amounts = {"min_count": min_count, "ddof": ddof, "memory_bytes": memory_bytes}
    min_count, ddof, memory_bytes = (types.not_negative(what, amount) for what, amount in amounts.items())
    found = _more.reduce(
        source, box, chosen, groups, cell, propagate_nan, min_count, ddof, threads, memory_bytes, numbers
    )
    gone = (set(range(ndim)) if chosen is None else set(chosen)) - ({groups[0]} if groups else set())
    results = [_result(*item, len(gone) == ndim) for item in found]
    if groups and labels is None:
        lo, hi = found[0][1][sum(axis not in gone for axis in range(groups[0]))]
        labels = np.arange(lo, hi)
    whole = results[0] if isinstance(statistics, str) else dict(zip(statistics, results))
    return (labels, whole) if groups else whole


def _groups(by: Any, number: Any) -> tuple[tuple[int, Any] | None, np.ndarray[Any, Any] | None]:
    """Groups for the extension, and the distinct labels."""
    if by is None:
        return None, None
    axis, how = by
    if isinstance(how, (int, np.integer)):
        if how < 1:
            raise ValueError(f"groups of {how} cells; give 1 or more")
        return (number(axis), int(how)), None
    labels = np.ascontiguousarray(how)
    if labels.ndim != 1 or labels.dtype.kind not in "iu":
        raise ValueError("labels are a list of integers")
    labels = labels.astype(np.int64)
    return (number(axis), labels), np.unique(labels[labels >= 0])


def _result(code: int, bounds: Any, memory: bytearray, scalar: bool) -> Any:
    cells = np.frombuffer(memory, types.dtype_of(code, 0)).reshape([hi - lo for lo, hi in bounds])
    return cells[0] if scalar else cells


def rechunk(
    array: Array | str | os.PathLike[str],
    chunks: Sequence[int],
    target: str | os.PathLike[str] | None = None,
    *,
    order: str = "row",
    memory_bytes: int = 0,
    threads: int = 0,
    verify: bool = False,
) -> dict[str, Any]:
    """Give an array other chunks, in a new array or in place, within a memory budget.

    The plan of moves needs the fewest runs that the library finds. In place, the new array replaces the old one
    atomically; handles that are open keep the old files, and `refresh` or opening again shows the new ones. Nobody may
    write cells meanwhile.

    Args:
        array: one of the package, or a path
        target: path of the new array, which gets type, bounds, attributes and cells; None: in place
        memory_bytes: of all buffers; 0: 1 GiB
        threads: 2: reading and writing overlap; 0: 2
        verify: read both sides again and compare them

    Returns:
        what was done: reads, writes, bytes_read, bytes_written, peak_bytes, seconds

    Raises:
        xta.OutOfMemoryError: the budget is too small; the text says what is enough
        KeyboardInterrupt: interrupted; the source is as it was
    """
    from . import _more

    path = array._shared_path() if isinstance(array, Array) else os.fsencode(array)
    given = creation.options("u1", chunks, None, None, order, 0, "exact", 0)
    name = None if target is None else os.fsencode(target)
    memory = types.not_negative("memory_bytes", memory_bytes)
    return _more.rechunk(path, name, len(tuple(chunks)), given, memory, threads, verify)
