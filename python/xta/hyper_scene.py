# SPDX-License-Identifier: Apache-2.0
"""Scenes of xta.hyper, and what its functions do with arguments and results."""
from __future__ import annotations

import contextlib
import operator
import os
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from . import _xta, errors, types
from .array import Array

try:
    from . import _hyper
except ImportError as missing:
    raise ImportError(
        f"xta.hyper: this build of the package has no libxta_hyper ({missing}); build XTA with OpenBLAS and LAPACKE, "
        "or install Debian's python3-xta with libxta-hyper1; wheels do not contain it"
    ) from missing

Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Integers = np.ndarray[Any, np.dtype[np.int64]]

CONSTRAINTS = {"fcls": 0, "nnls": 1, "scls": 2, "ucls": 3}
_MOST = (1 << 63) - 1


# ---- arguments ----


def whole(name: str, value: Any, least: int = 0, most: int = _MOST) -> int:
    number = operator.index(value)
    if not least <= number <= most:
        raise ValueError(f"{name}: {number} is out of range; want {least} to {most}")
    return number


def one_of(name: str, value: str, choices: Sequence[str] | dict[str, int]) -> str:
    if value not in choices:
        raise ValueError(f"{name} {value!r}: one of {', '.join(choices)}")
    return value


def names_of(what: str, names: Sequence[str | None], none_too: bool = False) -> tuple[str | None, ...]:
    for name in names:
        if not (isinstance(name, str) and "\0" not in name or none_too and name is None):
            raise TypeError(f"{what}: {name!r} is no name")
    return tuple(names)


def axis_text(axis: int | str | None) -> str | None:
    return axis if axis is None or isinstance(axis, str) else str(operator.index(axis))


def floating(dtype: Any) -> int:
    code, _ = types.code_of(dtype)
    if code not in (11, 12):
        raise TypeError(f"dtype {np.dtype(dtype)}: results are float32 or float64")
    return code


def target(path: Path | None) -> bytes | None:
    name = None if path is None else os.fsencode(path)
    if name == b"":
        raise ValueError("the path of a result is empty")
    return name


def beside_path(wanted: bool | Path) -> bytes | None:
    """A second result, for the extension: not wanted, in memory (b""), or a path."""
    if isinstance(wanted, bool):
        return b"" if wanted else None
    return target(wanted)


def directions_of(skewers: Any, projections: int) -> tuple[int, Floats | None]:
    """How many directions ppi projects on, and which; None: random ones."""
    directions = None if skewers is None else np.ascontiguousarray(skewers, np.float64)
    if directions is not None and directions.ndim != 2:
        raise ValueError(f"skewers: shape {directions.shape}; a row for each direction is wanted")
    if directions is not None and not np.isfinite(directions).all():
        raise ValueError("skewers: directions that are not finite")
    return whole("projections", projections if directions is None else len(directions), 1), directions


def limits_of_nfindr(restarts: int, sweeps: int) -> tuple[int, int]:
    return whole("restarts", restarts, 0, 10000), whole("sweeps", sweeps, 0, 1000000)


def windows_of_amee(radius: int, iterations: int) -> tuple[int, int]:
    return whole("radius", radius, 1, 15), whole("iterations", iterations, 1, 64)


def source_of(values: Any) -> tuple[int, int, np.ndarray[Any, Any]]:
    """NumPy's cells as a source for the extension."""
    memory, code = types.as_memory(values)
    return code, memory.itemsize, np.ascontiguousarray(memory)


def spectra_of(values: Any, n_bands: int, what: str) -> Floats:
    """Spectra in rows, of the bands in use."""
    spectra = np.ascontiguousarray(values, np.float64)
    if spectra.ndim != 2 or spectra.shape[0] == 0:
        raise ValueError(f"{what}: shape {spectra.shape}; a row of bands for each spectrum is wanted")
    if spectra.shape[1] != n_bands:
        raise ValueError(f"{what}: {spectra.shape[1]} bands; the other side has {n_bands} in use")
    return spectra


# ---- scenes ----


class CallLock:
    """For calls of one thread at a time. A signal handler runs on the thread whose call it interrupts: it is refused,
    since it would wait for itself."""

    def __init__(self, what: str) -> None:
        self._what, self._lock, self._owner = what, threading.Lock(), 0

    def __enter__(self) -> None:
        if self._owner == threading.get_ident():
            raise errors.StateError(f"{self._what}: in use by this thread; a signal handler may only raise")
        self._lock.acquire()
        self._owner = threading.get_ident()

    def __exit__(self, *raised: object) -> None:
        self._owner = 0
        self._lock.release()


