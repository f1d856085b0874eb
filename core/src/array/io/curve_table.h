/* Tables of where cells lie in chunks along a Morton or Hilbert curve.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_CURVE_TABLE_H
#define XTA_ARRAY_IO_CURVE_TABLE_H

#include "array/state/open_array.h"

/* Row-major number of a cell of a chunk -> its position, for Morton and Hilbert orders: one look-up
 * instead of bit fiddling. Made at the first use; NULL where it would be too large, or for strided
 * orders. */
const uint32_t *xta__places(xta_array *array, xta__structure *structure);

/* What block copies of Morton and Hilbert chunks need. Made at the first use; NULL without memory
 * for it, or for strided orders. */
const xta__curve *xta__curve_of(xta_array *array, xta__structure *structure);

#endif
