/* Private header: the data of a set of regions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_REGIONS_H
#define XTA_REDUCE_REGIONS_H

#include <xta/extract.h>

struct xta_regions {
    int ndim;
    size_t n;
    size_t capacity;
    int64_t *limits; // for each region: lo of each axis, then hi of each axis
    double *sphere;  // centre and spacing of each axis, then the radius, below 0 for a box
    char **name;     // NULL: none

    // For a mask:
    xta_array *mask;
    int64_t background;
    int64_t shift[XTA_MAX_NDIM]; // from coordinates of the mask to those of the array
    int64_t *label;
    uint64_t *n_cells;
    size_t n_slots; // of a hash table whose slots hold the number of a region plus 1, or 0
    size_t *slot;
};

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

/* Reserve memory for one more region. False: out of memory. */
bool xta__regions_grow(xta_regions *regions);

#endif
