/* Several threads on one array: each writes its own boxes and single cells while one thread grows
 * the array, sets attributes, syncs and refreshes.
 *
 * Each worker owns a range of rows that does not end at chunk boundaries, so that neighbours
 * share chunks, and keeps a model of its own cells. No cell is ever touched by two threads at
 * once, so a race that a sanitizer reports is the library's.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

#define N_WORKERS 4
#define ROWS      5 /* of each worker */
#define COLUMNS   21
#define FILL      7

typedef struct shared {
    test_story story;
    xta_array *array;
    uint64_t n_rounds;
    atomic_int running; /* workers that are not done */
    bool shrinks;
} shared;

typedef struct worker {
    shared *s;
    pthread_t thread;
    test_random random;
    int64_t first_row;
    uint16_t cells[ROWS][COLUMNS];
} worker;

/* ---- the workers ---- */

static xta_box random_box(worker *w)
{
    xta_box box = {.ndim = 2};
    box.lo[0] = test_random_in(&w->random, 0, ROWS - 1);
    box.hi[0] = test_random_in(&w->random, box.lo[0] + 1, ROWS);
    box.lo[1] = test_random_in(&w->random, 0, COLUMNS - 1);
    box.hi[1] = test_random_in(&w->random, box.lo[1] + 1, COLUMNS);
    return box;
}

static xta_box in_array(const worker *w, xta_box box)
{
    box.lo[0] += w->first_row;
    box.hi[0] += w->first_row;
    return box;
}

static void write_box(worker *w)
{
    xta_error err;
    uint16_t cells[ROWS * COLUMNS];
    xta_box box = random_box(w);
    size_t n = 0;

    for (int64_t i = box.lo[0]; i < box.hi[0]; i++) {
        for (int64_t j = box.lo[1]; j < box.hi[1]; j++) {
            w->cells[i][j] = (uint16_t)test_random_u64(&w->random);
            cells[n++] = w->cells[i][j];
        }
    }
    box = in_array(w, box);
    STORY_OK(&w->s->story, xta_array_write(w->s->array, &box, NULL, cells, &err), err);
}

static void read_box(worker *w)
{
    xta_error err;
    uint16_t cells[ROWS * COLUMNS];
    xta_box box = random_box(w);
    xta_box there = in_array(w, box);
    size_t n = 0;

    STORY_OK(&w->s->story, xta_array_read(w->s->array, &there, NULL, cells, &err), err);
    for (int64_t i = box.lo[0]; i < box.hi[0]; i++) {
        for (int64_t j = box.lo[1]; j < box.hi[1]; j++) {
            STORY_CHECK(&w->s->story, cells[n] == w->cells[i][j],
                        "cell %lld,%lld is %u instead of %u", (long long)(w->first_row + i),
                        (long long)j, (unsigned)cells[n], (unsigned)w->cells[i][j]);
            n++;
        }
    }
}

static void get_and_put(worker *w)
{
    xta_error err;

    for (int k = 0; k < 40; k++) {
        int64_t i = test_random_in(&w->random, 0, ROWS - 1);
        int64_t j = test_random_in(&w->random, 0, COLUMNS - 1);
        int64_t coord[2] = {w->first_row + i, j};
        uint16_t cell = 0;
        if (test_random_chance(&w->random, 50)) {
            w->cells[i][j] = (uint16_t)test_random_u64(&w->random);
            STORY_OK(&w->s->story, xta_array_put(w->s->array, coord, &w->cells[i][j], &err), err);
        }
        STORY_OK(&w->s->story, xta_array_get(w->s->array, coord, &cell, &err), err);
        STORY_CHECK(&w->s->story, cell == w->cells[i][j], "a cell got is %u instead of %u",
                    (unsigned)cell, (unsigned)w->cells[i][j]);
    }
}

