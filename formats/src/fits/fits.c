/* FITS: astronomical images, each with a header of cards (KEYWORD = value / comment), read and
 * written by CFITSIO. This file moves the cells and contains the table of the format.
 *
 * One array holds one image. Its axes are those of the image in reverse, as in NumPy: NAXIS1, the
 * fastest, is the last. Rows are in the file's order, nothing is flipped. What maps to what:
 *
 *   keyword                        attribute of the same name, a number where it is one
 *   all cards, in their order      attribute `fits/header`, from which an export writes them again
 *   BLANK                          fill value
 *   BSCALE, BZERO                  attributes: cells stay as they are stored; but integers that
 *                                  BZERO shifts, since FITS has no unsigned ones, are unsigned
 *
 * Lost: nothing of the image; tables and the file's other images are not read.
 *
 * CFITSIO interprets much in a file name: addresses, filters, shared memory, output files. So files
 * are opened by the functions that do not interpret the name, with a path from xta__local_path.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "fits/fits.h"

#include <fitsio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <zlib.h>

#include "common/library_lock.h"
#include "common/local_path.h"
#include "description/description.h"
#include "description/format.h"
#include "fits/names.h"
#include "fits/read_header.h"
#include "fits/select_image.h"
#include "fits/write_header.h"
#include "util/try.h"

#define UNPACK_BYTES 65536

static const char *const suffixes[] = {"fits", "fit", "fts", "fz", NULL};

/* ---- types ---- */

