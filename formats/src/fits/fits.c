/* FITS: images of astronomy, each with a header of cards (KEYWORD = value / comment), read and
 * written by CFITSIO. This file has the table; image.c moves the cells.
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
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <zlib.h>

#include "common/library_lock.h"
#include "common/local_path.h"
#include "description/description.h"
#include "description/format.h"
#include "fits/image.h"
#include "fits/names.h"
#include "fits/read_header.h"
#include "fits/select_image.h"
#include "fits/write_header.h"
#include "util/try.h"

#define UNPACK_BYTES 65536

static const char *const suffixes[] = {"fits", "fit", "fts", "fz", NULL};

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

/* An empty primary header belongs to an image behind it. */
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
    XTA_TRY(xta__fits_choose_type(f, what, &is_unsigned, err));
    XTA_TRY(xta__fits_choose_shape(f, what, file_bytes, err));
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

/* ---- writing ---- */

static xta_status check_target(const char *path, const bridge_description *what,
                               const fits_type **type, xta_error *err)
{
    *type = xta__fits_type_for(what->type);
    if (*type == NULL) {
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

/* An image with no cards but those that CFITSIO writes by itself. */
static int begin_image(const fits_file *f, int image)
{
    LONGLONG bounds[XTA_MAX_NDIM];
    int code = 0;
    for (int d = 0; d < f->ndim; d++) {
        bounds[d] = f->bounds[f->ndim - 1 - d];
    }
    fits_create_imgll(f->file, image, f->ndim, bounds, &code);
    while (code == 0 && fits_delete_key(f->file, "COMMENT", &code) == 0) {}
    if (code == KEY_NO_EXIST) {
        code = 0;
        fits_clear_errmsg();
    }
    return code;
}

/* Under the lock. */
static xta_status create_image(fits_file *f, const char *local, const char *name,
                               const fits_type *type, const bridge_description *what,
                               xta_error *err)
{
    xta_status status = XTA_OK;
    int code = 0;
    const char *primary = xta__description_text(what, XTA_ON_ARRAY, FITS_PRIMARY);
    bool is_unsigned = type->zero != 0;
    if (strlen(local) >= FLEN_FILENAME || fits_create_diskfile(&f->file, local, &code) != 0) {
        f->file = NULL;
        return xta__fits_failed(f->path, "cannot create it", code, err);
    }
    if (primary != NULL) {
        fits_file empty = *f;
        empty.ndim = 0;
        code = begin_image(&empty, BYTE_IMG);
        if (code == 0) {
            XTA_TRY(xta__fits_write_primary(f, primary, err));
        }
    }
    code = code != 0 ? code : begin_image(f, type->image);
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
    const fits_type *type = NULL;
    fits_file *f = new_file(path);
    char *local = xta__local_path(path);
    if (f == NULL || local == NULL) {
        status = xta__bridge_no_memory(path, err);
        goto done;
    }
    XTA_TRY(check_target(path, what, &type, err));
    f->type = type->memory;
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
    .origin = BRIDGE_ORIGIN_IN_HEADER,
    .sniff = fits_sniff,
    .accepts = fits_accepts,
    .open = fits_open,
    .read = xta__fits_read,
    .close = fits_shut,
    .create = fits_create,
    .write = xta__fits_write,
    .read_back = xta__fits_read,
    .finish = fits_finish,
    .abandon = fits_shut,
};
