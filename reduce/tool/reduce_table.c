/* Printing the results of xta reduce: CSV and JSON, a row of the last axis at a time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "reduce_job.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kit/escape.h"
#include "kit/print/describe.h"
#include "util/checked.h"

#define TEXT_BYTES 128

/* One row of all results. */
typedef struct result_row {
    const cli_reduction *job;
    xta_box bounds;
    int64_t at[XTA_MAX_NDIM];
    uint8_t *cells[XTA_REDUCE_STATISTICS];
    int grouped; // axis of the results whose coordinates are labels; -1: none
} result_row;

static xta_status row_begin(result_row *row, const cli_reduction *job, cli_error *err)
{
    *row = (result_row){.job = job, .bounds = xta_array_bounds(job->results[0])};
    row->grouped = cli_reduce_labelled_axis(job);
    memcpy(row->at, row->bounds.lo, sizeof row->at);
    int last = row->bounds.ndim - 1;
    for (int s = 0; s < job->n_computed; s++) {
        row->cells[s] = xta__calloc((size_t)(row->bounds.hi[last] - row->bounds.lo[last]) + 1, 8);
        if (row->cells[s] == NULL) {
            return cli_fail(err, XTA_ENOMEM, 0, "no memory for a row of the results");
        }
    }
    return XTA_OK;
}

static void row_end(result_row *row)
{
    for (int s = 0; s < XTA_REDUCE_STATISTICS; s++) {
        free(row->cells[s]);
    }
}

static xta_status row_read(result_row *row, cli_error *err)
{
    xta_box box = row->bounds;
    xta_status status = XTA_OK;

    for (int axis = 0; axis < box.ndim - 1; axis++) {
        box.lo[axis] = row->at[axis];
        box.hi[axis] = row->at[axis] + 1;
    }
    for (int s = 0; status == XTA_OK && s < row->job->n_computed; s++) {
        status = xta_array_read(row->job->results[s], &box, NULL, row->cells[s], &err->error);
    }
    return status;
}

static bool row_next(result_row *row)
{
    for (int axis = row->bounds.ndim - 2; axis >= 0; axis--) {
        if (++row->at[axis] < row->bounds.hi[axis]) {
            return true;
        }
        row->at[axis] = row->bounds.lo[axis];
    }
    return false;
}

/* A coordinate of the results: a number, or what the group of a calendar is called. `quote`: what
 * surrounds the latter. */
static void print_coordinate(FILE *out, const result_row *row, int axis, int64_t at,
                             const char *quote)
{
    char text[XTA_DATE_TEXT_BYTES];

    if (axis == row->grouped && row->job->by != 0) {
        cli_reduce_by_text(row->job, row->job->distinct[at], text);
        fprintf(out, "%s%s%s", quote, text, quote);
    } else {
        fprintf(out, "%" PRId64, axis == row->grouped ? row->job->distinct[at] : at);
    }
}

static const char *axis_name(const cli_reduction *job, int axis, char text[16])
{
    const char *name = xta_axis_name(job->results[0], axis);

    snprintf(text, 16, "axis%d", axis);
    return name[0] != '\0' ? name : text;
}

/* Whether result k of a row has no value. Among integers none is set apart for that: the largest
 * may be a cell. */
static bool is_absent(const result_row *row, int s, size_t k)
{
    const cli_reduction *job = row->job;
    xta_array *array = job->results[s];
    xta_type type = xta_array_type(array);
    size_t bytes = xta_array_cell_bytes(array);
    xta_reduce_statistic statistic = job->statistics[s];
    uint64_t count = 0, least = job->options.min_count;

    if (statistic == XTA_REDUCE_COUNT) {
        return false;
    }
    if (type == XTA_F16 || type == XTA_F32 || type == XTA_F64) {
        return memcmp(row->cells[s] + k * bytes, xta_array_fill_value(array), bytes) == 0;
    }
    if (least == 0 && (statistic == XTA_REDUCE_MIN || statistic == XTA_REDUCE_MAX)) {
        least = 1;
    }
    memcpy(&count, row->cells[job->count_at] + k * sizeof count, sizeof count);
    return count < least;
}

