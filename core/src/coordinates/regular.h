/* Regular coordinates. The contract is in <xta/coordinates.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_COORDINATES_REGULAR_H
#define XTA_COORDINATES_REGULAR_H

#include <xta/coordinates.h>

#include "base/base.h"

/* Whether coordinates may have this type. */
bool xta__regular_type(xta_type type);

/* As three numbers, binary64 or 64-bit integers, native-endian: origin, step, and the code of the
 * type (docs/FORMAT.md). Their type. */
enum { XTA__REGULAR_NUMBERS = 3 };
xta_type xta__regular_store(const xta_regular *regular,
                            xta_coordinate numbers[XTA__REGULAR_NUMBERS]);

/* False if these are no regular coordinates. */
bool xta__regular_load(xta_type type, size_t count, const void *numbers, xta_regular *out);

#endif
