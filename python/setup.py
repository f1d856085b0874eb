# SPDX-License-Identifier: Apache-2.0
"""Builds the extensions of a wheel, against the libraries that are there.

Where they are: in the folders of XTA_INCLUDE_DIR (with colons between several) and XTA_LIBRARY_DIR, or in ../build of
this source tree, or where pkg-config finds them. The wheel contains them: it is meant for environments into which
nothing else is installed, and libraries of another version on the system must not come in their place. (Debian's
package is built by CMake, and uses those of the system.)
"""
from __future__ import annotations

import ctypes
import glob
import os
import re
import shutil
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = os.path.dirname(os.path.abspath(__file__))


def pkg_config(option: str) -> str | None:
    try:
        return subprocess.run(
            ["pkg-config", option, "xta"], capture_output=True, text=True, check=True
        ).stdout.strip() or None
    except (OSError, subprocess.CalledProcessError):
        return None


def find_folders() -> tuple[list[str], str]:
    """The folders of headers, and that of the libraries."""
    include, library = os.environ.get("XTA_INCLUDE_DIR"), os.environ.get("XTA_LIBRARY_DIR")
    tree = os.path.dirname(HERE)
    if not library and os.path.exists(os.path.join(tree, "build", "libxta.so")):
        include = os.pathsep.join(os.path.join(tree, product, "include") for product in ("core", "rechunk", "reduce"))
        library = os.path.join(tree, "build")
    include = include or pkg_config("--variable=includedir")
    library = library or pkg_config("--variable=libdir")
    if not include or not library or not os.path.exists(os.path.join(library, "libxta.so")):
        raise SystemExit("setup.py: no libxta; install it, build it in ../build, or set XTA_INCLUDE_DIR and XTA_LIBRARY_DIR")
    return include.split(os.pathsep), library


INCLUDES, LIBRARY = find_folders()


def version() -> str:
    """That of the library, which the package is built with."""
    library = ctypes.CDLL(os.path.join(LIBRARY, "libxta.so"))
    library.xta_version.restype = ctypes.c_char_p
    return library.xta_version().decode()


class BuildWithLibraries(build_ext):
    """The extensions, and beside them the libraries that they use."""

    def run(self) -> None:
        super().run()
        folder = os.path.dirname(self.get_ext_fullpath("xta._xta"))
        os.makedirs(folder, exist_ok=True)
        for library in ("xta", "xta_rechunk", "xta_reduce"):
            file = os.path.join(LIBRARY, f"lib{library}.so")
            shown = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
            soname = re.search(r"SONAME.*\[(.+)\]", shown)
            copy = os.path.join(folder, soname.group(1) if soname else f"lib{library}.so")
            shutil.copyfile(os.path.realpath(file), copy)


def sources(*folders: str) -> list[str]:
    found = [name for folder in folders for name in glob.glob(os.path.join(HERE, "src", folder, "*.c"))]
    return sorted(os.path.relpath(name, HERE) for name in found)


def extension(name: str, files: list[str], libraries: list[str]) -> Extension:
    return Extension(
        name,
        files,
        depends=[os.path.relpath(name, HERE) for name in glob.glob(os.path.join(HERE, "src", "**", "*.h"), recursive=True)],
        include_dirs=["src", *INCLUDES],
        library_dirs=[LIBRARY],
        libraries=libraries,
        define_macros=[("_GNU_SOURCE", None), ("Py_LIMITED_API", "0x030b0000")],
        extra_compile_args=["-std=c11", "-fvisibility=hidden", "-pthread"],
        # What is copied beside the extensions was linked for another place; the order of search is theirs.
        extra_link_args=["-Wl,-rpath,$ORIGIN", "-Wl,--disable-new-dtags", "-pthread"],
        py_limited_api=True,
    )


setup(
    version=version(),
    ext_modules=[
        extension("xta._xta", sources(".", "support", "object", "array", "dataset"), ["xta"]),
        extension("xta._more", sources("more", "support"), ["xta", "xta_rechunk", "xta_reduce"]),
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}, "build_ext": {"parallel": True}},
    cmdclass={"build_ext": BuildWithLibraries},
)
