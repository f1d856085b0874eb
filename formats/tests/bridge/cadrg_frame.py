# A CADRG frame (MIL-C-89038): a NITF 2.0 file whose one image is vector-quantised as MIL-STD-188-199 and
# MIL-STD-2411 lay it down, with a palette and the sections of the Raster Product Format that a reader needs.
# SPDX-License-Identifier: Apache-2.0
import struct

import numpy as np

SUBFRAMES, VECTORS = 6, 64  # a frame has 6 x 6 subframes, each 64 x 64 vectors of 4 x 4 pixels
CODES = 4096
COVERAGE, COMPRESSION, LOOKUP, SPATIAL = 130, 131, 132, 140  # component ids of MIL-STD-2411-1
CORNERS = "500000N0100000E500000N0130000E480000N0130000E480000N0100000E"
NORTH, SOUTH, WEST, EAST = 50.0, 48.0, 10.0, 13.0


def field(value, n_bytes):
    text = f"{value:0{n_bytes}d}" if isinstance(value, int) else str(value).ljust(n_bytes)
    assert len(text) == n_bytes
    return text.encode()


def extension(name, content):
    return field(name, 6) + field(len(content), 5) + content


def decoded(books, codes):
    """What the pixels are: row r of a vector is in the r-th table."""
    side = SUBFRAMES * VECTORS
    pixels = np.empty((4 * side, 4 * side), "u1")
    for r in range(4):
        pixels[r::4] = books[r][codes].transpose(0, 2, 1, 3, 4).reshape(side, 4 * side)
    return pixels


def lookup_section(books):
    offset = 6 + 4 * 14
    head = struct.pack(">IH", 6, 14)
    for k in range(4):
        head += struct.pack(">HIHHI", k + 1, CODES, 4, 8, offset + k * 4 * CODES)
    return head + books.tobytes()


def packed(codes):
    """Two codes of 12 bits in three bytes."""
    a, b = codes.reshape(-1, 2).T
    return np.stack([a >> 4, (a & 15) << 4 | b >> 8, b & 255], axis=1).astype("u1").tobytes()


def image_header(colours, sections):
    size = 4 * SUBFRAMES * VECTORS
    return (b"IM" + field("CADRG", 10) + field("01000000ZJAN20", 14) + field("", 17)
            + field("a made frame", 80) + b"U" + field("", 160) + field("", 6) + b"0" + field("", 42)
            + field(size, 8) + field(size, 8) + field("INT", 3) + field("RGB/LUT", 8) + field("MAP", 8)
            + field(8, 2) + b"R" + b"G" + CORNERS.encode() + b"0" + b"C4" + b"0.75" + b"1"
            + b"LU" + field("", 6) + b"N" + field("", 3) + b"3" + field(256, 5) + colours.tobytes()
            + b"0" + b"B" + field(SUBFRAMES, 4) * 2 + field(4 * VECTORS, 4) * 2 + field(8, 2)
            + field(1, 3) + field(0, 3) + field(0, 10) + field("1.0", 4)
            + field(3 + 11 + len(sections), 5) + field(0, 3) + extension("RPFIMG", sections)
            + field(0, 5))


def file_header(locations_at, header_bytes, image_header_bytes, image_bytes):
    frame = (b"\0" + struct.pack(">H", 48) + field("00000010.MM1", 12) + b" " + field("MIL-C-89038", 15)
             + field("19941006", 8) + b"U" + b"  " + b"  " + struct.pack(">I", locations_at))
    return (b"NITF02.00" + field(1, 2) + field("", 4) + field("XTA", 10) + field("01000000ZJAN20", 14)
            + field("a made frame", 80) + b"U" + field("", 160) + field("", 6) + field(0, 5) * 2 + b"0"
            + field("", 27) + field("", 18) + field(header_bytes + image_header_bytes + image_bytes, 12)
            + field(header_bytes, 6) + field(1, 3) + field(image_header_bytes, 6) + field(image_bytes, 10)
            + field(0, 3) * 5 + field(3 + 11 + len(frame), 5) + field(0, 3) + extension("RPFHDR", frame)
            + field(0, 5))


def write(path, random):
    """Write a frame; returns pixels, palette (3 x 256) and the six numbers of its georeference."""
    books = random.integers(0, 216, (4, CODES, 4)).astype("u1")
    codes = random.integers(0, CODES, (SUBFRAMES, SUBFRAMES, VECTORS, VECTORS))
    colours = random.integers(0, 256, (3, 256)).astype("u1")
    side = 4 * SUBFRAMES * VECTORS
    steps = (EAST - WEST) / side, (NORTH - SOUTH) / side
    coverage = struct.pack(">12d", NORTH, WEST, SOUTH, WEST, NORTH, EAST, SOUTH, EAST, 100, 100,
                           steps[1], steps[0])
    compression = struct.pack(">HHH", 1, 4, 0)
    lookup, pixels = lookup_section(books), packed(codes)
    table_bytes = 14 + 4 * 10
    sections = bytes(table_bytes) + coverage + compression
    header_bytes = len(file_header(0, 0, 0, 0))
    image_header_bytes = len(image_header(colours, sections))
    image_at = header_bytes + image_header_bytes
    table_at = image_at - 5 - len(sections)  # 5: the length of the second extension, 0
    parts = ((COVERAGE, len(coverage), table_at + table_bytes),
             (COMPRESSION, len(compression), table_at + table_bytes + len(coverage)),
             (LOOKUP, len(lookup), image_at), (SPATIAL, len(pixels), image_at + len(lookup)))
    table = struct.pack(">HIHHI", table_bytes, 14, len(parts), 10, sum(p[1] for p in parts))
    sections = table + b"".join(struct.pack(">HII", *p) for p in parts) + coverage + compression
    with open(path, "wb") as file:
        file.write(file_header(table_at, header_bytes, image_header_bytes, len(lookup) + len(pixels)))
        file.write(image_header(colours, sections) + lookup + pixels)
    return decoded(books, codes), colours, [WEST, steps[0], 0, NORTH, 0, -steps[1]]
