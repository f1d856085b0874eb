"""Damaged and hostile journals: each has a status and a part of the text that the library must give, and
the reference reader must refuse it too. Journals that are unusual but valid must be read by both.

All are made here, with correct checksums unless the checksum is the damage, so that the intended check is reached.
Numbers in the table are those of the sentences of docs/FORMAT.md.

SPDX-License-Identifier: Apache-2.0
"""
import os
import resource
import struct

import journal as j
from common import LOOK, both_cells, check, finish, folder, library, read, reader, write

BIG = 1 << 62
OK = object()
cases = []  # (sentences, name, journal or bytes, data file, status, part of the text, writable)

# Two axes, chunks of 2 x 2 bytes in slots of 4, 4 x 4 cells: 4 chunks.
GOOD = j.create([2, 2], [4, 4])
GROW = j.growth([(0, 0, 2)], [(0, 0, 1)])
CORRUPT, FORMAT, MISSING = "XTA_ECORRUPT", "XTA_EFORMAT", "XTA_ENOENT"


def case(sentences, name, what, status, text="", data=1 << 16, writable=False):
    """`data`: the length of a data file of zeros, its bytes, or None; `writable`: of the refusal only."""
    cases.append((sentences, name, what, data, status, text, writable))


def records(*items):
    return j.Journal([j.Record(*item) for item in items])


def bad(sentences, name, items, text, **options):
    case(sentences, name, records(*items), CORRUPT, text, **options)


def edited(change):
    """The good journal with CREATE and two EXTEND, changed by a function."""
    journal = records((j.CREATE, GOOD), (j.EXTEND, GROW), (j.EXTEND, GROW))
    out = change(journal)
    return journal if out is None else out


def put(name, value):
    return edited(lambda journal: setattr(journal, name, value))


# ---- 4.1, 4.2, 3 ----

def header_cases():
    whole = edited(lambda journal: None).encode()
    case("F-8", "empty", b"", FORMAT, "offset 0: not an XTA journal")
    case("F-8", "other format", b"\x89HDF\r\n\x1a\n" + bytes(200), FORMAT, "not an XTA journal")
    case("F-8", "magic without its first byte", put("magic", b"XTA\r\n\x1a\n\0"), FORMAT, "magic")
    case("F-9", "header cut", whole[:127], CORRUPT, "offset 127: the file ends within the header")
    case("F-9", "header checksum", put("header_checksum", 1), CORRUPT, "checksum is wrong")
    case("F-9", "reserved byte flipped", whole[:40] + b"\1" + whole[41:], CORRUPT, "checksum")
    case("F-10", "major 2", put("version", (2, 0)), FORMAT, "format version 2")
    case("F-10", "major 0", put("version", (0, 0)), FORMAT, "format version 0")
    case("F-10", "longer header", put("header_bytes", 192), FORMAT, "format version 1")
    case("F-10", "minor 7", put("version", (1, 7)), OK, "step 2")
    case("F-2", "reserved bytes set", put("reserved", b"\xff" * 28), OK, "step 2")
    case("F-68", "no record", whole[:128], CORRUPT, "no whole record follows the header")
    case("F-68", "first record torn", whole[:150], CORRUPT, "no whole record follows the header")
    case("F-7", "no data file", whole, MISSING, "the data file is missing", data=None)
    case("F-7", "no journal", None, MISSING, "the journal is missing")


def mark_cases():
    end = len(edited(lambda journal: None).encode())
    good, torn = j.Mark(4, end), j.Mark(5, end, 999, good=False)
    for marks in ([good, torn], [torn, good], [torn, torn]):
        case("F-12, F-13", "torn marks", put("marks", marks), OK, "step 2")
    # The valid mark decides whether damage in the middle was durable.
    for a, b, refused in (((5, 128), (4, end), False), ((4, end), (5, 128), False),
                          ((5, end), (4, 128), True), ((5, end), (5, 128), False),
                          ((5, 128), (5, end), True)):
        journal = edited(lambda one: setattr(one.records[1], "checksum", 5))
        journal.marks = [j.Mark(*a), j.Mark(*b)]
        case("F-12", f"marks {a} and {b}", journal, CORRUPT if refused else OK,
             "a record is damaged" if refused else "step 0")
    case("F-67", "checkpoint where none is", put("marks", [good, j.Mark(5, end, 136)]), OK, "step 2")
    case("F-67", "checkpoint at an odd place", put("marks", [good, j.Mark(5, end, 129)]), OK,
         "step 2")
    case("F-67", "checkpoint far away", put("marks", [good, j.Mark(5, end, BIG)]), OK, "step 2")
    case("F-67", "checkpoint is an EXTEND", put("marks", [good, j.Mark(5, end, 224)]), OK, "step 2")
    # A checkpoint with another step than the records before it shows where reading began.
    for sentence, name, durable, boot, step in (
            ("F-67", "durable", end + 8, 0, 7), ("F-111", "not durable, no boot stamp", end, 0, 2),
            ("F-111", "not durable, another boot", end, 3, 2)):
        journal = edited(lambda one: one.records.append(j.Record(j.CHECKPOINT, flat_checkpoint())))
        journal.marks = [good, j.Mark(5, durable, end, boot)]
        case(sentence, "checkpoint: " + name, journal, OK, f"step {step}")


