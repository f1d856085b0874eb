/* The cells of a variable, slab by slab.
 *
 * Naive: read a slab, write it, read the next. Reading (mostly decompression) and writing take
 * turns then, although they need different parts of the machine. So a thread reads the next slab
 * into a second buffer meanwhile. Without one (a single slab, or no thread to be had) slabs are
 * read when they are asked for.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/cell_reader.h"

#include <stdlib.h>

#include "netcdf/names.h"
#include "sets/names.h"
#include "sets/readers.h"
#include "util/os.h"
#include "util/try.h"
#include "zarr/names.h"

static xta_status read_box(const cell_reader *r, cell_slab *slab, xta_error *err)
{
    return xta__set_read(r->source, r->variable, &slab->box, slab->cells, err);
}

static bool next_slab(cell_reader *r, xta_box *box)
{
    bool more = xta__slabs_next(&r->slabs, box);

    while (more && r->skip_empty && xta__set_is_empty(r->source, r->variable, box)) {
        more = xta__slabs_next(&r->slabs, box);
    }
    return more;
}

/* Fill the two slabs in turn. */
static void *read_slabs(void *user)
{
    cell_reader *r = user;
    bool more = true;

    for (int k = 0; more; k = 1 - k) {
        cell_slab *slab = &r->slab[k];
        pthread_mutex_lock(&r->lock);
        while (slab->full && !r->stop) {
            pthread_cond_wait(&r->changed, &r->lock);
        }
        more = !r->stop && next_slab(r, &slab->box);
        pthread_mutex_unlock(&r->lock);
        xta_error why = {0};
        xta_status status = more ? read_box(r, slab, &why) : XTA_OK;
        pthread_mutex_lock(&r->lock);
        if (status != XTA_OK) {
            r->status = status;
            r->why = why;
            more = false;
        }
        slab->full = more;
        r->over = !more;
        pthread_cond_broadcast(&r->changed);
        pthread_mutex_unlock(&r->lock);
    }
    return NULL;
}

static void start_thread(cell_reader *r)
{
    if (pthread_mutex_init(&r->lock, NULL) != 0) {
        return;
    }
    if (pthread_cond_init(&r->changed, NULL) != 0) {
        pthread_mutex_destroy(&r->lock);
        return;
    }
    r->threaded = xta__thread_start(&r->thread, read_slabs, r);
    if (!r->threaded) {
        pthread_cond_destroy(&r->changed);
        pthread_mutex_destroy(&r->lock);
    }
}

/* Chunks of the file are read, and decompressed, once if slabs consist of whole ones. */
static const int64_t *chunk_of(const set_variable *v, const int64_t chunk[])
{
    const bridge_attribute *own = xta__description_find(&v->what, XTA_ON_ARRAY, NC_OWN NC_CHUNKS);
    if (own == NULL) {
        own = xta__description_find(&v->what, XTA_ON_ARRAY, ZARR_CHUNKS);
    }
    bool fits = own != NULL && own->type == XTA_I64 && own->count == (size_t)v->what.ndim;

    return fits ? own->values : chunk;
}

static xta_status allocate(cell_reader *r, uint64_t n, xta_error *err)
{
    size_t bytes = (size_t)r->most_cells * r->variable->what.cell_bytes;

    for (int k = 0; k < (r->most_cells < n ? 2 : 1); k++) {
        r->slab[k].cells = malloc(bytes + 1);
        if (r->slab[k].cells == NULL) {
            return xta__bridge_no_memory(r->source->path, err);
        }
    }
    return XTA_OK;
}

xta_status xta__reader_begin(cell_reader *reader, const set_source *source, const set_variable *v,
                             const int64_t origin[], const xta_box *box, const int64_t chunk[],
                             uint64_t memory_bytes, xta_error *err)
{
    xta_box from = *box;
    uint64_t n = 0;
    xta_status status = xta_box_cells(box, &n);

    *reader = (cell_reader){.source = source, .variable = v, .skip_empty = reader->skip_empty};
    if (status != XTA_OK) {
        return xta_error_set(err, status, 0, "%s: %s has too many cells", source->path, v->name);
    }
    for (int axis = 0; axis < box->ndim; axis++) {
        reader->origin[axis] = origin[axis];
        from.lo[axis] -= origin[axis];
        from.hi[axis] -= origin[axis];
    }
    xta__slabs_init(&reader->slabs, &from, chunk_of(v, chunk), v->what.slow, v->what.cell_bytes,
                    memory_bytes / 2);
    reader->most_cells = reader->slabs.cells;
    status = allocate(reader, n, err);
    if (status == XTA_OK && reader->most_cells < n) {
        start_thread(reader);
    }
    return status;
}

/* The caller is done with its slab; wait for the other one. */
static xta_status next_of_thread(cell_reader *r, cell_slab **out, xta_error *err)
{
    pthread_mutex_lock(&r->lock);
    if (r->begun) {
        r->slab[r->current].full = false;
        r->current = 1 - r->current;
        pthread_cond_broadcast(&r->changed);
    }
    r->begun = true;
    while (!r->slab[r->current].full && !r->over) {
        pthread_cond_wait(&r->changed, &r->lock);
    }
    bool full = r->slab[r->current].full;
    xta_status status = full ? XTA_OK : r->status;
    pthread_mutex_unlock(&r->lock);
    *out = full ? &r->slab[r->current] : NULL;
    return status == XTA_OK ? XTA_OK
                            : xta_error_set(err, status, r->why.os_errno, "%s", r->why.text);
}

xta_status xta__reader_next(cell_reader *reader, xta_box *slab, unsigned char **cells,
                            xta_error *err)
{
    cell_slab *next = NULL;
    xta_status status = XTA_OK;

    *cells = NULL;
    if (reader->threaded) {
        status = next_of_thread(reader, &next, err);
    } else if (next_slab(reader, &reader->slab[0].box)) {
        next = &reader->slab[0];
        status = read_box(reader, next, err);
    }
    if (status == XTA_OK && next != NULL) {
        *slab = next->box;
        for (int axis = 0; axis < slab->ndim; axis++) {
            slab->lo[axis] += reader->origin[axis];
            slab->hi[axis] += reader->origin[axis];
        }
        *cells = next->cells;
    }
    return status;
}

void xta__reader_end(cell_reader *reader)
{
    if (reader->threaded) {
        pthread_mutex_lock(&reader->lock);
        reader->stop = true;
        pthread_cond_broadcast(&reader->changed);
        pthread_mutex_unlock(&reader->lock);
        pthread_join(reader->thread, NULL);
        pthread_cond_destroy(&reader->changed);
        pthread_mutex_destroy(&reader->lock);
        reader->threaded = false;
    }
    for (int k = 0; k < 2; k++) {
        free(reader->slab[k].cells);
        reader->slab[k].cells = NULL;
    }
}
