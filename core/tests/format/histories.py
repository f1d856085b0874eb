"""Random arrays with random histories, as the library left them: the reference reader, which knows only
docs/FORMAT.md, must agree on structure, addresses, attributes, history and cells; on earlier steps; and on the same
journals with torn tails.

XTA_SEED and XTA_SCALE are those of the other random tests.

Shows F-1, F-17, F-19, F-25..F-28, F-30..F-39, F-41, F-43..F-51, F-54..F-56, F-60..F-64, F-69.

SPDX-License-Identifier: Apache-2.0
"""
import os
import random
import shutil

import journal
from common import MAKE, TOOL, both_cells, check, finish, folder, library, must, read, reader, write


def check_more(path):
    """Addresses and history."""
    addresses = reader(path, "--addresses")[1]
    check(must(TOOL, "address", path, "--all") == addresses, path, "has other addresses")
    status, ours = library(path, "--history")
    check((status, ours) == ("XTA_OK", reader(path, "--history")[1]), path, "had another history")
    return addresses.count("\n")


def steps_of(path):
    return [int(line.split()[0]) for line in reader(path, "--history")[1].splitlines()]


def check_tail(path, scratch, dice):
    """The journal cut anywhere in its last records, or with bytes added after them: F-17, F-19."""
    copy = os.path.join(scratch, "torn")
    data = read(path + ".xmd")
    shutil.copy(path + ".xta", copy + ".xta")
    good = journal.decode(data)
    lengths = [len(record.encode(0)[0]) for record in good.records]
    n_cut = min(len(lengths) - 1, dice.randint(0, 2))
    if n_cut > 0:
        cut = len(data) - sum(lengths[-n_cut:]) + dice.randint(0, lengths[-n_cut] - 1)
        data = data[:cut]
    # A tail cut before the durable bytes has nothing left that could be a complete record.
    data += dice.choice((b"", bytes(dice.randint(1, 99)), dice.randbytes(dice.randint(1, 99))))
    write(copy + ".xmd", data)
    both_cells(copy, scratch)


def main():
    seed = int(os.environ.get("XTA_SEED", "20240412"))
    count = max(1, int(30 * float(os.environ.get("XTA_SCALE", "1"))))
    print(f"format_histories: XTA_SEED={seed}, {count} arrays")
    dice = random.Random(seed)
    n_chunks = n_cells = n_steps = 0
    with folder() as scratch:
        must(MAKE, "random", scratch, seed, count)
        for k in range(count):
            path = os.path.join(scratch, f"r{k}")
            found = both_cells(path, scratch)
            if found is None:
                continue
            n_cells += len(found[1])
            n_chunks += check_more(path)
            steps = steps_of(path)
            n_steps += len(steps)
            both_cells(path, scratch, "--step", dice.choice(steps))
            check_tail(path, scratch, dice)
    check(n_chunks > 20 * count and n_steps > 4 * count, "the arrays are too small to show much")
    finish(f"histories: {count} arrays, {n_steps} steps, {n_chunks} chunks, {n_cells} bytes of cells")


main()
