/* What the files of this folder share: a reduction that is planned, and how it is cut into items.
 *
 * The axes that remain are cut into pieces, the reduced ones into blocks of 1024. An item is a
 * piece of the result and a run of blocks; its partial sums depend on nothing but their cells, so
 * items can be computed in any order, by any thread and any member. A tile is as many pieces as the
 * partial sums of all their items fit the memory budget.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_REDUCTION_REDUCTION_H
#define XTA_REDUCE_REDUCTION_REDUCTION_H

#include <xta/reduce.h>

#include "reduction/kernels.h"
#include "reduction/moments.h"

enum { XTA__BLOCK_CELLS = 1024 };

/* The coordinates of one block that belong to one group. */
typedef struct xta__slot {
    int64_t block;
    int64_t group;
} xta__slot;

/* A reduced axis. */
typedef struct xta__slot_axis {
    int axis; // of the array
    int64_t lo, hi;
    int64_t first_block;
    size_t n_blocks;
    size_t n_slots;
    xta__slot *slots;  // by block, then group; owned, as all of these
    size_t *begin;     // the slots of block first_block + k are begin[k] ... begin[k + 1] - 1
    uint32_t *slot_of; // of each coordinate; XTA__NO_SLOT; NULL without groups
    size_t most_slots; // of a block
} xta__slot_axis;

#define XTA__NO_SLOT UINT32_MAX

typedef struct xta__reduction {
    xta_array *array;
    xta_reduce_options options;
    xta_array_info info;
    const xta__kernels *kernels;
    bool direct;                    // cells can be taken from the chunks
    bool is_half;                   // XTA_F16
    _Alignas(8) uint8_t missing[8]; // of the kernels' type
    const void *missing_at;         // NULL: none

    // What is wanted.
    bool wants_sum, wants_range, wants_moments;
    bool may_exclude; // some cells may not count

    // Reduced axes, ascending, and the axes that remain.
    int n_reduced;
    xta__slot_axis reduced[XTA_MAX_NDIM];
    int reduced_of[XTA_MAX_NDIM]; // which one an axis of the array is; -1: it remains
    int n_kept;
    int kept[XTA_MAX_NDIM];
    bool along; // the last axis of the array is reduced

    // Groups.
    int grouped; // number of the reduced axis; -1: none
    size_t n_groups;
    int64_t first_group;   // its coordinate in the result
    int64_t *labels;       // distinct ones, or NULL; owned
    size_t *group_begin;   // slots of each group, ascending: n_groups + 1; owned
    size_t *group_slots;   // owned
    uint64_t *group_cells; // coordinates of each group; owned

    // Pieces of the result.
    int64_t edge[XTA_MAX_NDIM]; // of a piece on each kept axis
    int64_t first_piece[XTA_MAX_NDIM];
    uint64_t n_pieces_on[XTA_MAX_NDIM];
    uint64_t n_pieces;
    size_t most_kept; // cells of a piece

    // Items.
    size_t run_blocks;             // of an item on the last reduced axis
    uint64_t n_runs[XTA_MAX_NDIM]; // of blocks, on each reduced axis
    uint64_t n_runs_in_all;
    int64_t band[XTA_MAX_NDIM]; // most coordinates of a reduced axis at a time
    size_t most_rows;           // product of bands, but for the last axis
    size_t most_slots;          // of an item
    uint64_t bytes_per_kept;    // partial sums of one result cell, of all its items
    size_t copy_bytes;          // for cells that must be copied
    uint64_t thread_bytes;
} xta__reduction;

/* Partial sums of an item: n = its slots times the cells of its piece. NULL: not wanted. */
typedef struct xta__partial {
    size_t n;
    double *sum;
    xta__exact *exact;
    uint64_t *excluded, *n_missing;
    void *least, *most;
    xta__moments *moments;
} xta__partial;

/* What an item is. */
typedef struct xta__item {
    xta_box kept; // on all axes; those of the reduced ones are `cells`
    size_t n_kept;
    size_t first_slot[XTA_MAX_NDIM], n_slots[XTA_MAX_NDIM]; // on each reduced axis
    size_t n_slots_in_all;
} xta__item;

#endif
