# SPDX-License-Identifier: Apache-2.0
"""What the tests of xta.hyper share: the command `xta hyper`, what it wrote, and scenes with known mixtures."""
from __future__ import annotations

import ctypes
import os
import subprocess
from typing import Any

import numpy as np
import xta
from support import Case
from xta import hyper

TOOL = os.environ["XTA_TOOL"]
METHODS = ("nfindr", "amee", "ppi", "sga", "vca")


def kernels() -> str:
    """The kernels that OpenBLAS has chosen in this process, as OPENBLAS_CORETYPE names them."""
    name = ctypes.CDLL("libopenblas.so.0").openblas_get_corename
    name.restype = ctypes.c_char_p
    return str(name().decode())


class HyperCase(Case):
    def tool(self, *words: Any) -> str:
        """What the command prints. It has the kernels of this process: for a processor newer than OpenBLAS it would
        choose others, whose last bits differ."""
        ran = subprocess.run([TOOL, *map(str, words)], cwd=self.folder, capture_output=True, text=True,
                             env=dict(os.environ, OPENBLAS_CORETYPE=kernels()))
        self.assertEqual(ran.returncode, 0, f"{words}\n{ran.stdout}{ran.stderr}")
        return ran.stdout

    def spectra_of(self, path: str) -> np.ndarray[Any, Any]:
        """Spectra of a .csv of the command, which has all digits."""
        with open(self.path(path)) as text:
            rows = [line.split(",")[1:] for line in text if not line.startswith("#")]
        return np.array(rows[1:], np.float64).T

    def cells(self, path: str) -> np.ndarray[Any, Any]:
        with xta.open(self.path(path)) as a:
            found: np.ndarray[Any, Any] = a[...]
            return found

    def same_array(self, one: str, other: str) -> None:
        """Cells, bounds, names and attributes."""
        with xta.open(self.path(one)) as a, xta.open(self.path(other)) as b:
            self.assertSame(a[...], b[...])
            self.assertEqual((a.bounds, a.dims, dict(a.attrs)), (b.bounds, b.dims, dict(b.attrs)))
            for x, y in zip(a.axes, b.axes):
                self.assertEqual(dict(a.axes[x].attrs), dict(b.axes[y].attrs))

    def same_endmembers(self, found: hyper.Endmembers, name: str, told: dict[str, Any]) -> None:
        """Those of the command: spectra in a .csv, the rest as JSON."""
        self.assertSame(found.spectra, self.spectra_of(name))
        for key, numbers in (("line", found.lines), ("sample", found.samples), ("score", found.scores)):
            self.assertEqual([e[key] for e in told["endmembers"]], numbers.tolist(), key)
        if found.counts is not None:
            self.assertEqual([e["count"] for e in told["endmembers"]], found.counts.tolist())
        self.assertEqual(told.get("candidates"), found.n_candidates)
        self.assertEqual((told["found"], told["wanted"]), (len(found), found.wanted))

    def mixtures(self, shape: tuple[int, int], n_bands: int, n: int, noise: float = 0.001) -> tuple[Any, Any, Any]:
        """Spectra, abundances (lines, samples, n) and cells (lines, samples, bands)."""
        spectra = self.numbers.random((n, n_bands)) + 0.05
        abundances = self.numbers.dirichlet([0.4] * n, shape)
        return spectra, abundances, abundances @ spectra + self.numbers.normal(0, noise, (*shape, n_bands))
