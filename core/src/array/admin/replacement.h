/* Replacing an array by a new one beside it. The contracts are in <xta/replacement.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_ADMIN_REPLACEMENT_H
#define XTA_ARRAY_ADMIN_REPLACEMENT_H

#include <xta/replacement.h>

#include "array/admin/create_like.h"

/* As xta_replacement_create, but like another array. */
xta_status xta__replacement_create_from(xta_replacement *r, xta_array *source, xta__like how,
                                        xta_array **fresh, xta_error *err);

#endif
