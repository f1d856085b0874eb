/* What an HDF5 file holds that is no NetCDF file.
 *
 * NetCDF opens many HDF5 files, but hides what it does not know, without a word, and crashes on
 * some. So it gets those that it has made, by an attribute or by their name; all others are listed
 * here. Datasets become variables, and so do the members of compounds (`name.member`). A scale of
 * an axis is its dimension; other axes of one length in a group are one dimension, `phony_dim_0`
 * and so on, as NetCDF calls them. Links out of the file or by name, types without a counterpart,
 * and what is compressed by a filter that this HDF5 lacks, are lost.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/hdf5_source.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/local_path.h"
#include "hdf5/base/library.h"
#include "hdf5/base/types.h"
#include "hdf5/read_attributes.h"
#include "hdf5/self_contained.h"
#include "netcdf/names.h"
#include "sets/names.h"
#include "util/text.h"
#include "util/try.h"
#include "util/vector.h"

enum { MOST_DEPTH = 32, MOST_STRING_BYTES = 65535 };

/* ---- which files ---- */

/* Whether NetCDF has made the file, or its name says so. */
static bool is_netcdf(hid_t file, const char *path)
{
    static const char *const suffixes[] = {".nc", ".nc4", ".netcdf", ".cdf", ".NC"};
    bool netcdf = H5Aexists(file, "_NCProperties") > 0 || H5Aexists(file, "_nc3_strict") > 0;

    for (size_t k = 0; k < sizeof suffixes / sizeof suffixes[0]; k++) {
        netcdf = netcdf || xta__ends_with(path, suffixes[k]);
    }
    return netcdf;
}

bool xta__set_is_plain_hdf5(const char *path)
{
    bool netcdf = false;

    xta__hdf5_enter();
    hid_t file = H5Fis_hdf5(path) > 0 ? H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
    if (file >= 0) {
        netcdf = is_netcdf(file, path);
        H5Fclose(file);
    }
    xta__hdf5_leave();
    return file >= 0 && !netcdf;
}

/* ---- variables ---- */

/* Where things are while the file is listed. */
typedef struct place {
    set_source *source;
    set_group *group;
    const char *path; /* of the group; "" for the root */
    int depth;
    xta_status status; /* of the walk, which HDF5 ends without it */
    xta_error *err;
} place;

static xta_status lose(place *at, const char *name, const char *what)
{
    const char *path = at->path[0] == '/' ? at->path + 1 : at->path;

    return xta__set_lose(at->source, path, name, what, at->err);
}

/* Whether a dimension may be that of an axis: it has the length, and no earlier axis has it. */
static bool is_free(const set_variable *v, int axis, const set_dimension *d, int64_t length)
{
    for (int other = 0; other < axis; other++) {
        if (strcmp(v->what.name[other], d->name) == 0) {
            return false;
        }
    }
    return d->length == length;
}

static herr_t note_name(hid_t dataset, unsigned axis, hid_t scale, void *user)
{
    char *name = user;
    char path[1024];

    (void)dataset;
    (void)axis;
    if (H5Iget_name(scale, path, sizeof path) > 0) {
        const char *slash = strrchr(path, '/');
        snprintf(name, 256, "%.255s", slash != NULL ? slash + 1 : path);
    }
    return 1;
}

/* The name of the first scale of an axis; a scale is its own. "": none. */
static void scale_name(hid_t dataset, const char *own, int ndim, int axis, char name[256])
{
    name[0] = '\0';
    if (ndim == 1 && H5DSis_scale(dataset) > 0) {
        snprintf(name, 256, "%.255s", own);
    } else if (H5DSget_num_scales(dataset, (unsigned)axis) > 0) {
        H5DSiterate_scales(dataset, (unsigned)axis, NULL, note_name, name);
    }
}