# ---- 4.3 ----

def damaged(marks, **fields):
    """The first EXTEND damaged, with a complete record after it."""
    def change(journal):
        end = len(journal.encode())
        for name, value in fields.items():
            setattr(journal.records[1], name, value)
        journal.marks = [j.Mark(1, durable, 0) for durable in marks(end)]
    return edited(change)


def record_cases():
    for name, fields in (("checksum", {"checksum": 5}), ("type 0", {"kind": 0}),
                         ("number again", {"sequence": 0}),
                         ("number left out", {"sequence": 9}), ("length", {"length": 1 << 28}),
                         ("length beyond the limit", {"length": 0xFFFFFFFF})):
        case("F-16, F-17, F-20", "damage that was durable: " + name,
             damaged(lambda end: (end, end), **fields), CORRUPT,
             "offset 232: a record is damaged, and whole records follow")
        case("F-19, F-20", "the same, never durable: " + name,
             damaged(lambda end: (200, 232), **fields), OK, "step 0")
    for kind in (18, 999, 65535):
        bad_type = edited(lambda journal: setattr(journal.records[2], "kind", kind))
        case("F-18", f"type {kind}", bad_type, FORMAT,
             f"a record of type {kind}, which this library does not know")
        skipped = edited(lambda journal: journal.records.insert(1, j.Record(kind, b"later")))
        skipped.records[1].reserved = (1, 0)
        case("F-101", f"type {kind} that may be passed over", skipped, OK, "step 2")
        case("F-101", f"type {kind} that may be passed over, opened to write", skipped, FORMAT,
             f"record of type {kind}, which this library does not know: the array can be read, not "
             "changed", writable=True)
    case("F-16", "numbers begin anywhere", put("first_sequence", 1 << 40), OK, "step 2")
    case("F-19", "zeros behind", put("tail", bytes(64)), OK, "step 2")
    case("F-2, F-102", "flags and reserved bytes of a record",
         edited(lambda journal: setattr(journal.records[1], "reserved", (9, 9))), OK, "step 2")
    head = struct.pack("<IHHQII", 250 << 20, j.EXTEND, 0, 3, 0, 0)
    case("F-22", "announces 250 MiB", put("tail", head), OK, "step 2")
    case("F-44", "a checkpoint that is not read",
         records((j.CHECKPOINT, flat_checkpoint()), (j.CHECKPOINT, b"anything")), OK, "step 7")


# ---- 5 ----

