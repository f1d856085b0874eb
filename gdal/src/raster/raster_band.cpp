/* A band: the cells of an array with one coordinate on each axis but those of lines and samples.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "raster/raster_band.h"

#include <algorithm>
#include <cstdlib>

#include "array/attributes.h"
#include "base/names.h"

namespace xta_gdal
{

RasterBand::RasterBand(GDALPamDataset *dataset, RasterSource *from, int number,
                       const BandItems &items, const BandPlaces &places)
    : source(from)
{
    bool signed_byte = false;
    const Array &array = *from->array;
    const RasterAxes &axes = from->axes;
    raster_type(array.info.type, &signed_byte);
    poDS = dataset;
    nBand = number;
    eAccess = dataset->GetAccess();
    eDataType = from->seen.gdal;
    nRasterXSize = dataset->GetRasterXSize();
    nRasterYSize = dataset->GetRasterYSize();
    choose_blocks(array, axes);
    facts = read_band_facts(array, axes, items, number - 1);
    for (auto &domain : read_band_metadata(array, items, number - 1)) {
        GDALMajorObject::SetMetadata(domain.second.List(), domain.first.c_str());
    }
    if (signed_byte) {
        GDALMajorObject::SetMetadataItem("PIXELTYPE", "SIGNEDBYTE", "IMAGE_STRUCTURE");
    }
    std::string place = places.text(array, axes, number - 1);
    own = items.get(DESCRIPTION, number - 1);
    first_description = place + (place.empty() || own.empty() ? "" : ", ") + own;
    GDALMajorObject::SetDescription(first_description.c_str());
}

std::string RasterBand::own_description() const
{
    return first_description == GetDescription() ? own : GetDescription();
}

/* Blocks are chunks, unless these are larger than GDAL's cache should hold. */
void RasterBand::choose_blocks(const Array &array, const RasterAxes &axes)
{
    constexpr int64_t MOST_CELLS = 1 << 26;
    int64_t lines = axes.line < 0 ? 1 : array.info.chunk[axes.line];
    int64_t samples = std::min<int64_t>(array.info.chunk[axes.sample], nRasterXSize);
    samples = std::min(samples, MOST_CELLS);
    lines = std::min<int64_t>(lines, nRasterYSize);
    nBlockXSize = static_cast<int>(samples);
    nBlockYSize = static_cast<int>(std::min(lines, std::max<int64_t>(MOST_CELLS / samples, 1)));
}

Metadata RasterBand::metadata()
{
    Metadata all;
    char **domains = GetMetadataDomainList();
    for (int k = 0; domains != nullptr && domains[k] != nullptr; k++) {
        all[domains[k]] = CPLStringList(CSLDuplicate(GetMetadata(domains[k])));
    }
    all[""] = CPLStringList(CSLDuplicate(GetMetadata("")));
    CSLDestroy(domains);
    return all;
}

/* ---- facts ---- */

CPLErr RasterBand::changed()
{
    source->changed = true;
    static_cast<GDALPamDataset *>(poDS)->MarkPamDirty();
    return CE_None;
}

/* A number that is known; what the file .aux.xml says comes first. */
double RasterBand::GetNoDataValue(int *has)
{
    int there = FALSE;
    double value = GDALPamRasterBand::GetNoDataValue(&there);
    if (!there && !facts.nodata.empty()) {
        there = TRUE;
        value = CPLAtof(facts.nodata.c_str());
    }
    if (has != nullptr) {
        *has = there;
    }
    return value;
}

int64_t RasterBand::GetNoDataValueAsInt64(int *has)
{
    int there = FALSE;
    int64_t value = GDALPamRasterBand::GetNoDataValueAsInt64(&there);
    if (!there && !facts.nodata.empty()) {
        there = parse_whole(facts.nodata, XTA_I64, &value);
    }
    if (has != nullptr) {
        *has = there;
    }
    return value;
}

uint64_t RasterBand::GetNoDataValueAsUInt64(int *has)
{
    int there = FALSE;
    uint64_t value = GDALPamRasterBand::GetNoDataValueAsUInt64(&there);
    if (!there && !facts.nodata.empty()) {
        there = parse_whole(facts.nodata, XTA_U64, &value);
    }
    if (has != nullptr) {
        *has = there;
    }
    return value;
}

CPLErr RasterBand::SetNoDataValue(double value)
{
    if (!updates()) {
        return GDALPamRasterBand::SetNoDataValue(value);
    }
    facts.nodata = number_text(value);
    return changed();
}

CPLErr RasterBand::SetNoDataValueAsInt64(int64_t value)
{
    if (!updates()) {
        return GDALPamRasterBand::SetNoDataValueAsInt64(value);
    }
    facts.nodata = std::to_string(value);
    return changed();
}

CPLErr RasterBand::SetNoDataValueAsUInt64(uint64_t value)
{
    if (!updates()) {
        return GDALPamRasterBand::SetNoDataValueAsUInt64(value);
    }
    facts.nodata = std::to_string(value);
    return changed();
}

CPLErr RasterBand::DeleteNoDataValue()
{
    if (!updates()) {
        return GDALPamRasterBand::DeleteNoDataValue();
    }
    facts.nodata.clear();
    return changed();
}

