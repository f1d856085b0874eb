/* xta rechunk: copy cells from blocks of one shape into blocks of another, within a memory budget;
 * or print the plan only.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "kit/program.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kit/cells/cells.h"
#include "kit/history.h"
#include "plan_draw.h"
#include "rechunk.h"

static const cli_option options[] = {
    CLI_STRING(cli_rechunk_values, chunk, "chunk", "N,N,...",
               "cells of a new block on each axis; without it DST keeps the source's, or what its "
               "format has"),
    CLI_BYTES(cli_rechunk_values, memory_bytes, "memory", "SIZE",
              "limit of all buffers for cells (1GiB)"),
    CLI_STRING(
        cli_rechunk_values, strategy, "strategy", "S",
        "how it is planned: sweep (default), keep, baseline, split or merge; with --plan also all"),
    CLI_STRING(cli_rechunk_values, variants, "variants", "V,...",
               "what buffers of keep may be as well: any-order, uneven, mirrored, whole-reads"),
    CLI_STRING(cli_rechunk_values, read, "read", "N,N,...",
               "keep: cells of a read buffer on each axis, which is otherwise searched"),
    CLI_FLAG(cli_rechunk_values, plan, "plan", "print the plan and stop"),
    CLI_FLAG(cli_rechunk_values, explain, "explain", "plan: say as well why it was made like this"),
    CLI_STRING(cli_rechunk_values, draw, "draw", "F",
               "draw the plan as a picture as well; the suffix, .png or .svg, says the format"),
    CLI_FLAG(cli_rechunk_values, json, "json", "print the plan, or what was done, as JSON"),
    CLI_FLAG(cli_rechunk_values, verify, "verify",
             "read both sides again at the end and compare every cell"),
    CLI_FLAG(cli_rechunk_values, resume, "resume", "go on with what an interrupted run has left"),
    CLI_FLAG(cli_rechunk_values, in_place, "in-place",
             "put the result in the place of the array SRC"),
    CLI_INT(cli_rechunk_values, threads, "threads", "N", 1, 2,
            "is out of range; want 1, or 2 so that reading and writing overlap",
            "1, or 2 (default): reading and writing overlap"),
    CLI_PARSED(cli_rechunk_values, order, "order", "ORDER", cli_parse_order_value,
               "of the cells in new chunks: row, column, morton or hilbert; of dense files: row or "
               "column"),
    CLI_STRING(cli_rechunk_values, variable, "variable", "NAME",
               "of SRC, where it holds several; the same as SRC:NAME"),
    CLI_STRING(cli_rechunk_values, format, "format", "F",
               "of SRC, where its name does not say it; see FORMATS"),
    CLI_STRING(cli_rechunk_values, to_format, "to-format", "F",
               "of DST, where its name does not say it"),
    CLI_PARSED(cli_rechunk_values, bounds, "bounds", "N,N,...", cli_parse_coords_value,
               "cells on each axis: of raw sources, and of plans from shapes alone"),
    CLI_STRING(cli_rechunk_values, from, "from", "N,N,...",
               "cells of a source block on each axis: as --bounds"),
    CLI_PARSED(cli_rechunk_values, type, "type", "T", cli_parse_cell_type_value,
               "of a cell: as --bounds"),
    CLI_PARSED(cli_rechunk_values, from_order, "from-order", "ORDER", cli_parse_memory_order_value,
               "of the cells in a raw source: row (default) or column"),
    CLI_FLAG(cli_rechunk_values, no_coordinates, "no-coordinates",
             "take no coordinates along into a NetCDF or HDF5 file"),
    CLI_FLAG(cli_rechunk_values, allow_unfinished, "allow-unfinished",
             "also if work on the array SRC was interrupted, so that cells are missing"),
    CLI_FLAG(cli_rechunk_values, trust, "trust",
             "cells of SRC may come from other files, which it names"),
    CLI_STRING(cli_rechunk_values, blocks, "blocks", "HOME[,HOME]",
               "plan: where blocks of source and target are kept: files, chunks (of one file) or "
               "whole (moved only whole)"),
    CLI_NO_HISTORY(cli_rechunk_values),
    CLI_STRING(cli_rechunk_values, count, "count", "WHAT",
               "plan: what the limit counts, live cells or allocated bytes"),
};

/* ---- plans ---- */

