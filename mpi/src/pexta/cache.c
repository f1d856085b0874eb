/* The session cache.
 *
 * Which chunks are touched most is decided by counters that chunks share by hash, and that are
 * halved now and then so that the past fades; a collision makes a decision worse, never a cell. A
 * chunk is kept from the second touch on if there is space, or if it has been touched more often
 * than one that is kept, which then has to go.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "pexta/cache.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pexta/layout/distribute.h"
#include "util/vector.h"

enum { COUNTERS = 4096, FADE = 8 * COUNTERS, KEEP_FROM = 2 };

/* A chunk in memory: its cells within the bounds, row-major. */
typedef struct item {
    uint64_t hash;
    uint64_t bytes;
    xta_box box;
    uint8_t *cells;
} item;

struct xta__cache {
    uint64_t max_bytes, used_bytes;
    item **items;
    size_t n_items, capacity;
    uint8_t touched[COUNTERS];
    unsigned n_touches;
    int64_t n_hits, n_misses; /* chunks of reads */
};

/* ---- life ---- */

xta__cache *xta__cache_new(uint64_t max_bytes)
{
    xta__cache *cache = xta__calloc(1, sizeof *cache);

    if (cache != NULL) {
        cache->max_bytes = max_bytes;
    }
    return cache;
}

static void remove_item(xta__cache *cache, size_t k)
{
    cache->used_bytes -= cache->items[k]->bytes;
    free(cache->items[k]->cells);
    free(cache->items[k]);
    cache->items[k] = cache->items[--cache->n_items];
}

void xta__cache_drop(xta__cache *cache, const xta_box *box)
{
    for (size_t k = cache != NULL ? cache->n_items : 0; k > 0; k--) {
        xta_box common = cache->items[k - 1]->box;
        if (box != NULL) {
            common = xta_box_intersect(&common, box);
        }
        if (!xta_box_empty(&common)) {
            remove_item(cache, k - 1);
        }
    }
}

void xta__cache_free(xta__cache *cache)
{
    if (cache != NULL) {
        xta__cache_drop(cache, NULL);
        free(cache->items);
        free(cache);
    }
}

