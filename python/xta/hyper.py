# SPDX-License-Identifier: Apache-2.0
"""Hyperspectral analysis: calls of libxta_hyper, with NumPy or arrays of the package in and out.

>>> from xta import hyper
>>> found = hyper.endmembers("samson", 3, "amee")
>>> abundances = hyper.unmix("samson", found.spectra)

A scene has lines, samples and bands. All functions take one as a path, an `xta.Array`, anything of NumPy, or a `Scene`,
which is opened once for several calls. Results have the same bits as those of `xta hyper`, for any number of threads.
Pixels are named by the scene's coordinates; those of a NumPy array are its positions. Spectra have the unit of the
cells.

Raises, besides what the functions say:
    xta.NotFoundError, xta.FormatError, xta.CorruptError: a path without an array
    xta.ArgumentError: axes that cannot be told apart, no band left, a memory budget without room for a tile, or other
        arguments that do not fit the scene
    xta.TypeMismatchError: cells that are no real numbers
    xta.OutOfMemoryError: the memory budget is too small for a method; the text says what is enough
    xta.ClosedError: the scene was closed
    KeyboardInterrupt: interrupted; files that were to be made do not exist
"""
from __future__ import annotations

import contextlib
import operator
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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

__all__ = [
    "Accuracy", "Basis", "EndmemberScore", "Endmembers", "Moments", "Scene", "classify", "classify_supervised", "count",
    "endmembers", "moments", "open", "pct", "project", "read_basis", "score_endmembers", "score_labels", "unmix",
]

Path = str | os.PathLike[str]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Integers = np.ndarray[Any, np.dtype[np.int64]]

CONSTRAINTS = {"fcls": 0, "nnls": 1, "scls": 2, "ucls": 3}
_SIMPLEX = {"nfindr": 0, "sga": 1, "vca": 2}
_MOST = (1 << 63) - 1


# ---- arguments ----


def _whole(name: str, value: Any, least: int = 0, most: int = _MOST) -> int:
    number = operator.index(value)
    if not least <= number <= most:
        raise ValueError(f"{name}: {number} is out of range; want {least} to {most}")
    return number


def _one_of(name: str, value: str, choices: Sequence[str] | dict[str, int]) -> str:
    if value not in choices:
        raise ValueError(f"{name} {value!r}: one of {', '.join(choices)}")
    return value


def _axis(axis: int | str | None) -> str | None:
    return axis if axis is None or isinstance(axis, str) else str(operator.index(axis))


def _floating(dtype: Any) -> int:
    code, _ = types.code_of(dtype)
    if code not in (11, 12):
        raise TypeError(f"dtype {np.dtype(dtype)}: results are float32 or float64")
    return code


def _target(path: Path | None) -> str | None:
    name = None if path is None else os.fspath(path)
    if name == "":
        raise ValueError("the path of a result is empty")
    return name


def _beside(wanted: bool | Path) -> str | None:
    """A second result, for the extension: not wanted, in memory (""), or a path."""
    if isinstance(wanted, bool):
        return "" if wanted else None
    return _target(wanted)


def _memory(values: Any) -> tuple[int, int, np.ndarray[Any, Any]]:
    """NumPy's cells as a source for the extension."""
    memory, code = types.as_memory(values)
    return code, memory.itemsize, np.ascontiguousarray(memory)


def _spectra(values: Any, n_bands: int, what: str) -> Floats:
    """Spectra in rows, of the bands in use."""
    spectra = np.ascontiguousarray(values.spectra if isinstance(values, Endmembers) else values, np.float64)
    if spectra.ndim != 2 or spectra.shape[0] == 0:
        raise ValueError(f"{what}: shape {spectra.shape}; a row of bands for each spectrum is wanted")
    if spectra.shape[1] != n_bands:
        raise ValueError(f"{what}: {spectra.shape[1]} bands; the other side has {n_bands} in use")
    return spectra


# ---- scenes ----


