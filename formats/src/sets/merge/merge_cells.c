/* Cells of a file beside those that a member has.
 *
 * Boxes are in the coordinates of the member, and are cut into slabs of bounded memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/merge/merge_cells.h"

#include <stdlib.h>
#include <string.h>

#include "sets/cell_reader.h"
#include "util/try.h"

/* The slabs of a box from the file, and memory for the member's cells of one. */
typedef struct walk {
    set_merge *job;
    const merge_variable *variable;
    cell_reader reader;
    unsigned char *there;
} walk;

static void end_walk(walk *w)
{
    xta__reader_end(&w->reader);
    free(w->there);
}

static xta_status begin_walk(set_merge *job, const merge_variable *v, const xta_box *box, bool both,
                             walk *w, xta_error *err)
{
    xta_array_info info;
    uint64_t memory = job->options.memory_bytes;
    xta_status status = xta_array_inquire(v->array, &info, err);

    *w = (walk){.job = job, .variable = v};
    if (status == XTA_OK) {
        const cell_task task = {.source = job->source,
                                .variable = &v->from,
                                .origin = v->box.lo,
                                .chunk = info.chunk,
                                .box = box,
                                .memory_bytes = both ? memory / 3 * 2 : memory};
        status = xta__reader_begin(&w->reader, &task, err);
    }
    if (status == XTA_OK && both) {
        w->there = malloc((size_t)w->reader.most_cells * v->from.what.cell_bytes + 1);
        status = w->there != NULL ? XTA_OK : xta__bridge_no_memory(job->source->path, err);
    }
    return status;
}

/* The file's cells of the next slab, and how many; NULL: there are no more. Reports progress. */
static xta_status next_slab(walk *w, xta_box *slab, unsigned char **cells, uint64_t *n,
                            xta_error *err)
{
    set_merge *job = w->job;
    const xta_progress *progress = &job->options.progress;
    xta_status status = xta__reader_next(&w->reader, slab, cells, err);

    if (status != XTA_OK || *cells == NULL || xta_box_cells(slab, n) != XTA_OK) {
        return status;
    }
    job->done_bytes += *n * w->variable->from.what.cell_bytes;
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

/* Compare the cells of one slab. */
static void compare_slab(const merge_variable *v, const xta_box *slab, uint64_t n,
                         const unsigned char *from, const unsigned char *there,
                         merge_relation *relation, int64_t first[XTA_MAX_NDIM])
{
    size_t bytes = v->from.what.cell_bytes;

    if (memcmp(from, there, (size_t)n * bytes) == 0) {
        return;
    }
    for (uint64_t k = 0; k < n && *relation != MERGE_DIFFERS; k++) {
        if (memcmp(from + k * bytes, there + k * bytes, bytes) != 0) {
            *relation = is_fill(v, there + k * bytes) ? MERGE_FILLS : MERGE_DIFFERS;
            cell_at(slab, k, first);
        }
    }
}

xta_status xta__merge_compare(set_merge *job, const merge_variable *v, const xta_box *box,
                              merge_relation *relation, int64_t first[XTA_MAX_NDIM], xta_error *err)
{
    xta_status status = XTA_OK;
    unsigned char *cells = NULL;
    xta_box slab;
    uint64_t n = 0;
    walk w;

    *relation = MERGE_EQUAL;
    XTA_TRY(begin_walk(job, v, box, true, &w, err));
    while (*relation != MERGE_DIFFERS) {
        XTA_TRY(next_slab(&w, &slab, &cells, &n, err));
        if (cells == NULL) {
            break;
        }
        XTA_TRY(xta_array_read(v->array, &slab, NULL, w.there, err));
        compare_slab(v, &slab, n, cells, w.there, relation, first);
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
    unsigned char *cells = NULL;
    xta_box slab;
    uint64_t n = 0;
    walk w;

    XTA_TRY(begin_walk(job, v, box, keep, &w, err));
    for (;;) {
        XTA_TRY(next_slab(&w, &slab, &cells, &n, err));
        if (cells == NULL) {
            break;
        }
        if (keep) {
            XTA_TRY(xta_array_read(v->array, &slab, NULL, w.there, err));
        }
        for (uint64_t k = 0; k < n && keep; k++) {
            if (!is_fill(v, w.there + k * bytes)) {
                memcpy(cells + k * bytes, w.there + k * bytes, bytes);
            }
        }
        XTA_TRY(xta_array_write(v->array, &slab, NULL, cells, err));
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
    unsigned char *cells = NULL;
    uint64_t n = 0;
    walk w;

    // Along other dimensions the file may have a part of the cells; others keep fill values.
    for (int axis = 0; axis < box.ndim; axis++) {
        box.lo[axis] = v->box.lo[axis] > box.lo[axis] ? v->box.lo[axis] : box.lo[axis];
        box.hi[axis] = v->box.hi[axis] < box.hi[axis] ? v->box.hi[axis] : box.hi[axis];
        if (box.hi[axis] <= box.lo[axis]) {
            return XTA_OK;
        }
    }
    XTA_TRY(begin_walk(what->job, v, &box, false, &w, err));
    for (;;) {
        XTA_TRY(next_slab(&w, &piece, &cells, &n, err));
        if (cells == NULL) {
            break;
        }
        XTA_TRY(xta_append_write(appending, &piece, NULL, cells, err));
    }

done:
    end_walk(&w);
    return status;
}
