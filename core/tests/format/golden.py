"""Arrays whose bytes are committed in golden/: their content never changes.

Each NAME.xmd and NAME.xta comes with NAME.txt, the description and the cells in hexadecimal. Library
and reference reader must both find exactly that, and `format_make golden` must write the same bytes
again except for UUID and boot stamp, with their checksums. To add an array, add it to format_make.c and run
`XTA_GOLDEN=write` with this script; check the new files before they are committed.

Shows F-1, F-5, F-6, F-25..F-28, F-30, F-34..F-39, F-41, F-43, F-45..F-51, F-53..F-57, F-61..F-66, F-85,
F-103..F-105, F-109.

SPDX-License-Identifier: Apache-2.0
"""
import os
import re
import shutil
import struct
import sys

import journal
from common import (GOLDEN, MAKE, SOURCE, both_cells, check, finish, folder, must, read, reader_module,
                    write)

# Arrays all of whose cells come from the formula of format_make.c.
WRITTEN = ("small", "order_", "policy_", "direct_small", "direct_aligned")
# Made by this script: process, machine and time are in its records.
MADE_HERE = "direct_work"


def names():
    return sorted(name[:-4] for name in os.listdir(GOLDEN) if name.endswith(".xmd"))


def field(text, word):
    return re.search(rf"^{word} (.*)$", text, re.M).group(1)


def code(coord):
    """As in format_make.c."""
    return 17 + sum((5 * axis + 7) * x for axis, x in enumerate(coord)) & 0xFF


def cells_by_formula(box, cell_bytes):
    coords = [[]]
    for lo, hi in box:
        coords = [coord + [x] for coord in coords for x in range(lo, hi)]
    return b"".join(bytes(code(coord) + k & 0xFF for k in range(cell_bytes)) for coord in coords)


def box_of(text):
    return [tuple(map(int, part.split(":"))) for part in text.split(",")]


def check_types(name, text, cells):
    """F-25: the length of each type, and its fill in unwritten cells."""
    kind = name.partition("_")[2]
    lengths = dict(bool=1, i8=1, u8=1, i16=2, u16=2, i32=4, u32=4, i64=8, u64=8, f16=2, f32=4, f64=8,
                   c64=8, c128=16, bytes=7)
    n = lengths[kind]
    fill = bytes((1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 121, 98, 219))[:n]
    check(field(text, "type") == f"{kind} {n}", name, "is of type", field(text, "type"))
    expected = cells_by_formula([(0, 5)], n)
    if kind == "bool":
        expected = bytes(byte & 1 for byte in expected)
    check(cells == expected + 2 * fill, name, "has cells", cells.hex())
    # F-54..F-56: the cells of chunk 0 lie in slot 0, XOR the fill value.
    stored = read(os.path.join(GOLDEN, name + ".xta"))
    plain = bytes(byte ^ fill[k % n] for k, byte in enumerate(stored[:4 * n]))
    check(plain == expected[:4 * n], name, "stores", stored.hex())
    values = re.search(r"^attribute axis 0 \w+ \S+ \d+ 1 (\w+)$", text, re.M).group(1)
    check(values == fill.hex(), name, "has an attribute of", values)


def masked(data):
    """A journal without UUID, boot stamps, and the checksums that cover them."""
    data = bytearray(data)
    data[16:32] = bytes(16)
    data[60:64] = bytes(4)
    for mark in (64, 96):
        data[mark + 24:mark + 32] = bytes(8)
    return bytes(data)


def masked_data(data):
    """A data file without the UUID of its header and the checksum that covers it."""
    if not data.startswith(b"\x89XTD"):
        return data
    return data[:16] + bytes(16) + data[32:60] + bytes(4) + data[64:]


