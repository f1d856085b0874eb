/* Creating a raster: its driver, which axes are bands, rows and columns, and writing the cells.
 *
 * The last three axes of the box are bands, rows and columns, assigned by their names, else by
 * their order. Axes before them must have length 1 in the box.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "gdal/create.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/path_suffix.h"
#include "description/description.h"
#include "gdal/band_items.h"
#include "gdal/envi_header.h"
#include "gdal/functions.h"
#include "gdal/library.h"
#include "gdal/names.h"
#include "gdal/nitf_place.h"
#include "gdal/raster.h"
#include "gdal/write_attributes.h"
#include "util/try.h"

/* ---- which driver ---- */

static const struct {
    const char *suffix;
    const char *driver;
} usual[] = {
    {"tif", "GTiff"}, {"tiff", "GTiff"}, {"img", "ENVI"}, {"dat", "ENVI"},
    {"bsq", "ENVI"},  {"bil", "ENVI"},   {"bip", "ENVI"}, {"envi", "ENVI"},
};

static bool can_write(GDALDriverH driver)
{
    return xta__gdal.GDALGetMetadataItem(driver, GDAL_DCAP_RASTER, NULL) != NULL &&
           (xta__gdal.GDALGetMetadataItem(driver, GDAL_DCAP_CREATE, NULL) != NULL ||
            xta__gdal.GDALGetMetadataItem(driver, GDAL_DCAP_CREATECOPY, NULL) != NULL);
}

static bool has_suffix(GDALDriverH driver, const char *suffix)
{
    const char *list = xta__gdal.GDALGetMetadataItem(driver, GDAL_DMD_EXTENSIONS, NULL);
    char **words = xta__gdal.CSLTokenizeString2(list != NULL ? list : "", " ", 0);
    bool has = xta__gdal.CSLFindString(words, suffix) >= 0;
    xta__gdal.CSLDestroy(words);
    return has;
}

/* Find a driver that can write, by its short name or by a suffix; NULL if there is none. */
static GDALDriverH find_driver(const char *format, const char *suffix)
{
    if (format != NULL && strcasecmp(format, "gdal") != 0) {
        GDALDriverH driver =
            strcasecmp(format, "FITS") != 0 ? xta__gdal.GDALGetDriverByName(format) : NULL;
        return driver != NULL && can_write(driver) ? driver : NULL;
    }
    for (size_t k = 0; k < sizeof usual / sizeof usual[0]; k++) {
        if (strcmp(usual[k].suffix, suffix) == 0) {
            return xta__gdal.GDALGetDriverByName(usual[k].driver);
        }
    }
    for (int k = 0; suffix[0] != '\0' && k < xta__gdal.GDALGetDriverCount(); k++) {
        GDALDriverH driver = xta__gdal.GDALGetDriver(k);
        // has a bridge of its own
        bool fits = strcmp(xta__gdal.GDALGetDriverShortName(driver), "FITS") == 0;
        if (!fits && can_write(driver) && has_suffix(driver, suffix)) {
            return driver;
        }
    }
    return NULL;
}

bool xta__raster_accepts(const char *format, const char *suffix)
{
    // If GDAL cannot be loaded, opening or creating says why.
    return xta__gdal_load("", NULL) != XTA_OK || find_driver(format, suffix) != NULL;
}

/* Choose by name, else the source's driver if the suffix is one of its suffixes, else by suffix. */
static xta_status choose_driver(raster_target *target, const xta_export_options *options,
                                xta_error *err)
{
    char suffix[16];
    const char *kept = xta__description_text(target->what, XTA_ON_ARRAY, GD_DRIVER);
    xta__path_suffix(target->path, suffix);
    bool named = options->format != NULL && strcasecmp(options->format, "gdal") != 0;
    target->driver = find_driver(options->format, suffix);
    GDALDriverH own = kept != NULL && !named ? find_driver(kept, "") : NULL;
    if (own != NULL && (target->driver == NULL || has_suffix(own, suffix))) {
        target->driver = own;
    }
    if (target->driver == NULL) {
        return xta_error_set(
            err, XTA_EUNSUPPORTED, 0,
            "%s: no raster driver goes by the suffix '%s'; name one, such as GTiff", target->path,
            suffix);
    }
    return XTA_OK;
}

/* ---- shape, type, interleave ---- */

/* The role of an axis by its name: 0 band, 1 row, 2 column; -1: the name does not determine it. */
static int role_of(const char *name)
{
    static const char *const names[3][10] = {
        {"band", "bands", "wavelength", "wavelengths", "channel", "endmember", "material", NULL},
        {"y", "line", "lines", "row", "rows", "lat", "latitude", NULL},
        {"x", "sample", "samples", "column", "columns", "lon", "longitude", NULL}};
    for (int role = 0; name != NULL && role < 3; role++) {
        for (int k = 0; names[role][k] != NULL; k++) {
            if (strcasecmp(names[role][k], name) == 0) {
                return role;
            }
        }
    }
    return -1;
}

