# SPDX-License-Identifier: Apache-2.0
"""Cells of a Dataset join a data set that exists: appended along a dimension, or written into a region."""

from __future__ import annotations

import collections

import numpy as np

import xta
from xta.snapshot import Target, grow
from xta.xarray_backend import SetSnapshot
from xta.xarray_encode import encode_like

MOST_TRIES = 100

Appended = collections.namedtuple("Appended", "dim appended replaced skipped")
Appended.__doc__ = "How many labels of `dim` were appended, replaced, and skipped."


def is_dask(data):
    return type(data).__module__.startswith("dask")


# ---- what comes, beside what is there ----


class Joining:
    """A Dataset in the form in which a data set stores it, with the labels of both along one dimension."""

    def __init__(self, ds, stored, dim, missing="refuse"):
        self.stored, self.dim = stored, dim
        if dim not in ds.dims:
            raise ValueError(f"there is no dimension {dim!r} in this Dataset; it has {', '.join(map(str, ds.dims))}")
        if dim not in stored.sizes:
            raise ValueError(f"{stored.path} has no dimension {dim!r}; it has {', '.join(stored.sizes)}")
        self.n = ds.sizes[dim]
        self.labels = self._encode(ds, dim) if dim in stored.variables and dim in ds.variables else None
        self.shown = None if self.labels is None else ds.variables[dim].values  # as the caller knows them
        if dim in stored.variables and dim not in ds.variables and dim in stored.members:
            raise ValueError(f"{stored.path}: the dimension {dim!r} has a list of labels; this Dataset has none for it")
        if dim in ds.variables and dim not in stored.variables:
            raise ValueError(
                f"{stored.path}: the dimension {dim!r} has no labels; this Dataset has. Drop them with "
                f"drop_vars({dim!r}), or give the data set labels first"
            )
        self.blocks = {}
        self._take(ds, missing)

    def _take(self, ds, missing):
        for name in map(str, ds.variables):
            if name not in self.stored.variables:
                raise ValueError(
                    f"{self.stored.path} has no variable {name!r}; it has {', '.join(self.stored.variables)}. "
                    "Drop it here, or add it with to_xta(mode='a')"
                )
            if name == self.dim:
                continue
            there, here = self.stored.variables[name], ds.variables[name]
            if set(there.dims) != set(here.dims):
                raise ValueError(f"{name!r} has the dimensions {here.dims}; in {self.stored.path} it has {there.dims}")
            self._check_sizes(name, here)
            if self.dim in here.dims:
                self.blocks[name] = self._encode(ds, name)
            else:
                self._check_same(ds, name)
        lacking = [
            name
            for name, var in self.stored.variables.items()
            if self.dim in var.dims and name != self.dim and name not in self.blocks
        ]
        if lacking and missing == "refuse":
            raise ValueError(
                f"this Dataset lacks {', '.join(map(repr, lacking))} of {self.stored.path}; with "
                "missing='fill' the new cells have fill values"
            )

    def _check_sizes(self, name, here):
        for d, n in here.sizes.items():
            if d != self.dim and n != self.stored.sizes[d]:
                raise ValueError(
                    f"{name!r}: the dimension {d!r} has {n} cells here and {self.stored.sizes[d]} in "
                    f"{self.stored.path}; only {self.dim!r} grows"
                )

    def _check_same(self, ds, name):
        """What does not grow must be what is there: it is compared, and not written."""
        here, there = np.asarray(self._encode(ds, name)), self.stored.variables[name].values
        same = (here == there) | ((here != here) & (there != there))
        if not np.all(same):
            at = tuple(int(i) for i in np.argwhere(~np.asarray(same))[0])
            what = "labels of" if name in self.stored.sizes else "the variable"
            raise ValueError(
                f"{what} {name!r} differ: {here[at]!r} at {at} here, {there[at]!r} in {self.stored.path}. "
                f"It does not have the dimension {self.dim!r}; drop it if it is not to be compared"
            )

    def _encode(self, ds, name):
        there = self.stored.variables[name]
        here = ds.variables[name].transpose(*there.dims)
        member = self.stored.members.get(name)
        return encode_like(
            name,
            here,
            there.dtype,
            there.attrs,
            is_text=member is not None and member.is_text,
            fill_value=None if member is None else member.snapshot.fill_value,
        )

    def along(self, name):
        return self.stored.variables[name].dims.index(self.dim)

    def part(self, name, where):
        return self.blocks[name][(slice(None),) * self.along(name) + (where,)]


