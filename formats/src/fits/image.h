/* An open FITS image: types and shape, reading and writing boxes of cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_FITS_IMAGE_H
#define XTA_FORMATS_FITS_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "description/description.h"
#include "fits/select_image.h"

/* A type of cells. */
typedef struct fits_type {
    int image; /* what CFITSIO calls it where it is made */
    int bits;  /* BITPIX */
    int memory;
    xta_type ours;
    double zero; /* BZERO that makes it so */
} fits_type;

/* FITS's type for one of ours; NULL: there is none. */
const fits_type *xta__fits_type_for(xta_type type);
/* Under the lock. The type of cells in memory. Shifted integers are unsigned; all others are read
 * as they are stored. */
xta_status xta__fits_choose_type(fits_file *f, bridge_description *what, bool *is_unsigned,
                                 xta_error *err);
/* Under the lock. Bounds, and whether a file of so many bytes is long enough for them. */
xta_status xta__fits_choose_shape(fits_file *f, bridge_description *what, uint64_t file_bytes,
                                  xta_error *err);
/* Read and write a box of a fits_file. */
xta_status xta__fits_read(void *state, const xta_box *box, void *cells, xta_error *err);
xta_status xta__fits_write(void *state, const xta_box *box, const void *cells, xta_error *err);

#endif