/* Whether two handles are of the same files; true if that cannot be found out. */
static bool same_files(const xta__disk *a, const xta__disk *b)
{
    struct stat of_a, of_b;

    if (a == b || stat(a->path, &of_a) != 0 || stat(b->path, &of_b) != 0) {
        return true;
    }
    return of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

void xta__cache_written(const xta__move *write)
{
    for (xta__disk *disk = xta__pexta.disks; disk != NULL; disk = disk->next) {
        if (disk->cache != NULL && same_files(disk, write->disk)) {
            xta__cache_drop(disk->cache, &write->box);
        }
    }
}

/* ---- counting ---- */

/* The hash of the chunk whose first cell is `at`. */
static uint64_t hash_of(int ndim, const int64_t at[])
{
    uint64_t hash = UINT64_C(0x9e3779b97f4a7c15);

    for (int axis = 0; axis < ndim; axis++) {
        hash = (hash ^ (uint64_t)at[axis]) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    return hash;
}

static void touch(xta__cache *cache, uint64_t hash)
{
    uint8_t *count = &cache->touched[hash % COUNTERS];

    *count = (uint8_t)(*count < UINT8_MAX ? *count + 1 : UINT8_MAX);
    if (++cache->n_touches == FADE) {
        cache->n_touches = 0;
        for (int k = 0; k < COUNTERS; k++) {
            cache->touched[k] /= 2;
        }
    }
}

/* ---- chunks ---- */

/* Find the chunk of which `whole` are the cells within the bounds. */
static item *find(const xta__cache *cache, uint64_t hash, const xta_box *whole)
{
    for (size_t k = 0; k < cache->n_items; k++) {
        item *one = cache->items[k];
        if (one->hash == hash && xta_box_contains(&one->box, whole)) {
            return one;
        }
    }
    return NULL;
}

/* Make space for a chunk; false if those that are kept are touched as often. */
static bool make_space(xta__cache *cache, uint64_t hash, uint64_t bytes)
{
    unsigned count = cache->touched[hash % COUNTERS];

    if (count < KEEP_FROM || bytes > cache->max_bytes) {
        return false;
    }
    while (cache->n_items > 0 && cache->used_bytes > cache->max_bytes - bytes) {
        size_t least = 0;
        for (size_t k = 1; k < cache->n_items; k++) {
            if (cache->touched[cache->items[k]->hash % COUNTERS] <
                cache->touched[cache->items[least]->hash % COUNTERS]) {
                least = k;
            }
        }
        if (cache->touched[cache->items[least]->hash % COUNTERS] >= count) {
            return false;
        }
        remove_item(cache, least);
    }
    return true;
}

/* Read a chunk and keep it; `*out` is NULL if it is not worth it, or if there is no memory. */
static xta_status fill(xta__disk *disk, uint64_t hash, const xta_box *whole, item **out,
                       xta_error *err)
{
    xta__cache *cache = disk->cache;
    uint64_t bytes = xta__cells_of(whole) * disk->cell_bytes;
    item *one = NULL;

    *out = NULL;
    if (!make_space(cache, hash, bytes) ||
        !XTA__RESERVE(cache->items, cache->capacity, cache->n_items + 1)) {
        return XTA_OK;
    }
    one = xta__calloc(1, sizeof *one);
    if (one != NULL) {
        *one = (item){.hash = hash, .bytes = bytes, .box = *whole, .cells = malloc((size_t)bytes)};
    }
    if (one == NULL || one->cells == NULL) {
        free(one);
        return XTA_OK;
    }
    xta_status status = xta_array_read(disk->array, whole, NULL, one->cells, err);
    if (status != XTA_OK) {
        free(one->cells);
        free(one);
        return status;
    }
    cache->items[cache->n_items++] = one;
    cache->used_bytes += bytes;
    *out = one;
    return XTA_OK;
}

/* ---- reading ---- */

/* A chunk that a read touches. */
typedef struct touched_chunk {
    uint64_t hash;
    xta_box whole; /* its cells within the bounds */
    xta_box part;  /* those of the read */
} touched_chunk;

/* The chunk that contains `cell`. */
static touched_chunk chunk_at(const xta__disk *disk, const xta_box *read, const int64_t cell[])
{
    touched_chunk c = {.whole = disk->bounds};

    for (int axis = 0; axis < disk->ndim; axis++) {
        c.whole.lo[axis] = xta__floor_div(cell[axis], disk->chunk[axis]) * disk->chunk[axis];
        c.whole.hi[axis] = c.whole.lo[axis] + disk->chunk[axis];
    }
    c.hash = hash_of(disk->ndim, c.whole.lo);
    c.whole = xta_box_intersect(&c.whole, &disk->bounds);
    c.part = xta_box_intersect(&c.whole, read);
    return c;
}

/* The first cell of the next chunk of a read; false after the last. */
static bool next_chunk(const xta__disk *disk, const xta_box *read, int64_t cell[])
{
    for (int axis = disk->ndim - 1; axis >= 0; axis--) {
        int64_t next = (xta__floor_div(cell[axis], disk->chunk[axis]) + 1) * disk->chunk[axis];
        if (next < read->hi[axis]) {
            cell[axis] = next;
            return true;
        }
        cell[axis] = read->lo[axis];
    }
    return false;
}

/* The offset of a cell in a dense box, in cells. */
static uint64_t offset_in(const xta_box *box, const int64_t cell[])
{
    uint64_t offset = 0;

    for (int axis = 0; axis < box->ndim; axis++) {
        offset = offset * (uint64_t)(box->hi[axis] - box->lo[axis]) +
                 (uint64_t)(cell[axis] - box->lo[axis]);
    }
    return offset;
}

/* Copy cells of a kept chunk, row by row, into the read. */
static void copy_part(const item *from, const xta_box *part, const xta_box *read, size_t cell_bytes,
                      uint8_t *cells)
{
    int last = part->ndim - 1, axis = 0;
    size_t n = (size_t)(part->hi[last] - part->lo[last]) * cell_bytes;
    int64_t cell[XTA_MAX_NDIM];

    memcpy(cell, part->lo, sizeof cell);
    while (axis >= 0) {
        memcpy(cells + offset_in(read, cell) * cell_bytes,
               from->cells + offset_in(&from->box, cell) * cell_bytes, n);
        for (axis = last - 1; axis >= 0 && ++cell[axis] == part->hi[axis]; axis--) {
            cell[axis] = part->lo[axis];
        }
    }
}

/* Read the cells of one chunk from the file into their places in the read. */
static xta_status read_part(const xta__disk *disk, const xta_box *part, const xta_box *read,
                            uint8_t *cells, xta_error *err)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    int64_t strides[XTA_MAX_NDIM], stride = (int64_t)disk->cell_bytes;

    for (int axis = disk->ndim - 1; axis >= 0; axis--) {
        strides[axis] = stride;
        stride *= read->hi[axis] - read->lo[axis];
    }
    options.strides = strides;
    return xta_array_read(disk->array, part, &options,
                          cells + offset_in(read, part->lo) * disk->cell_bytes, err);
}

/* While a write is in progress, of whichever handle, the file has cells of before and of after
 * it. */
static bool is_write_in_progress(void)
{
    for (const xta__request *r = xta__pexta.requests; r != NULL; r = r->next) {
        if (r->move.write && !r->move.grows && !r->complete) {
            return true;
        }
    }
    return false;
}

/* Count the chunks of a read; true if the cache has one of them, or could keep it. */
static bool count_chunks(const xta__disk *disk, const xta_box *read, int64_t *n_chunks)
{
    int64_t cell[XTA_MAX_NDIM];
    bool any = false;

    *n_chunks = 0;
    memcpy(cell, read->lo, sizeof cell);
    do {
        touched_chunk c = chunk_at(disk, read, cell);
        touch(disk->cache, c.hash);
        any = any || disk->cache->touched[c.hash % COUNTERS] >= KEEP_FROM ||
              find(disk->cache, c.hash, &c.whole) != NULL;
        ++*n_chunks;
    } while (next_chunk(disk, read, cell));
    return any;
}

bool xta__cache_serves(const xta__move *move, const xta__request *request)
{
    return move->disk->cache != NULL && !move->write && !move->transposed && request == NULL &&
           !xta_box_contains(&move->box, &move->disk->bounds);
}

xta_status xta__cache_read(xta__disk *disk, const xta_box *box, void *cells, xta_error *err)
{
    bool keeps = !is_write_in_progress();
    int64_t cell[XTA_MAX_NDIM], n_chunks = 0;
    xta_status status = XTA_OK;

    if (!count_chunks(disk, box, &n_chunks)) {
        disk->cache->n_misses += n_chunks;
        return xta_array_read(disk->array, box, NULL, cells, err);
    }
    memcpy(cell, box->lo, sizeof cell);
    do {
        touched_chunk c = chunk_at(disk, box, cell);
        item *one = find(disk->cache, c.hash, &c.whole);
        disk->cache->n_hits += one != NULL;
        disk->cache->n_misses += one == NULL;
        if (one == NULL && keeps) {
            status = fill(disk, c.hash, &c.whole, &one, err);
        }
        if (one != NULL) {
            copy_part(one, &c.part, box, disk->cell_bytes, cells);
        } else if (status == XTA_OK) {
            status = read_part(disk, &c.part, box, cells, err);
        }
    } while (status == XTA_OK && next_chunk(disk, box, cell));
    return status;
}

/* ---- calls ---- */

int PEXTA_Set_cache(int p_a, double max_bytes)
{
    xta__arguments arguments = {0};
    xta_error *err = &xta__pexta.last;
    // Also false for a NaN. 2^62 is more memory than there is.
    bool fits = max_bytes >= 0 && max_bytes <= 0x1p62;

    xta__arguments_add(&arguments, "p_a", p_a);
    xta__arguments_add(&arguments, "max_bytes", fits ? (int64_t)max_bytes : -1);
    xta_status status = xta__enter("PEXTA_Set_cache", &arguments);
    if (status != XTA_OK) {
        return (int)status;
    }
    xta__disk *disk = xta__disk_of(p_a, err);
    if (disk == NULL) {
        return (int)XTA_EARG;
    }
    if (!fits) {
        status = xta__fail(err, XTA_EARG, 0, "PEXTA_Set_cache: %s: %g bytes; give 0 (off) or more",
                           disk->path, max_bytes);
    } else if (disk->mode == PEXTA_W) {
        status = xta__fail(err, XTA_EACCESS, 0,
                           "%s: it cannot be read, so nothing can be kept of it, as it is opened "
                           "PEXTA_W; open it PEXTA_RW",
                           disk->path);
    } else {
        xta__cache_free(disk->cache);
        disk->cache = max_bytes >= 1 ? xta__cache_new((uint64_t)max_bytes) : NULL;
        if (disk->cache == NULL && max_bytes >= 1) {
            status = xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a cache", disk->path);
        }
    }
    return xta__leave(status);
}

int PEXTA_Inquire_cache(int p_a, int64_t *hits, int64_t *misses, int64_t *bytes)
{
    const xta__disk *disk = xta__disk_of(p_a, &xta__pexta.last);
    static const xta__cache none;

    if (disk == NULL) {
        return (int)XTA_EARG;
    }
    const xta__cache *cache = disk->cache != NULL ? disk->cache : &none;
    if (hits != NULL) {
        *hits = cache->n_hits;
    }
    if (misses != NULL) {
        *misses = cache->n_misses;
    }
    if (bytes != NULL) {
        *bytes = (int64_t)cache->used_bytes;
    }
    return XTA_OK;
}
