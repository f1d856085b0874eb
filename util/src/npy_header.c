/* The header of an .npy file: a Python literal such as
 *
 *     {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
 *
 * Pure: bytes in, a plain value out, and back. The reader accepts the three keys in any order and
 * nothing else. Every byte may be wrong, so each step is checked, and no length is trusted.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "util/npy_header.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "util/bytes.h"
#include "util/compiler.h"

#define MOST_BYTES_OF_A_CELL 65535
/* NumPy leaves space for the growing length to reach this many digits. */
#define GROWTH_DIGITS 21

typedef struct reader {
    const char *at;
    const char *end;
} reader;

static void skip_space(reader *r)
{
    while (r->at < r->end && isspace((unsigned char)*r->at)) {
        r->at++;
    }
}

/* Consume one character if it comes next. */
static bool take(reader *r, char wanted)
{
    skip_space(r);
    if (r->at < r->end && *r->at == wanted) {
        r->at++;
        return true;
    }
    return false;
}

/* Consume a quoted string without escapes. */
static bool take_string(reader *r, char *out, size_t capacity)
{
    size_t n = 0;
    skip_space(r);
    if (r->at >= r->end || (*r->at != '\'' && *r->at != '"')) {
        return false;
    }
    char quote = *r->at++;
    for (; r->at < r->end && *r->at != quote; r->at++) {
        if (*r->at == '\\' || *r->at == '\0' || n + 1 >= capacity) {
            return false;
        }
        out[n++] = *r->at;
    }
    out[n] = '\0';
    return r->at < r->end && *r->at++ == quote;
}

static bool consume_word(reader *r, const char *word)
{
    size_t n = strlen(word);
    skip_space(r);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0) {
        return false;
    }
    r->at += n;
    return true;
}

static bool consume_number(reader *r, int64_t *out)
{
    int64_t value = 0;
    skip_space(r);
    if (r->at >= r->end || !isdigit((unsigned char)*r->at)) {
        return false;
    }
    for (; r->at < r->end && isdigit((unsigned char)*r->at); r->at++) {
        if (value > (INT64_MAX - 9) / 10) {
            return false;
        }
        value = value * 10 + (*r->at - '0');
    }
    if (r->at < r->end && *r->at == 'L') { // as Python 2 wrote long integers
        r->at++;
    }
    *out = value;
    return true;
}

static const char *parse_shape(reader *r, xta__npy_header *header)
{
    if (!take(r, '(')) {
        return "'shape' is not a tuple";
    }
    while (!take(r, ')')) {
        int64_t n;
        if (!consume_number(r, &n)) {
            return "'shape' holds something that is not a length";
        }
        if (header->ndim == XTA_MAX_NDIM) {
            return "has more than 32 axes";
        }
        header->shape[header->ndim++] = n;
        if (!take(r, ',') && (r->at >= r->end || *r->at != ')')) {
            return "'shape' is not a tuple";
        }
    }
    return NULL;
}

/* The types that NumPy and XTA have in common, by kind and bytes; the first entry of a type gives
 * its name. */
static const struct {
    char kind;
    unsigned char bytes;
    unsigned char unit; /* bytes of one number, to which the byte order applies */
    xta_type type;
} types[] = {
    {'b', 1, 1, XTA_BOOL}, {'i', 1, 1, XTA_I8},    {'i', 2, 2, XTA_I16}, {'i', 4, 4, XTA_I32},
    {'i', 8, 8, XTA_I64},  {'u', 1, 1, XTA_U8},    {'u', 2, 2, XTA_U16}, {'u', 4, 4, XTA_U32},
    {'u', 8, 8, XTA_U64},  {'f', 2, 2, XTA_F16},   {'f', 4, 4, XTA_F32}, {'f', 8, 8, XTA_F64},
    {'c', 8, 4, XTA_C64},  {'c', 16, 8, XTA_C128}, {'M', 8, 8, XTA_I64}, {'m', 8, 8, XTA_I64},
};

enum { N_TYPES = sizeof types / sizeof types[0] };

/* Byte order, kind, length, and for times a unit in brackets: "<f8", "|S5", ">M8[ns]". */
static const char *parse_descr(const char *descr, xta__npy_header *header)
{
    reader r = {descr, descr + strlen(descr)};
    int64_t bytes;
    char order = *r.at;
    if (order == '<' || order == '>' || order == '|' || order == '=') {
        r.at++;
    }
    header->big_endian = order == '>' || (order == '=' && XTA__BIG_ENDIAN);
    if (strlen(r.at) >= sizeof header->descr) {
        return "'descr' is too long";
    }
    strcpy(header->descr, r.at);
    char kind = *r.at;
    if (kind != '\0') {
        r.at++;
    }
    if (kind == 'O') {
        return "holds Python objects, which are not cells of a fixed length";
    }
    if (!consume_number(&r, &bytes)) {
        return "'descr' is not a type";
    }
    if (kind == 'S' || kind == 'V' || kind == 'a' || kind == 'U') {
        header->type = XTA_BYTES;
        header->unit_bytes = kind == 'U' ? 4 : 1;
        if (bytes < 1 || bytes > MOST_BYTES_OF_A_CELL / (int64_t)header->unit_bytes) {
            return "cells of bytes must have 1 to 65535 of them";
        }
        header->cell_bytes = (size_t)bytes * header->unit_bytes;
    } else {
        size_t k = 0;
        while (k < N_TYPES && (types[k].kind != kind || types[k].bytes != bytes)) {
            k++;
        }
        if (k == N_TYPES) {
            return "has an element type that XTA does not have";
        }
        header->type = types[k].type;
        header->cell_bytes = types[k].bytes;
        header->unit_bytes = types[k].unit;
    }
    bool time = kind == 'M' || kind == 'm';
    return r.at == r.end || (time && *r.at == '[') ? NULL : "'descr' is not a type";
}

