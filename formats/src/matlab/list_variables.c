/* The variables of a MATLAB file of version 4 or 5 (6 and 7 are 5, the latter compressed), and
 * where their cells lie.
 *
 * A file of version 5 has a header of 128 bytes, then elements one after the other, each preceded
 * by its kind and length: a matrix, or a compressed matrix. A matrix is made of elements, too:
 * flags, lengths of the axes, name, cells, cells of the imaginary parts. Cells may be stored in a
 * smaller type than the variable's class: MATLAB saves whole numbers of class double like this.
 *
 * A file of version 4 has variables one after the other: five numbers, the name, the cells.
 *
 * All lengths are compared with the length of the file before anything is read: the error for a
 * truncated file names the variable in which it ends.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "matlab/list_variables.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense_file.h"
#include "description/description.h"
#include "matlab/unpack.h"
#include "util/bytes.h"
#include "util/try.h"
#include "util/vector.h"

#define MOST_VARIABLES 100000
#define MOST_AXES      1000

static const char *const class_names[] = {
    "empty", "cell",  "struct", "object", "char",   "sparse", "double", "single",   "int8",
    "uint8", "int16", "uint16", "int32",  "uint32", "int64",  "uint64", "function", "opaque"};

static uint32_t byte_swapped(uint32_t value)
{
    return value >> 24 | (value >> 8 & 0xff00) | (value << 8 & 0xff0000) | value << 24;
}

/* Reads within one element, either in the file or in its decompressed bytes. */
typedef struct element_reader {
    const bridge_dense *file;
    bool swapped;
    uint64_t end; /* the end of the element */
} element_reader;

/* Kind and length of an element, and the offsets of its content and of the next element. Short
 * elements fit in one word. */
typedef struct tag {
    uint32_t kind;
    uint32_t n_bytes;
    uint64_t at;
    uint64_t next;
} tag;

static xta_status read_words(const element_reader *w, uint64_t at, uint32_t *out, int n,
                             xta_error *err)
{
    xta_status status = xta__dense_bytes(w->file, at, out, (size_t)n * 4, err);
    for (int k = 0; k < n && status == XTA_OK && w->swapped; k++) {
        out[k] = byte_swapped(out[k]);
    }
    return status;
}

static xta_status damaged_variable(const element_reader *w, const matlab_variable *v,
                                   const char *what, xta_error *err)
{
    return xta_error_set(err, XTA_EFORMAT, 0, "%s: variable '%s' is damaged: %s", w->file->path,
                         v->name[0] != '\0' ? v->name : "?", what);
}

static xta_status read_tag(const element_reader *w, const matlab_variable *v, uint64_t at, tag *out,
                           xta_error *err)
{
    uint32_t word[2];
    if (at > w->end || w->end - at < 8) {
        return damaged_variable(w, v, "it ends before its last part", err);
    }
    xta_status status = read_words(w, at, word, 2, err);
    if (status != XTA_OK) {
        return status;
    }
    bool brief = word[0] >> 16 != 0;
    out->kind = brief ? word[0] & 0xffff : word[0];
    out->n_bytes = brief ? word[0] >> 16 : word[1];
    out->at = at + (brief ? 4 : 8);
    out->next = brief ? at + 8 : out->at + (out->n_bytes + 7) / 8 * 8;
    if ((brief && out->n_bytes > 4) || out->n_bytes > w->end - out->at) {
        return damaged_variable(w, v, "a part of it is longer than the whole", err);
    }
    return XTA_OK;
}

static xta_type type_of(uint32_t kind)
{
    static const xta_type types[] = {
        [MI_INT8] = XTA_I8,   [MI_UINT8] = XTA_U8,   [MI_INT16] = XTA_I16,  [MI_UINT16] = XTA_U16,
        [MI_INT32] = XTA_I32, [MI_UINT32] = XTA_U32, [MI_SINGLE] = XTA_F32, [MI_DOUBLE] = XTA_F64,
        [MI_INT64] = XTA_I64, [MI_UINT64] = XTA_U64};
    return kind < sizeof types / sizeof types[0] ? types[kind] : XTA_TYPE_SAME;
}

/* Bytes of `cells` cells of a type; UINT64_MAX if the number does not fit in 63 bits. */
static uint64_t bytes_of(const matlab_variable *v, xta_type type)
{
    double about = (double)xta_type_bytes(type);
    uint64_t bytes = xta_type_bytes(type);
    for (int d = 0; d < v->ndim; d++) {
        about *= (double)v->bounds[d];
        bytes *= (uint64_t)v->bounds[d];
    }
    return about < 9e18 ? bytes : UINT64_MAX;
}

