/* Rasters: GeoTIFF, ENVI and every other format that GDAL has a driver for. This file reads, and
 * contains the table of the format; create.c writes.
 *
 * A raster is an array with axes band, y, x; one of a single band has y, x, unless it goes into an
 * array with more axes. What maps to what:
 *
 *   geotransform, projection       attributes `geotransform`, `projection`
 *   metadata, default domain       attribute of the same name; another domain: `gdal/DOMAIN/KEY`
 *   metadata of bands              the same, spread along the axis of bands
 *   no-data value                  attribute `nodata`, and the fill value
 *   wavelengths, classes, colours  names that do not depend on the driver (spectral_attributes.c)
 *   driver, interleave, tiles      attributes `gdal/...`
 *
 * Lost: overviews, masks, and what the driver of an export cannot keep. Refused: drivers that open
 * files other than the given one, unless it is trusted (open_dataset.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "gdal/gdal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/local_path.h"
#include "common/path_suffix.h"
#include "description/description.h"
#include "description/format.h"
#include "gdal/create.h"
#include "gdal/functions.h"
#include "gdal/library.h"
#include "gdal/open_dataset.h"
#include "gdal/raster.h"
#include "gdal/read_attributes.h"
#include "util/try.h"

static const char *const suffixes[] = {"tif", "tiff", "img",  "dat", "bsq",
                                       "bil", "bip",  "envi", "hdr", NULL};
static const char *const coordinates[] = {"wavelength", NULL};
static const char *const sides[] = {".aux.xml", ".ovr", ".msk", NULL};

/* The type that holds the cells of all bands, and the XTA type that corresponds to it. */
static xta_type type_of(GDALDatasetH dataset, GDALDataType *foreign)
{
    GDALRasterBandH first = xta__gdal.GDALGetRasterBand(dataset, 1);
    GDALDataType type = xta__gdal.GDALGetRasterDataType(first);
    for (int b = 2; b <= xta__gdal.GDALGetRasterCount(dataset); b++) {
        type = xta__gdal.GDALDataTypeUnion(
            type, xta__gdal.GDALGetRasterDataType(xta__gdal.GDALGetRasterBand(dataset, b)));
    }
    if (type == GDT_CInt16) {
        type = GDT_CFloat32;
    } else if (type == GDT_CInt32) {
        type = GDT_CFloat64;
    }
    *foreign = type;
    const char *kind = xta__gdal.GDALGetMetadataItem(first, "PIXELTYPE", "IMAGE_STRUCTURE");
    if (type == GDT_Byte && kind != NULL && strcmp(kind, "SIGNEDBYTE") == 0) {
        return XTA_I8;
    }
    for (xta_type ours = XTA_I8; ours <= XTA_C128; ours++) {
        bool signed_byte;
        if (xta__raster_type(ours, &signed_byte) == type && type != GDT_Unknown && !signed_byte) {
            return ours;
        }
    }
    return XTA_TYPE_SAME;
}

/* Where an ENVI file ends too early, GDAL reads zeros; here this is an error. */
static xta_status check_length(const raster_source *source, xta_error *err)
{
    struct stat facts;
    const char *driver =
        xta__gdal.GDALGetDriverShortName(xta__gdal.GDALGetDatasetDriver(source->dataset));
    const char *skipped = xta__gdal.GDALGetMetadataItem(source->dataset, "header_offset", "ENVI");
    const char *packed = xta__gdal.GDALGetMetadataItem(source->dataset, "file_compression", "ENVI");
    if (strcmp(driver, "ENVI") != 0 || stat(source->path, &facts) != 0 ||
        (packed != NULL && atoi(packed) != 0)) {
        return XTA_OK;
    }
    double need = (skipped != NULL ? atof(skipped) : 0) +
                  (double)source->cell_bytes * xta__gdal.GDALGetRasterXSize(source->dataset) *
                      (double)xta__gdal.GDALGetRasterYSize(source->dataset) *
                      (double)xta__gdal.GDALGetRasterCount(source->dataset);
    if ((double)facts.st_size < need) {
        return xta_error_set(err, XTA_EFORMAT, 0,
                             "%s: ends after %lld bytes; its header tells of %.0f", source->path,
                             (long long)facts.st_size, need);
    }
    return XTA_OK;
}

static xta_status describe_raster(raster_source *source, const bridge_target *target,
                                  bridge_description *what, xta_error *err)
{
    int n = xta__gdal.GDALGetRasterCount(source->dataset);
    if (n < 1) {
        return xta_error_set(err, XTA_EFORMAT, 0, "%s: has no bands", source->path);
    }
    what->type = type_of(source->dataset, &source->type);
    if (what->type == XTA_TYPE_SAME) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0, "%s: has cells of type %s, which XTA lacks",
                             source->path, xta__gdal.GDALGetDataTypeName(source->type));
    }
    what->cell_bytes = source->cell_bytes = xta_type_bytes(what->type);
    bool bands = n > 1 || (target->info != NULL && target->info->ndim >= 3);
    source->axes = bands ? (raster_axes){0, 1, 2} : (raster_axes){-1, 0, 1};
    what->ndim = bands ? 3 : 2;
    what->bounds[0] = n;
    what->bounds[source->axes.y] = xta__gdal.GDALGetRasterYSize(source->dataset);
    what->bounds[source->axes.x] = xta__gdal.GDALGetRasterXSize(source->dataset);
    what->name[source->axes.y] = xta__bridge_copy("y");
    what->name[source->axes.x] = xta__bridge_copy("x");
    if (bands) {
        what->name[0] = xta__bridge_copy("band");
    }
    bool good =
        what->name[0] != NULL && what->name[1] != NULL && xta__raster_read_attributes(source, what);
    return good ? check_length(source, err) : xta__bridge_no_memory(source->path, err);
}

