"""Growth of several arrays in one step (5.6), with cells and without, checked in the files: the records of a successful
one, how the library and the reference reader read the journals left by a killed process, and the order of calls.

Shows F-33, F-75, F-86..F-90.

SPDX-License-Identifier: Apache-2.0
"""
import os
import re
import shutil
import struct
import sys

import journal as j
from common import MAKE, TOOL, both_cells, check, finish, folder, library, must, read, reader, run, write

ANNOUNCED, DONE = "bounds 0:4,0:4\n", "bounds 0:5,0:4\n"
ALL = [j.CREATE, j.PREPARE, j.COMMIT, j.SETTLED]


def journal(path):
    return j.decode(read(path + ".xmd"))


def kinds(path):
    return [record.kind for record in journal(path).records]


def boot():
    with open("/proc/sys/kernel/random/boot_id", "rb") as file:
        return j.crc32c(file.read()) | 1


def put(path, records):
    """These records, as if the process had been killed before it wrote the next one, and no power was lost since."""
    whole = journal(path)
    whole.marks = [j.Mark(count, j.HEADER_BYTES, boot=boot()) for count in (0, 1)]
    whole.records = records
    write(path + ".xmd", whole.encode())


def cut(path, n):
    """Keep the first n records."""
    put(path, journal(path).records[:n])


def new_fleet(scratch, name, chunk="2,2"):
    """Three arrays in two folders."""
    root = os.path.join(scratch, name)
    os.makedirs(os.path.join(root, "deep"))
    paths = [os.path.join(root, part) for part in ("a", "b", "deep/c")]
    for path in paths:
        must(TOOL, "create", path, "--type", "u8", "--bounds", "4,4", "--chunk", chunk, "--names", "t,x")
    return paths


def fleet(scratch, name):
    """Three arrays that have grown together; the leader first."""
    paths = new_fleet(scratch, name)
    cells = must(TOOL, "extend", *paths, "--axis", "t", "--by", "1")
    check(cells == "".join(f"{path}\t0:5,0:4\n" for path in paths), "the tool printed", cells)
    paths.sort(key=lambda path: read(path + ".xmd")[16:32])
    return paths


def fleet_with_cells(scratch, name, chunk="2,2"):
    """The same, each with cells in its new row: [(path, these cells)]."""
    paths = new_fleet(scratch, name, chunk)
    must(MAKE, "append", *paths)
    rows = [(path, bytes(10 * k + i + 1 for i in range(4))) for k, path in enumerate(paths)]
    return sorted(rows, key=lambda row: read(row[0] + ".xmd")[16:32])


def seen(path, scratch, bounds, sentences, row=None):
    """Both readers see these bounds, and, if `row` is given, these cells at the end."""
    both = both_cells(path, scratch)
    check(both is not None and bounds in both[0], f"{sentences}: {path} should have {bounds}", both)
    check(both is None or row is None or both[1][-len(row):] == row,
          f"{sentences}: {path} should end with {row}", both)


def check_records(scratch):
    leader, *others = fleet(scratch, "records")
    names = [j.CREATE] + 2 * [j.AXIS_NAME]
    check(kinds(leader) == names + ALL[1:], "F-89, F-90: the leader has", kinds(leader))
    number = journal(leader).records[-1].payload
    check(len(number) == 16, "the number of the growth has", len(number), "bytes")
    for path in [leader, *others]:
        prepare = [r.payload for r in journal(path).records if r.kind == j.PREPARE][0]
        n = struct.unpack_from("<I", prepare, 32)[0]
        way = os.path.join(os.path.dirname(path), prepare[40:40 + n].decode())
        check(prepare[:16] == number and prepare[16:32] == read(leader + ".xmd")[16:32],
              "F-87: PREPARE names another growth or leader")
        check(os.path.samefile(way, leader + ".xmd"), "F-87: the path is", prepare[40:40 + n])
    for path in others:
        check(kinds(path) == names + [j.PREPARE, j.COMMIT], "F-90: a follower has", kinds(path))
        check(journal(path).records[-1].payload == number, "F-86: COMMIT has another number")
        seen(path, scratch, DONE, "F-86")
    seen(leader, scratch, DONE, "F-86")