def create_cases():
    def bad_create(name, text, chunk=(2, 2), bounds=(4, 4), sentence="F-24", **fields):
        bad(sentence, "create: " + name, [(j.CREATE, j.create(chunk, bounds, **fields))], text)

    bad("F-23", "begins with EXTEND", [(j.EXTEND, GROW)], "does not begin with the creation")
    bad("F-23", "begins with an attribute", [(j.ATTRIBUTE, j.text(j.ON_ARRAY, b"a", b"b"))],
        "does not begin with the creation")
    bad("F-23", "two creations", [(j.CREATE, GOOD), (j.CREATE, GOOD)], "created twice")
    bad_create("0 axes", "number of axes", (), (), "F-83")
    bad_create("33 axes", "number of axes", [1] * 33, [1] * 33, "F-83")
    bad_create("2^32 - 1 axes", "number of axes", ndim=0xFFFFFFFF)
    for kind in (0, 16, 17, 65535):
        bad_create(f"type {kind}", "element type", kind=kind, sentence="F-25")
    bad_create("u8 of 2 bytes", "element type", cell_bytes=2, sentence="F-25")
    bad_create("bytes:0", "element type", kind=15, cell_bytes=0, sentence="F-25")
    bad_create("bytes:65536", "element type", kind=15, cell_bytes=65536, slot_bytes=1 << 20,
               sentence="F-83")
    bad_create("order 4", "order of cells", order=4)
    bad_create("layout 1", "layout", layout=1, sentence="F-84")
    bad_create("codec 1", "codec", codec=1, sentence="F-84")
    bad_create("layout 3", "layout", layout=3, sentence="F-84")
    for offset in (0, 64, 4095, 6000, BIG, BIG + 4096, (1 << 64) - 4096):
        bad_create(f"data offset {offset}", "data offset", layout=2, data_offset=offset,
                   sentence="F-103")
    bad_create("policy 5", "policy", policy=5)
    bad_create("alignment 0", "alignment", alignment=0)
    bad_create("slot of 0 bytes", "slot length", slot_bytes=0)
    bad_create("slot too small", "more bytes than its slot", slot_bytes=3, sentence="F-83")
    bad_create("slot of 2^62 + 1", "or than 2^62", (2,), (0,), slot_bytes=BIG + 1, sentence="F-83")
    bad_create("chunk length 0", "a chunk length or a bound", chunk=(0, 2))
    bad_create("chunk length 2^62", "a chunk length or a bound", chunk=(BIG, 2))
    bad_create("negative bound", "a chunk length or a bound", bounds=(-1, 4))
    bad_create("bound 2^62", "a chunk length or a bound", bounds=(BIG, 0), sentence="F-83")
    bad_create("2^62 cells in a chunk", "2^62", (1 << 31, 1 << 31), (0, 0), slot_bytes=BIG,
               sentence="F-83")
    bad_create("2^63 bytes in a chunk", "2^62", (1 << 31, 1 << 30), (0, 0), kind=5, cell_bytes=2,
               slot_bytes=BIG - 1, sentence="F-83")
    bad_create("2^64 chunks", "2^62", (1, 1), (1 << 32, 1 << 32), slot_bytes=1, sentence="F-83")
    bad_create("slots of 2^63 bytes", "2^62", (1,), (1 << 31,), slot_bytes=1 << 32, sentence="F-83")
    for order in (2, 3):
        bad_create("no power of two", "powers of two", (2, 3), (4, 4), order=order, slot_bytes=8)
    bad_create("too many shells", "shells", (1, 1), ((1 << 16) + 2, 1), policy=4, sentence="F-83")
    bad("F-24", "create: cut", [(j.CREATE, GOOD[:30])], "too short")
    bad("F-24", "create: cut in the fill value",
        [(j.CREATE, j.constants(1, 15, cell_bytes=99, slot_bytes=200)[:90])], "too short")
    bad("F-24", "create: cut in the axes", [(j.CREATE, GOOD[:-8])], "wrong length")
    bad("F-24", "create: longer", [(j.CREATE, GOOD + bytes(8))], "wrong length")
    bad("F-24", "create: empty", [(j.CREATE, b"")], "too short")


def growth_cases():
    def bad_growth(name, text, payload, kind=j.EXTEND, sentence="F-24", first=GOOD):
        bad(sentence, f"growth: {name}", [(j.CREATE, first), (kind, payload)], text)

    one = (0, 0, 2)
    for kind in (j.EXTEND, j.SHRINK, j.WRITE_INTENT):
        bad_growth("none", "wrong length", j.growth([]), kind)
        bad_growth("empty payload", "wrong length", b"", kind)
        bad_growth("axis 2", "an axis, a side", j.growth([(2, 0, 1)]), kind)
        bad_growth("axis 2^32 - 1", "an axis, a side", j.growth([(0xFFFFFFFF, 0, 1)]), kind)
        bad_growth("side 2", "an axis, a side", j.growth([(0, 2, 1)]), kind)
        bad_growth("2^62 cells", "an amount", j.growth([(0, 0, BIG)]), kind, "F-83")
        bad_growth("65 of them", "wrong length", j.growth([(0, 0, 0)] * 65), kind, "F-83")
        bad_growth("2^32 - 1 announced", "wrong length", j.growth([one], n_growths=0xFFFFFFFF), kind,
                   "F-22")
        bad_growth("one more announced", "wrong length", j.growth([one], n_allocations=1), kind)
        bad_growth("longer", "wrong length", j.growth([one]) + bytes(8), kind)
    bad_growth("2049 allocations", "wrong length", j.growth([one], [(0, 0, 0)] * 2049),
               sentence="F-83")
    bad_growth("2^62 chunks", "an amount", j.growth([one], [(0, 0, BIG)]), sentence="F-83")
    bad_growth("allocation of axis 2", "an axis", j.growth([one], [(2, 0, 1)]))
    for text, growths, allocations in (
            ("do not hold the bounds", [one], []),
            ("do not hold the bounds", [(0, 1, 1)], [(0, 0, 1)]),
            ("do not hold the bounds", [(0, 0, 3)], [(0, 0, 1)]),
            ("addresses grow beyond 2^62", [one], [(0, 0, 1 << 59)]),
            ("addresses grow beyond 2^62", [one], [(0, 0, 1 << 31), (1, 0, 1 << 31)])):
        bad_growth(text, text, j.growth(growths, allocations), sentence="F-29")
    wide = j.create([1, 1 << 40], [0, BIG - (1 << 40)], slot_bytes=1 << 40)
    bad_growth("bounds", "bounds grow beyond 2^62", j.growth([(1, 0, 1 << 40)]), sentence="F-29",
               first=wide)
    bad_growth("bounds at the front", "bounds grow beyond 2^62",
               j.growth([(1, 1, BIG - 1), (1, 1, 1)]), sentence="F-29", first=wide)
    bad_growth("reach", "lie beyond 2^62", j.growth([(1, 0, 1 << 40)]), j.WRITE_INTENT, "F-83", wide)
    bad_growth("coordinates", "beyond 2^62", j.growth([(0, 0, 1)], [(1, 0, 2)]), first=wide,
               sentence="F-83")
    bad_growth("shrinks too much", "more cells than it has", j.growth([(0, 0, 5)]), j.SHRINK, "F-31")
    bad_growth("shrinks too much in two", "more cells than it has",
               j.growth([(0, 0, 3), (0, 1, 2)]), j.SHRINK, "F-31")
    bad_growth("shrink allocates", "more cells than it has", j.growth([one], [(0, 0, 1)]), j.SHRINK)
    case("F-30", "an allocation that no policy asks for",
         records((j.CREATE, GOOD), (j.EXTEND, j.growth([one], [(1, 1, 2), (0, 0, 3)]))), OK,
         "allocated 0:5,-2:2")
    case("F-33", "WRITE_INTENT is no step", records((j.CREATE, GOOD), (j.WRITE_INTENT, j.growth([one]))), OK,
         "bounds 0:4,0:4\nallocated 0:2,0:2\nchunks 4\nstep 0\n")
    case("F-50, F-51", "no chunk without a length on every axis",
         records((j.CREATE, j.create([2, 2], [0, 4])),
                 (j.EXTEND, j.growth([(1, 0, 4)], [(1, 0, 2)])),
                 (j.EXTEND, j.growth([(0, 1, 1)], [(0, 1, 0), (0, 1, 1)]))), OK,
         "segment 0 axis 0 front base 0 chunks 4 box -1:0,0:4\n")