static const struct {
    int image; /* CFITSIO's code for it when creating */
    int bits;  /* BITPIX */
    int memory;
    xta_type ours;
    double zero; /* BZERO for this type */
} types[] = {
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

/* ---- reading ---- */

static bool is_gzip(const unsigned char *head, size_t n_bytes)
{
    return n_bytes >= 2 && head[0] == 0x1f && head[1] == 0x8b;
}

static bool ends_with(const char *path, const char *ending)
{
    size_t n = strlen(path);
    size_t m = strlen(ending);
    return n > m && strcasecmp(path + n - m, ending) == 0;
}

static bool is_packed_image(const char *path)
{
    return ends_with(path, ".fits.gz") || ends_with(path, ".fit.gz") || ends_with(path, ".fts.gz");
}

static bool fits_sniff(const char *path, const unsigned char *head, size_t n_bytes)
{
    bool magic = n_bytes >= 10 && memcmp(head, "SIMPLE  = ", 10) == 0;
    return magic || (is_gzip(head, n_bytes) && is_packed_image(path));
}

static bool fits_accepts(const char *format, const char *suffix)
{
    (void)suffix;
    return format != NULL && strcasecmp(format, "fit") == 0;
}

static void fits_shut(void *state)
{
    fits_file *f = state;
    int code = 0;
    xta__library_lock();
    if (f->file != NULL) {
        fits_close_file(f->file, &code);
        fits_clear_errmsg();
    }
    xta__library_unlock();
    free(f->path);
    free(f);
}

static fits_file *new_file(const char *path)
{
    fits_file *f = calloc(1, sizeof *f);
    if (f != NULL) {
        f->path = xta__bridge_copy(path);
    }
    if (f != NULL && f->path == NULL) {
        free(f);
        f = NULL;
    }
    return f;
}

/* CFITSIO unpacks a whole gzip file into memory. `*bytes` is the unpacked size, or the length of a
 * file that is not compressed. */
static xta_status read_bounds(const char *path, const char *local, uint64_t memory_bytes,
                              uint64_t *bytes, xta_error *err)
{
    char piece[UNPACK_BYTES];
    struct stat facts;
    int got = 0;
    gzFile packed = gzopen(local, "rb");
    if (packed == NULL || stat(local, &facts) != 0) {
        gzclose(packed);
        return xta_error_set(err, XTA_EACCESS, 0, "%s: cannot open it", path);
    }
    uint64_t most = memory_bytes > 0 ? memory_bytes : BRIDGE_MEMORY_BYTES;
    bool plain = gzdirect(packed) != 0;
    *bytes = plain ? (uint64_t)facts.st_size : 0;
    while (!plain && *bytes <= most && (got = gzread(packed, piece, sizeof piece)) > 0) {
        *bytes += (uint64_t)got;
    }
    bool cut_off = gzclose(packed) == Z_BUF_ERROR;
    if (!plain && (got < 0 || (cut_off && *bytes <= most))) {
        return xta_error_set(err, XTA_EFORMAT, 0,
                             "%s: cannot be unpacked; it is damaged, or was cut off", path);
    }
    return plain || *bytes <= most
               ? XTA_OK
               : xta_error_set(err, XTA_EUNSUPPORTED, 0,
                               "%s: unpacks to more than the %llu bytes of memory allowed; unpack "
                               "it by gunzip, or allow more",
                               path, (unsigned long long)most);
}

/* The type of cells in memory. Integers that BZERO shifts are unsigned; all others are read as they
 * are stored. */
static xta_status choose_type(fits_file *f, bridge_description *what, bool *is_unsigned,
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

/* Read the bounds, and check that the file is long enough for them. */
static xta_status choose_shape(fits_file *f, bridge_description *what, uint64_t file_bytes,
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

/* An empty primary header belongs to the image that follows it. */
static xta_status describe_primary(const fits_file *f, bridge_description *what, xta_error *err)
{
    xta_status status = XTA_OK;
    int number = 0;
    int ndim = 0;
    int code = 0;
    int was_primary = 0;
    fits_get_hdu_num(f->file, &number);
    if (f->compressed && fits_read_key(f->file, TLOGICAL, "ZSIMPLE", &was_primary, NULL, &code)) {
        was_primary = 0; // it was an extension before compression
        code = 0;
        fits_clear_errmsg();
    }
    if (number == 1 || was_primary != 0) {
        return XTA_OK;
    }
    fits_movabs_hdu(f->file, 1, NULL, &code);
    if (fits_get_img_dim(f->file, &ndim, &code) == 0 && ndim == 0) {
        XTA_TRY(xta__fits_read_primary(f, what, err));
    }
    if (fits_movabs_hdu(f->file, number, NULL, &code) != 0) {
        status = xta__fits_failed(f->path, "cannot go back to the image", code, err);
    }
done:
    return status;
}

/* Called under the lock. */
static xta_status open_image(fits_file *f, const char *local, const xta_import_options *options,
                             uint64_t file_bytes, bridge_description *what, xta_error *err)
{
    xta_status status = XTA_OK;
    bool is_unsigned = false;
    int code = 0;
    if (strlen(local) >= FLEN_FILENAME) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: CFITSIO takes paths of up to %d characters; go nearer to it",
                             f->path, FLEN_FILENAME - 1);
    }
    if (fits_open_diskfile(&f->file, local, READONLY, &code) != 0) {
        f->file = NULL;
        return xta__fits_failed(f->path, "cannot open it", code, err);
    }
    XTA_TRY(xta__fits_select_image(f, options->variable, err));
    f->compressed = fits_is_compressed_image(f->file, &code) != 0;
    XTA_TRY(describe_primary(f, what, err));
    XTA_TRY(choose_type(f, what, &is_unsigned, err));
    XTA_TRY(choose_shape(f, what, file_bytes, err));
    XTA_TRY(xta__fits_read_header(f, is_unsigned, what, err));
done:
    return status;
}

static xta_status fits_open(const char *path, const xta_import_options *options,
                            const bridge_target *target, bridge_description *what, void **state,
                            xta_error *err)
{
    xta_status status = XTA_OK;
    uint64_t file_bytes = 0;
    fits_file *f = new_file(path);
    char *local = xta__local_path(path);
    (void)target;
    if (f == NULL || local == NULL) {
        status = xta__bridge_no_memory(path, err);
        goto done;
    }
    XTA_TRY(xta__path_must_exist(path, err));
    XTA_TRY(read_bounds(path, local, options->memory_bytes, &file_bytes, err));
    xta__library_lock();
    status = open_image(f, local, options, file_bytes, what, err);
    xta__library_unlock();
    if (status == XTA_OK) {
        *state = f;
        f = NULL;
    }
done:
    free(local);
    if (f != NULL) {
        fits_shut(f);
    }
    return status;
}

/* Split a box into runs of contiguous cells. Returns the cells in a run; `*slower` is how many of
 * the slower axes are stepped through. */
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

/* Call CFITSIO for each run; `write`: from memory to the file. */
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

/* Compressed tiles are decompressed as the box needs them; undefined pixels become NaN. */
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

static xta_status fits_read(void *state, const xta_box *box, void *cells, xta_error *err)
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

/* ---- writing ---- */

static xta_status check_target(const char *path, const bridge_description *what, int *type,
                               xta_error *err)
{
    *type = -1;
    for (int k = 0; k < (int)N_TYPES; k++) {
        *type = types[k].ours == what->type ? k : *type;
    }
    if (*type < 0) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: FITS has no cells of type %s; convert them, or export to npy",
                             path, xta_type_name(what->type));
    }
    if (ends_with(path, ".fz") || ends_with(path, ".gz")) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: FITS is written uncompressed; export to .fits and compress that "
                             "by fpack or gzip",
                             path);
    }
    return XTA_OK;
}

