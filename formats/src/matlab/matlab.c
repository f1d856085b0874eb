/* MATLAB: files of named variables, .mat, of versions 4 to 7.3. This file reads versions 4 to 7
 * and has the table of the format; write_v5.c writes, read_v73.c reads version 7.3, which is HDF5.
 *
 * One array holds one variable: an array of numbers (real, complex, logical) of any class. MATLAB's
 * first index is axis 0; cells lie in column order. Cells that are saved in a smaller type than
 * their class (whole numbers of class double) keep that type, and the class is kept as an
 * attribute. A variable with three axes is treated as an image, whose axes are called y, x, band.
 * Lost: all attributes of the array except the class, for which the files have no place. Refused:
 * cells, structs, sparse matrices, texts.
 *
 * Versions 4 to 7 are parsed here. libmatio, the usual library for these files, which is used for
 * the names of spectra, reports success even if a file is truncated or a compressed variable is
 * damaged (1.5.23), and decompresses a variable from its beginning for each slab. Here lengths are
 * checked, and a compressed variable is decompressed once to check that it is complete, before an
 * array is changed. The memory needed is one slab. Compressed cells can only be read from front to
 * back, so slabs across the last axis need one decompression in all. Each slab across another axis
 * (for an append along it, or if memory does not hold one layer of chunks) starts again from the
 * beginning, unless one slab holds everything. Complex numbers take up to three times the slab.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "matlab/matlab.h"

#include <stdlib.h>
#include <string.h>

#include "common/path_suffix.h"
#include "dense/dense_file.h"
#include "description/description.h"
#include "description/format.h"
#include "matlab/list_variables.h"
#include "matlab/read_v73.h"
#include "matlab/unpack.h"
#include "matlab/write_v5.h"
#include "util/try.h"

#define BLOCK_CELLS 4096

static const char *const suffixes[] = {"mat", NULL};

typedef struct matlab_source {
    void *v73; /* state of read_v73.c; if set, nothing else is used */
    bridge_dense part[2];
    bool complex;
    bool logical;
    xta_type stored[2];
    xta_type unit; /* complex numbers: the type to which both parts are converted */
} matlab_source;

static bool matlab_sniff(const char *path, const unsigned char *head, size_t n_bytes)
{
    char suffix[16];
    xta__path_suffix(path, suffix);
    return xta__matlab_is_v5(head, n_bytes) || xta__matlab_is_v73(head, n_bytes) ||
           (strcmp(suffix, "mat") == 0 && xta__matlab_is_v4(head, n_bytes));
}

static void matlab_close(void *state)
{
    matlab_source *source = state;
    if (source->v73 != NULL) {
        xta__matlab_v73_close(source->v73);
    }
    for (int part = 0; part < 2; part++) {
        xta__matlab_unpack_end(&source->part[part]);
        xta__dense_close(&source->part[part]);
    }
    free(source);
}

static xta_status describe_matrix(const matlab_variable *v, const char *path,
                                  bridge_description *what, matlab_source *source, xta_error *err)
{
    what->type = v->stored[0];
    if (v->logical && what->type == XTA_U8) {
        what->type = XTA_BOOL;
        source->logical = true;
    }
    if (v->complex) {
        what->type = v->single ? XTA_C64 : XTA_C128;
        source->unit = v->single ? XTA_F32 : XTA_F64;
    }
    what->cell_bytes = xta_type_bytes(what->type);
    what->ndim = v->ndim;
    what->order = XTA_COLUMN;
    for (int d = 0; d < v->ndim; d++) {
        what->bounds[d] = v->bounds[d];
        what->slow[d] = v->ndim - 1 - d;
    }
    what->variable = xta__copy_foreign_name(v->name);
    bool good = what->variable != NULL &&
                xta__description_add_text(what, XTA_ON_ARRAY, MATLAB_CLASS,
                                          v->logical ? "logical" : v->class_name) != NULL;
    return good ? XTA_OK : xta__bridge_no_memory(path, err);
}

/* Open the cells of one part as a dense file. */
static xta_status open_cells(const char *path, const matlab_list *list, const matlab_variable *v,
                             int part, bridge_dense *file, xta_error *err)
{
    xta_status status = XTA_OK;
    uint64_t file_bytes = 0;
    if (file->fd < 0) { // the first part's file was opened to find the variable
        XTA_TRY(xta__dense_open(file, path, &file_bytes, err));
    }
    file->offset = v->place[part];
    file->cell_bytes = xta_type_bytes(v->stored[part]);
    file->swap_bytes = list->swapped ? file->cell_bytes : 0;
    file->order = XTA_COLUMN;
    file->ndim = v->ndim;
    memcpy(file->bounds, v->bounds, sizeof file->bounds);
    if (v->packed) {
        XTA_TRY(xta__matlab_unpack(file, v->at, v->n_packed, err));
    }
done:
    return status;
}

