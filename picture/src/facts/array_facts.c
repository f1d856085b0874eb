/* What an array says about itself: attributes as numbers and texts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "facts/array_facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool find_attribute(xta_array *array, int axis, const char *name, xta_attribute *attribute)
{
    return xta_attribute_get(array, axis, name, attribute, NULL) == XTA_OK;
}

bool xta__picture_attribute_number(const xta_attribute *a, size_t k, double *value)
{
    if (a->type == XTA_TEXT || a->type == XTA_BYTES || k >= a->count) {
        return false;
    }
    const char *at = (const char *)a->values + k * a->cell_bytes;
    return xta_type_convert(a->type, at, XTA_F64, value, 1, NULL) == XTA_OK;
}

bool xta__picture_number(xta_array *array, int axis, const char *name, double *value)
{
    xta_attribute a;
    return find_attribute(array, axis, name, &a) && xta__picture_attribute_number(&a, 0, value);
}

void xta__picture_copy_text(const char *from, size_t n, char text[PICTURE_TEXT_BYTES])
{
    if (n > PICTURE_TEXT_BYTES - 1) {
        n = PICTURE_TEXT_BYTES - 1;
        while (n > 0 && ((unsigned char)from[n] & 0xc0) == 0x80) {
            n--;
        }
    }
    for (size_t k = 0; k < n; k++) {
        text[k] = (unsigned char)from[k] < 32 ? ' ' : from[k];
    }
    text[n] = '\0';
}

bool xta__picture_text(xta_array *array, int axis, const char *name, char text[PICTURE_TEXT_BYTES])
{
    xta_attribute a;
    text[0] = '\0';
    if (!find_attribute(array, axis, name, &a) || a.type != XTA_TEXT || a.count == 0) {
        return false;
    }
    xta__picture_copy_text(a.values, strlen(a.values), text);
    return true;
}

void xta__picture_title(xta_array *array, const char *given, char text[PICTURE_TEXT_BYTES])
{
    const char *path = xta_array_path(array);
    const char *slash = strrchr(path, '/');
    const char *name = given != NULL ? given : slash != NULL ? slash + 1 : path;
    if (name[0] == '\0' && given == NULL) {
        name = "array in memory";
    }
    xta__picture_copy_text(name, strlen(name), text);
}

void xta__picture_axis_name(xta_array *array, int axis, char text[PICTURE_TEXT_BYTES])
{
    const char *name = xta_axis_name(array, axis);
    if (name[0] != '\0') {
        xta__picture_copy_text(name, strlen(name), text);
    } else {
        snprintf(text, PICTURE_TEXT_BYTES, "axis %d", axis);
    }
}

void xta__picture_shape_text(xta_array *array, const xta_box *box, uint32_t left_out,
                             char text[PICTURE_TEXT_BYTES])
{
    size_t n = 0;
    text[0] = '\0';
    for (int axis = 0; axis < box->ndim && n < PICTURE_TEXT_BYTES - 1; axis++) {
        char count[32];
        const char *name = xta_axis_name(array, axis);
        if (left_out >> axis & 1) {
            continue;
        }
        xta__picture_count_text((uint64_t)(box->hi[axis] - box->lo[axis]), count);
        int more = snprintf(text + n, PICTURE_TEXT_BYTES - n, "%s%s%s%s", n > 0 ? " \u00d7 " : "",
                            count, name[0] != '\0' ? " " : "", name);
        n += more > 0 ? (size_t)more : 0;
    }
}

/* ---- numbers along an axis ---- */

/* Numbers may be stored as text, one line for each, as metadata of bands often is. */
static size_t n_lines(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++) {
        n += *text == '\n' || text[1] == '\0';
    }
    return n;
}

static void read_lines(const char *text, size_t n, double values[])
{
    for (size_t k = 0; k < n; k++) {
        char *end = NULL;
        double value = strtod(text, &end);
        values[k] = end > text && end <= text + strcspn(text, "\n") ? value : NAN;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
}

/* Find the coordinate of the first number. The box of an imported attribute is in NAME//box: the
 * last box with as many items counts. Numbers set by hand belong to the bounds if the counts
 * match. */
static bool series_begins(xta_array *array, int axis, const char *name, int64_t n, int64_t *lo)
{
    xta_attribute list;
    xta_box bounds = xta_array_bounds(array);
    char key[256];
    snprintf(key, sizeof key, "%s//box", name);
    if (!find_attribute(array, axis, key, &list)) {
        *lo = bounds.lo[axis];
        return n == bounds.hi[axis] - bounds.lo[axis];
    }
    for (size_t k = list.count / 2; k-- > 0 && list.type == XTA_I64;) {
        int64_t pair[2];
        memcpy(pair, (const char *)list.values + k * sizeof pair, sizeof pair);
        if (pair[1] > pair[0] && (uint64_t)pair[1] - (uint64_t)pair[0] == (uint64_t)n) {
            *lo = pair[0];
            return true;
        }
    }
    return false;
}

bool xta__picture_series(xta_array *array, int axis, const char *name, picture_series *series)
{
    xta_attribute a;
    char key[256];
    memset(series, 0, sizeof *series);
    snprintf(key, sizeof key, "%s//dimensions", name);
    if (find_attribute(array, axis, key, &a) || !find_attribute(array, axis, name, &a) ||
        a.type == XTA_BYTES || a.count < 1) {
        return true;
    }
    size_t n = a.type == XTA_TEXT ? n_lines(a.values) : a.count;
    if (!series_begins(array, axis, name, (int64_t)n, &series->lo)) {
        return true;
    }
    series->values = malloc((n + 1) * sizeof *series->values);
    if (series->values == NULL) {
        return false;
    }
    if (a.type == XTA_TEXT) {
        read_lines(a.values, n, series->values);
    }
    for (size_t k = 0; k < n && a.type != XTA_TEXT; k++) {
        if (!xta__picture_attribute_number(&a, k, &series->values[k])) {
            series->values[k] = NAN;
        }
    }
    series->n = (int64_t)n;
    return true;
}

double xta__picture_series_at(const picture_series *series, int64_t coord)
{
    return coord >= series->lo && coord - series->lo < series->n
               ? series->values[coord - series->lo]
               : NAN;
}

void xta__picture_series_clear(picture_series *series)
{
    free(series->values);
    memset(series, 0, sizeof *series);
}
