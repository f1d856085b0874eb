/* The coordinates of selected cells for the array that has these cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/select.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>

#include "array/state/open_array.h"
#include "base/base.h"
#include "coordinates/axis_regular.h"
#include "coordinates/coordinates.h"
#include "select/selected_cells.h"

/* One axis of a copy. */
typedef struct axis_copy {
    xta_array *to;
    int axis;
    int64_t lo, n;        // cells of the copy
    const int64_t *cells; // of the source
    const xta_coordinates *from;
    xta_error *err;
} axis_copy;

/* The numbers of the cells in the type of the coordinates. */
static xta_status numbers_of(const axis_copy *job, void **out)
{
    xta_type type = xta_coordinates_type(job->from);
    bool whole = xta__coordinates_whole(job->from);
    xta_coordinate *wide = xta__calloc((size_t)job->n + 1, sizeof *wide);
    void *values = xta__calloc((size_t)job->n + 1, xta_type_bytes(type));
    xta_status status = XTA_OK;

    *out = NULL;
    if (wide == NULL || values == NULL) {
        status =
            xta__fail(job->err, XTA_ENOMEM, 0, "no memory for %" PRId64 " coordinates", job->n);
        goto done;
    }
    for (int64_t k = 0; k < job->n; k++) {
        wide[k] = xta__coordinates_number(job->from, job->cells[k]);
    }
    status = xta_type_convert(whole ? XTA_I64 : XTA_F64, wide, type, values, (size_t)job->n, NULL);
    if (status != XTA_OK) {
        XTA_TRY(xta__fail(job->err, status, 0, "%s: coordinates of type %s cannot be copied",
                          xta__array_name(job->to), xta_type_name(type)));
    }
    *out = values;
    values = NULL;
done:
    free(values);
    free(wide);
    return status;
}

/* Coordinates as an attribute. Those that were there before go. */
static xta_status set_list(const axis_copy *job, xta_type type, size_t count, const void *values)
{
    static const char *const old[] = {XTA__VALUES_BOX, XTA__VALUES_DIMENSIONS};
    const xta_attribute list = {
        .name = XTA__VALUES, .type = type, .count = count, .values = values};
    xta_attribute there;
    xta_status status = XTA_OK;

    XTA_TRY(xta_axis_set_regular(job->to, job->axis, NULL, job->err));
    for (size_t k = 0; k < sizeof old / sizeof old[0]; k++) {
        if (xta_attribute_get(job->to, job->axis, old[k], &there, NULL) == XTA_OK) {
            XTA_TRY(xta_attribute_remove(job->to, job->axis, old[k], job->err));
        }
    }
    status = xta_attribute_set(job->to, job->axis, &list, job->err);
done:
    return status;
}

static xta_status set_numbers(const axis_copy *job)
{
    xta_type type = xta_coordinates_type(job->from);
    bool was_regular = xta_coordinates_kind_of(job->from) == XTA_COORDINATES_REGULAR;
    xta_regular regular;
    void *values = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(numbers_of(job, &values));
    if (was_regular && job->n > 1 && xta_regular_detect(type, values, job->n, job->lo, &regular)) {
        status = xta_axis_set_regular(job->to, job->axis, &regular, job->err);
    } else {
        status = set_list(job, type, (size_t)job->n, values);
    }
done:
    free(values);
    return status;
}

static xta_status set_names(const axis_copy *job)
{
    size_t bytes = 0, used = 0;
    char *text = NULL;
    xta_status status = XTA_OK;

    for (int64_t k = 0; k < job->n; k++) {
        bytes += strlen(xta_coordinates_name(job->from, job->cells[k])) + 1;
    }
    text = malloc(bytes + 1);
    if (text == NULL) {
        return xta__fail(job->err, XTA_ENOMEM, 0, "no memory for %" PRId64 " names", job->n);
    }
    for (int64_t k = 0; k < job->n; k++) {
        const char *name = xta_coordinates_name(job->from, job->cells[k]);
        size_t length = strlen(name);
        memcpy(text + used, name, length);
        text[used + length] = '\n';
        used += length + 1;
    }
    text[used] = '\0';
    status = set_list(job, XTA_TEXT, used, text);
    free(text);
    return status;
}

