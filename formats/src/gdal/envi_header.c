/* The header of an ENVI file that GDAL has written.
 *
 * The driver writes a header of its own: it names every band, even if the source had no names,
 * omits most of the source's header, and writes the temporary path into it. So after it has closed
 * the file, entries of the header are set or removed here. An entry is
 *
 *     key = value                     or                     key = {value,
 *                                                                   goes on}
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "gdal/envi_header.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "description/description.h"
#include "gdal/band_items.h"
#include "gdal/functions.h"
#include "gdal/library.h"
#include "gdal/names.h"
#include "gdal/raster.h"
#include "gdal/spectral_attributes.h"

#define ENVI GD "ENVI/"
/* A planned value that begins with this is inserted before the closing brace of the driver's
 * value. */
#define INSERT "+"

/* Entries about this file's layout and georeference, which are left to the driver. */
static bool is_drivers(const char *key)
{
    static const char *const keys[] = {"bands",
                                       "lines",
                                       "samples",
                                       "data_type",
                                       "interleave",
                                       "byte_order",
                                       "header_offset",
                                       "band_names",
                                       "map_info",
                                       "projection_info",
                                       "coordinate_system_string",
                                       "data_ignore_value",
                                       "description",
                                       NULL};
    for (int k = 0; keys[k] != NULL; k++) {
        if (strcasecmp(keys[k], key) == 0) {
            return true;
        }
    }
    return false;
}

/* Plan to set an entry; keys have spaces in the file where GDAL has underscores. */
static void set_entry(raster_target *target, const char *key, const char *value)
{
    char spaced[RASTER_TEXT_BYTES];
    snprintf(spaced, sizeof spaced, "%s", key);
    for (char *c = spaced; *c != '\0'; c++) {
        *c = *c == '_' ? ' ' : *c;
    }
    target->header = xta__gdal.CSLSetNameValue(target->header, spaced, value);
}

/* Whether a list in the source's header still agrees with the attributes of the bands. */
static bool list_holds(const raster_target *target, const char *key, const char *kept)
{
    char item[RASTER_TEXT_BYTES];
    size_t n = (size_t)target->n_bands;
    double *numbers = kept != NULL ? calloc(n, sizeof *numbers) : NULL;
    bool same = numbers != NULL && xta__raster_list(kept, numbers, n) == n;
    for (size_t b = 0; same && b < n; b++) {
        xta__raster_band_item(target, key, (int)b, item, sizeof item);
        same = item[0] == '\0' || xta__gdal.CPLAtof(item) == numbers[b];
    }
    free(numbers);
    return same;
}

/* Set a list with an item for each band ("{1,2,3}"): the source's own text if it still agrees, else
 * text made from the bands. */
static void set_list(raster_target *target, const char *key)
{
    const bridge_description *what = target->what;
    char name[RASTER_TEXT_BYTES];
    char item[RASTER_TEXT_BYTES];
    snprintf(name, sizeof name, ENVI "%s", key);
    const char *kept = xta__description_text(what, XTA_ON_ARRAY, name);
    xta__raster_band_item(target, key, 0, item, sizeof item);
    if (item[0] == '\0' || list_holds(target, key, kept)) {
        return; // nothing known of the bands, or unchanged
    }
    char *text = calloc((size_t)target->n_bands + 1, RASTER_TEXT_BYTES);
    char *end = text;
    for (int b = 0; text != NULL && b < target->n_bands; b++) {
        xta__raster_band_item(target, key, b, item, sizeof item);
        end += sprintf(end, b == 0 ? "{%s" : ",%s", item);
    }
    if (text != NULL) {
        strcpy(end, "}");
        set_entry(target, key, text);
    }
    free(text);
}

