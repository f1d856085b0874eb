/* A FITS image as an array, and back ([CXA] 10.1.4).
 *
 * The axes of FITS have no maxima: CFITSIO makes room by moving what lies behind the image. After
 * growth at the front the cells are at new places; reference pixels move along, and XTAORGn says
 * which coordinate the first cell has.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/map_fits.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/library_lock.h"
#include "description/description.h"
#include "description/origin.h"
#include "description/placement.h"
#include "fits/image.h"
#include "fits/read_header.h"
#include "fits/select_image.h"
#include "map/fits/objects_fits.h"
#include "map/handle.h"
#include "map/transfer.h"
#include "util/try.h"

#define NO_LIMIT UINT64_MAX

/* An image and what it is. */
typedef struct image {
    fits_file file;
    char name[FLEN_FILENAME + 16];
    bridge_description what;
    int64_t origin[XTA_MAX_NDIM];
} image;

/* Under the lock. Cells were read as they are stored; from here on CFITSIO scales them again. */
static void restore_scale(const image *it)
{
    int code = 0;
    if (it->file.file != NULL) {
        fits_set_hdustruc(it->file.file, &code);
        fits_clear_errmsg();
    }
}

static xta_status check_image(const fits_file *f, xta_error *err)
{
    int type = ANY_HDU;
    int ndim = 0;
    int code = 0;
    bool compressed = fits_is_compressed_image(f->file, &code) != 0;
    if (code != 0 || fits_get_hdu_type(f->file, &type, &code) != 0 ||
        (type != IMAGE_HDU && !compressed)) {
        fits_clear_errmsg();
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: is not at an image; move to one, as by fits_movabs_hdu", f->path);
    }
    fits_get_img_dim(f->file, &ndim, &code);
    if (code == 0 && ndim == 0) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: the header has no image (NAXIS = 0); move to one, as by "
                             "fits_movabs_hdu",
                             f->path);
    }
    return XTA_OK;
}

/* Under the lock. Describe the image of the current HDU. */
static xta_status open_image(fitsfile *file, image *it, xta_error *err)
{
    xta_status status = XTA_OK;
    int code = 0;
    int number = 0;
    bool is_unsigned = false;
    char path[FLEN_FILENAME] = "";
    if (file == NULL) {
        return xta_error_set(err, XTA_EARG, 0,
                             "the FITS file is NULL; give one that fits_open_file opened");
    }
    if (fits_file_name(file, path, &code) != 0) {
        fits_clear_errmsg();
        return xta_error_set(err, XTA_EARG, 0,
                             "the FITS file is none that is open; give one that fits_open_file "
                             "opened, before fits_close_file");
    }
    fits_get_hdu_num(file, &number);
    snprintf(it->name, sizeof it->name, "%s[%d]", path, number - 1);
    it->file.file = file;
    it->file.path = it->name;
    XTA_TRY(check_image(&it->file, err));
    XTA_TRY(xta__fits_choose_type(&it->file, &it->what, &is_unsigned, err));
    XTA_TRY(xta__fits_choose_shape(&it->file, &it->what, NO_LIMIT, err));
    XTA_TRY(xta__fits_read_header(&it->file, is_unsigned, &it->what, err));
    XTA_TRY(xta__origin_read(&it->what, BRIDGE_ORIGIN_IN_HEADER, it->origin, it->name, err));
done:
    return status;
}

xta_mapping *xtaFITSmap(fitsfile *image_file, const xta_mapping_options *options, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_mapping *map = NULL;
    image it = {.name = ""};
    xta__clear(err);
    xta__description_init(&it.what);
    XTA_TRY(xta__mapping_new(MAP_FITS, options, &map, err));
    xta__library_lock();
    status = open_image(image_file, &it, err);
    xta__library_unlock();
    if (status != XTA_OK) {
        goto done;
    }
    XTA_TRY(xta__mapping_create_array(map, &it.what, it.origin, it.name, err));
    XTA_TRY(xta__mapping_load(map, &it.what, NULL, xta__fits_read, &it.file, it.name, err));
    xta__library_lock();
    status = xta__mapping_fits_objects(&it.file, map, err);
    xta__library_unlock();
done:
    xta__library_lock();
    restore_scale(&it);
    xta__library_unlock();
    xta__description_clear(&it.what);
    if (status != XTA_OK) {
        xta__mapping_discard(map);
        map = NULL;
    }
    return map;
}

/* Under the lock. */
static xta_status check_writable(const image *it, xta_error *err)
{
    int mode = READONLY;
    int code = 0;
    if (fits_file_mode(it->file.file, &mode, &code) != 0 || mode != READWRITE) {
        return xta_error_set(err, XTA_EACCESS, 0,
                             "%s: the file was opened read-only; open it with READWRITE", it->name);
    }
    if (it->file.compressed) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: is compressed in tiles, which cannot be rewritten; unpack it, as "
                             "by funpack, and write to that",
                             it->name);
    }
    return XTA_OK;
}

