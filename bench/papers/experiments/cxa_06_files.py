"""[CXA] 6.4: chunked extendible arrays, in memory and in files.

SPDX-License-Identifier: Apache-2.0
"""
import growing
from experiment import Experiment, Panel, Result
from experiments.cxa_03_memory import CONVENTIONAL, INTERLEAVED_SETTING, XTA, access_result, memory_result, verdict_of

AXIAL, HDF5 = "axial vectors", "HDF5"


def static(context):
    return access_result(context, {CONVENTIONAL: CONVENTIONAL, "chunks by O2-trees": "chunks (O2-trees)",
                                   "XTA's array": "chunks (XTA)"}, "chunks by O2-trees", context.scaled(10_000_000))


def interleaved(context):
    result = memory_result(context, XTA, "XTA (chunks)")
    large = {k: growing.interleaved(context, "memory", "large", k) for k in growing.AXES}
    unchunked = growing.ratios(large, XTA, AXIAL, ("extend", "read"))
    better = all(ratio > 1 for ratio in unchunked.values())
    result.verdict = verdict_of([result.verdict == "holds", better])
    result.why += (f" Against the array without chunks of 3.5.2 the same takes {growing.listed(unchunked)} times as long as "
                   f"with chunks (asked for: more than 1 each).")
    result.panels[0].series += growing.totals(large, (AXIAL,), ("extend", "read"), {AXIAL: "axial vectors, no chunks"})
    return result


def on_disk(context):
    stages = ("extend", "write", "read")
    sides = (CONVENTIONAL, AXIAL, HDF5, XTA)
    labels = {AXIAL: "axial vectors, no chunks"}
    large = {k: growing.interleaved(context, "disk", "large", k) for k in growing.AXES}
    single = {k: growing.interleaved(context, "disk", "single", k) for k in growing.AXES}
    panels = [Panel("The paper's growths (15, 7, 4)", "axes k", "s", growing.totals(large, sides, stages, labels),
                    log_y=True),
              Panel("100 growths by one index", "axes k", "s", growing.totals(single, sides, stages, labels), log_y=True),
              Panel("Only the 1000 reads, the paper's growths", "axes k", "s",
                    growing.totals(large, sides, ("read",), labels), log_y=True),
              Panel("Only extending, the paper's growths", "axes k", "s",
                    growing.totals(large, sides, ("extend",), labels), log_y=True)]
    conditions, texts = [], []
    for side in (CONVENTIONAL, HDF5, AXIAL):
        ratios = {history: growing.ratios(rows, XTA, side, stages) for history, rows in (("l", large), ("s", single))}
        conditions.append(min(min(found.values()) for found in ratios.values()) > 1)
        texts.append(f"{labels.get(side, side)} {growing.listed(ratios['l'])} and {growing.listed(ratios['s'])}")
    read = growing.ratios(large, XTA, HDF5, ("read",))
    thin = {k: rows[XTA, "write"].median / growing.total(rows, XTA, stages).median for k, rows in single.items()}
    return Result(verdict_of(conditions), "Times as long as XTA for all of the work, in parentheses k, first with the paper's "
                  f"growths, then by one index: {'; '.join(texts)} (asked for: more than 1 everywhere, for each of the three). "
                  f"HDF5 takes {growing.listed(read)} times for the reads alone; it reorganises nothing, as docs/ERRATA.md 13.2 "
                  f"has it. By one index {100 * min(thin.values()):.0f} to {100 * max(thin.values()):.0f} % of XTA's time goes into "
                  "storing thin slabs in many chunks; the array without chunks appends a slab by one call.", panels)


EXPERIMENTS = [
    Experiment(
        "chunked-static", "[CXA] 6.4.1, Fig. 6.4.1", "Random access without extensions, in memory, with chunks",
        "The access function of the chunked array varies significantly with the number of axes, because the records are "
        "found by O2-trees; the conventional array performs better.",
        "The paper: 10^9 elements (bounds 31622, 1000, 177, 63, 31, 19), chunks of 32. Ours: 10^7 cells at scale 1, k = 2 to "
        "7, chunks of at most 32 a side: the longest power of two with three chunks on each axis and at most twice the cells; "
        "200,000 random reads whose sum is checked, processor time. Chunks by O2-trees as in the paper; XTA finds them by "
        "direct tables, and its public call checks the bounds. " + growing.MACHINE,
        static),
    Experiment(
        "chunked-interleaved", "[CXA] 6.4.1, Fig. 6.4.2", "Random access between growths, in memory, with chunks",
        "With interleaved extensions the chunked array performs considerably better than the conventional one, and better "
        "than the array without chunks of Fig. 3.5.2.",
        INTERLEAVED_SETTING + "XTA: a memory array with chunks of 32 a side (4 axes: 16), by its public calls. "
        + growing.MACHINE,
        interleaved),
    Experiment(
        "disk-interleaved", "[CXA] 6.4.1, Fig. 6.4.3", "Random access between growths, in files",
        "For k = 2, 3, 4, while files grow from 3 x 10^6 to 1.2 x 10^9 elements, the total cost of the chunked array is "
        "significantly less than that of the conventional array, of HDF5, and even of extendible arrays without chunks.",
        INTERLEAVED_SETTING + "In files, new cells are stored, and all of the work counts; everything is in the page cache, "
        "and nothing is synced within the time. The conventional file is rewritten in one sequential pass with the new cells "
        "in it (several MiB a call) unless its first axis grows. The array without chunks appends a segment by one call and "
        "reads a cell by pread, as the conventional one does. HDF5: all axes unlimited, latest format, chunk cache 64 MiB with "
        "a prime number of slots, the chunks of XTA, data spaces kept. XTA: defaults (mapped), chunks of 32 a side (4 axes: "
        "16). " + growing.MACHINE,
        on_disk),
]
