/* Attributes in GDAL's multidimensional API.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "multidim/attribute.h"

#include <algorithm>

#include "base/error.h"
#include "base/types.h"

namespace xta_gdal
{

/* ---- places ---- */

bool AttributePlace::writable() const
{
    return array != nullptr ? array->writable : set != nullptr && set->writable;
}

std::vector<Attribute> AttributePlace::all() const
{
    std::vector<Attribute> list;
    xta_attribute found;
    const char *name = dimension.empty() ? nullptr : dimension.c_str();
    if (array != nullptr) {
        return attributes_of(array->handle, axis);
    }
    for (size_t k = 0; set != nullptr &&
                       xta_dataset_attribute_at(set->handle, name, k, &found, nullptr) == XTA_OK;
         k++) {
        list.push_back(copy_attribute(found));
    }
    return list;
}

bool AttributePlace::put(const Attribute &attribute) const
{
    xta_error err = {};
    const char *name = dimension.empty() ? nullptr : dimension.c_str();
    if (array != nullptr) {
        return put_attribute(array->handle, axis, attribute);
    }
    xta_attribute value = {attribute.name.c_str(), attribute.type, attribute.cell_bytes,
                           attribute.count, attribute.values.data()};
    return !failed(xta_dataset_set_attribute(set->handle, name, &value, &err), err);
}

/* ---- values ---- */

Values::Values(const Attribute &attribute)
{
    SeenAs seen = multidim_type(attribute.type);
    if (attribute.type == XTA_TEXT) {
        texts.push_back(attribute.values);
    } else if (seen.gdal == GDT_Unknown) {
        for (size_t k = 0; k < attribute.count; k++) {
            texts.push_back(item_text(attribute, k));
        }
    } else {
        data_type = GDALExtendedDataType::Create(seen.gdal);
        bytes.resize(attribute.count * data_type.GetSize());
        if (xta_type_convert(attribute.type, attribute.values.data(), seen.memory, &bytes[0],
                             attribute.count, nullptr) != XTA_OK) {
            bytes.clear();
        }
        count = bytes.size() / data_type.GetSize();
        return;
    }
    count = texts.size();
}

void Values::copy_to(size_t k, const GDALExtendedDataType &wanted, void *out) const
{
    if (data_type.GetClass() == GEDTC_STRING) {
        const char *text = texts[k].c_str();
        GDALExtendedDataType::CopyValue(&text, data_type, out, wanted);
    } else {
        GDALExtendedDataType::CopyValue(&bytes[k * data_type.GetSize()], data_type, out, wanted);
    }
}

/* ---- attributes ---- */

MdAttribute::MdAttribute(const std::string &owner, const AttributePlace &where,
                         const std::string &name, size_t n, const GDALExtendedDataType &type,
                         const Values &given)
    : GDALAbstractMDArray(owner, name), GDALAttribute(owner, name), place(where), data_type(type),
      values(given)
{
    if (n > 0) {
        dimensions.push_back(std::make_shared<GDALDimension>("", "values", "", "", n));
    }
}

bool MdAttribute::IRead(const GUInt64 *start, const size_t *counts, const GInt64 *step,
                        const GPtrDiff_t *stride, const GDALExtendedDataType &type, void *out) const
{
    size_t n = dimensions.empty() ? 1 : counts[0];
    char *to = static_cast<char *>(out);
    for (size_t k = 0; k < n; k++) {
        GInt64 at = dimensions.empty()
                        ? 0
                        : static_cast<GInt64>(start[0]) + static_cast<GInt64>(k) * step[0];
        if (at >= static_cast<GInt64>(values.size())) {
            CPLError(CE_Failure, CPLE_AppDefined, "attribute %s has not been written",
                     GetFullName().c_str());
            return false;
        }
        values.copy_to(static_cast<size_t>(at), type, to);
        to += dimensions.empty() ? 0 : stride[0] * static_cast<GPtrDiff_t>(type.GetSize());
    }
    return true;
}

