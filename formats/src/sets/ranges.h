/* The cells of each dimension that an export selects.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_RANGES_H
#define XTA_FORMATS_SETS_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/dataset.h>
#include <xta/select.h>

/* A part [lo, hi) of a dimension of a data set. */
typedef struct set_range {
    const xta_dataset *set;
    char dimension[XTA_SELECTION_AXIS_BYTES];
    int64_t lo, hi;
} set_range;

typedef struct set_ranges {
    set_range *list;
    size_t n, capacity;
    uint64_t found; /* entries of the selection that a member has had */
} set_ranges;

/* Read the selection for the dimensions of one data set, as its members have them. A dimension of a
 * group that has no coordinates of its own is selected as that of the data set around it, `around`
 * (NULL: none), if their bounds agree.
 *
 * XTA_EARG: cells that do not follow each other. */
xta_status xta__set_ranges_add(set_ranges *ranges, xta_dataset *set, xta_dataset *around,
                               const char *text, xta_error *err);

/* XTA_ENOENT if no member has an axis that the selection names. */
xta_status xta__set_ranges_check(const set_ranges *ranges, const char *path, const char *text,
                                 xta_error *err);

/* Narrow [*lo, *hi), the bounds of a dimension, to what is selected. */
void xta__set_ranges_narrow(const set_ranges *ranges, const xta_dataset *set, const char *dimension,
                            int64_t *lo, int64_t *hi);

void xta__set_ranges_clear(set_ranges *ranges);

#endif
