/* Writing the attributes of a new raster: georeference, metadata, no-data value, colours.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "gdal/write_attributes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "gdal/band_items.h"
#include "gdal/envi_header.h"
#include "gdal/functions.h"
#include "gdal/georeference.h"
#include "gdal/library.h"
#include "gdal/names.h"
#include "gdal/nitf_place.h"
#include "gdal/raster.h"
#include "gdal/spectral_attributes.h"

static void put_gcps(const raster_target *target, const bridge_attribute *a)
{
    const bridge_description *what = target->what;
    int n = (int)(a->count / 5);
    GDAL_GCP *gcps = calloc((size_t)n + 1, sizeof *gcps);
    OGRSpatialReferenceH system = xta__raster_system(target, GD_GCP_SYSTEM);
    if (gcps != NULL) {
        xta__gdal.GDALInitGCPs(n, gcps);
        for (int k = 0; k < n; k++) {
            const double *one = (const double *)a->values + 5 * k;
            gcps[k].dfGCPPixel = one[0] - (double)what->lo[target->axes.x];
            gcps[k].dfGCPLine = one[1] - (double)what->lo[target->axes.y];
            gcps[k].dfGCPX = one[2];
            gcps[k].dfGCPY = one[3];
            gcps[k].dfGCPZ = one[4];
        }
        xta__gdal.GDALSetGCPs2(target->dataset, n, gcps, system);
        xta__gdal.GDALDeinitGCPs(n, gcps);
    }
    free(gcps);
    xta__gdal.OSRDestroySpatialReference(system);
}

static void put_georeference(const raster_target *target)
{
    double transform[6];
    const bridge_attribute *gcps = xta__description_find(target->what, XTA_ON_ARRAY, GD_GCPS);
    OGRSpatialReferenceH system = xta__raster_system(target, GD_PROJECTION);
    if (system != NULL) {
        xta__gdal.GDALSetSpatialRef(target->dataset, system);
        xta__gdal.OSRDestroySpatialReference(system);
    }
    if (xta__raster_geotransform(target, transform)) {
        xta__gdal.GDALSetGeoTransform(target->dataset, transform);
    }
    if (gcps != NULL && gcps->type == XTA_F64 && gcps->count >= 5) {
        put_gcps(target, gcps);
    }
}

/* Names of array attributes that are not metadata of GDAL's default domain. */
static bool is_reserved(const char *name)
{
    static const char *const names[] = {
        BRIDGE_GEOTRANSFORM, GD_PROJECTION,    GD_NODATA, "_FillValue",
        GD_CLASS_NAMES,      GD_CLASS_COLOURS, NULL};
    for (int k = 0; names[k] != NULL; k++) {
        if (strcmp(names[k], name) == 0) {
            return true;
        }
    }
    return false;
}

/* An attribute from another format as text: numbers separated by commas. */
static char *as_text(const bridge_attribute *a)
{
    if (a->type == XTA_TEXT) {
        return xta__bridge_copy(a->values);
    }
    char *text = calloc(a->count + 1, GD_NUMBER_BYTES + 1);
    char *end = text;
    char number[GD_NUMBER_BYTES];
    for (size_t k = 0; text != NULL && k < a->count; k++) {
        const char *one = xta__raster_number(xta__attribute_number(a, k, 0), number);
        end += sprintf(end, k == 0 ? "%s" : ",%s", one);
    }
    return text;
}

/* Split one of XTA's names into domain and key; false if it is not metadata. */
static bool split_name(const char *name, char domain[RASTER_TEXT_BYTES], const char **key)
{
    domain[0] = '\0';
    *key = name;
    if (strchr(name, '/') == NULL) {
        return true;
    }
    const char *slash = strncmp(name, GD, strlen(GD)) == 0 ? strchr(name + strlen(GD), '/') : NULL;
    if (slash == NULL || slash - name >= RASTER_TEXT_BYTES || slash[1] == '/') {
        return false;
    }
    snprintf(domain, RASTER_TEXT_BYTES, "%.*s", (int)(slash - name - (ptrdiff_t)strlen(GD)),
             name + strlen(GD));
    *key = slash + 1;
    return true;
}

/* Items that GDAL generates from the header of an ENVI file. */
static bool is_of_header(const raster_target *target, const char *key)
{
    static const char *const keys[] = {"wavelength", GD_UNITS, "fwhm", "bbl", GD_REFLECTANCE};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        if (strcmp(key, keys[k]) == 0) {
            return xta__raster_driver_is(target, "ENVI");
        }
    }
    return false;
}

static void put_metadata(const raster_target *target)
{
    const bridge_description *what = target->what;
    char domain[RASTER_TEXT_BYTES];
    for (size_t k = 0; k < what->n_attributes; k++) {
        const bridge_attribute *a = &what->attributes[k];
        const char *key;
        if (a->axis != XTA_ON_ARRAY || a->ndim > 0 || is_reserved(a->name) ||
            a->count > 65536 * 16 || a->type == XTA_BYTES || !split_name(a->name, domain, &key) ||
            is_of_header(target, a->name) || xta__nitf_is_storage(target, a->name) ||
            strcmp(domain, "ENVI") == 0) { // metadata of the ENVI domain goes into the header
            continue;
        }
        if (key[0] == '\0' && a->type == XTA_TEXT) { // a domain that is a single text, such as XML
            char *list[2] = {a->values, NULL};
            xta__gdal.GDALSetMetadata(target->dataset, list, domain);
            continue;
        }
        char *text = as_text(a);
        if (text != NULL) {
            xta__gdal.GDALSetMetadataItem(target->dataset, key, text, domain);
        }
        free(text);
    }
}

