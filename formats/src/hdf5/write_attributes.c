/* Attributes, scales and labels of axes, into an HDF5 file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hdf5/write_attributes.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "description/spread_attributes.h"
#include "hdf5/base/types.h"
#include "hdf5/dataset.h"
#include "hdf5/names.h"

#define SCALE_CHUNK 1024 /* values */
#define KEY_BYTES   300

/* How the attribute was written in the file it came from. */
typedef struct form {
    int kind;
    H5T_cset_t cset;
    H5T_str_t pad;
    size_t bytes;
    int ndim; /* -1: a null dataspace */
    hsize_t bounds[H5S_MAX_RANK];
} form;

static form form_of(const bridge_description *what, const bridge_attribute *a, size_t n,
                    bool listed)
{
    char key[KEY_BYTES];
    form f = {a->type == XTA_TEXT ? FORM_VARIABLE : FORM_NUMBERS,
              H5T_CSET_UTF8,
              H5T_STR_NULLTERM,
              0,
              n == 1 && !listed ? 0 : 1,
              {n}};
    snprintf(key, sizeof key, "%s" H5_FORM, a->name);
    const bridge_attribute *kept = xta__description_find(what, a->axis, key);
    if (kept == NULL || kept->type != XTA_I64 || kept->count < 5) {
        return f;
    }
    const int64_t *values = kept->values;
    hsize_t points = 1;
    bool text = values[0] == FORM_FIXED || values[0] == FORM_VARIABLE;
    bool fits = text == (a->type == XTA_TEXT) && values[4] >= -1 && values[4] < H5S_MAX_RANK &&
                kept->count == 5 + (size_t)(values[4] > 0 ? values[4] : 0);
    for (int64_t d = 0; fits && d < values[4]; d++) {
        fits = values[5 + d] >= 0;
        points *= (hsize_t)values[5 + d];
    }
    if (!fits || (values[4] == -1 ? n > 1 : points != n)) {
        return f; // changed since it was read
    }
    f.kind = (int)values[0];
    f.cset = values[1] == H5T_CSET_UTF8 ? H5T_CSET_UTF8 : H5T_CSET_ASCII;
    f.pad = values[2] == H5T_STR_NULLPAD    ? H5T_STR_NULLPAD
            : values[2] == H5T_STR_SPACEPAD ? H5T_STR_SPACEPAD
                                            : H5T_STR_NULLTERM;
    f.bytes = values[3] > 0 && values[3] < (1 << 20) ? (size_t)values[3] : 0;
    f.ndim = (int)values[4];
    for (int d = 0; d < f.ndim; d++) {
        f.bounds[d] = (hsize_t)values[5 + d];
    }
    return f;
}

static hid_t space_of(const form *f)
{
    return f->ndim < 0    ? H5Screate(H5S_NULL)
           : f->ndim == 0 ? H5Screate(H5S_SCALAR)
                          : H5Screate_simple(f->ndim, f->bounds, NULL);
}

static bool write_attribute(hid_t object, const char *name, hid_t file_type, hid_t memory_type,
                            const form *f, const void *values)
{
    hid_t space = space_of(f);
    H5Adelete(object, name); // a scale already has a few
    H5Eclear2(H5E_DEFAULT);
    hid_t attribute = H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = attribute >= 0 && (f->ndim < 0 || H5Awrite(attribute, memory_type, values) >= 0);
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    H5Sclose(space);
    return good;
}

static bool put_numbers(hid_t object, const char *name, const bridge_description *what,
                        const bridge_attribute *a)
{
    form f = form_of(what, a, a->count, false);
    hid_t file_type = xta__hdf5_from_xta(a->type, a->cell_bytes);
    hid_t memory_type = file_type >= 0 ? xta__hdf5_memory_type(file_type) : -1;
    bool good =
        memory_type >= 0 && write_attribute(object, name, file_type, memory_type, &f, a->values);
    H5Tclose(memory_type);
    H5Tclose(file_type);
    return good;
}

static bool put_variable(hid_t object, const char *name, const form *f, char *const *strings)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, f->cset);
    H5Tset_strpad(type, f->pad);
    bool good = write_attribute(object, name, type, type, f, strings);
    H5Tclose(type);
    return good;
}

