/* What the files of extract/ share. The folder stands on the public headers alone.
 *
 * An extraction is a pass over chunks in file order (pass.c). For each chunk the regions that meet
 * it are looked up (buckets.c) or its part of the mask is read (mask.c), what is needed of it is
 * read, and every region takes its pieces (pieces.c): into statistics (fold.c), to the caller, or
 * both.
 *
 * The axes of the regions are called the space, the others the rest; `space` coordinates have
 * regions->ndim numbers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_EXTRACT_EXTRACT_H
#define XTA_EXTRACT_EXTRACT_H

#include <xta/extract.h>

/* Go to the label `done` unless the call went well. */
#define EXTRACT_TRY(call)       \
    do {                        \
        status = (call);        \
        if (status != XTA_OK) { \
            goto done;          \
        }                       \
    } while (0)

struct xta_regions {
    int ndim;
    size_t n;
    size_t capacity;
    int64_t *limits; // lo of each axis, then hi of each axis; for each region
    double *sphere;  // centre and spacing of each axis, then the radius, below 0 for a box
    char **name;     // NULL: none

    // Of a mask.
    xta_array *mask;
    int64_t background;
    int64_t shift[XTA_MAX_NDIM]; // from coordinates of the mask to those of the array
    int64_t *label;
    uint64_t *n_cells;
    size_t n_slots; // of a hash table: the number of a region and 1, or 0
    size_t *slot;
};

/* ---- regions.c ---- */

static inline const int64_t *xta__region_lo(const xta_regions *regions, size_t k)
{
    return regions->limits + 2 * (size_t)regions->ndim * k;
}

static inline const int64_t *xta__region_hi(const xta_regions *regions, size_t k)
{
    return xta__region_lo(regions, k) + regions->ndim;
}

static inline const double *xta__region_sphere(const xta_regions *regions, size_t k)
{
    return regions->sphere + (2 * (size_t)regions->ndim + 1) * k;
}

static inline bool xta__region_is_sphere(const xta_regions *regions, size_t k)
{
    return regions->mask == NULL && xta__region_sphere(regions, k)[2 * regions->ndim] >= 0;
}

/* Room for one more region. False: no memory. */
bool xta__regions_grow(xta_regions *regions);

/* ---- sphere.c ---- */

/* The cells of a sphere on the line through `at` along the last axis: [*lo, *hi), possibly
 * empty. */
void xta__sphere_run(const double *sphere, int ndim, const int64_t at[], int64_t *lo, int64_t *hi);

/* Whether a sphere has a cell in a box. */
bool xta__sphere_meets(const double *sphere, int ndim, const int64_t lo[], const int64_t hi[]);

/* The box around a sphere. */
void xta__sphere_limits(const double *sphere, int ndim, int64_t lo[], int64_t hi[]);

/* ---- fold.c: statistics ---- */

typedef union xta__number {
    int64_t i;
    uint64_t u;
    double f;
} xta__number;

__extension__ typedef __int128 xta__wide;

/* Sum, least and greatest of what was folded in. Zeros are no good start: see xta__fold_begin. */
typedef struct xta__accumulator {
    uint64_t count;
    uint64_t n_nan;
    union {
        xta__wide i; // of integers: exact
        struct {
            double sum;
            double lost; // what rounding has taken from it
        } f;
    } sum;
    xta__number min;
    xta__number max;
} xta__accumulator;

/* n cells that lie together, of a type. */
typedef void xta__fold(xta__accumulator *into, const uint8_t *cells, size_t n);

typedef struct xta__folder {
    xta__fold *all;  // into one accumulator
    xta__fold *each; // into one each, that lie together
    char kind;       // 'i', 'u' or 'f': which member of xta__number holds
} xta__folder;

/* False if there are no statistics of a type. */
bool xta__folder_of(xta_type type, xta__folder *folder);

void xta__fold_begin(const xta__folder *folder, xta__accumulator *accumulator, size_t n);
void xta__fold_end(const xta__folder *folder, xta_type type, const xta__accumulator *accumulator,
                   xta_region_statistics *statistics);

/* ---- the pass ---- */

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
    xta__folder folder;
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
    xta_status status; // of a walk that was ended
    xta_error *err;
} xta__pass;

/* Memory within the limit; NULL and a text in pass->err if there is none. `what` is for the
 * text. */
void *xta__pass_alloc(xta__pass *pass, uint64_t n, size_t bytes, const char *what);
void xta__pass_free(xta__pass *pass, void *memory, uint64_t n, size_t bytes);

/* The box of a region within the array. */
void xta__pass_region(const xta__pass *pass, size_t k, xta_box *box);

xta_status xta__pass_begin(xta__pass *pass);    // plan.c
xta_status xta__buckets_begin(xta__pass *pass); // buckets.c
uint64_t xta__buckets_at(const xta__buckets *b, const xta_box *space);
xta_status xta__pass_ranks(xta__pass *pass); // ranks.c
uint64_t xta__pass_rank(const xta__pass *pass, size_t k, const int64_t at[]);
xta_status xta__window_show(xta__pass *pass, const xta_box *space); // mask.c
xta_status xta__take_pieces(xta__pass *pass, const xta_box *slab);  // pieces.c

/* The number of the region of a label, or -1. */
int64_t xta__region_of_label(const xta_regions *regions, int64_t label);

/* Count a coordinate on within a box, the last axis but `skip` fastest; false behind the last. */
static inline bool xta__next_row(const xta_box *box, int skip, int64_t at[])
{
    for (int axis = box->ndim - 1; axis >= 0; axis--) {
        if (axis == skip) {
            continue;
        }
        if (++at[axis] < box->hi[axis]) {
            return true;
        }
        at[axis] = box->lo[axis];
    }
    return false;
}

/* floor(a / b) for b > 0. */
static inline int64_t xta__chunk_of(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

#endif
