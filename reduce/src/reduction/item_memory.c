/* What a thread needs to compute items.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "reduction/item_memory.h"

#include <stdlib.h>
#include <string.h>

#include "util/checked.h"
#include "util/try.h"

static uint64_t level_elements(const xta__reduction *r, int level)
{
    uint64_t n = r->most_kept;

    for (int k = 0; k < r->n_reduced; k++) {
        uint64_t slots = r->reduced[k].most_slots * (k == r->n_reduced - 1 ? r->run_blocks : 1);
        n *= k < level ? (uint64_t)r->band[k] : slots;
    }
    return n;
}

static size_t row_capacity(const xta__reduction *r)
{
    return r->most_kept > XTA__BLOCK_CELLS ? r->most_kept : XTA__BLOCK_CELLS;
}

uint64_t xta__item_memory_bytes(const xta__reduction *r)
{
    bool real_sum = r->wants_sum && r->kernels->kind == 'f';
    uint64_t lanes = level_elements(r, r->n_reduced - 1) * XTA__LANES;
    uint64_t bytes = row_capacity(r) * sizeof(double);

    bytes += r->is_half ? XTA__ROWS_AT_A_TIME * row_capacity(r) * sizeof(float) : 0;
    bytes += r->direct ? 0 : r->copy_bytes;
    for (int level = 1; level < r->n_reduced; level++) {
        uint64_t n = level_elements(r, level);
        bytes += real_sum ? n * sizeof(double) : 0;
        bytes += r->wants_moments ? n * sizeof(xta__moments) : 0;
    }
    bytes += real_sum ? lanes * sizeof(double) : 0;
    bytes += r->wants_moments ? 4 * lanes * sizeof(double) : 0;
    return bytes;
}

xta_status xta__item_memory_make(const xta__reduction *r, xta__item_memory *memory, xta_error *err)
{
    bool real_sum = r->wants_sum && r->kernels->kind == 'f';
    size_t lanes = (size_t)level_elements(r, r->n_reduced - 1) * XTA__LANES;
    bool good = true;

    memset(memory, 0, sizeof *memory);
    memory->wide = xta__calloc(row_capacity(r), sizeof(double));
    good = memory->wide != NULL;
    if (r->is_half) {
        memory->half = xta__calloc(XTA__ROWS_AT_A_TIME * row_capacity(r), sizeof(float));
        good = good && memory->half != NULL;
    }
    if (!r->direct) {
        memory->copy = xta__calloc(r->copy_bytes, 1);
        good = good && memory->copy != NULL;
    }
    for (int level = 1; level < r->n_reduced; level++) {
        size_t n = (size_t)level_elements(r, level);
        memory->sum[level] = real_sum ? xta__calloc(n, sizeof(double)) : NULL;
        memory->moments[level] = r->wants_moments ? xta__calloc(n, sizeof(xta__moments)) : NULL;
        good = good && (!real_sum || memory->sum[level] != NULL) &&
               (!r->wants_moments || memory->moments[level] != NULL);
    }
    if (real_sum) {
        memory->lanes = xta__calloc(lanes, sizeof(double));
        good = good && memory->lanes != NULL;
    }
    if (r->wants_moments) {
        memory->moment_lanes.n = xta__calloc(4 * lanes, sizeof(double));
        good = good && memory->moment_lanes.n != NULL;
    }
    if (!good) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for the partial sums of a thread");
    }
    if (r->wants_moments) {
        memory->moment_lanes.pivot = memory->moment_lanes.n + lanes;
        memory->moment_lanes.sum = memory->moment_lanes.n + 2 * lanes;
        memory->moment_lanes.squares = memory->moment_lanes.n + 3 * lanes;
    }
    return XTA_OK;
}

void xta__item_memory_clear(xta__item_memory *memory)
{
    for (int level = 0; level < XTA_MAX_NDIM; level++) {
        free(memory->sum[level]);
        free(memory->moments[level]);
    }
    free(memory->lanes);
    free(memory->moment_lanes.n);
    free(memory->wide);
    free(memory->half);
    free(memory->copy);
}