# ---- where labels go ----


def place(labels, there, dim, path, shown):
    """Positions of labels: before the first, equal to one that is there (and which), behind the last.

    Labels that lie between two others are refused, and those that are not in order.
    """
    if len(np.unique(labels)) < len(labels):
        values, first, counts = np.unique(labels, return_index=True, return_counts=True)
        raise ValueError(f"the label {shown[first[counts > 1][0]]} of {dim!r} comes {counts.max()} times")
    order = np.argsort(there, kind="stable")
    found = np.searchsorted(there, labels, sorter=order) if len(there) else np.zeros(len(labels), int)
    found = np.minimum(found, max(len(there) - 1, 0))
    old = there[order[found]] == labels if len(there) else np.zeros(len(labels), bool)
    cells = np.where(old, order[found] if len(there) else 0, -1)
    new = np.flatnonzero(~old)
    direction = _direction(there, dim, path) or _direction(labels[new], dim, "this Dataset") or 1
    if labels.dtype.kind == "S":
        return np.array([], int), cells, new
    _check_order(labels[new], direction, dim)
    if not len(there) or not len(new):
        return np.array([], int), cells, new
    first, last = there[0], there[-1]
    before = labels[new] < first if direction > 0 else labels[new] > first
    behind = labels[new] > last if direction > 0 else labels[new] < last
    between = new[~before & ~behind]
    if len(between):
        raise ValueError(
            f"{path}: the label {shown[between[0]]} of {dim!r} lies between others that are there; cells "
            "are put behind the last or before the first"
        )
    return new[before], cells, new[behind]


def _direction(labels, dim, path):
    """1: ascending, -1: descending, 0: fewer than two."""
    if len(labels) < 2 or labels.dtype.kind == "S":
        return 0
    if (labels[1:] > labels[:-1]).all():
        return 1
    if (labels[1:] < labels[:-1]).all():
        return -1
    at = (
        int(np.flatnonzero(~((labels[1:] > labels[:-1]) == (labels[1] > labels[0])) | (labels[1:] == labels[:-1]))[0])
        + 1
    )
    raise ValueError(f"{path}: labels of {dim!r} are neither ascending nor descending: {labels[at]!r} at position {at}")


def _check_order(labels, direction, dim):
    if len(labels) > 1:
        if _direction(labels, dim, "this Dataset") != direction:
            raise ValueError(
                f"labels of {dim!r} are {'descending' if direction > 0 else 'ascending'} here, and the other way "
                "in the data set: turn them with sortby"
            )


# ---- append ----


def append(ds, path, dim, overlap, front, missing):
    """See XtaAccessor.append."""
    joining = Joining(ds, SetSnapshot.of_set(path), dim, missing)
    if joining.labels is None and joining.n == 0:
        return Appended(dim, 0, 0, 0)
    if joining.labels is None:
        with xta.open(path, mode="r+") as opened:
            _append_slab(opened, joining, np.arange(joining.n), bool(front))
        return Appended(dim, joining.n, 0, 0)
    labels = np.asarray(joining.labels)
    todo, grown = np.arange(len(labels)), 0
    with xta.open(path, mode="r+") as opened:
        for _ in range(MOST_TRIES):
            now = SetSnapshot.of_set(path)
            there = now.variables[dim].values
            shown = joining.shown[todo]
            before, cells, behind = place(labels[todo], there, dim, path, shown)
            _check_plan(joining, shown, before, cells, behind, overlap, front)
            slab, at_front = (behind, False) if len(behind) else (before, True)
            if not len(slab):
                break
            if _append_slab(opened, joining, todo[slab], at_front):
                grown += len(slab)
                todo = np.delete(todo, slab)
        else:
            raise xta.Error(
                f"{path}: other processes changed the labels of {dim!r} in each of {MOST_TRIES} attempts; "
                f"{grown} of {len(labels)} labels were appended"
            )
        if overlap == "replace" and len(todo):
            opened.refresh()  # others may have appended these labels after it was opened
            _replace(opened, joining, todo, cells + now.bounds[dim][0])
    return Appended(dim, grown, len(todo) if overlap == "replace" else 0, len(todo) if overlap == "skip" else 0)


