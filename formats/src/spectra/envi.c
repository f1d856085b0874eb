/* Spectral libraries of ENVI: a file of cells, one row for each spectrum, and a text header beside
 * it.
 *
 *     ENVI
 *     samples = 224            number of bands
 *     lines = 498              number of spectra
 *     data type = 5
 *     wavelength = {0.38, 0.39,
 *      0.4}
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "spectra/formats.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/path_suffix.h"
#include "dense/dense_file.h"
#include "description/description.h"
#include "spectra/text_file.h"
#include "spectra/values.h"
#include "util/try.h"

/* ---- paths ---- */

static bool is_file(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
}

/* The length of a path without the suffix of its last component. */
static size_t stem_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash != NULL ? slash : path, '.');
    return dot != NULL ? (size_t)(dot - path) : strlen(path);
}

/* The first path that is a file, made from the stem or the whole path and one of the endings; NULL:
 * none. */
static char *find_beside(const char *path, bool whole_too, const char *const endings[])
{
    size_t n_bytes = strlen(path) + 8;
    char *found = malloc(n_bytes);
    for (int k = 0; found != NULL && endings[k] != NULL; k++) {
        snprintf(found, n_bytes, "%.*s%s", (int)stem_length(path), path, endings[k]);
        if (is_file(found)) {
            return found;
        }
        snprintf(found, n_bytes, "%s%s", path, endings[k]);
        if (whole_too && is_file(found)) {
            return found;
        }
    }
    free(found);
    return NULL;
}

/* The names that find_beside() tries, separated by commas, as many as fit in a message. */
static void tried_names(const char *path, const char *const endings[], char *text, size_t capacity)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    size_t at = 0;
    for (int k = 0; endings[k] != NULL && at < capacity; k++) {
        at += (size_t)snprintf(text + at, capacity - at, "%s%.*s%s", k > 0 ? ", " : "",
                               (int)stem_length(name), name, endings[k]);
    }
}

static xta_status find_files(const char *path, char **cells, char **header, xta_error *err)
{
    static const char *const of_header[] = {".hdr", ".HDR", NULL};
    static const char *const of_cells[] = {"",     ".sli", ".slb", ".lib", ".img",
                                           ".dat", ".SLI", ".raw", NULL};
    char suffix[16], tried[200];
    xta__path_suffix(path, suffix);
    bool given = strcmp(suffix, "hdr") == 0;
    *header = given ? xta__bridge_copy(path) : find_beside(path, true, of_header);
    *cells = given ? find_beside(path, false, of_cells) : xta__bridge_copy(path);
    if (given && is_file(path) && *cells == NULL) {
        tried_names(path, of_cells, tried, sizeof tried);
        return xta_error_set(err, XTA_ENOENT, 0,
                             "%s: the file of cells that belongs to this header is missing; there "
                             "is none of %s; name the file of cells itself, with the header "
                             "beside it as FILE.hdr",
                             path, tried);
    }
    if (*cells == NULL || !is_file(*cells) || (given && !is_file(path))) {
        return xta_error_set(err, XTA_ENOENT, 0, "%s: there is no such file", path);
    }
    if (*header == NULL) {
        tried_names(path, of_header, tried, sizeof tried);
        return xta_error_set(err, XTA_ENOENT, 0,
                             "%s: its header is missing; there is none of %s, and no %s.hdr", path,
                             tried, path);
    }
    return XTA_OK;
}

/* ---- the header ---- */

