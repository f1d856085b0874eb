/* A header for a new FITS image, from attributes. Under the lock.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_FITS_WRITE_HEADER_H
#define XTA_FORMATS_FITS_WRITE_HEADER_H

#include "description/description.h"
#include "fits/select_image.h"

/* Write the header of a new image, whose first cards exist already. `name`: name of the extension,
 * if one was requested. */
xta_status xta__fits_write_header(const fits_file *f, const bridge_description *what,
                                  const char *name, bool is_unsigned, xta_error *err);
/* Write an empty primary header from FITS_PRIMARY. */
xta_status xta__fits_write_primary(const fits_file *f, const char *lines, xta_error *err);

#endif
