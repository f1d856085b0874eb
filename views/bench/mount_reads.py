#!/usr/bin/python3
"""Speeds of reading two files that hold the same bytes, one of them by xta mount.

  mount_reads.py NAME=FILE@PID NAME=FILE@PID ...

PID is the process that serves the file. Prints one line of CSV for each file and kind of read: a sequential read of the
whole file by 1 MiB requests, one into NumPy, and random reads of 4 KiB. In each round the files take turns, beginning
with another one, and in its turn a file is read three times, of which the fastest counts: a virtual machine whose host
takes idle pages away makes single reads up to three times as slow, whoever serves them. The page cache of all files is
dropped before each read, so that every one begins with the same memory free.

For each there are the median speed of the rounds, the median processor time of server and reader, and the ratios of
both to the first file: better if above 1.

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
RANDOM_READS = 16384


def drop_cache(path):
    descriptor = os.open(path, os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def processor_seconds(pid):
    """Of a server, of this process and of those that it has waited for."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
        words = stat.read().rpartition(")")[2].split()
    ours = os.times()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK") + sum(ours[:4])


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
    files = {}
    for word in sys.argv[1:]:
        name, _, rest = word.partition("=")
        path, _, pid = rest.rpartition("@")
        files[name] = (path, int(pid))
    reads = {"dd": read_by_dd, "numpy": read_by_numpy, "random": read_at_random}
    speeds, seconds = {}, {}
    names = list(files)
    for kind, read in reads.items():
        for round_ in range(ROUNDS):
            for k in range(len(names)):
                name = names[(round_ + k) % len(names)]
                turn = [measure(files, name, read) for _ in range(3)]
                speeds.setdefault((kind, name), []).append(max(speed for speed, _ in turn))
                seconds.setdefault((kind, name), []).append(min(used for _, used in turn))
    print("read,file,speed,unit,ratio,processor_s,processor_ratio")
    for kind, name in speeds:
        speed, used = statistics.median(speeds[kind, name]), statistics.median(seconds[kind, name])
        ratio = speed / statistics.median(speeds[kind, names[0]])
        saved = statistics.median(seconds[kind, names[0]]) / max(used, 1e-9)
        text = f"{speed:.0f},reads/s" if kind == "random" else f"{speed / 2**30:.3f},GiB/s"
        print(f"{kind},{name},{text},{ratio:.3f},{used:.3f},{saved:.3f}", flush=True)


def measure(files, name, read):
    """Speed and processor time of one read."""
    path, pid = files[name]
    for each, _ in files.values():
        drop_cache(each)
    begin, used = time.perf_counter(), processor_seconds(pid)
    done = read(path)
    return done / (time.perf_counter() - begin), processor_seconds(pid) - used


if __name__ == "__main__":
    main()