def axis_cases():
    def bad_axis(name, payload, sentence="F-24", first=GOOD):
        bad(sentence, f"axis: {name}", [(j.CREATE, first), (j.ADD_AXIS, payload)],
            "the position or the name of the new axis is out of range")

    bad_axis("position 3", j.axis(3))
    bad_axis("position 2^32 - 1", j.axis(0xFFFFFFFF))
    bad_axis("name of 256 bytes", j.axis(0, b"n" * 256), "F-83")
    bad_axis("newline in the name", j.axis(0, b"a\nb"), "F-3")
    bad_axis("zero byte in the name", j.axis(0, b"a\0b"), "F-3")
    bad_axis("name longer than the payload", struct.pack("<II", 0, 9) + b"short")
    bad_axis("name shorter than the payload", j.axis(0, b"ab") + b"c")
    bad_axis("cut", j.axis(0)[:6])
    bad_axis("the 33rd", j.axis(0), "F-83", j.create([1] * 32, [1] * 32))
    case("F-35", "the 32nd", records((j.CREATE, j.create([1] * 31, [1] * 31)), (j.ADD_AXIS, j.axis(31))),
         OK, "axis 31 name  unit")


def attribute_cases():
    def bad_attribute(name, text, payload, kind=j.ATTRIBUTE, sentence="F-24"):
        bad(sentence, f"attribute: {name}", [(j.CREATE, GOOD), (kind, payload)], text)

    every = (j.ATTRIBUTE, j.REMOVE_ATTRIBUTE, j.AXIS_NAME, j.AXIS_UNIT)
    for kind in every:
        bad_attribute("axis 2", "axis of an attribute", j.text(2, b"a", b""), kind)
        bad_attribute("cut", "axis of an attribute", j.text(0, b"a", b"")[:20], kind)
        bad_attribute("delete in the name", "name of an attribute", j.text(0, b"a\x7f", b""), kind,
                      "F-3")
        bad_attribute("name beyond the payload", "name of an attribute",
                      j.attribute(0, b"abc", 16, 1, length=200), kind)
        bad_attribute("name of 256 bytes", "name of an attribute", j.text(0, b"n" * 256, b""), kind,
                      "F-83")
        bad_attribute("no padding", "too short", j.attribute(0, b"abc", 16, 1)[:-2], kind)
    for kind in every[2:]:
        bad_attribute("of the array", "axis of an attribute", j.attribute(j.ON_ARRAY, b"a"), kind)
    for kind in every[:2]:
        bad_attribute("no name", "name of an attribute", j.text(0, b"", b""), kind)
    for kind in every[1:]:
        bad_attribute("values", "wrong length", j.text(0, b"a", b"value"), kind, "F-40")
        case("F-40", "fields that mean nothing",
             records((j.CREATE, GOOD), (kind, j.attribute(1, b"a", 999, 77, 1 << 60))), OK, "step 0")
    for name, fields in (("type 0", (0, 1, 1)), ("type 17", (17, 1, 1)), ("i32 of 1 byte", (6, 1, 1)),
                         ("bytes:0", (15, 0, 1)), ("one more", (3, 1, 2)), ("one less", (3, 1, 0)),
                         ("2^64 bytes", (15, 2, (1 << 63) + 1)), ("2^63 values", (12, 8, 1 << 61))):
        bad_attribute(name, "type or length of an attribute",
                      j.attribute(0, b"a", *fields, values=b"v"))
    case("F-37..F-39", "set, set again, removed, removed again",
         records((j.CREATE, GOOD), (j.ATTRIBUTE, j.text(0, b"a", b"1")),
                 (j.ATTRIBUTE, j.text(0, b"b", b"2")), (j.ATTRIBUTE, j.text(0, b"a", b"3")),
                 (j.ATTRIBUTE, j.text(1, b"a", b"4")),
                 (j.REMOVE_ATTRIBUTE, j.attribute(1, b"a")), (j.REMOVE_ATTRIBUTE, j.attribute(1, b"a")),
                 (j.AXIS_NAME, j.attribute(0, b"x")), (j.AXIS_NAME, j.attribute(0, b""))), OK,
         "axis 0 name  unit \naxis 1 name  unit \n"
         "attribute axis 0 61 text 1 1 33\nattribute axis 0 62 text 1 1 32\n")


