/* Every cell is visited: runs are counted by the positions of cells in their blocks, memory by the
 * cells that are read and not yet written.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rechunk_judge.h"

#include <stdlib.h>
#include <string.h>

#define CHECK(condition, ...) STORY_CHECK(j->story, condition, __VA_ARGS__)

static xta_block_home home_of(const judge *j, int side)
{
    return side == 0 ? j->problem->from_home : j->problem->to_home;
}

static void list_cuts(judge *j, int side, int axis)
{
    const xta_cuts *cuts = side == 0 ? &j->problem->from.axis[axis] : &j->problem->to.axis[axis];
    int64_t lo = j->problem->bounds.lo[axis], hi = j->problem->bounds.hi[axis];
    judge_cuts *list = &j->cuts[side][axis];

    list->n = 0;
    list->edge[0] = lo;
    for (int64_t x = lo + 1; x <= hi; x++) {
        bool cut = x == hi;
        if (cuts->length > 0) {
            cut |= (x - cuts->origin) % cuts->length == 0;
        }
        for (int64_t k = 0; cuts->length == 0 && k < cuts->n_edges; k++) {
            cut |= cuts->edges[k] == x;
        }
        if (cut) {
            list->edge[++list->n] = x;
        }
    }
    list->slot = cuts->length > 0 && home_of(j, side) != XTA_BLOCKS_FILES ? cuts->length : 0;
}

void judge_init(judge *j, const test_story *story, const xta_rechunk_problem *problem)
{
    memset(j, 0, sizeof *j);
    j->story = story;
    j->problem = problem;
    j->n_cells = j->n_to = 1;
    j->seen.n_from = j->seen.n_to = 1;
    for (int d = 0; d < problem->bounds.ndim; d++) {
        list_cuts(j, 0, d);
        list_cuts(j, 1, d);
        j->n_cells *= (uint64_t)(problem->bounds.hi[d] - problem->bounds.lo[d]);
        j->seen.n_from *= (uint64_t)j->cuts[0][d].n;
        j->seen.n_to *= (uint64_t)j->cuts[1][d].n;
    }
    j->n_to = j->seen.n_to;
    j->reader = malloc(j->n_cells * sizeof *j->reader);
    j->written = calloc(j->n_cells, sizeof *j->written);
    for (int side = 0; side < 2; side++) {
        uint64_t n = side == 0 ? j->seen.n_from : j->seen.n_to;
        j->owner[side] = malloc(n * sizeof *j->owner[side]);
        memset(j->owner[side], 0xff, n * sizeof *j->owner[side]);
    }
    memset(j->reader, 0xff, j->n_cells * sizeof *j->reader);
}

void judge_clear(judge *j)
{
    free(j->reader);
    free(j->written);
    free(j->owner[0]);
    free(j->owner[1]);
    free(j->left);
    free(j->bytes);
    free(j->fragment_left);
    free(j->fragment_bytes);
    memset(j, 0, sizeof *j);
}

static void reserve(judge *j)
{
    if (j->n_ops == j->capacity) {
        int64_t old = j->capacity;
        j->capacity = 2 * old + 16;
        size_t n = (size_t)j->capacity, parts = n * j->n_to;
        j->left = realloc(j->left, n * sizeof *j->left);
        j->bytes = realloc(j->bytes, n * sizeof *j->bytes);
        j->fragment_left = realloc(j->fragment_left, parts * sizeof *j->fragment_left);
        j->fragment_bytes = realloc(j->fragment_bytes, parts * sizeof *j->fragment_bytes);
        size_t from = (size_t)old * j->n_to;
        memset(j->fragment_left + from, 0, (parts - from) * sizeof *j->fragment_left);
        memset(j->fragment_bytes + from, 0, (parts - from) * sizeof *j->fragment_bytes);
    }
}

/* Step to the next cell of a box, row-major; false after the last. */
static bool next_cell(const xta_box *box, int64_t c[])
{
    for (int d = box->ndim - 1; d >= 0; d--) {
        if (++c[d] < box->hi[d]) {
            return true;
        }
        c[d] = box->lo[d];
    }
    return false;
}

static uint64_t place_in(const xta_box *box, const int64_t c[])
{
    uint64_t at = 0;

    for (int d = 0; d < box->ndim; d++) {
        at = at * (uint64_t)(box->hi[d] - box->lo[d]) + (uint64_t)(c[d] - box->lo[d]);
    }
    return at;
}

