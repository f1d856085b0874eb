/* A new raster.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GDAL_CREATE_H
#define XTA_FORMATS_GDAL_CREATE_H

#include "description/format.h"

bool xta__raster_accepts(const char *format, const char *suffix);
xta_status xta__raster_create(const char *path, const xta_export_options *options,
                              bridge_description *what, void **state, xta_error *err);
xta_status xta__raster_write(void *state, const xta_box *box, const void *cells, xta_error *err);
xta_status xta__raster_finish(void *state, xta_error *err);
void xta__raster_abandon(void *state);

#endif