/* The value of a key, without braces, and its length; NULL if the header has no such key. */
static const char *value_of(const char *text, const char *key, size_t *n)
{
    size_t length = strlen(key);
    while (*text != '\0') {
        size_t line = strcspn(text, "\n");
        const char *equals = memchr(text, '=', line);
        const char *begin = text + strspn(text, " \t");
        const char *value = equals != NULL ? equals + 1 + strspn(equals + 1, " \t") : text;
        const char *end = text + line;
        if (equals != NULL && *value == '{') {
            end = value + strcspn(value, "}");
            value++;
        }
        bool same = equals != NULL && begin + length <= equals &&
                    strncasecmp(begin, key, length) == 0 &&
                    strspn(begin + length, " \t") == (size_t)(equals - begin) - length;
        if (same) {
            *n = (size_t)(end - value);
            return value;
        }
        text = end + strcspn(end, "\n");
        text += *text == '\n';
    }
    return NULL;
}

/* A whole number from the header; `otherwise` if there is no such key, -1 if it is not a number. */
static int64_t number_of(const char *text, const char *key, int64_t otherwise)
{
    size_t n = 0;
    char *end = NULL;
    const char *value = value_of(text, key, &n);
    if (value == NULL) {
        return otherwise;
    }
    long long number = strtoll(value, &end, 10);
    bool good = end > value && end <= value + n && number >= 0;
    return good ? number : -1;
}

static xta_type type_of(int64_t data_type)
{
    static const struct {
        int number;
        xta_type type;
    } types[] = {{1, XTA_U8},   {2, XTA_I16},  {3, XTA_I32},  {4, XTA_F32}, {5, XTA_F64},
                 {12, XTA_U16}, {13, XTA_U32}, {14, XTA_I64}, {15, XTA_U64}};
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        if (types[k].number == data_type) {
            return types[k].type;
        }
    }
    return XTA_TYPE_SAME;
}

static xta_status bad_key(const char *path, const char *key, const char *want, xta_error *err)
{
    return xta_error_set(err, XTA_EFORMAT, 0, "%s: its key '%s' is missing or makes no sense; %s",
                         path, key, want);
}

/* Read shape, type and offset of the cells. */
static xta_status describe_cells(const char *header, const char *text, bridge_dense *file,
                                 xta_type *type, xta_error *err)
{
    int64_t bands = number_of(text, "samples", -1);
    int64_t spectra = number_of(text, "lines", -1);
    int64_t offset = number_of(text, "header offset", 0);
    int64_t order = number_of(text, "byte order", 0);
    int64_t data_type = number_of(text, "data type", -1);
    const char *first = text + strspn(text, " \t\r\n");
    if (strncmp(first, "ENVI", 4) != 0) {
        return xta_error_set(err, XTA_EFORMAT, 0, "%s: does not begin with the word ENVI", header);
    }
    if (bands < 1 || spectra < 1) {
        return bad_key(header, bands < 1 ? "samples" : "lines",
                       "of a library they are the numbers of bands and of spectra", err);
    }
    if (number_of(text, "bands", 1) != 1) {
        return xta_error_set(err, XTA_EFORMAT, 0,
                             "%s: is an image, not a spectral library, which has bands = 1",
                             header);
    }
    if (offset < 0 || order < 0 || order > 1) {
        return bad_key(header, offset < 0 ? "header offset" : "byte order", "both may be left out",
                       err);
    }
    *type = type_of(data_type);
    if (*type == XTA_TYPE_SAME) {
        return xta_error_set(err, data_type < 0 ? XTA_EFORMAT : XTA_EUNSUPPORTED, 0,
                             "%s: its data type is %lld; there are 1 to 5 and 12 to 15", header,
                             (long long)data_type);
    }
    file->offset = (uint64_t)offset;
    file->cell_bytes = xta_type_bytes(*type);
    file->swap_bytes = (order == 1) != XTA__BIG_ENDIAN ? file->cell_bytes : 0;
    file->ndim = 2;
    file->bounds[0] = spectra;
    file->bounds[1] = bands;
    return XTA_OK;
}

/* Parse the list of names, one for each spectrum. Missing names stay empty, surplus ones are
 * ignored. */
