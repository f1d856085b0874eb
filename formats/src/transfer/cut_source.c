/* Selected cells of a source of one array.
 *
 * The description becomes that of a smaller source, so that placing, comparing and copying
 * attributes go on as for any other. Reads of its boxes are translated (selected_cells.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "transfer/cut_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/placement.h"
#include "description/spread_attributes.h"
#include "util/text.h"
#include "util/try.h"

#define VALUES "values"

void xta__cut_clear(bridge_cut *cut)
{
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        xta__selected_clear(&cut->cells[axis]);
    }
    *cut = (bridge_cut){0};
}

static const selected_cells *cells_of(const bridge_cut *cut, int axis)
{
    return axis >= 0 && cut->is_cut[axis] ? &cut->cells[axis] : NULL;
}

/* ---- by labels ---- */

/* Whether a format gives axes the coordinates that labels stand for. */
static bool has_coordinates(const bridge_format *format)
{
    for (int k = 0; format->coordinates != NULL && format->coordinates[k] != NULL; k++) {
        if (strcmp(format->coordinates[k], VALUES) == 0) {
            return true;
        }
    }
    return false;
}

/* An axis by its name or number. */
static xta_status find_axis(const bridge_description *what, const char *path, const char *name,
                            int *out, xta_error *err)
{
    char *end = NULL;
    long number = strtol(name, &end, 10);
    char names[200] = "";
    size_t used = 0;

    for (int axis = 0; axis < what->ndim; axis++) {
        const char *own = what->name[axis] != NULL ? what->name[axis] : "";
        if (strcmp(own, name) == 0 && own[0] != '\0') {
            *out = axis;
            return XTA_OK;
        }
        if (used < sizeof names - 64) {
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%d (%.40s)",
                                     axis > 0 ? ", " : "", axis, own);
        }
    }
    if (end != name && *end == '\0' && number >= 0 && number < what->ndim) {
        *out = (int)number;
        return XTA_OK;
    }
    return xta_error_set(err, XTA_ENOENT, 0, "%s: no axis %s, which is selected; there are %s",
                         path, name, names);
}

static xta_status select_axis(const bridge_description *what, int axis, int64_t begin,
                              const char *path, const char *entry, bridge_cut *cut, xta_error *err)
{
    const bridge_attribute *values = xta__description_find(what, axis, VALUES);
    const char *unit = xta__description_text(what, axis, "units");
    char name[64];
    int64_t n = what->bounds[axis];
    bool known = values != NULL && values->ndim == 1 && values->along[0] == axis &&
                 values->lo[0] == 0 && values->hi[0] == n;
    xta_labelled_axis labelled = {.path = path, .name = name};
    xta_selection selection;

    snprintf(name, sizeof name, "axis %d", axis);
    if (what->name[axis] != NULL) {
        labelled.name = what->name[axis];
    }
    if (known) {
        labelled.type = values->type;
        labelled.cell_bytes = values->cell_bytes;
        labelled.values = values->values;
        labelled.text_bytes = values->count;
        labelled.unit = what->unit[axis] != NULL ? what->unit[axis] : unit;
        labelled.calendar = xta__description_text(what, axis, "calendar");
        begin = 0;
    }
    labelled.lo = begin;
    labelled.hi = begin + n;
    xta_status status = xta_labels_select(&labelled, entry, &selection, err);
    if (status != XTA_OK) {
        return status;
    }
    xta__selected_init(&selection, 0, begin, n, &cut->cells[axis]);
    cut->is_cut[axis] = true;
    xta_selection_clear(&selection);
    return XTA_OK;
}

