/* An array in GDAL's multidimensional API.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "multidim/md_array.h"

#include <algorithm>
#include <cmath>
#include <cpl_vsi.h>

#include "base/names.h"
#include "raster/georeference.h"
#include "raster/side_files.h"

namespace xta_gdal
{

static GDALExtendedDataType choose_type(const Array &array, const SeenAs &seen)
{
    return array.info.type == XTA_BYTES ? GDALExtendedDataType::CreateString(array.info.cell_bytes)
                                        : GDALExtendedDataType::Create(seen.gdal);
}

MdArray::MdArray(const std::string &group, const std::string &name, const ArrayPtr &from,
                 const std::vector<std::shared_ptr<GDALDimension>> &own)
    : GDALAbstractMDArray(group, name), GDALMDArray(group, name), array(from), dimensions(own),
      seen(multidim_type(from->info.type)), data_type(choose_type(*from, seen)),
      filename(journal_path(*from))
{
    static const char *const orders[] = {"row", "column", "morton", "hilbert"};
    Attribute found;
    if (find_attribute(array->handle, XTA_ON_ARRAY, "units", &found)) {
        unit = whole_text(found);
    }
    if (xta_array_info &info = array->info; info.order <= XTA_HILBERT) {
        structure.SetNameValue("ORDER", orders[info.order]);
    }
    structure.SetNameValue("TYPE", xta_type_name(array->info.type));
    read_nodata();
}

std::shared_ptr<MdArray> MdArray::make(const std::string &group, const std::string &name,
                                       const ArrayPtr &array,
                                       const std::vector<std::shared_ptr<GDALDimension>> &own)
{
    auto made = std::make_shared<MdArray>(group, name, array, own);
    made->SetSelf(made);
    return made;
}

std::vector<GUInt64> MdArray::GetBlockSize() const
{
    std::vector<GUInt64> chunk;
    for (size_t k = 0; k < dimensions.size(); k++) {
        chunk.push_back(static_cast<GUInt64>(array->info.chunk[k]));
    }
    return chunk;
}

CSLConstList MdArray::GetStructuralInfo() const
{
    return structure.List();
}

/* ---- unit, georeference, no-data, scale ---- */

bool MdArray::SetUnit(const std::string &text)
{
    unit = text;
    return text.empty() ? remove_attribute(array->handle, XTA_ON_ARRAY, "units")
                        : put_text(array->handle, XTA_ON_ARRAY, "units", text);
}

std::shared_ptr<OGRSpatialReference> MdArray::GetSpatialRef() const
{
    auto system = std::make_shared<OGRSpatialReference>();
    int line = 0, sample = 0;
    if (!read_system(*array, PROJECTION, system.get())) {
        return nullptr;
    }
    // Numbers of dimensions from 1, in the order of the axes of the system; 0: none.
    for (size_t k = 0; k < dimensions.size(); k++) {
        const std::string &type = dimensions[k]->GetType();
        line = type == "HORIZONTAL_Y" ? static_cast<int>(k) + 1 : line;
        sample = type == "HORIZONTAL_X" ? static_cast<int>(k) + 1 : sample;
    }
    if (line > 0 && sample > 0) {
        std::vector<int> mapping = system->GetDataAxisToSRSAxisMapping();
        bool swapped = mapping.size() >= 2 && mapping[0] == 2;
        system->SetDataAxisToSRSAxisMapping(swapped ? std::vector<int>{line, sample}
                                                    : std::vector<int>{sample, line});
    }
    return system;
}

bool MdArray::SetSpatialRef(const OGRSpatialReference *system)
{
    if (system == nullptr) {
        return write_system(*array, PROJECTION, nullptr);
    }
    // The attribute maps x and y, as that of a raster does.
    OGRSpatialReference kept(*system);
    kept.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    return write_system(*array, PROJECTION, &kept);
}

