/* A data set, or one array, as a group of GDAL's multidimensional API.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "multidim/group.h"

#include <algorithm>
#include <cpl_conv.h>
#include <cstdlib>

#include "base/error.h"
#include "base/name.h"
#include "multidim/md_array.h"
#include "raster/create.h"

namespace xta_gdal
{

/* ---- dimensions ---- */

GroupFacts::GroupFacts(const std::string &name, const ArrayPtr &one, const DataSetPtr &several)
    : full_name(name), array(one), set(several)
{
}

std::shared_ptr<MdDimension> GroupFacts::find(const std::string &name) const
{
    for (const auto &dimension : dimensions) {
        if (dimension->GetName() == name) {
            return dimension;
        }
    }
    return nullptr;
}

std::shared_ptr<MdDimension> GroupFacts::add(const std::string &name,
                                             const CoordinateSource &source)
{
    auto dimension = std::make_shared<MdDimension>(full_name, name, source);
    dimension->self = dimension;
    dimensions.push_back(dimension);
    return dimension;
}

/* Opens arrays as long as there is the group; dimensions do not keep it. */
MdDimension::Opener GroupFacts::opener()
{
    std::weak_ptr<GroupFacts> group = weak_from_this();
    return [group](const std::string &name) -> std::shared_ptr<GDALMDArray> {
        std::shared_ptr<GroupFacts> facts = group.lock();
        return facts != nullptr ? facts->open_array(name) : nullptr;
    };
}

/* The coordinates that an axis of an array has. */
static CoordinateSource axis_source(const ArrayPtr &array, int axis)
{
    CoordinateSource source;
    source.lo = array->box.lo[axis];
    source.hi = array->box.hi[axis];
    source.coordinates = coordinates_of(*array, axis);
    source.unit = xta_axis_unit(array->handle, axis);
    source.place.array = array;
    source.place.axis = axis;
    if (source.coordinates != nullptr) {
        source.unit = xta_coordinates_unit(source.coordinates.get());
        source.calendar = xta_coordinates_calendar(source.coordinates.get());
        source.has_regular =
            xta_axis_regular(array->handle, axis, &source.regular, nullptr) == XTA_OK;
    }
    return source;
}

/* The first member that has a dimension. */
static bool find_axis(const DataSetPtr &set, const std::string &name, ArrayPtr *array, int *axis)
{
    for (const std::string &member : set->members()) {
        *array = Array::member(set, member);
        for (int k = 0; *array != nullptr && k < (*array)->box.ndim; k++) {
            if (name == xta_axis_name((*array)->handle, k)) {
                *axis = k;
                return true;
            }
        }
    }
    return false;
}

static CoordinateSource dimension_source(const DataSetPtr &set, const DimensionFacts &facts)
{
    CoordinateSource source;
    ArrayPtr array;
    int axis = 0;
    if (facts.coordinates == 0 && find_axis(set, facts.name, &array, &axis)) {
        return axis_source(array, axis);
    }
    source.lo = facts.lo;
    source.hi = facts.hi;
    source.unit = facts.unit;
    source.calendar = facts.calendar;
    source.has_regular = facts.coordinates == XTA_COORDINATES_REGULAR;
    source.regular = facts.regular;
    source.place.set = set;
    source.place.dimension = facts.name;
    return source;
}

void GroupFacts::read_dimensions()
{
    for (int axis = 0; array != nullptr && axis < array->box.ndim; axis++) {
        add(array->axis_name(axis), axis_source(array, axis));
    }
    for (size_t k = 0; set != nullptr && array == nullptr && k < set->dimensions.size(); k++) {
        const DimensionFacts &facts = set->dimensions[k];
        auto dimension = add(facts.name, dimension_source(set, facts));
        if (facts.coordinates == XTA_COORDINATES_LISTED ||
            facts.coordinates == XTA_COORDINATES_NAMES) {
            dimension->list_in(opener());
        }
    }
}

