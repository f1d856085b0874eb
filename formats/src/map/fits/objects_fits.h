/* The other HDUs of a FITS file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_MAP_FITS_OBJECTS_FITS_H
#define XTA_FORMATS_MAP_FITS_OBJECTS_FITS_H

#include "fits/select_image.h"
#include "map/handle.h"

/* Under the lock. List all HDUs, the image among them; the file stays at the image. */
xta_status xta__mapping_fits_objects(const fits_file *f, xta_mapping *map, xta_error *err);

#endif
