/* Zones in memory: filling them from the array, and writing them back.
 *
 * If every zone is one box, each rank moves its own by one collective call, directly between file
 * and zone. If zones are many boxes (BLOCK_CYCLIC), moving them one by one would take a collective
 * call for each. So the chunks are distributed once more, in blocks: a rank moves its block panel
 * by panel, and the cells go between panel and zones one-sidedly, whichever ranks hold them. A
 * panel may be a fraction of what the zones take anyway, so the number of collective calls is
 * limited, whatever the array.
 *
 * Ranks may have different numbers of panels: all make as many calls as the rank with the most.
 * Ranks that have run out of panels, or are in error, take part with nothing.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/parallel.h>

#include <stdlib.h>
#include <string.h>

#include "parallel/zones/memory.h"

#define PANELS 16 /* a rank moves its share in so many, unless its buffer allows larger ones */

typedef enum direction { LOAD, STORE } direction;

static xta_status move_all(xta_zone_memory *memory, direction way, const xta_box *box,
                           const int64_t strides[], uint8_t *cells, xta_error *err)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;

    options.strides = strides;
    return way == LOAD ? xta_parallel_read_all(memory->p, box, &options, cells, err)
                       : xta_parallel_write_all(memory->p, box, &options, cells, err);
}

/* ---- zones of one box ---- */

static xta_status move_own(xta_zone_memory *memory, direction way, xta_error *err)
{
    xta_box box;

    if (xta_zones_n_boxes(memory->zones, memory->p->rank) == 0) {
        return move_all(memory, way, NULL, NULL, NULL, err);
    }
    box = xta_zones_cells(memory->zones, memory->p->rank, 0, &memory->bounds);
    return move_all(memory, way, &box, memory->strides, memory->local, err);
}

/* ---- panels ---- */

/* This rank's block of chunks, cut into tiles of `lengths` chunks. */
typedef struct panels {
    xta_box share; /* in chunks */
    int64_t lengths[XTA_MAX_NDIM];
    uint64_t n;
    uint8_t *buffer;
} panels;

/* The size limit of a panel: the same on all ranks. */
static uint64_t panel_bytes(const xta_zone_memory *memory)
{
    uint64_t cells = 0, bytes = memory->p->buffer_bytes;

    if (xta_box_cells(&memory->bounds, &cells) == XTA_OK) {
        uint64_t part = cells / (uint64_t)memory->p->n_ranks / PANELS;
        bytes = part > bytes / memory->cell_bytes ? part * memory->cell_bytes : bytes;
    }
    return bytes < memory->most_bytes ? bytes : memory->most_bytes;
}

static xta_status plan_panels(const xta_zone_memory *memory, panels *plan, xta_error *err)
{
    xta_box chunks = xta_zones_chunks(memory->zones);
    xta_zones *blocks = NULL;
    xta_status status = XTA_OK;
    uint64_t bytes;

    XTA_TRY(xta_zones_new(&chunks, memory->chunk, memory->p->n_ranks, NULL, &blocks, err));
    if (xta_zones_n_boxes(blocks, memory->p->rank) > 0) {
        plan->share = xta_zones_box(blocks, memory->p->rank, 0);
        plan->n = 1;
        for (int axis = 0; axis < chunks.ndim; axis++) {
            plan->lengths[axis] = plan->share.hi[axis] - plan->share.lo[axis];
        }
        bytes = xta__fit_lengths(chunks.ndim, memory->chunk, memory->cell_bytes,
                                 panel_bytes(memory), plan->lengths);
        for (int axis = 0; axis < chunks.ndim; axis++) {
            int64_t length = plan->share.hi[axis] - plan->share.lo[axis];
            plan->n *= (uint64_t)((length - 1) / plan->lengths[axis] + 1);
        }
        plan->buffer = bytes <= SIZE_MAX ? malloc((size_t)bytes) : NULL;
        if (plan->buffer == NULL) {
            status = xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a panel of %llu bytes",
                               xta_array_path(memory->p->array), (unsigned long long)bytes);
        }
    }

