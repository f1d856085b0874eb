"""Cells selected by labels: the library against xarray, on random axes.

Axes have regular or listed coordinates, numbers of several types or times in several calendars, ascending or
descending, and begin at negative cells. Each is asked for single labels, nearest ones with and without tolerance,
ranges, steps and lists. XTA_SEED and XTA_SCALE change them.

SPDX-License-Identifier: Apache-2.0
"""
import datetime
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np

try:
    import cftime
    import pandas as pd
    import xarray as xr
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

AXES, LABELS = 120, 30
TYPES = {"f64": np.float64, "f32": np.float32, "i64": np.int64, "i32": np.int32, "i16": np.int16, "u8": np.uint8}
CALENDARS = ["standard", "noleap", "360_day", "proleptic_gregorian", "all_leap", "julian"]
FORMS = ["%Y", "%Y-%m", "%Y-%m-%d", "%Y-%m-%dT%H", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]


class Axis:
    """An axis: the lines that make it, and the same in xarray."""

    def __init__(self, random):
        self.random = random
        self.lo, self.hi = -int(random.integers(0, 30)), int(random.integers(1, 60))
        self.n = self.hi - self.lo
        self.lines = []
        self.descends = random.random() < 0.4
        self.make()
        self.descends = self.descends and self.n > 1
        cells = np.arange(self.lo, self.hi)
        self.array = xr.DataArray(cells, dims="x", coords={"x": self.index()})

    def put_list(self, name, values):
        """List coordinates, for some cells beyond the bounds too."""
        before, after = (int(k) for k in self.random.integers(0, 3, 2))
        text = " ".join(["0"] * before + [repr(v.item()) for v in values] + ["0"] * after)
        self.lines.append(f"listed {name} {self.lo} {self.hi} {self.lo - before} {self.hi + after} {text}")

    def between(self, a, b):
        """Cells from one coordinate to another; None is open."""
        if a is None and b is None:
            # What xarray refuses where dates descend.
            return lambda: self.array
        return lambda: self.array.sel(x=slice(b, a) if self.descends else slice(a, b))


class Numbers(Axis):
    def make(self):
        random = self.random
        self.name = random.choice(list(TYPES))
        self.type = TYPES[self.name]
        real = self.name[0] == "f"
        cells = np.arange(self.lo, self.hi)
        if random.random() < 0.5 and self.name != "u8":
            step = self.type(random.choice([0.25, 0.1, 2.5, 1 / 3]) if real else random.integers(1, 50))
            step = -step if self.descends else step
            origin = self.type(random.integers(-500, 500) / (8 if real else 1))
            self.lines.append(f"regular {self.name} {self.lo} {self.hi} {origin.item()!r} {step.item()!r}")
            self.values = (float(origin) + cells * float(step)).astype(self.type)
        else:
            values = np.unique(np.round(random.uniform(0, 250, 4 * self.n), 3).astype(self.type))
            self.values = np.sort(random.choice(values, min(self.n, len(values)), replace=False))
            self.hi = self.lo + len(self.values)
            if self.hi < 0:
                self.hi, self.lo = len(self.values), 0
            self.n = len(self.values)
            self.values = self.values[::-1] if self.descends else self.values
            self.put_list(self.name, self.values)

    def index(self):
        return self.values.astype(np.float64 if self.name[0] == "f" else np.int64)

    def text(self, value):
        return str(self.type(value))

    def any(self):
        """A coordinate, or a number near one."""
        value = self.random.choice(self.values)
        if self.random.random() < 0.4:
            value = value + self.type(self.random.choice([0.05, 1, 3]))
        return self.type(value)

    def single(self):
        value = self.any()
        return self.text(value), lambda: self.array.sel(x=value.item())

    def nearest(self):
        value = self.any()
        return self.text(value) + "~", lambda: self.array.sel(x=value.item(), method="nearest")

    def tolerant(self):
        value, tolerance = self.any(), self.random.choice([0.04, 0.5, 1, 2])
        return (f"{self.text(value)}~{tolerance}",
                lambda: self.array.sel(x=value.item(), method="nearest", tolerance=tolerance))

    def range(self):
        a, b = sorted([self.any(), self.any()])
        open_a, open_b = self.random.random(2) < 0.2
        label = ("" if open_a else self.text(a)) + ":" + ("" if open_b else self.text(b))
        return label, self.between(None if open_a else a.item(), None if open_b else b.item())

    def list(self):
        some = self.random.choice(self.values, self.random.integers(1, 5))
        return "[" + ",".join(self.text(v) for v in some) + "]", lambda: self.array.sel(x=some.astype(self.index().dtype))

    def distance(self, cell, label):
        return abs(float(self.values[cell - self.lo]) - float(self.type(label.split("~")[0])))


