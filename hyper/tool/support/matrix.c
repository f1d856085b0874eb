/* Rows of numbers, from text or from an array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "support/matrix.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/labels.h"
#include "util/text.h"
#include "util/vector.h"

/* State of reading a text. */
typedef struct reading {
    const char *path;
    double *values;
    size_t n, capacity;
    size_t n_columns; // of the first row; 0: none yet
    size_t line;
} reading;

static xta_status push(reading *text, double value, cli_error *err)
{
    if (!XTA__RESERVE(text->values, text->capacity, text->n + 1)) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for %zu numbers", text->path,
                        text->n + 1);
    }
    text->values[text->n++] = value;
    return XTA_OK;
}

static xta_status take_row(reading *text, const char *row, cli_error *err)
{
    size_t before = text->n, n_columns;
    xta_status status = XTA_OK;

    for (row += strspn(row, " \t\r\n,;"); *row != '\0' && *row != '#';) {
        char *end;
        double value = strtod(row, &end);
        if (end == row || !isfinite(value) || strchr(" \t\r\n,;", *end) == NULL) {
            return cli_fail(err, XTA_EFORMAT, 0, "%s: line %zu: \"%.*s\" is not a number",
                            text->path, text->line, (int)strcspn(row, " \t\r\n,;"), row);
        }
        XTA_TRY(push(text, value, err));
        row = end + strspn(end, " \t\r\n,;");
    }
    n_columns = text->n - before;
    if (n_columns > 0 && text->n_columns > 0 && n_columns != text->n_columns) {
        return cli_fail(err, XTA_EFORMAT, 0, "%s: line %zu has %zu numbers, the first has %zu",
                        text->path, text->line, n_columns, text->n_columns);
    }
    text->n_columns = n_columns > 0 ? n_columns : text->n_columns;
done:
    return status;
}

static xta_status read_text(reading *text, cli_error *err)
{
    FILE *file = fopen(text->path, "r");
    char *line = NULL;
    size_t capacity = 0;
    xta_status status = XTA_OK;

    if (file == NULL) {
        return cli_fail(err, errno == ENOENT ? XTA_ENOENT : XTA_EIO, errno,
                        "%s: cannot be read: %s", text->path, strerror(errno));
    }
    while (status == XTA_OK && getline(&line, &capacity, file) >= 0) {
        text->line++;
        status = take_row(text, line, err);
    }
    if (status == XTA_OK && ferror(file)) {
        status =
            cli_fail(err, XTA_EIO, errno, "%s: cannot be read: %s", text->path, strerror(errno));
    }
    if (status == XTA_OK && text->n == 0) {
        status = cli_fail(err, XTA_EFORMAT, 0, "%s: has no numbers", text->path);
    }
    free(line);
    fclose(file);
    return status;
}

static xta_status read_array(reading *matrix, cli_error *err)
{
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_box bounds;
    xta_status status = XTA_OK;

    XTA_TRY(cli_open_any(matrix->path, &array, err));
    bounds = xta_array_bounds(array);
    if (bounds.ndim != 2) {
        status = cli_fail(err, XTA_EARG, 0, "%s: has %d axes; want two, of rows and columns",
                          matrix->path, bounds.ndim);
        goto done;
    }
    matrix->n_columns = (size_t)(bounds.hi[1] - bounds.lo[1]);
    matrix->n = (size_t)(bounds.hi[0] - bounds.lo[0]) * matrix->n_columns;
    matrix->values = malloc((matrix->n + 1) * sizeof matrix->values[0]);
    if (matrix->values == NULL) {
        status =
            cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for %zu numbers", matrix->path, matrix->n);
        goto done;
    }
    io.type = XTA_F64;
    XTA_TRY(xta_array_read(array, &bounds, &io, matrix->values, &err->error));
done:
    return cli_close(array, status, err);
}

/* Whether a matrix is read as text: its file has the suffix, and a name before it. */
static bool is_text_file(const char *path)
{
    return strlen(path) > 4 && (xta__ends_with(path, ".csv") || xta__ends_with(path, ".txt"));
}

xta_status cli_matrix_read(const char *path, double **values, size_t *n_rows, size_t *n_columns,
                           cli_error *err)
{
    reading matrix = {.path = path};
    xta_status status = is_text_file(path) ? read_text(&matrix, err) : read_array(&matrix, err);

    if (status != XTA_OK) {
        free(matrix.values);
        return status;
    }
    *values = matrix.values;
    *n_columns = matrix.n_columns;
    *n_rows = matrix.n_columns > 0 ? matrix.n / matrix.n_columns : 0;
    return XTA_OK;
}
