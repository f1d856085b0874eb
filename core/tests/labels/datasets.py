"""Data sets that grow at both ends, and selections of their members by labels: the library against xarray.

Sets have 1 to 6 members of 1 to 4 dimensions with regular or listed coordinates, numbers or times, ascending or
descending. Each step appends a slab to one dimension, at either end, or selects cells. XTA_SEED and XTA_SCALE change
them; XTA_SCALE=4 takes 5,000 steps.

SPDX-License-Identifier: Apache-2.0
"""
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np

try:
    import pandas as pd
    import xarray as xr
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

warnings.simplefilter("ignore")
SETS, STEPS = 25, 50
UNIT = "days since 2001-01-01"


class Dimension:
    """Coordinates in units of a quarter, so that they are exact; times are quarters of days."""

    def __init__(self, random, name):
        self.random, self.name, self.time = random, name, name == "time"
        self.kind = random.choice(["regular", "list", "bare"], p=[0.45, 0.45, 0.1])
        self.lo, self.n = -int(random.integers(0, 4)), int(random.integers(1, 5))
        self.sign = -1 if random.random() < 0.3 and not self.time else 1
        self.step = int(random.integers(1, 9)) * self.sign
        first = int(random.integers(-40, 400))
        self.quarters = [first + k * self.step for k in range(self.n)]
        if self.kind == "list" and self.n > 2:
            self.quarters[-1] += self.sign  # no longer regular

    def lines(self):
        unit = UNIT if self.time else "-"
        hi = self.lo + self.n
        if self.kind == "regular":
            origin = (self.quarters[0] - self.lo * self.step) / 4
            return [f"regular {self.name} {self.lo} {hi} f64 {origin!r} {self.step / 4!r} {unit}"]
        lines = [f"dimension {self.name} {self.lo} {hi}"]
        if self.kind == "list":
            lines.append(f"list {self.name} f64 {self.n} {self.text(self.quarters)} {unit}")
        return lines

    @staticmethod
    def text(quarters):
        return " ".join(repr(q / 4) for q in quarters)

    def index(self, quarters):
        if self.kind == "bare":
            return None
        if self.time:
            return pd.Timestamp("2001-01-01") + pd.to_timedelta(np.asarray(quarters) * 6, "h")
        return np.asarray(quarters) / 4

    def more(self, front):
        """Coordinates that continue it, with regular or irregular steps."""
        n = int(self.random.integers(1, 4))
        regular = self.kind == "regular" and self.random.random() < 0.9
        steps = [self.step if regular else int(self.random.integers(1, 9)) * self.sign for _ in range(n)]
        if front:
            return [self.quarters[0] - s for s in np.cumsum(steps)][::-1]
        return [self.quarters[-1] + s for s in np.cumsum(steps)]

    def label(self, q):
        if not self.time:
            return repr(q / 4)
        return (pd.Timestamp("2001-01-01") + pd.Timedelta(hours=6 * int(q))).strftime("%Y-%m-%dT%H:%M")

    def selection(self):
        """A label text and the same for xarray: a function of an array."""
        random, name = self.random, self.name
        quarters = self.quarters
        one = quarters[random.integers(0, len(quarters))]
        stamp = (lambda q: self.index([q])[0])
        form = random.integers(0, 5)
        if form == 0:
            return self.label(one), lambda a: a.sel({name: [stamp(one)]})
        if form == 1:
            q = one + int(random.integers(-3, 4))
            if min(abs(q - p) for p in quarters) * 2 in [abs(q - p) + abs(q - r) for p in quarters for r in quarters
                                                          if p != r]:
                q = one  # as near to two of them
            return self.label(q) + "~", lambda a: a.sel({name: [stamp(q)]}, method="nearest")
        if form == 2:
            some = [quarters[k] for k in random.integers(0, len(quarters), random.integers(1, 4))]
            return "[" + ",".join(map(self.label, some)) + "]", lambda a: a.sel({name: [stamp(q) for q in some]})
        if form == 3 and self.time:
            month = stamp(one).strftime("%Y-%m")
            return month, lambda a: a.sel({name: slice(month, month)})
        a, b = sorted((one, quarters[random.integers(0, len(quarters))]))
        first, last = (b, a) if self.sign < 0 else (a, b)
        # xarray takes ends of a slice in the order of the index.
        text = f"{self.label(a)}:{self.label(b)}"
        if self.time:  # a label stands for its minute; xarray's strings do so, too
            return text, lambda x: x.sel({name: slice(self.label(a), self.label(b))})
        return text, lambda x: x.sel({name: slice(stamp(first), stamp(last))})


