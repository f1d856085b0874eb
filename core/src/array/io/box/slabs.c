/* A large box cut into slabs of whole chunks, which several threads move.
 *
 * Each slab is the same transfer over fewer chunks: a thread has a copy of the call, with scratch
 * memory of its own, and puts one slab after another into it. Slabs are numbered in the order in
 * which chunks lie in most files, slow axes first, and handed out in that order, a few for each
 * thread, so that no thread waits long for the last one. A chunk is in one slab only, so which
 * thread moves it does not matter to the bytes.
 *
 * Threads are created for the call and end with it: each costs about twenty microseconds, while the
 * smallest box that is cut takes a few hundred.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/io/box/slabs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array/io/box/direction.h"
#include "array/io/box/gather_rows.h"
#include "array/io/check_call.h"
#include "array/state/open_array.h"

#define LEAST_BYTES  ((uint64_t)2 << 20)   /* the smallest box that is cut */
#define THREAD_BYTES ((uint64_t)1 << 20)   /* that are worth a thread */
#define SLAB_BYTES   ((uint64_t)512 << 10) /* that are worth a slab */
#define SLABS_EACH   4                     /* for each thread, if the box is large enough */

typedef struct split {
    const xta__transfer_call *call;
    const xta__slab_ops *ops;
    int64_t cuts[XTA_MAX_NDIM]; /* slabs on each axis */
    uint64_t n_slabs;
    _Atomic uint64_t next; /* the slab to be handed out next */
    /* The lowest slab that has failed; n_slabs: none. Only ever gets lower, under `lock`; read
     * without it, so that threads stop early: an old value costs work, and changes no result. */
    _Atomic uint64_t failed;
    pthread_mutex_t lock; /* of both below */
    xta_status status;
    xta_error err;
    /* used instead of the lock of the array, which the caller holds */
    pthread_mutex_t addresses;
} split;

int xta__threads_wanted(void)
{
    const char *text = getenv("XTA_THREADS");
    char *end = NULL;

    if (text == NULL || text[0] == '\0') {
        return 0;
    }
    errno = 0;
    long n = strtol(text, &end, 10);
    return errno == 0 && *end == '\0' && n >= 1 && n <= XTA__MOST_THREADS ? (int)n : -1;
}

static uint64_t stride_length(ptrdiff_t stride)
{
    return stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
}

/* Whether no two cells share a byte of memory, as far as can be seen by taking the axes in order of
 * ascending stride: each step must lead beyond all cells of the axes before it. */
static bool cells_are_apart(const xta__transfer_call *t)
{
    bool taken[XTA_MAX_NDIM] = {false};
    uint64_t reach = t->memory_cell;

    for (int k = 0; k < t->region.ndim; k++) {
        int least = -1;
        for (int axis = 0; axis < t->region.ndim; axis++) {
            if (!taken[axis] &&
                (least < 0 || stride_length(t->to[axis]) < stride_length(t->to[least]))) {
                least = axis;
            }
        }
        uint64_t n = (uint64_t)t->region.count[least], span = 0;
        taken[least] = true;
        if (n > 1 && (stride_length(t->to[least]) < reach ||
                      !xta__mul_u64(n - 1, stride_length(t->to[least]), &span) ||
                      !xta__add_u64(reach, span, &reach))) {
            return false;
        }
    }
    return true;
}

static uint64_t bytes_of(const xta__transfer_call *t)
{
    uint64_t bytes = 0;

    return xta__mul_u64(t->region.n_cells, t->memory_cell, &bytes) ? bytes : UINT64_MAX;
}

int xta__threads_for(const xta__transfer_call *t, int wanted)
{
    uint64_t bytes = 0;

    if (wanted <= 1 || t->region.n_chunks <= 1 || (bytes = bytes_of(t)) < LEAST_BYTES ||
        t->array->chunk_store->one_thread) {
        return 1;
    }
    if (!t->locked && atomic_load_explicit(&t->array->appending, memory_order_relaxed)) {
        return 1; // this thread may have the lock that the others would wait for
    }
    if (t->direction == XTA__READ && !cells_are_apart(t)) {
        return 1; // of cells that share memory the last one counts: which one must not change
    }
    uint64_t worth = bytes / THREAD_BYTES;
    return worth < (uint64_t)wanted ? (int)worth : wanted;
}

/* ---- slabs ---- */

/* Slow axes first: cut there, a slab is one contiguous part of most files. The axis along which
 * rows of chunks continue each other comes last: if it is not cut, memory is written in long
 * rows. */