def _check_plan(joining, shown, before, cells, behind, overlap, front):
    old = np.flatnonzero(cells >= 0)
    if overlap == "refuse" and len(old):
        raise ValueError(
            f"{joining.stored.path} has {len(old)} of the {len(shown)} labels of {joining.dim!r} already, the "
            f"first is {shown[old[0]]}: overlap='replace' writes their cells again, 'skip' leaves them"
        )
    wrong = behind if front else before if front is not None else []
    if len(wrong):
        raise ValueError(f"front={front}: the label {shown[wrong[0]]} of {joining.dim!r} does not lie there")


def _append_slab(opened, joining, where, front):
    """Append the cells `where`, one step. False: others were faster, and the labels do not fit there any more."""
    lo, hi = int(where[0]), int(where[-1]) + 1
    part = slice(lo, hi) if hi - lo == len(where) else where
    blocks, later = {}, {}
    for name in joining.blocks:
        block = joining.part(name, part)
        (later if is_dask(block) else blocks)[name] = block
    labels = None if joining.labels is None else np.asarray(joining.labels)[part]
    attrs = joining.stored.variables[joining.dim].attrs if labels is not None else {}
    try:
        first = grow(
            opened,
            {joining.stored.members[name].array_name: np.asarray(b) for name, b in blocks.items()},
            joining.dim,
            len(where),
            labels,
            front,
            attrs.get("units"),
            attrs.get("calendar"),
        )
    except xta.BoxError:
        if labels is None:
            raise
        return False
    _store_later(joining, {name: (block, first, first + len(where)) for name, block in later.items()})
    return True


def _store_later(joining, later):
    if not later:
        return
    from xta.dask_array import store

    sources, targets = [], []
    for name, (block, lo, hi) in later.items():
        bounds = list(joining.stored.members[name].snapshot.bounds)
        bounds[joining.along(name)] = lo, hi
        sources.append(block)
        targets.append(Target(joining.stored.members[name].snapshot.path, bounds, block.dtype))
    store(sources, targets)


def _replace(opened, joining, todo, cells):
    """Write cells again: run by run of those that lie together in both."""
    cuts = np.flatnonzero((np.diff(cells) != 1) | (np.diff(todo) != 1)) + 1
    for run in np.split(np.arange(len(todo)), cuts):
        lo = int(cells[run[0]])
        later = {}
        for name in joining.blocks:
            block = joining.part(name, slice(int(todo[run[0]]), int(todo[run[-1]]) + 1))
            if is_dask(block):
                later[name] = block, lo, lo + len(run)
                continue
            at = [a for a, _ in joining.stored.members[name].snapshot.bounds]
            at[joining.along(name)] = lo
            opened[joining.stored.members[name].array_name].write(np.ascontiguousarray(block), lo=tuple(at))
        _store_later(joining, later)
    opened.sync()


# ---- regions ----


