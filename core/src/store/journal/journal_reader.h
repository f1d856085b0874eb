/* A room of store/: reading a journal. reading.c holds xta__journal_read as well.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_READING_H
#define XTA_STORE_READING_H

#include "store/journal/journal.h"

/* Records begin at multiples of 8. */
static inline size_t xta__padded(size_t n)
{
    return (n + 7) & ~(size_t)7;
}

/* Begin at the newest checkpoint if the mark names one and a whole checkpoint is there. */
xta_status xta__journal_go_to_checkpoint(xta__journal *journal, uint64_t file_bytes,
                                         xta_error *err);

#endif