/* Create an image with no cards except those that CFITSIO writes by itself. */
static int begin_image(const fits_file *f, int type)
{
    LONGLONG bounds[XTA_MAX_NDIM];
    int code = 0;
    for (int d = 0; d < f->ndim; d++) {
        bounds[d] = f->bounds[f->ndim - 1 - d];
    }
    fits_create_imgll(f->file, types[type].image, f->ndim, bounds, &code);
    while (code == 0 && fits_delete_key(f->file, "COMMENT", &code) == 0) {}
    if (code == KEY_NO_EXIST) {
        code = 0;
        fits_clear_errmsg();
    }
    return code;
}

/* Called under the lock. */
static xta_status create_image(fits_file *f, const char *local, const char *name, int type,
                               const bridge_description *what, xta_error *err)
{
    xta_status status = XTA_OK;
    int code = 0;
    const char *primary = xta__description_text(what, XTA_ON_ARRAY, FITS_PRIMARY);
    bool is_unsigned = types[type].zero != 0;
    if (strlen(local) >= FLEN_FILENAME || fits_create_diskfile(&f->file, local, &code) != 0) {
        f->file = NULL;
        return xta__fits_failed(f->path, "cannot create it", code, err);
    }
    if (primary != NULL) {
        fits_file empty = *f;
        empty.ndim = 0;
        code = begin_image(&empty, 0);
        if (code == 0) {
            XTA_TRY(xta__fits_write_primary(f, primary, err));
        }
    }
    code = code != 0 ? code : begin_image(f, type);
    if (code == 0) {
        XTA_TRY(xta__fits_write_header(f, what, name, is_unsigned, err));
    }
    if (code == 0) {
        fits_set_hdustruc(f->file, &code);
    }
    if (code == 0 && !is_unsigned) {
        fits_set_bscale(f->file, 1, 0, &code); // cells already have the values to be stored
    }
    if (code != 0) {
        status = xta__fits_failed(f->path, "cannot write its header", code, err);
    }
done:
    return status;
}

static xta_status fits_create(const char *path, const xta_export_options *options,
                              bridge_description *what, void **state, xta_error *err)
{
    xta_status status = XTA_OK;
    int type = 0;
    fits_file *f = new_file(path);
    char *local = xta__local_path(path);
    if (f == NULL || local == NULL) {
        status = xta__bridge_no_memory(path, err);
        goto done;
    }
    XTA_TRY(check_target(path, what, &type, err));
    f->type = types[type].memory;
    f->cell_bytes = what->cell_bytes;
    f->ndim = what->ndim;
    memcpy(f->bounds, what->bounds, sizeof f->bounds);
    xta__library_lock();
    status = create_image(f, local, options->variable, type, what, err);
    xta__library_unlock();
    if (status == XTA_OK) {
        *state = f;
        f = NULL;
    }
done:
    free(local);
    if (f != NULL) {
        fits_shut(f);
    }
    return status;
}

static xta_status fits_write(void *state, const xta_box *box, const void *cells, xta_error *err)
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

static xta_status fits_finish(void *state, xta_error *err)
{
    fits_file *f = state;
    int code = 0;
    xta__library_lock();
    fits_close_file(f->file, &code);
    f->file = NULL;
    xta_status status =
        code != 0 ? xta__fits_failed(f->path, "cannot write the last of it", code, err) : XTA_OK;
    xta__library_unlock();
    fits_shut(f);
    return status;
}

const bridge_format xta__bridge_fits = {
    .name = "fits",
    .summary = "fits: FITS images (.fits, .fit, .fts; .fz and .fits.gz to read), import and export",
    .suffixes = suffixes,
    .sniff = fits_sniff,
    .accepts = fits_accepts,
    .open = fits_open,
    .read = fits_read,
    .close = fits_shut,
    .create = fits_create,
    .write = fits_write,
    .read_back = fits_read,
    .finish = fits_finish,
    .abandon = fits_shut,
};
