# References of kerchunk to random arrays and to a data set, read by fsspec, zarr and xarray, from files and over HTTP,
# and by a reader of version 3 written from its specification; and what is refused.
# SPDX-License-Identifier: Apache-2.0
import base64
import http.server
import importlib.util
import json
import os
import shutil
import sys
import tempfile
import threading

import numpy as np

try:
    import fsspec
    import xarray
    import zarr
    import aiohttp  # noqa: F401, through which fsspec reads over HTTP
except ImportError as missing:
    print(f"SKIPPED: {missing}; tools/install-deps installs it")
    sys.exit(77)

import grown_arrays
from grown_arrays import SCALE, TOOL, Grown, call, check, read_v3, run, same_bits, seed

CODEC = os.path.join(os.environ["XTA_SOURCE_DIR"], "python/xta/numcodecs.py")
spec = importlib.util.spec_from_file_location("xta_numcodecs", CODEC)
spec.loader.exec_module(importlib.util.module_from_spec(spec))


class Ranges(http.server.SimpleHTTPRequestHandler):
    """A plain server of files that knows single ranges."""
    protocol_version = "HTTP/1.1"
    n_ranges = 0

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = self.translate_path(self.path)
        if not os.path.isfile(path):
            self.send_error(404)
            return
        data = open(path, "rb").read()
        asked = self.headers.get("Range")
        if asked:
            Ranges.n_ranges += 1
            first, last = asked.split("=")[1].split("-")
            part = data[int(first):int(last) + 1]
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {first}-{int(first) + len(part) - 1}/{len(data)}")
        else:
            part = data
            self.send_response(200)
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)


def export(path, *options):
    run(TOOL, "export", path, f"{place}/refs.json", "--format", "kerchunk", "--replace", *options)
    return f"{place}/refs.json"


def store_of(file):
    return fsspec.filesystem("reference", fo=file, skip_instance_cache=True).get_mapper("")


def getter_of(file):
    """The bytes of a key, by nothing but the file of references."""
    document = json.load(open(file))

    def get(key):
        found = document["refs"].get(key)
        if found is None:
            return None
        if isinstance(found, str):
            return base64.b64decode(found[7:]) if found.startswith("base64:") else found.encode()
        url, offset, n = found
        with open(url, "rb") as data:
            data.seek(offset)
            return data.read(n)

    return get


def one_array(rng, k):
    kinds = list(grown_arrays.TYPES)
    a = Grown(rng, f"{place}/data/a{k}", kind=kinds[k % len(kinds)])
    a.grow(rng.randint(0, 4))
    remote = k % 3 == 0
    file = export(a.path, *(["--url", f"http://127.0.0.1:{port}/"] if remote else []))
    group = zarr.open_consolidated(store_of(file), mode="r")
    z = group[f"a{k}"]
    what = (k, a.kind, a.order, a.lo, a.cells.shape, a.chunk, a.filled)
    check(z.dtype == a.dtype and z.order == ("F" if a.order == "column" else "C"), *what, z.info)
    check(same_bits(z[...], a.cells), *what, "zarr reads other cells")
    check(z.attrs["_ARRAY_DIMENSIONS"] == a.names, *what)
    opened = xarray.open_dataset("reference://", engine="zarr", decode_cf=False, backend_kwargs={
        "consolidated": True, "storage_options": {"fo": file, "skip_instance_cache": True}})
    check(same_bits(opened[f"a{k}"].values, a.cells), *what, "xarray reads other cells")
    if not a.filled:
        got, _ = read_v3(getter_of(export(a.path, "--zarr", "3")), f"a{k}")
        check(same_bits(got, a.cells), *what, "version 3 has other cells")
    else:
        code, _, err = call(TOOL, "export", a.path, f"{place}/no.json", "--format", "kerchunk", "--zarr", "3")
        check(code == 1 and "fill value other than 0" in err and "--zarr 2" in err, *what, code, err)


