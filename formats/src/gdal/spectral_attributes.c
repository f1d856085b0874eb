/* The attributes of spectral images and class maps, under names that do not depend on the driver.
 *
 * GDAL has wavelengths of bands, but leaves widths (fwhm), bad bands (bbl) and the scale of
 * reflectances of an ENVI header as texts in a separate domain. It has names and colours of classes
 * for every driver.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "gdal/spectral_attributes.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "gdal/functions.h"
#include "gdal/library.h"
#include "gdal/names.h"
#include "gdal/raster.h"

/* More entries than this are not classes. */
#define MOST_CLASSES 65536

/* ---- reading ---- */

size_t xta__raster_list(const char *text, double *numbers, size_t capacity)
{
    size_t n = 0;
    text += strspn(text, " \t{");
    while (*text != '\0' && *text != '}') {
        char *end = NULL;
        double number = xta__gdal.CPLStrtod(text, &end);
        if (end == text) {
            return 0;
        }
        if (n < capacity) {
            numbers[n] = number;
        }
        n++;
        end += strspn(end, " \t\r\n");
        end += *end == ',';
        text = end + strspn(end, " \t\r\n");
    }
    return n;
}

/* Turn a list in the header with a number for each band into an attribute of the bands. */
static bool add_list(const raster_source *source, bridge_description *what, const char *key)
{
    char name[RASTER_TEXT_BYTES];
    size_t n = (size_t)xta__gdal.GDALGetRasterCount(source->dataset);
    int axis = source->axes.band;
    snprintf(name, sizeof name, GD "ENVI/%s", key);
    const char *text = xta__description_text(what, XTA_ON_ARRAY, name);
    if (text == NULL || axis < 0 || xta__description_find(what, axis, key) != NULL) {
        return true;
    }
    double *numbers = calloc(n, sizeof *numbers);
    if (numbers == NULL) {
        return false;
    }
    bool good = true;
    if (xta__raster_list(text, numbers, n) == n) {
        bridge_attribute *a = xta__description_add(what, axis, key, XTA_F64, n, numbers);
        good = a != NULL;
        if (good) {
            xta__attribute_spread(a, axis, 0, (int64_t)n);
        }
    }
    free(numbers);
    return good;
}

static bool add_scale(bridge_description *what)
{
    double scale = 0;
    const char *text = xta__description_text(what, XTA_ON_ARRAY, GD "ENVI/" GD_REFLECTANCE);
    if (text == NULL || xta__raster_list(text, &scale, 1) != 1 ||
        xta__description_find(what, XTA_ON_ARRAY, GD_REFLECTANCE) != NULL) {
        return true;
    }
    return xta__description_add(what, XTA_ON_ARRAY, GD_REFLECTANCE, XTA_F64, 1, &scale) != NULL;
}

static bool add_class_names(GDALRasterBandH band, bridge_description *what)
{
    char **names = xta__gdal.GDALGetRasterCategoryNames(band);
    int n = xta__gdal.CSLCount(names);
    size_t total = 0;
    for (int k = 0; k < n; k++) {
        total += strlen(names[k]) + 1;
    }
    if (n < 1 || n > MOST_CLASSES ||
        xta__description_find(what, XTA_ON_ARRAY, GD_CLASS_NAMES) != NULL) {
        return true;
    }
    char *text = calloc(total + 1, 1);
    char *end = text;
    for (int k = 0; text != NULL && k < n; k++) {
        for (const char *c = names[k]; *c != '\0'; c++) {
            *end++ = iscntrl((unsigned char)*c) ? ' ' : *c;
        }
        *end++ = '\n';
    }
    bool good =
        text != NULL && xta__description_add_text(what, XTA_ON_ARRAY, GD_CLASS_NAMES, text) != NULL;
    free(text);
    return good;
}

static bool add_class_colours(GDALRasterBandH band, bridge_description *what)
{
    GDALColorTableH table = xta__gdal.GDALGetRasterColorTable(band);
    int n = table != NULL ? xta__gdal.GDALGetColorEntryCount(table) : 0;
    if (n < 1 || n > MOST_CLASSES || xta__gdal.GDALGetPaletteInterpretation(table) != GPI_RGB) {
        return true;
    }
    bridge_attribute *a =
        xta__description_add(what, XTA_ON_ARRAY, GD_CLASS_COLOURS, XTA_U8, (size_t)n * 3, NULL);
    for (int k = 0; a != NULL && k < n; k++) {
        const GDALColorEntry *e = xta__gdal.GDALGetColorEntry(table, k);
        unsigned char *rgb = (unsigned char *)a->values + (size_t)k * 3;
        rgb[0] = (unsigned char)e->c1;
        rgb[1] = (unsigned char)e->c2;
        rgb[2] = (unsigned char)e->c3;
    }
    return a != NULL;
}

