/* Attributes in GDAL's multidimensional API.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_MULTIDIM_ATTRIBUTE_H
#define XTA_GDAL_MULTIDIM_ATTRIBUTE_H

#include <gdal_priv.h>
#include <memory>
#include <string>
#include <vector>

#include "array/array.h"
#include "array/attributes.h"

namespace xta_gdal
{

/* What attributes belong to: an array, one of its axes, a data set, or one of its dimensions. */
struct AttributePlace {
    ArrayPtr array; /* NULL: `set` */
    int axis = XTA_ON_ARRAY;
    DataSetPtr set;
    std::string dimension; /* "": the data set itself */

    bool writable() const;
    std::vector<Attribute> all() const;
    bool put(const Attribute &attribute) const;
};

/* Values of GDAL's types in a row: numbers, or texts as strings. */
class Values
{
  public:
    Values() = default;
    /* Those of an attribute; a text is one string. */
    explicit Values(const Attribute &attribute);

    size_t size() const
    {
        return count;
    }
    const GDALExtendedDataType &type() const
    {
        return data_type;
    }
    /* Put value number `k` where a caller of GDAL wants it, converted. */
    void copy_to(size_t k, const GDALExtendedDataType &wanted, void *out) const;

  private:
    size_t count = 0;
    GDALExtendedDataType data_type = GDALExtendedDataType::CreateString();
    std::vector<std::string> texts; /* of strings */
    std::string bytes;              /* of numbers */
};

class MdAttribute final : public GDALAttribute
{
  public:
    /* `owner`: full name of what it belongs to. `n`: of values; 0: one value without dimension. */
    MdAttribute(const std::string &owner, const AttributePlace &where, const std::string &name,
                size_t n, const GDALExtendedDataType &type, const Values &given);

    const std::vector<std::shared_ptr<GDALDimension>> &GetDimensions() const override
    {
        return dimensions;
    }
    const GDALExtendedDataType &GetDataType() const override
    {
        return data_type;
    }

  protected:
    bool IRead(const GUInt64 *start, const size_t *counts, const GInt64 *step,
               const GPtrDiff_t *stride, const GDALExtendedDataType &type,
               void *out) const override;
    bool IWrite(const GUInt64 *start, const size_t *counts, const GInt64 *step,
                const GPtrDiff_t *stride, const GDALExtendedDataType &type,
                const void *in) override;

  private:
    bool write_texts(const std::vector<std::string> &texts);

    AttributePlace place;
    std::vector<std::shared_ptr<GDALDimension>> dimensions;
    GDALExtendedDataType data_type;
    Values values;
};

std::vector<std::shared_ptr<GDALAttribute>> list_attributes(const std::string &owner,
                                                            const AttributePlace &place,
                                                            const std::vector<std::string> &hidden);

/* NULL, and GDAL is told. */
std::shared_ptr<GDALAttribute>
create_attribute(const std::string &owner, const AttributePlace &place, const std::string &name,
                 const std::vector<GUInt64> &dimensions, const GDALExtendedDataType &type);

} // namespace xta_gdal

#endif