static xta_status select_axes(const bridge_description *what, const int64_t origin[],
                              const char *path, const char *text, bridge_cut *cut, xta_error *err)
{
    char name[XTA_SELECTION_AXIS_BYTES];
    char *entry = NULL;
    size_t n = 0;
    int axis = 0;
    xta_error why = {0};
    xta_status status = XTA_OK;

    while (text != NULL) {
        const char *next = NULL;
        status = xta_selection_entry(text, name, &n, &next, &why);
        if (status != XTA_OK) {
            XTA_TRY(xta_error_set(err, status, 0, "%s: %.400s", path, why.text));
        }
        XTA_TRY(find_axis(what, path, name, &axis, err));
        if (cut->is_cut[axis]) {
            XTA_TRY(xta_error_set(err, XTA_EARG, 0,
                                  "%s: axis %s is selected twice; use a list, %s=[A,B]", path, name,
                                  name));
        }
        entry = xta__string("%.*s", (int)n, text);
        if (entry == NULL) {
            XTA_TRY(xta__bridge_no_memory(path, err));
        }
        XTA_TRY(select_axis(what, axis, origin[axis], path, entry, cut, err));
        free(entry);
        entry = NULL;
        text = next;
    }

done:
    free(entry);
    return status;
}

/* ---- by numbers ---- */

/* Limits that are those of the bounds select nothing. */
static xta_status select_box(const bridge_description *what, const char *path, const xta_box *box,
                             bridge_cut *cut, xta_error *err)
{
    if (box->ndim != what->ndim) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: a box of %d axes; it has %d: give LO:HI for each, or : for a "
                             "whole axis",
                             path, box->ndim, what->ndim);
    }
    for (int axis = 0; axis < box->ndim; axis++) {
        int64_t lo = box->lo[axis], hi = box->hi[axis], n = what->bounds[axis];
        lo = lo == INT64_MIN ? 0 : lo;
        hi = hi == INT64_MAX ? n : hi;
        if (lo < 0 || hi > n || lo >= hi) {
            return xta_error_set(err, XTA_EBOX, 0,
                                 "%s: axis %d (%s): cells %" PRId64 ":%" PRId64
                                 " leave its bounds 0:%" PRId64 "; give limits within them",
                                 path, axis, what->name[axis] != NULL ? what->name[axis] : "", lo,
                                 hi, n);
        }
        if (lo == 0 && hi == n) {
            continue;
        }
        if (cut->is_cut[axis]) {
            return xta_error_set(err, XTA_EARG, 0,
                                 "%s: axis %d is selected by labels and by a box; give : for it in "
                                 "the box",
                                 path, axis);
        }
        cut->is_cut[axis] = true;
        cut->cells[axis] = (selected_cells){.lo = lo, .step = 1, .n = hi - lo, .of = n};
    }
    return XTA_OK;
}

/* ---- what the source says of its cells ---- */

/* The items of a spread attribute that are kept. */
typedef struct kept_items {
    const selected_cells *cells[BRIDGE_SPREAD_NDIM]; /* NULL: all */
    int64_t length[BRIDGE_SPREAD_NDIM];
    size_t n;
    bool ranges; /* on all axes */
    bool any;    /* some are left out */
} kept_items;

static kept_items find_kept(const bridge_cut *cut, const bridge_attribute *a)
{
    kept_items kept = {.n = 1, .ranges = true};

    for (int d = 0; d < a->ndim; d++) {
        const selected_cells *cells = cells_of(cut, a->along[d]);
        kept.cells[d] = cells;
        kept.length[d] = cells != NULL ? cells->n : a->hi[d] - a->lo[d];
        kept.n *= (size_t)kept.length[d];
        kept.any = kept.any || cells != NULL;
        kept.ranges = kept.ranges && (cells == NULL || xta__selected_is_range(cells));
    }
    return kept;
}

/* The cell of a kept item on one of its axes. */
static int64_t cell_at(const kept_items *kept, const bridge_attribute *a, int d, int64_t k)
{
    return kept->cells[d] != NULL ? xta__selected_at(kept->cells[d], k) : a->lo[d] + k;
}

