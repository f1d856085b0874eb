/* Reading and writing one cell; which of several functions does it for an array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_CELL_H
#define XTA_ARRAY_IO_CELL_H

#include "array/state/open_array.h"

/* Choose how get and put go in the newest structure. To be called before it is published first, and
 * whenever its bounds have changed. */
void xta__choose_ways(xta_array *array, xta__structure *structure);

/* The handle is not to be trusted any more: every call refuses from now on. */
void xta__break(xta_array *array);

#endif
