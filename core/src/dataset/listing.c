/* The members and groups of a data set: what its folder holds, in the order of its journal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/listing.h"

#include <stdlib.h>
#include <string.h>

#include "util/os.h"
#include "util/text.h"
#include "util/vector.h"

enum { SUFFIX_BYTES = 4, MOST_DEPTH = 16 };

xta__member *xta__dataset_find_member(xta_dataset *set, const char *name)
{
    for (size_t k = 0; k < set->n_members; k++) {
        if (strcmp(set->members[k].name, name) == 0) {
            return &set->members[k];
        }
    }
    return NULL;
}

static bool has_group(const xta_dataset *set, const char *name)
{
    size_t k = 0;

    while (k < set->n_groups && strcmp(set->groups[k], name) != 0) {
        k++;
    }
    return k < set->n_groups;
}

static bool is_missing(xta_dataset *set, const xta__entry *entry)
{
    return entry->kind == XTA__ENTRY_MEMBER
               ? !entry->unfinished && xta__dataset_find_member(set, entry->name) == NULL
               : entry->kind == XTA__ENTRY_GROUP && !has_group(set, entry->name);
}

const char *xta_dataset_missing_name(xta_dataset *set, size_t k)
{
    const char *name = NULL;

    pthread_mutex_lock(&set->lock);
    for (size_t i = 0; i < set->entries.n && name == NULL; i++) {
        const xta__entry *entry = set->entries.items[i];
        if (is_missing(set, entry) && k-- == 0) {
            name = entry->name;
        }
    }
    pthread_mutex_unlock(&set->lock);
    return name;
}

/* Whether a file is the journal of an array. Cuts the suffix off. */
static bool cut_journal(char *name)
{
    size_t n = strlen(name);

    if (n <= SUFFIX_BYTES || (!xta__ends_with(name, ".xmd") && !xta__ends_with(name, ".pma")) ||
        strcmp(name, XTA__DATASET_JOURNAL) == 0) {
        return false;
    }
    name[n - SUFFIX_BYTES] = '\0';
    return true;
}

/* Whether a folder holds a data set: a `dataset.xmd`, an array, or a folder that does. */
static bool is_group(const char *folder, const char *name, int depth)
{
    xta__folder_entry *entries = NULL;
    size_t n = 0;
    bool found = false;
    xta_error ignored = {0};

    if (name[0] == '.' || xta__ends_with(name, ".pack") || depth > MOST_DEPTH) {
        return false;
    }
    char *path = xta__string("%s/%s", folder, name);
    if (path != NULL && xta__folder_list(path, &entries, &n, &ignored) == XTA_OK) {
        for (size_t k = 0; k < n && !found; k++) {
            found = entries[k].folder ? is_group(path, entries[k].name, depth + 1)
                                      : strcmp(entries[k].name, XTA__DATASET_JOURNAL) == 0 ||
                                            cut_journal(entries[k].name);
        }
        xta__folder_entries_free(entries, n);
    }
    free(path);
    return found;
}

/* The names that the folder holds and the list does not have yet. */
typedef struct found {
    xta__folder_entry *entries;
    size_t n;
    bool *taken;
    bool *group;
} found;

static size_t position_in(const found *f, const char *name, bool folder)
{
    size_t k = 0;

    while (k < f->n && (f->taken[k] || f->entries[k].folder != folder ||
                        strcmp(f->entries[k].name, name) != 0)) {
        k++;
    }
    return k;
}

/* A member takes over the array of the member of its name in the old list. */
static bool add_member(xta_dataset *set, const char *name, xta__member *old, size_t n_old)
{
    if (!XTA__RESERVE(set->members, set->members_capacity, set->n_members + 1)) {
        return false;
    }
    xta__member member = {.name = xta__strdup(name)};
    if (member.name == NULL) {
        return false;
    }
    for (size_t k = 0; k < n_old; k++) {
        if (old[k].array != NULL && strcmp(old[k].name, name) == 0) {
            member.array = old[k].array;
            old[k].array = NULL;
        }
    }
    set->migrated = set->migrated && member.array != NULL;
    set->members[set->n_members++] = member;
    return true;
}

