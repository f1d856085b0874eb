/* Hierarchies of an array and of a data set.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <xta/zarr.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <xta/options.h>

#include "hierarchy/coordinates.h"
#include "hierarchy/describe_array.h"
#include "hierarchy/node.h"
#include "util/try.h"

enum { MOST_READINGS = 100, MOST_DEPTH = 32 };

static xta_status add_root(xta_zarr *zarr, const char *path, hierarchy_node **out, xta_error *err)
{
    hierarchy_node *node = xta__hierarchy_add_node(zarr, path);

    if (node == NULL) {
        return xta__hierarchy_no_memory(zarr, err);
    }
    node->seen.group = true;
    *out = node;
    return XTA_OK;
}

/* ---- one array ---- */

/* Attributes of the file that the array came from. */
static xta_status add_globals(hierarchy_node *root, xta_array *array, xta_error *err)
{
    static const char prefix[] = "global/";
    xta_status status = XTA_OK;
    xta_attribute a;

    for (size_t k = 0; k < xta_attribute_count(array, XTA_ON_ARRAY); k++) {
        XTA_TRY(xta_attribute_at(array, XTA_ON_ARRAY, k, &a, err));
        if (strncmp(a.name, prefix, sizeof prefix - 1) == 0) {
            a.name += sizeof prefix - 1;
            xta__hierarchy_add_attribute(root, &a);
        }
    }

done:
    return status;
}

static xta_status describe_array(xta_zarr *zarr, xta_array *array, xta_error *err)
{
    xta_status status = XTA_OK;
    hierarchy_node *root = NULL, *node = NULL;
    const char *slash = strrchr(zarr->path, '/');
    const char *name = slash != NULL ? slash + 1 : zarr->path;
    bool bare[XTA_MAX_NDIM], found = false;

    XTA_TRY(add_root(zarr, "", &root, err));
    XTA_TRY(add_globals(root, array, err));
    XTA_TRY(xta__hierarchy_add_array(zarr, name[0] != '\0' ? name : "array", "", name, array, &node,
                                     err));
    for (int axis = 0; axis < node->seen.box.ndim; axis++) {
        XTA_TRY(xta__hierarchy_add_axis(zarr, node, axis, &found, err));
        bare[axis] = !found;
    }
    xta__hierarchy_add_origin(node, bare);

done:
    return status;
}

/* ---- a data set ---- */

typedef struct folder {
    xta_dataset *set;
    const char *path;  /* of the group: "" or "group/" */
    const char *scope; /* of its dimensions: "" or "group~" */
    int depth;
} folder;

static xta_status add_attributes_of_set(hierarchy_node *node, xta_dataset *set,
                                        const char *dimension, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_attribute a;

    for (size_t k = 0; k < xta_dataset_attribute_count(set, dimension); k++) {
        XTA_TRY(xta_dataset_attribute_at(set, dimension, k, &a, err));
        xta__hierarchy_add_attribute(node, &a);
    }

done:
    return status;
}

static bool has_coordinates(xta_dataset *set, const char *dimension)
{
    for (size_t k = 0; k < xta_dataset_member_count(set); k++) {
        if (strcmp(xta_dataset_member_name(set, k), dimension) == 0) {
            return true;
        }
    }
    xta_dimension d;
    return xta_dataset_dimension(set, dimension, &d, NULL) == XTA_OK && d.coordinates != 0;
}

/* Listed coordinates have their unit at the axis, if they were made so. */
static void add_unit(hierarchy_node *node, const char *name)
{
    xta_attribute found;
    xta_array *array = node->seen.array;

    if (node->seen.box.ndim == 1 && strcmp(xta_axis_name(array, 0), name) == 0 &&
        xta_axis_unit(array, 0)[0] != '\0' &&
        xta_attribute_get(array, XTA_ON_ARRAY, "units", &found, NULL) != XTA_OK) {
        xta__hierarchy_add_text_attribute(node, "units", xta_axis_unit(array, 0));
    }
}

/* Whether regular coordinates have this name. An array that was put into the folder by hand may
 * have it, too; one name is for one node. */
static bool is_regular(xta_dataset *set, const char *name)
{
    xta_dimension d;

    return xta_dataset_dimension(set, name, &d, NULL) == XTA_OK &&
           d.coordinates == XTA_COORDINATES_REGULAR;
}

static xta_status add_member(xta_zarr *zarr, const folder *in, const char *name, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_array *array = NULL;
    hierarchy_node *node = NULL;
    bool bare[XTA_MAX_NDIM];
    if (is_regular(in->set, name)) {
        return XTA_OK;
    }
    char *path = xta__string("%s%s", in->path, name);

    if (path == NULL) {
        return xta__hierarchy_no_memory(zarr, err);
    }
    XTA_TRY(xta_dataset_member(in->set, name, &array, err));
    XTA_TRY(xta__hierarchy_add_array(zarr, path, in->scope, name, array, &node, err));
    for (int axis = 0; axis < node->seen.box.ndim; axis++) {
        bare[axis] = !has_coordinates(in->set, node->dimensions[axis]);
    }
    xta__hierarchy_add_origin(node, bare);
    add_unit(node, name);

done:
    free(path);
    return status;
}

