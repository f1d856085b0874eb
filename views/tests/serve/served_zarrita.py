# Arrays of random types, fill values and histories, served and read by npm's zarrita: what it was written from is the
# specification of version 3, too, but by others. It is no package of Debian: the folder in which npm installed it is
# $XTA_ZARRITA.
# SPDX-License-Identifier: Apache-2.0
import base64
import json
import os
import shutil
import subprocess
import sys

import numpy as np

from server import Server, place_of

import grown_arrays
from grown_arrays import SCALE, TYPES, Grown, check, same_bits, seed

# zarrita knows neither complex numbers nor bytes.
KINDS = [kind for kind in TYPES if kind[0] != "c" and not kind.startswith("bytes") and kind != "f16"]


def by_zarrita(url, name):
    program = os.path.join(os.environ["XTA_SOURCE_DIR"], "formats/tests/bridge/zarrita_io.mjs")
    answer = subprocess.run(["node", program, "read", url, name], capture_output=True, text=True)
    check(answer.returncode == 0, url, name, answer.stderr[-2000:])
    read = json.loads(answer.stdout)
    kind = "?" if read["type"] == "bool" else np.dtype(read["type"]).newbyteorder("<")
    return np.frombuffer(base64.b64decode(read["cells"]), kind).reshape(read["shape"]), read


def main():
    rng = seed()
    with place_of("zarrita") as place:
        arrays = [Grown(rng, f"{place}/a{k}", kind) for k, kind in enumerate(KINDS * max(1, int(SCALE)))]
        for a in arrays:
            a.grow(rng.randint(0, 4))
        server = Server(*[a.path for a in arrays])
        for a in arrays:
            name = os.path.basename(a.path)
            what = (name, a.kind, a.order, a.lo, a.cells.shape, a.chunk, a.filled)
            pinned = server.steps(name)["snapshots"][-1]["zarr"] + "3"
            for url in (f"{server.url}/{name}.zarr3", pinned):
                cells, read = by_zarrita(url, name)
                check(same_bits(cells, a.cells), *what, "zarrita reads other cells at", url)
                check(read["names"] == a.names, *what, read["names"])
        before = arrays[0].cells.copy()
        arrays[0].extend(0, 3, True)
        arrays[0].write()
        cells, _ = by_zarrita(f"{server.url}/a0.zarr3", "a0")
        check(cells.shape == before.shape, "an address without a pin has grown", cells.shape)
        server.stop()
    print(f"served_zarrita: {len(arrays)} arrays, {grown_arrays.n_checks} checks")


if shutil.which("node") is None or "XTA_ZARRITA" not in os.environ:
    print("SKIPPED: needs node, and in XTA_ZARRITA the folder in which `npm install zarrita` was run")
    sys.exit(77)
main()
