/* Cutting lists. The names are those that bridges take for lists (formats/src/description). Items
 * of a text are its lines.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/admin/axis_list.h"

#include <stdio.h>
#include <string.h>

#include "base/base.h"

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

/* Whether an attribute says of its own which cells it covers. */
static bool is_placed(xta_array *array, int axis, const char *name)
{
    char box[NAME_BYTES];
    xta_attribute placed;

    snprintf(box, sizeof box, "%.255s//box", name);
    return xta_attribute_get(array, axis, box, &placed, NULL) == XTA_OK;
}

void xta__axis_list_cut(xta_array *array, int axis, int64_t lo, int64_t hi,
                        xta_attribute *attribute)
{
    const xta_box bounds = xta_array_bounds(array);
    int64_t first = bounds.lo[axis], end = bounds.hi[axis];
    const char *values = attribute->values;

    if (!is_list(attribute->name) || lo < first || hi > end ||
        is_placed(array, axis, attribute->name)) {
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

/* Copy the lines of the cells; each ends with a newline. */
static size_t pick_lines(const char *text, size_t bytes, int64_t first, const int64_t cells[],
                         int64_t n, char *target)
{
    size_t used = 0;

    for (int64_t k = 0; k < n; k++) {
        size_t begin = skip_lines(text, bytes, cells[k] - first);
        size_t length = skip_lines(text + begin, bytes - begin, 1);
        memcpy(target + used, text + begin, length);
        used += length;
        if (length == 0 || target[used - 1] != '\n') {
            target[used++] = '\n';
        }
    }
    return used;
}

/* Bytes of the longest line, and of its end. */
static size_t longest_line(const char *text, size_t bytes)
{
    size_t longest = 1, begin = 0;

    for (size_t k = 0; k < bytes; k++) {
        longest = k + 2 - begin > longest ? k + 2 - begin : longest;
        begin = text[k] == '\n' ? k + 1 : begin;
    }
    return longest;
}

xta_status xta__axis_list_pick(xta_array *array, int axis, const int64_t cells[], int64_t n,
                               xta_attribute *attribute, void **memory, xta_error *err)
{
    const xta_box bounds = xta_array_bounds(array);
    int64_t first = bounds.lo[axis], length = bounds.hi[axis] - first;
    const char *values = attribute->values;
    bool text = attribute->type == XTA_TEXT;
    int64_t items = text ? count_lines(values, attribute->count) : (int64_t)attribute->count;
    size_t bytes = text ? longest_line(values, attribute->count) : attribute->cell_bytes;

    *memory = NULL;
    if (!is_list(attribute->name) || items != length || is_placed(array, axis, attribute->name)) {
        return XTA_OK;
    }
    char *target = xta__calloc((size_t)n + 1, bytes);
    if (target == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for %lld items of %s", (long long)n,
                         attribute->name);
    }
    for (int64_t k = 0; k < n && !text; k++) {
        memcpy(target + (size_t)k * bytes, values + (size_t)(cells[k] - first) * bytes, bytes);
    }
    attribute->count =
        text ? pick_lines(values, attribute->count, first, cells, n, target) : (size_t)n;
    target[text ? attribute->count : 0] = text ? '\0' : target[0];
    attribute->values = target;
    *memory = target;
    return XTA_OK;
}
