"""Growth of several arrays in one step (5.6), checked in the files: the records of a successful one, and how the
library and the reference reader read the journals left by a killed process.

Shows F-86..F-90.

SPDX-License-Identifier: Apache-2.0
"""
import os
import shutil
import struct

import journal as j
from common import TOOL, both_cells, check, finish, folder, library, must, read, reader, run, write

ANNOUNCED, DONE = "bounds 0:4,0:4\n", "bounds 0:5,0:4\n"
ALL = [j.CREATE, j.PREPARE, j.COMMIT, j.SETTLED]


def journal(path):
    return j.decode(read(path + ".xmd"))


def kinds(path):
    return [record.kind for record in journal(path).records]


def cut(path, n):
    """Keep the first n records, as if the process had been killed before it wrote the next one."""
    data = read(path + ".xmd")
    whole = j.decode(data)
    whole.marks = [j.Mark(count, j.HEADER_BYTES) for count in (0, 1)]
    whole.records = whole.records[:n]
    write(path + ".xmd", whole.encode())


def fleet(scratch, name):
    """Three arrays in two folders that have grown together; the leader first."""
    root = os.path.join(scratch, name)
    os.makedirs(os.path.join(root, "deep"))
    paths = [os.path.join(root, part) for part in ("a", "b", "deep/c")]
    for path in paths:
        must(TOOL, "create", path, "--type", "u8", "--bounds", "4,4", "--chunk", "2,2", "--names", "t,x")
    cells = must(TOOL, "extend", *paths, "--axis", "t", "--by", "1")
    check(cells == "".join(f"{path}\t0:5,0:4\n" for path in paths), "the tool printed", cells)
    paths.sort(key=lambda path: read(path + ".xmd")[16:32])
    return paths


def seen(path, scratch, bounds, sentences):
    both = both_cells(path, scratch)
    check(both is not None and bounds in both[0], f"{sentences}: {path} should have {bounds}", both)


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
        for part in (check_records, check_killed, check_leader_gone, check_compacted, check_damage):
            part(scratch)
    finish("group: 5 parts")


main()
