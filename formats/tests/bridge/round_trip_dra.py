# Import of Disk Resident Arrays, from files that a second writer made by the definition of both layouts.
# Files made by the toolkit itself are imported in mpi/tests/pexta/stock_dra.sh.
# SPDX-License-Identifier: Apache-2.0
import itertools
import os

import numpy as np

from judge import BRIDGE, STATUS, bridge_export, bridge_import, call, check, done, refused, workplace

CODES = {"i4": 1001, "i8": 1002, "f4": 1003, "f8": 1004, "c8": 1006, "c16": 1007}
random = np.random.default_rng(11)


def write(path, array, chunk, n_files, name="an array"):
    """The files of a DRA. Axes as in Fortran: the first is the fastest, in memory and in F.info."""
    dims = array.shape[::-1]
    chunk = chunk[::-1]
    cells = array.transpose()
    grid = [-(-d // c) for d, c in zip(dims, chunk)]
    if n_files == 1:
        grid[-1] = 1
        chunk = (*chunk[:-1], dims[-1])
        # The last axis of the grid turns fastest, as itertools has it.
        order = itertools.product(*map(range, grid))
    else:
        order = (at[::-1] for at in itertools.product(*map(range, grid[::-1])))
    files = [b""] * n_files
    for number, at in enumerate(order):
        box = tuple(slice(b * c, min((b + 1) * c, d)) for b, c, d in zip(at, chunk, dims))
        files[number % n_files] += cells[box].tobytes(order="F")
    for k, data in enumerate(files):
        open(path if n_files == 1 else f"{path}.{k}", "wb").write(data)


def describe(path, array, chunk, n_files, processes=None, name="an array"):
    numbers = [array.ndim, *array.shape[::-1], CODES[array.dtype.str[1:]], 1, *chunk[::-1], n_files,
               processes or n_files]
    open(f"{path}.info", "w").write(" ".join(map(str, numbers)) + f" \n{name}\n")


def made(dtype, shape):
    raw = random.integers(0, 256, int(np.prod(shape)) * np.dtype(dtype).itemsize).astype("u1")
    return np.frombuffer(raw.tobytes(), dtype=dtype).reshape(shape)


def same_cells(place, array, what):
    bridge_export(f"{place}/back", f"{place}/out.npy")
    back = np.load(f"{place}/out.npy")
    check(back.dtype == array.dtype and back.shape == array.shape and
          back.tobytes() == np.ascontiguousarray(array).tobytes(), "cells of", *what)
    for suffix in ("xmd", "xta"):
        os.remove(f"{place}/back.{suffix}")


def layouts(place):
    """Random shapes, chunks and numbers of files, in all types, with much and with little memory."""
    for k in range(42):
        ndim = 1 + k % 5
        shape = tuple(int(n) for n in random.integers(1, (200, 30, 14, 9, 6)[ndim - 1], ndim))
        chunk = tuple(int(random.integers(1, n + 1)) for n in shape)
        n_files = (1, 2, 3, 7, 1, 16)[k % 6]
        array = made(list(CODES)[k % len(CODES)], shape)
        for stale in range(17):
            for path in (f"{place}/d", f"{place}/d.{stale}"):
                if os.path.exists(path):
                    os.remove(path)
        write(f"{place}/d", array, chunk, n_files)
        describe(f"{place}/d", array, chunk, n_files, processes=3 if n_files == 1 else None)
        memory = {} if k % 3 else {"memory": int(random.integers(16, 4096))}
        box = bridge_import(f"{place}/d.info", f"{place}/back", **memory)
        check(box == ",".join(f"0:{n}" for n in shape), "box", shape, box)
        same_cells(place, array, (shape, chunk, n_files, memory))


def large(place):
    """Tiles longer than what is read ahead at once, and slabs that cut them."""
    array = made("f8", (700, 900))
    for n_files, memory in ((1, 1 << 20), (1, 3000), (2, 1 << 20), (2, 1 << 23)):
        write(f"{place}/d", array, (400, 500), n_files)
        describe(f"{place}/d", array, (400, 500), n_files)
        bridge_import(f"{place}/d.info", f"{place}/back", memory=memory)
        same_cells(place, array, ("large", n_files, memory))


def names(place):
    array = made("i4", (5, 7))
    write(f"{place}/d", array, (2, 3), 1)
    describe(f"{place}/d", array, (2, 3), 1, name="the name\n")
    bridge_import(f"{place}/d", f"{place}/back", format="dra")
    text = call(os.environ["XTA_TOOL"], "attr", f"{place}/back")[1]
    check("import/variable" in text and "the name" in text, "name", text)
    same_cells(place, array, ("named without its suffix",))
    bridge_import(f"{place}/d.info", f"{place}/grown")
    check(bridge_import(f"{place}/d.info", f"{place}/grown", append="0") == "5:10,0:7", "append")
    bridge_export(f"{place}/grown", f"{place}/out.npy")
    check(np.load(f"{place}/out.npy").tobytes() == array.tobytes() * 2, "cells after append")


def refusals(place):
    array = made("f8", (5, 7))
    write(f"{place}/d", array, (2, 3), 1)
    good = "2 7 5 1004 1 3 2 1 1 \nname\n"
    bad = {
        "": "field 1 (number of axes): is missing",
        "two": "field 1 (number of axes): is no number",
        "0 \nx\n": "field 1 (number of axes): is 0 and must be 1 to 32",
        "33 \nx\n": "field 1 (number of axes): is 33",
        "2 7 \nx\n": "field 3 (length of an axis): is missing",
        "2 0 5 1004 1 3 2 1 1 \nx\n": "field 2 (length of an axis): is 0",
        "2 7 -5 1004 1 3 2 1 1 \nx\n": "field 3 (length of an axis): is no number",
        "2 7 5.5 1004 1 3 2 1 1 \nx\n": "field 3 (length of an axis): is no number",
        "2 7 999999999999999999 1004 1 3 2 1 1 \nx\n": "fields 2 to 3: the array would have more",
        "2 7 9999999999999999999 1004 1 3 2 1 1 \nx\n": "field 3 (length of an axis): is no number",
        "2 3000000000 3000000000 1004 1 3 2 1 1 \nx\n": "fields 2 to 3: the array would have more",
        "2 7 5 1000 1 3 2 1 1 \nx\n": "field 4 (type): is 1000",
        "2 7 5 1005 1 3 2 1 1 \nx\n": "field 4 (type): is 1005",
        "2 7 5 1016 1 3 2 1 1 \nx\n": "field 4 (type): is 1016",
        "2 7 5 1004 2 3 2 1 1 \nx\n": "field 5 (layout): is 2 and must be 1 to 1",
        "2 7 5 1004 1 0 2 1 1 \nx\n": "field 6 (chunk length): is 0",
        "2 7 5 1004 1 3 2 0 1 \nx\n": "field 8 (number of files): is 0",
        "2 7 5 1004 1 3 2 9999 9999 \nx\n": "field 8 (number of files): is 9999",
        "2 7 5 1004 1 3 2 4 2 \nx\n": "field 9 (number of I/O processes): is not the number of files",
        "2 7 5 1004 1 3 2 1 \nx\n": "field 9 (number of I/O processes): is missing",
        "2 7 5 1004 1 3 2 1 1 8 \nx\n": "field 10 (none): there should be no more",
        "2 7 5 1004 1 3 2 1 1": "line 2 (name): is missing",
        good + "more\n": "line 2 (name): is followed by more",
        good.replace("name", "n\tame"): "line 2 (name): holds a control character",
        good.replace("name", "n" * 80): "line 2 (name): is longer",
        good + "\n" * 4096: "more than any F.info",
        good.replace("7 5", "7 6"): "has 280 bytes where",
    }
    for text, words in bad.items():
        open(f"{place}/d.info", "w").write(text)
        status = "EOVERFLOW" if "fields" in words else "EFORMAT"
        refused(status, "import", f"{place}/d.info", f"{place}/no", words, format="dra")
    for k in range(2):
        os.remove(f"{place}/d.{k}")
    open(f"{place}/d.info", "w").write(good.replace(" 1 1 ", " 2 2 "))
    refused("ENOENT", "import", f"{place}/d.info", f"{place}/no", "d.0")
    open(f"{place}/d.0", "wb").write(bytes(8 * 35))
    refused("ENOENT", "import", f"{place}/d.info", f"{place}/no", "d.1")
    open(f"{place}/d.1", "wb").write(b"")
    refused("EFORMAT", "import", f"{place}/d.info", f"{place}/no", "d.1: has 0 bytes")
    refused("ENOENT", "import", f"{place}/none", f"{place}/no", "none.info", format="dra")
    open(f"{place}/d.info", "w").write(good)
    bridge_import(f"{place}/d.info", f"{place}/fine")
    refused("EUNSUPPORTED", "export", f"{place}/fine", f"{place}/e.info", "read, not written")
    damaged(place, good.encode())


def damaged(place, good):
    """Cut at every length, and every byte changed: an error or an array, never a crash."""
    for n in range(len(good) - 6):
        open(f"{place}/d.info", "wb").write(good[:n])
        refused("EFORMAT", "import", f"{place}/d.info", f"{place}/no", format="dra")
    for at in range(len(good)):
        changed = bytearray(good)
        changed[at] ^= 1 << at % 8
        open(f"{place}/d.info", "wb").write(changed)
        code, _, err = call(BRIDGE, "import", f"{place}/d.info", f"{place}/c{at}", "format=dra")
        check(code in (0, STATUS["EFORMAT"], STATUS["ENOENT"]), "changed byte", at, code, err)


with workplace() as place:
    layouts(place)
    large(place)
    names(place)
    refusals(place)
done("dra")
