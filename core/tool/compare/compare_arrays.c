/* Comparing structure first, then attributes, then cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "compare/compare_arrays.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kit/cells/slabs.h"
#include "kit/print/describe.h"

#define BUFFER_BYTES ((uint64_t)4 << 20)

/* Attributes of an axis that are its coordinates. */
static const char *const coordinates[] = {"values", "values//regular"};

static const cli_tolerance exactly = {0, 0};

static bool is_coordinates(const char *name)
{
    return strcmp(name, coordinates[0]) == 0 || strcmp(name, coordinates[1]) == 0;
}

/* ---- structure ---- */

static void kind_text(xta_array *array, char *text, size_t capacity)
{
    bool bytes = xta_array_type(array) == XTA_BYTES;

    snprintf(text, capacity, bytes ? "%s:%zu" : "%s", xta_type_name(xta_array_type(array)),
             xta_array_cell_bytes(array));
}

static cli_cell_kind kind_of(xta_array *array)
{
    return (cli_cell_kind){xta_array_type(array), xta_array_cell_bytes(array)};
}

static xta_status compare_fill(const cli_comparison *c, xta_array *a, xta_array *b, cli_error *err)
{
    const cli_cell_kind kind_a = kind_of(a), kind_b = kind_of(b);
    const xta_box one = {.ndim = 1, .hi = {1}};
    cli_cell_differences found = {.n_cells = 0};
    char *text_a = malloc(cli_value_capacity(kind_a.type, kind_a.cell_bytes));
    char *text_b = malloc(cli_value_capacity(kind_b.type, kind_b.cell_bytes));
    xta_status status = XTA_OK;

    if (text_a == NULL || text_b == NULL) {
        status =
            cli_fail(err, XTA_ENOMEM, 0, "no memory for a cell of %zu bytes", kind_a.cell_bytes);
    } else if (cli_kinds_compare(&kind_a, &kind_b)) {
        cli_compare_cells(&kind_a, xta_array_fill_value(a), &kind_b, xta_array_fill_value(b), &one,
                          &exactly, &found);
    }
    if (found.n_different > 0) {
        cli_value_text(kind_a.type, kind_a.cell_bytes, xta_array_fill_value(a), text_a);
        cli_value_text(kind_b.type, kind_b.cell_bytes, xta_array_fill_value(b), text_b);
        cli_report_texts(c->report, "fill", XTA_ON_ARRAY, NULL, text_a, text_b);
    }
    free(text_a);
    free(text_b);
    return status;
}

static xta_status compare_structure(const cli_comparison *c, xta_array *a, xta_array *b,
                                    cli_error *err)
{
    char text_a[32], text_b[32], number[16];
    int ndim = xta_array_ndim(a);

    kind_text(a, text_a, sizeof text_a);
    kind_text(b, text_b, sizeof text_b);
    if (strcmp(text_a, text_b) != 0) {
        cli_report_texts(c->report, "type", XTA_ON_ARRAY, NULL, text_a, text_b);
    }
    for (int axis = 0; axis < ndim && xta_array_ndim(b) == ndim; axis++) {
        const char *label = cli_axis_label(a, axis, number);
        if (strcmp(xta_axis_name(a, axis), xta_axis_name(b, axis)) != 0) {
            cli_report_texts(c->report, "name", axis, number, xta_axis_name(a, axis),
                             xta_axis_name(b, axis));
        }
        if (strcmp(xta_axis_unit(a, axis), xta_axis_unit(b, axis)) != 0) {
            cli_report_texts(c->report, "unit", axis, label, xta_axis_unit(a, axis),
                             xta_axis_unit(b, axis));
        }
    }
    return compare_fill(c, a, b, err);
}

/* ---- attributes ---- */

bool cli_is_left_out(const cli_comparison *c, const char *attribute)
{
    return !c->history && strcmp(attribute, "history") == 0;
}

bool cli_same_values(const xta_attribute *a, const xta_attribute *b)
{
    const cli_cell_kind kind = {a->type, a->cell_bytes};
    const xta_box box = {.ndim = 1, .hi = {(int64_t)a->count}};
    cli_cell_differences found = {.n_cells = 0};

    if (a->type != b->type || a->cell_bytes != b->cell_bytes || a->count != b->count) {
        return false;
    }
    if (a->type == XTA_TEXT) {
        return a->count == 0 || memcmp(a->values, b->values, a->count) == 0;
    }
    cli_compare_cells(&kind, a->values, &kind, b->values, &box, &exactly, &found);
    return found.n_different == 0;
}

/* Whether an attribute of an axis lists numbers, one for each of its cells. */
static bool is_listed(xta_array *array, int axis, const xta_attribute *attribute)
{
    const xta_box bounds = xta_array_bounds(array);

    return attribute->type != XTA_TEXT && attribute->type != XTA_BYTES &&
           attribute->count == (size_t)(bounds.hi[axis] - bounds.lo[axis]);
}

