/* Which of GDAL's drivers may open a file, and opening a raster in it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GDAL_OPEN_DATASET_H
#define XTA_FORMATS_GDAL_OPEN_DATASET_H

#include <gdal.h>
#include <stdbool.h>
#include <stddef.h>

#include "gdal/library.h"

/* Whether this file is recognised by a driver that opens no other files, or by one that the refusal
 * can name. `path` is a result of xta__local_path. */
bool xta__raster_is_known(const char *path, const unsigned char *head, size_t n_bytes);
/* Open a raster, or the subdataset with the name or number `variable`; `path` is for messages.
 * GDAL's errors are caught in `log`. */
xta_status xta__raster_open(const char *path, const char *variable, bool trust,
                            const raster_log *log, GDALDatasetH *out, xta_error *err);

#endif
