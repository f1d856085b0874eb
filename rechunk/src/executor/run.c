/* A whole repartition: checks, the plan, both passes, the resume log.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "executor/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "executor/progress.h"
#include "executor/reader.h"
#include "executor/run_state.h"
#include "executor/writer.h"
#include "util/box_text.h"
#include "util/checked.h"
#include "util/crc32c.h"
#include "util/os.h"
#include "util/try.h"

#define DEFAULT_BYTES ((uint64_t)1 << 30)

/* ---- checks and the plan ---- */

static xta_status copy_options(const xta_repartition_options *given, xta_repartition_options *o,
                               xta_error *err)
{
    static const xta_repartition_options defaults = XTA_REPARTITION_OPTIONS_INIT;

    *o = defaults;
    xta_status status = xta_options_read(o, sizeof *o, given, "xta_repartition_options", err);
    if (status != XTA_OK) {
        return status;
    }
    if (o->n_threads < 0 || o->n_threads > 2) {
        return xta__fail(err, XTA_EARG, 0, "%d threads: give 1 or 2 (0: 2)", o->n_threads);
    }
    o->n_threads = o->n_threads == 0 ? 2 : o->n_threads;
    o->memory_bytes = o->memory_bytes == 0 ? DEFAULT_BYTES : o->memory_bytes;
    return XTA_OK;
}

static xta_status check_sides(const xta_blocks *from, const xta_blocks *to, xta_error *err)
{
    char one[128], other[128];

    if (from->type != to->type || from->cell_bytes != to->cell_bytes) {
        return xta__fail(err, XTA_ETYPE, 0,
                         "%s has cells of type %s (%u bytes), %s of type %s (%u bytes); make a "
                         "target of the source's type",
                         from->name, xta_type_name(from->type), from->cell_bytes, to->name,
                         xta_type_name(to->type), to->cell_bytes);
    }
    if (!xta_box_equal(&from->bounds, &to->bounds)) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s has the bounds %s, %s %s; make a target of the source's bounds",
                         from->name, xta__box_text(&from->bounds, one, sizeof one), to->name,
                         xta__box_text(&to->bounds, other, sizeof other));
    }
    if (from->calls->read == NULL) {
        return xta__fail(err, XTA_EUNSUPPORTED, 0, "%s cannot be read", from->name);
    }
    return XTA_OK;
}

xta_status xta_repartition_plan(const xta_blocks *from, const xta_blocks *to,
                                const xta_repartition_options *options, xta_rechunk_plan **plan,
                                xta_error *err)
{
    xta_status status = XTA_OK;
    xta_repartition_options o;
    xta_rechunk_problem problem = XTA_RECHUNK_PROBLEM_INIT;

    xta__clear(err);
    *plan = NULL;
    XTA_TRY(copy_options(options, &o, err));
    XTA_TRY(check_sides(from, to, err));
    problem.bounds = from->bounds;
    problem.from = from->partition;
    problem.to = to->partition;
    problem.from_home = from->home;
    problem.to_home = to->home;
    problem.from_column = from->column;
    problem.to_column = to->column;
    problem.cell_bytes = from->cell_bytes;
    problem.memory_bytes = o.memory_bytes;
    problem.account = XTA_ACCOUNT_ALLOCATED;
    problem.strategy = o.strategy;
    problem.variants = o.variants;
    problem.buffer = o.buffer;
    XTA_TRY(xta_rechunk_plan_new(&problem, plan, err));

done:
    return status;
}

/* A slice has at least a third of XTA__SLICE_BYTES, or half of the staging buffer, and so does each
 * part of one slice that a grid moves at a time; each adds at most one run. */
static uint64_t calls_for(const xta_rechunk_facts *facts, uint64_t runs, uint64_t bytes)
{
    uint64_t slice =
        facts->staging_bytes < XTA__SLICE_BYTES ? facts->staging_bytes : XTA__SLICE_BYTES;

    return slice > 0 ? runs + 5 * (bytes / slice) : runs;
}

void xta_repartition_calls(const xta_rechunk_facts *facts, uint64_t *reads, uint64_t *writes)
{
    *reads = calls_for(facts, facts->read_runs, facts->bytes_read);
    *writes = calls_for(facts, facts->write_runs, facts->bytes_written);
}

