/* Chunks of the data file through a cache in the process's memory, for files that cannot be mapped
 * safely, or at the caller's request.
 *
 * The cache is cut into shards by address, each with its own lock, so threads that work on
 * different chunks do not contend. In a shard, entries are found by hashing and evicted by the
 * second-chance rule. Writing is deferred: an entry has one dirty bit for each cell, and only dirty
 * cells are written back, in runs, so a process never overwrites the cells that another one wrote
 * into the same chunk. Therefore a partially written chunk is not loaded before it is read. Between
 * two processes that is not enough: cells may have been removed by a shrink since they were changed
 * here. So each write-back first asks the guard, which the array provides.
 *
 * Locks: array -> shard -> guard, and shard -> memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/chunks/cached_chunks.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "store/chunks/cache_check.h"
#include "store/chunks/cache_write_back.h"
#include "store/chunks/cell_bits.h"
#include "store/chunks/chunk_store_check.h"
#include "store/chunks/data_file.h"
#include "util/vector.h"

/* A chunk of up to this size is cached even if the limit is smaller. */
#define LEAST_LIMIT ((uint64_t)64 << 20)

/* A shard begins with few buckets, because most handles meet few chunks: 16 shards with a bucket
 * for each entry of a full cache are 8 MiB, which every open would clear. */
enum { LEAST_ENTRIES = 4, FIRST_BUCKETS = 31, MOST_BUCKETS = 1 << 16 };

static shard *shard_of(cached_chunks *chunks, uint64_t address)
{
    return &chunks->shards[address % (uint64_t)chunks->n_shards];
}

#ifndef NDEBUG
/* Check K1 to K3 of an entry; the lock of its shard is held. */
static bool entry_is_sound(const cached_chunks *chunks, const shard *s, const entry *e)
{
    return xta__check_cache_entry(s, e, (uint64_t)(s - chunks->shards),
                                  (uint64_t)chunks->n_shards) == NULL;
}

/* Check K1 to K5 of a shard. */
static bool shard_is_sound(const cached_chunks *chunks, const shard *s)
{
    return xta__check_cache_shard(s, (uint64_t)(s - chunks->shards), (uint64_t)chunks->n_shards,
                                  chunks->n_cells) == NULL;
}

/* Whether no block of the cache's memory is lost; nobody else uses the cache. */
static bool each_block_has_an_entry(const cached_chunks *chunks)
{
    size_t n = 0;

    for (int k = 0; k < chunks->n_shards; k++) {
        n += chunks->shards[k].n_entries;
    }
    return n == chunks->memory.n_blocks;
}
#endif

/* Link the entries of a shard into about twice as many buckets. Without memory for them the shard
 * keeps those that it has, and is slower. */
static void add_buckets(shard *s)
{
    size_t old_n = s->n_buckets;
    entry **old = s->buckets;
    entry **new = xta__calloc(2 * old_n + 1, sizeof new[0]);

    if (new == NULL) {
        return;
    }
    s->buckets = new;
    s->n_buckets = 2 * old_n + 1;
    for (size_t k = 0; k < old_n; k++) {
        for (entry *e = old[k], *next = NULL; e != NULL; e = next) {
            next = e->next;
            entry **bucket = bucket_of(s, e->address);
            e->next = *bucket;
            *bucket = e;
        }
    }
    free(old);
}

static entry *new_entry(cached_chunks *chunks, shard *s)
{
    if (!XTA__RESERVE(s->entries, s->entries_capacity, s->n_entries + 1)) {
        return NULL;
    }
    entry *e = xta__calloc(1, sizeof *e);
    if (e != NULL) {
        e->bytes = xta__cache_memory_get(&chunks->memory);
        e->dirty = xta__calloc(1, chunks->n_cells / 8 + 1);
    }
    if (e == NULL || e->bytes == NULL || e->dirty == NULL) {
        if (e != NULL) {
            xta__cache_memory_put(&chunks->memory, e->bytes);
            free(e->dirty);
            free(e);
        }
        return NULL;
    }
    s->entries[s->n_entries++] = e;
    if (s->n_entries > s->n_buckets && s->n_buckets < MOST_BUCKETS / 2) {
        add_buckets(s);
    }
    return e;
}

/* Get an unused entry: a new one below the limit, else one that the second-chance rule evicts. The
 * length of a chunk comes from a file: one above the limit of the whole cache is refused, not
 * allocated. A read does not fail because another chunk cannot be written back now: that chunk
 * stays, and a clean one is evicted, or the cache grows. */
