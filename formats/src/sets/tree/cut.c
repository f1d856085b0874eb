/* A file of which only selected cells are seen.
 *
 * Each entry of the selection is looked up in each group. Then the lengths of its dimension and the
 * bounds of all variables along it are those of the selected cells, which both borrow from the
 * source. All that comes later, in imports of one file or of many, sees a smaller file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/tree/cut.h"

#include <stdlib.h>
#include <string.h>

#include "netcdf/names.h"
#include "sets/tree/labels.h"
#include "util/text.h"
#include "util/try.h"
#include "util/vector.h"

/* One entry of the selection. */
typedef struct cut {
    set_source *source;
    const char *name;  /* of the dimension */
    const char *entry; /* `AXIS=LABELS` */
    bool splits;       /* it finds the same in parts of the coordinates */
    bool joined, found, outside;
} cut;

static set_dimension *find_dimension(set_group *group, const char *name)
{
    for (size_t k = 0; k < group->n_dimensions; k++) {
        if (strcmp(group->dimensions[k].name, name) == 0) {
            return &group->dimensions[k];
        }
    }
    return NULL;
}

static int64_t length_of(const set_dimension *d)
{
    return d->cells != NULL ? d->cells->of : d->length;
}

/* ---- the cells of one dimension ---- */

/* Keep the coordinates of a dimension that is selected by a list, a step or the nearest. */
static xta_status keep_dependence(const cut *job, const char *path, const xta_labelled_axis *axis,
                                  size_t n_bytes, xta_error *err)
{
    set_source *source = job->source;
    const char *unit = axis->unit != NULL ? axis->unit : "";
    const char *calendar = axis->calendar != NULL ? axis->calendar : "";
    size_t a = strlen(unit) + 1, b = strlen(calendar) + 1;

    if (job->splits || !job->joined || axis->values == NULL) {
        return XTA_OK;
    }
    if (!XTA__RESERVE(source->dependences, source->dependences_capacity,
                      source->n_dependences + 1)) {
        return xta__bridge_no_memory(source->path, err);
    }
    set_dependence *d = &source->dependences[source->n_dependences++];
    *d = (set_dependence){.dimension =
                              xta__string("%s%s%s", path, path[0] != '\0' ? "/" : "", job->name),
                          .values = malloc(n_bytes + a + b),
                          .n_bytes = n_bytes + a + b};
    if (d->dimension == NULL || d->values == NULL) {
        return xta__bridge_no_memory(source->path, err);
    }
    memcpy(d->values, unit, a);
    memcpy(d->values + a, calendar, b);
    memcpy(d->values + a + b, axis->values, n_bytes);
    return XTA_OK;
}

/* Find the cells. Their numbers are those that a whole import gives them. */
static xta_status find_cells(cut *job, const xta_labelled_axis *axis, selected_cells *cells,
                             xta_error *err)
{
    xta_selection selection;
    xta_status status = xta_labels_select(axis, job->entry, &selection, err);

    if (status != XTA_OK) {
        job->outside = status == XTA_ENOENT && job->splits && job->joined;
        return status;
    }
    xta__selected_init(&selection, 0, axis->lo, axis->hi - axis->lo, cells);
    xta_selection_clear(&selection);
    if (job->joined && axis->values != NULL && xta__selected_direction(cells) == 0) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: %s: the cells of %s neither ascend nor descend, and files are "
                             "joined by their coordinates; sort the list",
                             axis->path, axis->name, job->entry);
    }
    return XTA_OK;
}

/* Add cells that the source owns. */
static selected_cells *new_cells(set_source *source)
{
    selected_cells *cells = NULL;

    if (XTA__RESERVE(source->selected, source->selected_capacity, source->n_selected + 1)) {
        cells = calloc(1, sizeof *cells);
    }
    if (cells != NULL) {
        source->selected[source->n_selected++] = cells;
    }
    return cells;
}

/* Select cells of a dimension by its variable; NULL: it has none, and cells have numbers. */
static xta_status select_cells(cut *job, const set_group *group, const char *path,
                               const set_variable *v, int64_t length, const selected_cells **out,
                               xta_error *err)
{
    xta_status status = XTA_OK;
    int64_t begin = v == NULL ? xta__set_begin_of(group, job->name) : 0;
    xta_labelled_axis axis = {
        .path = job->source->path, .name = job->name, .lo = begin, .hi = begin + length};
    const xta_box whole = {.ndim = 1, .lo = {0}, .hi = {length}};
    selected_cells *cells = new_cells(job->source);
    size_t n_bytes = v != NULL ? (size_t)length * v->what.cell_bytes : 0;
    void *values = malloc(n_bytes + 1);

    if (cells == NULL || values == NULL) {
        XTA_TRY(xta__bridge_no_memory(job->source->path, err));
    }
    if (v != NULL) {
        if (length > 0) {
            XTA_TRY(job->source->reader->read(job->source, v, &whole, values, err));
        }
        axis.type = v->what.type;
        axis.cell_bytes = v->what.cell_bytes;
        axis.values = values;
        axis.unit = xta__description_text(&v->what, XTA_ON_ARRAY, "units");
        axis.calendar = xta__description_text(&v->what, XTA_ON_ARRAY, "calendar");
    }
    XTA_TRY(keep_dependence(job, path, &axis, n_bytes, err));
    XTA_TRY(find_cells(job, &axis, cells, err));
    *out = cells;

done:
    free(values);
    return status;
}

