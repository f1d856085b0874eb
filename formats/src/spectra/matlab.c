/* Spectral libraries in MATLAB's files: a matrix with a column, or a row, for each spectrum.
 *
 * The matrix, wavelengths and unit are variables, found by name. The matrix is read by the format
 * of matlab/; the names, which are cell arrays of texts or matrices of characters, are read by
 * libmatio, which supports such nested values. It is used only for names.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "spectra/formats.h"

#include <math.h>
#include <matio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "description/description.h"
#include "description/format.h"
#include "hdf5/base/library.h"
#include "hdf5/self_contained.h"
#include "matlab/matlab.h"
#include "spectra/text_file.h"
#include "spectra/values.h"
#include "util/try.h"

/* The variable with the unit of the wavelengths, a text. */
#define UNIT_VARIABLE "wavelength_unit"
/* The variable with the number by which values are divided to get reflectances. */
#define SCALE_VARIABLE "reflectance_scale_factor"

/* ---- numbers ---- */

/* A matrix in MATLAB's layout: column after column. */
typedef struct matrix {
    size_t rows;
    size_t columns;
    double *values;
} matrix;

static xta_status read_matrix(const char *path, const char *variable, matrix *m, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_import_options options = XTA_IMPORT_OPTIONS_INIT;
    bridge_target target = {NULL, -1};
    bridge_description what;
    void *state = NULL;
    void *cells = NULL;
    const bridge_format *format = &xta__bridge_matlab;
    options.variable = variable;
    m->values = NULL;
    xta__description_init(&what);
    XTA_TRY(format->open(path, &options, &target, &what, &state, err));
    bool complex = what.type == XTA_C64 || what.type == XTA_C128;
    double about = 1;
    xta_box box = {.ndim = what.ndim};
    for (int d = 0; d < what.ndim; d++) {
        box.hi[d] = what.bounds[d];
        about *= (double)what.bounds[d];
    }
    if (what.ndim > 2 || complex || about < 1 || about > 1e12) {
        status = xta_error_set(err, complex ? XTA_EUNSUPPORTED : XTA_EARG, 0,
                               "%s: variable '%s' is no matrix of real numbers with spectra in it",
                               path, what.variable);
        goto done;
    }
    m->rows = (size_t)what.bounds[0];
    m->columns = what.ndim > 1 ? (size_t)what.bounds[1] : 1;
    cells = malloc(m->rows * m->columns * what.cell_bytes);
    m->values = malloc(m->rows * m->columns * sizeof *m->values);
    if (cells == NULL || m->values == NULL) {
        status = xta__bridge_no_memory(path, err);
        goto done;
    }
    XTA_TRY(format->read(state, &box, cells, err));
    status = xta__spectra_doubles(path, what.type, cells, m->values, m->rows * m->columns, err);
done:
    if (state != NULL) {
        format->close(state);
    }
    if (status != XTA_OK) {
        free(m->values);
        m->values = NULL;
    }
    free(cells);
    xta__description_clear(&what);
    return status;
}

/* The arrangement of spectra in the matrix: one in each column, or row. */
typedef struct layout {
    bool transposed;
    size_t n_bands;
    size_t n_all;  /* columns, or rows, in the matrix */
    size_t skip;   /* how many of them precede the first spectrum */
    size_t column; /* column of the wavelengths, from 1; 0: none */
} layout;

static double value_at(const matrix *m, const layout *l, size_t band, size_t column)
{
    return l->transposed ? m->values[band * m->rows + column] : m->values[column * m->rows + band];
}

static xta_status copy_values(const char *path, const matrix *m, const layout *l, xta_spectra *out,
                              xta_error *err)
{
    bool among = l->column > l->skip; // the wavelengths are not a spectrum
    size_t k = 0;
    if (l->skip + among >= l->n_all || l->column > l->n_all) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: the matrix has %zu %s; skip=%zu and wavelength=%zu leave no "
                             "spectrum",
                             path, l->n_all, l->transposed ? "rows" : "columns", l->skip,
                             l->column);
    }
    if (!xta__spectra_new(out, l->n_all - l->skip - among, l->n_bands, l->column > 0)) {
        return xta__bridge_no_memory(path, err);
    }
    for (size_t c = 0; c < l->n_all; c++) {
        bool wavelengths = c + 1 == l->column;
        double *to = wavelengths   ? out->wavelength
                     : c < l->skip ? NULL
                                   : out->values + k++ * l->n_bands;
        for (size_t b = 0; to != NULL && b < l->n_bands; b++) {
            to[b] = value_at(m, l, b, c);
        }
    }
    return XTA_OK;
}

/* Read wavelengths from another variable; without a name, from one of the usual ones if it
 * exists. */
