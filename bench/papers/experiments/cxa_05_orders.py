"""[CXA] 5: orders of cells and chunks.

SPDX-License-Identifier: Apache-2.0
"""
import re

import growing
from experiment import FAILS, HOLDS, OURS, PARTLY, Experiment, Panel, Result, Series, series_of, verdict_of

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
    why = (f"The tree is faster than Butz's algorithm in {faster} of {total} cases; with a node for each part its "
           "memory grows with the number of cells, with shared subtrees it does not.")
    return Result(verdict, why, panels)


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
    why = (f"Times as long as in row-major chunks: {', '.join(texts)}; with 3 axes the disadvantage is larger than "
           f"with 2 in {more} of {len(both)} comparisons of Butz's algorithm and the tree (asked for: longer "
           "everywhere, and larger in all).")
    return Result(verdict, why, panels)


def neighbours(context):
    """Distances along the curve between cells that share a face, and clusters of boxes."""
    rows = context.bench([context.program("bench_neighbours")], repetitions=1)
    mean, few = "mean distance of neighbours", "clusters of a box of side 2"
    figures = {}  # {metric: {order: {cube: Sample}}}
    for (case, metric), sides in rows.items():
        cube, order = case.split("; ")
        found = figures.setdefault(metric, {"row-major": {}})
        found.setdefault(order, {})[cube] = sides[OURS]
        found["row-major"][cube] = sides["row-major"]
    panels = [Panel(metric, "cube", "clusters" if metric == few else "cells",
                    [Series(order, list(found.items())) for order, found in figures[metric].items()], log_y=True)
              for metric in (mean, "largest distance of neighbours", few)]

    def wins(metric):
        found = figures[metric]
        return [all(found["Hilbert"][cube].median < found[order][cube].median for order in ("row-major", "Morton"))
                for cube in found["Hilbert"]]

    stretch, clusters = wins(mean), wins(few)
    texts = [f"{order} {', '.join(f'{sample.median:.4g}' for sample in figures[mean][order].values())}"
             for order in ("row-major", "Morton", "Hilbert")]
    why = (f"For {', '.join(figures[mean]['Hilbert'])}, the mean distance of neighbours is {'; '.join(texts)}: Hilbert "
           f"order has the least in {sum(stretch)} of {len(stretch)}. What it does have is the fewest clusters of "
           f"boxes of side 2, in {sum(clusters)} of {len(clusters)}; the two measures do not agree.")
    return Result(verdict_of(stretch), why, panels)


def chunk_shapes(context):
    """Chunks touched as Eq. 5.2.1 and 5.2.2 predict them, counted, and timed."""
    side = max(40, round(96 * context.scale ** (1 / 3)))
    with growing.memory_folder() as env:
        rows = context.rows([context.program("bench_chunk_shape"), side], repetitions=1, env=env)
    cases = list(dict.fromkeys(case for case, _ in rows if case != "5.1"))
    least, mean, exact, counted, spent = "Eq. 5.2.1", "Eq. 5.2.2", "mean over all places", "counted", "time"
    value = {(case, name): rows[case, name].median for case in cases for name in (least, mean, exact, counted, spent)}

    def error(name):
        return [abs(value[case, name] / value[case, counted] - 1) for case in cases]

    order = sorted(cases, key=lambda case: value[case, counted])
    concordant = pairs = 0
    for k, one in enumerate(order):
        for other in order[k + 1:]:
            if value[other, counted] >= 1.1 * value[one, counted]:
                pairs += 1
                concordant += value[other, spent] > value[one, spent]
    best = min(cases, key=lambda case: value[case, mean])
    fewest, quickest = order[0], min(cases, key=lambda case: value[case, spent])
    example = [rows["5.1", name].median for name in ("row-major", "column-major", "chunk 1x5x4")]
    conditions = [max(error(mean)) <= 0.25, value[best, counted] <= 1.1 * value[fewest, counted],
                  concordant >= 0.9 * pairs, example == [60, 60, 20]]
    panels = [Panel("Chunks that a query "
                    "touches", "shape", "chunks", series_of(rows, (least, mean, exact, counted), order),
                    log_y=True),
              Panel("Time of a query", "shape", "us", series_of(rows, (spent,), order), log_y=True)]
    why = (f"Eq. 5.2.2 is off by at most {100 * max(error(mean)):.0f} % of what is counted, Eq. 5.2.1 by "
           f"{100 * max(error(least)):.0f} %, the mean over all places by {100 * max(error(exact)):.1f} %. The shape "
           f"with the least cost by Eq. 5.2.2 is {best}, that with the fewest chunks {fewest}, the quickest "
           f"{quickest}; of two shapes whose counts are 10 % apart the one with fewer takes less time in {concordant} "
           f"of {pairs} cases. The example of 5.1 reads {example[0]:.0f} cells by rows, {example[1]:.0f} by columns "
           f"(60 is printed) and {example[2]:.0f} by its chunk. (Asked for: 25 %; the best shape within 10 % of the "
           "fewest; 90 % of the pairs; 60, 60, 20.)")
    return Result(verdict_of(conditions), why, panels)