def flat_checkpoint(**changes):
    """3 x 2 chunks of 2 x 2 cells, the last row adjoined; step 7; everything may be changed."""
    fields = dict(axes=[(2, 0, 6, 0, 6, 0, 2), (2, 0, 4, 0, 4, 0, 2)], n_chunks=6,
                  axials=[(0, 0, j.INITIAL), (4, 0, 0)], step=7,
                  inner=[j.nested(j.ATTRIBUTE, j.text(0, b"a", b"1")),
                         j.nested(j.AXIS_UNIT, j.attribute(1, b"m"))])
    fields.update(changes)
    return j.checkpoint(**fields)


def checkpoint_cases():
    def bad_checkpoint(name, text, sentence="F-42", **changes):
        bad(sentence, f"checkpoint: {name}", [(j.CHECKPOINT, flat_checkpoint(**changes))], text)

    case("F-41, F-43", "a checkpoint", records((j.CHECKPOINT, flat_checkpoint())), OK,
         "segment 0 initial base 0 chunks 4 box 0:2,0:2\n"
         "segment 1 axis 0 back base 4 chunks 2 box 2:3,0:2\naxis 0 name  unit \n"
         "axis 1 name  unit 6d\nattribute axis 0 61 text 1 1 31\n")
    case("F-41", "one whose first segment grew at the front", records(
        (j.CHECKPOINT, flat_checkpoint(axes=[(2, -4, 0, -4, 0, -2, 0), (2, 0, 4, 0, 4, 0, 2)],
                                       n_chunks=4, axials=[(0, 0, j.FRONT)]))), OK,
         "segment 0 axis 0 front base 0 chunks 4 box -2:0,0:2\n")
    case("F-44", "a second checkpoint", records((j.CREATE, GOOD), (j.CHECKPOINT, flat_checkpoint())),
         OK, "step 0\n")
    row = (2, 0, 4, 0, 4, 0, 2)
    damage = "contradict each other"
    bad_checkpoint("bounds upside down", "a box", axes=[(2, 6, 0, 0, 6, 0, 2), row])
    bad_checkpoint("bounds outside the reached box", "a box", axes=[(2, 0, 6, 0, 4, 0, 2), row])
    bad_checkpoint("bounds outside the allocated box", "allocated box",
                   axes=[(2, 0, 7, 0, 8, 0, 2), row])
    bad_checkpoint("bound 2^62", "a box", "F-83", axes=[(2, 0, BIG, 0, BIG, 0, 2), row])
    bad_checkpoint("bound -2^62", "a box", "F-83", axes=[(2, -BIG, 6, -BIG, 6, 0, 2), row])
    bad_checkpoint("chunk length 0", "", axes=[(0, 0, 6, 0, 6, 0, 2), row])
    bad_checkpoint("slot too small", "more bytes than its slot", slot_bytes=2)
    bad_checkpoint("first box off 0", damage, axes=[(2, 0, 6, 0, 6, 1, 3), row])
    bad_checkpoint("first box beyond 2^62", damage, "F-83", axes=[(2, 0, 6, 0, 6, 0, BIG), row])
    bad_checkpoint("base not 0", damage, axials=[(1, 0, j.INITIAL), (4, 0, 0)])
    bad_checkpoint("bases descend", damage, axials=[(0, 0, j.INITIAL), (4, 0, 0), (4, 1, 0)])
    bad_checkpoint("gap", damage, axials=[(0, 0, j.INITIAL), (5, 0, 0)])
    bad_checkpoint("half a slab", damage, n_chunks=7)
    bad_checkpoint("fewer chunks", damage, n_chunks=4)
    bad_checkpoint("initial in the middle", damage, axials=[(0, 0, j.INITIAL), (4, 0, j.INITIAL)])
    bad_checkpoint("chunks without a segment", damage, axials=[])
    bad_checkpoint("addresses", damage, "F-83", n_chunks=BIG)
    bad_checkpoint("axis 2", "axial record", axials=[(0, 0, j.INITIAL), (4, 2, 0)])
    bad_checkpoint("flag 4", "axial record", axials=[(0, 0, j.INITIAL), (4, 0, 4)])
    bad_checkpoint("2^32 - 1 axial records", "more axial records", "F-22", n_axials=0xFFFFFFFF)
    bad_checkpoint("2^32 - 1 nested records", "attribute", "F-22", n_inner=0xFFFFFFFF)
    bad_checkpoint("nested EXTEND", "damaged", "F-24", inner=[j.nested(j.EXTEND, GROW)])
    bad_checkpoint("nested length", "damaged", "F-22",
                   inner=[j.nested(j.AXIS_NAME, j.attribute(0, b"x"), 0xFFFFFFFF)])
    bad_checkpoint("nested axis", "axis of an attribute", "F-24",
                   inner=[j.nested(j.AXIS_NAME, j.attribute(2, b"x"))])
    bad_checkpoint("layout 1", "layout", "F-84", layout=1)
    empty = (2, 0, 0, 0, 0, 0, 0)
    for name, axis in (("bounds beside an empty axis", (2, 0, 2, 0, 2, 0, 0)),
                       ("an empty axis too high", (2, 1, 1, 0, 2, 0, 0)),
                       ("an empty axis too low", (2, -9, -9, -9, -9, 0, 0))):
        bad_checkpoint(name, "allocated box", axes=[empty, axis], n_chunks=0, axials=[])
    bad_checkpoint("longer", "wrong length", "F-24", trailer=bytes(8))
    bad("F-24", "checkpoint: cut in the axes", [(j.CHECKPOINT, flat_checkpoint()[:100])], "too short")
    bad("F-24", "checkpoint: empty", [(j.CHECKPOINT, b"")], "too short")