static xta_status read_wavelengths(const char *path, const char *name, xta_spectra *out,
                                   xta_error *err)
{
    static const char *const usual[] = {"wavelength", "wavelengths"};
    xta_status status = XTA_OK;
    matrix m = {0, 0, NULL};
    if (name != NULL) {
        XTA_TRY(read_matrix(path, name, &m, err));
    }
    for (int k = 0; name == NULL && k < 2 && m.values == NULL; k++) {
        xta_status ignored = read_matrix(path, usual[k], &m, NULL);
        (void)ignored; // treated as missing
    }
    if (m.values != NULL && m.rows * m.columns == out->n_bands) {
        free(out->wavelength);
        out->wavelength = m.values;
        m.values = NULL;
    } else if (name != NULL) {
        status = xta_error_set(err, XTA_EARG, 0, "%s: variable '%s' has %zu numbers for %zu bands",
                               path, name, m.rows * m.columns, out->n_bands);
    }
done:
    free(m.values);
    return status;
}

/* Read the scale, if there is a number with that name. */
static void read_scale(const char *path, xta_spectra *out)
{
    matrix m = {0, 0, NULL};
    if (read_matrix(path, SCALE_VARIABLE, &m, NULL) == XTA_OK && m.rows * m.columns == 1 &&
        isfinite(m.values[0]) && m.values[0] > 0) {
        out->scale = m.values[0];
    }
    free(m.values);
}

/* ---- names ---- */

typedef struct text_list {
    char **texts;
    size_t n;
} text_list;

static void clear_texts(text_list *list)
{
    for (size_t k = 0; k < list->n; k++) {
        free(list->texts[k]);
    }
    free(list->texts);
    *list = (text_list){NULL, 0};
}

