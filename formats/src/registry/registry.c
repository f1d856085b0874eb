/* The formats of this build, and the selection of one of them.
 *
 * The table is formats.def, one line for each format, written by CMake from the options
 * XTA_BRIDGE_...
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "registry/registry.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/missing_formats.h"
#include "common/path_suffix.h"
#include "description/format.h"

#define HEAD_BYTES 1024

#define FORMAT(name) extern const bridge_format xta__bridge_##name;
#include "formats.def"
#undef FORMAT

static const bridge_format *const formats[] = {
#define FORMAT(name) &xta__bridge_##name,
#include "formats.def"
#undef FORMAT
};

#define N_FORMATS ((int)(sizeof formats / sizeof formats[0]))

static const bridge_format *format_at(int k)
{
    return k >= 0 && k < N_FORMATS ? formats[k] : NULL;
}

const char *xta_bridge_name(int k)
{
    const bridge_format *format = format_at(k);
    return format != NULL ? format->name : NULL;
}

const char *xta_bridge_summary(int k)
{
    const bridge_format *format = format_at(k);
    return format != NULL ? format->summary : NULL;
}

/* The names of all formats, for messages. */
static const char *names_of_all(char *text, size_t capacity)
{
    size_t n = 0;
    text[0] = '\0';
    for (int k = 0; k < N_FORMATS && n < capacity; k++) {
        n += (size_t)snprintf(text + n, capacity - n, k == 0 ? "%s" : ", %s", formats[k]->name);
    }
    return text;
}

static const bridge_format *by_name(const char *name)
{
    for (int k = 0; k < N_FORMATS; k++) {
        if (strcasecmp(formats[k]->name, name) == 0) {
            return formats[k];
        }
    }
    return NULL;
}

static const bridge_format *by_suffix(const char *suffix)
{
    for (int k = 0; k < N_FORMATS; k++) {
        for (const char *const *s = formats[k]->suffixes; *s != NULL; s++) {
            if (strcmp(*s, suffix) == 0) {
                return formats[k];
            }
        }
    }
    return NULL;
}

/* Find a format that accepts names or suffixes other than its own. It is not asked about a format
 * that this build lacks, since it would read such a file differently. */
static const bridge_format *find_accepting(const char *name, const char *suffix)
{
    for (int k = 0; k < N_FORMATS; k++) {
        if (formats[k]->accepts != NULL && formats[k]->accepts(name, suffix)) {
            return formats[k];
        }
    }
    return NULL;
}

static xta_status no_such_format(const char *path, const char *name, xta_error *err)
{
    char names[128], absent[XTA__MISSING_FORMAT_BYTES];
    return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                         "%s: this build has no bridge for format '%s'; it has %s%s", path, name,
                         names_of_all(names, sizeof names),
                         xta__missing_format_text(name, "", absent, sizeof absent));
}

/* Read the first bytes of a file. A folder, which some rasters are, has none. */
static xta_status read_head(const char *path, unsigned char *head, size_t *n_bytes, xta_error *err)
{
    FILE *file = fopen(path, "rb");
    *n_bytes = 0;
    if (file == NULL) {
        return xta_error_set(err, errno == ENOENT ? XTA_ENOENT : XTA_EACCESS, errno,
                             "%s: cannot open it: %s", path, strerror(errno));
    }
    *n_bytes = fread(head, 1, HEAD_BYTES, file);
    fclose(file);
    return XTA_OK;
}

xta_status xta__format_for_import(const char *path, const xta_import_options *options,
                                  const bridge_format **out, xta_error *err)
{
    unsigned char head[HEAD_BYTES];
    size_t n_bytes = 0;
    char suffix[16];
    char names[128], absent[XTA__MISSING_FORMAT_BYTES];

    if (options->format != NULL) {
        *out = by_name(options->format);
        if (*out == NULL && !xta__format_is_missing(options->format, "")) {
            *out = find_accepting(options->format, "");
        }
        return *out != NULL ? XTA_OK : no_such_format(path, options->format, err);
    }
    xta_status status = read_head(path, head, &n_bytes, err);
    if (status != XTA_OK) {
        return status;
    }
    if (options->bounds != NULL || options->type != XTA_TYPE_SAME) {
        *out = by_name("raw"); // no other format needs these options
        return XTA_OK;
    }
    xta__path_suffix(path, suffix);
    const bridge_format *meant = by_suffix(suffix);
    if (meant != NULL && meant->sniff(path, head, n_bytes)) {
        *out = meant;
        return XTA_OK;
    }
    for (int k = 0; k < N_FORMATS; k++) { // the suffix is misleading or unknown
        if (formats[k]->sniff(path, head, n_bytes)) {
            *out = formats[k];
            return XTA_OK;
        }
    }
    if (meant == NULL && options->trust) {
        meant = by_name("gdal"); // whose other drivers have not been tried yet
    }
    if (meant != NULL) { // this format gives the best error message for a damaged file
        *out = meant;
        return XTA_OK;
    }
    return xta_error_set(
        err, XTA_EFORMAT, 0,
        "%s: no bridge of this build knows this kind of file; say which it is: %s%s", path,
        names_of_all(names, sizeof names),
        xta__missing_format_text(NULL, suffix, absent, sizeof absent));
}

xta_status xta__format_for_export(const char *path, const char *format, const bridge_format **out,
                                  xta_error *err)
{
    char suffix[16];
    xta__path_suffix(path, suffix);
    *out = format != NULL ? by_name(format) : by_suffix(suffix);
    if (*out == NULL && !xta__format_is_missing(format, suffix)) {
        *out = find_accepting(format, suffix);
    }
    if (*out != NULL && (*out)->create == NULL) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: %s is only imported here; export to another format", path,
                             (*out)->name);
    }
    if (*out != NULL) {
        return XTA_OK;
    }
    if (format != NULL) {
        return no_such_format(path, format, err);
    }
    char names[128], absent[XTA__MISSING_FORMAT_BYTES];
    return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                         "%s: no bridge of this build goes by the suffix '%s'; name a format: %s%s",
                         path, suffix, names_of_all(names, sizeof names),
                         xta__missing_format_text(NULL, suffix, absent, sizeof absent));
}
