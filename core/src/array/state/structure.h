/* The structure of an array: axes, bounds and mapping, and what growing and shrinking do to them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_STATE_STRUCTURE_H
#define XTA_ARRAY_STATE_STRUCTURE_H

#include <stdatomic.h>

#include <xta/array.h>

#include "chunk/chunk.h"
#include "geometry/mapping/mapping.h"
#include "geometry/order/order.h"
#include "store/store.h"

/* The most bytes of a chunk, so that positions inside it fit in 62 bits. */
#define XTA__MAX_CHUNK_BYTES XTA__OFFSET_LIMIT

/* One axis, laid out for get and put: one cache line.
 *
 * Threads read the bounds while another one moves them. They are stored with release order once the
 * new chunks have addresses, and loaded with acquire order. */
typedef struct xta__axis {
    _Atomic int64_t lo, hi; /* bounds in cells */
    int64_t chunk;          /* cells of a chunk */
    uint64_t magic;         /* floor(2^64 / chunk), for division by multiplication */
    int64_t bias;           /* a multiple of chunk that makes every coordinate positive */
    int64_t bias_chunks;    /* bias / chunk */
    int64_t stride_bytes;   /* inside a chunk; 0 if the order is not strided */
    int64_t coord_limit;    /* of chunk coordinates, either sign */
    int64_t shift;          /* log2 of chunk, if that is a power of two */
    uint64_t rest;          /* chunk - 1 */
} xta__axis;

/* The functions that read and write one cell: see io/cell.c. `structure` is the one whose member
 * was called. */
struct xta__structure;
typedef xta_status xta__get_accessor(xta_array *array, const int64_t coord[], void *cell,
                                     xta_error *err, const struct xta__structure *structure);
typedef xta_status xta__put_accessor(xta_array *array, const int64_t coord[], const void *cell,
                                     xta_error *err, const struct xta__structure *structure);

/* The structure of an array: axes, bounds, mapping.
 *
 * Growth changes it in place under the lock of the array. Calls on cells continue meanwhile:
 * records of the mapping are added and never moved, and bounds change last. Adding an axis makes a
 * new structure; the old one is kept until the array is closed, since calls may still be using
 * it. */
typedef struct xta__structure {
    _Atomic(xta__get_accessor *) get; /* selected by xta__select_accessors */
    _Atomic(xta__put_accessor *) put;
    const xta__windows *windows; /* of the array's chunk store; NULL if it has none */
    int ndim;
    bool strided; /* positions in a chunk are dot products */
    bool shifts;  /* chunk lengths are powers of two */
    xta__axis axis[XTA_MAX_NDIM];
    int64_t reached_lo[XTA_MAX_NDIM]; /* the box of cells that were ever within the bounds */
    int64_t reached_hi[XTA_MAX_NDIM];
    xta__mapping mapping;
    xta__grid grid;                  /* cells inside a chunk */
    _Atomic(uint32_t *) curve_table; /* of a Morton or Hilbert order: see xta__curve_table */
    _Atomic(xta__curve *) curve;     /* the same for boxes: see xta__curve_of */
    uint64_t n_steps;
    struct xta__structure *retired; /* the one that this one has replaced */
} xta__structure;

/* The first structure of an array. XTA_EARG, XTA_EOVERFLOW, XTA_ENOMEM, with a constant text. */
xta_status xta__structure_new(const xta__constants *constants, int ndim, const int64_t chunk[],
                              const int64_t bounds[], uint64_t table_limit, xta__structure **out,
                              const char **why);

/* The structure that a checkpoint holds. */
xta_status xta__structure_import(const xta__checkpoint_record *record, uint64_t table_limit,
                                 xta__structure **out, const char **why);

/* A copy with one more axis. */
xta_status xta__structure_add_axis(const xta__structure *old, const xta__constants *constants,
                                   int position, xta__structure **out);
void xta__structure_free(xta__structure *structure);

/* The bounds, in cells. */
XTA_PRIVATE_API xta_box xta__structure_bounds(const xta__structure *structure);

/* The same into `box`, in which only the axes of the array are written: a box has space for many
 * axes, and copying all of them would cost more than the rest. */
void xta__structure_bounds_into(const xta__structure *structure, xta_box *box);

/* The chunks in which the cells of `box` lie. */
XTA_PRIVATE_API xta_box xta__structure_chunks_of(const xta__structure *structure,
                                                 const xta_box *box);

/* The cells of a chunk, ghosts included. */
xta_box xta__structure_cells_of(const xta__structure *structure, const int64_t chunk[]);

/* Compute what a sequence of growths needs: new bounds and allocations, by the array's policy. */
xta_status xta__structure_plan_growth(const xta__structure *structure,
                                      const xta__constants *constants, const xta_growth *growths,
                                      int n, xta__growth_record *record, xta_box *bounds,
                                      const char **why);
xta_status xta__structure_plan_shrink(const xta__structure *structure, const xta_growth *shrinks,
                                      int n, xta_box *bounds, const char **why, int *which);

/* Memory for the allocations of a record, so that making them cannot fail. */
xta_status xta__structure_reserve(xta__structure *structure, const xta__constants *constants,
                                  const xta__growth_record *record);

/* Give addresses to the new chunks, record how far cells were ever within the bounds, and finally
 * publish the new bounds to readers. */
void xta__structure_allocate(xta__structure *structure, const xta__growth_record *record);
void xta__structure_reach(xta__structure *structure, const xta_box *bounds);
void xta__structure_publish(xta__structure *structure, const xta_box *bounds);

#endif
