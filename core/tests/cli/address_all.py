"""Random histories through the tool against a naive program. See address_all.sh.

SPDX-License-Identifier: Apache-2.0
"""
import itertools
import os
import random
import subprocess
import sys


def xta(*words):
    done = subprocess.run(["xta", *words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"xta {' '.join(words)}: {done.stderr}")
    return done.stdout


class Oracle:
    """Addresses in a dictionary, assigned one chunk at a time."""

    def __init__(self, bounds, chunk):
        self.chunk = list(chunk)
        self.lo, self.hi = [0] * len(bounds), list(bounds)
        self.alo = [0] * len(bounds)
        self.ahi = [-(-b // c) for b, c in zip(bounds, chunk)]
        self.order = list(itertools.product(*map(range, self.alo, self.ahi)))

    def adjoin(self, axis, coords):
        """New slabs on `axis`, that axis slowest, the others row-major over the allocated box."""
        others = [range(l, h) for k, (l, h) in enumerate(zip(self.alo, self.ahi)) if k != axis]
        for coord in coords:
            for rest in itertools.product(*others):
                self.order.append(rest[:axis] + (coord,) + rest[axis:])

    def extend(self, axis, by, front):
        c = self.chunk[axis]
        empty = self.lo[axis] == self.hi[axis] and self.alo[axis] == self.ahi[axis]
        if front:
            self.lo[axis] -= by
            need = self.lo[axis] // c
            if by > 0 and need < self.alo[axis]:
                self.adjoin(axis, range(self.alo[axis] - 1, need - 1, -1))
                self.alo[axis] = need
        else:
            self.hi[axis] += by
            need = -(-self.hi[axis] // c)
            if by > 0 and need > self.ahi[axis]:
                self.adjoin(axis, range(self.ahi[axis], need))
                self.ahi[axis] = need
        return empty

    def shrink(self, axis, by, front):
        if front:
            self.lo[axis] += by
        else:
            self.hi[axis] -= by

    def add_axis(self, at):
        for values, new in ((self.lo, 0), (self.hi, 1), (self.alo, 0), (self.ahi, 1),
                            (self.chunk, 1)):
            values.insert(at, new)
        self.order = [q[:at] + (0,) + q[at:] for q in self.order]


def history(seed, name):
    rng = random.Random(seed)
    ndim = rng.randint(1, 3)
    bounds = [rng.randint(1, 4) for _ in range(ndim)]
    chunk = [rng.randint(1, 3) for _ in range(ndim)]
    xta("create", name, "--type", "u8", "--bounds", ",".join(map(str, bounds)),
        "--chunk", ",".join(map(str, chunk)))
    oracle = Oracle(bounds, chunk)
    for _ in range(rng.randint(3, 7)):
        step = rng.random()
        axis = rng.randrange(len(oracle.lo))
        front = rng.random() < 0.4
        words = ["--front"] if front else []
        if step < 0.1 and len(oracle.lo) < 4:
            at = rng.randint(0, len(oracle.lo))
            xta("add-axis", name, "--at", str(at))
            oracle.add_axis(at)
        elif step < 0.25 and oracle.hi[axis] - oracle.lo[axis] > 1:
            xta("shrink", name, "--axis", str(axis), "--by", "1", *words)
            oracle.shrink(axis, 1, front)
        else:
            other = rng.randrange(len(oracle.lo))
            by, more = rng.randint(0, 3), rng.randint(0, 2)
            xta("extend", name, "--axis", str(axis), "--by", str(by), *words, "--axis", str(other),
                "--by", str(more))
            oracle.extend(axis, by, front)
            oracle.extend(other, more, False)
    return oracle


def main():
    seed = int(os.environ.get("XTA_SEED", random.randrange(1 << 30)))
    for k in range(20):
        oracle = history(seed + k, f"a{k}")
        wanted = "".join(f"{q}\t{','.join(map(str, c))}\n" for q, c in enumerate(oracle.order))
        found = xta("address", f"a{k}", "--all")
        if found != wanted:
            sys.exit(f"XTA_SEED={seed + k}: wanted\n{wanted}found\n{found}")
    print("20 histories agree")


main()