void MdArray::read_nodata()
{
    Attribute found;
    for (const char *name : {NODATA, "_FillValue", "missing_value"}) {
        char cell[16];
        if (data_type.GetClass() == GEDTC_NUMERIC &&
            find_attribute(array->handle, XTA_ON_ARRAY, name, &found) && found.count > 0 &&
            found.type != XTA_TEXT &&
            xta_type_convert(found.type, found.values.data(), seen.memory, cell, 1, nullptr) ==
                XTA_OK) {
            nodata.assign(cell, data_type.GetSize());
            return;
        }
    }
}

bool MdArray::SetRawNoDataValue(const void *value)
{
    if (value == nullptr || data_type.GetClass() != GEDTC_NUMERIC) {
        nodata.clear();
        return remove_attribute(array->handle, XTA_ON_ARRAY, NODATA);
    }
    nodata.assign(static_cast<const char *>(value), data_type.GetSize());
    bool whole = seen.memory == XTA_I64 || seen.memory == XTA_U64;
    double number = 0;
    if (whole) {
        return put_values(array->handle, XTA_ON_ARRAY, NODATA, seen.memory, 1, value);
    }
    GDALExtendedDataType::CopyValue(value, data_type, &number,
                                    GDALExtendedDataType::Create(GDT_Float64));
    return put_values(array->handle, XTA_ON_ARRAY, NODATA, XTA_F64, 1, &number);
}

double MdArray::number_of(const char *name, bool *has, GDALDataType *type) const
{
    Attribute found;
    bool there = find_attribute(array->handle, XTA_ON_ARRAY, name, &found) && found.count == 1 &&
                 std::isfinite(item_number(found, 0));
    if (has != nullptr) {
        *has = there;
    }
    if (type != nullptr) {
        *type = there ? multidim_type(found.type).gdal : GDT_Unknown;
    }
    double absent = strcmp(name, "scale_factor") == 0 ? 1 : 0;
    return there ? item_number(found, 0) : absent;
}

bool MdArray::set_number(const char *name, double value)
{
    return put_values(array->handle, XTA_ON_ARRAY, name, XTA_F64, 1, &value);
}

double MdArray::GetOffset(bool *has, GDALDataType *type) const
{
    return number_of("add_offset", has, type);
}

double MdArray::GetScale(bool *has, GDALDataType *type) const
{
    return number_of("scale_factor", has, type);
}

bool MdArray::SetOffset(double value, GDALDataType)
{
    return set_number("add_offset", value);
}

bool MdArray::SetScale(double value, GDALDataType)
{
    return set_number("scale_factor", value);
}

/* ---- attributes ---- */

std::vector<std::shared_ptr<GDALAttribute>> MdArray::GetAttributes(CSLConstList options) const
{
    AttributePlace place;
    place.array = array;
    std::vector<std::string> hidden;
    if (!CPLTestBool(CSLFetchNameValueDef(options, "SHOW_ALL", "NO"))) {
        hidden = {"units", "scale_factor", "add_offset", "_FillValue",
                  NODATA,  PROJECTION,     AXIS_MAPPING};
    }
    return list_attributes(GetFullName(), place, hidden);
}

std::shared_ptr<GDALAttribute> MdArray::CreateAttribute(const std::string &name,
                                                        const std::vector<GUInt64> &sizes,
                                                        const GDALExtendedDataType &type,
                                                        CSLConstList)
{
    AttributePlace place;
    place.array = array;
    return create_attribute(GetFullName(), place, name, sizes, type);
}

/* ---- cells ---- */

/* The box that is moved, and what the first cell of it is in the caller's memory. */
struct MdArray::Transfer {
    CellAccess access;
    GPtrDiff_t first; /* bytes from the caller's pointer */
};

