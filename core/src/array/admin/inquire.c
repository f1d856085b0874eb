/* The disk space of an array, and where its chunks and cells lie: segments, F* and its inverse.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/admin/inquire.h"

#include <inttypes.h>
#include <string.h>

#include "array/handle/replica.h"
#include "array/io/check_call.h"
#include "array/io/chunk_address.h"
#include "array/state/open_array.h"
#include "array/state/structure.h"
#include "geometry/region/plan.h"

static uint64_t data_offset(const xta_array *array)
{
    return array->in_memory ? 0 : array->state.constants.data_offset;
}

static xta_status file_sizes(xta_array *array, xta_array_info *info, xta_error *err)
{
    if (array->replica) {
        return xta__replica_sizes(array, info, err);
    }
    xta_status status = xta__file_sizes(xta__chunks_file(array->chunk_store),
                                        &info->data_apparent_bytes, &info->data_real_bytes, err);

    info->data_apparent_bytes += data_offset(array);
    if (status == XTA_OK) {
        status = xta__file_sizes(&array->journal.file, &info->journal_bytes, NULL, err);
    }
    if (array->journal.exclusive) {
        // The rest is reserved, and is truncated when the array is closed.
        info->journal_bytes = array->journal.end;
    }
    return status;
}

xta_status xta_array_inquire(xta_array *array, xta_array_info *info, xta_error *err)
{
    xta_status status = xta__begin(array, err);
    const xta__constants *c = &array->state.constants;

    if (status != XTA_OK) {
        return status;
    }
    memset(info, 0, sizeof *info);
    pthread_mutex_lock(&array->lock);
    const xta__structure *s = array->state.structure;
    info->ndim = s->ndim;
    info->type = c->type;
    info->cell_bytes = c->cell_bytes;
    info->bounds = xta__structure_bounds(s);
    info->allocated = xta_box_make(s->ndim, s->mapping.lo, s->mapping.hi);
    for (int axis = 0; axis < s->ndim; axis++) {
        info->chunk[axis] = s->axis[axis].chunk;
    }
    info->order = c->order;
    info->layout = c->layout;
    info->policy = c->policy;
    info->policy_amount = c->policy_amount;
    info->in_memory = array->in_memory;
    info->writable = array->writable;
    info->mapped = !array->in_memory && array->chunk_store->windows != NULL;
    info->chunk_bytes = array->state.chunk_bytes;
    info->slot_bytes = c->slot_bytes;
    info->data_offset = data_offset(array);
    info->n_chunks = s->mapping.n_chunks;
    info->n_segments = s->mapping.n_records;
    info->n_steps = s->n_steps;
    // No function of this library moves a cell: a chunk keeps its address, an address its offset.
    info->moved_bytes = 0;
    if (!array->in_memory) {
        memcpy(info->uuid, array->journal.uuid, sizeof info->uuid);
        status = file_sizes(array, info, err);
    }
    pthread_mutex_unlock(&array->lock);
    return status;
}

xta_status xta_array_segment(xta_array *array, uint64_t k, xta_segment *segment, xta_error *err)
{
    xta_status status = xta__begin(array, err);

    if (status != XTA_OK) {
        return status;
    }
    pthread_mutex_lock(&array->lock);
    const xta__mapping *mapping = &array->state.structure->mapping;
    if (k >= mapping->n_records) {
        status = xta__fail(err, XTA_EARG, 0, "%s: segment %" PRIu64 ": there are %u",
                           xta__array_name(array), k, mapping->n_records);
    } else {
        const xta__axial_record *record = &mapping->records[k];
        *segment = (xta_segment){.initial = record->initial,
                                 .axis = record->axis,
                                 .side = record->side,
                                 .base = record->base};
        xta__mapping_segment(mapping, (uint32_t)k, &segment->n_chunks, &segment->chunks);
    }
    pthread_mutex_unlock(&array->lock);
    return status;
}

static bool inside(const xta_box *box, const int64_t coord[])
{
    for (int axis = 0; axis < box->ndim; axis++) {
        if (coord[axis] < box->lo[axis] || coord[axis] >= box->hi[axis]) {
            return false;
        }
    }
    return true;
}

/* find_address for a number of axes that the compiler knows, so that it unrolls both loops. */
static inline __attribute__((always_inline)) bool
find_address_of_axes(xta__mapping *mapping, const int64_t chunk[], int ndim, uint64_t *address)
{
    int64_t registers[8];
    const int64_t *c = xta__coords_at_hand(chunk, ndim, registers);

#pragma GCC unroll 8
    for (int axis = 0; axis < ndim; axis++) {
        if (c[axis] < mapping->lo[axis] || c[axis] >= mapping->hi[axis]) {
            return false;
        }
    }
    if (!xta__address_of_axes(mapping, c, ndim, address)) {
        *address = xta__mapping_address(mapping, chunk);
    }
    return true;
}