static bool parse_names(const char *text, xta_spectra *out)
{
    size_t n = 0;
    const char *at = value_of(text, "spectra names", &n);
    const char *end = at != NULL ? at + n : NULL;
    bool good = true;
    for (size_t k = 0; at != NULL && at < end && k < out->n_spectra && good; k++) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma != NULL ? comma : end;
        good = xta__spectra_set_name(out, k, at, (size_t)(stop - at));
        at = stop + 1;
    }
    return good;
}

static xta_status parse_wavelengths(const char *header, const char *text, xta_spectra *out,
                                    xta_error *err)
{
    size_t n = 0;
    const char *at = value_of(text, "wavelength", &n);
    if (at == NULL) {
        free(out->wavelength);
        out->wavelength = NULL;
        return XTA_OK;
    }
    const char *end = at + n;
    for (size_t b = 0; b < out->n_bands; b++) {
        char *behind = NULL;
        double value = at < end ? strtod(at, &behind) : 0;
        if (at >= end || behind == at || behind > end) {
            return xta_error_set(err, XTA_EFORMAT, 0,
                                 "%s: its key 'wavelength' has %zu numbers for %zu bands", header,
                                 b, out->n_bands);
        }
        out->wavelength[b] = value;
        at = behind + strspn(behind, " \t\r\n");
        at += at < end && *at == ',';
    }
    return XTA_OK;
}

static xta_status read_cells(const bridge_dense *file, xta_type type, xta_spectra *out,
                             xta_error *err)
{
    xta_status status = XTA_OK;
    size_t n = out->n_spectra * out->n_bands;
    xta_box box = {2, {0, 0}, {file->bounds[0], file->bounds[1]}};
    char *cells = malloc(n * file->cell_bytes);
    if (cells == NULL) {
        return xta__bridge_no_memory(file->path, err);
    }
    XTA_TRY(xta__dense_read(file, &box, cells, err));
    status = xta__spectra_doubles(file->path, type, cells, out->values, n, err);
done:
    free(cells);
    return status;
}

static xta_status fill_values(const char *header, const char *text, const bridge_dense *file,
                              xta_type type, xta_spectra *out, xta_error *err)
{
    xta_status status = XTA_OK;
    size_t n = 0;
    if (!xta__spectra_new(out, (size_t)file->bounds[0], (size_t)file->bounds[1], true)) {
        return xta__bridge_no_memory(file->path, err);
    }
    XTA_TRY(read_cells(file, type, out, err));
    XTA_TRY(parse_wavelengths(header, text, out, err));
    const char *scale = value_of(text, SPECTRA_SCALE, &n);
    out->scale = scale != NULL ? xta__spectra_parse_scale(scale, n) : 0;
    const char *unit = value_of(text, "wavelength units", &n);
    if (!parse_names(text, out) || (unit != NULL && !xta__spectra_set_unit(out, unit, n))) {
        status = xta__bridge_no_memory(file->path, err);
    }
done:
    return status;
}

xta_status xta__spectra_read_envi(const char *path, xta_spectra *out, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_dense file = {.fd = -1};
    char *cells = NULL;
    char *header = NULL;
    char *text = NULL;
    size_t n_text = 0;
    uint64_t file_bytes = 0;
    uint64_t need = 0;
    xta_type type = XTA_TYPE_SAME;
    XTA_TRY(find_files(path, &cells, &header, err));
    XTA_TRY(xta__spectra_read_text(header, &text, &n_text, err));
    XTA_TRY(describe_cells(header, text, &file, &type, err));
    XTA_TRY(xta__dense_open(&file, cells, &file_bytes, err));
    if (!xta__dense_total(&file, &need) || need + file.offset > file_bytes) {
        status =
            xta_error_set(err, XTA_EFORMAT, 0,
                          "%s: has %llu bytes; its header tells of %lld spectra of %lld bands, "
                          "which are more",
                          cells, (unsigned long long)file_bytes, (long long)file.bounds[0],
                          (long long)file.bounds[1]);
        goto done;
    }
    status = fill_values(header, text, &file, type, out, err);
done:
    xta__dense_close(&file);
    free(text);
    free(header);
    free(cells);
    return status;
}