def make_work():
    """An array with finished and unfinished work, in its journal and in a checkpoint."""
    number = bytes(range(16, 32))
    box, before = [(0, 2), (0, 4)], [(0, 4), (0, 4)]
    axes = [(2, 0, 4, 0, 4, 0, 2), (2, 0, 4, 0, 4, 0, 2)]
    inner = [journal.nested(journal.WORK_BEGIN, journal.work(number, box, before, verb=2))]
    made = journal.Journal([
        journal.Record(journal.CHECKPOINT, journal.checkpoint(axes, 4, [(0, 0, journal.INITIAL)], inner,
                                                              layout=2)),
        journal.Record(journal.WORK_BEGIN, journal.work(b"e" * 16, box, before, 3)),
        journal.Record(journal.WORK_BEGIN,
                       journal.work(b"f" * 16, [(0, 4), (0, 4)], [(0, 0)] * 2, 1, 1,
                                    source="Fr\u00fchling.nc".encode())),
        journal.Record(journal.WORK_END, journal.work_end(b"e" * 16))], uuid=bytes(range(16)))
    path = os.path.join(GOLDEN, MADE_HERE)
    write(path + ".xmd", made.encode())
    write(path + ".xta", journal.data_header(bytes(range(16))) + bytes(4032) + bytes(range(16)))


def check_written_again(scratch):
    """The bytes written today are those of the golden files."""
    must(MAKE, "golden", scratch)
    for name in names():
        for suffix, mask in ((".xmd", masked), (".xta", masked_data)):
            if name == MADE_HERE:
                continue
            new = mask(read(os.path.join(scratch, name + suffix)))
            check(new == mask(read(os.path.join(GOLDEN, name + suffix))), name + suffix,
                  "is written otherwise now")


def dump(data):
    """Lines of 16 bytes, as in section 13 of the document."""
    return [f"{at:04x}  " + " ".join(f"{byte:02x}" for byte in data[at:at + 16])
            for at in range(0, len(data), 16)]


def document():
    with open(os.path.join(SOURCE, "docs", "FORMAT.md"), encoding="utf-8") as file:
        return file.read()


def check_document():
    """F-85: the dump is that of the golden file, byte by byte."""
    shown = re.findall(r"^([0-9a-f]{4})  ((?:[0-9a-f]{2} ?)+)", document(), re.M)
    data = bytearray()
    for offset, digits in shown:
        check(int(offset, 16) == len(data), "the dump in FORMAT.md skips before", offset)
        data += bytes.fromhex(digits)
    check(bytes(data) == read(os.path.join(GOLDEN, "small.xmd")),
          "the dump in FORMAT.md is not that of small.xmd")


def check_orders():
    """F-61..F-64 on one chunk of order_*, by the examples of F-66 and by hand."""
    stored = {name: read(os.path.join(GOLDEN, f"order_{name}.xta"))
              for name in ("row", "column", "morton", "hilbert")}
    inside = [(i, j, k) for i in range(4) for j in range(2) for k in range(8)]
    for name, place in (("row", lambda i, j, k: 16 * i + 8 * j + k),
                        ("column", lambda i, j, k: i + 4 * j + 8 * k)):
        for i, j, k in inside:
            check(stored[name][place(i, j, k)] == code((i, 0, j, k)), name, i, j, k)
    for name in ("morton", "hilbert"):
        check(sorted(stored[name][:64]) == sorted(stored["row"][:64]), name, "loses cells")
    # Bits: level 2 of k; level 1 of i, k; level 0 of i, j, k.
    for i, j, k in inside:
        place = (k >> 2) << 5 | (i >> 1) << 4 | (k >> 1 & 1) << 3 | (i & 1) << 2 | j << 1 | k & 1
        check(stored["morton"][place] == code((i, 0, j, k)), "morton", i, j, k)
    # In Hilbert order of a compact box each cell occurs once, and the document's tables are right.
    check_hilbert_tables()


def inverse_hilbert(lengths, position):
    """F-65, word by word."""
    bits = [length.bit_length() - 1 for length in lengths if length > 1]
    n = len(bits)
    levels = max(bits)
    coord = [0] * n
    turn = flip = 0
    left = sum(bits)

    def rotl(value, by):
        return (value << by | value >> (n - by)) & (1 << n) - 1

    for level in reversed(range(levels)):
        free = rotl(sum(1 << n - 1 - k for k in range(n) if level < bits[k]), turn)
        fixed, rho = rotl(flip, turn), 0
        for bit in reversed(range(n)):
            above = rho & 1
            if free >> bit & 1:
                left -= 1
                rho = 2 * rho + (position >> left & 1)
            else:
                rho = 2 * rho + (above ^ fixed >> bit & 1)
        gray = rho ^ rho >> 1
        alpha = rotl(gray, (n - turn) % n) ^ flip
        for k in range(n):
            coord[k] += (alpha >> n - 1 - k & 1) << level
        same = [bit for bit in range(n) if (rho >> bit ^ rho) & 1]
        place = same[0] if same else 0
        leave = gray ^ 1 ^ (0 if rho & 1 else 1 << place)
        flip ^= rotl(leave, (n - turn) % n)
        turn = (turn + n - 1 - place) % n
    return tuple(coord)


