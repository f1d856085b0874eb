/* The attributes of a raster, from GDAL: georeference, metadata, no-data, storage.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "gdal/read_attributes.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "gdal/functions.h"
#include "gdal/library.h"
#include "gdal/names.h"
#include "gdal/raster.h"
#include "gdal/spectral_attributes.h"

#define NAME_BYTES 256

static bool add_text(bridge_description *what, const char *name, const char *text)
{
    return text == NULL || xta__description_add_text(what, XTA_ON_ARRAY, name, text) != NULL;
}

/* Add an attribute of text lines, one for each band, unless all are empty. Frees the lines. */
static bool add_lines(const raster_source *source, bridge_description *what, const char *key,
                      char **lines, int n)
{
    char name[NAME_BYTES + 8];
    size_t total = 0;
    bool empty = true;
    bool alone = source->axes.band < 0;
    for (int b = 0; b < n; b++) {
        total += (lines[b] != NULL ? strlen(lines[b]) : 0) + 1;
        empty = empty && (lines[b] == NULL || lines[b][0] == '\0');
    }
    char *text = empty ? NULL : calloc(total + 1, 1);
    char *end = text;
    for (int b = 0; text != NULL && b < n; b++) {
        for (const char *c = lines[b] != NULL ? lines[b] : ""; *c != '\0'; c++) {
            *end++ = *c == '\n' || *c == '\r' ? ' ' : *c;
        }
        *end++ = '\n';
    }
    bool good = empty;
    if (text != NULL) {
        snprintf(name, sizeof name, "%s%s", alone ? GD_BAND : "", key);
        bridge_attribute *a = xta__description_add(what, alone ? XTA_ON_ARRAY : source->axes.band,
                                                   name, XTA_TEXT, (size_t)(end - text), text);
        good = a != NULL;
        if (good && !alone) {
            xta__attribute_spread(a, source->axes.band, 0, n);
        }
    }
    for (int b = 0; b < n; b++) {
        free(lines[b]);
    }
    free(lines);
    free(text);
    return good;
}

/* The lines as numbers, if every line is one; and whether the numbers reproduce the lines
 * exactly. */
static double *numbers_of(char **lines, int n, bool *exact)
{
    char text[GD_NUMBER_BYTES];
    double *numbers = calloc((size_t)n, sizeof *numbers);
    *exact = true;
    for (int b = 0; numbers != NULL && b < n; b++) {
        char *end = lines[b];
        if (lines[b] != NULL) {
            numbers[b] = xta__gdal.CPLStrtod(lines[b], &end);
        }
        if (lines[b] == NULL || end == lines[b] || *end != '\0') {
            free(numbers);
            return NULL;
        }
        *exact = *exact && strcmp(xta__raster_number(numbers[b], text), lines[b]) == 0;
    }
    return numbers;
}

/* Add an item of all bands' metadata: as numbers if all are numbers, which suits wavelengths. */
static bool add_items(const raster_source *source, bridge_description *what, const char *key,
                      char **lines, int n)
{
    char name[NAME_BYTES + 8];
    bool exact = true;
    double *numbers = source->axes.band >= 0 ? numbers_of(lines, n, &exact) : NULL;
    if (numbers == NULL) {
        return add_lines(source, what, key, lines, n);
    }
    bridge_attribute *a =
        xta__description_add(what, source->axes.band, key, XTA_F64, (size_t)n, numbers);
    free(numbers);
    if (a != NULL) {
        xta__attribute_spread(a, source->axes.band, 0, n);
    }
    if (a == NULL || exact) {
        for (int b = 0; b < n; b++) {
            free(lines[b]);
        }
        free(lines);
        return a != NULL;
    }
    snprintf(name, sizeof name, "%s%s", key, GD_TEXT);
    return add_lines(source, what, name, lines, n);
}

typedef char *(*band_text)(GDALRasterBandH band);

static char *description_of(GDALRasterBandH band)
{
    return xta__bridge_copy(xta__gdal.GDALGetDescription(band));
}

static char *unit_of(GDALRasterBandH band)
{
    return xta__bridge_copy(xta__gdal.GDALGetRasterUnitType(band));
}

static char *color_of(GDALRasterBandH band)
{
    GDALColorInterp color = xta__gdal.GDALGetRasterColorInterpretation(band);
    return xta__bridge_copy(
        color == GCI_Undefined ? "" : xta__gdal.GDALGetColorInterpretationName(color));
}

static char *number_text(double value, int has)
{
    char text[GD_NUMBER_BYTES];
    return xta__bridge_copy(has ? xta__raster_number(value, text) : "");
}

static char *scale_of(GDALRasterBandH band)
{
    int has = 0;
    double value = xta__gdal.GDALGetRasterScale(band, &has);
    return number_text(value, has);
}