def check_killed(scratch):
    leader, follower, third = fleet(scratch, "killed")
    cut(follower, 4)
    before = read(follower + ".xmd")
    seen(follower, scratch, DONE, "F-87")
    check(read(follower + ".xmd") == before, "F-87: a reader has written")
    # All arrays are moved together: the relative paths between them stay.
    moved = os.path.join(scratch, "moved")
    shutil.move(os.path.join(scratch, "killed"), moved)
    leader, follower, third = (path.replace("/killed/", "/moved/") for path in (leader, follower, third))
    seen(follower, scratch, DONE, "F-87")
    must(TOOL, "extend", follower, "--axis", "1", "--by", "1")
    check(kinds(follower)[3:] == [j.PREPARE, j.COMMIT, j.EXTEND], "F-87: a writer left", kinds(follower))
    # Killed before the leader's COMMIT: the growth has not happened, and never will.
    cut(leader, 4)
    cut(third, 4)
    seen(leader, scratch, ANNOUNCED, "F-87")
    seen(third, scratch, ANNOUNCED, "F-87")
    for path in (leader, third):
        must(TOOL, "extend", path, "--axis", "1", "--by", "1")
        check(kinds(path)[3:] == [j.PREPARE, j.EXTEND], "F-86: a writer left", kinds(path))
        seen(path, scratch, "bounds 0:4,0:5\n", "F-86")


def check_leader_gone(scratch):
    leader, follower, third = fleet(scratch, "gone")
    for path in (follower, third):
        cut(path, 4)
    keep = read(leader + ".xmd")
    for what, data in (("missing", None), ("no journal", b"text"),
                       ("another array", keep[:20] + b"\1\2\3\4" + keep[24:])):
        os.remove(leader + ".xmd")
        if data is not None:
            header = data[:60]
            write(leader + ".xmd", header + struct.pack("<I", j.crc32c(header)) + data[64:]
                  if len(data) > 64 else data)
        seen(follower, scratch, ANNOUNCED, f"F-87, leader {what}")
        write(leader + ".xmd", keep)
    seen(follower, scratch, DONE, "F-87, leader back")
    damaged = bytearray(keep)
    damaged[200] ^= 1
    write(leader + ".xmd", damaged)
    status, text = library(follower)
    check(status == "XTA_ECORRUPT" and "grew together with another array" in text and
          not reader(follower)[0], "F-87: a damaged leader:", status, text)
    write(leader + ".xmd", keep)
    os.remove(leader + ".xmd")
    must(TOOL, "extend", third, "--axis", "1", "--by", "1")
    check(kinds(third)[3:] == [j.PREPARE, j.EXTEND], "F-87: a writer left", kinds(third))


def check_compacted(scratch):
    leader, follower, third = fleet(scratch, "compacted")
    settled = read(leader + ".xmd")
    must(TOOL, "compact", leader)
    check(kinds(leader) == [j.CHECKPOINT], "F-89: compaction keeps", kinds(leader))
    write(leader + ".xmd", settled)
    cut(leader, 5)
    cut(follower, 4)
    must(TOOL, "compact", leader)
    check(kinds(leader) == [j.CHECKPOINT, j.COMMIT], "F-88: compaction keeps", kinds(leader))
    seen(leader, scratch, DONE, "F-88")
    seen(follower, scratch, DONE, "F-87, F-88")
    done = run(TOOL, "rechunk", leader, "--in-place", "--chunk", "4,4")
    check(done.returncode == 1 and "growth together" in done.stderr,
          "F-88: a leader that may be asked is replaced:", done.stderr)
    seen(leader, scratch, DONE, "F-88")
    must(TOOL, "extend", leader, follower, "--axis", "0", "--by", "1")
    for path in (leader, follower):
        seen(path, scratch, "bounds 0:6,0:4\n", "F-88")
    must(TOOL, "compact", leader)
    check(j.COMMIT in kinds(leader), "F-88: a COMMIT without SETTLED is forgotten")


