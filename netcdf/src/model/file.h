/* An open file, as NetCDF sees it: what its dimensions and variables are in the data set.
 *
 * Definitions (names, types, attributes, groups) are kept by NetCDF itself, in a file in memory
 * that is always in define mode and never written: the `shadow`. So inquiries and conversions of
 * attributes are NetCDF's own. Lengths and cells are ours.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_MODEL_FILE_H
#define XTA_NETCDF_MODEL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <netcdf.h>

#include <xta/array.h>
#include <xta/coordinates.h>
#include <xta/dataset.h>

/* Axes, and one dimension inside a cell: the bytes of a text, or both parts of a complex number. */
#define NETCDF_MAX_NDIM (XTA_MAX_NDIM + 1)

typedef struct netcdf_dimension {
    xta_dataset *set; /* whose dimension it is; NULL: of an axis alone, or inside cells */
    char *name;       /* in `set` */
    int group;        /* number of its group */
    int64_t lo;       /* the cell that has position 0 */
    size_t length;
    bool unlimited;
} netcdf_dimension;

typedef enum netcdf_kind {
    NETCDF_CELLS,   /* of an array */
    NETCDF_REGULAR, /* regular coordinates of a dimension: computed */
    NETCDF_LISTED   /* coordinates that an axis of an array holds: in memory */
} netcdf_kind;

typedef struct netcdf_variable {
    netcdf_kind kind;
    int id;
    xta_dataset *set;             /* of a member, or of a dimension; NULL: of a single array */
    char *name;                   /* there */
    xta_array *array;             /* of cells; borrowed. NULL: its member was removed */
    struct netcdf_variable *host; /* of listed coordinates: whose axis has them, */
    int axis;                     /* and which */
    xta_regular regular;
    xta_coordinates *coordinates; /* listed */
    nc_type type;
    xta_type cell_type; /* of the cells as they are read: binary16 as binary32 */
    size_t cell_bytes;  /* likewise */
    int ndim;           /* for NetCDF */
    int n_axes;         /* of them axes: `ndim`, or one less */
    bool scalar, strings;
    bool bare[XTA_MAX_NDIM];        /* of cells: axes without coordinates */
    int dimension[NETCDF_MAX_NDIM]; /* ids */
    int64_t lo[XTA_MAX_NDIM];       /* the cell of each axis at position 0; one more of a scalar */
    size_t chunk[NETCDF_MAX_NDIM];
    struct timespec checked; /* when the length of the data file was */
} netcdf_variable;

typedef struct netcdf_group {
    xta_dataset *set; /* NULL: of a single array */
    netcdf_variable **variables;
    size_t n_variables, capacity;
} netcdf_group;

typedef struct netcdf_file {
    int ncid;   /* that NetCDF gave */
    int shadow; /* of the file in memory; -1: none yet */
    bool writable;
    xta_dataset *set;     /* NULL: */
    xta_array *array;     /* a single one */
    netcdf_group *groups; /* by their numbers, the root first; sets of the others are owned */
    size_t n_groups, groups_capacity;
    netcdf_dimension *dimensions; /* by their ids */
    size_t n_dimensions, dimensions_capacity;
} netcdf_file;

/* Open files by the ids that NetCDF gave: kept here since NetCDF's own list is private. */
int xta__nc_file_register(netcdf_file *file);
/* NULL: there is none. */
netcdf_file *xta__nc_file_find(int ncid);
/* Take it from the list. */
void xta__nc_file_forget(netcdf_file *file);

/* Close data sets, arrays and the shadow, and free everything. */
xta_status xta__nc_file_free(netcdf_file *file, xta_error *err);

/* The id of a group in the shadow, from that which a program has. */
int xta__nc_shadow_id(const netcdf_file *file, int ncid);

/* NULL: no such group or variable. */
netcdf_group *xta__nc_group(const netcdf_file *file, int ncid);
netcdf_variable *xta__nc_variable(const netcdf_file *file, int ncid, int id);

/* A new variable of a group; NULL: out of memory. */
netcdf_variable *xta__nc_add_variable(netcdf_file *file, int group);

/* A new dimension, in the shadow too. `name`: for NetCDF. */
int xta__nc_add_dimension(netcdf_file *file, int group, const char *name,
                          const netcdf_dimension *dimension, int *id);

/* Length of dimension `d` of a variable. */
size_t xta__nc_length(const netcdf_file *file, const netcdf_variable *v, int d);

#endif
