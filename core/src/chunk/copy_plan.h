/* The plan of a copy of a box of cells, made once for a shape and run for many chunks.
 *
 * The plan drops axes of length 1, sorts the others so that the target is traversed in memory
 * order, and joins axes that continue each other, so that most copies are a few long memcpy calls.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CHUNK_COPY_PLAN_H
#define XTA_CHUNK_COPY_PLAN_H

#include <stddef.h>

#include "base/base.h"
#include "chunk/cells.h"

/* Of a cell type, only the length matters. */
typedef struct xta__copy_plan {
    int ndim;                     /* after joining; 0: one cell */
    size_t cell_bytes;            /* of the unit that is copied, possibly several joined cells */
    size_t count[XTA_MAX_NDIM];   /* outermost first */
    ptrdiff_t to[XTA_MAX_NDIM];   /* bytes from one to the next in the target */
    ptrdiff_t from[XTA_MAX_NDIM]; /* and in the source */
    const xta__coding *coding;    /* or NULL */
    bool stream; /* the target is large and will not be read soon: spare the caches */
} xta__copy_plan;

/* Plan a copy of count[0] x ... x count[ndim - 1] cells. Strides in bytes, of any sign. `coding`
 * is borrowed. */
void xta__copy_plan_init(xta__copy_plan *plan, int ndim, size_t cell_bytes, const size_t count[],
                         const ptrdiff_t to[], const ptrdiff_t from[], const xta__coding *coding,
                         bool stream);

/* The absolute value of a stride. */
static inline size_t xta__stride_bytes(ptrdiff_t stride)
{
    return stride < 0 ? (size_t)0 - (size_t)stride : (size_t)stride;
}

#endif
