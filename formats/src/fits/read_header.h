/* Attributes from the header of a FITS image. Under the lock.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_FITS_READ_HEADER_H
#define XTA_FORMATS_FITS_READ_HEADER_H

#include "description/description.h"
#include "fits/select_image.h"

/* Read attributes from the header of the image. `of_primary`: only FITS_PRIMARY. */
xta_status xta__fits_read_header(const fits_file *f, bool is_unsigned, bridge_description *what,
                                 xta_error *err);
xta_status xta__fits_read_primary(const fits_file *f, bridge_description *what, xta_error *err);

#endif
