/* Bytes that become a file: a growing buffer, the ids of an SVG made independent of history, and
 * the replacement of a file in one step.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "picture.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/files.h"
#include "util/replace.h"

void xta__picture_bytes_add(picture_bytes *out, const void *bytes, size_t n)
{
    if (out->failed || n == 0) {
        return;
    }
    if (n > out->capacity - out->n) {
        size_t capacity = 2 * (out->n + n) + 256;
        unsigned char *grown = capacity > n ? realloc(out->bytes, capacity) : NULL;
        if (grown == NULL) {
            out->failed = true;
            return;
        }
        out->bytes = grown;
        out->capacity = capacity;
    }
    memcpy(out->bytes + out->n, bytes, n);
    out->n += n;
}

void xta__picture_bytes_printf(picture_bytes *out, const char *format, ...)
{
    char text[512];
    va_list rest;
    va_start(rest, format);
    int n = vsnprintf(text, sizeof text, format, rest);
    va_end(rest);
    if (n < 0 || (size_t)n >= sizeof text) {
        out->failed = true;
        return;
    }
    xta__picture_bytes_add(out, text, (size_t)n);
}

size_t xta__picture_character(const char *text)
{
    const unsigned char *b = (const unsigned char *)text;
    size_t n = b[0] < 0x80   ? 1
               : b[0] < 0xc2 ? 0
               : b[0] < 0xe0 ? 2
               : b[0] < 0xf0 ? 3
               : b[0] < 0xf5 ? 4
                             : 0;
    for (size_t k = 1; k < n; k++) {
        if ((b[k] & 0xc0) != 0x80) { // a terminating zero, too
            return 0;
        }
    }
    // Longer than need be, half of a pair, beyond the last character.
    bool never = (b[0] == 0xe0 && b[1] < 0xa0) || (b[0] == 0xed && b[1] > 0x9f) ||
                 (b[0] == 0xf0 && b[1] < 0x90) || (b[0] == 0xf4 && b[1] > 0x8f);
    return never ? 0 : n;
}

void xta__picture_plain(const char *text, char *out, size_t capacity)
{
    static const char unknown[] = PICTURE_UNKNOWN;
    size_t n = 0;
    while (*text != '\0') {
        size_t length = xta__picture_character(text);
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
        return (unsigned char)c < 32 ? " " : NULL; // XML has no control characters
    }
}

void xta__picture_bytes_escaped(picture_bytes *out, const char *text)
{
    while (*text != '\0') {
        const char *instead = entity(*text);
        size_t length = xta__picture_character(text);
        instead = length == 0 ? PICTURE_UNKNOWN : instead;
        xta__picture_bytes_add(out, instead != NULL ? instead : text,
                               instead != NULL ? strlen(instead) : length);
        text += length > 0 ? length : 1;
    }
}

void xta__picture_bytes_clear(picture_bytes *out)
{
    free(out->bytes);
    memset(out, 0, sizeof *out);
}

/* ---- ids ---- */

typedef struct id_table {
    struct id_name {
        const char *text; // into the SVG
        size_t n;
    } * name;
    size_t n, capacity;
} id_table;

/* The number of an id, given out at its first appearance; (size_t)-1 where there is no memory. */
static size_t id_number(id_table *table, const char *text, size_t n)
{
    for (size_t k = 0; k < table->n; k++) {
        if (table->name[k].n == n && memcmp(table->name[k].text, text, n) == 0) {
            return k;
        }
    }
    if (table->n == table->capacity) {
        size_t capacity = 2 * table->capacity + 64;
        struct id_name *grown = realloc(table->name, capacity * sizeof *grown);
        if (grown == NULL) {
            return (size_t)-1;
        }
        table->name = grown;
        table->capacity = capacity;
    }
    table->name[table->n].text = text;
    table->name[table->n].n = n;
    return table->n++;
}

/* If an id begins at `at`, the text before it; else NULL. There are three ways to write one. */
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

void xta__picture_number_ids(const picture_bytes *svg, picture_bytes *out)
{
    id_table table = {NULL, 0, 0};
    const char *at = (const char *)svg->bytes;
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
        xta__picture_bytes_add(out, copied, (size_t)(name - copied));
        xta__picture_bytes_printf(out, "i%zu", number);
        copied = at;
    }
    xta__picture_bytes_add(out, copied, (size_t)(end - copied));
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

static xta_status system_failure(const char *path, const char *what, xta_error *err)
{
    int os_errno = errno;
    xta_status status = XTA_EIO;
    if (os_errno == EACCES || os_errno == EPERM || os_errno == EROFS) {
        status = XTA_EACCESS;
    } else if (os_errno == ENOENT || os_errno == ENOTDIR) {
        status = XTA_ENOENT;
    } else if (os_errno == ENOSPC || os_errno == EDQUOT) {
        status = XTA_ENOSPC;
    }
    return xta_error_set(err, status, os_errno, "%s: cannot %s the picture: %s", path, what,
                         strerror(os_errno));
}

static bool write_all(int fd, const unsigned char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return false;
        }
        bytes += done;
        n -= (size_t)done;
    }
    return true;
}

/* A new file beside `path`. The number of the process tells two apart that draw the same picture at
 * once; threads of one process try on. */
static int create_beside(const char *path, char *temporary, size_t capacity)
{
    for (int attempt = 0; attempt < 1000; attempt++) {
        snprintf(temporary, capacity, "%s.%ld-%d.part", path, (long)getpid(), attempt);
        int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, xta__part_mode(path));
        if (fd >= 0 || errno != EEXIST) {
            return fd;
        }
    }
    return -1;
}

xta_status xta__picture_deliver(const char *path, picture_bytes *bytes, picture_bytes *to,
                                xta_error *err)
{
    if (to == NULL) {
        return xta__picture_replace(path, bytes, err);
    }
    *to = *bytes;
    memset(bytes, 0, sizeof *bytes);
    return XTA_OK;
}

xta_status xta__picture_replace(const char *path, const picture_bytes *bytes, xta_error *err)
{
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: is no plain file and will not be replaced; give another name",
                             path);
    }
    char *real = NULL;
    errno = xta__target_path(path, &real);
    if (real == NULL) {
        return system_failure(path, "create", err);
    }
    size_t capacity = strlen(real) + 64;
    char *temporary = malloc(capacity);
    if (temporary == NULL) {
        free(real);
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", path);
    }
    xta_status status = XTA_OK;
    int fd = create_beside(real, temporary, capacity);
    if (fd < 0) {
        status = system_failure(path, "create", err);
        goto done;
    }
    bool written = write_all(fd, bytes->bytes, bytes->n);
    int why = errno;
    written = close(fd) == 0 && written;
    int number = written ? xta__put_in_place(temporary, real) : 0;
    if (!written || number != 0) {
        errno = number != 0 ? number : why != 0 ? why : errno;
        status = system_failure(path, written ? "replace" : "write", err);
        unlink(temporary);
    }
done:
    free(temporary);
    free(real);
    return status;
}
