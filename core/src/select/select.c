/* Cells selected by labels: the text is cut into axes, each axis reads its coordinates and finds
 * its cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/select.h>

#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>

#include "array/state/open_array.h"
#include "base/base.h"
#include "coordinates/coordinates.h"
#include "coordinates/own_coordinates.h"
#include "select/label_text.h"
#include "select/read_coordinates.h"
#include "select/search.h"

enum { AXIS_BYTES = XTA_SELECTION_AXIS_BYTES };

void xta_selection_clear(xta_selection *selection)
{
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        free(selection->list[axis]);
    }
    *selection = (xta_selection){0};
}

/* Cells of a list that follow each other are a box. */
static bool is_run(const xta__cells *cells)
{
    for (size_t k = 1; k < cells->n; k++) {
        if (cells->list[k] != cells->list[0] + (int64_t)k) {
            return false;
        }
    }
    return cells->n > 0;
}

/* Give the cells to the selection, the list included. */
static void set_axis(xta_selection *selection, int axis, xta__cells *cells, bool keep_list)
{
    selection->step[axis] = cells->step;
    if (cells->n == 0) {
        selection->box.lo[axis] = cells->lo;
        selection->box.hi[axis] = cells->hi;
        return;
    }
    int64_t least = cells->list[0], most = cells->list[0];
    for (size_t k = 1; k < cells->n; k++) {
        least = cells->list[k] < least ? cells->list[k] : least;
        most = cells->list[k] > most ? cells->list[k] : most;
    }
    selection->box.lo[axis] = least;
    selection->box.hi[axis] = most + 1;
    if (keep_list || !is_run(cells)) {
        selection->list[axis] = cells->list;
        selection->n_list[axis] = (int64_t)cells->n;
        cells->list = NULL;
    }
}

static xta_status find_cells(const xta__axis_reader *reader, const xta__axis_labels *labels,
                             xta__cells *cells, xta_error *err)
{
    xta_status status = XTA_OK;

    cells->step = 1;
    if (labels->labels[0].form == XTA__LABEL_RANGE) {
        return xta__cells_range(reader, &labels->labels[0], cells, err);
    }
    for (size_t k = 0; k < labels->n_labels; k++) {
        XTA_TRY(xta__cells_add(reader, &labels->labels[k], cells, err));
    }
done:
    return status;
}

/* The coordinates of an axis, or its cell numbers. */
static xta_status read_axis(xta_array *array, int axis, xta_coordinates **out,
                            bool *has_coordinates, xta_error *err)
{
    xta_status status = xta_coordinates_read(array, axis, out, err);

    *has_coordinates = status != XTA_ENOENT;
    if (status != XTA_ENOENT) {
        return status;
    }
    xta__clear(err);
    return xta__cell_numbers(array, axis, out, err);
}

static xta_status select_axis(xta_array *array, int axis, const xta__axis_labels *labels,
                              xta_selection *selection, xta_error *err)
{
    char name[XTA__AXIS_TEXT_BYTES];
    xta_coordinates *coordinates = NULL;
    bool has_coordinates = false;
    xta__axis_reader reader;
    xta__cells cells = {0};
    xta_status status = XTA_OK;

    XTA_TRY(read_axis(array, axis, &coordinates, &has_coordinates, err));
    xta__axis_text(array, axis, name);
    xta__axis_reader_init(&reader, xta__array_name(array), name, coordinates, has_coordinates);
    XTA_TRY(find_cells(&reader, labels, &cells, err));
    set_axis(selection, axis, &cells, labels->is_list);
done:
    xta__cells_clear(&cells);
    xta_coordinates_free(coordinates);
    return status;
}

/* The axis of an entry; each at most once. */
static xta_status find_axis(xta_array *array, const xta__axis_labels *labels,
                            bool given[XTA_MAX_NDIM], int *axis, xta_error *err)
{
    char name[AXIS_BYTES];
    xta_status status = XTA_OK;

    if (!xta__piece_copy(labels->axis, name, sizeof name)) {
        return xta__fail(err, XTA_ENOENT, 0, "%s: an axis called %.64s... does not exist",
                         xta__array_name(array), labels->axis.text);
    }
    XTA_TRY(xta_axis_find(array, name, axis, err));
    if (given[*axis]) {
        return xta__fail(err, XTA_EARG, 0, "%s: axis %s is selected twice; use a list, %s=[A,B]",
                         xta__array_name(array), name, name);
    }
    given[*axis] = true;
done:
    return status;
}

xta_status xta_box_select(xta_array *array, const char *text, xta_selection *out, xta_error *err)
{
    xta_selection selection = {.box = xta_array_bounds(array)};
    xta__axis_labels labels = {0};
    const char *at = text;
    int axis = 0;
    xta_status status = XTA_OK;

    xta__clear(err);
    *out = (xta_selection){0};
    for (int k = 0; k < XTA_MAX_NDIM; k++) {
        selection.step[k] = 1;
    }
    do {
        XTA_TRY(xta__axis_labels_read(&at, &labels, err));
        XTA_TRY(find_axis(array, &labels, selection.named, &axis, err));
        XTA_TRY(select_axis(array, axis, &labels, &selection, err));
    } while (*at != '\0');
done:
    xta__axis_labels_clear(&labels);
    if (status == XTA_OK) {
        *out = selection;
    } else {
        xta_selection_clear(&selection);
    }
    return status;
}