/* ---- the functions of the format ---- */

static const char *const cells_endings[] = {"", ".img", ".dat", ".raw", ".bsq", ".bil", ".bip"};

/* The file of cells beside an ENVI header. NULL: none, or out of memory. */
static char *cells_of_header(const char *path)
{
    size_t n = strlen(path);
    struct stat facts;
    char suffix[16];
    xta__path_suffix(path, suffix);
    char *cells = strcmp(suffix, "hdr") == 0 ? malloc(n + 8) : NULL;
    for (size_t k = 0; cells != NULL && k < sizeof cells_endings / sizeof cells_endings[0]; k++) {
        snprintf(cells, n + 8, "%.*s%s", (int)(n - 4), path, cells_endings[k]);
        if (stat(cells, &facts) == 0 && S_ISREG(facts.st_mode)) {
            return cells;
        }
    }
    free(cells);
    return NULL;
}

/* Whether a file is an ENVI header, by its name and its first word. */
static bool is_envi_header(const char *path)
{
    char suffix[16], word[4] = "";
    xta__path_suffix(path, suffix);
    FILE *file = strcmp(suffix, "hdr") == 0 ? fopen(path, "rb") : NULL;
    bool is = file != NULL && fread(word, 1, sizeof word, file) == sizeof word &&
              memcmp(word, "ENVI", sizeof word) == 0;
    if (file != NULL) {
        fclose(file);
    }
    return is;
}

/* The error for a header without a file of cells under any of the names tried. */
static xta_status no_cells(const char *path, xta_error *err)
{
    char tried[200] = "";
    size_t at = 0;
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    for (size_t k = 0; k < sizeof cells_endings / sizeof cells_endings[0] && at < sizeof tried;
         k++) {
        at += (size_t)snprintf(tried + at, sizeof tried - at, "%s%.*s%s", k > 0 ? ", " : "",
                               (int)strlen(name) - 4, name, cells_endings[k]);
    }
    return xta_error_set(err, XTA_ENOENT, 0,
                         "%s: the file of cells that belongs to this header is missing; there is "
                         "none of %s; name the file of cells itself, with the header beside it as "
                         "FILE.hdr",
                         path, tried);
}

static bool gdal_sniff(const char *path, const unsigned char *head, size_t n_bytes)
{
    raster_log log;
    if (xta__gdal_load(path, NULL) != XTA_OK) {
        return true; // opening says why
    }
    xta__raster_catch(&log);
    char *cells = cells_of_header(path);
    char *local = xta__local_path(cells != NULL ? cells : path);
    bool known = local != NULL && xta__raster_is_known(local, head, n_bytes);
    xta__raster_release();
    free(local);
    known = known || (cells == NULL && is_envi_header(path));
    free(cells);
    return known;
}

static void gdal_close(void *state)
{
    raster_source *source = state;
    raster_log log;
    xta__raster_catch(&log);
    if (source->dataset != NULL) {
        xta__gdal.GDALClose(source->dataset);
    }
    xta__raster_release();
    free(source->path);
    free(source);
}

static xta_status gdal_open(const char *path, const xta_import_options *options,
                            const bridge_target *target, bridge_description *what, void **state,
                            xta_error *err)
{
    xta_status status = xta__gdal_load(path, err);
    raster_log log;
    if (status != XTA_OK) {
        return status;
    }
    raster_source *source = calloc(1, sizeof *source);
    xta__raster_catch(&log);
    char *cells = cells_of_header(path);
    if (cells == NULL && options->variable == NULL && is_envi_header(path)) {
        status = no_cells(path, err);
        goto done;
    }
    if (source != NULL) {
        source->path = xta__bridge_copy(cells != NULL ? cells : path);
    }
    free(cells);
    if (source == NULL || source->path == NULL) {
        status = xta__bridge_no_memory(path, err);
        goto done;
    }
    XTA_TRY(xta__raster_open(source->path, options->variable, options->trust, &log,
                             &source->dataset, err));
    XTA_TRY(describe_raster(source, target, what, err));
    *state = source;
    source = NULL;
done:
    xta__raster_release();
    if (source != NULL) {
        gdal_close(source);
    }
    return status;
}

static xta_status gdal_read(void *state, const xta_box *box, void *cells, xta_error *err)
{
    const raster_source *source = state;
    raster_log log;
    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    xta__raster_catch(&log);
    CPLErr result = xta__raster_move(source->dataset, GF_Read, box, &source->axes, cells,
                                     source->type, source->cell_bytes);
    xta__raster_release();
    return result == CE_None && !log.failed
               ? XTA_OK
               : xta__raster_failure(&log, source->path, "cannot read cells", err);
}

const bridge_format xta__bridge_gdal = {
    .name = "gdal",
    .summary =
        "gdal: rasters through GDAL: GeoTIFF (.tif), ENVI (.img, .dat, .bsq, .bil, .bip) and "
        "every other driver by its name, import and export",
    .suffixes = suffixes,
    .coordinates = coordinates,
    .sides = sides,
    .sniff = gdal_sniff,
    .accepts = xta__raster_accepts,
    .open = gdal_open,
    .read = gdal_read,
    .close = gdal_close,
    .create = xta__raster_create,
    .write = xta__raster_write,
    .finish = xta__raster_finish,
    .abandon = xta__raster_abandon,
};
