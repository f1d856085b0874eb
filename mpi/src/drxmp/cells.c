/* Calls on cells: between file and zones, one-sided access to zones, and where a cell lies.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "drxmp/cells.h"

#include <string.h>

#include "drxmp/session.h"
#include "drxmp/type.h"

/* ---- between file and zones ---- */

static int64_t cells_of_zone(struct drxmp_memory *memory)
{
    int64_t lengths[XTA_MAX_NDIM], n = 1;

    xta_zone_memory_local(memory->zones, lengths, NULL);
    for (int axis = 0; axis < memory->bounds.ndim; axis++) {
        n *= lengths[axis];
    }
    return n;
}

/* Where a box of a zone lies in the dense array that holds the zone: there its blocks follow each
 * other on each axis. Boxes come in row-major order, so from one to the next an axis goes on to its
 * next block, begins anew, or stays. */
static void step_on(const xta_box *last, const xta_box *box, int64_t at[])
{
    for (int axis = 0; axis < box->ndim; axis++) {
        if (box->lo[axis] > last->lo[axis]) {
            at[axis] += last->hi[axis] - last->lo[axis];
        } else if (box->lo[axis] < last->lo[axis]) {
            at[axis] = 0;
        }
    }
}

/* This rank's zone, box by box, with no other rank. */
static xta_status move_zone(struct drxmp_memory *memory, bool write, xta_error *err)
{
    xta_parallel *parallel = memory->array->parallel;
    const xta_zones *zones = xta_zone_memory_zones(memory->zones);
    uint64_t n = xta_zones_n_boxes(zones, parallel->rank);
    int64_t strides[XTA_MAX_NDIM], at[XTA_MAX_NDIM] = {0};
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    xta_box last = memory->bounds;
    xta_status status = XTA_OK;
    uint8_t *local = xta_zone_memory_local(memory->zones, NULL, strides);

    options.strides = strides;
    for (uint64_t k = 0; k < n && status == XTA_OK; k++) {
        xta_box box = xta_zones_cells(zones, parallel->rank, k, &memory->bounds);
        uint8_t *cells = local;
        if (k > 0) {
            step_on(&last, &box, at);
        }
        for (int axis = 0; axis < box.ndim; axis++) {
            cells += at[axis] * strides[axis];
        }
        status = write ? xta_parallel_write(parallel, &box, &options, cells, err)
                       : xta_parallel_read(parallel, &box, &options, cells, err);
        last = box;
    }
    return status;
}

static int move_alone(const char *call, DRXMDHdl array, DRXMDMemHdl memory, bool write,
                      DRXMPStatus *status)
{
    xta_error err = {0};
    struct drxmp_array *open = xta__drx_array(array);
    struct drxmp_memory *zones = xta__drx_memory_of(open, memory);

    xta_status result = xta__drx_check(call, open, &err);
    if (result == XTA_OK) {
        result = xta__drx_check_memory(call, zones, &err);
    }
    if (result == XTA_OK) {
        result = move_zone(zones, write, &err);
    }
    return xta__drx_answer(status, result, result == XTA_OK ? cells_of_zone(zones) : 0, &err);
}

int DRXMP_Read(DRXMDHdl drxhdl, DRXMDMemHdl memhdl, DRXMPStatus *stat)
{
    return move_alone("DRXMP_Read", drxhdl, memhdl, false, stat);
}

int DRXMP_Write(DRXMDHdl drxhdl, DRXMDMemHdl memhdl, DRXMPStatus *stat)
{
    return move_alone("DRXMP_Write", drxhdl, memhdl, true, stat);
}

static int move_together(const char *call, DRXMDHdl array, DRXMDMemHdl memory,
                         xta_status (*move)(xta_zone_memory *memory, xta_error *err),
                         DRXMPStatus *status)
{
    xta_error err = {0};
    struct drxmp_array *open = xta__drx_array(array);
    struct drxmp_memory *zones = xta__drx_memory_of(open, memory);

    xta_status result = xta__drx_meet(call, open, true, zones, &err);
    if (result == XTA_OK) {
        result = move(zones->zones, &err);
    }
    return xta__drx_answer(status, result, result == XTA_OK ? cells_of_zone(zones) : 0, &err);
}

int DRXMP_Read_all(DRXMDHdl drxhdl, DRXMDMemHdl memhdl, DRXMPStatus *stat)
{
    return move_together("DRXMP_Read_all", drxhdl, memhdl, xta_zone_memory_load, stat);
}

