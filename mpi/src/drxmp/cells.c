/* The DRX-MP names for cells: between file and zones, one-sided access to zones, and where a cell
 * lies.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/drxmp.h>

#include <string.h>

#include "drxmp/drxmp.h"
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

int DRXMP_Read(DRXMDHdl array, DRXMDMemHdl memory, DRXMPStatus *status)
{
    return move_alone("DRXMP_Read", array, memory, false, status);
}

int DRXMP_Write(DRXMDHdl array, DRXMDMemHdl memory, DRXMPStatus *status)
{
    return move_alone("DRXMP_Write", array, memory, true, status);
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

int DRXMP_Read_all(DRXMDHdl array, DRXMDMemHdl memory, DRXMPStatus *status)
{
    return move_together("DRXMP_Read_all", array, memory, xta_zone_memory_load, status);
}

int DRXMP_Write_all(DRXMDHdl array, DRXMDMemHdl memory, DRXMPStatus *status)
{
    return move_together("DRXMP_Write_all", array, memory, xta_zone_memory_store, status);
}

/* ---- one-sided access ---- */

/* A handle and a box for a call of one rank. */
static xta_status check_box(const char *call, const struct drxmp_memory *memory, const int64_t lo[],
                            const int64_t hi[], xta_box *box, int64_t *count, xta_error *err)
{
    uint64_t cells = 0;
    xta_status status = xta__drx_check_memory(call, memory, err);

    if (status != XTA_OK) {
        return status;
    }
    if (lo == NULL || hi == NULL) {
        return xta__fail(err, XTA_EARG, 0, "%s: the box is missing; give lo and hi", call);
    }
    *box = xta_box_make(memory->bounds.ndim, lo, hi);
    // A box whose cells cannot be counted leaves the bounds, and is refused for that.
    if (xta_box_cells(box, &cells) == XTA_OK) {
        *count = (int64_t)cells;
    }
    return XTA_OK;
}

int DRXMP_Get(DRXMDMemHdl memory, const int64_t lo[], const int64_t hi[], xta_order order,
              void *cells, DRXMPStatus *status)
{
    xta_error err = {0};
    xta_box box;
    int64_t count = 0;
    struct drxmp_memory *open = xta__drx_memory(memory);

    xta_status result = check_box("DRXMP_Get", open, lo, hi, &box, &count, &err);
    if (result == XTA_OK) {
        result = xta_zone_memory_get(open->zones, &box, order, cells, &err);
    }
    return xta__drx_answer(status, result, count, &err);
}

int DRXMP_Put(DRXMDMemHdl memory, const int64_t lo[], const int64_t hi[], xta_order order,
              const void *cells, DRXMPStatus *status)
{
    xta_error err = {0};
    xta_box box;
    int64_t count = 0;
    struct drxmp_memory *open = xta__drx_memory(memory);

    xta_status result = check_box("DRXMP_Put", open, lo, hi, &box, &count, &err);
    if (result == XTA_OK) {
        result = xta_zone_memory_put(open->zones, &box, order, cells, &err);
    }
    return xta__drx_answer(status, result, count, &err);
}

int DRXMP_Accumulate(DRXMDMemHdl memory, const int64_t lo[], const int64_t hi[], xta_order order,
                     const void *cells, MPI_Op op, DRXMPStatus *status)
{
    xta_error err = {0};
    xta_box box;
    int64_t count = 0;
    struct drxmp_memory *open = xta__drx_memory(memory);

    xta_status result = check_box("DRXMP_Accumulate", open, lo, hi, &box, &count, &err);
    if (result == XTA_OK) {
        result = xta_zone_memory_accumulate(open->zones, &box, order, cells, op, &err);
    }
    return xta__drx_answer(status, result, count, &err);
}

int DRXMP_Fence(DRXMDMemHdl memory, DRXMPStatus *status)
{
    xta_error err = {0};
    struct drxmp_memory *open = xta__drx_memory(memory);
    struct drxmp_array *array = open == NULL ? NULL : open->array;

    xta_status result = xta__drx_meet("DRXMP_Fence", array, true, open, &err);
    if (result == XTA_OK) {
        result = xta_zone_memory_fence(open->zones, &err);
    }
    return xta__drx_answer(status, result, 0, &err);
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
static xta_status check_question(const char *call, DRXMDHdl array, DRXMDMemHdl memory,
                                 const void *place, xta_error *err)
{
    const struct drxmp_array *open = xta__drx_array(array);
    xta_status status = xta__drx_check(call, open, err);

    if (status == XTA_OK && memory != DRXMDMEM_NULL) {
        status = xta__drx_check_memory(call, xta__drx_memory_of(open, memory), err);
    }
    if (status == XTA_OK && place == NULL) {
        status = xta__fail(err, XTA_EARG, 0, "%s: the place for the answer is missing", call);
    }
    return status;
}

int DRXMP_Inquire(DRXMDHdl array, DRXMDMemHdl memory, DRXMPInfo *info, DRXMPStatus *status)
{
    xta_error err = {0};
    xta_array_info about;
    DRXMPInfo answer;
    xta_status result = check_question("DRXMP_Inquire", array, memory, info, &err);

    memset(&answer, 0, sizeof answer);
    if (result == XTA_OK) {
        result = zones_meant(array, memory, &answer.zones, &err);
    }
    if (result == XTA_OK) {
        result = xta_array_inquire(xta_parallel_array(array->parallel), &about, &err);
    }
    if (result != XTA_OK) {
        return xta__drx_answer(status, result, 0, &err);
    }
    answer.ndim = about.ndim;
    answer.type = xta__drx_mpi_type(about.type, about.cell_bytes);
    answer.cell_bytes = about.cell_bytes;
    answer.rank = array->parallel->rank;
    answer.n_ranks = array->parallel->n_ranks;
    answer.bounds = about.bounds;
    memcpy(answer.chunk, about.chunk, sizeof answer.chunk);
    answer.n_chunks = about.n_chunks;
    if (memory != NULL) {
        answer.order = memory->order;
        answer.local = xta_zone_memory_local(memory->zones, answer.lengths, answer.strides);
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

int DRXMP_Locate(DRXMDHdl array, DRXMDMemHdl memory, const int64_t cell[], DRXMPLocation *location,
                 DRXMPStatus *status)
{
    xta_error err = {0};
    xta_location where;
    const xta_zones *zones = NULL;
    xta_status result = check_question("DRXMP_Locate", array, memory, location, &err);

    if (result == XTA_OK && cell == NULL) {
        result = xta__fail(&err, XTA_EARG, 0, "DRXMP_Locate: the cell is missing");
    }
    if (result == XTA_OK) {
        result = zones_meant(array, memory, &zones, &err);
    }
    if (result == XTA_OK) {
        result = xta_array_locate(xta_parallel_array(array->parallel), cell, &where, &err);
    }
    if (result != XTA_OK) {
        return xta__drx_answer(status, result, 0, &err);
    }
    location->rank = zones_reach(memory, array, cell) ? xta_zones_rank_of_cell(zones, cell) : -1;
    location->address = where.address;
    location->position = where.position;
    location->offset = where.offset;
    return xta__drx_answer(status, XTA_OK, 0, &err);
}
