# Whole Zarr stores into data sets and back, judged by zarr-python and xarray for version 2; stores of version 3 are
# written here, from the specification.
# SPDX-License-Identifier: Apache-2.0
import json
import os
import random
import shutil
import warnings
import zlib

import numcodecs
import numpy as np
import xarray
import zarr

from judge import call, check, done, run
from zarr_stores import (BIG, CRC, GZIP, LITTLE, TOOL, TURN, VERBS, ZSTD, blosc, cells_of, fresh, imported, place, refused,
                         same_bits, shard, write_v3)

warnings.simplefilter("ignore")
SCALE = float(os.environ.get("XTA_SCALE", "1"))
rng = np.random.default_rng(15)


def random_cells(dtype, shape):
    kind = np.dtype(dtype).kind
    if kind == "S":
        return rng.integers(65, 90, shape + (np.dtype(dtype).itemsize,), np.uint8).view(dtype).reshape(shape)
    if kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    if kind == "c":
        return (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(dtype)
    return (100 * rng.random(shape)).astype(dtype)


# ---- version 2: types, orders, compressors ----

DTYPES = ["|b1", "|i1", "|u1", "<i2", ">i2", "<u2", "<i4", ">u4", "<i8", ">i8", "<u8", "<f2", ">f2", "<f4", ">f4",
          "<f8", ">f8", "<c8", ">c16", "|S5"]
COMPRESSORS = [None, numcodecs.Zlib(3), numcodecs.GZip(1), numcodecs.Zstd(3), numcodecs.LZ4(),
               numcodecs.Blosc("lz4", shuffle=1), numcodecs.Blosc("zstd", shuffle=2), numcodecs.Blosc("zlib"),
               numcodecs.Blosc("blosclz")]


def types_and_codecs():
    path = fresh("types.zarr")
    group = zarr.open_group(path, "w")
    want = {}
    for k, dtype in enumerate(DTYPES):
        ndim = k % 4
        shape = tuple(int(n) for n in rng.integers(1, 12, ndim))
        filters = [numcodecs.Shuffle(np.dtype(dtype).itemsize)] if k % 3 == 0 else None
        name = f"a{k}"
        a = group.create_dataset(name, shape=shape, chunks=tuple(int(n) for n in rng.integers(1, 6, ndim)),
                                 dtype=dtype, order="CF"[k % 2], compressor=COMPRESSORS[k % len(COMPRESSORS)],
                                 filters=filters, dimension_separator="./"[k // 2 % 2])
        want[name] = random_cells(dtype, shape)
        a[...] = want[name]
    folder, lost = imported(path)
    check(lost == [], lost)
    for k, dtype in enumerate(DTYPES):
        cells = want[f"a{k}"]
        # The tool's NumPy files have bytes as V.
        there = dtype.replace("S", "V")
        check(same_bits(cells_of(folder, f"a{k}", there, cells.shape), cells), dtype, k)


def fill_and_missing_chunks():
    path = fresh("fill.zarr")
    group = zarr.open_group(path, "w")
    for name, dtype, fill in (("f", "<f4", np.nan), ("i", ">i2", -7), ("u", "<u8", 5), ("none", "<i4", None)):
        a = group.create_dataset(name, shape=(9, 7), chunks=(4, 3), dtype=dtype, fill_value=fill)
        a[4:8, 3:6] = 3
    folder, _ = imported(path)
    for name, fill in (("f", np.nan), ("i", -7), ("u", 5), ("none", 0)):
        want = np.full((9, 7), fill, group[name].dtype)
        want[4:8, 3:6] = 3
        check(same_bits(cells_of(folder, name, want.dtype, (9, 7)), want), name)


# ---- version 2: data sets of xarray ----

def xarray_set():
    time = xarray.DataArray(np.arange(6) * 0.25, dims="time", attrs={"units": "days since 2000-01-01"})
    return xarray.Dataset(
        {"t": (("time", "y", "x"), rng.normal(size=(6, 5, 4)).astype("f4"), {"units": "K", "n": 3, "range": [1.5, 2.5]}),
         "flag": (("y", "x"), rng.integers(0, 9, (5, 4)).astype("i2")), "crs": ((), np.int32(0), {"name": "plain"})},
        coords={"time": time, "x": ("x", np.arange(4, dtype="i4") * 10), "y": ("y", [1.0, 2.0, 4.0, 8.0, 16.0])},
        attrs={"title": "a set", "list": ["a", "b"], "nothing": "", "deep": {"a": [1, None]}, "half": 0.5})


def data_sets():
    ds = xarray_set()
    for consolidated in (True, False):
        path = fresh("set.zarr")
        ds.to_zarr(path, consolidated=consolidated)
        ds.to_zarr(path, group="inner/deep", consolidated=consolidated, mode="a")
        folder, lost = imported(path)
        check(lost == [], lost)
        info = run(TOOL, "info", folder)
        check("title" in info, info)
        check(os.path.exists(f"{folder}/inner/deep/t.xmd"), "groups come")
        check(not os.path.exists(f"{folder}/x.xmd"), "regular coordinates are no member")
        check(os.path.exists(f"{folder}/y.xmd"), "listed coordinates are")
        run(VERBS, "export", "--no-history", folder, fresh("back.nc"))
        with xarray.open_dataset(f"{place}/back.nc", decode_times=False) as back:
            back = back.load()
        plain = xarray.open_zarr(path, consolidated=consolidated, decode_times=False).load()
        check(plain.equals(back), back)
        check(back.t.attrs["units"] == "K" and back.t.attrs["n"] == 3, back.t.attrs)
        check(list(back.t.attrs["range"]) == [1.5, 2.5] and back.attrs["half"] == 0.5, back.t.attrs)


def what_cannot_come():
    path = fresh("lost.zarr")
    group = zarr.open_group(path, "w")
    group.create_dataset("good", data=np.arange(3, dtype="i4"))
    group.create_dataset("object", data=np.array([[1], "b"], dtype=object), object_codec=numcodecs.Pickle())
    group.create_dataset("when", data=np.array([1, 2], dtype="<M8[ns]"))
    group.create_dataset("pair", data=np.zeros(2, dtype=[("a", "i4"), ("b", "f8")]))
    group.create_dataset("delta", data=np.arange(4), filters=[numcodecs.Delta("i8")])
    folder, lost = imported(path)
    check(sorted(line.split(":")[0] for line in lost) == ["delta", "object", "pair", "when"], lost)
    check(os.path.exists(f"{folder}/good.xmd"), "the others come")
    refused(path, "4 things cannot come", "--strict")


# ---- version 3 ----

def version_3():
    path = fresh("v3.zarr")
    os.makedirs(path)
    json.dump({"zarr_format": 3, "node_type": "group", "attributes": {"title": "three"}}, open(f"{path}/zarr.json", "w"))
    chains = [[LITTLE], [BIG], [LITTLE, GZIP], [LITTLE, ZSTD, CRC], [LITTLE, CRC, GZIP], [TURN, BIG, ZSTD],
              [TURN, TURN, LITTLE], [shard([2, 3, 1], LITTLE)], [shard([2, 3, 4], TURN, BIG, GZIP, CRC)],
              [TURN, shard([4, 2, 3], LITTLE, index_location="start")],
              [shard([4, 3, 4], shard([2, 1, 2], BIG, ZSTD), CRC)]]
    want = {}
    for k, dtype in enumerate(["u1", "i2", "u4", "i8", "f2", "f4", "f8", "c8", "c16", "b1", "i1"]):
        for j in {k, 10 if k % 4 == 0 else k}:
            name = f"a{k}_{j}"
            want[name] = random_cells(dtype, (7, 8, 9))
            want[name][4:, :6] = 0
            codecs = chains[j] + ([blosc(np.dtype(dtype).itemsize)] if j == 1 and np.dtype(dtype).itemsize < 9 else [])
            write_v3(path, name, want[name], (4, 6, 4), codecs, [("default", "/"), ("default", "."), ("v2", "."),
                                                                 ("v2", "/")][(k + j) % 4],
                     fill=[0, 0] if dtype[0] == "c" else False if dtype == "b1" else 0,
                     dimension_names=["z", "y", "x"])
    folder, lost = imported(path)
    check(lost == [], lost)
    for name, cells in want.items():
        check(same_bits(cells_of(folder, name, cells.dtype, cells.shape), cells), name)
    info = run(TOOL, "info", folder)
    check("three" in info and "z" in info, info)


def fills_of_version_3():
    for dtype, fill, value in (("f4", "NaN", np.nan), ("f8", "-Infinity", -np.inf), ("f4", "0x3fc00000", 1.5),
                               ("i2", -3, -3), ("c8", ["NaN", 2.0], complex(np.nan, 2)), ("f2", 1.5, 1.5)):
        path = fresh("fill3.zarr")
        write_v3(path, "", np.zeros((3, 4), dtype), (2, 2), [LITTLE], fill=fill)
        os.remove(f"{path}/c/1/1")
        folder, _ = imported(path)
        want = np.zeros((3, 4), dtype)
        want[2:, 2:] = value
        check(same_bits(cells_of(folder, "fill3", dtype, (3, 4)), want), dtype, fill)


# ---- hostile stores ----

def hostile():
    path = fresh("hostile.zarr")
    group = zarr.open_group(path, "w")
    group.create_dataset("a", data=np.arange(100, dtype="i4"), chunks=(10,), compressor=numcodecs.Zlib(1))
    zarr.consolidate_metadata(path)
    original = json.load(open(f"{path}/.zmetadata"))
    secret = fresh("secret")
    shutil.copytree(f"{path}/a", secret)
    for name in ("../secret", "b/../../secret", "/secret", "./a"):
        evil = {"metadata": {f"{name}/{k.split('/')[1]}": v for k, v in original["metadata"].items() if "/" in k}}
        json.dump(evil, open(f"{path}/.zmetadata", "w"))
        code, _, err = call(VERBS, "import", path, fresh("no") + "/")
        check(all(n in ("a.xta", "a.xmd", "dataset.xmd") for _, _, files in os.walk(f"{place}/no") for n in files), name)
        check(code != 0 or "lost: " in err, name, code, err)
    os.remove(f"{path}/.zmetadata")
    os.remove(f"{path}/a/3")
    os.symlink(f"{secret}/3", f"{path}/a/3")
    refused(path, "symbolic link")
    imported(path, "--trust")
    os.remove(f"{path}/a/3")
    bomb = numcodecs.Zlib(9).encode(b"\0" * 50_000_000)
    open(f"{path}/a/3", "wb").write(bomb)
    refused(path, "more cells than its chunk")
    open(f"{path}/a/3", "wb").write(zlib.compress(b"\0" * 39))
    refused(path, "a/3: it does not have as many bytes as its cells")
    os.remove(f"{path}/a/3")
    meta = json.load(open(f"{path}/a/.zarray"))
    for key, value, text in (("chunks", [2**40], "1 GiB"), ("chunks", [0], "chunks"), ("shape", [2**62], "shape"),
                             ("shape", [-1], "shape"), ("shape", [1] * 40, "32 dimensions"),
                             ("dtype", ">q9", "type"), ("order", 3, "order"), ("fill_value", "x", "fill")):
        json.dump({**meta, key: value}, open(f"{path}/a/.zarray", "w"))
        refused(path, text, "--strict")
    open(f"{path}/a/.zarray", "w").write("[" * 100_000)
    refused(path, ".zarray")


def mutations():
    """Changed bytes in metadata and chunks: an error or cells, never a crash nor half a data set."""
    path = fresh("good.zarr")
    os.makedirs(path)
    json.dump({"zarr_format": 3, "node_type": "group"}, open(f"{path}/zarr.json", "w"))
    cells = random_cells("f4", (6, 6, 4))
    for name, chain in (("gzip", [LITTLE, GZIP]), ("zstd", [LITTLE, ZSTD, CRC]), ("blosc", [LITTLE, blosc(4)]),
                        ("shard", [shard([2, 3, 2], TURN, BIG, ZSTD)])):
        write_v3(path, name, cells, (6, 6, 4), chain)
    files = [os.path.join(folder, n) for folder, _, names in os.walk(path) for n in names]
    dice = random.Random(40)
    for _ in range(max(5, int(12 * SCALE))):
        name = dice.choice(files)
        good = open(name, "rb").read()
        bad = bytearray(good)
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(len(bad))
            kind = dice.randrange(3)
            if kind == 0:
                bad[at] = dice.randrange(256)
            elif kind == 1:
                del bad[at:at + dice.randint(1, 9)]
            else:
                bad[at:at] = dice.choice([b"9999999", b"-", b"\xff" * 8, b"null", b"\0"])
            bad = bad or bytearray(b"x")
        open(name, "wb").write(bad)
        code, _, err = call(VERBS, "import", path, fresh("no") + "/", "--strict")
        check(code in (0, 1, 2) and (code == 0) == os.path.exists(f"{place}/no"), name, bytes(bad)[:400], code, err)
        open(name, "wb").write(good)


types_and_codecs()
fill_and_missing_chunks()
data_sets()
what_cannot_come()
version_3()
fills_of_version_3()
hostile()
mutations()
done("whole_zarr")
