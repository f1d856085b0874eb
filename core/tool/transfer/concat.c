/* xta concat: arrays one after the other along an axis, as a new array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "transfer/verbs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <xta/copy.h>

#include "kit/folder.h"
#include "kit/history.h"
#include "kit/interrupt.h"
#include "kit/print/describe.h"
#include "kit/print/json.h"
#include "transfer/concat_coordinates.h"
#include "transfer/concat_sets.h"
#include "util/checked.h"
#include "util/os.h"

/* Values of the options. */
typedef struct concat_options {
    const char *along;
    bool sort;
    bool no_history;
    cli_coords chunk;
    bool json;
} concat_options;

static const cli_option options[] = {
    CLI_STRING(concat_options, along, "along", "AXIS",
               "the axis on which they follow one another: its name or number"),
    CLI_FLAG(concat_options, sort, "sort",
             "order them by their coordinates on that axis, not as they are given"),
    CLI_PARSED(concat_options, chunk, "chunk", "N,N,...", cli_parse_coords_value,
               "cells of a chunk on each axis (as in the first array)"),
    CLI_FLAG(concat_options, no_history, "no-history",
             "do not add this command to the history of OUT"),
    CLI_FLAG(concat_options, json, "json", "print one JSON object"),
};

static const concat_options *values_of(const cli_args *args)
{
    return args->values;
}

/* The arrays of one output. */
typedef struct concat_job {
    const cli_args *args;
    const char *out;
    const char *const *paths; // of the arrays, as they are given
    size_t n;
    int axis;             // of the first array; -1: it does not have the axis
    cli_axis_list *lists; // their coordinates, as they are given
    size_t *order;        // order[k]: which array is the k-th
    cli_json_list *made;  // what was made
} concat_job;

static int stop_if_interrupted(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    (void)done;
    (void)total;
    return cli_interrupted();
}

/* ---- do they fit? ---- */

static xta_status disagree(const char *path, const char *first, const char *what, cli_error *err)
{
    return cli_fail(err, XTA_EARG, 0, "%s: its %s differs from that of %s; xta diff shows them",
                    path, what, first);
}

/* An axis on which nothing is joined: bounds and coordinates are the same. */
static xta_status check_other_axis(xta_array *first, xta_array *array, int axis, cli_error *err)
{
    static const char *const names[] = {"values", "values//regular"};
    const xta_box a = xta_array_bounds(first), b = xta_array_bounds(array);
    const char *path = xta_array_path(array), *other = xta_array_path(first);
    char number[16];

    if (a.lo[axis] != b.lo[axis] || a.hi[axis] != b.hi[axis]) {
        return cli_fail(err, XTA_EBOX, 0,
                        "%s: axis %s has the cells %" PRId64 ":%" PRId64 ", in %s %" PRId64
                        ":%" PRId64 "; only the axis of --along may differ",
                        path, cli_axis_label(array, axis, number), b.lo[axis], b.hi[axis], other,
                        a.lo[axis], a.hi[axis]);
    }
    for (size_t k = 0; k < CLI_COUNT(names); k++) {
        xta_attribute found_a = {.count = 0}, found_b = {.count = 0};
        bool has_a = xta_attribute_get(first, axis, names[k], &found_a, NULL) == XTA_OK;
        bool has_b = xta_attribute_get(array, axis, names[k], &found_b, NULL) == XTA_OK;
        size_t bytes = found_a.count * found_a.cell_bytes;
        if (has_a != has_b || found_a.type != found_b.type || found_a.count != found_b.count ||
            (bytes > 0 && memcmp(found_a.values, found_b.values, bytes) != 0)) {
            char what[300];
            snprintf(what, sizeof what, "axis %.255s: list of coordinates",
                     cli_axis_label(array, axis, number));
            return disagree(path, other, what, err);
        }
    }
    return XTA_OK;
}

static xta_status check_alike(const concat_job *job, xta_array *first, xta_array *array,
                              cli_error *err)
{
    const char *path = xta_array_path(array), *other = xta_array_path(first);
    xta_status status = XTA_OK;

    if (xta_array_type(first) != xta_array_type(array) ||
        xta_array_cell_bytes(first) != xta_array_cell_bytes(array)) {
        return disagree(path, other, "type", err);
    }
    if (xta_array_ndim(first) != xta_array_ndim(array)) {
        return disagree(path, other, "number of axes", err);
    }
    for (int axis = 0; axis < xta_array_ndim(first); axis++) {
        if (strcmp(xta_axis_name(first, axis), xta_axis_name(array, axis)) != 0) {
            return disagree(path, other, "names of axes", err);
        }
        if (strcmp(xta_axis_unit(first, axis), xta_axis_unit(array, axis)) != 0) {
            return cli_fail(err, XTA_EARG, 0, "%s: axis %d has the unit \"%s\", in %s \"%s\"", path,
                            axis, xta_axis_unit(array, axis), other, xta_axis_unit(first, axis));
        }
        if (axis != job->axis) {
            XTA_TRY(check_other_axis(first, array, axis, err));
        }
    }
done:
    return status;
}

