# Zarr stores at the edges of the specifications: names, numbers and texts that are no others', documents that
# contradict each other, files that are none. Each case was a defect once, or has a sibling that was.
# SPDX-License-Identifier: Apache-2.0
import base64
import json
import os
import shutil
import struct
import warnings

import netCDF4
import numcodecs
import numpy as np
import xarray
import zarr

from judge import call, check, done, run
from zarr_stores import (GZIP, LITTLE, TOOL, TURN, VERBS, ZSTD, cells_of, fresh, imported, place, refused, same_bits,
                         shard, write_v3)

warnings.simplefilter("ignore")


def group_v2(name, attributes=None):
    path = fresh(name)
    group = zarr.open_group(path, "w")
    if attributes is not None:
        json.dump(attributes, open(f"{path}/.zattrs", "w"))
    return path, group


def group_v3(name, attributes=None):
    path = fresh(name)
    os.makedirs(path)
    json.dump({"zarr_format": 3, "node_type": "group", "attributes": attributes or {}}, open(f"{path}/zarr.json", "w"))
    return path


def edit(path, **changes):
    json.dump({**json.load(open(path)), **changes}, open(path, "w"))


def attribute(path, name):
    return run(TOOL, "attr", path, name).rstrip("\n")


def numbers_beyond_int64():
    path, group = group_v2("big.zarr", {"most": 2**64 - 1, "more": 2**70, "least": -2**63, "huge": float("1e300"),
                                        "several": [2**64 - 1, 2**64 - 1]})
    a = group.create_dataset("a", shape=(5,), chunks=(2,), dtype="<u8", fill_value=0)
    a[:2] = 2**64 - 2
    edit(f"{path}/a/.zarray", fill_value=2**64 - 1)
    open(f"{path}/a/.zattrs", "w").write('{"far": 1e999, "deep": {"x": [NaN, 18446744073709551615, -Infinity]}}')
    folder, lost = imported(path)
    check(lost == [], lost)
    check(same_bits(cells_of(folder, "a", "u8", (5,)), np.array([2**64 - 2] * 2 + [2**64 - 1] * 3, "u8")), "u64 fill")
    deep = attribute(f"{folder}/a", "deep")
    check(deep == '{"x":[NaN,18446744073709551615,-Infinity]}', deep)
    check(attribute(f"{folder}/a", "far") == "inf", attribute(f"{folder}/a", "far"))
    info = run(TOOL, "info", folder)
    check("most = 18446744073709551615ull" in info and '"1180591620717411303424"' in info, info)
    check('"[18446744073709551615,18446744073709551615]"' in info, info)
    for bad in (2**64, -1, 0.5):
        edit(f"{path}/a/.zarray", fill_value=bad)
        refused(path, "fill value", "--strict")
    path, group = group_v2("bool.zarr")
    group.create_dataset("a", shape=(3,), chunks=(3,), dtype="|b1", fill_value=True)
    edit(f"{path}/a/.zarray", fill_value=7)
    refused(path, "fill value", "--strict")


def names():
    path, group = group_v2("names.zarr", {"a/b": 1, "": 2, "good": 3, "bell\a": 4, "x" * 300: 5})
    a = group.create_dataset("a", data=np.arange(3, dtype="i4"))
    a.attrs.update({"zarr/chunks": "no", "netcdf/strings": "yes", "unit": "m"})
    folder, lost = imported(path)
    check(len(lost) == 6 and sum("a/b" in line for line in lost) == 1, lost)
    check(sum(line.startswith("a: ") and "netcdf/strings" in line for line in lost) == 1, lost)
    check("good" in run(TOOL, "info", folder) and attribute(f"{folder}/a", "unit") == "m", "the others come")
    refused(path, "6 things cannot come", "--strict")
    # Names of nodes that would meet files of members, or are none at all.
    path, group = group_v2("nodes.zarr")
    for name in ("a", "a.xta", "a.xmd", "dataset.xmd", "dataset", "b c"):
        group.create_dataset(name, data=np.arange(3, dtype="i4"))
    for name in ("g", "g.xta", "h.xmd", "a.d"):
        group.create_group(name).create_dataset("inner", data=np.arange(2, dtype="u1"))
    group.create_dataset("_a.xta_", data=np.arange(3, dtype="i4"))
    group.create_group("_g.xta_")
    os.makedirs(os.fsencode(path) + b"/\xff\xfe")
    shutil.copy(f"{path}/a/.zarray", os.fsencode(path) + b"/\xff\xfe/.zarray")
    os.makedirs(f"{path}/.hidden")
    shutil.copy(f"{path}/a/.zarray", f"{path}/.hidden/.zarray")
    os.makedirs(f"{path}/no node")
    shutil.copytree(f"{path}/a", f"{place}/elsewhere", dirs_exist_ok=True)
    os.symlink(f"{place}/elsewhere", f"{path}/link")
    code, _, err = call(VERBS, "import", path, fresh("nodes") + "/")
    check(code == 0, err)
    lost = [line for line in err.splitlines() if "lost: " in line]
    for part in ("link", ".hidden", "UTF-8"):
        check(sum(part in line for line in lost) == 1, part, lost)
    check(len(lost) == 3, lost)
    run(VERBS, "export", f"{place}/nodes", fresh("nodes.nc"))
    with netCDF4.Dataset(f"{place}/nodes.nc") as back:
        check(set(back.variables) == {"a", "a.xta", "a.xmd", "dataset.xmd", "dataset", "b c", "_a.xta_"}, back)
        check(set(back.groups) == {"g", "g.xta", "h.xmd", "a.d", "_g.xta_"}, back)
        check(list(back["g.xta"].variables) == ["inner"] and not back["_g.xta_"].variables, back)


