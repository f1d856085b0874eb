/* A room of array/: one read or write on its way, and the ways it can go.
 *
 * part.c works on one chunk, lines.c reads lines of chunks, runs.c writes runs of chunks, and
 * transfer.c decides which way. slabs.c divides it among threads, and ahead.c reads ahead from the
 * disk.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_TRANSFER_H
#define XTA_ARRAY_TRANSFER_H

#include "array/array.h"

enum { XTA__MOST_PIECES = 64 };

/* Reading ahead of one call: see ahead.c. */
typedef struct xta__ahead {
    bool wanted;             /* the read is large enough to ask whether its file is in memory */
    bool cold;               /* a chunk was not */
    int line;                /* the axis that goes first; -1: the last one */
    uint64_t turn;           /* chunks read so far */
    uint64_t ask_at, gap;    /* the turn to ask again, and bytes until the next time */
    const xta__batch *batch; /* which the next chunk comes from; NULL: none */
    size_t in_batch;
    struct xta__fetching *fetching; /* NULL: nothing was missing so far */
} xta__ahead;

/* One call on its way. */
typedef struct xta__transfer_call {
    xta_array *array;
    const xta__structure *structure;
    xta__direction direction;
    xta__region region;
    uint8_t *memory;              /* the cell of box.lo */
    ptrdiff_t to[XTA_MAX_NDIM];   /* memory strides in bytes */
    ptrdiff_t from[XTA_MAX_NDIM]; /* chunk strides in bytes, times the step; 0 if not strided */
    xta_type memory_type;
    size_t memory_cell;
    bool convert;
    bool strided;
    bool stream;
    bool prefetch;
    xta__ahead ahead;
    int n_threads;
    xta__copy_plan plan; /* for chunks of shape plan_count */
    size_t plan_count[XTA_MAX_NDIM];
    bool planned;
    const xta__curve *curve; /* of Morton and Hilbert chunks */
    uint8_t *tile;           /* for xta__curve_read and xta__curve_write */
    size_t tile_bytes;
    uint8_t *scratch;   /* to convert: cells of one chunk in the array's type */
    uint8_t *converted; /* and in the type of the memory */
    uint8_t *staging;   /* whole chunks on their way to the file */
    size_t staging_room;
    xta__skips *skips; /* chunks that the call leaves out; NULL: none */
    void *skips_user;
    bool locked;           /* the thread that calls has the array's lock */
    pthread_mutex_t *lock; /* of addresses that are no look-up in a table */
    /* Of one slab among several: its number, and the lowest one that has failed; NULL: all. */
    const _Atomic uint64_t *failed;
    uint64_t slab;
} xta__transfer_call;

/* What the region takes of one chunk. */
typedef struct xta__part {
    size_t count[XTA_MAX_NDIM];
    int64_t within[XTA_MAX_NDIM]; /* of the first cell */
    ptrdiff_t memory_at;          /* of the first cell, in bytes */
    size_t n_cells;
    bool whole; /* all cells of the chunk */
} xta__part;

/* How a part lies in its chunk: n runs of `bytes` each, all within offset .. offset + span. */
typedef struct xta__rows {
    size_t offset, span;
    uint64_t n;
    size_t bytes;
} xta__rows;

/* A slab below has failed: what this one does counts no more. */
static inline bool xta__is_cut_short(const xta__transfer_call *t)
{
    return t->failed != NULL && atomic_load_explicit(t->failed, memory_order_relaxed) < t->slab;
}

/* ---- prepare_call.c ---- */

#define XTA__STREAM_BYTES ((uint64_t)32 << 20) /* targets larger than this spare the caches */

/* The large members are filled as they are needed: a small box must not pay for clearing them. */
static inline void xta__call_begin(xta__transfer_call *t, xta_array *array,
                                   xta__direction direction, void *memory)
{
    t->array = array;
    t->structure = xta__structure_of(array);
    t->direction = direction;
    t->memory = memory;
    t->planned = false;
    t->tile = t->scratch = t->converted = t->staging = NULL;
    t->staging_room = 0;
    t->skips = NULL;
    t->locked = false;
    t->lock = &array->lock;
    t->failed = NULL;
}

/* Strides, types and scratch memory of a call on one thread, which reads nothing ahead. On failure
 * it is to be cleared as well. */
