/* A data set, or one array, as a group of GDAL's multidimensional API.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_MULTIDIM_GROUP_H
#define XTA_GDAL_MULTIDIM_GROUP_H

#include <gdal_priv.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "multidim/dimension.h"

namespace xta_gdal
{

/* What a group and its arrays share. */
class GroupFacts : public std::enable_shared_from_this<GroupFacts>
{
  public:
    GroupFacts(const std::string &full_name, const ArrayPtr &one, const DataSetPtr &several);
    /* Make the dimensions that there are. */
    void read_dimensions();

    /* NULL, and GDAL is told. */
    std::shared_ptr<GDALMDArray> open_array(const std::string &name);
    std::shared_ptr<GDALMDArray>
    create_array(const std::string &name, const std::vector<std::shared_ptr<GDALDimension>> &wanted,
                 const GDALExtendedDataType &type, CSLConstList options);
    std::shared_ptr<GDALDimension> create_dimension(const std::string &name, GUInt64 length,
                                                    bool unlimited);
    std::vector<std::string> array_names() const;
    /* The dimension of an axis; one of its own if the axis has no name that others share. NULL: a
     * scalar has none. */
    std::shared_ptr<GDALDimension> dimension_of(const ArrayPtr &of, int axis);

    const std::string full_name;
    const ArrayPtr array; /* the only one; NULL: `set` */
    const DataSetPtr set;
    std::vector<std::shared_ptr<MdDimension>> dimensions;

  private:
    std::shared_ptr<MdDimension> find(const std::string &name) const;
    std::shared_ptr<MdDimension> add(const std::string &name, const CoordinateSource &source);
    std::shared_ptr<GDALMDArray> wrap(const ArrayPtr &of, const std::string &name);
    std::string array_name() const;
    MdDimension::Opener opener();
};

/* Functions of the driver. NULL, and GDAL is told. */
GDALDataset *open_multidim(const ArrayPtr &array, const DataSetPtr &set, const char *text);
GDALDataset *create_multidim(const char *text, CSLConstList group_options, CSLConstList options);

} // namespace xta_gdal

#endif
