# Random arrays with histories, beside the same cells in NumPy: what the tests of references and of views read.
# SPDX-License-Identifier: Apache-2.0
import itertools
import json
import os
import random
import subprocess
import sys

import numpy as np

TOOL = os.environ["XTA_TOOL"]
SCALE = float(os.environ.get("XTA_SCALE", "1"))
n_checks = 0

# The types of the library as NumPy's, and fill values of each other than zero.
TYPES = {"bool": ("?", ["1"]), "i8": ("i1", ["-3"]), "u8": ("u1", ["255"]), "i16": ("<i2", ["-32768"]),
         "u16": ("<u2", ["7"]), "i32": ("<i4", ["-1"]), "u32": ("<u4", ["4294967295"]),
         "i64": ("<i8", ["-9223372036854775808"]), "u64": ("<u8", ["18446744073709551615"]),
         "f16": ("<f2", ["nan", "-1.5"]), "f32": ("<f4", ["nan", "inf", "1e20"]),
         "f64": ("<f8", ["nan", "-inf", "9.969209968386869e+36"]), "c64": ("<c8", ["1+2i"]), "c128": ("<c16", ["-0.5+3i"]),
         "bytes:1": ("S1", []), "bytes:5": ("V5", []), "bytes:12": ("V12", [])}


def seed():
    value = int(os.environ.get("XTA_SEED", random.SystemRandom().randrange(2**31)))
    print(f"seed {value}", flush=True)
    return random.Random(value)


def check(good, *what):
    global n_checks
    n_checks += 1
    if not good:
        sys.exit("FAILED: " + " ".join(str(w) for w in what))


