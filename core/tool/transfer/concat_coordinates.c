/* Lists of numbers, or of lines of text.
 *
 * A list covers the bounds of its axis, or the cells that an attribute NAME//box says, which
 * bridges write. Regular coordinates (values//regular: origin and step) are computed as <xta/coordinates.h>
 * defines them: integers exactly, floats as one product and one sum in binary64, each rounded.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "transfer/concat_coordinates.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 264 // 255 and a suffix
#define TEXT_BYTES 128

const char *const cli_axis_lists[] = {
    "values",    "wavelength", "wavelengths",      "fwhm",       "bbl",         "gdal/description",
    "gdal/unit", "gdal/color", "gdal/band_nodata", "gdal/scale", "gdal/offset", NULL};

static const char regular_name[] = "values//regular";

void cli_axis_list_clear(cli_axis_list *list)
{
    free(list->values);
    list->values = NULL;
}

/* ---- numbers ---- */

static bool is_unsigned(xta_type type)
{
    return type == XTA_BOOL || type == XTA_U8 || type == XTA_U16 || type == XTA_U32 ||
           type == XTA_U64;
}

static bool is_real(xta_type type)
{
    return type == XTA_F16 || type == XTA_F32 || type == XTA_F64;
}

/* -1, 0 or 1 as `a` is less than `b`, equal or greater. */
static int compare_numbers(xta_type type, const void *a, const void *b)
{
    union {
        int64_t i;
        uint64_t u;
        double f;
    } x, y;
    xta_type wide = is_real(type) ? XTA_F64 : is_unsigned(type) ? XTA_U64 : XTA_I64;

    (void)!xta_type_convert(type, a, wide, &x, 1, NULL);
    (void)!xta_type_convert(type, b, wide, &y, 1, NULL);
    return wide == XTA_F64   ? (x.f > y.f) - (x.f < y.f)
           : wide == XTA_U64 ? (x.u > y.u) - (x.u < y.u)
                             : (x.i > y.i) - (x.i < y.i);
}

/* The regular coordinate of a cell. */
static xta_status regular_value(const cli_axis_list *list, int64_t cell, void *value)
{
    const uint8_t *rule = list->rule;
    int64_t origin = 0, step = 0;
    double parts[2];

    if (is_real(list->type)) {
        (void)!xta_type_convert(list->type, rule, XTA_F64, parts, 2, NULL);
        volatile double product = (double)cell * parts[1]; // rounded before it is added
        parts[0] += product;
        return xta_type_convert(XTA_F64, parts, list->type, value, 1, NULL);
    }
    (void)!xta_type_convert(list->type, rule, XTA_I64, &origin, 1, NULL);
    (void)!xta_type_convert(list->type, rule + list->cell_bytes, XTA_I64, &step, 1, NULL);
    if (__builtin_mul_overflow(cell, step, &step) ||
        __builtin_add_overflow(origin, step, &origin)) {
        return XTA_ERANGE;
    }
    return xta_type_convert(XTA_I64, &origin, list->type, value, 1, NULL);
}

/* ---- lines ---- */

/* The bytes before line number `line`. */
static size_t skip_lines(const uint8_t *text, size_t n, int64_t line)
{
    size_t at = 0;

    while (line > 0 && at < n) {
        line -= text[at++] == '\n';
    }
    return at;
}

static int64_t count_lines(const uint8_t *text, size_t n)
{
    int64_t lines = 0;

    for (size_t k = 0; k < n; k++) {
        lines += text[k] == '\n';
    }
    return lines + (n > 0 && text[n - 1] != '\n');
}

/* ---- reading ---- */

static xta_status no_memory(const cli_axis_list *list, cli_error *err)
{
    return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for the values of an axis", list->path);
}

static xta_status read_regular(const xta_attribute *attribute, cli_axis_list *list, cli_error *err)
{
    size_t n = (size_t)(list->hi - list->lo);

    list->type = attribute->type;
    list->cell_bytes = attribute->cell_bytes;
    if (attribute->count != 2 || attribute->cell_bytes > 8 || attribute->type == XTA_TEXT ||
        attribute->type == XTA_BYTES) {
        return cli_fail(err, XTA_ECORRUPT, 0, "%s: its attribute %s is not two numbers", list->path,
                        regular_name);
    }
    memcpy(list->rule, attribute->values, 2 * attribute->cell_bytes);
    list->regular = true;
    list->n_bytes = n * list->cell_bytes;
    list->values = malloc(list->n_bytes + 1);
    if (list->values == NULL) {
        return no_memory(list, err);
    }
    for (size_t k = 0; k < n; k++) {
        if (regular_value(list, list->lo + (int64_t)k, list->values + k * list->cell_bytes) !=
            XTA_OK) {
            return cli_fail(err, XTA_ERANGE, 0,
                            "%s: the coordinate of cell %" PRId64 " does not fit its type",
                            list->path, list->lo + (int64_t)k);
        }
    }
    return XTA_OK;
}