/* One after the other, since they are no box. NULL: no memory. */
static void *pick_items(const kept_items *kept, const bridge_attribute *a, size_t *count)
{
    int64_t index[BRIDGE_SPREAD_NDIM] = {0}, lo[BRIDGE_SPREAD_NDIM], hi[BRIDGE_SPREAD_NDIM];
    size_t bytes = a->type == XTA_TEXT ? 1 : a->cell_bytes, n = 0;
    xta__text out = {0};
    char end = '\0';

    for (size_t k = 0; k < kept->n && !out.failed; k++) {
        for (int d = 0; d < a->ndim; d++) {
            lo[d] = cell_at(kept, a, d, index[d]);
            hi[d] = lo[d] + 1;
        }
        char *one = xta__spread_cut(a, NULL, lo, hi, &n);
        if (one == NULL) {
            xta__text_clear(&out);
            return NULL;
        }
        xta__text_add(&out, one, n * bytes);
        free(one);
        for (int d = a->ndim - 1; d >= 0 && ++index[d] == kept->length[d]; d--) {
            index[d] = 0;
        }
    }
    *count = out.n / bytes;
    xta__text_add(&out, &end, 1);
    if (out.failed) {
        xta__text_clear(&out);
        return NULL;
    }
    return out.bytes;
}

/* Keep the items of the selected cells alone. False: no memory. */
static bool cut_spread(const bridge_cut *cut, bridge_attribute *a)
{
    const kept_items kept = find_kept(cut, a);
    int64_t lo[BRIDGE_SPREAD_NDIM], hi[BRIDGE_SPREAD_NDIM];
    size_t count = 0;

    if (!kept.any) {
        return true;
    }
    for (int d = 0; d < a->ndim; d++) {
        lo[d] = cell_at(&kept, a, d, 0);
        hi[d] = lo[d] + kept.length[d];
    }
    void *values =
        kept.ranges ? xta__spread_cut(a, NULL, lo, hi, &count) : pick_items(&kept, a, &count);
    if (values == NULL) {
        return false;
    }
    free(a->values);
    a->values = values;
    a->count = count;
    for (int d = 0; d < a->ndim; d++) {
        a->lo[d] = kept.cells[d] != NULL ? 0 : a->lo[d];
        a->hi[d] = a->lo[d] + kept.length[d];
    }
    return true;
}

/* First cell and distance of the cells of an axis; false: they are not equally far apart. */
static bool spacing_of(const bridge_cut *cut, int axis, double *first, double *step)
{
    const selected_cells *cells = cells_of(cut, axis);

    *first = 0;
    *step = 1;
    if (cells == NULL || cells->n == 0) {
        return true;
    }
    *first = (double)xta__selected_at(cells, 0);
    *step = cells->n > 1 ? (double)xta__selected_at(cells, 1) - *first : 1;
    for (int64_t k = 2; cells->list != NULL && k < cells->n; k++) {
        if ((double)(cells->list[k] - cells->list[k - 1]) != *step) {
            return false;
        }
    }
    return *step != 0;
}

/* A georeference is that of the first cell's outer corner, and a cell is as large as the distance
 * of two. */
static void cut_georeference(const bridge_cut *cut, bridge_description *what)
{
    double x = 0, y = 0, dx = 1, dy = 1;

    for (size_t k = 0; k < what->n_attributes; k++) {
        bridge_attribute *a = &what->attributes[k];
        bool place = a->axis == XTA_ON_ARRAY && strcmp(a->name, BRIDGE_GEOTRANSFORM) == 0 &&
                     a->type == XTA_F64 && a->count == 6 && what->ndim >= 2;
        if (!place) {
            continue;
        }
        if (!spacing_of(cut, what->ndim - 2, &y, &dy) ||
            !spacing_of(cut, what->ndim - 1, &x, &dx)) {
            xta__description_remove(what, XTA_ON_ARRAY, BRIDGE_GEOTRANSFORM);
            return;
        }
        double *g = a->values;
        x += (1 - dx) / 2;
        y += (1 - dy) / 2;
        g[0] += x * g[1] + y * g[2];
        g[3] += x * g[4] + y * g[5];
        g[1] *= dx;
        g[4] *= dx;
        g[2] *= dy;
        g[5] *= dy;
    }
}

