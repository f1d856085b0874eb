# SPDX-License-Identifier: Apache-2.0
"""xta.hyper on a real scene has the bits of `xta hyper`."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import unittest

import xta
from hyper_support import METHODS, TOOL, HyperCase
from xta import hyper

DATA = os.environ.get("XTA_DATA", os.path.join(os.environ["XTA_SOURCE_DIR"], "..", "shared", "data"))
SAMSON = os.path.join(DATA, "hyperspectral", "samson", "samson_1.mat")


class Samson(HyperCase):
    def test_samson(self) -> None:
        """Every method on a real scene: from files, from NumPy and by the command."""
        axes = ("--fold", "1=95,95:column", "--axes", "band,y,x")
        self.tool("import", SAMSON + ":V", "samson", *axes)
        a = xta.open(self.path("samson"))
        memory = hyper.open(a[...], dims=a.dims, threads=2)
        self.assertEqual(memory.shape, (95, 95, 156))
        for method in METHODS:
            words = ("--method", method, "--count", 3, "--json", *(("--seed", 5) if method in ("vca", "ppi") else ()))
            told = json.loads(self.tool("hyper", "endmembers", "samson", "e.csv", *words))
            for scene in (a.path, memory):
                self.same_endmembers(hyper.endmembers(scene, 3, method, seed=5), "e.csv", told)
        found = hyper.endmembers(a, 3)
        self.tool("hyper", "endmembers", "samson", "em.csv", "--count", 3)
        for constraint in hyper.CONSTRAINTS:
            self.tool("hyper", "unmix", "samson", "em.csv", constraint, "--method", constraint)
            self.assertSame(hyper.unmix(memory, found, constraint), self.cells(constraint))
        self.tool("hyper", "pct", "samson", "pct", "--components", 4)
        self.assertSame(hyper.project(memory, hyper.pct(a, 4)), self.cells("pct"))
        told = json.loads(self.tool("hyper", "count", "samson", "--false-alarm", "1e-3", "--json"))
        self.assertEqual(hyper.count(memory), {"hfc": told["hfc"][0]["count"], "hysime": told["hysime"]})


if __name__ == "__main__":
    if not os.path.exists(SAMSON):
        print(f"SKIPPED: there is no {SAMSON}: a real scene under xta.hyper")
        sys.exit(77)
    if "bridge matlab:" not in subprocess.run([TOOL, "version"], capture_output=True, text=True).stdout:
        print("SKIPPED: this build has no bridge for .mat files: a real scene under xta.hyper")
        sys.exit(77)
    unittest.main()
