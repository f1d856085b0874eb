"""[CXA] 5: orders of cells and chunks.

SPDX-License-Identifier: Apache-2.0
"""
import re

from experiment import FAILS, HOLDS, OURS, PARTLY, Experiment, Panel, Result, Series

SHARED, WHOLE, BUTZ = "tree with shared subtrees", "tree with a node for each part", "Butz bit by bit"


def curves(context):
    """Time of one position by each way of computing it, and the memory of the trees."""
    rows = context.bench([context.program("bench_hilbert")])
    names = {OURS: "compact form", BUTZ: BUTZ, SHARED: SHARED, WHOLE: WHOLE}
    panels = []
    faster = total = 0
    for axes in (2, 3):
        cases = [case for case, metric in rows if metric == "position of a cell" and case.startswith(f"{axes} axes")]
        series = [Series(name, [(int(re.search(r"order (\d+)", case)[1]), rows[case, "position of a cell"][side])
                                for case in cases if side in rows[case, "position of a cell"]])
                  for side, name in names.items()]
        panels.append(Panel(f"Position of a cell, {axes} axes", "order of the curve", "ns", series, log_y=True))
        for case in cases:
            sides = rows[case, "position of a cell"]
            total += 1
            faster += SHARED in sides and sides[SHARED].median < sides[BUTZ].median
    verdict = HOLDS if faster == total else PARTLY if faster else FAILS
    return Result(verdict, f"The tree is faster than Butz's algorithm in {faster} of {total} cases; with a node for each "
                  "part its memory grows with the number of cells, with shared subtrees it does not.", panels)


EXPERIMENTS = [
    Experiment(
        "hilbert", "[CXA] 5.4, Algorithm 7", "Ways of computing the Hilbert curve",
        "The tree representation is said to give positions without the iterations of Butz's algorithm.",
        "Random cells of grids of side 2^order. All ways give the same curve. Ours is the compact form that the library "
        "uses; processor time.",
        curves),
]