# ---- 7 ----

def data_cases():
    """CREATE gives 4 chunks of 4 bytes, each EXTEND two more."""
    def marked(durable):
        return put("marks", [j.Mark(1, durable), j.Mark(0, 128)])

    end = len(edited(lambda journal: None).encode())
    case("F-59", "short, all durable", marked(end), CORRUPT, "offset 31: the file ends", data=31)
    case("F-59", "empty, all durable", marked(end), CORRUPT, "offset 0: the file ends", data=0)
    case("F-59", "a slot of CREATE is missing", marked(233), CORRUPT, "the file ends", data=15)
    case("F-60", "slots of the last growth are missing, it was not durable", marked(233), OK,
         "chunks 8", data=24)
    case("F-60", "no mark, no promise", put("marks", [j.Mark(good=False)] * 2), OK, "chunks 8", data=3)
    case("F-58", "longer", marked(end), OK, "chunks 8", data=1 << 20)


# ---- layout 2, unfinished work, attributes that grow ----

DIRECT = j.create([2, 2], [4, 4], layout=2)
UUID = bytes(range(16))


def direct(*items, uuid=UUID):
    journal = records((j.CREATE, DIRECT), *items)
    journal.uuid = uuid
    return journal


def header_of_data_cases():
    def refused(name, header, text, status=CORRUPT, sentence="F-109"):
        case(sentence, "data file: " + name, direct(), status, text, data=header)

    whole = j.data_header(UUID) + bytes(4096 - 64 + 16)
    case("F-103, F-109", "data file: whole", direct(), OK, "slot 4 from 4096", data=whole)
    case("F-2", "data file: reserved bytes", direct(), OK, "slot 4 from 4096",
         data=j.data_header(UUID, reserved=b"\xff" * 8) + whole[64:])
    case("F-109", "data file: bytes behind the header mean nothing", direct(), OK, "chunks 4",
         data=whole[:64] + b"\xee" * (4096 - 64) + bytes(16))
    refused("empty", b"", "ends within its header")
    for n in (1, 7, 63):
        refused(f"{n} bytes", whole[:n], "ends within its header" if n < 8 or n == 63 else "")
    refused("of zeros", bytes(5000), "magic")
    refused("a journal", direct().encode().ljust(5000, b"\0"), "magic")
    refused("checksum", j.data_header(UUID, checksum=1) + whole[64:], "checksum of the data file's")
    for at in range(8, 60, 5):
        flipped = bytearray(whole)
        flipped[at] ^= 0x10
        refused(f"byte {at} flipped", bytes(flipped), "checksum of the data file's")
    refused("another array", j.data_header(bytes(16)) + whole[64:],
            "belongs to the array 00000000000000000000000000000000, its journal to 0001020304")
    refused("another data offset", j.data_header(UUID, data_offset=8192) + whole[64:],
            "begin at 8192, the journal 4 and 4096")
    refused("another slot length", j.data_header(UUID, slot_bytes=8) + whole[64:],
            "chunks of 8 bytes")
    for name, fields in (("version 2", {"version": 2}), ("header of 128", {"length": 128}),
                         ("volume 1", {"volume": 1})):
        refused(name, j.data_header(UUID, **fields) + whole[64:], "use a newer release", FORMAT,
                "F-110")
    refused("slots missing", whole[:-1], "offset 4111: the file ends", sentence="F-59")


