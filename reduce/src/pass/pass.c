/* The pass over the chunks in file order.
 *
 * Usually every chunk of the box around all regions is visited, which costs little compared with
 * reading. If few of them have a region in their bucket (a hundred thousand small regions in a vast
 * array), only those are listed, and sorted by address.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/extract.h>

#include "pass/plan.h"

#include <xta/options.h>

#include <stdlib.h>
#include <string.h>

#include "pass/buckets.h"
#include "pass/pieces.h"
#include "regions/next_row.h"
#include "util/checked.h"
#include "util/try.h"

/* Process one chunk, slab by slab: whole lengths of the last axes, as many as fit. */
static xta_status process_chunk(xta__pass *pass, const xta_box *cells)
{
    uint64_t before = pass->facts->n_cells_read;
    xta_box slab = *cells;
    int split = slab.ndim - 1;
    uint64_t row = 1;
    int64_t at[XTA_MAX_NDIM];

    while (split > 0 && row <= pass->slab_cells / (uint64_t)(slab.hi[split] - slab.lo[split])) {
        row *= (uint64_t)(slab.hi[split] - slab.lo[split]);
        split--;
    }
    int64_t step = (int64_t)(pass->slab_cells / row);
    memcpy(at, cells->lo, sizeof at);
    while (at[0] < cells->hi[0]) {
        for (int axis = 0; axis <= split; axis++) {
            int64_t end = at[axis] + (axis == split ? step : 1);
            slab.lo[axis] = at[axis];
            slab.hi[axis] = end < cells->hi[axis] ? end : cells->hi[axis];
        }
        xta_status status = xta__process_slab(pass, &slab);
        if (status != XTA_OK) {
            return status;
        }
        at[split] = slab.hi[split];
        for (int axis = split; axis > 0 && at[axis] >= cells->hi[axis]; axis--) {
            at[axis] = cells->lo[axis];
            at[axis - 1]++;
        }
    }
    pass->facts->n_chunks_read += pass->facts->n_cells_read > before;
    return XTA_OK;
}

/* ---- every chunk in reach ---- */

/* The box of the array that all regions together may intersect. */
static xta_box reach_of(const xta__pass *pass)
{
    xta_box box = pass->facts->bounds;

    for (int axis = 0; axis < pass->reach.ndim; axis++) {
        box.lo[pass->facts->axes[axis]] = pass->reach.lo[axis];
        box.hi[pass->facts->axes[axis]] = pass->reach.hi[axis];
    }
    return box;
}

static int visit_chunk(void *user, const xta_chunk *chunk)
{
    xta__pass *pass = user;
    xta_box reach = reach_of(pass);
    xta_box cells = xta_box_intersect(&chunk->cells, &reach);

    pass->status = xta_box_empty(&cells) ? XTA_OK : process_chunk(pass, &cells);
    return pass->status != XTA_OK;
}

static xta_status visit_all(xta__pass *pass)
{
    xta_box reach = reach_of(pass);
    xta_error own;
    xta_status status = xta_array_each_chunk(pass->array, &reach, visit_chunk, pass, &own);

    // A visit that failed has already set the caller's error.
    if (pass->status != XTA_OK) {
        return pass->status;
    }
    if (status != XTA_OK) {
        xta_error_set(pass->err, status, own.os_errno, "%s", own.text);
    }
    return status;
}

/* ---- few chunks of many ---- */

/* Number of chunks in a box. */
static double chunks_of(const xta__pass *pass, const xta_box *box, bool rest_only)
{
    double n = 1;

    for (int axis = 0; axis < box->ndim; axis++) {
        int64_t length = pass->chunk[axis];
        if (!rest_only || pass->space_of[axis] < 0) {
            n *= (double)(xta__floor_div(box->hi[axis] - 1, length) -
                          xta__floor_div(box->lo[axis], length) + 1);
        }
    }
    return n;
}

/* The number of chunks with a region in their bucket; 0: unknown, since a bucket has several
 * chunks. */
static double chunks_with_regions(const xta__pass *pass)
{
    const xta__buckets *b = &pass->buckets;
    xta_box reach = reach_of(pass);
    double n = 0;

    for (uint64_t k = 0; b->shift == 0 && k < b->n; k++) {
        n += b->begin[k + 1] > b->begin[k];
    }
    return n * chunks_of(pass, &reach, true);
}

