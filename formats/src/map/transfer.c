/* Cells between a mapped dataset and its array, slab by slab.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "map/transfer.h"

#include <stdlib.h>
#include <string.h>

#include "description/copy_attributes.h"
#include "description/description.h"
#include "description/origin.h"
#include "map/handle.h"
#include "transfer/slabs.h"
#include "util/try.h"

/* Chunks of the dataset are taken over if they have this many bytes, as an import does. */
#define LEAST_CHUNK_BYTES 16384.0
#define MOST_CHUNK_BYTES  8388608.0

static bool chunk_fits(const bridge_description *what)
{
    double bytes = (double)what->cell_bytes;
    for (int axis = 0; axis < what->ndim; axis++) {
        bytes *= (double)what->chunk[axis];
    }
    return bytes >= LEAST_CHUNK_BYTES && bytes <= MOST_CHUNK_BYTES;
}

xta_status xta__mapping_create_array(xta_mapping *map, const bridge_description *what,
                                     const int64_t lo[], const char *label, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_create_options how = XTA_CREATE_OPTIONS_INIT;
    int64_t first[XTA_MAX_NDIM];
    int64_t hi[XTA_MAX_NDIM];
    int axes[XTA_MAX_NDIM];
    how.fill = what->fill;
    how.names = (const char *const *)what->name;
    how.cell_bytes = (uint32_t)what->cell_bytes;
    how.chunk = map->chunk;
    if (how.chunk == NULL && chunk_fits(what)) {
        how.chunk = what->chunk;
    }
    map->chunk = NULL; // the caller's
    XTA_TRY(xta__origin_check(what, lo, label, err));
    for (int axis = 0; axis < what->ndim; axis++) {
        axes[axis] = axis;
        hi[axis] = lo[axis] + what->bounds[axis];
    }
    xta__origin_first_bounds(what->ndim, hi, first);
    XTA_TRY(map->path != NULL
                ? xta_array_create(map->path, what->type, what->ndim, first, &how, &map->array, err)
                : xta_array_new(what->type, what->ndim, first, &how, &map->array, err));
    XTA_TRY(xta__origin_move_bounds(map->array, lo, hi, err));
    XTA_TRY(xta__copy_attributes_to(map->array, what, axes, lo, err));
done:
    return status;
}

xta_status xta__mapping_slabs_init(map_slabs *s, const xta_mapping *map, const char *label,
                                   xta_error *err)
{
    xta_status status = XTA_OK;
    xta_box bounds = xta_array_bounds(map->array);
    xta_array_info info;
    int slow[XTA_MAX_NDIM];
    s->cells = NULL;
    XTA_TRY(xta_array_inquire(map->array, &info, err));
    for (int axis = 0; axis < bounds.ndim; axis++) {
        slow[axis] = axis;
    }
    xta__slabs_init(&s->slabs, &bounds, info.chunk, slow, info.cell_bytes, map->memory_bytes);
    s->cells = malloc((size_t)(s->slabs.cells * info.cell_bytes) + 1);
    if (s->cells == NULL) {
        status = xta__bridge_no_memory(label, err);
    }
done:
    return status;
}

void xta__mapping_slabs_clear(map_slabs *s)
{
    free(s->cells);
    s->cells = NULL;
}

/* A slab in the dataset's own coordinates, from 0. */
static xta_box in_dataset(const xta_box *slab, const xta_box *bounds)
{
    xta_box box = *slab;
    for (int axis = 0; axis < box.ndim; axis++) {
        box.lo[axis] -= bounds->lo[axis];
        box.hi[axis] -= bounds->lo[axis];
    }
    return box;
}

xta_status xta__mapping_load(xta_mapping *map, const bridge_description *what, const void *cells,
                             map_read_box *read, void *state, const char *label, xta_error *err)
{
    xta_status status = XTA_OK;
    map_slabs s = {.cells = NULL};
    xta_box slab;
    xta_box bounds = xta_array_bounds(map->array);
    if (cells != NULL) {
        xta_io_options io = XTA_IO_OPTIONS_INIT;
        io.type = what->type;
        return xta_array_write(map->array, &bounds, &io, cells, err);
    }
    XTA_TRY(xta__mapping_slabs_init(&s, map, label, err));
    while (xta__slabs_next(&s.slabs, &slab)) {
        xta_box box = in_dataset(&slab, &bounds);
        XTA_TRY(read(state, &box, s.cells, err));
        XTA_TRY(xta_array_write(map->array, &slab, NULL, s.cells, err));
    }
done:
    xta__mapping_slabs_clear(&s);
    return status;
}

xta_status xta__mapping_store(xta_mapping *map, map_slabs *s, map_write_box *write, void *state,
                              xta_error *err)
{
    xta_status status = XTA_OK;
    xta_box slab;
    xta_box bounds = s->slabs.box;
    while (xta__slabs_next(&s->slabs, &slab)) {
        xta_box box = in_dataset(&slab, &bounds);
        XTA_TRY(xta_array_read(map->array, &slab, NULL, s->cells, err));
        XTA_TRY(write(state, &box, s->cells, err));
    }
done:
    return status;
}
