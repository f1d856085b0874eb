/* A data set as CDL, the notation of ncdump -h.
 *
 * What NetCDF has no words for stands in comments: bounds that do not begin at 0, origin and step
 * of regular coordinates, types of cells that NetCDF does not have. Attributes whose names have a
 * slash describe files, and are left out: no name in NetCDF has one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "inquiry/dataset_cdl.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kit/value.h"

/* Where output goes, and how deep in groups it is. */
typedef struct cdl {
    FILE *out;
    int depth;
    cli_error *err;
} cdl;

static void indent(const cdl *c, int more)
{
    for (int k = 0; k < c->depth * 2; k++) {
        fputc(' ', c->out);
    }
    for (int k = 0; k < more; k++) {
        fputc('\t', c->out);
    }
}

/* Names in CDL: a backslash before what is no letter, digit or one of _.@+- */
static void print_name(const cdl *c, const char *name)
{
    for (const char *at = name; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;
        bool digit = byte >= '0' && byte <= '9';
        bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte >= 0x80 ||
                     byte == '_' || (digit && at > name);
        if (!plain && (at == name || strchr(".@+-", byte) == NULL)) {
            fputc('\\', c->out);
        }
        fputc(byte, c->out);
    }
}

static void print_text(const cdl *c, const char *text, size_t n)
{
    fputc('"', c->out);
    for (size_t k = 0; k < n; k++) {
        unsigned char byte = (unsigned char)text[k];
        if (byte == '\n') {
            fputs("\\n", c->out);
        } else if (byte == '\t') {
            fputs("\\t", c->out);
        } else if (byte == '"' || byte == '\\') {
            fprintf(c->out, "\\%c", byte);
        } else if (byte < 0x20 || byte == 0x7f) {
            fprintf(c->out, "\\%03o", byte);
        } else {
            fputc(byte, c->out);
        }
    }
    fputc('"', c->out);
}

/* ---- types ---- */

/* A type of XTA, its name in CDL and what follows a number. */
static const struct {
    xta_type type;
    const char *name, *suffix;
} types[] = {
    {XTA_BOOL, "byte", "b"}, {XTA_I8, "byte", "b"},     {XTA_U8, "ubyte", "ub"},
    {XTA_I16, "short", "s"}, {XTA_U16, "ushort", "us"}, {XTA_I32, "int", ""},
    {XTA_U32, "uint", "u"},  {XTA_I64, "int64", "ll"},  {XTA_U64, "uint64", "ull"},
    {XTA_F32, "float", "f"}, {XTA_F64, "double", ""},
};

/* -1: NetCDF has no such numbers. */
static int find_type(xta_type type)
{
    for (int k = 0; k < (int)CLI_COUNT(types); k++) {
        if (types[k].type == type) {
            return k;
        }
    }
    return -1;
}

/* ---- attributes ---- */

static void print_number(const cdl *c, xta_type type, const void *value)
{
    char text[64];
    int k = find_type(type);
    size_t n = cli_value_text(type, xta_type_bytes(type), value, text);

    text[n] = '\0';
    if (strcmp(text, "nan") == 0) {
        strcpy(text, "NaN");
    } else if (strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0) {
        strcpy(text, text[0] == '-' ? "-Infinity" : "Infinity");
    } else if ((type == XTA_F32 || type == XTA_F64) && strpbrk(text, ".e") == NULL) {
        strcat(text, ".");
    }
    fprintf(c->out, "%s%s", text, types[k].suffix);
}

/* Texts of NetCDF's string type are one text with their lengths in `NAME//string`. */
static void print_strings(const cdl *c, const xta_attribute *text, const xta_attribute *lengths)
{
    const int64_t *length = lengths->values;
    size_t at = 0;

    for (size_t k = 0; k < lengths->count; k++) {
        size_t n = length[k] >= 0 && at + (size_t)length[k] <= text->count ? (size_t)length[k] : 0;
        fputs(k > 0 ? ", " : "", c->out);
        print_text(c, (const char *)text->values + (at <= text->count ? at : 0), n);
        at += n + 1;
    }
}

