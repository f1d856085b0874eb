# SPDX-License-Identifier: Apache-2.0
"""xarray opens arrays and data sets: `xr.open_dataset("ocean", engine="xta")`.

Opening takes one snapshot: all variables have the bounds of one moment, whatever other processes append meanwhile. The
variables are lazy, coordinates are those of the snapshot's cells, and xarray decodes what the CF conventions say.
"""

from __future__ import annotations

import math
import os

import numpy as np
import xarray as xr
from xarray.backends.common import AbstractDataStore, BackendArray, BackendEntrypoint
from xarray.backends.store import StoreBackendEntrypoint
from xarray.core import indexing

import xta
from xta.snapshot import MOSTLY, Snapshot, array_path

# Attributes by which XTA's own bridges remember what xarray says otherwise.
TEXTS = "netcdf/strings"  # cells are UTF-8, padded with zeros
SCALAR = "import/scalar"  # one cell on one axis, which is no dimension
NAME = "netcdf/name"  # of a variable whose name no array can have

# Of an axis: its coordinates, which are not among its attributes here.
_VALUES = ("values", "calendar")


# ---- cells ----


class XtaBackendArray(BackendArray):
    """The cells of one variable, read when they are asked for."""

    __slots__ = ("snapshot", "shape", "dtype", "scalar")

    def __init__(self, snapshot, dtype=None, scalar=False):
        self.snapshot = snapshot
        self.scalar = scalar
        self.shape = () if scalar else snapshot.shape
        self.dtype = snapshot.dtype if dtype is None else np.dtype(dtype)

    def __getitem__(self, key):
        if isinstance(key, indexing.VectorizedIndexer):
            cells = self._vectorized(key)
        else:
            cells = self._outer(key.tuple)
        return np.asarray(cells).astype(self.dtype, copy=False)

    def _outer(self, key):
        return self.snapshot.outer((0,) if self.scalar else key)

    def _vectorized(self, indexer):
        key = indexer.tuple
        arrays = [k for k in key if isinstance(k, np.ndarray)]
        points = np.broadcast(*arrays).size
        slab = math.prod(len(range(*k.indices(n))) for k, n in zip(key, self.shape) if isinstance(k, slice))
        product = slab * math.prod(len(np.unique(k)) for k in arrays)
        if points * slab == 0 or product <= MOSTLY * points * slab:
            return indexing.explicit_indexing_adapter(indexer, self.shape, indexing.IndexingSupport.OUTER, self._outer)
        # The box around the points has mostly others, as around series at some stations.
        return self.snapshot.points(key)


# ---- one snapshot of a data set ----


def visible(attrs):
    """Attributes without those of XTA's bridges, which have a slash in their names, as no attribute of NetCDF has."""
    return {name: value for name, value in attrs.items() if "/" not in name}


class Member:
    """An array of a data set as it was when the set was opened."""

    __slots__ = ("name", "dims", "snapshot", "attrs", "is_scalar", "is_text")

    def __init__(self, name, array):
        attrs = dict(array.attrs)
        names = array._axis_texts()[0]
        self.name = attrs.get(NAME, name)
        self.snapshot = Snapshot(array)
        self.is_scalar = self.snapshot.shape == (1,) and (SCALAR in attrs or not names[0])
        self.is_text = TEXTS in attrs and self.snapshot.dtype.kind == "S"
        self.attrs = visible(attrs)
        self.dims = () if self.is_scalar else tuple(n or f"{self.name}_dim_{axis}" for axis, n in enumerate(names))

    @property
    def dtype(self):
        """xarray takes arrays of single bytes for characters, and would join them along the last axis."""
        dtype = self.snapshot.dtype
        return np.dtype(f"S{max(dtype.itemsize, 2)}") if self.is_text else dtype

    @property
    def array_name(self):
        """That of the array in the data set; `name` is the one that the variable has."""
        return os.path.basename(self.snapshot.path)

    def variable(self):
        attrs = dict(self.attrs)
        if self.is_text:
            attrs.setdefault("_Encoding", "utf-8")
        elif "_FillValue" not in attrs and self.dtype.kind in "iuf" and self.snapshot.fill_value != 0:
            attrs["_FillValue"] = self.dtype.type(self.snapshot.fill_value)
        encoding = {"source": self.snapshot.path}
        if not self.is_scalar:
            encoding["chunks"] = self.snapshot.chunks
            encoding["preferred_chunks"] = dict(zip(self.dims, self.snapshot.chunk_sizes))
        data = indexing.LazilyIndexedArray(XtaBackendArray(self.snapshot, self.dtype, self.is_scalar))
        return xr.Variable(self.dims, data, attrs, encoding)


