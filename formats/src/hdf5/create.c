/* A new HDF5 file with one dataset and what belongs to it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "hdf5/create.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "description/description.h"
#include "hdf5/base/library.h"
#include "hdf5/base/types.h"
#include "hdf5/dataset.h"
#include "hdf5/names.h"
#include "hdf5/write_attributes.h"
#include "util/try.h"

static bool set_filters(hid_t properties, const bridge_description *what)
{
    const bridge_attribute *filters = xta__description_find(what, XTA_ON_ARRAY, H5_FILTERS);
    double level = xta__attribute_number(filters, 1, 0);
    bool good = true;
    if (xta__attribute_number(filters, 0, 0) != 0) {
        good = H5Pset_shuffle(properties) >= 0;
    }
    if (good && level > 0 && level <= 9) {
        good = H5Pset_deflate(properties, (unsigned)level) >= 0;
    }
    if (good && xta__attribute_number(filters, 2, 0) != 0) {
        good = H5Pset_fletcher32(properties) >= 0;
    }
    return good;
}

/* Use chunks if the source had some, or if an axis can grow. */
static bool set_storage(hdf5_file *f, const bridge_description *what, bool unlimited)
{
    const bridge_attribute *chunks = xta__description_find(what, XTA_ON_ARRAY, H5_CHUNKS);
    bool has_chunks = chunks != NULL && chunks->count == (size_t)f->ndim;
    if (f->ndim == 0 || (!has_chunks && !unlimited)) {
        return true;
    }
    for (int d = 0; d < f->ndim; d++) {
        double n = has_chunks ? xta__attribute_number(chunks, (size_t)d, 1) : 64;
        hsize_t length = f->bounds[d] > 0 ? f->bounds[d] : 1;
        f->chunk[d] = n >= 1 && n < 4e9 ? (hsize_t)n : 1;
        bool endless = xta__description_text(what, d, H5_UNLIMITED) != NULL;
        f->chunk[d] = f->chunk[d] > length && !endless ? length : f->chunk[d];
    }
    return H5Pset_chunk(f->properties, f->ndim, f->chunk) >= 0 && set_filters(f->properties, what);
}

static bool make_space(hdf5_file *f, const bridge_description *what, bool *unlimited)
{
    hsize_t most[XTA_MAX_NDIM];
    *unlimited = false;
    f->ndim = what->ndim;
    if (what->ndim == 1 && what->bounds[0] == 1 &&
        xta__description_text(what, XTA_ON_ARRAY, BRIDGE_SCALAR) != NULL) {
        f->ndim = 0;
        f->space = H5Screate(H5S_SCALAR);
        return f->space >= 0;
    }
    for (int d = 0; d < f->ndim; d++) {
        bool endless = xta__description_text(what, d, H5_UNLIMITED) != NULL;
        f->bounds[d] = (hsize_t)what->bounds[d];
        most[d] = endless ? H5S_UNLIMITED : f->bounds[d];
        *unlimited = *unlimited || endless;
    }
    f->space = H5Screate_simple(f->ndim, f->bounds, most);
    return f->space >= 0;
}

/* Set the fill value only if needed: HDF5's default is zeros. */
static bool set_fill(const hdf5_file *f, const bridge_description *what)
{
    bool zero = true;
    for (size_t k = 0; what->fill != NULL && k < what->cell_bytes; k++) {
        zero = zero && what->fill[k] == 0;
    }
    return zero || H5Pset_fill_value(f->properties, f->memory_type, what->fill) >= 0;
}

