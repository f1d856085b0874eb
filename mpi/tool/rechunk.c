/* xta-mpi rechunk: many processes move cells into blocks of another shape.
 *
 * Each rank has an equal share of the memory budget and makes the same plan with it; the components
 * of the plan are distributed. A rank records what it has finished in a resume log of its own, so a
 * run can be resumed by the number of ranks that it was started with.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "mpi_tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kit/cells/cells.h"

static const cli_option options[] = {
    CLI_STRING(cli_rechunk_values, chunk, "chunk", "N,N,...", "cells of a new block on each axis"),
    CLI_BYTES(cli_rechunk_values, memory_bytes, "memory", "SIZE",
              "limit of the buffers of all ranks together (1GiB)"),
    CLI_STRING(cli_rechunk_values, strategy, "strategy", "S",
               "sweep (default), keep, baseline, split or merge"),
    CLI_FLAG(cli_rechunk_values, json, "json", "print what was done as JSON"),
    CLI_FLAG(cli_rechunk_values, verify, "verify",
             "read both sides again at the end and compare every cell"),
    CLI_FLAG(cli_rechunk_values, resume, "resume",
             "go on with what an interrupted run of as many ranks has left"),
    CLI_INT(cli_rechunk_values, threads, "threads", "N", 1, 2,
            "is out of range; want 1, or 2 so that reading and writing overlap",
            "of each rank: 1 (default), or 2: reading and writing overlap"),
    CLI_PARSED(cli_rechunk_values, order, "order", "ORDER", cli_parse_order_value,
               "of the cells in new chunks: row, column, morton or hilbert"),
    CLI_STRING(cli_rechunk_values, variable, "variable", "NAME", "of SRC, where it holds several"),
    CLI_STRING(cli_rechunk_values, format, "format", "F", "of SRC, where its name does not say it"),
    CLI_STRING(cli_rechunk_values, to_format, "to-format", "F",
               "of DST, where its name does not say it"),
    CLI_PARSED(cli_rechunk_values, bounds, "bounds", "N,N,...", cli_parse_coords_value,
               "of raw sources: cells on each axis"),
    CLI_STRING(cli_rechunk_values, from, "from", "N,N,...",
               "of raw block files: cells of a block on each axis"),
    CLI_PARSED(cli_rechunk_values, type, "type", "T", cli_parse_cell_type_value,
               "of raw sources: type of a cell"),
    CLI_PARSED(cli_rechunk_values, from_order, "from-order", "ORDER", cli_parse_memory_order_value,
               "of raw sources: row (default) or column"),
    CLI_FLAG(cli_rechunk_values, no_coordinates, "no-coordinates",
             "take no coordinates along into a NetCDF or HDF5 file"),
    CLI_FLAG(cli_rechunk_values, allow_unfinished, "allow-unfinished",
             "also if work on the array SRC was interrupted, so that cells are missing"),
};

/* State of a rank during a run. */
typedef struct job {
    const mpi_ranks *ranks;
    cli_request request;
    cli_end source, target;
    xta_repartition_options options;
    xta_rechunk_plan *plan;
    mpi_share share;
    mpi_slab from, to;
    char *notes;
    bool noted; // the resume log is this run's, and is deleted if nothing is finished
    bool begun; // the target exists
    xta_repartition_report report;
} job;

/* Create the resume log of this rank: "DST.resume.2of4". */
static xta_status begin_notes(job *j, cli_error *err)
{
    char more[64];
    bool there = false;
    int mine = 0, any = 0;
    xta_status status = XTA_OK;

    snprintf(more, sizeof more, ".%dof%d", j->ranks->rank + 1, j->ranks->n_ranks);
    j->notes = cli_notes_path(j->request.target, more);
    status = j->notes != NULL ? cli_notes_begin(j->notes, j->request.resume, &there, err)
                              : cli_fail(err, XTA_ENOMEM, 0, "no memory for a name");
    j->noted = status == XTA_OK;
    XTA_TRY(xta__ranks_agree(j->ranks, status, err));
    mine = there;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, j->ranks->comm);
    if (j->request.resume && !any) {
        return cli_fail(err, XTA_ENOENT, 0,
                        "%s: there are no notes of an interrupted run of %d ranks; run without "
                        "--resume",
                        j->request.target, j->ranks->n_ranks);
    }
