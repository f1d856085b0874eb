"""[CXA] 5: orders of cells and chunks.

SPDX-License-Identifier: Apache-2.0
"""
import re

import growing
from experiment import FAILS, HOLDS, OURS, PARTLY, Experiment, Panel, Result, Series, series_of

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


def inside_chunks(context):
    """Random access in row-major and in Hilbert chunks, extended or not."""
    rows = context.rows([context.program("bench_chunk_order"), context.scaled(1_000_000), min(context.repetitions, 3)],
                        repetitions=1)
    cases = list(dict.fromkeys(case for case, _ in rows))
    own = ("row-major", "Morton", "Hilbert (Butz)", "Hilbert (tree)", "Hilbert (compact)")
    library = ("XTA row-major", "XTA Morton", "XTA Hilbert")
    panels = [Panel("F* and the position in the chunk", "array", "ns", series_of(rows, own, cases)),
              Panel("XTA's public call", "array", "ns", series_of(rows, library, cases))]
    slower = {name: {case: rows[case, name].median / rows[case, row].median for case in cases}
              for row, names in (("row-major", own[2:]), ("XTA row-major", library[2:])) for name in names}
    dearer = all(ratio > 1 for found in slower.values() for ratio in found.values())
    both = [(slower[name][f"2 axes; {how}"], slower[name][f"3 axes; {how}"]) for name in own[2:4]
            for how in ("extended", "not extended")]
    more = sum(three > two for two, three in both)
    verdict = HOLDS if dearer and more == len(both) else PARTLY if dearer or more else FAILS
    texts = [f"{name} {growing.number(min(found.values()))} to {growing.number(max(found.values()))}"
             for name, found in slower.items()]
    return Result(verdict, "Times as long as in row-major chunks: " + ", ".join(texts) + "; with 3 axes the disadvantage is "
                  f"larger than with 2 in {more} of {len(both)} comparisons of Butz's algorithm and the tree (asked for: longer "
                  "everywhere, and larger in all).", panels)


def neighbours(context):
    """Distances along the curve between cells that share a face, and clusters of boxes."""
    rows = context.bench([context.program("bench_neighbours")], repetitions=1)
    panels, best, wins, total = [], {}, 0, 0
    metrics = list(dict.fromkeys(metric for _, metric in rows if not metric.startswith("clusters")))
    metrics.append("clusters of a box of side 2")
    axes = {case.split(";")[0]: None for case, _ in rows}
    for metric in metrics:
        found = {}  # {order: {axes: Sample}}
        for case, sides in ((case, sides) for (case, name), sides in rows.items() if name == metric):
            cube, order = case.split("; ")
            found.setdefault(order, {})[cube] = sides[OURS]
            found.setdefault("row-major", {})[cube] = sides["row-major"]
        panels.append(Panel(metric, "cube", "clusters" if metric.startswith("clusters") else "cells",
                            [Series(order, list(of_order.items())) for order, of_order in found.items()], log_y=True))
        for cube in axes:
            total += 1
            figures = {order: of_order[cube].median for order, of_order in found.items()}
            least = min(figures.values())
            best.setdefault(metric, []).append(" and ".join(order for order, value in figures.items() if value == least))
            wins += figures["Hilbert"] == least
    texts = [f"{metric}: {', '.join(orders)}" for metric, orders in best.items()]
    verdict = HOLDS if wins == total else PARTLY if wins else FAILS
    return Result(verdict, f"Hilbert order has the least figure, or shares it, in {wins} of {total}. Which orders have it, for "
                  f"{', '.join(axes)}: {'; '.join(texts)}.", panels)


EXPERIMENTS = [
    Experiment(
        "hilbert", "[CXA] 5.4, Algorithm 7", "Ways of computing the Hilbert curve",
        "The tree representation is said to give positions without the iterations of Butz's algorithm.",
        "Random cells of grids of side 2^order. All ways give the same curve. Ours is the compact form that the library "
        "uses; processor time.",
        curves),
    Experiment(
        "chunk-orders", "[CXA] 5.4.2, Fig. 5.4.2", "Hilbert and row-major order inside chunks",
        "For normal random accesses, interleaved with extensions, row-major order outperforms the Hilbert curve, particularly "
        "with more axes, because of the tree (5.4.1), or of bit calculations and tables in Butz's algorithm.",
        "The paper: extendible arrays in 2-d and 3-d, extensions and accesses interleaved at random. Ours: 10^6 doubles at "
        "scale 1 in memory, chunks of 32 a side, 100,000 random reads, checked; arrays allocated at once, and extended by a "
        "chunk on an axis at random with the reads between. F* by XTA's mapping for all; positions by Butz's algorithm bit by "
        "bit and by Algorithm 7 (with shared subtrees) as in the paper, and by XTA's compact form; in a second panel XTA's "
        "arrays by their public call. Processor time without the growths. " + growing.MACHINE,
        inside_chunks),
    Experiment(
        "neighbours", "[CXA] 5.4.2, 10.2", "Which order keeps neighbours nearest",
        "Hilbert order performs better than row-major and z-order by the average nearest neighbour stretch (the thesis "
        "reports this from its reference 42).",
        "Counted, not timed: cubes of 2 to 4 axes, all pairs of cells that share a face; the mean and the largest distance of "
        "their positions, and clusters (runs of positions) of boxes at all places or 2000 random ones. Column-major order, "
        "and the shells of [DRX] Fig. 2c, beside those of the paper.",
        neighbours),
]
