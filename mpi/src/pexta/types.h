/* Types of cells: the codes of Global Arrays and ours.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PEXTA_TYPES_H
#define XTA_PEXTA_TYPES_H

#include <xta/type.h>

/* The type of cells for a type code of Global Arrays; XTA_TYPE_SAME if there is none. */
xta_type xta__cells_of_ga(int ga_type);

/* "C_DBL" ...; "?" if there is none. */
const char *xta__ga_type_name(int ga_type);

/* The code for a name; 0 if there is none. */
int xta__ga_type_named(const char *name);

/* The code for cells of arrays that do not say which it was; 0 if there is none. */
int xta__ga_type_of(xta_type type);

#endif
