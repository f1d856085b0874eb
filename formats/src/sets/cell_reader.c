/* The cells of a variable, slab by slab.
 *
 * Naive: read a slab, write it, read the next. Reading (mostly decompression) and writing take
 * turns then, although they need different parts of the machine. So threads read the next slabs
 * meanwhile, in a ring of buffers. One thread is enough where a library reads under its lock; where
 * chunks are decoded here, as many as there are processors. Small slabs stay in the caches of the
 * processor; slabs of a library that reads row by row are large instead. Without threads (a single
 * slab, or none to be had) slabs are read when they are asked for.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/cell_reader.h"

#include <stdlib.h>

#include "sets/readers.h"
#include "util/checked.h"
#include "util/os.h"
#include "util/try.h"

enum { SMALL_SLAB_BYTES = 1 << 20 };

/* The slab's box in the array. */
static xta_box place_of(const cell_reader *r, const cell_slab *slab)
{
    xta_box box = slab->box;

    for (int axis = 0; axis < box.ndim; axis++) {
        box.lo[axis] += r->origin[axis];
        box.hi[axis] += r->origin[axis];
    }
    return box;
}

static void fill_slab(const cell_reader *r, chunk_scratch *scratch, cell_slab *slab)
{
    const cell_task *task = &r->task;
    xta_box selected = slab->box;

    for (int axis = 0; axis < selected.ndim; axis++) {
        selected.lo[axis] -= r->shift[axis];
        selected.hi[axis] -= r->shift[axis];
    }
    slab->why = (xta_error){0};
    slab->status =
        r->raw != NULL && xta__raw_chunks_read(r->raw, scratch, &slab->box, slab->cells)
            ? XTA_OK
            : xta__set_read(task->source, task->variable, &selected, slab->cells, &slab->why);
    if (slab->status == XTA_OK && task->put != NULL) {
        const xta_box place = place_of(r, slab);
        slab->status = task->put(task->user, &place, slab->cells, &slab->why);
    }
}

/* The next slab of the walk; some may be left out. */
static bool next_slab(cell_reader *r, xta_box *box)
{
    const cell_task *task = &r->task;
    bool more = xta__slabs_next(&r->slabs, box);

    while (more && task->skip_empty && xta__set_is_empty(task->source, task->variable, box)) {
        more = xta__slabs_next(&r->slabs, box);
    }
    return more;
}

/* ---- threads ---- */

/* The next slab to fill; NULL: there is none. Under the lock. */
static cell_slab *take_slab(cell_reader *r)
{
    while (!r->stop && !r->over && r->taken - r->had == (uint64_t)r->n_slabs) {
        pthread_cond_wait(&r->changed, &r->lock);
    }
    cell_slab *slab = &r->slab[r->taken % (uint64_t)r->n_slabs];
    if (r->stop || r->over || !next_slab(r, &slab->box)) {
        r->over = true;
        pthread_cond_broadcast(&r->changed);
        return NULL;
    }
    r->taken++;
    return slab;
}

static void *read_slabs(void *user)
{
    cell_reader *r = user;
    chunk_scratch scratch = {0};
    cell_slab *slab = NULL;

    pthread_mutex_lock(&r->lock);
    while ((slab = take_slab(r)) != NULL) {
        pthread_mutex_unlock(&r->lock);
        fill_slab(r, &scratch, slab);
        pthread_mutex_lock(&r->lock);
        slab->full = true;
        r->over = r->over || slab->status != XTA_OK;
        pthread_cond_broadcast(&r->changed);
    }
    pthread_mutex_unlock(&r->lock);
    xta__chunk_scratch_free(&scratch);
    return NULL;
}

static void start_threads(cell_reader *r, int wanted)
{
    if (pthread_mutex_init(&r->lock, NULL) != 0) {
        return;
    }
    if (pthread_cond_init(&r->changed, NULL) != 0) {
        pthread_mutex_destroy(&r->lock);
        return;
    }
    while (r->n_threads < wanted && xta__thread_start(&r->thread[r->n_threads], read_slabs, r)) {
        r->n_threads++;
    }
    if (r->n_threads == 0) {
        pthread_cond_destroy(&r->changed);
        pthread_mutex_destroy(&r->lock);
    }
}

/* The caller is done with its slab; wait for the next one. NULL: there are no more. */
static cell_slab *next_of_threads(cell_reader *r)
{
    pthread_mutex_lock(&r->lock);
    if (r->begun) {
        r->slab[r->had % (uint64_t)r->n_slabs].full = false;
        r->had++;
        pthread_cond_broadcast(&r->changed);
    }
    r->begun = true;
    cell_slab *slab = &r->slab[r->had % (uint64_t)r->n_slabs];
    while (!slab->full && (!r->over || r->had < r->taken)) {
        pthread_cond_wait(&r->changed, &r->lock);
    }
    bool full = slab->full;
    pthread_mutex_unlock(&r->lock);
    return full ? slab : NULL;
}

/* ---- the reader ---- */

/* Chunks of the file are read, and decompressed, once if slabs consist of whole ones. */
static const int64_t *chunk_of(const cell_reader *r)
{
    const int64_t *own = xta__set_chunks_of(r->task.variable);

    return r->raw != NULL ? xta__raw_chunks_shape(r->raw) : own != NULL ? own : r->task.chunk;
}