/* Locate the cells of one part, real or imaginary, whose element begins at `at`. */
static xta_status read_cells_element(const element_reader *w, matlab_variable *v, int part,
                                     uint64_t at, xta_error *err)
{
    tag cells = {0, 0, 0, 0};
    xta_status status = read_tag(w, v, at, &cells, err);
    if (status != XTA_OK) {
        return status;
    }
    v->stored[part] = type_of(cells.kind);
    if (v->stored[part] == XTA_TYPE_SAME) {
        return damaged_variable(w, v, "its cells are of a kind that does not exist", err);
    }
    if (bytes_of(v, v->stored[part]) != cells.n_bytes) {
        return damaged_variable(w, v, "it has more or fewer cells than its axes say", err);
    }
    v->place[part] = cells.at;
    v->n_bytes[part] = cells.n_bytes;
    v->next = cells.next;
    return XTA_OK;
}

static xta_status read_axes(const element_reader *w, matlab_variable *v, const tag *axes,
                            xta_error *err)
{
    uint32_t length[MATLAB_MOST_NDIM];
    if (axes->kind != MI_INT32 || axes->n_bytes % 4 != 0 || axes->n_bytes < 8 ||
        axes->n_bytes > MOST_AXES * 4) {
        return damaged_variable(w, v, "it does not tell the lengths of its axes", err);
    }
    v->ndim = (int)(axes->n_bytes / 4);
    int n = v->ndim < MATLAB_MOST_NDIM ? v->ndim : MATLAB_MOST_NDIM;
    xta_status status = read_words(w, axes->at, length, n, err);
    for (int d = 0; d < n && status == XTA_OK; d++) {
        v->bounds[d] = (int32_t)length[d];
        if (v->bounds[d] < 0) {
            return damaged_variable(w, v, "an axis has a negative length", err);
        }
    }
    return status;
}

/* Names are used in messages, which are single lines. */
static void end_name(matlab_variable *v, size_t n)
{
    v->name[n] = '\0';
    for (char *c = v->name; *c != '\0'; c++) {
        *c = iscntrl((unsigned char)*c) ? '?' : *c;
    }
}

static xta_status read_name(const element_reader *w, matlab_variable *v, const tag *name,
                            xta_error *err)
{
    if (name->kind != MI_INT8 || name->n_bytes >= MATLAB_NAME_BYTES) {
        return damaged_variable(w, v, "its name is none", err);
    }
    xta_status status = xta__dense_bytes(w->file, name->at, v->name, name->n_bytes, err);
    end_name(v, status == XTA_OK ? name->n_bytes : 0);
    return status;
}

/* Read a matrix whose content begins at `at`, except the imaginary parts, which follow the real
 * ones. */
static xta_status read_matrix(const element_reader *w, uint64_t at, matlab_variable *v,
                              xta_error *err)
{
    xta_status status = XTA_OK;
    uint32_t flags[2];
    tag t;
    XTA_TRY(read_tag(w, v, at, &t, err));
    if ((t.kind != MI_UINT32 && t.kind != MI_INT32) || t.n_bytes != 8) {
        status = damaged_variable(w, v, "it does not begin with its flags", err);
        goto done;
    }
    XTA_TRY(read_words(w, t.at, flags, 2, err));
    uint32_t class = flags[0] & 0xff;
    v->class_name = class <= MX_OPAQUE ? class_names[class] : "unknown";
    v->complex = (flags[0] & MX_COMPLEX) != 0;
    v->logical = (flags[0] & MX_LOGICAL) != 0;
    v->single = class == MX_SINGLE;
    XTA_TRY(read_tag(w, v, t.next, &t, err));
    if (class != MX_OPAQUE) { // an opaque one has no axes
        XTA_TRY(read_axes(w, v, &t, err));
        XTA_TRY(read_tag(w, v, t.next, &t, err));
    }
    XTA_TRY(read_name(w, v, &t, err));
    v->numeric = class >= MX_DOUBLE && class <= MX_UINT64 && v->ndim <= MATLAB_MOST_NDIM;
    if (v->numeric) {
        XTA_TRY(read_cells_element(w, v, 0, t.next, err));
    }
done:
    return status;
}

/* Read one top-level element. Names of variables are read even if the file is truncated, for the
 * message. */
