/* Which variables of a file have the coordinates of its dimensions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_LABELS_H
#define XTA_FORMATS_SETS_LABELS_H

#include "sets/tree/tree.h"

/* Where a dimension without coordinates begins, as the first variable that knows says. */
int64_t xta__set_begin_of(const set_group *group, const char *dimension);

/* The variable that lists the coordinates of a dimension; NULL: none. */
const set_variable *xta__set_coordinate_of(const set_group *group, const char *dimension);

/* The variable by whose values cells are placed along a dimension: the one that lists its
 * coordinates; if that is none, or has no unit, and so only counts, the auxiliary coordinate of
 * time that an attribute `coordinates` names. NULL: none. */
const set_variable *xta__set_label_of(const set_group *group, const char *dimension);

#endif
