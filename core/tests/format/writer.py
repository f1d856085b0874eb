"""The duties of a writer (section 10), checked from outside: in its files, in its treatment of files of a killed
writer, and in its system calls.

Shows F-2, F-11, F-14, F-15, F-21, F-52, F-53, F-57, F-58, F-67, F-70..F-82, F-103, F-109.

SPDX-License-Identifier: Apache-2.0
"""
import fcntl
import os
import re
import shutil
import struct
import subprocess
import sys
import time
import uuid

import journal as j
from common import (GOLDEN, TOOL, both_cells, check, finish, folder, library, must, read, reader, run,
                    write)


def marks_of(path):
    """[(count, durable, checkpoint, boot)] of both places; None where the checksum is wrong."""
    data, marks = read(path + ".xmd"), []
    for at in (64, 96):
        *fields, checksum = struct.unpack_from("<QQQII", data, at)
        marks.append(tuple(fields) if j.crc32c(data[at:at + 28]) == checksum else None)
    return marks


def newest(path):
    return max(mark for mark in marks_of(path) if mark is not None)


def kinds(path):
    return [record.kind for record in j.decode(read(path + ".xmd")).records]


LAYOUTS = {"direct": (), "headerless": ("--headerless",)}
layout = "direct"


def create(scratch, name, *options):
    path = os.path.join(scratch, name)
    must(TOOL, "create", path, *LAYOUTS[layout], "--type", "u8", "--bounds", "4,4", "--chunk", "2,2", "--fill", "7",
         *options)
    return path


def cells(path, box):
    return must(TOOL, "read", path, "--box", box).split()


def check_marks(scratch):
    path = create(scratch, "marks")
    length = os.path.getsize(path + ".xmd")
    marks = marks_of(path)
    check([mark[0] for mark in marks] in ([0, 1], [2, 1]), "F-15: counts", marks)
    check(all(mark[1] == length for mark in marks), "F-15: durable bytes", marks)
    header = read(path + ".xmd")[:64]
    given = uuid.UUID(bytes=header[16:32])
    check(given.version == 4 and given.variant == uuid.RFC_4122, "the UUID is", given)
    check(header[32:60] == bytes(28), "F-2: reserved bytes of the header")
    for step in range(5):
        before = newest(path)
        must(TOOL, "extend", path, "--axis", "0", "--by", "1")
        marks = marks_of(path)
        check(newest(path)[0] > before[0], "step", step, "wrote no mark")
        check(newest(path)[1] == os.path.getsize(path + ".xmd"), "F-78: durable bytes", marks)
        for place, mark in enumerate(marks):
            check(mark is not None and mark[0] % 2 == place, "F-14: places", marks)
    check(read(path + ".xmd")[:64] == header, "F-11: the header has changed")


def check_boot(scratch):
    """F-76, F-77: ghost cells and stored cells outside the bounds, as a loss of power leaves them."""
    path = create(scratch, "boot")
    with open("/proc/sys/kernel/random/boot_id", "rb") as file:
        stamp = j.crc32c(file.read()) | 1
    check(newest(path)[3] == stamp, "F-77: boot stamp", newest(path)[3], "is not", stamp)
    must(TOOL, "extend", path, "--axis", "0", "--by", "1", "--axis", "1", "--by", "1")
    other = stamp ^ 0x55555554
    for size, (boot, compacts) in enumerate(((0, False), (other, False), (other, True)), 6):
        data = bytearray(read(path + ".xmd"))
        for place, mark in enumerate(marks_of(path)):
            data[64 + 32 * place:96 + 32 * place] = j.Mark(*mark[:3], boot).encode()
        write(path + ".xmd", data)
        # Everything that is not a cell within the bounds; slots beyond the last one as well.
        plain = read(path + ".xta")
        ghosts = mask_of_ghosts(path, plain)
        write(path + ".xta", bytes(b if keep else 0xEE for b, keep in zip(plain, ghosts)) +
              b"\xdd" * 4096)
        if compacts:
            must(TOOL, "compact", path)
            check(newest(path)[3] == boot, "F-81: the new journal has another stamp", newest(path))
        must(TOOL, "extend", path, "--axis", "0", "--by", "1", "--axis", "1", "--by", "1")
        found = cells(path, f"0:{size},0:{size}")
        check(set(found) == {"7"}, "F-58, F-73, F-76: cells came to life:", found)
        check(newest(path)[3] == stamp, "F-76: the new mark has no stamp", newest(path))


