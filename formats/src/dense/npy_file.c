/* An .npy file: parsing its header, and making a header for a new file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dense/npy_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense_file.h"
#include "description/description.h"
#include "util/npy_header.h"
#include "util/try.h"

#define DESCR          "npy/descr"
#define LONGEST_HEADER ((size_t)1 << 20)

bool xta__npy_has_magic(const unsigned char *head, size_t n_bytes)
{
    return n_bytes >= XTA__NPY_MAGIC_BYTES &&
           memcmp(head, XTA__NPY_MAGIC, XTA__NPY_MAGIC_BYTES) == 0;
}

static xta_status damaged_npy(const char *path, const char *why, xta_error *err)
{
    return xta_error_set(err, XTA_EFORMAT, 0, "%s: not a usable .npy file: %s", path, why);
}

/* Read magic, version, length and literal; `file->offset` is then the offset of the first cell. */
static xta_status read_header(bridge_dense *file, uint64_t file_bytes, xta__npy_header *header,
                              xta_error *err)
{
    xta_status status = XTA_OK;
    unsigned char head[XTA__NPY_PREFIX_BYTES] = {0};
    char *text = NULL;
    const char *why = NULL;
    if (file_bytes < sizeof head) {
        return damaged_npy(file->path, "it is shorter than any header", err);
    }
    XTA_TRY(xta__dense_bytes(file, 0, head, sizeof head, err));
    if (!xta__npy_has_magic(head, sizeof head)) {
        status = damaged_npy(file->path, "it does not begin with the magic bytes", err);
        goto done;
    }
    size_t n = 0, start = xta__npy_text_at(head, &n);
    if (start == 0) {
        status = xta_error_set(err, XTA_EFORMAT, 0,
                               "%s: .npy version %d.%d is not known; 1.0, 2.0 and 3.0 are",
                               file->path, head[6], head[7]);
        goto done;
    }
    if (n > LONGEST_HEADER || n > file_bytes - start) {
        status = damaged_npy(file->path, "its header is longer than the file, or than 1 MiB", err);
        goto done;
    }
    text = malloc(n + 1);
    if (text == NULL) {
        status = xta__bridge_no_memory(file->path, err);
        goto done;
    }
    XTA_TRY(xta__dense_bytes(file, start, text, n, err));
    if (xta__npy_parse(text, n, header, &why) != XTA_OK) {
        status = damaged_npy(file->path, why, err);
        goto done;
    }
    file->offset = start + n;
done:
    free(text);
    return status;
}

/* Kinds of types that are one type in XTA. */
static bool descr_says_more(const char *descr)
{
    return strchr("SaUMm", descr[0]) != NULL;
}

xta_status xta__npy_describe(const xta__npy_header *header, const bridge_dense *file,
                             bridge_description *what, xta_error *err)
{
    bool added = true;
    what->type = header->type;
    what->cell_bytes = header->cell_bytes;
    what->ndim = file->ndim;
    memcpy(what->bounds, file->bounds, sizeof what->bounds);
    what->order = file->order;
    for (int k = 0; k < what->ndim; k++) {
        what->slow[k] = header->fortran ? what->ndim - 1 - k : k;
    }
    if (descr_says_more(header->descr)) {
        added = xta__description_add_text(what, XTA_ON_ARRAY, DESCR, header->descr) != NULL;
    }
    if (header->ndim == 0) {
        added =
            added && xta__description_add_text(what, XTA_ON_ARRAY, BRIDGE_SCALAR, "yes") != NULL;
    }
    return added ? XTA_OK : xta__bridge_no_memory(file->path, err);
}

xta_status xta__npy_open(bridge_dense *file, const char *path, xta__npy_header *header,
                         xta_error *err)
{
    xta_status status = XTA_OK;
    uint64_t file_bytes = 0;
    uint64_t cells_bytes = 0;
    memset(file, 0, sizeof *file);
    file->fd = -1;
    XTA_TRY(xta__dense_open(file, path, &file_bytes, err));
    XTA_TRY(read_header(file, file_bytes, header, err));
    file->cell_bytes = header->cell_bytes;
    file->swap_bytes = header->big_endian != XTA__BIG_ENDIAN ? header->unit_bytes : 0;
    file->order = header->fortran ? XTA_COLUMN : XTA_ROW;
    file->ndim = header->ndim > 0 ? header->ndim : 1;
    file->bounds[0] = 1;
    if (header->ndim > 0) {
        memcpy(file->bounds, header->shape, sizeof file->bounds);
    }
    if (!xta__dense_total(file, &cells_bytes) || cells_bytes > file_bytes - file->offset) {
        status = damaged_npy(path, "it ends before its last cell", err);
    }
done:
    return status;
}

/* NumPy's name of a type: the source's name if it still fits, else the plain one. */
static void name_type(const bridge_description *like, xta__npy_header *header)
{
    const char *kept = like != NULL ? xta__description_text(like, XTA_ON_ARRAY, DESCR) : NULL;
    const char *why;
    char literal[128];
    xta__npy_set_type(header, header->type, header->cell_bytes);
    if (kept == NULL || strlen(kept) >= sizeof header->descr) {
        return;
    }
    xta__npy_header other;
    int n = snprintf(literal, sizeof literal,
                     "{'descr': '<%s', 'fortran_order': False, 'shape': ()}", kept);
    if (xta__npy_parse(literal, (size_t)n, &other, &why) == XTA_OK && other.type == header->type &&
        other.cell_bytes == header->cell_bytes) {
        strcpy(header->descr, kept);
        header->unit_bytes = other.unit_bytes;
    }
}

size_t xta__npy_header_for(const bridge_description *like, xta_type type, size_t cell_bytes,
                           int ndim, const int64_t bounds[], xta_order order,
                           xta__npy_header *header, unsigned char *bytes, size_t capacity)
{
    memset(header, 0, sizeof *header);
    header->type = type;
    header->cell_bytes = cell_bytes;
    name_type(like, header);
    header->ndim = ndim;
    memcpy(header->shape, bounds, (size_t)ndim * sizeof bounds[0]);
    if (ndim == 1 && bounds[0] == 1 && like != NULL &&
        xta__description_text(like, XTA_ON_ARRAY, BRIDGE_SCALAR) != NULL) {
        header->ndim = 0;
    }
    /* NumPy treats an array that is contiguous in both orders as C order, and would write that. */
    header->fortran = order == XTA_COLUMN && header->ndim > 1;
    return xta__npy_format(header, bytes, capacity);
}
