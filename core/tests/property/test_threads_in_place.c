/* Several threads on one mapped array whose chunks they share, cell by cell: puts, boxes with a
 * step, fills, syncs and reads, each of its own cells, while each also frees slots of its own.
 * Stores through the mapping, calls and discards run at the same time.
 *
 * A thread owns every fourth column, and one row of chunks that it alone fills and empties. No cell
 * is ever touched by two threads at once, so a race that a sanitizer reports is the library's.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <xta/array.h>

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

enum { N_WORKERS = 4, CHUNK = 64, ROWS = 128, COLUMNS = 192, OWN = COLUMNS / N_WORKERS };

typedef struct worker {
    test_story *story;
    xta_array *array;
    pthread_t thread;
    test_random random;
    int64_t number;
    uint64_t n_rounds;
    int64_t cells[ROWS][OWN];
    int64_t dense; /* in all cells of its row of chunks; 0: freed */
} worker;

static int64_t any_value(worker *w)
{
    return (int64_t)(test_random_u64(&w->random) >> 1) | 1;
}

static void put_some(worker *w)
{
    xta_error err;

    for (int k = 0; k < 60; k++) {
        int64_t i = test_random_in(&w->random, 0, ROWS - 1);
        int64_t j = test_random_in(&w->random, 0, OWN - 1);
        const int64_t at[2] = {i, j * N_WORKERS + w->number};
        w->cells[i][j] = any_value(w);
        STORY_OK(w->story, xta_array_put(w->array, at, &w->cells[i][j], &err), err);
    }
}

/* Every fourth column of some rows. */
static xta_box own_box(worker *w, xta_io_options *options)
{
    static const int64_t step[2] = {1, N_WORKERS};
    xta_box box = {.ndim = 2};

    for (int axis = 0; axis < 2; axis++) {
        box.lo[axis] = test_random_in(&w->random, 0, (axis == 0 ? ROWS : OWN) - 1);
        box.hi[axis] = test_random_in(&w->random, box.lo[axis] + 1, axis == 0 ? ROWS : OWN);
    }
    *options = (xta_io_options)XTA_IO_OPTIONS_INIT;
    options->step = step;
    return box;
}

static xta_box in_array(const worker *w, xta_box box)
{
    box.lo[1] = box.lo[1] * N_WORKERS + w->number;
    box.hi[1] = (box.hi[1] - 1) * N_WORKERS + w->number + 1;
    return box;
}

static void write_some(worker *w)
{
    static _Thread_local int64_t cells[ROWS * OWN];
    xta_io_options options;
    xta_error err;
    xta_box box = own_box(w, &options), there = in_array(w, box);
    size_t n = 0;

    for (int64_t i = box.lo[0]; i < box.hi[0]; i++) {
        for (int64_t j = box.lo[1]; j < box.hi[1]; j++) {
            cells[n++] = w->cells[i][j] = any_value(w);
        }
    }
    STORY_OK(w->story, xta_array_write(w->array, &there, &options, cells, &err), err);
}

static void read_some(worker *w)
{
    static _Thread_local int64_t cells[ROWS * OWN];
    xta_io_options options;
    xta_error err;
    xta_box box = own_box(w, &options), there = in_array(w, box);
    size_t n = 0;

    STORY_OK(w->story, xta_array_read(w->array, &there, &options, cells, &err), err);
    for (int64_t i = box.lo[0]; i < box.hi[0]; i++) {
        for (int64_t j = box.lo[1]; j < box.hi[1]; j++) {
            STORY_CHECK(w->story, cells[n++] == w->cells[i][j], "a cell of thread %d is another",
                        (int)w->number);
        }
    }
}

/* Its own chunks, below the shared ones. */
static void fill_own_chunks(worker *w)
{
    static _Thread_local int64_t cells[CHUNK * COLUMNS];
    xta_error err;
    xta_box box = {.ndim = 2,
                   .lo = {ROWS + w->number * CHUNK, 0},
                   .hi = {ROWS + (w->number + 1) * CHUNK, COLUMNS}};

    STORY_OK(w->story, xta_array_read(w->array, &box, NULL, cells, &err), err);
    for (int k = 0; k < CHUNK * COLUMNS; k++) {
        STORY_CHECK(w->story, cells[k] == w->dense, "a cell of the chunks of thread %d is another",
                    (int)w->number);
    }
    w->dense = test_random_chance(&w->random, 50) ? 0 : any_value(w);
    STORY_OK(w->story, xta_array_fill(w->array, &box, &w->dense, &err), err);
}

static void *work(void *user)
{
    worker *w = user;
    xta_error err;

    for (uint64_t round = 0; round < w->n_rounds; round++) {
        put_some(w);
        write_some(w);
        read_some(w);
        fill_own_chunks(w);
        if (test_random_chance(&w->random, 5)) {
            STORY_OK(w->story, xta_array_sync(w->array, &err), err);
        }
    }
    return NULL;
}

static void run(test_story *story, uint64_t seed, const char *path, xta_order order)
{
    static worker workers[N_WORKERS];
    const int64_t chunk[2] = {CHUNK, CHUNK}, lengths[2] = {ROWS + N_WORKERS * CHUNK, COLUMNS};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err;

    options.chunk = chunk;
    options.order = order;
    options.access = XTA_ACCESS_MAPPED;
    STORY_OK(story, xta_array_create(path, XTA_I64, 2, lengths, &options, &array, &err), err);
    memset(workers, 0, sizeof workers);
    for (int k = 0; k < N_WORKERS; k++) {
        worker *w = &workers[k];
        w->story = story;
        w->array = array;
        w->number = k;
        w->random = test_random_make(seed, 10 * (uint64_t)order + (uint64_t)k);
        w->n_rounds = test_scale(200);
        STORY_CHECK(story, pthread_create(&w->thread, NULL, work, w) == 0, "no thread");
    }
    for (int k = 0; k < N_WORKERS; k++) {
        pthread_join(workers[k].thread, NULL);
    }
    STORY_OK(story, xta_array_close(array, &err), err);
    STORY_OK(story, xta_check(path, NULL, NULL, &err), err);
    STORY_OK(story, xta_array_delete(path, &err), err);
}

int main(void)
{
    static test_story story;
    static const xta_order orders[] = {XTA_ROW, XTA_COLUMN, XTA_HILBERT};
    test_folder folder;
    char path[TEST_PATH_BYTES];
    uint64_t seed = test_seed("test_threads_in_place", 20261126);

    test_folder_make(&folder);
    test_folder_join(&folder, "a", path);
    for (uint64_t k = 0; k < 3; k++) {
        test_story_begin(&story, "test_threads_in_place", seed, k);
        run(&story, seed, path, orders[k]);
    }
    test_folder_remove(&folder);
    return 0;
}
