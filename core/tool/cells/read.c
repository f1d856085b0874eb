/* xta read: the cells of a box as text, .npy or raw bytes.
 *
 * A large box is read slab by slab in the order of the output, so that memory stays bounded.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "cells/verbs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kit/cells/choice.h"
#include "kit/cells/npy.h"
#include "kit/cells/output.h"
#include "kit/cells/slabs.h"
#include "kit/print/json.h"
#include "kit/print/json_cells.h"

/* Values of the options. */
typedef struct read_options {
    cli_choice cells;
    const char *step;
    const char *as;
    xta_order order;
    const char *out;
    cli_cell_type type;
    const char *log;
    bool json;
    int64_t as_of;
} read_options;

static const cli_option options[] = {
    CLI_CELLS(read_options, "what to read (everything)"),
    CLI_STRING(read_options, step, "step", "S,S,...",
               "take every S-th cell on each axis, from LO on"),
    CLI_STRING(read_options, as, "as", "FORM",
               "text, npy or raw; without it by the suffix of --out, or text"),
    CLI_PARSED(read_options, order, "order", "ORDER", cli_parse_memory_order_value,
               "row (default) or column order of the output"),
    CLI_STRING(read_options, out, "out", "F", "file to write instead of standard output"),
    CLI_PARSED(read_options, type, "type", "T", cli_parse_cell_type_value,
               "convert the cells to this type; a value that it cannot hold is an error"),
    CLI_STRING(read_options, log, "log", "F",
               "append the boxes that are read to this access log, for xta tune"),
    CLI_FLAG(read_options, json, "json",
             "print one JSON object with the cells; with --out, without them"),
    CLI_AS_OF(read_options),
};

static const read_options *values_of(const cli_args *args)
{
    return args->values;
}

/* Position in the text: separators depend on it. */
typedef struct text_state {
    int64_t n_columns; // cells of a line
    int64_t n_rows;    // lines of a plane; 0: no planes
    int64_t column;
    int64_t row;
} text_state;

typedef struct read_job {
    const char *path;
    bool json;   // print an object
    bool values; // with the cells in it
    uint64_t n_printed;
    xta_selection chosen; // of the object
    xta_array *array;
    cli_form form;
    xta_type type;
    size_t cell_bytes;
    xta_io_options io;
    int64_t step[XTA_MAX_NDIM];
    cli_slabs slabs;
    cli_output output;
    text_state text;
} read_job;

static xta_status plan_options(const cli_args *args, read_job *job, cli_error *err)
{
    const char *out = values_of(args)->out;
    xta_status status = XTA_OK;

    job->io = (xta_io_options)XTA_IO_OPTIONS_INIT;
    job->json = values_of(args)->json;
    job->values = job->json && (out == NULL || strcmp(out, "-") == 0);
    if (job->values && values_of(args)->as != NULL) {
        return cli_usage(err, "--as says how cells are saved, and --json prints them; give --out F "
                              "or leave out --as");
    }
    XTA_TRY(cli_parse_form(values_of(args)->as, out, &job->form, err));
    if (out == NULL && job->form != CLI_TEXT && isatty(STDOUT_FILENO)) {
        return cli_usage(err, "standard output is a terminal; give --out F or send it elsewhere");
    }
    if (cli_has(args, "order")) {
        job->io.order = values_of(args)->order;
    }
    if (values_of(args)->step != NULL) {
        XTA_TRY(cli_parse_coords_of(values_of(args)->step, "--step", xta_array_ndim(job->array),
                                    job->step, err));
        for (int axis = 0; axis < xta_array_ndim(job->array); axis++) {
            if (job->step[axis] < 1) {
                return cli_usage(err, "--step: axis %d: %" PRId64 " is no step; want 1 or more",
                                 axis, job->step[axis]);
            }
        }
        job->io.step = job->step;
    }
    job->type = xta_array_type(job->array);
    job->cell_bytes = xta_array_cell_bytes(job->array);
    if (cli_has(args, "type")) {
        job->type = values_of(args)->type.type;
        job->cell_bytes = values_of(args)->type.cell_bytes;
        job->io.type = job->type;
    }
done:
    return status;
}

