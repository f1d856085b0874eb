/* NetCDF files in the format CDF-5.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "flat/layout/cdf.h"

#include <stdlib.h>
#include <string.h>

#include "flat/layout/byte_swap.h"
#include "util/bytes.h"
#include "util/checked.h"
#include "util/compiler.h"
#include "util/vector.h"

/* The tags of the header. */
enum { TAG_DIMENSIONS = 10, TAG_VARIABLES = 11, TAG_ATTRIBUTES = 12 };

static const struct {
    xta_type ours;
    int type;
} types[] = {
    {XTA_I8, 1},  {XTA_BOOL, 1}, {XTA_BYTES, 2}, {XTA_TEXT, 2}, {XTA_I16, 3},
    {XTA_I32, 4}, {XTA_F32, 5},  {XTA_F16, 5},   {XTA_F64, 6},  {XTA_U8, 7},
    {XTA_U16, 8}, {XTA_U32, 9},  {XTA_I64, 10},  {XTA_U64, 11},
};

int xta__cdf_type(xta_type type)
{
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        if (types[k].ours == type) {
            return types[k].type;
        }
    }
    return 0;
}

size_t xta__cdf_type_bytes(int type)
{
    static const size_t bytes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};

    return bytes[type];
}

/* ---- names ---- */

char *xta__cdf_legal_name(const char *name, const char *otherwise)
{
    char *legal = xta__strdup(name[0] != '\0' ? name : otherwise);
    size_t n = legal != NULL ? strlen(legal) : 0;

    for (size_t at = 0; at < n; at++) {
        at += xta__clean_bytes(legal + at, n - at, false);
        if (at < n) {
            legal[at] = '_';
        }
    }
    for (size_t k = 0; k < n; k++) {
        legal[k] = legal[k] == '/' ? '_' : legal[k];
    }
    for (; n > 0 && legal[n - 1] == ' '; n--) {
        legal[n - 1] = '_';
    }
    return legal;
}

/* ---- lists ---- */

static void attributes_clear(xta__cdf_attributes *list)
{
    for (size_t k = 0; k < list->n; k++) {
        free(list->items[k].name);
        free(list->items[k].bytes);
    }
    free(list->items);
}

void xta__cdf_clear(xta__cdf *file)
{
    for (size_t k = 0; k < file->n_dimensions; k++) {
        free(file->dimensions[k].name);
    }
    for (size_t k = 0; k < file->n_variables; k++) {
        free(file->variables[k].name);
        attributes_clear(&file->variables[k].attributes);
    }
    attributes_clear(&file->global);
    free(file->dimensions);
    free(file->variables);
    memset(file, 0, sizeof *file);
}

/* A copy of a name, with underscores behind it as long as others have it. Names that differ here
 * may be one when they are made legal, and a reader sees one of two only. */
static char *unused_name(const xta__cdf *file, const char *name,
                         bool (*used)(const xta__cdf *file, const char *name))
{
    size_t n = strlen(name);
    char *copy = malloc(n + file->n_dimensions + file->n_variables + 2);

    if (copy != NULL) {
        memcpy(copy, name, n + 1);
    }
    while (copy != NULL && used(file, copy)) { // as often as there are others
        copy[n++] = '_';
        copy[n] = '\0';
    }
    return copy;
}

static bool has_dimension(const xta__cdf *file, const char *name)
{
    size_t number = 0;

    return xta__cdf_find_dimension(file, name, &number);
}

bool xta__cdf_add_dimension(xta__cdf *file, const char *name, uint64_t length, size_t *number)
{
    char *copy = unused_name(file, name, has_dimension);

    if (copy == NULL ||
        !XTA__RESERVE(file->dimensions, file->dimensions_capacity, file->n_dimensions + 1)) {
        free(copy);
        return false;
    }
    *number = file->n_dimensions++;
    file->dimensions[*number] = (xta__cdf_dimension){copy, length};
    return true;
}

bool xta__cdf_find_dimension(const xta__cdf *file, const char *name, size_t *number)
{
    for (size_t k = 0; k < file->n_dimensions; k++) {
        if (strcmp(file->dimensions[k].name, name) == 0) {
            *number = k;
            return true;
        }
    }
    return false;
}