done:
    return status;
}

/* Rank 0 creates the target, then the others open it. */
static xta_status open_target(job *j, cli_error *err)
{
    xta_status status = XTA_OK;

    if (j->ranks->rank == 0) {
        status =
            cli_rechunk_begin_target(&j->request, &j->source, j->request.resume, &j->target, err);
        j->begun = status == XTA_OK;
    }
    if (status == XTA_OK && j->ranks->rank == 0 && j->ranks->n_ranks > 1 &&
        j->target.blocks.calls->serial) {
        status =
            cli_fail(err, XTA_EUNSUPPORTED, 0,
                     "%s: files of this format cannot be written by several processes; use xta "
                     "rechunk, or one rank",
                     j->request.target);
    }
    XTA_TRY(xta__ranks_agree(j->ranks, status, err));
    if (j->ranks->rank != 0) {
        // A folder without any block is treated as one that was never started: it is started.
        j->request.joins = true;
        status = cli_rechunk_begin_target(&j->request, &j->source, true, &j->target, err);
    }
    XTA_TRY(xta__ranks_agree(j->ranks, status, err));
done:
    return status;
}

static xta_status make_plan(job *j, cli_error *err)
{
    xta_status status = XTA_OK;

    cli_rechunk_options(&j->request, &j->options);
    j->options.memory_bytes = j->request.memory_bytes / (uint64_t)j->ranks->n_ranks;
    j->options.memory_bytes += j->options.memory_bytes == 0; // 0 would be the default
    j->options.n_threads = j->request.n_threads > 0 ? j->request.n_threads : 1;
    j->options.resume_path = j->notes;
    status = cli_rechunk_match(&j->source, &j->target, j->options.memory_bytes, err);
    if (status == XTA_OK) {
        status = xta_repartition_plan(&j->source.blocks, &j->target.blocks, &j->options, &j->plan,
                                      &err->error);
    }
    if (status == XTA_OK) {
        status =
            xta__share_distribute(j->ranks, &j->target.blocks, j->plan, &j->share, &err->error);
    }
    return xta__ranks_agree(j->ranks, status, err);
}

/* Move the cells. A run that succeeds removes its resume log, but other ranks may still fail, and
 * then the work of this rank must not be repeated. So the run is given a second name of the log and
 * removes that one: wherever the rank is killed, the log has its own name. */
static xta_status run_noted(job *j, xta_blocks *from, xta_blocks *to, cli_error *err)
{
    size_t bytes = strlen(j->notes) + sizeof ".running";
    char *running = malloc(bytes);
    xta_repartition_options chosen = j->options;

    if (running == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for a name", j->notes);
    }
    snprintf(running, bytes, "%s.running", j->notes);
    remove(running);
    bool linked = link(j->notes, running) == 0;
    chosen.resume_path = linked ? running : j->notes;
    xta_status status = xta_repartition_run(from, to, &chosen, &j->report, &err->error);
    // Cells that were found damaged must be moved again.
    if (linked && status == XTA_ECORRUPT && access(running, F_OK) != 0) {
        remove(j->notes);
    }
    remove(running);
    free(running);
    return status;
}

/* Move this rank's share. On some ranks an interrupted run may have had nothing to record. */
static xta_status move_share(job *j, cli_error *err)
{
    xta_blocks *from = &j->source.blocks, *to = &j->target.blocks;
    cli_run_meter meter = {0};
    xta_status status = XTA_OK;

    if (j->share.boxed ? xta_box_empty(&j->share.box) : j->share.n == 0) {
        return XTA_OK;
    }
    if (j->share.boxed) {
        XTA_TRY(xta__slab_init(&j->from, from, &j->share.box, &err->error));
        XTA_TRY(xta__slab_init(&j->to, to, &j->share.box, &err->error));
        from = &j->from.blocks;
        to = &j->to.blocks;
    }
    j->options.first_component = j->share.first;
    j->options.n_components = j->share.n;
    j->options.resume = access(j->notes, F_OK) == 0;
    if (j->ranks->rank == 0) {
        cli_run_meter_begin(&meter, "rank 0", &j->options);
    }
    status = run_noted(j, from, to, err);
    cli_run_meter_end(&meter);
done:
    return status;
}

