/* Selecting an image of a FITS file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fits/select_image.h"

#include <ctype.h>
#include <errno.h>
#include <fitsio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_HDUS  65536
#define LIST_BYTES 340

xta_status xta__fits_failed(const char *path, const char *doing, int code, xta_error *err)
{
    int system = errno;
    char words[FLEN_STATUS + FLEN_ERRMSG + 4] = "";
    char first[FLEN_ERRMSG] = "";
    char status[FLEN_STATUS] = "";
    fits_get_errstatus(code, status);
    fits_read_errmsg(first); // the innermost message
    fits_clear_errmsg();
    snprintf(words, sizeof words, "%s%s%s", status, first[0] != '\0' ? ": " : "", first);
    for (char *c = words; *c != '\0'; c++) {
        *c = isprint((unsigned char)*c) ? *c : ' ';
    }
    xta_status kind = code == WRITE_ERROR && system == ENOSPC          ? XTA_ENOSPC
                      : code == MEMORY_ALLOCATION                      ? XTA_ENOMEM
                      : code == READ_ERROR || code == END_OF_FILE      ? XTA_EFORMAT
                      : code >= KEY_NO_EXIST && code < 440             ? XTA_EFORMAT
                      : code == FILE_NOT_OPENED || code == UNKNOWN_REC ? XTA_EFORMAT
                                                                       : XTA_EFOREIGN;
    return xta_error_set(err, kind, 0, "%s: %s: CFITSIO says: %s", path, doing, words);
}

/* One image of the file. */
typedef struct image {
    int number; /* from 0, the primary one */
    char name[FLEN_VALUE];
    long version;
    int ndim;
    LONGLONG bounds[4]; /* bounds of the first axes */
} image;

/* Whether the current HDU of the file is an image with cells. */
static bool read_image(fitsfile *file, int number, int type, image *out)
{
    int code = 0;
    long long version = 1;
    memset(out, 0, sizeof *out);
    out->number = number;
    if (type != IMAGE_HDU || fits_get_img_dim(file, &out->ndim, &code) != 0 || out->ndim < 1 ||
        fits_get_img_sizell(file, 4, out->bounds, &code) != 0) {
        return false;
    }
    for (int d = 0; d < out->ndim && d < 4; d++) {
        if (out->bounds[d] < 1) {
            return false; // includes random groups
        }
    }
    fits_read_key(file, TSTRING, "EXTNAME", out->name, NULL, &code);
    code = 0;
    fits_read_key(file, TLONGLONG, "EXTVER", &version, NULL, &code);
    out->version = (long)version;
    for (char *c = out->name; *c != '\0'; c++) {
        *c = isprint((unsigned char)*c) ? *c : '?';
    }
    return true;
}

/* Whether an image is called NAME, or NAME,VERSION, or has the given number; PRIMARY is number
 * 0. */
static bool is_called(const image *one, const char *name)
{
    char text[FLEN_VALUE + 24];
    char *end = NULL;
    long number = strtol(name, &end, 10);
    if (end != name && *end == '\0' && number == one->number) {
        return true;
    }
    if (one->name[0] == '\0') {
        return one->number == 0 && strcasecmp(name, "PRIMARY") == 0;
    }
    snprintf(text, sizeof text, "%s,%ld", one->name, one->version);
    return strcasecmp(name, one->name) == 0 || strcasecmp(name, text) == 0;
}

/* A search for an image: how many the file has, and how many match the name. */
typedef struct search {
    int n;
    int n_called;
    int first; /* number of the first match */
    char list[LIST_BYTES];
    size_t used;
} search;

static void note_image(search *s, const image *one)
{
    char text[LIST_BYTES];
    size_t n = (size_t)snprintf(text, sizeof text, "%s%d", s->used == 0 ? "" : ", ", one->number);
    if (one->name[0] != '\0') {
        n += (size_t)snprintf(text + n, sizeof text - n, " %s,%ld", one->name, one->version);
    }
    n += (size_t)snprintf(text + n, sizeof text - n, " (");
    for (int d = one->ndim - 1; d >= 0; d--) {
        if (d < 4) {
            n += (size_t)snprintf(text + n, sizeof text - n, d == 0 ? "%lld" : "%lld x ",
                                  (long long)one->bounds[d]);
        } else if (d == 4) {
            n += (size_t)snprintf(text + n, sizeof text - n, "... x ");
        }
    }
    snprintf(text + n, sizeof text - n, ")");
    if (s->used + strlen(text) + 8 < sizeof s->list) {
        s->used += (size_t)snprintf(s->list + s->used, sizeof s->list - s->used, "%s", text);
    } else if (s->used < sizeof s->list - 8) {
        snprintf(s->list + s->used, sizeof s->list - s->used, ", ...");
        s->used = sizeof s->list;
    }
}

static void search_all(fitsfile *file, const char *name, search *s)
{
    image one;
    memset(s, 0, sizeof *s);
    for (int k = 0; k < MOST_HDUS; k++) {
        int code = 0;
        int type = ANY_HDU;
        if (fits_movabs_hdu(file, k + 1, &type, &code) != 0) {
            break; // after the last HDU, or after the last complete one
        }
        if (!read_image(file, k, type, &one)) {
            continue;
        }
        s->n++;
        note_image(s, &one);
        if (name == NULL || is_called(&one, name)) {
            s->first = s->n_called == 0 ? k : s->first;
            s->n_called++;
        }
    }
    fits_clear_errmsg();
}

xta_status xta__fits_select_image(fits_file *f, const char *name, xta_error *err)
{
    search s;
    int code = 0;
    search_all(f->file, name, &s);
    if (s.n == 0) {
        return xta_error_set(err, XTA_ENOENT, 0,
                             "%s: has no image with cells in it; tables are not read", f->path);
    }
    if (s.n_called == 0) {
        return xta_error_set(err, XTA_ENOENT, 0, "%s: has no image '%s'; it has: %s", f->path, name,
                             s.list);
    }
    if (s.n_called > 1) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: has several images%s%s%s; name one by its name or number, as in "
                             "FILE:1: %s",
                             f->path, name != NULL ? " called '" : "", name != NULL ? name : "",
                             name != NULL ? "'" : "", s.list);
    }
    if (fits_movabs_hdu(f->file, s.first + 1, NULL, &code) != 0) {
        return xta__fits_failed(f->path, "cannot go to the image", code, err);
    }
    return XTA_OK;
}
