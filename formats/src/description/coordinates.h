/* Coordinates of axes, as lists of numbers or of lines: whether two lists agree, and whether one
 * goes on where another ends.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DESCRIPTION_COORDINATES_H
#define XTA_FORMATS_DESCRIPTION_COORDINATES_H

#include "description/description.h"

#define BRIDGE_VALUES "values" /* of an axis: its coordinates */

/* Number of items: values, or lines of a text. */
size_t xta__coordinates_count(const bridge_attribute *a);
/* The first k < n for which item `a_at + k` of `a` and item `b_at + k` of `b` differ; n: none.
 * Numbers agree within a millionth of the local step of `a`, or the rounding of the coarser of the
 * two types if that is more; whole numbers and texts agree exactly. NaN agrees with NaN. */
size_t xta__coordinates_differ(const bridge_attribute *a, size_t a_at, const bridge_attribute *b,
                               size_t b_at, size_t n);
/* Item k for a message. */
const char *xta__coordinates_text(const bridge_attribute *a, size_t k, char text[80]);
bool xta__coordinates_is_nan(const bridge_attribute *a, size_t k);
/* 1: strictly ascending from item `from` to before `to`, -1: descending, 0: neither; of one item
 * or none, and of texts, `otherwise`. `*at` is the first item that breaks the order. */
int xta__coordinates_direction(const bridge_attribute *a, size_t from, size_t to, int otherwise,
                               size_t *at);

/* What a file that exists says of a dimension must be what the array says. `in_file` has as many
 * items as `ours`; `name` is the coordinate variable's. */
xta_status xta__coordinates_match(const char *path, const char *name,
                                  const bridge_attribute *in_file, const bridge_attribute *ours,
                                  xta_error *err);

#endif
