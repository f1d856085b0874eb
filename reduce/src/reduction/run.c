/* Running a reduction: tile by tile, items are computed by threads and members, exchanged, folded
 * and written.
 *
 * The items of a tile are sorted by the address of their first chunk, so that all threads together
 * go through the file once, about in order; inside an item the order of the definition counts. Each
 * member has a contiguous share of that list, and the partial sums of its share lie together: one
 * gather brings all of them to all members. Everything after it is the same for any number of
 * members, since an item has the same bits wherever it is computed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/reduce.h>

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "reduction/fold.h"
#include "reduction/item.h"
#include "reduction/members.h"
#include "reduction/plan.h"
#include "reduction/results.h"
#include "reduction/view.h"
#include "util/checked.h"
#include "util/os.h"
#include "util/try.h"

/* With more items for each thread than this, each of them is computed by one thread. */
enum { SHARED_ITEMS = 4 };

/* An item in the list of a tile. */
typedef struct list_entry {
    uint64_t address; // of its first chunk
    uint64_t number;  // piece of the tile times runs, plus run
    uint64_t at;      // its partial sums, in those of its share
} list_entry;

typedef struct tile {
    uint64_t first_piece, n_pieces;
    size_t n_items;
    list_entry *list;
    uint64_t share_bytes; // of the longest share
    size_t begin, end;    // of this member's share
    uint8_t *mine;        // partial sums of this member's share
    uint8_t *all;         // of all shares; `mine` if there is one member
    uint8_t **partial;    // of each item, by its number
} tile;

typedef struct job {
    xta__reduction *r;
    const xta__results *results;
    tile tile;
    int n_threads;
    int write_threads; // of them; 1 if a result belongs to a chunk store of one thread
    bool may_share;    // there is memory for threads that share an item
    // The item that they share.
    xta__item item;
    xta__partial partial;
    xta__shared_bands bands;
    atomic_size_t next;
    atomic_bool stop;
    atomic_ullong n_cells_read;
} job;

/* ---- threads ---- */

typedef xta_status thread_run(job *j, xta_error *err);

typedef struct worker {
    job *j;
    thread_run *run;
    pthread_t thread;
    bool started;
    xta_status status;
    xta_error err;
} worker;

static void *work(void *user)
{
    worker *w = user;

    w->status = w->run(w->j, &w->err);
    if (w->status != XTA_OK) {
        atomic_store(&w->j->stop, true);
    }
    return NULL;
}

/* Run a function in some threads, of which the caller's is one; the error is that of the lowest
 * thread that has one. */
static xta_status in_threads(job *j, int n_threads, size_t n_tasks, thread_run *run, xta_error *err)
{
    int n = (size_t)n_threads < n_tasks ? n_threads : (int)n_tasks;
    xta_status status = XTA_OK;

    atomic_store(&j->next, 0);
    atomic_store(&j->stop, false);
    if (n <= 1) {
        return run(j, err);
    }
    worker *workers = xta__calloc((size_t)n, sizeof *workers);
    if (workers == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for %d threads", n);
    }
    for (int k = n - 1; k >= 0; k--) {
        workers[k].j = j;
        workers[k].run = run;
        workers[k].started =
            k > 0 && xta__thread_start_elsewhere(&workers[k].thread, work, &workers[k]);
    }
    work(&workers[0]);
    for (int k = 0; k < n; k++) {
        if (workers[k].started) {
            pthread_join(workers[k].thread, NULL);
        }
        if (status == XTA_OK && workers[k].status != XTA_OK) {
            status = workers[k].status;
            xta_error_set(err, status, workers[k].err.os_errno, "%s", workers[k].err.text);
        }
    }
    free(workers);
    return status;
}

/* ---- the list of a tile ---- */

static int by_address(const void *a, const void *b)
{
    const list_entry *x = a, *y = b;

    if (x->address != y->address) {
        return x->address < y->address ? -1 : 1;
    }
    return (x->number > y->number) - (x->number < y->number);
}

/* Where the share of a member begins. */
static size_t share_begin(size_t n, int size, int rank)
{
    size_t s = (size_t)size, k = (size_t)rank;

    return n / s * k + (k < n % s ? k : n % s);
}