static xta_status open_plain(const char *path, const char *name, matlab_source *source,
                             bridge_description *what, xta_error *err)
{
    xta_status status = XTA_OK;
    uint64_t file_bytes = 0;
    matlab_list list = {.variables = NULL};
    matlab_variable *v = NULL;
    XTA_TRY(xta__dense_open(&source->part[0], path, &file_bytes, err));
    XTA_TRY(xta__matlab_list_variables(&source->part[0], file_bytes, &list, err));
    XTA_TRY(xta__matlab_select_variable(&list, path, name, &v, err));
    XTA_TRY(xta__matlab_locate(&source->part[0], &list, v, err));
    source->complex = v->complex;
    for (int part = 0; part < (v->complex ? 2 : 1); part++) {
        source->stored[part] = v->stored[part];
        XTA_TRY(open_cells(path, &list, v, part, &source->part[part], err));
    }
    XTA_TRY(describe_matrix(v, path, what, source, err));
done:
    free(list.variables);
    return status;
}

/* An image has rows, columns and bands; axes of other shapes get no names. */
static bool name_axes(bridge_description *what)
{
    static const char *const names[] = {"y", "x", "band"};
    for (int d = 0; what->ndim == 3 && d < 3; d++) {
        what->name[d] = xta__copy_foreign_name(names[d]);
        if (what->name[d] == NULL) {
            return false;
        }
    }
    return true;
}

static xta_status matlab_open(const char *path, const xta_import_options *options,
                              const bridge_target *target, bridge_description *what, void **state,
                              xta_error *err)
{
    xta_status status = XTA_OK;
    unsigned char head[512 + 8] = {0};
    uint64_t file_bytes = 0;
    bridge_dense file = {.fd = -1};
    matlab_source *source = calloc(1, sizeof *source);
    (void)target;
    if (source == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    source->part[0].fd = source->part[1].fd = -1;
    XTA_TRY(xta__dense_open(&file, path, &file_bytes, err));
    size_t n = file_bytes < sizeof head ? (size_t)file_bytes : sizeof head;
    XTA_TRY(xta__dense_bytes(&file, 0, head, n, err));
    if (xta__matlab_is_v73(head, n)) {
        XTA_TRY(
            xta__matlab_v73_open(path, options->variable, options->trust, what, &source->v73, err));
    } else {
        XTA_TRY(open_plain(path, options->variable, source, what, err));
    }
    if (!name_axes(what)) {
        status = xta__bridge_no_memory(path, err);
        goto done;
    }
    *state = source;
    source = NULL;
done:
    xta__dense_close(&file);
    if (source != NULL) {
        matlab_close(source);
    }
    return status;
}

/* Put real or imaginary parts into their positions in complex numbers. */
static xta_status interleave_part(const matlab_source *source, int part, const char *raw,
                                  uint64_t n, char *cells, xta_error *err)
{
    double block[BLOCK_CELLS]; // of doubles or floats
    size_t unit = xta_type_bytes(source->unit);
    size_t stored = xta_type_bytes(source->stored[part]);
    for (uint64_t from = 0; from < n; from += BLOCK_CELLS) {
        size_t some = n - from < BLOCK_CELLS ? (size_t)(n - from) : BLOCK_CELLS;
        xta_status status = xta_type_convert(source->stored[part], raw + from * stored,
                                             source->unit, block, some, NULL);
        if (status != XTA_OK) {
            return xta_error_set(err, status, 0, "%s: a part of a complex number does not fit %s",
                                 source->part[0].path, xta_type_name(source->unit));
        }
        for (size_t k = 0; k < some; k++) {
            memcpy(cells + (2 * (from + k) + (size_t)part) * unit, (char *)block + k * unit, unit);
        }
    }
    return XTA_OK;
}

static xta_status read_complex(matlab_source *source, const xta_box *box, void *cells,
                               xta_error *err)
{
    xta_status status = XTA_OK;
    uint64_t n = 0;
    XTA_TRY(xta_box_cells(box, &n));
    char *raw = malloc((size_t)n * 8 + 1);
    if (raw == NULL) {
        return xta__bridge_no_memory(source->part[0].path, err);
    }
    for (int part = 0; part < 2 && status == XTA_OK; part++) {
        status = xta__dense_read(&source->part[part], box, raw, err);
        if (status == XTA_OK) {
            status = interleave_part(source, part, raw, n, cells, err);
        }
    }
    free(raw);
done:
    return status;
}

static xta_status matlab_read(void *state, const xta_box *box, void *cells, xta_error *err)
{
    matlab_source *source = state;
    uint64_t n = 0;
    if (source->v73 != NULL) {
        return xta__matlab_v73_read(source->v73, box, cells, err);
    }
    if (source->complex) {
        return read_complex(source, box, cells, err);
    }
    xta_status status = xta__dense_read(&source->part[0], box, cells, err);
    if (status == XTA_OK && source->logical) {
        status = xta_box_cells(box, &n);
        for (uint64_t k = 0; k < n; k++) {
            unsigned char *cell = (unsigned char *)cells + k;
            *cell = *cell != 0;
        }
    }
    return status;
}

const bridge_format xta__bridge_matlab = {
    .name = "matlab",
    .summary = "matlab: MATLAB files of versions 4 to 7.3 (.mat), import; export as version 5",
    .suffixes = suffixes,
    .several = true,
    .sniff = matlab_sniff,
    .open = matlab_open,
    .read = matlab_read,
    .close = matlab_close,
    .create = xta__matlab_create,
    .write = xta__matlab_write,
    .finish = xta__matlab_finish,
    .abandon = xta__matlab_abandon,
};
