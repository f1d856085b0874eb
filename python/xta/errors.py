# SPDX-License-Identifier: Apache-2.0
"""Exceptions: one class for each status of the library, and two of the package.

Each is also the built-in exception that a user of NumPy or of files expects (IndexError, FileNotFoundError, ...).
"""
from __future__ import annotations

import re
from typing import Any


class Error(Exception):
    """Why a call failed.

    Attributes:
        status: name of the library's status, such as "XTA_EBOX"; "" for an error of the package itself
        path:   absolute path of the array or data set, without suffix; None if the failure has none
        axis:   number of the axis, from 0; None if the failure has none
        value:  the value that was wrong, if it is known apart from the text; else None
    """

    status = ""

    def __init__(
        self, text: str = "", path: str | None = None, axis: int | None = None, value: Any = None, os_errno: int = 0
    ) -> None:
        super().__init__(text)
        self.text = text
        self.path = path
        self.axis = axis
        self.value = value
        if isinstance(self, OSError):
            self.errno = os_errno or None
            self.filename = path

    def __new__(cls, *args: Any, **named: Any) -> Error:
        # OSError makes other classes of two and more arguments, and MemoryError has a list of free objects.
        kind = OSError if issubclass(cls, OSError) else Exception
        return kind.__new__(cls, args[0] if args else "")  # type: ignore[return-value]

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text, self.path, self.axis, self.value, getattr(self, "errno", None) or 0)


class ArgumentError(Error, ValueError):
    """An argument is invalid: XTA_EARG."""

    status = "XTA_EARG"


class BoxError(Error, IndexError):
    """A box or a coordinate leaves the bounds: XTA_EBOX."""

    status = "XTA_EBOX"


class TypeMismatchError(Error, TypeError):
    """There is no conversion between the types: XTA_ETYPE."""

    status = "XTA_ETYPE"


class RangeError(Error, ValueError):
    """A value cannot be represented in the type: XTA_ERANGE."""

    status = "XTA_ERANGE"


class LimitError(Error, OverflowError):
    """Coordinates or addresses would exceed 64 bits: XTA_EOVERFLOW."""

    status = "XTA_EOVERFLOW"


class OutOfMemoryError(Error, MemoryError):
    """No memory: XTA_ENOMEM."""

    status = "XTA_ENOMEM"


class InputOutputError(Error, OSError):
    """A system call failed; `errno` says how: XTA_EIO."""

    status = "XTA_EIO"


class NoSpaceError(Error, OSError):
    """The disk or the quota is full: XTA_ENOSPC."""

    status = "XTA_ENOSPC"


class NotFoundError(Error, FileNotFoundError):
    """No such array, member, step, label or file: XTA_ENOENT."""

    status = "XTA_ENOENT"


class ExistsError(Error, FileExistsError):
    """It exists already: XTA_EEXIST."""

    status = "XTA_EEXIST"


class AccessError(Error, PermissionError):
    """Opened read-only, or the file system forbids it: XTA_EACCESS."""

    status = "XTA_EACCESS"


class FormatError(Error, ValueError):
    """Not an XTA file, or of a later version: XTA_EFORMAT."""

    status = "XTA_EFORMAT"


class CorruptError(Error, ValueError):
    """The files contradict themselves: XTA_ECORRUPT."""

    status = "XTA_ECORRUPT"


class StateError(Error, RuntimeError):
    """The array refuses calls until it is opened again: XTA_ESTATE."""

    status = "XTA_ESTATE"


class UnsupportedError(Error, NotImplementedError):
    """This build, or this kind of array, cannot do it: XTA_EUNSUPPORTED."""

    status = "XTA_EUNSUPPORTED"


class ForeignError(Error, RuntimeError):
    """A library of another format failed: XTA_EFOREIGN."""

    status = "XTA_EFOREIGN"


class CancelledError(Error, RuntimeError):
    """A progress function asked to stop: XTA_ECANCELLED."""

    status = "XTA_ECANCELLED"


class TimedOutError(Error, TimeoutError):
    """Other processes did not take part in time: XTA_ETIMEDOUT."""

    status = "XTA_ETIMEDOUT"


class BusyError(Error, BlockingIOError):
    """Another handle is the exclusive writer: XTA_EBUSY."""

    status = "XTA_EBUSY"


class UnfinishedError(Error, RuntimeError):
    """Work that fills the array was interrupted: XTA_EUNFINISHED."""

    status = "XTA_EUNFINISHED"


class ClosedError(Error, ValueError):
    """The array or data set was closed."""


class NotContiguous(Error, ValueError):  # noqa: N818
    """The cells of a view do not lie together in a mapped file: read them instead."""

    status = "XTA_EUNSUPPORTED"


BY_STATUS: dict[int, type[Error]] = {
    1: ArgumentError,
    2: BoxError,
    3: TypeMismatchError,
    4: RangeError,
    5: LimitError,
    6: OutOfMemoryError,
    7: InputOutputError,
    8: NoSpaceError,
    9: NotFoundError,
    10: ExistsError,
    11: AccessError,
    12: FormatError,
    13: CorruptError,
    14: StateError,
    15: UnsupportedError,
    16: ForeignError,
    17: CancelledError,
    18: TimedOutError,
    19: BusyError,
    20: UnfinishedError,
}

_AXIS = re.compile(r"\baxis (\d+)")
_NUMBER = re.compile(r"-?\d+(?::-?\d+)?")


def from_status(status: int, os_errno: int, text: str, path: str | None) -> Error:
    """The exception of a failed call. Axis and value are those that the text names: `axis N: ... VALUE`."""
    axis = _AXIS.search(text)
    value = None
    if axis:
        number = _NUMBER.search(text, axis.end())
        if number:
            parts = [int(part) for part in number.group().split(":")]
            value = parts[0] if len(parts) == 1 else tuple(parts)
    return BY_STATUS[status](text, path, int(axis.group(1)) if axis else None, value, os_errno)


def from_text(status: int, text: str, path: str | None, axis: int | None, value: Any) -> Error:
    """An exception of the package, with what it knows."""
    return BY_STATUS[status](f"{path}: {text}" if path else text, path, axis, value)


def closed(path: str | None) -> Error:
    return ClosedError(f"{path or 'the array'}: closed; open it again", path)


def not_contiguous(text: str, path: str | None) -> Error:
    return NotContiguous(text, path)
