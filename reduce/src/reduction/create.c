/* The arrays that results go into.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/reduce.h>

#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>
#include <xta/select.h>

#include "reduction/plan.h"
#include "reduction/results.h"
#include "util/checked.h"
#include "util/try.h"

/* Move the bounds of a new array, [0, hi) on each axis, to those of the result. Addresses are given
 * to all chunks from coordinate 0 on, but neither memory nor blocks of the disk: chunks between 0
 * and the result are holes that nobody touches. */
static xta_status move_bounds(xta_array *array, const xta_box *bounds, xta_error *err)
{
    xta_growth growth[2 * XTA_MAX_NDIM], shrink[XTA_MAX_NDIM];
    int n = 0, n_shrinks = 0;
    xta_status status = XTA_OK;

    for (int axis = 0; axis < bounds->ndim; axis++) {
        if (bounds->lo[axis] < 0) {
            growth[n++] = (xta_growth){axis, XTA_FRONT, -bounds->lo[axis]};
        }
        if (bounds->lo[axis] > 0) {
            shrink[n_shrinks++] = (xta_growth){axis, XTA_FRONT, bounds->lo[axis]};
        }
        if (bounds->hi[axis] < 0) {
            shrink[n_shrinks++] = (xta_growth){axis, XTA_BACK, -bounds->hi[axis]};
        }
    }
    if (n > 0) {
        XTA_TRY(xta_array_extend(array, growth, n, NULL, err));
    }
    if (n_shrinks > 0) {
        XTA_TRY(xta_array_shrink(array, shrink, n_shrinks, NULL, err));
    }
done:
    return status;
}

/* Names, units, coordinates and labels. */
static xta_status name_axes(const xta__reduction *r, xta_array *out, xta_error *err)
{
    xta_status status = XTA_OK;
    int to = 0;

    for (int axis = 0; axis < r->info.ndim; axis++) {
        int k = r->reduced_of[axis];
        if (k >= 0 && k != r->grouped) {
            continue;
        }
        XTA_TRY(xta_axis_set_name(out, to, xta_axis_name(r->array, axis), err));
        if (k < 0) {
            XTA_TRY(xta_axis_set_unit(out, to, xta_axis_unit(r->array, axis), err));
            XTA_TRY(xta_coordinates_copy(r->array, axis, NULL, out, to, err));
        } else if (r->labels != NULL) {
            xta_attribute labels = {
                .name = "labels", .type = XTA_I64, .count = r->n_groups, .values = r->labels};
            XTA_TRY(xta_attribute_set(out, to, &labels, err));
        }
        to++;
    }
    if (to == 0) {
        XTA_TRY(xta_axis_set_name(out, 0, "all", err));
    }
done:
    return status;
}

/* What the cells are measured in, if the statistic keeps it. */
static xta_status name_cells(const xta__reduction *r, xta_reduce_statistic statistic,
                             xta_array *out, xta_error *err)
{
    static const char *const names[] = {"units", "long_name", "standard_name"};
    bool same = statistic == XTA_REDUCE_MEAN || statistic == XTA_REDUCE_MIN ||
                statistic == XTA_REDUCE_MAX || statistic == XTA_REDUCE_SUM;
    xta_status status = XTA_OK;
    xta_attribute a;

    for (size_t k = 0; same && k < sizeof names / sizeof names[0]; k++) {
        if (xta_attribute_get(r->array, XTA_ON_ARRAY, names[k], &a, NULL) == XTA_OK) {
            XTA_TRY(xta_attribute_set(out, XTA_ON_ARRAY, &a, err));
        }
    }
done:
    return status;
}

/* The array with coordinates from 0 on; the library chooses the chunks, by these bounds. */
static xta_status create(const xta__reduction *r, xta_reduce_statistic statistic, const char *path,
                         xta_array **out, xta_error *err)
{
    xta_box bounds = xta__reduction_bounds(r);
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    xta_type type = xta_reduce_result_type(statistic, r->info.type);
    int64_t lengths[XTA_MAX_NDIM];
    uint8_t none[8];

    xta__no_value(statistic, r->info.type, none);
    o.fill = none;
    for (int axis = 0; axis < bounds.ndim; axis++) {
        lengths[axis] = bounds.hi[axis] > 0 ? bounds.hi[axis] : 0;
    }
    return path != NULL ? xta_array_create(path, type, bounds.ndim, lengths, &o, out, err)
                        : xta_array_new(type, bounds.ndim, lengths, &o, out, err);
}

xta_status xta_reduce_create(xta_array *array, const xta_reduce_options *options,
                             xta_reduce_statistic statistic, const char *path, xta_array **out,
                             xta_error *err)
{
    xta__reduction *r = xta__calloc(1, sizeof *r);
    xta_status status = XTA_OK;
    bool created = false;

    xta__clear(err);
    *out = NULL;
    if (r == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for a reduction");
    }
    XTA_TRY(xta__reduction_begin(r, array, options, err));
    if ((unsigned)statistic >= XTA_REDUCE_STATISTICS) {
        XTA_TRY(xta__fail(err, XTA_EARG, 0, "%s: %d is no statistic; they are 0 to %d",
                          xta__reduction_name(r), (int)statistic, XTA_REDUCE_STATISTICS - 1));
    }
    XTA_TRY(create(r, statistic, path, out, err));
    created = true;
    xta_box bounds = xta__reduction_bounds(r);
    XTA_TRY(move_bounds(*out, &bounds, err));
    XTA_TRY(name_axes(r, *out, err));
    XTA_TRY(name_cells(r, statistic, *out, err));
done:
    if (status != XTA_OK && created) {
        xta_error other;
        (void)!xta_array_close(*out, &other);
        *out = NULL;
        if (path != NULL) {
            (void)!xta_array_delete(path, &other);
        }
    }
    xta__reduction_clear(r);
    free(r);
    return status;
}