/* Listed coordinates on both sides, where both axes have cells, within the tolerance. */
static xta_status compare_lists(const cli_comparison *c, xta_array *a, xta_array *b, int axis,
                                const char *label, const xta_attribute *list_a,
                                const xta_attribute *list_b, cli_error *err)
{
    const cli_cell_kind kind_a = {list_a->type, list_a->cell_bytes};
    const cli_cell_kind kind_b = {list_b->type, list_b->cell_bytes};
    const xta_box bounds_a = xta_array_bounds(a), bounds_b = xta_array_bounds(b);
    int64_t lo = bounds_a.lo[axis] > bounds_b.lo[axis] ? bounds_a.lo[axis] : bounds_b.lo[axis];
    int64_t hi = bounds_a.hi[axis] < bounds_b.hi[axis] ? bounds_a.hi[axis] : bounds_b.hi[axis];
    const xta_box common = {.ndim = 1, .lo = {lo}, .hi = {hi > lo ? hi : lo}};
    cli_cell_differences found = {.n_cells = 0};

    if (hi > lo) {
        cli_compare_cells(
            &kind_a,
            (const char *)list_a->values + (size_t)(lo - bounds_a.lo[axis]) * kind_a.cell_bytes,
            &kind_b,
            (const char *)list_b->values + (size_t)(lo - bounds_b.lo[axis]) * kind_b.cell_bytes,
            &common, &c->tolerance, &found);
    }
    return found.n_different > 0 ? cli_report_cells(c->report, "coordinates", axis, label, 1,
                                                    &kind_a, &kind_b, &found, err)
                                 : XTA_OK;
}

static xta_status compare_coordinates(const cli_comparison *c, xta_array *a, xta_array *b, int axis,
                                      const char *label, cli_error *err)
{
    xta_status status = XTA_OK;

    for (size_t k = 0; k < CLI_COUNT(coordinates); k++) {
        const char *name = coordinates[k];
        xta_attribute found_a, found_b;
        bool has_a = xta_attribute_get(a, axis, name, &found_a, NULL) == XTA_OK;
        bool has_b = xta_attribute_get(b, axis, name, &found_b, NULL) == XTA_OK;
        if (k == 0 && has_a && has_b && is_listed(a, axis, &found_a) &&
            is_listed(b, axis, &found_b)) {
            XTA_TRY(compare_lists(c, a, b, axis, label, &found_a, &found_b, err));
        } else if (has_a != has_b || (has_a && !cli_same_values(&found_a, &found_b))) {
            XTA_TRY(cli_report_attributes(c->report, axis, label, name, has_a ? &found_a : NULL,
                                          has_b ? &found_b : NULL, err));
        }
    }
done:
    return status;
}

static xta_status compare_attributes(const cli_comparison *c, xta_array *a, xta_array *b, int axis,
                                     const char *label, cli_error *err)
{
    xta_status status = XTA_OK;
    xta_attribute found_a, found_b;

    for (size_t k = 0; k < xta_attribute_count(a, axis); k++) {
        XTA_TRY(xta_attribute_at(a, axis, k, &found_a, &err->error));
        if (axis != XTA_ON_ARRAY ? is_coordinates(found_a.name)
                                 : cli_is_left_out(c, found_a.name)) {
            continue;
        }
        bool has = xta_attribute_get(b, axis, found_a.name, &found_b, NULL) == XTA_OK;
        if (!has || !cli_same_values(&found_a, &found_b)) {
            XTA_TRY(cli_report_attributes(c->report, axis, label, found_a.name, &found_a,
                                          has ? &found_b : NULL, err));
        }
    }
    for (size_t k = 0; k < xta_attribute_count(b, axis); k++) {
        XTA_TRY(xta_attribute_at(b, axis, k, &found_b, &err->error));
        if ((axis == XTA_ON_ARRAY ? !cli_is_left_out(c, found_b.name)
                                  : !is_coordinates(found_b.name)) &&
            xta_attribute_get(a, axis, found_b.name, &found_a, NULL) != XTA_OK) {
            XTA_TRY(
                cli_report_attributes(c->report, axis, label, found_b.name, NULL, &found_b, err));
        }
    }
done:
    return status;
}

static xta_status compare_described(const cli_comparison *c, xta_array *a, xta_array *b,
                                    cli_error *err)
{
    int ndim = xta_array_ndim(a) == xta_array_ndim(b) ? xta_array_ndim(a) : 0;
    xta_status status = XTA_OK;
    char number[16];

    for (int axis = 0; axis < ndim; axis++) {
        XTA_TRY(compare_coordinates(c, a, b, axis, cli_axis_label(a, axis, number), err));
    }
    for (int axis = XTA_ON_ARRAY; axis < ndim && !c->no_attributes; axis++) {
        const char *label = axis >= 0 ? cli_axis_label(a, axis, number) : NULL;
        XTA_TRY(compare_attributes(c, a, b, axis, label, err));
    }
done:
    return status;
}

/* ---- cells ---- */

/* What the comparison of cells needs on the way. */
typedef struct cell_job {
    const cli_comparison *comparison;
    xta_array *a, *b;
    cli_cell_kind kind_a, kind_b;
    xta_box common; // the cells that both have
    void *cells_a, *cells_b;
    cli_cell_differences found;
    xta_status status; // of the walk over chunks
    cli_error *err;
} cell_job;