static xta_status acquire_entry(cached_chunks *chunks, shard *s, bool writing, entry **out,
                                xta_error *err)
{
    if (chunks->data.chunk_store.chunk_bytes > chunks->most_bytes) {
        return xta__fail(err, XTA_EUNSUPPORTED, 0,
                         "%s: chunks of %" PRIu64 " bytes do not fit a cache of %" PRIu64
                         "; open the array with a larger one, or mapped",
                         chunks->data.file.path, chunks->data.chunk_store.chunk_bytes,
                         chunks->most_bytes);
    }
    for (size_t looked = 0; s->n_entries >= s->limit && looked < 2 * s->n_entries; looked++) {
        entry *e = s->entries[s->hand];
        s->hand = (s->hand + 1) % s->n_entries;
        if (e->pins > 0) {
            continue;
        }
        if (e->used && e->recent) {
            e->recent = false;
            continue;
        }
        if (e->used) {
            xta_error ignored = {0};
            guard_session a = {0};
            xta_status status = xta__cache_write_back(chunks, e, &a, writing ? err : &ignored);
            xta__cache_end_writing(chunks, &a);
            if (status != XTA_OK && writing) {
                return status;
            }
            if (status != XTA_OK) {
                continue;
            }
            unlink_entry(s, e);
        }
        *out = e;
        return XTA_OK;
    }
    // All entries are in use, or cannot be written back: a little more memory is better than a
    // thread that waits for itself, or a read that fails.
    *out = new_entry(chunks, s);
    return *out != NULL ? XTA_OK
                        : xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for the chunk cache",
                                    chunks->data.file.path);
}

static xta_status load_chunk(cached_chunks *chunks, entry *e, uint64_t address, loading *how,
                             xta_error *err)
{
    xta__file file = how->exact ? xta__file_exact(&chunks->data.file, &chunks->data.exact_fd)
                                : chunks->data.file;
    uint64_t chunk_bytes = chunks->data.chunk_store.chunk_bytes;
    uint64_t offset = address * chunks->data.chunk_store.slot_bytes;
    xta_status status = XTA_OK;
    size_t at_once = 0, got = 0;
    bool known = true;

    if (how->ask_cold) {
        at_once = xta__file_read_now(&file, offset, e->bytes, (size_t)chunk_bytes, &known);
    }
    if (at_once < chunk_bytes) {
        status = xta__file_read_at(&file, offset + at_once, e->bytes + at_once,
                                   (size_t)chunk_bytes - at_once, &got, err);
        how->cold = known && got > 0;
    }
    got += at_once;
    if (status == XTA_OK && got < chunk_bytes && offset + got < chunks->holes_from) {
        uint64_t bytes = offset + got, origin = chunks->data.file.origin;
        (void)!xta__file_sizes(&chunks->data.file, &bytes, NULL, err);
        status = xta__fail(err, XTA_ECORRUPT, 0,
                           "%s: offset %" PRIu64 ": the file ends, and chunk %" PRIu64
                           " needs its bytes %" PRIu64 " to %" PRIu64
                           "; somebody has cut it: restore it from a copy",
                           chunks->data.file.path, origin + bytes, address, origin + offset,
                           origin + offset + chunk_bytes);
    }
    if (status == XTA_OK) {
        memset(e->bytes + got, 0, (size_t)chunk_bytes - got);
    }
    return status;
}

/* Keep the chunk's coordinates, for the guard. */
static xta_status record_coordinates(cached_chunks *chunks, entry *e, const xta__pin *pin,
                                     xta_error *err)
{
    if (e->chunk_capacity < pin->ndim) {
        int64_t *bigger = xta__realloc_array(e->chunk, (size_t)pin->ndim, sizeof bigger[0]);
        if (bigger == NULL) {
            return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for the chunk cache",
                             chunks->data.file.path);
        }
        e->chunk = bigger;
        e->chunk_capacity = pin->ndim;
    }
    memcpy(e->chunk, pin->chunk, (size_t)pin->ndim * sizeof e->chunk[0]);
    e->ndim = pin->ndim;
    return XTA_OK;
}

/* Load a linked entry for reading. The shard's lock is released during the read, so that other
 * chunks can be used; threads that need this one wait. On failure the entry is unlinked. */