/* GDAL reports "name (wavelength unit)", or only the wavelength if the header has no names. */
bool xta__raster_envi_band_name(const raster_target *target, int band, char *name)
{
    char wavelength[RASTER_TEXT_BYTES];
    char unit[RASTER_TEXT_BYTES];
    char tail[2 * RASTER_TEXT_BYTES + 8];
    xta__raster_band_item(target, "wavelength", band, wavelength, sizeof wavelength);
    xta__raster_band_item(target, "wavelength_units", band, unit, sizeof unit);
    if (wavelength[0] == '\0') {
        return name[0] != '\0';
    }
    snprintf(tail, sizeof tail, " (%s%s%s)", wavelength, unit[0] != '\0' ? " " : "", unit);
    size_t n = strlen(tail);
    size_t length = strlen(name);
    if (length == n - 3 && memcmp(name, tail + 2, length) == 0) {
        name[0] = '\0';
    } else if (length > n && strcmp(name + length - n, tail) == 0) {
        name[length - n] = '\0';
    }
    return name[0] != '\0';
}

/* Whether an entry of a header ("{PROJCS[...]}") and a WKT describe the same coordinate system. */
static bool same_system(const char *entry, const char *wkt)
{
    char *inner = xta__gdal.CPLStrdup(entry + 1);
    char *lines[2] = {inner, NULL};
    char *copy = xta__gdal.CPLStrdup(wkt);
    char *rest = copy;
    OGRSpatialReferenceH one = xta__gdal.OSRNewSpatialReference(NULL);
    OGRSpatialReferenceH other = xta__gdal.OSRNewSpatialReference(NULL);
    inner[strlen(inner) - 1] = '\0';
    bool same = xta__gdal.OSRImportFromESRI(one, lines) == OGRERR_NONE &&
                xta__gdal.OSRImportFromWkt(other, &rest) == OGRERR_NONE &&
                xta__gdal.OSRIsSame(one, other) != 0;
    xta__gdal.OSRDestroySpatialReference(one);
    xta__gdal.OSRDestroySpatialReference(other);
    xta__gdal.CPLFree(inner);
    xta__gdal.CPLFree(copy);
    return same;
}

/* GDAL calls the unit "Meter" if the header states it; otherwise it is "metre". */
static bool unit_is_meter(const char *wkt)
{
    char *copy = xta__gdal.CPLStrdup(wkt);
    char *rest = copy;
    char *unit = NULL;
    OGRSpatialReferenceH system = xta__gdal.OSRNewSpatialReference(NULL);
    bool is = xta__gdal.OSRImportFromWkt(system, &rest) == OGRERR_NONE &&
              xta__gdal.OSRGetLinearUnits(system, &unit) > 0 && unit != NULL &&
              strcmp(unit, "Meter") == 0;
    xta__gdal.OSRDestroySpatialReference(system);
    xta__gdal.CPLFree(copy);
    return is;
}

/* Use the source's own text of its projection, if it is still the array's: ENVI and GDAL name units
 * differently. */
static void set_system(raster_target *target)
{
    const bridge_description *what = target->what;
    const char *kept = xta__description_text(what, XTA_ON_ARRAY, ENVI "coordinate_system_string");
    const char *now = xta__description_text(what, XTA_ON_ARRAY, GD_PROJECTION);
    if (kept != NULL && now != NULL && kept[0] == '{' && strlen(kept) > 2 &&
        same_system(kept, now)) {
        set_entry(target, "coordinate_system_string", kept);
        set_entry(target, "projection_info", ""); // it would take precedence
        if (unit_is_meter(now)) {
            set_entry(target, "map_info", INSERT ", units=Meters");
        }
    }
}

/* Set names without the wavelengths that GDAL appends; the list cannot hold names with commas. */
static void set_names(raster_target *target)
{
    const char *kept = xta__description_text(target->what, XTA_ON_ARRAY, ENVI "band_names");
    char name[RASTER_TEXT_BYTES];
    char **names = xta__gdal.CSLTokenizeString2(kept != NULL ? kept : "", "{},",
                                                CSLT_STRIPLEADSPACES | CSLT_STRIPENDSPACES);
    char *text = calloc((size_t)target->n_bands + 1, RASTER_TEXT_BYTES);
    char *end = text;
    // if so, the source's own text is used
    bool same = xta__gdal.CSLCount(names) == target->n_bands;
    for (int b = 0; text != NULL && b < target->n_bands; b++) {
        xta__raster_band_text(target, GD_DESCRIPTION, b, name, sizeof name);
        bool named = xta__raster_envi_band_name(target, b, name);
        same = same && named && strcmp(names[b], name) == 0;
        for (char *c = name; *c != '\0'; c++) {
            *c = strchr(",{}", *c) != NULL ? ' ' : *c;
        }
        end += sprintf(end, b == 0 ? "{%s" : ",\n%s", name);
    }
    xta__gdal.CSLDestroy(names);
    if (text != NULL) {
        strcpy(end, "}");
        set_entry(target, "band_names", same ? kept : text);
    }
    free(text);
}

