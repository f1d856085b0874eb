/* Private header: the pieces that were read and not yet wholly written.
 *
 * A piece is one buffer (XTA_HOLD_PIECES) or one buffer for each output block that it meets
 * (XTA_HOLD_FRAGMENTS). Pieces are found by their input block. Not thread-safe: the caller holds a
 * lock.
 *
 * A large piece may be written layer by layer, first to last (a layer is what has one coordinate on
 * the first axis that is longer than 1). Then it can shrink from its beginning on, which is more
 * than the plan counts on, and lets a reading thread go ahead.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_EXECUTOR_PENDING_PIECES_H
#define XTA_EXECUTOR_PENDING_PIECES_H

#include <xta/rechunk.h>

#include "executor/budget.h"
#include "executor/cut_grid.h"

/* What a part costs beside its cells. */
#define XTA__PART_BYTES 64

typedef struct xta__pending_fragment {
    uint8_t *cells; /* NULL: not wanted, or all written */
    uint64_t left;  /* cells that are still to be written */
} xta__pending_fragment;

typedef struct xta__piece {
    struct xta__piece *next; /* in its bucket */
    uint64_t block;          /* number of its input block */
    uint64_t left;
    uint8_t *cells;     /* NULL in parts */
    uint64_t *layers;   /* cells still to be written in each layer; NULL: not counted */
    size_t first_layer; /* those before it have all been written */
    size_t gone;        /* bytes at the beginning of `cells` that were trimmed */
    xta__pending_fragment
        *parts; /* as the output blocks that the piece meets, the last axis fastest */
    uint64_t n_fragments;
    int64_t limits[]; /* lo and hi of the cells, lo and hi of the output blocks, ndim each */
} xta__piece;

typedef struct xta__pending {
    const xta__cut_grid *from, *to;
    size_t cell_bytes;
    xta_rechunk_hold hold;
    bool trims; /* large pieces give back their leading layers as they are written */
    xta__budget *budget;
    xta__piece **buckets;
    size_t n_buckets, n;
} xta__pending;

/* One buffer that cells of a write come from. */
typedef struct xta__source {
    xta__piece *piece;
    xta__pending_fragment *part; /* NULL: the piece itself */
    const uint8_t *cells;        /* NULL: was not read */
} xta__source;

/* What a piece occupies beside its cells: itself, its place in the table, an entry among
 * sources. */
static inline uint64_t xta__piece_table_bytes(int ndim)
{
    return XTA_RECHUNK_TABLE_BYTES(ndim);
}

xta_status xta__pending_init(xta__pending *pending);
void xta__pending_clear(xta__pending *pending);

/* What the cells of a piece would occupy. */
uint64_t xta__piece_bytes(const xta__pending *pending, const xta_box *box);

/* A piece with its memory, which must fit; NULL where the system has none. `unwanted` says which
 * output blocks need no buffer; NULL: all do. */
typedef bool xta__unwanted(const void *user, uint64_t block);
xta__piece *xta__piece_new(xta__pending *pending, const xta_rechunk_op *op, xta__unwanted *unwanted,
                           const void *user);
void xta__piece_free(xta__pending *pending, xta__piece *piece);

/* Its cells. */
void xta__piece_box(const xta__pending *pending, const xta__piece *piece, xta_box *box);

/* Distribute the cells of `slice`, dense in `cells`, to the parts of a piece. */
void xta__piece_distribute(const xta__pending *pending, xta__piece *piece, const xta_box *slice,
                           const uint8_t *cells);

/* From now on xta__pending_find finds it. */
void xta__pending_add(xta__pending *pending, xta__piece *piece);

/* The buffers that hold cells of an output piece, in the order of their input blocks; *n of them
 * in *sources, which is grown to *capacity. False where memory is short. */
bool xta__pending_find(const xta__pending *pending, const xta_rechunk_op *op, xta__source **sources,
                       size_t *n, size_t *capacity);

/* The cells of a source's buffer. */
void xta__source_box(const xta__pending *pending, const xta__source *source, xta_box *box);

/* The cells of `box` in a source have been written: memory that is not needed any more is freed. */
void xta__pending_release(xta__pending *pending, const xta__source *source, const xta_box *box);

#endif
