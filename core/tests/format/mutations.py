"""Golden journals with some bytes of a record changed and all checksums corrected: whatever the change means, library
and reference reader must agree on it, on refusals and on the content read.

So each requirement checked by only one of them is detected. XTA_SEED and XTA_SCALE are
those of the other random tests.

Shows F-24, F-29, F-42, F-83.

SPDX-License-Identifier: Apache-2.0
"""
import os
import random
import struct

import journal
from common import GOLDEN, both_cells, check, finish, folder, library, read, reader, write

NAMES = ("small", "history", "compacted", "policy_shell", "type_bytes")
ODD = (0, 1, 2, 3, 0x7F, 0x80, 0xFF)
NUMBERS = (0, 1, 2, 3, 4, 5, 31, 32, 33, 255, 256, 1 << 16, (1 << 31) - 1, 1 << 31, (1 << 32) - 1,
           1 << 61, (1 << 62) - 1, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)


def mutate(records, dice):
    """Change one record, or the order of them. Returns a description of the change, for the report."""
    k = dice.randrange(len(records))
    record, what = records[k], dice.randrange(8)
    payload = bytearray(record.payload)
    if what == 0 and len(records) > 1:
        del records[k]
        return f"without record {k}"
    if what == 1:
        records.insert(dice.randrange(len(records) + 1), record)
        return f"record {k} twice"
    if what == 2:
        record.payload = record.payload[:dice.randrange(len(payload) + 1)]
        return f"record {k} cut"
    if not payload:
        return "as it was"
    if what < 5:
        at = dice.randrange(len(payload))
        payload[at] = dice.choice(ODD)
    else:
        width = dice.choice("HIQQ")
        at = dice.randrange(0, max(1, len(payload) - 7), 4)
        number = dice.choice(NUMBERS) & (1 << 8 * struct.calcsize(width)) - 1
        field = struct.pack("<" + width, number)[:len(payload) - at]
        payload[at:at + len(field)] = field
    record.payload = bytes(payload)
    return f"record {k}, type {record.kind}, changed at {at}: {payload.hex()}"


def small_enough(text):
    """Whether all cells can be read in a moment."""
    bounds = next(line for line in text.splitlines() if line.startswith("bounds "))
    chunk = next(line for line in text.splitlines() if line.startswith("chunk "))
    cells = places = 1
    for part in bounds.split()[1].split(","):
        lo, hi = map(int, part.split(":"))
        cells *= hi - lo
    for length in chunk.split()[1].split(","):
        places *= int(length)
    return cells <= 4096 and places <= 4096


def main():
    seed = int(os.environ.get("XTA_SEED", "20240413"))
    count = max(1, int(120 * float(os.environ.get("XTA_SCALE", "1"))))
    print(f"format_mutations: XTA_SEED={seed}, {count} journals")
    dice = random.Random(seed)
    n_read = 0
    with folder() as scratch:
        path = os.path.join(scratch, "mutant")
        for k in range(count):
            name = dice.choice(NAMES)
            mutant = journal.decode(read(os.path.join(GOLDEN, name + ".xmd")))
            done = mutate(mutant.records, dice)
            write(path + ".xmd", mutant.encode())
            write(path + ".xta", read(os.path.join(GOLDEN, name + ".xta")), 1 << 16)
            status, text = library(path)
            good, words = reader(path)
            check(status in ("XTA_OK", "XTA_ECORRUPT", "XTA_EFORMAT"), k, name, done, status, text)
            check((status == "XTA_OK") == good, k, name, done, "gives", status, text, "and", words)
            check(status != "XTA_OK" or not good or text == words, k, name, done, "is", text, words)
            if status == "XTA_OK" and good:
                n_read += 1
                if small_enough(text):
                    both_cells(path, scratch)
    check(count // 20 < n_read < count - count // 20, "only one kind of answer:", n_read)
    finish(f"mutations: {count} journals, {n_read} of them read")


main()