static void inspect_bounds(worker *w)
{
    xta_error err;
    xta_location location;
    uint64_t address = 0;
    int64_t coord[2] = {w->first_row, 0};
    int64_t chunk[2] = {0, 0};
    xta_chunk found;

    xta_box bounds = xta_array_bounds(w->s->array);
    STORY_CHECK(&w->s->story, bounds.hi[0] >= N_WORKERS * ROWS && bounds.hi[1] >= COLUMNS,
                "bounds fell below what was never taken away");
    STORY_OK(&w->s->story, xta_array_locate(w->s->array, coord, &location, &err), err);
    STORY_OK(&w->s->story, xta_array_chunk_address(w->s->array, chunk, &address, &err), err);
    STORY_CHECK(&w->s->story, address == 0, "the first chunk has address %llu",
                (unsigned long long)address);
    STORY_OK(&w->s->story, xta_array_chunk_at(w->s->array, location.address, &found, &err), err);
    STORY_CHECK(&w->s->story, found.chunk.lo[0] == w->first_row / 8 && found.chunk.lo[1] == 0,
                "the inverse gives another chunk");
}

static void *work(void *user)
{
    worker *w = user;

    for (uint64_t round = 0; round < w->s->n_rounds; round++) {
        write_box(w);
        read_box(w);
        get_and_put(w);
        inspect_bounds(w);
    }
    xta_error err;
    xta_box mine = in_array(w, (xta_box){.ndim = 2, .hi = {ROWS, COLUMNS}});
    uint16_t cells[ROWS][COLUMNS];
    STORY_OK(&w->s->story, xta_array_read(w->s->array, &mine, NULL, cells, &err), err);
    STORY_CHECK(&w->s->story, memcmp(cells, w->cells, sizeof(cells)) == 0, "cells differ");
    atomic_fetch_sub(&w->s->running, 1);
    return NULL;
}

/* ---- the thread that changes the structure ---- */

static void check_new_slab(shared *s, const xta_growth *growth, const xta_box *after)
{
    xta_error err;
    xta_box slab = *after;
    uint64_t n = 0;

    if (growth->side == XTA_BACK) {
        slab.lo[growth->axis] = slab.hi[growth->axis] - growth->by;
    } else {
        slab.hi[growth->axis] = slab.lo[growth->axis] + growth->by;
    }
    STORY_CHECK(&s->story, xta_box_cells(&slab, &n) == XTA_OK, "a slab overflows");
    uint16_t *cells = calloc((size_t)n + 1, sizeof(uint16_t));
    STORY_OK(&s->story, xta_array_read(s->array, &slab, NULL, cells, &err), err);
    for (uint64_t i = 0; i < n; i++) {
        STORY_CHECK(&s->story, cells[i] == FILL, "a new cell is not fill");
        cells[i] = (uint16_t)i;
    }
    STORY_OK(&s->story, xta_array_write(s->array, &slab, NULL, cells, &err), err);
    free(cells);
}

static int count_chunk(void *user, const xta_chunk *chunk)
{
    uint64_t *next = user;
    return chunk->address != (*next)++;
}

static void walk_chunks(shared *s)
{
    xta_error err;
    uint64_t next = 0;
    STORY_OK(&s->story, xta_array_each_chunk(s->array, NULL, count_chunk, &next, &err), err);
}

static void set_and_get_attribute(shared *s, int64_t value)
{
    xta_error err;
    xta_attribute attribute;
    STORY_OK(&s->story, xta_attribute_set_f64(s->array, XTA_ON_ARRAY, "v", (double)value, &err),
             err);
    STORY_OK(&s->story, xta_attribute_get(s->array, XTA_ON_ARRAY, "v", &attribute, &err), err);
    double got = 0;
    memcpy(&got, attribute.values, sizeof(got));
    STORY_CHECK(&s->story, got == (double)value, "an attribute differs");
}