/* What the log of finished blocks depends on: both sides, but not the plan. */
static uint32_t fingerprint(const xta__run *run)
{
    const xta_blocks *sides[2] = {run->from, run->to};
    uint32_t crc = xta__crc32c(0, &run->extra, sizeof run->extra);

    for (int s = 0; s < 2; s++) {
        const xta__cut_grid *grid = s == 0 ? &run->from_cuts : &run->to_cuts;
        crc = xta__crc32c(crc, sides[s]->name, strlen(sides[s]->name) + 1);
        crc = xta__crc32c(crc, &sides[s]->type, sizeof sides[s]->type);
        crc = xta__crc32c(crc, &sides[s]->cell_bytes, sizeof sides[s]->cell_bytes);
        for (int a = 0; a < grid->ndim; a++) {
            const xta__cut_axis *axis = &grid->axis[a];
            const int64_t facts[5] = {axis->lo, axis->hi, axis->first, axis->length, axis->n};
            crc = xta__crc32c(crc, facts, sizeof facts);
            if (axis->length == 0) {
                crc = xta__crc32c(crc, axis->edges, (size_t)(axis->n + 1) * sizeof axis->edges[0]);
            }
        }
    }
    return crc;
}

/* Count the blocks and bytes that this run will write. */
static xta_status count_totals(xta__run *run, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_rechunk_iterator *walk = NULL;
    xta_rechunk_op op;
    uint64_t cells = 0;

    if (run->options.first_component == 0 &&
        (run->options.n_components == 0 || run->options.n_components == run->facts.n_components)) {
        run->progress.blocks_total = run->to_cuts.n_blocks;
        run->progress.bytes_total = xta__box_count(&run->to->bounds) * run->to->cell_bytes;
        return XTA_OK;
    }
    XTA_TRY(xta_rechunk_iterator_new(run->plan, run->options.first_component,
                                     run->options.n_components, &walk, err));
    while (xta_rechunk_iterator_next(walk, &op)) {
        // A block is counted with the piece that contains its first cell.
        xta_box box;
        xta__cut_box(&run->to_cuts, op.block, &box);
        bool first =
            op.write && memcmp(box.lo, op.piece.lo, (size_t)box.ndim * sizeof box.lo[0]) == 0;
        run->progress.blocks_total += first;
        cells += op.write ? xta__box_count(&op.piece) : 0;
    }
    run->progress.bytes_total = cells * run->to->cell_bytes;

done:
    xta_rechunk_iterator_free(walk);
    return status;
}

static xta_status check_range(xta__run *run, xta_error *err)
{
    uint64_t first = run->options.first_component, n = run->facts.n_components;

    if (first > n || run->options.n_components > n - first) {
        return xta__fail(err, XTA_EARG, 0,
                         "components from %" PRIu64 ", %" PRIu64 " of them: the plan has %" PRIu64,
                         first, run->options.n_components, n);
    }
    if (run->options.n_components == 0) {
        run->options.n_components = n - first;
    }
    return XTA_OK;
}

/* ---- one pass ---- */

static xta_status begin_sides(xta__run *run, xta_error *err)
{
    xta__side *sides[2] = {&run->reader, &run->writer};
    xta_status status = XTA_OK;

    if (xta__pending_init(&run->pending_pieces) != XTA_OK) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for tables", run->to->name);
    }
    for (int s = 0; s < 2 && status == XTA_OK; s++) {
        *sides[s] = (xta__side){.writes = s == 1};
        status = xta_rechunk_iterator_new(run->plan, run->options.first_component,
                                          run->options.n_components, &sides[s]->walk, err);
    }
    run->reads_done = 0;
    run->reader_ended = run->stop = false;
    run->reader_status = XTA_OK;
    return status;
}

static void end_sides(xta__run *run)
{
    xta_rechunk_iterator_free(run->reader.walk);
    xta_rechunk_iterator_free(run->writer.walk);
    run->reader.walk = run->writer.walk = NULL;
}

/* Tell the reader, if it has a thread, to stop, and wait for it. */
static void end_reader(xta__run *run, pthread_t thread)
{
    pthread_mutex_lock(&run->lock);
    run->stop = true;
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
    pthread_join(thread, NULL);
}

