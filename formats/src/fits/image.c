/* An open FITS image: types and shape, reading and writing boxes of cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fits/image.h"

#include <fitsio.h>
#include <math.h>
#include <string.h>

#include "common/library_lock.h"
#include "description/description.h"
#include "fits/select_image.h"

static const fits_type types[] = {
    {BYTE_IMG, 8, TBYTE, XTA_U8, 0},
    {SHORT_IMG, 16, TSHORT, XTA_I16, 0},
    {LONG_IMG, 32, TINT, XTA_I32, 0},
    {LONGLONG_IMG, 64, TLONGLONG, XTA_I64, 0},
    {FLOAT_IMG, -32, TFLOAT, XTA_F32, 0},
    {DOUBLE_IMG, -64, TDOUBLE, XTA_F64, 0},
    {SBYTE_IMG, 8, TSBYTE, XTA_I8, -128},
    {USHORT_IMG, 16, TUSHORT, XTA_U16, 32768},
    {ULONG_IMG, 32, TUINT, XTA_U32, 2147483648.0},
    {ULONGLONG_IMG, 64, TULONGLONG, XTA_U64, 9223372036854775808.0},
    {BYTE_IMG, 8, TBYTE, XTA_BOOL, 0},
};

#define N_TYPES (sizeof types / sizeof types[0])

const fits_type *xta__fits_type_for(xta_type type)
{
    const fits_type *found = NULL;
    for (size_t k = 0; k < N_TYPES; k++) {
        found = types[k].ours == type ? &types[k] : found;
    }
    return found;
}

xta_status xta__fits_choose_type(fits_file *f, bridge_description *what, bool *is_unsigned,
                                 xta_error *err)
{
    int bits = 0;
    int code = 0;
    int absent = 0;
    double scale = 1;
    double zero = 0;
    if (fits_get_img_type(f->file, &bits, &code) != 0) {
        return xta__fits_failed(f->path, "cannot tell the type of its cells", code, err);
    }
    fits_read_key(f->file, TDOUBLE, "BSCALE", &scale, NULL, &absent);
    absent = 0;
    fits_read_key(f->file, TDOUBLE, "BZERO", &zero, NULL, &absent);
    fits_clear_errmsg();
    int found = -1;
    *is_unsigned = false;
    for (int k = 0; k < (int)N_TYPES - 1; k++) {
        bool shifted = types[k].zero != 0 && scale == 1 && zero == types[k].zero;
        if (types[k].bits == bits && (shifted || (types[k].zero == 0 && found < 0))) {
            found = k;
            *is_unsigned = shifted;
        }
    }
    if (found < 0) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: has cells of BITPIX %d, which XTA lacks", f->path, bits);
    }
    f->type = types[found].memory;
    what->type = types[found].ours;
    what->cell_bytes = f->cell_bytes = xta_type_bytes(what->type);
    if (!*is_unsigned && fits_set_bscale(f->file, 1, 0, &code) != 0) {
        return xta__fits_failed(f->path, "cannot set the scale", code, err);
    }
    return XTA_OK;
}

xta_status xta__fits_choose_shape(fits_file *f, bridge_description *what, uint64_t file_bytes,
                                  xta_error *err)
{
    LONGLONG bounds[XTA_MAX_NDIM];
    LONGLONG head = 0;
    LONGLONG cells = 0;
    LONGLONG end = 0;
    int code = 0;
    fits_get_img_dim(f->file, &f->ndim, &code);
    if (code == 0 && f->ndim > XTA_MAX_NDIM) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0, "%s: has %d axes; XTA has up to %d", f->path,
                             f->ndim, XTA_MAX_NDIM);
    }
    fits_get_img_sizell(f->file, XTA_MAX_NDIM, bounds, &code);
    fits_get_hduaddrll(f->file, &head, &cells, &end, &code);
    f->compressed = fits_is_compressed_image(f->file, &code) != 0;
    if (code != 0) {
        return xta__fits_failed(f->path, "cannot tell the bounds of the image", code, err);
    }
    double bytes = (double)f->cell_bytes;
    what->ndim = f->ndim;
    for (int d = 0; d < f->ndim; d++) {
        bytes *= (double)bounds[d];
        f->bounds[f->ndim - 1 - d] = what->bounds[f->ndim - 1 - d] = (int64_t)bounds[d];
    }
    if (bytes > 9e18 || (!f->compressed && (double)cells + bytes > (double)file_bytes)) {
        return xta_error_set(err, XTA_EFORMAT, 0,
                             "%s: ends after %llu bytes; its header tells of %.0f", f->path,
                             (unsigned long long)file_bytes, (double)cells + bytes);
    }
    return XTA_OK;
}

/* A box as runs of cells that follow one another: how many cells, and how many of the slower axes
 * are stepped through. */
