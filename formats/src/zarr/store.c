/* A Zarr store in a folder: its metadata as JSON, names of nodes, and bytes of chunks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "zarr/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "util/os.h"
#include "util/text.h"
#include "util/try.h"
#include "zarr/json_text.h"

enum { MOST_DOCUMENT_BYTES = 256 << 20, MOST_PATH_BYTES = 4352 };

static xta_status no_memory(const zarr_store *store, xta_error *err)
{
    return xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", store->path);
}

/* ---- files ---- */

/* No component is empty, `.`, `..`, or has a zero byte (which ends it). */
static bool stays_inside(const char *name)
{
    while (true) {
        size_t n = strcspn(name, "/");
        if (n == 0 || (n == 1 && name[0] == '.') || (n == 2 && name[0] == '.' && name[1] == '.')) {
            return false;
        }
        if (name[n] == '\0') {
            return true;
        }
        name += n + 1;
    }
}

/* Whether a component of the name is a symbolic link. */
static bool has_link(const zarr_store *store, char *path)
{
    size_t root = strlen(store->path);
    bool link = false;

    for (char *c = path + root + 1; !link && *c != '\0'; c++) {
        if (*c == '/') {
            *c = '\0';
            link = xta__path_is_link(path);
            *c = '/';
        }
    }
    return link || xta__path_is_link(path);
}

/* The path of a file in the store, which may be read. */
static xta_status find_path(const zarr_store *store, const char *name, char **out, xta_error *err)
{
    if (!stays_inside(name)) {
        return xta_error_set(err, XTA_EFORMAT, 0,
                             "%s: its metadata names %s, which is not inside of it; write the "
                             "store again",
                             store->path, name);
    }
    char *path = xta__string("%s/%s", store->path, name);
    if (path == NULL) {
        return no_memory(store, err);
    }
    if (!store->trust && has_link(store, path)) {
        free(path);
        return xta_error_set(err, XTA_EACCESS, 0,
                             "%s: %s is reached through a symbolic link; use --trust if you trust "
                             "whoever made the store",
                             store->path, name);
    }
    *out = path;
    return XTA_OK;
}