static void cut_slabs(split *s, uint64_t wanted)
{
    const xta__transfer_call *t = s->call;
    int ndim = t->region.ndim, line = xta__line_axis(t);

    s->n_slabs = 1;
    for (int k = 0; k <= ndim; k++) {
        int axis = k < ndim ? k : line;
        if (axis < 0 || (k < ndim && axis == line)) {
            continue;
        }
        uint64_t layers = (uint64_t)(t->region.chunks.hi[axis] - t->region.chunks.lo[axis]);
        uint64_t cuts = (wanted + s->n_slabs - 1) / s->n_slabs;
        cuts = cuts < layers ? cuts : layers;
        s->cuts[axis] = (int64_t)cuts;
        s->n_slabs *= cuts;
    }
}

/* Let `mine` be slab number `k`. */
static void select_slab(const split *s, uint64_t k, xta__transfer_call *mine)
{
    const xta_box *all = &s->call->region.chunks;

    mine->slab = k;
    mine->region.n_chunks = 1;
    for (int axis = all->ndim - 1; axis >= 0; axis--) {
        int64_t cuts = s->cuts[axis], number = (int64_t)(k % (uint64_t)cuts);
        int64_t each = (all->hi[axis] - all->lo[axis]) / cuts;
        int64_t more = (all->hi[axis] - all->lo[axis]) % cuts; // the first slabs have one more
        k /= (uint64_t)cuts;
        mine->region.chunks.lo[axis] =
            all->lo[axis] + number * each + (number < more ? number : more);
        mine->region.chunks.hi[axis] = mine->region.chunks.lo[axis] + each + (number < more);
        mine->region.n_chunks *= (uint64_t)(each + (number < more));
    }
}

static void fail_slab(split *s, uint64_t k, xta_status status, const xta_error *err)
{
    pthread_mutex_lock(&s->lock);
    if (k < atomic_load_explicit(&s->failed, memory_order_relaxed)) {
        atomic_store_explicit(&s->failed, k, memory_order_relaxed);
        s->status = status;
        s->err = *err;
    }
    pthread_mutex_unlock(&s->lock);
}

/* One slab after another, until there are no more or one below has failed. Slabs below the one that
 * failed go on: theirs may be the error that counts. */
static void move_slabs(split *s, xta__transfer_call *mine)
{
    for (;;) {
        uint64_t k = atomic_fetch_add_explicit(&s->next, 1, memory_order_relaxed);
        if (k >= atomic_load_explicit(&s->failed, memory_order_relaxed)) {
            return; // even if there is no such slab
        }
        xta_error err = {0};
        select_slab(s, k, mine);
        xta_status status = s->ops->move(mine, &err);
        if (status != XTA_OK) {
            fail_slab(s, k, status, &err);
        }
    }
}

/* ---- threads ---- */

static void *run_thread(void *user)
{
    split *s = user;
    xta__transfer_call mine = *s->call;
    xta_error err = {0};

    // Without memory of its own a thread leaves the slabs to the others.
    if (s->ops->begin(&mine, &err) == XTA_OK) {
        move_slabs(s, &mine);
        s->ops->end(&mine);
    }
    return NULL;
}

xta_status xta__move_slabs(xta__transfer_call *t, int n, const xta__slab_ops *ops, xta_error *err)
{
    uint64_t worth = bytes_of(t) / SLAB_BYTES, wanted = (uint64_t)n * SLABS_EACH;
    split s = {.call = t, .ops = ops, .status = XTA_OK};
    const xta_box all = t->region.chunks;
    const uint64_t n_chunks = t->region.n_chunks;
    int started = 0;

    cut_slabs(&s, wanted < worth ? wanted : worth);
    n = (uint64_t)n < s.n_slabs ? n : (int)s.n_slabs;
    pthread_t *threads = n > 1 ? xta__calloc((size_t)n - 1, sizeof threads[0]) : NULL;
    if (threads == NULL) {
        return ops->move(t, err);
    }
    atomic_init(&s.next, 0);
    atomic_init(&s.failed, s.n_slabs);
    pthread_mutex_init(&s.lock, NULL);
    pthread_mutex_init(&s.addresses, NULL);
    t->failed = &s.failed;
    if (t->locked) {
        t->lock = &s.addresses; // whoever has the array's lock waits for these threads
    }
    // Threads copy it: from here on `t` must not change until they have ended.
    xta__transfer_call mine = *t;
    while (started < n - 1 && xta__thread_start_elsewhere(&threads[started], run_thread, &s)) {
        started++;
    }
    move_slabs(&s, &mine);
    for (int k = 0; k < started; k++) {
        pthread_join(threads[k], NULL);
    }
    mine.region.chunks = all;
    mine.region.n_chunks = n_chunks;
    mine.failed = NULL;
    mine.lock = &mine.array->lock;
    *t = mine; // with the memory that was allocated meanwhile
    pthread_mutex_destroy(&s.addresses);
    pthread_mutex_destroy(&s.lock);
    free(threads);
    if (s.status != XTA_OK && err != NULL && err->status == XTA_OK) {
        *err = s.err;
    }
    return s.status;
}
