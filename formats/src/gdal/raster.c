/* An open raster: its driver, and moving boxes of cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "gdal/raster.h"

#include <stdlib.h>
#include <string.h>

#include "gdal/functions.h"

bool xta__raster_driver_is(const raster_target *target, const char *name)
{
    return strcmp(xta__gdal.GDALGetDriverShortName(target->driver), name) == 0;
}

CPLErr xta__raster_move(GDALDatasetH dataset, GDALRWFlag direction, const xta_box *box,
                        const raster_axes *axes, void *cells, GDALDataType type, size_t cell_bytes)
{
    GSpacing stride[XTA_MAX_NDIM];
    GSpacing bytes = (GSpacing)cell_bytes;
    int first = 0;
    int n_bands = 1;
    for (int axis = box->ndim - 1; axis >= 0; axis--) {
        stride[axis] = bytes;
        bytes *= box->hi[axis] - box->lo[axis];
    }
    if (axes->band >= 0) {
        first = (int)box->lo[axes->band];
        n_bands = (int)(box->hi[axes->band] - box->lo[axes->band]);
    }
    int *bands = malloc((size_t)n_bands * sizeof *bands);
    if (bands == NULL) {
        xta__gdal.CPLError(CE_Failure, CPLE_OutOfMemory, "out of memory");
        return CE_Failure;
    }
    for (int b = 0; b < n_bands; b++) {
        bands[b] = first + b + 1;
    }
    int columns = (int)(box->hi[axes->x] - box->lo[axes->x]);
    int rows = (int)(box->hi[axes->y] - box->lo[axes->y]);
    CPLErr result = xta__gdal.GDALDatasetRasterIOEx(
        dataset, direction, (int)box->lo[axes->x], (int)box->lo[axes->y], columns, rows, cells,
        columns, rows, type, n_bands, bands, stride[axes->x], stride[axes->y],
        axes->band >= 0 ? stride[axes->band] : 0, NULL);
    free(bands);
    return result;
}
