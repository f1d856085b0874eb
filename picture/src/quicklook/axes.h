/* Which axes of an array are rows, columns and bands.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_QUICKLOOK_AXES_H
#define XTA_PICTURE_QUICKLOOK_AXES_H

#include <stdbool.h>

#include <xta/array.h>
#include <xta/picture.h>

typedef struct picture_axes {
    int rows; /* -1: none (an array of one axis) */
    int columns;
    int bands;  /* -1: none */
    bool named; /* the band axis was requested, or has such a name */
} picture_axes;

bool xta__picture_is_row(const char *name);
bool xta__picture_is_time(const char *name);
xta_status xta__picture_choose_axes(xta_array *array, const xta_quicklook_options *options,
                                    picture_axes *axes, xta_error *err);
/* Rows and columns of an allocation map. */
xta_status xta__picture_choose_map(xta_array *array, const xta_map_options *options,
                                   const xta_box *allocated, int *rows, int *columns,
                                   xta_error *err);

#endif