std::shared_ptr<GDALDimension> GroupFacts::dimension_of(const ArrayPtr &of, int axis)
{
    std::string name = xta_axis_name(of->handle, axis);
    if (array != nullptr) {
        return dimensions[static_cast<size_t>(axis)];
    }
    std::shared_ptr<MdDimension> shared = name.empty() ? nullptr : find(name);
    if (shared != nullptr) {
        return shared;
    }
    auto own = std::make_shared<MdDimension>(full_name, of->axis_name(axis), axis_source(of, axis));
    own->self = own;
    return own;
}

std::shared_ptr<GDALDimension> GroupFacts::create_dimension(const std::string &name, GUInt64 length,
                                                            bool unlimited)
{
    xta_error err = {};
    xta_dimension wanted = {};
    if (set == nullptr || !set->writable) {
        CPLError(CE_Failure, CPLE_NoWriteAccess, "%s: is no data set that is open for writing",
                 full_name.c_str());
        return nullptr;
    }
    wanted.name = name.c_str();
    wanted.hi = static_cast<int64_t>(length);
    wanted.unlimited = unlimited;
    if (length > static_cast<GUInt64>(INT64_MAX) || find(name) != nullptr) {
        CPLError(CE_Failure, CPLE_IllegalArg, "%s: dimension %s: %s", full_name.c_str(),
                 name.c_str(), find(name) != nullptr ? "there is one of this name" : "too long");
        return nullptr;
    }
    if (failed(xta_dataset_set_dimension(set->handle, &wanted, &err), err)) {
        return nullptr;
    }
    DimensionFacts facts = {};
    facts.name = name;
    facts.hi = wanted.hi;
    set->dimensions.push_back(facts);
    return add(name, dimension_source(set, facts));
}

/* ---- arrays ---- */

std::string GroupFacts::array_name() const
{
    std::string name = CPLGetFilename(xta_array_path(array->handle));
    return name.empty() ? "array" : name;
}

std::vector<std::string> GroupFacts::array_names() const
{
    std::vector<std::string> names;
    if (array != nullptr) {
        names.push_back(array_name());
    } else {
        names = set->members();
    }
    for (const auto &dimension : dimensions) {
        bool there = std::find(names.begin(), names.end(), dimension->GetName()) != names.end();
        if (dimension->has_source() && !there) {
            names.push_back(dimension->GetName());
        }
    }
    return names;
}

std::shared_ptr<GDALMDArray> GroupFacts::wrap(const ArrayPtr &of, const std::string &name)
{
    std::vector<std::shared_ptr<GDALDimension>> own;
    // An axis of length 1 that is no dimension is what a scalar is kept as.
    bool scalar = set != nullptr && of->box.ndim == 1 && of->length(0) == 1 &&
                  xta_axis_name(of->handle, 0)[0] == '\0';
    for (int axis = 0; axis < of->box.ndim && !scalar; axis++) {
        own.push_back(dimension_of(of, axis));
    }
    return MdArray::make(full_name, name, of, own);
}

std::shared_ptr<GDALMDArray> GroupFacts::open_array(const std::string &name)
{
    if (array != nullptr && name == array_name()) {
        return wrap(array, name);
    }
    std::vector<std::string> members = set != nullptr ? set->members() : std::vector<std::string>();
    bool member =
        array == nullptr && std::find(members.begin(), members.end(), name) != members.end();
    std::shared_ptr<MdDimension> dimension = find(name);
    if (!member && dimension != nullptr && dimension->has_source()) {
        return dimension->coordinate_variable();
    }
    if (!member) {
        CPLError(CE_Failure, CPLE_AppDefined, "%s: has no array '%s'", full_name.c_str(),
                 name.c_str());
        return nullptr;
    }
    ArrayPtr found = Array::member(set, name);
    return found != nullptr ? wrap(found, name) : nullptr;
}

/* The type and size of the cells for a type of GDAL. XTA_TYPE_SAME, and GDAL is told: there are
 * none. */
