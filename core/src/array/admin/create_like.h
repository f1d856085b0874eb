/* Private header: an array like another one, for replacements.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_ADMIN_CREATE_LIKE_H
#define XTA_ARRAY_ADMIN_CREATE_LIKE_H

#include <xta/create_like.h>
#include <xta/work.h>

/* xta_array_create_like; an array that `replaces` its source also gets its owner and mode. With a
 * plan, the work that fills it is announced. */
xta_status xta__array_create_like(xta_array *source, const char *path,
                                  const xta_create_options *changes, bool replaces,
                                  const xta_work_plan *plan, xta_array **out, xta_work **work,
                                  xta_error *err);

/* Give an array that was created with bounds [0, max(hi, 0)) the bounds [lo, hi): cells before 0
 * are added by growth, and those that are not wanted at either end are removed. */
xta_status xta__fit_bounds(xta_array *array, const xta_box *bounds, xta_error *err);

#endif
