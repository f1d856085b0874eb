"""docs/EXPERIMENTS.md from the kept results.

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import platform
import textwrap

from experiment import NOT_RUN, Sample

HEAD = """\
# The experiments of the papers, repeated

`make papers` runs each experiment of the papers that XTA comes from ([papers.md](papers.md) has the abbreviations) at a
size that this machine can hold, and writes this page; `PAPERS_SCALE=4 make papers` makes the sizes four times as large.
The figures, each beside what the paper reports, go to `papers-out/`. Figures in parentheses are the quartiles of the
repetitions. The machines of the papers are ten to fifteen years older, so absolute times do not compare; a verdict is
about what the paper concludes: it is computed from the figures below by the experiment's own program in
`bench/papers/experiments`.
"""


def number(value):
    return f"{value:g}" if isinstance(value, (int, float)) else str(value)


def grid(rows):
    """A Markdown table of equal columns."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]])


def panel_table(panel):
    """x down, series across, the paper's last."""
    cells = {}
    xs = []
    for series in panel["series"]:
        for x, sample in series["points"]:
            cells[number(x), series["name"]] = str(Sample(**sample))
            xs.append(number(x))
    for name, points in panel["reported"]:
        for x, y in points:
            cells[number(x), name + " (paper)"] = f"{y:.4g}"
            xs.append(number(x))
    names = [series["name"] for series in panel["series"]] + [name + " (paper)" for name, _ in panel["reported"]]
    xs = list(dict.fromkeys(xs))
    rows = [[panel["x"], *names]] + [[x, *(cells.get((x, name), "") for name in names)] for x in xs]
    return f"{panel['title']}; {panel['y']}:\n\n{grid(rows)}"


def wrap(text):
    return textwrap.fill(" ".join(text.split()), 120, break_long_words=False, break_on_hyphens=False)


def section(experiment, kept):
    lines = [f"## {experiment.title}", "", wrap(f"**{experiment.source}.** {experiment.claim}"), "",
             wrap(f"*Setting.* {experiment.setting}"), ""]
    if kept is None:
        return "\n".join([*lines, f"**Verdict: {NOT_RUN}.**", ""])
    result = kept["result"]
    lines += [wrap(f"**Verdict: {result['verdict']}.** {result['why']}"), ""]
    if result["table"]:
        lines += [grid(result["table"]), ""]
    else:
        for panel in result["panels"]:
            lines += [panel_table(panel), ""]
    return "\n".join(lines)


def write(path, experiments, out):
    kept = {}
    for experiment in experiments:
        try:
            kept[experiment.name] = json.loads((out / f"{experiment.name}.json").read_text())
        except FileNotFoundError:
            kept[experiment.name] = None
    verdicts = [["experiment", "source", "verdict"]]
    for experiment in experiments:
        result = kept[experiment.name]
        verdicts.append([experiment.title, experiment.source, result["result"]["verdict"] if result else NOT_RUN])
    scales = sorted({result["scale"] for result in kept.values() if result})
    commits = sorted({result["commit"] for result in kept.values() if result})
    seconds = sum(result["seconds"] for result in kept.values() if result)
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    about = [f"- machine: {platform.system()} {platform.release()}, {os.cpu_count()} processors, {memory:.0f} GiB",
             f"- commit: {', '.join(commits)}; scale: {', '.join(map(number, scales))}; {seconds / 60:.0f} minutes"]
    parts = [HEAD, "\n".join(about) + "\n", grid(verdicts) + "\n"]
    parts += [section(experiment, kept[experiment.name]) for experiment in experiments]
    with open(path, "w", encoding="utf-8") as page:
        page.write("\n".join(parts).rstrip("\n") + "\n")
