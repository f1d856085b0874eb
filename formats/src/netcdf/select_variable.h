/* Which variables of a NetCDF file are imported: the selected one, and its companions. All
 * functions are called under the lock.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NETCDF_SELECT_VARIABLE_H
#define XTA_FORMATS_NETCDF_SELECT_VARIABLE_H

#include <netcdf.h>
#include <stdbool.h>
#include <stddef.h>

#include <xta/status.h>

#include "hdf5/raw/raw_chunks.h"

#define MOST_COMPANIONS      64
#define MOST_COMPANION_BYTES ((size_t)4 << 20)
#define MOST_AXIS_BYTES      ((size_t)32 << 20)

/* A variable that is imported with the selected one. */
typedef struct netcdf_companion {
    int group;
    int variable;
    char name[NC_MAX_NAME + 1];
} netcdf_companion;

/* The source of an import. */
typedef struct netcdf_source {
    int root;
    int group; /* the one the variable is in */
    int variable;
    nc_type type; /* of the cells: an enumeration counts as its integers */
    int ndim;     /* 0 for a scalar */
    int dimension[NC_MAX_VAR_DIMS];
    char *path;
    int64_t hdf5;    /* the file, opened once more; negative: it is none */
    raw_chunks *raw; /* NULL until `looked`, and if NetCDF has to read them */
    bool looked;
    netcdf_companion companions[MOST_COMPANIONS];
    int n_companions;
} netcdf_source;

/* Select the requested variable, or the only one that does not belong to another. */
xta_status xta__netcdf_select_variable(netcdf_source *source, const char *name, xta_error *err);
/* Fill in the list of companions, those of companions included. */
void xta__netcdf_find_companions(netcdf_source *source);
/* Find a variable by name in a group or the enclosing groups. */
bool xta__netcdf_find_upwards(int group, const char *name, int *found_group, int *variable);
/* The coordinate variable of dimension `d` of the variable. */
bool xta__netcdf_find_coordinate(const netcdf_source *source, int d, int *group, int *variable);
size_t xta__netcdf_bytes(int group, int variable);

#endif
