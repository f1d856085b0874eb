/* The cells of an append, written before the growth is committed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_CHANGE_APPEND_CELLS_H
#define XTA_ARRAY_CHANGE_APPEND_CELLS_H

#include <xta/append.h>

#include "array/state/open_array.h"

/* The cells of an append: in memory, or written piece by piece by a function of the caller. */
typedef struct xta__slab {
    const xta_io_options *options;
    const void *cells;
    xta_append_fn fn; /* NULL: `cells` are in memory */
    void *user;
    xta_box box;
} xta__slab;

/* Whether options are valid for an append, which allows no steps. */
xta_status xta__check_append_options(const xta_array *array, int ndim,
                                     const xta_io_options *options, xta_error *err);

/* The box of a slab, after the locks were acquired. `seen`: the bounds from which the caller took
 * its shape. XTA_EBOX: other axes than the growth's have changed since; XTA_EOVERFLOW. */
xta_status xta__place_slab(xta_array *array, const xta_growth *growth, const xta_box *seen,
                           xta_box *slab, xta_error *err);

/* Write the cells of an append that will grow the array to `bounds`, after a record that announces
 * it. */
xta_status xta__write_slab(xta_array *array, const xta__slab *with, const xta_growth *growth,
                           const xta_box *bounds, xta_error *err);

#endif