/* Number the items of a tile in file order, and lay out the partial sums of each share. */
static xta_status make_list(job *j, xta_error *err)
{
    const xta__reduction *r = j->r;
    tile *t = &j->tile;
    int rank = xta_communicator_rank(r->options.communicator);
    int size = xta_communicator_size(r->options.communicator);
    xta__item item;

    t->n_items = (size_t)(t->n_pieces * r->n_runs_in_all);
    t->list = xta__calloc(t->n_items, sizeof t->list[0]);
    t->partial = xta__calloc(t->n_items, sizeof t->partial[0]);
    if (t->list == NULL || t->partial == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for a list of %zu items", t->n_items);
    }
    for (size_t k = 0; k < t->n_items; k++) {
        xta__item_of(r, t->first_piece + k / r->n_runs_in_all, k % r->n_runs_in_all, &item);
        t->list[k].number = k;
        t->list[k].address = xta__view_address(r, item.kept.lo);
    }
    qsort(t->list, t->n_items, sizeof t->list[0], by_address);
    for (int m = 0; m < size; m++) {
        uint64_t bytes = 0;
        size_t end = share_begin(t->n_items, size, m + 1);
        for (size_t k = share_begin(t->n_items, size, m); k < end; k++) {
            uint64_t number = t->list[k].number;
            xta__item_of(r, t->first_piece + number / r->n_runs_in_all, number % r->n_runs_in_all,
                         &item);
            t->list[k].at = bytes;
            bytes += xta__partial_bytes(r, item.n_slots_in_all * item.n_kept);
        }
        t->share_bytes = bytes > t->share_bytes ? bytes : t->share_bytes;
    }
    t->begin = share_begin(t->n_items, size, rank);
    t->end = share_begin(t->n_items, size, rank + 1);
    return XTA_OK;
}

static xta_status make_tile(job *j, xta_error *err)
{
    const xta__reduction *r = j->r;
    tile *t = &j->tile;
    int size = xta_communicator_size(r->options.communicator);
    xta_status status = make_list(j, err);

    if (status != XTA_OK) {
        return status;
    }
    // Every partial sum is stored before it is read; only what members exchange has gaps.
    t->mine = size > 1 ? xta__calloc((size_t)t->share_bytes + 16, 1)
                       : xta__memory_of_huge_pages((size_t)t->share_bytes + 16);
    t->all = size > 1 ? xta__calloc((size_t)t->share_bytes + 16, (size_t)size) : t->mine;
    if (t->mine == NULL || t->all == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for %" PRIu64 " bytes of partial sums",
                         t->share_bytes * (uint64_t)size);
    }
    for (int m = 0; m < size; m++) {
        size_t end = share_begin(t->n_items, size, m + 1);
        for (size_t k = share_begin(t->n_items, size, m); k < end; k++) {
            t->partial[t->list[k].number] =
                t->all + (uint64_t)m * (t->share_bytes + 16) + t->list[k].at;
        }
    }
    return XTA_OK;
}

static void free_tile(tile *t)
{
    free(t->list);
    free(t->partial);
    if (t->all != t->mine) {
        free(t->all);
    }
    free(t->mine);
    *t = (tile){.first_piece = t->first_piece + t->n_pieces};
}

/* ---- computing and folding ---- */

/* Entry k of the list: the item, and where its partial sums go. */
static xta__partial entry_of(const job *j, size_t k, xta__item *item)
{
    const xta__reduction *r = j->r;
    const tile *t = &j->tile;
    uint64_t number = t->list[k].number;

    xta__item_of(r, t->first_piece + number / r->n_runs_in_all, number % r->n_runs_in_all, item);
    return xta__partial_at(r, item->n_slots_in_all * item->n_kept, t->mine + t->list[k].at);
}

