/* Scales of axes that are resized with the dataset.
 *
 * A scale gives its axis coordinates, so where the axis grows it must too, and where the first cell
 * moves its values must move along: else cells would get the coordinates of others. What cannot
 * follow is refused before anything is written.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "map/hdf5/scales.h"

#include <hdf5_hl.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "hdf5/base/library.h"
#include "hdf5/base/types.h"
#include "map/attributes.h"
#include "util/try.h"
#include "util/vector.h"

#define NAME_BYTES 256

/* One axis that changes. */
typedef struct axis_change {
    const hdf5_file *f;
    const xta_mapping *map;
    int axis;
    int64_t was_lo, was_hi, lo, hi;
    map_scales *out;
    size_t first; /* of the scales of this axis, in `out` */
    bool full;
} axis_change;

static bool changes(const axis_change *c)
{
    return c->lo != c->was_lo || c->hi != c->was_hi;
}

static herr_t note_scale(hid_t dataset, unsigned axis, hid_t scale, void *user)
{
    axis_change *c = user;
    (void)dataset;
    (void)axis;
    if (!XTA__RESERVE(c->out->items, c->out->capacity, c->out->n + 1)) {
        c->full = true;
        return 1;
    }
    H5Iinc_ref(scale); // the iteration closes its own
    c->out->items[c->out->n++] = (map_scale){scale, -1, 0, NULL};
    return 0;
}

static xta_status refuse(const axis_change *c, hid_t scale, const char *why, xta_error *err)
{
    char name[NAME_BYTES] = "";
    H5Iget_name(scale, name, sizeof name);
    return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                         "%s: axis %d: its scale %s %s; detach it by H5DSdetach_scale, or write to "
                         "another dataset",
                         c->f->path, c->axis, name, why);
}

/* How many axes of all datasets the scale is attached to. */
static hssize_t n_users(hid_t scale)
{
    hssize_t n = 0;
    if (H5Aexists(scale, "REFERENCE_LIST") > 0) {
        hid_t list = H5Aopen(scale, "REFERENCE_LIST", H5P_DEFAULT);
        hid_t space = H5Aget_space(list);
        n = H5Sget_simple_extent_npoints(space);
        H5Sclose(space);
        H5Aclose(list);
    }
    return n;
}

static hssize_t n_own_axes(const hdf5_file *f, hid_t scale)
{
    hssize_t n = 0;
    for (int axis = 0; axis < f->ndim; axis++) {
        n += H5DSis_attached(f->dataset, scale, (unsigned)axis) > 0;
    }
    return n;
}

static xta_status check_scale(const axis_change *c, const map_scale *scale, hsize_t most,
                              xta_error *err)
{
    hid_t properties = H5Dget_create_plist(scale->dataset);
    bool chunked = H5Pget_layout(properties) == H5D_CHUNKED;
    H5Pclose(properties);
    hsize_t length = (hsize_t)(c->was_hi - c->was_lo);
    if (scale->length != length && (!chunked || (most != H5S_UNLIMITED && scale->length > most))) {
        return refuse(c, scale->dataset, "has a fixed length", err);
    }
    bool moves_or_shortens = c->lo != c->was_lo || c->hi < c->was_hi;
    if (moves_or_shortens && n_users(scale->dataset) > n_own_axes(c->f, scale->dataset)) {
        return refuse(c, scale->dataset,
                      "is used by other datasets, whose cells would get wrong coordinates, or none",
                      err);
    }
    if ((moves_or_shortens || c->hi > c->was_hi) && n_own_axes(c->f, scale->dataset) > 1) {
        return refuse(c, scale->dataset, "is used by another axis of the dataset, too", err);
    }
    if (c->lo != c->was_lo && scale->memory_type < 0) {
        return refuse(c, scale->dataset, "has values of a type that cannot be moved", err);
    }
    return XTA_OK;
}

/* The fill value, into `fill`, and the values that are there, into `old`. Both are zeros before; so
 * stays a fill value that is undefined, and with it a scale that was never written. */
static bool read_values(const map_scale *scale, char *fill, size_t n_old, char *old)
{
    bool undefined = xta__hdf5_fill_is_undefined(scale->dataset);
    hid_t properties = H5Dget_create_plist(scale->dataset);
    bool good = undefined || H5Pget_fill_value(properties, scale->memory_type, fill) >= 0;
    H5Pclose(properties);
    if (!good || n_old == 0 || xta__hdf5_is_unwritten(scale->dataset)) {
        return good;
    }
    return H5Dread(scale->dataset, scale->memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, old) >= 0;
}

/* The values for the new box: those that are there at the places of their cells, else fill. */
static xta_status arrange_values(const axis_change *c, map_scale *scale, char *old,
                                 size_t cell_bytes, xta_error *err)
{
    size_t n_old = (size_t)(c->was_hi - c->was_lo);
    char *values = scale->values;
    if (!read_values(scale, values, n_old, old)) {
        return xta__hdf5_failed(c->f->path, "cannot read the scale of an axis", err);
    }
    for (size_t k = 1; k < scale->length; k++) {
        memcpy(values + k * cell_bytes, values, cell_bytes);
    }
    int64_t from = c->was_lo > c->lo ? c->was_lo : c->lo;
    int64_t to = c->was_hi < c->hi ? c->was_hi : c->hi;
    if (from < to) {
        memcpy(values + (size_t)(from - c->lo) * cell_bytes,
               old + (size_t)(from - c->was_lo) * cell_bytes, (size_t)(to - from) * cell_bytes);
    }
    return XTA_OK;
}