/* Whether an attribute NAME//box says which cells the `n` items of a list belong to; *first is the
 * first of them. */
static bool is_placed(xta_array *array, int axis, const char *name, int64_t n, int64_t *first)
{
    char box_name[NAME_BYTES];
    xta_attribute box;
    int64_t limits[2];

    snprintf(box_name, sizeof box_name, "%.255s//box", name);
    if (xta_attribute_get(array, axis, box_name, &box, NULL) != XTA_OK || box.type != XTA_I64 ||
        box.count != 2) {
        return false;
    }
    memcpy(limits, box.values, sizeof limits);
    *first = limits[0];
    return limits[1] - limits[0] == n;
}

xta_status cli_axis_list_read(xta_array *array, int axis, const char *name, cli_axis_list *list,
                              cli_error *err)
{
    xta_attribute attribute;

    if (strcmp(name, "values") == 0 &&
        xta_attribute_get(array, axis, regular_name, &attribute, NULL) == XTA_OK) {
        return read_regular(&attribute, list, err);
    }
    if (xta_attribute_get(array, axis, name, &attribute, NULL) != XTA_OK) {
        return XTA_OK;
    }
    const uint8_t *values = attribute.values;
    bool text = attribute.type == XTA_TEXT;
    int64_t n = text ? count_lines(values, attribute.count) : (int64_t)attribute.count;
    int64_t first = list->lo, length = list->hi - list->lo;
    bool placed = is_placed(array, axis, name, n, &first);
    int64_t from = placed ? list->lo - first : 0, to = from + length;
    if (from < 0 || to > n || (!placed && length != n)) {
        return cli_fail(err, XTA_EBOX, 0,
                        "%s: attribute %s of axis %d has %" PRId64 " items, the axis %" PRId64
                        " cells; give it one for each, or remove it",
                        list->path, name, axis, n, length);
    }
    list->type = attribute.type;
    list->cell_bytes = text ? 1 : attribute.cell_bytes;
    size_t begin =
        text ? skip_lines(values, attribute.count, from) : (size_t)from * list->cell_bytes;
    size_t end = text ? skip_lines(values, attribute.count, to) : (size_t)to * list->cell_bytes;
    list->n_bytes = end - begin;
    list->values = malloc(list->n_bytes + 2);
    if (list->values == NULL) {
        return no_memory(list, err);
    }
    memcpy(list->values, values + begin, list->n_bytes);
    if (text && list->n_bytes > 0 && list->values[list->n_bytes - 1] != '\n') {
        list->values[list->n_bytes++] = '\n';
    }
    return XTA_OK;
}

/* ---- sorting ---- */

/* 1: strictly ascending, -1: strictly descending, 0: neither. One value or none: 2. */
static int direction_of(const uint8_t *values, size_t n, xta_type type, size_t cell_bytes)
{
    int direction = 2;

    for (size_t k = 1; k < n; k++) {
        int step = compare_numbers(type, values + k * cell_bytes, values + (k - 1) * cell_bytes);
        if (step == 0 || (direction != 2 && step != direction)) {
            return 0;
        }
        direction = step;
    }
    return direction;
}

static size_t length_of(const cli_axis_list *list)
{
    return (size_t)(list->hi - list->lo);
}

xta_status cli_axis_lists_sort(const cli_axis_list lists[], size_t n, size_t order[],
                               cli_error *err)
{
    int direction = 2;

    for (size_t k = 0; k < n; k++) {
        const cli_axis_list *list = &lists[k];
        if (list->values == NULL || list->type == XTA_TEXT || length_of(list) == 0) {
            return cli_fail(
                err, XTA_EARG, 0,
                "%s: --sort needs numbers as coordinates of the axis; leave it out, and "
                "give the arrays in their order",
                list->path);
        }
        int own = direction_of(list->values, length_of(list), list->type, list->cell_bytes);
        if (own == 0 || (own != 2 && direction != 2 && own != direction) ||
            list->type != lists[0].type) {
            return cli_fail(err, XTA_EARG, 0,
                            "%s: its coordinates cannot be sorted with those of %s: they differ in "
                            "type or direction",
                            list->path, lists[0].path);
        }
        direction = own != 2 ? own : direction;
    }
    direction = direction == 2 ? 1 : direction;
    for (size_t k = 0; k < n; k++) {
        size_t at = k;
        while (at > 0 && direction * compare_numbers(lists[0].type, lists[k].values,
                                                     lists[order[at - 1]].values) <
                             0) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = k;
    }
    return XTA_OK;
}