/* The number of the block on an axis that contains x. */
static int64_t block_on(const judge_cuts *cuts, int64_t x)
{
    int64_t k = 0;

    while (cuts->edge[k + 1] <= x) {
        k++;
    }
    return k;
}

static uint64_t block_at(const judge *j, int side, const int64_t c[])
{
    uint64_t number = 0;

    for (int d = 0; d < j->problem->bounds.ndim; d++) {
        const judge_cuts *cuts = &j->cuts[side][d];
        number = number * (uint64_t)cuts->n + (uint64_t)block_on(cuts, c[d]);
    }
    return number;
}

/* The box of the block, and the slot in which it is stored. */
static void block_box(const judge *j, int side, const int64_t block[], xta_box *box, xta_box *slot)
{
    box->ndim = slot->ndim = j->problem->bounds.ndim;
    for (int d = 0; d < box->ndim; d++) {
        const judge_cuts *cuts = &j->cuts[side][d];
        const xta_cuts *given = side == 0 ? &j->problem->from.axis[d] : &j->problem->to.axis[d];
        box->lo[d] = slot->lo[d] = cuts->edge[block[d]];
        box->hi[d] = slot->hi[d] = cuts->edge[block[d] + 1];
        if (cuts->slot > 0) {
            while ((slot->lo[d] - given->origin) % given->length != 0) {
                slot->lo[d]--;
            }
            slot->hi[d] = slot->lo[d] + cuts->slot;
        }
    }
}

static uint64_t cells_of(const xta_box *box)
{
    uint64_t n = 1;

    for (int d = 0; d < box->ndim; d++) {
        n *= (uint64_t)(box->hi[d] - box->lo[d]);
    }
    return n;
}

/* The box with its axes in reverse. */
static xta_box reversed(const xta_box *box)
{
    xta_box out = {.ndim = box->ndim};

    for (int d = 0; d < box->ndim; d++) {
        out.lo[d] = box->lo[box->ndim - 1 - d];
        out.hi[d] = box->hi[box->ndim - 1 - d];
    }
    return out;
}

/* Runs, by brute force: count the cells that do not directly follow the previous one. */
static uint64_t count_runs(const judge *j, int side, const xta_box *given,
                           const xta_box *given_slot)
{
    bool column = side == 0 ? j->problem->from_column : j->problem->to_column;
    const xta_box piece = column ? reversed(given) : *given;
    const xta_box slot = column ? reversed(given_slot) : *given_slot;
    int64_t c[XTA_MAX_NDIM];
    uint64_t runs = 0, expected = UINT64_MAX;

    memcpy(c, piece.lo, sizeof c);
    do {
        uint64_t at = place_in(&slot, c);
        runs += at != expected;
        expected = at + 1;
    } while (next_cell(&piece, c));
    return runs;
}

static void count_op(judge *j, const xta_rechunk_op *op, const xta_box *block, const xta_box *slot)
{
    int side = op->write ? 1 : 0;
    bool whole = xta_box_equal(&op->piece, block);
    bool all = home_of(j, side) == XTA_BLOCKS_WHOLE;
    uint64_t runs = whole || all ? 1 : count_runs(j, side, &op->piece, slot);
    uint64_t moved = (whole || all ? cells_of(slot) : cells_of(&op->piece));

    CHECK(op->whole == whole, "whole is %d", op->whole);
    CHECK(op->runs == runs, "%llu runs are said, there are %llu", (unsigned long long)op->runs,
          (unsigned long long)runs);
    CHECK(whole || !all || side == 0, "part of a block is written where only whole ones may be");
    *(op->write ? &j->seen.n_writes : &j->seen.n_reads) += 1;
    *(op->write ? &j->seen.write_runs : &j->seen.read_runs) += runs;
    *(op->write ? &j->seen.write_seeks : &j->seen.read_seeks) += 1 + (whole || all ? 0 : runs);
    *(op->write ? &j->seen.bytes_written : &j->seen.bytes_read) += moved * j->problem->cell_bytes;
}