static int by_address(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Append the addresses of all chunks of one bucket to the list. */
static xta_status list_bucket(xta__pass *pass, uint64_t bucket, uint64_t *address, uint64_t *n)
{
    const xta__buckets *b = &pass->buckets;
    xta_box reach = reach_of(pass);
    xta_box chunks = {.ndim = reach.ndim};
    int64_t at[XTA_MAX_NDIM];
    xta_status status = XTA_OK;

    for (int axis = 0; axis < reach.ndim; axis++) {
        chunks.lo[axis] = xta__floor_div(reach.lo[axis], pass->chunk[axis]);
        chunks.hi[axis] = xta__floor_div(reach.hi[axis] - 1, pass->chunk[axis]) + 1;
    }
    for (int axis = b->ndim - 1; axis >= 0; axis--) {
        int of = pass->facts->axes[axis];
        chunks.lo[of] = b->first[axis] + (int64_t)(bucket % (uint64_t)b->count[axis]);
        chunks.hi[of] = chunks.lo[of] + 1;
        bucket /= (uint64_t)b->count[axis];
    }
    memcpy(at, chunks.lo, sizeof at);
    do {
        status = xta_array_chunk_address(pass->array, at, &address[*n], pass->err);
        ++*n;
    } while (status == XTA_OK && xta__next_row(&chunks, -1, at));
    return status;
}

static xta_status visit_listed(xta__pass *pass, uint64_t *address)
{
    const xta__buckets *b = &pass->buckets;
    uint64_t n = 0;
    xta_chunk chunk;
    xta_status status = XTA_OK;

    for (uint64_t k = 0; k < b->n; k++) {
        if (b->begin[k + 1] > b->begin[k]) {
            XTA_TRY(list_bucket(pass, k, address, &n));
        }
    }
    qsort(address, (size_t)n, sizeof address[0], by_address);
    for (uint64_t k = 0; k < n; k++) {
        XTA_TRY(xta_array_chunk_at(pass->array, address[k], &chunk, pass->err));
        if (visit_chunk(pass, &chunk) != 0) {
            return pass->status;
        }
    }
done:
    return status;
}

static xta_status visit_chunks(xta__pass *pass)
{
    xta_box reach = reach_of(pass);
    uint64_t *address = NULL;
    xta_status status;

    if (xta_box_empty(&reach)) {
        return XTA_OK;
    }
    double n = chunks_with_regions(pass);
    double capacity = (double)(pass->limit_bytes - pass->used_bytes) / sizeof *address;
    if (n > 0 && n < chunks_of(pass, &reach, false) / 2 && n <= capacity) {
        address = xta__pass_alloc(pass, (uint64_t)n, sizeof *address, "addresses");
    }
    status = address != NULL ? visit_listed(pass, address) : visit_all(pass);
    xta__pass_free(pass, address, (uint64_t)n, sizeof *address);
    return status;
}

/* ---- the call ---- */

static void end(xta__pass *pass)
{
    free(pass->cells);
    free(pass->here);
    free(pass->window.region);
    free(pass->buckets.begin);
    free(pass->buckets.region);
    free(pass->rank);
    free(pass->rank_begin);
}

xta_status xta_extract(xta_array *array, const xta_regions *regions,
                       const xta_extract_options *options, xta_extraction **out, xta_error *err)
{
    static const xta_extract_options defaults = XTA_EXTRACT_OPTIONS_INIT;
    xta_extraction *extraction = calloc(1, sizeof *extraction);
    xta_status status = XTA_OK;
    xta_error own;

    if (out != NULL) {
        *out = NULL;
    }
    if (extraction == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for an extraction");
    }
    xta__pass pass = {.array = array,
                      .regions = regions,
                      .options = defaults,
                      .extraction = extraction,
                      .facts = &extraction->facts,
                      .err = err != NULL ? err : &own};
    XTA_TRY(xta_options_read(&pass.options, sizeof pass.options, options, "xta_extract_options",
                             pass.err));
    XTA_TRY(xta__pass_begin(&pass));
    XTA_TRY(visit_chunks(&pass));
done:
    end(&pass);
    if (status != XTA_OK || out == NULL) {
        xta_extraction_free(extraction);
    } else {
        *out = extraction;
    }
    return status;
}

const xta_extract_facts *xta_extraction_facts(const xta_extraction *extraction)
{
    return &extraction->facts;
}

xta_region_statistics xta_extraction_statistics(const xta_extraction *e, size_t k,
                                                uint64_t position)
{
    xta_region_statistics statistics = {0};

    if (e->accumulator != NULL) {
        xta__fold_end(&e->fold, e->type, e->accumulator + k * e->facts.n_positions + position,
                      &statistics);
    }
    return statistics;
}

void xta_extraction_free(xta_extraction *extraction)
{
    if (extraction != NULL) {
        free(extraction->accumulator);
        free(extraction);
    }
}