static xta_status show_plan(cli_request *request, const xta_rechunk_problem *problem, xta_type type,
                            cli_error *err)
{
    cli_plan plans[CLI_STRATEGIES];
    cli_plan_head head = {problem, type, request->values->explain};
    const char *picture = request->values->draw;
    xta_status status = XTA_OK;
    int n = 0;

    XTA_TRY(cli_plans_make(problem, request->every, plans, &n, err));
    if (picture != NULL && plans[0].plan == NULL) {
        err->error = plans[0].refusal;
        status = plans[0].refusal.status;
        goto done;
    }
    if (picture != NULL) {
        XTA_TRY(cli_plan_draw(problem, plans[0].plan, NULL, picture, err));
    }
    if (request->json) {
        cli_plans_json(stdout, &head, plans, n);
    } else {
        cli_plans_print(stdout, &head, plans, n);
    }
done:
    cli_plans_clear(plans, n);
    return status;
}

/* The blocks of a target are known only once it exists: it is created, queried, and deleted. */
static xta_status plan_only(cli_request *request, cli_error *err)
{
    xta_rechunk_problem problem;
    cli_end source = {0}, target = {0};
    xta_type type = request->type;
    xta_status status = XTA_OK;

    if (request->source != NULL) {
        XTA_TRY(cli_rechunk_open_source(request, &source, err));
        type = source.blocks.type;
    }
    if (request->target != NULL) {
        XTA_TRY(cli_rechunk_open_target(request, &source, false, false, &target, err));
        XTA_TRY(cli_rechunk_match(&source, &target, request->memory_bytes, err));
    }
    XTA_TRY(cli_rechunk_problem(request, &source, &target, &problem, err));
    XTA_TRY(show_plan(request, &problem, type, err));
done:
    status = cli_rechunk_close(&target, false, status, err);
    return cli_rechunk_close(&source, true, status, err);
}

/* ---- runs ---- */

/* Clean up after a failed run: the target and its resume log are kept if anything is finished,
 * otherwise nothing is. */
static void settle(cli_request *request, const cli_end *source, bool begun, const char *notes,
                   cli_error *err)
{
    char text[XTA_ERROR_TEXT_BYTES];

    if (!cli_notes_progress(notes)) {
        if (begun) {
            cli_rechunk_discard(request, source);
        }
        remove(notes);
        return;
    }
    snprintf(text, sizeof text, "%s", err->error.text);
    cli_fail(err, err->error.status, err->error.os_errno,
             "%s; what is finished is kept, and --resume goes on from there", text);
}

/* Mention the resume log after a failed run in place, which manages its own resume log. */
static void mention_notes(const cli_request *request, cli_error *err)
{
    char notes[4096];
    char text[XTA_ERROR_TEXT_BYTES];

    snprintf(notes, sizeof notes, "%s.rechunk.notes", request->source);
    if (access(notes, F_OK) == 0) {
        snprintf(text, sizeof text, "%s", err->error.text);
        cli_fail(err, err->error.status, err->error.os_errno,
                 "%s; what is finished is kept, and --resume goes on from there", text);
    }
}

static xta_status copy(cli_request *request, const char *notes, xta_repartition_report *done,
                       cli_error *err)
{
    xta_repartition_options chosen;
    cli_end source = {0}, target = {0};
    cli_run_meter meter = {0};
    bool begun = false;
    xta_status status = XTA_OK;

    XTA_TRY(cli_rechunk_open_source(request, &source, err));
    XTA_TRY(cli_rechunk_begin_target(request, &source, request->resume, &target, err));
    begun = true;
    XTA_TRY(cli_rechunk_match(&source, &target, request->memory_bytes, err));
    cli_rechunk_options(request, &chosen);
    XTA_TRY(cli_rechunk_buffer(request, &source.blocks.bounds, &chosen.buffer, err));
    chosen.resume_path = notes;
    chosen.resume = access(notes, F_OK) == 0;
    cli_run_meter_begin(&meter, request->target, &chosen);
    status = xta_repartition_run(&source.blocks, &target.blocks, &chosen, done, &err->error);
    cli_run_meter_end(&meter);
done:
    status = cli_rechunk_close(&target, status == XTA_OK, status, err);
    if (status != XTA_OK) {
        settle(request, &source, begun, notes, err);
    }
    return cli_rechunk_close(&source, true, status, err);
}