def call(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def run(*words):
    code, out, err = call(*words)
    check(code == 0, words, "answered", code, err)
    return out


def same_bits(a, b):
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    return a.shape == b.shape and a.dtype.itemsize == b.dtype.itemsize and \
        a.astype(a.dtype.newbyteorder("=")).tobytes() == b.astype(b.dtype.newbyteorder("=")).tobytes()


def box_text(lo, hi):
    return ",".join(f"{a}:{b}" for a, b in zip(lo, hi))


class Grown:
    """An array in files, and `cells`, what it must hold in its bounds from `lo` on."""

    def __init__(self, rng, path, kind=None, orders=("row", "column"), aligned=True, fill=None, ndim=None):
        self.rng, self.path = rng, path
        self.kind = kind or rng.choice(list(TYPES))
        self.dtype = np.dtype(TYPES[self.kind][0])
        self.order = rng.choice(orders)
        curve = self.order in ("morton", "hilbert")
        n = ndim or rng.randint(1, 3)
        self.chunk = [rng.choice((1, 2, 4)) if curve else rng.randint(1, 5) for _ in range(n)]
        self.aligned = aligned
        self.lo = [0] * n
        self.names = ["time", "y", "x"][:n]
        shape = [rng.randint(1, 9) for _ in range(n)]
        words = ["--type", self.kind, "--bounds", ",".join(map(str, shape)), "--chunk", ",".join(map(str, self.chunk)),
                 "--order", self.order, "--names", ",".join(self.names)]
        if rng.random() < 0.3:
            words += ["--align", "64"]
        fills = TYPES[self.kind][1]
        self.filled = bool(fills) and (rng.random() < 0.5 if fill is None else fill)
        if self.filled:
            words += ["--fill", rng.choice(fills)]
        run(TOOL, "create", path, *words)
        self.fill = self.read()[(0,) * n]
        self.cells = np.full(shape, self.fill, self.dtype)
        self.history = [(list(self.lo), shape)]

    hi = property(lambda self: [lo + n for lo, n in zip(self.lo, self.cells.shape)])

    def read(self):
        """The cells as the library reads them, by the tool."""
        info = json.loads(run(TOOL, "info", self.path, "--json"))
        shape = [hi - lo for lo, hi in info["bounds"]]
        run(TOOL, "read", self.path, "--as", "raw", "--out", self.path + ".raw")
        return np.fromfile(self.path + ".raw", self.dtype).reshape(shape)

    def values(self, shape):
        n = int(np.prod(shape))
        if self.kind == "bool":
            return np.array([self.rng.random() < 0.5 for _ in range(n)], self.dtype).reshape(shape)
        return np.frombuffer(self.rng.randbytes(n * self.dtype.itemsize), self.dtype).reshape(shape)

    def write(self):
        box = [sorted(self.rng.sample(range(n + 1), 2)) for n in self.cells.shape]
        values = self.values([b - a for a, b in box])
        values.tofile(self.path + ".raw")
        run(TOOL, "write", self.path, "--box", box_text([lo + a for lo, (a, _) in zip(self.lo, box)],
                                                       [lo + b for lo, (_, b) in zip(self.lo, box)]),
            "--as", "raw", "--from", self.path + ".raw")
        self.cells[tuple(slice(a, b) for a, b in box)] = values

    def extend(self, axis, by, front):
        run(TOOL, "extend", self.path, "--axis", axis, "--by", by, *(["--front"] if front else []))
        pad = [(0, 0)] * self.cells.ndim
        pad[axis] = (by, 0) if front else (0, by)
        shape = [n + a + b for n, (a, b) in zip(self.cells.shape, pad)]
        grown = np.full(shape, self.fill, self.dtype)
        grown[tuple(slice(a, a + n) for n, (a, _) in zip(self.cells.shape, pad))] = self.cells
        self.cells = grown
        self.lo[axis] -= by if front else 0
        self.history.append((list(self.lo), list(self.cells.shape)))

    def shrink(self, axis):
        run(TOOL, "shrink", self.path, "--axis", axis, "--by", 1)
        self.cells = np.delete(self.cells, -1, axis)
        self.history.append((list(self.lo), list(self.cells.shape)))

    def grow(self, steps):
        for _ in range(steps):
            axis = self.rng.randrange(self.cells.ndim)
            front = self.rng.random() < 0.5
            by = self.rng.randint(1, 4)
            if front and self.aligned:
                by = self.chunk[axis] * self.rng.randint(1, 2)
            if self.rng.random() < 0.2 and self.cells.shape[axis] > 2:
                self.shrink(axis)
            else:
                self.extend(axis, by, front)
            self.write()
        check(same_bits(self.read(), self.cells), self.path, "differs from its oracle")


# ---- version 3, from its specification ----

def read_v3(get, path):
    """The cells of an array, with `get(key)` for bytes (None: no such key), and its document."""
    document = json.loads(get(f"{path}/zarr.json"))
    check(document["zarr_format"] == 3 and document["node_type"] == "array", document)
    kind = document["data_type"]
    dtype = np.dtype(f"V{int(kind[1:]) // 8}") if kind[0] == "r" else np.dtype(kind).newbyteorder("<")
    shape = document["shape"]
    check(document["chunk_grid"]["name"] == "regular", document)
    chunk = document["chunk_grid"]["configuration"]["chunk_shape"]
    check(document["chunk_key_encoding"] == {"name": "default", "configuration": {"separator": "/"}}, document)
    *turns, last = document["codecs"]
    check(last == {"name": "bytes", "configuration": {"endian": "little"}} and len(turns) <= 1, document)
    out = np.empty(shape, dtype)
    out[...] = fill_v3(document["fill_value"], dtype)
    for at in itertools.product(*[range(-(-n // c)) for n, c in zip(shape, chunk)]):
        stored = get(f"{path}/c/" + "/".join(map(str, at)))
        if stored is None:
            continue
        order = turns[0]["configuration"]["order"] if turns else list(range(len(shape)))
        cells = np.frombuffer(stored, dtype).reshape([chunk[k] for k in order]).transpose(np.argsort(order))
        box = tuple(slice(k * c, min(n, (k + 1) * c)) for k, c, n in zip(at, chunk, shape))
        out[box] = cells[tuple(slice(0, s.stop - s.start) for s in box)]
    return out, document


def fill_v3(value, dtype):
    names = {"NaN": np.nan, "Infinity": np.inf, "-Infinity": -np.inf}
    if dtype.kind == "V":
        return np.frombuffer(bytes(value), dtype)[0]
    if dtype.kind == "c":
        part = np.dtype(f"f{dtype.itemsize // 2}")
        return np.array([fill_v3(v, part) for v in value], part).view(dtype.newbyteorder("="))[0]
    if isinstance(value, str) and value.startswith("0x"):
        return np.array([int(value, 16)], f"u{dtype.itemsize}").view(dtype.newbyteorder("="))[0]
    return np.array([names.get(value, value) if isinstance(value, str) else value], dtype)[0]
