/* The set of regions: boxes and spheres as they are added, or the labels that mask_labels.c finds.
 *
 * Limits and spheres are stored in tables of numbers, since there may be a hundred thousand
 * regions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "regions/regions.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regions/sphere.h"
#include "util/checked.h"

/* beyond this a double cannot identify a cell */
#define EXACT ((double)((int64_t)1 << 52))

xta_status xta_regions_new(int ndim, xta_regions **out, xta_error *err)
{
    *out = NULL;
    if (ndim < 1 || ndim > XTA_MAX_NDIM) {
        return xta_error_set(err, XTA_EARG, 0, "regions of %d axes; give 1 to %d", ndim,
                             XTA_MAX_NDIM);
    }
    xta_regions *regions = calloc(1, sizeof *regions);
    if (regions == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for regions");
    }
    regions->ndim = ndim;
    *out = regions;
    return XTA_OK;
}

void xta_regions_free(xta_regions *regions)
{
    if (regions == NULL) {
        return;
    }
    for (size_t k = 0; regions->name != NULL && k < regions->n; k++) {
        free(regions->name[k]);
    }
    free(regions->name);
    free(regions->limits);
    free(regions->sphere);
    free(regions->label);
    free(regions->n_cells);
    free(regions->slot);
    free(regions);
}

static bool resize(void **table, size_t n, size_t bytes)
{
    void *larger = xta__realloc_array(*table, n, bytes);

    *table = larger != NULL ? larger : *table;
    return larger != NULL;
}

bool xta__regions_grow(xta_regions *r)
{
    size_t ndim = (size_t)r->ndim;
    size_t capacity = r->capacity > 0 ? 2 * r->capacity : 64;
    void *limits = r->limits, *sphere = r->sphere, *name = r->name;
    void *label = r->label, *n_cells = r->n_cells;

    if (r->n < r->capacity) {
        return true;
    }
    bool good = resize(&limits, capacity, 2 * ndim * sizeof r->limits[0]);
    if (r->mask != NULL) {
        good = good && resize(&label, capacity, sizeof r->label[0]) &&
               resize(&n_cells, capacity, sizeof r->n_cells[0]);
    } else {
        good = good && resize(&sphere, capacity, (2 * ndim + 1) * sizeof r->sphere[0]) &&
               resize(&name, capacity, sizeof r->name[0]);
    }
    r->limits = limits;
    r->sphere = sphere;
    r->name = name;
    r->label = label;
    r->n_cells = n_cells;
    r->capacity = good ? capacity : r->capacity;
    return good;
}

/* Reserve memory for one more region, and set its name. */
static xta_status begin_region(xta_regions *r, const char *name, xta_error *err)
{
    char *copy = NULL;

    if (r->mask != NULL) {
        return xta_error_set(err, XTA_EARG, 0,
                             "the regions are those of a mask; begin another set for boxes");
    }
    if (name != NULL && name[0] != '\0') {
        copy = xta__strdup(name);
    }
    if (r->n >= INT32_MAX || (name != NULL && name[0] != '\0' && copy == NULL) ||
        !xta__regions_grow(r)) {
        free(copy);
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu regions", r->n + 1);
    }
    r->name[r->n] = copy;
    return XTA_OK;
}

xta_status xta_regions_add_box(xta_regions *r, const char *name, const xta_box *box, xta_error *err)
{
    if (box->ndim != r->ndim) {
        return xta_error_set(err, XTA_EARG, 0, "region %zu: a box of %d axes; the regions have %d",
                             r->n, box->ndim, r->ndim);
    }
    for (int axis = 0; axis < r->ndim; axis++) {
        if (box->lo[axis] > box->hi[axis]) {
            return xta_error_set(err, XTA_EARG, 0,
                                 "region %zu: axis %d: %" PRId64 ":%" PRId64
                                 " ends before it begins",
                                 r->n, axis, box->lo[axis], box->hi[axis]);
        }
    }
    xta_status status = begin_region(r, name, err);
    if (status != XTA_OK) {
        return status;
    }
    size_t ndim = (size_t)r->ndim;
    memcpy(r->limits + 2 * ndim * r->n, box->lo, ndim * sizeof r->limits[0]);
    memcpy(r->limits + 2 * ndim * r->n + ndim, box->hi, ndim * sizeof r->limits[0]);
    r->sphere[(2 * ndim + 1) * r->n + 2 * ndim] = -1;
    r->n++;
    return XTA_OK;
}

xta_status xta_regions_add_sphere(xta_regions *r, const char *name, const double centre[],
                                  double radius, const double spacing[], xta_error *err)
{
    if (!(radius >= 0 && radius < EXACT)) {
        return xta_error_set(err, XTA_EARG, 0, "region %zu: radius %g; give 0 or more, below 2^52",
                             r->n, radius);
    }
    for (int axis = 0; axis < r->ndim; axis++) {
        double length = spacing != NULL ? spacing[axis] : 1;
        if (!(fabs(centre[axis]) < EXACT)) {
            return xta_error_set(err, XTA_EARG, 0,
                                 "region %zu: axis %d: centre %g; give a coordinate below 2^52",
                                 r->n, axis, centre[axis]);
        }
        if (!(length > 0) || !(radius / length < EXACT)) {
            return xta_error_set(err, XTA_EARG, 0,
                                 "region %zu: axis %d: spacing %g; give a length above 0, the "
                                 "radius being below 2^52 of them",
                                 r->n, axis, length);
        }
    }
    xta_status status = begin_region(r, name, err);
    if (status != XTA_OK) {
        return status;
    }
    size_t ndim = (size_t)r->ndim;
    double *sphere = r->sphere + (2 * ndim + 1) * r->n;
    for (size_t axis = 0; axis < ndim; axis++) {
        sphere[axis] = centre[axis];
        sphere[ndim + axis] = spacing != NULL ? spacing[axis] : 1;
    }
    sphere[2 * ndim] = radius;
    int64_t *limits = r->limits + 2 * ndim * r->n;
    xta__sphere_limits(sphere, r->ndim, limits, limits + ndim);
    r->n++;
    return XTA_OK;
}

size_t xta_regions_count(const xta_regions *regions)
{
    return regions->n;
}

int xta_regions_ndim(const xta_regions *regions)
{
    return regions->ndim;
}

xta_region xta_regions_at(const xta_regions *regions, size_t k)
{
    xta_region region = {.kind = XTA_REGION_BOX, .name = ""};

    region.box =
        xta_box_make(regions->ndim, xta__region_lo(regions, k), xta__region_hi(regions, k));
    if (regions->mask != NULL) {
        region.kind = XTA_REGION_LABEL;
        region.label = regions->label[k];
        return region;
    }
    if (xta__region_is_sphere(regions, k)) {
        region.kind = XTA_REGION_SPHERE;
    }
    if (regions->name[k] != NULL) {
        region.name = regions->name[k];
    }
    return region;
}
