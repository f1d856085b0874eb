# SPDX-License-Identifier: Apache-2.0
"""Followers of xta.hyper: results beside a scene that grows, kept up to date in a folder."""
from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import errors
from .array import Array
from .hyper_basis import Basis, capsule_of
from .hyper_endmembers import Endmembers, endmembers_of
from .hyper_scene import (
    CONSTRAINTS,
    CallLock,
    Path,
    Scene,
    _hyper,
    directions_of,
    limits_of_nfindr,
    one_of,
    open,
    spectra_of,
    whole,
    windows_of_amee,
)

KEEP = {"basis": 1, "ppi": 2, "mei": 4, "endmembers": 8, "labels": 16, "abundances": 32}
METHODS = {"nfindr": 0, "sga": 1, "vca": 2, "ppi": 3, "amee": 4}
GIVEN = 5
FATES = ("kept", "more", "again", "absent")


@dataclass(frozen=True)
class Result:
    """What an update did with one result.

    fate: "kept", there was nothing new for it; "more", only the new part was computed; "again", it was computed again,
        in whole or in part; "absent", it cannot be computed from this scene (yet)
    n_lines: lines of the scene that were processed for it
    why: of "again" and "absent"; "": there is no reason to give
    """

    fate: str
    n_lines: int
    seconds: float
    why: str


@dataclass(frozen=True)
class Update:
    """What an update did.

    lines: (lo, hi), covered now, in coordinates
    lines_new: of these, not covered before this update
    changed: anything was written
    from_start: no earlier result could be used; why says the reason
    n_endmembers: found; fewer than asked for if the pixels do not span more
    results: by name: "basis", "ppi", "mei", "endmembers", "labels", "abundances"
    """

    lines: tuple[int, int]
    lines_new: int
    changed: bool
    from_start: bool
    why: str
    endmembers_changed: bool
    n_endmembers: int
    results: Mapping[str, Result]
    seconds: float


class Follower:
    """A folder of results that is open. `follow` makes it; used by one thread at a time (others wait)."""

    def __init__(self, capsule: Any, scene: Scene, own_scene: bool, folder: str, method: str, wanted: int) -> None:
        self._capsule, self._scene, self._own_scene = capsule, scene, own_scene
        self._method, self._wanted, self._lock = method, wanted, CallLock(folder)
        self.folder = folder

    def update(self) -> Update:
        """Read the growth of the scene, and bring all results up to date with it.

        It may be interrupted and killed at any time: the next update continues from the last one that was finished.

        Raises:
            xta.NoSpaceError: the disk is full; what the folder held before is still valid
        """
        with self._lock:
            capsule = self._open()
            with self._scene._held() as scene:
                try:
                    done: dict[str, Any] = _hyper.follow_update(capsule)
                finally:
                    self._scene._look_again(scene)  # it may have grown before a failure
        results = {
            name: Result(FATES[fate], n_lines, seconds, why)
            for name, (fate, n_lines, seconds, why) in done.pop("results").items()
        }
        return Update(results=results, **done)

    @property
    def endmembers(self) -> Endmembers | None:
        """Of the last update, in the order of their labels from 1; None: there are none, or that update has failed.

        Those that were given have lines, samples and scores of 0.
        """
        with self._lock:
            capsule = self._open()
            with self._scene._held():
                found = _hyper.follow_endmembers(capsule)
        if found is None:
            return None
        all_of_them = endmembers_of(self._method, self._scene, self._wanted, found)
        return dataclasses.replace(all_of_them, counts=None, n_candidates=None, converged=None, log_volume=None)

    @property
    def scene(self) -> Scene:
        """With the bounds of the last update."""
        return self._scene

    @property
    def closed(self) -> bool:
        return self._capsule is None

    def _open(self) -> Any:
        if self._capsule is None:
            raise errors.closed(self.folder)
        return self._capsule

    def close(self) -> None:
        """Release the folder, after the call in progress."""
        with self._lock:
            if self._capsule is not None:
                _hyper.follow_close(self._capsule)
                self._capsule = None
        if self._own_scene:
            self._scene.close()

    def __enter__(self) -> Follower:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<xta.hyper.Follower {self.folder}{', closed' if self.closed else ''}>"


