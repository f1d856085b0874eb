/* A private header of array/: bytes of one chunk on their way to the file, piece by piece.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_SPANS_H
#define XTA_ARRAY_SPANS_H

#include "store/chunks/chunk_store.h"

typedef struct xta__spans {
    xta__holder *holder;
    xta__pin *pin;
    uint64_t address;
    xta_status status;
    xta_error *err;
    size_t n;
    xta__span span[256];
} xta__spans;

/* Begin to write into the chunk at `address`: by calls of their own, or, if pin->checked, by
 * store_spans. */
void xta__spans_begin(xta__spans *spans, xta__holder *holder, uint64_t address, xta__pin *pin,
                      xta_error *err);

/* `from` stays until the end. Spans that follow each other on both sides are one. */
void xta__spans_add(xta__spans *spans, size_t offset, const uint8_t *from, size_t n);

/* Write what is left, give the chunk back if it is pinned, and say what went wrong first. */
xta_status xta__spans_end(xta__spans *spans);

#endif