class Scene:
    """A scene that is open: a snapshot, used by one thread at a time (others wait). `open` makes it."""

    def __init__(self, capsule: Any, path: str | None) -> None:
        self._capsule, self._path, self._lock = capsule, path, CallLock(path or "the scene")
        self._info: dict[str, Any] = _hyper.inquire_scene(capsule)

    @property
    def path(self) -> str | None:
        """Of the array; None: NumPy's memory."""
        return self._path

    @property
    def bounds(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """((lo, hi) of lines, (lo, hi) of samples), in coordinates."""
        return self._info["lines"], self._info["samples"]

    @property
    def shape(self) -> tuple[int, int, int]:
        """Numbers of lines, samples and bands in use."""
        (line_lo, line_hi), (sample_lo, sample_hi) = self.bounds
        return line_hi - line_lo, sample_hi - sample_lo, len(self.bands)

    @property
    def bands(self) -> Integers:
        """Coordinates of the bands in use."""
        return np.frombuffer(self._info["bands"], np.int64)

    @property
    def wavelengths(self) -> Floats | None:
        """Of the bands in use, in `wavelength_unit`; None: not known."""
        return self._numbers("wavelengths")

    @property
    def wavelength_unit(self) -> str:
        """Such as "nm"; "": not known."""
        return str(self._info["wavelength_unit"])

    @property
    def gain(self) -> Floats | None:
        """For each band in use: physical values are gain * cell + offset. None: the array does not say."""
        return self._numbers("gain")

    @property
    def offset(self) -> Floats | None:
        return self._numbers("offset")

    def _numbers(self, name: str) -> Floats | None:
        return None if self._info[name] is None else np.frombuffer(self._info[name], np.float64)

    @contextlib.contextmanager
    def _held(self) -> Iterator[Any]:
        """The capsule, while no other thread uses it."""
        with self._lock:
            if self._capsule is None:
                raise errors.closed(self._path)
            yield self._capsule

    def read(
        self, lines: tuple[int, int] | None = None, samples: tuple[int, int] | None = None
    ) -> tuple[Floats, np.ndarray[Any, np.dtype[np.bool_]]]:
        """Pixels as the methods see them.

        Args:
            lines, samples: (lo, hi) in coordinates; None: all

        Returns:
            cells (lines, samples, bands in use) as float64, and which pixels are valid (lines, samples): those without
            NaN, infinity or no-data in a band in use

        Raises:
            xta.BoxError: beyond the bounds
        """
        (line_lo, line_hi), (sample_lo, sample_hi) = lines or self.bounds[0], samples or self.bounds[1]
        with self._held() as capsule:
            pixels, valid = _hyper.read_scene(capsule, line_lo, line_hi, sample_lo, sample_hi)
        shape = line_hi - line_lo, sample_hi - sample_lo
        return np.frombuffer(pixels, np.float64).reshape(*shape, -1 if shape[0] and shape[1] else self.shape[2]), (
            np.frombuffer(valid, np.bool_).reshape(shape)
        )

    def _look_again(self, capsule: Any) -> None:
        """Its bounds have changed."""
        self._info = _hyper.inquire_scene(capsule)

    @property
    def closed(self) -> bool:
        return self._capsule is None

    def close(self) -> None:
        """Close the array behind it, after the calls in progress."""
        with self._lock:
            self._capsule = None

    def __enter__(self) -> Scene:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __repr__(self) -> str:
        n_lines, n_samples, n_bands = self.shape
        sizes = f"{n_lines} lines, {n_samples} samples, {n_bands} bands"
        return f"<xta.hyper.Scene {self._path or 'in memory'}: {sizes}{', closed' if self.closed else ''}>"


def open(
    values: Any,
    *,
    dims: Sequence[str | None] | None = None,
    lines: int | str | None = None,
    samples: int | str | None = None,
    bands: int | str | None = None,
    use_bands: Sequence[int] | None = None,
    bad_bands_too: bool = False,
    nodata: Sequence[float] = (),
    memory_bytes: int = 0,
    threads: int = 0,
) -> Scene:
    """Open an array as a scene.

    Args:
        values: a path, an `xta.Array` (its snapshot; further growth is not seen), or anything of NumPy (copied)
        dims: names of the axes of NumPy's array, such as ("band", "line", "sample")
        lines, samples, bands: the axes, by name or number. None: by their names, else bands are the axis with an
            attribute `wavelength` or `bbl`, else the last of three, and lines come before samples
        use_bands: coordinates of the bands to use, ascending. None: all but those that `bbl` marks as bad and those
            without data
        bad_bands_too: use also what `bbl` marks as bad
        nodata: values that are no data, besides those in attributes (`_FillValue`, `missing_value`, `nodata`)
        memory_bytes: of tiles and caches; 0: 1 GiB
        threads: 0: as many as there are processors
    """
    path, names, snapshot, source = None, None, None, None
    if isinstance(values, Array):
        path, snapshot = os.fsdecode(values._shared_path()), (values.bounds, values.step)
    elif isinstance(values, (str, bytes, os.PathLike)):
        path = os.fsdecode(values)
    else:
        source = source_of(values)
        names = None if dims is None else names_of("dims", dims, none_too=True)
    if dims is not None and path is not None:
        raise ValueError("dims are of NumPy's arrays; an array of the package has names of its own")
    use = None if use_bands is None else np.array([operator.index(band) for band in use_bands], np.int64)
    capsule = _hyper.open_scene(
        os.fsencode(path) if path is not None else source, names, snapshot, axis_text(lines), axis_text(samples), axis_text(bands),
        use, bad_bands_too, np.array(nodata, np.float64).reshape(-1), whole("memory_bytes", memory_bytes),
        whole("threads", threads, 0, 1024) or len(os.sched_getaffinity(0)),
    )
    return Scene(capsule, path)


@contextlib.contextmanager
def held_scene(values: Any) -> Iterator[tuple[Scene, Any]]:
    """A scene and its capsule; what is opened here is closed again."""
    scene = values if isinstance(values, Scene) else open(values)
    try:
        with scene._held() as capsule:
            yield scene, capsule
    finally:
        if scene is not values:
            scene.close()


def cells_of(found: Any, path: bytes | None) -> Any:
    """A result: NumPy's array, or the array of a path."""
    if found is None:
        return _xta.open_array(Array, path, False, None, None)
    code, bounds, memory = found
    return np.frombuffer(memory, types.dtype_of(code, 0)).reshape([hi - lo for lo, hi in bounds])