/* A result as text; "nan" if it has no value. */
static const char *value_text(const result_row *row, int s, size_t k, char text[TEXT_BYTES])
{
    xta_array *array = row->job->results[s];
    size_t bytes = xta_array_cell_bytes(array);
    const uint8_t *cell = row->cells[s] + k * bytes;

    if (is_absent(row, s, k)) {
        return "nan";
    }
    cli_value_text(xta_array_type(array), bytes, cell, text);
    return text;
}

/* ---- CSV ---- */

static bool has_axes(const cli_reduction *job)
{
    int ndim = xta_array_ndim(job->array);

    return job->options.n_axes < ndim || job->options.labels != NULL ||
           job->options.group_length > 0;
}

static void csv_row(FILE *out, const result_row *row)
{
    int last = row->bounds.ndim - 1;
    char text[TEXT_BYTES];

    for (int64_t at = row->bounds.lo[last]; at < row->bounds.hi[last]; at++) {
        for (int axis = 0; has_axes(row->job) && axis <= last; axis++) {
            print_coordinate(out, row, axis, axis < last ? row->at[axis] : at, "");
            fputc(',', out);
        }
        for (int s = 0; s < row->job->n_statistics; s++) {
            fprintf(out, "%s%s", s > 0 ? "," : "",
                    value_text(row, s, (size_t)(at - row->bounds.lo[last]), text));
        }
        fputc('\n', out);
    }
}

xta_status cli_reduce_csv(FILE *out, const cli_reduction *job, cli_error *err)
{
    result_row row = {.job = NULL};
    char text[16];
    xta_status status = XTA_OK;

    XTA_TRY(row_begin(&row, job, err));
    for (int axis = 0; has_axes(job) && axis < row.bounds.ndim; axis++) {
        cli_print_csv(out, axis_name(job, axis, text));
        fputc(',', out);
    }
    for (int s = 0; s < job->n_statistics; s++) {
        fprintf(out, "%s%s", s > 0 ? "," : "", xta_reduce_statistic_name(job->statistics[s]));
    }
    fputc('\n', out);
    while (!xta_box_empty(&row.bounds)) {
        XTA_TRY(row_read(&row, err));
        csv_row(out, &row);
        if (!row_next(&row)) {
            break;
        }
    }
    if (ferror(out)) {
        status = cli_fail(err, XTA_EIO, 0, "the results cannot be written");
    }
done:
    row_end(&row);
    return status;
}

/* ---- JSON ---- */

static void json_row(FILE *out, const result_row *row, bool *first)
{
    int last = row->bounds.ndim - 1;
    char text[TEXT_BYTES], name[16];

    for (int64_t at = row->bounds.lo[last]; at < row->bounds.hi[last]; at++) {
        fputs(*first ? "\n  {" : ",\n  {", out);
        *first = false;
        for (int axis = 0; has_axes(row->job) && axis <= last; axis++) {
            cli_json_text(out, axis_name(row->job, axis, name));
            fputs(": ", out);
            print_coordinate(out, row, axis, axis < last ? row->at[axis] : at, "\"");
            fputs(", ", out);
        }
        for (int s = 0; s < row->job->n_statistics; s++) {
            const char *value = value_text(row, s, (size_t)(at - row->bounds.lo[last]), text);
            bool number = strcmp(value, "nan") != 0 && strstr(value, "inf") == NULL;
            fprintf(out, "%s\"%s\": %s", s > 0 ? ", " : "",
                    xta_reduce_statistic_name(row->job->statistics[s]), number ? value : "null");
        }
        fputc('}', out);
    }
}

xta_status cli_reduce_json(FILE *out, const cli_reduction *job, cli_error *err)
{
    result_row row = {.job = NULL};
    bool first = true;
    xta_status status = XTA_OK;

    XTA_TRY(row_begin(&row, job, err));
    fputs("{\"array\": ", out);
    cli_json_text(out, job->path);
    fputs(", \"results\": [", out);
    while (!xta_box_empty(&row.bounds)) {
        XTA_TRY(row_read(&row, err));
        json_row(out, &row, &first);
        if (!row_next(&row)) {
            break;
        }
    }
    fputs("\n]}\n", out);
    if (ferror(out)) {
        status = cli_fail(err, XTA_EIO, 0, "the results cannot be written");
    }
done:
    row_end(&row);
    return status;
}
