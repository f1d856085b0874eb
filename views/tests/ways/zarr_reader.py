"""zarr-python opens a data set of tests/ways_in/grower.c through `xta serve`, once, while it grows.

    zarr_reader.py http://127.0.0.1:8420/ocean

Follows /ocean/latest to the newest snapshot, reads coordinates and cells, and compares them (expected.py).

SPDX-License-Identifier: Apache-2.0
"""
import sys
import urllib.request

import fsspec
import zarr

import expected


def newest(address):
    """The address of the newest snapshot: where the server sends us to."""
    with urllib.request.urlopen(f"{address}/latest") as answer:
        return answer.url


def compare(group):
    """Coordinates and cells of an open group; each cell is a function of its coordinates."""
    time, y, x = (group[name][:] for name in ("time", "y", "x"))
    expected.compare("temp", group["temp"][:], expected.temp(time, y, x))
    expected.compare("flag", group["flag"][:], expected.flag(time, y, x))
    return time, y, 2 * time.size * y.size * x.size


def opened(store):
    return zarr.open_consolidated(fsspec.get_mapper(store), mode="r")


if __name__ == "__main__":
    expected.found(*compare(opened(newest(sys.argv[1]))))