NAMED = [j.CREATE] + 2 * [j.AXIS_NAME]
EMPTY = bytes(4)


def check_cells(scratch):
    rows = fleet_with_cells(scratch, "cells")
    for k, (path, row) in enumerate(rows):
        check(kinds(path) == NAMED + [j.WRITE_INTENT, j.PREPARE, j.COMMIT] + (k == 0) * [j.SETTLED],
              "F-90: member", k, "has", kinds(path))
        records = journal(path).records
        check(records[3].payload == j.growth([(0, 0, 1)]), "F-33: WRITE_INTENT is", records[3].payload)
        check(records[4].payload.endswith(j.growth([(0, 0, 1)], [(0, 0, 1)])), "F-86: PREPARE is", records[4].payload)
        seen(path, scratch, DONE, "F-86, F-90", row)


def check_cells_killed(scratch, chunk="2,2"):
    """Each state that a kill can leave; cells are written by then, and read as fill if the growth did not happen."""
    name = "cells-killed-" + chunk
    (leader, first), (follower, second), (third, _) = fleet_with_cells(scratch, name, chunk)
    # After the leader's COMMIT: it has happened, and whoever opens the array to write keeps its cells.
    cut(follower, 5)
    before = read(follower + ".xmd")
    seen(follower, scratch, DONE, "F-87", second)
    check(read(follower + ".xmd") == before, "F-87: a reader has written")
    status, text = library(follower, "--writable")
    check(status == "XTA_OK" and DONE in text, "F-87: a writer sees", status, text)
    seen(follower, scratch, DONE, "F-87", second)
    must(TOOL, "extend", follower, "--axis", "t", "--by", "1")
    check(kinds(follower)[3:] == [j.WRITE_INTENT, j.PREPARE, j.COMMIT, j.EXTEND], "F-87: a writer left",
          kinds(follower))
    seen(follower, scratch, "bounds 0:6,0:4\n", "F-87", second + EMPTY)
    # Before it: after PREPARE, and after WRITE_INTENT.
    cut(leader, 5)
    cut(third, 4)
    for path, left in ((leader, [j.WRITE_INTENT, j.PREPARE]), (third, [j.WRITE_INTENT])):
        seen(path, scratch, ANNOUNCED, "F-33, F-87")
        must(TOOL, "extend", path, "--axis", "t", "--by", "1")
        check(kinds(path)[3:] == left + [j.EXTEND], "F-86: a writer left", kinds(path))
        seen(path, scratch, DONE, "F-33, F-73, F-75", EMPTY)
    check(first != EMPTY, "the cells are those of the fill value")


def check_cells_killed_within_chunks(scratch):
    """The same where the new cells lie in chunks that were there before."""
    check_cells_killed(scratch, "3,2")


def check_cells_late(scratch):
    """F-86: a WRITE_INTENT after the PREPARE says that the growth did not happen, whatever the leader says."""
    _, (follower, _), _ = fleet_with_cells(scratch, "cells-late")
    *names, intent, prepare, commit = journal(follower).records
    for last in ([], [commit]):
        put(follower, [*names, prepare, intent, *last])
        seen(follower, scratch, ANNOUNCED, "F-86")
    must(TOOL, "extend", follower, "--axis", "t", "--by", "1")
    seen(follower, scratch, DONE, "F-33, F-86", EMPTY)


