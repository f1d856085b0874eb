/* Coordinates of axes, as lists of numbers or of lines: whether two lists agree, and whether one
 * continues the other.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DESCRIPTION_COORDINATES_H
#define XTA_FORMATS_DESCRIPTION_COORDINATES_H

#include "description/description.h"

#define BRIDGE_VALUES "values" /* of an axis: the coordinates of its cells */

/* Number of items: values, or lines of a text. */
size_t xta__coordinates_count(const bridge_attribute *a);
/* The first k < n for which item `a_at + k` of `a` and item `b_at + k` of `b` differ; n: none.
 * Numbers agree within a millionth of the local step of `a`, or within the rounding error of the
 * coarser of the two types if that is larger; whole numbers and texts must be equal. NaN agrees
 * with NaN. */
size_t xta__coordinates_differ(const bridge_attribute *a, size_t a_at, const bridge_attribute *b,
                               size_t b_at, size_t n);
/* Item k as text for a message. */
const char *xta__coordinates_text(const bridge_attribute *a, size_t k, char text[80]);
bool xta__coordinates_is_nan(const bridge_attribute *a, size_t k);
/* 1: the items from `from` up to `to` (exclusive) are strictly ascending, -1: descending, 0:
 * neither; `otherwise` for one item or none, and for texts. `*at` is the first item that breaks the
 * order. */
int xta__coordinates_direction(const bridge_attribute *a, size_t from, size_t to, int otherwise,
                               size_t *at);

/* Check that an existing file and the array agree about a dimension. `in_file` has as many items as
 * `ours`; `name` is the name of the coordinate variable. */
xta_status xta__coordinates_match(const char *path, const char *name,
                                  const bridge_attribute *in_file, const bridge_attribute *ours,
                                  xta_error *err);

#endif
