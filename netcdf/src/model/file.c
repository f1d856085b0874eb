/* An open file, as NetCDF sees it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "model/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/names.h"
#include "util/text.h"
#include "util/vector.h"

/* The upper half of an id is the file, the lower one the group. */
enum { GROUP_BITS = 16, MOST_FILES = 1 << GROUP_BITS };

static netcdf_file *files[MOST_FILES];

static unsigned slot_of(int ncid)
{
    return (unsigned)ncid >> GROUP_BITS;
}

int xta__nc_file_register(netcdf_file *file)
{
    unsigned slot = slot_of(file->ncid);

    if (slot >= MOST_FILES || files[slot] != NULL) {
        return NC_EBADID;
    }
    files[slot] = file;
    return NC_NOERR;
}

netcdf_file *xta__nc_file_find(int ncid)
{
    unsigned slot = slot_of(ncid);

    return slot < MOST_FILES ? files[slot] : NULL;
}

void xta__nc_file_forget(netcdf_file *file)
{
    unsigned slot = slot_of(file->ncid);

    if (slot < MOST_FILES && files[slot] == file) {
        files[slot] = NULL;
    }
}

static void free_variable(netcdf_variable *v)
{
    xta_coordinates_free(v->coordinates);
    free(v->name);
    free(v);
}

xta_status xta__nc_file_free(netcdf_file *file, xta_error *err)
{
    xta_status status = XTA_OK;

    for (size_t k = 0; k < file->n_groups; k++) {
        netcdf_group *group = &file->groups[k];
        for (size_t v = 0; v < group->n_variables; v++) {
            free_variable(group->variables[v]);
        }
        free(group->variables);
    }
    for (size_t k = file->n_groups; k-- > 1;) {
        xta_status closed = xta_dataset_close(file->groups[k].set, status == XTA_OK ? err : NULL);
        status = status == XTA_OK ? closed : status;
    }
    xta_status closed = xta_dataset_close(file->set, status == XTA_OK ? err : NULL);
    status = status == XTA_OK ? closed : status;
    if (file->array != NULL) {
        closed = xta_array_close(file->array, status == XTA_OK ? err : NULL);
        status = status == XTA_OK ? closed : status;
    }
    for (size_t k = 0; k < file->n_dimensions; k++) {
        free(file->dimensions[k].name);
    }
    free(file->groups);
    free(file->dimensions);
    if (file->shadow >= 0) {
        (void)nc_abort(file->shadow); // there is no file that it could remove
    }
    free(file);
    return status;
}

int xta__nc_shadow_id(const netcdf_file *file, int ncid)
{
    return file->shadow | (ncid & (MOST_FILES - 1));
}

netcdf_group *xta__nc_group(const netcdf_file *file, int ncid)
{
    size_t number = (size_t)(ncid & (MOST_FILES - 1));

    return number < file->n_groups ? &file->groups[number] : NULL;
}

netcdf_variable *xta__nc_variable(const netcdf_file *file, int ncid, int id)
{
    const netcdf_group *group = xta__nc_group(file, ncid);

    return group != NULL && id >= 0 && (size_t)id < group->n_variables ? group->variables[id]
                                                                       : NULL;
}

netcdf_variable *xta__nc_add_variable(netcdf_file *file, int group)
{
    netcdf_group *to = &file->groups[group];
    netcdf_variable *v = NULL;

    if (XTA__RESERVE(to->variables, to->capacity, to->n_variables + 1)) {
        v = calloc(1, sizeof *v);
    }
    if (v != NULL) {
        v->id = (int)to->n_variables;
        to->variables[to->n_variables++] = v;
    }
    return v;
}

int xta__nc_add_dimension(netcdf_file *file, int group, const char *name,
                          const netcdf_dimension *dimension, int *id)
{
    size_t n = file->n_dimensions + 1;

    if (!XTA__RESERVE(file->dimensions, file->dimensions_capacity, n)) {
        return NC_ENOMEM;
    }
    char *legal = xta__nc_legal_name(name);
    int code = NC_ENOMEM;
    // Its length is ours; 0 would mean "unlimited".
    size_t length = dimension->unlimited ? NC_UNLIMITED : 1;
    if (legal != NULL) {
        do {
            code = nc_def_dim(file->shadow | group, legal, length, id);
        } while (xta__nc_try_other_name(code, &legal));
    }
    free(legal);
    if (code != NC_NOERR) {
        return code;
    }
    if ((size_t)*id != file->n_dimensions) {
        return NC_EDIMMETA;
    }
    netcdf_dimension *d = &file->dimensions[file->n_dimensions++];
    *d = *dimension;
    d->group = group;
    d->name = dimension->name != NULL ? xta__string("%s", dimension->name) : NULL;
    return dimension->name == NULL || d->name != NULL ? NC_NOERR : NC_ENOMEM;
}

size_t xta__nc_length(const netcdf_file *file, const netcdf_variable *v, int d)
{
    return file->dimensions[v->dimension[d]].length;
}
