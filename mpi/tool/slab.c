/* A box of a grid of blocks, as a separate grid: block numbers are shifted, cuts are clipped, and
 * all calls are forwarded.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "mpi_tool.h"

#include <stdlib.h>
#include <string.h>

#include "util/checked.h"

/* The number of the block that holds a coordinate. */
static int64_t block_of(const xta_cuts *cuts, int64_t lo, int64_t x)
{
    int64_t k = 0;

    if (cuts->n_edges == 0) {
        return xta__floor_div(x - cuts->origin, cuts->length) -
               xta__floor_div(lo - cuts->origin, cuts->length);
    }
    while (k + 2 < cuts->n_edges && cuts->edges[k + 1] <= x) {
        k++;
    }
    return k;
}

static void shift(const mpi_slab *slab, const int64_t block[], int64_t shifted[])
{
    for (int axis = 0; axis < slab->blocks.bounds.ndim; axis++) {
        shifted[axis] = block[axis] + slab->first[axis];
    }
}

/* ---- calls ---- */

static uint64_t slab_place(void *self, const int64_t block[])
{
    const mpi_slab *slab = self;
    int64_t shifted[XTA_MAX_NDIM];

    shift(slab, block, shifted);
    return slab->whole->calls->place(slab->whole->self, shifted);
}

static xta_status slab_read(void *self, const int64_t block[], const xta_box *piece, void *cells,
                            const int64_t strides[], xta_error *err)
{
    const mpi_slab *slab = self;
    int64_t shifted[XTA_MAX_NDIM];

    shift(slab, block, shifted);
    return slab->whole->calls->read(slab->whole->self, shifted, piece, cells, strides, err);
}

static xta_status slab_write(void *self, const int64_t block[], const xta_box *piece,
                             const void *cells, const int64_t strides[], xta_error *err)
{
    const mpi_slab *slab = self;
    int64_t shifted[XTA_MAX_NDIM];

    shift(slab, block, shifted);
    return slab->whole->calls->write(slab->whole->self, shifted, piece, cells, strides, err);
}

static xta_status slab_finish(void *self, const int64_t block[], xta_error *err)
{
    const mpi_slab *slab = self;
    int64_t shifted[XTA_MAX_NDIM];

    shift(slab, block, shifted);
    return slab->whole->calls->finish(slab->whole->self, shifted, err);
}

static uint64_t slab_n_calls(const void *self, bool wrote)
{
    const mpi_slab *slab = self;

    return slab->whole->calls->n_calls(slab->whole->self, wrote);
}

static xta_status slab_sync(void *self, xta_error *err)
{
    const mpi_slab *slab = self;

    return slab->whole->calls->sync(slab->whole->self, err);
}

/* ---- making a slab ---- */

/* Clip the cuts of one axis to [lo, hi). */
static xta_status clip(const xta_cuts *cuts, int64_t lo, int64_t hi, xta_cuts *clipped,
                       int64_t **edges, xta_error *err)
{
    int64_t n = 0;

    *clipped = *cuts;
    if (cuts->n_edges == 0) {
        return XTA_OK;
    }
    *edges = malloc((size_t)(cuts->n_edges + 2) * sizeof **edges);
    if (*edges == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for the cuts of an axis");
    }
    (*edges)[n++] = lo;
    for (int64_t k = 0; k < cuts->n_edges; k++) {
        if (cuts->edges[k] > lo && cuts->edges[k] < hi) {
            (*edges)[n++] = cuts->edges[k];
        }
    }
    (*edges)[n++] = hi;
    clipped->n_edges = n;
    clipped->edges = *edges;
    return XTA_OK;
}

xta_status xta__slab_init(mpi_slab *slab, const xta_blocks *whole, const xta_box *box,
                          xta_error *err)
{
    const xta_blocks_calls *calls = whole->calls;

    *slab = (mpi_slab){.blocks = *whole, .whole = whole, .calls = *calls};
    slab->calls.place = calls->place != NULL ? slab_place : NULL;
    slab->calls.read = calls->read != NULL ? slab_read : NULL;
    slab->calls.write = calls->write != NULL ? slab_write : NULL;
    slab->calls.finish = calls->finish != NULL ? slab_finish : NULL;
    slab->calls.sync = calls->sync != NULL ? slab_sync : NULL;
    slab->calls.n_calls = calls->n_calls != NULL ? slab_n_calls : NULL;
    // These calls would move the whole of a block that the box cuts.
    slab->calls.read_run = NULL;
    slab->calls.write_run = NULL;
    slab->calls.close = NULL;
    slab->blocks.calls = &slab->calls;
    slab->blocks.self = slab;
    slab->blocks.bounds = *box;
    for (int axis = 0; axis < box->ndim; axis++) {
        const xta_cuts *cuts = &whole->partition.axis[axis];
        slab->first[axis] = block_of(cuts, whole->bounds.lo[axis], box->lo[axis]);
        xta_status status = clip(cuts, box->lo[axis], box->hi[axis],
                                 &slab->blocks.partition.axis[axis], &slab->edges[axis], err);
        if (status != XTA_OK) {
            return status;
        }
    }
    return XTA_OK;
}

void xta__slab_clear(mpi_slab *slab)
{
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        free(slab->edges[axis]);
        slab->edges[axis] = NULL;
    }
}