/* Find a dimension of the group, or add it. `name`: that of a scale, or "". */
static xta_status name_axis(place *at, set_variable *v, int axis, const char *name,
                            const set_dimension *wanted)
{
    set_group *group = at->group;
    char phony[40];
    const char *found = NULL;

    v->what.bounds[axis] = wanted->length;
    for (size_t k = 0; k < group->n_dimensions && found == NULL; k++) {
        set_dimension *d = &group->dimensions[k];
        bool same =
            name[0] != '\0' ? strcmp(d->name, name) == 0 : strncmp(d->name, "phony_dim_", 10) == 0;
        if (same && is_free(v, axis, d, wanted->length)) {
            d->unlimited = d->unlimited || wanted->unlimited;
            found = d->name;
        }
    }
    snprintf(phony, sizeof phony, "phony_dim_%zu", group->n_dimensions);
    for (size_t k = 0; k < group->n_dimensions && found == NULL; k++) {
        // A scale of another length, or of two axes.
        name = strcmp(group->dimensions[k].name, name) == 0 ? "" : name;
    }
    if (found == NULL &&
        XTA__RESERVE(group->dimensions, group->dimensions_capacity, group->n_dimensions + 1)) {
        set_dimension *d = &group->dimensions[group->n_dimensions];
        *d = *wanted;
        d->name = name[0] != '\0' ? xta__copy_foreign_name(name) : xta__bridge_copy(phony);
        group->n_dimensions += d->name != NULL;
        found = d->name;
    }
    v->what.name[axis] = found != NULL ? xta__bridge_copy(found) : NULL;
    return v->what.name[axis] != NULL ? XTA_OK : xta__bridge_no_memory(at->source->path, at->err);
}

static xta_status describe_axes(place *at, hid_t dataset, const char *own, set_variable *v)
{
    xta_status status = XTA_OK;
    char name[256];
    hsize_t length[H5S_MAX_RANK], most[H5S_MAX_RANK];
    hid_t space = H5Dget_space(dataset);
    int ndim = space >= 0 ? H5Sget_simple_extent_dims(space, length, most) : -1;

    H5Sclose(space);
    v->scalar = ndim == 0;
    v->what.ndim = ndim > 0 ? ndim : 1;
    v->what.bounds[0] = 1;
    for (int axis = 0; axis < ndim; axis++) {
        const set_dimension d = {.length = (int64_t)length[axis],
                                 .unlimited = most[axis] == H5S_UNLIMITED};
        scale_name(dataset, own, ndim, axis, name);
        XTA_TRY(name_axis(at, v, axis, name, &d));
    }
    if (v->scalar &&
        xta__description_add_text(&v->what, XTA_ON_ARRAY, BRIDGE_SCALAR, "yes") == NULL) {
        XTA_TRY(xta__bridge_no_memory(at->source->path, at->err));
    }

done:
    return status;
}

/* Chunks, and a fill value that the writer has set. */
static bool describe_storage(hid_t dataset, hid_t memory, set_variable *v)
{
    hsize_t chunk[H5S_MAX_RANK];
    int64_t numbers[XTA_MAX_NDIM];
    H5D_fill_value_t defined = H5D_FILL_VALUE_UNDEFINED;
    hid_t properties = H5Dget_create_plist(dataset);
    bool good = properties >= 0;

    if (good && H5Pget_layout(properties) == H5D_CHUNKED &&
        H5Pget_chunk(properties, XTA_MAX_NDIM, chunk) == v->what.ndim) {
        for (int axis = 0; axis < v->what.ndim; axis++) {
            numbers[axis] = (int64_t)chunk[axis];
        }
        good = xta__description_add(&v->what, XTA_ON_ARRAY, NC_OWN NC_CHUNKS, XTA_I64,
                                    (size_t)v->what.ndim, numbers) != NULL;
    }
    if (good && !v->strings && H5Pfill_value_defined(properties, &defined) >= 0 &&
        defined == H5D_FILL_VALUE_USER_DEFINED) {
        v->what.fill = calloc(1, v->what.cell_bytes);
        good = v->what.fill != NULL && H5Pget_fill_value(properties, memory, v->what.fill) >= 0;
    }
    H5Pclose(properties);
    return good;
}

/* The bytes of the longest of strings of any length; 0: HDF5 failed. */
static size_t longest_string(hid_t dataset, hid_t type)
{
    hid_t space = H5Dget_space(dataset);
    hssize_t n = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    char **texts = n >= 0 ? calloc((size_t)n + 1, sizeof *texts) : NULL;
    size_t bytes = 0;

    if (texts != NULL && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0) {
        bytes = 1;
        for (hssize_t k = 0; k < n; k++) {
            size_t length = texts[k] != NULL ? strlen(texts[k]) : 0;
            bytes = length > bytes ? length : bytes;
        }
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts);
    }
    free(texts);
    H5Sclose(space);
    return bytes;
}

/* Type and length of the cells; false: there is no counterpart. */
static bool describe_cells(hid_t dataset, hid_t type, set_variable *v)
{
    size_t bytes = 0;

    v->strings = H5Tget_class(type) == H5T_STRING;
    if (v->strings && H5Tis_variable_str(type) > 0) {
        bytes = v->field == NULL ? longest_string(dataset, type) : 0;
        v->what.type = bytes > 0 && bytes <= MOST_STRING_BYTES ? XTA_BYTES : XTA_TYPE_SAME;
    } else {
        v->what.type = xta__hdf5_to_xta(type, &bytes);
    }
    v->what.cell_bytes = bytes;
    return v->what.type != XTA_TYPE_SAME;
}

