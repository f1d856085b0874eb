/* Private header: a set of block numbers, or a map from them to counts of cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_EXECUTOR_BLOCK_MAP_H
#define XTA_EXECUTOR_BLOCK_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct xta__block_map {
    uint64_t *keys; /* number + 1; 0: empty */
    uint64_t *values;
    size_t n, capacity;
} xta__block_map;

/* Find the value of a block; with `add`, a missing block is inserted with the value 0. NULL: not
 * found, or out of memory. */
uint64_t *xta__block_map_at(xta__block_map *map, uint64_t block, bool add);
bool xta__block_map_has(const xta__block_map *map, uint64_t block);
void xta__block_map_remove(xta__block_map *map, uint64_t block);
void xta__block_map_clear(xta__block_map *map);

#endif
