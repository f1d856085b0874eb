# Arrays of random types, orders, fill values and histories, served and read by zarr, xarray and a reader of version 3
# written from its specification: every cell of every step; a data set; what ranges, entity tags and HEAD answer.
# SPDX-License-Identifier: Apache-2.0
import json
import os

import numpy as np

from server import Server, need, place_of

need("zarr", "fsspec", "xarray", "aiohttp")
import fsspec  # noqa: E402
import xarray  # noqa: E402
import zarr  # noqa: E402

import grown_arrays  # noqa: E402
from grown_arrays import SCALE, TOOL, Grown, call, check, read_v3, run, same_bits, seed  # noqa: E402

ORDERS = ("row", "column", "morton", "hilbert")


def opened(url):
    return zarr.open_consolidated(fsspec.get_mapper(url), mode="r")


def one_array(server, a, number):
    name = os.path.basename(a.path)
    what = (name, a.kind, a.order, a.lo, a.cells.shape, a.chunk, a.filled)
    z = opened(f"{server.url}/{name}.zarr")[name]
    check(z.dtype == a.dtype and same_bits(z[...], a.cells), *what, "zarr reads other cells")
    check(z.attrs["_ARRAY_DIMENSIONS"] == a.names, *what)
    got, document = read_v3(server.getter(f"{name}.zarr3"), name)
    check(same_bits(got, a.cells) and document["dimension_names"] == a.names, *what, "version 3 has other cells")
    if number % 3 == 0:
        data = xarray.open_dataset("reference://", engine="zarr", decode_cf=False, backend_kwargs={
            "consolidated": True, "storage_options": {"fo": f"{server.url}/{name}.json", "skip_instance_cache": True}})
        check(same_bits(data[name].values, a.cells), *what, "xarray reads other cells by references")
    snapshots = server.steps(name)["snapshots"]
    check([s["bounds"] for s in snapshots] == [[[lo, lo + n] for lo, n in zip(*h)] for h in a.history], *what, snapshots)
    # The cells of an old step are those of now, within its bounds; what was removed has the fill value.
    k = a.rng.randrange(len(snapshots))
    lo, shape = a.history[k]
    want = np.full(shape, a.fill, a.dtype)
    both = [(max(l, m), min(l + n, h)) for l, n, m, h in zip(lo, shape, a.lo, a.hi)]
    if all(b > c for c, b in both):
        want[tuple(slice(c - l, b - l) for (c, b), l in zip(both, lo))] = \
            a.cells[tuple(slice(c - l, b - l) for (c, b), l in zip(both, a.lo))]
    z = opened(snapshots[k]["zarr"])[name]
    check(same_bits(z[...], want), *what, "step", k, "has other cells")


