/* Pending pieces: a table indexed by input block, and the memory of their cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "executor/pending_pieces.h"

#include <stdlib.h>
#include <string.h>

#include "executor/copy_box.h"
#include "util/checked.h"
#include "util/os.h"
#include "util/vector.h"

#define TRIM_BYTES ((size_t)32 << 10) /* trimming less is not worth a system call */

enum { FIRST_BUCKETS = 1024 };

static xta__piece **bucket_of(const xta__pending *pending, uint64_t block)
{
    return &pending->buckets[(block * UINT64_C(0x9e3779b97f4a7c15) >> 32) % pending->n_buckets];
}

xta_status xta__pending_init(xta__pending *pending)
{
    pending->n = 0;
    pending->n_buckets = FIRST_BUCKETS;
    pending->buckets = xta__calloc(pending->n_buckets, sizeof pending->buckets[0]);
    return pending->buckets != NULL ? XTA_OK : XTA_ENOMEM;
}

void xta__pending_clear(xta__pending *pending)
{
    for (size_t k = 0; pending->buckets != NULL && k < pending->n_buckets; k++) {
        while (pending->buckets[k] != NULL) {
            xta__piece *piece = pending->buckets[k];
            pending->buckets[k] = piece->next;
            xta__piece_free(pending, piece);
        }
    }
    free(pending->buckets);
    pending->buckets = NULL;
    pending->n = 0;
}

/* ---- one piece ---- */

static size_t fragment_bytes(const xta__pending *pending, uint64_t n_cells)
{
    return (size_t)(n_cells * pending->cell_bytes + 63) / 64 * 64 + XTA__PART_BYTES;
}

/* The cells of a piece in one output block; returns how many. */
static uint64_t part_box(const xta__pending *pending, const xta_box *piece, const int64_t block[],
                         xta_box *part)
{
    xta_box cells;

    xta__cut_box(pending->to, block, &cells);
    return xta__blocks_met(piece, &cells, part);
}

uint64_t xta__piece_bytes(const xta__pending *pending, const xta_box *box)
{
    int64_t block[XTA_MAX_NDIM];
    xta_box blocks, part;
    uint64_t bytes = 0;

    if (pending->hold == XTA_HOLD_PIECES) {
        return xta__box_count(box) * pending->cell_bytes;
    }
    xta__cut_blocks(pending->to, box, &blocks);
    memcpy(block, blocks.lo, (size_t)blocks.ndim * sizeof block[0]);
    do {
        bytes += fragment_bytes(pending, part_box(pending, box, block, &part));
    } while (xta__cut_next(&blocks, block));
    return bytes;
}

static void get_box(const int64_t *limits, int ndim, xta_box *box)
{
    box->ndim = ndim;
    memcpy(box->lo, limits, (size_t)ndim * sizeof box->lo[0]);
    memcpy(box->hi, limits + ndim, (size_t)ndim * sizeof box->hi[0]);
}

static void put_box(int64_t *limits, int ndim, const xta_box *box)
{
    memcpy(limits, box->lo, (size_t)ndim * sizeof box->lo[0]);
    memcpy(limits + ndim, box->hi, (size_t)ndim * sizeof box->hi[0]);
}

void xta__piece_box(const xta__pending *pending, const xta__piece *piece, xta_box *box)
{
    get_box(piece->limits, pending->from->ndim, box);
}

/* The number of the fragment of a piece that belongs to an output block. */
static uint64_t part_number(const xta__piece *piece, int ndim, const int64_t block[])
{
    const int64_t *lo = piece->limits + 2 * ndim, *hi = lo + ndim;
    uint64_t k = 0;

    for (int a = 0; a < ndim; a++) {
        k = k * (uint64_t)(hi[a] - lo[a]) + (uint64_t)(block[a] - lo[a]);
    }
    return k;
}

/* Allocate memory for each fragment. */
static bool allocate_parts(xta__pending *pending, xta__piece *piece, const xta_box *box,
                           xta__unwanted *unwanted, const void *user)
{
    int64_t block[XTA_MAX_NDIM];
    xta_box blocks, cells;
    uint64_t k = 0;

    get_box(piece->limits + 2 * box->ndim, box->ndim, &blocks);
    memcpy(block, blocks.lo, (size_t)blocks.ndim * sizeof block[0]);
    do {
        xta__pending_fragment *part = &piece->parts[k++];
        part->left = part_box(pending, box, block, &cells);
        if (unwanted != NULL && unwanted(user, xta__cut_number(pending->to, block))) {
            continue;
        }
        part->cells = xta__budget_alloc(pending->budget, fragment_bytes(pending, part->left));
        if (part->cells == NULL) {
            return false;
        }
    } while (xta__cut_next(&blocks, block));
    return true;
}