/* Whether each thread decodes chunks on its own. */
static bool decodes_chunks(const cell_reader *r)
{
    return r->raw != NULL || r->task.source->reader->parallel;
}

/* Cut the box into slabs for `n_threads` threads, each of which needs twice a chunk besides. False:
 * they would take too much memory. */
static bool cut(cell_reader *r, const xta_box *box, int n_threads)
{
    const set_variable *v = r->task.variable;
    const int64_t *shape = chunk_of(r);
    uint64_t each = r->task.memory_bytes / (uint64_t)(n_threads + 1);
    uint64_t chunk_bytes = v->what.cell_bytes;
    bool fits = true;

    r->n_slabs = n_threads + 1;
    if (decodes_chunks(r)) {
        for (int axis = 0; axis < box->ndim; axis++) {
            if (!xta__mul_u64(chunk_bytes, (uint64_t)shape[axis], &chunk_bytes)) {
                chunk_bytes = UINT64_MAX;
            }
        }
        each /= 3;
        fits = chunk_bytes <= each;
        each = each < SMALL_SLAB_BYTES ? each : SMALL_SLAB_BYTES;
        each = fits && chunk_bytes > each ? chunk_bytes : each;
    }
    xta__slabs_init(&r->slabs, box, shape, v->what.slow, v->what.cell_bytes, each);
    r->most_cells = r->slabs.cells;
    return fits;
}

/* Slabs of a range are counted in cells of the file, where its chunks are. */
static int64_t shift_of(const set_variable *v, int axis)
{
    const selected_cells *cells = v->cells[axis];

    return cells != NULL && cells->n > 0 && xta__selected_is_range(cells)
               ? xta__selected_at(cells, 0)
               : 0;
}

static xta_status allocate(cell_reader *r, uint64_t n, xta_error *err)
{
    size_t bytes = (size_t)r->most_cells * r->task.variable->what.cell_bytes;

    r->n_slabs = r->most_cells < n ? r->n_slabs : 1;
    for (int k = 0; k < r->n_slabs; k++) {
        r->slab[k].cells = malloc(bytes + 1);
        if (r->slab[k].cells == NULL) {
            return xta__bridge_no_memory(r->task.source->path, err);
        }
    }
    return XTA_OK;
}

/* Choose threads and slabs; the number of threads. */
static int choose(cell_reader *r, const xta_box *from)
{
    int most = xta__processors();

    most = most < CELL_READER_THREADS ? most : CELL_READER_THREADS;
    r->raw = xta__set_open_chunks(r->task.source, r->task.variable);
    for (int n = most; decodes_chunks(r) && n >= 1; n = n > 1 ? 1 : 0) {
        if (cut(r, from, n)) {
            return n;
        }
    }
    xta__raw_chunks_close(r->raw);
    r->raw = NULL;
    // A library reads for one thread at a time; a second one can put meanwhile.
    most = r->task.put != NULL && !decodes_chunks(r) ? 2 : 1;
    cut(r, from, most);
    return most;
}

xta_status xta__reader_begin(cell_reader *reader, const cell_task *task, xta_error *err)
{
    xta_box from = *task->box;
    uint64_t n = 0;
    xta_status status = xta_box_cells(&from, &n);

    *reader = (cell_reader){.task = *task};
    if (status != XTA_OK) {
        return xta_error_set(err, status, 0, "%s: %s has too many cells", task->source->path,
                             task->variable->name);
    }
    for (int axis = 0; axis < from.ndim; axis++) {
        reader->shift[axis] = shift_of(task->variable, axis);
        reader->origin[axis] = task->origin[axis] - reader->shift[axis];
        from.lo[axis] -= reader->origin[axis];
        from.hi[axis] -= reader->origin[axis];
    }
    int n_threads = choose(reader, &from);
    status = allocate(reader, n, err);
    if (status == XTA_OK && reader->n_slabs > 1) {
        start_threads(reader, n_threads);
    }
    return status;
}

xta_status xta__reader_next(cell_reader *reader, xta_box *slab, unsigned char **cells,
                            xta_error *err)
{
    cell_slab *next = NULL;

    *cells = NULL;
    if (reader->n_threads > 0) {
        next = next_of_threads(reader);
    } else if (next_slab(reader, &reader->slab[0].box)) {
        next = &reader->slab[0];
        fill_slab(reader, &reader->scratch, next);
    }
    if (next == NULL) {
        return XTA_OK;
    }
    if (next->status != XTA_OK) {
        return xta_error_set(err, next->status, next->why.os_errno, "%s", next->why.text);
    }
    *slab = place_of(reader, next);
    *cells = next->cells;
    return XTA_OK;
}

void xta__reader_end(cell_reader *reader)
{
    if (reader->n_threads > 0) {
        pthread_mutex_lock(&reader->lock);
        reader->stop = true;
        pthread_cond_broadcast(&reader->changed);
        pthread_mutex_unlock(&reader->lock);
        for (int k = 0; k < reader->n_threads; k++) {
            pthread_join(reader->thread[k], NULL);
        }
        pthread_cond_destroy(&reader->changed);
        pthread_mutex_destroy(&reader->lock);
        reader->n_threads = 0;
    }
    for (int k = 0; k < CELL_READER_SLABS; k++) {
        free(reader->slab[k].cells);
        reader->slab[k].cells = NULL;
    }
    xta__chunk_scratch_free(&reader->scratch);
    xta__raw_chunks_close(reader->raw);
    reader->raw = NULL;
}