def work_cases():
    number, other = b"n" * 16, b"o" * 16
    box, before = [(0, 4), (0, 4)], [(0, 4), (0, 0)]
    begin = (j.WORK_BEGIN, j.work(number, box, before))
    shown = f"unfinished {number.hex()} verb 1 made 0 source {b'april.nc'.hex()} " \
            "box 0:4,0:4 before 0:4,0:0\n"

    def good(name, text, *items, sentence="F-105"):
        case(sentence, "work: " + name, records((j.CREATE, GOOD), *items), OK, text)

    def bad_work(name, text, *items, sentence="F-107"):
        bad(sentence, "work: " + name, [(j.CREATE, GOOD), *items], text)

    good("unfinished", shown, begin)
    beyond = (j.WORK_BEGIN, j.work(number, [(0, 9), (-3, 4)], before))
    good("beyond the bounds", "box 0:9,-3:4", beyond, (j.WORK_END, j.work_end(other)))
    cases.append(("F-115", "work: announced, not grown", records((j.CREATE, GOOD), beyond), 1 << 16, OK,
                  "-unfinished", False))
    good("made the array, and leaves its bounds", "made 1", sentence="F-115", *[
         (j.WORK_BEGIN, j.work(number, [(0, 9), (-3, 4)], before, flags=1))])
    good("any verb, flags reserved", "verb 77 made 1",
         (j.WORK_BEGIN, j.work(number, box, before, verb=77, flags=0xFFFFFFFF)))
    for outcome in (0, 1):
        good("ended", "unit \n", begin, (j.WORK_END, j.work_end(number, outcome)))
        check_none = records((j.CREATE, GOOD), begin, (j.WORK_END, j.work_end(number, outcome)))
        cases.append(("F-105", "work: ended", check_none, 1 << 16, OK, "-unfinished", False))
    good("an end without its beginning", shown, (j.WORK_END, j.work_end(other)), begin,
         (j.WORK_END, j.work_end(other)), sentence="F-106")
    good("again after its end", shown, begin, (j.WORK_END, j.work_end(number)), begin)
    good("an axis put in", "box 0:4,0:1,0:4 before 0:4,0:1,0:0", begin, (j.ADD_AXIS, j.axis(1)),
         sentence="F-108")
    bad_work("twice", "begins twice", begin, begin)
    for name, wrong in (("lo > hi", [(4, 0), (0, 4)]), ("-2^62", [(-BIG, 0), (0, 4)]),
                        ("2^62", [(0, BIG), (0, 4)])):
        bad_work(name, "box of unfinished work", (j.WORK_BEGIN, j.work(number, wrong, before)))
        bad_work(name, "box of unfinished work", (j.WORK_BEGIN, j.work(number, box, wrong)))
    many = [(j.WORK_BEGIN, j.work(struct.pack("<QQ", k, 0), box, before)) for k in range(4097)]
    bad_work("4097 of them", "too much of it", *many)
    for name, fields in (("host of 256", {"host": b"h" * 256}), ("source of 4096", {"source": b"s" * 4096}),
                         ("zero in the source", {"source": b"a\0b"}),
                         ("host beyond the payload", {"host_length": 200}),
                         ("source beyond the payload", {"source_length": 4000})):
        bad_work(name, "texts of unfinished work", (j.WORK_BEGIN, j.work(number, box, before, **fields)),
                 sentence="F-24")
    bad_work("cut", "", (j.WORK_BEGIN, begin[1][:-8]), sentence="F-24")
    bad_work("longer", "wrong length", (j.WORK_BEGIN, begin[1] + bytes(8)), sentence="F-24")
    bad_work("empty", "texts of unfinished work", (j.WORK_BEGIN, b""), sentence="F-24")
    for payload in (b"", number, j.work_end(number) + b"x", j.work_end(number, 2)):
        bad_work("end of a wrong form", "wrong length", begin, (j.WORK_END, payload), sentence="F-24")


