/* Reading ahead for a large read whose file is not in memory.
 *
 * A copy that runs into a missing page waits for one piece of the file at a time. So once a large
 * read has met such a page, some threads fetch what it will need next: each waits for one unit of
 * the file, so that several requests are in flight while cells are copied. They fetch what the copy
 * would have fetched and no more: the units that its cells lie in (geometry/region/read_ahead.c),
 * in file order as far as they are known. They stay a bounded number of bytes ahead, and end with
 * the read.
 *
 * A read of a file in memory must not pay for this. If chunks are mapped, the system is asked about
 * one page, at the beginning and then less and less often; with a chunk cache, the reads that fill
 * it show whether they had to wait. No thread is started before something is missing.
 *
 * Nothing that goes wrong here is an error: what was not fetched is read when the copy gets there,
 * with the same result.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/io/box/read_ahead.h"

#include <stdlib.h>
#include <string.h>

#include "array/io/box/chunk_slice.h"
#include "array/io/box/direction.h"
#include "array/state/open_array.h"
#include "geometry/region/plan.h"

#define LEAST_BYTES   ((uint64_t)1 << 20)  /* the smallest read that asks the system, */
#define LEAST_CHUNKS  256                  /* or this many chunks */
#define LEAST_FETCHED ((uint64_t)32 << 20) /* bytes that it may have to fetch */
#define FETCHER_BYTES ((uint64_t)16 << 20) /* that are worth a thread */
#define FIRST_GAP     ((uint64_t)8 << 20)  /* between two such questions; doubled each time, */
#define MOST_GAP      ((uint64_t)64 << 20) /* up to this */
#define MOST_AHEAD    ((uint64_t)32 << 20)
/* bytes of chunks read together, so that the following ones can be fetched meanwhile */
#define MOST_AT_ONCE ((uint64_t)16 << 20)

enum { FETCHERS = 4, TURNS = 512 };

/* Chunks have turns: their numbers in the order of the read. */
struct xta__fetching {
    xta__chunk_store *chunk_store;

    /* Used only by the thread that reads. */
    const xta__transfer_call *t;
    int64_t chunk[XTA_MAX_NDIM]; /* the next to be planned, if there is no batch */
    const xta__batch *batch;     /* in file order: the next chunk is number `in_batch` of it */
    size_t in_batch;
    bool ended;                 /* nothing is left to be planned (of the batch, if there is one) */
    uint64_t turn;              /* of the next to be planned */
    uint64_t planned;           /* bytes so far */
    uint64_t planned_by[TURNS]; /* bytes when a turn was planned, of the last ones */
    uint64_t most;              /* bytes ahead */
    xta__file_ranges planning;

    /* Shared by all; `lock` guards the queue, `first` and `stop`. */
    pthread_mutex_t lock;
    pthread_cond_t more;
    xta__file_ranges queue;
    size_t first; /* in the queue */
    /* turns before this one need no fetching; old values only cost a read */
    _Atomic uint64_t passed;
    bool stop;
    pthread_t threads[FETCHERS];
    int n_threads;
};

/* The fewest bytes fetched for a chunk: the whole chunk, or one unit of a larger one. */
static uint64_t unit_bytes(const xta__transfer_call *t)
{
    const xta__chunk_store *chunk_store = t->array->chunk_store;

    return chunk_store->chunk_bytes < chunk_store->ahead.unit ? chunk_store->chunk_bytes
                                                              : chunk_store->ahead.unit;
}

/* The fewest bytes that a read may have to fetch. They lie in one file, so they can be counted. */
static uint64_t least_fetched(const xta__transfer_call *t)
{
    uint64_t units = t->region.n_chunks * unit_bytes(t);
    uint64_t cells = t->region.n_cells * t->array->cell_bytes;

    return units > cells ? units : cells;
}

bool xta__ahead_is_worth(const xta__transfer_call *t)
{
    const xta__chunk_store *chunk_store = t->array->chunk_store;
    uint64_t chunks = t->region.n_chunks, unit = chunk_store->ahead.unit;

    return t->direction == XTA__READ && unit > 0 && chunks > 1 && chunk_store->ops->fetch != NULL &&
           !chunk_store->one_thread && chunk_store->ahead.most >= unit &&
           (chunk_store->ahead.chunks || chunks >= LEAST_CHUNKS ||
            t->region.n_cells >= LEAST_BYTES / t->memory_cell) &&
           least_fetched(t) >= LEAST_FETCHED;
}

/* ---- what is wanted ---- */

