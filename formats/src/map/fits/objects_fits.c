/* The other HDUs of a FITS file: "/1" is the primary one, "/NAME" an extension with a name.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "map/fits/objects_fits.h"

#include <fitsio.h>
#include <stdio.h>
#include <string.h>

#include "description/description.h"
#include "fits/image.h"
#include "fits/read_header.h"
#include "util/try.h"

static void read_shape(fitsfile *file, bridge_description *what)
{
    LONGLONG bounds[XTA_MAX_NDIM] = {0};
    int ndim = 0;
    int code = 0;
    if (fits_get_img_dim(file, &ndim, &code) == 0 && ndim <= XTA_MAX_NDIM &&
        fits_get_img_sizell(file, XTA_MAX_NDIM, bounds, &code) == 0) {
        what->ndim = ndim;
    }
    for (int d = 0; d < what->ndim; d++) {
        what->bounds[what->ndim - 1 - d] = (int64_t)bounds[d];
    }
}

static xta_mapping_kind kind_of(fitsfile *file, int type)
{
    int ndim = 0;
    int code = 0;
    int compressed = fits_is_compressed_image(file, &code);
    if (type != IMAGE_HDU && !compressed) {
        return XTA_MAPPED_TABLE;
    }
    fits_get_img_dim(file, &ndim, &code);
    return ndim > 0 ? XTA_MAPPED_DATASET : XTA_MAPPED_GROUP;
}

static xta_status add_hdu(const fits_file *f, int number, int type, bool mapped, xta_mapping *map,
                          xta_error *err)
{
    char name[FLEN_VALUE] = "";
    char path[FLEN_VALUE + 16];
    int code = 0;
    bool is_unsigned = false;
    fits_file other = *f;
    fits_read_key(f->file, TSTRING, "EXTNAME", name, NULL, &code);
    if (code != 0 || name[0] == '\0') {
        snprintf(path, sizeof path, "/%d", number);
    } else {
        snprintf(path, sizeof path, "/%s", name);
    }
    map_object *object = xta__mapping_add_object(map, kind_of(f->file, type), path);
    if (object == NULL) {
        return xta__bridge_no_memory(f->path, err);
    }
    object->mapped = mapped;
    if (object->kind == XTA_MAPPED_DATASET) {
        read_shape(f->file, &object->what);
        other.ndim = object->what.ndim;
        xta_status status =
            mapped ? XTA_OK : xta__fits_choose_type(&other, &object->what, &is_unsigned, err);
        if (status != XTA_OK) {
            return status;
        }
        object->what.type = mapped ? xta_array_type(map->array) : object->what.type;
    } else {
        other.ndim = 0;
    }
    return mapped ? XTA_OK : xta__fits_read_header(&other, is_unsigned, &object->what, err);
}

xta_status xta__mapping_fits_objects(const fits_file *f, xta_mapping *map, xta_error *err)
{
    xta_status status = XTA_OK;
    int here = 0;
    int n = 0;
    int code = 0;
    fits_get_hdu_num(f->file, &here);
    fits_get_num_hdus(f->file, &n, &code);
    for (int number = 1; number <= n && code == 0; number++) {
        int type = 0;
        if (fits_movabs_hdu(f->file, number, &type, &code) == 0) {
            XTA_TRY(add_hdu(f, number, type, number == here, map, err));
        }
    }
done:
    fits_clear_errmsg();
    int back = 0;
    fits_movabs_hdu(f->file, here, NULL, &back);
    code = code != 0 ? code : back;
    if (status == XTA_OK && code != 0) {
        status = xta__fits_failed(f->path, "cannot read the other HDUs", code, err);
    }
    return status;
}