xta_status xta__call_prepare(xta__transfer_call *t, const xta_box *box,
                             const xta_io_options *options, xta_error *err);
void xta__call_clear(xta__transfer_call *t);

/* What parts go through on their way, for a thread of a call that is prepared. */
xta_status xta__call_make_scratch(xta__transfer_call *t, xta_error *err);

/* F* of a chunk of the region. */
static inline uint64_t xta__address_in(const xta__transfer_call *t, const int64_t chunk[])
{
    return xta__find_address(t->structure, chunk, t->lock);
}

/* ---- part.c ---- */

void xta__take_part(const xta__transfer_call *t, const int64_t chunk[], xta__part *p);

/* Whether the first axis of a strided chunk is its fastest. Not to be seen from t->from, which has
 * the steps in it. */
static inline bool xta__is_column(const xta__transfer_call *t)
{
    const xta__axis *axis = t->structure->axis;

    return axis[0].stride_bytes < axis[t->region.ndim - 1].stride_bytes;
}

/* Byte of a chunk where the cell `within` lies; strided orders only. */
size_t xta__offset_in_chunk(const xta__transfer_call *t, const int64_t within[]);

/* The copy plan for parts of this shape; most parts have the shape of the one before. */
const xta__copy_plan *xta__plan_for(xta__transfer_call *t, const xta__part *p);

/* Fetch one part of the memory into scratch, in the array's type, if it must be converted; and put
 * it into the chunk, from there or straight from memory. */
xta_status xta__gather_scratch(xta__transfer_call *t, const xta__part *p, const int64_t chunk[],
                               xta_error *err);
/* Scratch of a part, converted, into the memory. */
xta_status xta__scatter_scratch(xta__transfer_call *t, const xta__part *p, const int64_t chunk[],
                                xta_error *err);
void xta__scratch_to_chunk(xta__transfer_call *t, const xta__part *p, xta__pin *pin);

/* Strides of a part that is packed in row-major order. */
void xta__part_strides(const xta__transfer_call *t, const xta__part *p, size_t cell,
                       ptrdiff_t strides[]);

/* How a part is written; its rows, unless it goes through a cache; and what the choice was made by,
 * where the chunks' holder knows facts. */
xta__method xta__method_of_part(const xta__transfer_call *t, uint64_t address, const xta__part *p,
                                xta__rows *rows, xta__method_ask *ask);

/* What cells go through in this call's direction. */
static inline const xta__coding *xta__coding_of(const xta__transfer_call *t)
{
    return t->direction == XTA__READ ? t->array->decode : t->array->encode;
}

/* Move one part, by whatever way its shape, order and types allow. */
xta_status xta__move_chunk(xta__transfer_call *t, const int64_t chunk[], uint64_t address,
                           const xta__part *p, xta_error *err);

/* ---- lines.c ---- */

/* The axis along which rows of neighbouring chunks continue each other; -1 if none. */
int xta__line_axis(const xta__transfer_call *t);

/* The plan of all axes but that one. */
void xta__plan_rows(const xta__transfer_call *t, int line, const xta__part *p,
                    xta__copy_plan *plan);

/* Step to the next chunk of the region with `line` fixed (-1: none); false at the end. */
bool xta__next_chunk(const xta__transfer_call *t, int line, int64_t chunk[]);
xta_status xta__read_lines(xta__transfer_call *t, int line, xta_error *err);

/* ---- runs.c ---- */

/* At least so many bytes in t->staging, which hold anything; and give them back. */
xta_status xta__make_staging(xta__transfer_call *t, size_t bytes, xta_error *err);
void xta__drop_staging(xta__transfer_call *t);

xta__rows xta__rows_of_part(const xta__transfer_call *t, const xta__part *p);

/* Bytes of a part that lie together in the chunk, and (unless NULL) the strides of the part packed
 * in the chunk's order. */
size_t xta__packed_runs(const xta__transfer_call *t, const xta__part *p, ptrdiff_t packed[]);

xta_status xta__write_run(xta__transfer_call *t, int line, const xta__batch *batch, size_t first,
                          size_t n, xta_error *err);
xta_status xta__move_in_file_order(xta__transfer_call *t, int line, xta_error *err);

#endif