/* Entries about classes, which the driver writes from the classes' names and colours. */
static bool is_of_classes(const char *key)
{
    return strcasecmp(key, "classes") == 0 || strcasecmp(key, "class_names") == 0 ||
           strcasecmp(key, "class_lookup") == 0 || strcasecmp(key, "file_type") == 0;
}

/* Whether the class entries of the source's header still agree with the array's attributes. */
static bool classes_hold(const bridge_description *what)
{
    const char *kept = xta__description_text(what, XTA_ON_ARRAY, ENVI GD_CLASS_NAMES);
    const bridge_attribute *now = xta__description_find(what, XTA_ON_ARRAY, GD_CLASS_NAMES);
    if (kept == NULL || now == NULL || now->type != XTA_TEXT) {
        return kept == NULL && now == NULL;
    }
    char **names =
        xta__gdal.CSLTokenizeString2(kept, "{},", CSLT_STRIPLEADSPACES | CSLT_STRIPENDSPACES);
    char **lines = xta__raster_lines(now);
    int n = xta__gdal.CSLCount(names);
    bool same = xta__gdal.CSLCount(lines) == n;
    for (int k = 0; same && k < n; k++) {
        same = strcmp(names[k], lines[k]) == 0;
    }
    xta__gdal.CSLDestroy(lines);
    xta__gdal.CSLDestroy(names);
    return same && xta__raster_same_colours(what);
}

/* Whether an entry of the source's header can be used again as it is. Entries that give bands by
 * number cannot if bands are left out. */
static bool still_holds(const raster_target *target, const char *key)
{
    const bridge_description *what = target->what;
    if (strcasecmp(key, "default_bands") == 0) {
        const char *bands = xta__description_text(what, XTA_ON_ARRAY, ENVI "bands");
        return bands == NULL || atoi(bands) == target->n_bands;
    }
    return !is_of_classes(key) || classes_hold(what);
}

/* Set the scale of reflectances: the source's own text, if it is still the same number. */
static void set_scale(raster_target *target)
{
    const bridge_description *what = target->what;
    const bridge_attribute *a = xta__description_find(what, XTA_ON_ARRAY, GD_REFLECTANCE);
    const char *kept = xta__description_text(what, XTA_ON_ARRAY, ENVI GD_REFLECTANCE);
    char text[GD_NUMBER_BYTES];
    double scale = xta__attribute_number(a, 0, 0);
    if (scale > 0 && (kept == NULL || xta__gdal.CPLAtof(kept) != scale)) {
        set_entry(target, GD_REFLECTANCE, xta__raster_number(scale, text));
    }
}

void xta__raster_envi_plan(raster_target *target, bool bands_have_names)
{
    const bridge_description *what = target->what;
    char unit[RASTER_TEXT_BYTES];
    char text[2 * RASTER_TEXT_BYTES];
    size_t n = strlen(ENVI);
    const char *about = xta__description_text(what, XTA_ON_ARRAY, ENVI "description");
    snprintf(text, sizeof text, "{%.500s}", xta__gdal.CPLGetFilename(target->path));
    const char *driver = xta__description_text(what, XTA_ON_ARRAY, GD_DRIVER);
    bool from_envi = driver != NULL && strcmp(driver, "ENVI") == 0;
    set_entry(target, "description", about != NULL ? about : from_envi ? "" : text);
    if (!bands_have_names) {
        set_entry(target, "band_names", "");
    } else {
        set_names(target);
    }
    set_system(target);
    for (size_t k = 0; k < what->n_attributes; k++) {
        const bridge_attribute *a = &what->attributes[k];
        if (a->axis == XTA_ON_ARRAY && a->type == XTA_TEXT && strncmp(a->name, ENVI, n) == 0 &&
            !is_drivers(a->name + n) && still_holds(target, a->name + n)) {
            set_entry(target, a->name + n, a->values);
        }
    }
    set_list(target, "wavelength");
    set_list(target, "fwhm");
    set_list(target, "bbl");
    xta__raster_band_item(target, GD_UNITS, 0, unit, sizeof unit);
    const char *units = xta__description_text(what, XTA_ON_ARRAY, GD_UNITS);
    if (unit[0] == '\0' && units != NULL) {
        snprintf(unit, sizeof unit, "%s", units);
    }
    if (unit[0] != '\0' &&
        xta__gdal.CSLFetchNameValue(target->header, "wavelength units") == NULL) {
        set_entry(target, GD_UNITS, unit);
    }
    set_scale(target);
}

