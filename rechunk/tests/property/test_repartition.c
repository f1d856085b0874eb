/* Random repartitions between grids in memory.
 *
 * Checked are: every cell arrives, is read once and written once; the cells moved, their order and
 * the number of contiguous runs are those of the plan; and the memory for cells never exceeds the
 * limit, which is measured by wrapping the allocator.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "executor/budget.h"
#include "property/fake_grid.h"
#include "support/report.h"

static test_story story;
static xta_error err;

/* ---- memory, counted through the linker's --wrap ---- */

static pthread_mutex_t memory_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t memory_now, memory_peak;

void *__real_xta__budget_alloc(xta__budget *budget, size_t bytes);
void __real_xta__budget_give(xta__budget *budget, void *memory, size_t bytes);
void *__wrap_xta__budget_alloc(xta__budget *budget, size_t bytes);
void __wrap_xta__budget_give(xta__budget *budget, void *memory, size_t bytes);

void *__wrap_xta__budget_alloc(xta__budget *budget, size_t bytes)
{
    void *memory = __real_xta__budget_alloc(budget, bytes);

    pthread_mutex_lock(&memory_lock);
    memory_now += memory != NULL ? bytes : 0;
    memory_peak = memory_now > memory_peak ? memory_now : memory_peak;
    pthread_mutex_unlock(&memory_lock);
    // Memory used before it is filled must not be right by chance.
    if (memory != NULL) {
        memset(memory, 0xdd, bytes);
    }
    return memory;
}

void __wrap_xta__budget_give(xta__budget *budget, void *memory, size_t bytes)
{
    pthread_mutex_lock(&memory_lock);
    memory_now -= memory != NULL ? bytes : 0;
    pthread_mutex_unlock(&memory_lock);
    __real_xta__budget_give(budget, memory, bytes);
}

void __real_xta__budget_trim(xta__budget *budget, uint8_t *memory, size_t from, size_t to);
void __real_xta__budget_untrim(xta__budget *budget, size_t bytes);
void __wrap_xta__budget_trim(xta__budget *budget, uint8_t *memory, size_t from, size_t to);
void __wrap_xta__budget_untrim(xta__budget *budget, size_t bytes);

static uint64_t n_trims;

void __wrap_xta__budget_trim(xta__budget *budget, uint8_t *memory, size_t from, size_t to)
{
    __real_xta__budget_trim(budget, memory, from, to);
    memset(memory + from, 0xdd, to - from);
    pthread_mutex_lock(&memory_lock);
    memory_now -= to - from;
    n_trims++;
    pthread_mutex_unlock(&memory_lock);
}

/* Bytes counted twice are freed at once, so they do not count as a peak. */
void __wrap_xta__budget_untrim(xta__budget *budget, size_t bytes)
{
    pthread_mutex_lock(&memory_lock);
    memory_now += bytes;
    pthread_mutex_unlock(&memory_lock);
    __real_xta__budget_untrim(budget, bytes);
}

/* ---- one case ---- */

typedef struct one_case {
    fake_grid from, to;
    xta_repartition_options options;
    xta_partition buffer; /* of keep, if it is given */
    xta_rechunk_plan *plan;
    xta_rechunk_facts facts;
} one_case;

static const xta_block_home homes[] = {XTA_BLOCKS_FILES, XTA_BLOCKS_CHUNKS, XTA_BLOCKS_WHOLE};

static void report_case(const one_case *c)
{
    char text[256] = "";

    for (int s = 0; s < 2; s++) {
        const xta_blocks *blocks = s == 0 ? &c->from.blocks : &c->to.blocks;
        size_t n = 0;
        for (int a = 0; a < blocks->bounds.ndim; a++) {
            const xta_cuts *cuts = &blocks->partition.axis[a];
            n += (size_t)snprintf(text + n, sizeof text - n, " [%lld,%lld) by %lld at %lld/%lld;",
                                  (long long)blocks->bounds.lo[a], (long long)blocks->bounds.hi[a],
                                  (long long)cuts->length, (long long)cuts->origin,
                                  (long long)cuts->n_edges);
        }
        test_story_add(&story, "%s home %d column %d:%s", blocks->name, (int)blocks->home,
                       blocks->column, text);
    }
    test_story_add(&story, "variants %#x, buffers of %d axes", c->options.variants,
                   c->options.buffer.ndim);
    test_story_add(&story, "cells of %u bytes, strategy %s, limit %llu, %d threads",
                   c->from.blocks.cell_bytes, xta_rechunk_strategy_name(c->options.strategy),
                   (unsigned long long)c->options.memory_bytes, c->options.n_threads);
}

