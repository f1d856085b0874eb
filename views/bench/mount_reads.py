#!/usr/bin/python3
"""Speeds of reading two files that hold the same bytes, one of them by xta mount.

  mount_reads.py NAME=FILE NAME=FILE ...

Prints one line of CSV for each file and kind of read, the median of rounds in which the files take turns: a sequential
read of the whole file by 1 MiB requests, one into NumPy, and random reads of 4 KiB. The page cache of the file systems
is dropped before each.

SPDX-License-Identifier: Apache-2.0
"""
import os
import random
import statistics
import subprocess
import sys
import time

import numpy

ROUNDS = int(os.environ.get("ROUNDS", "7"))
RANDOM_READS = 4096


def drop_cache(path):
    descriptor = os.open(path, os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def read_by_dd(path):
    subprocess.run(["dd", "if=" + path, "of=/dev/null", "bs=1M", "status=none"], check=True)
    return os.path.getsize(path)


def read_by_numpy(path):
    return numpy.fromfile(path, dtype="u1").nbytes


def read_at_random(path):
    chosen = random.Random(7)
    pages = os.path.getsize(path) // 4096
    descriptor = os.open(path, os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_RANDOM)
    for _ in range(RANDOM_READS):
        os.pread(descriptor, 4096, chosen.randrange(pages) * 4096)
    os.close(descriptor)
    return RANDOM_READS


def main():
    files = dict(word.split("=", 1) for word in sys.argv[1:])
    reads = {"dd": read_by_dd, "numpy": read_by_numpy, "random": read_at_random}
    speeds = {}
    for _ in range(ROUNDS):
        for kind, read in reads.items():
            for name, path in files.items():
                drop_cache(path)
                begin = time.perf_counter()
                done = read(path)
                speeds.setdefault((kind, name), []).append(done / (time.perf_counter() - begin))
    print("read,file,speed,unit,ratio")
    first = next(iter(files))
    for (kind, name), values in speeds.items():
        speed = statistics.median(values)
        ratio = speed / statistics.median(speeds[kind, first])
        text = f"{speed:.0f},reads/s" if kind == "random" else f"{speed / 2**30:.3f},GiB/s"
        print(f"{kind},{name},{text},{ratio:.3f}", flush=True)


if __name__ == "__main__":
    main()