done:
    xta_zones_free(blocks);
    return status;
}

/* The cells of panel `k`. */
static xta_box panel_at(const xta_zone_memory *memory, const panels *plan, uint64_t k)
{
    xta_box box = plan->share;

    for (int axis = box.ndim - 1; axis >= 0; axis--) {
        int64_t length = plan->lengths[axis];
        uint64_t n = (uint64_t)((box.hi[axis] - box.lo[axis] - 1) / length + 1);
        box.lo[axis] += (int64_t)(k % n) * length;
        box.hi[axis] = box.hi[axis] - box.lo[axis] < length ? box.hi[axis] : box.lo[axis] + length;
        box.lo[axis] *= memory->chunk[axis];
        box.hi[axis] *= memory->chunk[axis];
        k /= n;
    }
    return xta_box_intersect(&box, &memory->bounds);
}

/* One panel of each rank. A failure between panel and zones concerns this rank alone: it is kept in
 * `mine`, and the rank continues with nothing. The status returned is that of all ranks. */
static xta_status move_panel(xta_zone_memory *memory, direction way, const panels *plan, uint64_t k,
                             xta_status *mine, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta_box *box = NULL;
    xta_box panel;

    if (k < plan->n && *mine == XTA_OK) {
        panel = panel_at(memory, plan, k);
        box = &panel;
    }
    if (way == STORE && box != NULL) {
        *mine = xta_zone_memory_get(memory, box, XTA_ROW, plan->buffer, err);
        box = *mine == XTA_OK ? box : NULL;
    }
    // The first failure is reported when all are done.
    status = move_all(memory, way, box, NULL, plan->buffer, *mine == XTA_OK ? err : NULL);
    if (way == LOAD && box != NULL && status == XTA_OK) {
        *mine = xta_zone_memory_put(memory, box, XTA_ROW, plan->buffer, err);
    }
    return status;
}

static xta_status move_panels(xta_zone_memory *memory, direction way, xta_error *err)
{
    MPI_Comm comm = memory->p->comm;
    panels plan = {.n = 0};
    xta_status status = plan_panels(memory, &plan, err), mine = XTA_OK;
    uint64_t most = plan.n;

    XTA_TRY(xta_agree(comm, status, err));
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, comm);
    for (uint64_t k = 0; k < most && status == XTA_OK; k++) {
        status = move_panel(memory, way, &plan, k, &mine, err);
    }
    status = xta_agree(comm, mine != XTA_OK ? mine : status, err);

done:
    free(plan.buffer);
    return status;
}

/* ---- both ---- */

static xta_status move_zones(xta_zone_memory *memory, direction way, xta_error *err)
{
    const char *call = way == LOAD ? "xta_zone_memory_load" : "xta_zone_memory_store";
    xta_parallel *p = memory->p;
    uint64_t n_boxes = xta_zones_n_boxes(memory->zones, p->rank);
    xta_status status = XTA_OK;

    MPI_Win_sync(memory->window);
    XTA_TRY(xta__zones_enter(p, call, err));
    MPI_Win_sync(memory->window);
    MPI_Allreduce(MPI_IN_PLACE, &n_boxes, 1, MPI_UINT64_T, MPI_MAX, p->comm);
    status = n_boxes > 1 ? move_panels(memory, way, err) : move_own(memory, way, err);
    // No rank may access the zone of another before that has been filled.
    MPI_Win_sync(memory->window);
    MPI_Barrier(p->comm);
    MPI_Win_sync(memory->window);

done:
    return status;
}

xta_status xta_zone_memory_load(xta_zone_memory *memory, xta_error *err)
{
    return move_zones(memory, LOAD, err);
}

xta_status xta_zone_memory_store(xta_zone_memory *memory, xta_error *err)
{
    return move_zones(memory, STORE, err);
}
