# SPDX-License-Identifier: Apache-2.0
"""The wheel: built without a network, installed in an environment of its own, used from there with its own libxta."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
import unittest
import zipfile

from support import Case

SOURCE = os.environ["XTA_SOURCE_DIR"]
BUILD = os.environ["XTA_BUILD_DIR"]

USE = textwrap.dedent("""
    import sys
    import numpy as np
    import xta
    a = xta.from_numpy(sys.argv[1], np.arange(6.0).reshape(2, 3), dims=("t", "x"))
    a.append([[7, 8, 9]], "t", front=True)
    assert a[0, 2] == 9 and xta.open(sys.argv[1])[..., 0].tolist() == [7, 0, 3]
    assert xta.reduce(a, "t", "sum").tolist() == [10, 13, 16]
    loaded = {line.split()[-1] for line in open("/proc/self/maps") if "libxta" in line}
    print(xta.__version__, xta.__file__, *loaded, sep="\\n")
""")


class Wheel(Case):
    def run_program(self, *words: str) -> str:
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_"))}
        clean["XTA_INCLUDE_DIR"] = ":".join(f"{SOURCE}/{product}/include" for product in ("core", "rechunk", "reduce"))
        clean["XTA_LIBRARY_DIR"] = BUILD
        clean["PIP_CONFIG_FILE"] = os.devnull
        clean["CFLAGS"] = "-O0 -g0"  # compiled once, for this test
        ran = subprocess.run(words, cwd=self.folder, env=clean, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, f"{words}\n{ran.stdout}{ran.stderr}")
        return ran.stdout

    def test_wheel(self) -> None:
        source = self.path("source")
        shutil.copytree(os.path.join(SOURCE, "python"), source, ignore=shutil.ignore_patterns("__pycache__"))
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
        self.run_program(
            *pip, "wheel", "--quiet", "--no-build-isolation", "--no-index", "--no-deps", "-w", self.path("w"), source
        )
        (name,) = os.listdir(self.path("w"))
        self.assertRegex(name, r"^xta-[0-9.]+-cp311-abi3-linux_\w+\.whl$")
        files = zipfile.ZipFile(self.path(f"w/{name}")).namelist()
        for wanted in ("xta/__init__.py", "xta/py.typed", "xta/_xta.pyi", "xta/_xta.abi3.so", "xta/_more.abi3.so"):
            self.assertIn(wanted, files)
        self.assertTrue(any(re.fullmatch(r"xta/libxta\.so\.\d+", file) for file in files), files)
        venv = self.path("venv")
        self.run_program(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", venv)
        python = os.path.join(venv, "bin", "python")
        self.run_program(
            *pip, "--python", python, "install", "--quiet", "--no-index", "--no-deps", self.path(f"w/{name}")
        )
        self.assertNotIn("xta/_hyper.abi3.so", files)  # it would bring OpenBLAS
        told = self.run_program(python, "-c", "try:\n import xta.hyper\nexcept ImportError as e:\n print(e)")
        self.assertIn("wheels do not contain it", told)
        version, *paths = self.run_program(python, "-c", USE, self.path("a")).split()
        self.assertTrue(name.startswith(f"xta-{version}-"))
        self.assertEqual(len(paths), 4)
        for path in paths:
            self.assertTrue(os.path.realpath(path).startswith(os.path.realpath(venv)), path)

    def test_installed(self) -> None:
        """What `cmake --install --component python` installs finds the libraries of its prefix."""
        prefix = self.path("prefix")
        self.run_program("cmake", "--install", BUILD, "--component", "python", "--prefix", prefix)
        (folder,) = [at for at, below, files in os.walk(prefix) if "_xta.abi3.so" in files]
        shown = self.run_program("readelf", "-d", os.path.join(folder, "_xta.abi3.so"))
        origin = re.search(r"\$ORIGIN/([^:\]]*)", shown)
        self.assertIsNotNone(origin, shown)
        libraries = os.path.normpath(os.path.join(folder, origin.group(1)))  # type: ignore[union-attr]
        self.assertTrue(libraries.startswith(prefix), libraries)
        os.makedirs(libraries, exist_ok=True)
        for name in os.listdir(BUILD):
            if re.fullmatch(r"libxta(_rechunk|_reduce|_hyper)?\.so\.\d+", name):
                shutil.copyfile(os.path.join(BUILD, name), os.path.join(libraries, name))
        code = f"import sys; sys.path.insert(0, {os.path.dirname(folder)!r})\n{USE}"
        version, *paths = self.run_program(sys.executable, "-c", code, self.path("b")).split()
        self.assertEqual(len(paths), 4)
        self.assertTrue(all(os.path.realpath(path).startswith(os.path.realpath(prefix)) for path in paths), paths)
        if os.path.exists(os.path.join(folder, "_hyper.abi3.so")):
            code = f"import sys; sys.path.insert(0, {os.path.dirname(folder)!r})\nfrom xta import hyper\n"
            self.run_program(sys.executable, "-c", f"{code}assert len(hyper.pct([[[1, 2], [3, 5]]])) == 2")


if __name__ == "__main__":
    unittest.main()
