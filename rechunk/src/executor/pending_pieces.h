/* Private header: pending pieces, which have been read and not yet completely written.
 *
 * A piece is one buffer (XTA_HOLD_PIECES) or one buffer, a fragment, for each output block that it
 * intersects (XTA_HOLD_FRAGMENTS). Pieces are found by their input block. Not thread-safe: the
 * caller holds a lock.
 *
 * A large piece may be written layer by layer, first to last (a layer has one coordinate on the
 * first axis that is longer than 1). Its memory is then freed from the beginning on, earlier than
 * in the plan, which lets a reading thread run ahead.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_EXECUTOR_PENDING_PIECES_H
#define XTA_EXECUTOR_PENDING_PIECES_H

#include <xta/rechunk.h>

#include "executor/budget.h"
#include "executor/cut_grid.h"

/* Bytes of a fragment in addition to its cells. */
#define XTA__PART_BYTES 64

typedef struct xta__pending_fragment {
    uint8_t *cells; /* NULL: not needed, or all written */
    uint64_t left;  /* cells that are still to be written */
} xta__pending_fragment;

typedef struct xta__piece {
    struct xta__piece *next; /* in the same bucket */
    uint64_t block;          /* number of its input block */
    uint64_t left;
    uint8_t *cells;     /* NULL if the piece is stored as fragments */
    uint64_t *layers;   /* cells still to be written in each layer; NULL: not counted */
    size_t first_layer; /* the layers before it have all been written */
    size_t gone;        /* trimmed bytes at the beginning of `cells` */
    xta__pending_fragment
        /* in the order of the output blocks that the piece intersects, the last axis fastest */
        *parts;
    uint64_t n_fragments;
    /* lo and hi of the cells, lo and hi of the output blocks; ndim numbers each */
    int64_t limits[];
} xta__piece;

typedef struct xta__pending {
    const xta__cut_grid *from, *to;
    size_t cell_bytes;
    xta_rechunk_hold hold;
    bool trims; /* large pieces release their leading layers as they are written */
    xta__budget *budget;
    xta__piece **buckets;
    size_t n_buckets, n;
} xta__pending;

/* A buffer from which a write gets cells. */
typedef struct xta__source {
    xta__piece *piece;
    xta__pending_fragment *part; /* NULL: the piece is one buffer */
    const uint8_t *cells;        /* NULL: was not read */
} xta__source;

/* Bytes of a piece in addition to its cells: itself, its entry in the table, an entry among
 * sources. */
static inline uint64_t xta__piece_table_bytes(int ndim)
{
    return XTA_RECHUNK_TABLE_BYTES(ndim);
}

xta_status xta__pending_init(xta__pending *pending);
void xta__pending_clear(xta__pending *pending);

/* Bytes that the cells of a piece would occupy. */
uint64_t xta__piece_bytes(const xta__pending *pending, const xta_box *box);

/* Create a piece with its memory, which must fit in the budget; NULL if the system has none.
 * `unwanted` says which output blocks need no buffer; NULL: all need one. */
typedef bool xta__unwanted(const void *user, uint64_t block);
xta__piece *xta__piece_new(xta__pending *pending, const xta_rechunk_op *op, xta__unwanted *unwanted,
                           const void *user);
void xta__piece_free(xta__pending *pending, xta__piece *piece);

/* The cells of a piece. */
void xta__piece_box(const xta__pending *pending, const xta__piece *piece, xta_box *box);

/* Distribute the cells of `slice`, dense in `cells`, to the fragments of a piece. */
void xta__piece_distribute(const xta__pending *pending, xta__piece *piece, const xta_box *slice,
                           const uint8_t *cells);

/* Add a piece to the table, where xta__pending_find can find it. */
void xta__pending_add(xta__pending *pending, xta__piece *piece);

/* Find the buffers that hold cells of an output piece, in the order of their input blocks: *n of
 * them in *sources, whose capacity is *capacity and grows as needed. False: out of memory. */
bool xta__pending_find(const xta__pending *pending, const xta_rechunk_op *op, xta__source **sources,
                       size_t *n, size_t *capacity);

/* The cells of a source's buffer. */
void xta__source_box(const xta__pending *pending, const xta__source *source, xta_box *box);

/* The cells of `box` in a source have been written: free memory that is no longer needed. */
void xta__pending_release(xta__pending *pending, const xta__source *source, const xta_box *box);

#endif
