/** @file
 * A box: half-open intervals of coordinates, one for each axis. A small plain value.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_BOX_H
#define XTA_BOX_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

#define XTA_MAX_NDIM 32

/** Cells, or chunks, with lo[axis] <= coordinate < hi[axis]. Coordinates may be negative; they lie
 * between -2^62 and 2^62. */
typedef struct xta_box {
    int ndim; /**< 1 to XTA_MAX_NDIM */
    int64_t lo[XTA_MAX_NDIM];
    int64_t hi[XTA_MAX_NDIM];
} xta_box;

/** The box from `lo` to `hi` (both `ndim` long). Pure. */
XTA_API xta_box xta_box_make(int ndim, const int64_t lo[], const int64_t hi[]);

/** The number of cells: the product of the lengths. Pure.
 * @retval XTA_EOVERFLOW  more than 2^63 - 1; `*n` is untouched
 */
XTA_API XTA_MUST_CHECK xta_status xta_box_cells(const xta_box *box, uint64_t *n);

/** Whether it contains no cell. Pure. */
XTA_API bool xta_box_empty(const xta_box *box);

/** Whether every cell of `inner` lies in `outer` (an empty box lies in every box). Pure. */
XTA_API bool xta_box_contains(const xta_box *outer, const xta_box *inner);

/** The intersection; empty if they do not intersect (then lo = hi on some axis). Pure. */
XTA_API xta_box xta_box_intersect(const xta_box *a, const xta_box *b);

/** Whether the number of axes and all limits are the same. Pure. */
XTA_API bool xta_box_equal(const xta_box *a, const xta_box *b);

#ifdef __cplusplus
}
#endif
#endif
