#!/usr/bin/python3
"""Speeds of reading two files that hold the same bytes, one of them by xta mount.

  mount_reads.py NAME=FILE@PID NAME=FILE@PID ...

PID is the process that serves the file. Prints one line of CSV for each file and kind of read, the median of rounds in
which the files take turns: a sequential read of the whole file by 1 MiB requests, one into NumPy, and random reads of
4 KiB. The page cache of the file systems is dropped before each. Beside the speed stands the processor time of the
server and the reader, which a busy machine changes less; both ratios are better than the first file if above 1.

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
    for _ in range(ROUNDS):
        for kind, read in reads.items():
            for name, (path, pid) in files.items():
                drop_cache(path)
                begin, used = time.perf_counter(), processor_seconds(pid)
                done = read(path)
                speeds.setdefault((kind, name), []).append(done / (time.perf_counter() - begin))
                seconds.setdefault((kind, name), []).append(processor_seconds(pid) - used)
    print("read,file,speed,unit,ratio,processor_s,processor_ratio")
    first = next(iter(files))
    for kind, name in speeds:
        speed, used = statistics.median(speeds[kind, name]), statistics.median(seconds[kind, name])
        ratio = speed / statistics.median(speeds[kind, first])
        saved = statistics.median(seconds[kind, first]) / max(used, 1e-9)
        text = f"{speed:.0f},reads/s" if kind == "random" else f"{speed / 2**30:.3f},GiB/s"
        print(f"{kind},{name},{text},{ratio:.3f},{used:.3f},{saved:.3f}", flush=True)


if __name__ == "__main__":
    main()
