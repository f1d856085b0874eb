/* HDF5 datasets through the HDF5 library: reading, and the bridge itself.
 *
 * One array carries one dataset. With it come its attributes, those of the file's root
 * (`global/...`), the scales of its axes (attribute `values` of the axis), labels, fill value and
 * storage. The library is not made for threads and lies below NetCDF's, too: one lock for both.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "hdf5/hdf5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const char *const suffixes[] = {"h5", "hdf5", "he5", "hdf", NULL};
static const char *const coordinates[] = {"values", NULL};

static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

/* What prints HDF5's errors between our calls; guarded by the lock. */
static H5E_auto2_t kept_printer;
static void *kept_user;

void xta__hdf5_enter(void)
{
    xta__bridge_lock();
    H5open();
    H5Eget_auto2(H5E_DEFAULT, &kept_printer, &kept_user);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void xta__hdf5_leave(void)
{
    H5Eset_auto2(H5E_DEFAULT, kept_printer, kept_user);
    xta__bridge_unlock();
}

/* The innermost words are those of the cause. */
static herr_t note_words(unsigned n, const H5E_error2_t *one, void *user)
{
    char *words = user;
    if (n == 0 && one->desc != NULL) {
        snprintf(words, 200, "%s", one->desc);
    }
    return 0;
}

xta_status xta__hdf5_failed(const char *path, const char *doing, xta_error *err)
{
    char words[200] = "it gives no reason";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_words, words);
    for (char *c = words; *c != '\0'; c++) {
        *c = *c == '\n' ? ' ' : *c;
    }
    H5Eclear2(H5E_DEFAULT);
    xta_status status = strstr(words, "No space left") != NULL ? XTA_ENOSPC : XTA_EFOREIGN;
    return xta_error_set(err, status, 0, "%s: %s: HDF5 says: %s", path, doing, words);
}

static bool hdf5_sniff(const char *path, const unsigned char *head, size_t n_bytes)
{
    (void)path;
    /* A user block of 512 bytes may stand before the file proper, as MATLAB's does. */
    return (n_bytes >= sizeof signature && memcmp(head, signature, sizeof signature) == 0) ||
           (n_bytes >= 512 + sizeof signature &&
            memcmp(head + 512, signature, sizeof signature) == 0);
}

/* Every filter must be one that this HDF5 has, or reading would fail in the middle. */
static xta_status check_filters(hdf5_file *f, xta_error *err)
{
    int n = H5Pget_nfilters(f->properties);
    for (int k = 0; k < n; k++) {
        char name[64] = "";
        unsigned flags = 0;
        unsigned values[32];
        size_t n_values = sizeof values / sizeof values[0];
        unsigned config = 0;
        H5Z_filter_t id = H5Pget_filter2(f->properties, (unsigned)k, &flags, &n_values, values,
                                         sizeof name, name, &config);
        if (id < 0 || H5Zfilter_avail(id) <= 0) {
            H5Eclear2(H5E_DEFAULT);
            return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                                 "%s: is compressed by filter %d (%s), which this HDF5 does not "
                                 "have; repack it, as by h5repack -f GZIP=4",
                                 f->path, (int)id, name);
        }
    }
    f->filtered = n > 0;
    return XTA_OK;
}

xta_status xta__hdf5_look(hdf5_file *f, xta_error *err)
{
    f->space = H5Dget_space(f->dataset);
    f->properties = H5Dget_create_plist(f->dataset);
    hid_t type = H5Dget_type(f->dataset);
    int ndim = H5Sget_simple_extent_ndims(f->space);
    if (ndim > XTA_MAX_NDIM || H5Sget_simple_extent_type(f->space) == H5S_NULL) {
        H5Tclose(type);
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: the dataset is empty of any shape, or has more than %d axes",
                             f->path, XTA_MAX_NDIM);
    }
    f->ndim = ndim;
    H5Sget_simple_extent_dims(f->space, f->bounds, NULL);
    f->memory_type = xta__hdf5_memory_type(type);
    f->same_type = f->memory_type >= 0 && H5Tequal(f->memory_type, type) > 0;
    H5Tclose(type);
    if (f->memory_type < 0) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: the dataset has cells that are not of one fixed length, or "
                             "compounds that are not complex numbers",
                             f->path);
    }
    if (H5Pget_layout(f->properties) == H5D_CHUNKED) {
        H5Pget_chunk(f->properties, ndim, f->chunk);
    }
    return check_filters(f, err);
}

void xta__hdf5_close(void *state)
{
    hdf5_file *f = state;
    xta__hdf5_enter();
    if (f->properties > 0) {
        H5Pclose(f->properties);
    }
    if (f->memory_type > 0) {
        H5Tclose(f->memory_type);
    }
    if (f->space > 0) {
        H5Sclose(f->space);
    }
    if (f->dataset > 0) {
        H5Dclose(f->dataset);
    }
    if (f->file > 0) {
        H5Fclose(f->file);
    }
    xta__hdf5_leave();
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        free(f->shared[axis]);
    }
    free(f->path);
    free(f);
}

