# Round trips of .npy and raw files, judged by NumPy.
# SPDX-License-Identifier: Apache-2.0
import glob
import io
import os

import numpy as np

from judge import (BRIDGE, STATUS, bridge_export, bridge_import, call, check, data_folder, done,
                   refused, workplace)

TYPES = "?,i1,u1,i2,u2,i4,u4,i8,u8,f2,f4,f8,c8,c16,S5,V7,U3,M8[ns],m8[s]".split(",")
random = np.random.default_rng(7)


def made(dtype, shape):
    dtype = np.dtype(dtype)
    n = int(np.prod(shape))
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    if dtype.kind == "U":
        return np.array(["".join(map(chr, random.integers(65, 90, 3))) for _ in range(n)],
                        dtype=dtype).reshape(shape)
    if dtype.kind in "SV":
        raw = random.integers(1, 255, n * dtype.itemsize).astype("u1").tobytes()
        return np.frombuffer(raw, dtype=dtype).reshape(shape)
    if dtype.kind in "iuMm":
        raw = random.integers(0, 256, n * dtype.itemsize).astype("u1").tobytes()
        return np.frombuffer(raw, dtype=dtype).reshape(shape)
    values = random.normal(size=shape)
    return (values + 1j * random.normal(size=shape)).astype(dtype) if dtype.kind == "c" \
        else values.astype(dtype)


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def saved(array):
    memory = io.BytesIO()
    np.save(memory, array)
    return memory.getvalue()


def public_files(place):
    folder = data_folder("npy")
    for k, path in enumerate(sorted(glob.glob(os.path.join(folder, "*.npy"))) if folder else []):
        bridge_import(path, f"{place}/p{k}")
        for order in ("row", "column"):
            bridge_export(f"{place}/p{k}", f"{place}/p{k}.npy", order=order)
            check(same(np.load(path), np.load(f"{place}/p{k}.npy")), path, order)
        bridge_export(f"{place}/p{k}", f"{place}/p{k}.npy", order="column")
        check(open(path, "rb").read().endswith(open(f"{place}/p{k}.npy", "rb").read()[128:]),
              "bytes of the cells of", path)


