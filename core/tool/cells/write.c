/* xta write: cells of a box from text, .npy or raw bytes.
 *
 * The source is checked before the first cell is written: always if the box fits into the buffer or
 * the source is a regular file. Only a long pipe can turn out to be too short or too long after
 * some of it has been written; the error then says how much.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cells/verbs.h"

#include <inttypes.h>
#include <stdlib.h>

#include "kit/cells/choice.h"
#include "kit/cells/slabs.h"
#include "kit/cells/source.h"
#include "kit/print/json.h"

/* Values of the options. */
typedef struct write_options {
    cli_choice cells;
    const char *from;
    const char *as;
    xta_order order;
    cli_cell_type type;
    bool json;
} write_options;

static const cli_option options[] = {
    CLI_CELLS(write_options, "what to write"),
    CLI_STRING(write_options, from, "from", "F", "file that holds the cells; - is standard input"),
    CLI_STRING(write_options, as, "as", "FORM",
               "text, npy or raw; without it by the suffix of F, or text"),
    CLI_PARSED(write_options, order, "order", "ORDER", cli_parse_memory_order_value,
               "row (default) or column order of text and raw; .npy says it itself"),
    CLI_PARSED(write_options, type, "type", "T", cli_parse_cell_type_value,
               "type of the cells in raw; the array's without it"),
    CLI_FLAG(write_options, json, "json", "print one JSON object"),
};

static const write_options *values_of(const cli_args *args)
{
    return args->values;
}

typedef struct write_job {
    const char *path;
    xta_array *array;
    xta_box box;
    cli_source source;
    xta_io_options io;
    cli_slabs slabs;
} write_job;

static xta_status open_source(const cli_args *args, write_job *job, cli_error *err)
{
    const char *from = values_of(args)->from;
    cli_form form = CLI_TEXT;
    cli_npy cells = {.type = xta_array_type(job->array),
                     .cell_bytes = xta_array_cell_bytes(job->array)};
    xta_status status = XTA_OK;

    XTA_TRY(cli_need(args, "from", err));
    XTA_TRY(cli_parse_form(values_of(args)->as, from, &form, err));
    if (form == CLI_NPY && (cli_has(args, "order") || cli_has(args, "type"))) {
        return cli_usage(err, "an .npy file says its order and type itself; leave out --%s",
                         cli_has(args, "order") ? "order" : "type");
    }
    if (cli_has(args, "order")) {
        cells.order = values_of(args)->order;
    }
    if (cli_has(args, "type")) {
        cells.type = values_of(args)->type.type;
        cells.cell_bytes = values_of(args)->type.cell_bytes;
    }
    XTA_TRY(cli_source_open(&job->source, from, form, &cells, err));
done:
    return status;
}

/* An .npy file has a shape: it must equal that of the box, axis by axis. */
static xta_status check_shape(const write_job *job, cli_error *err)
{
    const cli_npy *npy = &job->source.cells;

    if (job->source.form != CLI_NPY) {
        return XTA_OK;
    }
    if (npy->ndim != job->box.ndim) {
        return cli_fail(err, XTA_EBOX, 0, "%s: has %d axes, the array %s has %d", job->source.path,
                        npy->ndim, job->path, job->box.ndim);
    }
    for (int axis = 0; axis < npy->ndim; axis++) {
        if (npy->shape[axis] != job->slabs.count[axis]) {
            return cli_fail(err, XTA_EBOX, 0,
                            "%s: axis %d: has %" PRId64 " cells, the box has %" PRId64
                            "; choose the box so that the shapes agree",
                            job->source.path, axis, npy->shape[axis], job->slabs.count[axis]);
        }
    }
    return XTA_OK;
}

