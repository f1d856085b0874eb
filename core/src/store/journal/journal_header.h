/* The header of a journal, and the two marks in it that record what was made durable.
 *
 * Marks are written alternately to two places, so that a torn write leaves the other one intact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_JOURNAL_JOURNAL_HEADER_H
#define XTA_STORE_JOURNAL_JOURNAL_HEADER_H

#include "store/journal/journal_types.h"

#define XTA__MARK_AT    64
#define XTA__MARK_BYTES 32

/* The journal of an array. */
extern const xta__journal_kind xta__array_journal;

/* The header of a new journal, without its marks. */
void xta__journal_encode_header(const xta__journal_kind *kind, const uint8_t uuid[16],
                                uint8_t header[XTA__HEADER_BYTES]);

/* Both marks of a new journal of `synced` bytes; `checkpoint` as in xta__journal. */
void xta__journal_encode_marks(uint8_t header[XTA__HEADER_BYTES], uint64_t synced,
                               uint64_t checkpoint, uint32_t boot);

/* Read and check the header, and take over the newest mark. XTA_EFORMAT, XTA_ECORRUPT. */
xta_status xta__journal_read_header(xta__journal *journal, xta_error *err);

/* Other handles write marks as well: take over the newest. While there is an exclusive writer, only
 * it writes marks. */
xta_status xta__journal_read_marks(xta__journal *journal, xta_error *err);

/* Write the next mark. The newest marks have been read. */
xta_status xta__journal_write_mark(xta__journal *journal, uint64_t synced, uint32_t boot,
                                   xta_error *err);

/* Whether the system has not been rebooted since the data file was last known to hold nothing
 * outside the bounds. Only a power loss can keep cells but lose the record that made space for
 * them. */
bool xta__journal_same_boot(const xta__journal *journal);

#endif