def check_hilbert_tables():
    module = reader_module()
    check(module.hilbert([8, 8], (5, 3)) == 52 and module.morton([8, 8], (5, 3)) == 39,
          "F-66: (5, 3)")
    rows = re.findall(r"^ +(\d+(?: +\d+){3})(?: {5,}(\d+(?: +\d+){3}))?$", document(), re.M)
    check(len(rows) == 4 and [bool(row[1]) for row in rows] == [True, True, False, False],
          "F-66: the tables of FORMAT.md are not found")
    for i, (square, flat) in enumerate(rows):
        for k in range(4):
            check(int(square.split()[k]) == module.hilbert([4, 4], (i, k)), "F-66: 4 x 4", i, k)
            check(not flat or int(flat.split()[k]) == module.hilbert([2, 4], (i, k)),
                  "F-66: 2 x 4", i, k)
    for lengths in ([4, 4], [2, 4], [8, 2, 4], [2, 2, 2, 2], [16, 1, 2]):
        kept = [length for length in lengths if length > 1]
        seen = set()
        cells = 1
        for length in lengths:
            cells *= length
        for position in range(cells):
            coord = inverse_hilbert(lengths, position)
            seen.add(coord)
            check(module.hilbert(kept, coord) == position, "F-65:", lengths, position)
        check(len(seen) == cells, "F-64:", lengths, "not one to one")


def check_records(name):
    """Every golden journal is unchanged after the test's own decoder and encoder: F-1, F-26..F-40."""
    data = read(os.path.join(GOLDEN, name + ".xmd"))
    again = journal.decode(data)
    marks = []
    for at in (64, 96):
        count, durable, checkpoint, boot = struct.unpack_from("<QQQI", data, at)
        marks.append(journal.Mark(count, durable, checkpoint, boot))
    again.marks = marks
    check(again.encode() == data, name, "is not what the tables of FORMAT.md say")


def check_suffixes(scratch):
    """F-5, F-6: the other pair of suffixes; and which pair is the array if both are there."""
    path = os.path.join(scratch, "pair")
    for suffix, other in ((".xmd", ".pma"), (".xta", ".pta")):
        shutil.copy(os.path.join(GOLDEN, "small" + suffix), path + other)
    small = both_cells(path, scratch)
    for suffix in (".xmd", ".xta"):
        shutil.copy(os.path.join(GOLDEN, "order_row" + suffix), path + suffix)
    row = both_cells(path, scratch)
    check(small and row and "i16" in small[0] and "type u8 1" in row[0], "suffixes: wrong pair")


def main():
    n = 0
    if os.environ.get("XTA_GOLDEN") == "write":
        make_work()
    with folder() as scratch:
        for name in names():
            found = both_cells(os.path.join(GOLDEN, name), scratch)
            if found is None:
                continue
            text, cells = found
            expected = os.path.join(GOLDEN, name + ".txt")
            whole = text + "cells " + cells.hex() + "\n"
            if os.environ.get("XTA_GOLDEN") == "write":
                write(expected, whole.encode())
            check(read(expected).decode() == whole, name, "is\n", whole)
            if name.startswith("type_"):
                check_types(name, text, cells)
            elif name.startswith(WRITTEN):
                cell_bytes = int(field(text, "type").split()[1])
                check(cells == cells_by_formula(box_of(field(text, "bounds")), cell_bytes), name,
                      "has other cells than were written")
            check_records(name)
            n += 1
        check(n >= 27, "only", n, "golden arrays")
        again = os.path.join(scratch, "again")
        os.mkdir(again)
        check_written_again(again)
        check_suffixes(scratch)
    check_orders()
    check_document()
    finish(f"golden: {n} arrays")


main()
