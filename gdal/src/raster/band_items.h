/* Items of bands: attributes with one item for each cell of the axis of bands.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_RASTER_BAND_ITEMS_H
#define XTA_GDAL_RASTER_BAND_ITEMS_H

#include <map>
#include <string>
#include <vector>

#include "raster/axes.h"

namespace xta_gdal
{

class BandItems
{
  public:
    BandItems(const Array &array, const RasterAxes &axes);

    /* The item of a band (from 0); "": there is none. */
    std::string get(const std::string &key, int band) const;
    std::vector<std::string> keys() const;

  private:
    struct Items {
        int64_t lo; /* the cell of the first one */
        std::vector<std::string> texts;
    };
    std::map<std::string, Items> items;
    int64_t first;  /* cell of band 0 on the axis of bands */
    int64_t length; /* of that axis */
    int64_t repeat; /* bands from one cell of it to the next */
};

/* The same as attributes: one text for each cell of the axis of bands. All empty: it is removed.
 * False: failed, and GDAL is told. */
bool write_band_items(const Array &array, const RasterAxes &axes, const std::string &key,
                      const std::vector<std::string> &texts);

/* The cells on the axis of bands, and the first band of each: its items are those of the cell. */
std::vector<int> bands_of_items(const Array &array, const RasterAxes &axes);

/* Whether a key is part of another attribute, or of the coordinates of an axis. */
bool is_of_another(const std::string &key);

} // namespace xta_gdal

#endif