/* Encode a character as UTF-8; returns the number of bytes. */
static size_t put_character(uint32_t code, char *to)
{
    static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t k = n - 1; k > 0; k--) {
        to[k] = (char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    to[0] = (char)(first[n] | code);
    return n;
}

/* Decode one character of UTF-8; an invalid one becomes a question mark. Returns the number of
 * bytes. */
static size_t decode_character(const char *from, uint32_t *code)
{
    const unsigned char *c = (const unsigned char *)from;
    size_t n = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    uint32_t value = n <= 1 ? c[0] : c[0] & (0xffu >> (n + 1));
    for (size_t k = 1; k < n; k++) {
        if ((c[k] & 0xc0) != 0x80) { // also true at the end of the text
            n = 0;
            break;
        }
        value = value << 6 | (c[k] & 0x3f);
    }
    *code = n == 0 || value > 0x10ffff ? '?' : value;
    return n == 0 ? 1 : n;
}

static uint32_t code_at(const matvar_t *v, size_t k)
{
    if (v->class_type == MAT_C_DOUBLE) {
        double code = ((const double *)v->data)[k];
        return code >= 0 && code < 65536 ? (uint32_t)code : ' ';
    }
    return v->data_size == 1   ? ((const unsigned char *)v->data)[k]
           : v->data_size == 2 ? ((const uint16_t *)v->data)[k]
                               : ((const uint32_t *)v->data)[k] & 0xffff;
}

/* Row `row` of a matrix of characters. NULL: out of memory, or it is not text. */
static char *row_text(const matvar_t *v, size_t row)
{
    bool characters = v->class_type == MAT_C_CHAR || v->class_type == MAT_C_UINT8 ||
                      v->class_type == MAT_C_DOUBLE;
    if (v->rank != 2 || !characters || v->isComplex) {
        return NULL;
    }
    size_t n = v->dims[1];
    size_t unit = v->class_type == MAT_C_DOUBLE ? sizeof(double) : (size_t)v->data_size;
    // a character may take several bytes, so only one row is possible
    bool bytes = v->data_type == MAT_T_UTF8;
    if (unit == 0 || v->nbytes / unit < n * v->dims[0]) {
        return NULL;
    }
    if (bytes && v->dims[0] == 1 && v->data != NULL) {
        char *copy = calloc(v->nbytes + 1, 1);
        return copy != NULL ? memcpy(copy, v->data, v->nbytes) : NULL;
    }
    char *text = calloc(3 * n + 4, 1);
    char *to = text;
    for (size_t k = 0; text != NULL && v->data != NULL && k < n; k++) {
        uint32_t code = code_at(v, k * v->dims[0] + row);
        uint32_t second = k + 1 < n ? code_at(v, (k + 1) * v->dims[0] + row) : 0;
        if ((code & 0xfc00) == 0xd800 && (second & 0xfc00) == 0xdc00) { // surrogate pair of UTF-16
            code = 0x10000 + ((code & 0x3ff) << 10) + (second & 0x3ff);
            k++;
        }
        to += put_character(code == 0 ? ' ' : code, to);
    }
    return text;
}

/* All texts of a variable: from each cell, or each row. None if it is of another kind. */
static void texts_of(matvar_t *v, text_list *list)
{
    size_t n = v->dims != NULL && v->rank == 2 ? v->dims[0] : 0;
    bool cells = v->class_type == MAT_C_CELL;
    *list = (text_list){NULL, 0};
    if (cells && n > 0) {
        n *= v->dims[1];
    }
    list->texts = n > 0 && n < 1u << 24 ? calloc(n, sizeof *list->texts) : NULL;
    for (size_t k = 0; list->texts != NULL && k < n; k++) {
        matvar_t *one = cells ? Mat_VarGetCell(v, (int)k) : v;
        bool text = one != NULL && one->rank == 2 && (!cells || one->class_type == MAT_C_CHAR) &&
                    one->dims != NULL;
        bool empty = cells && text && one->dims[0] * one->dims[1] == 0;
        char *copy = empty ? calloc(1, 1) : text ? row_text(one, cells ? 0 : k) : NULL;
        if (copy == NULL) {
            clear_texts(list);
            return;
        }
        list->texts[list->n++] = copy;
    }
}

/* Whether a variable has the shape to hold this many names. */
static bool may_be_names(const matvar_t *v, const layout *l, size_t n_spectra)
{
    bool small = v->rank == 2 && v->dims != NULL && v->dims[1] < 1000;
    bool called = v->name != NULL && strstr(v->name, "name") != NULL;
    bool kind = v->class_type == MAT_C_CHAR ||
                (called && (v->class_type == MAT_C_DOUBLE || v->class_type == MAT_C_UINT8));
    if (v->class_type == MAT_C_CELL && v->rank == 2 && v->dims != NULL) {
        size_t n = v->dims[0] * v->dims[1];
        return n == n_spectra || n == l->n_all;
    }
    return small && kind && (v->dims[0] == n_spectra || v->dims[0] == l->n_all);
}

/* Use the texts of a variable as names; false if there are not as many as there are spectra, or
 * columns. */
static bool use_texts(mat_t *file, const char *variable, const layout *l, xta_spectra *out)
{
    text_list list = {NULL, 0};
    matvar_t *v = Mat_VarRead(file, variable);
    if (v != NULL) {
        texts_of(v, &list);
    }
    bool of_all = list.n == l->n_all;
    bool good = list.n > 0 && (of_all || list.n == out->n_spectra);
    for (size_t k = 0, c = of_all ? l->skip : 0; good && k < out->n_spectra; k++, c++) {
        c += of_all && c + 1 == l->column;
        good = xta__spectra_set_name(out, k, list.texts[c], strlen(list.texts[c]));
    }
    clear_texts(&list);
    Mat_VarFree(v);
    return good;
}

/* The first variable that can hold the names, by its shape. */
static char *find_names(mat_t *file, const layout *l, size_t n_spectra)
{
    char *found = NULL;
    while (found == NULL) {
        matvar_t *v = Mat_VarReadNextInfo(file);
        if (v == NULL) {
            break;
        }
        if (v->name != NULL && strcmp(v->name, UNIT_VARIABLE) != 0 &&
            may_be_names(v, l, n_spectra)) {
            found = xta__bridge_copy(v->name);
        }
        Mat_VarFree(v);
    }
    Mat_Rewind(file);
    return found;
}

/* Read the unit, if there is a text with that name. */
static void read_unit(mat_t *file, xta_spectra *out)
{
    text_list list = {NULL, 0};
    matvar_t *v = Mat_VarRead(file, UNIT_VARIABLE);
    if (v != NULL && v->class_type == MAT_C_CHAR) {
        texts_of(v, &list);
    }
    if (list.n == 1 && !xta__spectra_set_unit(out, list.texts[0], strlen(list.texts[0]))) {
        out->wavelength_unit = NULL;
    }
    clear_texts(&list);
    Mat_VarFree(v);
}

static xta_status read_names(const char *path, const char *asked, const layout *l, xta_spectra *out,
                             xta_error *err)
{
    xta_status status = XTA_OK;
    xta__hdf5_enter();
    mat_t *file = Mat_Open(path, MAT_ACC_RDONLY);
    char *name = file == NULL    ? NULL
                 : asked != NULL ? xta__bridge_copy(asked)
                                 : find_names(file, l, out->n_spectra);
    bool good = name != NULL && use_texts(file, name, l, out);
    if (file != NULL && out->wavelength != NULL) {
        read_unit(file, out);
    }
    if (asked != NULL && !good) {
        status =
            xta_error_set(err, XTA_EARG, 0,
                          "%s: variable '%s' does not hold %zu names, as cells of texts or rows "
                          "of characters",
                          path, asked, out->n_spectra);
    }
    if (file != NULL) {
        Mat_Close(file);
    }
    xta__hdf5_leave();
    free(name);
    return status;
}

/* Read the matrix: the given one, else `M` if it exists, else the only array of numbers. */
static xta_status read_named(const char *path, const char *variable, matrix *m, xta_error *err)
{
    if (variable == NULL && read_matrix(path, "M", m, NULL) == XTA_OK) {
        return XTA_OK;
    }
    return read_matrix(path, variable, m, err);
}

xta_status xta__spectra_read_matlab(const char *path, const xta_spectra_options *options,
                                    xta_spectra *out, xta_error *err)
{
    xta_status status = XTA_OK;
    matrix m = {0, 0, NULL};
    XTA_TRY(xta__hdf5_check_self_contained(path, err)); // libmatio would follow any external link
    XTA_TRY(read_named(path, options->variable, &m, err));
    bool transposed = options->transposed;
    layout l = {transposed, transposed ? m.columns : m.rows, transposed ? m.rows : m.columns,
                options->skip, options->wavelength_column};
    XTA_TRY(copy_values(path, &m, &l, out, err));
    if (options->wavelength_column == 0) {
        XTA_TRY(read_wavelengths(path, options->wavelengths, out, err));
    }
    read_scale(path, out);
    XTA_TRY(read_names(path, options->names, &l, out, err));
done:
    free(m.values);
    return status;
}

/* ---- writing ---- */

/* Write one variable, and free it. */
static bool write_variable(mat_t *file, matvar_t *v)
{
    bool good = v != NULL && Mat_VarWrite(file, v, MAT_COMPRESSION_NONE) == 0;
    Mat_VarFree(v);
    return good;
}

/* A text as UTF-16, as MATLAB stores it. */
static matvar_t *text_variable(const char *name, const char *text)
{
    size_t dims[2] = {1, 0};
    uint16_t *words = calloc(strlen(text) + 1, sizeof *words);
    matvar_t *v = NULL;
    while (words != NULL && *text != '\0') {
        uint32_t code = 0;
        text += decode_character(text, &code);
        if (code >= 0x10000) {
            words[dims[1]++] = (uint16_t)(0xd800 | (code - 0x10000) >> 10);
            code = 0xdc00 | (code & 0x3ff);
        }
        words[dims[1]++] = (uint16_t)code;
    }
    if (words != NULL) {
        v = Mat_VarCreate(name, MAT_C_CHAR, MAT_T_UTF16, 2, dims, words, 0);
    }
    free(words);
    return v;
}

static bool put_names(mat_t *file, const xta_spectra *s)
{
    size_t dims[2] = {s->n_spectra, 1};
    matvar_t *names = Mat_VarCreate("names", MAT_C_CELL, MAT_T_CELL, 2, dims, NULL, 0);
    for (size_t k = 0; names != NULL && k < s->n_spectra; k++) {
        Mat_VarSetCell(names, (int)k, text_variable(NULL, s->names[k]));
    }
    return write_variable(file, names);
}

static bool put_all(mat_t *file, const xta_spectra *s)
{
    size_t shape[2] = {s->n_bands, s->n_spectra};
    size_t vector[2] = {s->n_bands, 1};
    bool good = write_variable(
        file, Mat_VarCreate("M", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, shape, s->values, 0));
    if (good && s->wavelength != NULL) {
        good = write_variable(file, Mat_VarCreate("wavelength", MAT_C_DOUBLE, MAT_T_DOUBLE, 2,
                                                  vector, s->wavelength, 0));
    }
    if (good && s->wavelength != NULL && s->wavelength_unit != NULL) {
        good = write_variable(file, text_variable(UNIT_VARIABLE, s->wavelength_unit));
    }
    if (good && s->scale > 0) {
        double scale = s->scale;
        size_t one[2] = {1, 1};
        good = write_variable(
            file, Mat_VarCreate(SCALE_VARIABLE, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, one, &scale, 0));
    }
    return good && put_names(file, s);
}

xta_status xta__spectra_write_matlab(const char *path, const xta_spectra *s, xta_error *err)
{
    char *unfinished = xta__spectra_unfinished_path(path);
    if (unfinished == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    xta__hdf5_enter();
    mat_t *file = Mat_CreateVer(unfinished, NULL, MAT_FT_MAT5);
    bool good = file != NULL && put_all(file, s);
    if (file != NULL) {
        good = Mat_Close(file) == 0 && good;
    }
    xta__hdf5_leave();
    xta_status status =
        good ? xta__spectra_replace(unfinished, path, err)
             : xta_error_set(err, XTA_EFOREIGN, 0, "%s: libmatio cannot write it", path);
    if (!good) {
        unlink(unfinished);
    }
    free(unfinished);
    return status;
}
