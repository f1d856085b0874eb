/* New arrays for rasters.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_RASTER_CREATE_H
#define XTA_GDAL_RASTER_CREATE_H

#include <gdal_priv.h>

#include <xta/array.h>

#include "array/array.h"

namespace xta_gdal
{

/* XML lists of the options, for the driver's metadata. */
extern const char *const RASTER_CREATION_OPTIONS;
extern const char *const ARRAY_CREATION_OPTIONS;

/* The options that new arrays have in both APIs: CHUNK, ORDER, FILL. */
class CreationOptions
{
  public:
    /* False, and GDAL is told. Without CHUNK the library chooses. */
    bool parse(const char *path, CSLConstList list, xta_type type, int ndim);

    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

  private:
    bool parse_chunk(const char *path, const char *text, int ndim);
    bool parse_order(const char *path, const char *text);
    bool parse_fill(const char *path, const char *text, xta_type type);

    std::vector<int64_t> chunk;
    char fill[16] = {0};
};

/* The functions of the driver. */
GDALDataset *create_raster(const char *text, int columns, int lines, int n_bands, GDALDataType type,
                           char **options);
GDALDataset *copy_raster(const char *name, GDALDataset *from, int strict, char **options,
                         GDALProgressFunc progress, void *user);

} // namespace xta_gdal

#endif
