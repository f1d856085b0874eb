/* What the two halves of the NetCDF bridge share. netcdf.c reads, netcdf_write.c writes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BRIDGE_NETCDF_H
#define XTA_BRIDGE_NETCDF_H

#include <netcdf.h>

#include "description/format.h"

/* Names of attributes; see docs/decisions/0010-bridges.md. A NetCDF name never holds a slash. */
#define NC_FORMAT     "netcdf/format"
#define NC_VARIABLES  "netcdf/variables"  /* carried, in the file's order, one a line */
#define NC_DIMENSIONS "netcdf/dimensions" /* likewise */
#define NC_DIMENSION  "netcdf/dimension"  /* of an axis, where its name had to differ */
#define NC_ENDLESS    "netcdf/unlimited"  /* of an axis: "yes" */
#define NC_GLOBALS    "global/"
#define NC_COMPANION  "variable/" /* variable/NAME holds values, variable/NAME/ATT attributes */
#define NC_OWN        "netcdf/"   /* prefix of what is said of the variable's own storage */
#define NC_VALUES     "values"
#define NC_CHUNKS     "chunks"  /* int64, one for each dimension */
#define NC_FILTERS    "filters" /* int32: shuffle, deflate level, fletcher32, byte order */
/* int64: lengths of the strings that the text holds, a line each */
#define NC_STRINGS "//string"

#define NC_N_FILTERS 4

#define MOST_COMPANIONS      64
#define MOST_COMPANION_BYTES ((size_t)4 << 20)
#define MOST_AXIS_BYTES      ((size_t)32 << 20)
#define NETCDF_NAME_BYTES    (2 * NC_MAX_NAME + 64)
#define LONGEST_NAME         255 /* of an attribute of ours */

/* A variable that comes along with the one imported. */
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
    netcdf_companion companions[MOST_COMPANIONS];
    int n_companions;
} netcdf_source;

/* The NetCDF library is not made for threads: calls into it come one at a time. */
void xta__netcdf_lock(void);
void xta__netcdf_unlock(void);

/* Put the library's words into our error. Answers XTA_OK for NC_NOERR. */
xta_status xta__netcdf_status(int code, const char *path, const char *what, xta_error *err);

/* XTA_TYPE_SAME, NC_NAT: none. */
xta_type xta__netcdf_to_xta(nc_type type);
nc_type xta__netcdf_from_xta(xta_type type);

/* ---- netcdf_find.c: which variables; under the lock ---- */

/* The variable asked for, or the only one that is not there for the sake of another. */
xta_status xta__netcdf_choose(netcdf_source *source, const char *name, xta_error *err);
/* Fill in the list of companions, those of companions included. */
void xta__netcdf_find_companions(netcdf_source *source);
/* A variable by name in a group or the groups around it. */
bool xta__netcdf_find_upwards(int group, const char *name, int *found_group, int *variable);
/* The coordinate variable of dimension `d` of the variable. */
bool xta__netcdf_find_coordinate(const netcdf_source *source, int d, int *group, int *variable);
size_t xta__netcdf_bytes(int group, int variable);

/* ---- netcdf_length.c: under the lock ---- */

/* Bytes that a file of a classic format has at least; 0 for others. */
double xta__netcdf_least_bytes(int file);

/* ---- netcdf_carry.c: what comes along; under the lock. Answers a code of NetCDF's ---- */

int xta__netcdf_describe(netcdf_source *source, bridge_description *what);

#define KEY_BYTES 600

/* One dimension of the new file. */
typedef struct netcdf_dimension {
    char name[NC_MAX_NAME + 1];
    size_t length;
    bool endless;
    int axis;    /* of the array, or -1 */
    bool shared; /* it is in the file already */
    int id;
} netcdf_dimension;

/* One variable of the new file. */
typedef struct netcdf_variable {
    char name[NC_MAX_NAME + 1];
    const bridge_attribute *values; /* NULL: the array's cells */
    int axis;                       /* whose coordinate variable; -1: a companion, or the cells */
    int ndim;
    int dimension[XTA_MAX_NDIM]; /* positions in the list of dimensions */
    nc_type type;
    bool shared; /* it is in the file already, and says the same */
    bool old;    /* of the cells: it is in the file already, and gets other ones */
    int id;
} netcdf_variable;

typedef struct netcdf_target {
    int file;
    int group;  /* the one the variable lies in */
    bool added; /* to a file that was there before */
    char *path;
    const bridge_description *what; /* while creating */
    bool old_model;                 /* only the types of the classic model */
    bool has_storage;               /* chunks and filters */
    bool has_strings;
    netcdf_dimension *dimensions;
    int n_dimensions;
    netcdf_variable *variables;
    int n_variables;
    int cells;      /* id of the variable with the array's cells */
    bool is_scalar; /* which has no dimensions */
} netcdf_target;

/* ---- netcdf_put.c: under the lock. Answer codes of NetCDF's ---- */

/* Put the attributes on `axis` whose names are `prefix` and a foreign name on variable `id`, whose
 * cells have type `cells`. */
int xta__netcdf_put_attributes(const netcdf_target *target, int id, nc_type cells, int axis,
                               const char *prefix);
/* Values of all variables but the array's own. */
int xta__netcdf_put_values(const netcdf_target *target);

/* ---- netcdf_write.c ---- */

/* Whether the classic model has this type. */
bool xta__netcdf_is_old_type(nc_type type);
/* A target with room for all that `what` can become; no file is open yet. */
xta_status xta__netcdf_new_target(const char *path, bridge_description *what, netcdf_target **out,
                                  xta_error *err);
/* Whether NetCDF has cells of this type at all. */
xta_status xta__netcdf_check_type(const netcdf_target *target, xta_error *err);
/* List dimensions and variables of the new file. Under the lock. */
void xta__netcdf_list(netcdf_target *target);
/* Define what is listed and not shared, and write all values but the cells. Under the lock. */
int xta__netcdf_define(netcdf_target *target);

/* ---- netcdf_add.c ---- */

/* Open the group that the variable's name tells, made if it is not there. Under the
 * lock. */
xta_status xta__netcdf_enter_group(netcdf_target *target, xta_error *err);
xta_status xta__netcdf_add(const char *path, const xta_export_options *options,
                           bridge_description *what, void **state, xta_error *err);

xta_status xta__netcdf_create(const char *path, const xta_export_options *options,
                              bridge_description *what, void **state, xta_error *err);
xta_status xta__netcdf_write(void *state, const xta_box *box, const void *cells, xta_error *err);
xta_status xta__netcdf_read_back(void *state, const xta_box *box, void *cells, xta_error *err);
xta_status xta__netcdf_finish(void *state, xta_error *err);
void xta__netcdf_abandon(void *state);
bool xta__netcdf_takes(const char *format, const char *suffix);

#endif
