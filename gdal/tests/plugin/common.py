"""Shared by the tests of the GDAL driver: the tool, the library through ctypes, and reports of errors.

SPDX-License-Identifier: Apache-2.0
"""
import ctypes
import os
import random
import subprocess
import sys
import tempfile

TOOL = os.environ["XTA_TOOL"]
BUILD = os.environ["XTA_BUILD_DIR"]
DATA = os.environ.get("XTA_DATA", os.path.join(os.environ["XTA_SOURCE_DIR"], "..", "shared", "data"))
SCALE = float(os.environ.get("XTA_SCALE", "1"))

try:
    import numpy as np
    from osgeo import gdal, gdal_array
except ImportError as problem:
    print(f"SKIPPED: {problem}")
    sys.exit(77)
if gdal.GetDriverByName("XTA") is None:
    sys.exit(f"no driver XTA in {os.environ.get('GDAL_DRIVER_PATH')}: {gdal.GetLastErrorMsg()}")

problems = []


def check(condition, *words):
    """Record a failure and continue, so that one run shows all."""
    if not condition:
        problems.append(" ".join(str(word)[:300] for word in words))
        if len(problems) < 20:
            print(problems[-1], file=sys.stderr)


def finish(what):
    if problems:
        sys.exit(f"{len(problems)} failures")
    print(what)
    sys.stdout.flush()


def seeded():
    """A generator; its seed is printed, and may be given as XTA_SEED."""
    seed = int(os.environ.get("XTA_SEED", random.randrange(1 << 32)))
    print(f"seed {seed}")
    return np.random.default_rng(seed)


def folder():
    return tempfile.TemporaryDirectory(prefix="xta_gdal_")


def tool(*words):
    """Run a verb that must succeed; returns its output."""
    done = subprocess.run([TOOL, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"xta {' '.join(map(str, words))[:300]}: {done.returncode}: {done.stderr[:600]}")
    return done.stdout


def refused(call, *parts):
    """Call something that GDAL must refuse: NULL or a failure, and an error whose text has all parts."""
    gdal.ErrorReset()
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        result = call()
    finally:
        gdal.PopErrorHandler()
    text = gdal.GetLastErrorMsg()
    check(result is None or (isinstance(result, int) and result != 0), "accepted:", parts, result)
    check(gdal.GetLastErrorType() >= gdal.CE_Failure, "no error told:", parts)
    for part in parts:
        check(part in text, f"no '{part}' in the error: {text}")


# ---- the library ----

MAX_NDIM = 32
TYPES = {"bool": 1, "i1": 2, "u1": 3, "i2": 4, "u2": 5, "i4": 6, "u4": 7, "i8": 8, "u8": 9, "f2": 10, "f4": 11,
         "f8": 12, "c8": 13, "c16": 14}


class Box(ctypes.Structure):
    _fields_ = [("ndim", ctypes.c_int), ("lo", ctypes.c_int64 * MAX_NDIM), ("hi", ctypes.c_int64 * MAX_NDIM)]


class Growth(ctypes.Structure):
    _fields_ = [("axis", ctypes.c_int), ("side", ctypes.c_int), ("by", ctypes.c_int64)]


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("os_errno", ctypes.c_int), ("text", ctypes.c_char * 512)]


class OpenOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("writable", ctypes.c_bool), ("at_step", ctypes.c_bool),
                ("step", ctypes.c_uint64), ("access", ctypes.c_int), ("cache_bytes", ctypes.c_uint64),
                ("exclusive_writer", ctypes.c_bool), ("lock", ctypes.c_int)]


lib = ctypes.CDLL(os.path.join(BUILD, "libxta.so"))
lib.xta_array_bounds.restype = Box


def must(status, error):
    if status != 0:
        raise RuntimeError(error.text.decode())


class Writer:
    """An array that is open for writing in this process."""

    def __init__(self, path):
        self.error = Error()
        self.handle = ctypes.c_void_p()
        options = OpenOptions(ctypes.sizeof(OpenOptions), True)
        must(lib.xta_array_open(path.encode(), ctypes.byref(options), ctypes.byref(self.handle),
                                ctypes.byref(self.error)), self.error)

    def bounds(self):
        box = lib.xta_array_bounds(self.handle)
        return list(box.lo[:box.ndim]), list(box.hi[:box.ndim])

    def append(self, axis, front, cells):
        cells = np.ascontiguousarray(cells)
        growth = Growth(axis, int(front), cells.shape[axis])
        must(lib.xta_array_append(self.handle, ctypes.byref(growth), None, cells.ctypes.data_as(ctypes.c_void_p),
                                  None, ctypes.byref(self.error)), self.error)

    def change(self, verb, axis, front, by):
        growth = Growth(axis, int(front), by)
        must(getattr(lib, "xta_array_" + verb)(self.handle, ctypes.byref(growth), 1, None, ctypes.byref(self.error)),
             self.error)

    def write(self, lo, cells):
        cells = np.ascontiguousarray(cells)
        box = Box(cells.ndim)
        for axis in range(cells.ndim):
            box.lo[axis], box.hi[axis] = lo[axis], lo[axis] + cells.shape[axis]
        must(lib.xta_array_write(self.handle, ctypes.byref(box), None, cells.ctypes.data_as(ctypes.c_void_p),
                                 ctypes.byref(self.error)), self.error)

    def close(self):
        must(lib.xta_array_close(self.handle, ctypes.byref(self.error)), self.error)


def type_name(dtype):
    """The tool's name of a NumPy type."""
    dtype = np.dtype(dtype)
    return "bool" if dtype.kind == "b" else f"{dtype.kind}{8 * dtype.itemsize}"


def make(path, cells, names=None, chunk=None, front=None):
    """Create an array with these cells; `front`: how many of each axis lie at negative coordinates."""
    front = front or [0] * cells.ndim
    words = ["create", path, "--type", type_name(cells.dtype), "--bounds",
             ",".join(str(n - f) for n, f in zip(cells.shape, front))]
    if names:
        words += ["--names", ",".join(names)]
    if chunk:
        words += ["--chunk", ",".join(map(str, chunk))]
    tool(*words)
    writer = Writer(path)
    for axis, by in enumerate(front):
        if by:
            writer.change("extend", axis, True, by)
    writer.write([-f for f in front], cells)
    writer.close()


def random_cells(rng, shape, dtype):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
    if dtype.kind == "c":
        return (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(dtype)
    return (rng.normal(size=shape) * 1000).astype(dtype)