static xta_type cell_type(const std::string &name, const GDALExtendedDataType &type,
                          CSLConstList options, uint32_t *cell_bytes)
{
    if (type.GetClass() == GEDTC_NUMERIC) {
        xta_type found = array_type(type.GetNumericDataType(), false);
        if (found == XTA_TYPE_SAME) {
            CPLError(CE_Failure, CPLE_NotSupported, "%s: XTA has no cells of type %s", name.c_str(),
                     GDALGetDataTypeName(type.GetNumericDataType()));
        }
        return found;
    }
    const char *text = CSLFetchNameValue(options, "STRING_LENGTH");
    int length = text != nullptr ? atoi(text) : static_cast<int>(type.GetMaxStringLength());
    if (type.GetClass() != GEDTC_STRING || length < 1 || length > 65535) {
        CPLError(CE_Failure, CPLE_NotSupported,
                 "%s: cells of XTA are numbers, or strings of 1 to 65535 bytes whose length is "
                 "given by the creation option STRING_LENGTH",
                 name.c_str());
        return XTA_TYPE_SAME;
    }
    *cell_bytes = static_cast<uint32_t>(length);
    return XTA_BYTES;
}

std::shared_ptr<GDALMDArray>
GroupFacts::create_array(const std::string &name,
                         const std::vector<std::shared_ptr<GDALDimension>> &wanted,
                         const GDALExtendedDataType &type, CSLConstList options)
{
    xta_error err = {};
    CreationOptions creation;
    CPLStringList list(CSLDuplicate(options));
    int ndim = wanted.empty() ? 1 : static_cast<int>(wanted.size());
    std::vector<const char *> names(static_cast<size_t>(ndim), nullptr);
    for (size_t k = 0; k < wanted.size(); k++) {
        names[k] = wanted[k]->GetName().c_str();
    }
    if (set == nullptr || !set->writable || ndim > XTA_MAX_NDIM) {
        CPLError(CE_Failure, CPLE_NoWriteAccess,
                 "%s: %s cannot be created: this is no data set that is open for writing, or there "
                 "are more than %d dimensions",
                 full_name.c_str(), name.c_str(), XTA_MAX_NDIM);
        return nullptr;
    }
    if (list.FetchNameValue("CHUNK") == nullptr && list.FetchNameValue("BLOCKSIZE") != nullptr) {
        list.SetNameValue("CHUNK", list.FetchNameValue("BLOCKSIZE"));
    }
    xta_type cells = cell_type(name, type, options, &creation.options.cell_bytes);
    if (cells == XTA_TYPE_SAME || !creation.parse(name.c_str(), list.List(), cells, ndim) ||
        failed(xta_dataset_add_member(set->handle, name.c_str(), cells, ndim, names.data(),
                                      &creation.options, nullptr, &err),
               err)) {
        return nullptr;
    }
    std::shared_ptr<MdDimension> own = find(name);
    if (own != nullptr && wanted.size() == 1) {
        own->list_in(opener()); // these are its coordinates
    }
    return open_array(name);
}

/* ---- groups ---- */

namespace
{

class MdGroup final : public GDALGroup
{
  public:
    MdGroup(const std::string &parent, const std::string &name,
            const std::shared_ptr<GroupFacts> &from)
        : GDALGroup(parent, name), facts(from)
    {
    }

