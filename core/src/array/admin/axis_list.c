/* Cutting lists. The names are those that bridges take for lists (formats/src/description). Items
 * of a text are its lines.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/admin/axis_list.h"

#include <stdio.h>
#include <string.h>

#define NAME_BYTES 264 // 255 and a suffix

static bool is_list(const char *name)
{
    static const char *const names[] = {"values",     "wavelength", "wavelengths",
                                        "fwhm",       "bbl",        "gdal/description",
                                        "gdal/unit",  "gdal/color", "gdal/band_nodata",
                                        "gdal/scale", "gdal/offset"};

    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (strcmp(names[k], name) == 0) {
            return true;
        }
    }
    return false;
}

/* Lines; the last one may lack its newline. */
static int64_t count_lines(const char *text, size_t n)
{
    int64_t lines = 0;

    for (size_t k = 0; k < n; k++) {
        lines += text[k] == '\n';
    }
    return lines + (n > 0 && text[n - 1] != '\n');
}

/* The bytes before line number `line`. */
static size_t skip_lines(const char *text, size_t n, int64_t line)
{
    size_t at = 0;

    while (line > 0 && at < n) {
        line -= text[at++] == '\n';
    }
    return at;
}

void xta__axis_list_cut(xta_array *array, int axis, int64_t lo, int64_t hi,
                        xta_attribute *attribute)
{
    const xta_box bounds = xta_array_bounds(array);
    int64_t first = bounds.lo[axis], end = bounds.hi[axis];
    const char *values = attribute->values;
    char box[NAME_BYTES];
    xta_attribute placed;

    snprintf(box, sizeof box, "%.255s//box", attribute->name);
    if (!is_list(attribute->name) || lo < first || hi > end ||
        xta_attribute_get(array, axis, box, &placed, NULL) == XTA_OK) {
        return;
    }
    if (attribute->type == XTA_TEXT) {
        if (count_lines(values, attribute->count) == end - first) {
            size_t begin = skip_lines(values, attribute->count, lo - first);
            attribute->count = skip_lines(values, attribute->count, hi - first) - begin;
            attribute->values = values + begin;
        }
    } else if (attribute->count == (size_t)(end - first)) {
        attribute->values = values + (size_t)(lo - first) * attribute->cell_bytes;
        attribute->count = (size_t)(hi - lo);
    }
}