EXPERIMENTS = [
    Experiment(
        "hilbert", "[CXA] 5.4, Algorithm 7", "Ways of computing the Hilbert curve",
        "The tree representation is said to give positions without the iterations of Butz's algorithm.",
        "Random cells of grids of side 2^order. All ways give the same curve. Ours is the compact form that the "
        "library uses; processor time.",
        curves),
    Experiment(
        "chunk-orders", "[CXA] 5.4.2, Fig. 5.4.2", "Hilbert and row-major order inside chunks",
        "For normal random accesses, interleaved with extensions, row-major order outperforms the Hilbert curve, "
        "particularly with more axes, because of the tree (5.4.1), or of bit calculations and tables in Butz's "
        "algorithm.",
        "The paper: extendible arrays in 2-d and 3-d, extensions and accesses interleaved at random. Ours: 10^6 "
        "doubles at scale 1 in memory, chunks of 32 a side, 100,000 random reads, checked; arrays allocated at once, "
        "and extended by a chunk on an axis at random with the reads between. F* by XTA's mapping for all; positions "
        "by Butz's algorithm bit by bit and by Algorithm 7 (with shared subtrees) as in the paper, and by XTA's "
        "compact form; in a second panel XTA's arrays by their public call. Processor time without the "
        "growths. " + growing.MACHINE,
        inside_chunks),
    Experiment(
        "neighbours", "[CXA] 5.4.2, 10.2", "Which order keeps neighbours nearest",
        "Hilbert order performs better than row-major and z-order by the average nearest neighbour stretch (the thesis "
        "reports this from its reference 42).",
        "Counted, not timed: cubes of 2 to 4 axes, all pairs of cells that share a face; the mean and the largest "
        "distance of their positions, and clusters (runs of positions) of boxes at all places or 2000 random ones. "
        "Column-major order, and the shells of [DRX] Fig. 2c, beside those of the paper.",
        neighbours),
    Experiment(
        "chunk-shapes", "[CXA] 5.1, 5.2, Eq. 5.2.1, 5.2.2", "Chunk shapes: predicted and counted cost",
        "The optimal shape minimises the expected number of chunks of a query; Eq. 5.2.1 gives it on average, Eq. "
        "5.2.2 exactly. In the example of 5.1 a query of 20 elements retrieves 60 by rows, 60 by columns, and 20 by "
        "its chunk.",
        "The paper: formulas and an example, no measurement. Ours: 96^3 doubles at scale 1 in a file (on an in-memory "
        "file system if there is one), ten shapes of 4096 cells; queries of 1 x 3 x 40 (half of them), 2 x 24 x 24 and "
        "12^3 (a quarter each), 1000 at random places; a chunk cache of two chunks, so each chunk costs one read call; "
        "processor time; what is read is checked. The mean over all places of the bounds is `xta_tune_cost`.",
        chunk_shapes),
]