/* ---- joining ---- */

/* All values of all lists. Of text, where each line begins as well. */
typedef struct joined_list {
    const cli_axis_list *lists;
    size_t n_lists, n;
    xta_type type;
    size_t cell_bytes, n_bytes;
    uint8_t *values;
    size_t *order; // numbers of values, to be sorted
} joined_list;

/* The list that value `k` comes from. */
static const cli_axis_list *source_of(const joined_list *joined, size_t k)
{
    const cli_axis_list *list = joined->lists;

    while (k >= length_of(list)) {
        k -= length_of(list++);
    }
    return list;
}

static void value_text(const joined_list *joined, size_t k, char text[TEXT_BYTES])
{
    if (joined->type == XTA_TEXT) {
        size_t begin = skip_lines(joined->values, joined->n_bytes, (int64_t)k);
        size_t end = skip_lines(joined->values, joined->n_bytes, (int64_t)k + 1) - 1;
        snprintf(text, TEXT_BYTES, "\"%.*s\"", (int)(end - begin < 100 ? end - begin : 100),
                 (const char *)joined->values + begin);
    } else {
        cli_value_text(joined->type, joined->cell_bytes, joined->values + k * joined->cell_bytes,
                       text);
    }
}

static xta_status fail_twice(const joined_list *joined, size_t a, size_t b, cli_error *err)
{
    char text[TEXT_BYTES];

    value_text(joined, a, text);
    return cli_fail(err, XTA_EARG, 0,
                    "%s: coordinate %s occurs twice, here and in %s; leave out the cells of one, "
                    "as with xta copy --box",
                    source_of(joined, a > b ? a : b)->path, text,
                    source_of(joined, a > b ? b : a)->path);
}

/* Heap sort of joined->order by value: qsort has no argument for the values. */
static void sift(const joined_list *joined, size_t root, size_t n)
{
    size_t *order = joined->order, bytes = joined->cell_bytes;

    for (size_t child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && compare_numbers(joined->type, joined->values + order[child] * bytes,
                                             joined->values + order[child + 1] * bytes) < 0) {
            child++;
        }
        if (compare_numbers(joined->type, joined->values + order[root] * bytes,
                            joined->values + order[child] * bytes) >= 0) {
            return;
        }
        size_t kept = order[root];
        order[root] = order[child];
        order[child] = kept;
    }
}

static xta_status check_unique_numbers(const joined_list *joined, cli_error *err)
{
    size_t *order = joined->order, n = joined->n, bytes = joined->cell_bytes;

    for (size_t k = 0; k < n; k++) {
        order[k] = k;
    }
    for (size_t k = n / 2; k-- > 0;) {
        sift(joined, k, n);
    }
    for (size_t last = n; last-- > 1;) {
        size_t kept = order[0];
        order[0] = order[last];
        order[last] = kept;
        sift(joined, 0, last);
    }
    for (size_t k = 1; k < n; k++) {
        if (compare_numbers(joined->type, joined->values + order[k - 1] * bytes,
                            joined->values + order[k] * bytes) == 0) {
            return fail_twice(joined, order[k - 1], order[k], err);
        }
    }
    return XTA_OK;
}

/* Names are few: each is compared with those before it. */
static xta_status check_unique_lines(const joined_list *joined, cli_error *err)
{
    const uint8_t *text = joined->values;

    for (size_t k = 0, at = 0; k < joined->n; k++) {
        size_t end = at + skip_lines(text + at, joined->n_bytes - at, 1);
        for (size_t other = 0, from = 0; other < k; other++) {
            size_t to = from + skip_lines(text + from, joined->n_bytes - from, 1);
            if (to - from == end - at && memcmp(text + from, text + at, end - at) == 0) {
                return fail_twice(joined, other, k, err);
            }
            from = to;
        }
        at = end;
    }
    return XTA_OK;
}

/* If each list ascends, or each descends, all together must. */
static xta_status check_monotonic(const joined_list *joined, cli_error *err)
{
    size_t bytes = joined->cell_bytes, at = 0;
    int direction = 2;
    char text[TEXT_BYTES], before[TEXT_BYTES];

    for (size_t k = 0; k < joined->n_lists; k++) {
        const cli_axis_list *list = &joined->lists[k];
        int own = direction_of(list->values, length_of(list), joined->type, bytes);
        if (own == 0 || (own != 2 && direction != 2 && own != direction)) {
            return XTA_OK; // coordinates without an order, such as numbers of stations
        }
        direction = own != 2 ? own : direction;
    }
    for (size_t k = 1; k < joined->n; k++) {
        int step = compare_numbers(joined->type, joined->values + k * bytes,
                                   joined->values + (k - 1) * bytes);
        direction = direction == 2 ? step : direction;
        at = step != direction && at == 0 ? k : at;
    }
    if (at == 0) {
        return XTA_OK;
    }
    value_text(joined, at, text);
    value_text(joined, at - 1, before);
    return cli_fail(err, XTA_EARG, 0,
                    "%s: coordinate %s does not continue those of %s, which end with %s; give the "
                    "arrays in another order, or --sort",
                    source_of(joined, at)->path, text, source_of(joined, at - 1)->path, before);
}