def headers(server, a):
    """One chunk: ranges, entity tags, HEAD."""
    name = os.path.basename(a.path)
    path = f"/{name}.zarr/{name}/" + ".".join("0" for _ in a.lo)
    status, head, whole = server.request(path)
    check(status == 200 and head["Accept-Ranges"] == "bytes" and head["Content-Type"] == "application/octet-stream", head)
    n = len(whole)
    for asked, want_status, want in (("bytes=0-0", 206, whole[:1]), ("bytes=1-", 206, whole[1:]), ("bytes=-3", 206, whole[-3:]),
                                     (f"bytes=-{n + 9}", 206, whole), (f"bytes=0-{n + 9}", 206, whole),
                                     (f"bytes={n}-", 416, b""), ("bytes=-0", 416, b""), ("bytes=0-1,3-4", 200, whole),
                                     ("bytes=2-1", 200, whole), ("lines=0-1", 200, whole), ("bytes=a-b", 200, whole),
                                     (f"bytes={2**70}-{2**71}", 416, b""), (f"bytes=1-{2**70}", 206, whole[1:])):
        status, got, body = server.request(path, Range=asked)
        check(status == want_status and body == want, asked, status, body, want)
        if status == 416:
            check(got["Content-Range"] == f"bytes */{n}", asked, got)
        if status == 206:
            first = n - len(want) if asked.startswith("bytes=-") else int(asked[6:].split("-")[0])
            check(got["Content-Range"] == f"bytes {first}-{first + len(want) - 1}/{n}", asked, got)
    status, got, body = server.request(path, "HEAD")
    check(status == 200 and body == b"" and got["Content-Length"] == str(n) and got["ETag"] == head["ETag"], got)
    status, got, body = server.request(path, "HEAD", Range="bytes=0-0")
    check(status == 200 and got["Content-Length"] == str(n), "a range of HEAD", status, got)
    check(server.request(path, If_None_Match=head["ETag"])[0] == 304, "an equal tag")
    check(server.request(path, If_None_Match='"other"')[0] == 200, "another tag")
    check(server.request(path, Range="bytes=0-0", If_Range=head["ETag"])[0] == 206, "a range of the same")
    check(server.request(path, Range="bytes=0-0", If_Range='"other"')[0] == 200, "a range of another")
    # Cells that are written without a step change the tag.
    a.cells[...] = a.values(a.cells.shape)
    a.cells.tofile(a.path + ".raw")
    run(TOOL, "write", a.path, "--box", ",".join(":" for _ in a.lo), "--as", "raw", "--from", a.path + ".raw")
    status, got, body = server.request(path)
    check(body == whole or got["ETag"] != head["ETag"], "the tag of other cells is the same")
    data = open(a.path + ".xta", "rb").read()
    check(server.get(f"/{name}.xta") == data, "the data file")
    status, got, body = server.request(f"/{name}.xta", Range="bytes=4090-4099")
    check(status == 206 and body == data[4090:4100], "a range of the data file", status)


def data_set(rng):
    """A data set: names of its dimensions, pins, pictures, the page."""
    folder = f"{place}/ocean"
    run(TOOL, "create", f"{place}/one", "--type", "f32", "--bounds", "1", "--names", "t")
    os.makedirs(folder + "/deep")
    for path, names in ((f"{folder}/sst", "time,lat"), (f"{folder}/deep/level", "z,lat"), (f"{folder}/mask", "lon,lat")):
        run(TOOL, "create", path, "--type", "i16", "--bounds", "4,5", "--chunk", "3,2", "--names", names, "--fill", "-1")
        run(TOOL, "fill", path, "--box", "1:3,:", "--value", "7")
    run(TOOL, "extend", f"{place}/one", "--axis", "t", "--by", "2", "--front")
    run(TOOL, "attr", f"{place}/one", "xta_origin=7", "--type", "i64")
    server = Server(folder, f"{place}/one", "--cors", "https://example.org")
    before = server.steps("ocean")["snapshots"][0]
    check(before["dimensions"] == {"time": [0, 4], "lat": [0, 5], "lon": [0, 4], "deep~z": [0, 4], "deep~lat": [0, 5]}, before)
    run(TOOL, "extend", folder, "--axis", "lat", "--by", "2", "--front")
    status, head, body = server.request("/ocean/latest")
    check(status == 307 and head["Location"] == body.decode().strip() and head["Location"] != before["zarr"], head)
    check(head["Access-Control-Allow-Origin"] == "https://example.org", head)
    for url, n in ((before["zarr"], 5), (f"{server.url}/ocean.zarr", 5), (head["Location"], 7)):
        data = xarray.open_dataset(url, engine="zarr", mask_and_scale=False, backend_kwargs={"consolidated": True})
        check(dict(data.sizes) == {"time": 4, "lat": n, "lon": 4}, url, data.sizes)
        want = np.full((4, n), -1, "i2")
        want[1:3, n - 5:] = 7
        check(np.array_equal(data.sst.values, want), url, data.sst.values)
    for text in (server.get("/one.zarr/one/.zattrs"), server.get("/one.zarr3/one/zarr.json")):
        check(text.count(b"xta_origin") == 1 and b'"xta_origin": -2' in text, text)
    level = opened(head["Location"])["deep/level"]
    check(level.shape == (4, 5) or level.shape == (4, 7), level.shape)
    page = server.get("/").decode()
    for text in ("ocean", "deep/level", "-2:5", 'src="/ocean/sst.png"', "/ocean/steps.json"):
        check(text in page, text, "is not on the page", page)
    check(server.get("/ocean/sst.png")[:8] == b"\x89PNG\r\n\x1a\n", "a picture")
    check(server.get("/ocean/sst.xta") == open(f"{folder}/sst.xta", "rb").read(), "a data file")
    check(server.get("/ocean.zarr3/zarr.json"), "the documents")
    for path, status in (("/ocean@time=0:4.zarr/.zmetadata", 410), ("/ocean@time=0:99,lat=0:5,lon=0:4,deep~z=0:4,deep~lat=0:5"
                         ".zarr/.zmetadata", 410), ("/ocean@zzz.zarr/.zmetadata", 404), ("/ocean@time=4:0.zarr/x", 404),
                         ("/ocean@time=9223372036854775807:9223372036854775807.zarr/x", 404), ("/one@7.zarr/.zmetadata", 410),
                         ("/one@-1.zarr/x", 404), ("/one@01.zarr/x", 404), ("/ocean/nothing.xta", 404), ("/ocean.xta", 404),
                         ("/ocean/deep.png", 404), ("/one/one.xta", 404)):
        check(server.request(path)[0] == status, path, server.request(path))
    server.stop()
    # A snapshot outlives the server, and cells: those that were removed have the fill value.
    run(TOOL, "shrink", f"{folder}/sst", "--axis", "time", "--by", "2")
    server = Server(folder)
    store = before["zarr"].rsplit("/", 1)[1]
    sst = opened(f"{server.url}/{store}")["sst"]
    want = np.full((4, 5), -1, "i2")
    want[1:2] = 7
    check(np.array_equal(sst[...], want), "after a shrink", sst[...])
    server.stop()


