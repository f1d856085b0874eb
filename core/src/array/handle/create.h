/* Creating arrays, in files and in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_CREATE_H
#define XTA_ARRAY_HANDLE_CREATE_H

#include <xta/work.h>

#include "array/state/open_array.h"

/* Create an array with the owner and mode of `like`, whose place it will take (NULL: of none).
 * Unless `plan` is NULL, the work that fills it is announced in the same step. */
xta_status xta__array_create(const char *path, xta_type type, int ndim, const int64_t bounds[],
                             const xta_create_options *options, const xta_array *like,
                             const xta_work_plan *plan, xta_array **out, xta_work **work,
                             xta_error *err);

#endif