static char *offset_of(GDALRasterBandH band)
{
    int has = 0;
    double value = xta__gdal.GDALGetRasterOffset(band, &has);
    return number_text(value, has);
}

static char *nodata_of(GDALRasterBandH band)
{
    char text[GD_NUMBER_BYTES];
    int has = 0;
    const char *name = xta__gdal.GDALGetDataTypeName(xta__gdal.GDALGetRasterDataType(band));
    if (strcmp(name, "Int64") == 0) {
        int64_t value = xta__gdal.GDALGetRasterNoDataValueAsInt64(band, &has);
        snprintf(text, sizeof text, "%lld", (long long)value);
        return xta__bridge_copy(has ? text : "");
    }
    if (strcmp(name, "UInt64") == 0) {
        uint64_t value = xta__gdal.GDALGetRasterNoDataValueAsUInt64(band, &has);
        snprintf(text, sizeof text, "%llu", (unsigned long long)value);
        return xta__bridge_copy(has ? text : "");
    }
    double value = xta__gdal.GDALGetRasterNoDataValue(band, &has);
    return number_text(value, has);
}

/* A text for each band. */
static char **each_band(const raster_source *source, band_text get, int n)
{
    char **lines = calloc((size_t)n, sizeof *lines);
    for (int b = 0; lines != NULL && b < n; b++) {
        lines[b] = get(xta__gdal.GDALGetRasterBand(source->dataset, b + 1));
    }
    return lines;
}

static bool describe_bands(const raster_source *source, bridge_description *what)
{
    static const struct {
        const char *name;
        band_text get;
    } parts[] = {
        {GD_DESCRIPTION, description_of},
        {GD_UNIT, unit_of},
        {GD_COLOR, color_of},
        {GD_SCALE, scale_of},
        {GD_OFFSET, offset_of},
    };
    int n = xta__gdal.GDALGetRasterCount(source->dataset);
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        char **lines = each_band(source, parts[k].get, n);
        if (lines == NULL || !add_lines(source, what, parts[k].name, lines, n)) {
            return false;
        }
    }
    return true;
}

/* No-data values: if all bands have the same number, it is set on the array, else each band has a
 * line. It is also the fill value, if the type can hold it. */
static bool describe_nodata(const raster_source *source, bridge_description *what)
{
    int n = xta__gdal.GDALGetRasterCount(source->dataset);
    char **lines = each_band(source, nodata_of, n);
    bool same = lines != NULL && lines[0] != NULL && lines[0][0] != '\0';
    bool good = true;
    for (int b = 1; b < n && same; b++) {
        same = lines[b] != NULL && strcmp(lines[b], lines[0]) == 0;
    }
    if (lines == NULL || !same) {
        return lines != NULL && add_lines(source, what, GD_BAND_NODATA, lines, n);
    }
    double number = xta__gdal.CPLAtof(lines[0]);
    int64_t whole = strtoll(lines[0], NULL, 10);
    uint64_t large = strtoull(lines[0], NULL, 10);
    xta_type type = what->type == XTA_I64 || what->type == XTA_U64 ? what->type : XTA_F64;
    const void *value = type == XTA_I64   ? (void *)&whole
                        : type == XTA_U64 ? (void *)&large
                                          : &number;
    good = xta__description_add(what, XTA_ON_ARRAY, GD_NODATA, type, 1, value) != NULL;
    what->fill = malloc(what->cell_bytes);
    if (what->fill != NULL &&
        xta_type_convert(type, value, what->type, what->fill, 1, NULL) != XTA_OK) {
        free(what->fill);
        what->fill = NULL;
    }
    for (int b = 0; b < n; b++) {
        free(lines[b]);
    }
    free(lines);
    return good;
}

/* Domains that describe the file rather than its contents. */
static bool is_of_the_file(const char *domain)
{
    static const char *const names[] = {"IMAGE_STRUCTURE", "DERIVED_SUBDATASETS", "SUBDATASETS",
                                        NULL};
    for (int k = 0; names[k] != NULL; k++) {
        if (strcmp(names[k], domain) == 0) {
            return true;
        }
    }
    return false;
}

/* Make "gdal/DOMAIN/KEY", or KEY in the default domain. False if it is too long for a name. */
static bool item_name(const char *domain, const char *key, char name[NAME_BYTES])
{
    int n = domain[0] == '\0' ? snprintf(name, NAME_BYTES, "%s", key)
                              : snprintf(name, NAME_BYTES, GD "%s/%s", domain, key);
    return n > 0 && n + 16 < NAME_BYTES;
}

