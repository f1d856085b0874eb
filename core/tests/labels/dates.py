"""Dates of values, and values of dates, in each calendar: the library against cftime, which must agree to the
microsecond and to the bit. 100,000 random cases; XTA_SEED and XTA_SCALE change them.

SPDX-License-Identifier: Apache-2.0
"""
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np

try:
    import cftime
except ImportError:
    print("SKIPPED: python3-cftime is missing")
    sys.exit(77)

CASES = 100000
FIELDS = ["year", "month", "day", "hour", "minute", "second", "microsecond"]
# The program's byte order: that of an emulated machine is not this one's.
ORDER = ">" if os.environ["XTA_BUILD_DIR"].endswith("/emulated") else "="
DATE = np.dtype([(name, "i4") for name in FIELDS]).newbyteorder(ORDER)
QUESTION = np.dtype([("unit", "i4"), ("is_real", "i4"), ("whole", "i8"), ("real", "f8"), ("date", DATE),
                     ("unused", "i4")]).newbyteorder(ORDER)
ANSWER = np.dtype([("status_of_date", "i4"), ("status_of_value", "i4"), ("status_of_whole", "i4"), ("date", DATE),
                   ("whole", "i8"), ("real", "f8")]).newbyteorder(ORDER)
OK, ERANGE = 0, 4
LENGTH = {"days": 86400 * 10**6, "hours": 3600 * 10**6, "minutes": 60 * 10**6, "seconds": 10**6, "ms": 1000,
          "microseconds": 1, "d": 86400 * 10**6, "h": 3600 * 10**6, "hrs": 3600 * 10**6, "s": 10**6, "min": 60 * 10**6,
          "msec": 1000, "months": 30 * 86400 * 10**6, "common_years": 365 * 86400 * 10**6}
# Reference dates, and how they are written; the second list is of calendars that have a year 0.
DATES = ["1970-01-01", "1950-1-1 00:00:0.0", "1582-10-15", "1582-10-04 12:30", "0001-01-01 00:00:00",
         "1899-12-30T06:00:00Z", "2000-02-28 23:59:59.999999", "1858-11-17 00:00:00 +01:00", "1990-01-01 12:00 -05:30",
         "-4713-11-24 12:00:00", "2100-03-01"]
ZERO = ["0000-01-01", "0-1-1 00:00:00"]
CALENDARS = ["standard", "proleptic_gregorian", "julian", "noleap", "all_leap", "360_day", "Gregorian", "365_day",
             "366_day"]


def list_units(random):
    """(calendar, unit) pairs: each length of unit, calendar and reference date at least once."""
    units = []
    for calendar in CALENDARS:
        dates = DATES + (ZERO if calendar not in ("standard", "Gregorian", "julian") else [])
        if calendar == "360_day":
            dates = [date for date in dates if "-31" not in date]
        names = [name for name in LENGTH if name not in ("months", "common_years")]
        names += {"360_day": ["months"], "noleap": ["common_years"], "365_day": ["common_years"]}.get(calendar, [])
        for k in range(max(len(dates), len(names))):
            units.append((calendar, f"{names[k % len(names)]} since {dates[k % len(dates)]}"))
    return units


def values(random, unit, n):
    """Values of a unit within some hundred years, half of them near whole seconds, some far away."""
    length = LENGTH[unit.split()[0]]
    near = random.uniform(-200, 200, n) * 365 * 86400e6 / length
    far = random.integers(0, 40, n) == 0
    near[far] *= 30
    whole = np.trunc(near).astype("i8")
    if length >= 10**6:
        # Beside a whole second, or exactly between two microseconds.
        seconds = np.round(near * length / 1e6)
        beside = random.choice([0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, -0.5, -1, -1.5, 1e-3], n)
        close = random.integers(0, 2, n) == 0
        near[close] = ((seconds * 1e6 + beside) / length)[close]
    return whole, near


def fields_of(dates):
    out = np.zeros(len(dates), DATE)
    for k, d in enumerate(dates):
        out[k] = (d.year, d.month, d.day, d.hour, d.minute, d.second, d.microsecond)
    return out


def later(dates, random):
    """The dates at other times of their days: whole seconds or any microsecond."""
    times = np.stack([random.integers(0, 24, len(dates)), random.integers(0, 60, len(dates)),
                      random.integers(0, 60, len(dates)),
                      random.choice([0, 1, 999999, 500000, 123456], len(dates))], axis=1)
    times[random.integers(0, 3, len(dates)) == 0] = 0
    return [type(d)(d.year, d.month, d.day, *(int(t) for t in time), has_year_zero=d.has_year_zero)
            for d, time in zip(dates, times)]


