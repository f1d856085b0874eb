/* Dimensions: set and removed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/edit/set_dimension.h"

#include <inttypes.h>
#include <string.h>

#include "array/state/names.h"
#include "dataset/change.h"
#include "dataset/dimensions.h"
#include "dataset/listing.h"
#include "dataset/migration/migrate.h"

static xta_status check_dimension(xta_dataset *set, xta_dimension *d, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_error why = {0};

    XTA_TRY(xta__check_name(set->path, "the name of a dimension", d->name, 1, err));
    XTA_TRY(xta__dataset_know_dimensions(set, err));
    const xta_dimension *old = xta__dataset_known_dimension(set, d->name);
    if (old != NULL && old->n_members > 0) {
        d->lo = old->lo;
        d->hi = old->hi;
    }
    if (d->lo > d->hi || d->lo <= -XTA__COORD_LIMIT || d->hi >= XTA__COORD_LIMIT) {
        XTA_TRY(xta__fail(err, XTA_EARG, 0,
                          "%s: dimension %s: bounds [%" PRId64 ", %" PRId64
                          "); give lo <= hi, both less than 2^62 from 0",
                          set->path, d->name, d->lo, d->hi));
    }
    if (d->coordinates != 0 && d->coordinates != XTA_COORDINATES_REGULAR) {
        XTA_TRY(
            xta__fail(err, XTA_EARG, 0,
                      "%s: dimension %s: coordinates %d; give 0 or XTA_COORDINATES_REGULAR, and "
                      "add a member of the dimension's name for listed ones",
                      set->path, d->name, (int)d->coordinates));
    }
    if (d->coordinates == XTA_COORDINATES_REGULAR) {
        if (xta__dataset_find_member(set, d->name) != NULL) {
            XTA_TRY(xta__fail(err, XTA_EEXIST, 0,
                              "%s: dimension %s: the member of this name lists its coordinates; "
                              "remove that first",
                              set->path, d->name));
        }
        status = xta_regular_check(&d->regular, d->lo, d->hi, &why);
        if (status != XTA_OK) {
            XTA_TRY(
                xta__fail(err, status, 0, "%s: dimension %s: %s", set->path, d->name, why.text));
        }
    }

done:
    return status;
}

xta_status xta_dataset_set_dimension(xta_dataset *set, const xta_dimension *dimension,
                                     xta_error *err)
{
    xta__bytes change = {0};
    xta_dimension d = *dimension;
    xta_status status = xta__dataset_change_migrated(set, err);

    if (status != XTA_OK) {
        return status;
    }
    XTA_TRY(check_dimension(set, &d, err));
    xta__change_start(&change);
    xta__change_put_dimension(&change, &d);
    XTA_TRY(xta__dataset_commit(set, &change, err));

done:
    xta__dataset_change_end(set);
    return status;
}

xta_status xta_dataset_remove_dimension(xta_dataset *set, const char *name, xta_error *err)
{
    xta__bytes change = {0};
    xta_status status = xta__dataset_change_begin(set, err);

    if (status != XTA_OK) {
        return status;
    }
    if (xta__entries_find(&set->entries, XTA__ENTRY_DIMENSION, "", name) == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOENT, 0, "%s: nothing was set about a dimension %s", set->path,
                          name));
    }
    XTA_TRY(xta__dataset_know_dimensions(set, err));
    const xta_dimension *d = xta__dataset_known_dimension(set, name);
    if (d->n_members > 0) {
        XTA_TRY(xta__fail(err, XTA_ESTATE, 0,
                          "%s: dimension %s: %zu members have it and would lose its coordinates; "
                          "set it without coordinates instead",
                          set->path, name, d->n_members));
    }
    xta__change_start(&change);
    xta__change_remove_dimension(&change, &set->entries, name);
    XTA_TRY(xta__dataset_commit(set, &change, err));

done:
    xta__dataset_change_end(set);
    return status;
}
