/* Pins of data sets: the bounds of the dimensions of a snapshot as a text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_ZARR_PIN_H
#define XTA_VIEWS_ZARR_PIN_H

#include <xta/zarr.h>

#include "util/text.h"

typedef struct view_bounds {
    char *text; /* the names are in it */
    xta_zarr_bounds *bounds;
    size_t n, capacity;
} view_bounds;

/* Write a pin; false if the name of a dimension cannot be in one. */
bool xta__pin_write(xta__text *out, const xta_zarr *zarr);

/* Read one. XTA_EARG: it is none. XTA_ENOMEM. */
xta_status xta__pin_read(const char *pin, view_bounds *out);
void xta__pin_clear(view_bounds *bounds);

/* The number of a structural step; false: it is none. */
bool xta__pin_read_step(const char *pin, uint64_t *step);

#endif
