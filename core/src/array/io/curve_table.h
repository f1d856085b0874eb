/* Tables of cell positions in chunks along a Morton or Hilbert curve.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_CURVE_TABLE_H
#define XTA_ARRAY_IO_CURVE_TABLE_H

#include "array/state/open_array.h"

/* For Morton and Hilbert orders: the position of each cell of a chunk, by its row-major number. One
 * look-up replaces bit operations for each axis. Made at the first use; NULL if it would be too
 * large, if there is no memory, or for strided orders. */
const uint32_t *xta__curve_table(xta_array *array, xta__structure *structure);

/* The same for copies of boxes. Made at the first use; NULL: out of memory, or a strided order. */
const xta__curve *xta__curve_of(xta_array *array, xta__structure *structure);

#endif
