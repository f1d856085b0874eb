/* Blocks and groups of a reduced axis.
 *
 * A slot is what one block has of one group. Without groups there is one slot for each block; with
 * groups the coordinates of each block are sorted by group.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "reduction/slots.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/checked.h"
#include "util/try.h"

static xta_status no_memory(xta_error *err, uint64_t n, const char *what)
{
    return xta__fail(err, XTA_ENOMEM, 0, "no memory for %" PRIu64 " %s", n, what);
}

static xta_status make_blocks(xta__slot_axis *axis, xta_error *err)
{
    axis->first_block = xta__floor_div(axis->lo, XTA__BLOCK_CELLS);
    axis->n_blocks =
        (size_t)(xta__floor_div(axis->hi - 1, XTA__BLOCK_CELLS) - axis->first_block + 1);
    axis->begin = xta__calloc(axis->n_blocks + 1, sizeof axis->begin[0]);
    return axis->begin != NULL ? XTA_OK : no_memory(err, axis->n_blocks, "blocks");
}

xta_status xta__slots_of_blocks(xta__slot_axis *axis, xta_error *err)
{
    xta_status status = make_blocks(axis, err);

    if (status != XTA_OK) {
        return status;
    }
    axis->n_slots = axis->n_blocks;
    axis->most_slots = 1;
    axis->slots = xta__calloc(axis->n_slots, sizeof axis->slots[0]);
    if (axis->slots == NULL) {
        return no_memory(err, axis->n_slots, "blocks");
    }
    for (size_t k = 0; k < axis->n_blocks; k++) {
        axis->slots[k].block = axis->first_block + (int64_t)k;
        axis->begin[k + 1] = k + 1;
    }
    return XTA_OK;
}

/* ---- groups ---- */

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

xta_status xta_reduce_distinct_labels(const int64_t *labels, int64_t n_labels, int64_t **distinct,
                                      size_t *n, xta_error *err)
{
    int64_t *sorted = xta__calloc((size_t)n_labels + 1, sizeof sorted[0]);
    size_t count = 0, kept = 0;

    xta__clear(err);
    *distinct = NULL;
    *n = 0;
    if (sorted == NULL) {
        return no_memory(err, (uint64_t)n_labels, "labels");
    }
    for (int64_t k = 0; k < n_labels; k++) {
        if (labels[k] >= 0) {
            sorted[count++] = labels[k];
        }
    }
    qsort(sorted, count, sizeof sorted[0], by_value);
    for (size_t k = 0; k < count; k++) {
        if (kept == 0 || sorted[kept - 1] != sorted[k]) {
            sorted[kept++] = sorted[k];
        }
    }
    if (kept == 0) {
        free(sorted);
        return XTA_OK;
    }
    *distinct = sorted;
    *n = kept;
    return XTA_OK;
}

