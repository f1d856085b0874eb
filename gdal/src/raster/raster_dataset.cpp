/* An array as a raster: a dataset of GDAL.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "raster/raster_dataset.h"

#include <algorithm>

#include "array/attributes.h"
#include "base/names.h"
#include "raster/band_items.h"
#include "raster/georeference.h"
#include "raster/metadata.h"
#include "raster/raster_band.h"
#include "raster/side_files.h"

namespace xta_gdal
{

/* ---- opening and closing ---- */

RasterDataset::RasterDataset(const ArrayPtr &from)
    : source{from, {}, {}, false}, array(source.array), axes(source.axes)
{
}

void RasterDataset::read_georeference()
{
    has_transform = read_geotransform(*array, axes, transform);
    gcps = read_gcps(*array, axes);
    read_system(*array, GCP_PROJECTION, &gcp_system);
    if (!read_system(*array, PROJECTION, &system) && is_geographic(*array, axes)) {
        system.SetWellKnownGeogCS("WGS84");
        system.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    }
}

void RasterDataset::show_metadata()
{
    for (auto &domain : read_metadata(*array, axes)) {
        GDALMajorObject::SetMetadata(domain.second.List(), domain.first.c_str());
    }
    if (axes.n_bands > 1) {
        int fastest = axes.others.back();
        GDALMajorObject::SetMetadataItem(
            "INTERLEAVE", array->info.chunk[fastest] > 1 ? "PIXEL" : "BAND", "IMAGE_STRUCTURE");
    }
}

/* Statistics and overviews, if they are of the array as it is. */
void RasterDataset::open_side_files()
{
    std::string journal = journal_path(*array);
    std::string aux = journal + ".aux.xml";
    std::string state = read_mark(aux, STATE);
    std::string overviews = read_mark(aux, OVERVIEWS);
    Attribute found;
    SetPhysicalFilename(journal.c_str());
    if (state.empty() || state == state_mark(*array)) {
        TryLoadXML();
    } else if (!overviews.empty()) {
        GDALPamDataset::SetMetadataItem(OVERVIEWS, overviews.c_str(), MARK_DOMAIN);
        nPamFlags &= ~GPF_DIRTY; // nothing to save yet
    }
    if (find_attribute(array->handle, XTA_ON_ARRAY, OVERVIEW_BOUNDS, &found)) {
        overviews = found.values;
    }
    if (overviews == bounds_mark(*array)) {
        oOvManager.Initialize(this, journal.c_str());
    }
}

bool RasterDataset::initialize(const char *text)
{
    bool signed_byte = false;
    if (!choose_axes(*array, &axes)) {
        return false;
    }
    source.seen = raster_type(array->info.type, &signed_byte);
    if (source.seen.gdal == GDT_Unknown) {
        CPLError(CE_Failure, CPLE_NotSupported,
                 "%s: rasters of GDAL have no cells of type %s; its multidimensional API has",
                 xta_array_path(array->handle), xta_type_name(array->info.type));
        return false;
    }
    SetDescription(text);
    nRasterXSize = static_cast<int>(array->length(axes.sample));
    nRasterYSize = axes.line < 0 ? 1 : static_cast<int>(array->length(axes.line));
    read_georeference();
    show_metadata();
    BandItems items(*array, axes);
    BandPlaces places(*array, axes);
    for (int band = 1; band <= axes.n_bands; band++) {
        SetBand(band, new RasterBand(this, &source, band, items, places));
    }
    open_side_files();
    return true;
}

RasterDataset *RasterDataset::make(const ArrayPtr &array, const char *text, bool update)
{
    std::unique_ptr<RasterDataset> dataset(new RasterDataset(array));
    dataset->eAccess = update ? GA_Update : GA_ReadOnly;
    return dataset->initialize(text) ? dataset.release() : nullptr;
}

RasterDataset::~RasterDataset()
{
    FlushCache(true);
    free_gcps();
    array->close();
}

/* ---- saving ---- */