/* Steps back become steps forward from the other end: the pointer moves to that end, too. */
MdArray::Transfer MdArray::plan(const GUInt64 *start, const size_t *counts, const GInt64 *step,
                                const GPtrDiff_t *stride, const GDALExtendedDataType &type) const
{
    Transfer transfer = {};
    CellAccess &access = transfer.access;
    auto bytes = static_cast<int64_t>(type.GetSize());
    access.box = array->box;
    access.type = type.GetNumericDataType();
    std::fill_n(access.step, XTA_MAX_NDIM, 1);
    std::fill_n(access.strides, XTA_MAX_NDIM, bytes);
    for (size_t k = 0; k < dimensions.size(); k++) {
        auto steps = static_cast<int64_t>(counts[k]) - 1;
        int64_t by = steps > 0 ? step[k] : 1;
        int64_t from = array->box.lo[k] + static_cast<int64_t>(start[k]);
        int64_t stride_bytes = stride[k] * bytes;
        if (by < 0) {
            from += steps * by;
            transfer.first += steps * stride_bytes;
            stride_bytes = -stride_bytes;
            by = -by;
        }
        access.box.lo[k] = from;
        access.box.hi[k] = from + steps * by + 1;
        access.step[k] = by;
        access.strides[k] = stride_bytes;
    }
    return transfer;
}

namespace
{

/* Dense memory for the cells of a transfer, for those that are no plain numbers. */
class Cells
{
  public:
    Cells(const CellAccess &from, size_t cell_bytes) : access(from), bytes(cell_bytes)
    {
        auto stride = static_cast<int64_t>(bytes);
        for (int axis = from.box.ndim - 1; axis >= 0; axis--) {
            n[axis] =
                (from.box.hi[axis] - from.box.lo[axis] + from.step[axis] - 1) / from.step[axis];
            access.strides[axis] = stride;
            stride *= n[axis];
        }
        memory = static_cast<char *>(VSI_CALLOC_VERBOSE(1, static_cast<size_t>(stride)));
    }
    ~Cells()
    {
        VSIFree(memory);
    }
    Cells(const Cells &) = delete;
    Cells &operator=(const Cells &) = delete;

    /* Call `each` with every cell here and where it lies in the caller's memory. */
    template <class Each> void for_each(const CellAccess &caller, char *there, Each each)
    {
        int64_t at[XTA_MAX_NDIM] = {0};
        char *here = memory;
        int axis = 0;
        while (axis >= 0) {
            each(here, there);
            here += bytes;
            axis = caller.box.ndim - 1;
            while (axis >= 0 && ++at[axis] == n[axis]) {
                there -= (n[axis] - 1) * caller.strides[axis];
                at[axis--] = 0;
            }
            if (axis >= 0) {
                there += caller.strides[axis];
            }
        }
    }

    CellAccess access;
    char *memory;

  private:
    size_t bytes;
    int64_t n[XTA_MAX_NDIM];
};

} // namespace

static xta_io_options dense_options(const Cells &cells, xta_type type)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    options.type = type;
    options.strides = cells.access.strides;
    options.step = cells.access.step;
    return options;
}

bool MdArray::read_each(const Transfer &transfer, const GDALExtendedDataType &type, char *out) const
{
    bool strings = data_type.GetClass() == GEDTC_STRING;
    Cells cells(transfer.access, strings ? array->info.cell_bytes : data_type.GetSize());
    xta_io_options options = dense_options(cells, strings ? XTA_TYPE_SAME : seen.memory);
    if (cells.memory == nullptr || !array->read(cells.access.box, options, cells.memory)) {
        return false;
    }
    cells.for_each(transfer.access, out, [&](char *here, char *there) {
        std::string text = strings ? std::string(here, array->info.cell_bytes) : "";
        const char *pointer = text.c_str(); // up to the padding of zeros
        GDALExtendedDataType::CopyValue(strings ? static_cast<void *>(&pointer) : here, data_type,
                                        there, type);
    });
    return true;
}