static void make_case(one_case *c, test_random *random)
{
    static const uint32_t cell_bytes[] = {1, 2, 3, 4, 8, 16};
    static const int64_t most[] = {0, 300, 40, 14, 8, 6};
    xta_box bounds = {.ndim = (int)test_random_in(random, 1, 5)};
    uint32_t cell = cell_bytes[test_random_in(random, 0, 5)];
    xta_block_home home[2];

    for (int a = 0; a < bounds.ndim; a++) {
        bounds.lo[a] = test_random_in(random, -15, 15);
        bounds.hi[a] = bounds.lo[a] + test_random_in(random, 1, most[bounds.ndim]);
    }
    for (int s = 0; s < 2; s++) {
        home[s] = homes[test_random_chance(random, 15) ? 2 : test_random_in(random, 0, 1)];
    }
    const xta_partition from = fake_partition(random, &bounds, home[0] == XTA_BLOCKS_CHUNKS);
    const xta_partition to = fake_partition(random, &bounds, home[1] == XTA_BLOCKS_CHUNKS);
    fake_grid_init(&c->from, "source", &bounds, &from, home[0], cell, false);
    fake_grid_init(&c->to, "target", &bounds, &to, home[1], cell, true);
    c->from.blocks.column = test_random_chance(random, 30);
    c->to.blocks.column = test_random_chance(random, 30);
    c->options = (xta_repartition_options)XTA_REPARTITION_OPTIONS_INIT;
    c->options.strategy = (xta_rechunk_strategy)test_random_in(random, 0, 4);
    c->options.n_threads = (int)test_random_in(random, 1, 2);
    if (c->options.strategy <= XTA_RECHUNK_KEEP && test_random_chance(random, 50)) {
        c->options.variants = (unsigned)test_random_in(random, 1, 7);
    }
    if (c->options.strategy == XTA_RECHUNK_KEEP && test_random_chance(random, 30)) {
        c->buffer = fake_partition(random, &bounds, false);
        c->options.buffer = c->buffer;
    }
    // Limits of all magnitudes, from less than a row to more than everything.
    uint64_t all = c->from.n_cells * cell * 3 + 1024;
    c->options.memory_bytes = all >> test_random_in(random, 0, 9);
    c->options.memory_bytes += c->options.memory_bytes == 0;
    c->options.verify = test_random_chance(random, 30);
}

/* The plan of the run. For a limit that is too small the error names one that is enough. */
static bool make_plan(one_case *c)
{
    xta_status status =
        xta_repartition_plan(&c->from.blocks, &c->to.blocks, &c->options, &c->plan, &err);

    if (status == XTA_ENOMEM) {
        const char *enough = strrchr(err.text, ';');
        unsigned long long bytes = 0;
        STORY_CHECK(&story, enough != NULL && sscanf(enough, "; %llu bytes", &bytes) == 1,
                    "a limit is too small: \"%s\" does not say what is enough", err.text);
        STORY_CHECK(&story, bytes > c->options.memory_bytes, "less than the limit is enough: %s",
                    err.text);
        c->options.memory_bytes = bytes;
        test_story_add(&story, "limit now %llu", bytes);
        status = xta_repartition_plan(&c->from.blocks, &c->to.blocks, &c->options, &c->plan, &err);
    }
    if (status == XTA_EUNSUPPORTED && c->to.blocks.home == XTA_BLOCKS_WHOLE) {
        return false;
    }
    STORY_OK(&story, status, err);
    c->facts = *xta_rechunk_plan_facts(c->plan);
    return true;
}

/* ---- checking ---- */

static void check_cells(const one_case *c)
{
    STORY_CHECK(&story,
                memcmp(c->from.cells, c->to.cells, c->from.n_cells * c->from.blocks.cell_bytes) ==
                    0,
                "cells differ");
    for (uint64_t k = 0; k < c->from.n_cells; k++) {
        STORY_CHECK(&story, c->to.count[k] == 1, "cell %llu was written %u times",
                    (unsigned long long)k, c->to.count[k]);
        STORY_CHECK(&story, c->from.count[k] == 1, "cell %llu was read %u times",
                    (unsigned long long)k, c->from.count[k]);
    }
}

static uint64_t cells_of(const xta_box *box)
{
    uint64_t n = 0;

    STORY_CHECK(&story, xta_box_cells(box, &n) == XTA_OK, "a box of too many cells");
    return n;
}

/* The moves of one operation, from number `k` on: slices that together cover its piece. Returns the
 * number of the next move. */
