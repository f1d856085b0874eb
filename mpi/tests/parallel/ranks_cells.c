/* Cells of an array shared by the ranks: written in boxes that do not overlap, read by every rank.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/ranks.h"

#include <stdlib.h>
#include <string.h>

#include "oracle/address.h"

#define MOST_BOXES 6 /* boxes of a zone in one step */

/* ---- moving boxes ---- */

static const char *name_of(bool write, bool collective)
{
    return write ? collective ? "write_all" : "write" : collective ? "read_all" : "read";
}

/* One call of this rank; `box` may be NULL if it is collective. */
static void move(ranks *t, bool write, bool collective, const xta_box *box, rig_memory *memory)
{
    const xta_io_options *options = box == NULL ? NULL : &memory->options;
    uint8_t *cells = box == NULL ? NULL : memory->block + memory->origin;
    xta_status status;
    xta_error err;

    if (write) {
        status = collective ? xta_parallel_write_all(t->p, box, options, cells, &err)
                            : xta_parallel_write(t->p, box, options, cells, &err);
    } else {
        status = collective ? xta_parallel_read_all(t->p, box, options, cells, &err)
                            : xta_parallel_read(t->p, box, options, cells, &err);
    }
    STORY_CHECK(&t->rig.story, status == XTA_OK, "%s: %s", name_of(write, collective), err.text);
}

static void compare_block(ranks *t, const char *what, const uint8_t *expected,
                          const rig_memory *memory)
{
    for (size_t i = 0; i < memory->block_bytes; i++) {
        STORY_CHECK(&t->rig.story, expected[i] == memory->block[i],
                    "rank %d, %s: byte %zu of %zu is %02x instead of %02x (type %s, %zu bytes a "
                    "cell)",
                    t->rank, what, i, memory->block_bytes, memory->block[i], expected[i],
                    xta_type_name(memory->type), memory->cell_bytes);
    }
}

/* Read a box on this rank, in a layout chosen by its own generator, and compare. */
static void read_box(ranks *t, const xta_box *box, bool collective)
{
    rig *r = &t->rig;
    rig_memory memory;

    rig_memory_make(r, box, true, rig_target_type(r), &memory);
    rig_story_box(r, "  this rank:", box, &memory);
    uint8_t *expected = rig_memory_expected(r, box, &memory);
    move(t, false, collective, box, &memory);
    compare_block(t, collective ? "read_all" : "read", expected, &memory);
    free(expected);
    rig_memory_clear(&memory);
}

/* ---- the boxes that each rank writes ---- */

/* The grid: the factors of the number of ranks, distributed to the axes at random. */
static void random_grid(ranks *t, int ndim, int grid[])
{
    int left = t->n_ranks;

    for (int axis = 0; axis < ndim; axis++) {
        grid[axis] = 1;
    }
    for (int factor = 2; left > 1; factor++) {
        while (left % factor == 0) {
            grid[test_random_in(&t->rig.random, 0, ndim - 1)] *= factor;
            left /= factor;
        }
    }
}

