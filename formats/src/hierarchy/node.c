/* Hierarchies of nodes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hierarchy/node.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/try.h"
#include "util/vector.h"

xta_status xta__hierarchy_no_memory(const xta_zarr *zarr, xta_error *err)
{
    return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory to describe it as Zarr", zarr->path);
}

xta_status xta__hierarchy_new(const char *path, const xta_zarr_options *options, xta_zarr **out,
                              xta_error *err)
{
    xta_zarr *zarr = calloc(1, sizeof *zarr);
    char *copy = xta__string("%s", path);

    if (zarr == NULL || copy == NULL) {
        free(zarr);
        free(copy);
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory to describe it as Zarr", path);
    }
    zarr->options = *options;
    zarr->path = copy;
    *out = zarr;
    return XTA_OK;
}

static void node_free(hierarchy_node *node)
{
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        free(node->dimensions[axis]);
    }
    for (int k = 0; k < N_ATTRIBUTES; k++) {
        xta__text_clear(&node->attributes[k]);
    }
    free(node->no_data);
    free(node->fill);
    free(node->values);
    free(node->path);
    free(node);
}

void xta__hierarchy_empty(xta_zarr *zarr)
{
    for (size_t k = 0; k < zarr->n_nodes; k++) {
        node_free(zarr->nodes[k]);
    }
    for (size_t k = 0; k < zarr->n_dimensions; k++) {
        free(zarr->dimensions[k].name);
    }
    for (size_t k = zarr->n_groups; k-- > 0;) {
        xta_dataset_close(zarr->groups[k], NULL);
    }
    zarr->n_nodes = zarr->n_dimensions = zarr->n_groups = 0;
}

void xta_zarr_free(xta_zarr *zarr)
{
    if (zarr != NULL) {
        xta__hierarchy_empty(zarr);
        free(zarr->nodes);
        free(zarr->groups);
        free(zarr->dimensions);
        free(zarr->path);
        free(zarr);
    }
}

hierarchy_node *xta__hierarchy_add_node(xta_zarr *zarr, const char *path)
{
    hierarchy_node *node = calloc(1, sizeof *node);

    if (node != NULL) {
        node->path = xta__string("%s", path);
        node->seen.path = node->path;
        node->seen.dimensions = (const char *const *)node->dimensions;
    }
    if (node == NULL || node->path == NULL ||
        !XTA__RESERVE(zarr->nodes, zarr->nodes_capacity, zarr->n_nodes + 1)) {
        if (node != NULL) {
            node_free(node);
        }
        return NULL;
    }
    zarr->nodes[zarr->n_nodes++] = node;
    return node;
}

hierarchy_node *xta__hierarchy_find_node(const xta_zarr *zarr, const char *path)
{
    for (size_t k = 0; k < zarr->n_nodes; k++) {
        if (strcmp(zarr->nodes[k]->path, path) == 0) {
            return zarr->nodes[k];
        }
    }
    return NULL;
}

const xta_zarr_node *xta_zarr_node_at(const xta_zarr *zarr, size_t k)
{
    return k < zarr->n_nodes ? &zarr->nodes[k]->seen : NULL;
}

bool xta__hierarchy_keep_group(xta_zarr *zarr, xta_dataset *group)
{
    if (!XTA__RESERVE(zarr->groups, zarr->groups_capacity, zarr->n_groups + 1)) {
        return false;
    }
    zarr->groups[zarr->n_groups++] = group;
    return true;
}

/* ---- dimensions ---- */

bool xta_zarr_bounds_at(const xta_zarr *zarr, size_t k, xta_zarr_bounds *bounds)
{
    if (k >= zarr->n_dimensions) {
        return false;
    }
    bounds->dimension = zarr->dimensions[k].name;
    bounds->lo = zarr->dimensions[k].lo;
    bounds->hi = zarr->dimensions[k].hi;
    return true;
}

/* Take the bounds that the caller gave. */
static xta_status find_pinned(const xta_zarr *zarr, const char *name, int64_t *lo, int64_t *hi,
                              xta_error *err)
{
    for (size_t k = 0; zarr->options.bounds != NULL && k < zarr->options.n_bounds; k++) {
        if (strcmp(zarr->options.bounds[k].dimension, name) == 0) {
            *lo = zarr->options.bounds[k].lo;
            *hi = zarr->options.bounds[k].hi;
            return XTA_OK;
        }
    }
    return zarr->options.bounds == NULL
               ? XTA_OK
               : xta_error_set(err, XTA_ENOENT, 0,
                               "%s: the snapshot has no bounds of dimension %s; take a newer one",
                               zarr->path, name);
}

static xta_status add_dimension(xta_zarr *zarr, const char *name, int64_t lo, int64_t hi,
                                xta_error *err)
{
    char *copy = xta__string("%s", name);

    if (copy == NULL ||
        !XTA__RESERVE(zarr->dimensions, zarr->dimensions_capacity, zarr->n_dimensions + 1)) {
        free(copy);
        return xta__hierarchy_no_memory(zarr, err);
    }
    zarr->dimensions[zarr->n_dimensions++] = (hierarchy_dimension){copy, lo, hi};
    return XTA_OK;
}

xta_status xta__hierarchy_bound(xta_zarr *zarr, const char *name, const char *member, int64_t *lo,
                                int64_t *hi, xta_error *err)
{
    xta_status status = find_pinned(zarr, name, lo, hi, err);

    for (size_t k = 0; k < zarr->n_dimensions && status == XTA_OK; k++) {
        const hierarchy_dimension *d = &zarr->dimensions[k];
        if (strcmp(d->name, name) != 0) {
            continue;
        }
        if (d->lo == *lo && d->hi == *hi) {
            return XTA_OK;
        }
        return xta_error_set(err, XTA_EBOX, 0,
                             "%s: dimension %s runs from %" PRId64 " to %" PRId64
                             ", and in %s from %" PRId64 " to %" PRId64 "; extend the shorter one",
                             zarr->path, name, d->lo, d->hi, member, *lo, *hi);
    }
    return status == XTA_OK ? add_dimension(zarr, name, *lo, *hi, err) : status;
}
