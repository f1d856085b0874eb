# MATLAB files, judged by SciPy (versions 4 to 7) and h5py (7.3): every public file, every class, both byte
# orders, files cut off anywhere and files with wrong bytes, folded axes, appending, and the way back.
# SPDX-License-Identifier: Apache-2.0
import glob
import io
import os
import struct
import sys
import zlib

import numpy as np

try:
    import h5py
    import scipy.io
except ImportError as missing:
    print(f"SKIPPED: {missing} (python3-scipy, python3-h5py)")
    sys.exit(77)

from judge import (BRIDGE, bridge_export, bridge_import, call, check, data_folder, done,
                   refused, workplace)

random = np.random.default_rng(11)
CLASSES = "i1,u1,i2,u2,i4,u4,i8,u8,f4,f8,c8,c16,?".split(",")


def cells_of(array, place):
    bridge_export(array, f"{place}/out.npy", memory=100000)
    return np.load(f"{place}/out.npy")


def same(ours, theirs, *what):
    check(ours.dtype == theirs.dtype and ours.shape == theirs.shape, ours.dtype, theirs.dtype,
          ours.shape, theirs.shape, *what)
    check(np.ascontiguousarray(ours).tobytes() == np.ascontiguousarray(theirs).tobytes(), "cells of",
          *what)


def variables_of(path):
    """Name to cells, as independent readers have them; what is no array of numbers is None."""
    with open(path, "rb") as f:
        is_v73 = f.read(128)[124:126] in (b"\0\2", b"\2\0")
    if is_v73:
        with h5py.File(path, "r") as f:
            return {k: v[...].T for k, v in f.items() if isinstance(v, h5py.Dataset)}
    every = {k: v for k, v in scipy.io.loadmat(path, chars_as_strings=False).items()
             if not k.startswith("__")}
    return {k: v if v.dtype.kind in "iufcb" else None for k, v in every.items()}


def public_files(place):
    n = 0
    for part in ("hyperspectral", "mat"):
        folder = data_folder(part)
        for path in sorted(glob.glob(f"{folder}/**/*.mat", recursive=True)) if folder else []:
            if "truncated" in path:
                refused("EFORMAT", "import", path, f"{place}/no", "'salinas_corrected'")
                refused("EFORMAT", "import", path, f"{place}/no", path, variable="salinas_corrected")
                n += 1
                continue
            every = variables_of(path)
            numeric = [k for k, v in every.items() if v is not None]
            for name, cells in every.items():
                if cells is None:
                    refused("EUNSUPPORTED", "import", path, f"{place}/no", name, variable=name)
                    continue
                bridge_import(path, f"{place}/p{n}", variable=name, memory=700000)
                same(cells_of(f"{place}/p{n}", place), cells, path, name)
                n += 1
            if len(numeric) > 1:
                refused("EARG", "import", path, f"{place}/no", numeric[-1])
            else:
                bridge_import(path, f"{place}/p{n}")
                same(cells_of(f"{place}/p{n}", place), every[numeric[0]], path)
                n += 1
            refused("ENOENT", "import", path, f"{place}/no", "no variable 'nobody'",
                    variable="nobody")
    print(f"{n} variables of public files")


def made(name, shape):
    dtype = np.dtype(name)
    if dtype.kind in "fc":
        values = random.normal(size=shape) * 1e3
        return (values + 1j * random.normal(size=shape)).astype(dtype) if dtype.kind == "c" \
            else values.astype(dtype)
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    return random.integers(low, high, shape, dtype=dtype, endpoint=True)


