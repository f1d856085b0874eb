# Eight clients read a data set while it grows at both ends of two dimensions: by zarr-python at pins, by xarray through
# references, by a reader of version 3, and at the address without a pin, which follows the back, or does not. What they
# see is always one step: each cell is a function of its coordinates. What was opened early stays as it was.
# SPDX-License-Identifier: Apache-2.0
import multiprocessing
import os
import subprocess
import sys
import time as clock

from server import Server, need, place_of, source_dir

need("zarr", "fsspec", "xarray", "aiohttp", "requests")
sys.path.append(os.path.join(source_dir(), "views/tests/ways"))
import numpy as np  # noqa: E402
import xarray  # noqa: E402

import expected  # noqa: E402
import grown_arrays  # noqa: E402
import zarr_reader  # noqa: E402
from grown_arrays import SCALE, check, read_v3  # noqa: E402

ROUNDS = max(3, int(5 * SCALE))
STEPS = int(100 * SCALE)


def by_references(server):
    data = xarray.open_dataset("reference://", engine="zarr", decode_times=False, backend_kwargs={
        "consolidated": True, "storage_options": {"fo": f"{server.url}/ocean.json", "skip_instance_cache": True}})
    return zarr_reader.compare({name: data[name].values for name in data.variables})


def by_version_3(server):
    store = zarr_reader.newest(f"{server.url}/ocean").rsplit("/", 1)[1] + "3"
    get = server.getter(store)
    return zarr_reader.compare({name: read_v3(get, name)[0] for name in ("time", "y", "x", "temp", "flag")})


def at_a_pin(server):
    return zarr_reader.compare(zarr_reader.opened(zarr_reader.newest(f"{server.url}/ocean")))


def without_a_pin(server):
    return zarr_reader.compare(zarr_reader.opened(f"{server.url}/ocean.zarr"))


def has_moved(seen, at):
    return len({ends[at] for ends in seen}) > 1


def client(way, server, results):
    """Opens the data set again and again, until it has seen it grow at both ends of time if it is to see growth."""
    seen = []
    kept = zarr_reader.opened(zarr_reader.newest(f"{server.url}/ocean"))
    first = kept["temp"][:]
    until = clock.monotonic() + 120

    def is_done():
        return way is without_a_pin or (has_moved(seen, 0) and has_moved(seen, 1)) or clock.monotonic() > until

    while len(seen) < ROUNDS or not is_done():
        time, y, n = way(server)
        seen.append((time[0], time[-1], y[0], y[-1]))
    check(np.array_equal(kept["temp"][:], first), "what was opened first has changed")
    zarr_reader.compare(kept)
    results.put((way.__name__, seen))


def main():
    with place_of("growth") as place:
        stop = f"{place}/stop"
        grower = subprocess.Popen([os.environ["XTA_GROWER"], f"{place}/ocean", str(STEPS), "4", stop],
                                  stdout=subprocess.PIPE, text=True)
        check(grower.stdout.readline() == "created\n", "the grower did not start")
        fixed, following = Server(f"{place}/ocean"), Server(f"{place}/ocean", "--follow")
        at_first = fixed.get("/ocean.zarr/.zmetadata")
        ways = [(at_a_pin, fixed), (by_references, fixed), (by_version_3, fixed), (without_a_pin, fixed),
                (at_a_pin, following), (by_references, following), (without_a_pin, following), (without_a_pin, following)]
        results = multiprocessing.Queue()
        workers = [multiprocessing.Process(target=client, args=(way, server, results)) for way, server in ways]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(250)
            check(worker.exitcode == 0, "a client ended with", worker.exitcode)
        open(stop, "w").close()
        steps = [line for line in grower.stdout]
        check(grower.wait(60) == 0, "the grower ended with", grower.returncode)
        for name, seen in (results.get(timeout=10) for _ in ways):
            fronts = len({s[0] for s in seen}), len({s[2] for s in seen})
            backs = len({s[1] for s in seen}), len({s[3] for s in seen})
            print(f"{name}: {len(seen)} opens saw {fronts} first and {backs} last times and y")
            check(name == "without_a_pin" or (fronts[0] > 1 and backs[0] > 1), name, "saw no growth", seen)
            check(name != "without_a_pin" or fronts == (1, 1), name, "saw keys move", seen)
        check(fixed.get("/ocean.zarr/.zmetadata") == at_first, "the address without a pin has moved")
        last = without_a_pin(following)
        check(last[0][-1] > 6 * 3 + 6 * STEPS / 8, "what follows has not followed", last[0][-1])
        # The program that `make ways-in` starts.
        done = subprocess.run([sys.executable, "-B", os.path.join(source_dir(), "views/tests/ways/zarr_reader.py"),
                               f"{fixed.url}/ocean"], capture_output=True, text=True)
        check(done.returncode == 0 and '"cells"' in done.stdout, done)
        fixed.stop()
        following.stop()
        print(f"served_growth: {len(steps)}00 steps, {grown_arrays.n_checks} checks, {clock.process_time():.1f} s")


main()