static xta_status join_values(joined_list *joined, const char *name, cli_error *err)
{
    for (size_t k = 0; k < joined->n_lists; k++) {
        const cli_axis_list *list = &joined->lists[k];
        if (list->values == NULL || list->type != joined->type ||
            list->cell_bytes != joined->cell_bytes) {
            return cli_fail(
                err, XTA_EARG, 0,
                "%s: the axis has %s \"%s\"%s%s, unlike that of %s; make them alike, or "
                "remove them",
                list->path, list->values == NULL ? "no" : "an attribute", name,
                list->values == NULL ? "" : " of type ",
                list->values == NULL ? "" : xta_type_name(list->type),
                joined->lists[k == 0 ? 1 : 0].path);
        }
        joined->n_bytes += list->n_bytes;
        joined->n += length_of(list);
    }
    joined->values = malloc(joined->n_bytes + 1);
    joined->order = malloc((joined->n + 1) * sizeof joined->order[0]);
    if (joined->values == NULL || joined->order == NULL) {
        return no_memory(joined->lists, err);
    }
    size_t at = 0;
    for (size_t k = 0; k < joined->n_lists; k++) {
        memcpy(joined->values + at, joined->lists[k].values, joined->lists[k].n_bytes);
        at += joined->lists[k].n_bytes;
    }
    return XTA_OK;
}

/* Whether the joined values are those that the rule of the first list gives its cells and the ones
 * behind them. */
static bool continues(const joined_list *joined)
{
    const cli_axis_list *first = &joined->lists[0];
    uint8_t value[8];

    for (size_t k = 0; k < joined->n_lists; k++) {
        if (!joined->lists[k].regular) {
            return false;
        }
    }
    for (size_t k = 0; k < joined->n; k++) {
        if (regular_value(first, first->lo + (int64_t)k, value) != XTA_OK ||
            memcmp(value, joined->values + k * joined->cell_bytes, joined->cell_bytes) != 0) {
            return false;
        }
    }
    return true;
}

/* Set the joined list, and remove what the array has of the first one's placement or rule. */
static xta_status set_list(const joined_list *joined, const char *name, xta_array *array, int axis,
                           cli_error *err)
{
    char box_name[NAME_BYTES];
    xta_attribute old;
    xta_attribute attribute = {.name = name,
                               .type = joined->type,
                               .cell_bytes = joined->cell_bytes,
                               .count = joined->type == XTA_TEXT ? joined->n_bytes : joined->n,
                               .values = joined->values};
    xta_status status = XTA_OK;

    snprintf(box_name, sizeof box_name, "%.255s//box", name);
    if (xta_attribute_get(array, axis, box_name, &old, NULL) == XTA_OK) {
        XTA_TRY(xta_attribute_remove(array, axis, box_name, &err->error));
    }
    if (joined->lists[0].regular) {
        XTA_TRY(xta_attribute_remove(array, axis, regular_name, &err->error));
    }
    status = xta_attribute_set(array, axis, &attribute, &err->error);
done:
    return status;
}

xta_status cli_axis_lists_join(const cli_axis_list lists[], size_t n, const char *name, bool unique,
                               xta_array *array, int axis, cli_error *err)
{
    joined_list joined = {.lists = lists, .n_lists = n};
    size_t with = 0;
    xta_status status = XTA_OK;

    while (with < n && lists[with].values == NULL) {
        with++;
    }
    if (with == n) {
        return XTA_OK;
    }
    joined.type = lists[with].type;
    joined.cell_bytes = lists[with].cell_bytes;
    XTA_TRY(join_values(&joined, name, err));
    if (unique && joined.type == XTA_TEXT) {
        XTA_TRY(check_unique_lines(&joined, err));
    } else if (unique && joined.type != XTA_BYTES) {
        XTA_TRY(check_unique_numbers(&joined, err));
        XTA_TRY(check_monotonic(&joined, err));
    }
    if (joined.type == XTA_TEXT || !continues(&joined)) {
        status = set_list(&joined, name, array, axis, err);
    }
done:
    free(joined.values);
    free(joined.order);
    return status;
}
