/* What a band has beside its cells: no-data value, unit, scale, colours, names of classes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "raster/band_facts.h"

#include <cstdlib>

#include "array/attributes.h"
#include "base/names.h"

namespace xta_gdal
{

/* The first of several attributes of the array that is a number, as text; "": none is. */
static std::string first_number(const Array &array, std::initializer_list<const char *> names)
{
    Attribute found;
    for (const char *name : names) {
        if (find_attribute(array.handle, XTA_ON_ARRAY, name, &found) && found.count > 0 &&
            found.type != XTA_TEXT && found.type != XTA_BYTES) {
            return item_text(found, 0);
        }
    }
    return "";
}

static std::unique_ptr<GDALColorTable> read_colors(const Array &array)
{
    Attribute found;
    std::unique_ptr<GDALColorTable> table(new GDALColorTable);
    if (find_attribute(array.handle, XTA_ON_ARRAY, COLOR_TABLE, &found) && found.numbers(XTA_I16)) {
        for (size_t k = 0; k + 4 <= found.count; k += 4) {
            GDALColorEntry entry = {found.at<int16_t>(k), found.at<int16_t>(k + 1),
                                    found.at<int16_t>(k + 2), found.at<int16_t>(k + 3)};
            table->SetColorEntry(static_cast<int>(k / 4), &entry);
        }
        return table;
    }
    if (find_attribute(array.handle, XTA_ON_ARRAY, CLASS_COLOURS, &found) &&
        found.numbers(XTA_U8)) {
        for (size_t k = 0; k + 3 <= found.count; k += 3) {
            GDALColorEntry entry = {found.at<uint8_t>(k), found.at<uint8_t>(k + 1),
                                    found.at<uint8_t>(k + 2), 255};
            table->SetColorEntry(static_cast<int>(k / 3), &entry);
        }
        return table;
    }
    return nullptr;
}

/* What belongs to a raster of one band. */
static void read_classes(const Array &array, BandFacts *facts)
{
    Attribute found;
    facts->table = read_colors(array);
    if (find_attribute(array.handle, XTA_ON_ARRAY, CLASS_NAMES, &found) && found.type == XTA_TEXT) {
        for (const std::string &name : lines_of(found.values)) {
            facts->classes.AddString(name.c_str());
        }
    }
}

BandFacts read_band_facts(const Array &array, const RasterAxes &axes, const BandItems &items,
                          int band)
{
    BandFacts facts;
    facts.nodata = items.get(BAND_NODATA, band);
    if (facts.nodata.empty()) {
        facts.nodata = first_number(array, {NODATA, "_FillValue", "missing_value"});
    }
    facts.unit = items.get(UNIT, band);
    if (facts.unit.empty()) {
        Attribute unit;
        bool there = find_attribute(array.handle, XTA_ON_ARRAY, "units", &unit);
        facts.unit = there && unit.type == XTA_TEXT ? unit.values : "";
    }
    facts.scale = items.get(SCALE, band);
    facts.offset = items.get(OFFSET, band);
    if (facts.scale.empty() && facts.offset.empty()) {
        facts.scale = first_number(array, {"scale_factor"});
        facts.offset = first_number(array, {"add_offset"});
    }
    std::string color = items.get(COLOR, band);
    if (!color.empty()) {
        facts.color = GDALGetColorInterpretationByName(color.c_str());
    }
    if (axes.n_bands == 1) {
        read_classes(array, &facts);
    }
    if (facts.table != nullptr && facts.color == GCI_Undefined) {
        facts.color = GCI_PaletteIndex;
    }
    return facts;
}

/* ---- writing ---- */

/* The no-data value: on the array if it is the same for all bands, else one for each band. */
static bool write_nodata(const Array &array, const RasterAxes &axes,
                         const std::vector<const BandFacts *> &bands)
{
    std::vector<std::string> texts;
    bool same = !bands[0]->nodata.empty();
    for (const BandFacts *facts : bands) {
        same = same && facts->nodata == bands[0]->nodata;
    }
    for (int band : bands_of_items(array, axes)) {
        texts.push_back(bands[static_cast<size_t>(band)]->nodata);
    }
    if (!same) {
        return remove_attribute(array.handle, XTA_ON_ARRAY, NODATA) &&
               write_band_items(array, axes, BAND_NODATA, texts);
    }
    const char *text = bands[0]->nodata.c_str();
    char whole[8];
    double number = strtod(text, nullptr);
    xta_type type = array.info.type;
    bool integer = (type == XTA_I64 || type == XTA_U64) && parse_whole(text, type, whole);
    return write_band_items(array, axes, BAND_NODATA, {}) &&
           put_values(array.handle, XTA_ON_ARRAY, NODATA, integer ? type : XTA_F64, 1,
                      integer ? static_cast<const void *>(whole) : &number);
}

static bool write_classes(const Array &array, const BandFacts &facts)
{
    std::vector<int16_t> colors;
    std::string names;
    for (int k = 0; facts.table != nullptr && k < facts.table->GetColorEntryCount(); k++) {
        const GDALColorEntry *entry = facts.table->GetColorEntry(k);
        colors.insert(colors.end(), {entry->c1, entry->c2, entry->c3, entry->c4});
    }
    for (int k = 0; k < facts.classes.Count(); k++) {
        names += std::string(facts.classes[k]) + "\n";
    }
    bool good = colors.empty() ? remove_attribute(array.handle, XTA_ON_ARRAY, COLOR_TABLE)
                               : put_values(array.handle, XTA_ON_ARRAY, COLOR_TABLE, XTA_I16,
                                            colors.size(), colors.data());
    return good && (names.empty() ? remove_attribute(array.handle, XTA_ON_ARRAY, CLASS_NAMES)
                                  : put_text(array.handle, XTA_ON_ARRAY, CLASS_NAMES, names));
}

bool write_band_facts(const Array &array, const RasterAxes &axes,
                      const std::vector<const BandFacts *> &bands)
{
    std::vector<std::string> unit, scale, offset, color;
    for (int band : bands_of_items(array, axes)) {
        const BandFacts &facts = *bands[static_cast<size_t>(band)];
        unit.push_back(facts.unit);
        scale.push_back(facts.scale);
        offset.push_back(facts.offset);
        color.push_back(facts.color == GCI_Undefined ? ""
                                                     : GDALGetColorInterpretationName(facts.color));
    }
    return write_nodata(array, axes, bands) && write_band_items(array, axes, UNIT, unit) &&
           write_band_items(array, axes, SCALE, scale) &&
           write_band_items(array, axes, OFFSET, offset) &&
           write_band_items(array, axes, COLOR, color) &&
           (axes.n_bands > 1 || write_classes(array, *bands[0]));
}

} // namespace xta_gdal