def starts():
    """What does not start."""
    os.makedirs(f"{place}/other", exist_ok=True)
    run(TOOL, "create", f"{place}/other/a0", "--type", "i8", "--bounds", "2")
    os.makedirs(f"{place}/linked", exist_ok=True)
    for suffix in (".xmd", ".xta"):
        os.symlink(f"{place}/other/a0{suffix}", f"{place}/linked/a0{suffix}")
    os.symlink(f"{place}/other/a0.xmd", f"{place}/b@d.xmd")
    os.symlink(f"{place}/other/a0.xta", f"{place}/b@d.xta")
    busy = Server(f"{place}/a0")
    for words, text in (([f"{place}/nothing"], "nothing"), ([f"{place}/a0", f"{place}/other/a0"], "both"),
                        ([f"{place}/linked"], "outside the folder"), ([f"{place}/b@d"], "no name"),
                        ([f"{place}/a0", "--port", busy.port], f"port {busy.port}"),
                        ([f"{place}/a0", "--bind", "localhost"], "numeric address"),
                        ([f"{place}/a0", "--url", "http://x\n"], "URL")):
        code, out, err = call(TOOL, "serve", *([] if "--port" in words else ["--port", "0"]), *words)
        check(code == 1 and text in err and err.count("\n") == 1 and out == "", words, code, err)
    check(call(TOOL, "serve", f"{place}/a0", "--port", "70000")[0] == 2, "a port of five digits")
    busy.stop()


with place_of("served") as place:
    rng = seed()
    kinds = list(grown_arrays.TYPES)
    arrays = [Grown(rng, f"{place}/a{k}", kind=kinds[k % len(kinds)], orders=ORDERS, aligned=False)
              for k in range(int(max(1, SCALE) * len(kinds)))]
    for array in arrays:
        array.grow(rng.randint(0, 5))
    with_fronts = sum(any(lo % c for lo, c in zip(a.lo, a.chunk)) for a in arrays)
    check(with_fronts > 0, "no front lies inside a chunk")
    here = Server(*[a.path for a in arrays])
    for index, array in enumerate(arrays):
        one_array(here, array, index)
    headers(here, next(a for a in arrays if a.kind == "i32"))
    here.stop()
    data_set(rng)
    starts()
print(f"served_arrays: {grown_arrays.n_checks} checks, {with_fronts} arrays with a front inside a chunk")
