/* Attributes that are spread along axes: one item for each cell of a box.
 *
 * Items are numbers, or the lines of a text (each ended by a newline). One loop serves both to cut
 * a box out of an attribute and to merge two attributes that cover different cells: it looks up
 * every item of the requested box, and an item that neither has becomes NaN, zero or an empty line.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "description/spread_attributes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"

#define MOST_ITEMS ((size_t)1 << 30)

size_t xta__spread_items(int ndim, const int64_t lo[], const int64_t hi[])
{
    size_t n = 1;
    for (int d = 0; d < ndim; d++) {
        if (hi[d] <= lo[d] || (uint64_t)(hi[d] - lo[d]) > MOST_ITEMS / n) {
            return 0;
        }
        n *= (size_t)(hi[d] - lo[d]);
    }
    return n;
}

size_t xta__text_n_lines(const char *text, size_t n_bytes)
{
    size_t n = 0;
    for (size_t k = 0; k < n_bytes; k++) {
        n += text[k] == '\n';
    }
    return n;
}

const char *xta__text_line(const char *text, size_t k, size_t *length)
{
    for (; k > 0 && text != NULL; k--) {
        const char *end = strchr(text, '\n');
        text = end != NULL ? end + 1 : NULL;
    }
    if (text == NULL) {
        *length = 0;
        return "";
    }
    *length = strcspn(text, "\n");
    return text;
}

/* Index of the item at `coord`, or -1 if the attribute does not cover it. */
static int64_t item_at(const bridge_attribute *a, const int64_t coord[])
{
    int64_t item = 0;
    for (int d = 0; d < a->ndim; d++) {
        if (coord[d] < a->lo[d] || coord[d] >= a->hi[d]) {
            return -1;
        }
        item = item * (a->hi[d] - a->lo[d]) + (coord[d] - a->lo[d]);
    }
    return item;
}

/* The beginning of each line of a text; the last entry is the end of the text. */
static const char **line_starts(const bridge_attribute *a)
{
    const char *text = a->values;
    size_t n = xta__text_n_lines(text, a->count);
    const char **starts = malloc((n + 1) * sizeof *starts);
    if (starts == NULL) {
        return NULL;
    }
    starts[0] = text;
    for (size_t k = 1; k <= n; k++) {
        starts[k] = (const char *)memchr(starts[k - 1], '\n', a->count) + 1;
    }
    return starts;
}

static void next_coord(int64_t coord[], int ndim, const int64_t lo[], const int64_t hi[])
{
    for (int d = ndim - 1; d >= 0; d--) {
        if (++coord[d] < hi[d]) {
            return;
        }
        coord[d] = lo[d];
    }
}

/* The value of an item that is missing. */
static void put_gap(xta_type type, size_t cell_bytes, char *at)
{
    float f = NAN;
    double d = NAN;
    memset(at, 0, cell_bytes);
    if (type == XTA_F32) {
        memcpy(at, &f, sizeof f);
    } else if (type == XTA_F64) {
        memcpy(at, &d, sizeof d);
    }
}

static void *cut_numbers(const bridge_attribute *a, const bridge_attribute *over,
                         const int64_t lo[], const int64_t hi[], size_t n)
{
    int64_t coord[BRIDGE_SPREAD_NDIM];
    char *out = malloc(n * a->cell_bytes + 1);
    if (out == NULL) {
        return NULL;
    }
    memcpy(coord, lo, (size_t)a->ndim * sizeof coord[0]);
    for (size_t k = 0; k < n; k++) {
        char *at = out + k * a->cell_bytes;
        int64_t upper = over != NULL ? item_at(over, coord) : -1;
        int64_t lower = item_at(a, coord);
        if (upper >= 0) {
            memcpy(at, (const char *)over->values + (size_t)upper * a->cell_bytes, a->cell_bytes);
        } else if (lower >= 0) {
            memcpy(at, (const char *)a->values + (size_t)lower * a->cell_bytes, a->cell_bytes);
        } else {
            put_gap(a->type, a->cell_bytes, at);
        }
        next_coord(coord, a->ndim, lo, hi);
    }
    return out;
}

static void *cut_lines(const bridge_attribute *a, const bridge_attribute *over, const int64_t lo[],
                       const int64_t hi[], size_t n, size_t *count)
{
    int64_t coord[BRIDGE_SPREAD_NDIM];
    const char **lower_lines = line_starts(a);
    const char **upper_lines = over != NULL ? line_starts(over) : NULL;
    char *out = malloc(a->count + (over != NULL ? over->count : 0) + n + 1);
    char *end = out;
    if (lower_lines == NULL || (over != NULL && upper_lines == NULL) || out == NULL) {
        free(out);
        out = NULL;
        goto done;
    }
    memcpy(coord, lo, (size_t)a->ndim * sizeof coord[0]);
    for (size_t k = 0; k < n; k++) {
        int64_t upper = over != NULL ? item_at(over, coord) : -1;
        int64_t lower = item_at(a, coord);
        const char **lines = upper >= 0 ? upper_lines : lower_lines;
        int64_t item = upper >= 0 ? upper : lower;
        if (item >= 0) {
            size_t length = (size_t)(lines[item + 1] - lines[item]);
            memcpy(end, lines[item], length);
            end += length;
        } else {
            *end++ = '\n';
        }
        next_coord(coord, a->ndim, lo, hi);
    }
    *end = '\0';
    *count = (size_t)(end - out);
done:
    free(lower_lines);
    free(upper_lines);
    return out;
}

void *xta__spread_cut(const bridge_attribute *a, const bridge_attribute *over, const int64_t lo[],
                      const int64_t hi[], size_t *count)
{
    size_t n = xta__spread_items(a->ndim, lo, hi);
    *count = n;
    if (a->type == XTA_TEXT) {
        return cut_lines(a, over, lo, hi, n, count);
    }
    return cut_numbers(a, over, lo, hi, n);
}

size_t xta__text_find_line(const char *lines, const char *name)
{
    size_t n = lines != NULL ? xta__text_n_lines(lines, strlen(lines)) : 0;
    for (size_t k = 0; k < n; k++) {
        size_t length;
        const char *line = xta__text_line(lines, k, &length);
        if (length == strlen(name) && memcmp(line, name, length) == 0) {
            return k;
        }
    }
    return n;
}