static bool put_fixed(hid_t object, const char *name, const form *f, char *const *strings, size_t n)
{
    size_t bytes = f->bytes;
    for (size_t k = 0; k < n; k++) {
        size_t length = strlen(strings[k]) + (f->pad == H5T_STR_NULLTERM ? 1 : 0);
        bytes = length > bytes ? length : bytes;
    }
    bytes = bytes > 0 ? bytes : 1;
    char *cells = malloc(n * bytes + 1);
    if (cells == NULL) {
        return false;
    }
    memset(cells, f->pad == H5T_STR_SPACEPAD ? ' ' : 0, n * bytes + 1);
    for (size_t k = 0; k < n; k++) {
        memcpy(cells + k * bytes, strings[k], strlen(strings[k]));
    }
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, bytes);
    H5Tset_cset(type, f->cset);
    H5Tset_strpad(type, f->pad);
    bool good = write_attribute(object, name, type, type, f, cells);
    H5Tclose(type);
    free(cells);
    return good;
}

/* Write one string, or several whose lengths are kept beside the text. */
static bool put_text(hid_t object, const char *name, const bridge_description *what,
                     const bridge_attribute *a)
{
    char key[KEY_BYTES];
    snprintf(key, sizeof key, "%s" H5_STRINGS, a->name);
    const bridge_attribute *lengths = xta__description_find(what, a->axis, key);
    bool listed = lengths != NULL && lengths->type == XTA_I64;
    size_t n = listed ? lengths->count : 1;
    form f = form_of(what, a, n, listed);
    char **strings = calloc(n + 1, sizeof *strings);
    bool good = strings != NULL;
    size_t at = 0;
    for (size_t k = 0; good && k < n; k++) {
        int64_t kept = listed ? ((const int64_t *)lengths->values)[k] : (int64_t)a->count;
        size_t left = a->count > at ? a->count - at : 0;
        size_t length = kept < 0 || (uint64_t)kept > left ? left : (size_t)kept;
        strings[k] = calloc(length + 1, 1);
        good = strings[k] != NULL;
        if (good) {
            memcpy(strings[k], (const char *)a->values + at, length);
            at += length + 1; // and the line end
        }
    }
    if (good) {
        good = f.kind == FORM_FIXED ? put_fixed(object, name, &f, strings, n)
                                    : put_variable(object, name, &f, strings);
    }
    for (size_t k = 0; strings != NULL && k < n; k++) {
        free(strings[k]);
    }
    free(strings);
    return good;
}

bool xta__hdf5_write_attributes(hid_t object, const bridge_description *what, int axis,
                                const char *prefix)
{
    size_t n = strlen(prefix);
    bool good = true;
    for (size_t k = 0; k < what->n_attributes && good; k++) {
        const bridge_attribute *a = &what->attributes[k];
        const char *name = a->name + n;
        bool ours = a->axis != axis || strncmp(a->name, prefix, n) != 0 || name[0] == '\0' ||
                    strchr(name, '/') != NULL || a->ndim > 0 || a->type == XTA_BYTES;
        if (!ours) {
            good = a->type == XTA_TEXT ? put_text(object, name, what, a)
                                       : put_numbers(object, name, what, a);
        }
    }
    return good;
}

/* ---- axes ---- */

const bridge_attribute *xta__hdf5_scale_values(const bridge_description *what, int axis)
{
    const bridge_attribute *a = xta__description_find(what, axis, H5_VALUES);
    bool good = a != NULL && a->ndim == 1 && a->along[0] == axis && a->type != XTA_TEXT &&
                a->type != XTA_BYTES && what->bounds[axis] > 0;
    return good ? a : NULL;
}

void xta__hdf5_scale_name(const bridge_description *what, int axis, char *name, size_t capacity)
{
    const char *kept = xta__description_text(what, axis, H5_SCALE);
    kept = kept != NULL ? kept : what->name[axis];
    if (kept != NULL && kept[0] != '\0') {
        snprintf(name, capacity, "%s", kept);
    } else {
        snprintf(name, capacity, "axis%d", axis);
    }
    for (char *c = name; *c != '\0'; c++) {
        *c = *c == '/' ? '_' : *c;
    }
}