/* The roles of the last two or three axes. A role that no name or several names claim goes to the
 * next axis without a role. */
static raster_axes axes_by_name(const bridge_description *what)
{
    int n = what->ndim;
    int first = n > 2 ? n - 3 : 0;
    int axis_of[3] = {-1, -1, -1};
    bool taken[XTA_MAX_NDIM] = {false};
    for (int axis = first; axis < n; axis++) {
        int role = role_of(what->name[axis]);
        if (role >= (n > 2 ? 0 : 1) && axis_of[role] < 0) {
            axis_of[role] = axis;
            taken[axis] = true;
        }
    }
    for (int role = n > 2 ? 0 : 1; role < 3; role++) {
        for (int axis = first; axis < n && axis_of[role] < 0; axis++) {
            if (!taken[axis]) {
                axis_of[role] = axis;
                taken[axis] = true;
            }
        }
    }
    return (raster_axes){axis_of[0], axis_of[1], axis_of[2]};
}

static xta_status choose_axes(raster_target *target, xta_error *err)
{
    const bridge_description *what = target->what;
    int n = what->ndim;
    raster_axes *axes = &target->axes;
    if (n < 2) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: a raster has rows and columns; the array has %d axis",
                             target->path, n);
    }
    *axes = axes_by_name(what);
    for (int axis = 0; axis < n; axis++) {
        bool used = axis >= n - 3;
        if (what->bounds[axis] < 1 || what->bounds[axis] > (used ? INT_MAX : 1)) {
            return xta_error_set(
                err, XTA_EUNSUPPORTED, 0,
                "%s: a raster cannot have %lld cells on axis %d (%s); choose a box", target->path,
                (long long)what->bounds[axis], axis,
                what->name[axis] != NULL ? what->name[axis] : "no name");
        }
    }
    target->n_bands = axes->band >= 0 ? (int)what->bounds[axes->band] : 1;
    return XTA_OK;
}

static xta_status no_such_cells(const raster_target *target, xta_error *err)
{
    return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                         "%s: driver %s has no cells of type %s; convert them, or choose "
                         "another format",
                         target->path, xta__gdal.GDALGetDriverShortName(target->driver),
                         xta_type_name(target->what->type));
}

/* Whether a driver says that it creates files of such cells. Some can more than they say. */
static bool says_it_can(const raster_target *target)
{
    const char *list =
        xta__gdal.GDALGetMetadataItem(target->driver, GDAL_DMD_CREATIONDATATYPES, NULL);
    char **words = xta__gdal.CSLTokenizeString2(list != NULL ? list : "", " ", 0);
    bool can = list == NULL ||
               xta__gdal.CSLFindString(words, xta__gdal.GDALGetDataTypeName(target->type)) >= 0;
    xta__gdal.CSLDestroy(words);
    return can;
}

static xta_status choose_type(raster_target *target, xta_error *err)
{
    xta_type type = target->what->type;
    target->type = xta__raster_type(type, &target->signed_byte);
    bool kept = !target->signed_byte || xta__raster_driver_is(target, "GTiff") ||
                xta__raster_driver_is(target, "HFA");
    return target->type != GDT_Unknown && kept ? XTA_OK : no_such_cells(target, err);
}

static xta_status choose_interleave(raster_target *target, const xta_export_options *options,
                                    xta_error *err)
{
    static const char *const names[] = {"bsq", "bil", "bip"};
    char suffix[16];
    const char *asked = options->interleave;
    const char *kept = xta__description_text(target->what, XTA_ON_ARRAY, GD_INTERLEAVE);
    xta__path_suffix(target->path, suffix);
    target->interleave = NULL;
    for (int k = 0; k < 3; k++) {
        if (asked != NULL && strcasecmp(asked, names[k]) == 0) {
            target->interleave = names[k];
        }
    }
    if (asked != NULL && target->interleave == NULL) {
        return xta_error_set(err, XTA_EARG, 0, "%s: interleave '%s' is not bsq, bil or bip",
                             target->path, asked);
    }
    if (asked != NULL && strcmp(target->interleave, "bil") == 0 &&
        !xta__raster_driver_is(target, "ENVI")) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: driver %s does not interleave by line; bsq and bip it does",
                             target->path, xta__gdal.GDALGetDriverShortName(target->driver));
    }
    for (int k = 0; k < 3 && asked == NULL; k++) {
        bool by_suffix = xta__raster_driver_is(target, "ENVI") && strcmp(suffix, names[k]) == 0;
        bool by_source = kept != NULL && strcmp(kept, names[k]) == 0 && target->interleave == NULL;
        target->interleave = by_suffix || by_source ? names[k] : target->interleave;
    }
    if (target->interleave == NULL) {
        target->interleave = "bsq";
    }
    return XTA_OK;
}