/* Check an array against the first one, and read its coordinates on the axis. */
static xta_status read_array(concat_job *job, xta_array *first, size_t k, cli_error *err)
{
    xta_array *array = NULL;
    cli_axis_list *list = &job->lists[k];
    xta_status status = XTA_OK;

    list->path = job->paths[k];
    XTA_TRY(xta_array_open(job->paths[k], NULL, &array, &err->error));
    XTA_TRY(xta_array_check_finished(array, &err->error));
    XTA_TRY(check_alike(job, first, array, err));
    const xta_box bounds = xta_array_bounds(array);
    list->lo = bounds.lo[job->axis];
    list->hi = bounds.hi[job->axis];
    status = cli_axis_list_read(array, job->axis, "values", list, err);
done:
    return cli_close(array, status, err);
}

/* ---- the output ---- */

/* Join every list of the axis. Coordinates are there already; of the others, those that the first
 * array has. */
static xta_status join_lists(const concat_job *job, xta_array *out, cli_error *err)
{
    cli_axis_list *lists = calloc(job->n, sizeof lists[0]);
    xta_status status = XTA_OK;

    if (lists == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for coordinates", job->out);
    }
    for (size_t name = 0; status == XTA_OK && cli_axis_lists[name] != NULL; name++) {
        xta_attribute found;
        if (name > 0 &&
            xta_attribute_get(out, job->axis, cli_axis_lists[name], &found, NULL) != XTA_OK) {
            continue;
        }
        for (size_t k = 0; status == XTA_OK && k < job->n; k++) {
            xta_array *array = NULL;
            lists[k] = job->lists[job->order[k]];
            lists[k].values = NULL;
            lists[k].regular = false;
            status = xta_array_open(lists[k].path, NULL, &array, &err->error);
            if (status == XTA_OK) {
                status = cli_axis_list_read(array, job->axis, cli_axis_lists[name], &lists[k], err);
            }
            status = cli_close(array, status, err);
        }
        if (status == XTA_OK) {
            status = cli_axis_lists_join(lists, job->n, cli_axis_lists[name], name == 0, out,
                                         job->axis, err);
        }
        for (size_t k = 0; k < job->n; k++) {
            cli_axis_list_clear(&lists[k]);
        }
    }
    free(lists);
    return status;
}

static xta_status copy_arrays(const concat_job *job, xta_array *out, cli_error *err)
{
    xta_copy_options copy = XTA_COPY_OPTIONS_INIT;
    const xta_box bounds = xta_array_bounds(out);
    int64_t lo[XTA_MAX_NDIM];
    xta_status status = XTA_OK;

    copy.fresh = true;
    copy.progress = stop_if_interrupted;
    memcpy(lo, bounds.lo, sizeof lo);
    for (size_t k = 0; status == XTA_OK && k < job->n; k++) {
        const cli_axis_list *list = &job->lists[job->order[k]];
        xta_array *array = NULL;
        status = xta_array_open(list->path, NULL, &array, &err->error);
        if (status == XTA_OK) {
            const xta_box box = xta_array_bounds(array);
            status = xta_array_copy_cells(array, &box, out, lo, &copy, &err->error);
        }
        lo[job->axis] += list->hi - list->lo;
        status = cli_close(array, status, err);
    }
    return status;
}

static xta_status plan_output(const concat_job *job, xta_array *first, xta_box *box,
                              xta_create_options *changes, cli_error *err)
{
    const cli_coords *chunk = &values_of(job->args)->chunk;
    xta_array_info info;
    xta_status status = XTA_OK;

    XTA_TRY(xta_array_inquire(first, &info, &err->error));
    *box = info.bounds;
    box->hi[job->axis] = box->lo[job->axis];
    for (size_t k = 0; k < job->n; k++) {
        const cli_axis_list *list = &job->lists[k];
        if (__builtin_add_overflow(box->hi[job->axis], list->hi - list->lo, &box->hi[job->axis])) {
            return cli_fail(err, XTA_EOVERFLOW, 0, "%s: more than 2^63 cells on the axis",
                            job->out);
        }
    }
    if (chunk->n > 0 && chunk->n != info.ndim) {
        return cli_usage(err, "--chunk: %d numbers for %d axes; give one for each", chunk->n,
                         info.ndim);
    }
    changes->chunk = chunk->n > 0 ? chunk->at : NULL;
    changes->order = info.order;
done:
    return status;
}