def names_in_netcdf():
    """The same names there."""
    path = fresh("names.nc")
    with netCDF4.Dataset(path, "w") as out:
        out.createDimension("x", 4)
        out.createDimension("x_2", 7)
        out.createVariable("a", "i2", ("x", "x"))[...] = 3
        out.createVariable("b", "i2", ("x_2",))[...] = 4
        out.createGroup("dataset").createVariable("inner", "i4", ())[...] = 5
        out.createGroup("_dataset_")
    folder, lost = imported(path)
    check(lost == [], lost)
    cells_of(folder, "a", "i2", (4, 4))
    cells_of(folder, "b", "i2", (7,))
    run(VERBS, "export", folder, fresh("names2.nc"))
    with netCDF4.Dataset(f"{place}/names2.nc") as back:
        check(back["a"].dimensions == ("x", "x") and back["b"].dimensions == ("x_2",), back)
        check(back["dataset/inner"][...] == 5 and "_dataset_" in back.groups, back)


def names_of_dimensions():
    path, group = group_v2("dims.zarr")

    def add(name, shape, dims):
        group.create_dataset(name, data=np.zeros(shape, "i2")).attrs["_ARRAY_DIMENSIONS"] = dims
    add("a", (3,), ["b_dim0"])
    group.create_dataset("b", data=np.zeros(5, "i2"))
    add("c", (4, 4), ["x", "x"])
    add("d", (7,), ["x_2"])
    add("e", (2, 3), ["y"])
    add("f", (2, 3), ["q/r", "s"])
    folder, lost = imported(path)
    for name, shape in (("a", (3,)), ("b", (5,)), ("c", (4, 4)), ("d", (7,)), ("e", (2, 3)), ("f", (2, 3))):
        cells_of(folder, name, "i2", shape)
    check(sum(line.startswith("f: ") for line in lost) == 1, lost)
    check(attribute(f"{folder}/e", "_ARRAY_DIMENSIONS") == '["y"]', "a list that does not fit")
    # Version 3 that an old xarray wrote.
    path = group_v3("olddims.zarr")
    write_v3(path, "t", np.zeros((2, 3), "i4"), (2, 3), [LITTLE])
    edit(f"{path}/t/zarr.json", attributes={"_ARRAY_DIMENSIONS": ["y", "x"]})
    folder, lost = imported(path)
    check(lost == [] and "y = 2" in run(TOOL, "info", folder), run(TOOL, "info", folder))


