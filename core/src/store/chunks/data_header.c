/* The header of a data file.
 *
 * Two files make an array, and a copy, a restore from a backup or a mistyped name can put halves of
 * two arrays side by side. So both carry the UUID. The header is written once, before the journal
 * exists, and never changes; its offset and slot length are also in the journal, and both must
 * agree.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/chunks/data_header.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const uint8_t magic[8] = {0x89, 'X', 'T', 'D', '\r', '\n', 0x1a, '\n'};

enum {
    VERSION_AT = 8,
    LENGTH_AT = 12,
    UUID_AT = 16,
    DATA_OFFSET_AT = 32,
    SLOT_BYTES_AT = 40,
    VOLUME_AT = 48,
    CRC_AT = 60,
    DATA_VERSION = 1
};

/* Page caches keep file data in pieces of up to 2 MiB, aligned to the file's offset. */
#define LARGE_PAGE_BYTES ((uint64_t)2 << 20)
#define LARGE_SLOT_BYTES ((uint64_t)512 << 10)

uint64_t xta__choose_data_offset(uint64_t slot_bytes, uint64_t alignment_bytes)
{
    uint64_t base = slot_bytes >= LARGE_SLOT_BYTES ? LARGE_PAGE_BYTES : XTA__DATA_OFFSET_UNIT;
    uint64_t offset = base;

    // A multiple of both, so that every slot begins on the requested boundary. If neither the
    // alignment nor the page divides the other, this is their least common multiple.
    if (alignment_bytes > 1 && base % alignment_bytes != 0) {
        uint64_t a = alignment_bytes, b = XTA__DATA_OFFSET_UNIT;
        while (b != 0) {
            uint64_t rest = a % b;
            a = b;
            b = rest;
        }
        uint64_t unit = 0;
        if (!xta__mul_u64(alignment_bytes / a, XTA__DATA_OFFSET_UNIT, &unit) ||
            unit > XTA__OFFSET_LIMIT / 4) {
            return 0;
        }
        offset = (base + unit - 1) / unit * unit;
    }
    return offset;
}

static void encode(uint8_t header[XTA__DATA_HEADER_BYTES], const uint8_t uuid[XTA__UUID_BYTES],
                   const xta__constants *constants)
{
    memset(header, 0, XTA__DATA_HEADER_BYTES);
    memcpy(header, magic, sizeof magic);
    xta__put_u16(header + VERSION_AT, DATA_VERSION);
    xta__put_u32(header + LENGTH_AT, XTA__DATA_HEADER_BYTES);
    memcpy(header + UUID_AT, uuid, XTA__UUID_BYTES);
    xta__put_u64(header + DATA_OFFSET_AT, constants->data_offset);
    xta__put_u64(header + SLOT_BYTES_AT, constants->slot_bytes);
    xta__put_u32(header + CRC_AT, xta__crc32c(0, header, CRC_AT));
}

xta_status xta__data_header_write(xta__file *file, const uint8_t uuid[XTA__UUID_BYTES],
                                  const xta__constants *constants, xta_error *err)
{
    uint8_t header[XTA__DATA_HEADER_BYTES];
    xta_status status = XTA_OK;

    if (constants->layout == XTA_HEADERLESS) {
        return XTA_OK;
    }
    encode(header, uuid, constants);
    status = xta__file_write_at(file, 0, header, sizeof header, err);
    file->origin = constants->data_offset;
    return status;
}

static void uuid_text(const uint8_t uuid[XTA__UUID_BYTES], char text[2 * XTA__UUID_BYTES + 1])
{
    for (size_t k = 0; k < XTA__UUID_BYTES; k++) {
        snprintf(text + 2 * k, 3, "%02x", uuid[k]);
    }
}