/* Print the numbers of all ranks: sums, except for the time, which is that of the slowest. */
static void print_report(const job *j)
{
    const xta_repartition_report *r = &j->report;
    uint64_t mine[8] = {r->reads,      r->writes,        r->runs_read,  r->runs_written,
                        r->bytes_read, r->bytes_written, r->peak_bytes, r->blocks_resumed};
    uint64_t all[8] = {0};
    double seconds = r->seconds, slowest = 0;

    MPI_Reduce(mine, all, 8, MPI_UINT64_T, MPI_SUM, 0, j->ranks->comm);
    MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, j->ranks->comm);
    if (j->ranks->rank == 0) {
        const xta_repartition_report sum = {all[0], all[1], all[2], all[3], all[4],
                                            all[5], all[6], all[7], slowest};
        cli_report_print(stdout, &sum, j->request.json);
    }
}

/* After a failure: the target and the resume logs are kept if any rank has finished anything;
 * otherwise they are deleted. */
static void settle(job *j, cli_error *err)
{
    int mine = j->noted && cli_notes_progress(j->notes), any = 0;
    char text[XTA_ERROR_TEXT_BYTES];

    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, j->ranks->comm);
    if (any) {
        snprintf(text, sizeof text, "%s", err->error.text);
        cli_fail(err, err->error.status, err->error.os_errno,
                 "%s; what is finished is kept, and --resume goes on from there", text);
        return;
    }
    if (j->begun && j->ranks->rank == 0) {
        cli_rechunk_discard(&j->request, &j->source);
    }
    if (j->noted) {
        remove(j->notes);
    }
}

/* Ranks close the target one after the other, rank 0 last: it gives the target its name. */
static xta_status close_all(job *j, xta_status status, cli_error *err)
{
    if (j->ranks->rank != 0) {
        status = cli_rechunk_close(&j->target, false, status, err);
    }
    status = xta__ranks_agree(j->ranks, status, err);
    if (j->ranks->rank == 0) {
        status = cli_rechunk_close(&j->target, status == XTA_OK, status, err);
    }
    status = xta__ranks_agree(j->ranks, status, err);
    if (status != XTA_OK) {
        settle(j, err);
    } else {
        remove(j->notes);
    }
    return xta__ranks_agree(j->ranks, cli_rechunk_close(&j->source, true, status, err), err);
}

xta_status xta__mpi_rechunk_run(const mpi_ranks *ranks, const cli_args *args, cli_error *err)
{
    job *j = calloc(1, sizeof *j);
    xta_status status = j != NULL ? XTA_OK : cli_fail(err, XTA_ENOMEM, 0, "no memory for a run");

    status = xta__ranks_agree(ranks, status, err);
    if (status != XTA_OK) {
        free(j);
        return status;
    }
    j->ranks = ranks;
    XTA_TRY(xta__ranks_agree(ranks, cli_rechunk_parse(args, &j->request, err), err));
    XTA_TRY(xta__ranks_agree(ranks, cli_rechunk_open_source(&j->request, &j->source, err), err));
    XTA_TRY(begin_notes(j, err));
    XTA_TRY(open_target(j, err));
    XTA_TRY(make_plan(j, err));
    XTA_TRY(xta__ranks_agree(ranks, move_share(j, err), err));
done:
    status = close_all(j, status, err);
    if (status == XTA_OK) {
        print_report(j);
    }
    xta__slab_clear(&j->from);
    xta__slab_clear(&j->to);
    xta_rechunk_plan_free(j->plan);
    cli_rechunk_clear(&j->request);
    free(j->notes);
    free(j);
    return status;
}

const cli_command xta__mpi_rechunk = {
    .name = "rechunk",
    .summary = "move cells into blocks of another shape, within a memory limit",
    .usage = "SRC[:VARIABLE] DST[:VARIABLE] [--chunk N,N,...] [--memory SIZE] [--strategy S] "
             "[--json] [--verify] [--resume] ...",
    .details =
        "As xta rechunk, by many processes: mpiexec -n 4 xta-mpi rechunk ... Each works on a "
        "part that shares no block of DST with the others, within its share of --memory.",
    .example = "  mpiexec -n 4 xta-mpi rechunk a b --chunk 150,150,150 --memory 512MiB",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(cli_rechunk_values),
    .min_words = 2,
    .max_words = 2,
};
