/* Cells from a file. Text is values in row-major order (or column-major, if requested), separated
 * by blanks, commas and line ends; line breaks have no meaning.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "kit/cells/source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

xta_status cli_source_open(cli_source *source, const char *path, cli_form form,
                           const cli_npy *cells, cli_error *err)
{
    bool standard = strcmp(path, "-") == 0;

    *source = (cli_source){.form = form, .cells = *cells, .line = 1};
    source->path = standard ? "standard input" : path;
    source->file = standard ? stdin : fopen(path, "rb");
    if (source->file == NULL) {
        return cli_fail(err, errno == ENOENT ? XTA_ENOENT : XTA_EIO, errno,
                        "%s: cannot be opened: %s", path, strerror(errno));
    }
    if (form == CLI_NPY) {
        return cli_npy_read(source->file, source->path, &source->cells, err);
    }
    source->token_capacity = cli_value_capacity(cells->type, cells->cell_bytes) + 256;
    source->token = malloc(source->token_capacity);
    if (source->token == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for a value", path);
    }
    return XTA_OK;
}

void cli_source_close(cli_source *source)
{
    if (source->file != NULL && source->file != stdin) {
        fclose(source->file);
    }
    free(source->token);
    *source = (cli_source){0};
}

static xta_status fail_to_read(const cli_source *source, cli_error *err)
{
    return cli_fail(err, XTA_EIO, errno, "%s: cannot be read: %s", source->path, strerror(errno));
}

/* Fail because there are too few cells; nothing in the array has been changed if `done` is 0. */
static xta_status fail_short(const cli_source *source, uint64_t found, uint64_t total,
                             uint64_t done, cli_error *err)
{
    if (ferror(source->file)) {
        return fail_to_read(source, err);
    }
    return cli_fail(err, XTA_EBOX, 0,
                    "%s: holds %" PRIu64 " values, the box has %" PRIu64 " cells; %s%" PRIu64
                    " cells were written",
                    source->path, found, total, done > 0 ? "the first " : "", done);
}

/* The next value of text; false at the end. A value that is too long is truncated, which makes it
 * invalid. */
static bool next_token(cli_source *source)
{
    size_t length = 0;
    int c = getc(source->file);

    while (c == ' ' || c == ',' || c == '\n' || c == '\t' || c == '\r') {
        source->line += c == '\n';
        c = getc(source->file);
    }
    while (c != EOF && c != ' ' && c != ',' && c != '\n' && c != '\t' && c != '\r') {
        if (length + 1 < source->token_capacity) {
            source->token[length++] = (char)c;
        }
        c = getc(source->file);
    }
    if (c == '\n') {
        ungetc(c, source->file); // The line is counted when the next value is read.
    }
    source->token[length] = '\0';
    return length > 0;
}

static xta_status parse_token(cli_source *source, void *cell, cli_error *err)
{
    char where[512];
    xta_status status;

    snprintf(where, sizeof where, "%.400s: line %" PRIu64, source->path, source->line);
    status = cli_value_parse(source->token, where, source->cells.type, source->cells.cell_bytes,
                             cell, err);
    err->usage = false; // The file is wrong, not the command line.
    return status;
}

/* Read all of the text: are there `n` values, all of the type? */
static xta_status check_text(cli_source *source, uint64_t n, cli_error *err)
{
    void *cell = malloc(source->cells.cell_bytes);
    off_t begin = ftello(source->file);
    uint64_t found = 0;
    xta_status status = XTA_OK;

    if (cell == NULL || begin < 0) {
        free(cell);
        return fail_to_read(source, err);
    }
    while (next_token(source)) {
        found++;
        XTA_TRY(parse_token(source, cell, err));
    }
    if (found != n) {
        status = fail_short(source, found, n, 0, err);
        goto done;
    }
    source->line = 1;
    if (fseeko(source->file, begin, SEEK_SET) != 0) {
        status = fail_to_read(source, err);
    }
done:
    free(cell);
    return status;
}

xta_status cli_source_check(cli_source *source, uint64_t n, cli_error *err)
{
    struct stat facts;
    off_t at;
    uint64_t bytes;

    if (fstat(fileno(source->file), &facts) != 0 || !S_ISREG(facts.st_mode)) {
        return XTA_OK; // A pipe: its length is known only when it has been read.
    }
    if (source->form == CLI_TEXT) {
        return check_text(source, n, err);
    }
    at = ftello(source->file);
    bytes = at >= 0 && facts.st_size >= at ? (uint64_t)(facts.st_size - at) : 0;
    if (n > UINT64_MAX / source->cells.cell_bytes || bytes != n * source->cells.cell_bytes) {
        return cli_fail(err, XTA_EBOX, 0,
                        "%s: holds %" PRIu64 " bytes of cells, the box has %" PRIu64
                        " cells of %zu bytes; nothing was written",
                        source->path, bytes, n, source->cells.cell_bytes);
    }
    return XTA_OK;
}

xta_status cli_source_read(cli_source *source, uint64_t n, void *cells, uint64_t done,
                           uint64_t total, cli_error *err)
{
    size_t cell_bytes = source->cells.cell_bytes;
    uint8_t *at = cells;

    if (source->form != CLI_TEXT) {
        size_t found = fread(cells, cell_bytes, (size_t)n, source->file);
        if (found != n) {
            return fail_short(source, done + found, total, done, err);
        }
        if (source->cells.swapped) {
            cli_npy_swap(&source->cells, cells, n);
        }
        return XTA_OK;
    }
    for (uint64_t k = 0; k < n; k++, at += cell_bytes) {
        if (!next_token(source)) {
            return fail_short(source, done + k, total, done, err);
        }
        xta_status status = parse_token(source, at, err);
        if (status != XTA_OK) {
            return status;
        }
    }
    return XTA_OK;
}

xta_status cli_source_end(cli_source *source, uint64_t total, cli_error *err)
{
    bool more = source->form == CLI_TEXT ? next_token(source) : getc(source->file) != EOF;

    if (ferror(source->file)) {
        return fail_to_read(source, err);
    }
    if (more) {
        return cli_fail(err, XTA_EBOX, 0, "%s: holds more than the %" PRIu64 " cells of the box",
                        source->path, total);
    }
    return XTA_OK;
}