const char *RasterBand::GetUnitType()
{
    const char *unit = GDALPamRasterBand::GetUnitType();
    return unit[0] != '\0' ? unit : facts.unit.c_str();
}

CPLErr RasterBand::SetUnitType(const char *unit)
{
    if (!updates()) {
        return GDALPamRasterBand::SetUnitType(unit);
    }
    facts.unit = unit != nullptr ? unit : "";
    return changed();
}

double RasterBand::GetScale(int *has)
{
    int there = FALSE;
    double value = GDALPamRasterBand::GetScale(&there);
    if (!there && !facts.scale.empty()) {
        there = TRUE;
        value = CPLAtof(facts.scale.c_str());
    }
    if (has != nullptr) {
        *has = there;
    }
    return value;
}

CPLErr RasterBand::SetScale(double value)
{
    if (!updates()) {
        return GDALPamRasterBand::SetScale(value);
    }
    facts.scale = number_text(value);
    return changed();
}

double RasterBand::GetOffset(int *has)
{
    int there = FALSE;
    double value = GDALPamRasterBand::GetOffset(&there);
    if (!there && !facts.offset.empty()) {
        there = TRUE;
        value = CPLAtof(facts.offset.c_str());
    }
    if (has != nullptr) {
        *has = there;
    }
    return value;
}

CPLErr RasterBand::SetOffset(double value)
{
    if (!updates()) {
        return GDALPamRasterBand::SetOffset(value);
    }
    facts.offset = number_text(value);
    return changed();
}

GDALColorInterp RasterBand::GetColorInterpretation()
{
    GDALColorInterp color = GDALPamRasterBand::GetColorInterpretation();
    return color != GCI_Undefined ? color : facts.color;
}

CPLErr RasterBand::SetColorInterpretation(GDALColorInterp color)
{
    if (!updates()) {
        return GDALPamRasterBand::SetColorInterpretation(color);
    }
    facts.color = color;
    return changed();
}

GDALColorTable *RasterBand::GetColorTable()
{
    GDALColorTable *table = GDALPamRasterBand::GetColorTable();
    return table != nullptr ? table : facts.table.get();
}

CPLErr RasterBand::SetColorTable(GDALColorTable *table)
{
    if (!updates()) {
        return GDALPamRasterBand::SetColorTable(table);
    }
    facts.table.reset(table != nullptr ? table->Clone() : nullptr);
    facts.color = table != nullptr ? GCI_PaletteIndex : GCI_Undefined;
    return changed();
}

char **RasterBand::GetCategoryNames()
{
    char **names = GDALPamRasterBand::GetCategoryNames();
    return names != nullptr ? names : facts.classes.List();
}

CPLErr RasterBand::SetCategoryNames(char **names)
{
    if (!updates()) {
        return GDALPamRasterBand::SetCategoryNames(names);
    }
    facts.classes = CPLStringList(CSLDuplicate(names));
    return changed();
}

/* ---- cells ---- */

CPLErr RasterBand::flush_blocks()
{
    return updates() ? FlushCache(false) : CE_None; // of a dataset that is read no block is dirty
}

CPLErr RasterBand::IRasterIO(GDALRWFlag direction, int x, int y, int width, int height, void *data,
                             int columns, int lines, GDALDataType type, GSpacing pixel,
                             GSpacing line, GDALRasterIOExtraArg *extra)
{
    const Window window = {x, y, width, height, columns, lines, pixel, line, type};
    bool whole = columns == width && lines == height;
    if (!is_direct(window, extra) ||
        (!whole && (direction == GF_Write || GetOverviewCount() > 0))) {
        return GDALPamRasterBand::IRasterIO(direction, x, y, width, height, data, columns, lines,
                                            type, pixel, line, extra);
    }
    if (flush_blocks() != CE_None) {
        return CE_Failure;
    }
    const Array &array = *source->array;
    CellAccess access = window_access(array, source->axes, window, nBand - 1);
    bool good = direction == GF_Read ? read_cells(array, access, source->seen, data)
                                     : write_cells(array, access, source->seen, data);
    return good ? CE_None : CE_Failure;
}

/* The part of a block that the raster has. */
Window RasterBand::block_window(int x, int y) const
{
    int left = x * nBlockXSize;
    int top = y * nBlockYSize;
    int width = std::min(nBlockXSize, nRasterXSize - left);
    int height = std::min(nBlockYSize, nRasterYSize - top);
    GSpacing pixel = GDALGetDataTypeSizeBytes(eDataType);
    return {left, top, width, height, width, height, pixel, pixel * nBlockXSize, eDataType};
}

CPLErr RasterBand::move_block(GDALRWFlag direction, int x, int y, void *data)
{
    const Array &array = *source->array;
    CellAccess access = window_access(array, source->axes, block_window(x, y), nBand - 1);
    bool good = direction == GF_Read ? read_cells(array, access, source->seen, data)
                                     : write_cells(array, access, source->seen, data);
    return good ? CE_None : CE_Failure;
}

CPLErr RasterBand::IReadBlock(int x, int y, void *data)
{
    return move_block(GF_Read, x, y, data);
}

CPLErr RasterBand::IWriteBlock(int x, int y, void *data)
{
    return move_block(GF_Write, x, y, data);
}

} // namespace xta_gdal
