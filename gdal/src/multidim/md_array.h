/* An array in GDAL's multidimensional API.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_MULTIDIM_MD_ARRAY_H
#define XTA_GDAL_MULTIDIM_MD_ARRAY_H

#include <cpl_string.h>
#include <gdal_priv.h>
#include <memory>
#include <string>
#include <vector>

#include "array/cell_access.h"
#include "multidim/attribute.h"

namespace xta_gdal
{

class MdArray final : public GDALMDArray
{
  public:
    MdArray(const std::string &group, const std::string &name, const ArrayPtr &from,
            const std::vector<std::shared_ptr<GDALDimension>> &own);
    static std::shared_ptr<MdArray> make(const std::string &group, const std::string &name,
                                         const ArrayPtr &array,
                                         const std::vector<std::shared_ptr<GDALDimension>> &own);

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
        return array->writable;
    }
    const std::string &GetFilename() const override
    {
        return filename;
    }
    std::vector<GUInt64> GetBlockSize() const override;
    CSLConstList GetStructuralInfo() const override;
    const std::string &GetUnit() const override
    {
        return unit;
    }
    bool SetUnit(const std::string &text) override;
    std::shared_ptr<OGRSpatialReference> GetSpatialRef() const override;
    bool SetSpatialRef(const OGRSpatialReference *system) override;
    const void *GetRawNoDataValue() const override
    {
        return nodata.empty() ? nullptr : nodata.data();
    }
    bool SetRawNoDataValue(const void *value) override;
    double GetOffset(bool *has, GDALDataType *type) const override;
    double GetScale(bool *has, GDALDataType *type) const override;
    bool SetOffset(double value, GDALDataType type) override;
    bool SetScale(double value, GDALDataType type) override;
    std::vector<std::shared_ptr<GDALAttribute>> GetAttributes(CSLConstList options) const override;
    std::shared_ptr<GDALAttribute> CreateAttribute(const std::string &name,
                                                   const std::vector<GUInt64> &sizes,
                                                   const GDALExtendedDataType &type,
                                                   CSLConstList options) override;

  protected:
    bool IRead(const GUInt64 *start, const size_t *counts, const GInt64 *step,
               const GPtrDiff_t *stride, const GDALExtendedDataType &type,
               void *out) const override;
    bool IWrite(const GUInt64 *start, const size_t *counts, const GInt64 *step,
                const GPtrDiff_t *stride, const GDALExtendedDataType &type,
                const void *in) override;

  private:
    struct Transfer;
    Transfer plan(const GUInt64 *start, const size_t *counts, const GInt64 *step,
                  const GPtrDiff_t *stride, const GDALExtendedDataType &type) const;
    bool read_each(const Transfer &transfer, const GDALExtendedDataType &type, char *out) const;
    bool write_each(const Transfer &transfer, const GDALExtendedDataType &type, const char *in);
    int repeated_axis(const size_t *counts, const GInt64 *step) const;
    bool read_repeated(int axis, const GUInt64 *start, const size_t *counts, const GInt64 *step,
                       const GPtrDiff_t *stride, const GDALExtendedDataType &type, void *out) const;
    void read_nodata();
    double number_of(const char *name, bool *has, GDALDataType *type) const;
    bool set_number(const char *name, double value);

    ArrayPtr array;
    std::vector<std::shared_ptr<GDALDimension>> dimensions;
    SeenAs seen;
    GDALExtendedDataType data_type;
    std::string filename, unit;
    std::string nodata; /* one cell as GDAL sees it; empty: none */
    CPLStringList structure;
};

} // namespace xta_gdal

#endif
