/* What can be shown, which box of it, and in how many pixels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_QUICKLOOK_EXTENT_H
#define XTA_PICTURE_QUICKLOOK_EXTENT_H

#include <stdint.h>

#include <xta/array.h>
#include <xta/picture.h>

/* XTA_ETYPE if the cells are not real numbers. */
xta_status xta__picture_check_type(xta_array *array, xta_error *err);
xta_status xta__picture_choose_box(xta_array *array, const xta_box *wanted, xta_box *box,
                                   xta_error *err);
/* The longest side in pixels, and in cells. */
int64_t xta__picture_longest_side(const xta_quicklook_options *options, int64_t *cells);

#endif