static void put_band_metadata(const raster_target *target, GDALRasterBandH band, int b)
{
    const bridge_description *what = target->what;
    char domain[RASTER_TEXT_BYTES];
    char text[4 * RASTER_TEXT_BYTES];
    for (size_t k = 0; k < what->n_attributes; k++) {
        const bridge_attribute *a = &what->attributes[k];
        const char *name = a->name;
        const char *key;
        if (a->axis == XTA_ON_ARRAY && strncmp(name, GD_BAND, strlen(GD_BAND)) == 0) {
            name += strlen(GD_BAND);
        } else if (a->axis == XTA_ON_ARRAY || a->axis != target->axes.band || a->ndim != 1) {
            continue;
        }
        if (!split_name(name, domain, &key) || strcmp(name, "values") == 0 ||
            is_of_header(target, name)) {
            continue;
        }
        xta__raster_band_item(target, name, b, text, sizeof text);
        if (text[0] != '\0') {
            xta__gdal.GDALSetMetadataItem(band, key, text, domain);
        }
    }
}

static void put_nodata(const raster_target *target, GDALRasterBandH band, int b)
{
    const bridge_description *what = target->what;
    const bridge_attribute *a = xta__description_find(what, XTA_ON_ARRAY, GD_NODATA);
    const bridge_attribute *fill = xta__description_find(what, XTA_ON_ARRAY, "_FillValue");
    char text[RASTER_TEXT_BYTES];
    double value;
    if (a == NULL && fill != NULL && fill->type == what->type && fill->count == 1) {
        a = fill; // from NetCDF
    }
    xta__raster_band_text(target, GD_BAND_NODATA, b, text, sizeof text);
    if (text[0] != '\0') {
        xta__gdal.GDALSetRasterNoDataValue(band, xta__gdal.CPLAtof(text));
    } else if (a == NULL || a->count != 1) {
        return;
    } else if (what->type == XTA_I64 && a->type == XTA_I64) {
        xta__gdal.GDALSetRasterNoDataValueAsInt64(band, *(const int64_t *)a->values);
    } else if (what->type == XTA_U64 && a->type == XTA_U64) {
        xta__gdal.GDALSetRasterNoDataValueAsUInt64(band, *(const uint64_t *)a->values);
    } else if (xta_type_convert(a->type, a->values, XTA_F64, &value, 1, NULL) == XTA_OK) {
        xta__gdal.GDALSetRasterNoDataValue(band, value);
    }
}

static void put_colors(const raster_target *target, GDALRasterBandH band)
{
    const bridge_attribute *a = xta__description_find(target->what, XTA_ON_ARRAY, GD_COLORS);
    if (a == NULL || a->type != XTA_I16 || target->n_bands != 1) {
        return;
    }
    GDALColorTableH table = xta__gdal.GDALCreateColorTable(GPI_RGB);
    for (size_t k = 0; k + 4 <= a->count; k += 4) {
        const int16_t *one = (const int16_t *)a->values + k;
        GDALColorEntry entry = {one[0], one[1], one[2], one[3]};
        xta__gdal.GDALSetColorEntry(table, (int)(k / 4), &entry);
    }
    xta__gdal.GDALSetRasterColorTable(band, table);
    xta__gdal.GDALDestroyColorTable(table);
}

/* Write the attributes of one band; returns whether the band has a name of its own. */
static bool put_band(const raster_target *target, int b)
{
    GDALRasterBandH band = xta__gdal.GDALGetRasterBand(target->dataset, b + 1);
    char text[4 * RASTER_TEXT_BYTES];
    put_nodata(target, band, b);
    xta__raster_band_text(target, GD_DESCRIPTION, b, text, sizeof text);
    bool named = text[0] != '\0';
    if (named && xta__raster_driver_is(target, "ENVI")) {
        char own[4 * RASTER_TEXT_BYTES];
        strcpy(own, text);
        named = xta__raster_envi_band_name(target, b, own);
    }
    if (named) {
        xta__gdal.GDALSetDescription(band, text);
    }
    xta__raster_band_text(target, GD_UNIT, b, text, sizeof text);
    if (text[0] != '\0') {
        xta__gdal.GDALSetRasterUnitType(band, text);
    }
    xta__raster_band_text(target, GD_SCALE, b, text, sizeof text);
    if (text[0] != '\0') {
        xta__gdal.GDALSetRasterScale(band, xta__gdal.CPLAtof(text));
    }
    xta__raster_band_text(target, GD_OFFSET, b, text, sizeof text);
    if (text[0] != '\0') {
        xta__gdal.GDALSetRasterOffset(band, xta__gdal.CPLAtof(text));
    }
    xta__raster_band_text(target, GD_COLOR, b, text, sizeof text);
    GDALColorInterp color =
        text[0] != '\0' ? xta__gdal.GDALGetColorInterpretationByName(text) : GCI_Undefined;
    if (color != xta__gdal.GDALGetRasterColorInterpretation(band) &&
        (text[0] != '\0' || xta__description_text(target->what, XTA_ON_ARRAY, GD_DRIVER) != NULL)) {
        xta__gdal.GDALSetRasterColorInterpretation(band, color);
    }
    put_band_metadata(target, band, b);
    return named;
}

void xta__raster_write_attributes(raster_target *target)
{
    bool named = false;
    put_colors(target, xta__gdal.GDALGetRasterBand(target->dataset, 1));
    xta__raster_write_classes(target, xta__gdal.GDALGetRasterBand(target->dataset, 1));
    put_georeference(target);
    put_metadata(target);
    for (int b = 0; b < target->n_bands; b++) {
        named = put_band(target, b) || named;
    }
    if (xta__raster_driver_is(target, "ENVI")) {
        xta__raster_envi_plan(target, named);
    }
}