def stale_metadata():
    path = fresh("stale.zarr")
    ds = xarray.Dataset({"t": (("time", "x"), np.arange(6.0).reshape(2, 3))}, coords={"time": [0.0, 1.0]})
    ds.to_zarr(path, consolidated=True)
    later = zarr.open_group(path, "a", synchronizer=None)
    later["t"].append(np.arange(3.0)[None] + 10)
    later["time"].append([7.5])
    later.create_dataset("new", data=np.arange(4))
    folder, lost = imported(path)
    check(cells_of(folder, "t", "f8", (3, 3))[2, 2] == 12, "cells that were appended")
    check(os.path.exists(f"{folder}/new.xmd"), "an array that was added")
    check(sorted(line.split(":")[0] for line in lost) == ["t", "time"], lost)
    check(all("consolidated" in line for line in lost), lost)
    zarr.consolidate_metadata(path)
    check(imported(path)[1] == [], "fresh")
    # Version 3, where groups repeat their own consolidated metadata.
    path = group_v3("stale3.zarr")
    meta = write_v3(path, "a", np.arange(4, dtype="i4"), (2,), [LITTLE])
    inside = {"zarr_format": 3, "node_type": "group", "attributes": {}, "consolidated_metadata": {"metadata": {}}}
    os.makedirs(f"{path}/g")
    json.dump({k: v for k, v in inside.items() if k[0] != "c"}, open(f"{path}/g/zarr.json", "w"))
    edit(f"{path}/zarr.json", consolidated_metadata={"kind": "inline", "metadata": {"a": meta, "g": inside}})
    check(imported(path)[1] == [], "equal")
    edit(f"{path}/zarr.json", consolidated_metadata={"metadata": {"a": {**meta, "shape": [9]}, "g": inside}})
    folder, lost = imported(path)
    check(len(lost) == 1 and cells_of(folder, "a", "i4", (4,))[3] == 3, lost)


def what_is_no_node():
    path, group = group_v2("none.zarr")
    group.create_dataset("a", data=np.arange(3))
    group.create_group("a2")
    shutil.copy(f"{path}/.zgroup", f"{path}/a/.zgroup")
    edit(f"{path}/a2/.zgroup", zarr_format=1)
    folder, lost = imported(path)
    check(sorted(line.split(":")[0] for line in lost) == ["a", "a2"], lost)
    edit(f"{path}/.zgroup", zarr_format=7)
    refused(path, "version 2")
    path = group_v3("none3.zarr")
    for name, changes in (("a", {"zarr_format": 4}), ("b", {"node_type": "tree"}), ("c", {"attributes": [1]})):
        write_v3(path, name, np.arange(3, dtype="i4"), (3,), [LITTLE])
        edit(f"{path}/{name}/zarr.json", **changes)
    folder, lost = imported(path)
    check(sorted(line.split(":")[0] for line in lost) == ["a", "b", "c"], lost)
    edit(f"{path}/zarr.json", node_type="tree")
    refused(path, "zarr.json")


def files_that_are_none():
    path, group = group_v2("odd.zarr")
    group.create_dataset("a", data=np.arange(10), chunks=(2,), compressor=None)
    for make in (lambda at: os.mkfifo(at), lambda at: os.mkdir(at), lambda at: os.symlink("nowhere", at),
                 lambda at: open(at, "w").close(), lambda at: os.symlink("1", at)):
        folder = os.path.isdir(f"{path}/a/1") and not os.path.islink(f"{path}/a/1")
        (os.rmdir if folder else os.remove)(f"{path}/a/1")
        make(f"{path}/a/1")
        refused(path, "a/1", "--trust")
    os.remove(f"{path}/a/1")
    shutil.rmtree(f"{path}/a")
    os.symlink("a", f"{path}/a")
    check(imported(path)[1] == [], "a loop is no node")