/* ---- writing ---- */

static void put_header(FILE *file, const xta_spectra *s)
{
    char text[SPECTRA_NUMBER_BYTES];
    fprintf(file,
            "ENVI\nsamples = %zu\nlines = %zu\nbands = 1\nheader offset = 0\n"
            "file type = ENVI Spectral Library\ndata type = 5\ninterleave = bsq\nbyte order = %d\n",
            s->n_bands, s->n_spectra, XTA__BIG_ENDIAN ? 1 : 0);
    if (s->scale > 0) {
        fprintf(file, SPECTRA_SCALE " = %s\n", xta__spectra_format_number(s->scale, text));
    }
    if (s->wavelength_unit != NULL) {
        fprintf(file, "wavelength units = %s\n", s->wavelength_unit);
    }
    if (s->wavelength != NULL) {
        for (size_t b = 0; b < s->n_bands; b++) {
            fprintf(file, "%s%s",
                    b == 0       ? "wavelength = {\n "
                    : b % 8 == 0 ? ",\n "
                                 : ", ",
                    xta__spectra_format_number(s->wavelength[b], text));
        }
        fputs("}\n", file);
    }
    for (size_t k = 0; k < s->n_spectra; k++) {
        fputs(k == 0 ? "spectra names = {\n " : ",\n ", file);
        for (const char *c = s->names[k]; *c != '\0'; c++) {
            fputc(strchr(",{}\r\n", *c) != NULL ? ' ' : *c, file);
        }
    }
    fputs("}\n", file);
}

static xta_status write_unfinished(const char *path, const xta_spectra *s, bool cells,
                                   char **unfinished, xta_error *err)
{
    *unfinished = xta__spectra_unfinished_path(path);
    FILE *file = *unfinished != NULL ? fopen(*unfinished, "wb") : NULL;
    if (file == NULL) {
        int code = errno;
        return xta_error_set(err, XTA_EACCESS, code, "%s: cannot create it: %s", path,
                             strerror(code));
    }
    if (cells) {
        fwrite(s->values, sizeof *s->values, s->n_spectra * s->n_bands, file);
    } else {
        put_header(file, s);
    }
    bool good = fflush(file) == 0 && !ferror(file) && fsync(fileno(file)) == 0;
    int code = errno;
    good = fclose(file) == 0 && good;
    return good
               ? XTA_OK
               : xta_error_set(err, XTA_EIO, code, "%s: cannot write it: %s", path, strerror(code));
}

xta_status xta__spectra_write_envi(const char *path, const xta_spectra *s, xta_error *err)
{
    xta_status status = XTA_OK;
    size_t n_bytes = strlen(path) + 8;
    char *header = malloc(n_bytes);
    char *cells = malloc(n_bytes);
    char *parts[2] = {NULL, NULL};
    char suffix[16];
    if (header == NULL || cells == NULL) {
        status = xta__bridge_no_memory(path, err);
        goto done;
    }
    xta__path_suffix(path, suffix);
    bool given = strcmp(suffix, "hdr") == 0;
    snprintf(header, n_bytes, "%.*s.hdr", (int)stem_length(path), path);
    snprintf(cells, n_bytes, "%.*s%s", given ? (int)stem_length(path) : (int)strlen(path), path,
             given ? ".sli" : "");
    XTA_TRY(write_unfinished(cells, s, true, &parts[0], err));
    XTA_TRY(write_unfinished(header, s, false, &parts[1], err));
    XTA_TRY(xta__spectra_replace(parts[0], cells, err));
    XTA_TRY(xta__spectra_replace(parts[1], header, err));
done:
    for (int k = 0; k < 2; k++) {
        if (parts[k] != NULL) {
            unlink(parts[k]); // does nothing unless something failed
        }
        free(parts[k]);
    }
    free(header);
    free(cells);
    return status;
}