static xta_status open_file(hdf5_file *f, xta_error *err)
{
    struct stat facts;
    if (stat(f->path, &facts) != 0) {
        return xta_error_set(err, XTA_ENOENT, 0, "%s: there is no such file", f->path);
    }
    if (H5Fis_hdf5(f->path) <= 0) {
        H5Eclear2(H5E_DEFAULT);
        return xta_error_set(err, XTA_EFORMAT, 0, "%s: is not an HDF5 file", f->path);
    }
    f->file = H5Fopen(f->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (f->file < 0) {
        xta_status status = xta__hdf5_failed(f->path, "cannot open it", err);
        return status == XTA_EFOREIGN && err != NULL ? (err->status = XTA_EFORMAT) : status;
    }
    return XTA_OK;
}

static xta_status describe(const hdf5_file *f, bridge_description *what, xta_error *err)
{
    hid_t type = H5Dget_type(f->dataset);
    what->type = xta__hdf5_to_xta(type, &what->cell_bytes);
    H5Tclose(type);
    what->ndim = f->ndim > 0 ? f->ndim : 1;
    what->bounds[0] = 1;
    for (int d = 0; d < f->ndim; d++) {
        what->bounds[d] = (int64_t)f->bounds[d];
        what->chunk[d] = (int64_t)f->chunk[d];
    }
    bool good =
        f->ndim > 0 || xta__bridge_add_text(what, XTA_ON_ARRAY, BRIDGE_SCALAR, "yes") != NULL;
    if (!good || !xta__hdf5_describe(f, what)) {
        return xta__hdf5_failed(f->path, "cannot read what belongs to the dataset", err);
    }
    return XTA_OK;
}

xta_status xta__hdf5_open(const char *path, const char *variable, bool cached, bool trust,
                          bridge_description *what, hdf5_file **out, xta_error *err)
{
    xta_status status = XTA_OK;
    hdf5_file *f = calloc(1, sizeof *f);
    if (f == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    f->path = xta__bridge_copy(path);
    f->trust = trust;
    xta__hdf5_enter();
    if (f->path == NULL) {
        status = xta__bridge_no_memory(path, err);
        goto done;
    }
    XTA_TRY(open_file(f, err));
    XTA_TRY(xta__hdf5_choose(f, variable, cached, &what->variable, err));
    XTA_TRY(xta__hdf5_look(f, err));
    if (!trust) {
        XTA_TRY(xta__hdf5_scales_inside(f, err));
    }
    XTA_TRY(describe(f, what, err));
    *out = f;
    f = NULL;
done:
    xta__hdf5_leave();
    if (f != NULL) {
        xta__hdf5_close(f);
    }
    return status;
}

static xta_status hdf5_open(const char *path, const xta_import_options *options,
                            const bridge_target *target, bridge_description *what, void **state,
                            xta_error *err)
{
    hdf5_file *f = NULL;
    (void)target;
    xta_status status =
        xta__hdf5_open(path, options->variable, true, options->trust, what, &f, err);
    *state = f;
    return status;
}

/* Select the box in the file; `*memory` is a space of its shape. */
static herr_t select_box(const hdf5_file *f, const xta_box *box, hid_t *memory)
{
    hsize_t start[XTA_MAX_NDIM];
    hsize_t count[XTA_MAX_NDIM];
    if (f->ndim == 0) {
        *memory = H5Screate(H5S_SCALAR);
        return H5Sselect_all(f->space);
    }
    for (int d = 0; d < f->ndim; d++) {
        start[d] = (hsize_t)box->lo[d];
        count[d] = (hsize_t)(box->hi[d] - box->lo[d]);
    }
    *memory = H5Screate_simple(f->ndim, count, NULL);
    return H5Sselect_hyperslab(f->space, H5S_SELECT_SET, start, NULL, count, NULL);
}

xta_status xta__hdf5_read(void *state, const xta_box *box, void *cells, xta_error *err)
{
    hdf5_file *f = state;
    xta_status status = XTA_OK;
    hid_t memory = -1;
    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    xta__hdf5_enter();
    if (select_box(f, box, &memory) < 0 ||
        H5Dread(f->dataset, f->memory_type, memory, f->space, H5P_DEFAULT, cells) < 0) {
        status = xta__hdf5_failed(f->path, "cannot read cells", err);
    }
    H5Sclose(memory);
    xta__hdf5_leave();
    return status;
}

xta_status xta__hdf5_write_box(void *state, const xta_box *box, const void *cells, xta_error *err)
{
    hdf5_file *f = state;
    xta_status status = XTA_OK;
    hid_t memory = -1;
    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    xta__hdf5_enter();
    if (select_box(f, box, &memory) < 0 ||
        H5Dwrite(f->dataset, f->memory_type, memory, f->space, H5P_DEFAULT, cells) < 0) {
        status = xta__hdf5_failed(f->path, "cannot write cells", err);
    }
    H5Sclose(memory);
    xta__hdf5_leave();
    return status;
}

static bool hdf5_takes(const char *format, const char *suffix)
{
    (void)suffix;
    return format != NULL && strcasecmp(format, "hdf") == 0;
}

static xta_status hdf5_create(const char *path, const xta_export_options *options,
                              bridge_description *what, void **state, xta_error *err)
{
    hdf5_file *f = NULL;
    (void)options;
    xta_status status = xta__hdf5_create(path, what, false, &f, err);
    *state = f;
    return status;
}

const bridge_format xta__bridge_hdf5 = {
    .name = "hdf5",
    .summary = "hdf5: HDF5 datasets (.h5, .hdf5, .he5), import and export",
    .suffixes = suffixes,
    .coordinates = coordinates,
    .sniff = hdf5_sniff,
    .takes = hdf5_takes,
    .open = hdf5_open,
    .read = xta__hdf5_read,
    .close = xta__hdf5_close,
    .create = hdf5_create,
    .add = xta__hdf5_add,
    .write = xta__hdf5_write_box,
    .read_back = xta__hdf5_read,
    .finish = xta__hdf5_finish,
    .abandon = xta__hdf5_close,
};
