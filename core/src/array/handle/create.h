/* Creating arrays, in files and in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_CREATE_H
#define XTA_ARRAY_HANDLE_CREATE_H

#include <xta/work.h>

#include "array/state/open_array.h"

/* A new array that will take the place of `like` (NULL: of none), and has its owner and mode; with
 * the work announced that fills it, unless `plan` is NULL. */
xta_status xta__array_create(const char *path, xta_type type, int ndim, const int64_t bounds[],
                             const xta_create_options *options, const xta_array *like,
                             const xta_work_plan *plan, xta_array **out, xta_work **work,
                             xta_error *err);

#endif
