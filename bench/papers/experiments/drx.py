"""[DRX] Fig. 1 to 3 and the listing of IV.B: exact reproductions.

SPDX-License-Identifier: Apache-2.0
"""
import re

import figures
from experiment import Experiment, Result, verdict_of

# As printed. Fig. 1: the rows of chunks; the zones are those of the listing. Fig. 2 by rows (b) or by columns (c, d),
# those that the text of the paper has in full. Fig. 3b: axis, first index, coefficients: base.
FIGURE_1 = [[0, 1, 6, 12], [2, 3, 7, 13], [4, 5, 8, 14], [9, 10, 11, 15], [16, 17, 18, 19]]
ROWS_2B = {2: [8, 9, 12, 13, 24, 25, 28, 29], 3: [10, 11, 14, 15, 26, 27, 30, 31]}
COLUMNS_2C = {2: [4, 5, 8, 14, 22, 32, 44, 58], 4: [16, 17, 18, 19, 24, 34, 46, 60],
              5: [25, 26, 27, 28, 29, 35, 47, 61], 7: [49, 50, 51, 52, 53, 54, 55, 63]}
COLUMNS_2D = {2: [8, 9, 10, 11, 18, 32, 38, 44], 3: [12, 13, 14, 15, 19, 33, 39, 45],
              4: [20, 21, 22, 23, 24, 34, 40, 46], 5: [25, 26, 27, 28, 29, 35, 41, 47],
              6: [48, 49, 50, 51, 52, 53, 54, 55], 7: [56, 57, 58, 59, 60, 61, 62, 63]}
CELLS_3 = {(2, 1, 0): 7, (3, 1, 2): 34, (4, 2, 2): 56}
RECORDS_3 = {"D1;3;3;12;1": 36, "D2;1;3;1;12": 12, "D2;3;4;1;24": 72, "D0;4;12;3;1": 48}
ZONES = [[0, 1, 2, 3, 4, 5], [6, 7, 8, 12, 13, 14], [9, 10, 16, 17], [11, 15, 18, 19]]


def addresses(context):
    found = figures.found(context)
    checks = {
        "Fig. 1": {(i, j): address for i, row in enumerate(FIGURE_1) for j, address in enumerate(row)},
        "Fig. 2a": {(i, j): 8 * i + j for i in range(8) for j in range(8)},
        "Fig. 2b": {(i, j): address for i, row in ROWS_2B.items() for j, address in enumerate(row)},
        "Fig. 2c": {(i, j): address for j, column in COLUMNS_2C.items() for i, address in enumerate(column)},
        "Fig. 2d": {(i, j): address for j, column in COLUMNS_2D.items() for i, address in enumerate(column)},
        "Fig. 3a": CELLS_3,
        "Fig. 3b": RECORDS_3,
    }
    made = {"Fig. 3a": found["drx 3"], "Fig. 3b": found["drx 3 records"]}
    return figures.result(checks, {name: made.get(name, found.get("drx" + name[4:])) for name in checks})


def listing(context):
    """The array of Fig. 1 written by the library, read by the printed program on four ranks."""
    program, figure = context.program("application_drxmp_listing"), context.program("bench_figures")
    script = ('"$1" ./drx && tail -c +4097 drx.xta >chunkedArray4.dat && '
              'mpirun.openmpi --oversubscribe --bind-to none -n 4 "$2"')
    text = context.execute(["bash", "-ec", script, "listing", figure, program])
    zones = [[int(address) for address in re.findall(rf"Rank {rank}: map\[\d+\] = (-?\d+)", text)] for rank in range(4)]
    counts = [int(count) for count in re.findall(r"Number read = (\d+)", text)]
    values = {int(k): float(value) for k, value in re.findall(r"Rank 3: (\d+)->val = (\S+)", text)}
    # Rank 3 has the chunks 11, 15, 18, 19: those at (3,2), (3,3), (4,2), (4,3), each 2 x 3.
    expected = [100 * (2 * i + r) + 3 * j + c
                for i, j in ((3, 2), (3, 3), (4, 2), (4, 3)) for r in range(2) for c in range(3)]
    right = sum(values.get(k) == value for k, value in enumerate(expected))
    table = [["rank", "printed zone", "zone read"]]
    table += [[str(rank), " ".join(map(str, ZONES[rank])), " ".join(map(str, zones[rank]))] for rank in range(4)]
    return Result(verdict_of([zones == ZONES, sorted(counts) == [4, 4, 6, 6], right == len(expected)]),
                  f"Zones equal to the paper's: {sum(a == b for a, b in zip(zones, ZONES))} of 4; chunks read: "
                  f"{', '.join(map(str, sorted(counts)))}; cells of rank 3 with the values that XTA wrote: {right} of "
                  f"{len(expected)}.", table=table)


EXPERIMENTS = [
    Experiment(
        "drx-figures", "[DRX] Fig. 1, 2, 3", "Addresses of chunks, as the figures show them",
        "The arrays of Fig. 1, 2 and 3 have the linear addresses that label their cells, and Fig. 3b the records of "
        "the axial vectors; for instance F*(4,2) = 18 in Fig. 1, and 7, 34 and 56 for the chunks (2,1,0), (3,1,2) and "
        "(4,2,2) of Fig. 3.",
        "The library grows each array as the figure says (Fig. 2a: at once; 2b: a chunk in Morton order), and is asked "
        "for the address of every cell. The axial vectors as the thesis has them grow alike and must give the same "
        "address for each. Compared is what the text of the paper has: all of Fig. 1, rows or columns of Fig. 2b to "
        "2d, and of Fig. 3 the examples of the text and the records of 3b that are not empty.",
        addresses),
    Experiment(
        "drx-listing", "[DRX] IV.B, the listing", "Four processes read their zones",
        "The program in the paper, on four processes, reads the zones {0..5}, {6,7,8,12,13,14}, {9,10,16,17}, "
        "{11,15,18,19}.",
        "The listing as printed but for the slips in docs/ERRATA.md (`examples/drxmp_listing.c`; MPI-IO alone) reads "
        "the data file of the array of Fig. 1, which the serial library has written, without its 4096 bytes of header.",
        listing),
]