xta_status xta_selection_entry(const char *text, char axis[XTA_SELECTION_AXIS_BYTES], size_t *n,
                               const char **next, xta_error *err)
{
    xta__axis_labels labels = {0};
    const char *at = text;
    xta_status status = XTA_OK;

    xta__clear(err);
    XTA_TRY(xta__axis_labels_read(&at, &labels, err));
    if (!xta__piece_copy(labels.axis, axis, XTA_SELECTION_AXIS_BYTES)) {
        XTA_TRY(
            xta__fail(err, XTA_EARG, 0, "an axis called %.64s... cannot exist", labels.axis.text));
    }
    *n = (size_t)(labels.whole.text - text) + labels.whole.n;
    *next = *at != '\0' ? at : NULL;
done:
    xta__axis_labels_clear(&labels);
    return status;
}

xta_status xta_selection_splits(const char *text, bool *splits, xta_error *err)
{
    xta__axis_labels labels = {0};
    const char *at = text;
    xta_status status = XTA_OK;

    xta__clear(err);
    *splits = true;
    do {
        XTA_TRY(xta__axis_labels_read(&at, &labels, err));
        const xta__label_text *label = &labels.labels[0];
        bool step = label->form == XTA__LABEL_RANGE && label->more.n > 0;
        *splits = *splits && !labels.is_list && !step && label->form != XTA__LABEL_NEAREST;
    } while (*at != '\0');
done:
    xta__axis_labels_clear(&labels);
    return status;
}

/* The coordinates that are given, or cell numbers. */
static xta_status make_coordinates(const xta_labelled_axis *axis, xta_coordinates **out,
                                   xta_error *err)
{
    const xta__coordinates_about about = {axis->lo, axis->hi, axis->unit, axis->calendar};
    const xta__coordinates_about bare = {axis->lo, axis->hi, NULL, NULL};
    const xta_regular numbers = {.type = XTA_I64, .step.i = 1};

    if (axis->values == NULL) {
        return xta__coordinates_regular(&bare, &numbers, out, err);
    }
    if (axis->type == XTA_BYTES || axis->type == XTA_TEXT) {
        bool padded = axis->type == XTA_BYTES;
        size_t bytes = padded ? (size_t)(axis->hi - axis->lo) * axis->cell_bytes : axis->text_bytes;
        return xta__coordinates_names(&about, axis->values, bytes, padded ? axis->cell_bytes : 0,
                                      out, err);
    }
    return xta__coordinates_numbers(&about, axis->type, axis->values, out, err);
}

/* Errors of the text, and of memory, do not know the file. */
static void name_file(const char *path, xta_error *err)
{
    if (err != NULL && strncmp(err->text, path, strlen(path)) != 0) {
        const xta_error why = *err;
        xta__clear(err);
        (void)!xta__fail(err, why.status, why.os_errno, "%s: %.400s", path, why.text);
    }
}

xta_status xta_labels_select(const xta_labelled_axis *axis, const char *text, xta_selection *out,
                             xta_error *err)
{
    xta_selection selection = {.box = {.ndim = 1}, .step = {1}, .named = {true}};
    xta_coordinates *coordinates = NULL;
    xta__axis_labels labels = {0};
    xta__axis_reader reader;
    xta__cells cells = {0};
    const char *at = text;
    xta_status status = XTA_OK;

    xta__clear(err);
    *out = (xta_selection){0};
    XTA_TRY(xta__axis_labels_read(&at, &labels, err));
    if (*at != '\0') {
        XTA_TRY(xta__fail(err, XTA_EARG, 0, "%s: \"%.64s\" selects on more axes than %s",
                          axis->path, text, axis->name));
    }
    XTA_TRY(make_coordinates(axis, &coordinates, err));
    xta__axis_reader_init(&reader, axis->path, axis->name, coordinates, axis->values != NULL);
    XTA_TRY(find_cells(&reader, &labels, &cells, err));
    set_axis(&selection, 0, &cells, labels.is_list);
    *out = selection;
done:
    if (status != XTA_OK) {
        name_file(axis->path, err);
    }
    xta__cells_clear(&cells);
    xta_coordinates_free(coordinates);
    xta__axis_labels_clear(&labels);
    return status;
}

bool xta_selection_is_box(const xta_selection *selection, int axis)
{
    const int64_t *list = selection->list[axis];

    for (int64_t k = 1; list != NULL && k < selection->n_list[axis]; k++) {
        if (list[k] != list[0] + k) {
            return false;
        }
    }
    return selection->step[axis] == 1;
}
