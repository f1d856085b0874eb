/* Where an image lies, as the fields of a NITF file can say it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GDAL_NITF_PLACE_H
#define XTA_FORMATS_GDAL_NITF_PLACE_H

#include "gdal/raster.h"

/* The value of GDAL's creation option ICORDS with which IGEOLO (four corners, 60 bytes) holds the
 * georeference exactly; NULL: there is none, or no system of coordinates that the file would have
 * to name.
 *
 * XTA_EUNSUPPORTED: it has a system of coordinates, and the fields cannot hold it. */
xta_status xta__nitf_choose_icords(const raster_target *target, const char **icords,
                                   xta_error *err);

/* Whether an item of the metadata says how a NITF source was stored, which is no news of a new
 * file. False for other drivers. */
bool xta__nitf_is_storage(const raster_target *target, const char *key);

#endif
