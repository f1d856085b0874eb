/* A node of a store: what its documents say.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_ZARR_NODE_H
#define XTA_FORMATS_ZARR_NODE_H

#include <jansson.h>
#include <stdbool.h>

#include "zarr/store.h"

/* Neither an array nor a group: it is no node of the store's version. */
typedef struct zarr_node {
    json_t *array, *attributes; /* NULL: none */
    bool group;
    bool stale; /* the consolidated metadata says something else */
} zarr_node;

/* Read the node at `path`, "" for the root. Cleared by the caller, also after an error. */
xta_status xta__zarr_node_read(const zarr_store *store, const char *path, zarr_node *node,
                               xta_error *err);
void xta__zarr_node_clear(zarr_node *node);

/* The names of an array's dimensions, borrowed; NULL: it has none. Old versions of xarray have them
 * in an attribute in version 3, too: *attribute is its name then, else NULL. */
const json_t *xta__zarr_dimensions(const zarr_store *store, const zarr_node *node, int ndim,
                                   const char **attribute);

#endif
