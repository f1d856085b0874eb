/* Writing the changed cells of a cached chunk back to the file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/chunks/cache_write_back.h"

#include <string.h>

#include "store/chunks/cell_bits.h"

void xta__cache_clean_entry(cached_chunks *chunks, entry *e)
{
    if (e->any_dirty) {
        memset(e->dirty, 0, chunks->n_cells / 8 + 1);
        e->any_dirty = false;
    }
}

static xta_status begin_writing(cached_chunks *chunks, guard_session *a, xta_error *err)
{
    if (a->begun || chunks->guard.begin == NULL) {
        return XTA_OK;
    }
    xta_status status = chunks->guard.begin(chunks->guard.user, &a->token, err);
    a->begun = status == XTA_OK;
    return status;
}

void xta__cache_end_writing(cached_chunks *chunks, guard_session *a)
{
    if (a->begun) {
        chunks->guard.end(chunks->guard.user, a->token);
        a->begun = false;
    }
}

xta_status xta__cache_write_back(cached_chunks *chunks, entry *e, guard_session *a, xta_error *err)
{
    uint64_t base = e->address * chunks->data.chunk_store.slot_bytes;
    uint64_t chunk_bytes = chunks->data.chunk_store.chunk_bytes;
    xta_status status = XTA_OK;

    if (!e->any_dirty) {
        return XTA_OK;
    }
    status = begin_writing(chunks, a, err);
    if (status != XTA_OK) {
        return status;
    }
    if (chunks->guard.judge != NULL &&
        chunks->guard.judge(chunks->guard.user, e->chunk, e->ndim, e->dirty)) {
        // Its bytes differ from those of the file.
        e->stale = true;
    }
    for (size_t i = xta__next_bit(e->dirty, chunks->n_cells, 0, true); i < chunks->n_cells;) {
        size_t j = xta__next_bit(e->dirty, chunks->n_cells, i, false);
        uint64_t begin = i * chunks->cell_bytes, end = j * chunks->cell_bytes;
        end = end < chunk_bytes ? end : chunk_bytes;
        status = xta__file_write_at(&chunks->data.file, base + begin, e->bytes + begin,
                                    (size_t)(end - begin), err);
        if (status != XTA_OK) {
            return status;
        }
        i = xta__next_bit(e->dirty, chunks->n_cells, j, true);
    }
    xta__cache_clean_entry(chunks, e);
    return XTA_OK;
}
