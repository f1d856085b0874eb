/* Lists of an axis: attributes with an item for each of its cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_ADMIN_AXIS_LIST_H
#define XTA_ARRAY_ADMIN_AXIS_LIST_H

#include <xta/attribute.h>

/* Cut an attribute of an axis to the cells [lo, hi), if it is a list of the whole axis. It stays as
 * it is if it is none, if it does not cover these cells, or if an attribute of its own says which
 * cells it covers (NAME//box, which bridges write). The values stay those of the array. */
void xta__axis_list_cut(xta_array *array, int axis, int64_t lo, int64_t hi,
                        xta_attribute *attribute);

/* The items of the cells `cells[0 .. n)` of such an attribute, in this order, in new memory that
 * the caller frees; `attribute` then has them. *memory is NULL if it is no list of the whole axis.
 *
 * XTA_ENOMEM. */
xta_status xta__axis_list_pick(xta_array *array, int axis, const int64_t cells[], int64_t n,
                               xta_attribute *attribute, void **memory, xta_error *err);

#endif
