/* New arrays for rasters.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "raster/create.h"

#include <algorithm>
#include <cpl_string.h>
#include <cstdlib>

#include "array/attributes.h"
#include "base/error.h"
#include "base/name.h"
#include "base/types.h"
#include "raster/metadata.h"
#include "raster/raster_dataset.h"

namespace xta_gdal
{

#define COMMON_OPTIONS                                                                          \
    "<Option name='CHUNK' type='string' description='cells of a chunk: 512,512, or with bands " \
    "4,512,512'/>"                                                                              \
    "<Option name='ORDER' type='string-select' default='ROW' description='of the cells in a "   \
    "chunk'><Value>ROW</Value><Value>COLUMN</Value><Value>MORTON</Value><Value>HILBERT</Value>" \
    "</Option>"                                                                                 \
    "<Option name='FILL' type='float' description='value of cells that were never written'/>"

const char *const RASTER_CREATION_OPTIONS =
    "<CreationOptionList>" COMMON_OPTIONS
    "<Option name='PIXELTYPE' type='string' description='SIGNEDBYTE: bytes have a sign'/>"
    "</CreationOptionList>";

const char *const ARRAY_CREATION_OPTIONS =
    "<MultiDimArrayCreationOptionList>" COMMON_OPTIONS "</MultiDimArrayCreationOptionList>";

/* ---- options ---- */

bool CreationOptions::parse_chunk(const char *path, const char *text, int ndim)
{
    CPLStringList words(CSLTokenizeString2(text, ",", 0));
    for (int k = 0; k < words.Count(); k++) {
        char *end = nullptr;
        long long n = strtoll(words[k], &end, 10);
        if (end == words[k] || *end != '\0' || n < 1) {
            CPLError(CE_Failure, CPLE_IllegalArg, "%s: CHUNK=%s: '%s' is no number of cells", path,
                     text, words[k]);
            return false;
        }
        chunk.push_back(n);
    }
    // The chunk of a raster may be that of its lines and samples.
    while (static_cast<int>(chunk.size()) < ndim && chunk.size() >= 2) {
        chunk.insert(chunk.begin(), 1);
    }
    if (static_cast<int>(chunk.size()) != ndim) {
        CPLError(CE_Failure, CPLE_IllegalArg, "%s: CHUNK=%s has %d numbers for %d axes", path, text,
                 words.Count(), ndim);
        return false;
    }
    return true;
}

bool CreationOptions::parse_order(const char *path, const char *text)
{
    static const char *const names[] = {"ROW", "COLUMN", "MORTON", "HILBERT"};
    for (int k = 0; k < 4; k++) {
        if (EQUAL(names[k], text)) {
            options.order = static_cast<xta_order>(k);
            return true;
        }
    }
    CPLError(CE_Failure, CPLE_IllegalArg,
             "%s: ORDER=%s: cells of a chunk lie in order ROW, COLUMN, MORTON or HILBERT", path,
             text);
    return false;
}

bool CreationOptions::parse_fill(const char *path, const char *text, xta_type type)
{
    char *end = nullptr;
    double number = strtod(text, &end);
    bool is_number = end != text && *end == '\0';
    bool good =
        type == XTA_I64 || type == XTA_U64
            ? parse_whole(text, type, fill)
            : is_number && xta_type_convert(XTA_F64, &number, type, fill, 1, nullptr) == XTA_OK;
    if (!good) {
        CPLError(CE_Failure, CPLE_IllegalArg, "%s: FILL=%s is no cell of type %s", path, text,
                 xta_type_name(type));
        return false;
    }
    options.fill = fill;
    return true;
}

bool CreationOptions::parse(const char *path, CSLConstList list, xta_type type, int ndim)
{
    const char *text = CSLFetchNameValue(list, "CHUNK");
    const char *order = CSLFetchNameValue(list, "ORDER");
    const char *value = CSLFetchNameValue(list, "FILL");
    if ((text != nullptr && !parse_chunk(path, text, ndim)) ||
        (order != nullptr && !parse_order(path, order)) ||
        (value != nullptr && !parse_fill(path, value, type))) {
        return false;
    }
    options.chunk = chunk.empty() ? nullptr : chunk.data();
    return true;
}

/* ---- creating ---- */

static bool check_shape(const char *name, int columns, int lines, int n_bands, xta_type type,
                        GDALDataType asked)
{
    if (columns < 1 || lines < 1 || n_bands < 1) {
        CPLError(CE_Failure, CPLE_NotSupported,
                 "%s: a raster of %d bands, %d lines, %d samples is none; an array of no cells is "
                 "made by xta create",
                 name, n_bands, lines, columns);
        return false;
    }
    if (type == XTA_TYPE_SAME) {
        CPLError(CE_Failure, CPLE_NotSupported, "%s: XTA has no cells of type %s", name,
                 GDALGetDataTypeName(asked));
        return false;
    }
    return true;
}

