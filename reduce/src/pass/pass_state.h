/* Private header: the state of a pass over an array.
 *
 * A pass goes over chunks in file order (pass.c). For each chunk, the regions that intersect it are
 * looked up (buckets.c) or its part of the mask is read (mask_window.c), the cells needed are read,
 * and the pieces of every region (pieces.c) are added to statistics (statistics.c), passed to the
 * caller, or both.
 *
 * The axes of the regions are called the space, the remaining axes the rest; `space` coordinates
 * have regions->ndim numbers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_PASS_STATE_H
#define XTA_REDUCE_PASS_STATE_H

#include "pass/statistics.h"
#include "regions/regions.h"

/* Lists of the regions that may intersect a chunk of the space, for a grid of buckets with sides of
 * 2^shift chunks. */
typedef struct xta__buckets {
    int ndim;
    int shift;
    int64_t chunk[XTA_MAX_NDIM];
    int64_t first[XTA_MAX_NDIM]; // bucket coordinates
    int64_t count[XTA_MAX_NDIM];
    uint64_t n;
    uint64_t *begin;  // n + 1: beginning of each bucket's list
    uint32_t *region; // all lists
} xta__buckets;

/* A window on a mask, with the numbers of regions; -1 is background. */
typedef struct xta__window {
    xta_box box; // in coordinates of the space; ndim 0: nothing read yet
    int64_t *region;
    uint64_t capacity; // cells
} xta__window;

/* The beginnings of runs of cells in a region, and how many cells precede each; both in row-major
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
    xta_extract_facts *facts; // the facts of the extraction
    size_t cell_bytes;
    int64_t chunk[XTA_MAX_NDIM]; // chunk shape of the array
    // axis of the space that corresponds to an axis of the array, or -1
    int space_of[XTA_MAX_NDIM];
    // distance in positions between neighbouring coordinates; 0 on axes of the space
    int64_t rest_stride[XTA_MAX_NDIM];
    xta_box space; // bounds of the array on the axes of the regions
    // the box that all regions together may intersect, within `space`
    xta_box reach;
    xta__buckets buckets;
    xta__window window;
    size_t *rank_begin; // n_regions + 1; NULL if there are only boxes, or if no cells are requested
    xta__rank *rank;

    uint64_t limit_bytes;
    uint64_t used_bytes;
    uint8_t *cells; // memory for one slab
    uint64_t slab_cells;
    xta_region_piece piece; // the current piece
    uint32_t *here;         // regions that intersect the current chunk
    size_t n_here;
    size_t here_capacity;
    xta_status status; // why a visit has ended the pass
    xta_error *err;
} xta__pass;

/* Enough for a small slab and a small window. */
#define XTA__SPARE_BYTES ((uint64_t)1 << 20)

/* Allocate memory within the limit; NULL, with a text in pass->err, if there is none. `what` is for
 * the text. */
void *xta__pass_alloc(xta__pass *pass, uint64_t n, size_t bytes, const char *what);
void xta__pass_free(xta__pass *pass, void *memory, uint64_t n, size_t bytes);

/* The box of a region, clipped to the array. */
void xta__pass_region(const xta__pass *pass, size_t k, xta_box *box);

/* The array's path, for messages. */
const char *xta__pass_array_name(const xta__pass *pass);

#endif