static xta_status load_unlocked(cached_chunks *chunks, shard *s, entry *e, loading *how,
                                xta_error *err)
{
    e->state = ENTRY_LOADING;
    e->pins++;
    pthread_mutex_unlock(&s->lock);
    xta_status status = load_chunk(chunks, e, e->address, how, err);
    pthread_mutex_lock(&s->lock);
    e->state = ENTRY_WHOLE;
    e->pins--;
    if (status != XTA_OK && e->used) {
        unlink_entry(s, e);
    }
    pthread_cond_broadcast(&s->settled);
    return status;
}

/* Load the other cells of a partially written chunk from the file, so that it can be read. The lock
 * is held while it is loaded: otherwise a write-back could put newer bytes into the file that the
 * entry would lack. Nothing is done if the entry no longer holds the chunk: the caller searches
 * again. */
static xta_status complete_entry(cached_chunks *chunks, shard *s, entry *e, loading *how,
                                 xta_error *err)
{
    uint64_t cell = chunks->cell_bytes;
    uint8_t *written = e->bytes;
    xta_status status = XTA_OK;

    e->pins++; // so that it is not reused for another chunk
    wait_for_writers(s, e);
    e->pins--;
    if (!e->used || e->state != ENTRY_PARTIAL) {
        return XTA_OK;
    }
    uint8_t *fresh = xta__cache_memory_get(&chunks->memory);
    if (fresh == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for the chunk cache",
                         chunks->data.file.path);
    }
    e->bytes = fresh;
    status = load_chunk(chunks, e, e->address, how, err);
    if (status != XTA_OK) {
        e->bytes = written;
        xta__cache_memory_put(&chunks->memory, fresh);
        return status;
    }
    for (size_t i = xta__next_bit(e->dirty, chunks->n_cells, 0, true); i < chunks->n_cells;) {
        size_t j = xta__next_bit(e->dirty, chunks->n_cells, i, false);
        memcpy(fresh + i * cell, written + i * cell, (j - i) * cell);
        i = xta__next_bit(e->dirty, chunks->n_cells, j, true);
    }
    xta__cache_memory_put(&chunks->memory, written);
    e->state = ENTRY_WHOLE;
    return XTA_OK;
}

/* Whether the file contains the slot, or is known to end before it. */
static bool file_reaches(const cached_chunks *chunks, uint64_t address)
{
    uint64_t end =
        address * chunks->data.chunk_store.slot_bytes + chunks->data.chunk_store.chunk_bytes;

    return end > chunks->holes_from || xta__data_file_reaches(&chunks->data, end);
}

/* The slow path of pin: the chunk must be loaded, or another thread is loading it. */
static __attribute__((noinline)) xta_status find_or_load(cached_chunks *chunks, shard *s,
                                                         uint64_t address, bool writing, bool whole,
                                                         xta__pin *out, entry **found,
                                                         xta_error *err)
{
    loading how = {.exact = out->exact, .ask_cold = out->ask_cold};
    entry *e = find_loaded(s, address);
    xta_status status = XTA_OK;

    while (e != NULL && !writing && e->state == ENTRY_PARTIAL) {
        XTA_TRY(complete_entry(chunks, s, e, &how, err));
        out->cold = how.cold;
        e = find_loaded(s, address);
    }
    if (e == NULL) {
        XTA_TRY(acquire_entry(chunks, s, writing, &e, err));
        e->state = ENTRY_WHOLE;
        if (writing && !whole && !file_reaches(chunks, address)) {
            XTA_TRY(load_chunk(chunks, e, address, &how, err));
        } else if (writing && !whole) {
            e->state = ENTRY_PARTIAL;
        }
        if (writing) {
            XTA_TRY(record_coordinates(chunks, e, out, err));
        }
        link_entry(s, e, address);
        if (!writing) {
            XTA_TRY(load_unlocked(chunks, s, e, &how, err));
            out->cold = how.cold;
        }
    } else if (writing && !e->any_dirty) {
        XTA_TRY(record_coordinates(chunks, e, out, err));
    }
    *found = e;

done:
    return status;
}

static xta_status pin_chunk(xta__chunk_store *chunk_store, uint64_t address, bool writing,
                            bool whole, xta__pin *out, xta_error *err)
{
    cached_chunks *chunks = (cached_chunks *)chunk_store;
    shard *s = shard_of(chunks, address);
    xta_status status = XTA_OK;

    pthread_mutex_lock(&s->lock);
    entry *e = find(s, address);
    // A writer does not need the cells that are not loaded.
    if (e == NULL || e->state > (writing ? ENTRY_PARTIAL : ENTRY_WHOLE) ||
        (writing && !e->any_dirty)) {
        XTA_TRY(find_or_load(chunks, s, address, writing, whole, out, &e, err));
    }
    e->pins++;
    e->writers += writing;
    e->recent = true;
    out->writing = writing;
    out->bytes = e->bytes;
    out->token = e;

done:
    pthread_mutex_unlock(&s->lock);
    return status;
}

