# SPDX-License-Identifier: Apache-2.0
"""Builds the extension of a wheel, against a libxta that is there.

Where libxta is: in the folders of XTA_INCLUDE_DIR and XTA_LIBRARY_DIR, or where pkg-config finds it, or in ../build of
this source tree. The wheel contains that libxta: it is meant for environments into which nothing else is installed,
and a library of another version on the system must not come in its place. (Debian's package is built by CMake, and uses
the library of the system.)
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


def find_folders() -> tuple[str, str]:
    """The folders of headers and library."""
    include, library = os.environ.get("XTA_INCLUDE_DIR"), os.environ.get("XTA_LIBRARY_DIR")
    tree = os.path.dirname(HERE)
    if not library and os.path.exists(os.path.join(tree, "build", "libxta.so")):
        include, library = os.path.join(tree, "core", "include"), os.path.join(tree, "build")
    include = include or pkg_config("--variable=includedir")
    library = library or pkg_config("--variable=libdir")
    if not include or not library or not os.path.exists(os.path.join(library, "libxta.so")):
        raise SystemExit("setup.py: no libxta; install it, build it in ../build, or set XTA_INCLUDE_DIR and XTA_LIBRARY_DIR")
    return include, library


INCLUDE, LIBRARY = find_folders()


def version() -> str:
    """That of the library, which the package is built with."""
    library = ctypes.CDLL(os.path.join(LIBRARY, "libxta.so"))
    library.xta_version.restype = ctypes.c_char_p
    return library.xta_version().decode()


class BuildWithLibrary(build_ext):
    """The extension, and libxta beside it."""

    def run(self) -> None:
        super().run()
        file = os.path.join(LIBRARY, "libxta.so")
        shown = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
        soname = re.search(r"SONAME.*\[(.+)\]", shown)
        name = soname.group(1) if soname else "libxta.so"
        folder = os.path.dirname(self.get_ext_fullpath("xta._xta"))
        os.makedirs(folder, exist_ok=True)
        shutil.copyfile(os.path.realpath(file), os.path.join(folder, name))


setup(
    version=version(),
    ext_modules=[
        Extension(
            "xta._xta",
            sorted(os.path.relpath(name, HERE) for name in glob.glob(os.path.join(HERE, "src", "**", "*.c"), recursive=True)),
            depends=sorted(os.path.relpath(name, HERE) for name in glob.glob(os.path.join(HERE, "src", "**", "*.h"), recursive=True)),
            include_dirs=["src", INCLUDE],
            library_dirs=[LIBRARY],
            libraries=["xta"],
            define_macros=[("_GNU_SOURCE", None), ("Py_LIMITED_API", "0x030b0000")],
            extra_compile_args=["-std=c11", "-fvisibility=hidden", "-pthread"],
            extra_link_args=["-Wl,-rpath,$ORIGIN", "-pthread"],
            py_limited_api=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
    cmdclass={"build_ext": BuildWithLibrary},
)
