/* One-sided access to the cells of zones.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DRXMP_CELLS_H
#define XTA_DRXMP_CELLS_H

#include "drxmp/session.h"

typedef enum xta__drx_access_kind {
    XTA__DRX_GET,
    XTA__DRX_PUT,
    XTA__DRX_ACCUMULATE
} xta__drx_access_kind;

typedef struct xta__drx_access {
    const char *call;
    xta__drx_access_kind kind;
    const struct drxmp_memory *memory; /* NULL: the handle was none in use, which is refused */
    const int64_t *lo, *hi;            /* in cells; NULL is refused */
    void *out;                         /* of GET */
    const void *in;                    /* of the others */
    MPI_Op op;                         /* of ACCUMULATE */
} xta__drx_access;

/* `order` is that of `out` or `in`. Fills in `status` and returns the result. */
int xta__drx_one_sided(const xta__drx_access *access, xta_order order, DRXMPStatus *status);

#endif
