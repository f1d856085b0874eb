/* A FITS file and the selected image in it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_FITS_SELECT_IMAGE_H
#define XTA_FORMATS_FITS_SELECT_IMAGE_H

#include <fitsio.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>

/* A file and the selected image in it. */
typedef struct fits_file {
    fitsfile *file;
    char *path;
    int type; /* CFITSIO's type of cells in memory */
    size_t cell_bytes;
    bool compressed;
    int ndim;
    int64_t bounds[XTA_MAX_NDIM]; /* of the array: NAXIS1 is the last axis */
} fits_file;

/* Under the lock, all of them. */

/* Put CFITSIO's message, and what was being done, into an error. */
xta_status xta__fits_failed(const char *path, const char *doing, int code, xta_error *err);
/* Move to the image with that name or number, or to the only one. */
xta_status xta__fits_select_image(fits_file *f, const char *name, xta_error *err);

#endif