static xta_status check_identity(const char *path, const uint8_t header[XTA__DATA_HEADER_BYTES],
                                 const uint8_t uuid[XTA__UUID_BYTES],
                                 const xta__constants *constants, xta_error *err)
{
    char ours[2 * XTA__UUID_BYTES + 1], its[2 * XTA__UUID_BYTES + 1];

    if (memcmp(header + UUID_AT, uuid, XTA__UUID_BYTES) != 0) {
        uuid_text(uuid, ours);
        uuid_text(header + UUID_AT, its);
        return xta__fail(err, XTA_ECORRUPT, 0,
                         "%s: offset %d: this data file belongs to the array %s, its journal to "
                         "%s; put the two files of one array together again",
                         path, UUID_AT, its, ours);
    }
    if (xta__get_u64(header + DATA_OFFSET_AT) != constants->data_offset ||
        xta__get_u64(header + SLOT_BYTES_AT) != constants->slot_bytes) {
        return xta__fail(
            err, XTA_ECORRUPT, 0,
            "%s: offset %d: the header says that chunks of %" PRIu64 " bytes begin at %" PRIu64
            ", the journal %" PRIu64 " and %" PRIu64 "; restore the file from a copy",
            path, DATA_OFFSET_AT, xta__get_u64(header + SLOT_BYTES_AT),
            xta__get_u64(header + DATA_OFFSET_AT), constants->slot_bytes, constants->data_offset);
    }
    return XTA_OK;
}

/* The bytes of the header that are the same for every array. */
static xta_status check_bytes(const char *path, const uint8_t header[XTA__DATA_HEADER_BYTES],
                              size_t got, xta_error *err)
{
    if (got >= sizeof magic && memcmp(header, magic, sizeof magic) != 0) {
        return xta__fail(err, XTA_ECORRUPT, 0,
                         "%s: offset 0: this is not the data file of an array (the magic bytes are "
                         "missing); restore it from a copy",
                         path);
    }
    if (got < XTA__DATA_HEADER_BYTES) {
        return xta__fail(err, XTA_ECORRUPT, 0,
                         "%s: offset %zu: the file ends within its header of %d bytes; restore it "
                         "from a copy",
                         path, got, XTA__DATA_HEADER_BYTES);
    }
    if (xta__get_u32(header + CRC_AT) != xta__crc32c(0, header, CRC_AT)) {
        return xta__fail(err, XTA_ECORRUPT, 0,
                         "%s: offset 0: the checksum of the data file's header is wrong; restore "
                         "it from a copy",
                         path);
    }
    if (xta__get_u16(header + VERSION_AT) != DATA_VERSION ||
        xta__get_u32(header + LENGTH_AT) != XTA__DATA_HEADER_BYTES ||
        xta__get_u32(header + VOLUME_AT) != 0) {
        return xta__fail(err, XTA_EFORMAT, 0,
                         "%s: offset %d: data file of version %u, volume %" PRIu32
                         "; this library reads version %d in one volume: use a newer release",
                         path, VERSION_AT, (unsigned)xta__get_u16(header + VERSION_AT),
                         xta__get_u32(header + VOLUME_AT), DATA_VERSION);
    }
    return XTA_OK;
}

xta_status xta__data_file_open(xta__path path, xta__file_mode mode,
                               const uint8_t uuid[XTA__UUID_BYTES], const xta__constants *constants,
                               xta__file *file, xta_error *err)
{
    uint8_t header[XTA__DATA_HEADER_BYTES];
    size_t got = 0;
    xta_status status = XTA_OK;

    XTA_TRY(xta__file_open_at(path, mode, file, err));
    if (constants->layout == XTA_HEADERLESS) {
        return XTA_OK;
    }
    XTA_TRY(xta__file_read_at(file, 0, header, sizeof header, &got, err));
    XTA_TRY(check_bytes(path.name, header, got, err));
    XTA_TRY(check_identity(path.name, header, uuid, constants, err));
    file->origin = constants->data_offset;

done:
    if (status != XTA_OK) {
        xta__file_close(file);
    }
    return status;
}

xta_status xta__data_file_is_unused(const xta__file *file, bool *unused, xta_error *err)
{
    uint8_t header[XTA__DATA_HEADER_BYTES] = {0};
    uint64_t apparent = 0, real = 0, begin = 0, end = 0, from = 0;
    size_t got = 0;
    xta_status status = XTA_OK;

    *unused = false;
    XTA_TRY(xta__file_sizes(file, &apparent, &real, err));
    if (real > 0) {
        XTA_TRY(xta__file_read_at(file, 0, header, sizeof header, &got, err));
        xta_error ignored = {0};
        if (check_bytes(file->path, header, got, &ignored) != XTA_OK) {
            goto done;
        }
        from = xta__get_u64(header + DATA_OFFSET_AT);
    }
    XTA_TRY(xta__file_next_data(file, from, apparent, &begin, &end, err));
    *unused = begin >= apparent;

done:
    return status;
}
