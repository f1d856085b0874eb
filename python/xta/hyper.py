# SPDX-License-Identifier: Apache-2.0
"""Hyperspectral analysis: calls of libxta_hyper, with NumPy or arrays of the package in and out.

>>> from xta import hyper
>>> found = hyper.endmembers("samson", 3, "amee")
>>> abundances = hyper.unmix("samson", found.spectra)

A scene has lines, samples and bands. All functions take one as a path, an `xta.Array`, anything of NumPy, or a `Scene`,
which is opened once for several calls. Results have the same bits for any number of threads, and those of `xta hyper`
where both use the same kernels of OpenBLAS (`OPENBLAS_CORETYPE`).
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

import operator
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _xta, errors, types
from .array import Array
from .hyper_basis import Basis, capsule_of
from .hyper_endmembers import Endmembers, endmembers_of
from .hyper_follow import Follower, Result, Update, follow
from .hyper_scene import (
    CONSTRAINTS,
    Floats,
    Integers,
    Path,
    Scene,
    _hyper,
    beside_path,
    cells_of,
    directions_of,
    floating,
    held_scene,
    limits_of_nfindr,
    names_of,
    one_of,
    open,
    source_of,
    spectra_of,
    target,
    whole,
    windows_of_amee,
)

__all__ = [
    "Accuracy", "Basis", "EndmemberScore", "Endmembers", "Follower", "Moments", "Result", "Scene", "Update", "classify",
    "classify_supervised", "count", "endmembers", "follow", "moments", "open", "pct", "project", "read_basis",
    "score_endmembers", "score_labels", "synth", "unmix",
]

_SIMPLEX = {"nfindr": 0, "sga": 1, "vca": 2}


# ---- endmembers ----


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
    one_of("method", method, ("nfindr", "ppi", "amee", "sga", "vca"))
    number = whole("count", count, 1, 1024)
    seed = whole("seed", seed)
    region = (float(region_angle), whole("region_radius", region_radius)) if means else None
    if method == "amee":
        if basis is not None:
            raise ValueError("basis: amee looks in all bands")
        numbers = *windows_of_amee(radius, iterations), whole("candidates", candidates)
        with held_scene(scene) as (opened, capsule):
            return endmembers_of(method, opened, number, _hyper.find_amee(capsule, number, *numbers, region))
    where = capsule_of(basis)
    if method == "ppi":
        n, directions = directions_of(skewers, projections)
        with held_scene(scene) as (opened, capsule):
            found = _hyper.find_ppi(
                capsule, number, seed, where, n, directions, float(threshold), whole("least", least, 1), region
            )
            return endmembers_of(method, opened, number, found)
    limits = limits_of_nfindr(restarts, sweeps)
    with held_scene(scene) as (opened, capsule):
        found = _hyper.find_simplex(capsule, _SIMPLEX[method], number, seed, where, *limits, region)
        return endmembers_of(method, opened, number, found)


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
    with held_scene(scene) as (_, capsule):
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
    with held_scene(scene) as (_, capsule):
        by_hfc, by_hysime = _hyper.count(capsule, p_false)
    return {"hfc": by_hfc, "hysime": by_hysime}


def read_basis(path: Path) -> Basis:
    """Read a basis from a file of `Basis.write` or `xta hyper pct --basis`.

    Raises:
        xta.NotFoundError, xta.FormatError, xta.CorruptError
    """
    return Basis(_hyper.read_basis(os.fsencode(path)))


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
    with held_scene(scene) as (opened, capsule):
        n = min(10, len(opened.bands)) if components is None else whole("components", components, 1)
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
    code, path, onto = floating(dtype), target(out), capsule_of(basis)
    with held_scene(scene) as (_, capsule):
        found = _hyper.project(capsule, onto, path, code)
    return cells_of(found, path)


# ---- abundances and labels ----


def _names(names: Sequence[str] | None, n: int) -> tuple[str | None, ...]:
    return names_of("names", [f"em{k + 1}" for k in range(n)] if names is None else names)


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
    method = CONSTRAINTS[one_of("constraint", constraint, CONSTRAINTS)]
    code, path, beside = floating(dtype), target(out), beside_path(residual)
    with held_scene(scene) as (opened, capsule):
        spectra = spectra_of(endmembers, len(opened.bands), "endmembers")
        found, left = _hyper.unmix(
            capsule, spectra, len(spectra), _names(names, len(spectra)), method, normalise, path, code, beside
        )
    abundances = cells_of(found, path)
    return abundances if beside is None else (abundances, cells_of(left, beside))


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
    one_of("by", by, ("sad", "abundance"))
    method = CONSTRAINTS[one_of("constraint", constraint, CONSTRAINTS)]
    path, beside = target(out), beside_path(angles)
    if by != "sad" and beside is not None:
        raise ValueError("angles: belong to by='sad'")
    with held_scene(scene) as (opened, capsule):
        spectra = spectra_of(endmembers, len(opened.bands), "endmembers")
        found, found_angles = _hyper.label(
            capsule, spectra, len(spectra), _names(names, len(spectra)), -1 if by == "sad" else method, normalise,
            path, beside,
        )
    labels = cells_of(found, path)
    return labels if beside is None else (labels, cells_of(found_angles, beside))


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
    method, path = methods[one_of("by", by, methods)], target(out)
    if not 0 < train < 1:
        raise ValueError(f"train: {train} is no share; want above 0 and below 1")
    if full_band and components is not None:
        raise ValueError("components: with full_band there are none")
    numbers = 0 if components is None else whole("components", components, 1), full_band, whole("seed", seed)
    with held_scene(scene) as (opened, capsule):
        source: Any
        shift: tuple[int, int] | None = (0, 0)
        if isinstance(truth, (str, bytes, os.PathLike)):
            source = os.fsencode(truth)
        elif isinstance(truth, Array):
            source = truth._shared_path()
        else:
            source, shift = source_of(truth), None
            if source[2].shape != opened.shape[:2]:
                raise ValueError(f"truth: shape {source[2].shape}; the scene has {opened.shape[:2]} lines and samples")
        found, accuracy, n_trained = _hyper.classify(
            capsule, source, shift, method, float(train), *numbers, equal_priors, path
        )
    return cells_of(found, path), _accuracy(accuracy), n_trained


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
    found = spectra_of(endmembers, n_bands, "endmembers")
    endmember_of, angles, mean, largest = _hyper.score_endmembers(
        found, spectra_of(wanted, n_bands, "references"), n_bands
    )
    return EndmemberScore(np.frombuffer(endmember_of, np.int64), np.frombuffer(angles, np.float64), mean, largest)


# ---- scenes with known truth ----


def synth(
    labels: Any,
    library: Any,
    *,
    lines: tuple[int, int] | None = None,
    samples: tuple[int, int] | None = None,
    dtype: Any = "f4",
    scale: float = 1.0,
    mixing: int = 0,
    variation: float = 0.0,
    brightness: float = 0.0,
    snr: float = 0.0,
    seed: int = 0,
) -> tuple[np.ndarray[Any, Any], Floats]:
    """A scene of which the truth is known: `xta hyper synth`.

    A cell depends on the arguments and its coordinates alone: a scene made in swaths is that made at once.

    Args:
        labels: classes (lines, samples), repeated over the plane: NumPy's array, from (0, 0) on; or a path or an
            `xta.Array`, whose cells lie at their coordinates. Class k is spectrum k - 1 of the library, and over from
            the first where there are more classes; pixels of class 0 are random mixtures
        library: spectra (materials, bands), 1 to 255 of them
        lines, samples: (lo, hi) to make, in coordinates; None: those of the label map
        dtype: of the cells; whole numbers are rounded and clamped
        scale: cells are this times the mixture; not 0
        mixing: abundances are shares in the window of this radius, 0 to 15
        variation: 0 to 1: at most this share goes to a random mixture of all
        brightness: 0 to 1: a pixel is brighter or darker by at most this share
        snr: signal to noise in each band, in dB; 0: no noise

    Returns:
        cells (lines, samples, bands), and true abundances (lines, samples, materials)

    Raises:
        ValueError: lines or samples that end before they begin, or too many of them; scale 0
        xta.ArgumentError: an option out of range, or no labels
        xta.RangeError: a class below 0 or above 65535
    """
    spectra = np.ascontiguousarray(library, np.float64)
    if spectra.ndim != 2 or spectra.size == 0:
        raise ValueError(f"library: shape {spectra.shape}; a row of bands for each spectrum is wanted")
    code, cell_bytes = types.code_of(dtype)
    source: Any
    if isinstance(labels, (str, bytes, os.PathLike)):
        with _xta.open_array(Array, os.fsencode(labels), False, None, None) as opened:
            bounds, source = opened.bounds, os.fsencode(labels)
    elif isinstance(labels, Array):
        bounds, source = labels.bounds, labels._shared_path()
    else:
        source = source_of(labels)
        if source[2].dtype.kind == "c":
            raise TypeError("labels: complex numbers are no classes")
        bounds = tuple((0, n) for n in source[2].shape)
    if len(bounds) != 2:
        bounds = tuple(ends for ends in bounds if ends[1] - ends[0] != 1)
    if len(bounds) != 2 and (lines is None or samples is None):
        raise ValueError(f"labels: {len(bounds)} axes of several cells; say which lines and samples to make")
    if scale == 0:
        raise ValueError("scale 0: every cell would be 0")
    ranges, n_pixels = [], 1
    for name, given, of_map in (("lines", lines, 0), ("samples", samples, 1)):
        lo, hi = bounds[of_map] if given is None else (operator.index(end) for end in given)
        if lo > hi:
            raise ValueError(f"{name}: {lo} to {hi} ends before it begins")
        if lo < -(1 << 62) or hi > 1 << 62:
            raise ValueError(f"{name}: {lo} to {hi} is farther from 0 than an array can reach")
        ranges.append((lo, hi))
        n_pixels *= hi - lo
    if n_pixels * max(spectra.shape) >= 1 << 59:
        raise ValueError(f"lines, samples: {n_pixels} pixels are too many for memory; make fewer at a time")
    shares = whole("mixing", mixing, 0, 15), float(variation), float(brightness)
    options = *shares, float(snr), float(scale), whole("seed", seed)
    cells, abundances = _hyper.synthesize(source, (0, 0), *spectra.shape, spectra, options, code, *ranges)
    shape = [hi - lo for lo, hi in ranges]
    return (
        np.frombuffer(cells, np.float64).reshape(*shape, spectra.shape[1]).astype(types.dtype_of(code, cell_bytes)),
        np.frombuffer(abundances, np.float64).reshape(*shape, len(spectra)),
    )