int DRXMP_Write_all(DRXMDHdl drxhdl, DRXMDMemHdl memhdl, DRXMPStatus *stat)
{
    return move_together("DRXMP_Write_all", drxhdl, memhdl, xta_zone_memory_store, stat);
}

/* ---- one-sided access ---- */

int xta__drx_one_sided(const xta__drx_access *access, xta_order order, DRXMPStatus *status)
{
    xta_error err = {0};
    uint64_t cells = 0;
    const struct drxmp_memory *memory = access->memory;
    xta_status result = xta__drx_check_memory(access->call, memory, &err);

    if (result != XTA_OK) {
        return xta__drx_answer(status, result, 0, &err);
    }
    if (access->lo == NULL || access->hi == NULL) {
        result =
            xta__fail(&err, XTA_EARG, 0, "%s: the box is missing; give lo and hi", access->call);
        return xta__drx_answer(status, result, 0, &err);
    }
    xta_box box = xta_box_make(memory->bounds.ndim, access->lo, access->hi);
    // A box whose cells cannot be counted leaves the bounds, and is refused for that.
    if (xta_box_cells(&box, &cells) != XTA_OK) {
        cells = 0;
    }
    switch (access->kind) {
    case XTA__DRX_GET:
        result = xta_zone_memory_get(memory->zones, &box, order, access->out, &err);
        break;
    case XTA__DRX_PUT:
        result = xta_zone_memory_put(memory->zones, &box, order, access->in, &err);
        break;
    default:
        result =
            xta_zone_memory_accumulate(memory->zones, &box, order, access->in, access->op, &err);
        break;
    }
    return xta__drx_answer(status, result, (int64_t)cells, &err);
}

int DRXMPX_Get(DRXMDMemHdl memory, const int64_t lo[], const int64_t hi[], xta_order order,
               void *cells, DRXMPStatus *status)
{
    xta__drx_access access = {.call = "DRXMPX_Get",
                              .kind = XTA__DRX_GET,
                              .memory = xta__drx_memory(memory),
                              .lo = lo,
                              .hi = hi,
                              .out = cells};

    return xta__drx_one_sided(&access, order, status);
}

int DRXMPX_Put(DRXMDMemHdl memory, const int64_t lo[], const int64_t hi[], xta_order order,
               const void *cells, DRXMPStatus *status)
{
    xta__drx_access access = {.call = "DRXMPX_Put",
                              .kind = XTA__DRX_PUT,
                              .memory = xta__drx_memory(memory),
                              .lo = lo,
                              .hi = hi,
                              .in = cells};

    return xta__drx_one_sided(&access, order, status);
}

int DRXMPX_Accumulate(DRXMDMemHdl memory, const int64_t lo[], const int64_t hi[], xta_order order,
                      const void *cells, MPI_Op op, DRXMPStatus *status)
{
    xta__drx_access access = {.call = "DRXMPX_Accumulate",
                              .kind = XTA__DRX_ACCUMULATE,
                              .memory = xta__drx_memory(memory),
                              .lo = lo,
                              .hi = hi,
                              .in = cells,
                              .op = op};

    return xta__drx_one_sided(&access, order, status);
}

static int fence(const char *call, DRXMDMemHdl memory, DRXMPStatus *status)
{
    xta_error err = {0};
    struct drxmp_memory *open = xta__drx_memory(memory);
    struct drxmp_array *array = open == NULL ? NULL : open->array;

    xta_status result = xta__drx_meet(call, array, true, open, &err);
    if (result == XTA_OK) {
        result = xta_zone_memory_fence(open->zones, &err);
    }
    return xta__drx_answer(status, result, 0, &err);
}

int DRXMPX_Fence(DRXMDMemHdl memory, DRXMPStatus *status)
{
    return fence("DRXMPX_Fence", memory, status);
}

int DRXMP_Fence(DRXMDMemHdl memhdl)
{
    return fence("DRXMP_Fence", memhdl, DRXMP_STATUS_IGNORE);
}

/* ---- asking ---- */

/* The zones that a call means: those of a memory handle, else BLOCK zones of the bounds of now,
 * kept until these change. */
