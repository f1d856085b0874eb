/** @file
 * Extracting regions of an array in one pass in file order: boxes, spheres, or the labels of a
 * mask, as statistics or as their cells.
 *
 * Regions are defined on some or all axes of an array. If an array has more axes than its regions
 * (a series of volumes and regions of one volume), every position on the remaining axes has its own
 * statistics: a time series for each region.
 *
 * @par Source
 * [KEEP] 2.7, where regions are extracted from an image that is stored in blocks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_EXTRACT_H
#define XTA_EXTRACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A set of regions: boxes and spheres, which may overlap, or the labels of a mask. Opaque. */
typedef struct xta_regions xta_regions;

typedef enum xta_region_kind {
    XTA_REGION_BOX = 0,
    XTA_REGION_SPHERE = 1,
    XTA_REGION_LABEL = 2
} xta_region_kind;

/** One region. */
typedef struct xta_region {
    xta_region_kind kind;
    const char *name; /**< "" if it has none; valid until the set is freed */
    int64_t label;    /**< label value, for XTA_REGION_LABEL */
    xta_box box;      /**< bounding box; not yet clipped to an array */
} xta_region;

/** Create a set of boxes and spheres.
 * @param[in]  ndim     number of their axes, 1 to XTA_MAX_NDIM
 * @param[out] regions  to be freed with xta_regions_free; NULL on failure
 * @param[out] err      why it failed; NULL if not wanted
 * @retval XTA_EARG  no such number of axes */
XTA_API XTA_MUST_CHECK xta_status xta_regions_new(int ndim, xta_regions **regions, xta_error *err);

/** Add a box.
 * @param[in]  regions  not made from a mask
 * @param[in]  name     copied; NULL for none
 * @param[in]  box      of the set's number of axes; may be empty
 * @param[out] err      why it failed
 * @retval XTA_EARG  wrong number of axes, or a box that ends before it begins */
XTA_API XTA_MUST_CHECK xta_status xta_regions_add_box(xta_regions *regions, const char *name,
                                                      const xta_box *box, xta_error *err);

/** Add a sphere: the cells x with sum(((x - centre) * spacing)^2) <= radius^2, in double precision
 * and in the order of the axes.
 * @param[in]  regions  not made from a mask
 * @param[in]  name     copied; NULL for none
 * @param[in]  centre   a coordinate on each axis, not necessarily an integer
 * @param[in]  radius   >= 0, in the unit of `spacing`
 * @param[in]  spacing  length of a cell on each axis, above 0; NULL: 1, so that `radius` counts
 *                      cells
 * @param[out] err      why it failed
 * @retval XTA_EARG  a number is out of range (such as a coordinate beyond 2^52) */
XTA_API XTA_MUST_CHECK xta_status xta_regions_add_sphere(xta_regions *regions, const char *name,
                                                         const double centre[], double radius,
                                                         const double spacing[], xta_error *err);

/** Create a set from the labels of a mask: every value except the background is a region, ordered
 * by value. The mask is read once here, and once more in an extraction (repeatedly if it needs more
 * than a quarter of the memory).
 * @param[in]  mask        an array of integers; must stay open and unchanged as long as the set
 *                         exists
 * @param[in]  background  the value of cells that belong to no region, usually 0
 * @param[in]  origin      coordinate of the first cell of the mask in the array to which it
 *                         applies; NULL: the lower bounds of the mask
 * @param[out] regions     to be freed with xta_regions_free; NULL on failure
 * @param[out] err         why it failed
 * @retval XTA_ETYPE, XTA_ERANGE  the mask holds values that are not integers */
XTA_API XTA_MUST_CHECK xta_status xta_regions_of_mask(xta_array *mask, int64_t background,
                                                      const int64_t origin[], xta_regions **regions,
                                                      xta_error *err);

/** Free a set; NULL is allowed. */
XTA_API void xta_regions_free(xta_regions *regions);

/** The number of regions. Never fails. */
XTA_API size_t xta_regions_count(const xta_regions *regions);

/** The number of axes of the regions. Never fails. */
XTA_API int xta_regions_ndim(const xta_regions *regions);

/** Region number `k`, below the count. Never fails. */
XTA_API xta_region xta_regions_at(const xta_regions *regions, size_t k);

/** Cells of one region, as an extraction passes them to the caller: a box that lies entirely in the
 * region. */
typedef struct xta_region_piece {
    size_t region;
    xta_box cells;          /**< box, in coordinates of the array */
    const void *first;      /**< the cell at cells.lo, in the array's type; valid during the call */
    const int64_t *strides; /**< bytes from cell to cell on each axis */
    uint64_t rank; /**< number of cells of the region (on its own axes, clipped to the array) that
                   precede the first one in row-major order. Pieces of spheres and labels are runs
                   on the last of their axes, so ranks increase by one from cell to cell */
} xta_region_piece;