def mask_of_ghosts(path, data):
    """For each byte of the data file whether it is a cell within the bounds."""
    text = reader(path)[1]
    bounds = [tuple(map(int, part.split(":")))
              for part in re.search(r"^bounds (.*)$", text, re.M).group(1).split(",")]
    begin = 4096 if layout == "direct" else 0
    keep = [k < begin for k in range(len(data))]
    for line in reader(path, "--addresses")[1].splitlines():
        address, coords = line.split("\t")
        row, column = map(int, coords.split(","))
        for place in range(4):
            y, x = 2 * row + place // 2, 2 * column + place % 2
            keep[begin + 4 * int(address) + place] = (bounds[0][0] <= y < bounds[0][1] and
                                              bounds[1][0] <= x < bounds[1][1])
    return keep


def check_tail(scratch):
    """F-71: remains of a killed writer are gone after the next change; F-21: a checker reports them."""
    path = create(scratch, "tail")
    must(TOOL, "extend", path, "--axis", "0", "--by", "2")
    whole = read(path + ".xmd")
    write(path + ".xmd", whole + j.Record(j.EXTEND, j.growth([(0, 0, 1)])).encode(2)[0][:40])
    check(must(TOOL, "info", path) != "", "a torn tail is refused")
    check(read(path + ".xmd")[len(whole):] != b"", "a reader has cut a tail")
    must(TOOL, "extend", path, "--axis", "1", "--by", "1")
    check(kinds(path) == [j.CREATE, j.EXTEND, j.EXTEND], "F-71: records", kinds(path))
    check(read(path + ".xmd")[128:len(whole)] == whole[128:], "F-72: old records were changed")
    write(path + ".xmd", read(path + ".xmd")[:len(whole) + 8])
    check(run(TOOL, "check", path).returncode == 1, "F-21: lost records are not found")
    check(library(path)[0] == "XTA_OK", "F-19: the rest cannot be read")


def check_lock(scratch):
    """F-70: a change waits for the lock; a reader does not."""
    path = create(scratch, "lock")
    with open(path + ".xmd", "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with subprocess.Popen([TOOL, "extend", path, "--axis", "0", "--by", "3"],
                              stdout=subprocess.DEVNULL) as change:
            time.sleep(0.5)
            check(change.poll() is None, "F-70: a writer does not wait for the lock")
            check("bounds 0:4,0:4" in library(path)[1], "F-70: a reader waits, or sees too much")
            fcntl.flock(file, fcntl.LOCK_UN)
            check(change.wait(60) == 0, "the change failed")
    check("bounds 0:7,0:4" in library(path)[1], "F-70: the change is lost")


def check_shrink(scratch):
    """F-73, F-74: whole slots become holes, and cells that come back are fill."""
    path = os.path.join(scratch, "shrink")
    must(TOOL, "create", path, "--type", "u8", "--bounds", "4,262144", "--chunk", "2,65536", "--fill",
         "7")
    must(TOOL, "fill", path, "--box", "0:4,0:262144", "--value", "9")
    full = os.stat(path + ".xta").st_blocks
    must(TOOL, "shrink", path, "--axis", "1", "--by", "196609")
    left = os.stat(path + ".xta").st_blocks
    check(left * 2 <= full, "F-74: of", full, "blocks", left, "are left")
    must(TOOL, "extend", path, "--axis", "1", "--by", "196609")
    check(set(cells(path, "0:4,65535:262144")) == {"7"}, "F-73: cells came back to life")
    check(set(cells(path, "0:4,0:65535")) == {"9"}, "F-74: cells within the bounds are gone")
    check(kinds(path) == [j.CREATE, j.SHRINK, j.EXTEND], "records", kinds(path))


def check_reached(scratch):
    """F-33, F-73, F-75: cells of an append that was never committed, as its WRITE_INTENT announced them."""
    path = create(scratch, "reach")
    must(TOOL, "extend", path, "--axis", "0", "--by", "1")
    whole = read(path + ".xmd")
    reach = j.Record(j.WRITE_INTENT, j.growth([(0, 0, 1)])).encode(2)[0]
    write(path + ".xmd", whole + reach)
    data = bytearray(read(path + ".xta"))
    keep = mask_of_ghosts(path, data)
    write(path + ".xta", bytes(b if k else 0xAA for b, k in zip(data, keep)))
    must(TOOL, "extend", path, "--axis", "0", "--by", "1")
    check(set(cells(path, "0:6,0:4")) == {"7"}, "F-73: cells that WRITE_INTENT announced came to life")
    history = kinds(os.path.join(GOLDEN, "history"))
    check(j.WRITE_INTENT in history and history[history.index(j.WRITE_INTENT) + 1] == j.EXTEND,
          "F-75: an append leaves", history)


