#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What a call through Python costs over the call of the library: one cell, a small box, and all cells of an array.

    PYTHONPATH=build/python python/bench/calls.py [--build BUILD] [--folder FOLDER] [--mib MIB]

Prints CSV: what, seconds in Python, seconds in C, and their difference or ratio. C and Python alternate, and of each the
least of several rounds counts, since other work on the machine only adds.
"""
from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import time
import timeit
from collections.abc import Callable

import numpy as np
import xta

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def build_c(build: str, folder: str) -> str:
    program = os.path.join(folder, "calls")
    here = os.path.dirname(os.path.abspath(__file__))
    subprocess.run(
        ["cc", "-O2", "-std=c11", "-D_GNU_SOURCE", "-I", os.path.join(SOURCE, "core", "include"),
         os.path.join(here, "bench_python_calls.c"), "-o", program, "-L", build, "-lxta", f"-Wl,-rpath,{build}"],
        check=True,
    )
    return program


def in_c(program: str, path: str, what: str, n: int) -> float:
    return float(subprocess.run([program, path, what, str(n)], capture_output=True, text=True, check=True).stdout)


def in_python(act: Callable[[], object], n: int) -> float:
    return min(timeit.repeat(act, number=n, repeat=5)) / n


def small_calls(program: str, folder: str) -> None:
    path = os.path.join(folder, "small")
    xta.from_numpy(path, np.random.default_rng(1).random((64, 64, 64)).astype("f4"), chunks=(16, 16, 16)).close()
    a = xta.open(path)
    box = (slice(3, 11), slice(5, 13), slice(7, 15))
    out = np.empty((8, 8, 8), "f4")
    limits = ((3, 11), (5, 13), (7, 15))
    cases: list[tuple[str, str, Callable[[], object], int]] = [
        ("a[3, 5, 7]", "cell", lambda: a[3, 5, 7], 100000),
        ("a[3:11, 5:13, 7:15]", "box", lambda: a[box], 30000),
        ("a.read(box, out)", "box", lambda: a.read(limits, out), 30000),
    ]
    for name, what, act, n in cases:
        c = python = 1e9
        for _ in range(3):
            c = min(c, in_c(program, path, what, n))
            python = min(python, in_python(act, n))
        print(f'"{name}",{python * 1e6:.3f} us,{c * 1e6:.3f} us,{(python - c) * 1e6:.3f} us over C')
    a.close()


def large_read(program: str, folder: str, mib: int) -> None:
    path = os.path.join(folder, "large")
    n = mib // 64
    with xta.create(path, (n, 4096, 4096), "f4", chunks=(1, 512, 512)) as a:
        block = np.random.default_rng(2).random((1, 4096, 4096)).astype("f4")
        for k in range(n):
            a.write(block, (k, 0, 0))
    a = xta.open(path)
    c = python = 1e9
    for _ in range(4):
        c = min(c, in_c(program, path, "all", 1))
        for _ in range(3):
            begin = time.perf_counter()
            cells = a[...]
            python = min(python, time.perf_counter() - begin)
            del cells
    size = mib / 1024
    print(f'"a[...] of {size:g} GiB",{python:.3f} s,{c:.3f} s,{c / python:.3f} of C ({size / python:.2f} GiB/s)')
    a.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(SOURCE, "build"))
    parser.add_argument("--folder", default=None, help="where the arrays are made")
    parser.add_argument("--mib", type=int, default=1024, help="of the large array")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        program = build_c(os.path.abspath(given.build), folder)
        print("call,python,c,comparison")
        small_calls(program, folder)
        large_read(program, folder, given.mib)


if __name__ == "__main__":
    main()
