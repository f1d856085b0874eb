/* Turning one axis of the source into several axes of the array ("folding"), for example for a
 * matrix with a column for each pixel of an image; and naming the source's axes.
 *
 * A box of the folded source is a set of runs on the source's axis. If it is one run with the
 * requested layout in memory, it is read directly into place. Otherwise everything from the first
 * to the last run is read, and the requested cells are picked out; if that exceeds the memory
 * limit, the box is cut across its slowest axis, down to single runs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "transfer/fold_axis.h"

#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "description/format.h"
#include "util/try.h"

/* ---- the description ---- */

static void drop_attribute(bridge_description *what, size_t k)
{
    bridge_attribute *a = &what->attributes[k];
    free(a->name);
    free(a->values);
    for (int d = 0; d < BRIDGE_SPREAD_NDIM; d++) {
        free(a->own[d]);
    }
    what->n_attributes--;
    memmove(a, a + 1, (what->n_attributes - k) * sizeof *a);
}

/* Drop attributes on the folded axis and those spread along it; they have no place on the new
 * axes. */
static void move_attributes(bridge_description *what, const bridge_fold *fold)
{
    for (size_t k = what->n_attributes; k-- > 0;) {
        bridge_attribute *a = &what->attributes[k];
        bool lost = a->axis == fold->axis;
        a->axis += a->axis > fold->axis ? fold->n - 1 : 0;
        for (int d = 0; d < a->ndim; d++) {
            lost = lost || a->along[d] == fold->axis;
            a->along[d] += a->along[d] > fold->axis ? fold->n - 1 : 0;
        }
        if (lost) {
            drop_attribute(what, k);
        }
    }
}

/* Renumber the axes after the folded one; the source's chunks say nothing about the new axes. */
static void move_axes(bridge_description *what, const bridge_fold *fold)
{
    int more = fold->n - 1;
    int slow[XTA_MAX_NDIM];
    int n = 0;
    free(what->name[fold->axis]);
    free(what->unit[fold->axis]);
    for (int d = what->ndim - 1; d > fold->axis; d--) {
        what->bounds[d + more] = what->bounds[d];
        what->name[d + more] = what->name[d];
        what->unit[d + more] = what->unit[d];
    }
    for (int k = 0; k < fold->n; k++) {
        what->bounds[fold->axis + k] = fold->length[k];
        what->name[fold->axis + k] = NULL;
        what->unit[fold->axis + k] = NULL;
    }
    for (int k = 0; k < what->ndim; k++) {
        if (what->slow[k] != fold->axis) {
            slow[n++] = what->slow[k] + (what->slow[k] > fold->axis ? more : 0);
            continue;
        }
        for (int part = 0; part < fold->n; part++) {
            slow[n++] = fold->slow[part];
        }
    }
    memcpy(what->slow, slow, (size_t)n * sizeof slow[0]);
    what->ndim += more;
    what->chunk[0] = 0;
}

static xta_status parse_lengths(const xta_import_options *options, const char *source,
                                const bridge_description *what, bridge_fold *fold, xta_error *err)
{
    double cells = 1;
    if (options->fold_axis < 0 || options->fold_axis >= what->ndim) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: there is no axis %d to fold; it has %d axes, from 0", source,
                             options->fold_axis, what->ndim);
    }
    if (options->n_fold < 1 || what->ndim + options->n_fold - 1 > XTA_MAX_NDIM) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: folding axis %d into %d gives more than %d axes, or none", source,
                             options->fold_axis, options->n_fold, XTA_MAX_NDIM);
    }
    fold->axis = options->fold_axis;
    fold->n = options->n_fold;
    for (int k = 0; k < fold->n; k++) {
        fold->length[k] = options->fold[k];
        cells *= options->fold[k] < 1 ? 0 : (double)options->fold[k];
    }
    if (cells != (double)what->bounds[fold->axis] || cells == 0) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: axis %d has %lld cells; folded it would have %.0f", source,
                             fold->axis, (long long)what->bounds[fold->axis], cells);
    }
    return XTA_OK;
}

static xta_status parse_names(const char *axes, const char *source, bridge_description *what,
                              xta_error *err)
{
    int n = 1;
    for (const char *c = axes; *c != '\0'; c++) {
        n += *c == ',';
    }
    if (n != what->ndim) {
        return xta_error_set(err, XTA_EARG, 0, "%s: has %d axes, but %d names are given for them",
                             source, what->ndim, n);
    }
    for (int k = 0; k < n; k++) {
        size_t length = strcspn(axes, ",");
        char *name = calloc(length + 1, 1);
        if (name == NULL) {
            return xta__bridge_no_memory(source, err);
        }
        memcpy(name, axes, length);
        free(what->name[k]);
        what->name[k] = name;
        axes += length + 1;
    }
    return XTA_OK;
}

xta_status xta__fold_axis(const xta_import_options *options, const char *source,
                          bridge_description *what, bridge_fold *fold, xta_error *err)
{
    xta_status status = XTA_OK;
    fold->n = 0;
    if (options->n_fold != 0) {
        XTA_TRY(parse_lengths(options, source, what, fold, err));
        bool row = options->fold_order != XTA_COLUMN;
        int64_t stride = 1;
        for (int k = fold->n - 1; k >= 0; k--) {
            int part = row ? k : fold->n - 1 - k;
            fold->slow[k] = fold->axis + part;
            fold->stride[part] = stride;
            stride *= fold->length[part];
        }
        fold->order = what->order;
        fold->same_order = row == (what->order != XTA_COLUMN);
        fold->cell_bytes = what->cell_bytes;
        move_attributes(what, fold);
        move_axes(what, fold);
    }
    if (options->axes != NULL) {
        XTA_TRY(parse_names(options->axes, source, what, err));
    }
done:
    return status;
}