class Set:
    def __init__(self, random, path):
        self.random, self.lines, self.want = random, [f"set {path}"], []
        names = list(random.permutation(["time", "y", "x", "level"])[:random.integers(1, 5)])
        self.dimensions = {name: Dimension(random, name) for name in names}
        self.values = 0
        self.arrays = {}
        for d in self.dimensions.values():
            self.lines += d.lines()
        for k in range(random.integers(1, 7)):
            dims = list(random.permutation(names)[:random.integers(1, len(names) + 1)])
            self.lines.append(f"member v{k} {len(dims)} {' '.join(dims)}")
            cells = self.cells(dims, {})
            self.arrays[f"v{k}"] = cells
            self.lines.append(f"cells v{k} {self.numbers(cells)}")

    @staticmethod
    def numbers(cells):
        return " ".join(map(str, cells.values.ravel()))

    def cells(self, dims, changed):
        """New cells, each with a value of its own."""
        quarters = {d: changed.get(d, self.dimensions[d].quarters) for d in dims}
        shape = [len(quarters[d]) for d in dims]
        n = int(np.prod(shape))
        values = np.arange(self.values, self.values + n, dtype="i4").reshape(shape)
        self.values += n
        coords = {d: i for d in dims if (i := self.dimensions[d].index(quarters[d])) is not None}
        return xr.DataArray(values, dims=dims, coords=coords)

    def grow(self):
        d = self.dimensions[self.random.choice(list(self.dimensions))]
        front = bool(self.random.random() < 0.5)
        new = d.more(front)
        if d.kind == "bare":
            coordinates = "-"
        elif d.time and self.random.random() < 0.3:
            coordinates = " ".join(repr(q * 6.0) for q in new) + " hours since 2001-01-01"
        else:
            coordinates = d.text(new) + " " + (UNIT if d.time else "-")
        self.lines.append(f"append {d.name} {'front' if front else 'back'} {len(new)} {coordinates}")
        grows = [v for v, a in self.arrays.items() if d.name in a.dims]
        for v in grows:
            old = self.arrays[v]
            slab = self.cells(list(old.dims), {d.name: new})
            if self.random.random() < 0.9:
                self.lines.append(f"with {v} {self.numbers(slab)}")
            else:
                slab = slab * 0  # the fill value
            parts = [slab, old] if front else [old, slab]
            self.arrays[v] = xr.concat(parts, d.name).transpose(*old.dims).astype("i4")
        d.quarters = new + d.quarters if front else d.quarters + new
        self.lines.append("go")
        self.want.append("ok")

    def select(self):
        v = self.random.choice(list(self.arrays))
        array, texts = self.arrays[v], []
        for name in array.dims:
            d = self.dimensions[name]
            if d.kind != "bare" and self.random.random() < 0.7:
                text, function = d.selection()
                array = function(array)
                texts.append(f"{name}={text}")
        if texts:
            self.lines.append(f"sel {v} {','.join(texts)}")
            self.want.append(" " + self.numbers(array))
        else:
            self.grow()

    def step(self):
        if self.random.random() < 0.4:
            self.grow()
        else:
            self.select()
        if self.random.random() < 0.05:
            self.lines.append("again")


def main():
    seed = int(os.environ.get("XTA_SEED", "20261125"))
    sets = max(1, int(SETS * float(os.environ.get("XTA_SCALE", "1"))))
    print(f"datasets: seed {seed} (XTA_SEED gives another)")
    program = os.path.join(os.environ["XTA_BUILD_DIR"], "core/tests/labels/labels_datasets")
    steps = 0
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        for k in range(sets):
            one = Set(np.random.default_rng([seed, k]), f"{folder}/set{k}")
            for _ in range(STEPS):
                one.step()
            cases = f"{folder}/cases"
            with open(cases, "w") as f:
                f.write("\n".join(one.lines) + "\n")
            got = subprocess.run([program, cases], capture_output=True, text=True)
            answers = got.stdout.rstrip("\n").split("\n")
            asked = [line for line in one.lines if line.split()[0] in ("go", "sel")]
            for line, want, answer in zip(asked, one.want, answers):
                if want != answer:
                    sys.exit(f"set {k}: {line}: {answer[:300]}, not {want[:300]}")
            if got.returncode != 0 or len(answers) != len(one.want):
                sys.exit(f"set {k}: {len(answers)} answers to {len(one.want)}: {got.stderr}")
            steps += len(answers)
    print(f"{sets} data sets, {steps} steps")


main()