static xta_status cached_pin_read(xta__chunk_store *chunk_store, uint64_t address, xta__pin *out,
                                  xta_error *err)
{
    return pin_chunk(chunk_store, address, false, false, out, err);
}

static xta_status cached_pin_write(xta__chunk_store *chunk_store, uint64_t address, bool whole,
                                   xta__pin *out, xta_error *err)
{
    return pin_chunk(chunk_store, address, true, whole, out, err);
}

/* An entry for a chunk that is read ahead: a new one below the limit, else a clean one that the
 * second-chance rule evicts; NULL if there is none. */
static entry *spare_entry(cached_chunks *chunks, shard *s)
{
    if (s->n_entries < s->limit) {
        return new_entry(chunks, s);
    }
    for (size_t looked = 0; looked < 2 * s->n_entries; looked++) {
        entry *e = s->entries[s->hand];
        s->hand = (s->hand + 1) % s->n_entries;
        if (e->pins > 0 || (e->used && e->any_dirty)) {
            continue;
        }
        if (e->used && e->recent) {
            e->recent = false;
            continue;
        }
        if (e->used) {
            unlink_entry(s, e);
        }
        return e;
    }
    return NULL;
}

static void cached_fetch(xta__chunk_store *chunk_store, uint64_t begin, uint64_t n, bool exact)
{
    cached_chunks *chunks = (cached_chunks *)chunk_store;
    uint64_t address = begin / chunk_store->slot_bytes;
    shard *s = shard_of(chunks, address);
    loading how = {.exact = exact};
    xta_error ignored = {0};

    (void)n; // whole chunks are read
    pthread_mutex_lock(&s->lock);
    entry *e = find(s, address) == NULL ? spare_entry(chunks, s) : NULL;
    if (e != NULL) {
        link_entry(s, e, address);
        e->recent = true;
        (void)!load_unlocked(chunks, s, e, &how, &ignored);
    }
    pthread_mutex_unlock(&s->lock);
}

static void cached_mark(xta__chunk_store *chunk_store, xta__pin *out, const xta__byte_runs *changed)
{
    cached_chunks *chunks = (cached_chunks *)chunk_store;
    entry *e = out->token;
    shard *s = shard_of(chunks, e->address);

    pthread_mutex_lock(&s->lock);
    xta__mark_runs(e->dirty, chunks->cell_bytes, changed);
    e->any_dirty = true;
    pthread_mutex_unlock(&s->lock);
}

static void cached_unpin(xta__chunk_store *chunk_store, xta__pin *out)
{
    cached_chunks *chunks = (cached_chunks *)chunk_store;
    entry *e = out->token;
    shard *s = shard_of(chunks, e->address);

    pthread_mutex_lock(&s->lock);
    assert(e->pins > 0);
    e->pins--;
    e->writers -= out->writing;
    if (out->writing && e->writers == 0) {
        pthread_cond_broadcast(&s->settled);
    }
    assert(entry_is_sound(chunks, s, e));
    pthread_mutex_unlock(&s->lock);
}

/* Drop the entries of addresses first .. first + n, including dirty cells. An entry that is being
 * read stays until it is unpinned, but is no longer found. */
static void drop_entries(cached_chunks *chunks, uint64_t first, uint64_t n)
{
    for (int k = 0; k < chunks->n_shards; k++) {
        shard *s = &chunks->shards[k];
        pthread_mutex_lock(&s->lock);
        for (size_t i = 0; i < s->n_entries; i++) {
            entry *e = s->entries[i];
            wait_for_writers(s, e);
            if (e->used && e->address - first < n) {
                xta__cache_clean_entry(chunks, e);
                unlink_entry(s, e);
            }
        }
        pthread_mutex_unlock(&s->lock);
    }
}

static xta_status cached_discard(xta__chunk_store *chunk_store, uint64_t address, uint64_t n_chunks,
                                 xta_error *err)
{
    cached_chunks *chunks = (cached_chunks *)chunk_store;

    drop_entries(chunks, address, n_chunks);
    xta_status status =
        xta__data_file_empty(&chunks->data.file, false, address * chunk_store->slot_bytes,
                             n_chunks * chunk_store->slot_bytes, err);
    // Drop also entries that another thread has loaded meanwhile, with the old bytes.
    drop_entries(chunks, address, n_chunks);
    return status;
}

