/* A Zarr store in a folder: its metadata as JSON, names of nodes, and bytes of chunks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "zarr/store.h"

#include <stdlib.h>
#include <string.h>

#include "util/os.h"
#include "util/text.h"
#include "util/try.h"
#include "zarr/json_text.h"

enum { MOST_DOCUMENT_BYTES = 256 << 20 };

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

    *bytes = NULL;
    XTA_TRY(find_path(store, name, &path, err));
    if (!xta__path_exists(path)) {
        goto done;
    }
    if (xta__path_is_folder(path)) {
        XTA_TRY(xta_error_set(err, XTA_EFORMAT, 0,
                              "%s: is a folder, and should be a file; write the store again",
                              path));
    }
    XTA_TRY(
        xta__file_open(path, store->trust ? XTA__FILE_READ : XTA__FILE_READ_NO_LINK, &file, err));
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

bool xta__zarr_store_has(const zarr_store *store, const char *name)
{
    char *path = stays_inside(name) ? xta__string("%s/%s", store->path, name) : NULL;
    bool has = path == NULL || xta__path_is_taken(path);

    free(path);
    return has;
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
    if (!json_is_object(*out)) {
        json_decref(*out);
        *out = NULL;
        return xta_error_set(err, XTA_EFORMAT, 0,
                             "%s/%s: is no object of JSON, see line %d (%s); write the store again",
                             store->path, name, wrong.line, wrong.text);
    }
    return XTA_OK;
}

xta_status xta__zarr_store_document(const zarr_store *store, const char *node, const char *name,
                                    json_t **out, xta_error *err)
{
    const char *slash = node[0] != '\0' ? "/" : "";
    char *key = xta__string("%s%s%s", node, slash, name);
    xta_status status = XTA_OK;

    *out = NULL;
    if (key == NULL) {
        return no_memory(store, err);
    }
    if (store->consolidated != NULL && (store->version == 2 || node[0] != '\0')) {
        *out = json_incref(json_object_get(store->consolidated, store->version == 2 ? key : node));
        if (*out != NULL && !json_is_object(*out)) {
            json_decref(*out);
            *out = NULL;
            status = xta_error_set(err, XTA_EFORMAT, 0,
                                   "%s: its consolidated metadata has no object for %s; write it "
                                   "again",
                                   store->path, key);
        }
    } else {
        status = read_document(store, key, out, err);
    }
    free(key);
    return status;
}

/* ---- names of nodes ---- */

/* The first component below `node` of a name; its length, 0: none. */
static size_t child_in(const zarr_store *store, const char *node, const char *name,
                       const char **child)
{
    size_t n = strlen(node);

    if (n > 0 && (strncmp(name, node, n) != 0 || name[n] != '/')) {
        return 0;
    }
    *child = name + (n > 0 ? n + 1 : 0);
    size_t length = strcspn(*child, "/");
    bool node_itself = store->version == 2 && (*child)[length] == '\0'; // its documents
    return node_itself ? 0 : length;
}

static bool has_string(const json_t *array, const char *text, size_t n)
{
    // Names of one node follow each other in nearly every store, so the last one is compared first.
    for (size_t k = json_array_size(array); k-- > 0;) {
        const json_t *one = json_array_get(array, k);
        if (json_string_length(one) == n && memcmp(json_string_value(one), text, n) == 0) {
            return true;
        }
    }
    return false;
}

static bool list_consolidated(const zarr_store *store, const char *node, json_t *names)
{
    const char *key = NULL, *child = NULL;
    json_t *value = NULL;

    json_object_foreach(store->consolidated, key, value)
    {
        size_t n = child_in(store, node, key, &child);
        if (n > 0 && !has_string(names, child, n) &&
            json_array_append_new(names, json_stringn(child, n)) != 0) {
            return false;
        }
    }
    return true;
}

static bool list_folder(const zarr_store *store, const xta__folder_entry *entries, size_t n,
                        const char *folder, json_t *names)
{
    bool good = true;

    for (size_t k = 0; k < n && good; k++) {
        char *path = xta__string("%s/%s", folder, entries[k].name);
        bool node = entries[k].folder && entries[k].name[0] != '.' &&
                    (store->trust || (path != NULL && !xta__path_is_link(path)));
        json_t *name = node ? json_string(entries[k].name) : NULL; // NULL: no UTF-8
        good = path != NULL && (name == NULL || json_array_append_new(names, name) == 0);
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
    json_t *names = json_array();
    char *folder = xta__string("%s%s%s", store->path, node[0] != '\0' ? "/" : "", node);
    bool good = names != NULL && folder != NULL;

    if (good && store->consolidated != NULL) {
        good = list_consolidated(store, node, names);
    } else if (good) {
        XTA_TRY(xta__folder_list(folder, &entries, &n, err));
        good = list_folder(store, entries, n, folder, names);
    }
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
    char *path = xta__string("%s/%s", folder, name);
    bool has = path != NULL && xta__path_exists(path);

    free(path);
    return has;
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