def attribute_growth_cases():
    here = (j.ATTRIBUTE, j.attribute(0, b"v", 5, 2, 2, b"abcd"))

    def grown(side, **fields):
        given = {"kind": 5, "cell_bytes": 2, "count": 1, "values": b"XY", **fields}
        return (j.ATTRIBUTE_GROW, j.attribute(0, given.pop("name", b"v"), side=side, **given))

    def good(name, text, *items):
        case("F-104", "growth of an attribute: " + name, records((j.CREATE, GOOD), *items), OK, text)

    def wrong(name, *items, text="grows"):
        bad("F-104", "growth of an attribute: " + name, [(j.CREATE, GOOD), *items], text)

    good("behind", "76 u16 2 3 " + b"abcdXY".hex(), here, grown(0))
    good("before", "76 u16 2 3 " + b"XYabcd".hex(), here, grown(1))
    good("both, often", "76 u16 2 42 " + (b"XY" * 20 + b"abcd" + b"XY" * 20).hex(), here,
         *[grown(k % 2) for k in range(40)])
    good("by nothing", "76 u16 2 2 " + b"abcd".hex(), here, grown(1, count=0, values=b""))
    wrong("there is none", grown(0))
    wrong("another name", here, grown(0, name=b"w"))
    wrong("another type", here, grown(0, kind=4))
    wrong("removed", here, (j.REMOVE_ATTRIBUTE, j.attribute(0, b"v")), grown(0))
    wrong("side 2", here, grown(2), text="the side of an attribute")
    wrong("wrong length", here, grown(0, count=2), text="type or length of an attribute")


def try_one(scratch, sentences, name, what, data, status, text, writable):
    path = os.path.join(scratch, "case")
    for suffix in (".xmd", ".xta"):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)
    if what is not None:
        write(path + ".xmd", what if isinstance(what, bytes) else what.encode())
    if isinstance(data, bytes):
        write(path + ".xta", data)
    elif data is not None:
        write(path + ".xta", b"", data)
    if status is OK:
        found = both_cells(path, scratch)
        absent = text.startswith("-")
        check(found is not None and (text.lstrip("-") in found[0]) != absent, sentences, name, "shows",
              found)
        return
    for options in (("--writable",),) if writable else ((), ("--writable",)):
        before = what is not None and read(path + ".xmd")
        found, words = library(path, *options)
        check((found, text in words) == (status, True), sentences, name, *options, "gives", found,
              words, "instead of", status, text)
        check("case.x" in words and "\n" not in words.strip(), sentences, name, "is told by", words)
        check(what is None or read(path + ".xmd") == before, sentences, name, "was changed")
    good, words = reader(path)
    check(writable or not good, sentences, name, "is accepted by the reference reader:", words)


def check_memory():
    """F-22: no length announced in a file makes the library allocate much memory."""
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) >> 10
    sanitized = b"__asan_init" in read(LOOK)
    check(peak < (512 if sanitized else 128), "a process took", peak, "MiB")


def check_crc():
    """F-4, with the polynomial as it is written down."""
    exponents = (28, 27, 26, 25, 23, 22, 20, 19, 18, 14, 13, 11, 10, 9, 8, 6, 0)
    polynomial = sum(1 << 31 - exponent for exponent in exponents)
    check(polynomial == 0x82F63B78, "F-4: the polynomial")
    # All journals here are made with this checksum, and the library reads them.
    check(j.crc32c(b"123456789") == 0xE3069283, "F-4: digits")
    check(j.crc32c(bytes(32)) == 0x8A9136AA, "F-4: zeros")


def main():
    for add in (header_cases, mark_cases, record_cases, create_cases, growth_cases, axis_cases,
                attribute_cases, checkpoint_cases, data_cases, header_of_data_cases, work_cases,
                attribute_growth_cases):
        add()
    with folder() as scratch:
        for one in cases:
            try_one(scratch, *one)
    check_memory()
    check_crc()
    refused = sum(1 for one in cases if one[4] is not OK)
    finish(f"bad: {refused} files refused, {len(cases) - refused} odd ones read")


main()
