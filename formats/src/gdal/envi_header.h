/* The header of an ENVI file that GDAL has written.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GDAL_ENVI_HEADER_H
#define XTA_FORMATS_GDAL_ENVI_HEADER_H

#include "gdal/raster.h"

/* Plan the header entries that the driver would write differently or not at all. */
void xta__raster_envi_plan(raster_target *target, bool bands_have_names);
/* Remove the wavelength, which GDAL appends, from the name of a band. False if nothing is left. */
bool xta__raster_envi_band_name(const raster_target *target, int band, char *name);
/* Put the planned entries into the header that the driver has written. */
xta_status xta__raster_envi_finish(const raster_target *target, xta_error *err);

#endif