static xta_status compare_piece(cell_job *job, const xta_box *box)
{
    xta_status status = XTA_OK;

    XTA_TRY(xta_array_read(job->a, box, NULL, job->cells_a, &job->err->error));
    XTA_TRY(xta_array_read(job->b, box, NULL, job->cells_b, &job->err->error));
    cli_compare_cells(&job->kind_a, job->cells_a, &job->kind_b, job->cells_b, box,
                      &job->comparison->tolerance, &job->found);
done:
    return status;
}

static uint64_t larger_bytes(const cell_job *job)
{
    return job->kind_a.cell_bytes > job->kind_b.cell_bytes ? job->kind_a.cell_bytes
                                                           : job->kind_b.cell_bytes;
}

static int compare_chunk(void *user, const xta_chunk *chunk)
{
    cell_job *job = user;
    const xta_box box = xta_box_intersect(&chunk->cells, &job->common);
    bool enough = job->comparison->report->form == CLI_REPORT_NOTHING && job->found.n_different > 0;
    cli_slabs slabs;
    xta_box piece;
    uint64_t n;

    job->status = cli_slabs_begin(&slabs, &box, NULL, XTA_ROW, larger_bytes(job), BUFFER_BYTES);
    while (!enough && job->status == XTA_OK && cli_slabs_next(&slabs, &piece, &n)) {
        job->status = compare_piece(job, &piece);
    }
    return enough || job->status != XTA_OK;
}

/* Bytes of a buffer: the least of one cell, a chunk of A and the limit. */
static xta_status get_buffers(cell_job *job, cli_error *err)
{
    xta_array_info info;
    xta_status status = XTA_OK;

    XTA_TRY(xta_array_inquire(job->a, &info, &err->error));
    uint64_t cells = info.chunk_bytes / info.cell_bytes, most = BUFFER_BYTES / larger_bytes(job);
    cells = cells < most ? cells : most > 0 ? most : 1;
    job->cells_a = malloc((size_t)cells * job->kind_a.cell_bytes);
    job->cells_b = malloc((size_t)cells * job->kind_b.cell_bytes);
    if (job->cells_a == NULL || job->cells_b == NULL) {
        status = cli_fail(err, XTA_ENOMEM, 0, "no memory for %" PRIu64 " cells", cells);
    }
done:
    return status;
}

static xta_status compare_cells(const cli_comparison *c, xta_array *a, xta_array *b, cli_error *err)
{
    const xta_box bounds_a = xta_array_bounds(a), bounds_b = xta_array_bounds(b);
    cell_job job = {.comparison = c,
                    .a = a,
                    .b = b,
                    .kind_a = kind_of(a),
                    .kind_b = kind_of(b),
                    .common = xta_box_intersect(&bounds_a, &bounds_b),
                    .err = err};
    xta_error walk;
    xta_status status = XTA_OK;

    if (xta_box_empty(&job.common) || !cli_kinds_compare(&job.kind_a, &job.kind_b)) {
        return XTA_OK;
    }
    XTA_TRY(get_buffers(&job, err));
    status = xta_array_each_chunk(a, &job.common, compare_chunk, &job, &walk);
    if (job.status != XTA_OK || (status == XTA_ECANCELLED && job.found.n_different > 0)) {
        status = job.status;
    } else if (status != XTA_OK) {
        err->error = walk;
    }
    XTA_TRY(status);
    if (job.found.n_different > 0) {
        status = cli_report_cells(c->report, "cells", XTA_ON_ARRAY, NULL, bounds_a.ndim,
                                  &job.kind_a, &job.kind_b, &job.found, err);
    }
done:
    free(job.cells_a);
    free(job.cells_b);
    return status;
}

xta_status cli_compare_arrays(const cli_comparison *comparison, xta_array *a, xta_array *b,
                              cli_error *err)
{
    const xta_box bounds_a = xta_array_bounds(a), bounds_b = xta_array_bounds(b);
    const cli_report *report = comparison->report;
    xta_status status = XTA_OK;

    if (!xta_box_equal(&bounds_a, &bounds_b)) {
        cli_report_boxes(comparison->report, &bounds_a, &bounds_b);
    }
    const cli_cell_kind kind_a = kind_of(a), kind_b = kind_of(b);
    if (!comparison->cells_only) {
        XTA_TRY(compare_structure(comparison, a, b, err));
        XTA_TRY(compare_described(comparison, a, b, err));
    } else if (!cli_kinds_compare(&kind_a, &kind_b)) {
        char text_a[32], text_b[32];
        kind_text(a, text_a, sizeof text_a);
        kind_text(b, text_b, sizeof text_b);
        cli_report_texts(comparison->report, "type", XTA_ON_ARRAY, NULL, text_a, text_b);
    }
    // Whether anything differs is known before cells are read, if that is all that is wanted.
    if (bounds_a.ndim == bounds_b.ndim &&
        !(report->form == CLI_REPORT_NOTHING && report->n_differences > 0)) {
        status = compare_cells(comparison, a, b, err);
    }
done:
    return status;
}