static xta_status plan_write(const cli_args *args, write_job *job, cli_error *err)
{
    xta_box bounds = xta_array_bounds(job->array);
    xta_status status = XTA_OK;

    XTA_TRY(cli_need_cells(args, &values_of(args)->cells, err));
    XTA_TRY(cli_choose_box(&values_of(args)->cells, job->array, &job->box, err));
    XTA_TRY(open_source(args, job, err));
    XTA_TRY(cli_check_box(job->path, &bounds, &job->box, err));
    job->io = (xta_io_options)XTA_IO_OPTIONS_INIT;
    job->io.type = job->source.cells.type;
    job->io.order = job->source.cells.order;
    status = cli_slabs_begin(&job->slabs, &job->box, NULL, job->io.order,
                             job->source.cells.cell_bytes, CLI_BUFFER_BYTES);
    if (status != XTA_OK) {
        return cli_fail(err, status, 0, "%s: the box has more cells than 63 bits count", job->path);
    }
    XTA_TRY(check_shape(job, err));
    if (xta_array_type(job->array) == XTA_BYTES && job->io.type == XTA_BYTES &&
        job->source.cells.cell_bytes != xta_array_cell_bytes(job->array)) {
        return cli_fail(err, XTA_ETYPE, 0, "%s: cells have %zu bytes, those of %s have %zu",
                        job->source.path, job->source.cells.cell_bytes, job->path,
                        xta_array_cell_bytes(job->array));
    }
    XTA_TRY(cli_source_check(&job->source, job->slabs.n_cells, err));
done:
    return status;
}

static xta_status write_slabs(write_job *job, cli_error *err)
{
    uint64_t largest = cli_slabs_largest(&job->slabs);
    uint64_t total = job->slabs.n_cells;
    size_t bytes = (size_t)largest * job->source.cells.cell_bytes;
    uint8_t *cells = malloc(bytes > 0 ? bytes : 1);
    uint64_t done_cells = 0;
    uint64_t n = 0;
    xta_box slab;
    xta_status status = XTA_OK;

    if (cells == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for a slab of %zu bytes", job->path,
                        bytes);
    }
    if (total == 0) {
        XTA_TRY(cli_source_end(&job->source, total, err));
    }
    while (cli_slabs_next(&job->slabs, &slab, &n)) {
        XTA_TRY(cli_source_read(&job->source, n, cells, done_cells, total, err));
        if (done_cells + n == total) {
            XTA_TRY(cli_source_end(&job->source, total, err));
        }
        XTA_TRY(xta_array_write(job->array, &slab, &job->io, cells, &err->error));
        done_cells += n;
    }
    status = xta_array_sync(job->array, &err->error);
done:
    free(cells);
    return status;
}

/* What was written. */
static void print_json(const write_job *job)
{
    fputs("{\"array\": ", stdout);
    cli_json_text(stdout, job->path);
    fputs(", \"box\": ", stdout);
    cli_json_box(stdout, &job->box);
    fprintf(stdout, ", \"n_cells\": %" PRIu64 ", \"from\": ", job->slabs.n_cells);
    cli_json_text(stdout, job->source.path);
    fputs("}\n", stdout);
}

static xta_status run(const cli_args *args, cli_error *err)
{
    write_job job = {.path = args->words[0]};
    xta_status status = XTA_OK;

    XTA_TRY(cli_open_writable(job.path, &job.array, err));
    XTA_TRY(plan_write(args, &job, err));
    XTA_TRY(write_slabs(&job, err));
    if (values_of(args)->json) {
        print_json(&job);
    }
done:
    cli_source_close(&job.source);
    return cli_close(job.array, status, err);
}

const cli_command cli_write = {
    .name = "write",
    .summary = "write the cells of a box from a file",
    .usage = "A {--box LO:HI,... | --sel AXIS=LABELS,...} --from F [--as text|npy|raw] [--order "
             "row|column] [--type T] [--json]",
    .details =
        "The shape must be that of the box: an .npy file's axis by axis, text and raw by their "
        "number of cells. Text is values separated by blanks, commas or line ends. Values are "
        "converted to the array's type; one that it cannot hold is an error.",
    .example = "  echo 1 2 3 | xta write runs --box 0,:,0 --from -",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(write_options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