/* Run all reads and writes of the plan, or all reads and comparisons. */
static xta_status one_pass(xta__run *run, xta_error *err)
{
    xta_status status = XTA_OK;
    pthread_t thread;
    bool threaded = false;

    if (run->options.n_components == 0) {
        return XTA_OK;
    }
    XTA_TRY(begin_sides(run, err));
    if (run->options.n_threads == 2) {
        threaded = xta__thread_start(&thread, xta__reader_main, run);
        if (!threaded) {
            // Without a second thread, operations run in order.
            run->options.n_threads = 1;
        }
    }
    XTA_TRY(xta__write_all(run, err));

done:
    if (threaded) {
        end_reader(run, thread);
    }
    xta__pending_clear(&run->pending_pieces);
    end_sides(run);
    return status;
}

/* ---- all of it ---- */

static xta_status allocate_memory(xta__run *run, xta_error *err)
{
    size_t staging = (size_t)run->facts.staging_bytes;

    run->budget.limit = run->options.memory_bytes;
    run->ahead_bytes = run->facts.peak_allocated_bytes + XTA__AHEAD_BYTES;
    run->ahead_bytes = run->ahead_bytes < run->budget.limit ? run->ahead_bytes : run->budget.limit;
    run->pending_pieces.from = &run->from_cuts;
    run->pending_pieces.to = &run->to_cuts;
    run->pending_pieces.cell_bytes = run->from->cell_bytes;
    run->pending_pieces.hold = run->facts.hold;
    run->pending_pieces.budget = &run->budget;
    run->pending_pieces.trims = run->options.n_threads == 2;
    run->staging_bytes = staging;
    run->write_staging = xta__budget_alloc(&run->budget, staging);
    if (run->facts.hold == XTA_HOLD_FRAGMENTS) {
        run->read_staging = xta__budget_alloc(&run->budget, staging);
    }
    run->joined.blocks =
        xta__calloc(XTA__MOST_JOINED * (size_t)run->to->bounds.ndim, sizeof(int64_t));
    if (run->write_staging == NULL ||
        (run->facts.hold == XTA_HOLD_FRAGMENTS && run->read_staging == NULL) ||
        run->joined.blocks == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0,
                         "%s: the system has no memory for buffers of %zu bytes; give a smaller "
                         "limit",
                         run->to->name, staging);
    }
    return XTA_OK;
}

static void release_memory(xta__run *run)
{
    xta__pending_clear(&run->pending_pieces);
    xta__budget_give(&run->budget, run->write_staging, run->staging_bytes);
    xta__budget_give(&run->budget, run->read_staging, run->staging_bytes);
    xta__budget_clear(&run->budget);
    free(run->joined.blocks);
    free(run->sources.items);
    xta__block_map_clear(&run->finished);
    xta__block_map_clear(&run->unfinished);
    xta_rechunk_plan_free(run->plan);
}

static xta_status set_up(xta__run *run, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(xta__cut_grid_init(&run->from_cuts, &run->from->bounds, &run->from->partition,
                               run->from->name, err));
    XTA_TRY(xta__cut_grid_init(&run->to_cuts, &run->to->bounds, &run->to->partition, run->to->name,
                               err));
    XTA_TRY(xta_repartition_plan(run->from, run->to, &run->options, &run->plan, err));
    run->facts = *xta_rechunk_plan_facts(run->plan);
    XTA_TRY(check_range(run, err));
    XTA_TRY(count_totals(run, err));
    if (run->options.resume_path != NULL) {
        XTA_TRY(xta__resume_log_open(&run->resume_log, run->options.resume_path, fingerprint(run),
                                     run->options.resume, run->to_cuts.n_blocks, &run->finished,
                                     err));
        run->logging = true;
        run->n_resumed = run->progress.blocks_done = run->finished.n;
    }
    XTA_TRY(allocate_memory(run, err));

done:
    return status;
}

