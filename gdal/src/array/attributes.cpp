/* Attributes of an array as values of their own.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/attributes.h"

#include <cerrno>
#include <cmath>
#include <cpl_conv.h>
#include <cpl_string.h>
#include <cstdlib>

#include "base/error.h"

extern "C" {
#include "util/json.h"
}

namespace xta_gdal
{

Attribute copy_attribute(const xta_attribute &attribute)
{
    Attribute copy;
    copy.name = attribute.name;
    copy.type = attribute.type;
    copy.cell_bytes = attribute.cell_bytes;
    copy.count = attribute.count;
    copy.values.assign(static_cast<const char *>(attribute.values),
                       attribute.count * attribute.cell_bytes);
    return copy;
}

bool find_attribute(xta_array *array, int axis, const std::string &name, Attribute *out)
{
    xta_attribute found;
    if (xta_attribute_get(array, axis, name.c_str(), &found, nullptr) != XTA_OK) {
        return false;
    }
    *out = copy_attribute(found);
    return true;
}

std::vector<Attribute> attributes_of(xta_array *array, int axis)
{
    std::vector<Attribute> all;
    xta_attribute found;
    for (size_t k = 0; xta_attribute_at(array, axis, k, &found, nullptr) == XTA_OK; k++) {
        all.push_back(copy_attribute(found));
    }
    return all;
}

/* ---- as text and numbers ---- */

std::string number_text(double value)
{
    char text[XTA__JSON_REAL_BYTES];
    xta__real_text(value, text);
    return text;
}

double item_number(const Attribute &attribute, size_t k)
{
    double value = NAN;
    const char *from = attribute.values.data() + k * attribute.cell_bytes;
    if (k >= attribute.count || attribute.type == XTA_TEXT ||
        xta_type_convert(attribute.type, from, XTA_F64, &value, 1, nullptr) != XTA_OK) {
        return NAN;
    }
    return value;
}

bool parse_whole(const std::string &text, xta_type type, void *cell)
{
    char *end = nullptr;
    errno = 0;
    int64_t whole = type == XTA_I64 ? strtoll(text.c_str(), &end, 10) : 0;
    uint64_t large = type == XTA_U64 ? strtoull(text.c_str(), &end, 10) : 0;
    bool negative = text.find('-') != std::string::npos; // strtoull takes that for a large number
    if (end != text.c_str() && *end == '\0' && errno == 0 && !(type == XTA_U64 && negative)) {
        std::memcpy(cell, type == XTA_I64 ? static_cast<void *>(&whole) : &large, sizeof whole);
        return true;
    }
    double number = CPLStrtod(text.c_str(), &end); // "1e+15"
    return end != text.c_str() && *end == '\0' &&
           xta_type_convert(XTA_F64, &number, type, cell, 1, nullptr) == XTA_OK;
}

std::string item_text(const Attribute &attribute, size_t k)
{
    if (attribute.type == XTA_I64) {
        return std::to_string(attribute.at<int64_t>(k));
    }
    if (attribute.type == XTA_U64) {
        return std::to_string(attribute.at<uint64_t>(k));
    }
    if (attribute.type == XTA_C64 || attribute.type == XTA_C128) {
        double pair[2];
        const char *from = attribute.values.data() + k * attribute.cell_bytes;
        if (xta_type_convert(attribute.type, from, XTA_C128, pair, 1, nullptr) != XTA_OK) {
            return "";
        }
        return number_text(pair[0]) + (pair[1] < 0 ? "" : "+") + number_text(pair[1]) + "i";
    }
    if (attribute.type == XTA_BYTES) {
        std::string text = attribute.values.substr(k * attribute.cell_bytes, attribute.cell_bytes);
        return text.c_str(); // up to the padding
    }
    return number_text(item_number(attribute, k));
}

std::string whole_text(const Attribute &attribute)
{
    if (attribute.type == XTA_TEXT) {
        return attribute.values;
    }
    std::string text;
    for (size_t k = 0; k < attribute.count; k++) {
        text += (k > 0 ? "," : "") + item_text(attribute, k);
    }
    return text;
}

std::vector<std::string> lines_of(const std::string &text)
{
    std::vector<std::string> lines;
    size_t at = 0;
    while (at < text.size()) {
        size_t end = text.find('\n', at);
        end = end == std::string::npos ? text.size() : end;
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

size_t item_count(const Attribute &attribute)
{
    return attribute.type == XTA_TEXT ? lines_of(attribute.values).size() : attribute.count;
}

std::string item_of(const Attribute &attribute, size_t k)
{
    if (attribute.type != XTA_TEXT) {
        return k < attribute.count ? item_text(attribute, k) : "";
    }
    std::vector<std::string> lines = lines_of(attribute.values);
    return k < lines.size() ? lines[k] : "";
}

/* ---- changes ---- */

bool put_attribute(xta_array *array, int axis, const Attribute &attribute)
{
    xta_error err = {};
    Attribute now;
    if (find_attribute(array, axis, attribute.name, &now) && now.type == attribute.type &&
        now.count == attribute.count && now.values == attribute.values) {
        return true;
    }
    xta_attribute value = {attribute.name.c_str(), attribute.type, attribute.cell_bytes,
                           attribute.count, attribute.values.data()};
    return !failed(xta_attribute_set(array, axis, &value, &err), err);
}

/* Texts of attributes are UTF-8 without control characters; those of GDAL are often Latin 1. */
static std::string clean_text(const std::string &text)
{
    std::string clean = text;
    if (!CPLIsUTF8(text.c_str(), static_cast<int>(text.size()))) {
        char *recoded = CPLRecode(text.c_str(), CPL_ENC_ISO8859_1, CPL_ENC_UTF8);
        clean = recoded;
        CPLFree(recoded);
    }
    for (char &c : clean) {
        bool control = static_cast<unsigned char>(c) < ' ' || c == 0x7f;
        c = control && c != '\t' && c != '\n' && c != '\r' ? ' ' : c;
    }
    return clean;
}

bool put_text(xta_array *array, int axis, const std::string &name, const std::string &text)
{
    Attribute attribute;
    attribute.name = clean_text(name);
    attribute.values = clean_text(text);
    attribute.count = attribute.values.size();
    return put_attribute(array, axis, attribute);
}

bool put_values(xta_array *array, int axis, const std::string &name, xta_type type, size_t count,
                const void *values)
{
    Attribute attribute;
    attribute.name = name;
    attribute.type = type;
    attribute.cell_bytes = xta_type_bytes(type);
    attribute.count = count;
    attribute.values.assign(static_cast<const char *>(values), count * attribute.cell_bytes);
    return put_attribute(array, axis, attribute);
}

bool remove_attribute(xta_array *array, int axis, const std::string &name)
{
    xta_error err = {};
    xta_status status = xta_attribute_remove(array, axis, name.c_str(), &err);
    return status == XTA_ENOENT || !failed(status, err);
}

} // namespace xta_gdal
