/* Private header: an array like another one, for replacements.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_ADMIN_CREATE_LIKE_H
#define XTA_ARRAY_ADMIN_CREATE_LIKE_H

#include <xta/create_like.h>
#include <xta/work.h>

/* How an array is like its source. All zeros: as it is. */
typedef struct xta__like {
    const xta_create_options *changes; /* as for xta_array_create_like */
    const xta_box *box;                /* its bounds; NULL: those of the source */
    xta_type type;                     /* XTA_TYPE_SAME: that of the source */
    const xta_array *replaced;         /* whose owner and mode it gets; NULL: of none */
    const xta_work_plan *plan;         /* the work that fills it is announced; NULL: none */
} xta__like;

/* Create an array like another one, without its cells. `path` NULL: in memory, without a plan.
 * *work is NULL without a plan. */
xta_status xta__array_create_like(xta_array *source, const char *path, const xta__like *how,
                                  xta_array **out, xta_work **work, xta_error *err);

/* Give an array that was created with bounds [0, max(hi, 0)) the bounds [lo, hi): cells before 0
 * are added by growth, and those that are not wanted at either end are removed. */
xta_status xta__fit_bounds(xta_array *array, const xta_box *bounds, xta_error *err);

#endif