static const char *take_descr(reader *r, xta__npy_header *header)
{
    char descr[sizeof header->descr + 1];
    skip_space(r);
    if (r->at < r->end && (*r->at == '[' || *r->at == '(' || *r->at == '{')) {
        return "has a structured dtype; save each field on its own, as in np.save(f, a['field'])";
    }
    if (!take_string(r, descr, sizeof descr)) {
        return "'descr' is not a string";
    }
    return parse_descr(descr, header);
}

static const char *take_order(reader *r, xta__npy_header *header)
{
    header->fortran = consume_word(r, "True");
    if (!header->fortran && !consume_word(r, "False")) {
        return "'fortran_order' is neither True nor False";
    }
    return NULL;
}

xta_status xta__npy_parse(const char *text, size_t n, xta__npy_header *header, const char **why)
{
    static const struct {
        const char *key;
        const char *(*value)(reader *r, xta__npy_header *header);
    } keys[] = {{"descr", take_descr}, {"fortran_order", take_order}, {"shape", parse_shape}};
    reader r = {text, text + n};
    char key[32];
    unsigned seen = 0;

    memset(header, 0, sizeof *header);
    *why = take(&r, '{') ? NULL : "the header is not a Python dictionary";
    while (*why == NULL && !take(&r, '}')) {
        int which = -1;
        bool good = take_string(&r, key, sizeof key) && take(&r, ':');
        for (int k = 0; good && k < 3; k++) {
            which = strcmp(key, keys[k].key) == 0 ? k : which;
        }
        if (which < 0 || (seen & 1u << which) != 0) {
            *why = "the header has to hold 'descr', 'fortran_order' and 'shape', each once";
            break;
        }
        seen |= 1u << which;
        *why = keys[which].value(&r, header);
        if (*why == NULL && !take(&r, ',') && (r.at >= r.end || *r.at != '}')) {
            *why = "the header is not a Python dictionary";
        }
    }
    if (*why == NULL && seen != 7) {
        *why = "the header has to hold 'descr', 'fortran_order' and 'shape', each once";
    }
    skip_space(&r);
    if (*why == NULL && r.at != r.end) {
        *why = "the header goes on after the dictionary";
    }
    return *why == NULL ? XTA_OK : XTA_EFORMAT;
}

size_t xta__npy_text_at(const unsigned char prefix[XTA__NPY_PREFIX_BYTES], size_t *text_bytes)
{
    const unsigned char *p = prefix;

    if (memcmp(p, XTA__NPY_MAGIC, XTA__NPY_MAGIC_BYTES) != 0 || p[6] < 1 || p[6] > 3 || p[7] != 0) {
        return 0;
    }
    *text_bytes = p[6] == 1 ? xta__get_u16(p + 8) : xta__get_u32(p + 8);
    return p[6] == 1 ? 10 : 12;
}

void xta__npy_set_type(xta__npy_header *header, xta_type type, size_t cell_bytes)
{
    char kind = 'V';

    header->type = type;
    header->cell_bytes = cell_bytes;
    header->unit_bytes = 1;
    for (size_t k = N_TYPES; k-- > 0;) {
        if (types[k].type == type) {
            kind = types[k].kind;
            header->unit_bytes = types[k].unit;
        }
    }
    snprintf(header->descr, sizeof header->descr, "%c%zu", kind, cell_bytes);
}

static void format_shape(const xta__npy_header *header, char *text, size_t capacity)
{
    size_t n = 0;
    text[0] = '\0';
    for (int axis = 0; axis < header->ndim; axis++) {
        n += (size_t)snprintf(text + n, capacity - n, axis == 0 ? "%lld" : ", %lld",
                              (long long)header->shape[axis]);
    }
    if (header->ndim == 1) {
        snprintf(text + n, capacity - n, ",");
    }
}

/* Spaces NumPy adds so that an appending writer may lengthen the slowest axis in place. */
static int growth_padding(const xta__npy_header *header)
{
    char digits[32];
    if (header->ndim == 0 || header->compact) {
        return 0;
    }
    int grown = header->fortran ? header->ndim - 1 : 0;
    int n = snprintf(digits, sizeof digits, "%lld", (long long)header->shape[grown]);
    return GROWTH_DIGITS - n;
}

size_t xta__npy_format(const xta__npy_header *header, unsigned char *bytes, size_t capacity)
{
    char shape[XTA_MAX_NDIM * 24];
    char literal[XTA_MAX_NDIM * 24 + 160];
    size_t n;
    format_shape(header, shape, sizeof shape);
    char order = header->unit_bytes <= 1 ? '|' : header->big_endian ? '>' : '<';
    n = (size_t)snprintf(literal, sizeof literal,
                         "{'descr': '%c%s', 'fortran_order': %s, 'shape': (%s), }%*s", order,
                         header->descr, header->fortran ? "True" : "False", shape,
                         growth_padding(header), "");
    size_t total = (10 + n + 1 + 63) / 64 * 64;
    if (total > capacity) {
        return 0;
    }
    memcpy(bytes, XTA__NPY_MAGIC "\x01\x00", 8);
    bytes[8] = (unsigned char)(total - 10);
    bytes[9] = (unsigned char)((total - 10) >> 8);
    memcpy(bytes + 10, literal, n);
    memset(bytes + 10 + n, ' ', total - 10 - n - 1);
    bytes[total - 1] = '\n';
    return total;
}
