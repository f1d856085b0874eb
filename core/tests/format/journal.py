"""Journals as lists of records: decoding, editing and encoding them.

For the tests of damaged files. Everything that is not edited stays unchanged, and checksums, sequence numbers and
paddings are corrected, so that the intended check is reached. Everything here follows docs/FORMAT.md, sections 4 and 5.

SPDX-License-Identifier: Apache-2.0
"""
import struct

MAGIC = b"\x89XTA\r\n\x1a\n"
HEADER_BYTES = 128
CREATE, EXTEND, SHRINK, ADD_AXIS, ATTRIBUTE, REMOVE_ATTRIBUTE, AXIS_NAME, AXIS_UNIT, CHECKPOINT, \
    SUPERSEDED, WRITE_INTENT, PREPARE, COMMIT, SETTLED, WORK_BEGIN, WORK_END, ATTRIBUTE_GROW = range(1, 18)
ON_ARRAY = 0xFFFFFFFF
INITIAL, FRONT = 2, 1


def _make_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


_TABLE = _make_table()


def crc32c(data):
    register = 0xFFFFFFFF
    for byte in data:
        register = register >> 8 ^ _TABLE[(register ^ byte) & 0xFF]
    return register ^ 0xFFFFFFFF


def padded(data):
    return data + bytes(-len(data) % 8)


class Record:
    """One record. Fields left None are filled in when it is encoded."""

    def __init__(self, kind, payload=b"", sequence=None):
        self.kind, self.payload, self.sequence = kind, payload, sequence
        self.length = None      # announced instead of the true one
        self.checksum = None    # instead of the right one
        self.reserved = (0, 0)  # at offsets 6 (flags) and 16

    def encode(self, sequence):
        number = sequence if self.sequence is None else self.sequence
        length = len(self.payload) if self.length is None else self.length
        head = struct.pack("<IHHQI", length, self.kind, self.reserved[0], number, self.reserved[1])
        body = padded(self.payload)
        checksum = crc32c(head + body) if self.checksum is None else self.checksum
        return head + struct.pack("<I", checksum) + body, number + 1


class Mark:
    def __init__(self, count=0, durable=0, checkpoint=0, boot=0, good=True):
        self.count, self.durable, self.checkpoint = count, durable, checkpoint
        self.boot, self.good = boot, good

    def encode(self):
        body = struct.pack("<QQQI", self.count, self.durable, self.checkpoint, self.boot)
        return body + struct.pack("<I", crc32c(body) ^ (0 if self.good else 1))


class Journal:
    """Header fields, two marks and records; `tail` is appended to them unchanged."""

    def __init__(self, records=None, uuid=bytes(16)):
        self.magic, self.version, self.header_bytes = MAGIC, (1, 0), HEADER_BYTES
        self.uuid, self.reserved, self.header_checksum = uuid, bytes(28), None
        self.marks = None  # filled in if None
        self.records = records if records is not None else []
        self.first_sequence, self.tail = 0, b""

    def encode_records(self):
        out, sequence = b"", self.first_sequence
        for record in self.records:
            piece, sequence = record.encode(sequence)
            out += piece
        return out

    def encode(self):
        header = struct.pack("<8sHHI16s", self.magic, *self.version, self.header_bytes, self.uuid)
        header += self.reserved
        checksum = crc32c(header) if self.header_checksum is None else self.header_checksum
        records = self.encode_records()
        marks = self.marks
        if marks is None:
            begin = HEADER_BYTES if self.records and self.records[0].kind == CHECKPOINT else 0
            marks = [Mark(count, HEADER_BYTES + len(records), begin) for count in (0, 1)]
        return header + struct.pack("<I", checksum) + marks[0].encode() + marks[1].encode() + \
            records + self.tail