/* The axis along which layers follow each other. */
static int layer_axis(const xta_box *box)
{
    int axis = 0;

    while (axis < box->ndim - 1 && box->hi[axis] - box->lo[axis] == 1) {
        axis++;
    }
    return axis;
}

/* Start counting layers. If there is no memory for that, nothing is trimmed. */
static void count_layers(xta__piece *piece, const xta_box *box)
{
    int axis = layer_axis(box);
    size_t n = (size_t)(box->hi[axis] - box->lo[axis]);

    piece->layers = n > 1 ? xta__calloc(n, sizeof piece->layers[0]) : NULL;
    for (size_t k = 0; piece->layers != NULL && k < n; k++) {
        piece->layers[k] = piece->left / n;
    }
}

/* Cells of `box` have been written: free the leading layers that are complete. */
static void trim(xta__pending *pending, xta__piece *piece, const xta_box *all, const xta_box *box,
                 uint64_t n_cells)
{
    int axis = layer_axis(all);
    size_t n = (size_t)(all->hi[axis] - all->lo[axis]);
    uint64_t each = n_cells / (uint64_t)(box->hi[axis] - box->lo[axis]);
    size_t layer_bytes = (size_t)(xta__box_count(all) / n * pending->cell_bytes);

    for (int64_t k = box->lo[axis]; k < box->hi[axis]; k++) {
        piece->layers[k - all->lo[axis]] -= each;
    }
    while (piece->first_layer < n && piece->layers[piece->first_layer] == 0) {
        piece->first_layer++;
    }
    size_t page = xta__page_bytes();
    size_t done = piece->first_layer * layer_bytes / page * page;
    if (done >= piece->gone + TRIM_BYTES) {
        xta__budget_trim(pending->budget, piece->cells, piece->gone, done);
        piece->gone = done;
    }
}

xta__piece *xta__piece_new(xta__pending *pending, const xta_rechunk_op *op, xta__unwanted *unwanted,
                           const void *user)
{
    int ndim = op->piece.ndim;
    xta_box blocks;
    xta__piece *piece = xta__calloc(1, sizeof *piece + 4 * (size_t)ndim * sizeof(int64_t));

    if (piece == NULL) {
        return NULL;
    }
    xta__cut_blocks(pending->to, &op->piece, &blocks);
    piece->block = xta__cut_number(pending->from, op->block);
    piece->left = xta__box_count(&op->piece);
    put_box(piece->limits, ndim, &op->piece);
    put_box(piece->limits + 2 * ndim, ndim, &blocks);
    if (pending->hold == XTA_HOLD_PIECES) {
        piece->cells = xta__budget_alloc(pending->budget,
                                         (size_t)(piece->left * (uint64_t)pending->cell_bytes));
    } else {
        piece->n_fragments = xta__box_count(&blocks);
        piece->parts = xta__calloc((size_t)piece->n_fragments, sizeof piece->parts[0]);
    }
    if (pending->hold == XTA_HOLD_PIECES
            ? piece->cells == NULL
            : piece->parts == NULL || !allocate_parts(pending, piece, &op->piece, unwanted, user)) {
        xta__piece_free(pending, piece);
        return NULL;
    }
    if (pending->trims && piece->cells != NULL &&
        piece->left * pending->cell_bytes >= XTA__LARGE_BYTES) {
        count_layers(piece, &op->piece);
    }
    return piece;
}

void xta__piece_free(xta__pending *pending, xta__piece *piece)
{
    int64_t block[XTA_MAX_NDIM];
    xta_box box, blocks, cells;

    xta__piece_box(pending, piece, &box);
    xta__budget_untrim(pending->budget, piece->gone);
    xta__budget_give(pending->budget, piece->cells,
                     (size_t)(xta__box_count(&box) * pending->cell_bytes));
    get_box(piece->limits + 2 * box.ndim, box.ndim, &blocks);
    memcpy(block, blocks.lo, (size_t)blocks.ndim * sizeof block[0]);
    for (uint64_t k = 0; piece->parts != NULL && k < piece->n_fragments; k++) {
        if (piece->parts[k].cells != NULL) {
            xta__budget_give(pending->budget, piece->parts[k].cells,
                             fragment_bytes(pending, part_box(pending, &box, block, &cells)));
        }
        xta__cut_next(&blocks, block);
    }
    free(piece->parts);
    free(piece->layers);
    free(piece);
}

void xta__piece_distribute(const xta__pending *pending, xta__piece *piece, const xta_box *slice,
                           const uint8_t *cells)
{
    int64_t block[XTA_MAX_NDIM];
    xta_box box, met, part, common;

    xta__piece_box(pending, piece, &box);
    xta__cut_blocks(pending->to, slice, &met);
    memcpy(block, met.lo, (size_t)met.ndim * sizeof block[0]);
    do {
        uint8_t *to = piece->parts[part_number(piece, box.ndim, block)].cells;
        if (to != NULL) {
            part_box(pending, &box, block, &part);
            xta__blocks_met(&part, slice, &common);
            xta__copy_box(&common, pending->cell_bytes, to, &part, cells, slice);
        }
    } while (xta__cut_next(&met, block));
}

