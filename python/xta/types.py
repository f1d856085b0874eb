# SPDX-License-Identifier: Apache-2.0
"""Types of cells: the library's numbers and NumPy's dtypes."""
from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from . import errors

BYTES = 15
TEXT = 16

_CODES: dict[int, np.dtype[Any]] = {
    1: np.dtype(np.bool_),
    2: np.dtype(np.int8),
    3: np.dtype(np.uint8),
    4: np.dtype(np.int16),
    5: np.dtype(np.uint16),
    6: np.dtype(np.int32),
    7: np.dtype(np.uint32),
    8: np.dtype(np.int64),
    9: np.dtype(np.uint64),
    10: np.dtype(np.float16),
    11: np.dtype(np.float32),
    12: np.dtype(np.float64),
    13: np.dtype(np.complex64),
    14: np.dtype(np.complex128),
}
_NUMBERS: dict[np.dtype[Any], int] = {dtype: code for code, dtype in _CODES.items()}


def dtype_of(code: int, cell_bytes: int) -> np.dtype[Any]:
    """numpy.dtype of cells of a type."""
    return np.dtype((np.bytes_, cell_bytes)) if code == BYTES else _CODES[code]


def code_of(dtype: Any) -> tuple[int, int]:
    """Type of the library and bytes of a cell.

    Raises:
        TypeError: cells cannot be of this dtype
    """
    wanted = np.dtype(dtype)
    if wanted.kind == "S" and wanted.itemsize > 0:
        return BYTES, wanted.itemsize
    code = _NUMBERS.get(wanted.newbyteorder("="))
    if code is None:
        raise TypeError(f"dtype {wanted}: cells are booleans, integers, floats of 2 to 8 bytes, complex numbers or S")
    return code, wanted.itemsize


def as_memory(values: Any) -> tuple[np.ndarray[Any, Any], int]:
    """Values as an array of a type of the library, native-endian, and its number.

    Raises:
        TypeError: cells cannot be of this dtype, or are masked
    """
    if np.ma.is_masked(values):
        raise TypeError("some values are masked, and no cell can be: give numbers for them, values.filled(...)")
    array = np.asarray(values)
    if array.dtype.kind == "U":
        array = np.char.encode(array, "utf-8")
    code, _ = code_of(array.dtype)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return array, code


def as_cells(values: Any, dtype: np.dtype[Any], path: str) -> tuple[np.ndarray[Any, Any], int]:
    """Values as memory for an array of a dtype: the library converts numbers, and bytes get the length of its cells.

    Raises:
        errors.RangeError: bytes that are longer than a cell
    """
    memory, code = as_memory(values)
    if code != BYTES or dtype.kind != "S" or memory.dtype == dtype:
        return memory, code
    longest = int(np.char.str_len(memory).max(initial=0))
    if longest > dtype.itemsize:
        text = f"a value of {longest} bytes does not fit cells of {dtype.itemsize}"
        raise errors.from_text(4, text, path, None, longest)
    return memory.astype(dtype), code


def cell_of(what: str, value: Any, dtype: np.dtype[Any]) -> bytes:
    """Memory of one cell; real and complex numbers may be rounded.

    Raises:
        ValueError: no cell is equal to the value
    """
    cell = np.empty((), dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of NumPy about values that do not fit
        cell[()] = value
    if dtype.kind in "biuS" and not np.array_equal(cell, np.asarray(value, "S" if dtype.kind == "S" else None)):
        raise ValueError(f"{what} {value!r}: no cell of {dtype} is equal to it")
    return cell.tobytes()


def not_negative(what: str, value: Any) -> int:
    """An amount as the extension takes it."""
    if value < 0:
        raise ValueError(f"{what} {value}: give 0 or more")
    return int(value)


def microseconds(times: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Times of numpy.datetime64 as microseconds, which is what dates of the library have.

    Raises:
        ValueError: some are no whole number of microseconds, beyond 64 bits, or not a time
    """
    exact = times.astype("datetime64[us]")
    wrong = exact.astype(times.dtype) != times
    if wrong.any():
        raise ValueError(f"{times[wrong][0]} is not a whole number of microseconds within 292,000 years of 1970")
    return exact
