/* An open data set, and one moment of it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_ARRAY_DATA_SET_H
#define XTA_GDAL_ARRAY_DATA_SET_H

#include <memory>
#include <string>
#include <vector>

#include <xta/dataset.h>

namespace xta_gdal
{

/* How arrays and data sets are opened. */
struct OpenMode {
    bool update = false;
    xta_access access = XTA_ACCESS_AUTO;
};

/* A dimension as it was when the data set was opened. */
struct DimensionFacts {
    std::string name;
    int64_t lo, hi;
    xta_coordinates_kind coordinates; /* 0: none */
    xta_regular regular;
    std::string unit, calendar;
};

class DataSet
{
  public:
    /* NULL, and GDAL is told. */
    static std::shared_ptr<DataSet> open(const std::string &path, const OpenMode &mode);
    static std::shared_ptr<DataSet> create(const std::string &path);
    /* A group of it; `create`: a new one. */
    std::shared_ptr<DataSet> group(const std::string &name, bool create) const;
    ~DataSet();
    DataSet(const DataSet &) = delete;
    DataSet &operator=(const DataSet &) = delete;

    std::vector<std::string> members() const;
    std::vector<std::string> groups() const;
    std::string text(const char *dimension, const char *name) const;

    /* Read the dimensions, of one moment: while other processes let the members grow, some may have
     * grown and others not, and then they are read again. */
    bool read_dimensions();
    const DimensionFacts *dimension(const std::string &name) const;

    xta_dataset *handle = nullptr;
    bool writable = false;
    std::vector<DimensionFacts> dimensions;

  private:
    DataSet() = default;
    bool try_dimensions(xta_error *err);
};

using DataSetPtr = std::shared_ptr<DataSet>;

} // namespace xta_gdal

#endif
