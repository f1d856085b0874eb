/* Coordinates that axes of members hold, as arrays alone have them, move to the data set.
 *
 * First everything is read and compared; a disagreement changes nothing. Then the walk:
 *
 *   1. lists are made as members that the journal names as unfinished, so that nobody sees them
 *   2. one change of the journal, made durable, gives all dimensions their coordinates
 *   3. the attributes of the axes are removed
 *
 * What the data set says about a dimension goes before what an axis says, and both say the same. So
 * a kill between any two calls leaves the labels as they are, and the next change does the rest:
 * lists without a member are dropped, and attributes that agree with the data set are removed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/migration/migrate.h"

#include "base/base.h"
#include "dataset/change.h"
#include "dataset/dimensions.h"
#include "dataset/listing.h"
#include "dataset/migration/give_coordinates.h"
#include "dataset/migration/plan.h"
#include "dataset/migration/strip_axes.h"

/* Whether any axis of a member holds coordinates. All members are opened. */
static xta_status search(xta_dataset *set, bool *found, xta_error *err)
{
    xta_status status = XTA_OK;

    *found = false;
    for (size_t k = 0; k < set->n_members; k++) {
        XTA_TRY(xta__dataset_open_member(set, &set->members[k], err));
        xta_array *array = set->members[k].array;
        for (int axis = 0; axis < xta_array_ndim(array) && !*found; axis++) {
            *found = xta__axis_holds_coordinates(array, axis);
        }
    }

done:
    return status;
}

/* The lock is held. */
static xta_status migrate(xta_dataset *set, size_t *n_axes, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__migration p = {0};
    bool found = false;

    *n_axes = 0;
    if (set->migrated) {
        return XTA_OK;
    }
    XTA_TRY(search(set, &found, err));
    if (found) {
        XTA_TRY(xta__dataset_refresh_members(set, err));
        XTA_TRY(xta__dataset_know_dimensions(set, err));
        XTA_TRY(xta__migration_plan(set, &p, err));
        if (p.n > 0) {
            XTA_TRY(xta__migration_apply(set, &p, err));
        }
        XTA_TRY(xta__migration_strip(set, n_axes, err));
    }
    set->migrated = true;

done:
    xta__migration_clear(&p);
    return status;
}

xta_status xta__dataset_change_migrated(xta_dataset *set, xta_error *err)
{
    size_t n_axes = 0;
    xta_status status = xta__dataset_change_begin(set, err);

    if (status != XTA_OK) {
        return status;
    }
    status = migrate(set, &n_axes, err);
    if (status != XTA_OK) {
        xta__dataset_change_end(set);
    }
    return status;
}

xta_status xta_dataset_upgrade(xta_dataset *set, size_t *n_axes, xta_error *err)
{
    bool found = false;
    size_t n = 0;
    xta_status status = XTA_OK;

    xta__clear(err);
    if (n_axes != NULL) {
        *n_axes = 0;
    }
    pthread_mutex_lock(&set->lock);
    status = xta__dataset_begin(set, err);
    status = status == XTA_OK ? search(set, &found, err) : status;
    pthread_mutex_unlock(&set->lock);
    if (status != XTA_OK || !found) {
        return status;
    }
    // A folder without coordinates to move gets no journal.
    status = xta__dataset_change_begin(set, err);
    if (status != XTA_OK) {
        return status;
    }
    set->migrated = false;
    status = migrate(set, &n, err);
    xta__dataset_change_end(set);
    if (n_axes != NULL) {
        *n_axes = n;
    }
    return status;
}
