/* The session cache of one array on one rank.
 *
 * Entries lie in a table of slots with linear probing, keyed by the indices of the chunk; a second
 * table, direct-mapped, remembers which other chunks were asked for once. The hand of the clock
 * goes through the slots: an entry that it meets loses one of its visits, or, without any, its
 * place.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/cache/chunk_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "util/checked.h"

#define MOST_VISITS 15 // an entry that was popular once makes way after as many turns of the hand

typedef struct entry {
    unsigned char *cells; /* row-major; NULL: the slot is free */
    xta_box box;          /* the cells held: the chunk, as far as the array had it */
    int64_t chunk[XTA_MAX_NDIM];
    uint64_t bytes;
    int visits;
} entry;

struct xta__chunk_cache {
    pthread_mutex_t lock;
    int ndim;
    int64_t chunk[XTA_MAX_NDIM];
    size_t cell_bytes;
    uint64_t limit;
    size_t n_slots, n_seen; /* powers of two */
    size_t n_entries, hand;
    entry *slots;
    uint64_t *seen; /* hashes of chunks asked for once; 0: none */
    xta__cache_counts counts;
};

/* One read: where its cells go, and the chunk that is being served. */
typedef struct visit {
    xta_array *array;
    const xta_box *box;
    unsigned char *cells;
    int64_t strides[XTA_MAX_NDIM]; /* bytes from cell to cell of the result */
    int64_t chunk[XTA_MAX_NDIM];
    xta_box whole; /* the chunk, cut at the bounds */
    xta_box part;  /* what the read asks of it */
} visit;

/* ---- making and freeing ---- */

static size_t power_above(uint64_t n)
{
    size_t power = 16;

    while (power < n && power < (size_t)1 << 40) {
        power *= 2;
    }
    return power;
}

xta__chunk_cache *xta__cache_new(int ndim, const int64_t chunk[], size_t cell_bytes, uint64_t limit)
{
    xta__chunk_cache *cache = xta__calloc(1, sizeof *cache);
    uint64_t chunk_bytes = cell_bytes;

    if (cache == NULL || pthread_mutex_init(&cache->lock, NULL) != 0) {
        free(cache);
        return NULL;
    }
    for (int axis = 0; axis < ndim; axis++) {
        cache->chunk[axis] = chunk[axis];
        chunk_bytes *= (uint64_t)chunk[axis];
    }
    cache->ndim = ndim;
    cache->cell_bytes = cell_bytes;
    cache->limit = limit;
    // Chunks at the ends of the array are smaller than others, but rarely many.
    cache->n_slots = power_above(2 * (limit / chunk_bytes + 1));
    cache->n_seen = 4 * cache->n_slots;
    cache->slots = xta__calloc(cache->n_slots, sizeof cache->slots[0]);
    cache->seen = xta__calloc(cache->n_seen, sizeof cache->seen[0]);
    if (cache->slots == NULL || cache->seen == NULL) {
        xta__cache_free(cache);
        return NULL;
    }
    return cache;
}