/* Texts: one is a text of the library, several are bytes of one length. */
bool MdAttribute::write_texts(const std::vector<std::string> &texts)
{
    Attribute attribute;
    attribute.name = GetName();
    if (dimensions.empty()) {
        attribute.count = texts[0].size();
        attribute.values = texts[0];
    } else {
        attribute.type = XTA_BYTES;
        for (const std::string &text : texts) {
            attribute.cell_bytes = std::max(attribute.cell_bytes, text.size());
        }
        attribute.count = texts.size();
        for (std::string text : texts) {
            text.resize(attribute.cell_bytes, '\0');
            attribute.values += text;
        }
    }
    values = Values(attribute);
    return place.put(attribute);
}

bool MdAttribute::IWrite(const GUInt64 *start, const size_t *counts, const GInt64 *step,
                         const GPtrDiff_t *stride, const GDALExtendedDataType &type, const void *in)
{
    size_t n = dimensions.empty() ? 1 : counts[0];
    const char *from = static_cast<const char *>(in);
    std::vector<std::string> texts;
    Attribute attribute;
    if (!dimensions.empty() && (start[0] != 0 || n != dimensions[0]->GetSize() || step[0] != 1)) {
        CPLError(CE_Failure, CPLE_NotSupported, "attribute %s is written as a whole",
                 GetFullName().c_str());
        return false;
    }
    bool strings = data_type.GetClass() == GEDTC_STRING;
    attribute.name = GetName();
    attribute.type = strings ? XTA_TEXT : array_type(data_type.GetNumericDataType(), false);
    attribute.cell_bytes = strings ? 1 : data_type.GetSize();
    attribute.count = n;
    attribute.values.resize(n * attribute.cell_bytes);
    for (size_t k = 0; k < n; k++) {
        if (strings) {
            char *text = nullptr;
            GDALExtendedDataType::CopyValue(from, type, &text, data_type);
            texts.push_back(text != nullptr ? text : "");
            CPLFree(text);
        } else {
            GDALExtendedDataType::CopyValue(from, type, &attribute.values[k * attribute.cell_bytes],
                                            data_type);
        }
        from += dimensions.empty() ? 0 : stride[0] * static_cast<GPtrDiff_t>(type.GetSize());
    }
    if (strings) {
        return write_texts(texts);
    }
    values = Values(attribute);
    return place.put(attribute);
}

std::vector<std::shared_ptr<GDALAttribute>> list_attributes(const std::string &owner,
                                                            const AttributePlace &place,
                                                            const std::vector<std::string> &hidden)
{
    std::vector<std::shared_ptr<GDALAttribute>> list;
    for (const Attribute &attribute : place.all()) {
        if (std::find(hidden.begin(), hidden.end(), attribute.name) != hidden.end() ||
            (place.axis >= 0 && attribute.name.compare(0, 6, "values") == 0)) {
            continue;
        }
        Values values(attribute);
        list.push_back(std::make_shared<MdAttribute>(owner, place, attribute.name,
                                                     values.size() == 1 ? 0 : values.size(),
                                                     values.type(), values));
    }
    return list;
}

std::shared_ptr<GDALAttribute>
create_attribute(const std::string &owner, const AttributePlace &place, const std::string &name,
                 const std::vector<GUInt64> &dimensions, const GDALExtendedDataType &type)
{
    bool number = type.GetClass() == GEDTC_NUMERIC &&
                  array_type(type.GetNumericDataType(), false) != XTA_TYPE_SAME;
    GDALExtendedDataType kept =
        number ? GDALExtendedDataType::Create(plain_type(type.GetNumericDataType())) : type;
    if (!place.writable()) {
        CPLError(CE_Failure, CPLE_NoWriteAccess, "%s: is open for reading only", owner.c_str());
        return nullptr;
    }
    if (dimensions.size() > 1 || (!number && type.GetClass() != GEDTC_STRING)) {
        CPLError(
            CE_Failure, CPLE_NotSupported,
            "%s: attribute %s: attributes of XTA are numbers, texts, or lists of one dimension",
            owner.c_str(), name.c_str());
        return nullptr;
    }
    size_t n = dimensions.empty() ? 0 : static_cast<size_t>(dimensions[0]);
    return std::make_shared<MdAttribute>(owner, place, name, n, kept, Values());
}

} // namespace xta_gdal