static xta_status plan_box(const cli_args *args, read_job *job, cli_error *err)
{
    xta_box box;
    xta_status status = XTA_OK;

    if (job->json) {
        XTA_TRY(cli_choose(&values_of(args)->cells, job->array, &job->chosen, err));
    }
    XTA_TRY(cli_choose_cells(&values_of(args)->cells, &job->array, &box, err));
    status = cli_slabs_begin(&job->slabs, &box, job->io.step, job->io.order, job->cell_bytes,
                             CLI_BUFFER_BYTES);
    if (status != XTA_OK) {
        return cli_fail(err, status, 0, "%s: the box has more cells than 63 bits count", job->path);
    }
    int last = job->io.order == XTA_COLUMN ? 0 : box.ndim - 1;
    int before = job->io.order == XTA_COLUMN ? 1 : box.ndim - 2;
    job->text.n_columns = job->slabs.count[last];
    job->text.n_rows = box.ndim > 1 ? job->slabs.count[before] : 0;
done:
    return status;
}

/* Write the separator before the next cell. */
static size_t put_separator(text_state *at, char *text)
{
    if (at->column > 0 && at->column < at->n_columns) {
        text[0] = ' ';
        return 1;
    }
    if (at->column == 0) {
        return 0; // The first cell.
    }
    at->column = 0;
    at->row++;
    text[0] = '\n';
    if (at->n_rows > 0 && at->row == at->n_rows) {
        at->row = 0;
        text[1] = '\n';
        return 2;
    }
    return 1;
}

static xta_status write_text(read_job *job, const uint8_t *cells, uint64_t n, cli_error *err)
{
    size_t cell_buffer = cli_value_capacity(job->type, job->cell_bytes) + 2;
    size_t capacity = 65536 + cell_buffer;
    char *text = malloc(capacity);
    size_t used = 0;
    xta_status status = XTA_OK;

    if (text == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for %zu bytes of text", job->path,
                        capacity);
    }
    for (uint64_t k = 0; k < n; k++) {
        used += put_separator(&job->text, text + used);
        used +=
            cli_value_text(job->type, job->cell_bytes, cells + k * job->cell_bytes, text + used);
        job->text.column++;
        if (used + cell_buffer > capacity) {
            XTA_TRY(cli_output_write(&job->output, text, used, err));
            used = 0;
        }
    }
    status = cli_output_write(&job->output, text, used, err);
done:
    free(text);
    return status;
}

/* ---- JSON ---- */

/* The coordinates of the cells on an axis of --sel, every step-th of them. */
static void print_coordinates(const read_job *job, int axis)
{
    const xta_selection *s = &job->chosen;
    int64_t step = job->io.step != NULL ? job->step[axis] : 1;

    fputs(axis > 0 ? ", [" : "[", stdout);
    for (int64_t k = 0; k < job->slabs.count[axis]; k++) {
        int64_t at = s->list[axis] != NULL ? s->list[axis][k * step]
                                           : s->box.lo[axis] + k * step * s->step[axis];
        fprintf(stdout, "%s%" PRId64, k > 0 ? ", " : "", at);
    }
    fputc(']', stdout);
}

static void print_head(const cli_args *args, const read_job *job)
{
    int ndim = job->chosen.box.ndim;
    bool scattered = false;

    fputs("{\"array\": ", stdout);
    cli_json_text(stdout, job->path);
    fprintf(stdout, ", \"type\": \"%s\", \"cell_bytes\": %zu, \"box\": ", xta_type_name(job->type),
            job->cell_bytes);
    cli_json_box(stdout, &job->chosen.box);
    if (job->io.step != NULL) {
        fputs(", \"step\": ", stdout);
        cli_json_coords(stdout, job->step, ndim);
    }
    for (int axis = 0; axis < ndim; axis++) {
        scattered = scattered || !xta_selection_is_box(&job->chosen, axis);
    }
    for (int axis = 0; scattered && axis < ndim; axis++) {
        fputs(axis == 0 ? ", \"coordinates\": [" : "", stdout);
        print_coordinates(job, axis);
        fputs(axis == ndim - 1 ? "]" : "", stdout);
    }
    fprintf(stdout,
            ", \"order\": \"%s\", \"shape\": ", job->io.order == XTA_COLUMN ? "column" : "row");
    cli_json_coords(stdout, job->slabs.count, ndim);
    if (job->values) {
        fputs(", \"values\": ", stdout);
    } else {
        fputs(", \"out\": ", stdout);
        cli_json_text(stdout, values_of(args)->out);
        fprintf(stdout, ", \"form\": \"%s\"}\n",
                job->form == CLI_TEXT  ? "text"
                : job->form == CLI_NPY ? "npy"
                                       : "raw");
    }
}

/* Brackets between cells: the k-th axis of the output, slowest first, has count[k] of the next. */
static int brackets(const read_job *job, uint64_t n_before)
{
    int ndim = job->slabs.box.ndim, n = 0;
    uint64_t cells = 1;

    for (int k = 0; k < ndim; k++) {
        int axis = job->io.order == XTA_COLUMN ? k : ndim - 1 - k;
        cells *= (uint64_t)job->slabs.count[axis];
        if (cells == 0 || n_before % cells != 0) {
            break;
        }
        n++;
    }
    return n;
}

