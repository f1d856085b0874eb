/* What comes with a dataset of an HDF5 file: attributes, scales and labels of axes, fill value,
 * storage.
 *
 * References, compounds and other values that no attribute of ours can hold are left out.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hdf5/read_attributes.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "hdf5/base/library.h"
#include "hdf5/base/types.h"
#include "hdf5/dataset.h"
#include "hdf5/names.h"

#define LONGEST_NAME         255 /* for the name of an XTA attribute */
#define NAME_BYTES           (LONGEST_NAME + 1)
#define MOST_ATTRIBUTE_BYTES ((size_t)4 << 20)
#define MOST_SCALE_BYTES     ((size_t)32 << 20)

/* Attributes by which HDF5 and NetCDF relate datasets to each other: generated anew, or meaningless
 * elsewhere. */
static const char *const ties[] = {
    "DIMENSION_LIST", "REFERENCE_LIST",      "DIMENSION_LABELS", "CLASS",         "NAME",
    "_Netcdf4Dimid",  "_Netcdf4Coordinates", "_nc3_strict",      "_NCProperties", NULL};

typedef struct carrier {
    bridge_description *what;
    int axis;
    const char *prefix;
    bool full; /* out of memory */
} carrier;

static bool is_tie(const char *name)
{
    for (int k = 0; ties[k] != NULL; k++) {
        if (strcmp(name, ties[k]) == 0) {
            return true;
        }
    }
    return false;
}

/* Strings become one text, one on each line, with their lengths beside it if there are several. */
static bool add_strings(carrier *c, const char *key, const char *const *strings,
                        const size_t *lengths, size_t n, bool single)
{
    char mark[NAME_BYTES + 16];
    size_t total = 1;
    int64_t *counts = calloc(n + 1, sizeof *counts);
    for (size_t k = 0; k < n; k++) {
        total += lengths[k] + 1;
    }
    char *text = calloc(total, 1);
    size_t used = 0;
    for (size_t k = 0; text != NULL && counts != NULL && k < n; k++) {
        if (k > 0) {
            text[used++] = '\n';
        }
        memcpy(text + used, strings[k], lengths[k]);
        used += lengths[k];
        counts[k] = (int64_t)lengths[k];
    }
    snprintf(mark, sizeof mark, "%s" H5_STRINGS, key);
    bool good =
        text != NULL && counts != NULL &&
        xta__description_add(c->what, c->axis, key, XTA_TEXT, used, text) != NULL &&
        (single || xta__description_add(c->what, c->axis, mark, XTA_I64, n, counts) != NULL);
    free(text);
    free(counts);
    return good;
}

static bool read_variable_strings(carrier *c, const char *key, hid_t attribute, hid_t type,
                                  hid_t space, size_t n, bool single)
{
    char **strings = calloc(n + 1, sizeof *strings);
    const char **plain = calloc(n + 1, sizeof *plain);
    size_t *lengths = calloc(n + 1, sizeof *lengths);
    bool good = strings != NULL && lengths != NULL && plain != NULL;
    if (good && H5Aread(attribute, type, strings) >= 0) {
        for (size_t k = 0; k < n; k++) {
            plain[k] = strings[k] != NULL ? strings[k] : "";
            lengths[k] = strlen(plain[k]);
        }
        good = add_strings(c, key, plain, lengths, n, single);
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, strings);
    }
    free(strings);
    free((void *)plain);
    free(lengths);
    return good;
}

