/* The groups of xta reduce.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "reduce_job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "npy_array.h"
#include "util/checked.h"

int cli_reduce_labelled_axis(const cli_reduction *job)
{
    int to = 0;

    if (job->options.labels == NULL) {
        return -1;
    }
    for (int axis = 0; axis < job->options.group_axis; axis++) {
        bool reduced = false;
        for (int k = 0; k < job->options.n_axes; k++) {
            reduced = reduced || job->axes[k] == axis;
        }
        to += !reduced;
    }
    return to;
}

static bool is_reduced(const cli_reduction *job, int axis)
{
    for (int k = 0; k < job->options.n_axes; k++) {
        if (job->axes[k] == axis) {
            return true;
        }
    }
    return false;
}

/* Which reduced axis has this length; -1: none, or several. */
static int axis_of_length(const cli_reduction *job, int64_t length)
{
    const xta_box bounds = job->box;
    int found = -1, n = 0;

    for (int k = 0; k < job->options.n_axes; k++) {
        int axis = job->axes[k];
        if (bounds.hi[axis] - bounds.lo[axis] == length) {
            found = axis;
            n++;
        }
    }
    return n == 1 ? found : -1;
}

/* Read labels; `axis`: that they are for, -1 if their number is to decide. */
static xta_status read_labels(cli_reduction *job, const char *path, int axis, cli_error *err)
{
    xta_array *array = NULL;
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_status status = XTA_OK;

    XTA_TRY(cli_npy_load(path, "list of labels", &array, err));
    xta_box box = xta_array_bounds(array);
    if (box.ndim != 1) {
        XTA_TRY(cli_fail(err, XTA_EARG, 0, "%s: has %d axes; want a list of labels, one axis", path,
                         box.ndim));
    }
    if (xta_array_type(array) > XTA_U64) {
        XTA_TRY(cli_fail(err, XTA_ETYPE, 0, "%s: labels of type %s; want whole numbers", path,
                         xta_type_name(xta_array_type(array))));
    }
    if (axis < 0) {
        axis = axis_of_length(job, box.hi[0]);
    }
    if (axis < 0) {
        XTA_TRY(cli_usage(err,
                          "--groups: %s has %" PRId64 " labels, and not exactly one reduced axis "
                          "of %s has this length; give AXIS:%s",
                          path, box.hi[0], job->path, path));
    }
    job->labels = xta__calloc((size_t)box.hi[0] + 1, sizeof job->labels[0]);
    if (job->labels == NULL) {
        XTA_TRY(
            cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for %" PRId64 " labels", path, box.hi[0]));
    }
    io.type = XTA_I64;
    XTA_TRY(xta_array_read(array, &box, &io, job->labels, &err->error));
    XTA_TRY(xta_reduce_distinct_labels(job->labels, box.hi[0], &job->distinct, &job->n_distinct,
                                       &err->error));
    job->options.group_axis = axis;
    job->options.labels = job->labels;
    job->options.n_labels = box.hi[0];
done:
    return cli_close(array, status, err);
}

/* Find the axis that precedes a colon. */
static xta_status find_axis(const cli_reduction *job, const char *text, const char *colon,
                            int *axis, cli_error *err)
{
    char *name = xta__strdup(text);
    xta_status status = XTA_OK;

    if (name == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for the groups");
    }
    name[colon - text] = '\0';
    XTA_TRY(xta_axis_find(job->array, name, axis, &err->error));
    if (!is_reduced(job, *axis)) {
        XTA_TRY(cli_usage(err, "--groups: axis %s is not reduced; add it to --over", name));
    }
done:
    free(name);
    return status;
}

xta_status cli_reduce_groups(cli_reduction *job, const char *text, cli_error *err)
{
    const char *colon = strchr(text, ':');
    int axis = -1;
    xta_status status = XTA_OK;

    if (colon == NULL) {
        return read_labels(job, text, -1, err);
    }
    XTA_TRY(find_axis(job, text, colon, &axis, err));
    if (colon[1] < '0' || colon[1] > '9' || strspn(colon + 1, "0123456789") != strlen(colon + 1)) {
        return read_labels(job, colon + 1, axis, err);
    }
    XTA_TRY(cli_parse_int(colon + 1, "--groups", &job->options.group_length, err));
    if (job->options.group_length < 1) {
        XTA_TRY(cli_usage(err, "--groups: \"%s\": groups of 0 coordinates; give 1 or more", text));
    }
    job->options.group_axis = axis;
done:
    return status;
}
