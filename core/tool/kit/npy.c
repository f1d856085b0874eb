/* The .npy header: six bytes of magic, a version, the length of a line of text, and in that line a
 * Python dictionary of exactly three keys.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/npy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC      "\x93NUMPY"
#define TEXT_LIMIT 65536 // the longest header that is read; NumPy writes about a hundred bytes

/* NumPy's letter and length for each type; bytes come as V (void), and S is read as well. */
static const struct {
    xta_type type;
    char letter;
    unsigned bytes;
} kinds[] = {{XTA_BOOL, 'b', 1}, {XTA_I8, 'i', 1},   {XTA_I16, 'i', 2}, {XTA_I32, 'i', 4},
             {XTA_I64, 'i', 8},  {XTA_U8, 'u', 1},   {XTA_U16, 'u', 2}, {XTA_U32, 'u', 4},
             {XTA_U64, 'u', 8},  {XTA_F16, 'f', 2},  {XTA_F32, 'f', 4}, {XTA_F64, 'f', 8},
             {XTA_C64, 'c', 8},  {XTA_C128, 'c', 16}};

static bool little_endian(void)
{
    const uint16_t one = 1;
    uint8_t first;

    memcpy(&first, &one, 1);
    return first == 1;
}

size_t cli_npy_header(const cli_npy *npy, char header[CLI_NPY_HEADER_BYTES])
{
    char shape[XTA_MAX_NDIM * 22 + 1] = "";
    char letter = 'V';
    size_t used = 0;
    size_t total;

    for (size_t k = 0; k < CLI_COUNT(kinds); k++) {
        letter = kinds[k].type == npy->type ? kinds[k].letter : letter;
    }
    for (int axis = 0; axis < npy->ndim; axis++) {
        used += (size_t)snprintf(shape + used, sizeof shape - used, "%s%" PRId64 "%s",
                                 axis > 0 ? " " : "", npy->shape[axis],
                                 axis + 1 < npy->ndim || npy->ndim == 1 ? "," : "");
    }
    memcpy(header, MAGIC "\x01\x00", 8);
    used = 10 + (size_t)snprintf(header + 10, CLI_NPY_HEADER_BYTES - 10,
                                 "{'descr': '%c%c%zu', 'fortran_order': %s, 'shape': (%s), }",
                                 npy->cell_bytes == 1 || letter == 'V' ? '|'
                                 : little_endian()                     ? '<'
                                                                       : '>',
                                 letter, npy->cell_bytes,
                                 npy->order == XTA_COLUMN ? "True" : "False", shape);
    total = (used + 1 + 63) / 64 * 64;
    memset(header + used, ' ', total - used);
    header[total - 1] = '\n';
    header[8] = (char)((total - 10) & 0xff);
    header[9] = (char)((total - 10) >> 8);
    return total;
}

/* What follows 'key': in the dictionary; NULL if there is no such key. */
static const char *find_key(const char *text, const char *key)
{
    size_t length = strlen(key);

    for (const char *at = strstr(text, key); at != NULL; at = strstr(at + 1, key)) {
        char quote = at > text ? at[-1] : ' ';
        if ((quote == '\'' || quote == '"') && at[length] == quote) {
            at += length + 1;
            at += strspn(at, " ");
            return *at == ':' ? at + 1 + strspn(at + 1, " ") : NULL;
        }
    }
    return NULL;
}

static bool parse_descr(const char *at, cli_npy *npy)
{
    char quote = at[0];
    char byte_order = quote == '\'' || quote == '"' ? at[1] : '\0';
    char letter = byte_order != '\0' ? at[2] : '\0';
    char *end;

    if (letter == '\0' || at[3] < '0' || at[3] > '9' || strchr("<>|=", byte_order) == NULL) {
        return false;
    }
    unsigned long bytes = strtoul(at + 3, &end, 10);
    if (*end != quote) {
        return false;
    }
    npy->cell_bytes = bytes;
    npy->swapped = byte_order == (little_endian() ? '>' : '<');
    if ((letter == 'V' || letter == 'S') && bytes >= 1 && bytes <= 65535) {
        npy->type = XTA_BYTES;
        return true;
    }
    for (size_t k = 0; k < CLI_COUNT(kinds); k++) {
        if (kinds[k].letter == letter && kinds[k].bytes == bytes) {
            npy->type = kinds[k].type;
            return true;
        }
    }
    return false;
}

/* "(4, 3)", "(4,)", "()". */
static bool parse_shape(const char *at, cli_npy *npy)
{
    if (*at++ != '(') {
        return false;
    }
    for (at += strspn(at, " "); *at != ')'; at += strspn(at, " ,")) {
        size_t digits = strspn(at, "0123456789");
        if (digits == 0 || digits > 18 || npy->ndim == XTA_MAX_NDIM) {
            return false;
        }
        npy->shape[npy->ndim++] = strtoll(at, NULL, 10);
        at += digits;
        if (*at != ',' && *at != ')') {
            return false;
        }
    }
    return true;
}

static bool parse_header(const char *text, cli_npy *npy)
{
    const char *descr = find_key(text, "descr");
    const char *order = find_key(text, "fortran_order");
    const char *shape = find_key(text, "shape");

    if (descr == NULL || order == NULL || shape == NULL || !parse_descr(descr, npy) ||
        !parse_shape(shape, npy)) {
        return false;
    }
    npy->order = strncmp(order, "True", 4) == 0 ? XTA_COLUMN : XTA_ROW;
    return npy->order == XTA_COLUMN || strncmp(order, "False", 5) == 0;
}

xta_status cli_npy_read(FILE *file, const char *path, cli_npy *npy, cli_error *err)
{
    unsigned char head[12];
    size_t head_bytes = 10;
    size_t length;
    char *text = NULL;
    bool good = false;

    *npy = (cli_npy){0};
    if (fread(head, 1, 10, file) != 10 || memcmp(head, MAGIC, 6) != 0 || head[6] < 1 ||
        head[6] > 3) {
        return cli_fail(err, XTA_EFORMAT, 0, "%s: is no .npy file of version 1 to 3", path);
    }
    length = head[8] | (size_t)head[9] << 8;
    if (head[6] > 1) {
        head_bytes += fread(head + 10, 1, 2, file);
        length |= head_bytes == 12 ? (size_t)head[10] << 16 | (size_t)head[11] << 24 : SIZE_MAX;
    }
    if (length <= TEXT_LIMIT) {
        text = calloc(length + 1, 1);
        good = text != NULL && fread(text, 1, length, file) == length && parse_header(text, npy);
        free(text);
    }
    if (!good) {
        return cli_fail(err, XTA_EFORMAT, 0,
                        "%s: its .npy header is damaged, or of a type that arrays do not have",
                        path);
    }
    return XTA_OK;
}

void cli_npy_swap(const cli_npy *npy, void *cells, uint64_t n)
{
    bool pair = npy->type == XTA_C64 || npy->type == XTA_C128;
    size_t unit = npy->type == XTA_BYTES ? 1 : npy->cell_bytes / (pair ? 2 : 1);
    uint8_t *at = cells;

    for (uint64_t left = n * (npy->cell_bytes / unit); unit > 1 && left > 0; left--, at += unit) {
        for (size_t k = 0; k < unit / 2; k++) {
            uint8_t byte = at[k];
            at[k] = at[unit - 1 - k];
            at[unit - 1 - k] = byte;
        }
    }
}
