/* Predicts by which methods a box would be written; nothing is written.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/io/box/write_plan.h"

#include <assert.h>
#include <string.h>

#include "array/io/box/chunk_slice.h"
#include "array/io/box/direction.h"
#include "array/io/box/prepare_call.h"
#include "array/io/box/transfer_call.h"
#include "array/io/check_call.h"
#include "array/state/open_array.h"

static_assert((int)XTA_IO_STREAM == (int)XTA__BY_STREAM && (int)XTA_IO_ROWS == (int)XTA__BY_ROWS &&
                  (int)XTA_IO_IN_PLACE == (int)XTA__IN_PLACE &&
                  (int)XTA_IO_IN_PLACE_RESERVED == (int)XTA__IN_PLACE_RESERVED &&
                  (int)XTA_IO_CACHE == (int)XTA__BY_CACHE,
              "methods have one number, here and in the public header");

static void add_slice(xta_io_share *share, const xta__rows *rows)
{
    share->n_chunks++;
    share->n_rows += rows->n;
    share->n_bytes += rows->n * rows->bytes;
}

typedef struct counting {
    xta_io_plan *plan;
    bool cached; /* a writable handle would have a chunk cache, unlike this one */
} counting;

static void count_slice(const counting *c, const xta__transfer_call *t, uint64_t address,
                        const xta__chunk_slice *slice)
{
    xta__rows rows = xta__rows_of_slice(t, slice);
    xta__method_ask ask;
    xta__method method =
        c->cached ? XTA__BY_CACHE : xta__method_of_slice(t, address, slice, &rows, &ask);

    add_slice(&c->plan->total, &rows);
    add_slice(&c->plan->by_method[method], &rows);
    c->plan->n_whole += slice->whole;
}

/* Count every slice of a write that has cells; nothing is written. */
static xta_status count_slices(xta_array *array, const xta_box *box, const xta_io_options *options,
                               const counting *c, xta_error *err)
{
    xta__transfer_call t;
    int64_t chunk[XTA_MAX_NDIM];
    xta__chunk_slice slice;

    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    xta__call_begin(&t, array, XTA__WRITE, NULL);
    xta_status status = xta__call_prepare(&t, box, options, err);
    if (status == XTA_OK) {
        memcpy(chunk, t.region.chunks.lo, sizeof chunk);
        do {
            xta__find_slice(&t, chunk, &slice);
            if (slice.n_cells > 0) {
                count_slice(c, &t, xta__address_in(&t, chunk), &slice);
            }
        } while (xta__next_chunk(&t, -1, chunk));
    }
    xta__call_clear(&t);
    return status;
}

/* How a writable handle accesses the file. For reading, files on more file systems may be
 * mapped. */
static xta_access access_of_writer(const xta_array *array)
{
    xta__chunk_store *chunk_store = array->chunk_store;

    if (array->path[0] == '\0') {
        return XTA_ACCESS_AUTO;
    }
    bool mapped = chunk_store->ops->facts != NULL &&
                  (array->writable || array->access != XTA_ACCESS_AUTO ||
                   xta__file_mapping_is_safe(xta__chunks_file(chunk_store), true));
    return mapped ? XTA_ACCESS_MAPPED : XTA_ACCESS_CACHED;
}

xta_status xta_array_plan_write(xta_array *array, const xta_box *box, const xta_io_options *options,
                                xta_io_plan *plan, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_io_options own, steps = XTA_IO_OPTIONS_INIT;
    counting c = {.plan = plan};

    *plan = (xta_io_plan){0};
    XTA_TRY(xta__begin(array, err));
    XTA_TRY(xta__check_call(array, box, &options, &own, err));
    plan->access = access_of_writer(array);
    c.cached = plan->access == XTA_ACCESS_CACHED && array->chunk_store->ops->facts != NULL;
    // There is no buffer of cells, and the box may be larger than memory.
    steps.step = options != NULL ? options->step : NULL;
    XTA_TRY(count_slices(array, box, &steps, &c, err));

done:
    return status;
}

const char *xta_io_method_name(xta_io_method method)
{
    return xta__method_name((xta__method)method);
}