static size_t check_op(const fake_grid *grid, const xta_rechunk_op *op, size_t k)
{
    uint64_t wanted = cells_of(&op->piece), seen = 0;

    while (seen < wanted) {
        STORY_CHECK(&story, k < grid->n_moves, "%s: a piece of the plan was not moved",
                    grid->blocks.name);
        const fake_move *move = &grid->moves[k++];
        STORY_CHECK(&story,
                    memcmp(move->block, op->block, (size_t)op->piece.ndim * sizeof op->block[0]) ==
                            0 &&
                        xta_box_contains(&op->piece, &move->piece),
                    "%s: move %zu is not of the piece that comes next in the plan",
                    grid->blocks.name, k - 1);
        seen += cells_of(&move->piece);
    }
    STORY_CHECK(&story, seen == wanted, "%s: slices of a piece overlap", grid->blocks.name);
    return k;
}

static void check_moves(const one_case *c, const xta_repartition_report *report)
{
    xta_rechunk_iterator *walk = NULL;
    xta_rechunk_op op;
    size_t reads = 0, writes = 0;
    uint64_t runs[2] = {0, 0};

    STORY_OK(&story, xta_rechunk_iterator_new(c->plan, 0, c->facts.n_components, &walk, &err), err);
    while (xta_rechunk_iterator_next(walk, &op)) {
        const fake_grid *grid = op.write ? &c->to : &c->from;
        size_t *k = op.write ? &writes : &reads;
        *k = check_op(grid, &op, *k);
        uint64_t counted = grid->blocks.home == XTA_BLOCKS_WHOLE
                               ? op.runs
                               : fake_runs(&grid->blocks, op.block, &op.piece);
        STORY_CHECK(&story,
                    grid->blocks.home == XTA_BLOCKS_CHUNKS && op.whole ? op.runs == 1
                                                                       : op.runs == counted,
                    "%s: a piece has %llu runs, the plan says %llu", grid->blocks.name,
                    (unsigned long long)counted, (unsigned long long)op.runs);
        runs[op.write] += op.runs;
    }
    xta_rechunk_iterator_free(walk);
    STORY_CHECK(&story, reads == c->from.n_moves && writes == c->to.n_moves,
                "more was moved than the plan says");
    STORY_CHECK(&story, runs[0] == report->runs_read && runs[1] == report->runs_written,
                "the report has %llu + %llu runs, the plan %llu + %llu",
                (unsigned long long)report->runs_read, (unsigned long long)report->runs_written,
                (unsigned long long)runs[0], (unsigned long long)runs[1]);
    STORY_CHECK(&story, runs[0] == c->facts.read_runs && runs[1] == c->facts.write_runs,
                "walk and facts of the plan differ in their runs");
}

static void check_memory(const one_case *c, const xta_repartition_report *report)
{
    STORY_CHECK(&story, memory_now == 0, "%llu bytes were not given back",
                (unsigned long long)memory_now);
    STORY_CHECK(&story, memory_peak <= c->options.memory_bytes,
                "%llu bytes at once, the limit is %llu", (unsigned long long)memory_peak,
                (unsigned long long)c->options.memory_bytes);
    STORY_CHECK(&story, report->peak_bytes == memory_peak, "the report says %llu, it was %llu",
                (unsigned long long)report->peak_bytes, (unsigned long long)memory_peak);
    STORY_CHECK(&story, c->options.n_threads == 2 || memory_peak == c->facts.peak_allocated_bytes,
                "%llu bytes at once, the plan says %llu", (unsigned long long)memory_peak,
                (unsigned long long)c->facts.peak_allocated_bytes);
}

static void run_case(uint64_t seed, uint64_t part)
{
    test_random random = test_random_make(seed, part);
    xta_repartition_report report;
    one_case c = {.plan = NULL};

    test_story_begin(&story, "test_repartition", seed, part);
    make_case(&c, &random);
    report_case(&c);
    if (make_plan(&c)) {
        memory_now = memory_peak = 0;
        bool verify = c.options.verify;
        c.options.verify = false;
        STORY_OK(&story,
                 xta_repartition_run(&c.from.blocks, &c.to.blocks, &c.options, &report, &err), err);
        check_cells(&c);
        check_moves(&c, &report);
        check_memory(&c, &report);
        STORY_CHECK(&story, c.to.n_finished == c.facts.n_to, "%llu blocks finished of %llu",
                    (unsigned long long)c.to.n_finished, (unsigned long long)c.facts.n_to);
        c.options.verify = verify;
    }
    if (c.plan != NULL && c.options.verify) {
        // Once more, with the verification pass: it reads both sides, and nothing else changes.
        fake_grid_forget(&c.from);
        fake_grid_forget(&c.to);
        memory_now = memory_peak = 0;
        STORY_OK(&story,
                 xta_repartition_run(&c.from.blocks, &c.to.blocks, &c.options, &report, &err), err);
        for (uint64_t k = 0; k < c.from.n_cells; k++) {
            STORY_CHECK(&story, c.from.count[k] == 2 && c.to.count[k] == 2,
                        "cell %llu was not verified", (unsigned long long)k);
        }
        check_memory(&c, &report);
    }
    for (int a = 0; a < c.buffer.ndim; a++) {
        free((void *)(uintptr_t)c.buffer.axis[a].edges);
    }
    xta_rechunk_plan_free(c.plan);
    fake_grid_clear(&c.from);
    fake_grid_clear(&c.to);
}

