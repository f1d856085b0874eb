/* Growth of a data set: all members that have a dimension, in one step.
 *
 * The lock of the data set keeps others from adding members meanwhile. Each growth of a dimension
 * becomes one of an axis of each member that has it; a member gets all of its growths together.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/edit/growth.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dataset/change.h"
#include "dataset/dimensions.h"
#include "dataset/listing.h"
#include "dataset/migration/migrate.h"

/* The growths of all members. */
typedef struct plan {
    xta_array_growth *arrays;
    xta_growth *growths; /* n_growths for each array */
    int n;
} plan;

static xta_status check_growth(xta_dataset *set, const xta_dimension_growth *growths, int k,
                               xta_error *err)
{
    const xta_dimension_growth *g = &growths[k];
    const xta_dimension *d = NULL;
    xta_error why = {0};
    xta_status status = xta__dataset_find_dimension(set, g->dimension, &d, err);

    if (status != XTA_OK) {
        return status;
    }
    for (int other = 0; other < k; other++) {
        if (strcmp(growths[other].dimension, g->dimension) == 0 && growths[other].side == g->side) {
            return xta__fail(err, XTA_EARG, 0, "%s: dimension %s is given twice on the same side",
                             set->path, g->dimension);
        }
    }
    if (g->by < 0 || g->by >= XTA__COORD_LIMIT || (unsigned)g->side > XTA_FRONT) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: dimension %s: by %" PRId64 ": give 0 or more cells, less than 2^62, "
                         "at back or front",
                         set->path, g->dimension, g->by);
    }
    if (d->coordinates == XTA_COORDINATES_LISTED) {
        return xta__fail(err, XTA_ESTATE, 0,
                         "%s: dimension %s has listed coordinates, and new cells need theirs: "
                         "append them",
                         set->path, g->dimension);
    }
    if (d->coordinates == XTA_COORDINATES_REGULAR) {
        int64_t lo = g->side == XTA_FRONT ? d->lo - g->by : d->lo;
        int64_t hi = g->side == XTA_BACK ? d->hi + g->by : d->hi;
        status = xta_regular_check(&d->regular, lo, hi, &why);
        if (status != XTA_OK) {
            return xta__fail(err, status, 0, "%s: dimension %s: %s", set->path, g->dimension,
                             why.text);
        }
    }
    return XTA_OK;
}

/* New bounds of dimensions that no member has. */
static void grow_free_dimensions(xta_dataset *set, const xta_dimension_growth *growths, int n,
                                 xta__bytes *change, bool *any)
{
    for (size_t j = 0; j < set->n_dimensions; j++) {
        xta_dimension d = set->dimensions[j];
        bool grows = false;
        for (int k = 0; k < n && d.n_members == 0; k++) {
            if (strcmp(growths[k].dimension, d.name) == 0) {
                d.lo -= growths[k].side == XTA_FRONT ? growths[k].by : 0;
                d.hi += growths[k].side == XTA_BACK ? growths[k].by : 0;
                grows = true;
            }
        }
        if (grows) {
            xta__change_put_dimension(change, &d);
            *any = true;
        }
    }
}

static xta_status make_plan(xta_dataset *set, const xta_dimension_growth *growths, int n, plan *out,
                            xta_error *err)
{
    out->arrays = xta__calloc(set->n_members + 1, sizeof out->arrays[0]);
    out->growths = xta__calloc((set->n_members + 1) * (size_t)n, sizeof out->growths[0]);
    if (out->arrays == NULL || out->growths == NULL) {
        return xta__dataset_no_memory(set, err);
    }
    for (size_t j = 0; j < set->n_members; j++) {
        xta_growth *own = out->growths + j * (size_t)n;
        int n_own = 0;
        for (int k = 0; k < n; k++) {
            int axis = xta__dataset_axis_of(set->members[j].array, growths[k].dimension);
            if (axis >= 0) {
                own[n_own++] = (xta_growth){axis, growths[k].side, growths[k].by};
            }
        }
        if (n_own > 0) {
            out->arrays[out->n++] = (xta_array_growth){set->members[j].array, own, n_own};
        }
    }
    return XTA_OK;
}

static xta_status grow_all(xta_dataset *set, const xta_dimension_growth *growths, int n,
                           xta_error *err)
{
    xta_status status = XTA_OK;
    plan p = {0};
    xta__bytes change = {0};
    bool any = false;

    XTA_TRY(xta__dataset_refresh_members(set, err));
    for (int k = 0; k < n; k++) {
        XTA_TRY(check_growth(set, growths, k, err));
    }
    XTA_TRY(make_plan(set, growths, n, &p, err));
    xta__change_start(&change);
    grow_free_dimensions(set, growths, n, &change, &any);
    if (p.n == 1) {
        XTA_TRY(xta_array_extend(p.arrays[0].array, p.arrays[0].growths, p.arrays[0].n_growths,
                                 NULL, err));
    } else if (p.n > 1) {
        XTA_TRY(xta_arrays_extend(p.arrays, p.n, NULL, err));
    }
    if (any) {
        XTA_TRY(xta__dataset_commit(set, &change, err));
    }

done:
    xta__bytes_clear(&change);
    free(p.arrays);
    free(p.growths);
    return status;
}

xta_status xta_dataset_extend(xta_dataset *set, const xta_dimension_growth *growths, int n_growths,
                              xta_error *err)
{
    xta_status status = xta__dataset_change_migrated(set, err);

    if (status != XTA_OK) {
        return status;
    }
    if (n_growths < 1 || n_growths > 2 * XTA_MAX_NDIM) {
        status = xta__fail(err, XTA_EARG, 0, "%s: %d growths in one step; give 1 to %d", set->path,
                           n_growths, 2 * XTA_MAX_NDIM);
    } else {
        status = grow_all(set, growths, n_growths, err);
    }
    xta__dataset_change_end(set);
    return status;
}
