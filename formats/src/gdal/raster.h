/* An open raster, to be read or written.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GDAL_RASTER_H
#define XTA_FORMATS_GDAL_RASTER_H

#include <gdal.h>
#include <stdbool.h>
#include <stddef.h>

#include "description/description.h"

/* The axes of a box that are bands, rows and columns; band may be -1. */
typedef struct raster_axes {
    int band;
    int y;
    int x;
} raster_axes;

/* The source of an import. */
typedef struct raster_source {
    GDALDatasetH dataset;
    char *path;
    GDALDataType type;
    size_t cell_bytes;
    raster_axes axes;
} raster_source;

/* The destination of an export. */
typedef struct raster_target {
    GDALDatasetH dataset;
    GDALDriverH driver;
    GDALDriverH
        /* for formats that GDAL can only create by copying: the driver of the copy; else NULL */
        final;
    char *path;
    char *final_path;
    const bridge_description *what; /* used while creating */
    GDALDataType type;
    bool signed_byte;
    size_t cell_bytes;
    raster_axes axes;
    int n_bands;
    const char *interleave; /* "bsq", "bil", "bip" */
    const char *icords;     /* NITF: how the file holds the georeference; NULL: it does not */
    char **header;          /* ENVI: entries to set in the header, or to remove ("") */
} raster_target;

bool xta__raster_driver_is(const raster_target *target, const char *name);
/* Move a dense slab between memory and a dataset. */
CPLErr xta__raster_move(GDALDatasetH dataset, GDALRWFlag direction, const xta_box *box,
                        const raster_axes *axes, void *cells, GDALDataType type, size_t cell_bytes);

#endif
