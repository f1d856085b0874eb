/* What a data set says about its arrays, copied to another one: one change.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/copy_entries.h"

#include "dataset/change.h"

/* All entries but those of members that are being added or removed. */
static void put_entries(xta__bytes *change, const xta__entries *entries)
{
    xta__change_start(change);
    xta__change_put_all(change, entries, true);
    for (size_t k = 0; k < entries->n; k++) {
        if (entries->items[k]->unfinished) {
            xta__change_remove(change, XTA__ENTRY_MEMBER, "", entries->items[k]->name);
        }
    }
}

xta_status xta_dataset_copy_entries(xta_dataset *from, xta_dataset *to, xta_error *err)
{
    xta__bytes change = {0};
    xta_status status = XTA_OK;

    xta__clear(err);
    if (from == to) {
        return xta__fail(err, XTA_EARG, 0, "%s: the same data set twice", from->path);
    }
    pthread_mutex_lock(&from->lock);
    status = xta__dataset_begin(from, err);
    put_entries(&change, &from->entries);
    pthread_mutex_unlock(&from->lock);
    if (status == XTA_OK) {
        status = xta__dataset_change_begin(to, err);
    }
    if (status == XTA_OK) {
        status = xta__dataset_commit(to, &change, err);
        xta__dataset_change_end(to);
    }
    xta__bytes_clear(&change);
    return status;
}