/* Grow and, now and then, remove all growth again, but never the rows of the workers. */
static void change(shared *s, test_random *random)
{
    xta_error err;
    xta_growth grown[8];
    int n_grown = 0;

    for (int64_t k = 0; atomic_load(&s->running) > 0; k++) {
        if (n_grown < 8) {
            xta_growth *growth = &grown[n_grown++];
            growth->axis = (int)test_random_in(random, 0, 1);
            growth->side = test_random_chance(random, 50) ? XTA_BACK : XTA_FRONT;
            growth->by = test_random_in(random, 1, 9);
            xta_box after;
            STORY_OK(&s->story, xta_array_extend(s->array, growth, 1, &after, &err), err);
            check_new_slab(s, growth, &after);
        } else if (s->shrinks) {
            while (n_grown > 0) {
                STORY_OK(&s->story, xta_array_shrink(s->array, &grown[--n_grown], 1, NULL, &err),
                         err);
            }
        } else if (k < 400) {
            n_grown = 0;
        }
        set_and_get_attribute(s, k);
        if (k % 8 == 0) {
            STORY_OK(&s->story, xta_array_sync(s->array, &err), err);
            STORY_OK(&s->story, xta_array_refresh(s->array, NULL, &err), err);
            walk_chunks(s);
        }
    }
}

/* ---- one array, all threads ---- */

static void run(shared *s, uint64_t seed, uint64_t part)
{
    worker workers[N_WORKERS];
    xta_error err;

    atomic_init(&s->running, N_WORKERS);
    for (int i = 0; i < N_WORKERS; i++) {
        workers[i].s = s;
        workers[i].first_row = i * ROWS;
        workers[i].random = test_random_make(seed, 100 * part + (uint64_t)i + 1);
        for (int j = 0; j < ROWS * COLUMNS; j++) {
            workers[i].cells[j / COLUMNS][j % COLUMNS] = FILL;
        }
        STORY_CHECK(&s->story, pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0,
                    "no thread");
    }
    test_random random = test_random_make(seed, 100 * part);
    change(s, &random);
    for (int i = 0; i < N_WORKERS; i++) {
        pthread_join(workers[i].thread, NULL);
    }
    STORY_OK(&s->story, xta_array_close(s->array, &err), err);
}

static void run_mode(uint64_t seed, uint64_t part, const test_folder *folder)
{
    static shared s;
    static const int64_t chunk[] = {8, 8};
    static const int64_t bounds[] = {N_WORKERS * ROWS, COLUMNS};
    static const char *const names[] = {"auto", "mapped", "cached", "memory"};
    uint16_t fill = FILL;
    xta_error err;
    char path[TEST_PATH_BYTES];
    int mode = (int)(part % 4);
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    options.chunk = chunk;
    options.fill = &fill;
    options.access = mode < 3 ? (xta_access)mode : XTA_ACCESS_AUTO;
    options.cache_bytes = 600;
    options.order = part >= 4 ? XTA_HILBERT : XTA_ROW;
    test_story_begin(&s.story, "test_threads", seed, part);
    test_story_add(&s.story, "%s, order %d", names[mode], (int)options.order);
    s.n_rounds = test_scale(1500);
    s.shrinks = part % 3 != 0;
    test_folder_join(folder, "a", path);
    if (mode == 3) {
        STORY_OK(&s.story, xta_array_new(XTA_U16, 2, bounds, &options, &s.array, &err), err);
    } else {
        STORY_OK(&s.story, xta_array_create(path, XTA_U16, 2, bounds, &options, &s.array, &err),
                 err);
    }
    run(&s, seed, part);
    if (mode != 3) {
        STORY_OK(&s.story, xta_check(path, NULL, NULL, &err), err);
        STORY_OK(&s.story, xta_array_delete(path, &err), err);
    }
}

int main(void)
{
    test_folder folder;
    uint64_t seed = test_seed("test_threads", 20240302);

    test_folder_make_fast(&folder);
    for (uint64_t part = 0; part < 8; part++) {
        run_mode(seed, part, &folder);
    }
    test_folder_remove(&folder);
    return 0;
}