/* ---- cells ---- */

/* Bytes between neighbours on each axis of a box that is dense in memory. */
static void strides_of(const xta_box *box, xta_order order, size_t cell_bytes, int64_t stride[])
{
    int64_t bytes = (int64_t)cell_bytes;
    for (int k = 0; k < box->ndim; k++) {
        int axis = order == XTA_COLUMN ? k : box->ndim - 1 - k;
        stride[axis] = bytes;
        bytes *= box->hi[axis] - box->lo[axis];
    }
}

/* One box of the folded source, and the range of the source that contains it. */
typedef struct fold_piece {
    const bridge_fold *fold;
    const xta_box *whole; /* the box held in `cells` */
    xta_box box;          /* the part of it requested now */
    xta_box source;
    char *cells;
} fold_piece;

static void find_stretch(fold_piece *p)
{
    const bridge_fold *fold = p->fold;
    int64_t lo = 0;
    int64_t last = 0;
    for (int k = 0; k < fold->n; k++) {
        lo += p->box.lo[fold->axis + k] * fold->stride[k];
        last += (p->box.hi[fold->axis + k] - 1) * fold->stride[k];
    }
    p->source.ndim = p->box.ndim - fold->n + 1;
    for (int d = 0; d < p->source.ndim; d++) {
        int from = d > fold->axis ? d + fold->n - 1 : d;
        p->source.lo[d] = d == fold->axis ? lo : p->box.lo[from];
        p->source.hi[d] = d == fold->axis ? last + 1 : p->box.hi[from];
    }
}

/* Whether the range contains only requested cells. */
static bool is_one_run(const fold_piece *p)
{
    int64_t cells = 1;
    for (int k = 0; k < p->fold->n; k++) {
        cells *= p->box.hi[p->fold->axis + k] - p->box.lo[p->fold->axis + k];
    }
    return cells == p->source.hi[p->fold->axis] - p->source.lo[p->fold->axis];
}

/* Pick the requested cells out of a range. */
static void pick_cells(const fold_piece *p, const char *stretch)
{
    const bridge_fold *fold = p->fold;
    int ndim = p->box.ndim;
    int64_t to[XTA_MAX_NDIM];
    int64_t of_source[XTA_MAX_NDIM];
    int64_t from[XTA_MAX_NDIM];
    int64_t at[XTA_MAX_NDIM] = {0};
    char *cell = p->cells;
    strides_of(p->whole, fold->order, fold->cell_bytes, to);
    strides_of(&p->source, fold->order, fold->cell_bytes, of_source);
    for (int d = 0; d < ndim; d++) {
        bool part = d >= fold->axis && d < fold->axis + fold->n;
        int axis = d < fold->axis ? d : part ? fold->axis : d - fold->n + 1;
        from[d] = of_source[axis] * (part ? fold->stride[d - fold->axis] : 1);
        cell += (p->box.lo[d] - p->whole->lo[d]) * to[d];
    }
    int fast = fold->order == XTA_COLUMN ? 0 : ndim - 1;
    int64_t n = p->box.hi[fast] - p->box.lo[fast];
    for (int d = fast; d >= 0 && d < ndim;) {
        for (int64_t k = 0; k < n; k++) {
            memcpy(cell + k * to[fast], stretch + k * from[fast], fold->cell_bytes);
        }
        /* Step to the next run; the fastest axis first, like the digits of a number. */
        int step = fold->order == XTA_COLUMN ? 1 : -1;
        for (d = fast + step; d >= 0 && d < ndim; d += step) {
            at[d]++;
            cell += to[d];
            stretch += from[d];
            if (at[d] < p->box.hi[d] - p->box.lo[d]) {
                break;
            }
            cell -= at[d] * to[d];
            stretch -= at[d] * from[d];
            at[d] = 0;
        }
    }
}

static xta_status read_piece(fold_piece *p, const selected_source *from, xta_error *err)
{
    xta_status status = XTA_OK;
    uint64_t n = 0;
    find_stretch(p);
    bool one = is_one_run(p);
    if (one && p->fold->same_order && xta_box_equal(&p->box, p->whole)) {
        return xta__selected_read(from, &p->source, p->cells, err);
    }
    XTA_TRY(xta_box_cells(&p->source, &n));
    if (!one && n > p->fold->memory_bytes / p->fold->cell_bytes) {
        int axis = p->fold->slow[0];
        for (int k = 1; p->box.hi[axis] - p->box.lo[axis] == 1; k++) {
            axis = p->fold->slow[k];
        }
        int64_t hi = p->box.hi[axis];
        for (int64_t at = p->box.lo[axis]; at < hi; at++) {
            fold_piece smaller = *p;
            smaller.box.lo[axis] = at;
            smaller.box.hi[axis] = at + 1;
            XTA_TRY(read_piece(&smaller, from, err));
        }
        return XTA_OK;
    }
    char *stretch = malloc((size_t)n * p->fold->cell_bytes + 1);
    if (stretch == NULL) {
        return xta__bridge_no_memory("folding an axis", err);
    }
    status = xta__selected_read(from, &p->source, stretch, err);
    if (status == XTA_OK) {
        pick_cells(p, stretch);
    }
    free(stretch);
done:
    return status;
}

xta_status xta__fold_read(const bridge_fold *fold, const selected_source *source,
                          const xta_box *box, void *cells, xta_error *err)
{
    fold_piece piece = {.fold = fold, .whole = box, .box = *box, .cells = cells};
    return xta_box_empty(box) ? XTA_OK : read_piece(&piece, source, err);
}