/* A new variable of the group, which is added when it is complete. */
static xta_status begin_variable(place *at, const char *name, const char *field, set_variable *v)
{
    *v = (set_variable){.group = -1, .id = -1};
    xta__description_init(&v->what);
    v->name = field != NULL ? xta__string("%s.%s", name, field) : xta__copy_foreign_name(name);
    v->fixed = xta__string("%s/%s", at->path, name);
    v->field = field != NULL ? xta__bridge_copy(field) : NULL;
    return v->name != NULL && v->fixed != NULL && (field == NULL || v->field != NULL)
               ? XTA_OK
               : xta__bridge_no_memory(at->source->path, at->err);
}

/* A dataset, or one member of its compounds. */
static xta_status add_variable(place *at, const char *name, const char *field, hid_t dataset,
                               hid_t type)
{
    xta_status status = XTA_OK;
    set_group *group = at->group;
    hid_t memory = H5I_INVALID_HID;
    set_variable v;

    XTA_TRY(begin_variable(at, name, field, &v));
    if (!describe_cells(dataset, type, &v)) {
        XTA_TRY(lose(at, v.name, "its cells have no counterpart, or no fixed length"));
        xta__set_clear_variable(&v);
        return XTA_OK;
    }
    if (H5Tget_class(type) == H5T_ENUM && v.what.type != XTA_BOOL) {
        XTA_TRY(lose(at, v.name, "the names of its enumeration"));
    }
    XTA_TRY(describe_axes(at, dataset, name, &v));
    memory = v.strings ? H5I_INVALID_HID : xta__hdf5_memory_type(type);
    bool good = xta__hdf5_read_object(dataset, &v.what, XTA_ON_ARRAY, "") &&
                (field != NULL || describe_storage(dataset, memory, &v)) &&
                (!v.strings ||
                 xta__description_add_text(&v.what, XTA_ON_ARRAY, SET_STRINGS, "yes") != NULL);
    if (!good ||
        !XTA__RESERVE(group->variables, group->variables_capacity, group->n_variables + 1)) {
        XTA_TRY(
            xta__hdf5_failed(at->source->path, "cannot read what belongs to a dataset", at->err));
    }
    group->variables[group->n_variables++] = v;

done:
    if (memory >= 0) {
        H5Tclose(memory);
    }
    if (status != XTA_OK) {
        xta__set_clear_variable(&v);
    }
    return status;
}

static xta_status add_members(place *at, const char *name, hid_t dataset, hid_t type)
{
    int n = H5Tget_nmembers(type);
    xta_status status = XTA_OK;

    for (int k = 0; k < n && status == XTA_OK; k++) {
        char *field = H5Tget_member_name(type, (unsigned)k);
        hid_t of_member = H5Tget_member_type(type, (unsigned)k);
        status = field != NULL && of_member >= 0
                     ? add_variable(at, name, field, dataset, of_member)
                     : xta__hdf5_failed(at->source->path, "cannot look at a type", at->err);
        H5free_memory(field);
        H5Tclose(of_member);
    }
    return status;
}

/* A filter of its chunks that this HDF5 lacks; 0: none. */
static int missing_filter(hid_t dataset)
{
    int missing = 0;
    hid_t properties = H5Dget_create_plist(dataset);
    int n = properties >= 0 ? H5Pget_nfilters(properties) : 0;

    for (int k = 0; k < n && missing == 0; k++) {
        unsigned flags = 0, config = 0;
        size_t n_values = 0;
        int id =
            (int)H5Pget_filter2(properties, (unsigned)k, &flags, &n_values, NULL, 0, NULL, &config);
        missing = id > 0 && H5Zfilter_avail(id) <= 0 ? id : 0;
    }
    H5Pclose(properties);
    return missing;
}

