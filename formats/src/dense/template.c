/* A format to copy when you add one. It is compiled and tested
 * (formats/tests/bridge/test_bridge_template.c), but no build offers it: the format is invented, to
 * show the structure.
 *
 * A file is one line of text and the cells, little-endian, row-major:
 *
 *     XTATEMPLATE f64 3 4<newline>cells
 *
 * What to do for a new format: make a folder with its name and copy this file into it; describe the
 * format, what maps to what, what is lost, and which library reads it; fill in the functions in the
 * order of the struct; add the files and the library to CMakeLists.txt behind an option; add
 * suffixes; describe in docs/decisions/0010-bridges.md which attributes it keeps under which names;
 * add a round trip judged by the format's own tools to formats/tests/bridge. Helpers that other
 * files of the folder call go into files of their own: nothing in the folder calls the file with
 * the table.
 *
 * Rules. Errors of the library are translated in one file, and our text quotes the library's
 * message. Nothing is printed. Whatever a file says is checked before memory is allocated for it. A
 * box is in the foreign array's own coordinates. The functions may be called from several threads,
 * each with a state of its own.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dense/template.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense_file.h"
#include "description/description.h"
#include "description/format.h"
#include "util/try.h"

#define MAGIC      "XTATEMPLATE "
#define LINE_BYTES 512

static const char *const suffixes[] = {"template", NULL};

static bool template_sniff(const char *path, const unsigned char *head, size_t n_bytes)
{
    (void)path;
    return n_bytes >= strlen(MAGIC) && memcmp(head, MAGIC, strlen(MAGIC)) == 0;
}

/* Read type and bounds from the first line; false if it is damaged. */
static bool parse_line(const char *line, bridge_description *what)
{
    char name[16];
    int used = 0;
    if (sscanf(line, MAGIC "%15s%n", name, &used) != 1 ||
        xta_type_parse(name, &what->type, &what->cell_bytes, NULL) != XTA_OK) {
        return false;
    }
    line += used;
    for (long long n; sscanf(line, " %lld%n", &n, &used) == 1; line += used) {
        if (what->ndim == XTA_MAX_NDIM || n < 0) {
            return false;
        }
        what->bounds[what->ndim++] = n;
    }
    return what->ndim > 0 && line[strspn(line, " ")] == '\0';
}

static xta_status template_open(const char *path, const xta_import_options *options,
                                const bridge_target *target, bridge_description *what, void **state,
                                xta_error *err)
{
    xta_status status = XTA_OK;
    char line[LINE_BYTES] = {0};
    uint64_t file_bytes = 0;
    uint64_t cells_bytes = 0;
    (void)options;
    (void)target;
    bridge_dense *file = calloc(1, sizeof *file);
    if (file == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    file->fd = -1;
    XTA_TRY(xta__dense_open(file, path, &file_bytes, err));
    size_t n = file_bytes < sizeof line - 1 ? (size_t)file_bytes : sizeof line - 1;
    XTA_TRY(xta__dense_bytes(file, 0, line, n, err));
    char *end = strchr(line, '\n');
    if (end != NULL) {
        *end = '\0';
    }
    if (end == NULL || !parse_line(line, what)) {
        status = xta_error_set(err, XTA_EFORMAT, 0, "%s: its first line is damaged", path);
        goto done;
    }
    file->offset = (uint64_t)(end + 1 - line);
    file->cell_bytes = what->cell_bytes;
    file->swap_bytes = XTA__BIG_ENDIAN ? xta__dense_unit(what->type) : 0;
    file->ndim = what->ndim;
    memcpy(file->bounds, what->bounds, sizeof file->bounds);
    if (!xta__dense_total(file, &cells_bytes) || cells_bytes > file_bytes - file->offset) {
        status = xta_error_set(err, XTA_EFORMAT, 0, "%s: ends before its last cell", path);
        goto done;
    }
    *state = file;
    file = NULL;
done:
    if (file != NULL) {
        xta__dense_close(file);
        free(file);
    }
    return status;
}

static xta_status template_read(void *state, const xta_box *box, void *cells, xta_error *err)
{
    return xta__dense_read(state, box, cells, err);
}

static void template_close(void *state)
{
    xta__dense_close(state);
    free(state);
}

static xta_status template_create(const char *path, const xta_export_options *options,
                                  bridge_description *what, void **state, xta_error *err)
{
    xta_status status = XTA_OK;
    char line[LINE_BYTES];
    (void)options;
    bridge_dense *file = calloc(1, sizeof *file);
    if (file == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    file->fd = -1;
    if (what->type == XTA_BYTES) {
        status =
            xta_error_set(err, XTA_EUNSUPPORTED, 0, "%s: the format has no cells of bytes", path);
        goto done;
    }
    size_t n = (size_t)snprintf(line, sizeof line, MAGIC "%s", xta_type_name(what->type));
    for (int axis = 0; axis < what->ndim && n + 32 < sizeof line; axis++) {
        n += (size_t)snprintf(line + n, sizeof line - n, " %lld", (long long)what->bounds[axis]);
    }
    line[n++] = '\n';
    XTA_TRY(xta__dense_create(file, path, err));
    XTA_TRY(xta__dense_put_bytes(file, 0, line, n, err));
    file->offset = n;
    file->cell_bytes = what->cell_bytes;
    file->swap_bytes = XTA__BIG_ENDIAN ? xta__dense_unit(what->type) : 0;
    file->ndim = what->ndim;
    memcpy(file->bounds, what->bounds, sizeof file->bounds);
    *state = file;
    file = NULL;
done:
    if (file != NULL) {
        template_close(file);
    }
    return status;
}

static xta_status template_write(void *state, const xta_box *box, const void *cells, xta_error *err)
{
    return xta__dense_write(state, box, cells, err);
}

static xta_status template_finish(void *state, xta_error *err)
{
    xta_status status = xta__dense_finish(state, err);
    template_close(state);
    return status;
}

const bridge_format xta__bridge_template = {
    .name = "template",
    .summary = "template: the shape of a bridge",
    .suffixes = suffixes,
    .sniff = template_sniff,
    .open = template_open,
    .read = template_read,
    .close = template_close,
    .create = template_create,
    .write = template_write,
    .finish = template_finish,
    .abandon = template_close,
};