/* ---- the file ---- */

/* The end of the entry that begins at `at`: after its line, or after the line of its closing
 * brace. */
static const char *entry_end(const char *at)
{
    size_t line = strcspn(at, "\n");
    const char *brace = memchr(at, '{', line);
    if (brace != NULL) {
        const char *closed = strchr(brace, '}');
        at = closed != NULL ? closed : at + strlen(at);
        line = strcspn(at, "\n");
    }
    return at[line] == '\n' ? at + line + 1 : at + line;
}

/* The planned entry with the same key, or -1. */
static int find_planned(char **header, const char *entry)
{
    size_t n = strcspn(entry, "=\n");
    while (n > 0 && entry[n - 1] == ' ') {
        n--;
    }
    for (int k = 0; header != NULL && header[k] != NULL; k++) {
        if (strncasecmp(header[k], entry, n) == 0 && header[k][n] == '=') {
            return k;
        }
    }
    return -1;
}

/* Write one entry of the old header unchanged, or as planned. */
static bool write_entry(FILE *file, const char *old, size_t n, const char *plan)
{
    char *key = NULL;
    const char *value = plan != NULL ? xta__gdal.CPLParseNameValue(plan, &key) : NULL;
    const char *brace = memchr(old, '}', n);
    bool good = true;
    if (plan == NULL) {
        good = fwrite(old, 1, n, file) == n;
    } else if (value != NULL && value[0] == INSERT[0] && brace != NULL) {
        good = fprintf(file, "%.*s%s}\n", (int)(brace - old), old, value + 1) > 0;
    } else if (value != NULL && value[0] != '\0') {
        good = fprintf(file, "%s = %s\n", key, value) > 0;
    }
    xta__gdal.CPLFree(key);
    return good;
}

static bool rewrite_header(FILE *file, const char *old, char **header)
{
    int n = xta__gdal.CSLCount(header);
    bool *written = calloc((size_t)n + 1, sizeof *written);
    bool good = written != NULL;
    for (const char *at = old; good && *at != '\0'; at = entry_end(at)) {
        int k = find_planned(header, at);
        good = write_entry(file, at, (size_t)(entry_end(at) - at), k >= 0 ? header[k] : NULL);
        if (k >= 0) {
            written[k] = true;
        }
    }
    for (int k = 0; k < n && good; k++) {
        if (!written[k] && strstr(header[k], "=" INSERT) == NULL) {
            good = write_entry(file, "", 0, header[k]);
        }
    }
    free(written);
    return good;
}

static char *whole_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long n = 0;
    if (file == NULL) {
        return NULL;
    }
    if (fseek(file, 0, SEEK_END) == 0 && (n = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0) {
        text = calloc((size_t)n + 1, 1);
    }
    if (text != NULL && fread(text, 1, (size_t)n, file) != (size_t)n) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

xta_status xta__raster_envi_finish(const raster_target *target, xta_error *err)
{
    const char *path = xta__gdal.CPLResetExtension(target->path, "hdr");
    char *old = whole_text(path);
    FILE *file = old != NULL ? fopen(path, "wb") : NULL;
    bool good = file != NULL && rewrite_header(file, old, target->header);
    if (file != NULL) {
        good = fclose(file) == 0 && good;
    }
    free(old);
    return good ? XTA_OK
                : xta_error_set(err, XTA_EIO, 0, "%s: cannot write its header", target->path);
}
