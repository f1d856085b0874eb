/* One read or write of a box: what all steps of it share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_BOX_TRANSFER_CALL_H
#define XTA_ARRAY_IO_BOX_TRANSFER_CALL_H

#include "array/io/box/direction.h"
#include "array/io/chunk_address.h"
#include "array/state/open_array.h"
#include "geometry/region/plan.h"

/* How far one call has read, for reading ahead: see read_ahead.c. */
typedef struct xta__ahead {
    bool wanted;   /* the read is large enough to ask whether its file is in memory */
    bool cold;     /* a chunk was not */
    int line;      /* the fastest axis of the read; -1: the last one */
    uint64_t turn; /* chunks read so far */
    /* the turn at which to ask again, and bytes until the time after that */
    uint64_t ask_at, gap;
    const xta__batch *batch; /* which the next chunk comes from; NULL: none */
    size_t in_batch;
    struct xta__fetching *fetching; /* NULL: nothing was missing so far */
} xta__ahead;

/* One call. Each thread of it has a copy, with its own scratch memory; only `array`, `structure`
 * and what `lock` and `failed` point to are shared. */
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
    uint8_t *staging;   /* whole chunks before they are written */
    size_t staging_bytes;
    xta__skips *skips; /* chunks that the call leaves out; NULL: none */
    void *skips_user;
    bool locked;           /* the thread that calls holds the lock of the array */
    pthread_mutex_t *lock; /* of addresses that are more than a look-up in tables */
    /* Of one slab among several: the lowest number of a slab that has failed, and its own number.
     * NULL: the call is not divided. */
    const _Atomic uint64_t *failed;
    uint64_t slab;
} xta__transfer_call;

/* Whether a slab of a lower number has failed: then the result of this one does not matter. */
static inline bool xta__is_cut_short(const xta__transfer_call *t)
{
    return t->failed != NULL && atomic_load_explicit(t->failed, memory_order_relaxed) < t->slab;
}

/* F* of a chunk in the region. */
static inline uint64_t xta__address_in(const xta__transfer_call *t, const int64_t chunk[])
{
    return xta__find_address(t->structure, chunk, t->lock);
}

/* Whether the first axis of a strided chunk is its fastest. t->from does not show this: it is
 * multiplied by the steps. */
static inline bool xta__is_column(const xta__transfer_call *t)
{
    const xta__axis *axis = t->structure->axis;

    return axis[0].stride_bytes < axis[t->region.ndim - 1].stride_bytes;
}

/* How cells are coded in the direction of this call. */
static inline const xta__coding *xta__coding_of(const xta__transfer_call *t)
{
    return t->direction == XTA__READ ? t->array->decode : t->array->encode;
}

#endif