def decode(data):
    """The Journal of bytes that are known to be good."""
    journal = Journal(uuid=data[16:32])
    at = HEADER_BYTES
    journal.first_sequence = struct.unpack_from("<Q", data, at + 8)[0]
    while at < len(data):
        length, kind = struct.unpack_from("<IH", data, at)
        journal.records.append(Record(kind, data[at + 24:at + 24 + length]))
        at += 24 + length + -length % 8
    return journal


# ---- payloads ----

def constants(ndim, kind=3, order=0, layout=0, cell_bytes=1, policy=0, codec=0, amount=2, alignment=1,
              slot_bytes=4, fill=None, data_offset=4096, spare=(0, 0)):
    fields = struct.pack("<IHBBIBBHIIQQ", ndim, kind, order, layout, cell_bytes, policy, codec, 0,
                         amount, 0, alignment, slot_bytes)
    if layout == 2:
        fields += struct.pack("<QQQ", data_offset, *spare)
    return padded(fields + (bytes(cell_bytes) if fill is None else fill))


def create(chunk, bounds, **fields):
    out = constants(fields.pop("ndim", len(chunk)), **fields)
    return out + b"".join(struct.pack("<Qq", length, bound) for length, bound in zip(chunk, bounds))


def growth(growths, allocations=(), n_growths=None, n_allocations=None):
    """Each of them (axis, side, number)."""
    out = struct.pack("<II", len(growths) if n_growths is None else n_growths,
                      len(allocations) if n_allocations is None else n_allocations)
    return out + b"".join(struct.pack("<IIQ", *item) for item in [*growths, *allocations])


def axis(position, name=b""):
    return struct.pack("<II", position, len(name)) + name


def data_header(uuid=bytes(16), data_offset=4096, slot_bytes=4, magic=b"\x89XTD\r\n\x1a\n",
                version=1, length=64, volume=0, reserved=bytes(8), checksum=None):
    """The 64 bytes a data file of layout 2 begins with (7)."""
    head = struct.pack("<8sHHI16sQQI8s", magic, version, 0, length, uuid, data_offset, slot_bytes,
                       volume, reserved)
    return head + struct.pack("<I", crc32c(head) if checksum is None else checksum)


def work(number, box, before, verb=1, flags=0, host=b"node7", source=b"april.nc", process=4711,
         begun=1700000000, boot=5, host_length=None, source_length=None):
    """WORK_BEGIN; `box` and `before` as (lo, hi) of each axis."""
    out = number + struct.pack("<IIQqIHH", verb, flags, process, begun, boot,
                               len(host) if host_length is None else host_length,
                               len(source) if source_length is None else source_length)
    out = padded(out + host + source)
    return out + b"".join(struct.pack("<4q", *ends, *old) for ends, old in zip(box, before))


def work_end(number, outcome=0):
    return number + struct.pack("<II", outcome, 0)


def attribute(on, name, kind=0, cell_bytes=0, count=0, values=b"", length=None, side=0):
    fields = struct.pack("<IHHIIQ", on, kind, len(name) if length is None else length, cell_bytes, side,
                         count)
    return padded(fields + name) + values


def text(on, name, value):
    return attribute(on, name, 16, 1, len(value), value)


def nested(kind, payload, length=None):
    return padded(struct.pack("<II", kind, len(payload) if length is None else length) + payload)


def checkpoint(axes, n_chunks, axials, inner=(), step=0, n_axials=None, n_inner=None, trailer=b"",
               **fields):
    """`axes`: (chunk, lo, hi, reached lo, reached hi, first lo, first hi); `axials`: (base, axis, flags)."""
    out = constants(fields.pop("ndim", len(axes)), **fields)
    out += b"".join(struct.pack("<7q", *numbers) for numbers in axes)
    out += struct.pack("<QQII", step, n_chunks, len(axials) if n_axials is None else n_axials,
                       len(inner) if n_inner is None else n_inner)
    out += b"".join(struct.pack("<QII", *item) for item in axials)
    return out + b"".join(inner) + trailer