static bool read_fixed_strings(carrier *c, const char *key, hid_t attribute, hid_t type, size_t n,
                               bool single)
{
    size_t bytes = H5Tget_size(type);
    char *cells = calloc(n + 1, bytes + 1);
    const char **plain = calloc(n + 1, sizeof *plain);
    size_t *lengths = calloc(n + 1, sizeof *lengths);
    bool good = cells != NULL && plain != NULL && lengths != NULL;
    bool spaces = H5Tget_strpad(type) == H5T_STR_SPACEPAD;
    if (good && H5Aread(attribute, type, cells) >= 0) {
        for (size_t k = 0; k < n; k++) {
            plain[k] = cells + k * bytes;
            const char *end = memchr(plain[k], 0, bytes);
            lengths[k] = end != NULL ? (size_t)(end - plain[k]) : bytes;
            while (spaces && lengths[k] > 0 && plain[k][lengths[k] - 1] == ' ') {
                lengths[k]--;
            }
        }
        good = add_strings(c, key, plain, lengths, n, single);
    }
    free(cells);
    free((void *)plain);
    free(lengths);
    return good;
}

static bool read_numbers(carrier *c, const char *key, hid_t attribute, hid_t type, size_t n)
{
    size_t bytes = 0;
    xta_type ours = xta__hdf5_to_xta(type, &bytes);
    hid_t memory = xta__hdf5_memory_type(type);
    if (ours == XTA_TYPE_SAME || ours == XTA_BYTES || memory < 0) {
        H5Tclose(memory);
        return true; // left out
    }
    bridge_attribute *a = xta__description_add(c->what, c->axis, key, ours, n, NULL);
    bool good = a != NULL && (n == 0 || H5Aread(attribute, memory, a->values) >= 0);
    H5Tclose(memory);
    return good;
}

/* Record how the attribute was written, unless that is the default form. */
static bool add_form(carrier *c, const char *key, hid_t type, hid_t space, int kind)
{
    char mark[NAME_BYTES + 16];
    hsize_t bounds[H5S_MAX_RANK];
    int64_t form[5 + H5S_MAX_RANK] = {kind, 0, 0, 0, 0};
    bool null = H5Sget_simple_extent_type(space) == H5S_NULL;
    int ndim = null ? -1 : H5Sget_simple_extent_ndims(space);
    hssize_t n = H5Sget_simple_extent_npoints(space);
    bool plain = kind == FORM_NUMBERS
                     ? ndim == (n == 1 ? 0 : 1)
                     : kind == FORM_VARIABLE && ndim <= 1 && H5Tget_cset(type) == H5T_CSET_UTF8;
    if (plain) {
        return true;
    }
    if (kind != FORM_NUMBERS) {
        form[1] = H5Tget_cset(type);
        form[2] = H5Tget_strpad(type);
        form[3] = kind == FORM_FIXED ? (int64_t)H5Tget_size(type) : 0;
    }
    form[4] = ndim;
    if (ndim > 0) {
        H5Sget_simple_extent_dims(space, bounds, NULL);
    }
    for (int d = 0; d < ndim; d++) {
        form[5 + d] = (int64_t)bounds[d];
    }
    snprintf(mark, sizeof mark, "%s" H5_FORM, key);
    return xta__description_add(c->what, c->axis, mark, XTA_I64, 5 + (size_t)(ndim > 0 ? ndim : 0),
                                form) != NULL;
}

static bool read_one(carrier *c, const char *key, hid_t attribute)
{
    hid_t type = H5Aget_type(attribute);
    hid_t space = H5Aget_space(attribute);
    hssize_t points = H5Sget_simple_extent_npoints(space);
    bool null = H5Sget_simple_extent_type(space) == H5S_NULL;
    size_t n = null || points < 0 ? 0 : (size_t)points;
    bool string = H5Tget_class(type) == H5T_STRING;
    bool variable = string && H5Tis_variable_str(type) > 0;
    bool single = null || H5Sget_simple_extent_ndims(space) == 0;
    size_t before = c->what->n_attributes;
    bool good = true;
    if (n < MOST_ATTRIBUTE_BYTES / (H5Tget_size(type) + 1)) {
        good = !string    ? read_numbers(c, key, attribute, type, n)
               : variable ? read_variable_strings(c, key, attribute, type, space, n, single)
                          : read_fixed_strings(c, key, attribute, type, n, single);
    }
    if (good && c->what->n_attributes > before) {
        int kind = !string ? FORM_NUMBERS : variable ? FORM_VARIABLE : FORM_FIXED;
        good = add_form(c, key, type, space, kind);
    }
    H5Sclose(space);
    H5Tclose(type);
    return good;
}

