/* Attributes with an item for each cell along some axes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DESCRIPTION_SPREAD_ATTRIBUTES_H
#define XTA_FORMATS_DESCRIPTION_SPREAD_ATTRIBUTES_H

#include "description/description.h"

/* The items of the box [lo, hi) (ndim of both), dense row-major, from `over` where it has them,
 * else from `a`; where neither has one the number is NaN or zero, the line is empty. `over` may be
 * NULL, else it has the type of `a`. For texts `*count` is in bytes. NULL: out of memory. The
 * caller frees. */
void *xta__spread_cut(const bridge_attribute *a, const bridge_attribute *over, const int64_t lo[],
                      const int64_t hi[], size_t *count);
/* Number of items in a box; 0 also where it is absurdly large. */
size_t xta__spread_items(int ndim, const int64_t lo[], const int64_t hi[]);
/* Number of lines of a text. */
size_t xta__text_n_lines(const char *text, size_t n_bytes);
/* Item `k` lines into a text with one line for each item; not ended by a zero: `*length` bytes. */
const char *xta__text_line(const char *text, size_t k, size_t *length);

#endif
