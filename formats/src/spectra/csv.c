/* Spectral libraries as CSV: a line of names, then a line for each band.
 *
 *     wavelength (nm),kaolinite,"alunite, coarse"
 *     2200.5,0.41,0.3
 *
 * The unit of the wavelengths is part of their column's name, the scale of reflectances is in a
 * comment. Lost: other comments.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "spectra/formats.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "description/description.h"
#include "spectra/text_file.h"
#include "spectra/values.h"
#include "util/try.h"
#include "util/vector.h"

/* A text that is parsed in place. */
typedef struct csv_reader {
    const char *path;
    char *at;
    size_t line;     /* of the file, from 1 */
    double scale;    /* scale from a comment; 0: none so far */
    bool end_of_row; /* the last field of the row has been read */
} csv_reader;

/* Parse "# reflectance scale factor: 10000"; other comments are ignored. */
static void parse_comment(csv_reader *r, size_t n)
{
    const size_t length = strlen(SPECTRA_SCALE);
    const char *at = r->at + 1 + strspn(r->at + 1, " \t"), *end = r->at + n;
    if (at + length >= end || strncasecmp(at, SPECTRA_SCALE, length) != 0) {
        return;
    }
    at += length + strspn(at + length, " \t");
    if (at < end && (*at == ':' || *at == '=')) {
        r->scale = xta__spectra_parse_scale(at + 1, (size_t)(end - at - 1));
    }
}

/* Go to the next line that is not empty; false at the end. */
static bool next_row(csv_reader *r)
{
    for (;;) {
        size_t n = strcspn(r->at, "\n");
        bool blank = r->at[0] == '#' || strspn(r->at, " \t\r") >= n;
        if (r->at[0] == '\0' || !blank) {
            return r->at[0] != '\0';
        }
        if (r->at[0] == '#') {
            parse_comment(r, n);
        }
        r->at += n + (r->at[n] == '\n');
        r->line++;
    }
}

/* Read a quoted field, which may contain commas and line ends; two quotes stand for one. NULL: the
 * closing quote is missing. */
static char *quoted_field(csv_reader *r)
{
    char *field = ++r->at;
    char *to = field;
    for (; r->at[0] != '\0'; r->at++) {
        if (r->at[0] == '"' && r->at[1] != '"') {
            r->at++;
            *to = '\0';
            return field;
        }
        r->at += r->at[0] == '"';
        r->line += r->at[0] == '\n';
        *to++ = r->at[0];
    }
    return NULL;
}

/* The next field of the row, ended by a zero; NULL if a closing quote is missing. */
static char *next_field(csv_reader *r)
{
    r->at += strspn(r->at, " \t");
    char *field = r->at;
    if (r->at[0] == '"') {
        field = quoted_field(r);
        if (field == NULL) {
            return NULL;
        }
    }
    char *end = r->at + strcspn(r->at, ",\n");
    r->end_of_row = *end != ',';
    r->line += *end == '\n';
    r->at = *end != '\0' ? end + 1 : end;
    *end = '\0';
    if (end > field && end[-1] == '\r') {
        end[-1] = '\0';
    }
    return field;
}

static xta_status bad_quotes(const csv_reader *r, xta_error *err)
{
    return xta_error_set(err, XTA_EFORMAT, 0, "%s: line %zu: its quotes are not closed", r->path,
                         r->line);
}

/* The contents of the first line. */
typedef struct csv_head {
    char **names; /* names of the spectra, within the text */
    size_t n;
    bool first; /* the first column has wavelengths or band numbers */
    bool wavelengths;
    const char *unit; /* within the text; NULL: none */
    size_t n_unit;
} csv_head;

static void parse_first_field(const char *field, csv_head *head)
{
    bool wavelength = strncasecmp(field, "wavelength", 10) == 0;
    head->first = wavelength || strncasecmp(field, "band", 4) == 0;
    head->wavelengths = wavelength;
    const char *bracket = wavelength ? strpbrk(field, "([") : NULL;
    if (bracket != NULL) {
        const char *end = strrchr(bracket, bracket[0] == '(' ? ')' : ']');
        head->unit = bracket + 1;
        head->n_unit = end != NULL ? (size_t)(end - bracket - 1) : strlen(bracket + 1);
    }
}

