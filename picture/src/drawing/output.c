/* Output files: texts for XML, renumbering the ids of an SVG so that they do not depend on earlier
 * pictures, and replacing a file in one step.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "drawing/output.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/errors.h"
#include "util/replace.h"
#include "util/vector.h"

/* The length of the character that a text begins with; 0 if it is not UTF-8. */
static size_t character_length(const char *text)
{
    return xta__utf8_length((const unsigned char *)text, strnlen(text, 4));
}

void xta__picture_plain(const char *text, char *out, size_t capacity)
{
    static const char unknown[] = PICTURE_UNKNOWN;
    size_t n = 0;
    while (*text != '\0') {
        size_t length = character_length(text);
        size_t more = length > 0 ? length : sizeof unknown - 1;
        if (n + more >= capacity) {
            break;
        }
        memcpy(out + n, length > 0 ? text : unknown, more);
        n += more;
        text += length > 0 ? length : 1;
    }
    out[n] = '\0';
}

static const char *entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return (unsigned char)c < 32 ? " " : NULL; // XML allows no control characters
    }
}

void xta__picture_add_escaped(xta__text *out, const char *text)
{
    while (*text != '\0') {
        const char *instead = entity(*text);
        size_t length = character_length(text);
        instead = length == 0 ? PICTURE_UNKNOWN : instead;
        xta__text_add(out, instead != NULL ? instead : text,
                      instead != NULL ? strlen(instead) : length);
        text += length > 0 ? length : 1;
    }
}

/* ---- ids ---- */

typedef struct id_table {
    struct id_name {
        const char *text; // points into the SVG
        size_t n;
    } * name;
    size_t n, capacity;
} id_table;

/* The number of an id, assigned on its first appearance; (size_t)-1: out of memory. */
static size_t id_number(id_table *table, const char *text, size_t n)
{
    for (size_t k = 0; k < table->n; k++) {
        if (table->name[k].n == n && memcmp(table->name[k].text, text, n) == 0) {
            return k;
        }
    }
    if (!XTA__RESERVE(table->name, table->capacity, table->n + 1)) {
        return (size_t)-1;
    }
    table->name[table->n].text = text;
    table->name[table->n].n = n;
    return table->n++;
}

/* The text before an id if one begins at `at`, else NULL. An id can be written in three forms. */
static const char *id_opening(const char *at, const char *end)
{
    static const char *const openings[] = {" id=\"", "href=\"#", "url(#"};
    for (int k = 0; k < 3; k++) {
        size_t n = strlen(openings[k]);
        if ((size_t)(end - at) > n && memcmp(at, openings[k], n) == 0) {
            return openings[k];
        }
    }
    return NULL;
}

void xta__picture_number_ids(const xta__text *svg, xta__text *out)
{
    id_table table = {NULL, 0, 0};
    const char *at = svg->n > 0 ? svg->bytes : "";
    const char *end = at + svg->n;
    const char *copied = at;
    while (at < end) {
        const char *opening = *at == ' ' || *at == 'h' || *at == 'u' ? id_opening(at, end) : NULL;
        if (opening == NULL) {
            at++;
            continue;
        }
        at += strlen(opening);
        const char *name = at;
        while (at < end && *at != '"' && *at != ')') {
            at++;
        }
        size_t number = id_number(&table, name, (size_t)(at - name));
        out->failed = out->failed || number == (size_t)-1;
        xta__text_add(out, copied, (size_t)(name - copied));
        xta__text_printf(out, "i%zu", number);
        copied = at;
    }
    xta__text_add(out, copied, (size_t)(end - copied));
    free(table.name);
}

/* ---- files ---- */

static bool ends_in(const char *path, const char *suffix)
{
    size_t n = strlen(path), m = strlen(suffix);
    if (n <= m) {
        return false;
    }
    for (size_t k = 0; k < m; k++) {
        if (tolower((unsigned char)path[n - m + k]) != suffix[k]) {
            return false;
        }
    }
    return true;
}

xta_status xta__picture_suffix(const char *path, bool *svg, xta_error *err)
{
    if (path == NULL) {
        return xta_error_set(err, XTA_EARG, 0, "picture: no path was given");
    }
    *svg = ends_in(path, ".svg");
    if (!*svg && !ends_in(path, ".png")) {
        return xta_error_set(err, XTA_EARG, 0, "%s: the name of a picture must end in .png or .svg",
                             path);
    }
    return XTA_OK;
}

xta_status xta__picture_write_output(const char *path, xta__text *bytes, xta__text *to,
                                     xta_error *err)
{
    if (to == NULL) {
        return xta__picture_replace_file(path, bytes, err);
    }
    *to = *bytes;
    memset(bytes, 0, sizeof *bytes);
    return XTA_OK;
}

xta_status xta__picture_replace_file(const char *path, const xta__text *bytes, xta_error *err)
{
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: is no plain file and will not be replaced; give another name",
                             path);
    }
    int number = xta__replace_bytes(path, bytes->bytes, bytes->n, false);
    if (number == ENOMEM) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", path);
    }
    return number == 0 ? XTA_OK
                       : xta_error_set(err, xta__status_of_errno(number), number,
                                       "%s: cannot create the file: %s", path, strerror(number));
}
