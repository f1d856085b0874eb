"""[CXA] 6.4: chunked extendible arrays, in memory and in files.

SPDX-License-Identifier: Apache-2.0
"""
import growing
from experiment import Experiment, Panel, Result, Sample, Series, verdict_of
from experiments.cxa_03_memory import CONVENTIONAL, INTERLEAVED_SETTING, XTA, access_result, memory_result

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
    result.why += (f" Against the array without chunks of 3.5.2 the same takes {growing.listed(unchunked)} times as "
                   "long as with chunks (asked for: more than 1 each).")
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
              Panel("100 growths by one index", "axes k", "s", growing.totals(single, sides, stages, labels),
                    log_y=True),
              Panel("Only the 1000 reads, the paper's growths", "axes k", "s",
                    growing.totals(large, sides, ("read",), labels), log_y=True),
              Panel("Only extending, the paper's growths", "axes k", "s",
                    growing.totals(large, sides, ("extend",), labels), log_y=True)]
    conditions, texts = [], []
    for side in (CONVENTIONAL, HDF5, AXIAL):
        ratios = {history: growing.ratios(rows, XTA, side, stages) for history, rows in (("l", large), ("s", single))}
        conditions += [min(found.values()) > 1 for found in ratios.values()]
        texts.append(f"{labels.get(side, side)} {growing.listed(ratios['l'])} and {growing.listed(ratios['s'])}")
    read = growing.ratios(large, XTA, HDF5, ("read",))
    thin = {k: rows[XTA, "write"].median / growing.total(rows, XTA, stages).median for k, rows in single.items()}
    why = ("Times as long as XTA for all of the work, in parentheses k, first with the paper's growths, then by one "
           f"index: {'; '.join(texts)} (asked for: more than 1 for every k, which is so in {sum(conditions)} of 6). "
           f"HDF5 takes {growing.listed(read)} times for the reads alone; it reorganises nothing, as docs/ERRATA.md "
           f"13.2 has it. By one index {100 * min(thin.values()):.0f} to {100 * max(thin.values()):.0f} % of XTA's "
           "time goes into storing thin slabs in many chunks; the array without chunks appends a slab by one call.")
    return Result(verdict_of(conditions), why, panels)


SCAN_SETTING = (
    "The paper: arrays in files, extended arbitrarily, then all elements timed. Ours: 2 x 10^6 cells at scale 1 on 2, "
    "3 and 4 equal axes. XTA's array (chunks of 32 a side, 4 axes: 16) has grown from half the length of each axis on "
    "axes at random; the conventional file is row-major, as after its last reorganisation. Lines along the last axis "
    "(\"same\"), or along the first with the first remaining axis fastest (\"other\"). The conventional file: one "
    "pread for a line that lies in one piece, else one for each cell, or mapped into memory, which is its best; XTA: a "
    "read for each line, or for each cell. All in the page cache, processor time; sums checked. " + growing.MACHINE)
CALLS, MAPPED, LINES, CELLS = "conventional by calls", "conventional mapped", "XTA by lines", "XTA by cells"


def scans(context):
    """{(k, side, order): Sample} of all cells of extended arrays; order is same or other."""
    def measure():
        rows = context.rows([context.program("bench_scan"), context.scaled(2_000_000)], repetitions=1)
        return {(int(case), *series.split(": ")): sample for (case, series), sample in rows.items()}
    return growing.once(context, "scans", measure)


def scan_panels(rows, order, title):
    return [Panel(f"{title}", "axes k", "ns a cell",
                  [Series(side, [(k, rows[k, side, order]) for k in growing.AXES])
                   for side in (CALLS, MAPPED, LINES, CELLS)], log_y=True)]


def same_order(context):
    rows = scans(context)
    times = {side: {k: rows[k, LINES, "same"].median / rows[k, side, "same"].median for k in growing.AXES}
             for side in (CALLS, MAPPED)}
    higher = all(ratio > 1 for ratio in times[CALLS].values())
    slightly = all(ratio <= 3 for ratio in times[CALLS].values())
    why = (f"XTA takes {growing.listed(times[CALLS])} times as long as the conventional file read by calls, in "
           f"parentheses k, and {growing.listed(times[MAPPED])} times as long as that file mapped (asked for, against "
           "the calls: more than 1, and at most 3, for each k).")
    return Result(verdict_of([higher, slightly]), why, scan_panels(rows, "same", "Along the last axis"))


def other_order(context):
    rows = scans(context)
    rise = {side: {k: rows[k, side, "other"].median / rows[k, side, "same"].median for k in growing.AXES}
            for side in (CALLS, MAPPED, LINES, CELLS)}
    verdict = verdict_of([min(rise[CALLS].values()) >= 5, max(rise[LINES].values()) <= 2,
                          all(rows[k, LINES, "other"].median < rows[k, CALLS, "other"].median for k in growing.AXES)])
    why = (f"In the other order the time rises, in parentheses k, to {growing.listed(rise[CALLS])} times for the "
           f"conventional file by calls, {growing.listed(rise[MAPPED])} for that file mapped, "
           f"{growing.listed(rise[LINES])} for XTA by lines and {growing.listed(rise[CELLS])} by cells (asked for: the "
           "calls 5 or more, lines of XTA at most 2, and XTA ahead of the calls, for each k). Everything is in the "
           "page cache, so the mapped file shows what memory and the processor's caches alone add.")
    return Result(verdict, why, scan_panels(rows, "other", "Along the first axis")
                  + [Panel("Other order by same order", "axes k", "times", [
                      Series(side, [(k, Sample([rise[side][k]], "times")) for k in growing.AXES]) for side in rise],
                      log_y=True)])