def follow(
    scene: Any,
    folder: Path,
    count: int = 0,
    method: str = "nfindr",
    *,
    keep: Sequence[str] = ("endmembers", "labels"),
    endmembers: Any = None,
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
    regions: bool = False,
    labels_by: str = "angle",
    constraint: str = "fcls",
    normalise: bool = False,
    components: int = 0,
    noise: bool = False,
    again: bool = False,
) -> Follower:
    """Keep a folder up to date with a scene that grows at either end: `xta hyper follow`.

    >>> with hyper.follow("scene", "results", 4, keep=["labels", "abundances"]) as follower:
    ...     while follower.update().lines[1] < 1000:
    ...         time.sleep(1)
    >>> labels = xta.open("results/labels")

    The folder holds `endmembers.csv`, arrays `labels`, `abundances`, `residual`, `ppi` and `mei` with the coordinates
    of the scene, and bases `pct.basis` and `mnf.basis`: those that `keep` names. They are as after a run from nothing on
    the grown scene. New lines must come with their cells, as `xta.Array.append` brings them. A folder may be updated by
    `xta hyper follow`, too; each starts over if the other one's OpenBLAS has other kernels.

    Args:
        scene: a path, an `xta.Array` (the array of its path, which goes on growing), a `Scene` of a path, which nobody
            else may use meanwhile, or anything of NumPy
        folder: of this follower alone; made if it does not exist
        count, method, seed, basis, restarts, sweeps, projections, skewers, threshold, least, radius, iterations: as in
            `endmembers`, but for a count of up to 65535
        keep: of "basis", "ppi", "mei", "endmembers", "labels", "abundances"
        endmembers: spectra that never change, instead of looking for some
        labels_by: "angle", the smallest; or "abundance", the largest
        constraint, normalise: of abundances, as in `unmix`
        components: of the bases; 0: as many as there are bands
        noise: with "basis": also that of the minimum noise fraction
        regions: of amee: spectra are means of regions, as with `means` of `endmembers`
        again: discard what the folder holds and start over. All other options must be those of the folder if it has
            results

    Raises:
        ValueError: what is out of range
        xta.ArgumentError: options that differ from those of the folder
        xta.ExistsError: another follower has the folder open, or something else has the name of a result
        xta.CorruptError, xta.FormatError: the state of the folder is damaged, or of another version
    """
    bits = 0
    for name in (keep,) if isinstance(keep, str) else keep:
        bits |= KEEP[one_of("keep", name, KEEP)]
    if bits == 0:
        raise ValueError(f"keep: nothing; any of {', '.join(KEEP)}")
    kind = METHODS[one_of("method", method, METHODS)]
    unmix = CONSTRAINTS[one_of("constraint", constraint, CONSTRAINTS)]
    by_abundance = one_of("labels_by", labels_by, ("angle", "abundance")) == "abundance"
    numbers = whole("seed", seed), *limits_of_nfindr(restarts, sweeps)
    skewed = directions_of(skewers, projections)
    of_amee = *windows_of_amee(radius, iterations), bool(regions)
    results = by_abundance, unmix, bool(normalise), whole("components", components), bool(noise)
    wanted, name = whole("count", count, 0, 65535), os.fsdecode(folder)
    own = not isinstance(scene, Scene)
    opened = open(scene.path if isinstance(scene, Array) else scene) if own else scene
    try:
        with opened._held() as capsule:
            given = None
            if endmembers is not None:
                given = spectra_of(endmembers, len(opened.bands), "endmembers")
                kind, wanted = GIVEN, len(given)
            finding = (
                kind, wanted, given, *numbers, capsule_of(basis), *skewed, float(threshold), whole("least", least, 1),
            )
            follower = _hyper.follow_open(capsule, os.fsencode(name), bits, finding, of_amee, results, bool(again))
    except BaseException:
        if own:
            opened.close()
        raise
    return Follower(follower, opened, own, name, "given" if given is not None else method, wanted)
