# SPDX-License-Identifier: Apache-2.0
"""Endmembers of xta.hyper: what its methods and its followers give back."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .hyper_scene import Floats, Integers, Scene


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
    converged: False: nfindr ended by the bound on its sweeps; None: a follower does not know
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
    converged: bool | None
    n_candidates: int | None
    log_volume: float | None
    threshold: float | None

    def __len__(self) -> int:
        return len(self.spectra)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.array(self.spectra, dtype) if copy else np.asarray(self.spectra, dtype)


def endmembers_of(method: str, scene: Scene, wanted: int, found: Any) -> Endmembers:
    """Those of the extension's `find_...`."""
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