class Scene:
    """A scene that is open: a snapshot, used by one thread at a time (others wait). `open` makes it."""

    def __init__(self, capsule: Any, path: str | None) -> None:
        self._capsule, self._path, self._lock = capsule, path, threading.Lock()
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
        path, snapshot = values.path, (values.bounds, values.step)
    elif isinstance(values, (str, os.PathLike)):
        path = os.fspath(values)
    else:
        source = _memory(values)
        names = None if dims is None else tuple(dims)
    if dims is not None and path is not None:
        raise ValueError("dims are of NumPy's arrays; an array of the package has names of its own")
    use = None if use_bands is None else np.array([operator.index(band) for band in use_bands], np.int64)
    capsule = _hyper.open_scene(
        path if source is None else source, names, snapshot, _axis(lines), _axis(samples), _axis(bands), use,
        bad_bands_too, np.array(nodata, np.float64).reshape(-1), _whole("memory_bytes", memory_bytes),
        _whole("threads", threads, 0, 1024) or len(os.sched_getaffinity(0)),
    )
    return Scene(capsule, path)


@contextlib.contextmanager
def _scene(values: Any) -> Iterator[tuple[Scene, Any]]:
    """A scene and its capsule; what is opened here is closed again."""
    scene = values if isinstance(values, Scene) else open(values)
    try:
        with scene._held() as capsule:
            yield scene, capsule
    finally:
        if scene is not values:
            scene.close()


def _cells(found: Any, path: str | None) -> Any:
    """A result: NumPy's array, or the array of a path."""
    if found is None:
        return _xta.open_array(Array, path, False, None, None)
    code, bounds, memory = found
    return np.frombuffer(memory, types.dtype_of(code, 0)).reshape([hi - lo for lo, hi in bounds])


# ---- endmembers ----


@dataclass(frozen=True, eq=False)
class Endmembers:
    """Endmembers that were found, in the order of selection.

    spectra: (n, bands in use), in the unit of the cells; NumPy takes an Endmembers for this array
    lines, samples: coordinates of their pixels
    scores: squared heights in the simplex (nfindr, ppi), squared distances (sga, vca), or eccentricities in radians
    counts: of ppi, how often each pixel was an extreme; else None
    region_sizes: with `means`, pixels in each region; else None
    bands, wavelengths, wavelength_unit: of the columns of spectra
    wanted: how many were asked for; n is less if the pixels span no more
    converged: False: nfindr ended by the bound on its sweeps
    """

    method: str
    spectra: Floats
    lines: Integers
    samples: Integers
    scores: Floats
    counts: Integers | None
    region_sizes: Integers | None
    bands: Integers
    wavelengths: Floats | None
    wavelength_unit: str
    wanted: int
    converged: bool
    n_candidates: int | None
    log_volume: float | None
    threshold: float | None

    def __len__(self) -> int:
        return len(self.spectra)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.array(self.spectra, dtype) if copy else np.asarray(self.spectra, dtype)


def _take(method: str, scene: Scene, wanted: int, found: Any) -> Endmembers:
    n, n_bands, spectra, lines, samples, scores, index, regions, facts = found
    return Endmembers(
        method,
        np.frombuffer(spectra, np.float64).reshape(n, n_bands),
        np.frombuffer(lines, np.int64),
        np.frombuffer(samples, np.int64),
        np.frombuffer(scores, np.float64),
        None if index is None or method != "ppi" else np.frombuffer(index, np.float64).astype(np.int64),
        None if regions is None else np.array(regions, np.int64),
        scene.bands,
        scene.wavelengths,
        scene.wavelength_unit,
        wanted,
        facts.get("converged", True),
        facts["n_candidates"] if method in ("ppi", "amee") else None,
        facts.get("log_volume"),
        facts.get("threshold"),
    )