/* Step to the next chunk of the read; false at the end. */
static bool step_chunk(struct xta__fetching *f)
{
    const xta__transfer_call *t = f->t;
    int line = t->ahead.line;

    f->turn++;
    if (f->batch != NULL) {
        return ++f->in_batch < f->batch->n;
    }
    if (line >= 0) {
        if (++f->chunk[line] < t->region.chunks.hi[line]) {
            return true;
        }
        f->chunk[line] = t->region.chunks.lo[line];
    }
    return xta__next_chunk(t, line, f->chunk);
}

/* Where a slice of a chunk lies in the file. False if it must not be fetched: along a curve a small
 * slice may lie anywhere in a large chunk. */
static bool file_cells_of(const xta__transfer_call *t, const int64_t chunk[], uint64_t address,
                          xta__chunk_slice *slice, xta__file_cells *cells)
{
    const xta__chunk_store *chunk_store = t->array->chunk_store;
    bool whole = chunk_store->ahead.chunks || !t->strided;

    xta__find_slice(t, chunk, slice);
    *cells = (xta__file_cells){.ndim = whole ? 0 : t->region.ndim,
                               .begin = address * chunk_store->slot_bytes,
                               .cell_bytes =
                                   whole ? (size_t)chunk_store->chunk_bytes : t->array->cell_bytes,
                               .count = slice->count,
                               .stride = t->from};
    cells->begin += whole ? 0 : xta__offset_in_chunk(t, slice->within);
    return slice->n_cells > 0 && (t->strided || chunk_store->ahead.chunks || slice->whole ||
                                  chunk_store->chunk_bytes <= chunk_store->ahead.unit);
}

/* Plan the next chunk; false if the list has too little space for all of it. */
static bool plan_chunk(struct xta__fetching *f)
{
    const int64_t *chunk = f->chunk;
    xta__file_cells cells;
    uint64_t address;
    xta__chunk_slice slice;

    if (f->batch != NULL) {
        chunk = f->batch->coords + f->in_batch * (size_t)f->t->region.ndim;
        address = f->batch->addresses[f->in_batch];
    } else {
        address = xta__address_in(f->t, chunk);
    }
    return !file_cells_of(f->t, chunk, address, &slice, &cells) ||
           xta__ranges_add(&f->planning, &cells, f->turn, &f->planned);
}

/* How many bytes had been planned after the chunks before `turn`. */
static uint64_t bytes_before(const struct xta__fetching *f, uint64_t turn)
{
    return turn > 0 ? f->planned_by[(turn - 1) % TURNS] : 0;
}

/* Move the planned ranges to the queue, as many as it can take. */
static void queue_planned(struct xta__fetching *f)
{
    xta__ranges_order(&f->planning);
    pthread_mutex_lock(&f->lock);
    xta__file_ranges *queue = &f->queue;
    queue->n -= f->first;
    memmove(queue->items, queue->items + f->first, queue->n * sizeof queue->items[0]);
    f->first = 0;
    for (size_t k = 0; k < f->planning.n && queue->n < XTA__MOST_RANGES; k++) {
        queue->items[queue->n++] = f->planning.items[k];
    }
    pthread_cond_broadcast(&f->more);
    pthread_mutex_unlock(&f->lock);
    f->planning.n = 0;
}

/* The read has reached turn `now`, and reads the chunks up to `next` together: plan what follows as
 * soon as less than half of the allowed bytes are ahead. */
static void plan_ahead(struct xta__fetching *f, uint64_t now, uint64_t next)
{
    uint64_t begin = now > f->turn ? f->turn : now;
    uint64_t from = bytes_before(f, begin);

    atomic_store_explicit(&f->passed, now, memory_order_relaxed);
    if (f->ended || (f->turn >= next && f->planned - from > f->most / 2)) {
        return;
    }
    while (!f->ended && f->turn - begin < TURNS - 1 &&
           (f->turn < next || f->planned - from < f->most)) {
        bool full = f->turn >= now && !plan_chunk(f);
        f->planned_by[f->turn % TURNS] = f->planned;
        f->ended = !step_chunk(f);
        if (full) {
            break;
        }
    }
    queue_planned(f);
}

/* ---- the threads ---- */

static void *fetch_units(void *user)
{
    struct xta__fetching *f = user;
    xta__chunk_store *chunk_store = f->chunk_store;

    pthread_mutex_lock(&f->lock);
    while (!f->stop) {
        if (f->first == f->queue.n) {
            pthread_cond_wait(&f->more, &f->lock);
            continue;
        }
        xta__file_range *range = &f->queue.items[f->first];
        uint64_t begin = range->begin, end = xta__range_cut(&f->queue, range);
        range->begin = end;
        bool late = range->turn < atomic_load_explicit(&f->passed, memory_order_relaxed);
        bool exact = !range->run;
        f->first += late || end == range->end;
        if (late) {
            continue;
        }
        pthread_mutex_unlock(&f->lock);
        chunk_store->ops->fetch(chunk_store, begin, end - begin, exact);
        pthread_mutex_lock(&f->lock);
    }
    pthread_mutex_unlock(&f->lock);
    return NULL;
}