static bool add_group(xta_dataset *set, const char *name)
{
    if (!XTA__RESERVE(set->groups, set->groups_capacity, set->n_groups + 1)) {
        return false;
    }
    set->groups[set->n_groups] = xta__strdup(name);
    return set->groups[set->n_groups] != NULL && ++set->n_groups > 0;
}

/* First those that the journal names, in its order, then the others. */
static bool add_found(xta_dataset *set, found *f, xta__member *old, size_t n_old)
{
    bool good = true;

    for (size_t k = 0; k < set->entries.n && good; k++) {
        const xta__entry *e = set->entries.items[k];
        bool member = e->kind == XTA__ENTRY_MEMBER;
        size_t at = member || e->kind == XTA__ENTRY_GROUP ? position_in(f, e->name, !member) : f->n;
        if (at < f->n) {
            f->taken[at] = true;
            good = e->unfinished ||
                   (member ? add_member(set, e->name, old, n_old) : add_group(set, e->name));
        }
    }
    for (size_t k = 0; k < f->n && good; k++) {
        const xta__folder_entry *e = &f->entries[k];
        if (!f->taken[k]) {
            good = !e->folder    ? add_member(set, e->name, old, n_old)
                   : f->group[k] ? add_group(set, e->name)
                                 : true;
        }
    }
    return good;
}

/* Arrays of the old list that are no members any more may still be in use. There is memory for
 * them. */
static void retire(xta_dataset *set, xta__member *old, size_t n_old)
{
    for (size_t k = 0; k < n_old; k++) {
        if (old[k].array != NULL) {
            set->retired[set->n_retired++] = old[k].array;
        }
        free(old[k].name);
    }
    free(old);
}

xta_status xta__dataset_list(xta_dataset *set, xta_error *err)
{
    xta_status status = XTA_OK;
    found f = {0};
    xta__member *old = set->members;
    size_t n_old = set->n_members, n_kept = 0;

    XTA_TRY(xta__folder_list(set->folder, &f.entries, &f.n, err));
    f.taken = xta__calloc(f.n + 1, sizeof f.taken[0]);
    f.group = xta__calloc(f.n + 1, sizeof f.group[0]);
    if (f.taken == NULL || f.group == NULL ||
        !XTA__RESERVE(set->retired, set->retired_capacity, set->n_retired + n_old)) {
        XTA_TRY(xta__dataset_no_memory(set, err));
    }
    for (size_t k = 0; k < f.n; k++) {
        bool group = f.entries[k].folder && is_group(set->folder, f.entries[k].name, 0);
        f.group[k] = group;
        // Anything else in the folder is none of ours.
        f.taken[k] = f.entries[k].folder ? false : !cut_journal(f.entries[k].name);
    }
    for (; n_kept < set->n_groups; n_kept++) {
        free(set->groups[n_kept]);
    }
    set->n_groups = 0;
    set->members = NULL;
    set->n_members = set->members_capacity = 0;
    bool good = add_found(set, &f, old, n_old);
    retire(set, old, n_old);
    if (!good) {
        XTA_TRY(xta__dataset_no_memory(set, err));
    }

done:
    xta__folder_entries_free(f.entries, f.n);
    free(f.taken);
    free(f.group);
    return status;
}

xta_status xta__dataset_open_member(xta_dataset *set, xta__member *member, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    char *path = NULL;

    if (member->array != NULL) {
        return XTA_OK;
    }
    options.writable = set->options.writable;
    options.access = set->options.access;
    options.cache_bytes = set->options.cache_bytes;
    options.lock = set->options.lock;
    path = xta__dataset_path_of(set, member->name);
    if (path == NULL) {
        XTA_TRY(xta__dataset_no_memory(set, err));
    }
    XTA_TRY(xta_array_open(path, &options, &member->array, err));

done:
    free(path);
    return status;
}

xta_status xta__dataset_refresh_members(xta_dataset *set, xta_error *err)
{
    xta_status status = XTA_OK;

    for (size_t k = 0; k < set->n_members && status == XTA_OK; k++) {
        if (set->members[k].array != NULL) {
            status = xta_array_refresh(set->members[k].array, NULL, err);
        }
    }
    return status;
}
