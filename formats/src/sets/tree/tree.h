/* What a file or store holds: a tree of groups with their dimensions and variables.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_TREE_H
#define XTA_FORMATS_SETS_TREE_H

#include <stdbool.h>

#include <xta/dataset_transfer.h>

#include "description/description.h"
#include "hdf5/raw/raw_chunks.h"
#include "selected/selected_cells.h"

typedef struct set_dimension {
    char *name;
    int64_t length; /* if cells are selected, of these */
    bool unlimited;
    const selected_cells *cells; /* NULL: all */
} set_dimension;

/* A variable that can come. Its description has type, bounds, names of axes, and attributes on the
 * array only. */
typedef struct set_variable {
    int group, id;
    char *name;
    bool scalar;
    bool strings; /* of `what.cell_bytes` bytes at most */
    char *fixed;  /* of plain HDF5, and of strings of a fixed length: its path in the HDF5 file */
    char *field;  /* a member of its compounds; NULL: the whole cells */
    bridge_description what;
    int64_t origin[XTA_MAX_NDIM];
    /* What is selected on each axis; the bounds are of these cells. NULL: all. */
    const selected_cells *cells[XTA_MAX_NDIM];
} set_variable;

typedef struct set_group {
    int id;
    char *name;
    bridge_description attributes; /* on the array */
    set_dimension *dimensions;     /* its own, then those of enclosing groups that it uses */
    size_t n_dimensions, dimensions_capacity;
    set_variable *variables;
    size_t n_variables, variables_capacity;
    struct set_group *groups;
    size_t n_groups, groups_capacity;
} set_group;

struct set_reader;

/* A dimension that is selected in a way that depends on all of its coordinates. */
typedef struct set_dependence {
    char *dimension; /* the path of its group before it */
    unsigned char *values;
    size_t n_bytes; /* of the coordinates, their unit and calendar */
} set_dependence;

typedef struct set_source {
    const struct set_reader *reader;
    char *path, *local;
    int file;     /* of NetCDF; -1: none */
    int64_t hdf5; /* of HDF5, also if NetCDF reads the file; 0: none */
    void *state;  /* of another reader */
    set_group root;
    /* What cannot come, one line each. */
    char **lost;
    size_t n_lost, lost_capacity;
    /* What is selected of dimensions; dimensions and variables borrow it. */
    selected_cells **selected;
    size_t n_selected, selected_capacity;
    set_dependence *dependences;
    size_t n_dependences, dependences_capacity;
} set_source;

/* What reads a kind of file. */
typedef struct set_reader {
    /* List what the file holds. After a failure `close` is called as well. */
    xta_status (*open)(const char *path, bool trust, set_source *source, xta_error *err);
    /* A box that is not empty. Several threads may read at once. */
    xta_status (*read)(const set_source *source, const set_variable *v, const xta_box *box,
                       void *cells, xta_error *err);
    /* Whether the file has none of a box's cells, which all have the fill value; NULL: unknown. */
    bool (*is_empty)(const set_source *source, const set_variable *v, const xta_box *box);
    void (*close)(set_source *source);
    /* The stored chunks of a variable, for several threads; NULL, also for the function: none. */
    raw_chunks *(*open_chunks)(const set_source *source, const set_variable *v);
    bool parallel; /* `read` has no lock that makes threads wait */
} set_reader;

/* Add a line: the path of the group ("" for the root), the variable, and what is lost. */
xta_status xta__set_lose(set_source *source, const char *group, const char *variable,
                         const char *what, xta_error *err);

/* Whether a member or group of a data set can have a name. */
bool xta__set_is_legal_name(const char *name);
/* The name in a data set of group number k of a group: its own, if a folder there can have it. The
 * caller frees it; NULL: out of memory. */
char *xta__set_group_name(const set_group *around, size_t k);

void xta__set_clear_dependence(set_dependence *dependence);
void xta__set_clear_variable(set_variable *v);
void xta__set_clear_group(set_group *group);

/* The lengths of the chunks of the file, one for each axis; NULL: it has none. */
const int64_t *xta__set_chunks_of(const set_variable *v);

/* Of all cells of a group and its groups. */
uint64_t xta__set_bytes_of(const set_group *group);

#endif