bool MdArray::write_each(const Transfer &transfer, const GDALExtendedDataType &type, const char *in)
{
    bool strings = data_type.GetClass() == GEDTC_STRING;
    size_t bytes = strings ? array->info.cell_bytes : data_type.GetSize();
    Cells cells(transfer.access, bytes);
    size_t longest = 0;
    if (cells.memory == nullptr) {
        return false;
    }
    cells.for_each(transfer.access, const_cast<char *>(in), [&](char *here, char *there) {
        if (!strings) {
            GDALExtendedDataType::CopyValue(there, type, here, data_type);
            return;
        }
        char *text = nullptr;
        GDALExtendedDataType::CopyValue(there, type, &text, data_type);
        size_t length = text != nullptr ? strlen(text) : 0;
        memcpy(here, text != nullptr ? text : "", std::min(length, bytes));
        longest = std::max(longest, length);
        CPLFree(text);
    });
    if (longest > bytes) {
        CPLError(CE_Failure, CPLE_IllegalArg,
                 "%s: a string has %d bytes, cells of this array have %d; nothing is written",
                 GetFullName().c_str(), static_cast<int>(longest), static_cast<int>(bytes));
        return false;
    }
    xta_io_options options = dense_options(cells, strings ? XTA_TYPE_SAME : seen.memory);
    return array->write(cells.access.box, options, cells.memory);
}

/* An axis on which a cell is wanted several times, by a step of 0; -1: none. */
int MdArray::repeated_axis(const size_t *counts, const GInt64 *step) const
{
    for (size_t k = 0; k < dimensions.size(); k++) {
        if (step[k] == 0 && counts[k] > 1) {
            return static_cast<int>(k);
        }
    }
    return -1;
}

bool MdArray::read_repeated(int axis, const GUInt64 *start, const size_t *counts,
                            const GInt64 *step, const GPtrDiff_t *stride,
                            const GDALExtendedDataType &type, void *out) const
{
    std::vector<size_t> once(counts, counts + dimensions.size());
    GPtrDiff_t by = stride[axis] * static_cast<GPtrDiff_t>(type.GetSize());
    bool good = true;
    once[static_cast<size_t>(axis)] = 1;
    for (size_t k = 0; good && k < counts[axis]; k++) {
        good = IRead(start, once.data(), step, stride, type,
                     static_cast<char *>(out) + static_cast<GPtrDiff_t>(k) * by);
    }
    return good;
}

bool MdArray::IRead(const GUInt64 *start, const size_t *counts, const GInt64 *step,
                    const GPtrDiff_t *stride, const GDALExtendedDataType &type, void *out) const
{
    int repeated = repeated_axis(counts, step);
    if (repeated >= 0) {
        return read_repeated(repeated, start, counts, step, stride, type, out);
    }
    Transfer transfer = plan(start, counts, step, stride, type);
    char *first = static_cast<char *>(out) + transfer.first;
    bool numbers = data_type.GetClass() == GEDTC_NUMERIC && type.GetClass() == GEDTC_NUMERIC;
    return numbers ? read_cells(*array, transfer.access, seen, first)
                   : read_each(transfer, type, first);
}

bool MdArray::IWrite(const GUInt64 *start, const size_t *counts, const GInt64 *step,
                     const GPtrDiff_t *stride, const GDALExtendedDataType &type, const void *in)
{
    if (repeated_axis(counts, step) >= 0) {
        CPLError(CE_Failure, CPLE_IllegalArg, "%s: a step of 0 would write a cell several times",
                 GetFullName().c_str());
        return false;
    }
    Transfer transfer = plan(start, counts, step, stride, type);
    const char *first = static_cast<const char *>(in) + transfer.first;
    bool numbers = data_type.GetClass() == GEDTC_NUMERIC && type.GetClass() == GEDTC_NUMERIC;
    return numbers ? write_cells(*array, transfer.access, seen, first)
                   : write_each(transfer, type, first);
}

} // namespace xta_gdal