/* ---- creation options ---- */

static char **tiff_options(const raster_target *target, char **list)
{
    static const char *const lossless[] = {"DEFLATE", "LZW", "ZSTD", "PACKBITS", "LZMA", NULL};
    static const char *const rgb[] = {"Red", "Green", "Blue", "Alpha"};
    const bridge_description *what = target->what;
    const char *compression = xta__description_text(what, XTA_ON_ARRAY, GD_COMPRESSION);
    const char *nbits = xta__description_text(what, XTA_ON_ARRAY, GD_NBITS);
    const bridge_attribute *block = xta__description_find(what, XTA_ON_ARRAY, GD_BLOCK);
    char text[RASTER_TEXT_BYTES];
    int colors = 0;

    list = xta__gdal.CSLSetNameValue(list, "BIGTIFF", "IF_SAFER");
    list = xta__gdal.CSLSetNameValue(list, "INTERLEAVE",
                                     strcmp(target->interleave, "bip") == 0 ? "PIXEL" : "BAND");
    for (int k = 0; compression != NULL && lossless[k] != NULL; k++) {
        if (strcmp(compression, lossless[k]) == 0) {
            list = xta__gdal.CSLSetNameValue(list, "COMPRESS", compression);
        }
    }
    if (nbits != NULL) {
        list = xta__gdal.CSLSetNameValue(list, "NBITS", nbits);
    }
    int rows = (int)xta__attribute_number(block, 0, 0);
    int columns = (int)xta__attribute_number(block, 1, 0);
    if (rows > 0 && columns > 0 && rows % 16 == 0 && columns % 16 == 0) {
        list = xta__gdal.CSLSetNameValue(list, "TILED", "YES");
        list = xta__gdal.CSLSetNameValue(list, "BLOCKXSIZE", xta__gdal.CPLSPrintf("%d", columns));
    }
    if (rows > 0 && (columns == 0 || rows % 16 == 0)) { // no columns: the source had strips
        list = xta__gdal.CSLSetNameValue(list, "BLOCKYSIZE", xta__gdal.CPLSPrintf("%d", rows));
    }
    for (int b = 0; b < 4 && b < target->n_bands; b++) {
        xta__raster_band_text(target, GD_COLOR, b, text, sizeof text);
        colors += colors == b && strcmp(text, rgb[b]) == 0;
    }
    if (colors >= 3) {
        list = xta__gdal.CSLSetNameValue(list, "PHOTOMETRIC", "RGB");
    }
    xta__raster_band_text(target, GD_COLOR, target->n_bands - 1, text, sizeof text);
    if (strcmp(text, "Alpha") == 0) {
        list = xta__gdal.CSLSetNameValue(list, "ALPHA", "YES");
    }
    return list;
}

static char **nitf_options(const raster_target *target, char **list)
{
    bool palette = target->n_bands == 1 &&
                   xta__description_find(target->what, XTA_ON_ARRAY, GD_COLORS) != NULL;
    if (palette) {
        list = xta__gdal.CSLSetNameValue(list, "IREP", "RGB/LUT"); // room for a color table
    }
    if (target->icords != NULL) {
        list = xta__gdal.CSLSetNameValue(list, "ICORDS", target->icords);
    }
    return list;
}

static char **creation_options(const raster_target *target)
{
    char **list = NULL;
    if (xta__raster_driver_is(target, "GTiff")) {
        list = tiff_options(target, list);
    } else if (xta__raster_driver_is(target, "ENVI")) {
        list = xta__gdal.CSLSetNameValue(list, "INTERLEAVE", target->interleave);
    } else if (xta__raster_driver_is(target, "NITF")) {
        list = nitf_options(target, list);
    }
    if (target->signed_byte) {
        list = xta__gdal.CSLSetNameValue(list, "PIXELTYPE", "SIGNEDBYTE");
    }
    return list;
}

/* ---- the functions of the format ---- */

static void free_target(raster_target *target)
{
    free(target->path);
    free(target->final_path);
    xta__gdal.CSLDestroy(target->header);
    free(target);
}

void xta__raster_abandon(void *state)
{
    raster_target *target = state;
    raster_log log;
    xta__raster_catch(&log);
    if (target->dataset != NULL) {
        xta__gdal.GDALClose(target->dataset);
    }
    xta__raster_release();
    free_target(target);
}

