"""[CXA] 3.5: extendible arrays in memory, without chunks.

SPDX-License-Identifier: Apache-2.0
"""
import growing
from experiment import Experiment, Panel, Result, Series, verdict_of

CONVENTIONAL, AXIAL, XTA = "conventional", "axial vectors", "XTA"


def access_result(context, sides, ours, cells):
    """The figure of one access over k, and in a second panel the same for arrays in the processor's cache."""
    panels = []
    found = {}
    for n in (cells, growing.IN_CACHE):
        rows = found[n] = growing.static(context, n)
        ks = sorted({k for k, _ in rows})
        series = [Series(name, [(k, rows[k, side]) for k in ks]) for side, name in sides.items()]
        where = "in the processor's cache" if n == growing.IN_CACHE else "in memory"
        panels.append(Panel(f"One random access, {n:.3g} cells, {where}", "axes k", "ns", series))
    rows, small = found[cells], found[growing.IN_CACHE]
    slower = {k: rows[k, ours].median / rows[k, CONVENTIONAL].median for k, _ in rows}
    rise = {side: rows[7, side].median / rows[2, side].median for side in (ours, CONVENTIONAL)}
    cached = {k: small[k, ours].median / small[k, CONVENTIONAL].median for k, _ in small}
    verdict = verdict_of([min(slower.values()) > 1, rise[ours] >= 1.5])
    why = (f"The extendible array takes {growing.listed(slower)} times as long as the conventional one (in "
           f"parentheses: k), and from k = 2 to 7 its cost rises to {rise[ours]:.2g} times, that of the conventional "
           f"array to {rise[CONVENTIONAL]:.2g} times (asked for: slower for every k, and 1.5 times or more). In the "
           f"processor's cache it takes {min(cached.values()):.2g} to {max(cached.values()):.2g} times as long: "
           + ("there the memory plays no part, so that much is the cost of finding the records."
              if min(cached.values()) > 1.1 else "the rest comes from memory."))
    return Result(verdict, why, panels)


def static(context):
    return access_result(context, {CONVENTIONAL: CONVENTIONAL, AXIAL: "extendible (axial vectors)",
                                   "XTA's mapping": "extendible (XTA's tables)"}, AXIAL, context.scaled(10_000_000))


def crossover(histories, ours):
    """After how many reads the cheaper access of the conventional array has paid for what it reorganised; text."""
    most = max(histories)
    rows = histories[most]
    saved = (rows[ours, "read"].median - rows[CONVENTIONAL, "read"].median) / most
    cost = rows[CONVENTIONAL, "extend"].median - rows[ours, "extend"].median
    if saved <= 0:
        return "its reads are not cheaper either, so no number of reads makes up for that"
    paid = growing.number(cost / saved)
    return f"its reads are {1e9 * saved:.0f} ns cheaper, so after some {paid} reads it would be ahead"


def memory_result(context, ours, label):
    """[CXA] Fig. 3.5.2 and 6.4.2: extension and 1000 random reads; new cells are stored outside that time."""
    sides, labels = (CONVENTIONAL, ours), {ours: label}
    stages = ("extend", "read")
    large = {k: growing.interleaved(context, "memory", "large", k) for k in growing.AXES}
    single = {k: growing.interleaved(context, "memory", "single", k) for k in growing.AXES}
    reads = {n: growing.interleaved(context, "memory", "large", 3, reads=n) for n in (1000, 100_000, 1_000_000)}
    panels = [Panel("The paper's growths (15, 7, 4)", "axes k", "s", growing.totals(large, sides, stages, labels),
                    log_y=True),
              Panel("100 growths by one index", "axes k", "s", growing.totals(single, sides, stages, labels),
                    log_y=True),
              Panel("More reads, 3 axes", "random reads in all", "s", growing.totals(reads, sides, stages, labels),
                    log_x=True, log_y=True),
              Panel("New cells stored as well", "axes k", "s",
                    growing.totals(large, sides, ("extend", "write", "read"), labels))]
    few = growing.ratios(large, ours, CONVENTIONAL, stages)
    many = growing.ratios(single, ours, CONVENTIONAL, stages)
    stored = growing.ratios(large, ours, CONVENTIONAL, ("extend", "write", "read"))
    verdict = verdict_of([ratio >= 2 for ratio in (*few.values(), *many.values())])
    why = (f"The conventional array takes {growing.listed(few)} times as long with the paper's growths (in "
           f"parentheses: k) and {growing.listed(many)} times with growths by one index (asked for: 2 or more each). "
           f"With 3 axes {crossover(reads, ours)}. Where the time to store the new cells counts too, the paper's "
           f"growths leave {growing.listed(stored)} times.")
    return Result(verdict, why, panels)


def interleaved(context):
    return memory_result(context, AXIAL, "extendible (axial vectors)")


INTERLEAVED_SETTING = (
    "The paper: k = 2, 3, 4, from 1976, 142 and 44 a side with 15, 7 and 4 arbitrary extensions to 1.2 x 10^9 "
    "elements, 1000 random accesses for each k. Ours: the same numbers of growths on axes in random order, by a factor "
    "that multiplies the cells 400 times as there, to 10^7 cells at scale 1; 1000 random reads, spread over the "
    "history, their sum checked. The conventional array is row-major, grows in place (realloc) where only its first "
    "axis grows, and is copied in the longest possible runs otherwise. Also 100 growths by one index on axes chosen at "
    "random, from half the cells on; and more reads. ")

EXPERIMENTS = [
    Experiment(
        "memory-static", "[CXA] 3.5.1, Fig. 3.5.1", "Random access without extensions, in memory",
        "The access cost of the extendible array varies significantly with the number of axes, because of k binary "
        "searches on the axial vectors; the conventional array performs better even when there are no expansions.",
        "The paper: 10^9 elements, k = 2 to 7, 1000 random accesses. Ours: 10^7 cells at scale 1, k = 2 to 7, 200,000 "
        "random reads whose sum is checked, processor time; the axial vectors as in the paper, and the direct tables "
        "of XTA. The loop of the conventional array is unrolled for each k. " + growing.MACHINE,
        static),
    Experiment(
        "memory-interleaved", "[CXA] 3.5.2, Fig. 3.5.2", "Random access between growths, in memory",
        "With interleaved extensions the extendible array performs considerably better than the conventional one, "
        "which is reorganised each time an arbitrary dimension is extended.",
        INTERLEAVED_SETTING + "Processor time. The extendible array has no chunks: each growth is a segment of memory "
                              "of its own, found by binary search on axial vectors. " + growing.MACHINE,
        interleaved),
]