def nonsense_metadata():
    path, group = group_v2("nonsense.zarr")
    group.create_dataset("a", data=np.arange(4, dtype="i4"), compressor=None)
    good = json.load(open(f"{path}/a/.zarray"))
    for key, value, text in (("filters", {"id": "delta"}, "filters"), ("compressor", "zlib", "compressor"),
                             ("filters", ["zlib"], "codec"), ("chunks", [0], "chunks"), ("chunks", [2.0], "chunks"),
                             ("shape", {"a": 1}, "shape"), ("dtype", "|U0", "type"), ("dtype", "<U70000", "type")):
        json.dump({**good, key: value}, open(f"{path}/a/.zarray", "w"))
        refused(path, text, "--strict")
    json.dump({**good, "shape": [0], "chunks": [0]}, open(f"{path}/a/.zarray", "w"))
    folder, lost = imported(path)
    check(lost == [] and cells_of(folder, "a", "i4", (0,)).size == 0, lost)
    path = group_v3("nonsense3.zarr")
    write_v3(path, "a", np.arange(24, dtype="i4").reshape(2, 3, 4), (2, 3, 4), [LITTLE])
    good = json.load(open(f"{path}/a/zarr.json"))
    for key, value, text in (
            ("codecs", [{"name": "bytes", "configuration": {"endian": "middle"}}], "byte order"),
            ("codecs", [{"name": "bytes"}], "byte order"), ("codecs", [GZIP, LITTLE], "cells into bytes"),
            ("codecs", [LITTLE, LITTLE], "twice"), ("codecs", [LITTLE, TURN], "transpose"), ("codecs", {}, "codecs"),
            ("codecs", [shard([2, 3, 4], LITTLE, index_location="middle")], "index"),
            ("codecs", [shard([2, 3, 3], LITTLE)], "divide"), ("codecs", [shard([2, 3, -4], LITTLE)], "divide"),
            ("codecs", [shard([1, 1, 1], LITTLE, index_codecs=[LITTLE, GZIP])], "fixed length"),
            ("codecs", [{"name": "transpose", "configuration": {"order": [0, 1, 1]}}, LITTLE], "transpose"),
            ("fill_value", "0x123", "fill value"), ("fill_value", 2**31, "fill value"),
            ("chunk_grid", {"name": "rectangular"}, "grid"), ("storage_transformers", [{"name": "x"}], "understood"),
            ("new_thing", {"name": "x"}, "understood")):
        json.dump({**good, key: value}, open(f"{path}/a/zarr.json", "w"))
        refused(path, text, "--strict")
    # Short forms that are as good.
    for key, value in (("data_type", {"name": "int32"}), ("data_type", {"name": "int32", "configuration": {}}),
                       ("chunk_key_encoding", "default"),
                       ("new_thing", {"must_understand": False}), ("dimension_names", None),
                       ("dimension_names", [None, "y", None])):
        json.dump({**good, key: value}, open(f"{path}/a/zarr.json", "w"))
        folder, lost = imported(path)
        check(lost == [] and cells_of(folder, "a", "i4", (2, 3, 4))[1, 2, 3] == 23, key, value, lost)


def small_pieces_of_shards():
    """An index that is longer than the cells, compressed as a whole."""
    path = group_v3("index.zarr")
    cells = np.arange(40, dtype="u1").reshape(4, 10) * 3 + 1
    big = np.arange(1 << 20, dtype="u4").astype("u1").reshape(1024, 1024) | 1
    write_v3(path, "a", cells, (4, 10), [shard([1, 1], LITTLE), GZIP])
    write_v3(path, "b", big[:1, :1], (1, 1), [shard([1, 1], LITTLE, index_codecs=[LITTLE]), ZSTD])
    edit(f"{path}/b/zarr.json", shape=[256, 1024], chunk_grid={"name": "regular",
                                                               "configuration": {"chunk_shape": [256, 1024]}})
    index = np.stack([np.arange(1 << 18), np.ones(1 << 18)], 1).astype("<u8")
    open(f"{path}/b/c/0/0", "wb").write(numcodecs.Zstd(1).encode(big[:256].tobytes() + index.tobytes()))
    folder, lost = imported(path)
    check(lost == [], lost)
    check(same_bits(cells_of(folder, "a", "u1", (4, 10)), cells), "small")
    check(same_bits(cells_of(folder, "b", "u1", (256, 1024)), big[:256]), "large")


def fill_of_missing_cells():
    """xarray keeps the one of version 3 in an attribute: whole numbers as such, reals as bytes in base64."""
    path = group_v3("missing.zarr")
    for name, dtype, value in (("f", "f4", base64.b64encode(struct.pack("<d", -999.5)).decode()), ("i", "i2", -7),
                               ("d", "f8", base64.b64encode(struct.pack("<d", np.nan)).decode()),
                               ("wide", "i2", 70000)):
        write_v3(path, name, np.arange(3).astype(dtype), (3,), [LITTLE])
        edit(f"{path}/{name}/zarr.json", attributes={"_FillValue": value}, dimension_names=["x"])
    folder, lost = imported(path)
    check(attribute(f"{folder}/f", "_FillValue") == "-999.5", attribute(f"{folder}/f", "_FillValue"))
    run(VERBS, "export", folder, fresh("missing.nc"))
    with xarray.open_dataset(f"{place}/missing.nc", mask_and_scale=False) as back:
        check(back.f.attrs["_FillValue"] == np.float32(-999.5) and back.i.attrs["_FillValue"] == -7, back)
        check(np.isnan(back.d.attrs["_FillValue"]) and back.i.attrs["_FillValue"].dtype == "i2", back)