static void print_output(const concat_job *job, const xta_box *bounds)
{
    if (!cli_json_list_next(job->made)) {
        return;
    }
    fputs("{\"array\": ", job->made->out);
    cli_json_text(job->made->out, job->out);
    fputs(", \"from\": [", job->made->out);
    for (size_t k = 0; k < job->n; k++) {
        fputs(k > 0 ? ", " : "", job->made->out);
        cli_json_text(job->made->out, job->paths[job->order[k]]);
    }
    fputs("], ", job->made->out);
    if (job->axis >= 0) {
        fprintf(job->made->out, "\"axis\": %d, ", job->axis);
    }
    fputs("\"bounds\": ", job->made->out);
    cli_json_box(job->made->out, bounds);
    fputc('}', job->made->out);
}

static xta_status make_output(const concat_job *job, cli_error *err)
{
    xta_copy_options copy = XTA_COPY_OPTIONS_INIT;
    xta_create_options changes = XTA_CREATE_OPTIONS_INIT;
    xta_array *first = NULL, *out = NULL;
    xta_work *work = NULL;
    xta_box box;
    xta_status status = XTA_OK;

    XTA_TRY(xta_array_open(job->paths[job->order[0]], NULL, &first, &err->error));
    XTA_TRY(plan_output(job, first, &box, &changes, err));
    copy.box = &box;
    copy.changes = &changes;
    XTA_TRY(xta_work_create_copy(first, job->out, &copy, XTA_WORK_OTHER, &out, &work, &err->error));
    status = join_lists(job, out, err);
    if (status == XTA_OK) {
        status = copy_arrays(job, out, err);
    }
    if (status == XTA_OK) {
        status = xta_work_end(out, work, &err->error);
        work = NULL;
    }
    xta_work_abandon(work);
    status = cli_close(out, status, err);
    if (status != XTA_OK) {
        (void)!xta_array_delete(job->out, NULL);
    } else {
        print_output(job, &box);
    }
done:
    return cli_close(first, status, err);
}

/* ---- one output, or a folder of them ---- */

static xta_status concat_arrays(const cli_args *args, const char *out, const char *const paths[],
                                size_t n, cli_json_list *made, cli_error *err)
{
    concat_job job = {.args = args, .out = out, .paths = paths, .n = n, .made = made};
    xta_array *first = NULL;
    xta_status status = XTA_OK;

    job.lists = calloc(n, sizeof job.lists[0]);
    job.order = calloc(n, sizeof job.order[0]);
    if (job.lists == NULL || job.order == NULL) {
        status = cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for %zu arrays", out, n);
        goto done;
    }
    XTA_TRY(xta_array_open(paths[0], NULL, &first, &err->error));
    XTA_TRY(xta_axis_find(first, values_of(args)->along, &job.axis, &err->error));
    for (size_t k = 0; k < n; k++) {
        job.order[k] = k;
        XTA_TRY(read_array(&job, first, k, err));
    }
    if (values_of(args)->sort) {
        XTA_TRY(cli_axis_lists_sort(job.lists, n, job.order, err));
    }
    status = make_output(&job, err);
done:
    for (size_t k = 0; job.lists != NULL && k < n; k++) {
        cli_axis_list_clear(&job.lists[k]);
    }
    free(job.lists);
    free(job.order);
    return cli_close(first, status, err);
}

/* What is done in each member of the first of several folders. */
typedef struct folder_job {
    const cli_args *args;
    const char *out;
    const char *const *folders;
    size_t n;
    cli_json_list *made;
} folder_job;

static xta_status has_axis(const char *path, const char *name, bool *has, cli_error *err)
{
    xta_array *array = NULL;
    int axis = 0;
    xta_status status = xta_array_open(path, NULL, &array, &err->error);

    *has = status == XTA_OK && xta_axis_find(array, name, &axis, NULL) == XTA_OK;
    return cli_close(array, status, err);
}

/* An array without the axis is that of the first folder. */
static xta_status copy_member(const char *from, const char *to, cli_json_list *made, cli_error *err)
{
    concat_job job = {.out = to, .paths = &from, .n = 1, .order = &(size_t){0}, .made = made};
    xta_array *array = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(xta_array_open(from, NULL, &array, &err->error));
    XTA_TRY(xta_array_copy(array, to, NULL, &err->error));
    const xta_box bounds = xta_array_bounds(array);
    job.axis = -1;
    print_output(&job, &bounds);
done:
    return cli_close(array, status, err);
}