def utilisation(context):
    def measure():
        found = context.rows([context.program("bench_utilisation"), context.scaled(1_000_000_000), 5], repetitions=1)
        return {(int(case), series): sample for (case, series), sample in found.items()}

    rows = growing.once(context, "utilisation", measure)
    chunks, policies = [], []
    for _, series in rows:
        kept = chunks if series.startswith("chunks") else policies
        if series not in kept:
            kept.append(series)
    panels = [Panel(title, "axes k", "% of the allocated cells within the bounds",
                    [Series(name, [(k, rows[k, name]) for k in growing.AXES]) for name in names])
              for title, names in (("By length of chunks, exact growth", chunks),
                                   ("By policy, chunks of 32", policies))]
    now = {k: rows[k, "chunks of 32"].median for k in growing.AXES}
    falls = now[2] > now[3] > now[4]
    within = [k for k in growing.AXES if 80 <= now[k] <= 90]
    why = (f"With chunks of 32, {growing.listed(now)} % (in parentheses k): "
           f"{'it falls' if falls else 'it does not fall'} with k, and {len(within)} of the three lie within 80 to 90 "
           "%. On each axis half a chunk is lost on average, 16 of 31622, 1000 or 177 cells: (1 - 16/177)^4 is 68 %. "
           "Other policies allocate beyond the bounds; such chunks are holes and take no disk.")
    return Result(verdict_of([falls, len(within) == 3]), why, panels)


EXPERIMENTS = [
    Experiment(
        "chunked-static", "[CXA] 6.4.1, Fig. 6.4.1", "Random access without extensions, in memory, with chunks",
        "The access function of the chunked array varies significantly with the number of axes, because the records "
        "are found by O2-trees; the conventional array performs better.",
        "The paper: 10^9 elements (bounds 31622, 1000, 177, 63, 31, 19), chunks of 32. Ours: 10^7 cells at scale 1, k "
        "= 2 to 7, chunks of at most 32 a side: the longest power of two with three chunks on each axis and at most "
        "twice the cells; 200,000 random reads whose sum is checked, processor time. Chunks by O2-trees as in the "
        "paper; XTA finds them by direct tables, and its public call checks the bounds. " + growing.MACHINE,
        static),
    Experiment(
        "chunked-interleaved", "[CXA] 6.4.1, Fig. 6.4.2", "Random access between growths, in memory, with chunks",
        "With interleaved extensions the chunked array performs considerably better than the conventional one, and "
        "better than the array without chunks of Fig. 3.5.2.",
        INTERLEAVED_SETTING + "Processor time. XTA: a memory array with chunks of 32 a side (4 axes: 16), by its "
                              "public calls. "
        + growing.MACHINE,
        interleaved),
    Experiment(
        "disk-interleaved", "[CXA] 6.4.1, Fig. 6.4.3", "Random access between growths, in files",
        "For k = 2, 3, 4, while files grow from 3 x 10^6 to 1.2 x 10^9 elements, the total cost of the chunked array "
        "is significantly less than that of the conventional array, of HDF5, and even of extendible arrays without "
        "chunks.",
        INTERLEAVED_SETTING + "In files, new cells are stored, and all of the work counts; everything is in the page "
                              "cache, and nothing is synced within the time. The conventional file is rewritten in one "
                              "sequential pass with the new cells in it (several MiB a call) unless its first axis "
                              "grows. The array without chunks appends a segment by one call and reads a cell by "
                              "pread, as the conventional one does. HDF5: all axes unlimited, latest format, chunk "
                              "cache 64 MiB with a prime number of slots, the chunks of XTA, data spaces kept. XTA: "
                              "defaults (mapped), chunks of 32 a side (4 axes: 16). " + growing.MACHINE,
        on_disk),
    Experiment(
        "utilisation", "[CXA] 6.4.2, Fig. 6.4.4", "Storage utilisation of chunked arrays",
        "The utilisation (Eq. 6.4.1) falls with the number of axes; even with chunks of 32 it is within 80 to 90 per "
        "cent.",
        "The paper: 2, 3 and 4 axes, 10^9 elements after random extensions from the bounds of 6.3, chunks of 8, 16, "
        "32. Ours: the same, at full size at scale 1, since cells that nobody writes take no disk; axes at random, 1 "
        "to 64 cells each time; the mean of the last ten growths, for 5 histories; and XTA's growth policies beside "
        "exact growth.",
        utilisation),
    Experiment(
        "scan-same", "[CXA] 6.4.2, Fig. 6.4.5", "All elements in the order of storage, after extensions",
        "After all extensions, access to all elements in the order of storage costs the chunked array slightly more "
        "than the conventional one.",
        SCAN_SETTING, same_order),
    Experiment(
        "scan-other", "[CXA] 6.4.2, Fig. 6.4.6", "All elements in another order, after extensions",
        "In another order the cost of the conventional array increases significantly, that of the chunked array does "
        "not.",
        SCAN_SETTING, other_order),
]