/* Write back the dirty cells of one shard. A thread that has a session with the guard must not wait
 * for writers: they may be waiting for the guard. */
static xta_status write_shard(cached_chunks *chunks, shard *s, bool forget, xta_error *err)
{
    xta_status status = XTA_OK;
    guard_session a = {0};

    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->n_entries && status == XTA_OK; i++) {
        entry *e = s->entries[i];
        if (e->writers > 0) {
            xta__cache_end_writing(chunks, &a);
            wait_for_writers(s, e);
        }
        if (!e->used) {
            continue;
        }
        status = xta__cache_write_back(chunks, e, &a, err);
        if (status == XTA_OK && (forget || e->stale)) {
            unlink_entry(s, e);
        }
    }
    xta__cache_end_writing(chunks, &a);
    assert(shard_is_sound(chunks, s));
    pthread_mutex_unlock(&s->lock);
    return status;
}

/* Write back all dirty cells; with `forget` the entries are dropped as well, even those that are
 * being read. */
static xta_status write_all(cached_chunks *chunks, bool forget, xta_error *err)
{
    xta_status status = XTA_OK;

    for (int k = 0; k < chunks->n_shards && status == XTA_OK; k++) {
        status = write_shard(chunks, &chunks->shards[k], forget, err);
    }
    return status;
}

static xta_status cached_refresh(xta__chunk_store *chunk_store, xta_error *err)
{
    cached_chunks *chunks = (cached_chunks *)chunk_store;
    bool replaced = false;
    xta_status status = write_all(chunks, true, err);

    // On a network file system the page cache may hold pages that others have changed since.
    if (status == XTA_OK && chunks->asks_server) {
        status = xta__file_revalidate(&chunks->data.file, &replaced, err);
    }
    return status;
}

static xta_status cached_flush(xta__chunk_store *chunk_store, xta_error *err)
{
    cached_chunks *chunks = (cached_chunks *)chunk_store;

    return chunks->data.writable ? write_all(chunks, false, err) : XTA_OK;
}

static uint64_t cached_unwritten(xta__chunk_store *chunk_store, uint64_t *n_chunks)
{
    cached_chunks *chunks = (cached_chunks *)chunk_store;
    uint64_t n_cells = 0;

    *n_chunks = 0;
    for (int k = 0; k < chunks->n_shards; k++) {
        shard *s = &chunks->shards[k];
        pthread_mutex_lock(&s->lock);
        for (size_t i = 0; i < s->n_entries; i++) {
            const entry *e = s->entries[i];
            uint64_t n = e->used && e->any_dirty ? xta__count_bits(e->dirty, chunks->n_cells) : 0;
            n_cells += n;
            *n_chunks += n > 0;
        }
        pthread_mutex_unlock(&s->lock);
    }
    return n_cells;
}

static xta_status cached_next_used(xta__chunk_store *chunk_store, uint64_t address, uint64_t *used,
                                   xta_error *err)
{
    xta_status status = cached_flush(chunk_store, err);

    return status == XTA_OK ? xta__data_file_next_used(chunk_store, address, used, err) : status;
}

static xta_status cached_resize(xta__chunk_store *chunk_store, uint64_t n_chunks, xta_error *err)
{
    return xta__data_file_resize(chunk_store, n_chunks, err);
}

static xta_status cached_sync(xta__chunk_store *chunk_store, xta_error *err)
{
    cached_chunks *chunks = (cached_chunks *)chunk_store;
    xta_status status = write_all(chunks, false, err);

    return status == XTA_OK ? xta__file_sync(&chunks->data.file, err) : status;
}

static void cached_free(xta__chunk_store *chunk_store)
{
    cached_chunks *chunks = (cached_chunks *)chunk_store;

    assert(each_block_has_an_entry(chunks));
    for (int k = 0; k < chunks->n_shards; k++) {
        shard *s = &chunks->shards[k];
        for (size_t i = 0; i < s->n_entries; i++) {
            free(s->entries[i]->dirty);
            free(s->entries[i]->chunk);
            free(s->entries[i]);
        }
        free(s->entries);
        free(s->buckets);
        pthread_cond_destroy(&s->settled);
        pthread_mutex_destroy(&s->lock);
    }
    xta__cache_memory_free(&chunks->memory);
    xta__data_file_close(chunk_store);
    free(chunks);
}