/* Reference pixels of FITS are counted from the first cell. */
static bool cut_pixels(const bridge_cut *cut, bridge_description *what)
{
    if (xta__description_find(what, XTA_ON_ARRAY, BRIDGE_FITS_HEADER) == NULL) {
        return true;
    }
    for (size_t k = 0; k < what->n_attributes; k++) {
        bridge_attribute *a = &what->attributes[k];
        int n = a->axis == XTA_ON_ARRAY && a->count == 1 && a->type != XTA_TEXT
                    ? xta__placement_pixel_axis(a->name)
                    : 0;
        if (n < 1 || n > what->ndim || cells_of(cut, what->ndim - n) == NULL) {
            continue;
        }
        double *moved = malloc(sizeof *moved);
        if (moved == NULL) {
            return false;
        }
        *moved = xta__attribute_number(a, 0, 0) -
                 (double)xta__selected_at(cells_of(cut, what->ndim - n), 0);
        free(a->values);
        a->values = moved;
        a->type = XTA_F64;
        a->cell_bytes = sizeof *moved;
    }
    return true;
}

static bool cut_description(const bridge_cut *cut, bridge_description *what)
{
    for (size_t k = 0; k < what->n_attributes; k++) {
        if (what->attributes[k].ndim > 0 && !cut_spread(cut, &what->attributes[k])) {
            return false;
        }
    }
    cut_georeference(cut, what);
    for (int axis = 0; axis < what->ndim; axis++) {
        if (cut->is_cut[axis]) {
            what->bounds[axis] = cut->cells[axis].n;
            what->chunk[axis] =
                what->chunk[axis] > what->bounds[axis] ? what->bounds[axis] : what->chunk[axis];
        }
    }
    return cut_pixels(cut, what);
}

/* ---- the cut ---- */

static void move_origin(const bridge_cut *cut, int axis, bool labels, int64_t *origin)
{
    const selected_cells *cells = &cut->cells[axis];

    if (!labels || (*origin != 0 && xta__selected_is_range(cells))) {
        *origin += xta__selected_at(cells, 0);
    } else {
        *origin = 0;
    }
}

xta_status xta__cut_source(const xta_import_options *options, const bridge_format *format,
                           const char *path, void *state, bridge_description *what,
                           int64_t origin[], bridge_cut *cut, xta_error *err)
{
    bool labels[XTA_MAX_NDIM];
    xta_status status = XTA_OK;

    *cut = (bridge_cut){0};
    if (options->select != NULL && !has_coordinates(format)) {
        XTA_TRY(
            xta_error_set(err, XTA_EUNSUPPORTED, 0,
                          "%s: %s has no coordinates of axes, so labels (--sel) select nothing; "
                          "select cells by number: --box LO:HI,...",
                          path, format->name));
    }
    if (options->select != NULL) {
        XTA_TRY(select_axes(what, origin, path, options->select, cut, err));
    }
    memcpy(labels, cut->is_cut, sizeof labels);
    if (options->box != NULL) {
        XTA_TRY(select_box(what, path, options->box, cut, err));
    }
    cut->source = (selected_source){.read = format->read,
                                    .user = state,
                                    .path = path,
                                    .cell_bytes = what->cell_bytes,
                                    .order = what->order};
    memcpy(cut->chunk, what->chunk, sizeof cut->chunk);
    cut->source.chunk = cut->chunk[0] > 0 ? cut->chunk : NULL;
    for (int axis = 0; axis < what->ndim; axis++) {
        cut->source.bounds[axis] = what->bounds[axis];
        cut->source.cells[axis] = cells_of(cut, axis);
        cut->any = cut->any || cut->is_cut[axis];
        if (cut->is_cut[axis]) {
            move_origin(cut, axis, labels[axis], &origin[axis]);
        }
    }
    if (cut->any && !cut_description(cut, what)) {
        XTA_TRY(xta__bridge_no_memory(path, err));
    }

done:
    return status;
}