static xta_status concat_members(const folder_job *job, const char *name, const char *out,
                                 cli_error *err)
{
    char **paths = calloc(job->n, sizeof paths[0]);
    bool has = false;
    xta_status status = XTA_OK;

    if (paths == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for %zu paths", name, job->n);
    }
    for (size_t k = 0; k < job->n; k++) {
        XTA_TRY(cli_join(job->folders[k], name, &paths[k], err));
    }
    XTA_TRY(has_axis(paths[0], values_of(job->args)->along, &has, err));
    status = has ? concat_arrays(job->args, out, (const char *const *)paths, job->n, job->made, err)
                 : copy_member(paths[0], out, job->made, err);
done:
    for (size_t k = 0; k < job->n; k++) {
        free(paths[k]);
    }
    free(paths);
    return status;
}

static xta_status make_folder(const char *path, cli_error *err)
{
    bool made = false;
    xta_status status = xta__path_make_folder(path, &made, &err->error);

    return status != XTA_OK || made
               ? status
               : cli_fail(err, XTA_EEXIST, 0, "%s: cannot be made: File exists; name a new folder",
                          path);
}

/* What the data set of the folders, or of a group in them, says. */
static xta_status join_sets(const folder_job *job, const char *inner, cli_error *err)
{
    return cli_join_sets(job->folders, job->n, inner, values_of(job->args)->along, job->out, err);
}

static xta_status visit_group(void *user, const cli_member *member, cli_error *err)
{
    return member->array ? XTA_OK : join_sets(user, member->name, err);
}

static xta_status check_group(void *user, const cli_member *member, cli_error *err)
{
    const folder_job *job = user;

    return member->array ? XTA_OK
                         : cli_check_sets(job->folders, job->n, member->name,
                                          values_of(job->args)->along, err);
}

static xta_status visit_member(void *user, const cli_member *member, cli_error *err)
{
    const folder_job *job = user;
    char *out = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(cli_join(job->out, member->name, &out, err));
    if (member->array) {
        status = concat_members(job, member->name, out, err);
    } else {
        XTA_TRY(make_folder(out, err));
    }
done:
    free(out);
    return status;
}

static xta_status concat_folders(const cli_args *args, cli_json_list *made, cli_error *err)
{
    folder_job job = {.args = args,
                      .out = args->words[0],
                      .folders = args->words + 1,
                      .n = (size_t)args->n_words - 1,
                      .made = made};
    xta_status status = XTA_OK;

    if (values_of(args)->chunk.n > 0) {
        return cli_usage(err, "--chunk belongs to single arrays; %s is a folder", job.folders[0]);
    }
    XTA_TRY(cli_check_sets(job.folders, job.n, "", values_of(args)->along, err));
    XTA_TRY(cli_members_visit(job.folders[0], true, check_group, &job, err));
    XTA_TRY(make_folder(job.out, err));
    XTA_TRY(cli_members_visit(job.folders[0], true, visit_member, &job, err));
    XTA_TRY(join_sets(&job, "", err));
    status = cli_members_visit(job.folders[0], true, visit_group, &job, err);
done:
    return status;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    cli_json_list made = {.out = values_of(args)->json ? stdout : NULL, .name = "arrays"};
    int n_folders = 0;
    xta_status status = XTA_OK;

    XTA_TRY(cli_need(args, "along", err));
    cli_interrupt_watch();
    for (int k = 1; k < args->n_words; k++) {
        n_folders += cli_is_folder(args->words[k]);
    }
    if (n_folders > 0 && n_folders < args->n_words - 1) {
        return cli_usage(err, "give arrays or folders, not both");
    }
    XTA_TRY(n_folders > 0 ? concat_folders(args, &made, err)
                          : concat_arrays(args, args->words[0], args->words + 1,
                                          (size_t)args->n_words - 1, &made, err));
    if (!values_of(args)->no_history) {
        XTA_TRY(cli_add_history(args, args->words[0], err));
    }
    cli_json_list_end(&made);
done:
    return status;
}

const cli_command cli_concat = {
    .name = "concat",
    .summary = "put arrays one after the other along an axis",
    .usage = "OUT A B ... --along AXIS [--sort] [--chunk N,N,...] [--no-history] [--json]",
    .details =
        "Makes the new array OUT, in which the cells of B follow those of A along the axis, and so "
        "on. The cells of the first array keep their coordinates. The other axes must agree: "
        "bounds, names, units and coordinates. Coordinates along the axis are joined: a value that "
        "occurs twice, or that does not continue the others, is an error that names it; regular "
        "ones stay regular if they continue. Attributes are those of the first array. Of folders, "
        "arrays of the same name are joined, and those that do not have the axis are copied from "
        "the first; OUT is a new folder, with what the first data set says of attributes and "
        "dimensions. The command is added to the history of OUT.",
    .example = "  xta concat year jan feb mar --along time",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(concat_options),
    .min_words = 2,
    .max_words = INT32_MAX,
    .run = run,
};