static xta_status read_element(bridge_dense *file, const matlab_list *list, const tag *t,
                               matlab_variable *v, xta_error *err)
{
    xta_status status = XTA_OK;
    element_reader w = {file, list->swapped, t->at + t->n_bytes};
    tag inner;
    v->end = w.end;
    v->packed = t->kind == MI_COMPRESSED;
    if (!v->packed) {
        return read_matrix(&w, t->at, v, err);
    }
    v->at = t->at;
    v->n_packed = t->n_bytes;
    XTA_TRY(xta__matlab_unpack(file, v->at, v->n_packed, err));
    w.end = UINT64_MAX / 2;
    XTA_TRY(read_tag(&w, v, 0, &inner, err));
    if (inner.kind != MI_MATRIX) {
        status = damaged_variable(&w, v, "what is compressed is no matrix", err);
        goto done;
    }
    w.end = inner.at + inner.n_bytes;
    v->end = w.end;
    XTA_TRY(read_matrix(&w, inner.at, v, err));
done:
    xta__matlab_unpack_end(file);
    return status;
}

/* The error for a truncated file. If `name` is empty, the message gives the variable's number. */
static xta_status cut_short(const bridge_dense *file, const char *name, size_t number,
                            uint64_t file_bytes, uint64_t need, xta_error *err)
{
    char text[MATLAB_NAME_BYTES + 2];
    snprintf(text, sizeof text, "'%s'", name);
    if (name[0] == '\0') {
        snprintf(text, sizeof text, "number %zu", number);
    }
    return xta_error_set(err, XTA_EFORMAT, 0,
                         "%s: was cut off: it ends after %llu bytes, in the middle of variable %s, "
                         "which goes on to byte %llu at least; get the whole file",
                         file->path, (unsigned long long)file_bytes, text,
                         (unsigned long long)need);
}

/* Add a variable; capacities are powers of two, as in description/description.c. */
static matlab_variable *add_variable(matlab_list *list)
{
    size_t n = list->n;
    if (!XTA__RESERVE(list->variables, list->capacity, n + 1)) {
        return NULL;
    }
    memset(&list->variables[n], 0, sizeof *list->variables);
    list->n++;
    return &list->variables[n];
}

static xta_status list_v5(bridge_dense *file, uint64_t file_bytes, matlab_list *list,
                          xta_error *err)
{
    xta_status status = XTA_OK;
    uint64_t at = MATLAB_HEAD_BYTES;
    while (at < file_bytes && list->n < MOST_VARIABLES) {
        uint32_t word[2] = {0, 0};
        size_t n = file_bytes - at < 8 ? (size_t)(file_bytes - at) : 8;
        XTA_TRY(xta__dense_bytes(file, at, word, n, err));
        tag t = {list->swapped ? byte_swapped(word[0]) : word[0],
                 list->swapped ? byte_swapped(word[1]) : word[1], at + 8, 0};
        uint64_t left = n < 8 ? 0 : file_bytes - t.at;
        if (n < 8 || t.n_bytes > left) {
            matlab_variable cut = {.name = ""};
            uint64_t need = n < 8 ? t.at : t.at + t.n_bytes;
            t.n_bytes = (uint32_t)left; // the bytes that the file still has
            xta_status ignored = n < 8 ? XTA_OK : read_element(file, list, &t, &cut, NULL);
            (void)ignored; // the name may have been read, or not
            status = cut_short(file, cut.name, list->n + 1, file_bytes, need, err);
            goto done;
        }
        if (t.kind == MI_MATRIX || t.kind == MI_COMPRESSED) {
            matlab_variable *v = add_variable(list);
            if (v == NULL) {
                status = xta__bridge_no_memory(file->path, err);
                goto done;
            }
            XTA_TRY(read_element(file, list, &t, v, err));
            list->n -= v->name[0] == '\0'; // MATLAB's internal data have no name
        } else if (type_of(t.kind) == XTA_TYPE_SAME) {
            status = xta_error_set(err, XTA_EFORMAT, 0,
                                   "%s: is damaged: at byte %llu is an element of kind %u, which "
                                   "does not exist",
                                   file->path, (unsigned long long)at, (unsigned)t.kind);
            goto done;
        }
        at = t.at + t.n_bytes;
    }
done:
    return status;
}

/* ---- version 4 ---- */

static const struct {
    const char *name;
    uint32_t kind;
} kinds_v4[] = {{"double", MI_DOUBLE}, {"single", MI_SINGLE}, {"int32", MI_INT32},
                {"int16", MI_INT16},   {"uint16", MI_UINT16}, {"uint8", MI_UINT8}};