static xta_status add_dataset(place *at, const char *name, hid_t dataset)
{
    xta_status status = XTA_OK;
    size_t bytes = 0;
    hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    int ndim = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    bool null = space >= 0 && H5Sget_simple_extent_type(space) == H5S_NULL;

    int filter = missing_filter(dataset);
    char lack[80];

    H5Sclose(space);
    snprintf(lack, sizeof lack, "its chunks have the filter %d, which this HDF5 lacks", filter);
    if (filter != 0) {
        status = lose(at, name, lack);
    } else if (type < 0 || ndim < 0 || null || ndim > XTA_MAX_NDIM) {
        status = lose(at, name,
                      ndim > XTA_MAX_NDIM ? "it has more than 32 dimensions" : "it has no cells");
    } else if (H5Tget_class(type) == H5T_COMPOUND &&
               xta__hdf5_to_xta(type, &bytes) == XTA_TYPE_SAME) {
        status = add_members(at, name, dataset, type);
    } else {
        status = add_variable(at, name, NULL, dataset, type);
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    return status;
}

/* ---- groups ---- */

static xta_status list_group(place *at, hid_t group);

static xta_status add_group(place *at, const char *name, hid_t object)
{
    xta_status status = XTA_OK;
    set_group *outer = at->group;
    char *path = xta__string("%s/%s", at->path, name);

    if (path == NULL || !XTA__RESERVE(outer->groups, outer->groups_capacity, outer->n_groups + 1)) {
        XTA_TRY(xta__bridge_no_memory(at->source->path, at->err));
    }
    set_group *inner = &outer->groups[outer->n_groups++];
    *inner = (set_group){.id = -1, .name = xta__copy_foreign_name(name)};
    xta__description_init(&inner->attributes);
    place below = {at->source, inner, path, at->depth + 1, XTA_OK, at->err};
    if (inner->name == NULL) {
        XTA_TRY(xta__bridge_no_memory(at->source->path, at->err));
    }
    if (below.depth > MOST_DEPTH) {
        XTA_TRY(xta_error_set(at->err, XTA_EUNSUPPORTED, 0, "%s: groups are nested deeper than %d",
                              at->source->path, MOST_DEPTH));
    }
    XTA_TRY(list_group(&below, object));

done:
    free(path);
    return status;
}

/* A link of a group. Ends the iteration by a failure, which is in at->status. */
static herr_t add_link(hid_t group, const char *name, const H5L_info_t *info, void *user)
{
    place *at = user;
    hid_t object = info->type == H5L_TYPE_HARD ? H5Oopen(group, name, H5P_DEFAULT) : -1;
    H5I_type_t kind = object >= 0 ? H5Iget_type(object) : H5I_BADID;

    if (kind == H5I_DATASET) {
        at->status = add_dataset(at, name, object);
    } else if (kind == H5I_GROUP) {
        at->status = add_group(at, name, object);
    } else {
        at->status = lose(at, name, kind == H5I_DATATYPE ? "a named type" : "a link");
    }
    if (object >= 0) {
        H5Oclose(object);
    }
    return at->status == XTA_OK ? 0 : -1;
}

static xta_status list_group(place *at, hid_t group)
{
    hsize_t from = 0;

    if (!xta__hdf5_read_object(group, &at->group->attributes, XTA_ON_ARRAY, "") ||
        (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &from, add_link, at) < 0 &&
         at->status == XTA_OK)) {
        return xta__hdf5_failed(at->source->path, "cannot list a group", at->err);
    }
    return at->status;
}