/* Under the lock. Make NAXISn the bounds of the array. */
static xta_status resize(image *it, const xta_box *bounds, xta_error *err)
{
    LONGLONG lengths[XTA_MAX_NDIM];
    int code = 0;
    int type = 0;
    bool same = true;
    bool is_unsigned = false;
    for (int axis = 0; axis < bounds->ndim; axis++) {
        int64_t length = bounds->hi[axis] - bounds->lo[axis];
        same = same && length == it->file.bounds[axis];
        it->file.bounds[axis] = length;
        lengths[bounds->ndim - 1 - axis] = (LONGLONG)length;
    }
    if (same) {
        return XTA_OK;
    }
    fits_get_img_type(it->file.file, &type, &code);
    fits_resize_imgll(it->file.file, type, bounds->ndim, lengths, &code);
    fits_set_hdustruc(it->file.file, &code);
    if (code != 0) {
        return xta__fits_failed(it->name, "cannot resize it", code, err);
    }
    // CFITSIO has read the header again, and would scale what is written.
    return xta__fits_choose_type(&it->file, &it->what, &is_unsigned, err);
}

/* Under the lock. A reference pixel is counted from the first cell. */
static int move_pixels(const image *it, const xta_box *bounds)
{
    int code = 0;
    for (size_t k = 0; k < it->what.n_attributes && code == 0; k++) {
        const bridge_attribute *a = &it->what.attributes[k];
        int n = xta__placement_pixel_axis(a->name);
        if (n < 1 || n > bounds->ndim || a->type == XTA_TEXT || a->count != 1) {
            continue;
        }
        int axis = bounds->ndim - n;
        double shift = (double)(it->origin[axis] - bounds->lo[axis]);
        double value = xta__attribute_number(a, 0, 0) + shift;
        if (shift != 0) {
            fits_update_key_dbl(it->file.file, a->name, value, -15, NULL, &code);
        }
    }
    return code;
}

/* Under the lock. */
static int write_origin(const image *it, const xta_box *bounds)
{
    char key[FLEN_KEYWORD];
    int code = 0;
    for (int axis = 0; axis < bounds->ndim && code == 0; axis++) {
        LONGLONG lo = (LONGLONG)bounds->lo[axis];
        snprintf(key, sizeof key, "%s%d", BRIDGE_ORIGIN_KEYWORD, bounds->ndim - axis);
        if (lo != 0 || it->origin[axis] != 0) {
            fits_update_key(it->file.file, TLONGLONG, key, &lo, "coordinate of the first cell",
                            &code);
        }
    }
    return code;
}

/* All that can be refused, and all memory; then the file is changed. */
static xta_status write_image(xta_mapping *map, fitsfile *file, image *it, map_slabs *slabs,
                              xta_error *err)
{
    xta_status status = XTA_OK;
    XTA_TRY(xta__mapping_check_format(map, MAP_FITS, "xtaFITSmap", err));
    xta__library_lock();
    status = open_image(file, it, err);
    if (status == XTA_OK) {
        status = check_writable(it, err);
    }
    xta__library_unlock();
    if (status != XTA_OK) {
        goto done;
    }
    XTA_TRY(xta__mapping_check_cells(map, &it->what, it->name, err));
    XTA_TRY(xta__mapping_slabs_init(slabs, map, it->name, err));
    xta_box bounds = xta_array_bounds(map->array);
    xta__library_lock();
    status = resize(it, &bounds, err);
    xta__library_unlock();
    if (status != XTA_OK) {
        goto done;
    }
    XTA_TRY(xta__mapping_store(map, slabs, xta__fits_write, &it->file, err));
    xta__library_lock();
    int code = move_pixels(it, &bounds);
    code = code != 0 ? code : write_origin(it, &bounds);
    if (code == 0) {
        fits_flush_file(it->file.file, &code);
    }
    if (code != 0) {
        status = xta__fits_failed(it->name, "cannot write its header", code, err);
    }
    xta__library_unlock();
done:
    return status;
}

xta_status xtaFITSwrite(xta_mapping *xta_fits, fitsfile *image_file)
{
    xta_error unused = {0};
    xta_error *err = xta_fits != NULL ? &xta_fits->error : &unused;
    image it = {.name = ""};
    map_slabs slabs = {.cells = NULL};
    memset(err, 0, sizeof *err);
    xta__description_init(&it.what);
    xta_status status = write_image(xta_fits, image_file, &it, &slabs, err);
    xta__library_lock();
    restore_scale(&it);
    xta__library_unlock();
    xta__mapping_slabs_clear(&slabs);
    xta__description_clear(&it.what);
    return status;
}