static xta_status run_copy(cli_request *request, cli_error *err)
{
    xta_repartition_report done = {0};
    char *notes = cli_notes_path(request->target, "");
    bool there = false;
    xta_status status = XTA_OK;

    if (notes == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for its name", request->target);
    }
    XTA_TRY(cli_notes_begin(notes, request->resume, &there, err));
    if (request->resume && !there) {
        remove(notes);
        status =
            cli_fail(err, XTA_ENOENT, 0,
                     "%s: there are no notes of an interrupted run; run without --resume", notes);
        goto done;
    }
    XTA_TRY(copy(request, notes, &done, err));
    remove(notes);
    cli_report_print(stdout, &done, request->json);
done:
    free(notes);
    return status;
}

static xta_status run_in_place(cli_request *request, cli_error *err)
{
    xta_create_options changes = XTA_CREATE_OPTIONS_INIT;
    xta_repartition_options chosen;
    xta_repartition_report done = {0};
    xta_array *array = NULL;
    cli_run_meter meter = {0};
    int64_t chunk[XTA_MAX_NDIM];
    xta_array_info info;
    xta_status status = XTA_OK;

    XTA_TRY(xta_array_open(request->source, NULL, &array, &err->error));
    XTA_TRY(xta_array_inquire(array, &info, &err->error));
    XTA_TRY(cli_rechunk_block(request, "chunk", info.ndim, chunk, err));
    changes.chunk = chunk;
    changes.order = request->has_order ? request->order : info.order;
    cli_rechunk_options(request, &chosen);
    cli_run_meter_begin(&meter, request->source, &chosen);
    status = cli_close(array, XTA_OK, err);
    array = NULL;
    XTA_TRY(status);
    status = xta_array_rechunk(request->source, &changes, &chosen, &done, &err->error);
    cli_run_meter_end(&meter);
    if (status != XTA_OK) {
        mention_notes(request, err);
        goto done;
    }
    cli_report_print(stdout, &done, request->json);
done:
    cli_run_meter_end(&meter);
    return cli_close(array, status, err);
}

/* The command, in the history of the target if that is an array. */
static xta_status add_history(const cli_args *args, const cli_request *request, cli_error *err)
{
    size_t n = strlen(request->target) + sizeof ".xmd";
    char *journal = malloc(n);
    bool is_array = false;

    if (journal == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for its name", request->target);
    }
    snprintf(journal, n, "%s.xmd", request->target);
    is_array = access(journal, F_OK) == 0;
    free(journal);
    return is_array ? cli_add_history(args, request->target, err) : XTA_OK;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    cli_request request;
    xta_status status = cli_rechunk_parse(args, &request, err);

    if (status == XTA_OK && request.plan) {
        status = plan_only(&request, err);
    } else if (status == XTA_OK && request.in_place) {
        status = run_in_place(&request, err);
    } else if (status == XTA_OK) {
        status = run_copy(&request, err);
        if (status == XTA_OK && !request.values->no_history) {
            status = add_history(args, &request, err);
        }
    }
    cli_rechunk_clear(&request);
    return status;
}

static const cli_command rechunk_command = {
    .name = "rechunk",
    .summary = "move cells into blocks of another shape, within a memory limit",
    .usage = "SRC[:VARIABLE] DST[:VARIABLE] [--chunk N,N,...] [--memory SIZE] [--strategy S] "
             "[--plan] [--json] [--verify] [--resume] ... | SRC --in-place --chunk N,N,... | "
             "--plan --bounds N,N,... --from N,N,... --chunk N,N,... --type T ...",
    .details =
        "Copies the cells of SRC into DST, whose blocks have the shape --chunk, with few and large "
        "operations and with no more than --memory for cells. Both may be arrays, folders of block "
        "files (a name with {0}, {1}, ... for the numbers of the blocks), variables of HDF5 and "
        "NetCDF files, NIfTI images, .npy or raw files. SRC is never written to. A run that was "
        "interrupted leaves DST.resume and can be gone on with by --resume. On a terminal "
        "progress, "
        "rate and time left are shown. --plan says beforehand what it takes, from shapes alone if "
        "there is no SRC.",
    .example = "  xta rechunk --plan --bounds 3500,3500,3500 --from 350,350,350 \\\n"
               "      --chunk 500,500,500 --type f16 --memory 4.3GiB --blocks files",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(cli_rechunk_values),
    .min_words = 0,
    .max_words = 2,
    .run = run,
};

int main(int argc, char *argv[])
{
    return cli_verb_program(&rechunk_command, argc, argv);
}
