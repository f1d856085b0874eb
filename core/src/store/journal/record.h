/* One record of the journal in its file form; docs/FORMAT.md has the tables.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_JOURNAL_RECORD_H
#define XTA_STORE_JOURNAL_RECORD_H

#include "base/base.h"
#include "store/journal/bytes.h"

#define XTA__FORMAT_MAJOR        1
#define XTA__FORMAT_MINOR        0
#define XTA__HEADER_BYTES        128
#define XTA__RECORD_HEAD_BYTES   24
#define XTA__RECORD_CRC_AT       20
#define XTA__MAX_PAYLOAD_BYTES   ((uint32_t)256 << 20)
#define XTA__MAX_ATTRIBUTE_BYTES ((uint64_t)64 << 20)
#define XTA__MAX_NAME_BYTES      255
#define XTA__MAX_PATH_BYTES      4095
#define XTA__UUID_BYTES          16

typedef enum xta__record_type {
    XTA__RECORD_CREATE = 1,
    XTA__RECORD_EXTEND = 2,
    XTA__RECORD_SHRINK = 3,
    XTA__RECORD_ADD_AXIS = 4,
    XTA__RECORD_ATTRIBUTE = 5,
    XTA__RECORD_REMOVE_ATTRIBUTE = 6,
    XTA__RECORD_AXIS_NAME = 7,
    XTA__RECORD_AXIS_UNIT = 8,
    XTA__RECORD_CHECKPOINT = 9,
    XTA__RECORD_SUPERSEDED = 10,   /* compaction is about to replace this journal by another one */
    XTA__RECORD_WRITE_INTENT = 11, /* cells beyond the bounds are about to be written: an append */
    /* a growth of several arrays, including this one, is about to happen */
    XTA__RECORD_PREPARE = 12,
    XTA__RECORD_COMMIT = 13,  /* the prepared growth has happened */
    XTA__RECORD_SETTLED = 14, /* all arrays of a growth have their COMMIT, durably */
    XTA__RECORD_WORK_BEGIN = 15,
    XTA__RECORD_WORK_END = 16,
    XTA__RECORD_ATTRIBUTE_GROW = 17, /* values before or after those of an attribute */
    XTA__RECORD_LAST = 17
} xta__record_type;

/* One record as it is in the journal. The payload is borrowed. */
typedef struct xta__record {
    unsigned type;
    uint64_t sequence;
    uint64_t offset; /* in the journal */
    const uint8_t *payload;
    size_t payload_bytes;
    unsigned flags;
} xta__record;

/* A record to be written. The payload is owned. */
typedef struct xta__new_record {
    unsigned type;
    xta__bytes payload;
} xta__new_record;

/* Flag of a record: software that does not know its type may read the array, but not change it. */
#define XTA__RECORD_MAY_BE_SKIPPED 1u

/* Records begin at multiples of 8. */
static inline size_t xta__padded(size_t n)
{
    return (n + 7) & ~(size_t)7;
}

/* The checksum of a record: of its head without the last field, which is the checksum, and of the
 * `n` bytes after the head, padded with zeros. */
static inline uint32_t xta__record_crc(const uint8_t head[XTA__RECORD_HEAD_BYTES],
                                       const uint8_t *behind, size_t n)
{
    static const uint8_t zeros[8];
    size_t pad = xta__padded(n) - n;
    uint32_t crc = xta__crc32c(0, head, XTA__RECORD_CRC_AT);

    crc = xta__crc32c(crc, behind, n);
    return pad > 0 ? xta__crc32c(crc, zeros, pad) : crc;
}

#endif