static xta_status read_head(csv_reader *r, csv_head *head, xta_error *err)
{
    if (!next_row(r)) {
        return xta_error_set(err, XTA_EFORMAT, 0, "%s: is empty; its first line names the spectra",
                             r->path);
    }
    size_t capacity = 2;
    for (const char *c = r->at; *c != '\0'; c++) {
        capacity += *c == ',';
    }
    head->names = calloc(capacity, sizeof *head->names);
    if (head->names == NULL) {
        return xta__bridge_no_memory(r->path, err);
    }
    r->end_of_row = false;
    for (bool begin = true; !r->end_of_row; begin = false) {
        char *field = next_field(r);
        if (field == NULL) {
            return bad_quotes(r, err);
        }
        if (begin) {
            parse_first_field(field, head);
        }
        if (!begin || !head->first) {
            head->names[head->n++] = field;
        }
    }
    if (head->n == 0) {
        return xta_error_set(err, XTA_EFORMAT, 0,
                             "%s: its first line names no spectra; it is wavelength,NAME,...",
                             r->path);
    }
    return XTA_OK;
}

static xta_status read_number(const csv_reader *r, const char *field, size_t line, size_t column,
                              double *value, xta_error *err)
{
    char *end = NULL;
    *value = NAN;
    if (field[strspn(field, " \t")] == '\0') {
        return XTA_OK;
    }
    *value = strtod(field, &end);
    if (end == field || end[strspn(end, " \t")] != '\0') {
        char said[41];
        snprintf(said, sizeof said, "%s", field);
        for (char *c = said; *c != '\0'; c++) { // messages are single lines
            *c = iscntrl((unsigned char)*c) ? '?' : *c;
        }
        return xta_error_set(err, XTA_EFORMAT, 0, "%s: line %zu, column %zu: '%s' is no number",
                             r->path, line, column, said);
    }
    return XTA_OK;
}

/* Read one band into `row`: as many numbers as there are columns. */
static xta_status read_row(csv_reader *r, const csv_head *head, double *row, xta_error *err)
{
    size_t n = head->n + head->first;
    size_t k = 0;
    size_t line = r->line;
    r->end_of_row = false;
    for (; !r->end_of_row; k++) {
        char *field = next_field(r);
        if (field == NULL) {
            return bad_quotes(r, err);
        }
        double value;
        xta_status status = read_number(r, field, line, k + 1, &value, err);
        if (status != XTA_OK) {
            return status;
        }
        if (k < n) {
            row[k] = value;
        }
    }
    if (k != n) {
        return xta_error_set(err, XTA_EFORMAT, 0,
                             "%s: line %zu has %zu columns; the first line %zu", r->path, line, k,
                             n);
    }
    return XTA_OK;
}

/* Copy the rows of the file into `out`, transposed. */
static xta_status fill_values(const csv_head *head, const double *rows, size_t n_bands,
                              const char *path, xta_spectra *out, xta_error *err)
{
    size_t n = head->n + head->first;
    if (!xta__spectra_new(out, head->n, n_bands, head->wavelengths)) {
        return xta__bridge_no_memory(path, err);
    }
    for (size_t b = 0; b < n_bands; b++) {
        if (head->wavelengths) {
            out->wavelength[b] = rows[b * n];
        }
        for (size_t k = 0; k < head->n; k++) {
            out->values[k * n_bands + b] = rows[b * n + head->first + k];
        }
    }
    bool good = head->unit == NULL || xta__spectra_set_unit(out, head->unit, head->n_unit);
    for (size_t k = 0; good && k < head->n; k++) {
        good = xta__spectra_set_name(out, k, head->names[k], strlen(head->names[k]));
    }
    return good ? XTA_OK : xta__bridge_no_memory(path, err);
}

