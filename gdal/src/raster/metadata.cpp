/* Attributes as items of GDAL's metadata, and back.
 *
 * An attribute NAME is the item NAME of the default domain, gdal/DOMAIN/KEY one of another domain,
 * and gdal/DOMAIN/ a domain that is a single text, such as XML.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "raster/metadata.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <initializer_list>
#include <set>

#include "array/attributes.h"
#include "base/names.h"

namespace xta_gdal
{

constexpr const char *STATISTICS = "STATISTICS_";
constexpr const char *STATISTICS_BOUNDS = "gdal/statistics_bounds";
constexpr size_t MOST_TEXT = 1 << 20; // longer lists of numbers are data, not metadata

static bool begins_with(const std::string &text, const std::string &beginning)
{
    return text.compare(0, beginning.size(), beginning) == 0;
}

/* Attributes of the array that the raster shows in other ways. */
static bool is_reserved(const std::string &name)
{
    for (const char *other :
         {GEOTRANSFORM, PROJECTION, NODATA, "_FillValue", CLASS_NAMES, CLASS_COLOURS}) {
        if (name == other) {
            return true;
        }
    }
    return begins_with(name, OF_BAND) || is_of_another(name);
}

/* Domain and key of an attribute; false: it is no metadata. */
static bool split_name(const std::string &name, std::string *domain, std::string *key)
{
    domain->clear();
    *key = name;
    if (name.find('/') == std::string::npos) {
        return true;
    }
    size_t begin = strlen(OF_GDAL);
    size_t slash = begins_with(name, OF_GDAL) ? name.find('/', begin) : std::string::npos;
    if (slash == std::string::npos || slash == begin) {
        return false;
    }
    *domain = name.substr(begin, slash - begin);
    *key = name.substr(slash + 1);
    return true;
}

static std::string joined_name(const std::string &domain, const std::string &key)
{
    return domain.empty() ? key : OF_GDAL + domain + "/" + key;
}

bool is_of_the_file(const std::string &domain)
{
    for (const char *other :
         {"IMAGE_STRUCTURE", "DERIVED_SUBDATASETS", "SUBDATASETS", "XTA", "COLOR_PROFILE"}) {
        if (domain == other) {
            return true;
        }
    }
    return false;
}

/* A domain that is one text without keys. */
static bool is_whole(const std::string &domain)
{
    return begins_with(domain, "xml:") || begins_with(domain, "json:");
}

static void add_item(Metadata *metadata, const std::string &name, const std::string &text)
{
    std::string domain, key;
    if (!split_name(name, &domain, &key)) {
        return;
    }
    if (key.empty()) {
        (*metadata)[domain].AddString(text.c_str());
    } else {
        (*metadata)[domain].SetNameValue(key.c_str(), text.c_str());
    }
}

/* Statistics are those of the cells of some bounds. An import notes none: its array has not grown
 * since then if creation is its only step. */
static bool statistics_hold(const Array &array)
{
    Attribute found;
    if (!find_attribute(array.handle, XTA_ON_ARRAY, STATISTICS_BOUNDS, &found)) {
        return array.info.n_steps <= 1;
    }
    bool same = found.type == XTA_I64 && found.count == 2 * static_cast<size_t>(array.box.ndim);
    for (int axis = 0; same && axis < array.box.ndim; axis++) {
        size_t k = 2 * static_cast<size_t>(axis);
        same = found.at<int64_t>(k) == array.box.lo[axis] &&
               found.at<int64_t>(k + 1) == array.box.hi[axis];
    }
    return same;
}

static bool write_statistics_bounds(const Array &array, bool there)
{
    std::vector<int64_t> bounds;
    if (!there) {
        return remove_attribute(array.handle, XTA_ON_ARRAY, STATISTICS_BOUNDS);
    }
    for (int axis = 0; axis < array.box.ndim; axis++) {
        bounds.insert(bounds.end(), {array.box.lo[axis], array.box.hi[axis]});
    }
    return put_values(array.handle, XTA_ON_ARRAY, STATISTICS_BOUNDS, XTA_I64, bounds.size(),
                      bounds.data());
}

/* ---- reading ---- */

Metadata read_metadata(const Array &array, const RasterAxes &axes)
{
    Metadata metadata;
    bool hold = statistics_hold(array);
    for (const Attribute &a : attributes_of(array.handle, XTA_ON_ARRAY)) {
        if (!is_reserved(a.name) && a.values.size() <= MOST_TEXT &&
            (hold || !begins_with(a.name, STATISTICS))) {
            add_item(&metadata, a.name, whole_text(a));
        }
    }
    for (int axis = 0; axis < array.box.ndim; axis++) {
        std::string begin = array.axis_name(axis) + "#";
        const char *unit = xta_axis_unit(array.handle, axis);
        if (unit[0] != '\0') {
            metadata[""].SetNameValue((begin + "units").c_str(), unit);
        }
        for (const Attribute &a : attributes_of(array.handle, axis)) {
            Attribute box;
            bool plain = a.name.find('/') == std::string::npos && a.name != "values" &&
                         a.values.size() <= MOST_TEXT &&
                         (axis != axes.band || a.count == 1 || a.type == XTA_TEXT);
            if (plain && !find_attribute(array.handle, axis, a.name + BOX, &box)) {
                metadata[""].SetNameValue((begin + a.name).c_str(), whole_text(a).c_str());
            }
        }
    }
    return metadata;
}

