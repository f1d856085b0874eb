#!/usr/bin/python3
"""Twelve programs, unchanged, open one data set while another process makes it grow at both ends.

    tests/ways_in/run.py --build DIR [--opens 5] [--steps 1000] [--skips-allowed] [WAY...]

For each way a grower begins a set of its own. The program opens it five times meanwhile, each time when another fifth
of 1,000 steps has been made, reads coordinates and cells, and compares them with what was written (expected.py); each
open must see a later step than the one before. The grower goes on until the program is through. A table of what was seen ends the run. A program that
is not installed is a failure unless --skips-allowed is given; then it is listed as skipped.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
READERS = HERE / "readers"
PYTHON = "/usr/bin/python3"
PAUSE_MS = 5
PATIENCE_S = 120


class Way:
    """A program: what it is started with, and what has to be there for it."""

    def __init__(self, name, command, built, needs=(), modules=(), env=None, beside=None):
        self.name, self.command, self.built, self.needs, self.modules = name, command, built, needs, modules
        self.env = env or (lambda build: {})
        self.beside = beside  # a program that runs while the set grows: function of (build, work) -> Beside

    def missing(self, build):
        lacking = [f"the build's {name}" for name in self.built.split() if not (build / name).exists()]
        lacking += [tool for tool in self.needs if shutil.which(tool) is None]
        for module in self.modules:
            if subprocess.run([PYTHON, "-c", f"import {module}"], capture_output=True, check=False).returncode != 0:
                lacking.append(f"Python's {module}")
        return lacking


class Beside:
    """A server or a mount, until it is told to end."""

    def __init__(self, argv, ready):
        self.process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        deadline = time.monotonic() + PATIENCE_S
        while not ready(self):
            if self.process.poll() is not None:
                sys.exit(f"{argv[0]} ended: {self.process.stdout.read()}")
            if time.monotonic() > deadline:
                sys.exit(f"{argv} is not ready after {PATIENCE_S} s")
            time.sleep(0.05)

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE_S)


def serve(build, work):
    port = {}

    def ready(beside):
        # The first line names the address.
        line = beside.process.stdout.readline()
        port["url"] = next((word.rstrip("/,.") for word in line.split() if word.startswith("http://")), None)
        return port["url"] is not None

    beside = Beside([str(build / "xta"), "serve", "--port", "0", str(work / "ocean")], ready)
    beside.where = port["url"]
    return beside


def mount(build, work):
    point = work.parent / "mnt"
    point.mkdir()
    beside = Beside([str(build / "xta"), "mount", "--foreground", str(work), str(point)], lambda _: os.path.ismount(point))
    beside.where = str(point)
    return beside


class Grower:
    """The writer, and how many steps it has made."""

    def __init__(self, build, folder, steps, stop):
        argv = [str(build / "tests/ways_in/grower"), str(folder), str(steps), str(PAUSE_MS), str(stop)]
        self.stop, self.made = stop, 0
        self.process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "created\n":
            raise RuntimeError("the grower did not begin")
        self.listener = threading.Thread(target=self.listen)
        self.listener.start()

    def listen(self):
        for line in self.process.stdout:
            self.made = int(line.split()[0])

    def wait_for(self, steps):
        while self.made < steps:
            if self.process.poll() is not None:
                raise RuntimeError(f"the grower ended after {self.made} steps")
            time.sleep(0.01)

    def end(self):
        self.stop.touch()
        self.listener.join(PATIENCE_S)
        if self.process.wait(PATIENCE_S) != 0:
            raise RuntimeError("the grower failed")


def python_path(build):
    return {"PYTHONPATH": str(build / "python")}


def gdal_path(build):
    return {"GDAL_DRIVER_PATH": str(build / "gdalplugins"), "GDAL_PAM_ENABLED": "NO"}


def reader(name, path="{set}"):
    return [PYTHON, str(READERS / f"{name}.py"), path]


def netcdf(build):
    return {"XTA_NC": str(build / "xta-nc")}


GDAL, NETCDF, PACKAGE = "gdalplugins/gdal_XTA.so", "xta-nc", "python/xta"
WAYS = [
    Way("gdalinfo", reader("gdalinfo", "{set}/temp.xmd"), GDAL, ["gdalinfo"], env=gdal_path),
    Way("QGIS layer", reader("qgis_layer", "{set}/temp.xmd"), GDAL, modules=["qgis.core"],
        env=lambda build: dict(gdal_path(build), QT_QPA_PLATFORM="offscreen")),
    Way("rasterio", reader("rasterio_reader", "{set}/temp.xmd"), GDAL, modules=["rasterio"], env=gdal_path),
    Way("ncdump", reader("ncdump"), NETCDF, ["ncdump"], env=netcdf),
    Way("cdo", reader("cdo"), NETCDF, ["cdo"], env=netcdf),
    Way("ncks", reader("ncks"), NETCDF, ["ncks"], env=netcdf),
    Way("netcdf4-python", ["{build}/xta-nc", *reader("netcdf4_python")], NETCDF, modules=["netCDF4"]),
    Way("xarray", reader("xarray_reader"), PACKAGE, modules=["xarray"], env=python_path),
    Way("dask.distributed", reader("dask_reader"), PACKAGE, modules=["distributed", "xarray"], env=python_path),
    Way("zarr-python", reader("zarr_reader", "{where}"), "libexec/xta/xta-serve", modules=["zarr", "fsspec", "aiohttp"], beside=serve),
    Way("numpy.load", reader("numpy_load", "{where}"), "libexec/xta/xta-mount", beside=mount),
    Way("Fortran", ["{build}/xta-nc", "{build}/tests/ways_in/fortran_reader", "{set}"],
        f"{NETCDF} tests/ways_in/fortran_reader"),
]


def open_once(way, build, folder, where):
    words = {"set": str(folder), "build": str(build), "where": where}
    argv = [word.format(**words) for word in way.command]
    done = subprocess.run(argv, env=dict(os.environ, LC_ALL="C.UTF-8", PYTHONDONTWRITEBYTECODE="1", **way.env(build)),
                          capture_output=True, text=True, timeout=PATIENCE_S * 5, check=False)
    if done.returncode != 0 or not done.stdout.strip():
        raise RuntimeError(f"{way.name}: exit code {done.returncode}\n{done.stdout[-1000:]}\n{done.stderr[-3000:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def later(before, now):
    """Whether a step was seen that is later than the one before: no axis shorter, one of them longer."""
    lengths = [(seen["time"][1] - seen["time"][0], seen["y"][1] - seen["y"][0]) for seen in (before, now)]
    return all(a <= b for a, b in zip(*lengths)) and lengths[0] != lengths[1]


def run_way(way, build, work, opens, steps):
    """What each open saw, and how many steps the grower made."""
    folder = work / "sets" / "ocean"
    folder.parent.mkdir(parents=True)
    grower = Grower(build, folder, steps, work / "stop")
    beside = None
    seen = []
    try:
        beside = way.beside(build, folder.parent) if way.beside else None
        for k in range(opens):
            grower.wait_for(steps * k // opens // 100 * 100)
            now = open_once(way, build, folder, beside.where if beside else "")
            if seen and not later(seen[-1], now):
                raise RuntimeError(f"{way.name}: saw {seen[-1]}, and then {now}")
            seen.append(now)
            grower.wait_for(0)
    finally:
        grower.end()
        if beside:
            beside.end()
    return seen, grower.made


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--build", required=True, type=pathlib.Path)
    arguments.add_argument("--opens", type=int, default=5)
    arguments.add_argument("--steps", type=int, default=1000)
    arguments.add_argument("--skips-allowed", action="store_true")
    arguments.add_argument("ways", nargs="*", metavar="WAY")
    options = arguments.parse_args()
    build = options.build.resolve()
    unknown = set(options.ways) - {way.name for way in WAYS}
    if unknown:
        sys.exit(f"no way is called {', '.join(sorted(unknown))}; there are {', '.join(way.name for way in WAYS)}")

    passed, failed, skipped = 0, 0, 0
    print(f"{'program':<18}{'opens':>6}{'growths':>9}  cells compared, and the last that was seen")
    for way in WAYS:
        if options.ways and way.name not in options.ways:
            continue
        lacking = way.missing(build)
        if lacking:
            skipped, failed = (skipped + 1, failed) if options.skips_allowed else (skipped, failed + 1)
            print(f"{way.name:<18}SKIPPED: not there: {', '.join(lacking)}", flush=True)
            continue
        work = pathlib.Path(tempfile.mkdtemp(prefix="xta-ways-"))
        try:
            seen, steps = run_way(way, build, work, options.opens, options.steps)
        except (RuntimeError, ValueError, subprocess.TimeoutExpired) as why:
            failed += 1
            print(f"{way.name:<18}FAILED: {why}", flush=True)
        else:
            passed += 1
            last = seen[-1]
            print(f"{way.name:<18}{len(seen):>6}{steps:>9}  {sum(one['cells'] for one in seen):,} cells; "
                  f"{last['time'][0]:g} to {last['time'][1]:g} h, {last['y'][0]:g} to {last['y'][1]:g} m", flush=True)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    if skipped and not passed and not failed:
        print("SKIPPED: none of the programs is there")
        return 77
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
