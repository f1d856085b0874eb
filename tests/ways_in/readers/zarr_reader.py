"""zarr-python over HTTP: the store of the newest snapshot of `xta serve`. SPDX-License-Identifier: Apache-2.0"""
import http.client
import pathlib
import sys
import urllib.parse

import fsspec
import zarr

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import expected

server = http.client.HTTPConnection(urllib.parse.urlsplit(sys.argv[1]).netloc)
server.request("GET", "/ocean/latest")
store = server.getresponse().getheader("Location")
ocean = zarr.open_consolidated(fsspec.get_mapper(store), mode="r")
time, y, x = (ocean[name][...] for name in ("time", "y", "x"))
expected.compare("temp", ocean["temp"][...], expected.temp(time, y, x))
expected.compare("flag", ocean["flag"][...], expected.flag(time, y, x))
expected.found(time, y, 2 * time.size * y.size * x.size)
