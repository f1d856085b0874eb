/* Cells of a file beside those that a member has.
 *
 * Boxes are in the coordinates of the member, and are cut into slabs of bounded memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/merge_cells.h"

#include <stdlib.h>
#include <string.h>

#include "transfer/slabs.h"
#include "util/try.h"

/* The slabs of a box, and memory for the cells of one: from the file, and of the member. */
typedef struct walk {
    bridge_slabs slabs;
    unsigned char *from, *there;
} walk;

static void end_walk(walk *w)
{
    free(w->from);
    free(w->there);
}

static xta_status begin_walk(const set_merge *job, const merge_variable *v, const xta_box *box,
                             bool both, walk *w, xta_error *err)
{
    xta_array_info info;
    size_t bytes = v->from.what.cell_bytes;
    xta_status status = xta_array_inquire(v->array, &info, err);

    *w = (walk){0};
    if (status != XTA_OK) {
        return status;
    }
    xta__slabs_init(&w->slabs, box, info.chunk, v->from.what.slow, bytes,
                    job->options.memory_bytes / (both ? 2 : 1));
    w->from = malloc((size_t)w->slabs.cells * bytes + 1);
    w->there = both ? malloc((size_t)w->slabs.cells * bytes + 1) : NULL;
    if (w->from == NULL || (both && w->there == NULL)) {
        end_walk(w);
        return xta__bridge_no_memory(job->source->path, err);
    }
    return XTA_OK;
}

/* Read the file's cells of a slab, and report progress. */
static xta_status read_slab(set_merge *job, const merge_variable *v, const xta_box *slab,
                            void *cells, xta_error *err)
{
    const xta_progress *progress = &job->options.progress;
    xta_box box = *slab;
    uint64_t n = 0;

    for (int axis = 0; axis < box.ndim; axis++) {
        box.lo[axis] -= v->box.lo[axis];
        box.hi[axis] -= v->box.lo[axis];
    }
    xta_status status = xta__set_read(job->source, &v->from, &box, cells, err);
    if (status != XTA_OK || xta_box_cells(slab, &n) != XTA_OK) {
        return status;
    }
    job->done_bytes += n * v->from.what.cell_bytes;
    job->total_bytes = job->done_bytes > job->total_bytes ? job->done_bytes : job->total_bytes;
    if (progress->report != NULL &&
        progress->report(progress->user, job->done_bytes, job->total_bytes) != 0) {
        return xta_error_set(err, XTA_ECANCELLED, 0, "%s: import was stopped after %llu bytes",
                             job->source->path, (unsigned long long)job->done_bytes);
    }
    return XTA_OK;
}

static bool is_fill(const merge_variable *v, const unsigned char *cell)
{
    return v->filled && memcmp(cell, xta_array_fill_value(v->array), v->from.what.cell_bytes) == 0;
}

/* The coordinates of cell number k of a slab. */
static void cell_at(const xta_box *slab, uint64_t k, int64_t at[XTA_MAX_NDIM])
{
    for (int axis = slab->ndim - 1; axis >= 0; axis--) {
        uint64_t n = (uint64_t)(slab->hi[axis] - slab->lo[axis]);
        at[axis] = slab->lo[axis] + (int64_t)(k % n);
        k /= n;
    }
}

xta_status xta__merge_compare(set_merge *job, const merge_variable *v, const xta_box *box,
                              merge_relation *relation, int64_t first[XTA_MAX_NDIM], xta_error *err)
{
    xta_status status = XTA_OK;
    size_t bytes = v->from.what.cell_bytes;
    xta_box slab;
    uint64_t n = 0;
    walk w;

    *relation = MERGE_EQUAL;
    XTA_TRY(begin_walk(job, v, box, true, &w, err));
    while (*relation != MERGE_DIFFERS && xta__slabs_next(&w.slabs, &slab)) {
        XTA_TRY(read_slab(job, v, &slab, w.from, err));
        XTA_TRY(xta_array_read(v->array, &slab, NULL, w.there, err));
        XTA_TRY(xta_box_cells(&slab, &n));
        if (memcmp(w.from, w.there, (size_t)n * bytes) == 0) {
            continue;
        }
        for (uint64_t k = 0; k < n && *relation != MERGE_DIFFERS; k++) {
            if (memcmp(w.from + k * bytes, w.there + k * bytes, bytes) == 0) {
                continue;
            }
            *relation = is_fill(v, w.there + k * bytes) ? MERGE_FILLS : MERGE_DIFFERS;
            cell_at(&slab, k, first);
        }
    }

done:
    end_walk(&w);
    return status;
}

xta_status xta__merge_write(set_merge *job, const merge_variable *v, const xta_box *box, bool keep,
                            xta_error *err)
{
    xta_status status = XTA_OK;
    size_t bytes = v->from.what.cell_bytes;
    xta_box slab;
    uint64_t n = 0;
    walk w;

    XTA_TRY(begin_walk(job, v, box, keep, &w, err));
    while (xta__slabs_next(&w.slabs, &slab)) {
        XTA_TRY(read_slab(job, v, &slab, w.from, err));
        XTA_TRY(xta_box_cells(&slab, &n));
        if (keep) {
            XTA_TRY(xta_array_read(v->array, &slab, NULL, w.there, err));
        }
        for (uint64_t k = 0; k < n && keep; k++) {
            if (!is_fill(v, w.there + k * bytes)) {
                memcpy(w.from + k * bytes, w.there + k * bytes, bytes);
            }
        }
        XTA_TRY(xta_array_write(v->array, &slab, NULL, w.from, err));
    }

done:
    end_walk(&w);
    return status;
}

xta_status xta__merge_append(void *user, xta_appending *appending, const xta_box *slab,
                             xta_error *err)
{
    const merge_append *what = user;
    const merge_variable *v = what->variable;
    xta_status status = XTA_OK;
    xta_box box = *slab, piece;
    walk w = {0};

    // Along other dimensions the file may have a part of the cells; others keep fill values.
    for (int axis = 0; axis < box.ndim; axis++) {
        box.lo[axis] = v->box.lo[axis] > box.lo[axis] ? v->box.lo[axis] : box.lo[axis];
        box.hi[axis] = v->box.hi[axis] < box.hi[axis] ? v->box.hi[axis] : box.hi[axis];
        if (box.hi[axis] <= box.lo[axis]) {
            return XTA_OK;
        }
    }
    XTA_TRY(begin_walk(what->job, v, &box, false, &w, err));
    while (xta__slabs_next(&w.slabs, &piece)) {
        XTA_TRY(read_slab(what->job, v, &piece, w.from, err));
        XTA_TRY(xta_append_write(appending, &piece, NULL, w.from, err));
    }

done:
    end_walk(&w);
    return status;
}
