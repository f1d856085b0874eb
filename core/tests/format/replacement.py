"""Replacement of a pair of files (10.7): how the library and the reference reader read each state in which a machine
may stop, and what a writer then does.

Shows F-91..F-93. That other handles must open again, F-94, is shown by rechunk/tests/property/test_repartition_array.c.

SPDX-License-Identifier: Apache-2.0
"""
import os

import journal as j
from common import TOOL, both_cells, check, finish, folder, must, read, write

OLD, NEW = "chunk 2,2\n", "chunk 3,5\n"


def make(path, chunk):
    """The same cells in chunks of one shape."""
    must(TOOL, "create", path, "--type", "u8", "--bounds", "4,5", "--chunk", chunk)
    must(TOOL, "fill", path, "--box", ":,:", "--value", "7")
    must(TOOL, "fill", path, "--box", "1:3,2:5", "--value", "9")


def both(scratch, name, suffixes):
    path = os.path.join(scratch, name)
    make(path, "2,2")
    make(path + ".rechunk", "3,5")
    if suffixes == (".pma", ".pta"):
        for base in (path, path + ".rechunk"):
            os.rename(base + ".xmd", base + ".pma")
            os.rename(base + ".xta", base + ".pta")
    return path


def mark_moved(path):
    """Step 1: a SUPERSEDED record after the others, which no mark covers."""
    data = read(path)
    write(path, data + j.Record(j.SUPERSEDED).encode(len(j.decode(data).records))[0])


def files(scratch, name):
    return sorted(entry for entry in os.listdir(scratch) if entry.startswith(name + "."))


def seen(path, scratch, chunk, sentence):
    found = both_cells(path, scratch)
    check(found is not None and chunk.strip() in found[0], f"{sentence}: {path} should have {chunk}",
          found)
    check(found is not None and sorted(found[1]) == [7] * 14 + [9] * 6, sentence, path, "has other cells")


def one_pair(scratch, name, suffixes):
    xmd, xta = suffixes
    for steps in range(5):
        path = both(scratch, f"{name}{steps}", suffixes)
        if steps >= 1:
            mark_moved(path + xmd)
        if steps >= 2:
            os.rename(path + ".rechunk" + xmd, path + xmd + ".next")
        if steps >= 3:
            os.rename(path + ".rechunk" + xta, path + xta)
        if steps >= 4:
            os.rename(path + xmd + ".next", path + xmd)
        before = files(scratch, f"{name}{steps}")
        seen(path, scratch, OLD if steps < 2 else NEW, f"F-91 after step {steps}")
        must(TOOL, "check", path)
        check(files(scratch, f"{name}{steps}") == before, "F-93: a reader has renamed", before, "to",
              files(scratch, f"{name}{steps}"))
        must(TOOL, "fill", path, "--box", "1:2,2:3", "--value", "9")
        if steps >= 2:
            check(files(scratch, f"{name}{steps}") == [f"{name}{steps}{xmd}", f"{name}{steps}{xta}"],
                  "F-92: a writer has left", files(scratch, f"{name}{steps}"))
        seen(path, scratch, OLD if steps < 2 else NEW, f"F-92 after step {steps}")


def main():
    with folder() as scratch:
        one_pair(scratch, "x", (".xmd", ".xta"))
        one_pair(scratch, "p", (".pma", ".pta"))
    finish("replacement: 5 states of 2 kinds of pair")


main()