/* ---- a group ---- */

/* Cut a variable along the dimension. */
static void cut_variable(const cut *job, set_variable *v, const selected_cells *cells)
{
    for (int axis = 0; axis < v->what.ndim && !v->scalar; axis++) {
        const char *original = xta__description_text(&v->what, axis, NC_DIMENSION);
        const char *name = original != NULL ? original : v->what.name[axis];
        if (strcmp(name, job->name) != 0) {
            continue;
        }
        v->cells[axis] = cells;
        v->what.bounds[axis] = cells->n;
        if (v->origin[axis] != 0) {
            v->origin[axis] =
                xta__selected_is_range(cells) ? v->origin[axis] + xta__selected_at(cells, 0) : 0;
        }
    }
}

/* `around`: the dimension of this name in the groups around it; NULL: none. */
static xta_status cut_group(cut *job, set_group *group, const char *path,
                            const set_dimension *around, xta_error *err)
{
    xta_status status = XTA_OK;
    set_dimension *d = find_dimension(group, job->name);
    char *inner = NULL;

    if (d != NULL) {
        const set_variable *v = xta__set_coordinate_of(group, job->name);
        const selected_cells *cells = around != NULL ? around->cells : NULL;
        if (v != NULL || around == NULL || length_of(around) != d->length) {
            XTA_TRY(select_cells(job, group, path, v, d->length, &cells, err));
        }
        for (size_t k = 0; k < group->n_variables; k++) {
            cut_variable(job, &group->variables[k], cells);
        }
        d->cells = cells;
        d->length = cells->n;
        job->found = true;
    }
    for (size_t k = 0; k < group->n_groups; k++) {
        free(inner);
        inner = xta__string("%s%s%s", path, path[0] != '\0' ? "/" : "", group->groups[k].name);
        if (inner == NULL) {
            XTA_TRY(xta__bridge_no_memory(job->source->path, err));
        }
        XTA_TRY(cut_group(job, &group->groups[k], inner, d != NULL ? d : around, err));
    }

done:
    free(inner);
    return status;
}

/* ---- all entries ---- */

static xta_status no_dimension(const cut *job, xta_error *err)
{
    const set_group *root = &job->source->root;
    xta__text names = {0};

    for (size_t k = 0; k < root->n_dimensions && k < 8; k++) {
        xta__text_printf(&names, "%s%s", k > 0 ? ", " : "", root->dimensions[k].name);
    }
    char *text = root->n_dimensions > 0 ? xta__text_detach(&names) : xta__bridge_copy("none");
    xta_status status =
        text == NULL ? xta__bridge_no_memory(job->source->path, err)
                     : xta_error_set(err, XTA_ENOENT, 0,
                                     "%s: no dimension %s, which is selected; there are %.200s%s",
                                     job->source->path, job->name, text,
                                     root->n_dimensions > 8 ? ", ..." : "");
    free(text);
    return status;
}

static bool is_cut(const set_group *group, const char *name)
{
    bool is = false;

    for (size_t k = 0; k < group->n_dimensions; k++) {
        const set_dimension *d = &group->dimensions[k];
        is = is || (d->cells != NULL && strcmp(d->name, name) == 0);
    }
    for (size_t k = 0; k < group->n_groups; k++) {
        is = is || is_cut(&group->groups[k], name);
    }
    return is;
}

static xta_status cut_entry(cut *job, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_error why = {0};

    if (is_cut(&job->source->root, job->name)) {
        XTA_TRY(xta_error_set(err, XTA_EARG, 0,
                              "%s: dimension %s is selected twice; use a list, %s=[A,B]",
                              job->source->path, job->name, job->name));
    }
    status = xta_selection_splits(job->entry, &job->splits, &why);
    if (status != XTA_OK) {
        XTA_TRY(xta_error_set(err, status, 0, "%s: %.400s", job->source->path, why.text));
    }
    XTA_TRY(cut_group(job, &job->source->root, "", NULL, err));
    if (!job->found) {
        XTA_TRY(no_dimension(job, err));
    }

done:
    return status;
}

xta_status xta__set_cut(set_source *source, const char *select, bool joined, bool *outside,
                        xta_error *err)
{
    char name[XTA_SELECTION_AXIS_BYTES];
    char *entry = NULL;
    size_t n = 0;
    xta_error why = {0};
    xta_status status = XTA_OK;

    while (select != NULL) {
        const char *next = NULL;
        cut job = {.source = source, .name = name, .joined = joined};
        status = xta_selection_entry(select, name, &n, &next, &why);
        if (status != XTA_OK) {
            XTA_TRY(xta_error_set(err, status, 0, "%s: %.400s", source->path, why.text));
        }
        entry = xta__string("%.*s", (int)n, select);
        if (entry == NULL) {
            XTA_TRY(xta__bridge_no_memory(source->path, err));
        }
        job.entry = entry;
        status = cut_entry(&job, err);
        *outside = *outside || job.outside;
        XTA_TRY(status);
        free(entry);
        entry = NULL;
        select = next;
    }

done:
    free(entry);
    return status;
}