/* The first number of a variable has four digits: byte order, zero, type, kind of matrix. */
static bool is_type_v4(uint32_t type, uint32_t order)
{
    return type / 1000 == order && type / 100 % 10 == 0 && type / 10 % 10 < 6 && type % 10 < 3;
}

bool xta__matlab_is_v4(const unsigned char *head, size_t n_bytes)
{
    uint32_t word[5];
    if (n_bytes < 20) {
        return false;
    }
    memcpy(word, head, sizeof word);
    bool own = is_type_v4(word[0], XTA__BIG_ENDIAN ? 1 : 0);
    bool other = is_type_v4(byte_swapped(word[0]), XTA__BIG_ENDIAN ? 0 : 1);
    for (int k = 0; k < 5 && !own && other; k++) {
        word[k] = byte_swapped(word[k]);
    }
    return (own || other) && word[1] <= INT32_MAX && word[2] <= INT32_MAX && word[3] <= 1 &&
           word[4] >= 1 && word[4] < MATLAB_NAME_BYTES;
}

static xta_status read_v4(const element_reader *w, uint64_t at, matlab_variable *v, xta_error *err)
{
    xta_status status = XTA_OK;
    uint32_t word[5];
    XTA_TRY(read_words(w, at, word, 5, err));
    uint32_t type = word[0];
    if (!is_type_v4(type, type / 1000) || type > 2000 || word[1] > INT32_MAX ||
        word[2] > INT32_MAX || word[4] < 1 || word[4] >= MATLAB_NAME_BYTES) {
        status = damaged_variable(w, v, "what stands before it makes no sense", err);
        goto done;
    }
    v->class_name = type % 10 == 1   ? "char"
                    : type % 10 == 2 ? "sparse"
                                     : kinds_v4[type / 10 % 10].name;
    v->numeric = type % 10 == 0;
    v->complex = word[3] != 0;
    v->single = type / 10 % 10 == 1;
    v->ndim = 2;
    v->bounds[0] = word[1];
    v->bounds[1] = word[2];
    uint64_t name_end = at + 20 + word[4];
    if (name_end <= w->end) {
        XTA_TRY(xta__dense_bytes(w->file, at + 20, v->name, word[4], err));
        end_name(v, word[4]);
    }
    for (int part = 0; part < 2; part++) {
        v->stored[part] = type_of(kinds_v4[type / 10 % 10].kind);
        v->n_bytes[part] = bytes_of(v, v->stored[part]);
        v->place[part] = name_end + (part == 0 ? 0 : v->n_bytes[0]);
    }
    if (v->n_bytes[0] > INT64_MAX / 4) {
        status = damaged_variable(w, v, "its axes make no sense", err);
        goto done;
    }
    v->end = v->place[0] + (v->complex ? 2 : 1) * v->n_bytes[0];
done:
    return status;
}

static xta_status list_v4(bridge_dense *file, uint64_t file_bytes, matlab_list *list,
                          xta_error *err)
{
    xta_status status = XTA_OK;
    element_reader w = {file, list->swapped, file_bytes};
    uint64_t at = 0;
    while (at < file_bytes && list->n < MOST_VARIABLES) {
        if (file_bytes - at < 20) {
            status = cut_short(file, "", list->n + 1, file_bytes, at + 20, err);
            goto done;
        }
        matlab_variable *v = add_variable(list);
        if (v == NULL) {
            status = xta__bridge_no_memory(file->path, err);
            goto done;
        }
        XTA_TRY(read_v4(&w, at, v, err));
        if (v->end > file_bytes) {
            status = cut_short(file, v->name, list->n, file_bytes, v->end, err);
            goto done;
        }
        at = v->end;
    }
done:
    return status;
}

/* ---- both ---- */

bool xta__matlab_is_v5(const unsigned char *head, size_t n_bytes)
{
    bool little = n_bytes >= MATLAB_HEAD_BYTES && memcmp(head + 124, "\0\1IM", 4) == 0;
    bool big = n_bytes >= MATLAB_HEAD_BYTES && memcmp(head + 124, "\1\0MI", 4) == 0;
    return little || big;
}

