/* A single array as a file: its cells, and the coordinates of its axes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "model/define_array.h"

#include <stdlib.h>
#include <string.h>

#include "base/codes.h"
#include "base/names.h"
#include "model/attributes.h"
#include "model/axis_coordinates.h"
#include "model/origin.h"
#include "model/variables.h"
#include "util/text.h"

/* The variable that the array came from, else the name of its files. */
static char *name_of(xta_array *array)
{
    const netcdf_owner owner = {.array = array, .axis = XTA_ON_ARRAY};
    const char *name = xta__nc_text_of(&owner, "import/variable");

    name = name != NULL ? name : xta_array_path(array);
    const char *slash = strrchr(name, '/');
    return xta__string("%.250s", slash != NULL && slash[1] != '\0' ? slash + 1 : name);
}

/* The dimension of an axis: another axis' if the source had one dimension twice. */
static int add_dimension(netcdf_file *file, int axis, int *id)
{
    const netcdf_owner owner = {.array = file->array, .axis = axis};
    const xta_box bounds = xta_array_bounds(file->array);
    size_t length = (size_t)(bounds.hi[axis] - bounds.lo[axis]);
    const char *original = xta__nc_text_of(&owner, NAME_OF_DIMENSION);
    const char *own = xta_axis_name(file->array, axis);

    for (size_t k = 0; k < file->n_dimensions && original != NULL; k++) {
        if (strcmp(file->dimensions[k].name, original) == 0 &&
            file->dimensions[k].length == length) {
            *id = (int)k;
            return NC_NOERR;
        }
    }
    char *name = own[0] != '\0' ? xta__string("%.250s", own) : xta__string("dim%d", axis);
    const netcdf_dimension d = {.name = name,
                                .lo = bounds.lo[axis],
                                .length = length,
                                .unlimited =
                                    length == 0 || xta__nc_text_of(&owner, NAME_UNLIMITED) != NULL};
    int code = name != NULL ? xta__nc_add_dimension(file, 0, name, &d, id) : NC_ENOMEM;
    free(name);
    return code;
}

static int add_coordinates(netcdf_file *file, netcdf_variable *v)
{
    int code = NC_NOERR;

    for (int axis = 0; axis < v->n_axes && code == NC_NOERR; axis++) {
        int id = v->dimension[axis];
        size_t n = file->groups[0].n_variables;
        code = xta__nc_add_axis_coordinates(file, 0, v, axis, id, file->dimensions[id].name);
        v->bare[axis] = file->groups[0].n_variables == n;
    }
    return code;
}

int xta__nc_define_array(netcdf_file *file)
{
    const netcdf_owner owner = {.array = file->array, .axis = XTA_ON_ARRAY};
    netcdf_variable *v = xta__nc_add_variable(file, 0);
    int code = NC_ENOMEM;

    if (v == NULL) {
        return code;
    }
    v->array = file->array;
    v->name = name_of(file->array);
    code = v->name != NULL ? xta__nc_describe_cells(v) : NC_ENOMEM;
    for (int axis = 0; axis < v->n_axes && code == NC_NOERR; axis++) {
        code = add_dimension(file, axis, &v->dimension[axis]);
    }
    if (code == NC_NOERR) {
        code = xta__nc_define_variable(file, 0, v, v->name, &owner);
    }
    if (code == NC_NOERR) {
        code = xta__nc_copy_attributes(&owner, "global/", file->shadow, NC_GLOBAL, NC_NAT);
    }
    code = code == NC_NOERR ? add_coordinates(file, v) : code;
    return code == NC_NOERR ? xta__nc_put_origins(file) : code;
}