def cells_that_are_missing():
    """They cost neither space nor time: the array has the fill value anyway."""
    path, group = group_v2("sparse.zarr")
    a = group.create_dataset("a", shape=(30000, 30000), chunks=(1000, 1000), dtype="i1", fill_value=-3)
    a[15000, 7] = 5
    group.create_dataset("b", shape=(10**8,), chunks=(10**5,), dtype="i8", fill_value=9)
    folder, lost = imported(path)
    blocks = [os.stat(f"{folder}/{name}.xta").st_blocks * 512 for name in "ab"]
    check(lost == [] and blocks[0] < 64 << 20 and blocks[1] < 1 << 20, lost, blocks)
    for box, want in (("15000:15001,6:9", "-3 5 -3"), ("0:1,0:2", "-3 -3"), ("29999:30000,29998:30000", "-3 -3")):
        check(run(TOOL, "read", f"{folder}/a", "--box", box).strip() == want, box)
    check(run(TOOL, "read", f"{folder}/b", "--box", "5:7").split() == ["9", "9"], "all are missing")


# ---- texts ----

WORDS = np.array([["a", "déjà", ""], ["日本語", "x" * 9, "🜁"]])


def texts_of(folder, member):
    path = fresh("texts.nc")
    run(VERBS, "export", folder, path)
    with xarray.open_dataset(path) as ds:
        return ds[member].load()


def texts():
    for k, dtype in enumerate(("<U9", ">U9", object, "<U9")):
        path, group = group_v2("texts.zarr")
        more = {"object_codec": numcodecs.VLenUTF8()} if dtype is object else {}
        a = group.create_dataset("word", shape=(2, 3), chunks=(1, 2), dtype=dtype, order="CF"[k % 2], fill_value="",
                                 compressor=[None, numcodecs.Zlib(1), numcodecs.Zstd(1)][k % 3], **more)
        a[...] = WORDS
        a.attrs["_ARRAY_DIMENSIONS"] = ["y", "x"]
        if k == 3:
            os.remove(f"{path}/word/1.1")
            edit(f"{path}/word/.zarray", fill_value="missing")
        folder, lost = imported(path)
        check(lost == [], lost)
        want = WORDS.copy()
        want[1, 2] = "missing" if k == 3 else want[1, 2]
        back = texts_of(folder, "word")
        check(back.dims == ("y", "x") and (back.values == want).all(), k, back.values)
    # Coordinates of texts, as xarray writes them; no cells; one cell.
    ds = xarray.Dataset({"t": (("band", "x"), np.arange(6.0).reshape(2, 3)), "one": ((), "single"),
                         "none": (("zero",), np.array([], "<U3"))}, coords={"band": ["red", "nir"]})
    path = fresh("band.zarr")
    ds.to_zarr(path)
    folder, lost = imported(path)
    check(lost == [], lost)
    back = texts_of(folder, "t")
    check(list(back.band.values) == ["red", "nir"] and texts_of(folder, "one").item() == "single", back)


def texts_of_version_3():
    def vlen(cells):
        words = [str(w).encode() for w in cells.ravel()]
        return struct.pack("<I", len(words)) + b"".join(struct.pack("<I", len(w)) + w for w in words)
    path = group_v3("texts3.zarr")
    write_v3(path, "a", np.zeros((2, 3), "u1"), (2, 3), [LITTLE])
    shutil.copytree(f"{path}/a", f"{path}/fixed")
    edit(f"{path}/a/zarr.json", data_type="string", fill_value="", codecs=[{"name": "vlen-utf8"}, GZIP])
    open(f"{path}/a/c/0/0", "wb").write(bytes(numcodecs.GZip(1).encode(vlen(WORDS))))
    edit(f"{path}/fixed/zarr.json", fill_value="",
         data_type={"name": "fixed_length_utf32", "configuration": {"length_bytes": 36}})
    open(f"{path}/fixed/c/0/0", "wb").write(WORDS.astype("<U9").tobytes())
    folder, lost = imported(path)
    check(lost == [], lost)
    check((texts_of(folder, "a").values == WORDS).all() and (texts_of(folder, "fixed").values == WORDS).all(), "texts")
    good = vlen(WORDS)
    edit(f"{path}/a/zarr.json", codecs=["vlen-utf8"])
    for bad in (good[:-1], good + b"x", good[:3], b"\xff" * 8, struct.pack("<I", 7) + good[4:],
                struct.pack("<II", 6, 2**32 - 1) + good[8:], good.replace("é".encode(), b"\xc3\x28")):
        open(f"{path}/a/c/0/0", "wb").write(bad)
        refused(path, "a/c/0/0")
    open(f"{path}/a/c/0/0", "wb").write(good)
    cells = WORDS.astype("<U9")
    raw = bytearray(cells.tobytes())
    for code in (0x110000, 0xd800, 2**32 - 1):
        raw[:4] = struct.pack("<I", code)
        open(f"{path}/fixed/c/0/0", "wb").write(raw)
        refused(path, "fixed/c/0/0")