def endmembers(
    scene: Any,
    count: int,
    method: str = "nfindr",
    *,
    seed: int = 0,
    basis: Basis | None = None,
    restarts: int = 0,
    sweeps: int = 0,
    projections: int = 1000,
    skewers: Any = None,
    threshold: float = 0.0,
    least: int = 1,
    radius: int = 1,
    iterations: int = 3,
    candidates: int = 0,
    means: bool = False,
    region_angle: float = 0.0,
    region_radius: int = 0,
) -> Endmembers:
    """Pixels that are as pure as can be: `xta hyper endmembers`.

    Args:
        count: how many, 1 to 1024
        method: "nfindr", the simplex of largest volume; "sga", always the pixel farthest from those chosen; "vca", that
            in random directions; "ppi", extremes of random projections; "amee", the purest among their neighbours. The
            latter two then choose the largest simplex among their candidates
        seed: of vca, of the restarts of nfindr, and of the skewers of ppi
        basis: where to look (not for amee); None: in all bands in use
        restarts, sweeps: nfindr: also start from so many selections of vca; at most so many sweeps (0: 100)
        projections, skewers: ppi: number of random directions; or the directions, (n, bands in use or components)
        threshold, least: ppi: count also pixels within this distance of an extreme, in the unit of the cells; pixels
            with this count are candidates
        radius, iterations, candidates: amee: windows are 2 radius + 1 pixels wide (1 to 15); how often pixels are
            replaced by their purest neighbours (1 to 64); at most so many candidates (0: 4096)
        means: spectra are the means of the regions around the pixels
        region_angle, region_radius: what belongs to a region: angles below this, in radians (0: 0.05), and lines and
            samples that it may reach (0: 64)

    Raises:
        ValueError: what is out of range
        xta.ArgumentError: too few candidates, or a basis of other bands
    """
    _one_of("method", method, ("nfindr", "ppi", "amee", "sga", "vca"))
    number = _whole("count", count, 1, 1024)
    seed = _whole("seed", seed)
    region = (float(region_angle), _whole("region_radius", region_radius)) if means else None
    if method == "amee":
        if basis is not None:
            raise ValueError("basis: amee looks in all bands")
        numbers = (
            _whole("radius", radius, 1, 15), _whole("iterations", iterations, 1, 64), _whole("candidates", candidates),
        )
        with _scene(scene) as (opened, capsule):
            return _take(method, opened, number, _hyper.find_amee(capsule, number, *numbers, region))
    where = None if basis is None else basis._capsule
    if method == "ppi":
        directions = None if skewers is None else np.ascontiguousarray(skewers, np.float64)
        if directions is not None and directions.ndim != 2:
            raise ValueError(f"skewers: shape {directions.shape}; a row for each direction is wanted")
        n = _whole("projections", projections if directions is None else len(directions), 1)
        with _scene(scene) as (opened, capsule):
            found = _hyper.find_ppi(
                capsule, number, seed, where, n, directions, float(threshold), _whole("least", least, 1), region
            )
            return _take(method, opened, number, found)
    limits = _whole("restarts", restarts, 0, 10000), _whole("sweeps", sweeps, 0, 1000000)
    with _scene(scene) as (opened, capsule):
        found = _hyper.find_simplex(capsule, _SIMPLEX[method], number, seed, where, *limits, region)
        return _take(method, opened, number, found)


# ---- moments and bases ----


@dataclass(frozen=True, eq=False)
class Moments:
    """Moments of the valid pixels, by bands in use.

    n_pixels: how many there are
    mean: (bands), in the unit of the cells
    covariance: (bands, bands), divided by n_pixels - 1
    correlation: (bands, bands), the mean of x x^T, about the origin
    noise: (bands, bands), half the covariance of the differences between neighbours in a line; None: not asked for
    """

    n_pixels: int
    mean: Floats
    covariance: Floats
    correlation: Floats
    noise: Floats | None