/* The path of the scale: beside the dataset, with an unused name. */
static bool scale_path(const hdf5_file *f, const bridge_description *what, int axis, char *path,
                       size_t capacity)
{
    char name[KEY_BYTES];
    const char *variable = what->variable;
    const char *slash = strrchr(variable, '/');
    xta__hdf5_scale_name(what, axis, name, sizeof name);
    for (int turn = 0; turn < 100; turn++) {
        int n = snprintf(path, capacity, "%.*s%s%.*s",
                         slash != NULL ? (int)(slash + 1 - variable) : 0, variable, name, turn,
                         "____________________________________________________"
                         "________________________________________________");
        if (n < 0 || (size_t)n >= capacity) {
            return false;
        }
        if (H5Lexists(f->file, path, H5P_DEFAULT) <= 0) {
            return true;
        }
    }
    return false;
}

/* A scale that can grow where its axis can. */
static hid_t create_scale(const hdf5_file *f, const char *path, hid_t type, hsize_t length,
                          bool grows)
{
    const hsize_t most = H5S_UNLIMITED;
    const hsize_t chunk = length > 0 && length < SCALE_CHUNK ? length : SCALE_CHUNK;
    hid_t space = H5Screate_simple(1, &length, grows ? &most : NULL);
    hid_t storage = H5Pcreate(H5P_DATASET_CREATE);
    hid_t scale = -1;
    if (!grows || H5Pset_chunk(storage, 1, &chunk) >= 0) {
        scale = H5Dcreate2(f->file, path, type, space, H5P_DEFAULT, storage, H5P_DEFAULT);
    }
    H5Pclose(storage);
    H5Sclose(space);
    return scale;
}

static bool put_scale(const hdf5_file *f, const bridge_description *what, int axis,
                      const bridge_attribute *a)
{
    char path[2 * KEY_BYTES];
    hsize_t length = f->bounds[axis];
    int64_t lo = what->lo[axis];
    int64_t hi = lo + what->bounds[axis];
    size_t count = 0;
    if (!scale_path(f, what, axis, path, sizeof path)) {
        return true; // the values alone do not justify a failure
    }
    void *values = xta__spread_cut(a, NULL, &lo, &hi, &count);
    if (values == NULL || count != (size_t)length) {
        free(values);
        return false;
    }
    hid_t type = xta__hdf5_from_xta(a->type, a->cell_bytes);
    hid_t memory = xta__hdf5_memory_type(type);
    hid_t scale = create_scale(f, path, type, length,
                               xta__description_text(what, axis, H5_UNLIMITED) != NULL);
    bool good = scale >= 0 && H5Dwrite(scale, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0 &&
                H5DSset_scale(scale, NULL) >= 0 &&
                H5DSattach_scale(f->dataset, scale, (unsigned)axis) >= 0 &&
                xta__hdf5_write_attributes(scale, what, axis, "");
    if (scale >= 0) {
        H5Dclose(scale);
    }
    H5Tclose(memory);
    H5Tclose(type);
    free(values);
    return good;
}

static bool attach_shared(const hdf5_file *f, int axis)
{
    hid_t scale = H5Dopen2(f->file, f->shared[axis], H5P_DEFAULT);
    bool good = scale >= 0 && H5DSattach_scale(f->dataset, scale, (unsigned)axis) >= 0;
    if (scale >= 0) {
        H5Dclose(scale);
    }
    return good;
}

bool xta__hdf5_write_axes(const hdf5_file *f, const bridge_description *what)
{
    bool good = true;
    for (int axis = 0; axis < f->ndim && good; axis++) {
        const bridge_attribute *a = xta__hdf5_scale_values(what, axis);
        const char *scale = xta__description_text(what, axis, H5_SCALE);
        const char *name = what->name[axis];
        if (f->shared[axis] != NULL) {
            good = attach_shared(f, axis);
        } else if (a != NULL) {
            good = put_scale(f, what, axis, a);
        }
        bool label = name != NULL && name[0] != '\0' && (a == NULL || scale != NULL);
        if (good && label) {
            good = H5DSset_label(f->dataset, (unsigned)axis, name) >= 0;
        }
    }
    return good;
}