# ---- one array ----

def single_arrays():
    ds = xarray.Dataset({"t": (("time", "x"), np.arange(6.0).reshape(2, 3), {"units": "K", "half": 0.5}),
                         "flag": (("x",), np.arange(3, dtype="i2"))},
                        coords={"time": ("time", [0.5, 1.5], {"units": "days since 2000-01-01"}), "x": [10, 20, 30]},
                        attrs={"title": "all"})
    path = fresh("one.zarr")
    ds.to_zarr(path)
    ds[["t"]].to_zarr(path, group="g/h", mode="a")
    for name in ("t", "g/h/t"):
        array = fresh("one")
        run(VERBS, "import", f"{path}:{name}", array)
        check(same_bits(cells_of(place, "one", "f8", (2, 3)), ds.t.values), name)
        info = run(TOOL, "info", array)
        for part in ("axis 0      time [days since 2000-01-01]", "axis 1      x", "time:values\tf64\t0.5,1.5",
                     "x:values\ti64\t10,20,30", "units\ttext\tK", f"import/variable\ttext\t{name}"):
            check(part in info, part, info)
        check(("global/title\ttext\tall" in info), info)
        for suffix in (".xmd", ".xta"):
            os.remove(array + suffix)
    check(run(VERBS, "import", f"{path}:g/h/t", "--describe").split() ==
          "format zarr bounds 2,3 chunk 2,3 type f64 variable g/h/t".split(), "described")
    tuned = run(TOOL, "tune", f"{path}:g/h/t", "--query", "1,3")
    check("present" in tuned and "2,3" in tuned and f"xta import {path}:g/h/t DST --chunk" in tuned, tuned)
    # Later cells follow; the others are refused.
    later = ds.assign_coords(time=("time", [2.5, 3.5], ds.time.attrs))
    later.to_zarr(fresh("later.zarr"))
    run(VERBS, "import", f"{path}:t", f"{place}/one")
    check(run(VERBS, "import", f"{place}/later.zarr:t", f"{place}/one", "--append", "time").strip() == "2:4,0:3", "append")
    for source, options, text in (
            (path, (), "name one (as one.zarr:NAME): flag (3 <i2), g/h/t (2x3 <f8), t (2x3 <f8)"),
            (f"{path}:none", (), "has no array none; it has flag (3 <i2)"), (f"{path}:g", (), "has no array g"),
            (f"{path}:../one.zarr/t", (), "not inside"), (f"{path}:t", ("--chunk", "1"), "chunk"),
            (f"{place}/later.zarr:t", ("--append", "x"), "x")):
        target = f"{place}/one" if "--append" in options else fresh("no")
        code, _, err = call(VERBS, "import", source, target, *options)
        check(code in (1, 2) and text in err and err.count("\n") == 1, source, code, err)
        check(not os.path.exists(f"{place}/no.xmd"), source)
    code, _, err = call(VERBS, "export", f"{place}/one", fresh("out.zarr"))
    check(code == 1 and "only imported" in err, code, err)
    # An array that is no group's, one cell, one that is the only one, and one that cannot be read.
    zarr.save(fresh("alone.zarr"), np.arange(12, dtype=">i4").reshape(3, 4))
    run(VERBS, "import", f"{place}/alone.zarr", fresh("alone"))
    check(same_bits(cells_of(place, "alone", "i4", (3, 4)), np.arange(12, dtype="i4").reshape(3, 4)), "alone")
    path, group = group_v2("few.zarr")
    group.create_dataset("cell", shape=(), dtype="f4", fill_value=2)
    run(VERBS, "import", path, fresh("cell"))
    check(cells_of(place, "cell", "f4", ()) == 2, "one cell")
    group.create_dataset("when", data=np.array([1], dtype="<M8[ns]"))
    code, _, err = call(VERBS, "import", f"{path}:when", fresh("no"))
    check(code == 1 and "array when cannot be read: its cells are of type <M8[ns]" in err, code, err)


numbers_beyond_int64()
names()
names_in_netcdf()
names_of_dimensions()
stale_metadata()
what_is_no_node()
files_that_are_none()
nonsense_metadata()
small_pieces_of_shards()
fill_of_missing_cells()
cells_that_are_missing()
texts()
texts_of_version_3()
single_arrays()
done("zarr_edges")