static xta_status open_hdf5(const char *path, bool trust, set_source *source, xta_error *err)
{
    xta_status status = XTA_OK;
    hid_t root = H5I_INVALID_HID;

    source->local = xta__local_path(path);
    if (source->local == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    if (!trust) {
        XTA_TRY(xta__hdf5_check_self_contained(path, err));
    }
    xta__hdf5_enter();
    source->hdf5 = H5Fopen(source->local, H5F_ACC_RDONLY, H5P_DEFAULT);
    root = source->hdf5 > 0 ? H5Gopen2(source->hdf5, "/", H5P_DEFAULT) : H5I_INVALID_HID;
    place at = {source, &source->root, "", 0, XTA_OK, err};
    status =
        root >= 0 ? list_group(&at, root) : xta__hdf5_failed(source->path, "cannot open it", err);
    if (root >= 0) {
        H5Gclose(root);
    }
    xta__hdf5_leave();

done:
    return status;
}

static void close_hdf5(set_source *source)
{
    if (source->hdf5 > 0) {
        xta__hdf5_enter();
        H5Fclose(source->hdf5);
        xta__hdf5_leave();
    }
    source->hdf5 = 0;
}

/* ---- cells ---- */

/* The type of cells in memory: strings padded with zeros, a compound with the one member. */
static hid_t memory_type(const set_variable *v, hid_t file_type)
{
    hid_t of_member = H5I_INVALID_HID, type = H5I_INVALID_HID;
    int k = v->field != NULL ? H5Tget_member_index(file_type, v->field) : -1;

    if (v->field != NULL && k < 0) {
        return H5I_INVALID_HID;
    }
    hid_t from = v->field != NULL ? H5Tget_member_type(file_type, (unsigned)k) : H5Tcopy(file_type);
    if (v->strings && H5Tis_variable_str(from) == 0) {
        of_member = H5Tcopy(from);
        H5Tset_size(of_member, v->what.cell_bytes);
        H5Tset_strpad(of_member, H5T_STR_NULLPAD);
    } else {
        of_member = v->strings ? H5Tcopy(from) : xta__hdf5_memory_type(from);
    }
    H5Tclose(from);
    if (v->field == NULL || of_member < 0) {
        return of_member;
    }
    type = H5Tcreate(H5T_COMPOUND, v->what.cell_bytes);
    if (type >= 0 && H5Tinsert(type, v->field, 0, of_member) < 0) {
        H5Tclose(type);
        type = H5I_INVALID_HID;
    }
    H5Tclose(of_member);
    return type;
}

/* Select a box of the file; *memory is a space of its shape. */
static bool select_box(const set_variable *v, const xta_box *box, hid_t space, hid_t *memory)
{
    hsize_t start[XTA_MAX_NDIM], count[XTA_MAX_NDIM];

    for (int axis = 0; axis < box->ndim; axis++) {
        start[axis] = (hsize_t)box->lo[axis];
        count[axis] = (hsize_t)(box->hi[axis] - box->lo[axis]);
    }
    *memory = v->scalar ? H5Screate(H5S_SCALAR) : H5Screate_simple(box->ndim, count, NULL);
    return *memory >= 0 && space >= 0 &&
           (v->scalar || H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0);
}

/* Strings of any length into cells of a fixed one. */
static bool read_texts(hid_t dataset, const set_variable *v, hid_t type, hid_t space, hid_t memory,
                       char *cells)
{
    hssize_t n = H5Sget_simple_extent_npoints(memory);
    size_t bytes = v->what.cell_bytes;
    char **texts = n >= 0 ? calloc((size_t)n + 1, sizeof *texts) : NULL;
    bool good = texts != NULL && H5Dread(dataset, type, memory, space, H5P_DEFAULT, texts) >= 0;

    for (hssize_t k = 0; k < n && good; k++) {
        size_t length = texts[k] != NULL ? strlen(texts[k]) : 0;
        memset(cells + (size_t)k * bytes, 0, bytes);
        memcpy(cells + (size_t)k * bytes, texts[k] != NULL ? texts[k] : "",
               length < bytes ? length : bytes);
    }
    if (good) {
        H5Dvlen_reclaim(type, memory, H5P_DEFAULT, texts);
    }
    free(texts);
    return good;
}

static xta_status read_hdf5(const set_source *source, const set_variable *v, const xta_box *box,
                            void *cells, xta_error *err)
{
    xta_status status = XTA_OK;
    hid_t type = H5I_INVALID_HID, space = H5I_INVALID_HID, memory = H5I_INVALID_HID;

    xta__hdf5_enter();
    hid_t dataset = H5Dopen2(source->hdf5, v->fixed, H5P_DEFAULT);
    hid_t file_type = dataset >= 0 ? H5Dget_type(dataset) : H5I_INVALID_HID;
    if (file_type >= 0) {
        type = memory_type(v, file_type);
        space = H5Dget_space(dataset);
    }
    bool texts = v->strings && v->field == NULL && H5Tis_variable_str(file_type) > 0;
    bool good = type >= 0 && select_box(v, box, space, &memory) &&
                (texts ? read_texts(dataset, v, type, space, memory, cells)
                       : H5Dread(dataset, type, memory, space, H5P_DEFAULT, cells) >= 0);
    if (!good) {
        status = xta__hdf5_failed(source->path, "cannot read cells", err);
    }
    const hid_t opened[] = {type, file_type};
    for (int k = 0; k < 2; k++) {
        if (opened[k] >= 0) {
            H5Tclose(opened[k]);
        }
    }
    if (memory >= 0) {
        H5Sclose(memory);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (dataset >= 0) {
        H5Dclose(dataset);
    }
    xta__hdf5_leave();
    return status;
}

static raw_chunks *open_chunks(const set_source *source, const set_variable *v)
{
    return v->field != NULL
               ? NULL
               : xta__raw_chunks_open(source->hdf5, v->fixed, v->what.ndim, v->what.cell_bytes);
}

const set_reader xta__set_hdf5 = {
    .open = open_hdf5, .read = read_hdf5, .close = close_hdf5, .open_chunks = open_chunks};
