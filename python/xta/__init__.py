# SPDX-License-Identifier: Apache-2.0
"""XTA: arrays in files that grow in every direction.

>>> import xta
>>> a = xta.create("sst", shape=(0, 180, 360), dtype="f4", dims=("time", "lat", "lon"))
>>> a.append(block, axis="time")
>>> a[-1, 40:50]
"""
from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from . import _xta, creation, types
from .array import Array, Axis, Growth, Step
from .computing import rechunk, reduce
from .dataset import Dataset, Dimension
from .errors import (
    AccessError,
    ArgumentError,
    BoxError,
    BusyError,
    CancelledError,
    ClosedError,
    CorruptError,
    Error,
    ExistsError,
    ForeignError,
    FormatError,
    InputOutputError,
    LimitError,
    NoSpaceError,
    NotContiguous,
    NotFoundError,
    OutOfMemoryError,
    RangeError,
    StateError,
    TimedOutError,
    TypeMismatchError,
    UnfinishedError,
    UnsupportedError,
)

__version__ = _xta.library_version()
__all__ = [
    "AccessError", "ArgumentError", "Array", "Axis", "BoxError", "BusyError", "CancelledError", "ClosedError",
    "CorruptError", "Dataset", "Dimension", "Error", "ExistsError", "ForeignError", "FormatError", "Growth",
    "InputOutputError", "LimitError", "NoSpaceError", "NotContiguous", "NotFoundError", "OutOfMemoryError",
    "RangeError", "StateError", "Step", "TimedOutError", "TypeMismatchError", "UnfinishedError", "UnsupportedError",
    "create", "create_dataset", "from_numpy", "open", "rechunk", "reduce",
]

Path = str | bytes | os.PathLike[str]


def _is_folder(path: str) -> bool:
    return os.path.isdir(path) and not any(os.path.exists(path.rstrip("/") + suffix) for suffix in (".xmd", ".pmd", ".pma"))


def open(
    path: Path,
    mode: str = "r",
    *,
    access: str = "auto",
    cache_bytes: int = 0,
    exclusive_writer: bool = False,
) -> Any:
    """Open an array, or a folder as a data set.

    Args:
        path: of an array, with or without suffix; or of a folder
        mode: "r", or "r+" to write and grow
        access: to the cells of an array: "mapped", "cached", or "auto", the fastest that is safe for the file. What is
            written into a cache is seen by other handles, of this process and of others, once it has left the full
            cache, or after `sync` or `close`
        cache_bytes: of "cached", and at least four chunks; 0: 64 MiB
        exclusive_writer: until it is closed no other handle may change the structure of the array (xta.BusyError);
            growing then takes no system call. Others still read and write cells, and see the growth. In a child made
            by fork, and in a pickle, the array is opened without it.

    Returns:
        xta.Array or xta.Dataset

    Raises:
        xta.NotFoundError: there is neither
        xta.FormatError, xta.CorruptError: files that are no array
        xta.BusyError: `exclusive_writer`, and another handle is one
        ValueError: `access`, `cache_bytes` or `exclusive_writer` for a data set, or out of range
    """
    if mode not in ("r", "r+"):
        raise ValueError(f"mode {mode!r}: 'r' or 'r+'; xta.create makes new arrays")
    name = os.fsdecode(path)
    how = creation.access_options(access, cache_bytes, exclusive_writer)
    if not _is_folder(name):
        return _xta.open_array(Array, os.fsencode(name), mode == "r+", None, None, how)
    if any(how):
        raise ValueError(f"{name}: it is a data set; access, cache_bytes and exclusive_writer are for a single array")
    dataset = _xta.open_dataset(Dataset, os.fsencode(name), mode == "r+")
    dataset._take_snapshot()
    return dataset


def create(
    path: Path,
    shape: Sequence[int] | int,
    dtype: Any,
    chunks: Sequence[int] | None = None,
    dims: Sequence[str | None] | None = None,
    fill_value: Any = None,
    units: Mapping[str, str] | Sequence[str | None] | None = None,
    attrs: Mapping[str, Any] | None = None,
    order: str = "row",
    *,
    chunk_bytes: int = 0,
    policy: str = "exact",
    policy_amount: int = 0,
    access: str = "auto",
    cache_bytes: int = 0,
    exclusive_writer: bool = False,
) -> Array:
    """Create an array and open it, mode "r+".

    Args:
        path: `dir/sst` makes dir/sst.xmd and dir/sst.xta
        shape: cells on each axis, 0 and more; coordinates begin at 0
        dtype: bool, integers, floats of 2, 4, 8 bytes, complex numbers, or S1 to S65535
        chunks: cells of a chunk on each axis; None: chosen, of about `chunk_bytes` (0: 1 MiB)
        dims: names of the axes
        fill_value: what cells hold that nobody wrote; None: 0
        units: of the axes, by name or in their order
        attrs: attributes of the array
        order: of the cells inside a chunk: "row", "column", "morton" or "hilbert" (powers of two)
        policy: how many chunks get addresses in growth: "exact", "linear", "exponential", "cubical", "shell"
        access, cache_bytes, exclusive_writer: as in `open`

    Raises:
        xta.ExistsError: there is an array of this name
        xta.ArgumentError: an argument out of range; the text names axis and value
    """
    lengths = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    code, _ = types.code_of(dtype)
    given = creation.options(dtype, chunks, dims, fill_value, order, chunk_bytes, policy, policy_amount)
    how = creation.access_options(access, cache_bytes, exclusive_writer)
    array: Array = _xta.create_array(Array, os.fsencode(path), code, lengths, given, how)
    items = units.items() if isinstance(units, Mapping) else enumerate(units or ())
    with _whole(array):
        for axis, unit in items:
            if unit:
                array.axes[axis].unit = unit  # type: ignore[index]
        array.attrs.update(attrs or {})
    return array


@contextlib.contextmanager
def _whole(array: Array) -> Iterator[None]:
    """A new array is there with all that was asked for, or not at all."""
    try:
        yield
    except BaseException:
        array.close()
        for suffix in (".xmd", ".xta"):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(array.path + suffix)
        raise


def from_numpy(path: Path, values: Any, dims: Sequence[str | None] | None = None, **options: Any) -> Array:
    """Create an array of the cells of another one; the options are those of `create`."""
    memory, _ = types.as_memory(values)
    if memory.ndim == 0:
        raise ValueError("an array has at least one axis")
    array = create(path, memory.shape, memory.dtype, dims=dims, **options)
    if memory.size:
        with _whole(array):
            array.write(memory)
    return array


def create_dataset(path: Path) -> Dataset:
    """Create a data set: the folder, if it does not exist, and its `dataset.xmd`. Arrays in it become members.

    Raises:
        xta.ExistsError: it is a data set already
        xta.NotFoundError: there is no folder above it
    """
    dataset: Dataset = _xta.create_dataset(Dataset, os.fsencode(path))
    dataset._take_snapshot()
    return dataset


def __getattr__(name: str) -> Any:
    """`xta.dask` and `xta.hyper` are imported when they are asked for: they need Dask, and OpenBLAS."""
    if name == "dask":
        from . import dask_array

        return dask_array
    if name == "hyper":
        return importlib.import_module("xta.hyper")
    raise AttributeError(f"module 'xta' has no attribute {name!r}")


if "xarray" in sys.modules:
    with contextlib.suppress(ImportError):
        from . import xarray_accessor as xarray_accessor  # `ds.xta`