static int64_t run_of(const fits_file *f, const xta_box *box, int *slower)
{
    int64_t cells = 1;
    bool whole = true;
    *slower = 0;
    for (int axis = f->ndim - 1; axis >= 0; axis--) {
        int64_t n = box->hi[axis] - box->lo[axis];
        if (whole) {
            cells *= n;
            *slower = axis;
        }
        whole = whole && n == f->bounds[axis];
    }
    return cells;
}

/* Call CFITSIO for each run; `write`: out of memory into the file. */
static int move_runs(const fits_file *f, const xta_box *box, char *cells, bool write)
{
    int slower = 0;
    int code = 0;
    int64_t run = run_of(f, box, &slower);
    int64_t at[XTA_MAX_NDIM];
    memcpy(at, box->lo, sizeof at);
    for (bool more = true; more && code == 0;) {
        int64_t first = 0;
        for (int axis = 0; axis < f->ndim; axis++) {
            first = first * f->bounds[axis] + at[axis];
        }
        if (write) {
            fits_write_img(f->file, f->type, first + 1, run, cells, &code);
        } else {
            fits_read_img(f->file, f->type, first + 1, run, NULL, cells, NULL, &code);
        }
        cells += (size_t)run * f->cell_bytes;
        more = false;
        for (int axis = slower - 1; axis >= 0 && !more; axis--) {
            more = ++at[axis] < box->hi[axis];
            at[axis] = more ? at[axis] : box->lo[axis];
        }
    }
    return code;
}

/* Compressed tiles are unpacked as the box needs them; pixels that were undefined become NaN. */
static int read_tiles(const fits_file *f, const xta_box *box, void *cells)
{
    long first[XTA_MAX_NDIM];
    long last[XTA_MAX_NDIM];
    long step[XTA_MAX_NDIM];
    int code = 0;
    float nan_single = NAN;
    double nan_double = (double)NAN;
    void *blank = f->type == TFLOAT    ? (void *)&nan_single
                  : f->type == TDOUBLE ? (void *)&nan_double
                                       : NULL;
    for (int d = 0; d < f->ndim; d++) {
        first[d] = box->lo[f->ndim - 1 - d] + 1;
        last[d] = box->hi[f->ndim - 1 - d];
        step[d] = 1;
    }
    fits_read_subset(f->file, f->type, first, last, step, blank, cells, NULL, &code);
    return code;
}

xta_status xta__fits_read(void *state, const xta_box *box, void *cells, xta_error *err)
{
    const fits_file *f = state;
    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    xta__library_lock();
    int code = f->compressed ? read_tiles(f, box, cells) : move_runs(f, box, cells, false);
    xta_status status =
        code != 0 ? xta__fits_failed(f->path, "cannot read cells", code, err) : XTA_OK;
    xta__library_unlock();
    return status;
}

xta_status xta__fits_write(void *state, const xta_box *box, const void *cells, xta_error *err)
{
    const fits_file *f = state;
    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    xta__library_lock();
    int code = move_runs(f, box, (char *)(uintptr_t)cells, true);
    xta_status status =
        code != 0 ? xta__fits_failed(f->path, "cannot write cells", code, err) : XTA_OK;
    xta__library_unlock();
    return status;
}
