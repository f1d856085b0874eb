/* FITS for tests of mappings: an image with another one behind it, which must not be touched.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <fitsio.h>
#include <string.h>

#include <xta/map_fits.h>

#include "fits/image.h"
#include "map/map_rig.h"

static const xta_type types[] = {XTA_U8,  XTA_I8,  XTA_I16, XTA_U16, XTA_I32,
                                 XTA_U32, XTA_I64, XTA_U64, XTA_F32, XTA_F64};

static int n_growing(const rig_file *file)
{
    return file->ndim;
}

static void create(rig_file *file, const int64_t bounds[], const void *cells)
{
    fitsfile *f = NULL;
    const fits_type *type = xta__fits_type_for(file->type);
    LONGLONG lengths[4], n = 1;
    int code = 0;
    double pixel = 1;
    short others[4] = {1, 2, 3, 4};
    long four = 4;
    for (int d = 0; d < file->ndim; d++) {
        lengths[file->ndim - 1 - d] = bounds[d];
        n *= bounds[d];
    }
    memset(file->fill, 0, sizeof file->fill); // CFITSIO has no blank for all types
    remove(file->path);
    fits_create_file(&f, file->path, &code);
    fits_create_imgll(f, type->image, file->ndim, lengths, &code);
    fits_write_key(f, TSTRING, "TITLE", "kept", NULL, &code);
    fits_write_key(f, TDOUBLE, "CRPIX1", &pixel, NULL, &code);
    fits_write_img(f, type->memory, 1, n, (void *)(uintptr_t)cells, &code);
    fits_create_img(f, SHORT_IMG, 1, &four, &code);
    fits_write_img(f, TSHORT, 1, 4, others, &code);
    fits_movabs_hdu(f, 1, NULL, &code);
    MUST(code == 0);
    file->pointer = f;
}

static void open_file(rig_file *file)
{
    int code = 0;
    fitsfile *f = NULL;
    fits_open_file(&f, file->path, READWRITE, &code);
    MUST(code == 0);
    file->pointer = f;
}

static void close_file(rig_file *file)
{
    int code = 0;
    fits_close_file(file->pointer, &code);
    MUST(code == 0);
}

static xta_mapping *map_file(rig_file *file, const xta_mapping_options *options, xta_error *err)
{
    return xtaFITSmap(file->pointer, options, err);
}

static xta_status write_file(rig_file *file, xta_mapping *map)
{
    return xtaFITSwrite(map, file->pointer);
}

static void read_file(rig_file *file, int64_t bounds[], void *cells)
{
    LONGLONG lengths[4], n = 1;
    int code = 0, ndim = 0;
    fits_get_img_dim(file->pointer, &ndim, &code);
    MUST(ndim == file->ndim);
    fits_get_img_sizell(file->pointer, 4, lengths, &code);
    for (int d = 0; d < ndim; d++) {
        bounds[d] = lengths[ndim - 1 - d];
        n *= lengths[d];
    }
    if (cells != NULL) {
        int type = xta__fits_type_for(file->type)->memory;
        fits_read_img(file->pointer, type, 1, n, NULL, cells, NULL, &code);
    }
    MUST(code == 0);
}

/* The reference pixel is that of the cell at 0, which was the first. */
static void read_origin(rig_file *file, int64_t origin[])
{
    char key[FLEN_KEYWORD];
    double pixel = 0;
    int code = 0;
    for (int d = 0; d < file->ndim; d++) {
        LONGLONG first = 0;
        int absent = 0;
        snprintf(key, sizeof key, "XTAORG%d", file->ndim - d);
        fits_read_key(file->pointer, TLONGLONG, key, &first, NULL, &absent);
        origin[d] = absent == 0 ? first : 0;
    }
    fits_clear_errmsg();
    fits_read_key(file->pointer, TDOUBLE, "CRPIX1", &pixel, NULL, &code);
    MUST(code == 0 && pixel == (double)(1 - origin[file->ndim - 1]));
}

static bool storage_kept(rig_file *file)
{
    char title[FLEN_VALUE] = "";
    short others[4] = {0};
    int code = 0;
    fits_read_key(file->pointer, TSTRING, "TITLE", title, NULL, &code);
    fits_movabs_hdu(file->pointer, 2, NULL, &code);
    fits_read_img(file->pointer, TSHORT, 1, 4, NULL, others, NULL, &code);
    fits_movabs_hdu(file->pointer, 1, NULL, &code);
    MUST(code == 0);
    return strcmp(title, "kept") == 0 && others[0] == 1 && others[3] == 4;
}

const map_rig rig_fits = {
    .name = "fits",
    .types = types,
    .n_types = sizeof types / sizeof types[0],
    .n_variants = 1,
    .n_growing = n_growing,
    .create = create,
    .open = open_file,
    .close = close_file,
    .map = map_file,
    .write = write_file,
    .read = read_file,
    .read_origin = read_origin,
    .storage_kept = storage_kept,
};