/* Names such as Band_7, which the ENVI driver generates from the bands' names. */
static bool is_made_up(const raster_source *source, const char *domain, const char *key)
{
    const char *driver =
        xta__gdal.GDALGetDriverShortName(xta__gdal.GDALGetDatasetDriver(source->dataset));
    return domain[0] == '\0' && strcmp(driver, "ENVI") == 0 && strncmp(key, "Band_", 5) == 0 &&
           isdigit((unsigned char)key[5]);
}

static bool describe_domain(const raster_source *source, bridge_description *what,
                            const char *domain)
{
    char name[NAME_BYTES];
    char **items = xta__gdal.GDALGetMetadata(source->dataset, domain);
    bool whole = strncmp(domain, "xml:", 4) == 0 || strncmp(domain, "json:", 5) == 0;
    bool good = true;
    for (int k = 0; items != NULL && items[k] != NULL && good; k++) {
        char *key = NULL;
        const char *value = whole ? items[k] : xta__gdal.CPLParseNameValue(items[k], &key);
        if (value != NULL && (whole || (key != NULL && !is_made_up(source, domain, key))) &&
            item_name(domain, whole ? "" : key, name)) {
            good = add_text(what, name, value);
        }
        xta__gdal.CPLFree(key);
    }
    return good;
}

/* Metadata of bands in one domain: every key that any band has, with one line for each band. */
static bool describe_band_domain(const raster_source *source, bridge_description *what,
                                 const char *domain)
{
    char name[NAME_BYTES];
    int n = xta__gdal.GDALGetRasterCount(source->dataset);
    char **seen = NULL;
    bool good = true;
    for (int b = 1; b <= n && good; b++) {
        char **items =
            xta__gdal.GDALGetMetadata(xta__gdal.GDALGetRasterBand(source->dataset, b), domain);
        for (int k = 0; items != NULL && items[k] != NULL && good; k++) {
            char *key = NULL;
            const char *value = xta__gdal.CPLParseNameValue(items[k], &key);
            if (value == NULL || key == NULL || xta__gdal.CSLFindName(seen, key) >= 0 ||
                !item_name(domain, key, name)) {
                xta__gdal.CPLFree(key);
                continue;
            }
            seen = xta__gdal.CSLSetNameValue(seen, key, "");
            char **lines = calloc((size_t)n, sizeof *lines);
            for (int other = 0; lines != NULL && other < n; other++) {
                GDALRasterBandH band = xta__gdal.GDALGetRasterBand(source->dataset, other + 1);
                const char *text = xta__gdal.GDALGetMetadataItem(band, key, domain);
                lines[other] = text != NULL ? xta__bridge_copy(text) : NULL;
            }
            good = lines != NULL && add_items(source, what, name, lines, n);
            xta__gdal.CPLFree(key);
        }
    }
    xta__gdal.CSLDestroy(seen);
    return good;
}

static bool describe_metadata(const raster_source *source, bridge_description *what)
{
    bool good = true;
    char **domains = xta__gdal.GDALGetMetadataDomainList(source->dataset);
    for (int k = 0; domains != NULL && domains[k] != NULL && good; k++) {
        good = is_of_the_file(domains[k]) || describe_domain(source, what, domains[k]);
    }
    xta__gdal.CSLDestroy(domains);
    domains = xta__gdal.GDALGetMetadataDomainList(xta__gdal.GDALGetRasterBand(source->dataset, 1));
    if (good && xta__gdal.CSLFindString(domains, "") < 0) {
        good = describe_band_domain(source, what, "");
    }
    for (int k = 0; domains != NULL && domains[k] != NULL && good; k++) {
        good = is_of_the_file(domains[k]) || describe_band_domain(source, what, domains[k]);
    }
    xta__gdal.CSLDestroy(domains);
    return good;
}

static bool describe_system(bridge_description *what, const char *name, OGRSpatialReferenceH system)
{
    const char *const options[] = {"FORMAT=WKT2_2019", NULL};
    char *text = NULL;
    int n = 0;
    bool good = true;
    if (system == NULL) {
        return true;
    }
    if (xta__gdal.OSRExportToWktEx(system, &text, options) == OGRERR_NONE && text[0] != '\0') {
        good = add_text(what, name, text);
    }
    xta__gdal.CPLFree(text);
    const int *mapping = xta__gdal.OSRGetDataAxisToSRSAxisMapping(system, &n);
    if (good && strcmp(name, GD_PROJECTION) == 0 && mapping != NULL && n > 0) {
        good = xta__description_add(what, XTA_ON_ARRAY, GD_MAPPING, XTA_I32, (size_t)n, mapping) !=
               NULL;
    }
    return good;
}

