/* The coordinates of the first cell of a foreign dataset, which counts its own cells from 0.
 *
 * Where an array does not begin at 0, a dataset that it is written to says so: by one list of whole
 * numbers in the order of its axes (xta_origin), or by keywords (XTAORGn, in FITS's order). What is
 * read from it begins there again. docs/MAPPINGS.md.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DESCRIPTION_ORIGIN_H
#define XTA_FORMATS_DESCRIPTION_ORIGIN_H

#include "description/description.h"

#define BRIDGE_ORIGIN         "xta_origin"
#define BRIDGE_ORIGIN_KEYWORD "XTAORG" /* and the number of the axis, as in NAXISn */

/* How a format says it. */
typedef enum bridge_origin_kind {
    BRIDGE_ORIGIN_NONE,
    BRIDGE_ORIGIN_LIST,      /* of the dataset */
    BRIDGE_ORIGIN_LISTS,     /* and one of each variable along its axes */
    BRIDGE_ORIGIN_IN_HEADER, /* by keywords */
} bridge_origin_kind;

/* Remove the origin from what a dataset has, and tell it: 0 on each axis if it has none.
 *
 * XTA_EUNSUPPORTED: it is not one whole number for each axis. */
xta_status xta__origin_read(bridge_description *what, bridge_origin_kind kind, int64_t origin[],
                            const char *label, xta_error *err);
/* Add the origin to what a dataset will have, for a box that does not begin at 0 on an axis without
 * coordinates (keywords: on any axis); one that the array has as an ordinary attribute is
 * removed. */
xta_status xta__origin_put(bridge_description *what, bridge_origin_kind kind, const char *label,
                           xta_error *err);
/* XTA_EUNSUPPORTED: an origin so far from 0 that no array was written from there. */
xta_status xta__origin_check(const bridge_description *what, const int64_t origin[],
                             const char *label, xta_error *err);
/* Lengths to create an array with that is to be moved to [lo, hi): arrays begin at 0. */
void xta__origin_first_bounds(int ndim, const int64_t hi[], int64_t bounds[]);
/* Grow and shrink an array that has no cells yet to [lo, hi). */
xta_status xta__origin_move_bounds(xta_array *array, const int64_t lo[], const int64_t hi[],
                                   xta_error *err);

#endif
