/* Private header: a pass over an array, shared by its files.
 *
 * A pass goes over chunks in file order (pass.c). For each chunk the regions that meet it are
 * looked up (buckets.c) or its part of the mask is read (mask_window.c), what is needed of it is
 * read, and every region is given its pieces (pieces.c): into statistics (statistics.c), to the
 * caller, or both.
 *
 * The axes of the regions are called the space, the others the rest; `space` coordinates have
 * regions->ndim numbers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_PASS_STATE_H
#define XTA_REDUCE_PASS_STATE_H

#include "pass/statistics.h"
#include "regions/regions.h"

/* Which regions may meet a chunk of the space: lists for a grid of buckets, each of 2^shift chunks
 * a side. */
typedef struct xta__buckets {
    int ndim;
    int shift;
    int64_t chunk[XTA_MAX_NDIM];
    int64_t first[XTA_MAX_NDIM]; // bucket coordinates
    int64_t count[XTA_MAX_NDIM];
    uint64_t n;
    uint64_t *begin;  // n + 1: where the list of each bucket begins
    uint32_t *region; // all lists
} xta__buckets;

/* A window on the numbers of the regions of a mask; -1 is background. */
typedef struct xta__window {
    xta_box box; // in coordinates of the space; ndim 0: nothing read yet
    int64_t *region;
    uint64_t capacity; // cells
} xta__window;

/* Where runs of cells begin in a region, and how many cells stand before them; both in row-major
 * order. `key` is the row-major number of a cell in the space. */
typedef struct xta__rank {
    uint64_t key;
    uint64_t before;
} xta__rank;

struct xta_extraction {
    xta_extract_facts facts;
    xta_type type;
    xta__fold_functions fold;
    xta__accumulator *accumulator; // n_regions times n_positions; NULL: no statistics
};

typedef struct xta__pass {
    xta_array *array;
    const xta_regions *regions;
    xta_extract_options options;
    xta_extraction *extraction;
    xta_extract_facts *facts; // those of the extraction
    size_t cell_bytes;
    int64_t chunk[XTA_MAX_NDIM];       // of the array
    int space_of[XTA_MAX_NDIM];        // axis of the space that an axis of the array is, or -1
    int64_t rest_stride[XTA_MAX_NDIM]; // positions from coordinate to coordinate; 0 in the space
    xta_box space;                     // bounds of the array on the axes of the regions
    xta_box reach;                     // what all regions together may touch, within `space`
    xta__buckets buckets;
    xta__window window;
    size_t *rank_begin; // n_regions + 1; NULL for boxes alone, or if no cells are wanted
    xta__rank *rank;

    uint64_t limit_bytes;
    uint64_t used_bytes;
    uint8_t *cells; // of one slab
    uint64_t slab_cells;
    xta_region_piece piece; // the one at hand
    uint32_t *here;         // regions that meet the chunk at hand
    size_t n_here;
    size_t here_capacity;
    xta_status status; // why a visit ended the pass
    xta_error *err;
} xta__pass;

/* Enough for a small slab and a small window. */
#define XTA__SPARE_BYTES ((uint64_t)1 << 20)

/* Memory within the limit; NULL and a text in pass->err if there is none. `what` is for the
 * text. */
void *xta__pass_alloc(xta__pass *pass, uint64_t n, size_t bytes, const char *what);
void xta__pass_free(xta__pass *pass, void *memory, uint64_t n, size_t bytes);

/* The box of a region within the array. */
void xta__pass_region(const xta__pass *pass, size_t k, xta_box *box);

/* The array's path in messages. */
const char *xta__pass_array_name(const xta__pass *pass);

#endif
