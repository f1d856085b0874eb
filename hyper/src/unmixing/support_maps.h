/* All that depends on the set of endmembers that take part, and not on the pixel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_UNMIXING_SUPPORT_MAPS_H
#define XTA_HYPER_UNMIXING_SUPPORT_MAPS_H

#include <stddef.h>

#include "unmixing/unmixer.h"

/* What a set of endmembers makes of a pixel: p affine functions of its q coordinates. That of a
 * member is its abundance when only the set is used; that of another endmember is how far the pixel
 * is displaced from the set's span in its direction, so above 0 it would help. Vectors of `width`
 * one after the other: q of coefficients, one of constants, one of rounding errors for each unit of
 * |y| + reach. */
typedef struct set_maps set_maps;

/* At most so many bytes are kept; when there is no room all is forgotten. NULL: no memory. */
set_maps *xta__set_maps_new(const xta_unmixer *unmixer, size_t most_bytes);
void xta__set_maps_free(set_maps *maps);
/* The map of a set, valid until the next call; NULL: no memory. A set may be empty only where the
 * sum is free. */
const double *xta__set_map(set_maps *maps, const support_set *set);

#endif
