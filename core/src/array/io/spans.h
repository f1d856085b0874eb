/* Writes into one chunk, collected: spans of bytes that are written together.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_SPANS_H
#define XTA_ARRAY_IO_SPANS_H

#include "store/chunks/chunk_store.h"

/* Writes into one chunk that are collected and written together. */
typedef struct xta__spans {
    xta__chunk_store *chunk_store;
    xta__pin *pin;
    uint64_t address;
    xta_status status;
    xta_error *err;
    size_t n;
    xta__span span[256];
} xta__spans;

/* Begin to write into the chunk at `address`: by calls of their own, or, if pin->checked, by
 * store_spans. */
void xta__spans_begin(xta__spans *spans, xta__chunk_store *chunk_store, uint64_t address,
                      xta__pin *pin, xta_error *err);

/* `from` must stay until the end. Spans that are adjacent both in memory and in the chunk are
 * merged. */
void xta__spans_add(xta__spans *spans, size_t offset, const uint8_t *from, size_t n);

/* Write what is left and unpin the chunk if it is pinned. Returns the first failure. */
xta_status xta__spans_end(xta__spans *spans);

#endif
