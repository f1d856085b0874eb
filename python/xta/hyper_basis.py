# SPDX-License-Identifier: Apache-2.0
"""Bases of xta.hyper."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from .hyper_scene import Floats, Integers, Path, _hyper


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
        _hyper.write_basis(self._capsule, os.fsencode(path))

    def __repr__(self) -> str:
        return f"<xta.hyper.Basis {self.kind}: {len(self)} components of {len(self.bands)} bands>"


def capsule_of(basis: Basis | None) -> Any:
    if basis is not None and not isinstance(basis, Basis):
        raise TypeError(f"basis: {type(basis).__name__}; pct and read_basis make bases")
    return None if basis is None else basis._capsule
