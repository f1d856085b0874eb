/* The meaning of a stored number, from the attributes of rasters and of NetCDF variables.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quicklook/cell_meaning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts/array_facts.h"

/* A number as a cell of the array stores it: as a float, 1e20 is a different number. */
static double as_stored(xta_type type, double value)
{
    return type == XTA_F32 ? (double)(float)value : value;
}

static void add_missing(xta_array *array, const char *name, picture_meaning *meaning)
{
    xta_attribute a;
    double value;
    if (xta_attribute_get(array, XTA_ON_ARRAY, name, &a, NULL) != XTA_OK) {
        return;
    }
    for (size_t k = 0; xta__picture_attribute_number(&a, k, &value); k++) {
        if (meaning->n_missing < PICTURE_MOST_MISSING) {
            meaning->missing[meaning->n_missing++] = as_stored(xta_array_type(array), value);
        }
    }
}

/* Rasters have a scale for each band, NetCDF variables one for all cells. */
static void read_scale(xta_array *array, int band_axis, const picture_bands *bands,
                       const char *of_array, const char *of_band, double values[3])
{
    picture_series series = {NULL, 0, 0};
    double one;
    bool for_all = xta__picture_number(array, XTA_ON_ARRAY, of_array, &one);
    if (!for_all && band_axis >= 0 && !xta__picture_series(array, band_axis, of_band, &series)) {
        return;
    }
    for (int k = 0; k < bands->n; k++) {
        double value = for_all ? one : xta__picture_series_at(&series, bands->coord[k]);
        values[k] = isfinite(value) ? value : values[k];
    }
    xta__picture_series_clear(&series);
}

/* ENVI states one number for all bands: cells divided by it are reflectances. */
static double reflectance_scale(xta_array *array)
{
    static const char *const names[] = {"reflectance_scale_factor", "reflectance scale factor"};
    double scale = 0;
    for (int k = 0; k < 2 && !(scale > 0); k++) {
        if (!xta__picture_number(array, XTA_ON_ARRAY, names[k], &scale)) {
            char text[PICTURE_TEXT_BYTES];
            scale = xta__picture_text(array, XTA_ON_ARRAY, names[k], text) ? strtod(text, NULL) : 0;
        }
    }
    return scale > 0 && isfinite(scale) ? scale : 0;
}

/* How cells become physical values; the same rule as for scenes (hyper/src/scene/scale.c). */
static void read_scales(xta_array *array, int band_axis, const picture_bands *bands,
                        picture_meaning *meaning)
{
    double reflectance = reflectance_scale(array);
    for (int k = 0; k < 3; k++) {
        meaning->scale[k] = reflectance > 0 ? 1 / reflectance : 1;
    }
    if (reflectance > 0) {
        snprintf(meaning->label, sizeof meaning->label, "reflectance");
        return;
    }
    read_scale(array, band_axis, bands, "scale_factor", "gdal/scale", meaning->scale);
    read_scale(array, band_axis, bands, "add_offset", "gdal/offset", meaning->offset);
}

/* Without a name or a unit, the legend says how values follow from cells. */
static void label_scale(const picture_bands *bands, picture_meaning *meaning)
{
    double scale = meaning->scale[0], offset = meaning->offset[0];
    bool uniform = true;
    for (int k = 1; k < bands->n; k++) {
        uniform = uniform && meaning->scale[k] == scale && meaning->offset[k] == offset;
    }
    if (!uniform) {
        snprintf(meaning->label, sizeof meaning->label, "physical value (each band has its scale)");
    } else if (offset != 0) {
        snprintf(meaning->label, sizeof meaning->label, "cell value \u00d7 %g %s %g", scale,
                 offset < 0 ? "\u2212" : "+", fabs(offset));
    } else if (scale != 1) {
        snprintf(meaning->label, sizeof meaning->label, "cell value \u00d7 %g", scale);
    }
}

void xta__picture_meaning(xta_array *array, int band_axis, const picture_bands *bands,
                          picture_meaning *meaning)
{
    memset(meaning, 0, sizeof *meaning);
    read_scales(array, band_axis, bands, meaning);
    if (xta_type_convert(xta_array_type(array), xta_array_fill_value(array), XTA_F64,
                         &meaning->fill, 1, NULL) != XTA_OK) {
        meaning->fill = NAN;
    }
    add_missing(array, "_FillValue", meaning);
    add_missing(array, "missing_value", meaning);
    add_missing(array, "nodata", meaning);
    add_missing(array, "data ignore value", meaning);
    char name[PICTURE_TEXT_BYTES];
    if (meaning->label[0] == '\0' &&
        (xta__picture_text(array, XTA_ON_ARRAY, "long_name", name) ||
         xta__picture_text(array, XTA_ON_ARRAY, "standard_name", name))) {
        memcpy(meaning->label, name, sizeof name);
    }
    bool reflectance = reflectance_scale(array) > 0; // has no unit
    if (!reflectance && !xta__picture_text(array, XTA_ON_ARRAY, "units", meaning->unit)) {
        xta__picture_text(array, XTA_ON_ARRAY, "unit", meaning->unit);
    }
    char raw[PICTURE_TEXT_BYTES];
    memcpy(raw, meaning->unit, sizeof raw);
    const char *pretty = xta__picture_unit_text(raw);
    xta__picture_copy_text(pretty, strlen(pretty), meaning->unit);
    if (meaning->label[0] == '\0' && meaning->unit[0] == '\0') {
        label_scale(bands, meaning);
    }
}

bool xta__picture_is_missing(const picture_meaning *meaning, double value)
{
    bool missing = isnan(value);
    for (int k = 0; k < meaning->n_missing; k++) {
        missing = missing || value == meaning->missing[k];
    }
    return missing;
}