void xta__cache_free(xta__chunk_cache *cache)
{
    if (cache == NULL) {
        return;
    }
    for (size_t k = 0; k < cache->n_slots && cache->slots != NULL; k++) {
        free(cache->slots[k].cells);
    }
    free(cache->slots);
    free(cache->seen);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

void xta__cache_reset(xta__chunk_cache *cache, int ndim, const int64_t chunk[], size_t cell_bytes)
{
    pthread_mutex_lock(&cache->lock);
    for (size_t k = 0; k < cache->n_slots; k++) {
        free(cache->slots[k].cells);
        cache->slots[k].cells = NULL;
    }
    memset(cache->seen, 0, cache->n_seen * sizeof cache->seen[0]);
    cache->n_entries = 0;
    cache->counts.bytes = 0;
    cache->ndim = ndim;
    cache->cell_bytes = cell_bytes;
    memcpy(cache->chunk, chunk, (size_t)ndim * sizeof chunk[0]);
    pthread_mutex_unlock(&cache->lock);
}

/* ---- the tables ---- */

/* Never 0. */
static uint64_t hash_of(const xta__chunk_cache *cache, const int64_t chunk[])
{
    uint64_t h = 0;

    for (int axis = 0; axis < cache->ndim; axis++) {
        h = (h ^ (uint64_t)chunk[axis]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    return h | 1;
}

static size_t home_of(const xta__chunk_cache *cache, const int64_t chunk[])
{
    return (size_t)(hash_of(cache, chunk) >> 8) & (cache->n_slots - 1);
}

/* The slot of a chunk, or the free one where it would be. */
static entry *slot_of(xta__chunk_cache *cache, const int64_t chunk[])
{
    size_t k = home_of(cache, chunk);

    while (cache->slots[k].cells != NULL &&
           memcmp(cache->slots[k].chunk, chunk, (size_t)cache->ndim * sizeof chunk[0]) != 0) {
        k = (k + 1) & (cache->n_slots - 1);
    }
    return &cache->slots[k];
}

/* Free a slot; entries behind it that would not be found any more move up. */
static void remove_entry(xta__chunk_cache *cache, entry *gone)
{
    size_t mask = cache->n_slots - 1, hole = (size_t)(gone - cache->slots);

    cache->counts.bytes -= gone->bytes;
    cache->n_entries--;
    free(gone->cells);
    gone->cells = NULL;
    for (size_t k = (hole + 1) & mask; cache->slots[k].cells != NULL; k = (k + 1) & mask) {
        size_t home = home_of(cache, cache->slots[k].chunk);
        if (((k - home) & mask) >= ((k - hole) & mask)) {
            cache->slots[hole] = cache->slots[k];
            cache->slots[k].cells = NULL;
            hole = k;
        }
    }
}

/* Make way for `bytes`, at most the limit, and for one more entry. */
static void make_way(xta__chunk_cache *cache, uint64_t bytes)
{
    while (cache->n_entries > 0 &&
           (cache->counts.bytes > cache->limit - bytes || cache->n_entries > cache->n_slots / 2)) {
        entry *at = &cache->slots[cache->hand];
        if (at->cells != NULL && at->visits == 0) {
            remove_entry(cache, at); // another may have moved here: the hand stays
            continue;
        }
        at->visits -= at->cells != NULL;
        cache->hand = (cache->hand + 1) & (cache->n_slots - 1);
    }
}

/* Whether the chunk was asked for before; it has been now. */
static bool seen_before(xta__chunk_cache *cache, const int64_t chunk[])
{
    uint64_t h = hash_of(cache, chunk);
    uint64_t *place = &cache->seen[(size_t)(h >> 8) & (cache->n_seen - 1)];
    bool before = *place == h;

    *place = h;
    return before;
}

/* ---- one chunk of a read ---- */

static uint64_t cells_in(const xta_box *box)
{
    uint64_t n = 1;

    for (int axis = 0; axis < box->ndim; axis++) {
        n *= (uint64_t)(box->hi[axis] - box->lo[axis]);
    }
    return n;
}

/* The first cell of the visit's part in the result. */
static unsigned char *target_of(const visit *v)
{
    unsigned char *at = v->cells;

    for (int axis = 0; axis < v->part.ndim; axis++) {
        at += (v->part.lo[axis] - v->box->lo[axis]) * v->strides[axis];
    }
    return at;
}

/* Copy a row of the last axis. */
static void copy_row(unsigned char *to, int64_t stride, const unsigned char *from, int64_t n,
                     size_t cell_bytes)
{
    if (stride == (int64_t)cell_bytes) {
        memcpy(to, from, (size_t)n * cell_bytes);
        return;
    }
    for (int64_t k = 0; k < n; k++) {
        memcpy(to + k * stride, from + (size_t)k * cell_bytes, cell_bytes);
    }
}

static void copy_out(const xta__chunk_cache *cache, const entry *e, const visit *v)
{
    int last = cache->ndim - 1, axis = 0;
    int64_t strides[XTA_MAX_NDIM], at[XTA_MAX_NDIM];
    const unsigned char *from = e->cells;
    unsigned char *to = target_of(v);

    strides[last] = (int64_t)cache->cell_bytes;
    for (int k = last; k > 0; k--) {
        strides[k - 1] = strides[k] * (e->box.hi[k] - e->box.lo[k]);
    }
    for (int k = 0; k <= last; k++) {
        at[k] = v->part.lo[k];
        from += (at[k] - e->box.lo[k]) * strides[k];
    }
    while (axis >= 0) {
        copy_row(to, v->strides[last], from, v->part.hi[last] - v->part.lo[last],
                 cache->cell_bytes);
        for (axis = last - 1; axis >= 0; axis--) {
            to += v->strides[axis];
            from += strides[axis];
            if (++at[axis] < v->part.hi[axis]) {
                break;
            }
            at[axis] = v->part.lo[axis];
            to -= (v->part.hi[axis] - v->part.lo[axis]) * v->strides[axis];
            from -= (v->part.hi[axis] - v->part.lo[axis]) * strides[axis];
        }
    }
}

/* Read the visit's chunk into the cache; NULL without memory, or if it cannot be read: then a read
 * of the part alone says why. */
static entry *take_in(xta__chunk_cache *cache, const visit *v)
{
    uint64_t bytes = cells_in(&v->whole) * cache->cell_bytes;
    unsigned char *cells = bytes <= cache->limit ? malloc((size_t)bytes) : NULL;

    if (cells == NULL || xta_array_read(v->array, &v->whole, NULL, cells, NULL) != XTA_OK) {
        free(cells);
        return NULL;
    }
    make_way(cache, bytes);
    entry *e = slot_of(cache, v->chunk);
    *e = (entry){.cells = cells, .box = v->whole, .bytes = bytes};
    memcpy(e->chunk, v->chunk, sizeof e->chunk);
    cache->counts.bytes += bytes;
    cache->n_entries++;
    return e;
}

static xta_status read_part(const visit *v, xta_error *err)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;

    options.strides = v->strides;
    return xta_array_read(v->array, &v->part, &options, target_of(v), err);
}

static xta_status serve(xta__chunk_cache *cache, const visit *v, xta_error *err)
{
    entry *e = slot_of(cache, v->chunk);

    if (e->cells != NULL && !xta_box_contains(&e->box, &v->part)) {
        remove_entry(cache, e); // the array has grown into the chunk
        e = slot_of(cache, v->chunk);
    }
    if (e->cells != NULL) {
        cache->counts.found++;
        e->visits += e->visits < MOST_VISITS;
    } else {
        e = seen_before(cache, v->chunk) ? take_in(cache, v) : NULL;
    }
    if (e == NULL) {
        return read_part(v, err);
    }
    copy_out(cache, e, v);
    return XTA_OK;
}

/* ---- a read ---- */

/* The chunk v->chunk: all of it, and what the read asks for. */
static void cut(const xta__chunk_cache *cache, const xta_box *bounds, visit *v)
{
    xta_box all = {.ndim = cache->ndim};

    for (int axis = 0; axis < cache->ndim; axis++) {
        all.lo[axis] = v->chunk[axis] * cache->chunk[axis];
        all.hi[axis] = all.lo[axis] + cache->chunk[axis];
    }
    v->whole = xta_box_intersect(&all, bounds);
    v->part = xta_box_intersect(&all, v->box);
}

/* To the first chunk of the read, or to the next; false behind the last. */
static void first_chunk(const xta__chunk_cache *cache, visit *v)
{
    for (int axis = 0; axis < cache->ndim; axis++) {
        v->chunk[axis] = xta__floor_div(v->box->lo[axis], cache->chunk[axis]);
    }
}

static bool next_chunk(const xta__chunk_cache *cache, visit *v)
{
    for (int axis = cache->ndim - 1; axis >= 0; axis--) {
        if (++v->chunk[axis] * cache->chunk[axis] < v->box->hi[axis]) {
            return true;
        }
        v->chunk[axis] = xta__floor_div(v->box->lo[axis], cache->chunk[axis]);
    }
    return false;
}

/* Whether all chunks of the read are new to the cache: then they are read in one call. */
static bool all_new(xta__chunk_cache *cache, visit *v)
{
    first_chunk(cache, v);
    do {
        uint64_t h = hash_of(cache, v->chunk);
        if (slot_of(cache, v->chunk)->cells != NULL ||
            cache->seen[(size_t)(h >> 8) & (cache->n_seen - 1)] == h) {
            return false;
        }
    } while (next_chunk(cache, v));
    return true;
}

static void note_all(xta__chunk_cache *cache, visit *v)
{
    first_chunk(cache, v);
    do {
        (void)seen_before(cache, v->chunk);
        cache->counts.requested++;
    } while (next_chunk(cache, v));
}

static xta_status serve_all(xta__chunk_cache *cache, visit *v, xta_error *err)
{
    const xta_box bounds = xta_array_bounds(v->array);
    xta_status status = XTA_OK;

    first_chunk(cache, v);
    do {
        cut(cache, &bounds, v);
        cache->counts.requested++;
        status = serve(cache, v, err);
    } while (status == XTA_OK && next_chunk(cache, v));
    return status;
}

xta_status xta__cache_read(xta__chunk_cache *cache, xta_array *array, const xta_box *box,
                           xta_order order, void *cells, xta_error *err)
{
    visit v = {.array = array, .box = box, .cells = cells};
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    int64_t stride = (int64_t)cache->cell_bytes;
    bool one_call = false;
    xta_status status = XTA_OK;

    for (int k = 0; k < cache->ndim; k++) {
        int axis = order == XTA_COLUMN ? k : cache->ndim - 1 - k;
        v.strides[axis] = stride;
        stride *= box->hi[axis] - box->lo[axis];
    }
    options.order = order;
    pthread_mutex_lock(&cache->lock);
    one_call = all_new(cache, &v);
    if (one_call) {
        note_all(cache, &v);
    } else {
        status = serve_all(cache, &v, err);
    }
    pthread_mutex_unlock(&cache->lock);
    return one_call ? xta_array_read(array, box, &options, cells, err) : status;
}

/* ---- dropping ---- */

void xta__cache_drop(xta__chunk_cache *cache, const xta_box *box)
{
    pthread_mutex_lock(&cache->lock);
    for (size_t k = 0; k < cache->n_slots && cache->n_entries > 0;) {
        entry *e = &cache->slots[k];
        xta_box common = {.ndim = cache->ndim};
        if (e->cells != NULL) {
            common = xta_box_intersect(&e->box, box);
        }
        if (e->cells != NULL && !xta_box_empty(&common)) {
            remove_entry(cache, e); // another may have moved here
        } else {
            k++;
        }
    }
    pthread_mutex_unlock(&cache->lock);
}

xta__cache_counts xta__cache_count(xta__chunk_cache *cache)
{
    pthread_mutex_lock(&cache->lock);
    xta__cache_counts counts = cache->counts;
    pthread_mutex_unlock(&cache->lock);
    return counts;
}