static xta_status read_bytes(const xta__file *file, uint64_t length, uint8_t **bytes, size_t *n,
                             xta_error *err)
{
    *bytes = malloc((size_t)length + 1);
    if (*bytes == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", file->path);
    }
    xta_status status = xta__file_read_at(file, 0, *bytes, (size_t)length, n, err);
    if (status != XTA_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}

xta_status xta__zarr_store_read(const zarr_store *store, const char *name, uint64_t most,
                                uint8_t **bytes, size_t *n, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__file file = XTA__FILE_CLOSED;
    char *path = NULL;
    uint64_t length = 0, real = 0;
    xta_error why = {0};

    *bytes = NULL;
    XTA_TRY(find_path(store, name, &path, err));
    if (xta__path_is_folder(path)) {
        XTA_TRY(xta_error_set(err, XTA_EFORMAT, 0,
                              "%s: is a folder, and should be a file; write the store again",
                              path));
    }
    status =
        xta__file_open(path, store->trust ? XTA__FILE_READ : XTA__FILE_READ_NO_LINK, &file, &why);
    if (status == XTA_ENOENT && xta__path_is_missing(path)) { // a link to nowhere is damage
        status = XTA_OK;
        goto done;
    }
    if (status != XTA_OK && err != NULL) {
        *err = why;
    }
    XTA_TRY(status);
    XTA_TRY(xta__file_sizes(&file, &length, &real, err));
    if (length > most) {
        XTA_TRY(xta_error_set(err, XTA_EFORMAT, 0,
                              "%s: has %llu bytes, and at most %llu can belong to it; write the "
                              "store again",
                              path, (unsigned long long)length, (unsigned long long)most));
    }
    XTA_TRY(read_bytes(&file, length, bytes, n, err));

done:
    xta__file_close(&file);
    free(path);
    return status;
}

bool xta__zarr_store_may_have(const zarr_store *store, const char *name)
{
    char *path = NULL;
    bool may = find_path(store, name, &path, NULL) != XTA_OK || !xta__path_is_missing(path);

    free(path);
    return may;
}

/* ---- documents ---- */

static xta_status read_document(const zarr_store *store, const char *name, json_t **out,
                                xta_error *err)
{
    uint8_t *bytes = NULL;
    size_t n = 0;
    json_error_t wrong;
    xta_status status = xta__zarr_store_read(store, name, MOST_DOCUMENT_BYTES, &bytes, &n, err);

    *out = NULL;
    if (status != XTA_OK || bytes == NULL) {
        return status;
    }
    *out = xta__zarr_json_read((const char *)bytes, n, &wrong);
    free(bytes);
    if (*out == NULL && wrong.text[0] == '\0') {
        return no_memory(store, err);
    }
    if (!json_is_object(*out)) {
        bool is_json = *out != NULL;
        json_decref(*out);
        *out = NULL;
        return xta_error_set(err, XTA_EFORMAT, 0,
                             "%s/%s: is no object of JSON, see line %d (%s); write the store again",
                             store->path, name, is_json ? 1 : wrong.line,
                             is_json ? "another value" : wrong.text);
    }
    return XTA_OK;
}

/* The consolidated document, borrowed; NULL: none. */
static json_t *consolidated_of(const zarr_store *store, const char *node, const char *key)
{
    return store->version == 2 ? json_object_get(store->consolidated, key)
           : node[0] != '\0'   ? json_object_get(store->consolidated, node)
                               : NULL;
}

/* Whether a file and the consolidated document say the same. In version 3 both may repeat what is
 * in a group. */
static bool agree(const json_t *file, const json_t *consolidated, bool *out_of_memory)
{
    static const char of_group[] = "consolidated_metadata";
    bool same = json_equal(file, consolidated);

    *out_of_memory = false;
    if (!same && (json_object_get(file, of_group) != NULL ||
                  json_object_get(consolidated, of_group) != NULL)) {
        json_t *a = json_copy((json_t *)(uintptr_t)file);
        json_t *b = json_copy((json_t *)(uintptr_t)consolidated);
        *out_of_memory = a == NULL || b == NULL;
        json_object_del(a, of_group);
        json_object_del(b, of_group);
        same = json_equal(a, b);
        json_decref(a);
        json_decref(b);
    }
    return same;
}

xta_status xta__zarr_store_document(const zarr_store *store, const char *node, const char *name,
                                    json_t **out, bool *stale, xta_error *err)
{
    xta_status status = XTA_OK;
    const char *slash = node[0] != '\0' ? "/" : "";
    char *key = xta__string("%s%s%s", node, slash, name);
    bool out_of_memory = key == NULL;
    json_t *other = key != NULL ? consolidated_of(store, node, key) : NULL;

    *out = NULL;
    if (key != NULL) {
        XTA_TRY(read_document(store, key, out, err));
    }
    if (*out != NULL && other != NULL) {
        *stale = !agree(*out, other, &out_of_memory) || *stale;
    } else if (other != NULL && !json_is_object(other)) {
        XTA_TRY(xta_error_set(err, XTA_EFORMAT, 0,
                              "%s: its consolidated metadata has no object for %s; write it again",
                              store->path, key));
    } else if (*out == NULL) {
        *out = json_incref(other);
    }
    if (out_of_memory) {
        XTA_TRY(no_memory(store, err));
    }

done:
    if (status != XTA_OK) {
        json_decref(*out);
        *out = NULL;
    }
    free(key);
    return status;
}

/* ---- names of nodes ---- */

/* What is below `node` in a name; NULL: it is not below, or one of the node's own documents. */
static const char *below(const zarr_store *store, const char *node, const char *name)
{
    size_t n = strlen(node);

    if (n > 0 && (strncmp(name, node, n) != 0 || name[n] != '/')) {
        return NULL;
    }
    const char *rest = name + (n > 0 ? n + 1 : 0);
    bool own = store->version == 2 ? strchr(rest, '/') == NULL : rest[0] == '\0' && n == 0;
    return own ? NULL : rest;
}

static bool list_consolidated(const zarr_store *store, const char *node, json_t *names)
{
    const char *key = NULL;
    json_t *value = NULL;
    bool good = true;

    json_object_foreach(store->consolidated, key, value)
    {
        const char *rest = good ? below(store, node, key) : NULL;
        if (rest == NULL) {
            continue;
        }
        int n = (int)strcspn(rest, "/");
        char *name = xta__string("%.*s", n > 0 ? n : (int)strlen(rest), rest);
        json_t *why = n > 0 ? json_null() : json_string("a name on its path is empty");
        good = name != NULL && why != NULL &&
               (json_object_get(names, name) != NULL || json_object_set(names, name, why) == 0);
        json_decref(why);
        free(name);
    }
    return good;
}

/* Why a node that is in a folder cannot be read; NULL: it can. */
static const char *refuse_node(const zarr_store *store, const char *name, const char *path)
{
    size_t n = strlen(name);

    return xta__clean_bytes(name, n, false) != n ? "its name is no UTF-8, or has control characters"
           : name[0] == '.'                      ? "a member cannot have this name"
           : !store->trust && xta__path_is_link(path) ? "it is a symbolic link; --trust follows it"
                                                      : NULL;
}

static bool add_node(const zarr_store *store, const char *name, const char *path, json_t *names)
{
    const char *why = xta__zarr_is_store(path) ? refuse_node(store, name, path) : NULL;
    char *shown = xta__copy_foreign_name(name);
    bool good = shown != NULL;

    if (good && xta__zarr_is_store(path)) {
        json_t *value = why != NULL ? json_string(why) : json_null();
        good = json_object_set_new(names, shown, value) == 0;
    }
    free(shown);
    return good;
}

static bool list_folder(const zarr_store *store, const xta__folder_entry *entries, size_t n,
                        const char *folder, json_t *names)
{
    bool good = true;

    for (size_t k = 0; k < n && good; k++) {
        char *path = xta__string("%s/%s", folder, entries[k].name);
        good = path != NULL && add_node(store, entries[k].name, path, names);
        free(path);
    }
    return good;
}

xta_status xta__zarr_store_children(const zarr_store *store, const char *node, json_t **out,
                                    xta_error *err)
{
    xta_status status = XTA_OK;
    xta__folder_entry *entries = NULL;
    size_t n = 0;
    json_t *names = json_object();
    char *folder = xta__string("%s%s%s", store->path, node[0] != '\0' ? "/" : "", node);
    bool good = names != NULL && folder != NULL;

    if (good && xta__path_is_folder(folder)) {
        XTA_TRY(xta__folder_list(folder, &entries, &n, err));
        good = list_folder(store, entries, n, folder, names);
    }
    good = good && list_consolidated(store, node, names);
    if (!good) {
        XTA_TRY(no_memory(store, err));
    }
    *out = names;
    names = NULL;

done:
    xta__folder_entries_free(entries, n);
    json_decref(names);
    free(folder);
    return status;
}

/* ---- the store ---- */

static bool has_file(const char *folder, const char *name)
{
    char path[MOST_PATH_BYTES]; // so that it cannot run out of memory; no system has longer paths
    int n = snprintf(path, sizeof path, "%s/%s", folder, name);

    return n > 0 && (size_t)n < sizeof path && xta__path_exists(path);
}

bool xta__zarr_is_store(const char *path)
{
    return xta__path_is_folder(path) && (has_file(path, "zarr.json") || has_file(path, ".zgroup") ||
                                         has_file(path, ".zarray") || has_file(path, ".zmetadata"));
}

xta_status xta__zarr_store_open(const char *path, bool trust, zarr_store *store, xta_error *err)
{
    xta_status status = XTA_OK;
    json_t *root = NULL;

    *store = (zarr_store){.path = path, .trust = trust};
    store->version = has_file(path, "zarr.json") ? 3 : 2;
    XTA_TRY(read_document(store, store->version == 3 ? "zarr.json" : ".zmetadata", &root, err));
    json_t *metadata = store->version == 3 ? json_object_get(root, "consolidated_metadata") : root;
    metadata = json_object_get(metadata, "metadata");
    store->consolidated = json_is_object(metadata) ? json_incref(metadata) : NULL;

done:
    json_decref(root);
    return status;
}

void xta__zarr_store_close(zarr_store *store)
{
    json_decref(store->consolidated);
    store->consolidated = NULL;
}
