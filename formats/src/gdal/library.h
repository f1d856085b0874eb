/* The GDAL library: catching its errors, converting types, numbers as text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GDAL_LIBRARY_H
#define XTA_FORMATS_GDAL_LIBRARY_H

#include <gdal.h>
#include <stdbool.h>

#include <xta/status.h>
#include <xta/type.h>

#define GD_NUMBER_BYTES   40
#define RASTER_TEXT_BYTES 600

/* GDAL's errors are caught, so that it prints nothing; the first one is kept. One per thread and
 * call. */
typedef struct raster_log {
    bool failed;
    char text[300];
} raster_log;

void xta__raster_catch(raster_log *log);
void xta__raster_release(void);
xta_status xta__raster_failure(const raster_log *log, const char *path, const char *what,
                               xta_error *err);

/* A number as the shortest text from which it can be read back exactly. */
const char *xta__raster_number(double value, char text[GD_NUMBER_BYTES]);
/* Convert element types. Older versions of the library treat signed bytes as a kind of Byte. */
GDALDataType xta__raster_type(xta_type type, bool *signed_byte);

#endif