/* The values as they will be; those that the array has go to the first scale of the axis. A scale
 * that stays as it is has none. */
static xta_status compute_values(const axis_change *c, map_scale *scale, bool first, xta_error *err)
{
    xta_status status = XTA_OK;
    size_t cell_bytes = H5Tget_size(scale->memory_type);
    size_t n_old = (size_t)(c->was_hi - c->was_lo);
    size_t bytes = 0;
    char *old = calloc(n_old + 1, cell_bytes);
    hid_t type = H5Dget_type(scale->dataset);
    xta_type ours = xta__hdf5_to_xta(type, &bytes);
    H5Tclose(type);
    scale->values = calloc((size_t)scale->length + 1, cell_bytes);
    if (old == NULL || scale->values == NULL) {
        status = xta__bridge_no_memory(c->f->path, err);
        goto done;
    }
    XTA_TRY(arrange_values(c, scale, old, cell_bytes, err));
    if (first && ours != XTA_BYTES && scale->length > 0) {
        XTA_TRY(xta__mapping_axis_values(c->map->array, c->axis, c->lo, c->hi, ours, scale->values,
                                         err));
    }
    if (!changes(c) && memcmp(old, scale->values, n_old * cell_bytes) == 0) {
        free(scale->values);
        scale->values = NULL;
        scale->length = 0;
    }
done:
    free(old);
    return status;
}

/* A list of another length is none of coordinates of the cells: it is left as it is. */
static bool follows(const axis_change *c, hid_t scale, hsize_t *most)
{
    hsize_t length = 0;
    hid_t space = H5Dget_space(scale);
    bool follows = H5Sget_simple_extent_ndims(space) == 1;
    if (follows) {
        H5Sget_simple_extent_dims(space, &length, most);
    }
    H5Sclose(space);
    return follows && length == (hsize_t)(c->was_hi - c->was_lo);
}

static xta_status prepare_axis(axis_change *c, xta_error *err)
{
    xta_status status = XTA_OK;
    if (H5DSget_num_scales(c->f->dataset, (unsigned)c->axis) > 0) {
        H5DSiterate_scales(c->f->dataset, (unsigned)c->axis, NULL, note_scale, c);
    }
    if (c->full) {
        return xta__bridge_no_memory(c->f->path, err);
    }
    for (size_t k = c->first; k < c->out->n; k++) {
        map_scale *scale = &c->out->items[k];
        hsize_t most = 0;
        if (!follows(c, scale->dataset, &most)) {
            continue;
        }
        hid_t type = H5Dget_type(scale->dataset);
        scale->memory_type = xta__hdf5_memory_type(type);
        H5Tclose(type);
        scale->length = (hsize_t)(c->hi - c->lo);
        XTA_TRY(check_scale(c, scale, most, err));
        if (scale->memory_type >= 0) {
            XTA_TRY(compute_values(c, scale, k == c->first, err));
        }
    }
done:
    return status;
}

/* A dataset that is a scale itself has none. */
xta_status xta__mapping_scales_find(const hdf5_file *f, const xta_mapping *map, const xta_box *was,
                                    map_scales *out, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_box now = xta_array_bounds(map->array);
    for (int axis = 0; axis < f->ndim && H5DSis_scale(f->dataset) <= 0; axis++) {
        axis_change c = {
            f,   map,    axis, was->lo[axis], was->hi[axis], now.lo[axis], now.hi[axis],
            out, out->n, false};
        XTA_TRY(prepare_axis(&c, err));
    }
done:
    return status;
}

xta_status xta__mapping_scales_write(const map_scales *scales, const char *label, xta_error *err)
{
    for (size_t k = 0; k < scales->n; k++) {
        const map_scale *scale = &scales->items[k];
        if (scale->length == 0 && scale->values == NULL) {
            continue;
        }
        hid_t space = H5Dget_space(scale->dataset);
        hsize_t length = 0;
        H5Sget_simple_extent_dims(space, &length, NULL);
        H5Sclose(space);
        bool good = length == scale->length || H5Dset_extent(scale->dataset, &scale->length) >= 0;
        if (good && scale->values != NULL && scale->length > 0) {
            good = H5Dwrite(scale->dataset, scale->memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                            scale->values) >= 0;
        }
        if (!good) {
            return xta__hdf5_failed(label, "cannot write the scale of an axis", err);
        }
    }
    return XTA_OK;
}

void xta__mapping_scales_clear(map_scales *scales)
{
    for (size_t k = 0; k < scales->n; k++) {
        if (scales->items[k].memory_type >= 0) {
            H5Tclose(scales->items[k].memory_type);
        }
        H5Dclose(scales->items[k].dataset);
        free(scales->items[k].values);
    }
    free(scales->items);
    memset(scales, 0, sizeof *scales);
}