def a_data_set():
    """Regular, listed and computed coordinates, attributes, a group; two growths at the front."""
    import netCDF4  # a file of it is the shortest way to a data set
    with netCDF4.Dataset(f"{place}/s.nc", "w") as f:
        f.title = "Ä \"title\""
        for group in (f, f.createGroup("deep")):
            group.createDimension("time", None)
            group.createDimension("lat", 4)
            time = group.createVariable("time", "i8", ("time",))
            time.units, time.calendar = "seconds since 2000-01-01", "standard"
            time[:] = [0, 3600, 10000, 20000, 2**31 + 1]
            lat = group.createVariable("lat", "f4", ("lat",))
            lat.units = "degrees_north"
            lat[:] = [-1.5, -0.5, 0.5, 1.5]
            v = group.createVariable("v", "i2", ("time", "lat"), fill_value=-99)
            v.scale_factor, v.valid_range, v.long_name = 0.5, np.array([-10, 1000], "i2"), "a value"
            v[:] = np.arange(20).reshape(5, 4) * 2
            v[2, 2] = np.ma.masked
            w = group.createVariable("w", "u4", ("time",))
            w[:] = [0, 1, 2, 3, 4]
    shutil.rmtree(f"{place}/data/s", ignore_errors=True)
    run(TOOL, "import", f"{place}/s.nc", f"{place}/data/s/")
    file = export(f"{place}/data/s", "--url", f"http://127.0.0.1:{port}/s/")
    for group in (None, "deep"):
        want = xarray.open_dataset(f"{place}/s.nc", group=group, decode_times=False)
        got = xarray.open_dataset("reference://", engine="zarr", decode_times=False, group=group, backend_kwargs={
            "consolidated": True, "storage_options": {"fo": file, "skip_instance_cache": True}})
        check(set(got.variables) == set(want.variables), group, got)
        for name in want.variables:
            check(np.array_equal(got[name].values, want[name].values, equal_nan=True), group, name, got[name].values)
            check(got[name].dims == want[name].dims, group, name, got[name].dims)
            for key, value in want[name].attrs.items():
                check(np.array_equal(got[name].attrs.get(key), value), group, name, key, got[name].attrs)
        check(got.title == want.title if group is None else True, got.attrs)
    check("lat/0" in json.load(open(file))["refs"], "regular coordinates are not inline")
    times = xarray.open_dataset("reference://", engine="zarr", backend_kwargs={
        "consolidated": True, "storage_options": {"fo": file, "skip_instance_cache": True}})
    check(str(times.time.values[1])[:13] == "2000-01-01T01", times.time)


def coordinates_of_an_array():
    """Those that the axes of a single array hold: listed, regular, names."""
    path = f"{place}/data/c"
    run(TOOL, "create", path, "--type", "f32", "--bounds", "3,4,2", "--chunk", "2,2,2", "--names", "time,x,band")
    run(TOOL, "attr", path, "values=4611686018427387905,4611686018427387906,4611686018427387908", "--type", "i64",
        "--axis", "time")
    run(TOOL, "attr", path, "units=ns", "--axis", "time")
    run(TOOL, "attr", path, "values=red\ngreen", "--axis", "band")
    run(TOOL, "attr", path, "units=K")
    group = zarr.open_consolidated(store_of(export(path)), mode="r")
    check(list(group["time"][:]) == [4611686018427387905, 4611686018427387906, 4611686018427387908], group["time"][:])
    check(group["time"].attrs["units"] == "ns" and group["c"].attrs["units"] == "K", "units")
    check(list(group["band"][:]) == [b"red", b"green"], group["band"][:])