def ask(units, cases, folder):
    paths = [os.path.join(folder, name) for name in ("units", "cases", "answers")]
    with open(paths[0], "w", encoding="utf-8") as file:
        file.writelines(f"{calendar}\t{unit}\n" for calendar, unit in units)
    cases.tofile(paths[1])
    program = os.path.join(os.environ["XTA_BUILD_DIR"], "core/tests/labels/labels_dates")
    subprocess.run([program, *paths], check=True)
    return np.fromfile(paths[2], ANSWER)


def expect(cases, units, what, good, ours, theirs):
    bad = np.flatnonzero(~good)
    for k in bad[:5]:
        print(f"{what}: {units[cases[k]['unit']]} {cases[k]}: the library has {ours[k]}, cftime {theirs[k]}")
    return len(bad)


def refused():
    """What cftime refuses the library refuses, except weeks, and reference dates without a day."""
    texts = [("standard", "days since 0000-01-01"), ("julian", "hours since 0-1-1"), ("noleap", "days since 2000-02-29"),
             ("standard", "months since 2000-01-01"), ("360_day", "common_years since 2000-01-01"),
             ("360_day", "days since 2000-01-31"), ("standard", "days since 1582-10-10"),
             ("standard", "fortnights since 2000-01-01"), ("lunar", "days since 2000-01-01"),
             ("standard", "days after 2000-01-01"), ("standard", "days since then"), ("noleap", "years since 2000-01-01"),
             ("standard", "days since 2001-02-29"), ("standard", "days since 2001-13-01"),
             ("standard", "hours since 2001-01-01 24:00:00")]
    bad = 0
    program = os.path.join(os.environ["XTA_BUILD_DIR"], "core/tests/labels/labels_dates")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "units")
        for calendar, unit in texts:
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"{calendar}\t{unit}\n")
            try:
                cftime.num2date(0, unit, calendar)
                print(f"cftime accepts {calendar} {unit}")
                bad += 1
            except ValueError:
                pass
            run = subprocess.run([program, path, "/dev/null", "/dev/null"], stderr=subprocess.PIPE, check=False)
            if run.returncode != 1 or b"usage" in run.stderr:
                print(f"the library accepts {calendar} {unit}")
                bad += 1
    return bad


def main():
    warnings.simplefilter("ignore")
    seed = int(os.environ.get("XTA_SEED", "20150301"))
    n = max(1, int(CASES * float(os.environ.get("XTA_SCALE", "1"))))
    print(f"dates: XTA_SEED={seed}")
    random = np.random.default_rng(seed)
    units = list_units(random)
    per_unit = max(1, n // len(units))
    cases = np.zeros(per_unit * len(units), QUESTION)
    dates = np.zeros(len(cases), DATE)
    numbers = np.zeros(len(cases))
    for k, (calendar, unit) in enumerate(units):
        part = slice(k * per_unit, (k + 1) * per_unit)
        whole, real = values(random, unit, per_unit)
        cases["unit"][part] = k
        cases["whole"][part], cases["real"][part] = whole, real
        half = per_unit // 2
        cases["is_real"][part][half:] = 1
        found = np.concatenate([cftime.num2date(whole[:half], unit, calendar) if half else np.zeros(0, "O"),
                                cftime.num2date(real[half:], unit, calendar)])
        dates[part] = fields_of(found)
        others = later(found, random)
        cases["date"][part] = fields_of(others)
        numbers[part] = cftime.date2num(others, unit, calendar).astype("f8")
    with tempfile.TemporaryDirectory() as folder:
        answers = ask(units, cases, folder)
    bad = refused()
    bad += expect(cases, units, "date", (answers["status_of_date"] == OK) & (answers["date"] == dates),
                  answers["date"], dates)
    bad += expect(cases, units, "value", (answers["status_of_value"] == OK) & (answers["real"] == numbers),
                  answers["real"], numbers)
    # What is a whole number of units is that number, and nothing else is.
    whole = answers["status_of_whole"] == OK
    bad += expect(cases, units, "whole value", np.where(whole, answers["whole"] == numbers,
                                                        (answers["status_of_whole"] == ERANGE)),
                  answers["whole"], numbers)
    fractions = numbers != np.trunc(numbers)
    bad += expect(cases, units, "fraction", ~(fractions & whole), answers["whole"], numbers)
    print(f"{len(cases)} dates of values and as many values of dates in {len(units)} units, {bad} disagree")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
