/* What the two halves of the raster bridge share. gdal.c reads, gdal_write.c writes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BRIDGE_RASTER_H
#define XTA_BRIDGE_RASTER_H

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <gdal.h>
#include <ogr_srs_api.h>

#include "description/format.h"

/* Names of attributes; see docs/decisions/0010-bridges.md. Items of GDAL's default metadata domain
 * have their plain names, those of another domain are gdal/DOMAIN/KEY; of a band they are spread
 * along the axis of bands, else they are on the array. */
#define GD             "gdal/"
#define GD_PROJECTION  "projection" /* WKT */
#define GD_NODATA      "nodata"     /* if it is the same for all bands */
#define GD_MAPPING     GD "axis_mapping"
#define GD_DRIVER      GD "driver"
#define GD_INTERLEAVE  GD "interleave" /* bsq, bil, bip */
#define GD_COMPRESSION GD "compression"
#define GD_BLOCK       GD "block" /* rows and columns of a tile; no columns: of a strip */
#define GD_NBITS       GD "nbits"
#define GD_COLORS      GD "color_table" /* of the only band: int16, four an entry */
#define GD_GCPS        GD "gcps"        /* five numbers each: column, row, x, y, z */
#define GD_GCP_SYSTEM  GD "gcp_projection"
#define GD_DESCRIPTION GD "description" /* of bands, as are the following: a line each */
#define GD_UNIT        GD "unit"
#define GD_COLOR       GD "color"
#define GD_SCALE       GD "scale"
#define GD_OFFSET      GD "offset"
#define GD_BAND_NODATA GD "band_nodata"
/* Names that do not depend on the driver. */
#define GD_REFLECTANCE   "reflectance_scale_factor" /* cells divided by it are reflectances */
#define GD_UNITS         "wavelength_units"
#define GD_CLASS_NAMES   "class_names"   /* a line for each class, from 0 */
#define GD_CLASS_COLOURS "class_colours" /* u8: red, green, blue of each class, from 0 */
/* KEY//text: the text of numbers that the numbers do not give back */
#define GD_TEXT         "//text"
#define GD_BAND         "band/" /* before names of bands' items where there is no axis of bands */
#define GD_NUMBER_BYTES 40

/* Errors of GDAL are caught, so that it prints nothing; the first one is kept. One per thread and
 * call. */
typedef struct raster_log {
    bool failed;
    char text[300];
} raster_log;

void xta__raster_catch(raster_log *log);
void xta__raster_release(void);
xta_status xta__raster_failure(const raster_log *log, const char *path, const char *what,
                               xta_error *err);

/* A number as the shortest text that gives it back. */
const char *xta__raster_number(double value, char text[GD_NUMBER_BYTES]);

/* Element types, with the signed bytes that older versions of the library keep as a kind of
 * Byte. */
GDALDataType xta__raster_type(xta_type type, bool *signed_byte);

/* Which place of a box is band, row and column; band may be -1. */
typedef struct raster_axes {
    int band;
    int y;
    int x;
} raster_axes;

/* The source of an import. */
typedef struct raster_source {
    GDALDatasetH dataset;
    char *path;
    GDALDataType type;
    size_t cell_bytes;
    raster_axes axes;
} raster_source;

/* The destination of an export. */
typedef struct raster_target {
    GDALDatasetH dataset;
    GDALDriverH driver;
    GDALDriverH
        final; /* of formats that can only be copied into: the driver of the copy, or NULL */
    char *path;
    char *final_path;
    const bridge_description *what; /* while creating */
    GDALDataType type;
    bool signed_byte;
    size_t cell_bytes;
    raster_axes axes;
    int n_bands;
    const char *interleave; /* "bsq", "bil", "bip" */
    char **header;          /* of ENVI: entries to set in it, or to take out ("") */
} raster_target;

/* ---- gdal_drivers.c ---- */

/* Whether a driver that opens nothing else knows this file, or one that we can name in the refusal.
 * `path` is one of xta__bridge_local. */
bool xta__raster_known(const char *path, const unsigned char *head, size_t n_bytes);
/* Open a raster, or the one of its subdatasets that `variable` names or numbers; `path` is for
 * messages. GDAL's errors are caught in `log`. */
xta_status xta__raster_open(const char *path, const char *variable, bool trust,
                            const raster_log *log, GDALDatasetH *out, xta_error *err);

/* ---- gdal_hdf4.c ---- */

/* Refuse an HDF4 file that names others to read cells from. Other files are let pass. */
xta_status xta__raster_hdf4_inside(const char *path, xta_error *err);

/* ---- gdal_describe.c ---- */

/* Everything but type and axes, which are there already. False: no memory. */
bool xta__raster_describe(const raster_source *source, bridge_description *what);

/* ---- gdal_spectral.c ---- */

#define RASTER_TEXT_BYTES 600

/* Bad bands, widths, scale, classes. False: no memory. */
bool xta__raster_describe_spectral(const raster_source *source, bridge_description *what);
/* Names and colours of classes, where the cells can be classes. */
void xta__raster_put_classes(const raster_target *target, GDALRasterBandH band);
/* The lines of a text, to be destroyed by CSLDestroy. */
char **xta__raster_lines(const bridge_attribute *a);
/* Whether GDAL's table and the colours of the classes agree, if there are both. */
bool xta__raster_same_colours(const bridge_description *what);
/* The numbers of a list of a header, "{1, 2}"; how many there are, 0 if there is anything else. */
size_t xta__raster_list(const char *text, double *numbers, size_t capacity);

/* ---- gdal_put.c ---- */

/* The item of band `band` (from 0) of an attribute, as text; "" if it has none. */
void xta__raster_band_text(const raster_target *target, const char *key, int band, char *text,
                           size_t capacity);
/* The same of an item of metadata that may be kept as numbers: as the source had it. */
void xta__raster_band_item(const raster_target *target, const char *key, int band, char *text,
                           size_t capacity);
/* Georeference, metadata, no-data and colors of a new dataset. What a driver cannot keep is
 * lost. */
void xta__raster_put(raster_target *target);

/* ---- gdal_envi.c ---- */

/* Plan the entries of the header that the driver would not write so. */
void xta__raster_envi_plan(raster_target *target, bool bands_have_names);
/* Cut the wavelength, which GDAL adds, off the name of a band. False if nothing is left. */
bool xta__raster_envi_band_name(const raster_target *target, int band, char *name);
/* Put the planned entries into the header that the driver has written. */
xta_status xta__raster_envi_finish(const raster_target *target, xta_error *err);

/* ---- gdal_write.c ---- */

bool xta__raster_driver_is(const raster_target *target, const char *name);
xta_status xta__raster_create(const char *path, const xta_export_options *options,
                              bridge_description *what, void **state, xta_error *err);
xta_status xta__raster_write(void *state, const xta_box *box, const void *cells, xta_error *err);
xta_status xta__raster_finish(void *state, xta_error *err);
void xta__raster_abandon(void *state);
bool xta__raster_takes(const char *format, const char *suffix);

/* Move a dense slab between memory and a dataset. */
CPLErr xta__raster_move(GDALDatasetH dataset, GDALRWFlag direction, const xta_box *box,
                        const raster_axes *axes, void *cells, GDALDataType type, size_t cell_bytes);

#endif