/* What was changed becomes attributes. */
bool RasterDataset::save()
{
    std::vector<const BandFacts *> facts;
    std::vector<Metadata> of_bands;
    std::vector<std::string> descriptions;
    Metadata own;
    for (int b = 1; b <= nBands; b++) {
        RasterBand *band = static_cast<RasterBand *>(papoBands[b - 1]);
        facts.push_back(&band->facts);
        of_bands.push_back(band->metadata());
    }
    for (int band : bands_of_items(*array, axes)) {
        descriptions.push_back(static_cast<RasterBand *>(papoBands[band])->own_description());
    }
    char **domains = GDALPamDataset::GetMetadataDomainList();
    for (int k = 0; domains != nullptr && domains[k] != nullptr; k++) {
        own[domains[k]] = CPLStringList(CSLDuplicate(GetMetadata(domains[k])));
    }
    CSLDestroy(domains);
    own[""] = CPLStringList(CSLDuplicate(GetMetadata("")));
    return write_metadata(*array, axes, own) && write_band_metadata(*array, axes, of_bands) &&
           write_band_items(*array, axes, DESCRIPTION, descriptions) &&
           (!source.changed || write_band_facts(*array, axes, facts));
}

CPLErr RasterDataset::TrySaveXML()
{
    if (eAccess == GA_ReadOnly) {
        // Through this class, or GDAL leaves the items of the dataset out of the file.
        GDALPamDataset::SetMetadataItem(STATE, state_mark(*array).c_str(), MARK_DOMAIN);
        return GDALPamDataset::TrySaveXML();
    }
    bool saved = save();
    source.changed = false;
    nPamFlags &= ~GPF_DIRTY;
    return saved ? CE_None : CE_Failure;
}

void RasterDataset::FlushCache(bool closing)
{
    GDALPamDataset::FlushCache(closing); // calls TrySaveXML if there are changes
    if (eAccess == GA_Update) {
        array->sync();
    }
}

char **RasterDataset::GetFileList()
{
    CPLStringList list(GDALPamDataset::GetFileList());
    int at = 0; // both files come first
    for (const std::string &path : {journal_path(*array), data_path(*array)}) {
        VSIStatBufL facts;
        int there = list.FindString(path.c_str());
        if (there >= 0) {
            list.Assign(CSLRemoveStrings(list.StealList(), there, 1, nullptr));
        }
        if (VSIStatL(path.c_str(), &facts) == 0) {
            list.InsertStringDirectly(at++, CPLStrdup(path.c_str()));
        }
    }
    return list.StealList();
}

char **RasterDataset::GetMetadataDomainList()
{
    CPLStringList list(GDALPamDataset::GetMetadataDomainList());
    int at = list.FindString(MARK_DOMAIN);
    return at < 0 ? list.StealList() : CSLRemoveStrings(list.StealList(), at, 1, nullptr);
}

/* ---- georeference ---- */

CPLErr RasterDataset::GetGeoTransform(double *out)
{
    if (GDALPamDataset::GetGeoTransform(out) == CE_None) {
        return CE_None;
    }
    std::copy_n(transform, 6, out);
    return has_transform ? CE_None : CE_Failure;
}

CPLErr RasterDataset::SetGeoTransform(double *given)
{
    if (eAccess == GA_ReadOnly) {
        return GDALPamDataset::SetGeoTransform(given);
    }
    std::copy_n(given, 6, transform);
    has_transform = true;
    return write_geotransform(*array, axes, given) ? CE_None : CE_Failure;
}

const OGRSpatialReference *RasterDataset::GetSpatialRef() const
{
    const OGRSpatialReference *other = GDALPamDataset::GetSpatialRef();
    if (other != nullptr) {
        return other;
    }
    return system.IsEmpty() || (!gcps.empty() && !has_transform) ? nullptr : &system;
}

CPLErr RasterDataset::SetSpatialRef(const OGRSpatialReference *given)
{
    if (eAccess == GA_ReadOnly) {
        return GDALPamDataset::SetSpatialRef(given);
    }
    system.Clear();
    if (given != nullptr) {
        system = *given;
    }
    return write_system(*array, PROJECTION, given) ? CE_None : CE_Failure;
}

int RasterDataset::GetGCPCount()
{
    int n = GDALPamDataset::GetGCPCount();
    return n > 0 ? n : static_cast<int>(gcps.size());
}