def write_region(ds, path, region, compute):
    """See XtaAccessor.to_xta, `region`."""
    stored = SetSnapshot.of_set(path)
    region = _region_of_labels(ds, stored) if region == "auto" else _checked_region(ds, stored, region)
    sources, targets, regions = [], [], []
    for name in map(str, ds.variables):
        if name not in stored.variables:
            raise ValueError(f"{path} has no variable {name!r}; it has {', '.join(stored.variables)}")
        there, here = stored.variables[name], ds.variables[name]
        if set(there.dims) != set(here.dims):
            raise ValueError(f"{name!r} has the dimensions {here.dims}; in {path} it has {there.dims}")
        where = tuple(region.get(d, slice(0, stored.sizes[d])) for d in there.dims)
        for d, w in zip(there.dims, where):
            if here.sizes[d] != w.stop - w.start:
                raise ValueError(
                    f"{name!r}: the dimension {d!r} has {here.sizes[d]} cells; the region of it has "
                    f"{w.stop - w.start}, from {w.start} to {w.stop}"
                )
        member = stored.members.get(name)
        block = encode_like(
            name,
            here.transpose(*there.dims),
            there.dtype,
            there.attrs,
            is_text=member is not None and member.is_text,
            fill_value=None if member is None else member.snapshot.fill_value,
        )
        if name in stored.sizes:
            _check_labels(name, np.asarray(block), there.values[where], path)
        elif not set(region) & set(there.dims):
            raise ValueError(f"{name!r} has none of the dimensions of the region, {', '.join(region)}: drop it")
        else:
            sources.append(block)
            targets.append(Target(member.snapshot.path, member.snapshot.bounds, member.snapshot.dtype))
            regions.append(where)
    return _write_blocks(sources, targets, regions, compute)


def _write_blocks(sources, targets, regions, compute):
    lazy = []
    for block, target, where in zip(sources, targets, regions):
        if is_dask(block):
            lazy.append((block, target, where))
        else:
            target[where] = block
            target.sync()
    if not lazy:
        return None
    from xta.dask_array import store

    return store([b for b, _, _ in lazy], [t for _, t, _ in lazy], regions=[w for _, _, w in lazy], compute=compute)


def _checked_region(ds, stored, region):
    checked = {}
    for d, where in region.items():
        if d not in stored.sizes or d not in ds.dims:
            raise ValueError(f"region: there is no dimension {d!r} in both the Dataset and {stored.path}")
        if not isinstance(where, slice) or where.step not in (None, 1):
            raise ValueError(f"region: {d!r} is {where!r}; a slice without a step is wanted")
        start, stop, _ = where.indices(stored.sizes[d])
        if (where.stop or 0) > stored.sizes[d]:
            raise ValueError(
                f"region: {d!r} ends at {where.stop}; {stored.path} has {stored.sizes[d]} cells. Append new ones"
            )
        checked[d] = slice(start, max(start, stop))
    if not checked:
        raise ValueError("region: at least one dimension is wanted")
    return checked


def _region_of_labels(ds, stored):
    region = {}
    for d in map(str, ds.dims):
        if d not in ds.variables or d not in stored.variables:
            continue
        there = stored.variables[d]
        member = stored.members.get(d)
        labels = np.asarray(
            encode_like(d, ds.variables[d], there.dtype, there.attrs, is_text=member is not None and member.is_text)
        )
        at = np.flatnonzero(there.values == labels[0]) if len(labels) else []
        start = int(at[0]) if len(at) else 0
        _check_labels(d, labels, there.values[start : start + len(labels)], stored.path)
        region[d] = slice(start, start + len(labels))
    if not region:
        raise ValueError("region='auto': no dimension has labels in both the Dataset and the data set")
    return region


def _check_labels(dim, here, there, path):
    n = min(len(here), len(there))
    wrong = np.flatnonzero(here[:n] != there[:n])
    if len(wrong) or len(here) != len(there):
        at = int(wrong[0]) if len(wrong) else n
        found = repr(there[at]) if at < len(there) else "no cell"
        raise ValueError(
            f"{path}: the label {here[at] if at < len(here) else None!r} of {dim!r}, at {at}: {found} is there. A "
            "region has the labels of the data set"
        )
