/* MATLAB files of version 7.3: they are HDF5 files, whose datasets have MATLAB's axes in reverse
 * order and its class as an attribute. They are read as HDF5 datasets; here they are selected and
 * their axes reversed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "matlab/read_v73.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "hdf5/base/library.h"
#include "hdf5/dataset.h"
#include "hdf5/external_files.h"
#include "hdf5/open_dataset.h"
#include "matlab/list_variables.h"
#include "util/try.h"

#include "util/vector.h"

#define CLASS_ATTRIBUTE "MATLAB_class"
#define EMPTY_ATTRIBUTE "MATLAB_empty"

static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

static const char *const numeric_classes[] = {"double", "single", "int8",   "uint8",
                                              "int16",  "uint16", "int32",  "uint32",
                                              "int64",  "uint64", "logical"};

bool xta__matlab_is_v73(const unsigned char *head, size_t n_bytes)
{
    bool mark = n_bytes >= MATLAB_HEAD_BYTES &&
                (memcmp(head + 124, "\0\2IM", 4) == 0 || memcmp(head + 124, "\2\0MI", 4) == 0);
    return mark && n_bytes >= 512 + sizeof signature &&
           memcmp(head + 512, signature, sizeof signature) == 0;
}

/* The class that MATLAB recorded for an object; "" if none. */
static void class_of(hid_t object, char *text, size_t capacity)
{
    text[0] = '\0';
    if (H5Aexists(object, CLASS_ATTRIBUTE) <= 0) {
        return;
    }
    hid_t attribute = H5Aopen(object, CLASS_ATTRIBUTE, H5P_DEFAULT);
    hid_t type = H5Aget_type(attribute);
    size_t n = H5Tget_size(type);
    hid_t space = H5Aget_space(attribute);
    if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && n < capacity &&
        H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, type, text) >= 0) {
        text[n] = '\0';
    } else {
        text[0] = '\0';
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
}

/* A variable that is not numeric keeps its class, for messages. */
static void read_shape(hid_t object, matlab_variable *v)
{
    char text[40];
    class_of(object, text, sizeof text);
    v->class_name = text[0] == '\0' ? "unknown" : "cell, struct or text";
    for (size_t k = 0; k < sizeof numeric_classes / sizeof numeric_classes[0]; k++) {
        if (strcmp(text, numeric_classes[k]) == 0 && H5Iget_type(object) == H5I_DATASET) {
            v->class_name = numeric_classes[k];
            v->numeric = true;
        }
    }
    if (v->numeric &&
        (H5Aexists(object, "MATLAB_sparse") > 0 || H5Aexists(object, EMPTY_ATTRIBUTE) > 0)) {
        v->numeric = false;
        v->class_name = "empty array";
    }
    if (H5Iget_type(object) != H5I_DATASET) {
        v->class_name = H5Aexists(object, "MATLAB_sparse") > 0 ? "sparse" : "struct";
        return;
    }
    hdf5_external found;
    xta__hdf5_find_external(object, &found);
    // querying its bounds might open the other file; refused if this variable is selected
    if (found.any) {
        v->ndim = 1;
        return;
    }
    hsize_t bounds[H5S_MAX_RANK];
    hid_t space = H5Dget_space(object);
    v->ndim = H5Sget_simple_extent_ndims(space);
    H5Sget_simple_extent_dims(space, bounds, NULL);
    for (int d = 0; d < v->ndim && d < MATLAB_MOST_NDIM; d++) {
        v->bounds[d] = (int64_t)bounds[v->ndim - 1 - d];
    }
    v->numeric = v->numeric && v->ndim >= 1 && v->ndim <= MATLAB_MOST_NDIM;
    H5Sclose(space);
}

static herr_t note_one(hid_t group, const char *name, const H5L_info_t *info, void *user)
{
    matlab_list *list = user;
    if (name[0] == '#' || strlen(name) >= MATLAB_NAME_BYTES || info->type != H5L_TYPE_HARD) {
        return 0; // internal to MATLAB
    }
    if (!XTA__RESERVE(list->variables, list->capacity, list->n + 1)) {
        return -1;
    }
    matlab_variable *v = &list->variables[list->n++];
    memset(v, 0, sizeof *v);
    snprintf(v->name, sizeof v->name, "%s", name);
    v->class_name = "unknown";
    hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    if (object >= 0) {
        read_shape(object, v);
        H5Oclose(object);
    }
    return 0;
}

static xta_status list_all(const char *path, matlab_list *list, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__hdf5_enter();
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) {
        status = xta__hdf5_failed(path, "cannot open it; it is damaged, or was cut off", err);
        if (status == XTA_EFOREIGN && err != NULL) {
            status = err->status = XTA_EFORMAT;
        }
    } else if (H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, note_one, list) < 0) {
        status = xta__hdf5_failed(path, "cannot list its variables", err);
    }
    if (file >= 0) {
        H5Fclose(file);
    }
    xta__hdf5_leave();
    return status;
}

/* The description of the HDF5 dataset with its axes reversed. Attributes about storage are dropped,
 * since their axes would be in the wrong order. */
static xta_status reverse_axes(const bridge_description *from, const matlab_variable *v,
                               const char *path, bridge_description *what, xta_error *err)
{
    what->type =
        strcmp(v->class_name, "logical") == 0 && from->type == XTA_U8 ? XTA_BOOL : from->type;
    what->cell_bytes = from->cell_bytes;
    what->ndim = from->ndim;
    what->order = XTA_COLUMN;
    for (int d = 0; d < from->ndim; d++) {
        what->bounds[d] = from->bounds[from->ndim - 1 - d];
        what->chunk[d] = from->chunk[from->ndim - 1 - d];
        what->slow[d] = from->ndim - 1 - d;
    }
    what->variable = xta__copy_foreign_name(v->name);
    bool good = what->variable != NULL &&
                xta__description_add_text(what, XTA_ON_ARRAY, MATLAB_CLASS, v->class_name) != NULL;
    return good ? XTA_OK : xta__bridge_no_memory(path, err);
}

xta_status xta__matlab_v73_open(const char *path, const char *name, bool trust,
                                bridge_description *what, void **state, xta_error *err)
{
    xta_status status = XTA_OK;
    matlab_list list = {.variables = NULL};
    matlab_variable *v = NULL;
    hdf5_file *f = NULL;
    bridge_description inner;
    xta__description_init(&inner);
    XTA_TRY(list_all(path, &list, err));
    XTA_TRY(xta__matlab_select_variable(&list, path, name, &v, err));
    XTA_TRY(xta__hdf5_open(path, v->name, true, trust, &inner, &f, err));
    XTA_TRY(reverse_axes(&inner, v, path, what, err));
    *state = f;
    f = NULL;
done:
    if (f != NULL) {
        xta__hdf5_close(f);
    }
    xta__description_clear(&inner);
    free(list.variables);
    return status;
}

xta_status xta__matlab_v73_read(void *state, const xta_box *box, void *cells, xta_error *err)
{
    xta_box reversed = *box;
    for (int d = 0; d < box->ndim; d++) {
        reversed.lo[d] = box->lo[box->ndim - 1 - d];
        reversed.hi[d] = box->hi[box->ndim - 1 - d];
    }
    return xta__hdf5_read(state, &reversed, cells, err);
}

void xta__matlab_v73_close(void *state)
{
    xta__hdf5_close(state);
}