/* The group of a coordinate; -1: none. */
static int64_t group_of(const xta__reduction *r, int64_t at)
{
    size_t lo = 0, hi = r->n_groups;

    if (r->options.group_length > 0) {
        return xta__floor_div(at, r->options.group_length) - r->first_group;
    }
    int64_t label = r->options.labels[at - r->reduced[r->grouped].lo];
    if (label < 0) {
        return -1;
    }
    while (hi - lo > 1) {
        size_t middle = lo + (hi - lo) / 2;
        if (r->labels[middle] <= label) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    return (int64_t)lo;
}

/* The groups of the coordinates [from, to), each once, in ascending order. */
static size_t distinct_groups(const xta__reduction *r, int64_t from, int64_t to,
                              int64_t groups[XTA__BLOCK_CELLS])
{
    size_t count = 0, n = 0;

    for (int64_t at = from; at < to; at++) {
        int64_t group = group_of(r, at);
        if (group >= 0 && (count == 0 || groups[count - 1] != group)) {
            groups[count++] = group;
        }
    }
    qsort(groups, count, sizeof groups[0], by_value);
    for (size_t k = 0; k < count; k++) {
        if (n == 0 || groups[n - 1] != groups[k]) {
            groups[n++] = groups[k];
        }
    }
    return n;
}

/* Number the slots of one block; the first time only count them. */
static size_t number_block(const xta__reduction *r, xta__slot_axis *axis, size_t block, bool fill)
{
    int64_t groups[XTA__BLOCK_CELLS];
    int64_t from = (axis->first_block + (int64_t)block) * XTA__BLOCK_CELLS;
    int64_t to = from + XTA__BLOCK_CELLS < axis->hi ? from + XTA__BLOCK_CELLS : axis->hi;

    from = from > axis->lo ? from : axis->lo;
    size_t n = distinct_groups(r, from, to, groups);
    if (!fill) {
        return n;
    }
    size_t first = axis->begin[block];
    for (size_t k = 0; k < n; k++) {
        axis->slots[first + k].block = axis->first_block + (int64_t)block;
        axis->slots[first + k].group = groups[k];
    }
    for (int64_t at = from; at < to; at++) {
        int64_t group = group_of(r, at);
        int64_t *found = bsearch(&group, groups, n, sizeof groups[0], by_value);
        axis->slot_of[at - axis->lo] =
            found != NULL ? (uint32_t)(first + (size_t)(found - groups)) : XTA__NO_SLOT;
    }
    return n;
}

/* Sort the slots by group, keeping the order of blocks. */
static xta_status index_groups(xta__reduction *r, const xta__slot_axis *axis, xta_error *err)
{
    r->group_begin = xta__calloc(r->n_groups + 2, sizeof r->group_begin[0]);
    r->group_slots = xta__calloc(axis->n_slots + 1, sizeof r->group_slots[0]);
    r->group_cells = xta__calloc(r->n_groups + 1, sizeof r->group_cells[0]);
    if (r->group_begin == NULL || r->group_slots == NULL || r->group_cells == NULL) {
        return no_memory(err, r->n_groups, "groups");
    }
    // A counting sort: first how many slots each group has, two places ahead, then where they go.
    size_t *next = r->group_begin + 1;
    for (size_t k = 0; k < axis->n_slots; k++) {
        r->group_begin[axis->slots[k].group + 2]++;
    }
    for (size_t g = 1; g <= r->n_groups; g++) {
        next[g] += next[g - 1];
    }
    for (size_t k = 0; k < axis->n_slots; k++) {
        r->group_slots[next[axis->slots[k].group]++] = k;
    }
    for (int64_t k = 0; k < axis->hi - axis->lo; k++) {
        if (axis->slot_of[k] != XTA__NO_SLOT) {
            r->group_cells[axis->slots[axis->slot_of[k]].group]++;
        }
    }
    return XTA_OK;
}

xta_status xta__slots_of_groups(xta__reduction *r, xta__slot_axis *axis, xta_error *err)
{
    xta_status status = make_blocks(axis, err);

    if (status != XTA_OK) {
        return status;
    }
    for (size_t k = 0; k < axis->n_blocks; k++) {
        size_t n = number_block(r, axis, k, false);
        axis->begin[k + 1] = axis->begin[k] + n;
        axis->most_slots = n > axis->most_slots ? n : axis->most_slots;
    }
    axis->n_slots = axis->begin[axis->n_blocks];
    axis->slots = xta__calloc(axis->n_slots + 1, sizeof axis->slots[0]);
    axis->slot_of = xta__calloc((size_t)(axis->hi - axis->lo), sizeof axis->slot_of[0]);
    if (axis->slots == NULL || axis->slot_of == NULL) {
        return no_memory(err, (uint64_t)(axis->hi - axis->lo), "coordinates of the grouped axis");
    }
    for (size_t k = 0; k < axis->n_blocks; k++) {
        (void)number_block(r, axis, k, true);
    }
    return index_groups(r, axis, err);
}

void xta__slots_clear(xta__slot_axis *axis)
{
    free(axis->slots);
    free(axis->begin);
    free(axis->slot_of);
    axis->slots = NULL;
    axis->begin = NULL;
    axis->slot_of = NULL;
}