def classes(place):
    """Each class and number of axes, packed and plain, whole and in small slabs."""
    shapes = ((1, 1), (7, 1), (5, 9), (4, 3, 6), (3, 1, 5, 2), (2, 2, 3, 2, 3))
    n = 0
    for k, name in enumerate(CLASSES):
        for packed in (False, True):
            for shape in (shapes[k % 6], shapes[(k + 3) % 6]):
                cells = made(name, shape)
                path = f"{place}/c.mat"
                scipy.io.savemat(path, {"other": np.zeros(3), "x": cells, "last": np.ones((2, 2))},
                                 do_compression=packed)
                expected = scipy.io.loadmat(path)["x"]
                if expected.dtype.kind == "u" and name == "?":
                    expected = expected.astype(bool)
                for memory in (0, 64):
                    bridge_import(path, f"{place}/c{n}", variable="x", memory=memory)
                    same(cells_of(f"{place}/c{n}", place), expected, name, packed, shape, memory)
                    n += 1
    for name in ("f8", "f4", "i4", "i2", "u2", "u1", "c16"):
        cells = made(name, (6, 5))
        path = f"{place}/v4.mat"
        scipy.io.savemat(path, {"a": np.ones((2, 2)), "x": cells, "t": "text"}, format="4")
        bridge_import(path, f"{place}/v4{name}", variable="x", memory=64)
        same(cells_of(f"{place}/v4{name}", place), scipy.io.loadmat(path)["x"], "version 4", name)
        refused("EUNSUPPORTED", "import", path, f"{place}/no", "char", variable="t")
    print(f"{n} of all classes")


def element(kind, data, endian):
    pad = b"\0" * (-len(data) % 8)
    return struct.pack(endian + "II", kind, len(data)) + data + pad


def by_hand(cells, stored, endian, packed, complex_part=None, flags=0, name=b"x", cls=6):
    """A file of version 5, each byte of it written here."""
    kinds = {"i1": 1, "u1": 2, "i2": 3, "u2": 4, "i4": 5, "u4": 6, "f4": 7, "f8": 9}
    body = element(6, struct.pack(endian + "II", cls | flags, 0), endian)
    body += element(5, struct.pack(endian + f"{cells.ndim}i", *cells.shape), endian)
    body += element(1, name, endian)
    for part, what in ((cells, stored[0]),) + (((complex_part, stored[1]),) if complex_part is not None
                                               else ()):
        raw = part.astype(np.dtype(what).newbyteorder(endian)).tobytes("F")
        if 0 < len(raw) <= 4:  # a short element
            word = len(raw) << 16 | kinds[what]
            body += struct.pack(endian + "I", word) + raw + b"\0" * (4 - len(raw))
        else:
            body += element(kinds[what], raw, endian)
    whole = element(14, body, endian)
    if packed:
        z = zlib.compress(whole)
        whole = struct.pack(endian + "II", 15, len(z)) + z
    head = b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack(endian + "HH", 0x100, 0x4D49)
    return head + whole


def storage(place):
    """Numbers saved in a smaller type than their class, of both byte orders; parts of complex numbers in types of
    their own; short elements."""
    n = 0
    for endian in "<>":
        for packed in (False, True):
            for stored in ("i1", "u1", "i2", "u2", "i4", "u4", "f4", "f8"):
                for shape in ((1, 1), (2, 2), (5, 4, 3)):
                    cells = random.integers(0, 100, shape)
                    path = f"{place}/s.mat"
                    with open(path, "wb") as f:
                        f.write(by_hand(cells, (stored,), endian, packed))
                    theirs = scipy.io.loadmat(path)["x"]
                    bridge_import(path, f"{place}/s{n}", memory=48)
                    same(cells_of(f"{place}/s{n}", place), cells.astype(stored), endian, packed, stored)
                    check(np.array_equal(theirs, cells), "the file made by hand")
                    n += 1
            for stored in (("u1", "i2"), ("f8", "u1"), ("i4", "f8")):
                re, im = random.integers(0, 99, (4, 3)), random.integers(0, 99, (4, 3))
                with open(path, "wb") as f:
                    f.write(by_hand(re, stored, endian, packed, im, 0x800))
                bridge_import(path, f"{place}/s{n}")
                same(cells_of(f"{place}/s{n}", place), re + 1j * im, "complex", stored)
                n += 1
            with open(path, "wb") as f:
                f.write(by_hand(np.array([[2, 0], [1, 1]]), ("u1",), endian, packed, None, 0x200))
            bridge_import(path, f"{place}/s{n}")
            same(cells_of(f"{place}/s{n}", place), np.array([[True, False], [True, True]]), "logical")
            n += 1
    print(f"{n} ways of saving")