static xta_status zones_meant(struct drxmp_array *array, const struct drxmp_memory *memory,
                              const xta_zones **zones, xta_error *err)
{
    xta_box bounds = xta_parallel_bounds(array->parallel);
    xta_status status = XTA_OK;

    if (memory != NULL) {
        *zones = xta_zone_memory_zones(memory->zones);
        return XTA_OK;
    }
    if (array->zones == NULL || !xta_box_equal(&array->zones_bounds, &bounds)) {
        xta_zones *fresh = NULL;
        status = xta_parallel_zones(array->parallel, NULL, &fresh, err);
        if (status == XTA_OK) {
            xta_zones_free(array->zones);
            array->zones = fresh;
            array->zones_bounds = bounds;
        }
    }
    *zones = array->zones;
    return status;
}

/* The handles of an inquiry: `memory` may be DRXMDMEM_NULL, but nothing else that is not open. */
static xta_status check_question(const char *call, const struct drxmp_array *array,
                                 DRXMDMemHdl memory, const void *place, xta_error *err)
{
    xta_status status = xta__drx_check(call, array, err);

    if (status == XTA_OK && memory != DRXMDMEM_NULL) {
        status = xta__drx_check_memory(call, xta__drx_memory_of(array, memory), err);
    }
    if (status == XTA_OK && place == NULL) {
        status = xta__drx_missing(call, "place for the answer", err);
    }
    return status;
}

int DRXMPX_Inquire(DRXMDHdl array, DRXMDMemHdl memory, DRXMPInfo *info, DRXMPStatus *status)
{
    xta_error err = {0};
    xta_array_info about;
    DRXMPInfo answer;
    struct drxmp_array *open = xta__drx_array(array);
    struct drxmp_memory *zones = xta__drx_memory_of(open, memory);
    xta_status result = check_question("DRXMPX_Inquire", open, memory, info, &err);

    memset(&answer, 0, sizeof answer);
    if (result == XTA_OK) {
        result = zones_meant(open, zones, &answer.zones, &err);
    }
    if (result == XTA_OK) {
        result = xta_array_inquire(xta_parallel_array(open->parallel), &about, &err);
    }
    if (result != XTA_OK) {
        return xta__drx_answer(status, result, 0, &err);
    }
    answer.ndim = about.ndim;
    answer.type = xta__drx_mpi_type(about.type, about.cell_bytes);
    answer.cell_bytes = about.cell_bytes;
    answer.rank = open->parallel->rank;
    answer.n_ranks = open->parallel->n_ranks;
    answer.bounds = about.bounds;
    memcpy(answer.chunk, about.chunk, sizeof answer.chunk);
    answer.n_chunks = about.n_chunks;
    if (zones != NULL) {
        answer.order = zones->order;
        answer.local = xta_zone_memory_local(zones->zones, answer.lengths, answer.strides);
    }
    *info = answer;
    return xta__drx_answer(status, XTA_OK, 0, &err);
}

/* Whether a cell of the array was within the bounds when the zones in memory were made. */
static bool zones_reach(const struct drxmp_memory *memory, const struct drxmp_array *array,
                        const int64_t cell[])
{
    bool inside = memory == NULL ||
                  memory->bounds.ndim == xta_array_ndim(xta_parallel_array(array->parallel));

    for (int axis = 0; inside && memory != NULL && axis < memory->bounds.ndim; axis++) {
        inside = cell[axis] >= memory->bounds.lo[axis] && cell[axis] < memory->bounds.hi[axis];
    }
    return inside;
}

int DRXMPX_Locate(DRXMDHdl array, DRXMDMemHdl memory, const int64_t cell[], DRXMPLocation *location,
                  DRXMPStatus *status)
{
    xta_error err = {0};
    xta_location where;
    const xta_zones *zones = NULL;
    struct drxmp_array *open = xta__drx_array(array);
    struct drxmp_memory *held = xta__drx_memory_of(open, memory);
    xta_status result = check_question("DRXMPX_Locate", open, memory, location, &err);

    if (result == XTA_OK && cell == NULL) {
        result = xta__drx_missing("DRXMPX_Locate", "cell", &err);
    }
    if (result == XTA_OK) {
        result = zones_meant(open, held, &zones, &err);
    }
    if (result == XTA_OK) {
        result = xta_array_locate(xta_parallel_array(open->parallel), cell, &where, &err);
    }
    if (result != XTA_OK) {
        return xta__drx_answer(status, result, 0, &err);
    }
    location->rank = zones_reach(held, open, cell) ? xta_zones_rank_of_cell(zones, cell) : -1;
    location->address = where.address;
    location->position = where.position;
    location->offset = where.offset;
    return xta__drx_answer(status, XTA_OK, 0, &err);
}