xta_status xta__spectra_read_csv(const char *path, xta_spectra *out, xta_error *err)
{
    xta_status status = XTA_OK;
    csv_reader r = {.path = path, .line = 1};
    csv_head head = {.n = 0};
    char *text = NULL;
    double *rows = NULL;
    size_t n_bytes = 0;
    size_t n_bands = 0;
    XTA_TRY(xta__spectra_read_text(path, &text, &n_bytes, err));
    if (strlen(text) != n_bytes) {
        status = xta_error_set(err, XTA_EFORMAT, 0, "%s: is no text", path);
        goto done;
    }
    r.at = strncmp(text, "\357\273\277", 3) == 0 ? text + 3 : text; // byte-order mark of UTF-8
    XTA_TRY(read_head(&r, &head, err));
    size_t n = head.n + head.first;
    for (size_t capacity = 0; next_row(&r); n_bands++) {
        // Each row so far has n fields in the text, so the product does not overflow.
        if (!XTA__RESERVE(rows, capacity, (n_bands + 1) * n)) {
            status = xta__bridge_no_memory(path, err);
            goto done;
        }
        XTA_TRY(read_row(&r, &head, rows + n_bands * n, err));
    }
    if (n_bands == 0) {
        status = xta_error_set(err, XTA_EFORMAT, 0, "%s: has names but no bands", path);
        goto done;
    }
    status = fill_values(&head, rows, n_bands, path, out, err);
    out->scale = status == XTA_OK ? r.scale : 0;
done:
    free(head.names);
    free(rows);
    free(text);
    return status;
}

/* ---- writing ---- */

/* Write a text in quotes, doubling its quotes. */
static void put_quoted(FILE *file, const char *text)
{
    for (; *text != '\0'; text++) {
        fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, file);
    }
}

static void put_name(FILE *file, const char *name)
{
    if (strpbrk(name, ",\"\r\n") == NULL && name[0] != '#' && name[0] != '\0') {
        fputs(name, file);
        return;
    }
    fputc('"', file);
    put_quoted(file, name);
    fputc('"', file);
}

static void put_all(FILE *file, const xta_spectra *s)
{
    char text[SPECTRA_NUMBER_BYTES];
    const char *unit = s->wavelength_unit;
    if (s->scale > 0) {
        fprintf(file, "# " SPECTRA_SCALE ": %s\n", xta__spectra_format_number(s->scale, text));
    }
    if (s->wavelength == NULL) {
        fputs("band", file);
    } else if (unit == NULL) {
        fputs("wavelength", file);
    } else if (strpbrk(unit, ",\"\r\n") != NULL) {
        fputs("\"wavelength (", file);
        put_quoted(file, unit);
        fputs(")\"", file);
    } else {
        fprintf(file, "wavelength (%s)", unit);
    }
    for (size_t k = 0; k < s->n_spectra; k++) {
        fputc(',', file);
        put_name(file, s->names[k]);
    }
    for (size_t b = 0; b < s->n_bands; b++) {
        if (s->wavelength != NULL) {
            fprintf(file, "\n%s", xta__spectra_format_number(s->wavelength[b], text));
        } else {
            fprintf(file, "\n%zu", b + 1);
        }
        for (size_t k = 0; k < s->n_spectra; k++) {
            fprintf(file, ",%s", xta__spectra_format_number(s->values[k * s->n_bands + b], text));
        }
    }
    fputc('\n', file);
}

xta_status xta__spectra_write_csv(const char *path, const xta_spectra *s, xta_error *err)
{
    char *unfinished = xta__spectra_unfinished_path(path);
    FILE *file = unfinished != NULL ? fopen(unfinished, "wb") : NULL;
    if (file == NULL) {
        int code = errno;
        free(unfinished);
        return xta_error_set(err, XTA_EACCESS, code, "%s: cannot create it: %s", path,
                             strerror(code));
    }
    put_all(file, s);
    bool good = fflush(file) == 0 && fsync(fileno(file)) == 0;
    int code = errno;
    good = fclose(file) == 0 && good;
    xta_status status =
        good ? xta__spectra_replace(unfinished, path, err)
             : xta_error_set(err, XTA_EIO, code, "%s: cannot write it: %s", path, strerror(code));
    if (!good) {
        unlink(unfinished);
    }
    free(unfinished);
    return status;
}