static xta_status compute_items(job *j, xta_error *err)
{
    const xta__reduction *r = j->r;
    const tile *t = &j->tile;
    xta__item_memory memory = {0};
    xta__item item;
    xta_status status = XTA_OK;

    XTA_TRY(xta__item_memory_make(r, &memory, err));
    while (!atomic_load(&j->stop)) {
        size_t k = t->begin + atomic_fetch_add(&j->next, 1);
        if (k >= t->end) {
            break;
        }
        xta__partial partial = entry_of(j, k, &item);
        XTA_TRY(xta__item_compute(r, &item, &partial, &memory, err));
    }
done:
    atomic_fetch_add(&j->n_cells_read, memory.n_cells_read);
    xta__item_memory_clear(&memory);
    return status;
}

static xta_status compute_share(job *j, xta_error *err)
{
    xta__item_memory memory = {0};
    xta_status status = XTA_OK;

    XTA_TRY(xta__item_memory_make(j->r, &memory, err));
    XTA_TRY(xta__item_compute_share(j->r, &j->item, &j->partial, &j->bands, &memory, err));
done:
    atomic_fetch_add(&j->n_cells_read, memory.n_cells_read);
    xta__item_memory_clear(&memory);
    return status;
}

/* Whether threads should share each item: there are few of them, with more bands. */
static bool shares_items(const job *j)
{
    const tile *t = &j->tile;
    size_t n = t->end - t->begin;
    xta__item item;

    if (!j->may_share || n == 0 || n >= SHARED_ITEMS * (size_t)j->n_threads) {
        return false;
    }
    (void)entry_of(j, t->begin, &item);
    return xta__item_bands(j->r, &item) > n;
}

static xta_status compute_tile(job *j, xta_error *err)
{
    const tile *t = &j->tile;
    xta_status status = XTA_OK;

    if (!shares_items(j)) {
        return in_threads(j, j->n_threads, t->end - t->begin, compute_items, err);
    }
    for (size_t k = t->begin; status == XTA_OK && k < t->end; k++) {
        j->partial = entry_of(j, k, &j->item);
        xta__item_begin(j->r, &j->partial);
        if (!xta__shared_bands_make(&j->bands)) {
            return xta__fail(err, XTA_ENOMEM, 0, "no lock for threads");
        }
        size_t n_bands = xta__item_bands(j->r, &j->item);
        status = in_threads(j, j->n_threads, n_bands, compute_share, err);
        xta__shared_bands_clear(&j->bands);
    }
    return status;
}

static xta_status write_pieces(job *j, xta_error *err)
{
    const xta__reduction *r = j->r;
    const tile *t = &j->tile;
    size_t n_runs = (size_t)r->n_runs_in_all;
    xta__partial *partials = xta__calloc(n_runs, sizeof *partials);
    xta__folded folded = {0};
    xta__item item;
    xta_status status = XTA_OK;

    XTA_TRY(partials != NULL
                ? XTA_OK
                : xta__fail(err, XTA_ENOMEM, 0, "no memory for %zu partial sums", n_runs));
    XTA_TRY(xta__folded_make(r, &folded, err));
    while (!atomic_load(&j->stop)) {
        size_t piece = atomic_fetch_add(&j->next, 1);
        if (piece >= t->n_pieces) {
            break;
        }
        for (size_t run = 0; run < n_runs; run++) {
            xta__item_of(r, t->first_piece + piece, run, &item);
            partials[run] = xta__partial_at(r, item.n_slots_in_all * item.n_kept,
                                            t->partial[piece * n_runs + run]);
        }
        XTA_TRY(xta__write_piece(r, t->first_piece + piece, partials, j->results, &folded, err));
    }
done:
    xta__folded_clear(&folded);
    free(partials);
    return status;
}

static xta_status run_tile(job *j, xta_error *err)
{
    const xta__reduction *r = j->r;
    const xta_communicator *c = r->options.communicator;
    tile *t = &j->tile;
    xta_status status = make_tile(j, err);

    status = xta__members_agree(r, status, err);
    if (status == XTA_OK) {
        status = compute_tile(j, err);
        status = xta__members_agree(r, status, err);
    }
    if (status == XTA_OK && t->all != t->mine) {
        status = c->gather(c->context, t->mine, (size_t)t->share_bytes + 16, t->all, err);
    }
    if (status == XTA_OK) {
        if (j->results->arrays != NULL) {
            status = in_threads(j, j->write_threads, (size_t)t->n_pieces, write_pieces, err);
        }
        status = xta__members_agree(r, status, err);
    }
    free_tile(t);
    return status;
}