def never_crashes(path, place, must_fail, *how):
    """An import of a broken file is refused in one line, leaving nothing; or it works."""
    array = f"{place}/broken"
    code, _, err = call(BRIDGE, "import", path, array, "variable=x")
    check(0 <= code < 20, "crashed:", code, err)
    check(code != 0 or not must_fail, "taken although it is broken", *how)
    if code != 0:
        check(err.count("\n") == 1 and path in err, "text:", err)
        check(not os.path.exists(array + ".xmd"), "an array was left behind")
    else:
        for name in glob.glob(array + "*"):
            os.remove(name)


def broken(place):
    """Cut off at every length, and with wrong bytes."""
    path = f"{place}/b.mat"
    n = 0
    for packed in (False, True):
        good = by_hand(random.integers(0, 9000, (5, 4, 3)), ("i2",), "<", packed)
        for length in [0, 1, 7, 100, 127, 128, 129, 135, 136] + list(range(137, len(good), 5)):
            with open(path, "wb") as f:
                f.write(good[:length])
            never_crashes(path, place, True, "cut at", length, "of", len(good), packed)
            n += 1
        for at in range(124, len(good), 5):
            bad = bytearray(good)
            bad[at] ^= int(random.integers(1, 255))
            with open(path, "wb") as f:
                f.write(bad)
            # The last bits before the checksum of four bytes may mean nothing.
            inside = 136 <= at < len(good) - 5
            never_crashes(path, place, packed and inside, "wrong byte", at, "of", len(good))
            n += 1
    saved = io.BytesIO()
    scipy.io.savemat(saved, {"a": np.arange(3.0), "x": np.ones((4, 4))}, format="4")
    for length in range(0, len(saved.getvalue()), 13):
        with open(path, "wb") as f:
            f.write(saved.getvalue()[:length])
        never_crashes(path, place, True, "version 4 cut at", length)
        n += 1
    folder = data_folder("mat")
    if folder:
        with open(f"{folder}/v73_partial.mat", "rb") as f:
            good = f.read()
        for length in list(range(0, 3000, 197)) + list(range(3000, len(good), 19973)):
            with open(path, "wb") as f:
                f.write(good[:length])
            never_crashes(path, place, True, "version 7.3 cut at", length)
            n += 1
    print(f"{n} broken files")


def appending(place):
    """A broken source leaves the array as it was; good ones go where they belong."""
    one, two = made("i2", (6, 5, 7)), made("i2", (4, 5, 7))
    for name, cells in (("one", one), ("two", two)):
        scipy.io.savemat(f"{place}/{name}.mat", {"x": cells}, do_compression=True)
    array = f"{place}/grown"
    bridge_import(f"{place}/one.mat", array, chunk="4,4,4")
    bridge_import(f"{place}/two.mat", array, append="y", memory=300)
    bridge_import(f"{place}/two.mat", array, append="-y", memory=300)
    same(cells_of(array, place), np.concatenate([two, one, two]), "appended")
    with open(f"{place}/two.mat", "rb") as f:
        cut = f.read()[:-9]
    with open(f"{place}/cut.mat", "wb") as f:
        f.write(cut)
    refused("EFORMAT", "import", f"{place}/cut.mat", array, "'x'", append="y")
    bad = bytearray(cut + b"123456789")
    with open(f"{place}/bad.mat", "wb") as f:
        f.write(bad)
    refused("EFORMAT", "import", f"{place}/bad.mat", array, "'x'", append="y")
    same(cells_of(array, place), np.concatenate([two, one, two]), "unchanged")
    bridge_import(f"{place}/two.mat", array, at="-4,5,7")
    check(cells_of(array, place).shape == (14, 10, 14), "placed")


