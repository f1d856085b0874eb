/* Dimensions, and coordinates that are computed or kept with an axis.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "multidim/dimension.h"

#include <cpl_port.h>

#include <xta/calendar.h>

#include "base/types.h"

namespace xta_gdal
{

static bool is_unit(const std::string &unit, const char *plural, const char *singular)
{
    return EQUAL(unit.c_str(), plural) || EQUAL(unit.c_str(), singular);
}

std::string dimension_type(const std::string &name, const std::string &unit)
{
    const char *text = name.c_str();
    if (is_unit(unit, "degrees_north", "degree_north") || EQUAL(text, "y") || EQUAL(text, "lat")) {
        return "HORIZONTAL_Y";
    }
    if (is_unit(unit, "degrees_east", "degree_east") || EQUAL(text, "x") || EQUAL(text, "lon")) {
        return "HORIZONTAL_X";
    }
    return xta_time_unit_is(unit.c_str()) ? "TEMPORAL" : "";
}

std::string dimension_direction(const std::string &unit)
{
    if (is_unit(unit, "degrees_north", "degree_north")) {
        return "NORTH";
    }
    return is_unit(unit, "degrees_east", "degree_east") ? "EAST" : "";
}

namespace
{

/* The coordinates of a dimension that are no array of their own. */
class CoordinateVariable final : public GDALMDArray
{
  public:
    CoordinateVariable(const std::string &parent, const std::string &name,
                       const std::shared_ptr<GDALDimension> &dimension,
                       const CoordinateSource &from)
        : GDALAbstractMDArray(parent, name), GDALMDArray(parent, name), dimensions{dimension},
          source(from), data_type(choose_type(from))
    {
    }

    static std::shared_ptr<CoordinateVariable> make(const std::string &parent,
                                                    const std::string &name,
                                                    const std::shared_ptr<GDALDimension> &dimension,
                                                    const CoordinateSource &source)
    {
        auto array = std::make_shared<CoordinateVariable>(parent, name, dimension, source);
        array->SetSelf(array);
        return array;
    }

    const std::vector<std::shared_ptr<GDALDimension>> &GetDimensions() const override
    {
        return dimensions;
    }
    const GDALExtendedDataType &GetDataType() const override
    {
        return data_type;
    }
    bool IsWritable() const override
    {
        return false;
    }
    const std::string &GetFilename() const override
    {
        return filename;
    }
    const std::string &GetUnit() const override
    {
        return source.unit;
    }
    std::vector<std::shared_ptr<GDALAttribute>> GetAttributes(CSLConstList) const override
    {
        return list_attributes(GetFullName(), source.place, {"units"});
    }

  protected:
    bool IRead(const GUInt64 *start, const size_t *counts, const GInt64 *step,
               const GPtrDiff_t *stride, const GDALExtendedDataType &type, void *out) const override
    {
        char *to = static_cast<char *>(out);
        for (size_t k = 0; k < counts[0]; k++) {
            int64_t cell =
                source.lo + static_cast<int64_t>(start[0]) + static_cast<int64_t>(k) * step[0];
            copy_cell(cell, type, to);
            to += stride[0] * static_cast<GPtrDiff_t>(type.GetSize());
        }
        return true;
    }

  private:
    static GDALExtendedDataType choose_type(const CoordinateSource &from)
    {
        if (!from.has_regular &&
            xta_coordinates_kind_of(from.coordinates.get()) == XTA_COORDINATES_NAMES) {
            return GDALExtendedDataType::CreateString();
        }
        xta_type type =
            from.has_regular ? from.regular.type : xta_coordinates_type(from.coordinates.get());
        return GDALExtendedDataType::Create(multidim_type(type).gdal);
    }

    void copy_cell(int64_t cell, const GDALExtendedDataType &type, void *out) const
    {
        static const GDALExtendedDataType real = GDALExtendedDataType::Create(GDT_Float64);
        static const GDALExtendedDataType whole = GDALExtendedDataType::Create(GDT_Int64);
        if (data_type.GetClass() == GEDTC_STRING) {
            const char *text = xta_coordinates_name(source.coordinates.get(), cell);
            GDALExtendedDataType::CopyValue(&text, data_type, out, type);
        } else if (!source.has_regular) {
            char listed[16], value[16];
            xta_type from = xta_coordinates_type(source.coordinates.get());
            xta_type seen = multidim_type(from).memory;
            xta_coordinates_values(source.coordinates.get(), cell, cell + 1, listed);
            if (xta_type_convert(from, listed, seen, value, 1, nullptr) == XTA_OK) {
                GDALExtendedDataType::CopyValue(value, data_type, out, type);
            }
        } else {
            xta_coordinate value = xta_regular_at(&source.regular, cell);
            bool is_real = source.regular.type == XTA_F32 || source.regular.type == XTA_F64;
            GDALExtendedDataType::CopyValue(is_real ? static_cast<void *>(&value.f) : &value.i,
                                            is_real ? real : whole, out, type);
        }
    }

    std::vector<std::shared_ptr<GDALDimension>> dimensions;
    CoordinateSource source;
    GDALExtendedDataType data_type;
    std::string filename;
};

} // namespace

MdDimension::MdDimension(const std::string &parent, const std::string &name,
                         const CoordinateSource &from)
    : GDALDimension(parent, name, dimension_type(name, from.unit), dimension_direction(from.unit),
                    static_cast<GUInt64>(from.hi - from.lo)),
      source(from), group_name(parent)
{
}

void MdDimension::list_in(const Opener &open)
{
    open_array = open;
}

std::shared_ptr<GDALMDArray> MdDimension::coordinate_variable() const
{
    if (!has_source()) {
        return nullptr;
    }
    return CoordinateVariable::make(group_name, GetName(), self.lock(), source);
}

std::shared_ptr<GDALMDArray> MdDimension::GetIndexingVariable() const
{
    return open_array ? open_array(GetName()) : coordinate_variable();
}

} // namespace xta_gdal