/* ---- the budget ---- */

/* How many pieces make a tile. With little memory there are fewer threads. */
static xta_status choose_tile(job *j, uint64_t *n_pieces, uint64_t *used, xta_error *err)
{
    const xta__reduction *r = j->r;
    uint64_t size = (uint64_t)xta_communicator_size(r->options.communicator);
    uint64_t copies = size > 1 ? 3 : 1; // own share, all shares, and what they differ in length
    uint64_t per_thread = xta__item_memory_bytes(r);
    uint64_t folding = xta__folded_bytes(r) + r->n_runs_in_all * sizeof(xta__partial);
    uint64_t piece = 0;

    uint64_t buffer = r->n_groups * r->most_kept;
    buffer = buffer < XTA__RESULT_CELLS ? buffer : XTA__RESULT_CELLS;
    buffer = buffer > r->most_kept ? buffer : r->most_kept;
    folding += buffer * sizeof(uint64_t) * (uint64_t)j->results->n;
    per_thread = per_thread > folding ? per_thread : folding;
    if (!xta__mul_u64(r->bytes_per_kept * copies + 64, r->most_kept, &piece) ||
        piece > UINT64_MAX / 2 - per_thread || piece + per_thread > r->options.memory_bytes) {
        return xta__fail(err, XTA_ENOMEM, 0,
                         "%s: %" PRIu64 " bytes are too little; %" PRIu64 " are enough",
                         xta__reduction_name(r), r->options.memory_bytes, piece + per_thread);
    }
    // Tiles must not depend on the number of threads: members may have different ones.
    uint64_t left = (r->options.memory_bytes - per_thread) / 2;
    *n_pieces = left / piece > 0 ? left / piece : 1;
    *n_pieces = *n_pieces < r->n_pieces ? *n_pieces : r->n_pieces;
    uint64_t threads = (r->options.memory_bytes - *n_pieces * piece) / per_thread;
    j->n_threads = threads < (uint64_t)j->n_threads ? (int)threads : j->n_threads;
    j->write_threads = j->write_threads < j->n_threads ? j->write_threads : j->n_threads;
    *used = *n_pieces * piece + per_thread * (uint64_t)j->n_threads;
    uint64_t shares = xta__partial_bytes(r, r->most_slots * r->most_kept) * (uint64_t)j->n_threads;
    j->may_share =
        r->n_reduced > 1 && j->n_threads > 1 && shares <= r->options.memory_bytes - *used;
    *used += j->may_share ? shares : 0;
    return XTA_OK;
}

static xta_status run_tiles(job *j, uint64_t n_pieces, xta_reduce_facts *facts, xta_error *err)
{
    xta__reduction *r = j->r;
    xta_status status = XTA_OK;

    if (r->direct && r->array->watch != NULL) {
        r->array->watch(r->array->watch_user, r->array, false, &r->info.bounds, NULL);
    }
    for (uint64_t piece = 0; status == XTA_OK && piece < r->n_pieces; piece += n_pieces) {
        uint64_t left = r->n_pieces - piece;
        j->tile.n_pieces = left < n_pieces ? left : n_pieces;
        status = run_tile(j, err);
        facts->n_tiles++;
    }
    return status;
}

/* ---- checking results ---- */