class Times(Axis):
    def make(self):
        random = self.random
        self.calendar = random.choice(CALENDARS)
        self.unit = random.choice(["days", "hours", "seconds"]) + " since 2000-02-01"
        self.per_day = {"d": 1, "h": 24, "s": 86400}[self.unit[0]]
        cells = np.arange(self.lo, self.hi)
        step = random.choice([1, 0.25, 30, 365, 1 / 24])
        real = step * self.per_day != int(step * self.per_day) or random.random() < 0.3
        if random.random() < 0.5:
            name, kind = ("f64", float) if real else ("i64", int)
            step = kind(step * self.per_day) * (-1 if self.descends else 1)
            self.values = 3 + cells * step
            self.lines.append(f"regular {name} {self.lo} {self.hi} {kind(3)} {step!r}")
        else:
            self.values = np.cumsum(random.integers(1, 40, self.n)) * (0.25 if real else 1) * self.per_day
            self.values = self.values[::-1] if self.descends else self.values
            self.values = self.values.astype(np.float64 if real else np.int32)
            self.put_list("f64" if real else "i32", self.values)
        # Fractions of days are rounded to microseconds by cftime, but not by pandas.
        self.dates = cftime.num2date(self.values, self.unit, self.calendar)
        self.pandas = not real and self.calendar in ("standard", "proleptic_gregorian") and random.random() < 0.7
        self.lines += [f"unit {self.unit}", f"calendar {self.calendar}"]

    def index(self):
        if self.pandas:
            return pd.DatetimeIndex([pd.Timestamp(d.isoformat()) for d in self.dates])
        return xr.CFTimeIndex(self.dates)

    def any(self):
        date = self.random.choice(self.dates)
        if self.random.random() < 0.5:
            date = date + datetime.timedelta(hours=int(self.random.choice([-1, 1, 6, 24, 1000])))
        return date

    def text(self, date):
        return date.strftime(self.random.choice(FORMS))

    def moment(self, date):
        return pd.Timestamp(date.isoformat()) if self.pandas else date

    def single(self):
        text = self.text(self.any())
        return text, lambda: self.array.sel(x=text)

    def nearest(self):
        date = self.any()
        return date.strftime("%Y-%m-%dT%H:%M:%S.%f") + "~", lambda: self.array.sel(x=self.moment(date), method="nearest")

    def tolerant(self):
        date, days = self.any(), int(self.random.choice([1, 3, 400]))
        return (date.strftime("%Y-%m-%dT%H:%M:%S") + f"~{days * self.per_day}",
                lambda: self.array.sel(x=self.moment(date.replace(microsecond=0)), method="nearest",
                                       tolerance=datetime.timedelta(days)))

    def range(self):
        a, b = sorted([self.any(), self.any()])
        a, b = self.text(a), self.text(b)
        open_a, open_b = self.random.random(2) < 0.2
        label = ("" if open_a else a) + ":" + ("" if open_b else b)
        if self.pandas and self.descends:
            # pandas finds nothing between texts in a descending index.
            a, b = pd.Period(a).start_time, pd.Period(b).end_time
        return label, self.between(None if open_a else a, None if open_b else b)

    def list(self):
        some = self.random.choice(self.dates, self.random.integers(1, 5))
        return ("[" + ",".join(d.strftime("%Y-%m-%dT%H:%M:%S.%f") for d in some) + "]",
                lambda: self.array.sel(x=[self.moment(d) for d in some]))

    def distance(self, cell, label):
        year, month, day, hour, minute, second = (
            float(k) for k in label.split("~")[0].replace("T", "-").replace(":", "-").split("-"))
        date = cftime.datetime(int(year), int(month), int(day), int(hour), int(minute), int(second),
                               round(second % 1 * 1e6), calendar=self.calendar)
        return abs(self.dates[cell - self.lo] - date)


def cells_of(answer):
    """The cells of an answer; None: no cell has the label."""
    words = answer.split()
    if words[0] == "error":
        return None if words[1] == "XTA_ENOENT" else answer
    if words[0] == "list":
        return [int(k) for k in words[1:]]
    return list(range(*(int(k) for k in words)))


def expected(ask):
    try:
        found = np.atleast_1d(ask().values).tolist()
    except KeyError:
        return None
    return found or None


def same(axis, label, ours, theirs):
    """Of two cells that are equally near xarray takes the one with the larger coordinate, we the lower cell."""
    if ours == theirs:
        return True
    if not (label.endswith("~") or "~" in label) or not isinstance(ours, list) or theirs is None:
        return False
    return ours[0] < theirs[0] and axis.distance(ours[0], label) == axis.distance(theirs[0], label)


def main():
    warnings.simplefilter("ignore")
    seed = int(os.environ.get("XTA_SEED", "20150301"))
    print(f"selections: XTA_SEED={seed}")
    random = np.random.default_rng(seed)
    lines, questions = [], []
    for k in range(max(1, int(AXES * float(os.environ.get("XTA_SCALE", "1"))))):
        axis = (Numbers if k % 2 else Times)(random)
        lines += axis.lines
        for _ in range(LABELS):
            form = random.choice(["single", "nearest", "tolerant", "range", "range", "list"])
            label, ask = getattr(axis, form)()
            step = 1
            if form == "range" and random.random() < 0.4:
                # A step counts from the lowest cell.
                step = int(random.integers(1, 15))
                # Two digits after a time without seconds would be minutes.
                label += f":{step}" if step < 10 else f":0{step}"
            lines.append(f"sel {label}")
            questions.append((axis, label, ask, step))
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        program = os.path.join(os.environ["XTA_BUILD_DIR"], "core/tests/labels/labels_selections")
        answers = subprocess.run([program, file.name], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    bad, counts = 0, {"cells": 0, "none": 0}
    assert len(answers) == len(questions)
    for (axis, label, ask, step), answer in zip(questions, answers):
        ours, theirs = cells_of(answer), expected(ask)
        theirs = theirs[::step] if theirs else theirs
        # The beginning of a range may lie above its end, where only its coarser text does not.
        if isinstance(ours, str) and " lies above " in ours and theirs is None:
            ours = None
        counts["none" if theirs is None else "cells"] += 1
        if not same(axis, label, ours, theirs):
            bad += 1
            if bad <= 10:
                print(f"{axis.lines} {label}: the library has {answer}, xarray {theirs}")
    print(f"{len(questions)} labels, {counts['cells']} with cells, {counts['none']} without, {bad} disagree")
    return bad != 0 or counts["cells"] < len(questions) // 2


if __name__ == "__main__":
    sys.exit(main())
