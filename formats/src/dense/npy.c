/* NumPy's .npy files, versions 1.0, 2.0 and 3.0: a header with type, order and shape, and the
 * cells.
 *
 * What NumPy's types express and XTA's do not (S or V bytes, U text, times in units) is kept in the
 * attribute `npy/descr` and written again. An export loses attributes, names of axes and the fill
 * value, for which the files have no place. Refused: Python objects and structured types.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dense/npy.h"

#include <stdlib.h>
#include <string.h>

#include "dense/dense_file.h"
#include "dense/npy_file.h"
#include "description/description.h"
#include "description/format.h"
#include "util/bytes.h"
#include "util/npy_header.h"
#include "util/try.h"

static const char *const suffixes[] = {"npy", NULL};

static bool npy_sniff(const char *path, const unsigned char *head, size_t n_bytes)
{
    (void)path;
    return xta__npy_has_magic(head, n_bytes);
}

static xta_status npy_open(const char *path, const xta_import_options *options,
                           const bridge_target *target, bridge_description *what, void **state,
                           xta_error *err)
{
    xta_status status = XTA_OK;
    xta__npy_header header;
    bridge_dense *file = calloc(1, sizeof *file);
    (void)options;
    (void)target;
    if (file == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    XTA_TRY(xta__npy_open(file, path, &header, err));
    XTA_TRY(xta__npy_describe(&header, file, what, err));
    *state = file;
    file = NULL;
done:
    if (file != NULL) {
        xta__dense_close(file);
        free(file);
    }
    return status;
}

static xta_status npy_read(void *state, const xta_box *box, void *cells, xta_error *err)
{
    return xta__dense_read(state, box, cells, err);
}

static void npy_close(void *state)
{
    xta__dense_close(state);
    free(state);
}

static xta_status npy_create(const char *path, const xta_export_options *options,
                             bridge_description *what, void **state, xta_error *err)
{
    xta_status status = XTA_OK;
    unsigned char bytes[XTA__NPY_HEADER_CAPACITY];
    xta__npy_header header;
    bridge_dense *file = calloc(1, sizeof *file);
    if (file == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    file->fd = -1;
    size_t n = xta__npy_header_for(what, what->type, what->cell_bytes, what->ndim, what->bounds,
                                   options->order, &header, bytes, sizeof bytes);
    XTA_TRY(xta__dense_create(file, path, err));
    file->offset = n;
    XTA_TRY(xta__dense_put_bytes(file, 0, bytes, n, err));
    what->order = header.fortran ? XTA_COLUMN : XTA_ROW;
    for (int k = 0; k < what->ndim; k++) {
        what->slow[k] = header.fortran ? what->ndim - 1 - k : k;
    }
    file->cell_bytes = what->cell_bytes;
    file->swap_bytes = XTA__BIG_ENDIAN ? header.unit_bytes : 0;
    file->order = what->order;
    file->ndim = what->ndim;
    memcpy(file->bounds, what->bounds, sizeof file->bounds);
    *state = file;
    file = NULL;
done:
    if (file != NULL) {
        npy_close(file);
    }
    return status;
}

static xta_status npy_write(void *state, const xta_box *box, const void *cells, xta_error *err)
{
    return xta__dense_write(state, box, cells, err);
}

static xta_status npy_finish(void *state, xta_error *err)
{
    xta_status status = xta__dense_finish(state, err);
    npy_close(state);
    return status;
}

const bridge_format xta__bridge_npy = {
    .name = "npy",
    .summary = "npy: NumPy arrays (.npy), import and export",
    .suffixes = suffixes,
    .sniff = npy_sniff,
    .open = npy_open,
    .read = npy_read,
    .close = npy_close,
    .create = npy_create,
    .write = npy_write,
    .finish = npy_finish,
    .abandon = npy_close,
};
