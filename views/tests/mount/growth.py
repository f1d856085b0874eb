"""Readers of a mount while a data set grows at both ends: each file that is opened is one step, and stays it.

SPDX-License-Identifier: Apache-2.0
"""
import mmap
import os
import subprocess
import threading

import netCDF4
import numpy

from mounted import BUILD, Folder, check, wait_for

STEPS = max(20, int(400 * float(os.environ.get("XTA_SCALE", "1"))))
N_X = 40


def check_rows(values, text):
    """Rows follow each other by one step of time; within a row, cells by one step of x."""
    check(values.ndim == 2 and values.shape[1] == N_X, f"{text}: shape {values.shape}")
    rows = len(values)
    if rows > 0:
        expected = values[0, 0] + 3000 * numpy.arange(rows)[:, None] + numpy.arange(N_X)[None, :]
        check((values == expected).all(), f"{text}: cells of several steps")
        check((values[0, 0] - 5100) % 3000 == 0, f"{text}: the first cell is {values[0, 0]}")
    return rows


class Reader(threading.Thread):
    def __init__(self, folder, read):
        super().__init__()
        self.folder, self.read = folder, read
        self.opened, self.sizes, self.failure, self.going = 0, set(), None, True

    def run(self):
        try:
            while self.going:
                self.sizes.add(self.read(self.folder))
                self.opened += 1
        except (SystemExit, Exception) as error:  # pylint: disable=broad-except
            self.failure = repr(error)


def read_plain(folder):
    return check_rows(numpy.load(folder.view("set", "v.npy")), "numpy.load")


def read_mapped(folder):
    values = numpy.load(folder.view("set", "v.npy"), mmap_mode="r")
    first = check_rows(numpy.array(values), "mapped")
    check(check_rows(numpy.array(values), "mapped, again") == first, "a mapped file has changed")
    return first


def read_netcdf(folder):
    # The library of NetCDF is not safe for threads: a process of its own.
    text = subprocess.run(["ncdump", "-v", "time,x,v", folder.view("set.nc")], check=True, capture_output=True,
                          text=True).stdout
    data = text[text.index("data:"):]

    def numbers(name):
        words = data[data.index(f"\n {name} =") + len(name) + 4:]
        return numpy.array(words[:words.index(";")].replace(",", " ").split(), dtype="i8")

    times, x, values = numbers("time"), numbers("x"), numbers("v")
    check(len(values) == len(times) * len(x), "NetCDF: shapes of several steps")
    check((values.reshape(len(times), len(x)) == times[:, None] * 1000 + x[None, :]).all(), "NetCDF: cells")
    return len(times)


def hold(folder):
    """Open the file of a step and map it, without touching most of its pages."""
    descriptor = os.open(folder.view("set", "v.raw"), os.O_RDONLY)
    size = os.fstat(descriptor).st_size
    return descriptor, size, os.fstat(descriptor).st_ino


def main():
    with Folder() as folder:
        folder.mount()
        grower = subprocess.Popen([os.path.join(BUILD, "views/tests/mount/mount_grower"),
                                   os.path.join(folder.data, "set"), str(STEPS)], stdout=subprocess.PIPE, text=True)
        wait_for(lambda: os.path.exists(os.path.join(folder.data, "set/v.xmd")) and
                 os.path.getsize(folder.view("set", "v.raw")) > 8 * N_X * 10, "some rows")
        held = hold(folder)
        readers = [Reader(folder, read) for read in (read_plain, read_plain, read_mapped, read_netcdf)]
        for reader in readers:
            reader.start()
        rows = int(grower.communicate()[0])
        for reader in readers:
            reader.going = False
            reader.join()
            check(reader.failure is None, reader.failure)
        check(grower.returncode == 0, "the writer has failed")

        descriptor, size, number = held
        check(os.fstat(descriptor).st_size == size, "the size of an open file has changed")
        with mmap.mmap(descriptor, size, prot=mmap.PROT_READ) as pages:
            kept = numpy.frombuffer(pages[:], dtype="<i8").reshape(-1, N_X)
            check_rows(kept, "held")
        check(os.stat(folder.view("set", "v.raw")).st_ino != number, "a later step has the same inode")
        os.close(descriptor)
        values = numpy.load(folder.view("set", "v.npy"))
        check(len(values) == rows, f"{len(values)} rows, not {rows}")
        with netCDF4.Dataset(folder.view("set.nc")) as file:
            check((file["v"][:] == values).all() and len(file.dimensions["time"]) == rows, "at the end")
        again = os.stat(folder.view("set", "v.npy")).st_ino
        check(os.stat(folder.view("set", "v.npy")).st_ino == again, "the same step has two inodes")
        check(folder.said() == "", folder.said())
        folder.end()
        opened = sum(reader.opened for reader in readers)
        sizes = len(set.union(*(reader.sizes for reader in readers)))
        check(sizes > 3, f"only {sizes} steps were seen")
    print(f"growth: {STEPS} steps at both ends, {opened} times opened, {sizes} different steps seen")


main()
