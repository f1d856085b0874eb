/* The cells that have a label.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_SELECT_SEARCH_H
#define XTA_SELECT_SEARCH_H

#include "select/label.h"

/* Cells: every `step`-th of [lo, hi), or a list of n in any order. */
typedef struct xta__cells {
    int64_t lo, hi, step;
    int64_t *list; /* NULL: none */
    size_t n, capacity;
} xta__cells;

/* Add the cells that one label of a list, or the only label, selects. `cells` is all zeros before
 * the first call and is cleared by the caller.
 *
 * XTA_ENOENT: no cell has it; XTA_EBOX: coordinates are not monotonic, where that is needed;
 * XTA_EARG, XTA_ENOMEM. */
xta_status xta__cells_add(const xta__axis_reader *reader, const xta__label_text *text,
                          xta__cells *cells, xta_error *err);

/* Set every step-th cell of a range of labels. The same errors. */
xta_status xta__cells_range(const xta__axis_reader *reader, const xta__label_text *text,
                            xta__cells *cells, xta_error *err);

void xta__cells_clear(xta__cells *cells);

#endif