    std::vector<std::string> GetMDArrayNames(CSLConstList) const override
    {
        return facts->array_names();
    }
    std::shared_ptr<GDALMDArray> OpenMDArray(const std::string &name, CSLConstList) const override
    {
        return facts->open_array(name);
    }
    std::vector<std::string> GetGroupNames(CSLConstList) const override
    {
        return facts->array == nullptr ? facts->set->groups() : std::vector<std::string>();
    }
    std::shared_ptr<GDALGroup> OpenGroup(const std::string &name, CSLConstList) const override
    {
        return open_group(name, false);
    }
    std::vector<std::shared_ptr<GDALDimension>> GetDimensions(CSLConstList) const override
    {
        return {facts->dimensions.begin(), facts->dimensions.end()};
    }
    std::vector<std::shared_ptr<GDALAttribute>> GetAttributes(CSLConstList) const override
    {
        return facts->array == nullptr ? list_attributes(GetFullName(), place(), {})
                                       : std::vector<std::shared_ptr<GDALAttribute>>();
    }
    std::shared_ptr<GDALAttribute> CreateAttribute(const std::string &name,
                                                   const std::vector<GUInt64> &sizes,
                                                   const GDALExtendedDataType &type,
                                                   CSLConstList) override
    {
        return create_attribute(GetFullName(), place(), name, sizes, type);
    }
    std::shared_ptr<GDALGroup> CreateGroup(const std::string &name, CSLConstList) override
    {
        return open_group(name, true);
    }
    std::shared_ptr<GDALDimension> CreateDimension(const std::string &name, const std::string &,
                                                   const std::string &, GUInt64 length,
                                                   CSLConstList options) override
    {
        bool unlimited = CPLTestBool(CSLFetchNameValueDef(options, "UNLIMITED", "NO"));
        return facts->create_dimension(name, length, unlimited);
    }
    std::shared_ptr<GDALMDArray>
    CreateMDArray(const std::string &name,
                  const std::vector<std::shared_ptr<GDALDimension>> &dimensions,
                  const GDALExtendedDataType &type, CSLConstList options) override
    {
        return facts->create_array(name, dimensions, type, options);
    }

  private:
    AttributePlace place() const
    {
        AttributePlace own;
        own.set = facts->array == nullptr ? facts->set : nullptr;
        return own;
    }
    std::shared_ptr<GDALGroup> open_group(const std::string &name, bool create) const;

    std::shared_ptr<GroupFacts> facts;
};

std::shared_ptr<GDALGroup> make_group(const std::string &parent, const std::string &name,
                                      const ArrayPtr &array, const DataSetPtr &set)
{
    std::string full = parent.empty() ? "/" : parent == "/" ? "/" + name : parent + "/" + name;
    auto facts = std::make_shared<GroupFacts>(full, array, set);
    facts->read_dimensions();
    return std::make_shared<MdGroup>(parent, name, facts);
}

std::shared_ptr<GDALGroup> MdGroup::open_group(const std::string &name, bool create) const
{
    if (facts->array != nullptr) {
        CPLError(CE_Failure, CPLE_NotSupported, "%s: an array has no groups",
                 GetFullName().c_str());
        return nullptr;
    }
    std::vector<std::string> names = facts->set->groups();
    bool there = std::find(names.begin(), names.end(), name) != names.end();
    if (there == create) {
        CPLError(CE_Failure, CPLE_AppDefined, "%s: %s group '%s'", GetFullName().c_str(),
                 create ? "there is a" : "has no", name.c_str());
        return nullptr;
    }
    DataSetPtr set = facts->set->group(name, create);
    return set != nullptr ? make_group(GetFullName(), name, nullptr, set) : nullptr;
}

class MdDataset final : public GDALDataset
{
  public:
    MdDataset(const std::shared_ptr<GDALGroup> &group, const char *text) : root(group)
    {
        SetDescription(text);
        nRasterXSize = 0;
        nRasterYSize = 0;
    }
    std::shared_ptr<GDALGroup> GetRootGroup() const override
    {
        return root;
    }

  private:
    std::shared_ptr<GDALGroup> root;
};

} // namespace

GDALDataset *open_multidim(const ArrayPtr &array, const DataSetPtr &set, const char *text)
{
    return new MdDataset(make_group("", "/", array, set), text);
}

GDALDataset *create_multidim(const char *text, CSLConstList, CSLConstList)
{
    Name name;
    if (!parse_name(text, &name)) {
        return nullptr;
    }
    if (!name.members.empty()) {
        CPLError(CE_Failure, CPLE_NotSupported, "%s: is a part of a data set; open that", text);
        return nullptr;
    }
    DataSetPtr set = DataSet::create(name.path);
    return set != nullptr ? open_multidim(nullptr, set, text) : nullptr;
}

} // namespace xta_gdal