static xta_status check_results(const xta__reduction *r, const xta__results *results,
                                xta_error *err)
{
    xta_box bounds = xta__reduction_bounds(r);

    if (results->n < 1 || results->n > XTA_REDUCE_STATISTICS || results->statistics == NULL) {
        return xta__fail(err, XTA_EARG, 0, "%s: %d statistics; give 1 to %d",
                         xta__reduction_name(r), results->n, XTA_REDUCE_STATISTICS);
    }
    for (int s = 0; s < results->n; s++) {
        xta_reduce_statistic statistic = results->statistics[s];
        if ((unsigned)statistic >= XTA_REDUCE_STATISTICS) {
            return xta__fail(err, XTA_EARG, 0, "%s: %d is no statistic; they are 0 to %d",
                             xta__reduction_name(r), (int)statistic, XTA_REDUCE_STATISTICS - 1);
        }
        if (results->arrays == NULL) {
            continue;
        }
        xta_array *array = results->arrays[s];
        xta_type type = xta_reduce_result_type(statistic, r->info.type);
        xta_box own = xta_array_bounds(array);
        if (xta_array_type(array) != type) {
            return xta__fail(err, XTA_ETYPE, 0,
                             "%s: the result array of \"%s\" has type %s; want %s",
                             xta__reduction_name(r), xta_reduce_statistic_name(statistic),
                             xta_type_name(xta_array_type(array)), xta_type_name(type));
        }
        if (!xta_box_equal(&own, &bounds)) {
            return xta__fail(err, XTA_EBOX, 0,
                             "%s: the result array of \"%s\" has other bounds than the result; "
                             "make it by xta_reduce_create with the same options",
                             xta__reduction_name(r), xta_reduce_statistic_name(statistic));
        }
    }
    return XTA_OK;
}

/* Chunk stores of one thread are used by the caller's. */
static void choose_threads(job *j)
{
    const xta__reduction *r = j->r;

    j->n_threads = r->options.threads > 0 ? r->options.threads : xta__processors();
    j->n_threads = xta__view_has_one_thread(r->array) ? 1 : j->n_threads;
    j->write_threads = j->n_threads;
    for (int s = 0; j->results->arrays != NULL && s < j->results->n; s++) {
        if (xta__view_has_one_thread(j->results->arrays[s])) {
            j->write_threads = 1;
        }
    }
}

/* Check what the caller wants, and plan it. */
static xta_status plan_all(job *j, xta_array *array, const xta_reduce_options *options,
                           xta_error *err)
{
    xta__reduction *r = j->r;
    xta_status status = XTA_OK;

    XTA_TRY(xta__reduction_begin(r, array, options, err));
    r->direct = xta__view_is_direct(array, &r->info);
    XTA_TRY(check_results(r, j->results, err));
    XTA_TRY(xta__reduction_cut(r, j->results->statistics, j->results->n, err));
    choose_threads(j);
done:
    return status;
}

xta_status xta_reduce(xta_array *array, const xta_reduce_options *options,
                      const xta_reduce_statistic statistics[], int n_statistics,
                      xta_array *const results[], xta_reduce_facts *facts, xta_error *err)
{
    const xta__results wanted = {.statistics = statistics, .n = n_statistics, .arrays = results};
    xta_reduce_facts own = {.n_tiles = 0};
    uint64_t tile_pieces = 0;
    xta__reduction *r = NULL;
    job j = {.results = &wanted};
    xta_status status = XTA_OK;

    xta__clear(err);
    // Without memory for this the options cannot be read, and there is nobody to agree with.
    r = xta__calloc(1, sizeof *r);
    if (r == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for a reduction");
    }
    j.r = r;
    status = plan_all(&j, array, options, err);
    XTA_TRY(xta__members_agree(r, status, err));
    own.bounds = r->info.bounds;
    own.n_groups = r->n_groups;
    status = xta_box_cells(&own.bounds, &own.n_cells);
    bool has_cells = status == XTA_OK && own.n_cells > 0 && r->n_groups > 0;
    if (has_cells) {
        status = choose_tile(&j, &tile_pieces, &own.memory_bytes, err);
    }
    XTA_TRY(xta__members_agree(r, status, err));
    XTA_TRY(xta__members_compare(r, tile_pieces, &wanted, err));
    if (has_cells) {
        XTA_TRY(run_tiles(&j, tile_pieces, &own, err));
    } else {
        status = results != NULL ? xta__write_nothing(r, &wanted, err) : XTA_OK;
        XTA_TRY(xta__members_agree(r, status, err));
    }
    own.n_cells_read = atomic_load(&j.n_cells_read);
done:
    if (facts != NULL) {
        *facts = status == XTA_OK ? own : (xta_reduce_facts){.n_tiles = 0};
    }
    xta__reduction_clear(r);
    free(r);
    return status;
}
