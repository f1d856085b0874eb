/* Numbers and cells of the blocks of a partition, one axis at a time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "executor/cut_grid.h"

#include <inttypes.h>

#include "util/checked.h"
#include "util/try.h"

static xta_status init_axis(xta__cut_axis *axis, const xta_cuts *cuts, int64_t lo, int64_t hi,
                            int number, const char *name, xta_error *err)
{
    *axis = (xta__cut_axis){.lo = lo, .hi = hi, .length = cuts->length, .edges = cuts->edges};
    if (cuts->length > 0) {
        axis->first = lo - xta__floor_mod(lo - cuts->origin, cuts->length);
        axis->n = hi > lo ? (hi - 1 - axis->first) / cuts->length + 1 : 0;
        return XTA_OK;
    }
    if (cuts->length < 0 || cuts->n_edges < 2 || cuts->edges == NULL || cuts->edges[0] != lo ||
        cuts->edges[cuts->n_edges - 1] != hi) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: axis %d: blocks of length %" PRId64 " with %" PRId64
                         " edges: give a length of 1 or more, or edges from %" PRId64
                         " to %" PRId64,
                         name, number, cuts->length, cuts->n_edges, lo, hi);
    }
    for (int64_t k = 0; k + 1 < cuts->n_edges; k++) {
        if (cuts->edges[k] >= cuts->edges[k + 1]) {
            return xta__fail(err, XTA_EARG, 0,
                             "%s: axis %d: edge %" PRId64 " is followed by %" PRId64
                             "; give them in ascending order",
                             name, number, cuts->edges[k], cuts->edges[k + 1]);
        }
    }
    axis->first = lo;
    axis->n = cuts->n_edges - 1;
    return XTA_OK;
}

xta_status xta__cut_grid_init(xta__cut_grid *grid, const xta_box *bounds,
                              const xta_partition *partition, const char *name, xta_error *err)
{
    xta_status status = XTA_OK;

    if (bounds->ndim < 1 || bounds->ndim > XTA_MAX_NDIM || partition->ndim != bounds->ndim) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: blocks of %d axes over cells of %d; give as many cuts as axes", name,
                         partition->ndim, bounds->ndim);
    }
    grid->ndim = bounds->ndim;
    grid->n_blocks = 1;
    for (int a = 0; a < bounds->ndim && status == XTA_OK; a++) {
        status = init_axis(&grid->axis[a], &partition->axis[a], bounds->lo[a], bounds->hi[a], a,
                           name, err);
        if (status == XTA_OK &&
            !xta__mul_u64(grid->n_blocks, (uint64_t)grid->axis[a].n, &grid->n_blocks)) {
            status = xta__fail(err, XTA_EOVERFLOW, 0, "%s: more than 2^64 blocks", name);
        }
    }
    return status;
}

/* The block of a coordinate within the bounds. */
static int64_t block_box(const xta__cut_axis *axis, int64_t coord)
{
    int64_t low = 0, high = axis->n;

    if (axis->length > 0) {
        return (coord - axis->first) / axis->length;
    }
    // Find the last edge that is not above: edges[low] <= coord < edges[high].
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (axis->edges[middle] <= coord) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The cells of block k: [*lo, *hi). */
static void cells_of_block(const xta__cut_axis *axis, int64_t k, int64_t *lo, int64_t *hi)
{
    if (axis->length > 0) {
        *lo = axis->first + k * axis->length;
        *hi = *lo + axis->length;
        *lo = *lo > axis->lo ? *lo : axis->lo;
        *hi = *hi < axis->hi ? *hi : axis->hi;
    } else {
        *lo = axis->edges[k];
        *hi = axis->edges[k + 1];
    }
}

void xta__cut_box(const xta__cut_grid *grid, const int64_t block[], xta_box *cells)
{
    cells->ndim = grid->ndim;
    for (int a = 0; a < grid->ndim; a++) {
        cells_of_block(&grid->axis[a], block[a], &cells->lo[a], &cells->hi[a]);
    }
}

void xta__cut_blocks(const xta__cut_grid *grid, const xta_box *box, xta_box *blocks)
{
    blocks->ndim = grid->ndim;
    for (int a = 0; a < grid->ndim; a++) {
        blocks->lo[a] = block_box(&grid->axis[a], box->lo[a]);
        blocks->hi[a] = block_box(&grid->axis[a], box->hi[a] - 1) + 1;
    }
}

uint64_t xta__blocks_met(const xta_box *one, const xta_box *other, xta_box *common)
{
    uint64_t n = 1;

    common->ndim = one->ndim;
    for (int a = 0; a < one->ndim; a++) {
        int64_t lo = one->lo[a] > other->lo[a] ? one->lo[a] : other->lo[a];
        int64_t hi = one->hi[a] < other->hi[a] ? one->hi[a] : other->hi[a];
        if (lo >= hi) {
            return 0;
        }
        common->lo[a] = lo;
        common->hi[a] = hi;
        n *= (uint64_t)(hi - lo);
    }
    return n;
}

uint64_t xta__cut_number(const xta__cut_grid *grid, const int64_t block[])
{
    uint64_t number = 0;

    for (int a = 0; a < grid->ndim; a++) {
        number = number * (uint64_t)grid->axis[a].n + (uint64_t)block[a];
    }
    return number;
}

void xta__cut_unnumber(const xta__cut_grid *grid, uint64_t number, int64_t block[])
{
    for (int a = grid->ndim - 1; a >= 0; a--) {
        block[a] = (int64_t)(number % (uint64_t)grid->axis[a].n);
        number /= (uint64_t)grid->axis[a].n;
    }
}

bool xta__cut_next(const xta_box *blocks, int64_t block[])
{
    for (int a = blocks->ndim - 1; a >= 0; a--) {
        if (++block[a] < blocks->hi[a]) {
            return true;
        }
        block[a] = blocks->lo[a];
    }
    return false;
}

uint64_t xta__box_count(const xta_box *box)
{
    uint64_t n = 1;

    for (int a = 0; a < box->ndim; a++) {
        n *= box->hi[a] > box->lo[a] ? (uint64_t)(box->hi[a] - box->lo[a]) : 0;
    }
    return n;
}
