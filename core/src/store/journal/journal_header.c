/* The header of a journal, and its marks.
 *
 *   offset  what
 *        0  magic bytes; a text conversion of the file would change them
 *        8  version of the format, bytes of the header
 *       16  UUID of the array: the data file has the same
 *       60  checksum of the bytes before it
 *       64  mark 0, written when its count is even
 *       96  mark 1, when it is odd
 *
 * A mark holds its count, how many bytes of the journal are durable, the offset of the newest
 * checkpoint, the boot of the system in which it was written, and its own checksum. The one with
 * the higher count is the newest; a torn one fails its checksum, and the other is still valid.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/journal/journal_header.h"

#include <string.h>

const xta__journal_kind xta__array_journal = {
    .magic = {0x89, 'X', 'T', 'A', '\r', '\n', 0x1a, '\n'},
    .name = "an XTA journal",
    .last_type = XTA__RECORD_LAST,
};

enum { HEADER_CRC_AT = 60 };

void xta__journal_encode_header(const xta__journal_kind *kind, const uint8_t uuid[16],
                                uint8_t header[XTA__HEADER_BYTES])
{
    memset(header, 0, XTA__HEADER_BYTES);
    memcpy(header, kind->magic, sizeof kind->magic);
    xta__put_u16(header + 8, XTA__FORMAT_MAJOR);
    xta__put_u16(header + 10, XTA__FORMAT_MINOR);
    xta__put_u32(header + 12, XTA__HEADER_BYTES);
    memcpy(header + 16, uuid, 16);
    xta__put_u32(header + HEADER_CRC_AT, xta__crc32c(0, header, HEADER_CRC_AT));
}

static void encode_mark(uint8_t mark[XTA__MARK_BYTES], uint64_t count, uint64_t synced,
                        uint64_t checkpoint, uint32_t boot)
{
    memset(mark, 0, XTA__MARK_BYTES);
    xta__put_u64(mark, count);
    xta__put_u64(mark + 8, synced);
    xta__put_u64(mark + 16, checkpoint);
    xta__put_u32(mark + 24, boot);
    xta__put_u32(mark + 28, xta__crc32c(0, mark, 28));
}

void xta__journal_encode_marks(uint8_t header[XTA__HEADER_BYTES], uint64_t synced,
                               uint64_t checkpoint, uint32_t boot)
{
    encode_mark(header + XTA__MARK_AT, 0, synced, checkpoint, boot);
    encode_mark(header + XTA__MARK_AT + XTA__MARK_BYTES, 1, synced, checkpoint, boot);
}

static void parse_mark(xta__journal *journal, const uint8_t mark[XTA__MARK_BYTES])
{
    if (xta__get_u32(mark + 28) != xta__crc32c(0, mark, 28)) {
        return;
    }
    uint64_t count = xta__get_u64(mark);
    if (count >= journal->mark_count) {
        journal->mark_count = count;
        journal->synced_bytes = xta__get_u64(mark + 8);
        journal->marked_checkpoint = xta__get_u64(mark + 16);
        journal->boot = xta__get_u32(mark + 24);
    }
}

xta_status xta__journal_read_header(xta__journal *journal, xta_error *err)
{
    uint8_t header[XTA__HEADER_BYTES];
    const char *path = journal->file.path;
    size_t got = 0;

    xta_status status = xta__file_read_at(&journal->file, 0, header, sizeof header, &got, err);
    if (status != XTA_OK) {
        return status;
    }
    const xta__journal_kind *kind = journal->kind;
    if (got < sizeof kind->magic || memcmp(header, kind->magic, sizeof kind->magic) != 0) {
        return xta__fail(err, XTA_EFORMAT, 0, "%s: offset 0: not %s (the magic bytes are missing)",
                         path, kind->name);
    }
    if (got < sizeof header) {
        return xta__fail(err, XTA_ECORRUPT, 0,
                         "%s: offset %zu: the file ends within the header of %d bytes", path, got,
                         XTA__HEADER_BYTES);
    }
    if (xta__get_u32(header + HEADER_CRC_AT) != xta__crc32c(0, header, HEADER_CRC_AT)) {
        return xta__fail(err, XTA_ECORRUPT, 0, "%s: offset 0: the header's checksum is wrong",
                         path);
    }
    if (xta__get_u16(header + 8) != XTA__FORMAT_MAJOR ||
        xta__get_u32(header + 12) != XTA__HEADER_BYTES) {
        return xta__fail(err, XTA_EFORMAT, 0,
                         "%s: offset 8: format version %u, this library reads version %d; use a "
                         "newer release",
                         path, xta__get_u16(header + 8), XTA__FORMAT_MAJOR);
    }
    memcpy(journal->uuid, header + 16, 16);
    // If both marks are torn, nothing is known about what was durable: then all records are read,
    // and nothing is promised.
    parse_mark(journal, header + XTA__MARK_AT);
    parse_mark(journal, header + XTA__MARK_AT + XTA__MARK_BYTES);
    return XTA_OK;
}

xta_status xta__journal_read_marks(xta__journal *journal, xta_error *err)
{
    uint8_t marks[2 * XTA__MARK_BYTES];
    size_t got = 0;

    if (journal->exclusive) {
        return XTA_OK;
    }
    xta_status status =
        xta__file_read_at(&journal->file, XTA__MARK_AT, marks, sizeof marks, &got, err);
    if (status == XTA_OK && got == sizeof marks) {
        parse_mark(journal, marks);
        parse_mark(journal, marks + XTA__MARK_BYTES);
    }
    return status;
}

xta_status xta__journal_write_mark(xta__journal *journal, uint64_t synced, uint32_t boot,
                                   xta_error *err)
{
    uint8_t mark[XTA__MARK_BYTES];
    uint64_t count = journal->mark_count + 1;
    uint64_t checkpoint = journal->checkpoint_offset;

    encode_mark(mark, count, synced, checkpoint, boot);
    journal->unsynced = true;
    xta_status status = xta__file_write_at(
        &journal->file, XTA__MARK_AT + (count % 2) * XTA__MARK_BYTES, mark, sizeof mark, err);
    if (status == XTA_OK) {
        journal->mark_count = count;
        journal->synced_bytes = synced;
        journal->marked_checkpoint = checkpoint;
        journal->boot = boot;
    }
    return status;
}

bool xta__journal_same_boot(const xta__journal *journal)
{
    uint32_t boot = xta__boot();

    return boot != 0 && boot == journal->boot;
}