def check_checkpoint(scratch):
    """F-80, F-67: a long journal gets a checkpoint when it is closed, and reading begins there."""
    path = create(scratch, "long")
    for _ in range(4):
        must(TOOL, "attr", path, "note=" + 100000 * "t")
    offset = newest(path)[2]
    check(offset > 0 and j.CHECKPOINT in kinds(path), "F-80: no checkpoint", kinds(path))
    both_cells(path, scratch)
    # Records before the checkpoint are not read; without a mark they are.
    data = bytearray(read(path + ".xmd"))
    data[128 + 30] ^= 1
    write(path + ".xmd", data)
    both_cells(path, scratch)
    data[64:128] = bytes(64)
    write(path + ".xmd", data)
    check(library(path)[0] == "XTA_ECORRUPT" and not reader(path)[0], "F-13, F-67: damage unseen")


def check_compaction(scratch):
    """F-11, F-81, F-82."""
    path = os.path.join(scratch, "compact")
    for suffix in (".xmd", ".xta"):
        shutil.copy(os.path.join(GOLDEN, "history" + suffix), path + suffix)
    before, found = read(path + ".xmd"), both_cells(path, scratch)
    last = j.decode(before)
    number = last.first_sequence + len(last.records)
    must(TOOL, "compact", path)
    after = j.decode(read(path + ".xmd"))
    check(both_cells(path, scratch) == found, "F-81: compaction has changed the array")
    check([record.kind for record in after.records] == [j.CHECKPOINT], "F-81: records")
    check(after.first_sequence == number + 1, "F-81: number", after.first_sequence, "after", number)
    check(before[:64] == read(path + ".xmd")[:64], "F-11: the header has changed")
    check(newest(path)[2] == 128, "F-81: the mark names no checkpoint")
    # Killed before the rename: SUPERSEDED is in the file that the path names.
    write(path + ".xmd", before + j.Record(j.SUPERSEDED).encode(number)[0])
    check(both_cells(path, scratch) == found, "F-82: SUPERSEDED means something")
    must(TOOL, "extend", path, "--axis", "0", "--by", "1")
    check(kinds(path)[-1] == j.EXTEND and j.SUPERSEDED not in kinds(path), "F-82: records", kinds(path))


def check_policies():
    """F-52, F-53: what policy_* allocated, by the table and by hand: 3 x 2 chunks, then axis 1 needs
    one more, axis 0 five at the front, axis 1 eight at the front."""
    expected = {"exact": [[(1, 0, 1)], [(0, 1, 5)], [(1, 1, 8)]],
                "shell": [[(1, 0, 1)], [(0, 1, 5)], [(1, 1, 8)]],
                "linear": [[(1, 0, 3)], [(0, 1, 6)], [(1, 1, 9)]],
                "exponential": [[(1, 0, 4)], [(0, 1, 6)], [(1, 1, 12)]],
                "cubical": [[(1, 0, 1)], [(0, 1, 5), (1, 0, 5)], [(1, 1, 8), (0, 0, 8)]]}
    for policy, wanted in expected.items():
        found = []
        for record in j.decode(read(os.path.join(GOLDEN, f"policy_{policy}.xmd"))).records:
            if record.kind == j.EXTEND:
                n_growths, n = struct.unpack_from("<II", record.payload)
                found.append([struct.unpack_from("<IIQ", record.payload, 8 + 16 * (n_growths + k))
                              for k in range(n)])
        check(found[0] == [], policy, "F-53: ghost cells were allocated", found[0])
        check(found[1:] == wanted, policy, "F-52: allocates", found[1:])


def traced(*words):
    """The system calls of a command that touch its files: (name, rest of the line)."""
    log = os.path.join(words[0], "calls")
    done = run("strace", "-f", "-y", "-e", "trace=pwrite64,fdatasync,fsync,ftruncate,rename,renameat2,"
               "flock", "-o", log, TOOL, *words[1:])
    if done.returncode != 0:
        return None
    with open(log, encoding="utf-8", errors="replace") as file:
        return [match.groups() for match in
                (re.match(r"(?:\d+ +)?(\w+)\((.*)", line) for line in file) if match]


def places(calls, name, part):
    return [k for k, (call, rest) in enumerate(calls) if call == name and part in rest]


