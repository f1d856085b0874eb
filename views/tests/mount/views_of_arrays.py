"""What the files of a mount hold: arrays of each type, read by NumPy and NetCDF as plain and mapped files.

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import signal

import netCDF4
import numpy

from mounted import Folder, check, tool

TYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]


def values_of(dtype, shape):
    count = int(numpy.prod(shape))
    values = numpy.arange(count) % (2 if dtype == "?" else 100)
    return values.astype(dtype).reshape(shape)


def check_types(folder):
    for number, dtype in enumerate(TYPES):
        shape = [(7,), (5, 6), (3, 4, 5), (2, 3, 4, 5)][number % 4]
        values = values_of(dtype, shape)
        name = "of_" + numpy.dtype(dtype).name
        folder.array(name, values)
        loaded = numpy.load(folder.view(name + ".npy"))
        check(loaded.dtype == values.dtype and (loaded == values).all(), name)
        mapped = numpy.load(folder.view(name + ".npy"), mmap_mode="r")
        check((mapped == values).all(), name + ", mapped")
        with open(folder.view(name + ".json"), encoding="utf-8") as text:
            said = json.load(text)
        raw = numpy.fromfile(folder.view(name + ".raw"), dtype=said["dtype"]).reshape(said["shape"])
        check((raw == values).all(), name + ", raw")
        if numpy.dtype(dtype).kind != "c":
            with netCDF4.Dataset(folder.view(name + ".nc")) as file:
                check((file[name][:].astype(dtype) == values).all(), name + ", NetCDF")
                check(file.data_model == "NETCDF3_64BIT_DATA", file.data_model)


def check_set(folder):
    file = netCDF4.Dataset(os.path.join(folder.path, "set.nc"), "w")
    file.title = "a set"
    for name, length in (("time", None), ("x", 5)):
        file.createDimension(name, length)
        file.createVariable(name, "f8", (name,))[:] = numpy.arange(4 if length is None else length) * 0.5
    file.createVariable("a", "f4", ("time", "x"))[:] = values_of("f4", (4, 5))
    file.createVariable("b", "i2", ("x",))[:] = values_of("i2", (5,))
    file.close()
    tool("import", os.path.join(folder.path, "set.nc"), os.path.join(folder.data, "set/"))
    check(sorted(os.listdir(folder.view("set")))[:4] == ["a.json", "a.nc", "a.npy", "a.raw"], "names in a set")
    for path in (folder.view("set.nc"), folder.view("set", "dataset.nc")):
        with netCDF4.Dataset(path) as mounted:
            check(mounted.title == "a set" and set(mounted.variables) == {"time", "x", "a", "b"}, path)
            check((mounted["a"][:] == values_of("f4", (4, 5))).all(), path)
            check((mounted["time"][:] == numpy.arange(4) * 0.5).all(), path)


def main():
    with Folder() as folder:
        folder.mount()
        check(os.listdir(folder.mnt) == [], "an empty folder")
        check_types(folder)
        check_set(folder)
        names = os.listdir(folder.mnt)
        check(len(names) == 4 * len(TYPES) + 2 and "set" in names and "set.nc" in names, names)
        for mode in (os.O_WRONLY, os.O_RDWR):
            try:
                os.open(folder.view("of_int8.npy"), mode)
                check(False, "opened to be written")
            except OSError as error:
                check(error.errno == 30, error)  # EROFS
        folder.end(signal.SIGINT)
    print(f"views_of_arrays: {len(TYPES)} types and a set")


main()
