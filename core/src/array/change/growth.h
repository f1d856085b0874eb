/* The growth transaction: prepare, then publish or undo.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_CHANGE_GROWTH_H
#define XTA_ARRAY_CHANGE_GROWTH_H

#include "array/state/open_array.h"

/* One growth between prepare and publish. */
typedef struct xta__growing {
    xta_array *array;
    xta__growth_record *record; /* the array's */
    xta_box before, after;
    uint64_t n_chunks; /* before */
    xta__mapping_mark mark;
    bool allocated;
} xta__growing;

/* Allocate array->step unless it exists. */
xta_status xta__make_step(xta_array *array, xta_error *err);

/* Whether growths, or shrinks, name axes of the array and valid lengths. XTA_EARG. */
xta_status xta__check_growths(xta_array *array, const xta_growth *growths, int n, xta_error *err);

/* Whether all growths, or shrinks, are by zero cells. */
bool xta__grows_nothing(const xta_growth *growths, int n);

/* A change by zero cells is not a step: it gets no record. The lock is held. */
xta_status xta__change_nothing(const xta_array *array, xta_box *after);

/* Everything of a growth that can fail, except writing its record; the locks are held. On failure
 * nothing has changed. Then the record is committed and the growth published, or it is undone. */
xta_status xta__grow_prepare(xta__growing *growing, xta_array *array, const xta_growth *growths,
                             int n, xta_error *err);
void xta__grow_publish(xta__growing *growing);
void xta__grow_undo(xta__growing *growing);

#endif
