/* Listing folders, and the folders in them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "kit/folder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/text.h"
#include "util/vector.h"

#define MOST_DEPTH 64 // deeper ones are links in a circle

/* One listing of one folder. */
typedef struct listing {
    const char *root;   // the folder that was asked for
    const char *prefix; // of names in this folder: "" or "sub/"
    int depth;
    bool deep;
    cli_member_visit *visit;
    void *user;
    xta_status status;
    cli_error *err;
} listing;

static xta_status list_folder(listing *list);

xta_status cli_join(const char *folder, const char *name, char **path, cli_error *err)
{
    size_t n = strlen(folder);
    bool slash = n > 0 && folder[n - 1] == '/';

    *path = xta__string(slash ? "%s%s" : "%s/%s", folder, name);
    return *path != NULL ? XTA_OK : cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for a path", name);
}

static xta_status visit_entry(const listing *list, const xta_dataset_entry *entry)
{
    char *name = xta__string("%s%s", list->prefix, entry->name);
    char *prefix = xta__string("%s%s/", list->prefix, entry->name);
    cli_member member = {.name = name, .array = entry->array, .depth = list->depth};
    xta_status status = XTA_OK;

    if (name == NULL || prefix == NULL) {
        status = cli_fail(list->err, XTA_ENOMEM, 0, "%s: no memory for its name", entry->name);
        goto done;
    }
    XTA_TRY(list->visit(list->user, &member, list->err));
    if (!entry->array && list->deep) {
        listing inner = *list;
        inner.prefix = prefix;
        inner.depth++;
        status = list_folder(&inner);
    }
done:
    free(prefix);
    free(name);
    return status;
}

static int on_entry(void *user, const xta_dataset_entry *entry)
{
    listing *list = user;

    list->status = visit_entry(list, entry);
    return list->status != XTA_OK;
}

static xta_status list_folder(listing *list)
{
    char *folder = NULL;
    xta_error error;
    xta_status status = XTA_OK;

    if (list->depth == MOST_DEPTH) {
        return cli_fail(list->err, XTA_EARG, 0,
                        "%s: folders nest more than %d deep in it; look for a link in a circle",
                        list->root, MOST_DEPTH);
    }
    list->status = XTA_OK;
    if (list->depth == 0) {
        folder = xta__string("%s", list->root);
        status = folder != NULL ? XTA_OK : XTA_ENOMEM;
    } else {
        status = cli_join(list->root, list->prefix, &folder, list->err);
    }
    XTA_TRY(status);
    status = xta_dataset_list(folder, on_entry, list, &error);
    if (list->status != XTA_OK) {
        status = list->status; // its text is there already
    } else if (status != XTA_OK) {
        list->err->error = error;
    }
done:
    free(folder);
    return status;
}

xta_status cli_members_visit(const char *folder, bool deep, cli_member_visit *visit, void *user,
                             cli_error *err)
{
    listing list = {
        .root = folder, .prefix = "", .deep = deep, .visit = visit, .user = user, .err = err};

    return list_folder(&list);
}

/* ---- names ---- */

static xta_status add_member(void *user, const cli_member *member, cli_error *err)
{
    cli_members *members = user;

    if (!member->array) {
        return XTA_OK;
    }
    if (!XTA__RESERVE(members->names, members->capacity, members->n + 1) ||
        (members->names[members->n] = xta__string("%s", member->name)) == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for a list of arrays");
    }
    members->n++;
    return XTA_OK;
}

xta_status cli_members_list(const char *folder, cli_members *members, cli_error *err)
{
    *members = (cli_members){0};
    return cli_members_visit(folder, true, add_member, members, err);
}

void cli_members_clear(cli_members *members)
{
    for (size_t k = 0; k < members->n; k++) {
        free(members->names[k]);
    }
    free(members->names);
    *members = (cli_members){0};
}

bool cli_is_folder(const char *path)
{
    static const char *const suffixes[] = {".xmd", ".pma"};
    struct stat facts;

    if (stat(path, &facts) != 0 || !S_ISDIR(facts.st_mode)) {
        return false;
    }
    for (size_t k = 0; path[0] != '\0' && path[strlen(path) - 1] != '/' && k < CLI_COUNT(suffixes);
         k++) {
        char *journal = xta__string("%s%s", path, suffixes[k]);
        bool there = journal != NULL && stat(journal, &facts) == 0;
        free(journal);
        if (there) {
            return false;
        }
    }
    return true;
}
