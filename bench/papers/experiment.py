"""An experiment of one of the papers: what it claims, how it is repeated here, and what follows from the figures.

Each module in `experiments/` has a list EXPERIMENTS. `run` of an experiment gets a Context and returns a Result; the
verdict is computed from the rows, never written down beforehand.

SPDX-License-Identifier: Apache-2.0
"""
import csv
import dataclasses
import os
import pathlib
import statistics
import subprocess
import tempfile
import time
from typing import Callable

HOLDS, PARTLY, FAILS = "holds", "holds partly", "does not hold"
NOT_RUN = "not run"
OURS = "XTA"  # our side in what Context.bench returns


@dataclasses.dataclass
class Sample:
    """What was measured for one point: the quartiles of all repetitions."""
    values: list[float]
    unit: str

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    @property
    def quartiles(self) -> tuple[float, float]:
        if len(self.values) < 2:
            return self.values[0], self.values[0]
        low, _, high = statistics.quantiles(self.values, n=4, method="inclusive")
        return low, high

    def __str__(self) -> str:
        low, high = self.quartiles
        middle = f"{self.median:.4g}"
        return middle if f"{low:.4g}" == f"{high:.4g}" else f"{middle} ({low:.4g} to {high:.4g})"


@dataclasses.dataclass
class Series:
    """One line of a figure: (x, Sample) in order of x; `x` may be text, which gives bars."""
    name: str
    points: list[tuple[object, Sample]]


@dataclasses.dataclass
class Panel:
    """One plot: measured series, and beside them what the paper reports, as (name, [(x, y)])."""
    title: str
    x: str
    y: str
    series: list[Series]
    reported: list[tuple[str, list[tuple[object, float]]]] = dataclasses.field(default_factory=list)
    log_x: bool = False
    log_y: bool = False


@dataclasses.dataclass
class Result:
    """`why`: one to four sentences with the figures that decide. Tables print every panel unless `table` is given,
    as rows of text with a head."""
    verdict: str
    why: str
    panels: list[Panel] = dataclasses.field(default_factory=list)
    table: list[list[str]] | None = None


@dataclasses.dataclass
class Experiment:
    """`source`: as "[CXA] 3.5.1, Fig. 3.5.1"; `claim`: what the paper reports, with its figures, in our words; `setting`:
    that of the paper and ours side by side, with the settings of each peer."""
    name: str
    source: str
    title: str
    claim: str
    setting: str
    run: Callable[["Context"], Result]


class Unavailable(Exception):
    """What the experiment needs is missing on this machine: the verdict is "not run", with this text."""


class Context:
    """What experiments may use: programs of the build, the scale, repetitions, folders."""

    def __init__(self, build, out, scale, repetitions):
        self.build, self.out = pathlib.Path(build).resolve(), pathlib.Path(out)
        self.scale = scale  # 1: the small size; a size grows in proportion where the text does not say otherwise
        self.repetitions = repetitions
        self.data = os.environ.get("XTA_DATA", "")

    def scaled(self, small, multiple=1):
        """`small` cells, bytes or steps at scale 1; a multiple of `multiple`, at least one of it."""
        return max(multiple, round(small * self.scale / multiple) * multiple)

    def program(self, name):
        found = sorted(path for path in self.build.rglob(name) if path.is_file() and os.access(path, os.X_OK))
        if not found:
            raise Unavailable(f"this build has no {name}")
        return str(found[0])

    def execute(self, words, ranks=0, launch="mpirun.openmpi --oversubscribe --bind-to none", env=None):
        """Run a program in a folder of its own, which is deleted after it; its output. `ranks` > 0: by mpirun."""
        words = [str(word) for word in words]
        if ranks:
            words = [*launch.split(), "-n", str(ranks), *words]
        with tempfile.TemporaryDirectory(prefix="xta-papers-") as work:
            done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=work, env={
                **os.environ, "LC_ALL": "C", "XTA_BENCH_DIR": work, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1", **(env or {})})
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr[-2000:]}")
        return done.stdout

    def rows(self, words, ranks=0, env=None, repetitions=None):
        """{(case, series): Sample} of a program that prints lines `case,series,value,unit`, run `repetitions` times
        (lines that begin with # are remarks). A program that repeats by itself may print a line for each value."""
        found = {}
        for _ in range(repetitions or self.repetitions):
            lines = self.execute(words, ranks, env=env).splitlines()
            for row in csv.reader(line for line in lines if line and not line.startswith("#")):
                case, series, value, unit = row[:4]
                found.setdefault((case, series), Sample([], unit)).values.append(float(value))
        if not found:
            raise RuntimeError(f"{' '.join(map(str, words))} printed no rows")
        return found

    def bench(self, words, ranks=0, env=None, repetitions=None):
        """The same for a program of bench/bench.h: {(case, metric): {side: Sample}}, ours under OURS."""
        found = {}
        env = {"XTA_BENCH_SMALL": "1", **(env or {})}
        for _ in range(repetitions or self.repetitions):
            lines = self.execute(words, ranks, env=env).splitlines()
            seen = set()
            for row in csv.DictReader(line for line in lines if line and not line.startswith("#")):
                key = row["case"], row["metric"]
                sides = found.setdefault(key, {})
                # A row of several peers has our figure again.
                pairs = [(row["peer_name"], row["peer"])] + ([] if key in seen else [(OURS, row["ours"])])
                seen.add(key)
                for side, value in pairs:
                    if side:
                        sides.setdefault(side, Sample([], row["unit"])).values.append(float(value))
        return found


def series_of(rows, names, cases, label=str):
    """Series for the names, over the cases, out of Context.rows."""
    return [Series(name, [(label(case), rows[case, name]) for case in cases if (case, name) in rows]) for name in names]


def verdict_of(conditions):
    """Holds if all conditions do, does not hold if none does."""
    return HOLDS if all(conditions) else PARTLY if any(conditions) else FAILS


def run_one(experiment, context):
    """The Result, also where the experiment cannot run, and the seconds it took."""
    started = time.monotonic()
    try:
        result = experiment.run(context)
    except Unavailable as missing:
        result = Result(NOT_RUN, str(missing))
    return result, time.monotonic() - started
