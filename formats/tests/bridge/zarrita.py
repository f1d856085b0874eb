# Zarr version 3 judged by npm's zarrita (zarrita_io.mjs): stores that it writes are imported, and stores that the tests
# write are read by both. zarrita is no package of Debian: the folder in which npm installed it is $XTA_ZARRITA.
# SPDX-License-Identifier: Apache-2.0
import base64
import json
import os
import shutil
import struct
import subprocess
import sys

import numcodecs
import numpy as np
import xarray

from judge import check, done, run, skip
from zarr_stores import (BIG, CRC, GZIP, LITTLE, TOOL, VERBS, ZSTD, blosc, cells_of, fresh, imported, place, same_bits,
                         shard, write_v3)

HERE = os.path.dirname(os.path.abspath(__file__))
SHAPE = (4, 6, 5)


def zarrita(verb, path, *names):
    answer = subprocess.run(["node", f"{HERE}/zarrita_io.mjs", verb, path, *names], capture_output=True, text=True)
    check(answer.returncode == 0, verb, path, answer.stderr[-2000:])
    return [json.loads(line) for line in answer.stdout.splitlines()]


def values(dtype, n):
    v = (np.arange(n) * 7 + 3) % 101
    kind = np.dtype(dtype).kind
    return {"b": v % 2 == 1, "u": v, "i": v - 50, "f": (v - 50) / 4}[kind].astype(dtype)


def stores_of_zarrita():
    path = fresh("zarrita.zarr")
    zarrita("write", path)
    names = sorted(os.listdir(path))
    names.remove("zarr.json")
    names.remove("deep")
    check(len(names) == 110, names)
    folder, lost = imported(path)
    check(lost == [], lost)
    info = run(TOOL, "info", folder)
    check("by zarrita" in info and "z = 4" in info and "y = 6" in info, info[:1000])
    for name in names:
        dtype = name.split("_")[0]
        want = np.full(SHAPE, np.nan if dtype == "float64" else 0, dtype)
        want[:2] = values(dtype, 60).reshape(2, 6, 5)
        check(same_bits(cells_of(folder, name, dtype, SHAPE), want), name)
        check(f'{name}:units = "K"' in info and f"{name}:number = {name.split('_')[1]}" in info, name)
    one = cells_of(f"{folder}/deep", "one", "f4", ())
    check(one == 2.5, one)


def stores_of_the_tests():
    """What zarrita reads and does not write: gzip, checksums, shards."""
    path = fresh("ours.zarr")
    os.makedirs(path)
    json.dump({"zarr_format": 3, "node_type": "group", "attributes": {}}, open(f"{path}/zarr.json", "w"))
    turn = {"name": "transpose", "configuration": {"order": [2, 0, 1]}}
    chains = [[LITTLE, GZIP], [BIG, CRC], [LITTLE, ZSTD, CRC], [turn, LITTLE, GZIP, CRC],
              [shard([2, 3, 1], LITTLE)], [shard([1, 6, 5], BIG, ZSTD)], [shard([4, 2, 5], turn, LITTLE, GZIP, CRC)],
              [shard([2, 2, 1], LITTLE, blosc(4), index_codecs=[LITTLE])]]
    want = {}
    for k, codecs in enumerate(chains):
        for dtype in ("i4", "f4", "u4"):
            name = f"{dtype}_{k}"
            want[name] = values(dtype, 8 * 6 * 10).reshape(8, 6, 10)
            want[name][4:, :, 5:] = 0
            write_v3(path, name, want[name], SHAPE, codecs, dimension_names=["z", "y", "x"], attributes={"k": k})
    for answer in zarrita("read", path, *want):
        cells = want[answer["name"]]
        check(answer["shape"] == list(cells.shape) and answer["names"] == ["z", "y", "x"], answer["name"])
        check(base64.b64decode(answer["cells"]) == cells.tobytes(), "zarrita reads", answer["name"])
    folder, lost = imported(path)
    check(lost == [], lost)
    for name, cells in want.items():
        check(same_bits(cells_of(folder, name, cells.dtype, cells.shape), cells), name)


def texts():
    words = np.array([["a", "déjà", ""], ["日本語", "x" * 9, "end"]])
    packed = [w.encode() for w in words.ravel()]
    path = fresh("texts.zarr")
    write_v3(path, "", np.zeros((2, 3), "u1"), (2, 3), [LITTLE])
    meta = json.load(open(f"{path}/zarr.json"))
    json.dump({**meta, "data_type": "string", "fill_value": "", "codecs": [{"name": "vlen-utf8"}, GZIP]},
              open(f"{path}/zarr.json", "w"))
    data = struct.pack("<I", 6) + b"".join(struct.pack("<I", len(w)) + w for w in packed)
    open(f"{path}/c/0/0", "wb").write(bytes(numcodecs.GZip(1).encode(data)))
    check(zarrita("read", path, "")[0]["cells"] == list(words.ravel()), "zarrita reads texts")
    folder, lost = imported(path)
    check(lost == [], lost)
    run(VERBS, "export", folder, fresh("texts.nc"))
    with xarray.open_dataset(f"{place}/texts.nc") as ds:
        check((ds["texts"].values == words).all(), ds)


if not shutil.which("node") or not os.path.isdir(f"{os.environ.get('XTA_ZARRITA', '')}/node_modules/zarrita"):
    skip("no node, or no zarrita in $XTA_ZARRITA/node_modules (npm install zarrita @zarrita/storage)")
    done("zarrita")
    sys.exit(77)
stores_of_zarrita()
stores_of_the_tests()
texts()
done("zarrita")