static void free_fetching(struct xta__fetching *f)
{
    pthread_mutex_lock(&f->lock);
    f->stop = true;
    pthread_cond_broadcast(&f->more);
    pthread_mutex_unlock(&f->lock);
    for (int k = 0; k < f->n_threads; k++) {
        pthread_join(f->threads[k], NULL);
    }
    pthread_cond_destroy(&f->more);
    pthread_mutex_destroy(&f->lock);
    free(f);
}

/* Start fetching at the next chunk. */
static void start_fetching(xta__transfer_call *t, const int64_t chunk[])
{
    const xta__ahead_rule *rule = &t->array->chunk_store->ahead;
    struct xta__fetching *f = xta__calloc(1, sizeof *f);
    uint64_t threads = FETCHERS / (unsigned)(t->n_threads < FETCHERS ? t->n_threads : FETCHERS);

    t->ahead.wanted = false; // if it cannot be allocated
    if (f == NULL) {
        return;
    }
    f->t = t;
    f->chunk_store = t->array->chunk_store;
    f->most = (rule->most < MOST_AHEAD ? rule->most : MOST_AHEAD) / (unsigned)t->n_threads;
    threads = f->most / rule->unit < threads ? f->most / rule->unit : threads;
    uint64_t worth = least_fetched(t) / FETCHER_BYTES;
    threads = worth < threads ? worth : threads;
    f->turn = t->ahead.turn;
    atomic_init(&f->passed, f->turn);
    f->planning.unit = f->queue.unit = rule->unit;
    f->planning.phase = f->queue.phase = rule->phase;
    memcpy(f->chunk, chunk, (size_t)t->region.ndim * sizeof chunk[0]);
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->more, NULL);
    while ((unsigned)f->n_threads < (threads > 0 ? threads : 1) &&
           xta__thread_start(&f->threads[f->n_threads], fetch_units, f)) {
        f->n_threads++;
    }
    if (f->n_threads == 0) {
        free_fetching(f);
        return;
    }
    t->ahead.wanted = true;
    t->ahead.fetching = f;
}

/* ---- the read ---- */

/* Whether the next chunk has to be read from the disk. */
static bool met_cold(xta__transfer_call *t, const int64_t chunk[])
{
    xta__chunk_store *chunk_store = t->array->chunk_store;
    xta__ahead *ahead = &t->ahead;
    xta__file_cells cells;
    xta__chunk_slice slice;

    if (chunk_store->ops->is_cold == NULL) {
        return ahead->cold;
    }
    if (ahead->turn < ahead->ask_at ||
        !file_cells_of(t, chunk, xta__address_in(t, chunk), &slice, &cells)) {
        return false;
    }
    ahead->ask_at = ahead->turn + ahead->gap / unit_bytes(t);
    ahead->gap = ahead->gap < MOST_GAP ? 2 * ahead->gap : ahead->gap;
    return chunk_store->ops->is_cold(chunk_store, cells.begin);
}

void xta__ahead_begin(xta__transfer_call *t, int line)
{
    t->ahead.line = line;
    t->ahead.turn = t->ahead.ask_at = 0;
    t->ahead.gap = FIRST_GAP;
    t->ahead.cold = false;
    t->ahead.batch = NULL;
    t->ahead.fetching = NULL;
}

int xta__ahead_go(xta__transfer_call *t, const int64_t chunk[], int n)
{
    if (t->ahead.fetching == NULL && met_cold(t, chunk)) {
        start_fetching(t, chunk);
    }
    struct xta__fetching *f = t->ahead.fetching;
    if (f != NULL) {
        uint64_t most = MOST_AT_ONCE / t->array->chunk_store->slot_bytes;
        n = most >= (unsigned)n ? n : most > 1 ? (int)most : 1;
        if (t->ahead.batch != NULL && (f->batch == NULL || t->ahead.in_batch == 0)) {
            f->batch = t->ahead.batch;
            f->in_batch = t->ahead.in_batch;
            f->turn = t->ahead.turn;
            f->ended = false;
        }
        plan_ahead(f, t->ahead.turn, t->ahead.turn + (unsigned)n);
    }
    t->ahead.turn += (unsigned)n;
    return n;
}

void xta__ahead_end(xta__transfer_call *t)
{
    if (t->ahead.fetching != NULL) {
        free_fetching(t->ahead.fetching);
        t->ahead.fetching = NULL;
    }
}
