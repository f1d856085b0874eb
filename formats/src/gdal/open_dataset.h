/* Which of GDAL's drivers may open a file, and opening a raster of it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GDAL_OPEN_DATASET_H
#define XTA_FORMATS_GDAL_OPEN_DATASET_H

#include <gdal.h>
#include <stdbool.h>
#include <stddef.h>

#include "gdal/library.h"

/* Whether a driver that opens nothing else knows this file, or one that we can name in the refusal.
 * `path` is one of xta__local_path. */
bool xta__raster_is_known(const char *path, const unsigned char *head, size_t n_bytes);
/* Open a raster, or the one of its subdatasets that `variable` names or numbers; `path` is for
 * messages. GDAL's errors are caught in `log`. */
xta_status xta__raster_open(const char *path, const char *variable, bool trust,
                            const raster_log *log, GDALDatasetH *out, xta_error *err);

#endif
