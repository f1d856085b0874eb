/* Writes into one chunk, collected: spans of bytes that are written together.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/io/spans.h"

void xta__spans_begin(xta__spans *spans, xta__chunk_store *chunk_store, uint64_t address,
                      xta__pin *pin, xta_error *err)
{
    spans->chunk_store = chunk_store;
    spans->pin = pin;
    spans->address = address;
    spans->status = XTA_OK;
    spans->err = err;
    spans->n = 0;
}

static void write_spans(xta__spans *spans)
{
    const xta__chunk_store_ops *ops = spans->chunk_store->ops;

    if (spans->pin->checked && spans->n > 0 && spans->status == XTA_OK) {
        spans->status =
            ops->store_spans(spans->chunk_store, spans->address, spans->span, spans->n, spans->err);
        spans->n = 0;
    }
    for (size_t k = 0; k < spans->n && spans->status == XTA_OK; k++) {
        const xta__span *span = &spans->span[k];
        spans->status = ops->write_part(spans->chunk_store, spans->address, span->offset,
                                        span->from, span->n, spans->err);
    }
    spans->n = 0;
}

void xta__spans_add(xta__spans *spans, size_t offset, const uint8_t *from, size_t n)
{
    xta__span *last = spans->n > 0 ? &spans->span[spans->n - 1] : NULL;

    if (last != NULL && last->offset + last->n == offset && last->from + last->n == from) {
        last->n += n;
        return;
    }
    if (spans->n == sizeof spans->span / sizeof spans->span[0]) {
        write_spans(spans);
    }
    spans->span[spans->n++] = (xta__span){offset, n, from};
}

xta_status xta__spans_end(xta__spans *spans)
{
    write_spans(spans);
    if (spans->pin->checked) {
        spans->chunk_store->ops->unpin(spans->chunk_store, spans->pin);
    }
    return spans->status;
}