static herr_t each_attribute(hid_t object, const char *name, const H5A_info_t *info, void *user)
{
    carrier *c = user;
    char key[NAME_BYTES];
    int n = snprintf(key, sizeof key, "%s%s", c->prefix, name);
    (void)info;
    /* A name with a slash would be mistaken for one of XTA's. */
    if (is_tie(name) || strchr(name, '/') != NULL || name[0] == '\0' || n < 0 ||
        (size_t)n + sizeof H5_STRINGS > sizeof key) {
        return 0;
    }
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) {
        return 0;
    }
    c->full = !read_one(c, key, attribute);
    H5Aclose(attribute);
    return c->full ? 1 : 0;
}

bool xta__hdf5_read_object(hid_t object, bridge_description *what, int axis, const char *prefix)
{
    carrier c = {what, axis, prefix, false};
    hsize_t from = 0;
    herr_t code = H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &from, each_attribute, &c);
    return code >= 0 && !c.full;
}

/* ---- axes ---- */

herr_t xta__hdf5_open_scale(hid_t dataset, unsigned axis, hid_t scale, void *user)
{
    hid_t *taken = user;
    (void)dataset;
    (void)axis;
    H5Iinc_ref(scale); // the iteration closes its own handle
    *taken = scale;
    return 1;
}

bool xta__hdf5_read_scale(hid_t scale, hsize_t wanted, int axis, bridge_description *what)
{
    size_t bytes = 0;
    hsize_t length = 0;
    hid_t type = H5Dget_type(scale);
    hid_t space = H5Dget_space(scale);
    hid_t memory = xta__hdf5_memory_type(type);
    xta_type ours = xta__hdf5_to_xta(type, &bytes);
    bool good = true;
    bool fits = H5Sget_simple_extent_ndims(space) == 1 && ours != XTA_TYPE_SAME &&
                ours != XTA_BYTES && memory >= 0 && !xta__hdf5_is_unwritten(scale);
    if (fits) {
        H5Sget_simple_extent_dims(space, &length, NULL);
    }
    if (fits && length == wanted && length > 0 && length * bytes < MOST_SCALE_BYTES) {
        bridge_attribute *a =
            xta__description_add(what, axis, H5_VALUES, ours, (size_t)length, NULL);
        good = a != NULL;
        if (good) {
            xta__attribute_spread(a, axis, 0, (int64_t)length);
            good = H5Dread(scale, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, a->values) >= 0;
        }
        good = good && xta__hdf5_read_object(scale, what, axis, "");
    }
    H5Tclose(memory);
    H5Sclose(space);
    H5Tclose(type);
    return good;
}

