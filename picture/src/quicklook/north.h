/* Which way up a picture is.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_QUICKLOOK_NORTH_H
#define XTA_PICTURE_QUICKLOOK_NORTH_H

#include <stdbool.h>

#include <xta/array.h>

#include "quicklook/axes.h"

/* Whether the first row belongs at the bottom: latitudes, or whatever runs down, increase. */
bool xta__picture_northwards(xta_array *array, const picture_axes *axes, const xta_box *box);

#endif