/* ---- the table ---- */

static void grow(xta__pending *pending)
{
    size_t n = 4 * pending->n_buckets, old_n = pending->n_buckets;
    xta__piece **old = pending->buckets, **bigger = xta__calloc(n, sizeof bigger[0]);

    if (bigger == NULL) {
        // Harmless: chains just get longer.
        return;
    }
    pending->buckets = bigger;
    pending->n_buckets = n;
    for (size_t k = 0; k < old_n; k++) {
        while (old[k] != NULL) {
            xta__piece *piece = old[k];
            old[k] = piece->next;
            xta__piece **at = bucket_of(pending, piece->block);
            piece->next = *at;
            *at = piece;
        }
    }
    free(old);
}

void xta__pending_add(xta__pending *pending, xta__piece *piece)
{
    if (pending->n >= 2 * pending->n_buckets) {
        grow(pending);
    }
    xta__piece **at = bucket_of(pending, piece->block);
    piece->next = *at;
    *at = piece;
    pending->n++;
}

static void remove_piece(xta__pending *pending, xta__piece *piece)
{
    xta__piece **at = bucket_of(pending, piece->block);

    while (*at != piece) {
        at = &(*at)->next;
    }
    *at = piece->next;
    pending->n--;
    xta__piece_free(pending, piece);
}

/* Find the buffer of a piece that holds cells of output block `block`. */
static void source_of(const xta__pending *pending, xta__piece *piece, const int64_t block[],
                      xta__source *source)
{
    *source = (xta__source){.piece = piece, .cells = piece->cells};
    if (pending->hold == XTA_HOLD_FRAGMENTS) {
        source->part = &piece->parts[part_number(piece, pending->from->ndim, block)];
        source->cells = source->part->cells;
    }
}

void xta__source_box(const xta__pending *pending, const xta__source *source, xta_box *box)
{
    const xta__piece *piece = source->piece;
    int ndim = pending->from->ndim;
    int64_t block[XTA_MAX_NDIM];
    xta_box whole;

    if (source->part == NULL) {
        xta__piece_box(pending, piece, box);
        return;
    }
    const int64_t *lo = piece->limits + 2 * ndim, *hi = lo + ndim;
    uint64_t number = (uint64_t)(source->part - piece->parts);
    for (int a = ndim - 1; a >= 0; a--) {
        uint64_t n = (uint64_t)(hi[a] - lo[a]);
        block[a] = lo[a] + (int64_t)(number % n);
        number /= n;
    }
    xta__piece_box(pending, piece, &whole);
    part_box(pending, &whole, block, box);
}

static bool meets(const int64_t *limits, const xta_box *box)
{
    for (int a = 0; a < box->ndim; a++) {
        if (limits[a] >= box->hi[a] || limits[box->ndim + a] <= box->lo[a]) {
            return false;
        }
    }
    return true;
}

bool xta__pending_find(const xta__pending *pending, const xta_rechunk_op *op, xta__source **sources,
                       size_t *n, size_t *capacity)
{
    int64_t block[XTA_MAX_NDIM];
    xta_box blocks;

    *n = 0;
    xta__cut_blocks(pending->from, &op->piece, &blocks);
    memcpy(block, blocks.lo, (size_t)blocks.ndim * sizeof block[0]);
    do {
        uint64_t number = xta__cut_number(pending->from, block);
        for (xta__piece *p = *bucket_of(pending, number); p != NULL; p = p->next) {
            bool wanted = p->block == number && meets(p->limits, &op->piece);
            if (wanted && !XTA__RESERVE(*sources, *capacity, *n + 1)) {
                return false;
            }
            if (wanted) {
                source_of(pending, p, op->block, &(*sources)[(*n)++]);
            }
        }
    } while (xta__cut_next(&blocks, block));
    return true;
}

void xta__pending_release(xta__pending *pending, const xta__source *source, const xta_box *box)
{
    xta_box common, own;
    xta__piece *piece = source->piece;

    xta__source_box(pending, source, &own);
    uint64_t n = xta__blocks_met(&own, box, &common);

    if (source->part != NULL) {
        source->part->left -= n;
        if (source->part->left == 0) {
            xta__budget_give(pending->budget, source->part->cells,
                             fragment_bytes(pending, xta__box_count(&own)));
            source->part->cells = NULL;
        }
    }
    piece->left -= n;
    if (piece->left == 0) {
        remove_piece(pending, piece);
    } else if (piece->layers != NULL && n > 0) {
        trim(pending, piece, &own, &common, n);
    }
}