class SetSnapshot:
    """What a data set, or an array alone, was at one moment: variables as they are stored."""

    def __init__(self, path):
        self.path = path
        self.variables, self.members, self.attrs, self.unlimited, self.bounds = {}, {}, {}, set(), {}
        self._opened = None

    @property
    def sizes(self):
        return {dim: hi - lo for dim, (lo, hi) in self.bounds.items()}

    def close(self):
        self._opened.close()

    @classmethod
    def open(cls, path, group=None):
        path = os.path.abspath(os.path.expanduser(os.fspath(path)))
        if group is not None:
            path = group_path(path, group)
        return cls.of_set(path) if os.path.isdir(path) and not _has_journal(path) else cls.of_array(array_path(path))

    @classmethod
    def of_set(cls, path):
        """A data set. `xta.open` has all members, and the coordinates of their dimensions, at one step."""
        self = cls(path)
        self._opened = xta.open(path)
        if not isinstance(self._opened, xta.Dataset):
            self._opened.close()
            raise ValueError(f"{path} is an array; a data set is wanted")
        dims = self._opened.dims
        for name in self._opened.members:
            self._add_member(name, self._opened[name])
        for name, dim in dims.items():
            self._add_dimension(name, dim)
        self.attrs = visible(self._opened.attrs)
        return self

    def _add_member(self, name, array):
        member = Member(name, array)
        for dim, bounds in zip(member.dims, member.snapshot.bounds):
            if self.bounds.setdefault(dim, bounds) != bounds:
                raise xta.Error(
                    f"{array.path}: {dim} is {bounds}, and {self.bounds[dim]} in other arrays of the data set. "
                    "Members grow together: by xta.Dataset, not by themselves",
                    array.path,
                )
        self.members[member.name] = member
        self.variables[member.name] = member.variable()

    def _add_dimension(self, name, dim):
        if dim.unlimited:
            self.unlimited.add(name)
        if dim.coordinates == "regular":
            lo, hi = self.bounds.setdefault(name, (dim.lo, dim.hi))
            values = (dim.origin + np.arange(lo, hi) * dim.step).astype(dim.dtype)
            self.variables[name] = xr.Variable((name,), values, visible(self._opened.dim_attrs(name)))

    @classmethod
    def of_array(cls, path):
        """An array alone: one variable, with the coordinates of its axes."""
        self = cls(path)
        self._opened = array = xta.open(path)
        self._add_member(os.path.basename(path), array)
        (member,) = self.members.values()
        for axis, (dim, name) in enumerate(zip(member.dims, array._axis_texts()[0])):
            values = array.coords[axis] if name and name not in self.variables else None
            if values is not None:
                about = array.axes[axis]
                attrs = {k: v for k, v in visible(about.attrs).items() if k not in _VALUES}
                attrs.update({k: v for k, v in (("units", about.unit), ("calendar", about.calendar)) if v})
                self.variables[dim] = xr.Variable((dim,), values, attrs)
        return self


def _has_journal(path):
    return any(os.path.exists(path.rstrip("/") + suffix) for suffix in (".xmd", ".pma"))


def group_path(path, group):
    """The folder of a group, which is below that of the data set."""
    parts = [part for part in (group or "").split("/") if part]
    if any(part in (".", "..") for part in parts):
        raise ValueError(f"group {group!r}: it is a name, or names with slashes between them, below the data set")
    return os.path.join(path, *parts)


# ---- the entry point ----


class XtaStore(AbstractDataStore):
    """What xarray decodes."""

    def __init__(self, snapshot):
        self.snapshot = snapshot

    def get_variables(self):
        return self.snapshot.variables

    def get_attrs(self):
        return self.snapshot.attrs

    def get_encoding(self):
        return {"source": self.snapshot.path, "unlimited_dims": self.snapshot.unlimited & set(self.snapshot.sizes)}

    def close(self):
        self.snapshot.close()


class XtaBackendEntrypoint(BackendEntrypoint):
    """`engine="xta"`: the path of a data set, or of an array ("sst.xmd")."""

    description = "Arrays of XTA, which grow while they are open elsewhere"
    url = ""

    def guess_can_open(self, filename_or_obj):
        try:
            path = os.fspath(filename_or_obj)
        except TypeError:
            return False
        return (
            path.endswith((".xmd", ".pma")) or os.path.isfile(os.path.join(path, "dataset.xmd")) or _has_journal(path)
        )

    def open_dataset(
        self,
        filename_or_obj,
        *,
        mask_and_scale=True,
        decode_times=True,
        concat_characters=True,
        decode_coords=True,
        drop_variables=None,
        use_cftime=None,
        decode_timedelta=None,
        group=None,
    ):
        options = dict(
            mask_and_scale=mask_and_scale,
            decode_times=decode_times,
            concat_characters=concat_characters,
            decode_coords=decode_coords,
            drop_variables=drop_variables,
            use_cftime=use_cftime,
            decode_timedelta=decode_timedelta,
        )
        snapshot = SetSnapshot.open(filename_or_obj, group)
        ds = StoreBackendEntrypoint().open_dataset(XtaStore(snapshot), **options)
        path = os.path.abspath(os.path.expanduser(os.fspath(filename_or_obj)))
        ds.encoding["xta"] = {"path": path, "options": {**options, "group": group}}
        return ds


from xta import xarray_accessor  # noqa: E402, F401  `ds.xta` comes with the engine
