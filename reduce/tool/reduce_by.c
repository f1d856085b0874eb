/* The groups of xta reduce that a calendar makes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "reduce_job.h"

#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>
#include <xta/coordinates.h>

#include "util/checked.h"
#include "util/try.h"

/* The axis with times, and these. */
static xta_status find_times(cli_reduction *job, const char *name, int *axis,
                             xta_instant **instants, cli_error *err)
{
    int n = 0;
    xta_status status = XTA_OK;

    *instants = NULL;
    if (name != NULL) {
        XTA_TRY(xta_axis_find(job->array, name, axis, &err->error));
        return xta_calendar_instants(job->array, *axis, &job->by_unit, instants, &err->error);
    }
    for (int k = 0; k < xta_array_ndim(job->array); k++) {
        xta_time_unit unit;
        xta_instant *found = NULL;
        if (xta_calendar_instants(job->array, k, &unit, &found, NULL) != XTA_OK) {
            continue;
        }
        free(*instants);
        *instants = found;
        *axis = k;
        job->by_unit = unit;
        n++;
    }
    if (n != 1) {
        XTA_TRY(cli_usage(err, "--by: %d axes of %s have times since a date as coordinates; %s", n,
                          job->path,
                          n > 1 ? "give AXIS:month" : "see xta help attr for units and values"));
    }
done:
    if (status != XTA_OK) {
        free(*instants);
        *instants = NULL;
    }
    return status;
}

/* Keep the unit of the times as it is written: the axis of the results gets it. */
static xta_status keep_unit(cli_reduction *job, int axis, cli_error *err)
{
    xta_coordinates *c = NULL;
    xta_status status = xta_coordinates_read(job->array, axis, &c, &err->error);

    if (status == XTA_OK) {
        job->by_unit_text = xta__strdup(xta_coordinates_unit(c));
        if (job->by_unit_text == NULL) {
            status = cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for groups", job->path);
        }
    }
    xta_coordinates_free(c);
    return status;
}

/* Reduce an axis, too. */
static void add_axis(cli_reduction *job, int axis)
{
    int at = job->options.n_axes;

    for (int k = 0; k < job->options.n_axes; k++) {
        if (job->axes[k] == axis) {
            return;
        }
    }
    for (; at > 0 && job->axes[at - 1] > axis; at--) {
        job->axes[at] = job->axes[at - 1];
    }
    job->axes[at] = axis;
    job->options.n_axes++;
}

/* Labels from 0 on: below are no groups. */
static xta_status make_labels(cli_reduction *job, const xta_instant *instants, int64_t n,
                              cli_error *err)
{
    xta_status status = XTA_OK;

    job->labels = xta__calloc((size_t)n + 1, sizeof job->labels[0]);
    if (job->labels == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for groups", job->path);
    }
    for (int64_t k = 0; k < n; k++) {
        XTA_TRY(xta_calendar_group_of(job->by_unit.calendar, job->by, &instants[k], &job->labels[k],
                                      &err->error));
        job->by_least = k == 0 || job->labels[k] < job->by_least ? job->labels[k] : job->by_least;
    }
    for (int64_t k = 0; k < n; k++) {
        job->labels[k] -= job->by_least;
    }
    status =
        xta_reduce_distinct_labels(job->labels, n, &job->distinct, &job->n_distinct, &err->error);
done:
    return status;
}

xta_status cli_reduce_by(cli_reduction *job, const char *text, cli_error *err)
{
    const char *colon = strrchr(text, ':');
    char *name = colon != NULL ? xta__strdup(text) : NULL;
    xta_instant *instants = NULL;
    int axis = 0;
    xta_status status = XTA_OK;

    if (colon != NULL && name == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for groups");
    }
    if (name != NULL) {
        name[colon - text] = '\0';
    }
    if (xta_calendar_group_parse(colon != NULL ? colon + 1 : text, &job->by, &err->error) !=
        XTA_OK) {
        xta_error why = err->error;
        XTA_TRY(cli_usage(err, "--by: %s", why.text));
    }
    XTA_TRY(find_times(job, name, &axis, &instants, err));
    XTA_TRY(keep_unit(job, axis, err));
    add_axis(job, axis);
    xta_box bounds = xta_array_bounds(job->array);
    XTA_TRY(make_labels(job, instants, bounds.hi[axis] - bounds.lo[axis], err));
    job->options.group_axis = axis;
    job->options.labels = job->labels;
    job->options.n_labels = bounds.hi[axis] - bounds.lo[axis];
done:
    free(name);
    free(instants);
    return status;
}

void cli_reduce_by_text(const cli_reduction *job, int64_t label, char text[XTA_DATE_TEXT_BYTES])
{
    xta_calendar_group_text(job->by_unit.calendar, job->by, label + job->by_least, text);
}

/* Coordinates of groups that follow each other: when they begin, in the unit of the array. */
static xta_status set_times(const cli_reduction *job, xta_array *result, int axis, double *values,
                            cli_error *err)
{
    xta_status status = XTA_OK;

    for (size_t k = 0; k < job->n_distinct; k++) {
        xta_instant begin;
        XTA_TRY(xta_calendar_group_begin(job->by_unit.calendar, job->by,
                                         job->distinct[k] + job->by_least, &begin, &err->error));
        values[k] = xta_time_to_f64(&job->by_unit, &begin);
    }
    XTA_TRY(xta_axis_set_unit(result, axis, job->by_unit_text, &err->error));
    XTA_TRY(xta_attribute_set_text(result, axis, "calendar",
                                   xta_calendar_name(job->by_unit.calendar), &err->error));
done:
    return status;
}

xta_status cli_reduce_by_coordinates(const cli_reduction *job, xta_array *result, cli_error *err)
{
    int axis = cli_reduce_labelled_axis(job);
    double *values = xta__calloc(job->n_distinct + 1, sizeof *values);
    xta_attribute a = {.name = "values",
                       .type = XTA_F64,
                       .cell_bytes = 8,
                       .count = job->n_distinct,
                       .values = values};
    xta_status status = XTA_OK;

    if (values == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for coordinates");
    }
    XTA_TRY(xta_attribute_remove(result, axis, "labels", &err->error));
    if (job->by <= XTA_BY_YEAR) {
        XTA_TRY(set_times(job, result, axis, values, err));
    } else {
        for (size_t k = 0; k < job->n_distinct; k++) {
            values[k] = (double)(job->distinct[k] + job->by_least);
        }
    }
    XTA_TRY(xta_attribute_set(result, axis, &a, &err->error));
done:
    free(values);
    return status;
}