def way_back(place):
    """Exports, judged by SciPy; and imported again."""
    for k, name in enumerate(CLASSES):
        cells = made(name, ((3, 4, 5), (6, 2), (7,))[k % 3])
        np.save(f"{place}/w.npy", cells)
        bridge_import(f"{place}/w.npy", f"{place}/w{k}")
        bridge_export(f"{place}/w{k}", f"{place}/w{k}.mat", variable="my-name", memory=100)
        theirs = scipy.io.loadmat(f"{place}/w{k}.mat")["my_name"]
        expected = cells.reshape(-1, 1) if cells.ndim == 1 else cells
        if name == "?":
            check(theirs.dtype in (np.uint8, np.bool_), theirs.dtype)
            theirs = theirs.astype(bool)
        same(theirs, expected, "exported", name)
        bridge_import(f"{place}/w{k}.mat", f"{place}/v{k}")
        same(cells_of(f"{place}/v{k}", place), expected, "back again", name)
    np.save(f"{place}/h.npy", np.ones(4, "f2"))
    bridge_import(f"{place}/h.npy", f"{place}/h")
    refused("EUNSUPPORTED", "export", f"{place}/h", f"{place}/h.mat", "f16")


def folding(place):
    """An axis split in two or three, either order, in either kind of memory, whole or in small slabs."""
    n = 0
    cells = made("i2", (4, 24))
    scipy.io.savemat(f"{place}/f.mat", {"x": cells}, do_compression=True)
    np.save(f"{place}/f.npy", cells)
    for source in ("f.mat", "f.npy"):
        for fold, lengths in (("1=6,4", (6, 4)), ("1=2,3,4", (2, 3, 4)), ("0=2,2", (2, 2))):
            axis = int(fold[0])
            for order in ("row", "column"):
                parts = cells.reshape(((2, 2, 24) if axis == 0 else (4,) + lengths)) if order == "row" \
                    else np.stack([c.reshape(lengths, order="F") for c in cells]) if axis == 1 \
                    else cells.reshape((2, 2, 24)).transpose(1, 0, 2)
                for memory in (0, 20, 100):
                    bridge_import(f"{place}/{source}", f"{place}/f{n}", fold=f"{fold}:{order}",
                                  memory=memory, axes=",".join("abcd"[:parts.ndim]))
                    same(cells_of(f"{place}/f{n}", place), parts, "folded", source, fold, order, memory)
                    n += 1
    array = f"{place}/f{n}"
    bridge_import(f"{place}/f.mat", array, fold="1=6,4:column", axes="band,y,x")
    bridge_import(f"{place}/f.mat", array, fold="1=6,4:column", axes="band,y,x", append="y", memory=60)
    whole = np.stack([c.reshape((6, 4), order="F") for c in cells])
    same(cells_of(array, place), np.concatenate([whole, whole], axis=1), "folded and appended")
    refused("EARG", "import", f"{place}/f.mat", f"{place}/no", "24", fold="1=5,5")
    refused("EARG", "import", f"{place}/f.mat", f"{place}/no", "2", fold="2=5,5")
    refused("EARG", "import", f"{place}/f.mat", f"{place}/no", "", axes="a,b,c")
    folder = data_folder("hyperspectral")
    if folder:
        v = scipy.io.loadmat(f"{folder}/samson/samson_1.mat")["V"]
        bridge_import(f"{folder}/samson/samson_1.mat", f"{place}/samson", variable="V",
                      fold="1=95,95:column", axes="band,y,x", memory=2000000)
        ours = cells_of(f"{place}/samson", place)
        same(ours, v.reshape(156, 95, 95).transpose(0, 2, 1), "Samson")
        image = np.fromfile(f"{folder}/samson/samson_1.img", "<i2").reshape(156, 95, 95)
        check(np.array_equal(ours, np.maximum(image, 0) / 1402), "Samson against its ENVI file")


with workplace() as place:
    classes(place)
    storage(place)
    way_back(place)
    appending(place)
    broken(place)
    public_files(place)
    folding(place)
done("matlab")
