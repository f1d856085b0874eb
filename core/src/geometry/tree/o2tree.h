/* An ordered index in memory, from int64_t keys to uint32_t values.
 *
 * It answers "the last record at or below this key". Records are added and never removed. Several
 * threads may read a tree at once; while one inserts, nobody else may use it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_TREE_O2TREE_H
#define XTA_GEOMETRY_TREE_O2TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

typedef struct xta__o2tree xta__o2tree;

/* An empty tree, freed with xta__o2tree_free; NULL: out of memory. */
xta__o2tree *xta__o2tree_new(void);

void xta__o2tree_free(xta__o2tree *tree);

/* Add a record. XTA_EEXIST: the key exists (with whatever value). XTA_ENOMEM. In both cases the
 * tree is unchanged. */
xta_status xta__o2tree_insert(xta__o2tree *tree, int64_t key, uint32_t value) XTA_MUST_CHECK;

/* Reserve memory so that the next `n` insertions cannot return XTA_ENOMEM. XTA_ENOMEM: out of
 * memory. */
xta_status xta__o2tree_reserve(xta__o2tree *tree, size_t n) XTA_MUST_CHECK;

/* The last record with a key <= `key`; false, and nothing set, if there is none. `value` and
 * `found_key` may be NULL. */
bool xta__o2tree_floor(const xta__o2tree *tree, int64_t key, uint32_t *value, int64_t *found_key);

/* How many records there are. */
size_t xta__o2tree_count(const xta__o2tree *tree);

/* Bytes of memory in use, without the allocator's overhead. */
size_t xta__o2tree_bytes(const xta__o2tree *tree);

/* A place in the sequence of records. Valid until the next insertion. */
typedef struct xta__o2tree_cursor {
    const void *leaf;
    size_t at;
} xta__o2tree_cursor;

/* Before the record with the least key. */
xta__o2tree_cursor xta__o2tree_begin(const xta__o2tree *tree);

/* Get the record at the cursor, in ascending order of keys, and advance the cursor; false, and
 * nothing set, after the last. `key` and `value` may be NULL. */
bool xta__o2tree_next(xta__o2tree_cursor *cursor, int64_t *key, uint32_t *value);

#endif
