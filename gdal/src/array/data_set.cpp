/* An open data set, and one moment of it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/data_set.h"

#include <cpl_error.h>
#include <new>

#include "base/error.h"

namespace xta_gdal
{

constexpr int MOST_TRIES = 100;

DataSetPtr DataSet::open(const std::string &path, const OpenMode &mode)
{
    xta_error err = {};
    xta_dataset_options options = XTA_DATASET_OPTIONS_INIT;
    DataSetPtr set(new DataSet);
    options.writable = mode.update;
    options.access = mode.access;
    set->writable = mode.update;
    if (failed(xta_dataset_open(path.c_str(), &options, &set->handle, &err), err) ||
        !set->read_dimensions()) {
        return nullptr;
    }
    return set;
}

DataSetPtr DataSet::create(const std::string &path)
{
    xta_error err = {};
    DataSetPtr set(new DataSet);
    set->writable = true;
    if (failed(xta_dataset_create(path.c_str(), nullptr, &set->handle, &err), err)) {
        return nullptr;
    }
    return set;
}

DataSetPtr DataSet::group(const std::string &name, bool create) const
{
    xta_error err = {};
    DataSetPtr set(new DataSet);
    set->writable = writable;
    if (failed(xta_dataset_group(handle, name.c_str(), create, &set->handle, &err), err) ||
        !set->read_dimensions()) {
        return nullptr;
    }
    return set;
}

DataSet::~DataSet()
{
    xta_error err = {};
    failed(xta_dataset_close(handle, &err), err);
}

std::vector<std::string> DataSet::members() const
{
    std::vector<std::string> names;
    for (size_t k = 0; k < xta_dataset_member_count(handle); k++) {
        names.push_back(xta_dataset_member_name(handle, k));
    }
    return names;
}

std::vector<std::string> DataSet::groups() const
{
    std::vector<std::string> names;
    for (size_t k = 0; k < xta_dataset_group_count(handle); k++) {
        names.push_back(xta_dataset_group_name(handle, k));
    }
    return names;
}

std::string DataSet::text(const char *dimension, const char *name) const
{
    xta_attribute found;
    if (xta_dataset_attribute(handle, dimension, name, &found, nullptr) != XTA_OK ||
        found.type != XTA_TEXT) {
        return "";
    }
    return std::string(static_cast<const char *>(found.values), found.count);
}

bool DataSet::try_dimensions(xta_error *err)
{
    size_t count = 0;
    dimensions.clear();
    if (xta_dataset_dimension_count(handle, &count, err) != XTA_OK) {
        return false;
    }
    for (size_t k = 0; k < count; k++) {
        xta_dimension found;
        if (xta_dataset_dimension_at(handle, k, &found, err) != XTA_OK) {
            return false;
        }
        std::string name = found.name;
        DimensionFacts facts = {name, found.lo, found.hi, found.coordinates, found.regular, "", ""};
        if (found.coordinates == XTA_COORDINATES_REGULAR) {
            facts.unit = text(name.c_str(), "units");
            facts.calendar = text(name.c_str(), "calendar");
        }
        dimensions.push_back(facts);
    }
    return true;
}

bool DataSet::read_dimensions()
{
    xta_error err = {};
    bool done = try_dimensions(&err);
    for (int tried = 1; !done && err.status == XTA_EBOX && tried < MOST_TRIES; tried++) {
        xta_error refused = {};
        if (failed(xta_dataset_refresh(handle, nullptr, &refused), refused)) {
            return false;
        }
        done = try_dimensions(&err);
    }
    return done || !failed(err.status, err);
}

const DimensionFacts *DataSet::dimension(const std::string &name) const
{
    for (const DimensionFacts &facts : dimensions) {
        if (facts.name == name) {
            return &facts;
        }
    }
    return nullptr;
}

} // namespace xta_gdal
