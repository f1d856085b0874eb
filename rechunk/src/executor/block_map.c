/* A hash table of block numbers: open addressing, linear probing.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "executor/block_map.h"

#include <stdlib.h>

#include "util/checked.h"

static size_t slot_of(const xta__block_map *map, uint64_t key)
{
    size_t k = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (map->capacity - 1);

    while (map->keys[k] != 0 && map->keys[k] != key) {
        k = (k + 1) & (map->capacity - 1);
    }
    return k;
}

static bool block_map_grow(xta__block_map *map)
{
    size_t old_capacity = map->capacity, capacity = old_capacity > 0 ? 2 * old_capacity : 64;
    uint64_t *old_keys = map->keys, *old_values = map->values;
    uint64_t *keys = xta__calloc(capacity, sizeof keys[0]);
    uint64_t *values = xta__calloc(capacity, sizeof values[0]);

    if (keys == NULL || values == NULL) {
        free(keys);
        free(values);
        return false;
    }
    map->keys = keys;
    map->values = values;
    map->capacity = capacity;
    for (size_t i = 0; i < old_capacity; i++) {
        if (old_keys[i] != 0) {
            size_t k = slot_of(map, old_keys[i]);
            keys[k] = old_keys[i];
            values[k] = old_values[i];
        }
    }
    free(old_keys);
    free(old_values);
    return true;
}

uint64_t *xta__block_map_at(xta__block_map *map, uint64_t block, bool add)
{
    if (add && map->n * 2 >= map->capacity && !block_map_grow(map)) {
        return NULL;
    }
    if (map->capacity == 0) {
        return NULL;
    }
    size_t k = slot_of(map, block + 1);
    if (map->keys[k] == 0) {
        if (!add) {
            return NULL;
        }
        map->keys[k] = block + 1;
        map->values[k] = 0;
        map->n++;
    }
    return &map->values[k];
}

bool xta__block_map_has(const xta__block_map *map, uint64_t block)
{
    return map->capacity > 0 && map->keys[slot_of(map, block + 1)] != 0;
}

void xta__block_map_remove(xta__block_map *map, uint64_t block)
{
    size_t k = map->capacity > 0 ? slot_of(map, block + 1) : 0;

    if (map->capacity == 0 || map->keys[k] == 0) {
        return;
    }
    map->keys[k] = 0;
    map->n--;
    // Entries after it may have been displaced by it, so they are inserted again.
    for (size_t i = (k + 1) & (map->capacity - 1); map->keys[i] != 0;
         i = (i + 1) & (map->capacity - 1)) {
        uint64_t key = map->keys[i], value = map->values[i];
        map->keys[i] = 0;
        size_t at = slot_of(map, key);
        map->keys[at] = key;
        map->values[at] = value;
    }
}

void xta__block_map_clear(xta__block_map *map)
{
    free(map->keys);
    free(map->values);
    *map = (xta__block_map){0};
}
