/* Whether the cache of a chunk store is valid.
 *
 * Invariants
 *   K1  An entry holds a chunk if and only if it is linked, once, in the bucket of its address; no
 *       two have the same address.
 *   K2  An address is in the shard that is computed from it.
 *   K3  Writers are among the pins, and an entry that is being loaded is pinned.
 *   K4  An entry that is not dirty has no dirty cell: otherwise cells that nobody changed would
 *       overwrite those of another process.
 *   K5  The second-chance hand points at an entry, and there are no more entries than capacity.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_CACHE_CHECK_H
#define XTA_STORE_CHUNKS_CACHE_CHECK_H

#include "store/chunks/cache_table.h"

/* Shard `number` of `n_shards`, whose lock is held: NULL, or a constant text that names the first
 * invariant that does not hold. Cost: all entries, and one bit for each cell of each. */
const char *xta__check_cache_shard(const shard *s, uint64_t number, uint64_t n_shards,
                                   size_t n_cells);

/* K1 to K3 of one entry. */
const char *xta__check_cache_entry(const shard *s, const entry *e, uint64_t number,
                                   uint64_t n_shards);

#endif