def moments(scene: Any, *, noise: bool = False) -> Moments:
    """Mean spectrum, covariance and correlation; with `noise` also the covariance of the noise.

    Raises:
        xta.ArgumentError: fewer than two valid pixels
    """
    with _scene(scene) as (_, capsule):
        n_pixels, mean, *matrices = _hyper.moments(capsule, noise)
    covariance, correlation, of_noise = (
        None if cells is None else np.frombuffer(cells, np.float64).reshape(len(mean) // 8, -1) for cells in matrices
    )
    assert covariance is not None and correlation is not None
    return Moments(n_pixels, np.frombuffer(mean, np.float64), covariance, correlation, of_noise)


def count(scene: Any, p_false: float = 1e-3) -> dict[str, int]:
    """How many endmembers there may be: {"hfc": ..., "hysime": ...}, two hints, as `xta hyper count` gives them.

    Args:
        p_false: probability of a false alarm of "hfc", above 0 and below 1
    """
    with _scene(scene) as (_, capsule):
        by_hfc, by_hysime = _hyper.count(capsule, p_false)
    return {"hfc": by_hfc, "hysime": by_hysime}


class Basis:
    """A frozen basis: a mean and vectors to project on. `pct` and `read_basis` make it; any thread may use it.

    kind: "pct", "pct-uncentred" or "mnf"
    bands: coordinates of the bands
    mean: (bands), which is subtracted first
    vectors: (components, bands)
    eigenvalues: (bands), descending: variances, or of mnf relative to the noise
    """

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule
        kind, n, n_bands, bands, mean, vectors, eigenvalues = _hyper.inquire_basis(capsule)
        self.kind: str = kind
        self.bands: Integers = np.frombuffer(bands, np.int64)
        self.mean: Floats = np.frombuffer(mean, np.float64)
        self.vectors: Floats = np.frombuffer(vectors, np.float64).reshape(n, n_bands)
        self.eigenvalues: Floats = np.frombuffer(eigenvalues, np.float64)
        for numbers in (self.bands, self.mean, self.vectors, self.eigenvalues):
            numbers.flags.writeable = False

    def __len__(self) -> int:
        return len(self.vectors)

    def write(self, path: Path) -> None:
        """Write a file that `read_basis` and `xta hyper pct --basis` read. It is replaced if it exists."""
        _hyper.write_basis(self._capsule, os.fspath(path))

    def __repr__(self) -> str:
        return f"<xta.hyper.Basis {self.kind}: {len(self)} components of {len(self.bands)} bands>"


def read_basis(path: Path) -> Basis:
    """Read a basis from a file of `Basis.write` or `xta hyper pct --basis`.

    Raises:
        xta.NotFoundError, xta.FormatError, xta.CorruptError
    """
    return Basis(_hyper.read_basis(os.fspath(path)))


def pct(scene: Any, components: int | None = None, *, mnf: bool = False, uncentred: bool = False) -> Basis:
    """Principal components of a scene, as a basis for `project` and `endmembers`.

    Args:
        components: how many; None: 10, or as many as there are bands
        mnf: minimum noise fraction: noise of variance one in every component
        uncentred: about the origin, so that angles between spectra survive; not with mnf

    Raises:
        xta.ArgumentError: more components than bands, or fewer than two valid pixels
    """
    if mnf and uncentred:
        raise ValueError("mnf and uncentred exclude one another")
    with _scene(scene) as (opened, capsule):
        n = min(10, len(opened.bands)) if components is None else _whole("components", components, 1)
        return Basis(_hyper.make_basis(capsule, mnf, n, uncentred))


def project(scene: Any, basis: Basis, out: Path | None = None, *, dtype: Any = "f4") -> Any:
    """The components of every pixel.

    Args:
        basis: of the bands in use
        out: path of a new array; None: NumPy's
        dtype: float32 or float64

    Returns:
        (components, lines, samples), NaN for pixels that are not valid; with `out` that array, open for reading

    Raises:
        xta.ArgumentError: a basis of other bands
        xta.ExistsError: there is an array at `out`
    """
    code, path = _floating(dtype), _target(out)
    with _scene(scene) as (_, capsule):
        found = _hyper.project(capsule, basis._capsule, path, code)
    return _cells(found, path)


# ---- abundances and labels ----


def _names(names: Sequence[str] | None, n: int) -> tuple[str, ...]:
    return tuple(f"em{k + 1}" for k in range(n)) if names is None else tuple(names)


def unmix(
    scene: Any,
    endmembers: Any,
    constraint: str = "fcls",
    *,
    normalise: bool = False,
    names: Sequence[str] | None = None,
    out: Path | None = None,
    residual: bool | Path = False,
    dtype: Any = "f4",
) -> Any:
    """How much of each endmember is in each pixel, by least squares: `xta hyper unmix`.

    Args:
        endmembers: spectra (n, bands in use) in the unit of the cells, n up to 256, or an `Endmembers`
        constraint: "fcls", not negative and of sum one; "nnls", only the first; "scls", only the second; "ucls", none
        normalise: unmix shapes: pixels and endmembers scaled to length one
        names: of the endmembers, for errors and for `out`; None: em1, em2, ...
        out: path of a new array; None: NumPy's
        residual: also the root mean square of what remains of each pixel; a path: in a new array there
        dtype: float32 or float64

    Returns:
        abundances (n, lines, samples), NaN for pixels without data; with `residual` a pair: these and (lines, samples).
        What has a path is an `xta.Array`, open for reading

    Raises:
        xta.ArgumentError: endmembers that coincide or depend on each other; the text names them
        xta.ExistsError: there is an array at `out` or `residual`
    """
    method = CONSTRAINTS[_one_of("constraint", constraint, CONSTRAINTS)]
    code, path, beside = _floating(dtype), _target(out), _beside(residual)
    with _scene(scene) as (opened, capsule):
        spectra = _spectra(endmembers, len(opened.bands), "endmembers")
        found, left = _hyper.unmix(
            capsule, spectra, len(spectra), _names(names, len(spectra)), method, normalise, path, code, beside
        )
    abundances = _cells(found, path)
    return abundances if beside is None else (abundances, _cells(left, beside))


def classify(
    scene: Any,
    endmembers: Any,
    by: str = "sad",
    *,
    constraint: str = "fcls",
    normalise: bool = False,
    names: Sequence[str] | None = None,
    out: Path | None = None,
    angles: bool | Path = False,
) -> Any:
    """Label each pixel by its endmember: `xta hyper classify --by`.

    Args:
        endmembers: spectra (n, bands in use), or an `Endmembers`
        by: "sad", the smallest angle; "abundance", the largest share of `unmix` with `constraint` and `normalise`
        names: of the endmembers, for errors
        out: path of a new array; None: NumPy's
        angles: by "sad": also the angle of each pixel to its endmember, in radians (float32); a path: in a new array

    Returns:
        labels (lines, samples) as uint8, or uint16 for more than 255: 1 + the endmember, 0 for pixels without one; with
        `angles` a pair. What has a path is an `xta.Array`, open for reading; it has no names and colours of classes
    """
    _one_of("by", by, ("sad", "abundance"))
    method = CONSTRAINTS[_one_of("constraint", constraint, CONSTRAINTS)]
    path, beside = _target(out), _beside(angles)
    if by != "sad" and beside is not None:
        raise ValueError("angles: belong to by='sad'")
    with _scene(scene) as (opened, capsule):
        spectra = _spectra(endmembers, len(opened.bands), "endmembers")
        found, found_angles = _hyper.label(
            capsule, spectra, len(spectra), _names(names, len(spectra)), -1 if by == "sad" else method, normalise,
            path, beside,
        )
    labels = _cells(found, path)
    return labels if beside is None else (labels, _cells(found_angles, beside))


# ---- scores ----


@dataclass(frozen=True, eq=False)
class Accuracy:
    """Labels against classes, over the pixels whose class is not 0.

    classes: their numbers, ascending
    label_of: (classes) the label that is taken for each, -1 for none
    confusion: (classes, classes + 1) pixels, by class and by the class of the label; last: labels of no class
    producer, user: (classes) correct / pixels of the class, and correct / pixels with its label (NaN without one)
    n, correct: pixels
    overall, average, kappa: shares, and Cohen's kappa
    class_size, class_overlap: scores of the sizes of classes, which ignore where the pixels are
    """

    classes: np.ndarray[Any, np.dtype[np.int32]]
    label_of: np.ndarray[Any, np.dtype[np.int32]]
    confusion: np.ndarray[Any, np.dtype[np.uint64]]
    producer: Floats
    user: Floats
    n: int
    correct: int
    overall: float
    average: float
    kappa: float
    class_size: float
    class_overlap: float


def _accuracy(facts: dict[str, Any]) -> Accuracy:
    kinds = {"classes": "i4", "label_of": "i4", "confusion": "u8", "producer": "f8", "user": "f8"}
    lists: dict[str, Any] = {name: np.frombuffer(facts.pop(name), kind) for name, kind in kinds.items()}
    lists["confusion"] = lists["confusion"].reshape(len(lists["classes"]), -1)
    return Accuracy(**lists, **facts)


def classify_supervised(
    scene: Any,
    truth: Any,
    by: str = "lda",
    *,
    train: float = 0.1,
    components: int | None = None,
    full_band: bool = False,
    seed: int = 0,
    equal_priors: bool = False,
    out: Path | None = None,
) -> tuple[Any, Accuracy, int]:
    """Label each pixel by training on some of the labelled ones: `xta hyper classify --supervised`.

    Args:
        truth: classes (lines, samples), 0 for none: NumPy's array of the shape of the scene; or a path or an
            `xta.Array` (as it is now), whose cells lie at their coordinates
        by: "lda", linear discriminants; "ml", Gaussian maximum likelihood
        train: share of the pixels of each class to train on, above 0 and below 1; the others are scored
        components: principal components to train on; None: 30, or all bands if there are fewer
        full_band: train on the bands themselves
        seed: of the choice of the pixels to train on, which depends on their coordinates
        equal_priors: take every class for equally frequent
        out: path of a new array; None: NumPy's

    Returns:
        labels (lines, samples), uint8 if truth has cells of a byte, else uint16; the accuracy on the pixels that were
        not trained on; and the number of pixels trained on

    Raises:
        xta.ArgumentError: fewer than two classes, or a class of one pixel
        xta.RangeError: a class below 0 or above 65535
    """
    methods = {"lda": 0, "ml": 1}
    method, path = methods[_one_of("by", by, methods)], _target(out)
    if not 0 < train < 1:
        raise ValueError(f"train: {train} is no share; want above 0 and below 1")
    if full_band and components is not None:
        raise ValueError("components: with full_band there are none")
    numbers = 0 if components is None else _whole("components", components, 1), full_band, _whole("seed", seed)
    with _scene(scene) as (opened, capsule):
        source: Any
        shift: tuple[int, int] | None = (0, 0)
        if isinstance(truth, (str, os.PathLike)):
            source = os.fspath(truth)
        elif isinstance(truth, Array):
            source = truth.path
        else:
            source, shift = _memory(truth), None
            if source[2].shape != opened.shape[:2]:
                raise ValueError(f"truth: shape {source[2].shape}; the scene has {opened.shape[:2]} lines and samples")
        found, accuracy, n_trained = _hyper.classify(
            capsule, source, shift, method, float(train), *numbers, equal_priors, path
        )
    return _cells(found, path), _accuracy(accuracy), n_trained


def _classes(values: Any, what: str) -> np.ndarray[Any, np.dtype[np.int32]]:
    classes = np.asarray(values)
    if classes.dtype.kind not in "iub":
        raise TypeError(f"{what}: dtype {classes.dtype}; classes are whole numbers")
    if classes.size and not 0 <= classes.min() <= classes.max() <= 65535:
        worst = classes.min() if classes.min() < 0 else classes.max()
        raise errors.from_text(4, f"{what}: class {worst} is out of range; want 0 to 65535", None, None, int(worst))
    return np.ascontiguousarray(classes, np.int32)


def score_labels(labels: Any, truth: Any, *, same: bool = False) -> Accuracy:
    """Labels against classes: `xta hyper score`.

    Args:
        labels, truth: whole numbers 0 to 65535 of one shape; 0: no label, and no class (which is left out)
        same: label k is class k; else labels are taken for classes one to one so that most pixels are right

    Raises:
        xta.ArgumentError: no pixel has a class
        xta.RangeError: a number beyond 65535
    """
    found, wanted = _classes(labels, "labels"), _classes(truth, "truth")
    if found.shape != wanted.shape:
        raise ValueError(f"labels have the shape {found.shape}, truth has {wanted.shape}")
    return _accuracy(_hyper.score_labels(found, wanted, same))


@dataclass(frozen=True, eq=False)
class EndmemberScore:
    """Endmembers against references, matched one to one by the least sum of angles.

    endmember_of: (references) the row of the endmember of each, -1 for none
    angles: (references) between them, in radians; NaN where there is none
    mean, max: over the references that have one
    """

    endmember_of: Integers
    angles: Floats
    mean: float
    max: float


def score_endmembers(endmembers: Any, references: Any) -> EndmemberScore:
    """Endmembers against references, both (n, bands): `xta hyper score --endmembers`.

    Raises:
        xta.ArgumentError: a spectrum that is zero or not finite; the text says which
    """
    wanted = np.asarray(references, np.float64)
    n_bands = wanted.shape[1] if wanted.ndim == 2 else 0
    found = _spectra(endmembers, n_bands, "endmembers")
    endmember_of, angles, mean, largest = _hyper.score_endmembers(
        found, _spectra(wanted, n_bands, "references"), n_bands
    )
    return EndmemberScore(np.frombuffer(endmember_of, np.int64), np.frombuffer(angles, np.float64), mean, largest)