const OGRSpatialReference *RasterDataset::GetGCPSpatialRef() const
{
    const OGRSpatialReference *other = GDALPamDataset::GetGCPSpatialRef();
    return other != nullptr ? other : gcp_system.IsEmpty() ? nullptr : &gcp_system;
}

const GDAL_GCP *RasterDataset::GetGCPs()
{
    return GDALPamDataset::GetGCPCount() > 0 ? GDALPamDataset::GetGCPs() : gcps.data();
}

CPLErr RasterDataset::SetGCPs(int n, const GDAL_GCP *list, const OGRSpatialReference *given)
{
    if (eAccess == GA_ReadOnly) {
        return GDALPamDataset::SetGCPs(n, list, given);
    }
    std::vector<GDAL_GCP> wanted(list, list + n);
    bool good = write_gcps(*array, axes, wanted) && write_system(*array, GCP_PROJECTION, given);
    free_gcps();
    gcps = read_gcps(*array, axes);
    gcp_system.Clear();
    if (given != nullptr) {
        gcp_system = *given;
    }
    return good ? CE_None : CE_Failure;
}

void RasterDataset::free_gcps()
{
    GDALDeinitGCPs(static_cast<int>(gcps.size()), gcps.data());
    gcps.clear();
}

/* ---- cells of several bands ---- */

/* How many of the bands from `list[from]` on follow each other along the last of the other axes. */
static int run_length(const int *list, int n, int from, int64_t length)
{
    int run = 1;
    while (from + run < n && list[from + run] == list[from] + run &&
           (list[from] - 1) % length + run < length) {
        run++;
    }
    return run;
}

CPLErr RasterDataset::IRasterIO(GDALRWFlag direction, int x, int y, int width, int height,
                                void *data, int columns, int lines, GDALDataType type, int n,
                                int *list, GSpacing pixel, GSpacing line, GSpacing band,
                                GDALRasterIOExtraArg *extra)
{
    const Window window = {x, y, width, height, columns, lines, pixel, line, type};
    bool whole = columns == width && lines == height;
    bool reduced = !whole && (direction == GF_Write || GetRasterBand(1)->GetOverviewCount() > 0);
    if (!is_direct(window, extra) || reduced || axes.others.empty()) {
        return GDALPamDataset::IRasterIO(direction, x, y, width, height, data, columns, lines, type,
                                         n, list, pixel, line, band, extra);
    }
    int axis = axes.others.back();
    bool good = true;
    for (int k = 0; good && k < n && eAccess == GA_Update; k++) {
        good = static_cast<RasterBand *>(GetRasterBand(list[k]))->flush_blocks() == CE_None;
    }
    for (int k = 0; good && k < n;) {
        int run = run_length(list, n, k, array->length(axis));
        CellAccess access = window_access(*array, axes, window, list[k] - 1);
        char *first = static_cast<char *>(data) + k * band;
        access.box.hi[axis] = access.box.lo[axis] + run;
        access.strides[axis] = band;
        good = direction == GF_Read ? read_cells(*array, access, source.seen, first)
                                    : write_cells(*array, access, source.seen, first);
        k += run;
    }
    return good ? CE_None : CE_Failure;
}

/* ---- overviews ---- */

CPLErr RasterDataset::IBuildOverviews(const char *method, int n, const int *factors, int n_bands,
                                      const int *bands, GDALProgressFunc progress, void *user,
                                      CSLConstList options)
{
    std::string journal = journal_path(*array);
    std::string mark = bounds_mark(*array);
    if (!oOvManager.IsInitialized()) {
        VSIUnlink((journal + ".ovr").c_str()); // it is of other bounds
        oOvManager.Initialize(this, journal.c_str());
    }
    CPLErr built = oOvManager.BuildOverviews(journal.c_str(), method, n, factors, n_bands, bands,
                                             progress, user, options);
    if (built != CE_None) {
        return built;
    }
    if (eAccess == GA_Update) {
        return put_text(array->handle, XTA_ON_ARRAY, OVERVIEW_BOUNDS, mark) ? CE_None : CE_Failure;
    }
    return GDALPamDataset::SetMetadataItem(OVERVIEWS, mark.c_str(), MARK_DOMAIN);
}

} // namespace xta_gdal
