/* The path of a request, taken apart. Every check is made on the decoded text, so that nothing that
 * is refused comes back by another spelling; an encoded slash separates segments like a plain one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "serve/request_path.h"

#include <stddef.h>
#include <string.h>

#include "util/text.h"

enum { FINE = 0, BAD_REQUEST = 400, NOT_FOUND = 404, TOO_LONG = 414 };

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decode `%41`; false for what is none. The text gets no longer. */
static bool decode(const char *path, char *text, size_t *n)
{
    *n = 0;
    for (const char *at = path; *at != '\0'; at++) {
        if (*at != '%') {
            text[(*n)++] = *at;
            continue;
        }
        int high = digit_of(at[1]);
        int low = high >= 0 ? digit_of(at[2]) : -1;
        if (low < 0 || high + low == 0) {
            return false;
        }
        text[(*n)++] = (char)(high * 16 + low);
        at += 2;
    }
    text[*n] = '\0';
    return true;
}

/* Whether each segment is a name: none is empty, but the last one may be. */
static bool segments_are_names(const char *text)
{
    for (const char *at = text; *at == '/';) {
        size_t n = strcspn(at + 1, "/");
        bool last = at[1 + n] == '\0';
        bool dots = (n == 1 && at[1] == '.') || (n == 2 && at[1] == '.' && at[2] == '.');
        if (dots || (n == 0 && !last)) {
            return false;
        }
        at += 1 + n;
    }
    return true;
}

static bool cut_suffix(char *text, const char *suffix)
{
    size_t n = strlen(text), k = strlen(suffix);

    if (n <= k || strcmp(text + n - k, suffix) != 0) {
        return false;
    }
    text[n - k] = '\0';
    return true;
}

static bool is_dots(const char *text)
{
    return strcmp(text, ".") == 0 || strcmp(text, "..") == 0;
}

/* NAME@PIN: the name and the pin. False: one of them is empty, or dots that a suffix or the other
 * part had hidden. */
static bool split_pin(request_path *out, char *name)
{
    char *at = strrchr(name, '@');

    out->name = name;
    if (at != NULL) {
        *at = '\0';
        out->pinned = true;
        out->pin = at + 1;
    }
    return name[0] != '\0' && !is_dots(name) &&
           (at == NULL || (out->pin[0] != '\0' && !is_dots(out->pin)));
}

/* NAME.zarr/KEY, where `rest` is the KEY; NULL if there is no slash. */
static int parse_store(request_path *out, char *name, const char *rest)
{
    out->kind = REQUEST_ZARR;
    out->key = rest != NULL ? rest : "";
    return split_pin(out, name) ? FINE : NOT_FOUND;
}

/* NAME[/MEMBER] without its suffix, which may have been all that kept a segment from being dots. */
static int parse_member(request_path *out, request_kind kind, char *name, char *slash)
{
    if (!segments_are_names(out->text)) {
        return BAD_REQUEST;
    }
    out->kind = kind;
    out->name = name;
    if (slash != NULL) {
        *slash = '\0';
        out->key = slash + 1;
    }
    return name[0] != '\0' && (slash == NULL || out->key[0] != '\0') ? FINE : NOT_FOUND;
}

static int parse_other(request_path *out, char *name, char *slash)
{
    if (slash == NULL && cut_suffix(name, ".json")) {
        out->kind = REQUEST_REFERENCES;
        return split_pin(out, name) ? FINE : NOT_FOUND;
    }
    if (slash != NULL && (strcmp(slash, "/latest") == 0 || strcmp(slash, "/latest3") == 0)) {
        out->version = slash[7] == '3' ? 3 : 2;
        *slash = '\0';
        out->kind = REQUEST_LATEST;
        out->name = name;
        return FINE;
    }
    if (slash != NULL && strcmp(slash, "/steps.json") == 0) {
        *slash = '\0';
        out->kind = REQUEST_STEPS;
        out->name = name;
        return FINE;
    }
    if (cut_suffix(name, ".xta")) {
        return parse_member(out, REQUEST_DATA, name, slash);
    }
    return cut_suffix(name, ".png") ? parse_member(out, REQUEST_QUICKLOOK, name, slash) : NOT_FOUND;
}

int xta__request_path_parse(const char *path, request_path *out)
{
    size_t n = 0;

    memset(out, 0, sizeof *out);
    out->name = out->pin = out->key = "";
    if (strlen(path) > REQUEST_PATH_BYTES) {
        return TOO_LONG;
    }
    if (!decode(path, out->text, &n) || out->text[0] != '/' ||
        xta__clean_bytes(out->text, n, false) < n || strchr(out->text, '\\') != NULL ||
        !segments_are_names(out->text)) {
        return BAD_REQUEST;
    }
    if (n == 1) {
        out->kind = REQUEST_PAGE;
        return FINE;
    }
    char *name = out->text + 1;
    char *slash = strchr(name, '/');
    size_t n_name = slash != NULL ? (size_t)(slash - name) : strlen(name);
    bool v2 = n_name > 5 && memcmp(name + n_name - 5, ".zarr", 5) == 0;
    bool v3 = n_name > 6 && memcmp(name + n_name - 6, ".zarr3", 6) == 0;

    if (v2 || v3) {
        name[n_name - (v2 ? 5 : 6)] = '\0';
        out->version = v2 ? 2 : 3;
        return parse_store(out, name, slash != NULL ? slash + 1 : NULL);
    }
    return parse_other(out, name, slash);
}
