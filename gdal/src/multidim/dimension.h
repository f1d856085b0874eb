/* Dimensions, and coordinates that are computed or kept with an axis.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_MULTIDIM_DIMENSION_H
#define XTA_GDAL_MULTIDIM_DIMENSION_H

#include <functional>
#include <gdal_priv.h>
#include <memory>
#include <string>

#include "multidim/attribute.h"

namespace xta_gdal
{

/* Where the coordinates of a dimension are. */
struct CoordinateSource {
    Coordinates coordinates; /* of the axis of an array; NULL: none */
    bool has_regular = false;
    xta_regular regular = {}; /* exact, if coordinates are regular */
    int64_t lo = 0, hi = 0;   /* cells of the dimension */
    std::string unit, calendar;
    AttributePlace place; /* of their attributes */
};

/* An axis of one array, or a dimension of a data set. */
class MdDimension final : public GDALDimension
{
  public:
    MdDimension(const std::string &parent, const std::string &name, const CoordinateSource &from);

    std::shared_ptr<GDALMDArray> GetIndexingVariable() const override;

    /* The coordinates are an array of the group, which has the name of the dimension. */
    using Opener = std::function<std::shared_ptr<GDALMDArray>(const std::string &name)>;
    void list_in(const Opener &open);
    bool has_source() const
    {
        return source.has_regular || source.coordinates != nullptr;
    }
    /* A variable of the source; NULL: it has none. */
    std::shared_ptr<GDALMDArray> coordinate_variable() const;

    /* Dimensions are kept by those who share them. */
    std::weak_ptr<GDALDimension> self;

  private:
    CoordinateSource source;
    std::string group_name;
    Opener open_array; /* of listed coordinates; else empty */
};

/* "HORIZONTAL_Y" and so on, and "NORTH", from the name and the unit of coordinates. */
std::string dimension_type(const std::string &name, const std::string &unit);
std::string dimension_direction(const std::string &unit);

} // namespace xta_gdal

#endif