static void print_attribute(const cdl *c, const char *owner, const xta_attribute *a,
                            const xta_attribute *lengths)
{
    if (strchr(a->name, '/') != NULL || (a->type != XTA_TEXT && find_type(a->type) < 0)) {
        return;
    }
    indent(c, 2);
    fputs(lengths != NULL ? "string " : "", c->out);
    print_name(c, owner);
    fputc(':', c->out);
    print_name(c, a->name);
    fputs(" = ", c->out);
    if (lengths != NULL) {
        print_strings(c, a, lengths);
    } else if (a->type == XTA_TEXT) {
        print_text(c, a->values, a->count);
    }
    for (size_t k = 0; k < a->count && a->type != XTA_TEXT; k++) {
        fputs(k > 0 ? ", " : "", c->out);
        print_number(c, a->type, (const char *)a->values + k * a->cell_bytes);
    }
    fputs(" ;\n", c->out);
}

/* The lengths of the strings of a text attribute, if it is one of these. */
static bool strings_of(const xta_attribute *a, xta_status found, const xta_attribute *lengths)
{
    return found == XTA_OK && a->type == XTA_TEXT && lengths->type == XTA_I64 && lengths->count > 0;
}

static xta_status print_attributes_of_set(const cdl *c, xta_dataset *set, const char *dimension)
{
    xta_status status = XTA_OK;
    xta_attribute a, lengths;
    char mark[300];

    for (size_t k = 0; k < xta_dataset_attribute_count(set, dimension); k++) {
        XTA_TRY(xta_dataset_attribute_at(set, dimension, k, &a, &c->err->error));
        snprintf(mark, sizeof mark, "%.280s//string", a.name);
        xta_status found = xta_dataset_attribute(set, dimension, mark, &lengths, NULL);
        print_attribute(c, dimension != NULL ? dimension : "", &a,
                        strings_of(&a, found, &lengths) ? &lengths : NULL);
    }
done:
    return status;
}

static xta_status print_attributes_of_array(const cdl *c, xta_array *array, const char *name)
{
    xta_status status = XTA_OK;
    xta_attribute a, lengths;
    char mark[300];

    for (size_t k = 0; k < xta_attribute_count(array, XTA_ON_ARRAY); k++) {
        XTA_TRY(xta_attribute_at(array, XTA_ON_ARRAY, k, &a, &c->err->error));
        snprintf(mark, sizeof mark, "%.280s//string", a.name);
        xta_status found = xta_attribute_get(array, XTA_ON_ARRAY, mark, &lengths, NULL);
        print_attribute(c, name, &a, strings_of(&a, found, &lengths) ? &lengths : NULL);
    }
done:
    return status;
}

/* ---- dimensions and variables ---- */

static xta_status print_dimensions(const cdl *c, xta_dataset *set)
{
    xta_status status = XTA_OK;
    xta_dimension d;
    size_t n = 0;

    XTA_TRY(xta_dataset_dimension_count(set, &n, &c->err->error));
    if (n > 0) {
        indent(c, 0);
        fputs("dimensions:\n", c->out);
    }
    for (size_t k = 0; k < n; k++) {
        XTA_TRY(xta_dataset_dimension_at(set, k, &d, &c->err->error));
        indent(c, 1);
        print_name(c, d.name);
        if (d.unlimited || d.lo == d.hi) {
            fprintf(c->out, " = UNLIMITED ; // (%" PRId64 " currently)", d.hi - d.lo);
        } else {
            fprintf(c->out, " = %" PRId64 " ;", d.hi - d.lo);
        }
        if (d.lo != 0) {
            fprintf(c->out, " // cells %" PRId64 " to %" PRId64, d.lo, d.hi - 1);
        }
        fputc('\n', c->out);
    }
done:
    return status;
}

static void print_regular(const cdl *c, const xta_dimension *d)
{
    bool real = d->regular.type == XTA_F32 || d->regular.type == XTA_F64;
    const xta_type type = real ? XTA_F64 : XTA_I64;

    indent(c, 1);
    fprintf(c->out, "%s ", types[find_type(d->regular.type)].name);
    print_name(c, d->name);
    fputc('(', c->out);
    print_name(c, d->name);
    fputs(") ; // ", c->out);
    print_number(c, type, &d->regular.origin);
    fputs(" + cell * ", c->out);
    print_number(c, type, &d->regular.step);
    fputc('\n', c->out);
}