static int compare_cuts(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void ranks_distribute(ranks *t, rank_distribution *distribution)
{
    static const char *const kinds[] = {"block", "block-cyclic", "irregular"};
    test_random *random = &t->rig.random;
    xta_array_info info;
    xta_error err;

    STORY_OK(&t->rig.story, xta_array_inquire(xta_parallel_array(t->p), &info, &err), err);
    memset(distribution, 0, sizeof *distribution);
    distribution->how = (xta_distribution)XTA_DISTRIBUTION_INIT;
    distribution->how.kind =
        (xta_distribution_kind)test_random_in(random, XTA_BLOCK, XTA_IRREGULAR);
    random_grid(t, info.ndim, distribution->grid);
    if (distribution->how.kind == XTA_IRREGULAR || test_random_chance(random, 60)) {
        distribution->how.grid = distribution->grid;
    }
    for (int axis = 0; axis < info.ndim; axis++) {
        int64_t lo = oracle_floor_div(info.bounds.lo[axis], info.chunk[axis]);
        int64_t hi =
            oracle_floor_div(info.bounds.hi[axis] + info.chunk[axis] - 1, info.chunk[axis]);
        distribution->cycle[axis] = test_random_in(random, 1, 3);
        for (int k = 0; k + 1 < distribution->grid[axis]; k++) {
            distribution->places[axis][k] = test_random_in(random, lo, hi > lo ? hi : lo);
        }
        qsort(distribution->places[axis], (size_t)distribution->grid[axis] - 1, sizeof(int64_t),
              compare_cuts);
        distribution->cuts[axis] = distribution->places[axis];
    }
    if (distribution->how.kind == XTA_BLOCK_CYCLIC && test_random_chance(random, 80)) {
        distribution->how.cycle = distribution->cycle;
    }
    if (distribution->how.kind == XTA_IRREGULAR) {
        distribution->how.cuts = distribution->cuts;
    }
    test_story_add(&t->rig.story, "distribution %s, %s grid", kinds[distribution->how.kind],
                   distribution->how.grid != NULL ? "a given" : "a chosen");
}

/* Every rank gets a box for one write; all are made on all ranks, this rank's is written. */
static void write_boxes(ranks *t, const xta_box boxes[], bool may_step, bool collective)
{
    rig *r = &t->rig;
    rig_memory mine = {.block = NULL};
    const xta_box *box = NULL;

    for (int rank = 0; rank < t->n_ranks; rank++) {
        rig_memory memory;
        bool nothing = xta_box_empty(&boxes[rank]);
        if (nothing && test_random_chance(&r->random, 50)) {
            continue; // No cells: an empty box, or no box.
        }
        rig_memory_make(r, &boxes[rank], may_step, rig_source_type(r), &memory);
        rig_story_box(r, name_of(true, collective), &boxes[rank], &memory);
        rig_memory_write(r, &boxes[rank], &memory);
        if (rank == t->rank) {
            box = &boxes[rank];
            mine = memory;
            // The options point into the memory, which was reallocated.
            mine.options.strides = memory.options.strides != NULL ? mine.strides : NULL;
            mine.options.step = memory.options.step != NULL ? mine.step : NULL;
        } else {
            rig_memory_clear(&memory);
        }
    }
    if (collective || box != NULL) {
        move(t, true, collective, box, &mine);
    }
    rig_memory_clear(&mine);
}

/* Boxes that lie along chunk borders: those of the zones, some at a time. */
void ranks_write_zones(ranks *t)
{
    rig *r = &t->rig;
    bool collective = test_random_chance(&r->random, 50);
    xta_zones *zones = NULL;
    xta_box *boxes = calloc((size_t)t->n_ranks, sizeof *boxes);
    uint64_t most = 0, cells = 0, n = 0;
    rank_distribution distribution;
    xta_error err;

    ranks_distribute(t, &distribution);
    STORY_OK(&r->story, xta_parallel_zones(t->p, &distribution.how, &zones, &err), err);
    for (int rank = 0; rank < t->n_ranks; rank++) {
        uint64_t of_rank = xta_zones_n_boxes(zones, rank);
        most = of_rank > most ? of_rank : most;
        for (uint64_t k = 0; k < of_rank; k++) {
            xta_box box = xta_zones_cells(zones, rank, k, &r->model.bounds);
            STORY_CHECK(&r->story, xta_zones_rank_of_cell(zones, box.lo) == rank,
                        "the zones do not know whose box %d of rank %d is", (int)k, rank);
            STORY_CHECK(&r->story, xta_box_cells(&box, &n) == XTA_OK, "a small box overflows");
            cells += n;
        }
    }
    STORY_CHECK(&r->story, cells == oracle_cells_count(&r->model), "zones of %d cells in all",
                (int)cells);
    uint64_t first = most > MOST_BOXES
                         ? (uint64_t)test_random_in(&r->random, 0, (int64_t)(most - MOST_BOXES))
                         : 0;
    for (uint64_t k = first; k < most && k < first + MOST_BOXES; k++) {
        for (int rank = 0; rank < t->n_ranks; rank++) {
            boxes[rank] = r->model.bounds;
            boxes[rank].hi[0] = boxes[rank].lo[0];
            if (k < xta_zones_n_boxes(zones, rank)) {
                boxes[rank] = xta_zones_cells(zones, rank, k, &r->model.bounds);
            }
        }
        write_boxes(t, boxes, test_random_chance(&r->random, 20), collective);
    }
    xta_zones_free(zones);
    free(boxes);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Boxes not aligned with chunks: a random one, cut into slices, distributed to the ranks at random.
 */
void ranks_write_slices(ranks *t)
{
    rig *r = &t->rig;
    bool collective = test_random_chance(&r->random, 50);
    xta_box *boxes = calloc((size_t)t->n_ranks, sizeof *boxes);
    xta_box whole = rig_random_box(r, test_random_chance(&r->random, 50) ? 64 : 8);
    int axis = (int)test_random_in(&r->random, 0, whole.ndim - 1);
    int64_t at = whole.lo[axis];
    int first = (int)test_random_in(&r->random, 0, t->n_ranks - 1);

    for (int k = 0; k < t->n_ranks; k++) {
        xta_box *box = &boxes[(first + k) % t->n_ranks];
        *box = whole;
        box->lo[axis] = at;
        at = k + 1 == t->n_ranks
                 ? whole.hi[axis]
                 : test_random_in(&r->random, at, at + (whole.hi[axis] - at + 1) / 2);
        box->hi[axis] = at;
    }
    write_boxes(t, boxes, true, collective);
    free(boxes);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- reading ---- */

/* Continue with this rank's own generator; returns the common one. */
static test_random go_apart(ranks *t)
{
    test_random common = t->rig.random;

    t->rig.random = test_random_make(common.state, (uint64_t)t->rank + 1);
    return common;
}

static void come_together(ranks *t, test_random common)
{
    t->rig.random = common;
    test_random_u64(&t->rig.random);
}

void ranks_read(ranks *t)
{
    rig *r = &t->rig;

    test_story_add(&r->story, "read_all");
    test_random common = go_apart(t);
    xta_box box = rig_random_box(r, test_random_chance(&r->random, 30) ? 64 : 6);
    if (test_random_chance(&r->random, 15)) {
        move(t, false, true, NULL, NULL);
    } else {
        read_box(t, &box, true);
    }
    come_together(t, common);
}

void ranks_read_alone(ranks *t)
{
    rig *r = &t->rig;

    test_story_add(&r->story, "read");
    test_random common = go_apart(t);
    for (int k = (int)test_random_in(&r->random, 0, 3); k > 0; k--) {
        xta_box box = rig_random_box(r, test_random_chance(&r->random, 30) ? 64 : 6);
        read_box(t, &box, false);
    }
    come_together(t, common);
    MPI_Barrier(MPI_COMM_WORLD); // The next write must not overtake the reads.
}

void ranks_compare(ranks *t)
{
    rig *r = &t->rig;
    bool collective = test_random_chance(&r->random, 50);

    test_story_add(&r->story, "all ranks read everything, %s", name_of(false, collective));
    test_random common = go_apart(t);
    read_box(t, &r->model.bounds, collective);
    come_together(t, common);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- what is refused ---- */

/* One rank's box leaves the bounds: all ranks get an error, and no cell of any rank is written. */
void ranks_refused(ranks *t)
{
    rig *r = &t->rig;
    xta_error err;
    int who = (int)test_random_in(&r->random, 0, t->n_ranks - 1);
    bool write = test_random_chance(&r->random, 60);
    xta_box box = rig_random_box(r, 4);
    int axis = (int)test_random_in(&r->random, 0, box.ndim - 1);
    uint64_t n = 0;

    if (xta_box_empty(&r->model.bounds)) {
        return;
    }
    test_story_add(&r->story, "rank %d leaves axis %d", who, axis);
    for (int k = 0; k < box.ndim; k++) {
        box.hi[k] = box.hi[k] > box.lo[k] ? box.hi[k] : box.lo[k] + 1;
    }
    if (t->rank == who) {
        box.hi[axis] = r->model.bounds.hi[axis] + 1;
    }
    STORY_CHECK(&r->story, xta_box_cells(&box, &n) == XTA_OK, "a small box overflows");
    uint8_t *block = calloc((size_t)n + 1, r->cell_bytes);
    if (write) {
        STORY_FAILS(&r->story, xta_parallel_write_all(t->p, &box, NULL, block, &err), XTA_EBOX,
                    err);
    } else {
        STORY_FAILS(&r->story, xta_parallel_read_all(t->p, &box, NULL, block, &err), XTA_EBOX, err);
    }
    free(block);
}

/* ---- zones in memory ---- */

/* The position of a cell of this rank in its zone, in cells on one axis: the number of this rank's
 * cells before it, counted one by one. */
static int64_t place_on_axis(const ranks *t, const xta_zones *zones, const int64_t cell[], int axis)
{
    int64_t before[XTA_MAX_NDIM], n = 0;

    memcpy(before, cell, sizeof before);
    for (int64_t at = t->rig.model.bounds.lo[axis]; at < cell[axis]; at++) {
        before[axis] = at;
        n += xta_zones_rank_of_cell(zones, before) == t->rank;
    }
    return n;
}

/* This rank's own zone, cell by cell, in place. */
static void check_local(ranks *t, xta_zone_memory *memory)
{
    rig *r = &t->rig;
    const xta_zones *zones = xta_zone_memory_zones(memory);
    int64_t strides[XTA_MAX_NDIM], cell[XTA_MAX_NDIM];
    const uint8_t *local = xta_zone_memory_local(memory, NULL, strides);
    uint8_t expected[64];

    memcpy(cell, r->model.bounds.lo, sizeof cell);
    do {
        if (xta_box_empty(&r->model.bounds) || xta_zones_rank_of_cell(zones, cell) != t->rank) {
            continue;
        }
        const uint8_t *at = local;
        for (int axis = 0; axis < r->model.bounds.ndim; axis++) {
            at += place_on_axis(t, zones, cell, axis) * strides[axis];
        }
        oracle_encode(r->type, r->cell_bytes, *oracle_cells_at(&r->model, cell), expected);
        STORY_CHECK(&r->story, memcmp(at, expected, r->cell_bytes) == 0,
                    "rank %d: a cell of its zone is wrong: byte %d is %02x instead of %02x",
                    t->rank, (int)(at - local), at[0], expected[0]);
    } while (oracle_next(&r->model.bounds, NULL, cell));
}

/* A box read from the zones, dense, against the model. */
static void get_box(ranks *t, xta_zone_memory *memory)
{
    rig *r = &t->rig;
    xta_box box = rig_random_box(r, test_random_chance(&r->random, 50) ? 64 : 5);
    rig_memory block;
    xta_error err;

    do { // Dense, in the array's type; the others are for calls that take options.
        rig_memory_make(r, &box, false, r->type, &block);
        if (block.options.strides != NULL) {
            rig_memory_clear(&block);
        }
    } while (block.block == NULL);
    uint8_t *expected = rig_memory_expected(r, &box, &block);
    STORY_OK(&r->story, xta_zone_memory_get(memory, &box, block.options.order, block.block, &err),
             err);
    compare_block(t, "zone_memory_get", expected, &block);
    free(expected);
    rig_memory_clear(&block);
}

/* Every rank puts a few boxes, one rank after the other, into the zones of any ranks. */
static void put_boxes(ranks *t, xta_zone_memory *memory)
{
    rig *r = &t->rig;
    rig_memory block;
    xta_error err;

    for (int rank = 0; rank < t->n_ranks; rank++) {
        xta_box box = rig_random_box(r, 8);
        rig_memory_make(r, &box, false, r->type, &block);
        rig_story_box(r, "put", &box, &block);
        bool dense = block.options.strides == NULL;
        if (dense) {
            rig_memory_write(r, &box, &block);
        }
        if (dense && rank == t->rank) {
            STORY_OK(&r->story,
                     xta_zone_memory_put(memory, &box, block.options.order, block.block, &err),
                     err);
        }
        rig_memory_clear(&block);
        STORY_OK(&r->story, xta_zone_memory_fence(memory, &err), err);
    }
}

/* From the file into zones, changed there by every rank, and back. */
void ranks_zone_memory(ranks *t)
{
    rig *r = &t->rig;
    xta_zone_memory *memory = NULL;
    rank_distribution distribution;
    xta_error err;
    xta_order order = test_random_chance(&r->random, 50) ? XTA_ROW : XTA_COLUMN;

    ranks_distribute(t, &distribution);
    test_story_add(&r->story, "zones in memory, %s", order == XTA_ROW ? "row" : "column");
    STORY_OK(&r->story, xta_zone_memory_new(t->p, &distribution.how, order, &memory, &err), err);
    STORY_OK(&r->story, xta_zone_memory_load(memory, &err), err);
    check_local(t, memory);
    test_random common = go_apart(t);
    get_box(t, memory);
    come_together(t, common);
    STORY_OK(&r->story, xta_zone_memory_fence(memory, &err), err);
    put_boxes(t, memory);
    check_local(t, memory);
    STORY_OK(&r->story, xta_zone_memory_store(memory, &err), err);
    common = go_apart(t);
    get_box(t, memory);
    come_together(t, common);
    STORY_OK(&r->story, xta_zone_memory_free(memory, &err), err);
}
