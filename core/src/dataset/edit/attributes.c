/* Attributes of a data set and of its dimensions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/edit/attributes.h"

#include <string.h>

#include "array/state/names.h"
#include "dataset/change.h"
#include "dataset/dimensions.h"
#include "dataset/migration/migrate.h"

/* Attributes of the data set itself concern no member. */
static xta_status begin(xta_dataset *set, const char *dimension, xta_error *err)
{
    return dimension != NULL ? xta__dataset_change_migrated(set, err)
                             : xta__dataset_change_begin(set, err);
}

static const char *owner_of(const char *dimension)
{
    return dimension != NULL ? dimension : "";
}

/* Whether the dimension may have attributes of its own. */
static xta_status check_owner(xta_dataset *set, const char *dimension, xta_error *err)
{
    const xta_dimension *found = NULL;

    if (dimension == NULL) {
        return XTA_OK;
    }
    xta_status status = xta__dataset_find_dimension(set, dimension, &found, err);
    if (status == XTA_OK && found->coordinates == XTA_COORDINATES_LISTED) {
        status = xta__fail(err, XTA_EARG, 0,
                           "%s: dimension %s has listed coordinates: set attributes of the member "
                           "%s",
                           set->path, dimension, dimension);
    }
    return status;
}

xta_status xta_dataset_set_attribute(xta_dataset *set, const char *dimension,
                                     const xta_attribute *attribute, xta_error *err)
{
    xta__bytes change = {0};
    size_t cell_bytes = 0;
    xta_status status = begin(set, dimension, err);

    if (status != XTA_OK) {
        return status;
    }
    XTA_TRY(xta__check_attribute(set->path, attribute, &cell_bytes, err));
    XTA_TRY(check_owner(set, dimension, err));
    xta__change_start(&change);
    xta__change_put_attribute(&change, owner_of(dimension), attribute);
    XTA_TRY(xta__dataset_commit(set, &change, err));

done:
    xta__dataset_change_end(set);
    return status;
}

xta_status xta_dataset_set_text(xta_dataset *set, const char *dimension, const char *name,
                                const char *text, xta_error *err)
{
    const xta_attribute attribute = {
        .name = name, .type = XTA_TEXT, .count = strlen(text), .values = text};

    return xta_dataset_set_attribute(set, dimension, &attribute, err);
}

xta_status xta_dataset_attribute(xta_dataset *set, const char *dimension, const char *name,
                                 xta_attribute *attribute, xta_error *err)
{
    xta_status status = XTA_OK;

    xta__clear(err);
    pthread_mutex_lock(&set->lock);
    const xta__entry *found =
        xta__entries_find(&set->entries, XTA__ENTRY_ATTRIBUTE, owner_of(dimension), name);
    if (found != NULL) {
        *attribute = found->attribute;
    } else {
        status = xta__fail(err, XTA_ENOENT, 0, "%s: %s%sno attribute '%s'", set->path,
                           owner_of(dimension), dimension != NULL ? ": " : "", name);
    }
    pthread_mutex_unlock(&set->lock);
    return status;
}

/* Attribute number `k` of an owner, NULL if there is none; *count: how many there are. */
static const xta__entry *find_kth(const xta_dataset *set, const char *owner, size_t k,
                                  size_t *count)
{
    const xta__entry *found = NULL;

    *count = 0;
    for (size_t j = 0; j < set->entries.n; j++) {
        const xta__entry *e = set->entries.items[j];
        if (e->kind == XTA__ENTRY_ATTRIBUTE && strcmp(e->owner, owner) == 0) {
            found = *count == k ? e : found;
            (*count)++;
        }
    }
    return found;
}

size_t xta_dataset_attribute_count(xta_dataset *set, const char *dimension)
{
    size_t count = 0;

    pthread_mutex_lock(&set->lock);
    find_kth(set, owner_of(dimension), 0, &count);
    pthread_mutex_unlock(&set->lock);
    return count;
}

xta_status xta_dataset_attribute_at(xta_dataset *set, const char *dimension, size_t k,
                                    xta_attribute *attribute, xta_error *err)
{
    xta_status status = XTA_OK;
    size_t count = 0;

    xta__clear(err);
    pthread_mutex_lock(&set->lock);
    const xta__entry *found = find_kth(set, owner_of(dimension), k, &count);
    if (found != NULL) {
        *attribute = found->attribute;
    } else {
        status =
            xta__fail(err, XTA_ENOENT, 0, "%s: attribute %zu: there are %zu", set->path, k, count);
    }
    pthread_mutex_unlock(&set->lock);
    return status;
}

xta_status xta_dataset_remove_attribute(xta_dataset *set, const char *dimension, const char *name,
                                        xta_error *err)
{
    xta__bytes change = {0};
    xta_status status = begin(set, dimension, err);

    if (status != XTA_OK) {
        return status;
    }
    const char *owner = owner_of(dimension);
    if (xta__entries_find(&set->entries, XTA__ENTRY_ATTRIBUTE, owner, name) == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOENT, 0, "%s: %s%sno attribute '%s'", set->path, owner,
                          dimension != NULL ? ": " : "", name));
    }
    xta__change_start(&change);
    xta__change_remove(&change, XTA__ENTRY_ATTRIBUTE, owner, name);
    XTA_TRY(xta__dataset_commit(set, &change, err));

done:
    xta__dataset_change_end(set);
    return status;
}