static xta_status print_variable(const cdl *c, xta_dataset *set, const char *name)
{
    xta_status status = XTA_OK;
    xta_array *array = NULL;
    xta_attribute mark;

    XTA_TRY(xta_dataset_member(set, name, &array, &c->err->error));
    xta_type type = xta_array_type(array);
    size_t bytes = xta_array_cell_bytes(array);
    bool strings = type == XTA_BYTES &&
                   xta_attribute_get(array, XTA_ON_ARRAY, "netcdf/strings", &mark, NULL) == XTA_OK;
    int k = find_type(type);
    bool known = k >= 0 || strings || (type == XTA_BYTES && bytes == 1);

    indent(c, 1);
    fprintf(c->out, "%s%s ", known ? "" : "// ",
            strings  ? "string"
            : k >= 0 ? types[k].name
            : known  ? "char"
                     : xta_type_name(type));
    print_name(c, name);
    const char *separator = "(";
    for (int axis = 0; axis < xta_array_ndim(array); axis++) {
        if (xta_axis_name(array, axis)[0] != '\0') {
            fputs(separator, c->out);
            print_name(c, xta_axis_name(array, axis));
            separator = ", ";
        }
    }
    fputs(separator[0] == ',' ? ") ;\n" : " ;\n", c->out);
    if (known) {
        XTA_TRY(print_attributes_of_array(c, array, name));
    }
done:
    return status;
}

static xta_status print_variables(const cdl *c, xta_dataset *set)
{
    xta_status status = XTA_OK;
    xta_dimension d;
    size_t n = 0, n_members = xta_dataset_member_count(set);
    bool begun = false;

    XTA_TRY(xta_dataset_dimension_count(set, &n, &c->err->error));
    for (size_t k = 0; k < n + n_members; k++) {
        if (k < n) {
            XTA_TRY(xta_dataset_dimension_at(set, k, &d, &c->err->error));
        }
        if (k < n && d.coordinates != XTA_COORDINATES_REGULAR) {
            continue;
        }
        if (!begun) {
            indent(c, 0);
            fputs("variables:\n", c->out);
            begun = true;
        }
        if (k < n) {
            print_regular(c, &d);
            XTA_TRY(print_attributes_of_set(c, set, d.name));
        } else {
            XTA_TRY(print_variable(c, set, xta_dataset_member_name(set, k - n)));
        }
    }
done:
    return status;
}

/* ---- groups ---- */

static xta_status print_group(const cdl *c, xta_dataset *set)
{
    xta_status status = XTA_OK;
    xta_dataset *inner = NULL;
    cdl deeper = {c->out, c->depth + 1, c->err};

    XTA_TRY(print_dimensions(c, set));
    XTA_TRY(print_variables(c, set));
    if (xta_dataset_attribute_count(set, NULL) > 0) {
        fputc('\n', c->out);
        indent(c, 0);
        fprintf(c->out, "// %s attributes:\n", c->depth > 0 ? "group" : "global");
        XTA_TRY(print_attributes_of_set(c, set, NULL));
    }
    for (size_t k = 0; k < xta_dataset_group_count(set); k++) {
        const char *name = xta_dataset_group_name(set, k);
        XTA_TRY(xta_dataset_group(set, name, false, &inner, &c->err->error));
        fputc('\n', c->out);
        indent(c, 0);
        fputs("group: ", c->out);
        print_name(c, name);
        fputs(" {\n", c->out);
        XTA_TRY(print_group(&deeper, inner));
        indent(&deeper, 0);
        fputs("} // group ", c->out);
        print_name(c, name);
        fputc('\n', c->out);
        xta_dataset_close(inner, NULL);
        inner = NULL;
    }
done:
    xta_dataset_close(inner, NULL);
    return status;
}

xta_status cli_print_dataset(FILE *out, const char *folder, cli_error *err)
{
    xta_dataset *set = NULL;
    const cdl c = {out, 0, err};
    xta_status status = XTA_OK;

    XTA_TRY(xta_dataset_open(folder, NULL, &set, &err->error));
    const char *slash = strrchr(xta_dataset_path(set), '/');
    fputs("netcdf ", out);
    print_name(&c, slash != NULL && slash[1] != '\0' ? slash + 1 : xta_dataset_path(set));
    fputs(" {\n", out);
    XTA_TRY(print_group(&c, set));
    fputs("}\n", out);
done:
    xta_dataset_close(set, NULL);
    return status;
}