/* Axes of an array have different names, where two of a dataset may have one label or scale. */
static bool name_is_taken(const bridge_description *what, int axis, const char *name)
{
    for (int d = 0; d < axis; d++) {
        if (what->name[d] != NULL && strcmp(what->name[d], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool describe_axis(const hdf5_file *f, int axis, bridge_description *what)
{
    char label[NAME_BYTES] = "";
    char path[NAME_BYTES] = "";
    hid_t scale = -1;
    bool good = true;
    hsize_t most[XTA_MAX_NDIM];
    H5DSget_label(f->dataset, (unsigned)axis, label, sizeof label);
    if (H5DSis_scale(f->dataset) <= 0 && H5DSget_num_scales(f->dataset, (unsigned)axis) > 0) {
        H5DSiterate_scales(f->dataset, (unsigned)axis, NULL, xta__hdf5_open_scale, &scale);
    }
    if (scale >= 0) {
        H5Iget_name(scale, path, sizeof path);
        good = xta__hdf5_read_scale(scale, f->bounds[axis], axis, what);
        H5Dclose(scale);
    }
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *chosen = label[0] != '\0' ? label : name;
    chosen = name_is_taken(what, axis, chosen) ? "" : chosen;
    if (good && chosen[0] != '\0') {
        what->name[axis] = xta__copy_foreign_name(chosen);
        good = what->name[axis] != NULL;
    }
    if (good && name[0] != '\0' && strcmp(name, chosen) != 0) {
        good = xta__description_add_text(what, axis, H5_SCALE, name) != NULL;
    }
    H5Sget_simple_extent_dims(f->space, NULL, most);
    if (good && most[axis] == H5S_UNLIMITED) {
        good = xta__description_add_text(what, axis, H5_UNLIMITED, "yes") != NULL;
    }
    const char *unit = xta__description_text(what, axis, "units");
    if (good && unit != NULL) {
        what->unit[axis] = xta__copy_foreign_name(unit);
        good = what->unit[axis] != NULL;
    }
    return good;
}

/* ---- the dataset ---- */

static bool read_storage(const hdf5_file *f, bridge_description *what)
{
    int64_t chunk[XTA_MAX_NDIM];
    int32_t filters[H5_N_FILTERS] = {0, 0, 0};
    bool good = true;
    if (f->chunk[0] == 0) {
        return true;
    }
    for (int d = 0; d < f->ndim; d++) {
        chunk[d] = (int64_t)f->chunk[d];
    }
    int n = H5Pget_nfilters(f->properties);
    for (int k = 0; k < n; k++) {
        unsigned flags = 0;
        unsigned values[8] = {0};
        size_t n_values = 8;
        H5Z_filter_t id =
            H5Pget_filter2(f->properties, (unsigned)k, &flags, &n_values, values, 0, NULL, NULL);
        filters[0] = id == H5Z_FILTER_SHUFFLE ? 1 : filters[0];
        filters[1] = id == H5Z_FILTER_DEFLATE ? (int32_t)values[0] : filters[1];
        filters[2] = id == H5Z_FILTER_FLETCHER32 ? 1 : filters[2];
    }
    good = xta__description_add(what, XTA_ON_ARRAY, H5_CHUNKS, XTA_I64, (size_t)f->ndim, chunk) !=
           NULL;
    if (good && (filters[0] != 0 || filters[1] != 0 || filters[2] != 0)) {
        good = xta__description_add(what, XTA_ON_ARRAY, H5_FILTERS, XTA_I32, H5_N_FILTERS,
                                    filters) != NULL;
    }
    return good;
}

static bool read_fill(const hdf5_file *f, bridge_description *what)
{
    H5D_fill_value_t state = H5D_FILL_VALUE_UNDEFINED;
    if (H5Pfill_value_defined(f->properties, &state) < 0 || state != H5D_FILL_VALUE_USER_DEFINED) {
        return true;
    }
    what->fill = calloc(1, what->cell_bytes);
    return what->fill != NULL && H5Pget_fill_value(f->properties, f->memory_type, what->fill) >= 0;
}

bool xta__hdf5_read_attributes(const hdf5_file *f, bridge_description *what)
{
    hid_t type = H5Dget_type(f->dataset);
    char *words = xta__hdf5_type_text(type);
    bool good = true;
    H5Tclose(type);
    for (int axis = 0; axis < f->ndim && good; axis++) {
        good = describe_axis(f, axis, what);
    }
    good = good && xta__hdf5_read_object(f->dataset, what, XTA_ON_ARRAY, "");
    hid_t root = good ? H5Gopen2(f->file, "/", H5P_DEFAULT) : -1;
    if (good && root >= 0) {
        good = xta__hdf5_read_object(root, what, XTA_ON_ARRAY, H5_GLOBALS);
        H5Gclose(root);
    }
    good = good && read_storage(f, what) && read_fill(f, what);
    if (good && words != NULL) {
        good = xta__description_add_text(what, XTA_ON_ARRAY, H5_TYPE, words) != NULL;
    }
    free(words);
    return good;
}
