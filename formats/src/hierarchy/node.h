/* Hierarchies of nodes, as they are built.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HIERARCHY_NODE_H
#define XTA_FORMATS_HIERARCHY_NODE_H

#include <xta/zarr.h>

#include "util/text.h"

/* How the attributes are written: as Python's json does, with NaN as a number, or for version 3,
 * whose readers are strict, as a text. */
enum { ATTRIBUTES_V2 = 0, ATTRIBUTES_V3 = 1, N_ATTRIBUTES = 2 };

typedef struct hierarchy_node {
    xta_zarr_node seen; /* what callers see */
    char *path;
    char *dimensions[XTA_MAX_NDIM]; /* names; NULL where there is no axis */
    unsigned char *values;          /* owned, native-endian; NULL: the cells are an array's */
    xta_regular regular;            /* or computed: however many there are, they need no memory */
    unsigned char *fill;            /* what cells that were never written hold; NULL: zero */
    unsigned char *no_data;         /* what the attribute _FillValue says; NULL: none */
    bool text;                      /* bytes that are texts */
    bool column;                    /* cells of a chunk lie with the first axis fastest */
    bool masked;                    /* cells are stored exclusive-or `fill` */
    xta__text attributes[N_ATTRIBUTES]; /* members of the object, without its braces */
} hierarchy_node;

typedef struct hierarchy_dimension {
    char *name;
    int64_t lo, hi;
} hierarchy_dimension;

struct xta_zarr {
    xta_zarr_options options;
    bool of_set;
    char *path; /* of the array or the folder */
    hierarchy_node **nodes;
    size_t n_nodes, nodes_capacity;
    xta_dataset **groups; /* opened for this hierarchy */
    size_t n_groups, groups_capacity;
    hierarchy_dimension *dimensions;
    size_t n_dimensions, dimensions_capacity;
};

/* A new, empty hierarchy; XTA_ENOMEM. */
xta_status xta__hierarchy_new(const char *path, const xta_zarr_options *options, xta_zarr **out,
                              xta_error *err);
xta_status xta__hierarchy_no_memory(const xta_zarr *zarr, xta_error *err);

/* Add a node: `path` is copied. NULL: out of memory. It stays where it is. */
hierarchy_node *xta__hierarchy_add_node(xta_zarr *zarr, const char *path);
hierarchy_node *xta__hierarchy_find_node(const xta_zarr *zarr, const char *path);

/* The bounds of a dimension: those that the caller pinned, those that an earlier axis of this name
 * has, or else these, which become its own. XTA_ENOENT: the caller's lack it. XTA_EBOX: an earlier
 * axis has others. */
xta_status xta__hierarchy_bound(xta_zarr *zarr, const char *name, const char *member, int64_t *lo,
                                int64_t *hi, xta_error *err);
/* Close a group with the hierarchy. False: out of memory. */
bool xta__hierarchy_keep_group(xta_zarr *zarr, xta_dataset *group);
/* Forget nodes and dimensions, and close groups. */
void xta__hierarchy_empty(xta_zarr *zarr);

#endif
