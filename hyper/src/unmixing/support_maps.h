/* All that depends on the set of endmembers that take part, and not on the pixel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_UNMIXING_SUPPORT_MAPS_H
#define XTA_HYPER_UNMIXING_SUPPORT_MAPS_H

#include <stddef.h>

#include "unmixing/unmixer.h"

/* What a set of endmembers makes of a pixel: p affine functions of its q coordinates. The function
 * of a member of the set is its abundance when only the set is used. The function of another
 * endmember is how far the pixel lies from the span of the set in its direction: if that is above
 * 0, adding it would help. A map consists of vectors of `width` numbers, one after the other: q of
 * coefficients, one of constants, one of rounding errors per unit of |y| + reach. */
typedef struct set_maps set_maps;

/* Maps that use at most most_bytes; when these are used up all maps are dropped. NULL if out of
 * memory. */
set_maps *xta__set_maps_new(const xta_unmixer *unmixer, size_t most_bytes);
void xta__set_maps_free(set_maps *maps);
/* The map of a set, valid until the next call; NULL if out of memory. The set must not be empty if
 * abundances add up to one. */
const double *xta__set_map(set_maps *maps, const support_set *set);

#endif