/* F* of a chunk of the allocated box. The array's lock is held. */
static inline bool find_address(xta__mapping *mapping, const int64_t chunk[], uint64_t *address)
{
    switch (mapping->ndim) {
    case 2:
        return find_address_of_axes(mapping, chunk, 2, address);
    case 3:
        return find_address_of_axes(mapping, chunk, 3, address);
    case 4:
        return find_address_of_axes(mapping, chunk, 4, address);
    case 5:
        return find_address_of_axes(mapping, chunk, 5, address);
    case 6:
        return find_address_of_axes(mapping, chunk, 6, address);
    case 7:
        return find_address_of_axes(mapping, chunk, 7, address);
    default:
        return find_address_of_axes(mapping, chunk, mapping->ndim, address);
    }
}

static __attribute__((noinline)) xta_status no_such_chunk(xta_array *array, const int64_t chunk[],
                                                          xta_error *err)
{
    const xta__mapping *mapping = &array->state.structure->mapping;
    xta_box allocated = xta_box_make(mapping->ndim, mapping->lo, mapping->hi);
    char at[200], text[200];

    return xta__fail(err, XTA_EBOX, 0, "%s: chunk %s is outside the allocated box %s",
                     xta__array_name(array), xta__coord_text(chunk, mapping->ndim, at, sizeof at),
                     xta__box_text(&allocated, text, sizeof text));
}

xta_status xta_array_chunk_addresses(xta_array *array, size_t n, const int64_t chunks[],
                                     uint64_t addresses[], xta_error *err)
{
    // so that a structural change does not have to wait for all of them
    const size_t at_once = 1024;
    xta_status status = xta__begin(array, err);

    for (size_t begin = 0; begin < n && status == XTA_OK; begin += at_once) {
        size_t end = n - begin > at_once ? begin + at_once : n;
        pthread_mutex_lock(&array->lock);
        xta__mapping *mapping = &array->state.structure->mapping;
        for (size_t k = begin; k < end && status == XTA_OK; k++) {
            const int64_t *chunk = chunks + k * (size_t)mapping->ndim;
            if (!find_address(mapping, chunk, &addresses[k])) {
                status = no_such_chunk(array, chunk, err);
            }
        }
        pthread_mutex_unlock(&array->lock);
    }
    return status;
}

xta_status xta_array_chunk_address(xta_array *array, const int64_t chunk[], uint64_t *address,
                                   xta_error *err)
{
    xta_status status = xta__begin(array, err);

    if (status != XTA_OK) {
        return status;
    }
    pthread_mutex_lock(&array->lock);
    if (!find_address(&array->state.structure->mapping, chunk, address)) {
        status = no_such_chunk(array, chunk, err);
    }
    pthread_mutex_unlock(&array->lock);
    return status;
}

static void describe_chunk(const xta__structure *s, const xta_box *bounds, uint64_t address,
                           const int64_t coord[], xta_chunk *chunk)
{
    chunk->address = address;
    chunk->chunk.ndim = s->ndim;
    for (int axis = 0; axis < s->ndim; axis++) {
        chunk->chunk.lo[axis] = coord[axis];
        chunk->chunk.hi[axis] = coord[axis] + 1;
    }
    xta_box cells = xta__structure_cells_of(s, coord);
    chunk->cells = xta_box_intersect(&cells, bounds);
}

static xta_status no_such_address(xta_array *array, uint64_t address, uint64_t n, xta_error *err)
{
    return xta__fail(err, XTA_EBOX, 0, "%s: address %" PRIu64 ": the array has %" PRIu64 " chunks",
                     xta__array_name(array), address, n);
}

xta_status xta_array_chunk_at(xta_array *array, uint64_t address, xta_chunk *chunk, xta_error *err)
{
    xta_status status = xta__begin(array, err);
    int64_t coord[XTA_MAX_NDIM];

    if (status != XTA_OK) {
        return status;
    }
    pthread_mutex_lock(&array->lock);
    const xta__structure *s = array->state.structure;
    if (address < s->mapping.n_chunks) {
        xta_box bounds = xta__structure_bounds(s);
        xta__mapping_inverse(&s->mapping, address, coord);
        describe_chunk(s, &bounds, address, coord, chunk);
    } else {
        status = no_such_address(array, address, s->mapping.n_chunks, err);
    }
    pthread_mutex_unlock(&array->lock);
    return status;
}

xta_status xta_array_locate(xta_array *array, const int64_t coord[], xta_location *location,
                            xta_error *err)
{
    xta_status status = xta__begin(array, err);
    int64_t chunk[XTA_MAX_NDIM], within[XTA_MAX_NDIM];
    char at[200], text[200];

    if (status != XTA_OK) {
        return status;
    }
    pthread_mutex_lock(&array->lock);
    xta__structure *s = array->state.structure;
    xta_box bounds = xta__structure_bounds(s);
    if (inside(&bounds, coord)) {
        for (int axis = 0; axis < s->ndim; axis++) {
            chunk[axis] = xta__floor_div(coord[axis], s->axis[axis].chunk);
            within[axis] = xta__floor_mod(coord[axis], s->axis[axis].chunk);
        }
        location->address = xta__mapping_address(&s->mapping, chunk);
        location->position = xta__grid_position(&s->grid, within);
        location->offset = data_offset(array) +
                           location->address * array->state.constants.slot_bytes +
                           location->position * array->cell_bytes;
    } else {
        status = xta__fail(err, XTA_EBOX, 0, "%s: cell %s is outside the bounds %s",
                           xta__array_name(array), xta__coord_text(coord, s->ndim, at, sizeof at),
                           xta__box_text(&bounds, text, sizeof text));
    }
    pthread_mutex_unlock(&array->lock);
    return status;
}