def check_calls(scratch):
    """F-57, F-70, F-72, F-78, F-79, F-81: the sequence of system calls."""
    path = os.path.join(scratch, "traced")
    calls = traced(scratch, "create", path, "--type", "u8", "--bounds", "4,4", "--chunk", "2,2") \
        if shutil.which("strace") else None
    if calls is None:
        print("SKIPPED: the order of system calls (strace is not here, or may not trace)",
              file=sys.stderr)
        return
    renames = [k for k, (call, _) in enumerate(calls) if call.startswith("rename")]
    data_synced = places(calls, "fdatasync", ".xta>")
    journal_synced = places(calls, "fdatasync", ".xmd.new-")
    folder_synced = places(calls, "fdatasync", os.path.basename(scratch) + ">")
    check(len(renames) == 1 and data_synced and journal_synced and folder_synced and
          data_synced[0] < journal_synced[0] < renames[0] < folder_synced[0],
          "F-79: a creation calls", calls)
    calls = traced(scratch, "extend", path, "--axis", "0", "--by", "2")
    longer = places(calls, "ftruncate", ".xta")
    written = places(calls, "pwrite64", ".xmd")
    locked, free = places(calls, "flock", "LOCK_EX"), places(calls, "flock", "LOCK_UN")
    journal_synced = places(calls, "fdatasync", ".xmd")
    data_synced = places(calls, "fdatasync", ".xta")
    check(longer and longer[0] < written[0], "F-57: a growth calls", calls)
    check(len(written) == 2 and written[0] < data_synced[0] < journal_synced[0] < written[1],
          "F-72, F-78: a growth calls", calls)
    check(all(any(a < k < b for a, b in zip(locked, free)) for k in written),
          "F-70: something is written without the lock", calls)
    calls = traced(scratch, "compact", path)
    moved, renames = places(calls, "pwrite64", ".xmd>"), \
        [k for k, (call, _) in enumerate(calls) if call.startswith("rename")]
    fresh = places(calls, "fdatasync", ".xmd.new-")
    check(len(moved) == 1 and len(fresh) == 1 and moved[0] < fresh[0] < renames[0],
          "F-81: a compaction calls", calls)


def check_data_header(scratch):
    """F-103, F-109: the header of a new data file, and that files of two different arrays are refused."""
    one, two = create(scratch, "one"), create(scratch, "two")
    slots = {"small": ("4,4", "2,2", 4096), "large": ("1024,1024", "1024,512", 2 << 20),
             "stripe": ("4,4", "2,2", 3 << 20)}
    for name, (bounds, chunk, offset) in slots.items():
        path = os.path.join(scratch, name)
        align = ["--align", str(offset)] if name == "stripe" else []
        must(TOOL, "create", path, "--type", "u8", "--bounds", bounds, "--chunk", chunk, *align)
        constants = j.decode(read(path + ".xmd")).records[0].payload
        slot_bytes, data_offset = struct.unpack_from("<QQ", constants, 32)
        check((constants[7], data_offset) == (2, offset), "F-103:", name, constants[7], data_offset)
        given = read(path + ".xmd")[16:32]
        check(read(path + ".xta")[:64] == j.data_header(given, data_offset, slot_bytes),
              "F-109: the header of", name)
        check(os.stat(path + ".xta").st_blocks <= 8, name, "takes", os.stat(path + ".xta").st_blocks)
    for a, b in ((one, two), (two, one)):
        mixed = os.path.join(scratch, "mixed")
        shutil.copy(a + ".xmd", mixed + ".xmd")
        shutil.copy(b + ".xta", mixed + ".xta")
        status, text = library(mixed)
        check(status == "XTA_ECORRUPT" and "belongs to the array" in text, "F-109:", status, text)
        done = run(TOOL, "check", mixed)
        check(done.returncode == 1 and "belongs to the array" in done.stdout, "F-109: check says", done)
        check(not reader(mixed)[0], "F-109: the reference reader accepts halves")
        check(run(TOOL, "extend", mixed, "--axis", "0", "--by", "1").returncode == 1, "F-109: grown")
        check(read(mixed + ".xmd") == read(a + ".xmd"), "F-109: the journal was changed")


def main():
    global layout
    check_policies()
    for layout in LAYOUTS:
        with folder() as scratch:
            for part in (check_marks, check_boot, check_tail, check_lock, check_shrink, check_reached,
                         check_checkpoint, check_compaction, check_calls):
                part(scratch)
    layout = "direct"
    with folder() as scratch:
        check_data_header(scratch)
    finish("writer: 19 parts")


main()