static xta_status add_dimension(xta_zarr *zarr, const folder *in, size_t k, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_dimension d;
    hierarchy_node *node = NULL;
    char *path = NULL, *scoped = NULL;

    XTA_TRY(xta_dataset_dimension_at(in->set, k, &d, err));
    if (d.coordinates != XTA_COORDINATES_REGULAR) {
        goto done;
    }
    path = xta__string("%s%s", in->path, d.name);
    scoped = xta__string("%s%s", in->scope, d.name);
    if (path == NULL || scoped == NULL) {
        XTA_TRY(xta__hierarchy_no_memory(zarr, err));
    }
    XTA_TRY(xta__hierarchy_bound(zarr, scoped, "dataset.xmd", &d.lo, &d.hi, err));
    XTA_TRY(xta__hierarchy_add_regular(zarr, path, d.name, &d.regular, d.lo, d.hi, &node, err));
    XTA_TRY(add_attributes_of_set(node, in->set, d.name, err));

done:
    free(path);
    free(scoped);
    return status;
}

static xta_status describe_folder(xta_zarr *zarr, const folder *in, xta_error *err);

static xta_status describe_group(xta_zarr *zarr, const folder *in, const char *name, xta_error *err)
{
    xta_status status = XTA_OK;
    folder group = {.depth = in->depth + 1};
    char *path = xta__string("%s%s/", in->path, name);
    char *scope = xta__string("%s%s~", in->scope, name);

    if (path == NULL || scope == NULL) {
        XTA_TRY(xta__hierarchy_no_memory(zarr, err));
    }
    if (group.depth > MOST_DEPTH) {
        XTA_TRY(xta_error_set(err, XTA_EUNSUPPORTED, 0,
                              "%s: group %s lies more than %d groups deep; open that folder itself",
                              zarr->path, path, MOST_DEPTH));
    }
    XTA_TRY(xta_dataset_group(in->set, name, false, &group.set, err));
    if (!xta__hierarchy_keep_group(zarr, group.set)) {
        xta_dataset_close(group.set, NULL);
        XTA_TRY(xta__hierarchy_no_memory(zarr, err));
    }
    group.path = path;
    group.scope = scope;
    XTA_TRY(describe_folder(zarr, &group, err));

done:
    free(path);
    free(scope);
    return status;
}

/* The members, coordinates and groups of one folder. */
static xta_status describe_folder(xta_zarr *zarr, const folder *in, xta_error *err)
{
    xta_status status = XTA_OK;
    hierarchy_node *root = NULL;
    size_t n = 0, length = strlen(in->path);
    char *path = xta__string("%.*s", (int)(length > 0 ? length - 1 : 0), in->path);

    if (path == NULL) {
        return xta__hierarchy_no_memory(zarr, err);
    }
    XTA_TRY(add_root(zarr, path, &root, err));
    XTA_TRY(add_attributes_of_set(root, in->set, NULL, err));
    for (size_t k = 0; k < xta_dataset_member_count(in->set); k++) {
        XTA_TRY(add_member(zarr, in, xta_dataset_member_name(in->set, k), err));
    }
    XTA_TRY(xta_dataset_dimension_count(in->set, &n, err));
    for (size_t k = 0; k < n; k++) {
        XTA_TRY(add_dimension(zarr, in, k, err));
    }
    for (size_t k = 0; k < xta_dataset_group_count(in->set); k++) {
        XTA_TRY(describe_group(zarr, in, xta_dataset_group_name(in->set, k), err));
    }

done:
    free(path);
    return status;
}

static void wait_a_little(void)
{
    struct timespec time = {0, 1000000};

    (void)nanosleep(&time, NULL);
}

/* All members as of one moment: if some disagree, everything is read again. */
static xta_status describe_moment(xta_zarr *zarr, const folder *root, xta_error *err)
{
    xta_status status = describe_folder(zarr, root, err);

    for (int k = 1; k < MOST_READINGS && status == XTA_EBOX; k++) {
        xta__hierarchy_empty(zarr);
        xta__clear(err);
        wait_a_little();
        XTA_TRY(xta_dataset_refresh(root->set, NULL, err));
        status = describe_folder(zarr, root, err);
    }

done:
    return status;
}

xta_status xta_zarr_of_array(xta_array *array, const xta_zarr_options *options, xta_zarr **out,
                             xta_error *err)
{
    xta_zarr_options chosen = XTA_ZARR_OPTIONS_INIT;
    xta_zarr *zarr = NULL;
    xta_status status = XTA_OK;

    *out = NULL;
    XTA_TRY(xta_options_read(&chosen, sizeof chosen, options, "xta_zarr_options", err));
    XTA_TRY(xta__hierarchy_new(xta_array_path(array), &chosen, &zarr, err));
    XTA_TRY(describe_array(zarr, array, err));
    zarr->options.bounds = NULL; // they are the caller's
    *out = zarr;
    zarr = NULL;

done:
    xta_zarr_free(zarr);
    return status;
}

xta_status xta_zarr_of_dataset(xta_dataset *set, const xta_zarr_options *options, xta_zarr **out,
                               xta_error *err)
{
    xta_zarr_options chosen = XTA_ZARR_OPTIONS_INIT;
    xta_zarr *zarr = NULL;
    folder root = {set, "", "", 0};
    xta_status status = XTA_OK;

    *out = NULL;
    XTA_TRY(xta_options_read(&chosen, sizeof chosen, options, "xta_zarr_options", err));
    XTA_TRY(xta__hierarchy_new(xta_dataset_path(set), &chosen, &zarr, err));
    zarr->of_set = true;
    XTA_TRY(describe_moment(zarr, &root, err));
    zarr->options.bounds = NULL; // they are the caller's
    *out = zarr;
    zarr = NULL;

done:
    xta_zarr_free(zarr);
    return status;
}