static xta_array *create_array(const std::string &path, int columns, int lines, int n_bands,
                               xta_type type, CSLConstList list)
{
    xta_error err = {};
    xta_array *array = nullptr;
    CreationOptions creation;
    static const char *const names[] = {"band", "y", "x"};
    const int64_t bounds[] = {n_bands, lines, columns};
    int first = n_bands > 1 ? 0 : 1;
    if (!creation.parse(path.c_str(), list, type, 3 - first)) {
        return nullptr;
    }
    creation.options.names = names + first;
    xta_status status = xta_array_create(path.c_str(), type, 3 - first, bounds + first,
                                         &creation.options, &array, &err);
    return failed(status, err) ? nullptr : array;
}

GDALDataset *create_raster(const char *text, int columns, int lines, int n_bands, GDALDataType type,
                           char **options)
{
    Name name;
    const char *kind = CSLFetchNameValueDef(options, "PIXELTYPE", "");
    xta_type cells = array_type(type, EQUAL(kind, "SIGNEDBYTE"));
    if (!parse_name(text, &name) || !check_shape(text, columns, lines, n_bands, cells, type)) {
        return nullptr;
    }
    if (!name.members.empty()) {
        CPLError(CE_Failure, CPLE_NotSupported,
                 "%s: a member of a data set is made by the multidimensional API", text);
        return nullptr;
    }
    xta_array *handle = create_array(name.path, columns, lines, n_bands, cells, options);
    ArrayPtr array = handle != nullptr ? Array::take(handle) : nullptr;
    return array != nullptr ? RasterDataset::make(array, text, true) : nullptr;
}

/* The no-data value of all bands as text; "": they have none, or several. */
static std::string common_nodata(GDALDataset *from)
{
    std::string common;
    for (int b = 1; b <= from->GetRasterCount(); b++) {
        GDALRasterBand *band = from->GetRasterBand(b);
        int has = FALSE;
        std::string text;
        if (band->GetRasterDataType() == GDT_Int64) {
            text = std::to_string(band->GetNoDataValueAsInt64(&has));
        } else if (band->GetRasterDataType() == GDT_UInt64) {
            text = std::to_string(band->GetNoDataValueAsUInt64(&has));
        } else {
            text = number_text(band->GetNoDataValue(&has));
        }
        if (!has || (b > 1 && text != common)) {
            return "";
        }
        common = text;
    }
    return common;
}

/* Whether a number is a cell of a type. */
static bool fits(const std::string &text, xta_type type)
{
    char cell[16];
    double number = strtod(text.c_str(), nullptr);
    return type == XTA_I64 || type == XTA_U64 ||
           xta_type_convert(XTA_F64, &number, type, cell, 1, nullptr) == XTA_OK;
}

/* What GDAL leaves out when it copies: units of bands, and domains of metadata. */
static void copy_the_rest(GDALDataset *from, GDALDataset *to)
{
    CPLStringList domains(from->GetMetadataDomainList());
    for (int k = 0; k < domains.Count(); k++) {
        if (domains[k][0] != '\0' && !is_of_the_file(domains[k])) {
            to->SetMetadata(from->GetMetadata(domains[k]), domains[k]);
        }
    }
    for (int b = 1; b <= from->GetRasterCount(); b++) {
        const char *unit = from->GetRasterBand(b)->GetUnitType();
        if (unit != nullptr && unit[0] != '\0') {
            to->GetRasterBand(b)->SetUnitType(unit);
        }
    }
}

GDALDataset *copy_raster(const char *name, GDALDataset *from, int strict, char **options,
                         GDALProgressFunc progress, void *user)
{
    CPLStringList list(CSLDuplicate(options));
    GDALDriver *driver = GetGDALDriverManager()->GetDriverByName("XTA");
    for (int b = 2; b <= from->GetRasterCount(); b++) {
        GDALDataType type = from->GetRasterBand(b)->GetRasterDataType();
        if (type != from->GetRasterBand(1)->GetRasterDataType()) {
            CPLError(CE_Failure, CPLE_NotSupported,
                     "%s: band %d has cells of type %s, band 1 of %s; an array has one type: "
                     "convert them (-ot)",
                     name, b, GDALGetDataTypeName(type),
                     GDALGetDataTypeName(from->GetRasterBand(1)->GetRasterDataType()));
            return nullptr;
        }
    }
    if (from->GetRasterCount() > 0) {
        GDALRasterBand *band = from->GetRasterBand(1);
        const char *kind = band->GetMetadataItem("PIXELTYPE", "IMAGE_STRUCTURE");
        bool signed_byte = kind != nullptr && EQUAL(kind, "SIGNEDBYTE");
        if (signed_byte && list.FetchNameValue("PIXELTYPE") == nullptr) {
            list.SetNameValue("PIXELTYPE", "SIGNEDBYTE");
        }
        std::string nodata = common_nodata(from);
        xta_type type = array_type(band->GetRasterDataType(), signed_byte);
        if (!nodata.empty() && list.FetchNameValue("FILL") == nullptr && fits(nodata, type)) {
            list.SetNameValue("FILL", nodata.c_str());
        }
    }
    // GDAL copies cells, georeference and metadata through the functions of the new dataset.
    GDALDataset *copy = driver->DefaultCreateCopy(name, from, strict, list.List(), progress, user);
    if (copy != nullptr) {
        copy_the_rest(from, copy);
    }
    return copy;
}

} // namespace xta_gdal