def check_cells_calls(scratch):
    """F-90: cells are durable before any PREPARE is written, and PREPARE of the followers before the leader's."""
    paths = new_fleet(scratch, "cells-traced")
    log = os.path.join(scratch, "log")
    done = run("strace", "-f", "-y", "-e", "trace=pwrite64,fdatasync", "-o", log, MAKE, "append", *paths) \
        if shutil.which("strace") else None
    if done is None or done.returncode != 0:
        print("SKIPPED: the order of system calls (strace is not here, or may not trace)", file=sys.stderr)
        return
    with open(log, encoding="utf-8", errors="replace") as file:
        calls = [match.groups() for match in (re.match(r"(?:\d+ +)?(\w+)\(\d+<(.*?)>", line) for line in file) if match]
    leader, *others = sorted(paths, key=lambda path: read(path + ".xmd")[16:32])

    def places(call, path):
        return [k for k, found in enumerate(calls) if found == (call, os.path.realpath(path))]

    # The records of the followers are WRITE_INTENT, PREPARE, COMMIT; then come marks.
    written = {path: places("pwrite64", path + ".xmd") for path in paths}
    synced = {path: places("fdatasync", path + ".xmd") for path in paths}
    cells = [places("fdatasync", path + ".xta")[0] for path in paths]
    prepared, committed = [written[path][1] for path in paths], [written[path][2] for path in paths]
    check(max(cells) < min(prepared), "F-90: PREPARE before the cells are durable", calls)
    for path in others:
        check(written[path][1] < synced[path][0] < written[leader][1] < written[path][2] < synced[path][1] <
              written[leader][3], "F-90: the order of a follower", calls)
    check(written[leader][2] < synced[leader][0] < min(written[path][2] for path in others) and
          min(committed) == written[leader][2], "F-90: the order of the leader", calls)


def check_damage(scratch):
    """F-24 for the three records."""
    path = os.path.join(scratch, "damage")
    growth = j.growth([(0, 0, 1)], [(0, 0, 1)])
    number, leader = b"n" * 16, b"l" * 16
    good = number + leader + struct.pack("<II", 3, 0) + b"a/b" + bytes(5) + growth
    create = j.Record(j.CREATE, j.create([2, 2], [4, 4]))

    def case(name, kind, payload, text):
        write(path + ".xmd", j.Journal([create, j.Record(kind, payload)]).encode())
        write(path + ".xta", b"", 1 << 12)
        status, words = library(path)
        if text is None:
            check(status == "XTA_OK" and reader(path)[0], "F-87:", name, status, words)
        else:
            check(status == "XTA_ECORRUPT" and text in words, "F-24:", name, status, words)
            check(not reader(path)[0], "F-24: the reference reader takes", name)

    case("good", j.PREPARE, good, None)
    case("no path", j.PREPARE, number + leader + struct.pack("<II", 0, 0) + growth, "path of the leader")
    case("long path", j.PREPARE, number + leader + struct.pack("<II", 4096, 0) + b"a" * 4096 + growth,
         "path of the leader")
    case("cut path", j.PREPARE, number + leader + struct.pack("<II", 99, 0) + b"a", "path of the leader")
    case("zero in the path", j.PREPARE, good.replace(b"a/b", b"a\0b"), "path of the leader")
    case("axis 2", j.PREPARE, good[:-32] + j.growth([(2, 0, 1)])[8:] + good[-16:], "out of range")
    case("short", j.PREPARE, good[:-1], "wrong length")
    for kind in (j.COMMIT, j.SETTLED):
        case("COMMIT or SETTLED of 15 bytes", kind, number[:15], "wrong length")
        case("COMMIT or SETTLED alone", kind, number, None)


def main():
    with folder() as scratch:
        parts = (check_records, check_killed, check_leader_gone, check_compacted, check_cells, check_cells_killed,
                 check_cells_killed_within_chunks, check_cells_late, check_cells_calls, check_damage)
        for part in parts:
            part(scratch)
    finish(f"group: {len(parts)} parts")


main()
