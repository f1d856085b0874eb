# SPDX-License-Identifier: Apache-2.0
"""Dask reads and writes arrays of XTA: `xta.dask`.

Blocks follow the edges of XTA's chunks, also where the first chunk is partial because the array has grown at the front.
Workers, in threads, processes or on other machines that see the files, write blocks with no lock: a write changes the
cells that it names and no others, so blocks need not even end at the edges of chunks.
"""

from __future__ import annotations

import functools
import math
import os
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import dask
import dask.array as da
import numpy as np

import xta
from xta.snapshot import Snapshot, Target, array_path, grow

__all__ = ["append", "chunks_of", "from_array", "rechunk", "store", "target"]

Bounds = Sequence[tuple[int, int]]
# The first new coordinate, the one behind the last, and what is written where.
_Grown = tuple[int, int, list[tuple[da.Array, Target]]]


# ---- reading ----


def from_array(source: Any, chunks: Any = "auto", name: str | None = None) -> da.Array:
    """A dask.array of an array's cells, as they are within its bounds now.

    source
        an `xta.Array`, or the path of one
    chunks
        "auto": as many whole chunks of XTA in a block as the configuration `array.chunk-size` allows; {}: one chunk of
        XTA in a block; {axis: cells} or one number for each axis: blocks of about so many cells, that end where chunks
        of XTA do; a tuple of lengths for an axis is taken as it is
    """
    snapshot = _snapshot(source)
    blocks = chunks_of(snapshot, chunks)
    name = name or f"xta-{os.path.basename(snapshot.path)}-{uuid.uuid4().hex}"
    return da.from_array(
        snapshot,
        blocks,
        name=name,
        lock=False,
        asarray=True,
        fancy=True,
        meta=np.empty((0,) * snapshot.ndim, snapshot.dtype),
    )


def _snapshot(source: Any) -> Snapshot:
    if isinstance(source, Snapshot):
        return source
    if isinstance(source, (str, os.PathLike)):
        source = xta.open(array_path(source))
    return Snapshot(source)


def chunks_of(source: Any, chunks: Any = "auto") -> tuple[tuple[int, ...], ...]:
    """Lengths of blocks on each axis, as Dask has them, for `from_array`."""
    snapshot = _snapshot(source)
    grid = snapshot.chunk_sizes
    if isinstance(chunks, str):
        if chunks != "auto":
            raise ValueError(f"chunks={chunks!r}: it is 'auto', a number or lengths for each axis")
        return tuple(_merge(sizes, n) for sizes, n in zip(grid, _auto_factors(snapshot, grid)))
    if not isinstance(chunks, dict):
        chunks = (chunks,) * snapshot.ndim if np.ndim(chunks) == 0 else tuple(chunks)
        if len(chunks) != snapshot.ndim:
            raise ValueError(f"{snapshot.path}: chunks for {len(chunks)} axes; it has {snapshot.ndim}")
        chunks = dict(enumerate(chunks))
    wrong = [k for k in chunks if not isinstance(k, (int, np.integer)) or not -snapshot.ndim <= k < snapshot.ndim]
    if wrong:
        raise ValueError(f"{snapshot.path}: chunks: there is no axis {wrong[0]!r}; axes are 0 to {snapshot.ndim - 1}")
    chunks = {k % snapshot.ndim: v for k, v in chunks.items()}
    return tuple(_blocks_of_axis(snapshot, axis, chunks.get(axis)) for axis in range(snapshot.ndim))