/* ---- parts of a plan, as several processes run them ---- */

static void run_in_parts(uint64_t seed, uint64_t part)
{
    test_random random = test_random_make(seed, part);
    xta_box bounds = xta_box_make(2, (int64_t[]){-3, 0}, (int64_t[]){45, 30});
    const xta_partition from = xta_partition_regular(2, (int64_t[]){4, 5}, NULL);
    const xta_partition to = xta_partition_regular(2, (int64_t[]){6, 3}, NULL);
    one_case c = {.plan = NULL};

    test_story_begin(&story, "test_repartition in parts", seed, part);
    fake_grid_init(&c.from, "source", &bounds, &from, XTA_BLOCKS_FILES, 2, false);
    fake_grid_init(&c.to, "target", &bounds, &to, XTA_BLOCKS_FILES, 2, true);
    c.options = (xta_repartition_options)XTA_REPARTITION_OPTIONS_INIT;
    c.options.memory_bytes = 4096;
    STORY_CHECK(&story, make_plan(&c), "no plan");
    STORY_CHECK(&story, c.facts.n_components > 3, "only %llu components",
                (unsigned long long)c.facts.n_components);
    for (uint64_t k = 0; k < c.facts.n_components;) {
        uint64_t n = (uint64_t)test_random_in(&random, 1, 3);
        c.options.first_component = k;
        c.options.n_components = k + n < c.facts.n_components ? n : 0;
        STORY_OK(&story, xta_repartition_run(&c.from.blocks, &c.to.blocks, &c.options, NULL, &err),
                 err);
        k += n;
    }
    check_cells(&c);
    c.options.first_component = c.facts.n_components;
    c.options.n_components = 1;
    STORY_FAILS(&story, xta_repartition_run(&c.from.blocks, &c.to.blocks, &c.options, NULL, &err),
                XTA_EARG, err);
    xta_rechunk_plan_free(c.plan);
    fake_grid_clear(&c.from);
    fake_grid_clear(&c.to);
}

/* Pieces that are large enough to be freed layer by layer. */
static void run_in_layers(xta_rechunk_strategy strategy)
{
    const xta_box bounds = xta_box_make(3, (int64_t[]){0, 0, 0}, (int64_t[]){6, 400, 500});
    const xta_partition from = xta_partition_regular(3, (int64_t[]){1, 400, 500}, NULL);
    const xta_partition to = xta_partition_regular(3, (int64_t[]){6, 30, 500}, NULL);
    xta_repartition_report report;
    one_case c = {.plan = NULL};

    test_story_begin(&story, "test_repartition in layers", 0, (uint64_t)strategy);
    fake_grid_init(&c.from, "source", &bounds, &from, XTA_BLOCKS_FILES, 2, false);
    fake_grid_init(&c.to, "target", &bounds, &to, XTA_BLOCKS_FILES, 2, true);
    c.options = (xta_repartition_options)XTA_REPARTITION_OPTIONS_INIT;
    c.options.memory_bytes = 4 << 20;
    c.options.strategy = strategy;
    c.options.n_threads = 2;
    STORY_CHECK(&story, make_plan(&c), "no plan");
    memory_now = memory_peak = 0;
    STORY_OK(&story, xta_repartition_run(&c.from.blocks, &c.to.blocks, &c.options, &report, &err),
             err);
    check_cells(&c);
    check_memory(&c, &report);
    xta_rechunk_plan_free(c.plan);
    fake_grid_clear(&c.from);
    fake_grid_clear(&c.to);
}

int main(void)
{
    uint64_t seed = test_seed("test_repartition", 20), n = test_scale(600);
    const char *only = getenv("XTA_PART");

    for (uint64_t k = only != NULL ? strtoull(only, NULL, 10) : 0; k < n; k++) {
        run_case(seed, k);
        if (only != NULL) {
            break;
        }
    }
    for (uint64_t k = 0; k < 5; k++) {
        run_in_parts(seed, k);
    }
    for (int k = 0; k < 5; k++) {
        run_in_layers((xta_rechunk_strategy)k);
    }
    STORY_CHECK(&story, n_trims > 10, "only %llu times layers were given back",
                (unsigned long long)n_trims);
    printf("test_repartition: %llu cases\n", (unsigned long long)n);
    return 0;
}
