/* The attributes of spectral images and class maps, under names that do not depend on the driver.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GDAL_SPECTRAL_ATTRIBUTES_H
#define XTA_FORMATS_GDAL_SPECTRAL_ATTRIBUTES_H

#include "gdal/raster.h"

/* Read bad bands, widths, scale, classes. False: out of memory. */
bool xta__raster_read_spectral(const raster_source *source, bridge_description *what);
/* Write names and colours of classes, if the cells can be classes. */
void xta__raster_write_classes(const raster_target *target, GDALRasterBandH band);
/* The lines of a text; the caller frees them with CSLDestroy. */
char **xta__raster_lines(const bridge_attribute *a);
/* Whether GDAL's table and the colours of the classes agree, if there are both. */
bool xta__raster_same_colours(const bridge_description *what);
/* Parse the numbers of a list in a header, "{1, 2}". Returns how many; 0 if it contains anything
 * else. */
size_t xta__raster_list(const char *text, double *numbers, size_t capacity);

#endif