BandPlaces::BandPlaces(const Array &array, const RasterAxes &axes)
{
    Attribute driver;
    bool imported = find_attribute(array.handle, XTA_ON_ARRAY, "gdal/driver", &driver);
    for (int axis : axes.others) {
        Coordinates coordinates = coordinates_of(array, axis);
        bool told = axis != axes.band || (coordinates != nullptr && !imported);
        others.push_back({array.axis_name(axis), coordinates, told});
    }
}

std::string BandPlaces::text(const Array &array, const RasterAxes &axes, int band) const
{
    std::string place;
    xta_box box = band_box(array, axes, band);
    for (size_t k = 0; k < others.size(); k++) {
        if (others[k].told) {
            place += (place.empty() ? "" : ", ") + others[k].name + "=" +
                     coordinate_text(others[k].coordinates.get(), box.lo[axes.others[k]]);
        }
    }
    return place;
}

Metadata read_band_metadata(const Array &array, const BandItems &items, int band)
{
    Metadata metadata;
    bool hold = statistics_hold(array);
    for (const std::string &key : items.keys()) {
        std::string text = items.get(key, band);
        if (!text.empty() && (hold || !begins_with(key, STATISTICS))) {
            add_item(&metadata, key, text);
        }
    }
    return metadata;
}

/* ---- writing ---- */

/* Whether an item shows an attribute of an axis, AXIS#NAME. */
static bool is_of_axis(const Array &array, const std::string &key)
{
    for (int axis = 0; axis < array.box.ndim; axis++) {
        if (begins_with(key, array.axis_name(axis) + "#")) {
            return true;
        }
    }
    return false;
}

/* Names of the attributes and their texts. */
static std::map<std::string, std::string> named_texts(const Array &array, const Metadata &metadata)
{
    std::map<std::string, std::string> texts;
    for (const auto &domain : metadata) {
        if (is_of_the_file(domain.first)) {
            continue;
        }
        for (int k = 0; k < domain.second.Count(); k++) {
            char *key = nullptr;
            const char *value = CPLParseNameValue(domain.second[k], &key);
            if (is_whole(domain.first)) {
                texts[joined_name(domain.first, "")] = domain.second[k];
            } else if (key != nullptr && !is_of_axis(array, key)) {
                texts[joined_name(domain.first, key)] = value;
            }
            CPLFree(key);
        }
    }
    return texts;
}

/* Whether GDAL would see an attribute as metadata. */
static bool is_metadata(const std::string &name)
{
    std::string domain, key;
    return !is_reserved(name) && split_name(name, &domain, &key);
}

bool write_metadata(const Array &array, const RasterAxes &axes, const Metadata &metadata)
{
    std::map<std::string, std::string> texts = named_texts(array, metadata);
    Metadata before = read_metadata(array, axes);
    bool good = true;
    for (const auto &old : named_texts(array, before)) {
        if (texts.count(old.first) == 0) {
            good = good && remove_attribute(array.handle, XTA_ON_ARRAY, old.first);
        } else if (texts[old.first] == old.second) {
            texts.erase(old.first); // as it is, maybe as numbers
        }
    }
    for (const auto &text : texts) {
        if (is_metadata(text.first)) {
            good = put_text(array.handle, XTA_ON_ARRAY, text.first, text.second) && good;
        } else {
            CPLError(CE_Warning, CPLE_NotSupported, "%s: no attribute can hold the item '%s'",
                     xta_array_path(array.handle), text.first.c_str());
        }
    }
    return good;
}

bool write_band_metadata(const Array &array, const RasterAxes &axes,
                         const std::vector<Metadata> &bands)
{
    std::set<std::string> keys;
    std::vector<std::map<std::string, std::string>> texts;
    BandItems before(array, axes);
    bool good = true;
    bool statistics = false;
    for (int band : bands_of_items(array, axes)) {
        texts.push_back(named_texts(array, bands[static_cast<size_t>(band)]));
        for (const auto &text : texts.back()) {
            keys.insert(text.first);
            statistics = statistics || begins_with(text.first, STATISTICS);
        }
    }
    for (const std::string &key : before.keys()) {
        if (is_metadata(key)) {
            keys.insert(key);
        }
    }
    for (const std::string &key : keys) {
        std::vector<std::string> lines;
        bool same = true;
        for (size_t k = 0; k < texts.size(); k++) {
            lines.push_back(texts[k].count(key) > 0 ? texts[k][key] : "");
            same = same && lines[k] == before.get(key, bands_of_items(array, axes)[k]);
        }
        good = good && (same || write_band_items(array, axes, key, lines));
    }
    return good && write_statistics_bounds(array, statistics);
}

} // namespace xta_gdal
