/* Attributes as items of GDAL's metadata, and back.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_RASTER_METADATA_H
#define XTA_GDAL_RASTER_METADATA_H

#include <cpl_string.h>
#include <map>
#include <string>

#include "raster/band_items.h"

namespace xta_gdal
{

/* Items by domain. */
using Metadata = std::map<std::string, CPLStringList>;

/* Whether a domain is about the file, not about its contents. */
bool is_of_the_file(const std::string &domain);

/* Of the array; attributes of its other axes are AXIS#NAME in the default domain. */
Metadata read_metadata(const Array &array, const RasterAxes &axes);
/* Of a band (from 0). */
Metadata read_band_metadata(const Array &array, const BandItems &items, int band);

/* Set the attributes that these are, and remove those that were and are no longer. Domains that
 * describe the file are left out. False: failed, and GDAL is told. */
bool write_metadata(const Array &array, const RasterAxes &axes, const Metadata &metadata);
bool write_band_metadata(const Array &array, const RasterAxes &axes,
                         const std::vector<Metadata> &bands);

/* The coordinates of bands on the axes beside lines and samples. */
class BandPlaces
{
  public:
    BandPlaces(const Array &array, const RasterAxes &axes);

    /* "time=2015-01-01, level=850 hPa". An axis of bands without coordinates is left out, and so is
     * that of an imported raster, whose bands have what they had in its file. */
    std::string text(const Array &array, const RasterAxes &axes, int band) const;

  private:
    struct Axis {
        std::string name;
        Coordinates coordinates;
        bool told;
    };
    std::vector<Axis> others; /* as in RasterAxes */
};

} // namespace xta_gdal

#endif