xta_status xta_array_cell_at(xta_array *array, uint64_t offset, int64_t coord[], bool *ghost,
                             xta_error *err)
{
    xta_status status = xta__begin(array, err);
    int64_t chunk[XTA_MAX_NDIM], within[XTA_MAX_NDIM];

    if (status != XTA_OK) {
        return status;
    }
    pthread_mutex_lock(&array->lock);
    const xta__structure *s = array->state.structure;
    uint64_t slot = array->state.constants.slot_bytes, at = data_offset(array);
    uint64_t in_data = offset >= at ? offset - at : 0;
    uint64_t address = in_data / slot, position = in_data % slot / array->cell_bytes;
    if (offset < at) {
        status = xta__fail(err, XTA_EBOX, 0,
                           "%s: offset %" PRIu64 " lies in the header of the data file; chunks "
                           "begin at %" PRIu64,
                           xta__array_name(array), offset, at);
    } else if (address >= s->mapping.n_chunks) {
        status = no_such_address(array, address, s->mapping.n_chunks, err);
    } else if (position >= s->grid.n_cells) {
        status = xta__fail(err, XTA_EBOX, 0,
                           "%s: offset %" PRIu64 " lies in the padding behind chunk %" PRIu64,
                           xta__array_name(array), offset, address);
    } else {
        xta_box bounds = xta__structure_bounds(s);
        xta__mapping_inverse(&s->mapping, address, chunk);
        xta__grid_coord(&s->grid, position, within);
        for (int axis = 0; axis < s->ndim; axis++) {
            coord[axis] = chunk[axis] * s->axis[axis].chunk + within[axis];
        }
        if (ghost != NULL) {
            *ghost = !inside(&bounds, coord);
        }
    }
    pthread_mutex_unlock(&array->lock);
    return status;
}

/* ---- every chunk ---- */

static uint64_t address_of(void *user, const int64_t coord[])
{
    xta_array *array = user;

    return xta__address(array, xta__structure_of(array), coord);
}

/* All chunks of the allocated box, by ascending address. */
static xta_status each_address(xta_array *array, int (*each)(void *user, const xta_chunk *chunk),
                               void *user, xta_error *err)
{
    int64_t coord[XTA_MAX_NDIM];
    xta_chunk chunk;

    pthread_mutex_lock(&array->lock);
    uint64_t n = array->state.structure->mapping.n_chunks;
    pthread_mutex_unlock(&array->lock);
    for (uint64_t q = 0; q < n; q++) {
        pthread_mutex_lock(&array->lock);
        const xta__structure *s = array->state.structure;
        xta_box bounds = xta__structure_bounds(s);
        xta__mapping_inverse(&s->mapping, q, coord);
        describe_chunk(s, &bounds, q, coord, &chunk);
        pthread_mutex_unlock(&array->lock);
        if (each(user, &chunk) != 0) {
            return xta__fail(err, XTA_ECANCELLED, 0, "%s: the walk over the chunks was ended",
                             xta__array_name(array));
        }
    }
    return XTA_OK;
}

xta_status xta_array_each_chunk(xta_array *array, const xta_box *box,
                                int (*each)(void *user, const xta_chunk *chunk), void *user,
                                xta_error *err)
{
    xta_status status = XTA_OK;
    xta__batches batches = {0};
    const xta__batch *batch;
    xta_chunk chunk;

    XTA_TRY(xta__begin(array, err));
    if (box == NULL) {
        return each_address(array, each, user, err);
    }
    const xta__structure *s = xta__structure_of(array);
    xta_box bounds = xta__structure_bounds(s);
    XTA_TRY(xta__check_box(array, box, &bounds, err));
    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    xta_box chunks = xta__structure_chunks_of(s, box);
    if (xta__batches_init(&batches, &chunks, address_of, array) != XTA_OK) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for the walk over the chunks",
                          xta__array_name(array)));
    }
    while ((batch = xta__batches_next(&batches)) != NULL) {
        for (size_t k = 0; k < batch->n; k++) {
            describe_chunk(s, &bounds, batch->addresses[k], batch->coords + k * (size_t)s->ndim,
                           &chunk);
            if (each(user, &chunk) != 0) {
                XTA_TRY(xta__fail(err, XTA_ECANCELLED, 0, "%s: the walk over the chunks was ended",
                                  xta__array_name(array)));
            }
        }
    }

done:
    xta__batches_clear(&batches);
    return status;
}