/** How to extract. Start from XTA_EXTRACT_OPTIONS_INIT. */
typedef struct xta_extract_options {
    size_t struct_size; /**< sizeof(xta_extract_options) */
    /** For each axis of the regions, the axis of the array, ascending. NULL: all axes, or, for a
     * mask, the first or the last axes if the lengths determine which. */
    const int *axes;
    uint64_t memory_bytes; /**< memory budget; 0: 256 MiB */
    bool clip;             /**< clip boxes to the array instead of refusing those that extend beyond
                                it. Spheres are always clipped */
    bool no_statistics;
    /** Called for each region before the first piece, with its number of cells on its own axes and
     * its box, both clipped to the array. NULL: not wanted. A result other than 0 ends the
     * extraction. */
    int (*region)(void *user, size_t region, uint64_t n_cells, const xta_box *box);
    /** Called for each piece. NULL: cells are not wanted. A result other than 0 ends the
     * extraction. */
    int (*piece)(void *user, const xta_region_piece *piece);
    void *user; /**< passed to both callbacks */
} xta_extract_options;
#define XTA_EXTRACT_OPTIONS_INIT                                 \
    {                                                            \
        sizeof(xta_extract_options), 0, 0, false, false, 0, 0, 0 \
    }

/** Statistics of a region at one position. */
typedef struct xta_region_statistics {
    uint64_t count; /**< cells that are not NaN */
    uint64_t n_nan; /**< cells that are NaN; they are not counted elsewhere */
    double min;     /**< NaN if count is 0, like max and mean */
    double max;
    double mean;
    double sum;          /**< integers: exact, rounded once; floats: compensated */
    uint8_t min_cell[8]; /**< in the array's type: 64-bit integers keep every digit */
    uint8_t max_cell[8];
} xta_region_statistics;

/** The result of an extraction. Opaque. */
typedef struct xta_extraction xta_extraction;

/** Facts about an extraction. */
typedef struct xta_extract_facts {
    size_t n_regions;
    uint64_t n_positions;   /**< positions on the remaining axes; 1 if there are none */
    int n_axes;             /**< number of axes of the regions */
    int axes[XTA_MAX_NDIM]; /**< the corresponding axes of the array */
    int n_rest;             /**< number of remaining axes */
    int rest[XTA_MAX_NDIM]; /**< the corresponding axes of the array */
    xta_box bounds;         /**< bounds of the array */
    uint64_t n_chunks_read; /**< chunks that at least one region intersects; each was read once */
    uint64_t n_cells_read;
    uint64_t memory_bytes; /**< peak memory */
} xta_extract_facts;

/** Find out which axes of an array the regions are on.
 * @param[in]  array    open
 * @param[in]  regions  any
 * @param[in]  wanted   as `axes` in the options; NULL: to be determined
 * @param[out] axes     as many as the regions have
 * @param[out] err      why it failed
 * @retval XTA_EARG  they are not axes of the array, or the lengths do not determine which */
XTA_API XTA_MUST_CHECK xta_status xta_extract_axes(xta_array *array, const xta_regions *regions,
                                                   const int *wanted, int axes[], xta_error *err);

/** Extract regions of an array.
 *
 * One pass over the chunks in file order: those that no region intersects are not read, the others
 * are read once, however many regions intersect them.
 *
 * Not collective. Safe from several threads, on the same array and regions as well.
 *
 * @param[in]  array       open; its bounds must not change meanwhile
 * @param[in]  regions     at least one
 * @param[in]  options     NULL: the defaults
 * @param[out] extraction  to be freed with xta_extraction_free; NULL on failure, or if not wanted
 * @param[out] err         why it failed; NULL if not wanted
 * @retval XTA_EARG       axes that the array does not have; no regions
 * @retval XTA_EBOX       a box extends beyond the array; the bounds of the mask are not those of
 *                        the array
 * @retval XTA_ETYPE      statistics of complex numbers or bytes
 * @retval XTA_ENOMEM     the memory budget is too small; the text says how much would be enough
 * @retval XTA_ECANCELLED `region` or `piece` asked to stop
 * @par Cost
 * Each cell is processed once for each region that contains it. Regions are found chunk by chunk:
 * O(regions + pairs of a region and a chunk that intersect). */
XTA_API XTA_MUST_CHECK xta_status xta_extract(xta_array *array, const xta_regions *regions,
                                              const xta_extract_options *options,
                                              xta_extraction **extraction, xta_error *err);

/** Facts about an extraction; valid as long as the extraction. */
XTA_API const xta_extract_facts *xta_extraction_facts(const xta_extraction *extraction);

/** Statistics of region `k` at a position: the row-major number of a coordinate on the remaining
 * axes. Zeros if no statistics were requested. Never fails. */
XTA_API xta_region_statistics xta_extraction_statistics(const xta_extraction *extraction, size_t k,
                                                        uint64_t position);

/** Free an extraction; NULL is allowed. */
XTA_API void xta_extraction_free(xta_extraction *extraction);

#ifdef __cplusplus
}
#endif
#endif