static void judge_read(judge *j, const xta_rechunk_op *op)
{
    int64_t c[XTA_MAX_NDIM];
    int64_t number = j->n_ops;
    uint64_t *fragment_left, *fragment_bytes;

    reserve(j);
    j->n_ops++;
    fragment_left = j->fragment_left + (uint64_t)number * j->n_to;
    fragment_bytes = j->fragment_bytes + (uint64_t)number * j->n_to;
    j->left[number] = 0;
    memcpy(c, op->piece.lo, sizeof c);
    do {
        uint64_t at = place_in(&j->problem->bounds, c);
        CHECK(j->reader[at] < 0, "a cell is read twice");
        j->reader[at] = number;
        j->left[number]++;
        fragment_left[block_at(j, 1, c)]++;
    } while (next_cell(&op->piece, c));
    j->bytes[number] = j->left[number] * j->problem->cell_bytes;
    j->live += j->bytes[number];
    j->pieces += j->bytes[number];
    for (uint64_t b = 0; b < j->n_to; b++) {
        if (fragment_left[b] > 0) {
            fragment_bytes[b] = (fragment_left[b] * j->problem->cell_bytes + 63) / 64 * 64 + 64;
            j->parts += fragment_bytes[b];
        }
    }
    j->seen.peak_live_bytes = j->live > j->seen.peak_live_bytes ? j->live : j->seen.peak_live_bytes;
    j->peak_pieces = j->pieces > j->peak_pieces ? j->pieces : j->peak_pieces;
    j->peak_parts = j->parts > j->peak_parts ? j->parts : j->peak_parts;
}

static void judge_write(judge *j, const xta_rechunk_op *op)
{
    int64_t c[XTA_MAX_NDIM];

    memcpy(c, op->piece.lo, sizeof c);
    do {
        uint64_t at = place_in(&j->problem->bounds, c);
        int64_t number = j->reader[at];
        CHECK(number >= 0, "a cell is written before it is read");
        CHECK(!j->written[at], "a cell is written twice");
        j->written[at] = true;
        j->live -= j->problem->cell_bytes;
        if (--j->left[number] == 0) {
            j->pieces -= j->bytes[number];
        }
        uint64_t part = (uint64_t)number * j->n_to + block_at(j, 1, c);
        if (--j->fragment_left[part] == 0) {
            j->parts -= j->fragment_bytes[part];
        }
    } while (next_cell(&op->piece, c));
}

void judge_op(judge *j, const xta_rechunk_op *op)
{
    int side = op->write ? 1 : 0;
    xta_box block, slot;
    uint64_t number = 0;

    CHECK(op->piece.ndim == j->problem->bounds.ndim && !xta_box_empty(&op->piece) &&
              xta_box_contains(&j->problem->bounds, &op->piece),
          "a piece is empty or leaves the bounds");
    for (int d = 0; d < op->piece.ndim; d++) {
        CHECK(op->block[d] >= 0 && op->block[d] < j->cuts[side][d].n, "there is no block %lld",
              (long long)op->block[d]);
        number = number * (uint64_t)j->cuts[side][d].n + (uint64_t)op->block[d];
    }
    block_box(j, side, op->block, &block, &slot);
    CHECK(xta_box_contains(&block, &op->piece), "a piece leaves its block");
    count_op(j, op, &block, &slot);
    int64_t *owner = &j->owner[side][number];
    CHECK(*owner < 0 || *owner == (int64_t)op->component, "two components share a block");
    *owner = (int64_t)op->component;
    if (op->write) {
        judge_write(j, op);
    } else {
        judge_read(j, op);
    }
}

#define SAME(field)                                                                \
    CHECK(facts->field == j->seen.field, #field " is said to be %llu, it is %llu", \
          (unsigned long long)facts->field, (unsigned long long)j->seen.field)

void judge_end(judge *j, const xta_rechunk_facts *facts)
{
    bool parts = facts->hold == XTA_HOLD_FRAGMENTS;
    bool allocated = j->problem->account == XTA_ACCOUNT_ALLOCATED;

    for (uint64_t at = 0; at < j->n_cells; at++) {
        CHECK(j->written[at], "a cell is not written");
    }
    j->seen.peak_allocated_bytes =
        (parts ? j->peak_parts : j->peak_pieces) + facts->staging_bytes * (parts ? 2 : 1);
    SAME(n_from);
    SAME(n_to);
    SAME(n_reads);
    SAME(n_writes);
    SAME(read_runs);
    SAME(write_runs);
    SAME(read_seeks);
    SAME(write_seeks);
    SAME(bytes_read);
    SAME(bytes_written);
    SAME(peak_live_bytes);
    SAME(peak_allocated_bytes);
    CHECK((allocated ? facts->peak_allocated_bytes : facts->peak_live_bytes) <=
              j->problem->memory_bytes,
          "more memory than allowed");
    CHECK(facts->at_lower_bound ==
              (facts->read_runs + facts->write_runs == facts->n_from + facts->n_to),
          "at_lower_bound");
}