/* After the last write: sync, verify, remove the log. */
static xta_status complete(xta__run *run, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_error second = {0};
    bool damaged = false;

    if ((run->logging || run->options.verify) && run->to->calls->sync != NULL) {
        XTA_TRY(run->to->calls->sync(run->to->self, err));
    }
    if (run->options.verify) {
        run->verifying = true;
        status = one_pass(run, err);
        damaged = status == XTA_ECORRUPT;
        XTA_TRY(status);
    }

done:
    if (run->logging && (status == XTA_OK || damaged)) {
        xta_status removed = xta__resume_log_close(&run->resume_log, true, &second);
        status = status == XTA_OK ? removed : status;
        if (removed != XTA_OK && status == removed && err != NULL) {
            *err = second;
        }
        run->logging = false;
    }
    return status;
}

/* System calls of a side so far; calls of the grid, if that does not count system calls. */
static uint64_t system_calls(const xta_blocks *blocks, bool wrote, uint64_t before, uint64_t calls)
{
    return blocks->calls->n_calls != NULL ? blocks->calls->n_calls(blocks->self, wrote) - before
                                          : calls;
}

/* Report the calls of the pass that moves cells. */
static void report_calls(xta__run *run)
{
    run->report->reads = system_calls(run->from, false, run->before[0], run->calls_read);
    run->report->writes = system_calls(run->to, true, run->before[1], run->report->writes);
}

static void fill_report(xta__run *run)
{
    run->report->runs_read = run->runs_read;
    run->report->bytes_read = run->bytes_read;
    run->report->bytes_written = run->progress.bytes_written;
    run->report->peak_bytes = run->budget.peak;
    run->report->blocks_resumed = run->n_resumed;
    run->report->seconds = xta__seconds() - run->begun;
}

static void init_run(xta__run *run, xta_blocks *from, xta_blocks *to, uint32_t extra,
                     xta_repartition_report *report)
{
    run->from = from;
    run->to = to;
    run->extra = extra;
    run->report = report;
    run->resume_log.file = (xta__file)XTA__FILE_CLOSED;
    run->serial = from->calls->serial && to->calls->serial;
    run->before[0] = system_calls(from, false, 0, 0);
    run->before[1] = system_calls(to, true, 0, 0);
    run->begun = run->synced = xta__seconds();
    pthread_mutex_init(&run->lock, NULL);
    pthread_mutex_init(&run->serial_lock, NULL);
    pthread_cond_init(&run->changed, NULL);
}

xta_status xta__repartition_run(xta_blocks *from, xta_blocks *to,
                                const xta_repartition_options *options, uint32_t extra,
                                xta_repartition_report *report, xta_error *err)
{
    xta_repartition_report unwanted;
    xta_status status = XTA_OK;
    xta__run *run = xta__calloc(1, sizeof *run);

    xta__clear(err);
    report = report != NULL ? report : &unwanted;
    *report = (xta_repartition_report){0};
    if (run == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to repartition", from->name);
    }
    init_run(run, from, to, extra, report);
    XTA_TRY(copy_options(options, &run->options, err));
    XTA_TRY(check_sides(from, to, err));
    if (to->calls->write == NULL) {
        XTA_TRY(xta__fail(err, XTA_EUNSUPPORTED, 0, "%s cannot be written", to->name));
    }
    if (run->options.verify && to->calls->read == NULL) {
        XTA_TRY(xta__fail(err, XTA_EUNSUPPORTED, 0,
                          "%s cannot be read, so not verified; do "
                          "without",
                          to->name));
    }
    if (!xta_box_empty(&from->bounds)) {
        XTA_TRY(set_up(run, err));
        status = one_pass(run, err);
        report_calls(run);
        XTA_TRY(status);
        XTA_TRY(complete(run, err));
    }
    // The run is over, so a request to stop is ignored.
    (void)xta__notify_progress(run, true, NULL);

done:
    xta__resume_log_close(&run->resume_log, false, NULL);
    fill_report(run);
    release_memory(run);
    pthread_mutex_destroy(&run->lock);
    pthread_mutex_destroy(&run->serial_lock);
    pthread_cond_destroy(&run->changed);
    free(run);
    return status;
}

xta_status xta_repartition_run(xta_blocks *from, xta_blocks *to,
                               const xta_repartition_options *options,
                               xta_repartition_report *report, xta_error *err)
{
    return xta__repartition_run(from, to, options, 0, report, err);
}