static bool describe_gcps(const raster_source *source, bridge_description *what)
{
    int n = xta__gdal.GDALGetGCPCount(source->dataset);
    const GDAL_GCP *gcps = xta__gdal.GDALGetGCPs(source->dataset);
    if (n < 1 || gcps == NULL) {
        return true;
    }
    bridge_attribute *a =
        xta__description_add(what, XTA_ON_ARRAY, GD_GCPS, XTA_F64, (size_t)n * 5, NULL);
    for (int k = 0; a != NULL && k < n; k++) {
        double one[5] = {gcps[k].dfGCPPixel, gcps[k].dfGCPLine, gcps[k].dfGCPX, gcps[k].dfGCPY,
                         gcps[k].dfGCPZ};
        memcpy((double *)a->values + 5 * k, one, sizeof one);
    }
    return a != NULL &&
           describe_system(what, GD_GCP_SYSTEM, xta__gdal.GDALGetGCPSpatialRef(source->dataset));
}

static bool describe_colors(const raster_source *source, bridge_description *what)
{
    GDALColorTableH table =
        xta__gdal.GDALGetRasterColorTable(xta__gdal.GDALGetRasterBand(source->dataset, 1));
    if (table == NULL || xta__gdal.GDALGetRasterCount(source->dataset) != 1) {
        return true;
    }
    int n = xta__gdal.GDALGetColorEntryCount(table);
    bridge_attribute *a =
        xta__description_add(what, XTA_ON_ARRAY, GD_COLORS, XTA_I16, (size_t)n * 4, NULL);
    for (int k = 0; a != NULL && k < n; k++) {
        const GDALColorEntry *e = xta__gdal.GDALGetColorEntry(table, k);
        int16_t one[4] = {e->c1, e->c2, e->c3, e->c4};
        memcpy((int16_t *)a->values + 4 * k, one, sizeof one);
    }
    return a != NULL;
}

/* The interleave of the file: "bsq", "bil" or "bip". */
static const char *interleave_of(const raster_source *source)
{
    const char *text =
        xta__gdal.GDALGetMetadataItem(source->dataset, "INTERLEAVE", "IMAGE_STRUCTURE");
    if (text != NULL && strcmp(text, "PIXEL") == 0) {
        return "bip";
    }
    return text != NULL && strcmp(text, "LINE") == 0 ? "bil" : "bsq";
}

static bool describe_storage(const raster_source *source, bridge_description *what)
{
    GDALRasterBandH band = xta__gdal.GDALGetRasterBand(source->dataset, 1);
    const char *interleave = interleave_of(source);
    int columns = 1;
    int rows = 1;
    int n = xta__gdal.GDALGetRasterCount(source->dataset);
    xta__gdal.GDALGetBlockSize(band, &columns, &rows);
    bool tiled = columns < xta__gdal.GDALGetRasterXSize(source->dataset);
    int32_t block[2] = {rows, tiled ? columns : 0};
    bool by_band = strcmp(interleave, "bsq") == 0;
    if (source->axes.band >= 0) {
        what->chunk[0] = by_band ? 1 : n;
        if (!by_band) {
            what->slow[0] = source->axes.y;
            what->slow[1] = source->axes.band;
        }
    }
    what->chunk[source->axes.y] = rows;
    what->chunk[source->axes.x] = columns;
    return add_text(
               what, GD_DRIVER,
               xta__gdal.GDALGetDriverShortName(xta__gdal.GDALGetDatasetDriver(source->dataset))) &&
           (n == 1 || add_text(what, GD_INTERLEAVE, interleave)) &&
           add_text(
               what, GD_COMPRESSION,
               xta__gdal.GDALGetMetadataItem(source->dataset, "COMPRESSION", "IMAGE_STRUCTURE")) &&
           add_text(what, GD_NBITS,
                    xta__gdal.GDALGetMetadataItem(band, "NBITS", "IMAGE_STRUCTURE")) &&
           xta__description_add(what, XTA_ON_ARRAY, GD_BLOCK, XTA_I32, 2, block) != NULL;
}

static bool read_georeference(const raster_source *source, bridge_description *what)
{
    double g[6];
    bool good = true;
    if (xta__gdal.GDALGetGeoTransform(source->dataset, g) == CE_None) {
        good = xta__description_add(what, XTA_ON_ARRAY, BRIDGE_GEOTRANSFORM, XTA_F64, 6, g) != NULL;
    }
    return good &&
           describe_system(what, GD_PROJECTION, xta__gdal.GDALGetSpatialRef(source->dataset)) &&
           describe_gcps(source, what);
}

bool xta__raster_read_attributes(const raster_source *source, bridge_description *what)
{
    return read_georeference(source, what) && describe_nodata(source, what) &&
           describe_bands(source, what) && describe_metadata(source, what) &&
           describe_colors(source, what) && describe_storage(source, what) &&
           xta__raster_read_spectral(source, what);
}