xta__cdf_variable *xta__cdf_add_variable(xta__cdf *file, const char *name, int type)
{
    char *copy = unused_name(file, name, xta__cdf_has_variable);

    if (copy == NULL ||
        !XTA__RESERVE(file->variables, file->variables_capacity, file->n_variables + 1)) {
        free(copy);
        return NULL;
    }
    xta__cdf_variable *v = &file->variables[file->n_variables++];
    *v = (xta__cdf_variable){.name = copy, .type = type};
    return v;
}

bool xta__cdf_has_variable(const xta__cdf *file, const char *name)
{
    for (size_t k = 0; k < file->n_variables; k++) {
        if (strcmp(file->variables[k].name, name) == 0) {
            return true;
        }
    }
    return false;
}

bool xta__cdf_has_attribute(const xta__cdf_attributes *list, const char *name)
{
    for (size_t k = 0; k < list->n; k++) {
        if (strcmp(list->items[k].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool add_bytes(xta__cdf_attributes *list, const char *name, int type, uint64_t count,
                      uint8_t *bytes, size_t n_bytes)
{
    char *copy = xta__strdup(name);

    if (copy == NULL || !XTA__RESERVE(list->items, list->capacity, list->n + 1)) {
        free(copy);
        free(bytes);
        return false;
    }
    list->items[list->n++] = (xta__cdf_attribute){copy, type, count, bytes, n_bytes};
    return true;
}

bool xta__cdf_add_attribute(xta__cdf_attributes *list, const char *name, int type, xta_type from,
                            const void *values, size_t n_values)
{
    static const xta_type wide[] = {0,       XTA_I8, 0,       XTA_I16, XTA_I32, XTA_F32,
                                    XTA_F64, XTA_U8, XTA_U16, XTA_U32, XTA_I64, XTA_U64};
    size_t unit = xta__cdf_type_bytes(type);
    uint8_t *bytes = xta__calloc(n_values + 1, unit);

    if (bytes == NULL) {
        return false;
    }
    if (xta_type_convert(from, values, wide[type], bytes, n_values, NULL) != XTA_OK) {
        free(bytes); // no number of this type is right
        return true;
    }
    if (!XTA__BIG_ENDIAN) {
        xta__swap_numbers(bytes, n_values * unit, unit);
    }
    return add_bytes(list, name, type, n_values, bytes, n_values * unit);
}

bool xta__cdf_add_text(xta__cdf_attributes *list, const char *name, const char *text,
                       size_t n_bytes)
{
    uint8_t *bytes = malloc(n_bytes + 1);

    if (bytes == NULL) {
        return false;
    }
    memcpy(bytes, text, n_bytes);
    return add_bytes(list, name, XTA__CDF_CHAR, n_bytes, bytes, n_bytes);
}

/* ---- places ---- */

/* The one dimension that may be without cells; the number of dimensions if there is none. False:
 * there are several, and `*record` is the second. */
static bool find_record(const xta__cdf *file, size_t *record)
{
    bool any = false;

    *record = file->n_dimensions;
    for (size_t k = 0; k < file->n_dimensions; k++) {
        if (file->dimensions[k].length == 0) {
            *record = k;
            if (any) {
                return false;
            }
            any = true;
        }
    }
    return true;
}

/* Bytes of the values of a variable; of one record of them, if it has records. */
static bool count_bytes(const xta__cdf *file, const xta__cdf_variable *v, size_t record,
                        uint64_t *n_bytes)
{
    *n_bytes = xta__cdf_type_bytes(v->type);
    for (int d = 0; d < v->ndim; d++) {
        uint64_t length = file->dimensions[v->dimension[d]].length;
        if (v->dimension[d] != record && !xta__mul_u64(*n_bytes, length, n_bytes)) {
            return false;
        }
    }
    return *n_bytes < XTA__OFFSET_LIMIT;
}

static uint64_t rounded_up(uint64_t n, uint64_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static bool is_record(const xta__cdf_variable *v, size_t record)
{
    return v->ndim > 0 && v->dimension[0] == record;
}

static xta_status place_values(xta__cdf *file, uint64_t at, size_t record, uint64_t *end,
                               const char **why)
{
    for (size_t k = 0; k < file->n_variables; k++) {
        xta__cdf_variable *v = &file->variables[k];
        for (int d = 1; d < v->ndim; d++) {
            if (v->dimension[d] == record) {
                *why = file->dimensions[record].name;
                return XTA_EUNSUPPORTED;
            }
        }
        if (!count_bytes(file, v, record, &v->n_bytes)) {
            return XTA_EOVERFLOW;
        }
        v->begin = at;
        if (!is_record(v, record)) {
            at = rounded_up(at + v->n_bytes, XTA__CDF_ALIGNMENT);
        }
        if (at >= XTA__OFFSET_LIMIT) {
            return XTA_EOVERFLOW;
        }
    }
    for (size_t k = 0; k < file->n_variables; k++) {
        if (is_record(&file->variables[k], record)) {
            file->variables[k].begin = at; // behind all others
        }
    }
    *end = at;
    return XTA_OK;
}

/* ---- the header ---- */

static void put_number(xta__text *header, uint64_t number, size_t n_bytes)
{
    uint8_t bytes[8];

    for (size_t k = 0; k < n_bytes; k++) {
        bytes[k] = (uint8_t)(number >> (8 * (n_bytes - 1 - k)));
    }
    xta__text_add(header, bytes, n_bytes);
}

static void put_padded(xta__text *header, const void *bytes, size_t n_bytes)
{
    xta__text_add(header, bytes, n_bytes);
    xta__text_add(header, "\0\0\0", (4 - n_bytes % 4) % 4);
}

static void put_name(xta__text *header, const char *name)
{
    put_number(header, strlen(name), 8);
    put_padded(header, name, strlen(name));
}

static void put_list(xta__text *header, uint64_t tag, size_t n)
{
    put_number(header, n > 0 ? tag : 0, 4);
    put_number(header, n, 8);
}

static void put_attributes(xta__text *header, const xta__cdf_attributes *list)
{
    put_list(header, TAG_ATTRIBUTES, list->n);
    for (size_t k = 0; k < list->n; k++) {
        const xta__cdf_attribute *a = &list->items[k];
        put_name(header, a->name);
        put_number(header, (uint64_t)a->type, 4);
        put_number(header, a->count, 8);
        put_padded(header, a->bytes, a->n_bytes);
    }
}

static void put_header(const xta__cdf *file, xta__text *header)
{
    xta__text_add(header, "CDF\5", 4);
    put_number(header, 0, 8); // records
    put_list(header, TAG_DIMENSIONS, file->n_dimensions);
    for (size_t k = 0; k < file->n_dimensions; k++) {
        put_name(header, file->dimensions[k].name);
        put_number(header, file->dimensions[k].length, 8);
    }
    put_attributes(header, &file->global);
    put_list(header, TAG_VARIABLES, file->n_variables);
    for (size_t k = 0; k < file->n_variables; k++) {
        const xta__cdf_variable *v = &file->variables[k];
        put_name(header, v->name);
        put_number(header, (uint64_t)v->ndim, 8);
        for (int d = 0; d < v->ndim; d++) {
            put_number(header, v->dimension[d], 8);
        }
        put_attributes(header, &v->attributes);
        put_number(header, (uint64_t)v->type, 4);
        put_number(header, rounded_up(v->n_bytes, 4), 8);
        put_number(header, v->begin, 8);
    }
}

xta_status xta__cdf_place(xta__cdf *file, xta__text *header, uint64_t *n_bytes, const char **why)
{
    size_t record = 0;

    if (!find_record(file, &record)) {
        *why = file->dimensions[record].name;
        return XTA_EUNSUPPORTED;
    }
    put_header(file, header); // once to know its length, which does not depend on the places
    uint64_t first = rounded_up(header->n, XTA__CDF_ALIGNMENT);
    xta_status status = place_values(file, first, record, n_bytes, why);
    if (status != XTA_OK) {
        return status;
    }
    header->n = 0;
    put_header(file, header);
    return header->failed ? XTA_ENOMEM : XTA_OK;
}
