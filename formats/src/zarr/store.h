/* A Zarr store in a folder: its metadata as JSON, names of nodes, and bytes of chunks.
 *
 * Files of metadata are read first, and consolidated metadata where there are none, since it may be
 * older. Names that lead out of the folder are refused, and so are symbolic links, unless the store
 * is trusted.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_ZARR_STORE_H
#define XTA_FORMATS_ZARR_STORE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/status.h>

typedef struct zarr_store {
    const char *path; /* of the folder */
    int version;      /* 2 or 3 */
    bool trust;
    json_t *consolidated; /* by names such as `group/array/.zarray`, or `group/array`; or NULL */
} zarr_store;

/* Whether a folder is a Zarr group or array. */
bool xta__zarr_is_store(const char *path);

xta_status xta__zarr_store_open(const char *path, bool trust, zarr_store *store, xta_error *err);
void xta__zarr_store_close(zarr_store *store);

/* A document of a node: `.zarray`, `.zgroup`, `.zattrs` (2) or `zarr.json` (3). *out is NULL if
 * there is none, else for json_decref. `node` is "" for the root. *stale becomes true if the
 * consolidated metadata has another one. */
xta_status xta__zarr_store_document(const zarr_store *store, const char *node, const char *name,
                                    json_t **out, bool *stale, xta_error *err);

/* Names of the nodes in a group, an object for json_decref: each has null, or a text why it cannot
 * be read. */
xta_status xta__zarr_store_children(const zarr_store *store, const char *node, json_t **out,
                                    xta_error *err);

/* The whole of a file; *bytes is NULL if there is none. XTA_EFORMAT: longer than `most`. */
xta_status xta__zarr_store_read(const zarr_store *store, const char *name, uint64_t most,
                                uint8_t **bytes, size_t *n, xta_error *err);
/* Whether there may be such a file: false only if there is none. */
bool xta__zarr_store_may_have(const zarr_store *store, const char *name);

#endif