static const xta__chunk_store_ops cached_ops = {
    .pin_read = cached_pin_read,
    .pin_write = cached_pin_write,
    .mark = cached_mark,
    .unpin = cached_unpin,
    .resize = cached_resize,
    .discard = cached_discard,
    .next_used = cached_next_used,
    .fetch = cached_fetch,
    .refresh = cached_refresh,
    .flush = cached_flush,
    .unwritten = cached_unwritten,
    .sync = cached_sync,
    .free = cached_free,
};

void xta__cached_chunks_set_guard(xta__chunk_store *chunk_store, const xta__write_guard *guard)
{
    ((cached_chunks *)chunk_store)->guard = *guard;
}

xta_status xta__cached_chunks_new(xta__file *file, uint64_t slot_bytes, uint64_t chunk_bytes,
                                  uint32_t cell_bytes, uint64_t n_chunks, bool writable,
                                  uint64_t cache_bytes, xta__chunk_store **out, xta_error *err)
{
    cached_chunks *chunks = xta__calloc(1, sizeof *chunks);
    uint64_t entries = cache_bytes / (chunk_bytes + chunk_bytes / (8 * (uint64_t)cell_bytes) + 64);

    if (chunks == NULL) {
        xta_status status = xta__fail(err, XTA_ENOMEM, 0, "%s: no memory", file->path);
        xta__file_close(file);
        return status;
    }
    chunks->data.chunk_store = (xta__chunk_store){.ops = &cached_ops,
                                                  .slot_bytes = slot_bytes,
                                                  .chunk_bytes = chunk_bytes,
                                                  .n_chunks = n_chunks};
    chunks->data.file = *file;
    atomic_init(&chunks->data.exact_fd, XTA__EXACT_UNKNOWN);
    chunks->data.writable = writable;
    chunks->asks_server = !xta__file_rewrites_in_place(&chunks->data.file);
    chunks->data.length = n_chunks * slot_bytes;
    *file = (xta__file)XTA__FILE_CLOSED;
    chunks->cell_bytes = cell_bytes;
    chunks->most_bytes = cache_bytes > LEAST_LIMIT ? cache_bytes : LEAST_LIMIT;
    chunks->n_cells = (size_t)(chunk_bytes / cell_bytes);
    xta__cache_memory_init(&chunks->memory, (size_t)chunk_bytes);
    // A reader may have to use a file that lost its last slots in a power loss.
    uint64_t bytes = 0;
    xta_error ignored = {0};
    bool known = xta__file_sizes(&chunks->data.file, &bytes, NULL, &ignored) == XTA_OK;
    chunks->holes_from = known && bytes < n_chunks * slot_bytes ? bytes : UINT64_MAX;

    // Chunks read ahead must not evict those being read.
    if (chunk_bytes <= chunks->most_bytes) {
        chunks->data.chunk_store.ahead = (xta__ahead_rule){
            .unit = slot_bytes,
            .most = (entries > LEAST_ENTRIES ? entries : LEAST_ENTRIES) / 2 * slot_bytes,
            .chunks = true};
    }

    // A few large chunks share one shard, so that the limit is kept and a row of chunks fits.
    entries = entries > LEAST_ENTRIES ? entries : LEAST_ENTRIES;
    chunks->n_shards = entries / 8 < 1             ? 1
                       : entries / 8 > MOST_SHARDS ? MOST_SHARDS
                                                   : (int)(entries / 8);
    for (int k = 0; k < chunks->n_shards; k++) {
        shard *s = &chunks->shards[k];
        s->limit = (size_t)(entries / (uint64_t)chunks->n_shards);
        s->n_buckets = s->limit < FIRST_BUCKETS ? s->limit + 1 : FIRST_BUCKETS;
        s->buckets = xta__calloc(s->n_buckets, sizeof s->buckets[0]);
        pthread_mutex_init(&s->lock, NULL);
        pthread_cond_init(&s->settled, NULL);
        if (s->buckets == NULL) {
            chunks->n_shards = k + 1;
            xta_status status = xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for the chunk cache",
                                          chunks->data.file.path);
            cached_free(&chunks->data.chunk_store);
            return status;
        }
    }
    *out = &chunks->data.chunk_store;
    assert(xta__check_chunk_store(*out) == NULL);
    return XTA_OK;
}
