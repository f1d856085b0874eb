#!/usr/bin/python3
"""Tables of ratios from the measurements of the hyperspectral bench.

    report.py RESULTS.csv OUT.md     RESULTS has the lines scene,what,step,who,seconds (several of each: the best counts)

SPDX-License-Identifier: Apache-2.0
"""
import csv
import sys
from collections import defaultdict

NAMES = {
    "moments": "moments",
    "pct": "moments and PCT",
    "ppi": "PPI, 1000 skewers",
    "nfindr": "N-FINDR, all bands",
    "fcls": "FCLS",
    "labels": "labels by angle",
    "amee": "AMEE 3 x 3, one pass",
    "amee3": "AMEE 3 x 3, I = 3",
}
PEERS = {"spectral": "Spectral Python", "numpy": "NumPy/SciPy"}
# Minimum ratios of peer to XTA, on one thread and the large scene.
WANTED = {("ppi", "spectral"): 8, ("pct", "spectral"): 1, ("nfindr", "numpy"): 3, ("fcls", "numpy"): 3}
APPENDS_WANTED = ("moments", "ppi", "amee", "labels")


def read(path):
    best = defaultdict(lambda: float("inf"))
    notes = []
    with open(path, encoding="utf-8") as lines:
        for row in csv.reader(lines):
            if row and row[0] == "#":
                notes.append(",".join(row[1:]))
            elif row:
                key = tuple(row[:4])
                best[key] = min(best[key], float(row[4]))
    return best, notes


def verdict(good, count):
    count[0] += bool(good)
    count[1] += 1
    return "yes" if good else "**no**"


def peers_table(best, scene, count):
    yield f"\n### {scene}: against the peers, one thread\n"
    yield "| step | XTA, s | peer | peer, s | ratio | wanted | met |"
    yield "|---|---|---|---|---|---|---|"
    for step, name in NAMES.items():
        for peer, title in PEERS.items():
            ours, theirs = best.get((scene, "1", step, "xta")), best.get((scene, "1", step, peer))
            if ours is None or theirs is None:
                continue
            least = WANTED.get((step, peer)) if scene == "salinas" else None
            met = verdict(theirs / ours >= least, count) if least else ""
            yield f"| {name} | {ours:.4f} | {title} | {theirs:.4f} | {theirs / ours:.1f} | {least or ''} | {met} |"


def threads_table(best, scene, count):
    yield f"\n### {scene}: two threads against one\n"
    yield "| step | one, s | two, s | ratio | wanted | met |"
    yield "|---|---|---|---|---|---|"
    for step, name in NAMES.items():
        one, two = best.get((scene, "1", step, "xta")), best.get((scene, "2", step, "xta"))
        if one is None or two is None:
            continue
        wanted = "1.7" if scene == "salinas" else ""
        met = verdict(one / two >= 1.7, count) if wanted else ""
        yield f"| {name} | {one:.4f} | {two:.4f} | {one / two:.2f} | {wanted} | {met} |"


def append_table(best, scene, count):
    yield f"\n### {scene}: the last tenth of the lines appended, against a full run\n"
    yield "| step | full, s | append, s | ratio | wanted at most | met |"
    yield "|---|---|---|---|---|---|"
    for step, name in NAMES.items():
        full = best.get((scene, "1", f"append-{step}", "full"))
        append = best.get((scene, "1", f"append-{step}", "append"))
        if full is None or append is None:
            continue
        wanted = "0.2" if step in APPENDS_WANTED and scene == "salinas" else ""
        met = verdict(append / full <= 0.2, count) if wanted else ""
        yield f"| {name} | {full:.4f} | {append:.4f} | {append / full:.3f} | {wanted} | {met} |"


def ranks_table(best, scene):
    yield f"\n### {scene}: processes (whole commands, start of MPI and reading included)\n"
    yield "| command | 1, s | 2, s | 4, s |"
    yield "|---|---|---|---|"
    steps = sorted({key[2] for key in best if key[0] == scene and key[1].startswith("ranks")})
    for step in steps:
        cells = [best.get((scene, f"ranks{n}", step, "xta")) for n in (1, 2, 4)]
        yield f"| {step} | " + " | ".join("" if c is None else f"{c:.3f}" for c in cells) + " |"


def main():
    best, notes = read(sys.argv[1])
    count = [0, 0]
    lines = ["## Hyperspectral analysis", ""] + notes
    for scene in dict.fromkeys(key[0] for key in best):
        lines += peers_table(best, scene, count)
        lines += threads_table(best, scene, count)
        lines += append_table(best, scene, count)
        if any(key[0] == scene and key[1].startswith("ranks") for key in best):
            lines += ranks_table(best, scene)
    lines += ["", f"{count[0]} of {count[1]} targets met."]
    text = "\n".join(lines) + "\n"
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        out.write(text)
    print(text)


if __name__ == "__main__":
    main()
