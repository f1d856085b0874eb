/* What a band has beside its cells: no-data value, unit, scale, colours, names of classes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_RASTER_BAND_FACTS_H
#define XTA_GDAL_RASTER_BAND_FACTS_H

#include <cpl_string.h>
#include <gdal_priv.h>
#include <memory>
#include <string>

#include "raster/band_items.h"

namespace xta_gdal
{

/* Read from attributes when a raster is opened, written to them when it is flushed. */
struct BandFacts {
    std::string nodata; /* as text, which holds 64-bit integers, too; "": none */
    std::string unit;
    std::string scale, offset; /* numbers as text; "": none */
    GDALColorInterp color = GCI_Undefined;
    std::unique_ptr<GDALColorTable> table;
    CPLStringList classes;
};

/* `band`: from 0. */
BandFacts read_band_facts(const Array &array, const RasterAxes &axes, const BandItems &items,
                          int band);

/* Write those of all bands. False: failed, and GDAL is told. */
bool write_band_facts(const Array &array, const RasterAxes &axes,
                      const std::vector<const BandFacts *> &bands);

} // namespace xta_gdal

#endif