xta_status xta__matlab_list_variables(bridge_dense *file, uint64_t file_bytes, matlab_list *list,
                                      xta_error *err)
{
    unsigned char head[MATLAB_HEAD_BYTES] = {0};
    size_t n = file_bytes < sizeof head ? (size_t)file_bytes : sizeof head;
    xta_status status = xta__dense_bytes(file, 0, head, n, err);
    bool big_host = XTA__BIG_ENDIAN;
    if (status != XTA_OK) {
        return status;
    }
    if (xta__matlab_is_v5(head, n)) {
        list->swapped = (head[126] == 'M') != big_host;
        return list_v5(file, file_bytes, list, err);
    }
    if (xta__matlab_is_v4(head, n)) {
        uint32_t type;
        memcpy(&type, head, sizeof type);
        list->swapped = !is_type_v4(type, big_host ? 1 : 0);
        return list_v4(file, file_bytes, list, err);
    }
    return xta_error_set(err, XTA_EFORMAT, 0,
                         "%s: is no MATLAB file of version 4 to 7.3, or was cut off in its first "
                         "%d bytes",
                         file->path, MATLAB_HEAD_BYTES);
}

xta_status xta__matlab_locate(bridge_dense *file, const matlab_list *list, matlab_variable *v,
                              xta_error *err)
{
    xta_status status = XTA_OK;
    element_reader w = {file, list->swapped, v->end};
    uint64_t n_bytes = 0;
    if (v->packed) {
        XTA_TRY(xta__matlab_unpack(file, v->at, v->n_packed, err));
        XTA_TRY(xta__matlab_unpack_all(file, v->name, v->end, &n_bytes, err));
        if (n_bytes < v->end) {
            status = damaged_variable(&w, v, "it unpacks to fewer bytes than it says", err);
            goto done;
        }
    }
    if (v->complex && v->place[1] == 0) { // version 4 has already set it
        XTA_TRY(read_cells_element(&w, v, 1, v->next, err));
    }
done:
    xta__matlab_unpack_end(file);
    return status;
}

/* "V (156 x 9025 double)", truncated to fit. */
static size_t list_one(const matlab_variable *v, char *text, size_t capacity)
{
    size_t n = (size_t)snprintf(text, capacity, "%s (", v->name);
    for (int d = 0; d < v->ndim && d < 4 && n < capacity; d++) {
        n += (size_t)snprintf(text + n, capacity - n, d == 0 ? "%lld" : "x%lld",
                              (long long)v->bounds[d]);
    }
    if (n < capacity) {
        n += (size_t)snprintf(text + n, capacity - n, "%s%s%s)", v->ndim > 4 ? "x..." : "",
                              v->ndim > 0 ? " " : "", v->class_name);
    }
    return n < capacity ? n : capacity - 1;
}

static void list_all(const matlab_list *list, char *text, size_t capacity)
{
    size_t n = 0;
    text[0] = '\0';
    for (size_t k = 0; k < list->n && n + 100 < capacity; k++) {
        n += (size_t)snprintf(text + n, capacity - n, "%s", k == 0 ? "" : ", ");
        n += list_one(&list->variables[k], text + n, capacity - n);
        if (n + 100 >= capacity && k + 1 < list->n) {
            snprintf(text + n, capacity - n, ", ...");
        }
    }
}

xta_status xta__matlab_select_variable(const matlab_list *list, const char *path, const char *name,
                                       matlab_variable **out, xta_error *err)
{
    char text[300];
    size_t n_numeric = 0;
    *out = NULL;
    for (size_t k = 0; k < list->n; k++) {
        matlab_variable *v = &list->variables[k];
        n_numeric += v->numeric;
        if (name != NULL ? strcmp(v->name, name) == 0 : v->numeric) {
            *out = v;
        }
    }
    list_all(list, text, sizeof text);
    if (list->n == 0) {
        return xta_error_set(err, XTA_ENOENT, 0, "%s: holds no variables", path);
    }
    if (name != NULL && *out == NULL) {
        return xta_error_set(err, XTA_ENOENT, 0, "%s: has no variable '%s'; it has: %s", path, name,
                             text);
    }
    if (name != NULL && !(*out)->numeric) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: variable '%s' is no full array of numbers with at most %d axes "
                             "but of class %s; name another one: %s",
                             path, name, XTA_MAX_NDIM, (*out)->class_name, text);
    }
    if (name == NULL && n_numeric == 0) {
        return xta_error_set(err, XTA_ENOENT, 0, "%s: has no array of numbers; it has: %s", path,
                             text);
    }
    if (name == NULL && n_numeric > 1) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: holds several arrays; name one (as %s:NAME): %s", path,
                             strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path, text);
    }
    return XTA_OK;
}
