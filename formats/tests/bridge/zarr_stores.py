# What the tests of Zarr stores share: import and export through a server, and a writer of version 3 that follows
# the specification.
# SPDX-License-Identifier: Apache-2.0
import itertools
import json
import os
import resource
import shutil
import struct
import tempfile

import numcodecs
import numpy as np

from judge import call, check, run

TOOL = os.environ["XTA_TOOL"]
VERBS = os.environ["XTA_VERBS_IO"]
workplace = tempfile.TemporaryDirectory(prefix="xta-bridge-")
place = workplace.name
resource.setrlimit(resource.RLIMIT_FSIZE, (10**9, 10**9))  # what a damaged store may make the verbs write


def fresh(name):
    path = f"{place}/{name}"
    shutil.rmtree(path, ignore_errors=True)
    if os.path.isfile(path):
        os.remove(path)
    return path


def imported(store, *options):
    """The store as a data set, and what was lost."""
    folder = fresh("set")
    code, _, err = call(VERBS, "import", store, folder + "/", *options)
    check(code == 0, store, "answered", code, err)
    return folder, [line.split("lost: ")[1] for line in err.splitlines() if "lost: " in line]


def cells_of(folder, member, dtype, shape):
    """The cells of a member, as the tool writes them to a raw file."""
    path = fresh("cells.npy")
    run(VERBS, "export", f"{folder}/{member}", path)
    out = np.load(path)
    check(out.shape == shape and out.dtype == np.dtype(dtype).newbyteorder("="), member, out.shape, out.dtype)
    return out


def same_bits(a, b):
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    return a.shape == b.shape and a.astype(a.dtype.newbyteorder("=")).tobytes() == \
        b.astype(b.dtype.newbyteorder("=")).tobytes()


def refused(store, text, *options):
    folder = fresh("no")
    code, _, err = call(VERBS, "import", store, folder + "/", *options)
    check(code != 0 and code > 0 and text in err, store, "answered", code, err)
    check(not os.path.exists(folder), store, "left a folder behind")


# ---- version 3, from the specification ----

def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return struct.pack("<I", crc ^ 0xFFFFFFFF)


def encode(codecs, cells):
    """Bytes of one chunk by a list of codecs."""
    data = cells
    for codec in codecs:
        name, c = codec["name"], codec.get("configuration", {})
        if name == "transpose":
            data = data.transpose(c["order"])
        elif name == "bytes":
            order = {"big": ">", "little": "<"}.get(c.get("endian"), "=")
            data = np.ascontiguousarray(data).astype(data.dtype.newbyteorder(order)).tobytes()
        elif name == "sharding_indexed":
            data = encode_shard(c, data)
        elif name == "crc32c":
            data += crc32c(data)
        elif name == "gzip":
            data = bytes(numcodecs.GZip(c["level"]).encode(data))
        elif name == "zstd":
            data = bytes(numcodecs.Zstd(c["level"]).encode(data))
        elif name == "blosc":
            data = bytes(numcodecs.Blosc(c["cname"], c["clevel"], 1).encode(np.frombuffer(data, f"V{c['typesize']}")
                                                                            .view(f"u{c['typesize']}")))
    return data


def encode_shard(c, cells):
    inner = c["chunk_shape"]
    start = c.get("index_location", "end") == "start"
    counts = [n // m for n, m in zip(cells.shape, inner)]
    n_index = 16 * int(np.prod(counts)) + (4 if any(x["name"] == "crc32c" for x in c["index_codecs"]) else 0)
    body, index, at = b"", [], n_index if start else 0
    for k, place_of in enumerate(itertools.product(*map(range, counts))):
        box = tuple(slice(i * m, (i + 1) * m) for i, m in zip(place_of, inner))
        if not cells[box].any():  # a chunk of zeros is left out
            index += [2**64 - 1, 2**64 - 1]
            continue
        data = encode(c["codecs"], cells[box])
        index += [at + len(body), len(data)]
        body += data
    packed = encode(c["index_codecs"], np.array(index, "u8"))
    return packed + body if start else body + packed


def write_v3(path, name, cells, chunk, codecs, encoding=("default", "/"), fill=0, **more):
    """An array, all chunks."""
    folder = f"{path}/{name}" if name else path
    os.makedirs(folder)
    data_type = {"b": "bool", "c": f"complex{cells.dtype.itemsize * 8}"}.get(cells.dtype.kind, cells.dtype.name)
    meta = {"zarr_format": 3, "node_type": "array", "shape": list(cells.shape), "data_type": data_type,
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(chunk)}},
            "chunk_key_encoding": {"name": encoding[0], "configuration": {"separator": encoding[1]}},
            "fill_value": fill, "codecs": codecs, "attributes": {}, **more}
    json.dump(meta, open(f"{folder}/zarr.json", "w"))
    for at in itertools.product(*(range(-(-n // c)) for n, c in zip(cells.shape, chunk))):
        full = np.full(chunk, 0, cells.dtype)
        part = cells[tuple(slice(i * c, (i + 1) * c) for i, c in zip(at, chunk))]
        full[tuple(slice(0, n) for n in part.shape)] = part
        words = [str(i) for i in at]
        key = encoding[1].join((["c"] if encoding[0] == "default" else []) + words) or "0"
        os.makedirs(os.path.dirname(f"{folder}/{key}"), exist_ok=True)
        open(f"{folder}/{key}", "wb").write(encode(codecs, full))
    return meta


LITTLE = {"name": "bytes", "configuration": {"endian": "little"}}
BIG = {"name": "bytes", "configuration": {"endian": "big"}}
CRC = {"name": "crc32c"}
GZIP = {"name": "gzip", "configuration": {"level": 1}}
ZSTD = {"name": "zstd", "configuration": {"level": 1, "checksum": False}}
TURN = {"name": "transpose", "configuration": {"order": [2, 0, 1]}}


def blosc(bytes_of):
    return {"name": "blosc", "configuration": {"cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": bytes_of,
                                               "blocksize": 0}}


def shard(inner, *codecs, **more):
    return {"name": "sharding_indexed", "configuration": {"chunk_shape": inner, "codecs": list(codecs),
                                                          "index_codecs": [LITTLE, CRC], **more}}
