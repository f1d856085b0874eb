/* .npy headers for the tool, on top of util/.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/cells/npy.h"

#include <stdlib.h>
#include <string.h>

#include "util/bytes.h"
#include "util/compiler.h"
#include "util/npy_header.h"

#define TEXT_LIMIT 65536 // the longest header that is read; NumPy writes about a hundred bytes

size_t cli_npy_header(const cli_npy *npy, char header[CLI_NPY_HEADER_BYTES])
{
    xta__npy_header plain = {.compact = true,
                             .big_endian = XTA__BIG_ENDIAN,
                             .fortran = npy->order == XTA_COLUMN,
                             .ndim = npy->ndim};

    xta__npy_set_type(&plain, npy->type, npy->cell_bytes);
    memcpy(plain.shape, npy->shape, sizeof plain.shape);
    return xta__npy_format(&plain, (unsigned char *)header, CLI_NPY_HEADER_BYTES);
}

/* False if it is damaged, or if its cells are times or Unicode, which arrays do not support. */
static bool parse_header(const char *text, size_t n, cli_npy *npy)
{
    xta__npy_header header;
    const char *why;

    if (xta__npy_parse(text, n, &header, &why) != XTA_OK ||
        strchr("biufcVS", header.descr[0]) == NULL) {
        return false;
    }
    *npy = (cli_npy){.type = header.type,
                     .cell_bytes = header.cell_bytes,
                     .swapped = header.unit_bytes > 1 && header.big_endian != XTA__BIG_ENDIAN,
                     .order = header.fortran ? XTA_COLUMN : XTA_ROW,
                     .ndim = header.ndim};
    memcpy(npy->shape, header.shape, sizeof npy->shape);
    return true;
}

xta_status cli_npy_read(FILE *file, const char *path, cli_npy *npy, cli_error *err)
{
    unsigned char prefix[XTA__NPY_PREFIX_BYTES] = {0};
    size_t got = fread(prefix, 1, 10, file), length = 0;
    char *text = NULL;
    bool good = false;

    *npy = (cli_npy){0};
    got += prefix[6] > 1 ? fread(prefix + 10, 1, 2, file) : 0;
    size_t start = xta__npy_text_at(prefix, &length);
    if (start == 0) {
        return cli_fail(err, XTA_EFORMAT, 0, "%s: is no .npy file of version 1 to 3", path);
    }
    if (got == start && length <= TEXT_LIMIT) {
        text = malloc(length + 1);
        good = text != NULL && fread(text, 1, length, file) == length &&
               parse_header(text, length, npy);
        free(text);
    }
    if (!good) {
        return cli_fail(err, XTA_EFORMAT, 0,
                        "%s: its .npy header is damaged, or of a type that arrays do not have",
                        path);
    }
    return XTA_OK;
}

void cli_npy_swap(const cli_npy *npy, void *cells, uint64_t n)
{
    bool pair = npy->type == XTA_C64 || npy->type == XTA_C128;
    size_t unit = npy->type == XTA_BYTES ? 1 : npy->cell_bytes / (pair ? 2 : 1);

    xta__swap_bytes(cells, (size_t)n * npy->cell_bytes, unit);
}