bool xta__raster_read_spectral(const raster_source *source, bridge_description *what)
{
    GDALRasterBandH first = xta__gdal.GDALGetRasterBand(source->dataset, 1);
    bool good = add_list(source, what, "wavelength") && add_list(source, what, "fwhm") &&
                add_list(source, what, "bbl") && add_scale(what);
    if (good && xta__gdal.GDALGetRasterCount(source->dataset) == 1) {
        good = add_class_names(first, what) && add_class_colours(first, what);
    }
    return good;
}

/* ---- writing ---- */

char **xta__raster_lines(const bridge_attribute *a)
{
    char **lines = xta__gdal.CSLTokenizeString2(a->values, "\n", CSLT_ALLOWEMPTYTOKENS);
    int n = xta__gdal.CSLCount(lines);
    if (n > 0 && lines[n - 1][0] == '\0') { // the last line may lack its newline
        xta__gdal.CPLFree(lines[n - 1]);
        lines[n - 1] = NULL;
    }
    return lines;
}

/* The names of classes in the form GDAL needs; ENVI's lists cannot hold commas and braces. */
static char **class_list(const raster_target *target)
{
    const bridge_attribute *a = xta__description_find(target->what, XTA_ON_ARRAY, GD_CLASS_NAMES);
    if (a == NULL || a->type != XTA_TEXT) {
        return NULL;
    }
    char **lines = xta__raster_lines(a);
    for (int k = 0; lines != NULL && lines[k] != NULL && k < MOST_CLASSES; k++) {
        for (char *c = lines[k]; xta__raster_driver_is(target, "ENVI") && *c != '\0'; c++) {
            *c = strchr(",{}", *c) != NULL ? ' ' : *c;
        }
    }
    return lines;
}

bool xta__raster_same_colours(const bridge_description *what)
{
    const bridge_attribute *a = xta__description_find(what, XTA_ON_ARRAY, GD_CLASS_COLOURS);
    const bridge_attribute *table = xta__description_find(what, XTA_ON_ARRAY, GD_COLORS);
    if (a == NULL || table == NULL || a->type != XTA_U8 || table->type != XTA_I16) {
        return true;
    }
    bool same = a->count / 3 == table->count / 4;
    for (size_t k = 0; same && k < a->count / 3 * 3; k++) {
        const int16_t *entry = (const int16_t *)table->values + k / 3 * 4;
        same = entry[k % 3] == ((const unsigned char *)a->values)[k];
    }
    return same;
}

/* Set a table of the classes' colours. If GDAL's own table has the same colours, it has already
 * been set. Returns the number of colours. */
static int put_class_colours(const raster_target *target, GDALRasterBandH band)
{
    const bridge_attribute *a = xta__description_find(target->what, XTA_ON_ARRAY, GD_CLASS_COLOURS);
    if (a == NULL || a->type != XTA_U8 || a->count < 3) {
        return 0;
    }
    if (xta__description_find(target->what, XTA_ON_ARRAY, GD_COLORS) != NULL &&
        xta__raster_same_colours(target->what)) {
        return (int)(a->count / 3);
    }
    GDALColorTableH table = xta__gdal.GDALCreateColorTable(GPI_RGB);
    for (size_t k = 0; k + 3 <= a->count; k += 3) {
        const unsigned char *rgb = (const unsigned char *)a->values + k;
        GDALColorEntry entry = {rgb[0], rgb[1], rgb[2], 255};
        xta__gdal.GDALSetColorEntry(table, (int)(k / 3), &entry);
    }
    xta__gdal.GDALSetRasterColorTable(band, table); // replaces any existing table
    xta__gdal.GDALDestroyColorTable(table);
    return (int)(a->count / 3);
}

/* An ENVI header with classes needs names; if there are only colours, numbers are used. */
static char **numbered_names(int n)
{
    char **list = NULL;
    for (int k = 0; k < n; k++) {
        list = xta__gdal.CSLAddString(
            list, xta__gdal.CPLSPrintf(k == 0 ? "Unclassified" : "Class %d", k));
    }
    return list;
}

void xta__raster_write_classes(const raster_target *target, GDALRasterBandH band)
{
    xta_type type = target->what->type;
    if (target->n_bands != 1 || (type != XTA_U8 && type != XTA_U16)) {
        return;
    }
    // A picture format has colours only for bytes.
    bool picture = target->final != NULL && type == XTA_U16;
    int n_colours = picture ? 0 : put_class_colours(target, band);
    char **names = class_list(target);
    if (names == NULL && n_colours > 0 && xta__raster_driver_is(target, "ENVI")) {
        names = numbered_names(n_colours);
    }
    if (names != NULL) {
        xta__gdal.GDALSetRasterCategoryNames(band, names);
    }
    xta__gdal.CSLDestroy(names);
}
