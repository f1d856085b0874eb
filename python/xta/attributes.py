# SPDX-License-Identifier: Apache-2.0
"""Attributes: mappings of names to text, numbers and arrays of them."""
from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

import numpy as np

from . import types


def to_python(code: int, cell_bytes: int, values: bytes) -> Any:
    """The value of an attribute: str, a NumPy scalar, or an array of one axis."""
    if code == types.TEXT:
        return values.decode("utf-8", "replace")
    array = np.frombuffer(values, types.dtype_of(code, cell_bytes)).copy()
    return array[0] if array.size == 1 else array


def from_python(name: str, value: Any) -> tuple[int, int, Any]:
    """Type, bytes of a value, and memory.

    Raises:
        TypeError: the value is none of text, bytes, numbers
    """
    if isinstance(value, str):
        return types.TEXT, 1, value.encode()
    array = np.ascontiguousarray(value)
    if array.ndim > 1 or array.dtype.kind not in "biufcS":
        raise TypeError(f"attribute {name!r}: {value!r}; give a str, bytes, a number, or a list of numbers")
    code, cell_bytes = types.code_of(array.dtype)
    return code, cell_bytes, np.ascontiguousarray(array.astype(array.dtype.newbyteorder("="))).tobytes()


class Attributes(MutableMapping[str, Any]):
    """Attributes of an array, an axis, a data set or a dimension.

    Every look-up asks the open files; setting and deleting change them. Values are str, NumPy scalars, or arrays of
    one axis. Setting takes str, bytes, numbers, and lists or arrays of numbers.
    """

    def __init__(
        self,
        owner: Any,
        names: Callable[[], list[str]],
        get: Callable[[str], tuple[int, int, bytes] | None],
        put: Callable[[str, int, int, Any], None],
        remove: Callable[[str], None],
    ) -> None:
        self._owner = owner
        self._names = names
        self._get = get
        self._put = put
        self._remove = remove

    def __getitem__(self, name: str) -> Any:
        found = self._get(name)
        if found is None:
            raise KeyError(name)
        return to_python(*found)

    def __setitem__(self, name: str, value: Any) -> None:
        self._put(name, *from_python(name, value))

    def __delitem__(self, name: str) -> None:
        if self._get(name) is None:
            raise KeyError(name)
        self._remove(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __repr__(self) -> str:
        return repr(dict(self))


def of_array(array: Any, axis: int = -1) -> Attributes:
    """Attributes of an array, or of one of its axes."""
    return Attributes(
        array,
        lambda: array._attribute_names(axis),
        lambda name: array._attribute(axis, name),
        lambda name, *value: array._set_attribute(axis, name, *value),
        lambda name: array._remove_attribute(axis, name),
    )


def of_dataset(dataset: Any, dimension: str | None = None) -> Attributes:
    """Attributes of a data set, or of one of its dimensions."""
    return Attributes(
        dataset,
        lambda: dataset._attribute_names(dimension),
        lambda name: dataset._attribute(dimension, name),
        lambda name, *value: dataset._set_attribute(dimension, name, *value),
        lambda name: dataset._remove_attribute(dimension, name),
    )
