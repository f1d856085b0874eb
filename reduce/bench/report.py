"""Tables of a run of the bench of reductions. See run.sh.

SPDX-License-Identifier: Apache-2.0
"""
import csv
import sys


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as handle:
        return list(csv.reader(handle))


ours = {(r[0], int(r[1])): (float(r[2]), float(r[4])) for r in rows_of(sys.argv[1])}
gigabytes = next(float(r[3]) * float(r[2]) for r in rows_of(sys.argv[1]))
print("| | s | GB/s | processor s | of memcpy | of loads | gain by two threads |\n|---|---|---|---|---|---|---|")
for (case, threads), (seconds, cpu) in ours.items():
    gain = ours[(case, 1)][0] / seconds if threads == 2 else 1
    print(f"| {case}, {threads} | {seconds:.3f} | {gigabytes / seconds:.2f} | {cpu:.3f} |"
          f" {ours[('memcpy', threads)][0] / seconds:.2f} | {ours[('load', threads)][0] / seconds:.2f} | {gain:.2f} |")
for case in ("sum all", "sum time", "sum lines", "sum samples"):
    gain = ours[(case, 1)][0] / ours[(case, 2)][0] / (ours[("memcpy", 1)][0] / ours[("memcpy", 2)][0])
    print(f"\n{case}: {ours[('memcpy', 1)][0] / ours[(case, 1)][0]:.2f} of memcpy by time (target 0.8),"
          f" {ours[('memcpy', 1)][1] / ours[(case, 1)][1]:.2f} by processor time;"
          f" two threads gain {gain:.2f} of what two memcpys gain (target 0.85)", end="")
print("\n\n| peer | case | s | peer / ours, 1 thread | by processor time |\n|---|---|---|---|---|")
for peer, case, seconds, cpu in rows_of(sys.argv[2]):
    best = ours[(case, 2 if peer.endswith(" 2") else 1)]
    print(f"| {peer} | {case} | {float(seconds):.3f} | {float(seconds) / best[0]:.2f} | {float(cpu) / best[1]:.2f} |")
