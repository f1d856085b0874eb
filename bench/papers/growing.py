"""What several experiments share: the runs of bench_static and bench_interleaved, kept for those that come later.

SPDX-License-Identifier: Apache-2.0
"""
import contextlib
import os
import tempfile

from experiment import Sample, Series

AXES = (2, 3, 4)
GROWTHS = {2: 15, 3: 7, 4: 4}  # [CXA] 6.3
READS = 1000  # [CXA] 3.5
CELLS = 10_000_000  # at scale 1, at the end of a history
IN_CACHE = 100_000
MACHINE = ("The paper's machine: Intel Core 2 Quad Q9650, 12 GB, Ubuntu 12.04, GCC 4.6.3 -O2; doubles. Ours: the one "
           "at the top of this page, GCC -O3; doubles.")
_kept = {}


def once(context, key, measure):
    """The result of measure(), kept for the same context and key."""
    if (id(context), key) not in _kept:
        _kept[id(context), key] = measure()
    return _kept[id(context), key]


def static(context, cells):
    """{(k, series): Sample} of one random access without extensions."""
    return once(context, ("static", cells), lambda: {
        (int(case), series): sample for (case, series), sample in context.rows(
            [context.program("bench_static"), cells, min(context.repetitions, 5)], repetitions=1).items()})


def interleaved(context, where, history, k, reads=READS, cells=None, repetitions=3):
    """{(side, stage): Sample} of one history; stages are extend, write, read."""
    growths = GROWTHS[k] if history == "large" else 100
    cells = cells or context.scaled(CELLS if history == "large" else CELLS // 20)
    words = [context.program("bench_interleaved"), where, k, history, cells, growths, reads]

    def measure():
        rows = context.rows(words, repetitions=min(context.repetitions, repetitions))
        return {tuple(series.split(": ")): sample for (_, series), sample in rows.items()}

    return once(context, tuple(map(str, words[1:])), measure)


def total(rows, side, stages):
    """The sum of some stages, repetition by repetition."""
    return Sample([sum(values) for values in zip(*(rows[side, stage].values for stage in stages))], "s")


def totals(histories, sides, stages, labels=None):
    """A series for each side over {x: rows of a history}."""
    return [Series((labels or {}).get(side, side), [(x, total(rows, side, stages)) for x, rows in histories.items()])
            for side in sides]


def ratios(histories, ours, side, stages):
    """{x: how many times as long as ours the side takes}, by medians."""
    return {x: total(rows, side, stages).median / total(rows, ours, stages).median for x, rows in histories.items()}


def number(value):
    """Two digits, or all of the whole part."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def listed(values):
    """2: 1.5, 3: 2 as "1.5 (2), 2 (3)"."""
    return ", ".join(f"{number(value)} ({x})" for x, value in values.items())


@contextlib.contextmanager
def memory_folder():
    """The environment of a program whose files are to lie in memory, where nothing waits for a disk, if there is such a
    folder."""
    if not os.access("/dev/shm", os.W_OK):
        yield {}
        return
    with tempfile.TemporaryDirectory(prefix="xta-papers-", dir="/dev/shm") as folder:
        yield {"XTA_BENCH_DIR": folder}
