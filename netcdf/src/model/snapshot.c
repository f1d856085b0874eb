/* Opening: all arrays of a data set at one moment.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "model/snapshot.h"

#include "util/try.h"
#include "util/vector.h"

enum { MOST_ROUNDS = 100 };

static xta_status open_members(xta_dataset *set, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_array *array = NULL;

    for (size_t k = 0; k < xta_dataset_member_count(set) && status == XTA_OK; k++) {
        status = xta_dataset_member(set, xta_dataset_member_name(set, k), &array, err);
    }
    return status;
}

/* Groups get their numbers in the order in which NetCDF will define them. */
static xta_status add_group(netcdf_file *file, xta_dataset *set, xta_error *err)
{
    if (!XTA__RESERVE(file->groups, file->groups_capacity, file->n_groups + 1)) {
        return xta_error_set(err, XTA_ENOMEM, 0, "out of memory");
    }
    file->groups[file->n_groups++] = (netcdf_group){.set = set};
    return XTA_OK;
}

static xta_status open_group(netcdf_file *file, xta_dataset *set, int depth, xta_error *err)
{
    xta_status status = XTA_OK;

    if (depth > NC_MAX_DIMS || file->n_groups >= UINT16_MAX) {
        XTA_TRY(
            xta_error_set(err, XTA_EUNSUPPORTED, 0, "%s: too many groups", xta_dataset_path(set)));
    }
    XTA_TRY(open_members(set, err));
    for (size_t k = 0; k < xta_dataset_group_count(set); k++) {
        xta_dataset *inner = NULL;
        XTA_TRY(xta_dataset_group(set, xta_dataset_group_name(set, k), false, &inner, err));
        status = add_group(file, inner, err);
        if (status != XTA_OK) {
            xta_dataset_close(inner, NULL);
            goto done;
        }
        XTA_TRY(open_group(file, inner, depth + 1, err));
    }

done:
    return status;
}

/* One round of refreshes in which nothing changed: between it and the round before there was a
 * moment at which all arrays were as they are here. */
xta_status xta__nc_settle(netcdf_file *file, xta_error *err)
{
    xta_status status = XTA_OK;
    bool changed = true;

    if (file->array != NULL) {
        return xta_array_refresh(file->array, NULL, err);
    }
    for (int round = 0; changed && round < MOST_ROUNDS; round++) {
        changed = false;
        for (size_t k = 0; k < file->n_groups; k++) {
            bool one = false;
            XTA_TRY(xta_dataset_refresh(file->groups[k].set, &one, err));
            XTA_TRY(open_members(file->groups[k].set, err));
            changed = changed || one;
        }
    }
    if (changed) {
        XTA_TRY(xta_error_set(err, XTA_EBUSY, 0,
                              "%s: has changed %d times while it was opened; open it again",
                              xta_dataset_path(file->set), MOST_ROUNDS));
    }

done:
    return status;
}

xta_status xta__nc_open_arrays(netcdf_file *file, const char *path, bool single, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_open_options one = XTA_OPEN_OPTIONS_INIT;
    xta_dataset_options all = XTA_DATASET_OPTIONS_INIT;

    if (single) {
        one.writable = file->writable;
        XTA_TRY(xta_array_open(path, &one, &file->array, err));
        XTA_TRY(add_group(file, NULL, err));
        goto done;
    }
    all.writable = file->writable;
    XTA_TRY(xta_dataset_open(path, &all, &file->set, err));
    XTA_TRY(add_group(file, file->set, err));
    XTA_TRY(open_group(file, file->set, 0, err));
    XTA_TRY(xta__nc_settle(file, err));

done:
    return status;
}