def types_and_orders(place):
    shapes = ((), (5,), (4, 3), (3, 1, 5, 2))
    for k, (name, order) in enumerate((t, o) for t in TYPES for o in "CF"):
        shape = shapes[(k + k // 4) % 4]
        for endian in "<>":
            array = np.asarray(made(np.dtype(name), shape), order=order)
            if name[0] not in "SV":
                array = array.astype(array.dtype.newbyteorder(endian))
            np.save(f"{place}/in.npy", array)
            name_of_array = f"{place}/t{k}{'l' if endian == '<' else 'b'}"
            bridge_import(f"{place}/in.npy", name_of_array)
            for out in ("row",) if endian == "<" else ("column",):
                bridge_export(name_of_array, f"{place}/out.npy", order=out, memory=24)
                little = array.astype(array.dtype.newbyteorder("<"))
                back = np.load(f"{place}/out.npy")
                check(same(np.ascontiguousarray(little), np.ascontiguousarray(back)), name, order,
                      shape, endian, out)
                wanted = saved(np.asarray(little, order="C" if out == "row" else "F"))
                check(open(f"{place}/out.npy", "rb").read() == wanted, "bytes", name, order, shape,
                      out)


def versions(place):
    array = made("f8", (3, 4))
    for version in ((1, 0), (2, 0), (3, 0)):
        with open(f"{place}/v.npy", "wb") as file:
            np.lib.format.write_array(file, array, version=version)
        bridge_import(f"{place}/v.npy", f"{place}/v{version[0]}")
        bridge_export(f"{place}/v{version[0]}", f"{place}/back.npy")
        check(same(array, np.load(f"{place}/back.npy")), "version", version)
    os.rename(f"{place}/v.npy", f"{place}/nameless")
    bridge_import(f"{place}/nameless", f"{place}/sniffed")


def growth(place):
    """Appending at both sides, and placing at coordinates, in slabs of a few cells."""
    whole = made("f4", (9, 6, 5))
    parts = {"middle": whole[3:6], "back": whole[6:], "front": whole[:3]}
    for name, part in parts.items():
        np.save(f"{place}/{name}.npy", part)
    for memory in (40, 130, 10**6):
        grown = f"{place}/grown{memory}"
        check(bridge_import(f"{place}/middle.npy", grown, chunk="2,4,3", memory=memory)
              == "0:3,0:6,0:5", "middle")
        check(bridge_import(f"{place}/back.npy", grown, append=0, memory=memory) == "3:6,0:6,0:5",
              "back")
        check(bridge_import(f"{place}/front.npy", grown, append="-0", memory=memory)
              == "-3:0,0:6,0:5", "front")
        bridge_export(grown, f"{place}/grown.npy", memory=memory)
        check(same(whole, np.load(f"{place}/grown.npy")), "grown in slabs of", memory)
        bridge_export(grown, f"{place}/box.npy", box="-2:4,1:5,2:3", memory=memory)
        check(same(whole[1:7, 1:5, 2:3], np.load(f"{place}/box.npy")), "box")
    at = f"{place}/at"
    bridge_import(f"{place}/middle.npy", at)
    check(bridge_import(f"{place}/front.npy", at, at="-4,2,-7", memory=60) == "-4:-1,2:8,-7:-2",
          "at")
    bridge_export(at, f"{place}/at.npy")
    wanted = np.zeros((7, 8, 12), "f4")
    wanted[4:, :6, 7:] = whole[3:6]
    wanted[:3, 2:, :5] = whole[:3]
    check(same(wanted, np.load(f"{place}/at.npy")), "placed at negative coordinates")
    np.save(f"{place}/plane.npy", whole[0])
    check(bridge_import(f"{place}/plane.npy", f"{place}/grown40", append=0) == "6:7,0:6,0:5",
          "a plane of fewer axes")


def conversions(place):
    np.save(f"{place}/i2.npy", np.arange(-3, 3, dtype="i2").reshape(2, 3))
    np.save(f"{place}/i4.npy", np.array([[1, -32768, 32767]], "i4"))
    np.save(f"{place}/big.npy", np.array([[1, 2, 32768]], "i4"))
    np.save(f"{place}/half.npy", np.array([[0.5, 1, 2]], "f8"))
    np.save(f"{place}/s.npy", np.array([[b"a", b"b", b"c"]]))
    bridge_import(f"{place}/i2.npy", f"{place}/conv")
    bridge_import(f"{place}/i4.npy", f"{place}/conv", append=0)
    refused("ERANGE", "import", f"{place}/big.npy", f"{place}/conv", append=0)
    refused("ERANGE", "import", f"{place}/half.npy", f"{place}/conv", append=0)
    refused("ETYPE", "import", f"{place}/s.npy", f"{place}/conv", append=0)
    bridge_export(f"{place}/conv", f"{place}/conv.npy")
    check(same(np.load(f"{place}/conv.npy"),
               np.array([[-3, -2, -1], [0, 1, 2], [1, -32768, 32767]], "i2")), "refusals left no trace")


def raw_files(place):
    array = made("i2", (6, 5, 4))
    array.tofile(f"{place}/a.raw")
    bridge_import(f"{place}/a.raw", f"{place}/raw", type="i16", bounds="6,5,4", memory=100)
    bridge_export(f"{place}/raw", f"{place}/b.raw")
    check(open(f"{place}/b.raw", "rb").read() == array.tobytes(), "raw, row order")
    bridge_export(f"{place}/raw", f"{place}/b.bin", order="column", memory=50)
    check(open(f"{place}/b.bin", "rb").read() == array.tobytes(order="F"), "raw, column order")
    check(bridge_import(f"{place}/a.raw", f"{place}/raw", format="raw", append=0) == "6:12,0:5,0:4",
          "raw takes type and bounds from the array")
    check(bridge_import(f"{place}/a.raw", f"{place}/raw", type="i16", bounds="6,5,4", at="6,0,0")
          == "6:12,0:5,0:4", "raw at")
    refused("EBOX", "import", f"{place}/a.raw", f"{place}/no", "240", type="i16", bounds="6,5,5")
    refused("EARG", "import", f"{place}/a.raw", f"{place}/no", format="raw")
    refused("EARG", "import", f"{place}/a.raw", f"{place}/no", type="i16")
    refused("EOVERFLOW", "import", f"{place}/a.raw", f"{place}/no", type="i16",
            bounds="4000000000,4000000000,4000000000")


def refusals(place):
    np.save(f"{place}/good.npy", np.arange(12.0).reshape(3, 4))
    np.save(f"{place}/structured.npy", np.zeros(3, [("a", "f8"), ("b", "i4")]))
    np.save(f"{place}/objects.npy", np.array([{}, 1], object), allow_pickle=True)
    data = open(f"{place}/good.npy", "rb").read()
    open(f"{place}/text.txt", "w").write("no array\n")
    refused("ENOENT", "import", f"{place}/none.npy", f"{place}/no", "none.npy")
    refused("EFORMAT", "import", f"{place}/text.txt", f"{place}/no")
    refused("EFORMAT", "import", f"{place}/text.txt", f"{place}/no", format="npy")
    refused("EUNSUPPORTED", "import", f"{place}/good.npy", f"{place}/no", "nonesuch",
            format="nonesuch")
    refused("EFORMAT", "import", f"{place}/structured.npy", f"{place}/no", "structured")
    refused("EFORMAT", "import", f"{place}/objects.npy", f"{place}/no", "objects")
    refused("EARG", "import", f"{place}/good.npy", f"{place}/no", "f64", type="f32", format="npy")
    refused("ECANCELLED", "import", f"{place}/good.npy", f"{place}/no", stop=1)
    bridge_import(f"{place}/good.npy", f"{place}/good")
    np.save(f"{place}/wide.npy", np.zeros((3, 5)))
    np.save(f"{place}/deep.npy", np.zeros((2, 3, 4)))
    refused("EBOX", "import", f"{place}/wide.npy", f"{place}/good", "5", append=0)
    refused("EBOX", "import", f"{place}/deep.npy", f"{place}/good", "axes", append=0)
    refused("ENOENT", "import", f"{place}/good.npy", f"{place}/good", append="time")
    refused("ENOENT", "import", f"{place}/good.npy", f"{place}/nothing", append=0)
    refused("EARG", "import", f"{place}/good.npy", f"{place}/good", "georeferenced", at="auto")
    refused("EBOX", "export", f"{place}/good", f"{place}/o.npy", box="0:3,0:5")
    refused("EUNSUPPORTED", "export", f"{place}/good", f"{place}/o.xyzzy", "xyzzy")
    refused("ECANCELLED", "export", f"{place}/good", f"{place}/o.npy", stop=1)
    check(not os.path.exists(f"{place}/o.npy"), "a refused export leaves nothing")
    open(f"{place}/kept.npy", "w").write("kept")
    refused("ECANCELLED", "export", f"{place}/good", f"{place}/kept.npy", stop=1)
    check(open(f"{place}/kept.npy").read() == "kept", "a failed export leaves the old file")
    bridge_export(f"{place}/good", f"{place}/kept.npy")
    check(np.load(f"{place}/kept.npy").shape == (3, 4), "a good one replaces it")
    os.mkdir(f"{place}/folder.npy")
    refused("EARG", "export", f"{place}/good", f"{place}/folder.npy", "folder")
    damaged(place, data)


def damaged(place, data):
    """Cut at every length, and every byte of the header changed: an error or the cells, never a crash."""
    survivors = 0
    for n in range(0, len(data), 13):
        open(f"{place}/cut.npy", "wb").write(data[:n])
        refused("EFORMAT", "import", f"{place}/cut.npy", f"{place}/no", format="npy")
    for at in range(0, 128, 3):
        changed = bytearray(data)
        changed[at] ^= 1 << (at % 8)
        open(f"{place}/changed.npy", "wb").write(changed)
        array = f"{place}/c{at}"
        code, _, err = call(BRIDGE, "import", f"{place}/changed.npy", array, "format=npy")
        check(code in (0, STATUS["EFORMAT"]), "changed byte", at, code, err)
        survivors += code == 0
    check(survivors < 6, "harmful changes that nobody noticed", survivors)


with workplace() as place:
    public_files(place)
    types_and_orders(place)
    versions(place)
    growth(place)
    conversions(place)
    raw_files(place)
    refusals(place)
done("npy and raw")