/* Whether the copy has these coordinates, unit and calendar already. */
static bool is_same(const axis_copy *job)
{
    xta_coordinates *there = NULL;
    bool same = xta_coordinates_read(job->to, job->axis, &there, NULL) == XTA_OK &&
                xta_coordinates_type(there) == xta_coordinates_type(job->from) &&
                xta_coordinates_kind_of(there) == xta_coordinates_kind_of(job->from) &&
                strcmp(xta_coordinates_unit(there), xta_coordinates_unit(job->from)) == 0 &&
                strcmp(xta_coordinates_calendar(there), xta_coordinates_calendar(job->from)) == 0;

    for (int64_t k = 0; same && k < job->n; k++) {
        if (xta_coordinates_type(there) == XTA_TEXT) {
            same = strcmp(xta_coordinates_name(there, job->lo + k),
                          xta_coordinates_name(job->from, job->cells[k])) == 0;
        } else {
            xta_coordinate a = xta__coordinates_number(there, job->lo + k);
            xta_coordinate b = xta__coordinates_number(job->from, job->cells[k]);
            same = a.i == b.i; // the same bits, of either type
        }
    }
    xta_coordinates_free(there);
    return same;
}

static xta_status copy_axis(const axis_copy *job)
{
    const char *unit = xta_coordinates_unit(job->from);
    const char *calendar = xta_coordinates_calendar(job->from);
    xta_status status = XTA_OK;

    if (job->n == 0 || is_same(job)) {
        return XTA_OK;
    }
    XTA_TRY(xta_coordinates_kind_of(job->from) == XTA_COORDINATES_NAMES ? set_names(job)
                                                                        : set_numbers(job));
    if (unit[0] != '\0') {
        XTA_TRY(xta_axis_set_unit(job->to, job->axis, unit, job->err));
    }
    if (calendar[0] != '\0') {
        status = xta_attribute_set_text(job->to, job->axis, "calendar", calendar, job->err);
    }
done:
    return status;
}

/* The cells of the source, one for each of the copy. */
static xta_status cells_of(const axis_copy *job, xta_array *from, int axis, const xta_selection *s,
                           int64_t **out)
{
    const xta_box bounds = xta_array_bounds(from);
    int64_t n = s != NULL ? xta__selected_count(s, axis) : job->n;

    *out = NULL;
    if (n != job->n ||
        (s == NULL && n > 0 && (job->lo < bounds.lo[axis] || job->lo + n > bounds.hi[axis]))) {
        return xta__fail(job->err, XTA_EBOX, 0,
                         "%s: axis %d has other cells than those whose coordinates it gets",
                         xta__array_name(job->to), job->axis);
    }
    *out = xta__calloc((size_t)n + 1, sizeof **out);
    if (*out == NULL) {
        return xta__fail(job->err, XTA_ENOMEM, 0, "no memory for %" PRId64 " cells", n);
    }
    for (int64_t k = 0; k < n; k++) {
        (*out)[k] = s != NULL ? xta__selected_cell(s, axis, k) : job->lo + k;
    }
    return XTA_OK;
}

xta_status xta_coordinates_copy(xta_array *from, int from_axis, const xta_selection *selection,
                                xta_array *to, int to_axis, xta_error *err)
{
    const xta_box bounds = xta_array_bounds(to);
    axis_copy job = {.to = to, .axis = to_axis, .err = err};
    xta_coordinates *coordinates = NULL;
    int64_t *cells = NULL;
    xta_status status = XTA_OK;

    xta__clear(err);
    if (from_axis < 0 || from_axis >= xta_array_ndim(from) || to_axis < 0 ||
        to_axis >= bounds.ndim) {
        return xta__fail(err, XTA_EARG, 0, "%s: there is no axis %d, or none %d of the other array",
                         xta__array_name(to), to_axis, from_axis);
    }
    job.lo = bounds.lo[to_axis];
    job.n = bounds.hi[to_axis] - job.lo;
    status = xta_coordinates_read(from, from_axis, &coordinates, err);
    if (status == XTA_ENOENT || status == XTA_EBOX || status == XTA_ECORRUPT) {
        // None that all cells have; attributes stay as they are.
        xta__clear(err);
        return XTA_OK;
    }
    XTA_TRY(status);
    XTA_TRY(cells_of(&job, from, from_axis, selection, &cells));
    job.cells = cells;
    job.from = coordinates;
    status = copy_axis(&job);
done:
    free(cells);
    xta_coordinates_free(coordinates);
    return status;
}
