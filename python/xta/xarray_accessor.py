# SPDX-License-Identifier: Apache-2.0
"""What xarray's data sets can do with XTA: `ds.xta.to_xta`, `ds.xta.append`, `ds.xta.refresh`."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np
import xarray as xr

import xta
from xta.snapshot import Target
from xta.xarray_append import Appended, append, is_dask, write_region
from xta.xarray_backend import XtaBackendEntrypoint, group_path
from xta.xarray_encode import check_encoding, encode_dataset, regular_of


@xr.register_dataset_accessor("xta")
class XtaAccessor:
    """`ds.xta`."""

    def __init__(self, ds: xr.Dataset) -> None:
        self._ds = ds

    def refresh(self, **kwargs: Any) -> xr.Dataset:
        """The data set as it is now: a new Dataset with the bounds of this moment. `ds` stays as it is.

        The set is opened again as it was opened first; keyword arguments are those of `xarray.open_dataset`.
        """
        opened = self._ds.encoding.get("xta")
        if opened is None:
            raise ValueError("this Dataset was not opened from XTA: use xarray.open_dataset(path, engine='xta')")
        options = {**opened["options"], **kwargs}
        chunks = options.pop("chunks", {} if any(v.chunks for v in self._ds.variables.values()) else None)
        ds = xr.open_dataset(opened["path"], engine=XtaBackendEntrypoint, **options)
        # xarray names blocks after the path and its time, which growth does not change: to Dask two states were one.
        return ds if chunks is None else _chunked(ds, chunks)

    def to_xta(
        self,
        path: str | os.PathLike[str],
        mode: Literal["w-", "w", "a"] = "w-",
        group: str | None = None,
        encoding: Mapping[str, Mapping[str, Any]] | None = None,
        unlimited_dims: Iterable[str] | None = None,
        compute: bool = True,
        region: Mapping[str, slice] | Literal["auto"] | None = None,
    ) -> Any:
        """Write a data set of arrays.

        mode
            "w-" creates it, "w" replaces one, "a" adds variables to one, or a group. A set that is created or replaced
            appears when all of it is written (unless `compute` is False).
        encoding
            Of variables by name: `chunks`, `dtype`, `_FillValue`, `scale_factor`, `units` and others of the CF
            conventions. The encoding with which the variables were opened is kept: chunks too.
        region
            {"time": slice(10, 20)}: write these positions of a set that exists. Labels that `ds` has must be those of
            the set. With "auto" they say which positions these are.
        compute
            False: the set is created, and a `dask.delayed` returned that writes the cells of Dask's arrays.
        """
        path = os.path.abspath(os.fspath(path))
        if region is not None:
            return write_region(self._ds, group_path(path, group), region, compute)
        if mode not in ("w-", "w", "a"):
            raise ValueError(f"mode {mode!r}: it is one of 'w-', 'w' and 'a'")
        encoding = encoding or {}
        check_encoding(encoding, self._ds.variables)
        ds = _with_encoding(self._ds, encoding)
        unlimited = set(ds.encoding.get("unlimited_dims", ()) if unlimited_dims is None else unlimited_dims)
        unknown = sorted(map(str, unlimited - set(ds.dims)))
        if unknown and unlimited_dims is not None:
            raise ValueError(
                f"unlimited_dims: there is no dimension {unknown[0]!r}; there are {', '.join(map(str, ds.dims))}"
            )
        if mode == "a" or group:
            return _add_to_set(ds, path, group, unlimited, compute)
        if mode == "w-" and os.path.lexists(path):
            raise FileExistsError(f"{path} exists: mode='w' replaces a data set, 'a' adds variables to it")
        if mode == "w" and os.path.lexists(path):
            _check_replaceable(path)
        encoded = encode_dataset(ds)
        if not compute:
            _remove_set(path)
            xta.create_dataset(path).close()
            return _write_variables(encoded, path, unlimited, compute)
        return _create_in_one_step(encoded, path, unlimited)

    def append(
        self,
        target: str | os.PathLike[str] | xr.Dataset,
        dim: str,
        group: str | None = None,
        overlap: Literal["refuse", "skip", "replace"] = "refuse",
        front: bool | None = None,
        missing: Literal["refuse", "fill"] = "refuse",
    ) -> Appended:
        """Append this Dataset along a dimension of a data set.

        Its labels decide where it goes: behind the last cell, or before the first. Several processes may append at
        once: each slab goes in whole, in one step, or not at all, and none is lost.

        target
            path of the data set, or a Dataset that was opened from it
        overlap
            labels that the set has already are an error ("refuse"), are written again ("replace"), or stay as they are
            ("skip")
        front
            without labels: True appends before the first cell
        missing
            variables of the set that have the dimension, and that this Dataset lacks: an error ("refuse"), or their new
            cells have fill values ("fill")

        Arrays of Dask are written by their workers after the set has grown by fill values; all others with the growth.
        Returns how many labels were appended, replaced and skipped.
        """
        if isinstance(target, xr.Dataset):
            opened = target.encoding.get("xta")
            if opened is None:
                raise ValueError("the Dataset to append to was not opened from XTA: give the path of the data set")
            target, group = opened["path"], opened["options"].get("group") if group is None else group
        if overlap not in ("refuse", "replace", "skip"):
            raise ValueError(f"overlap={overlap!r}: it is one of 'refuse', 'replace' and 'skip'")
        if missing not in ("refuse", "fill"):
            raise ValueError(f"missing={missing!r}: it is one of 'refuse' and 'fill'")
        path = group_path(os.path.abspath(os.fspath(target)), group)
        return append(self._ds, path, dim, overlap, front, missing)


def _chunked(ds, chunks):
    """As `open_dataset` with chunks, under names of Dask that no other Dataset has."""
    token = uuid.uuid4().hex
    variables = {}
    for name, var in ds.variables.items():
        stored = var.encoding.get("preferred_chunks", {})
        by_dim = chunks if isinstance(chunks, dict) else dict.fromkeys(var.dims, chunks)
        lengths = {d: by_dim.get(d, stored.get(d, n)) for d, n in var.sizes.items()}
        variables[name] = var if name in ds.indexes or not var.ndim else var.chunk(lengths, name=f"xta-{name}-{token}")
    return ds._replace(variables)


# ---- new sets ----


def _with_encoding(ds, encoding):
    ds = ds.copy(deep=False)
    for name, var in ds.variables.items():
        var.encoding = {**var.encoding, **encoding.get(name, {})}
        dtype = var.encoding.get("dtype")
        if dtype is not None and dtype is not str and (np.dtype(dtype).kind in "SUO" or np.dtype(dtype) == var.dtype):
            # Lengths of texts are those that come now.
            del var.encoding["dtype"]
    return ds


def _foreign_file(path):
    """A file below a folder that is not one of arrays or of what XTA keeps beside them; None: there is none."""
    suffixes = (".xmd", ".xta", ".pma", ".pta", ".xtt")
    for folder, folders, files in os.walk(path):
        for name in files:
            if not name.endswith(suffixes):
                return os.path.join(folder, name)
    return None


def _check_replaceable(path):
    if not os.path.isfile(os.path.join(path, "dataset.xmd")):
        raise FileExistsError(f"{path} is not a data set of XTA: it is not replaced")
    foreign = _foreign_file(path)
    if foreign is not None:
        raise FileExistsError(f"{path} is not replaced: {foreign} is not a file of XTA")


def _remove_set(path):
    if os.path.lexists(path):
        aside = f"{path}.removed-{uuid.uuid4().hex[:8]}"
        os.rename(path, aside)
        shutil.rmtree(aside)


def _create_in_one_step(encoded, path, unlimited):
    """Written beside its place, and renamed: a set that was killed half-way is not there."""
    beside = f"{path}.part-{uuid.uuid4().hex[:8]}"
    xta.create_dataset(beside).close()
    try:
        _write_variables(encoded, beside, unlimited, True)
        _remove_set(path)
        os.rename(beside, path)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    return None


def _add_to_set(ds, path, group, unlimited, compute):
    """Add to what exists. Folders of groups that are new stay if it fails, the variables do not."""
    encoded = encode_dataset(ds)
    at = path
    for part in ["", *(p for p in (group or "").split("/") if p)]:
        at = group_path(at, part)
        if not os.path.isdir(at):
            xta.create_dataset(at).close()
    return _write_variables(encoded, at, unlimited, compute)


def _write_variables(encoded, path, unlimited, compute):
    """Add variables to a data set: dimensions and arrays first, then cells."""
    variables, attrs = encoded
    added, stores = [], []
    with xta.open(path, mode="r+") as opened:
        try:
            _add_dimensions(opened, variables, unlimited)
            for name, var in variables.items():
                target = _add_member(opened, name, var)
                if target is None:
                    continue
                added.append(name)
                if is_dask(var.data):
                    stores.append((var.data, target))
                elif var.size:
                    array = opened[name]
                    array.write(np.ascontiguousarray(var.values).reshape(array.shape))
            opened.attrs.update(attrs)
            opened.sync()
        except BaseException:
            for name in added:
                opened.remove(name)
            raise
    return _store_all(stores, compute)


def _store_all(stores, compute):
    if not stores:
        return None
    from xta.dask_array import store

    return store([data for data, _ in stores], [target for _, target in stores], compute=compute)


def _add_dimensions(opened, variables, unlimited):
    sizes, existing = {}, opened.dims
    for var in variables.values():
        sizes.update(zip(var.dims, var.shape))
    for dim, size in sizes.items():
        if dim in existing:
            if existing[dim].size != size:
                raise ValueError(f"dimension {dim!r} has {size} cells here, and {existing[dim].size} in {opened.path}")
            continue
        labels = variables.get(dim)
        regular = None if labels is None or is_dask(labels.data) or _is_packed(labels) else regular_of(labels.values)
        options = (
            {} if regular is None else dict(zip(("origin", "step"), regular), dtype=labels.dtype, attrs=labels.attrs)
        )
        opened.set_dim(dim, size, unlimited=dim in unlimited, **options)


def _check_regular(opened, dim, labels):
    """Variables that are added to a set have the labels that are there."""
    there = (dim.origin + np.arange(dim.lo, dim.hi) * dim.step).astype(dim.dtype)
    if not np.array_equal(there, labels.values) or opened.dim_attrs(dim.name).get("units") != labels.attrs.get("units"):
        raise ValueError(
            f"{opened.path}: labels of {dim.name!r} are {there[:3]}... there, and {labels.values[:3]}... here"
        )


def _is_packed(labels):
    return any(k in labels.attrs for k in ("_FillValue", "missing_value", "scale_factor", "add_offset"))


def _add_member(opened, name, var):
    """A new array for a variable, and where its cells go. None: the labels are regular, and need no array."""
    dim = opened.dims.get(name)
    if dim is not None and dim.coordinates == "regular":
        _check_regular(opened, dim, var)
        return None
    if name in opened:
        raise FileExistsError(
            f"{opened.path}: there is a variable {name!r} already; append to it, write a region of it, or "
            "drop it here"
        )
    chunks = var.encoding.get("chunks")
    if chunks is None and is_dask(var.data):
        chunks = tuple(max(lengths) for lengths in var.data.chunks)
    if chunks is not None and len(chunks) != var.ndim:
        chunks = None
    options = {"order": var.encoding["order"]} if "order" in var.encoding else {}
    fill = var.attrs.get("_FillValue")
    if fill is not None and var.dtype.kind not in "S":
        options["fill_value"] = var.dtype.type(fill)
    if chunks is not None and var.ndim:
        options["chunks"] = tuple(max(1, int(c)) for c in chunks)
    array = opened.add(name, var.dtype, tuple(str(d) for d in var.dims), attrs=var.attrs, **options)
    return Target(array.path, array.bounds, var.dtype)
