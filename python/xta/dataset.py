# SPDX-License-Identifier: Apache-2.0
"""Data sets: folders of arrays that share dimensions and grow together."""
from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _xta, attributes, creation, errors, html, labels, types
from .array import Array, Bounds

MOST_TRIES = 100  # to read one step of all members

_COORDINATES = {0: None, 1: "regular", 2: "listed", 3: "names"}
_EPOCH = "microseconds since 1970-01-01"


class Dimension(NamedTuple):
    """A dimension of a data set.

    coordinates: None, "regular" (that of cell c is origin + c * step), "listed" (the member of its name) or "names"
    n_members:   how many members have it
    """

    name: str
    lo: int
    hi: int
    unlimited: bool
    n_members: int
    coordinates: str | None
    dtype: np.dtype[Any] | None
    origin: float | int | None
    step: float | int | None
    unit: str
    calendar: str

    @property
    def size(self) -> int:
        return self.hi - self.lo


class Dataset(_xta.Dataset, Mapping[str, Array]):
    """An open data set: a mapping of the names of its members to arrays. Made by xta.open, xta.create_dataset.

    All members are one snapshot: their bounds are those of one moment, until `refresh` or growth through this object.
    Closing it closes its members.
    """

    path: str
    closed: bool

    # ---- members ----

    def _arrays(self) -> dict[str, Array]:
        return self.__dict__.setdefault("_open", {})

    def _forget_closed(self) -> dict[str, Array]:
        """The members that are open; those that were closed by themselves are opened again as the others are."""
        arrays = self._arrays()
        for name in [name for name, array in arrays.items() if array.closed]:
            del arrays[name]
        return arrays

    def _seen(self) -> dict[str, tuple[int, int]]:
        """Bounds of the dimensions in the snapshot, as far as members that are open have them."""
        seen: dict[str, tuple[int, int]] = {}
        for array in list(self._arrays().values()):
            if not array.closed:
                seen.update(zip(array._axis_texts()[0], array.bounds))
        return seen

    def _open_member(self, name: str) -> Array:
        """A member with the bounds of the snapshot; the library may have seen later growth."""
        old = self._arrays().get(name)
        array = self._member(Array, name, None if old is None else old.bounds)
        if old is None:
            seen = self._seen()
            bounds = tuple(seen.get(dim, own) for dim, own in zip(array._axis_texts()[0], array.bounds))
            array = array if bounds == array.bounds else self._member(Array, name, bounds)
        return array

    def _agreed_dimensions(self) -> list[tuple[Any, ...]]:
        """The dimensions as the library has them. Some members may have seen growth that others have not."""
        for _ in range(MOST_TRIES - 1):
            try:
                return self._dimensions()
            except errors.BoxError:
                self._refresh()
        return self._dimensions()

    def _take_snapshot(self) -> None:
        """Open all members at one step: the dimensions of all are those of one moment.

        Raises:
            xta.BoxError: the members still disagree after a hundred tries: the set is not consistent
        """
        self._agreed_dimensions()
        arrays = self._forget_closed()
        for array in arrays.values():
            array._update()
        for name in self._members():
            if name not in arrays:
                arrays[name] = self._member(Array, name, None)

    @property
    def members(self) -> tuple[str, ...]:
        """Names of the arrays, in the order in which they were added."""
        return tuple(self._members())

    @property
    def groups(self) -> Mapping[str, Dataset]:
        """The groups: data sets in folders of this one, by name, each opened at the first use."""
        return Groups(self)

    def __getitem__(self, name: str) -> Array:
        arrays = self._arrays()
        if name not in arrays or arrays[name].closed:
            try:
                arrays[name] = self._open_member(name)
            except errors.NotFoundError as missing:
                raise KeyError(f"{name}: {missing}") from missing
        return arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.members)

    def __len__(self) -> int:
        return len(self.members)

    def __contains__(self, name: object) -> bool:
        return name in self.members

    def add(
        self,
        name: str,
        dtype: Any,
        dims: Sequence[str | None] = (),
        *,
        chunks: Sequence[int] | None = None,
        fill_value: Any = None,
        attrs: Mapping[str, Any] | None = None,
        order: str = "row",
        chunk_bytes: int = 0,
        policy: str = "exact",
        policy_amount: int = 0,
    ) -> Array:
        """Add a member: a new array whose axes are dimensions that exist (set_dim). No dims: a scalar of one axis of
        length 1 that is no dimension.

        Raises:
            xta.ExistsError: there is an array of this name
            xta.NotFoundError: no such dimension
        """
        names = tuple(dims) or (None,)
        code, _ = types.code_of(dtype)
        given = creation.options(dtype, chunks, names, fill_value, order, chunk_bytes, policy, policy_amount)
        self._add_member(name, code, len(names), given)
        array = self[name]
        try:
            array.attrs.update(attrs or {})
        except BaseException:
            self.remove(name)
            raise
        return array

    def remove(self, name: str) -> None:
        """Delete a member with its cells."""
        self._arrays().pop(name, None)
        self._remove_member(name)

    def group(self, name: str, create: bool = False) -> Dataset:
        """Open a group, or create and open it. It is closed by itself."""
        return self._group(type(self), name, create)

    # ---- dimensions ----

    @property
    def dims(self) -> dict[str, Dimension]:
        """The dimensions by name. Their bounds are those of the snapshot of members that have them.

        Raises:
            xta.BoxError: two members disagree about bounds
        """
        seen = self._seen()
        found = {}
        for name, lo, hi, unlimited, n_members, kind, code, origin, step in self._agreed_dimensions():
            lo, hi = seen.get(name, (lo, hi))
            is_regular = kind == 1
            unit, calendar = self._units(name, n_members)
            found[name] = Dimension(
                name, lo, hi, unlimited, n_members, _COORDINATES[kind], types.dtype_of(code, 0) if is_regular else None,
                origin if is_regular else None, step if is_regular else None, unit, calendar,
            )
        return found

    def _units(self, name: str, n_members: int) -> tuple[str, str]:
        """Unit and calendar of a dimension: of its attributes, or of the member that lists its coordinates."""
        texts = self._attribute_owner(name)
        return str(texts.get("units", "")), str(texts.get("calendar", ""))

    def _attribute_owner(self, name: str) -> attributes.Attributes:
        return self[name].attrs if name in self.members else attributes.of_dataset(self, name)

    def set_dim(
        self,
        name: str,
        size: int = 0,
        *,
        bounds: tuple[int, int] | None = None,
        origin: Any = None,
        step: Any = None,
        dtype: Any = None,
        unit: str | None = None,
        calendar: str | None = None,
        unlimited: bool = False,
        attrs: Mapping[str, Any] | None = None,
    ) -> None:
        """Add a dimension, or change its coordinates.

        Args:
            size, bounds: its cells, if no member has it yet: 0:size, or the bounds
            origin, step: of regular coordinates: that of cell c is origin + c * step; None: none
            dtype: of the coordinates; None: i8 if both are integers, else f8
            unit: as in CF ("days since 1950-01-01")
        """
        lo, hi = (0, size) if bounds is None else bounds
        code = 0
        if origin is not None or step is not None:
            code, origin, step = labels.regular(origin or 0, 1 if step is None else step, dtype)
        self._set_dimension(name, lo, hi, unlimited, code, origin or 0, step or 0)
        owner = attributes.of_dataset(self, name)
        for key, value in {"units": unit, "calendar": calendar, **(attrs or {})}.items():
            if value is not None:
                owner[key] = value

    @property
    def attrs(self) -> attributes.Attributes:
        """Attributes of the data set: a mutable mapping."""
        return attributes.of_dataset(self)

    def dim_attrs(self, name: str) -> attributes.Attributes:
        """Attributes of a dimension; of one with listed coordinates those of the member of its name."""
        return self._attribute_owner(name)

    # ---- growth ----

    def extend(self, amounts: Mapping[str, int], front: bool = False) -> None:
        """Grow all members that have these dimensions, in one step. New cells have the fill values.

        Raises:
            xta.StateError: a dimension has listed coordinates, which `append` takes
        """
        self._extend(tuple((name, front, int(by)) for name, by in amounts.items()))
        self._after_change()

    def append(
        self,
        blocks: Mapping[str, Any],
        dim: str,
        coords: Any = None,
        front: bool = False,
        unit: str | None = None,
        calendar: str | None = None,
    ) -> int:
        """Append a slab to all members that have a dimension, with its cells and coordinates: one step.

        Args:
            blocks: cells of members; those that are not named get their fill values. A block without the dimension is
                one cell thick
            coords: coordinates of the new cells: numbers, names, or numpy.datetime64; None: the dimension has none, or
                its regular ones go on. A dimension gets listed ones by a member of its name (add)
            unit, calendar: of `coords`; None: those of the dimension

        Returns:
            the first coordinate (cell number) of the new cells

        Raises:
            xta.BoxError: the coordinates do not lie on this side of all others
            xta.StateError: the dimension lists coordinates, and none are given
        """
        if self.closed:
            raise errors.closed(self.path)
        cells = [self._block(name, values, dim) for name, values in blocks.items()]
        labels_of = None if coords is None else self._new_coordinates(coords, unit, calendar)
        by = self._thickness(cells, labels_of, dim)
        lo = self._append(
            dim, front, by, labels_of, [(name, code, np.ascontiguousarray(memory)) for name, code, memory, _ in cells]
        )
        self._after_change()
        return lo

    def _block(self, name: str, values: Any, dim: str) -> tuple[str, int, np.ndarray[Any, Any], int]:
        array = self[name]
        axis = array.axis_number(dim)
        memory, code = types.as_cells(values, array.dtype, array.path)
        if memory.ndim == array.ndim - 1:
            memory = np.expand_dims(memory, axis)
        expected = [n for k, n in enumerate(array.shape) if k != axis]
        if memory.ndim != array.ndim or [n for k, n in enumerate(memory.shape) if k != axis] != expected:
            text = f"axis {axis}: a block of shape {memory.shape} cannot be appended to {array.shape}"
            raise errors.from_text(1, text, array.path, axis, memory.shape)
        return name, code, memory, memory.shape[axis]

    def _thickness(self, cells: Sequence[tuple[Any, ...]], coords: tuple[Any, ...] | None, dim: str) -> int:
        """How many cells of the dimension the blocks and the coordinates have."""
        found = {n for *_, n in cells} | ({coords[2].shape[0]} if coords else set())
        if len(found) != 1:
            text = f"{dim}: blocks and coordinates have {sorted(found) or 'no'} cells; give one number of them"
            raise errors.from_text(1, text, self.path, None, tuple(sorted(found)))
        return found.pop()

    def _new_coordinates(self, coords: Any, unit: str | None, calendar: str | None) -> tuple[Any, ...]:
        values = np.atleast_1d(np.asarray(coords))
        if values.dtype.kind == "M":
            values, unit = types.microseconds(values).astype(np.int64), _EPOCH
        if values.ndim != 1:
            raise ValueError(f"coordinates of {values.ndim} axes; give a list")
        memory, code = types.as_memory(values)
        return code, memory.dtype.itemsize, np.ascontiguousarray(memory), unit, calendar

    def _after_change(self) -> None:
        for array in list(self._forget_closed().values()):
            array._update()
        for name in self._members():
            self[name]  # a list of coordinates may be new

    def refresh(self) -> bool:
        """See what other processes have changed: members, dimensions, bounds; whether there was anything."""
        before = {name: array.bounds for name, array in self._arrays().items()}
        changed = self._refresh()
        arrays = self._arrays()
        for gone in set(arrays) - set(self._members()):
            del arrays[gone]
        self._take_snapshot()
        return changed or before != {name: array.bounds for name, array in arrays.items()}

    # ---- protocols ----

    @property
    def mode(self) -> str:
        """ "r" or "r+"."""
        return "r+" if self._writable else "r"

    def __enter__(self) -> Dataset:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        if self.closed:
            raise errors.closed(self.path)
        bounds = {name: array.bounds for name, array in self._arrays().items()}
        return reopen, (type(self), self.path, self._writable, bounds)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        if self.closed:
            return f"<xta.Dataset {self.path} (closed)>"
        dims = ", ".join(f"{name}: {dim.lo}:{dim.hi}" for name, dim in self.dims.items())
        return f"<xta.Dataset {self.path} ({dims}) {', '.join(self.members)} {self.mode}>"

    def _repr_html_(self) -> str:
        return html.dataset(self)


class Groups(Mapping[str, Dataset]):
    """The groups of a data set by name."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self._opened: dict[str, Dataset] = dataset.__dict__.setdefault("_open_groups", {})

    def __getitem__(self, name: str) -> Dataset:
        if name not in self._opened or self._opened[name].closed:
            try:
                group = self._dataset.group(name)
            except errors.NotFoundError as missing:
                raise KeyError(f"{name}: {missing}") from missing
            group._take_snapshot()
            self._opened[name] = group
        return self._opened[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._dataset._groups())

    def __len__(self) -> int:
        return len(self._dataset._groups())


def reopen(cls: type[Dataset], path: str, writable: bool, bounds: dict[str, Bounds]) -> Dataset:
    """Open the data set of a pickle; its members have the bounds they had."""
    dataset: Dataset = _xta.open_dataset(cls, os.fsencode(path), writable)
    for name, box in bounds.items():
        dataset._arrays()[name] = dataset._member(Array, name, box)
    return dataset