static bool make_dataset(hdf5_file *f, const bridge_description *what, bool raw)
{
    bool unlimited = false;
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    const char *words = xta__description_text(what, XTA_ON_ARRAY, H5_TYPE);
    hid_t type = xta__hdf5_type_for(words, what->type, what->cell_bytes);
    f->memory_type = type >= 0 ? xta__hdf5_memory_type(type) : -1;
    f->properties = H5Pcreate(H5P_DATASET_CREATE);
    bool good = f->memory_type >= 0 && make_space(f, what, &unlimited) &&
                set_storage(f, what, unlimited) && set_fill(f, what) &&
                H5Pset_create_intermediate_group(links, 1) >= 0;
    f->filtered = good && H5Pget_nfilters(f->properties) > 0;
    f->same_type = good && H5Tequal(f->memory_type, type) > 0;
    if (good && raw) {
        H5Pset_chunk_cache(access, 0, 0, 1.0);
    }
    if (good && raw && !f->filtered && f->ndim > 0) {
        good = H5Pset_alloc_time(f->properties, H5D_ALLOC_TIME_EARLY) >= 0 &&
               H5Pset_fill_time(f->properties, H5D_FILL_TIME_NEVER) >= 0;
    }
    const char *name = what->variable;
    while (name != NULL && name[0] == '/') {
        name++;
    }
    name = name != NULL && name[0] != '\0' ? name : "array";
    if (good) {
        f->dataset = H5Dcreate2(f->file, name, type, f->space, links, f->properties, access);
        good = f->dataset > 0;
    }
    hid_t words_of_failure = H5Eget_current_stack(); // closing would clear the errors
    if (type >= 0) {
        H5Tclose(type);
    }
    H5Pclose(access);
    H5Pclose(links);
    H5Eset_current_stack(words_of_failure);
    return good;
}

static bool put_what_belongs(const hdf5_file *f, const bridge_description *what, bool globals)
{
    hid_t root = H5Gopen2(f->file, "/", H5P_DEFAULT);
    bool good = root >= 0 &&
                (!globals || xta__hdf5_write_attributes(root, what, XTA_ON_ARRAY, H5_GLOBALS)) &&
                xta__hdf5_write_axes(f, what) &&
                xta__hdf5_write_attributes(f->dataset, what, XTA_ON_ARRAY, "");
    if (root >= 0) {
        H5Gclose(root);
    }
    return good;
}

static xta_status refuse_type(const char *path, const bridge_description *what, xta_error *err)
{
    return xta_error_set(err, XTA_EUNSUPPORTED, 0, "%s: HDF5 has no cells of type %s", path,
                         xta_type_name(what->type));
}

/* After this the file can be opened again even if the process is killed: its structure has been
 * written, and the file has its full length, even if no chunk was written yet. */
static bool flush_structure(const hdf5_file *f)
{
    hsize_t bytes = 0;
    struct stat facts;
    bool good = H5Fflush(f->file, H5F_SCOPE_LOCAL) >= 0 && H5Fget_filesize(f->file, &bytes) >= 0 &&
                stat(f->path, &facts) == 0;
    if (good && (hsize_t)facts.st_size < bytes) {
        good = truncate(f->path, (off_t)bytes) == 0;
    }
    return good;
}

xta_status xta__hdf5_make_dataset(hdf5_file *f, const bridge_description *what, bool raw,
                                  bool globals, xta_error *err)
{
    if (!make_dataset(f, what, raw)) {
        return f->memory_type < 0 ? refuse_type(f->path, what, err)
                                  : xta__hdf5_failed(f->path, "cannot make the dataset", err);
    }
    if (!put_what_belongs(f, what, globals)) {
        return xta__hdf5_failed(f->path, "cannot write attributes and scales", err);
    }
    if (raw && !flush_structure(f)) {
        return xta__hdf5_failed(f->path, "cannot make room for the dataset", err);
    }
    return XTA_OK;
}

xta_status xta__hdf5_create(const char *path, bridge_description *what, bool raw, hdf5_file **out,
                            xta_error *err)
{
    xta_status status = XTA_OK;
    hdf5_file *f = calloc(1, sizeof *f);
    if (f == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    f->path = xta__bridge_copy(path);
    xta__hdf5_enter();
    if (f->path == NULL) {
        status = xta__bridge_no_memory(path, err);
        goto done;
    }
    f->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (f->file < 0) {
        status = xta__hdf5_failed(path, "cannot create it", err);
        goto done;
    }
    XTA_TRY(xta__hdf5_make_dataset(f, what, raw, true, err));
    *out = f;
    f = NULL;
done:
    xta__hdf5_leave();
    if (f != NULL) {
        xta__hdf5_close(f);
    }
    return status;
}

xta_status xta__hdf5_finish(void *state, xta_error *err)
{
    hdf5_file *f = state;
    xta_status status = XTA_OK;
    xta__hdf5_enter();
    H5Dclose(f->dataset);
    f->dataset = 0;
    if (H5Fclose(f->file) < 0) {
        status = xta__hdf5_failed(f->path, "cannot write the last of it", err);
    }
    f->file = 0;
    xta__hdf5_leave();
    xta__hdf5_close(f);
    return status;
}