def scattered_chunks():
    """Chunks that lie in another order than their keys, too far from each other to be read at once (zarr-python#1324)."""
    path = f"{place}/data/f"
    run(TOOL, "create", path, "--type", "u8", "--bounds", "1,4", "--chunk", "1,131072", "--names", "t,x")
    run(TOOL, "extend", path, "--axis", "x", "--by", "300000")
    for k in range(4):
        run(TOOL, "extend", path, "--axis", "t", "--by", "1", "--front")
    want = np.arange(5, dtype="u1")
    for k in range(5):
        run(TOOL, "fill", path, "--box", f"{k - 4},0:10", "--value", k)
    code, _, err = call(TOOL, "export", path, f"{place}/refs.json", "--format", "kerchunk", "--replace")
    check(code == 0 and "another order than their keys" in err and "max_gap" in err, err)
    options = {"fo": f"{place}/refs.json", "skip_instance_cache": True}
    careful = fsspec.filesystem("reference", max_gap=2**62, max_block=None, **options).get_mapper("")
    check(np.array_equal(zarr.open(careful, mode="r")["f"][:, 5], want), "with what the note says")
    plain = zarr.open(fsspec.filesystem("reference", **options).get_mapper(""), mode="r")["f"][:, 5]
    print(f"scattered chunks: fsspec {fsspec.__version__} alone reads {list(plain)}, which is "
          f"{'right' if np.array_equal(plain, want) else 'wrong'}")


def no_scan():
    """Ten thousand chunks of 64 MiB, none of them written: nothing of them is read."""
    path = f"{place}/data/large"
    run(TOOL, "create", path, "--type", "f64", "--bounds", "1000,8192,10240", "--chunk", "1,8192,1024")
    file = export(path)
    refs = json.load(open(file))["refs"]
    check(sum(key.startswith("large/") for key in refs) == 10002, len(refs))
    check(refs["large/999.0.9"][2] == 64 << 20, refs["large/999.0.9"])


def refused(words, *texts, code=1, path=None):
    target = f"{place}/no.json"
    answer, _, err = call(TOOL, "export", path or f"{place}/data/r", target, "--format", "kerchunk", *words)
    check(answer == code and err.count("\n") == 1, words, "answered", answer, err)
    for text in texts:
        check(text in err, words, "says", err)
    check(not os.path.exists(target), words, "left a file")


def refusals():
    def fresh(*words):
        for suffix in (".xmd", ".xta"):
            if os.path.exists(f"{place}/data/r{suffix}"):
                os.remove(f"{place}/data/r{suffix}")
        run(TOOL, "create", f"{place}/data/r", "--type", "f32", "--bounds", "8,8", "--chunk", "4,4", "--names", "t,x", *words)

    for order in ("morton", "hilbert"):
        fresh("--order", order)
        refused([], order.capitalize(), "xta serve", "--order row")
    fresh()
    run(TOOL, "extend", f"{place}/data/r", "--axis", "x", "--by", "3", "--front")
    refused([], "axis 1 (x)", "begins at cell -3", "cells -4 to -1", "extend the front by 1")
    refused(["--box", "0:4,0:4"], "--box", code=2)
    refused(["--zarr", "4"], "2 or 3", code=2)
    refused([], "no such", path=f"{place}/data/nothing")
    code, _, err = call(TOOL, "export", f"{place}/data/r", f"{place}/no.npy", "--url", "x")
    check(code == 2 and "--format kerchunk" in err, code, err)
    fresh()
    target = f"{place}/mine.json"
    open(target, "w").write("mine")
    code, _, err = call(TOOL, "export", f"{place}/data/r", target, "--format", "kerchunk", "--replace")
    check(code == 1 and "--force" in err and open(target).read() == "mine", code, err)
    run(TOOL, "export", f"{place}/data/r", target, "--format", "kerchunk", "--force")
    code, _, err = call(TOOL, "export", f"{place}/data/r", target, "--format", "kerchunk")
    check(code == 1 and "--replace" in err, code, err)
    journal = bytearray(open(f"{place}/data/r.xmd", "rb").read())
    journal[60:90] = bytes(30)
    open(f"{place}/data/r.xmd", "wb").write(journal)
    refused([], "r.xmd")


with tempfile.TemporaryDirectory(prefix="xta-references-") as place:
    os.makedirs(f"{place}/data")
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), lambda *words: Ranges(*words, directory=f"{place}/data"))
    port = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    rng = seed()
    for number in range(int(max(1, SCALE) * len(grown_arrays.TYPES))):
        one_array(rng, number)
    check(Ranges.n_ranges > 0, "nothing was read over HTTP by ranges")
    a_data_set()
    coordinates_of_an_array()
    scattered_chunks()
    no_scan()
    refusals()
    server.shutdown()
print(f"references: {grown_arrays.n_checks} checks")
