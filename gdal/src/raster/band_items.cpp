/* Items of bands: attributes with one item for each cell of the axis of bands.
 *
 * NAME has the items, NAME//box the cells that they cover (lo, hi). While an attribute is extended
 * there are two boxes, the old and the new one; the last one that has as many cells as there are
 * items is in force. An array without an axis of bands has them as `band/NAME`.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "raster/band_items.h"

#include <cstdlib>

#include "array/attributes.h"
#include "base/names.h"

namespace xta_gdal
{

static bool begins_with(const std::string &text, const std::string &beginning)
{
    return text.compare(0, beginning.size(), beginning) == 0;
}

bool is_of_another(const std::string &key)
{
    return key.find("//") != std::string::npos || key == "values";
}

/* Bands from one cell of the axis of bands to the next. */
static int64_t repeat_of(const Array &array, const RasterAxes &axes)
{
    int64_t repeat = 1;
    for (size_t k = axes.others.size(); k-- > 0 && axes.others[k] != axes.band;) {
        repeat *= array.length(axes.others[k]);
    }
    return repeat;
}

/* The cell of the first of `n` items of an attribute. */
static int64_t first_cell(const Array &array, int axis, const std::string &name, size_t n)
{
    Attribute box;
    int64_t lo = array.box.lo[axis];
    if (find_attribute(array.handle, axis, name + BOX, &box) && box.type == XTA_I64) {
        for (size_t k = 0; k + 2 <= box.count; k += 2) {
            bool in_force = box.at<int64_t>(k + 1) - box.at<int64_t>(k) == static_cast<int64_t>(n);
            lo = in_force ? box.at<int64_t>(k) : lo;
        }
    }
    return lo;
}

static std::vector<std::string> texts_of(const Attribute &attribute)
{
    std::vector<std::string> texts;
    if (attribute.type == XTA_TEXT) {
        return lines_of(attribute.values);
    }
    for (size_t k = 0; k < attribute.count; k++) {
        texts.push_back(item_text(attribute, k));
    }
    return texts;
}

BandItems::BandItems(const Array &array, const RasterAxes &axes)
{
    int axis = axes.band;
    first = axis >= 0 ? array.box.lo[axis] : 0;
    length = axis >= 0 ? array.length(axis) : 1;
    repeat = repeat_of(array, axes);
    if (axis < 0 && axes.n_bands > 1) {
        return;
    }
    for (const Attribute &a : attributes_of(array.handle, axis >= 0 ? axis : XTA_ON_ARRAY)) {
        std::string key = a.name;
        size_t text_at = key.size() > 6 ? key.size() - 6 : 0;
        bool original = key.compare(text_at, 6, ORIGINAL_TEXT) == 0;
        std::string plain = original ? key.substr(0, text_at) : key;
        if (axis < 0 && !begins_with(plain, OF_BAND)) { // "band//text", too, which has no name
            continue;
        }
        plain = axis < 0 ? plain.substr(strlen(OF_BAND)) : plain;
        if (is_of_another(plain) || (!original && items.count(plain) > 0)) {
            continue;
        }
        std::vector<std::string> texts = texts_of(a);
        Attribute box;
        bool spread = axis < 0 || find_attribute(array.handle, axis, a.name + BOX, &box) ||
                      static_cast<int64_t>(texts.size()) == length;
        if (spread) {
            int64_t lo = axis >= 0 ? first_cell(array, axis, a.name, texts.size()) : 0;
            items[plain] = {lo, texts};
        }
    }
}

std::string BandItems::get(const std::string &key, int band) const
{
    auto found = items.find(key);
    if (found == items.end()) {
        return "";
    }
    int64_t at = first + band / repeat % length - found->second.lo;
    const std::vector<std::string> &texts = found->second.texts;
    return at >= 0 && at < static_cast<int64_t>(texts.size()) ? texts[static_cast<size_t>(at)] : "";
}

std::vector<std::string> BandItems::keys() const
{
    std::vector<std::string> all;
    for (const auto &entry : items) {
        all.push_back(entry.first);
    }
    return all;
}

/* ---- writing ---- */

std::vector<int> bands_of_items(const Array &array, const RasterAxes &axes)
{
    std::vector<int> bands;
    int64_t n = axes.band >= 0 ? array.length(axes.band) : axes.n_bands == 1 ? 1 : 0;
    int64_t repeat = repeat_of(array, axes);
    for (int64_t k = 0; k < n; k++) {
        bands.push_back(static_cast<int>(k * repeat));
    }
    return bands;
}

/* One line for each text; ends of lines within one become blanks. */
static std::string joined(const std::vector<std::string> &texts)
{
    std::string lines;
    for (const std::string &text : texts) {
        for (char c : text) {
            lines += c == '\n' || c == '\r' ? ' ' : c;
        }
        lines += '\n';
    }
    return lines;
}

/* Texts as numbers, if each is a number, and the numbers give the same texts again. */
static bool as_numbers(const std::vector<std::string> &texts, std::vector<double> *numbers)
{
    for (const std::string &text : texts) {
        char *end = nullptr;
        double number = strtod(text.c_str(), &end);
        if (text.empty() || *end != '\0' || number_text(number) != text) {
            return false;
        }
        numbers->push_back(number);
    }
    return true;
}

bool write_band_items(const Array &array, const RasterAxes &axes, const std::string &key,
                      const std::vector<std::string> &texts)
{
    bool alone = axes.band < 0;
    int axis = alone ? XTA_ON_ARRAY : axes.band;
    std::string name = alone ? OF_BAND + key : key;
    bool empty = true;
    for (const std::string &text : texts) {
        empty = empty && text.empty();
    }
    bool good = remove_attribute(array.handle, axis, name + ORIGINAL_TEXT);
    if (empty) {
        return good && remove_attribute(array.handle, axis, name + BOX) &&
               remove_attribute(array.handle, axis, name);
    }
    if (good && !alone) {
        const int64_t box[2] = {array.box.lo[axis], array.box.hi[axis]};
        good = put_values(array.handle, axis, name + BOX, XTA_I64, 2, box);
    }
    std::vector<double> numbers;
    bool own = key.compare(0, strlen(OF_GDAL), OF_GDAL) == 0; // always lines
    if (good && !alone && !own && as_numbers(texts, &numbers)) {
        return put_values(array.handle, axis, name, XTA_F64, numbers.size(), numbers.data());
    }
    return good && put_text(array.handle, axis, name, joined(texts));
}

} // namespace xta_gdal