def _blocks_of_axis(snapshot: Snapshot, axis: int, wanted: Any) -> tuple[int, ...]:
    sizes, n = snapshot.chunk_sizes[axis], snapshot.shape[axis]
    if wanted is None:
        return sizes
    if np.ndim(wanted):
        if sum(wanted) != n:
            raise ValueError(
                f"{snapshot.path}: axis {axis}: blocks of {tuple(wanted)} are {sum(wanted)} cells; it has {n}"
            )
        return tuple(int(w) for w in wanted)
    if wanted == -1:
        return (n,)
    if wanted < 1:
        raise ValueError(f"{snapshot.path}: axis {axis}: blocks of {wanted} cells; at least 1, or -1 for all")
    return _merge(sizes, max(1, wanted // snapshot.chunks[axis]))


def _merge(sizes: tuple[int, ...], n: int) -> tuple[int, ...]:
    """Blocks of n chunks; a first chunk that is partial belongs to the first block."""
    return tuple(sum(sizes[k : k + n]) for k in range(0, len(sizes), n))


def _auto_factors(snapshot: Snapshot, grid: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """Chunks in a block on each axis: the last axes first, which lie together in the file."""
    limit = dask.utils.parse_bytes(dask.config.get("array.chunk-size"))
    bytes_left = max(1, limit // max(1, math.prod(snapshot.chunks) * snapshot.dtype.itemsize))
    factors = []
    for sizes in reversed(grid):
        factor = min(len(sizes), bytes_left)
        factors.append(factor)
        bytes_left //= factor
    return tuple(reversed(factors))


# ---- writing ----


def target(source: Any, bounds: Bounds | None = None) -> Target:
    """Where `dask.array.store` writes blocks: an array of XTA, or a box ((lo, hi), ...) of it in XTA's coordinates.

    A box of cells that are not there yet is taken as it will be: grow the array before blocks are written.
    """
    snapshot = _snapshot(source)
    return Target(snapshot.path, snapshot.bounds if bounds is None else bounds, snapshot.dtype)


def store(sources: Any, targets: Any, regions: Any = None, compute: bool = True, **kwargs: Any) -> Any:
    """`dask.array.store` without a lock, and durable when it returns.

    Targets are those of `target`, arrays or paths. A block that a killed worker had not written, or had written in
    part, is written again by another: the result is whole.
    """
    single = isinstance(sources, da.Array)
    sources, targets = ([sources], [targets]) if single else (list(sources), list(targets))
    targets = [t if isinstance(t, Target) else target(t) for t in targets]
    for s, t, r in zip(sources, targets, _regions(regions, len(sources))):
        if r is None and s.shape != t.shape:
            raise ValueError(f"{t.path}: an array of shape {s.shape} for cells of shape {t.shape}")
    stored = da.store(sources, targets, lock=False, regions=regions, compute=False, return_stored=False)
    synced = dask.delayed(_sync, pure=False)(stored, [t.path for t in targets])
    return synced.compute(**kwargs) if compute else synced


def _regions(regions: Any, n: int) -> list[Any]:
    return [regions] * n if regions is None or isinstance(regions, tuple) else list(regions)


def _sync(_: Any, paths: Sequence[str]) -> None:
    """Workers of dask.distributed have synced what they wrote; this is for threads and processes of this machine."""
    for path in dict.fromkeys(paths):
        with xta.open(path, mode="r+") as array:
            array.sync()


def append(
    into: Any,
    data: Any,
    axis: str | int,
    coords: Any = None,
    front: bool = False,
    unit: str | None = None,
    calendar: str | None = None,
    compute: bool = True,
    **kwargs: Any,
) -> Any:
    """Append dask.arrays: the array, or the data set, grows once, here; then workers write their blocks.

    into
        an array and one dask.array; or a data set and {name: dask.array}, all of the same length along the dimension. A
        path, or what `xta.open(path, mode="r+")` gives
    axis
        name or number of the axis; of a data set the name of the dimension
    coords, unit, calendar
        labels of the new cells, as for `Dataset.append`

    Returns the first new coordinate on the axis and the one behind the last, (lo, hi); with compute=False also a
    `dask.delayed` that writes the cells. Until a block is written its cells have the fill value. If the call fails, or is
    killed, the cells
    are there: `store(data, target(array, box))` writes them again.
    """
    if isinstance(into, (str, os.PathLike)):
        into = xta.open(into, mode="r+")
    if isinstance(into, xta.Dataset):
        lo, hi, stores = _grow_set(into, data, axis, coords, front, unit, calendar)
    else:
        lo, hi, stores = _grow_array(into, data, axis, front)
    written = store([block for block, _ in stores], [t for _, t in stores], compute=compute, **kwargs)
    return (lo, hi) if compute else ((lo, hi), written)


def _grow_array(array: xta.Array, data: da.Array, axis: str | int, front: bool) -> _Grown:
    if isinstance(axis, str):
        if axis not in array.dims:
            raise ValueError(f"{array.path}: there is no axis {axis!r}; there are {array.dims}")
        axis = array.dims.index(axis)
    expected = [n for k, n in enumerate(array.shape) if k != axis]
    given = [n for k, n in enumerate(data.shape) if k != axis]
    if data.ndim != array.ndim or expected != given:
        raise ValueError(f"{array.path}: cells of shape {data.shape} do not continue {array.shape} along axis {axis}")
    bounds = list(array.extend({axis: data.shape[axis]}, front=front))
    bounds[axis] = _new_cells(bounds[axis], data.shape[axis], front)
    return (*bounds[axis], [(data, Target(array.path, bounds, array.dtype))])


def _new_cells(bounds: tuple[int, int], n: int, front: bool) -> tuple[int, int]:
    lo, hi = bounds
    return (lo, lo + n) if front else (hi - n, hi)


def _grow_set(
    opened: xta.Dataset,
    data: Mapping[str, da.Array],
    dim: str,
    coords: Any,
    front: bool,
    unit: str | None,
    calendar: str | None,
) -> _Grown:
    lengths = {}
    for name, block in data.items():
        array = opened[name]
        if dim not in array.dims:
            raise ValueError(f"{array.path} does not have the dimension {dim!r}; it has {array.dims}")
        along = array.dims.index(dim)
        expected = array.shape[:along] + array.shape[along + 1 :]
        if block.ndim != array.ndim or block.shape[:along] + block.shape[along + 1 :] != expected:
            raise ValueError(f"{array.path}: cells of shape {block.shape} do not continue {array.shape} along {dim!r}")
        lengths[name] = block.shape[along]
    if len(set(lengths.values())) != 1:
        raise ValueError(f"{opened.path}: cells along {dim!r}: {lengths}; one length is wanted")
    n = next(iter(lengths.values()))
    lo = grow(opened, {}, dim, n, coords, front, unit, calendar)
    stores = []
    for name, block in data.items():
        bounds = list(opened[name].bounds)
        bounds[opened[name].dims.index(dim)] = lo, lo + n
        stores.append((block, Target(opened[name].path, bounds, opened[name].dtype)))
    return lo, lo + n, stores


# ---- rechunk ----


class Rechunked:
    """What `rechunk` will do; `execute` does it, as with rechunker."""

    def __init__(self, steps: Sequence[Callable[..., None]], source: Any, result: str) -> None:
        self._steps, self._source, self._result = steps, source, result

    def __repr__(self) -> str:
        return f"<xta.dask.Rechunked {self._source} -> {self._result}>"

    def execute(self, **kwargs: Any) -> Any:
        """Move the cells. Returns what was made, open: an Array or a Dataset."""
        for step in self._steps:
            step(**kwargs)
        return xta.open(self._result)


def rechunk(
    source: Any,
    target_chunks: Any,
    max_mem: int | str,
    target_store: str | os.PathLike[str],
    target_options: Mapping[str, Any] | None = None,
    temp_store: Any = None,
    temp_options: Any = None,
    executor: Any = "xta",
) -> Rechunked:
    """`rechunker.rechunk`, by XTA's planner: few and large reads and writes within a memory budget.

    source
        path of an array or a data set of XTA, an `xta.Array` or `xta.Dataset`, a dask.array, or an xarray.Dataset
    target_chunks
        cells of a chunk on each axis: a tuple, or a dict by name; for data sets a dict of these by variable
    max_mem
        memory for cells: bytes, or a text such as "2GB"
    target_store
        path of what is made; it must not exist
    target_options
        `order` of the cells in a chunk
    temp_store, temp_options, executor
        are taken, and not needed: no intermediate copy is made

    Nothing is moved before `.execute()`. An array keeps its coordinates, those below 0 too.
    """
    memory = dask.utils.parse_bytes(max_mem)
    options = dict(target_options or {})
    unknown = sorted(set(options) - {"order"})
    if unknown:
        raise ValueError(f"target_options: {unknown[0]!r} is not known; known is 'order'")
    path = array_path(target_store)
    if os.path.lexists(path) or os.path.lexists(path + ".xmd"):
        raise FileExistsError(f"{path} exists")
    if isinstance(source, da.Array):
        return _rechunk_blocks(source, target_chunks, path, options)
    if hasattr(source, "data_vars"):
        return _rechunk_variables(source, target_chunks, path, options)
    opened = xta.open(source) if isinstance(source, (str, os.PathLike)) else source
    if isinstance(opened, xta.Dataset):
        return _rechunk_set(opened, target_chunks, memory, path, options)
    chunks = _chunks_by_axis(opened, target_chunks)
    step = functools.partial(_rechunk_array, array_path(opened.path), path, chunks, memory, options)
    return Rechunked([step], opened.path, path)


def _chunks_by_axis(array: xta.Array, chunks: Any) -> tuple[int, ...]:
    """Cells of a chunk on each axis, of a tuple or of a dict by name."""
    if isinstance(chunks, dict):
        wrong = sorted(set(chunks) - set(array.dims))
        if wrong:
            raise ValueError(
                f"{array.path}: target_chunks: there is no axis {wrong[0]!r}; there are {', '.join(array.dims)}"
            )
        chunks = tuple(chunks.get(dim, c) for dim, c in zip(array.dims, array.chunks))
    if len(chunks) != array.ndim:
        raise ValueError(f"{array.path}: target_chunks {tuple(chunks)}: the array has {array.ndim} axes")
    chunks = tuple(max(1, n) if c == -1 else int(c) for c, n in zip(chunks, array.shape))
    if min(chunks) < 1:
        raise ValueError(f"{array.path}: target_chunks {chunks}: at least 1 cell, or -1 for the length of the axis")
    return chunks


def _rechunk_array(
    source: str, path: str, chunks: tuple[int, ...], memory: int, options: Mapping[str, Any], **_: Any
) -> None:
    with xta.open(source) as array:
        order = options.get("order", array.order)
    xta.rechunk(source, chunks, path, order=order, memory_bytes=memory)


def _rechunk_set(
    opened: xta.Dataset, target_chunks: Any, memory: int, path: str, options: Mapping[str, Any]
) -> Rechunked:
    wrong = sorted(set(target_chunks) - set(opened.members))
    if wrong:
        raise ValueError(f"{opened.path}: there is no variable {wrong[0]!r}; there are {', '.join(opened.members)}")
    steps = [functools.partial(_begin_set, opened.path, path)]
    for name in opened.members:
        array = opened[name]
        chunks = _chunks_by_axis(array, target_chunks.get(name) or array.chunks)
        steps.append(functools.partial(_rechunk_array, array.path, os.path.join(path, name), chunks, memory, options))
    return Rechunked(steps, opened.path, path)


def _begin_set(source: str, path: str, **_: Any) -> None:
    """What the data set says about its arrays; these come one after the other."""
    with xta.open(source) as old, xta.create_dataset(path) as new:
        for name, dim in old.dims.items():
            regular = dict(origin=dim.origin, step=dim.step, dtype=dim.dtype) if dim.coordinates == "regular" else {}
            attrs = dict(old.dim_attrs(name)) if regular else {}
            new.set_dim(name, bounds=(dim.lo, dim.hi), unlimited=dim.unlimited, attrs=attrs, **regular)
        new.attrs.update(old.attrs)


def _rechunk_blocks(source: da.Array, chunks: Sequence[int], path: str, options: Mapping[str, Any]) -> Rechunked:
    """Blocks of Dask need no plan: each is written where it belongs, over the edges of chunks too."""
    if len(chunks) != source.ndim:
        raise ValueError(f"target_chunks {tuple(chunks)}: the array has {source.ndim} axes")
    chunks = tuple(max(1, n) if c == -1 else int(c) for c, n in zip(chunks, source.shape))

    def write(**kwargs: Any) -> None:
        with xta.create(path, shape=source.shape, dtype=source.dtype, chunks=chunks, **options) as array:
            store(source, array, **kwargs)

    return Rechunked([write], source, path)


def _rechunk_variables(ds: Any, target_chunks: Any, path: str, options: Mapping[str, Any]) -> Rechunked:
    from xta import xarray_accessor

    wrong = sorted(set(target_chunks) - set(ds.variables) - set(ds.dims))
    if wrong:
        raise ValueError(
            f"target_chunks: there is no variable {wrong[0]!r}; there are {', '.join(map(str, ds.variables))}"
        )
    encoding = {}
    for name, var in ds.variables.items():
        chunks = target_chunks.get(name)
        if chunks is None or name in ds.dims:
            continue
        by_dim = chunks if isinstance(chunks, dict) else dict(zip(var.dims, chunks))
        encoding[name] = {"chunks": tuple(by_dim.get(d, n) for d, n in var.sizes.items()), **options}

    def write(**kwargs: Any) -> None:
        with dask.config.set(**kwargs):
            xarray_accessor.XtaAccessor(ds).to_xta(path, encoding=encoding)

    return Rechunked([write], f"Dataset of {', '.join(map(str, ds.data_vars))}", path)
