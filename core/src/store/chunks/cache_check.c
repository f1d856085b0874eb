/* Whether the cache of a chunk store is valid; the invariants are in the header.
 *
 * Debug builds check an entry each time it is unpinned, and a whole shard after it was written.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/chunks/cache_check.h"

#include "store/chunks/cell_bits.h"

/* How often the entry is linked in the bucket of its address. */
static size_t links_of(const shard *s, const entry *e)
{
    size_t n = 0;

    for (const entry *at = *bucket_of(s, e->address); at != NULL; at = at->next) {
        n += at == e;
    }
    return n;
}

const char *xta__check_cache_entry(const shard *s, const entry *e, uint64_t number,
                                   uint64_t n_shards)
{
    if (links_of(s, e) != (e->used ? 1 : 0)) {
        return "K1: an entry is not linked as its chunk wants it";
    }
    if (e->used && find(s, e->address) != e) {
        return "K1: two entries have one address";
    }
    if (e->used && e->address % n_shards != number) {
        return "K2: an entry is in the shard of other addresses";
    }
    if (e->writers < 0 || e->pins < e->writers) {
        return "K3: there are more writers than pins";
    }
    return e->used && e->state == ENTRY_LOADING && e->pins == 0
               ? "K3: an entry is being loaded and nobody has pinned it"
               : NULL;
}

const char *xta__check_cache_shard(const shard *s, uint64_t number, uint64_t n_shards,
                                   size_t n_cells)
{
    if (s->n_entries > s->entries_capacity || (s->hand > 0 && s->hand >= s->n_entries)) {
        return "K5: the hand is behind the last entry";
    }
    for (size_t i = 0; i < s->n_entries; i++) {
        const entry *e = s->entries[i];
        const char *flaw = xta__check_cache_entry(s, e, number, n_shards);
        if (flaw != NULL) {
            return flaw;
        }
        if (!e->any_dirty && xta__next_bit(e->dirty, n_cells, 0, true) < n_cells) {
            return "K4: an entry has dirty cells and does not know of them";
        }
    }
    return NULL;
}