/* A format that GDAL can only create by copying is copied from a temporary GeoTIFF. */
static xta_status use_intermediate_tiff(raster_target *target, xta_error *err)
{
    if (xta__gdal.GDALGetMetadataItem(target->driver, GDAL_DCAP_CREATE, NULL) != NULL) {
        return XTA_OK;
    }
    size_t n = strlen(target->path) + 16;
    target->final = target->driver;
    target->final_path = target->path;
    target->driver = xta__gdal.GDALGetDriverByName("GTiff");
    target->path = malloc(n);
    if (target->path == NULL) {
        return xta__bridge_no_memory(target->final_path, err);
    }
    snprintf(target->path, n, "%s.detour.tif", target->final_path);
    return XTA_OK;
}

static xta_status prepare_target(raster_target *target, const xta_export_options *options,
                                 bridge_description *what, xta_error *err)
{
    xta_status status = XTA_OK;
    XTA_TRY(choose_driver(target, options, err));
    XTA_TRY(use_intermediate_tiff(target, err));
    XTA_TRY(choose_axes(target, err));
    XTA_TRY(choose_type(target, err));
    XTA_TRY(choose_interleave(target, options, err));
    if (xta__raster_driver_is(target, "NITF")) {
        XTA_TRY(xta__nitf_choose_icords(target, &target->icords, err));
    }
    if (target->axes.band >= 0) {
        int n = what->ndim;
        bool by_band = strcmp(target->interleave, "bsq") == 0;
        what->slow[n - 3] = by_band ? target->axes.band : target->axes.y;
        what->slow[n - 2] = by_band ? target->axes.y : target->axes.band;
        what->slow[n - 1] = target->axes.x;
    }
    target->cell_bytes = what->cell_bytes;
done:
    return status;
}

xta_status xta__raster_create(const char *path, const xta_export_options *options,
                              bridge_description *what, void **state, xta_error *err)
{
    xta_status status = xta__gdal_load(path, err);
    raster_log log;
    char **list = NULL;
    if (status != XTA_OK) {
        return status;
    }
    raster_target *target = calloc(1, sizeof *target);
    if (target == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    xta__raster_catch(&log);
    target->what = what;
    target->path = xta__bridge_copy(path);
    if (target->path == NULL) {
        status = xta__bridge_no_memory(path, err);
        goto done;
    }
    XTA_TRY(prepare_target(target, options, what, err));
    list = creation_options(target);
    target->dataset = xta__gdal.GDALCreate(
        target->driver, target->path, (int)what->bounds[target->axes.x],
        (int)what->bounds[target->axes.y], target->n_bands, target->type, list);
    if (target->dataset == NULL) {
        status = says_it_can(target) ? xta__raster_failure(&log, path, "cannot create it", err)
                                     : no_such_cells(target, err);
        goto done;
    }
    xta__raster_write_attributes(target);
    target->what = NULL;
    *state = target;
    target = NULL;
done:
    xta__gdal.CSLDestroy(list);
    xta__raster_release();
    if (target != NULL) {
        xta__raster_abandon(target);
    }
    return status;
}

xta_status xta__raster_write(void *state, const xta_box *box, const void *cells, xta_error *err)
{
    const raster_target *target = state;
    raster_log log;
    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    xta__raster_catch(&log);
    CPLErr result = xta__raster_move(target->dataset, GF_Write, box, &target->axes,
                                     (void *)(uintptr_t)cells, target->type, target->cell_bytes);
    xta__raster_release();
    return result == CE_None && !log.failed
               ? XTA_OK
               : xta__raster_failure(&log, target->path, "cannot write cells", err);
}

xta_status xta__raster_finish(void *state, xta_error *err)
{
    raster_target *target = state;
    raster_log log;
    xta_status status = XTA_OK;
    xta__raster_catch(&log);
    if (target->final != NULL) {
        xta__gdal.GDALFlushCache(target->dataset);
        GDALDatasetH copy = xta__gdal.GDALCreateCopy(target->final, target->final_path,
                                                     target->dataset, FALSE, NULL, NULL, NULL);
        if (copy != NULL) {
            xta__gdal.GDALClose(copy);
        }
        xta__gdal.GDALClose(target->dataset);
        xta__gdal.GDALDeleteDataset(target->driver, target->path);
    } else {
        xta__gdal.GDALClose(target->dataset); // reports errors only through its error handler
    }
    xta__raster_release();
    if (log.failed) {
        status = xta__raster_failure(&log, target->path, "cannot close it", err);
    } else if (target->header != NULL) {
        status = xta__raster_envi_finish(target, err);
    }
    free_target(target);
    return status;
}
