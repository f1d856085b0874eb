/* The list of unfinished work that replaying the journal builds.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/state/work_list.h"

#include <stdlib.h>
#include <string.h>

const xta__work_record *xta__works_find(const xta__works *works, const uint8_t id[XTA__UUID_BYTES])
{
    for (size_t k = 0; k < works->n; k++) {
        if (memcmp(works->items[k]->id, id, XTA__UUID_BYTES) == 0) {
            return works->items[k];
        }
    }
    return NULL;
}

xta_status xta__works_reserve(xta__works *works)
{
    if (works->n >= XTA__MOST_WORKS) {
        return XTA_EARG;
    }
    if (works->n == works->capacity) {
        size_t capacity = 2 * works->capacity + 4;
        xta__work_record **more =
            xta__realloc_array(works->items, capacity, sizeof works->items[0]);
        if (more == NULL) {
            return XTA_ENOMEM;
        }
        works->items = more;
        works->capacity = capacity;
    }
    return XTA_OK;
}

xta_status xta__works_add(xta__works *works, const xta__work_record *record)
{
    xta_status status = xta__works_reserve(works);
    xta__work_record *copy = NULL;

    if (status == XTA_EARG || xta__works_find(works, record->id) != NULL) {
        return XTA_ECORRUPT;
    }
    copy = status == XTA_OK ? xta__calloc(1, sizeof *copy) : NULL;
    if (copy == NULL) {
        return XTA_ENOMEM;
    }
    *copy = *record;
    works->items[works->n++] = copy;
    return XTA_OK;
}

void xta__works_remove(xta__works *works, const uint8_t id[XTA__UUID_BYTES])
{
    for (size_t k = 0; k < works->n; k++) {
        if (memcmp(works->items[k]->id, id, XTA__UUID_BYTES) == 0) {
            free(works->items[k]);
            memmove(&works->items[k], &works->items[k + 1],
                    (works->n - k - 1) * sizeof works->items[0]);
            works->n--;
            return;
        }
    }
}

static void add_axis(xta_box *box, int position)
{
    for (int axis = box->ndim; axis > position; axis--) {
        box->lo[axis] = box->lo[axis - 1];
        box->hi[axis] = box->hi[axis - 1];
    }
    box->lo[position] = 0;
    box->hi[position] = 1;
    box->ndim++;
}

void xta__works_add_axis(xta__works *works, int position)
{
    for (size_t k = 0; k < works->n; k++) {
        add_axis(&works->items[k]->box, position);
        add_axis(&works->items[k]->before, position);
    }
}

void xta__works_clear(xta__works *works)
{
    for (size_t k = 0; k < works->n; k++) {
        free(works->items[k]);
    }
    free(works->items);
    *works = (xta__works){0};
}

xta_status xta__works_encode(const xta__works *works, xta__bytes *nested, uint32_t *n_nested)
{
    for (size_t k = 0; k < works->n; k++) {
        xta__bytes payload = {0};
        xta__encode_work(works->items[k], &payload);
        xta__encode_nested(XTA__RECORD_WORK_BEGIN, payload.bytes, payload.n, nested);
        nested->failed = nested->failed || payload.failed;
        xta__bytes_clear(&payload);
        (*n_nested)++;
    }
    return nested->failed ? XTA_ENOMEM : XTA_OK;
}