static xta_status write_values(read_job *job, const uint8_t *cells, uint64_t n, cli_error *err)
{
    xta_status status = XTA_OK;

    for (uint64_t k = 0; k < n; k++, job->n_printed++) {
        int n_brackets = brackets(job, job->n_printed);
        if (job->n_printed > 0) {
            fprintf(stdout, "%.*s,%s", n_brackets, "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
                    n_brackets > 0 ? "\n" : " ");
        }
        fprintf(stdout, "%.*s", n_brackets, "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[");
        XTA_TRY(
            cli_json_cell(stdout, job->type, job->cell_bytes, cells + k * job->cell_bytes, err));
        if (ferror(stdout)) {
            return cli_output_write(&job->output, "", 1, err);
        }
    }
done:
    return status;
}

/* The end of the values and of the object; of a box without cells, an empty list. */
static void print_end(const read_job *job)
{
    int ndim = job->slabs.box.ndim;

    fprintf(stdout, "%.*s}\n", job->n_printed > 0 ? ndim : 2,
            job->n_printed > 0 ? "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]" : "[]");
}

static xta_status write_header(read_job *job, cli_error *err)
{
    char header[CLI_NPY_HEADER_BYTES];
    cli_npy npy = {.type = job->type,
                   .cell_bytes = job->cell_bytes,
                   .order = job->io.order,
                   .ndim = job->slabs.box.ndim};

    if (job->form != CLI_NPY || job->values) {
        return XTA_OK;
    }
    memcpy(npy.shape, job->slabs.count, sizeof npy.shape);
    return cli_output_write(&job->output, header, cli_npy_header(&npy, header), err);
}

static xta_status write_slabs(read_job *job, cli_error *err)
{
    xta_box slab;
    uint64_t n = 0;
    size_t bytes = (size_t)cli_slabs_largest(&job->slabs) * job->cell_bytes;
    uint8_t *cells = malloc(bytes > 0 ? bytes : 1);
    xta_status status = XTA_OK;

    if (cells == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for a slab of %zu bytes", job->path,
                        bytes);
    }
    while (cli_slabs_next(&job->slabs, &slab, &n)) {
        XTA_TRY(xta_array_read(job->array, &slab, &job->io, cells, &err->error));
        if (job->values) {
            XTA_TRY(write_values(job, cells, n, err));
        } else if (job->form == CLI_TEXT) {
            XTA_TRY(write_text(job, cells, n, err));
        } else {
            XTA_TRY(cli_output_write(&job->output, cells, (size_t)n * job->cell_bytes, err));
        }
    }
    if (job->form == CLI_TEXT && !job->values && job->slabs.n_cells > 0) {
        status = cli_output_write(&job->output, "\n", 1, err);
    }
done:
    free(cells);
    return status;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    read_job job = {.path = args->words[0]};
    xta_status status = XTA_OK;

    XTA_TRY(cli_open(args, job.path, &job.array, err));
    XTA_TRY(plan_options(args, &job, err));
    XTA_TRY(plan_box(args, &job, err));
    XTA_TRY(cli_output_begin(&job.output, values_of(args)->out, err));
    if (job.values) {
        print_head(args, &job);
    }
    XTA_TRY(write_header(&job, err));
    XTA_TRY(write_slabs(&job, err));
    if (job.values) {
        print_end(&job);
    }
done:
    status = cli_output_end(&job.output, status, err);
    if (status == XTA_OK && job.json && !job.values) {
        print_head(args, &job);
    }
    xta_selection_clear(&job.chosen);
    return cli_close(job.array, status, err);
}

const cli_command cli_read = {
    .name = "read",
    .summary = "print or save the cells of a box",
    .usage = "A [--box LO:HI,...] [--sel AXIS=LABELS,...] [--step S,S,...] [--as text|npy|raw] "
             "[--order row|column] "
             "[--type T] [--out F] [--log F] [--json] [--as-of STEP]",
    .details =
        "Text has a line for each row of the last axis and an empty line between planes; "
        "with --order column a line for each row of the first axis. Numbers have the fewest "
        "digits that read back as the same value, whole numbers are written out; bytes are printed "
        "as 0x and digits. npy "
        "and raw hold the cells in this machine's byte order and are not sent to a terminal. "
        "F is replaced only when the whole box has been read.",
    .example = "  xta read runs --box 0:2,:,0",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(read_options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
