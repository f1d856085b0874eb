#!/usr/bin/env python3
"""The table of rechunk/bench/run.sh.

usage: report.py RESULTS.jsonl TABLE.md    print the table, and write it as Markdown

Each contender has the median of its rounds; times are those until the output is on the disk, and the
ratio is to `cp` of the same bytes.

SPDX-License-Identifier: Apache-2.0
"""
import json
import pathlib
import statistics
import sys

TITLES = {"cubes": "{a}^3 -> {b}^3", "pencils": "1 x {n} x {n} -> {n} x {c} x {d}"}
# Targets: upper limits of the ratio of the default, by case.
TARGETS = {"cubes": 2.0, "pencils": 3.0}
HEAD = ["contender", "seconds", "x cp", "exit s", "memory MiB", "resident MiB", "reads", "writes", "outcome"]


def mebi(values):
    values = [value for value in values if value is not None]
    return f"{max(values) / 2 ** 20:,.0f}" if values else "?"


class Contender:
    """All that is known of one contender in one case."""

    def __init__(self):
        self.answers = []
        self.operations = None
        self.cold = True

    def median(self, name):
        good = [answer[name] for answer in self.answers if answer["outcome"] == "ok"]
        return statistics.median(good) if good else None

    def row(self, name, floor):
        outcome = self.answers[-1]["outcome"]
        synced, seconds = self.median("synced"), self.median("seconds")
        counts = self.operations or {}
        return [name,
                f"{synced:.2f}" if synced else "-",
                f"{synced / floor:.2f}" if synced and floor else "-",
                f"{seconds:.2f}" if seconds else "-",
                mebi([answer["anon_bytes"] for answer in self.answers]),
                mebi([answer["rss_bytes"] for answer in self.answers]),
                f"{counts['reads']:,}" if counts else "-",
                f"{counts['writes']:,}" if counts else "-",
                outcome + ("" if self.cold else ", warm")]


def table(rows):
    widths = [max(len(row[i]) for row in [HEAD, *rows]) for i in range(len(HEAD))]
    lines = [" | ".join(cell.ljust(width) for cell, width in zip(row, widths))
             for row in [HEAD, ["-" * width for width in widths], *rows]]
    return [f"| {line} |" for line in lines]


def read(path):
    about, cases = {}, {}
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        fact = json.loads(line)
        if "about" in fact:
            about = fact["about"]
            continue
        contender = cases.setdefault(fact["case"], {}).setdefault(fact["name"], Contender())
        if "operations" in fact:
            contender.operations = fact["operations"]
        else:
            contender.answers.append(fact["answer"])
            contender.cold = bool(fact["cold"])
    return about, cases


def verdicts(case, contenders, floor):
    """The default against its target and against all contenders that finished."""
    lines = []
    for name in ("XTA sweep, one file", "XTA sweep, block files"):
        ours = contenders.get(name)
        ours = ours.median("synced") if ours else None
        if ours is None or not floor:
            continue
        faster = [peer for peer, contender in contenders.items()
                  if not peer.startswith("XTA") and peer != "cp" and contender.median("synced")
                  and contender.median("synced") <= ours]
        met = "met" if ours / floor <= TARGETS[case] else "missed"
        lines.append(f"- {name}: {ours / floor:.2f} times cp (at most {TARGETS[case]:g}: {met}); "
                     f"faster than it: {', '.join(faster) if faster else 'nobody'}")
    return lines


def main(words):
    if len(words) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    about, cases = read(words[0])
    n = about["n"]
    limits = {answer["limit_bytes"] for contenders in cases.values()
              for contender in contenders.values() for answer in contender.answers}
    lines = [f"- machine: {about['machine']}", f"- commit: {about['commit']}",
             f"- {n}^3 cells of u16, {n ** 3 * 2 / 2 ** 30:.2f} GiB; limit of the group "
             + (f"{about['limit_bytes'] >> 20} MiB" if limits != {None} else "NONE")
             + f", of XTA {about['memory_bytes'] >> 20} MiB",
             f"- median of {about['rounds']} rounds, one where a round takes a minute; seconds: until all "
             "is on the disk; memory: without page cache", ""]
    for case, contenders in cases.items():
        floor = contenders["cp"].median("synced") if "cp" in contenders else None
        lines += ["## " + TITLES[case].format(n=n, a=n // 10, b=n // 7, c=n // 35, d=n // 30), ""]
        lines += table([contender.row(name, floor) for name, contender in contenders.items()
                        if contender.answers])
        lines += ["", *verdicts(case, contenders, floor), ""]
    text = "\n".join(lines)
    print(text)
    pathlib.Path(words[1]).write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
