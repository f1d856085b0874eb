/* Two processes store into the same chunks, one the odd cells by boxes, one the even cells by put,
 * and both sync now and then: neither ever undoes a store of the other.
 *
 * Each remembers the value it last stored in each of its cells. It checks random ones all the time,
 * all of them at the end, and all of them again when both have closed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <xta/array.h>

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

enum { SIDE = 512, CHUNK = 128, LONGEST = 40 };

static const char *const mode_names[] = {"mapped and mapped", "mapped and cached",
                                         "cached and mapped"};

static test_folder folder;
static char path[TEST_PATH_BYTES];
static uint32_t (*model)[SIDE]; /* shared by both */
static xta_error err;

static void must(xta_status status, const char *what)
{
    if (status != XTA_OK) {
        fprintf(stderr, "test_odd_even: %s: %s\n", what, err.text);
        exit(1);
    }
}

static void check_cell(xta_array *array, const int64_t at[2], const char *when)
{
    uint32_t value = 0;

    must(xta_array_get(array, at, &value, &err), "get");
    if (value != model[at[0]][at[1]]) {
        fprintf(stderr, "test_odd_even: %s: cell %d,%d holds %u, not %u: a store was undone\n",
                when, (int)at[0], (int)at[1], value, model[at[0]][at[1]]);
        exit(1);
    }
}

static void check_half(xta_array *array, int odd, const char *when)
{
    for (int64_t i = 0; i < SIDE; i++) {
        for (int64_t j = odd; j < SIDE; j += 2) {
            const int64_t at[2] = {i, j};
            check_cell(array, at, when);
        }
    }
}

/* A box with a step of 2: the odd cells of some rows. */
static uint64_t store_box(xta_array *array, test_random *rnd)
{
    static uint32_t cells[LONGEST * LONGEST];
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    const int64_t step[2] = {1, 2};
    xta_box box = {.ndim = 2};
    size_t n = 0;

    for (int axis = 0; axis < 2; axis++) {
        int64_t most = axis == 0 ? LONGEST : 2 * LONGEST;
        box.lo[axis] = test_random_in(rnd, 0, SIDE - 2) | (axis == 1);
        int64_t left = SIDE - box.lo[axis];
        box.hi[axis] = box.lo[axis] + test_random_in(rnd, 1, most < left ? most : left);
    }
    for (int64_t i = box.lo[0]; i < box.hi[0]; i++) {
        for (int64_t j = box.lo[1]; j < box.hi[1]; j += 2) {
            cells[n] = (uint32_t)test_random_u64(rnd);
            model[i][j] = cells[n++];
        }
    }
    options.step = step;
    must(xta_array_write(array, &box, &options, cells, &err), "write");
    return n;
}

static uint64_t store_cells(xta_array *array, test_random *rnd)
{
    for (int k = 0; k < 200; k++) {
        const int64_t at[2] = {test_random_in(rnd, 0, SIDE - 1),
                               test_random_in(rnd, 0, SIDE / 2 - 1) * 2};
        uint32_t value = (uint32_t)test_random_u64(rnd);
        model[at[0]][at[1]] = value;
        must(xta_array_put(array, at, &value, &err), "put");
    }
    return 200;
}

/* One of the two; false if a cell is not what it stored. */
static void work(int odd, xta_access access, uint64_t seed, uint64_t n_stores)
{
    test_random rnd = test_random_make(seed, (uint64_t)odd);
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;

    options.writable = true;
    options.access = access;
    options.cache_bytes = 300000;
    must(xta_array_open(path, &options, &array, &err), "open");
    for (uint64_t done = 0; done < n_stores;) {
        done += odd != 0 ? store_box(array, &rnd) : store_cells(array, &rnd);
        for (int k = 0; k < 20; k++) {
            const int64_t at[2] = {test_random_in(&rnd, 0, SIDE - 1),
                                   test_random_in(&rnd, 0, SIDE / 2 - 1) * 2 + odd};
            check_cell(array, at, "while both store");
        }
        if (test_random_chance(&rnd, 1)) {
            must(xta_array_sync(array, &err), "sync");
        }
    }
    check_half(array, odd, "at the end");
    must(xta_array_close(array, &err), "close");
}

static int run(int mode, uint64_t seed, uint64_t n_stores)
{
    static const xta_access access[3][2] = {{XTA_ACCESS_MAPPED, XTA_ACCESS_MAPPED},
                                            {XTA_ACCESS_MAPPED, XTA_ACCESS_CACHED},
                                            {XTA_ACCESS_CACHED, XTA_ACCESS_MAPPED}};
    const int64_t lengths[2] = {SIDE, SIDE}, chunk[2] = {CHUNK, CHUNK};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    int n_failed = 0, status = 0;
    pid_t children[2];

    options.chunk = chunk;
    must(xta_array_create(path, XTA_U32, 2, lengths, &options, &array, &err), "create");
    must(xta_array_close(array, &err), "close");
    for (size_t k = 0; k < (size_t)SIDE * SIDE; k++) {
        model[k / SIDE][k % SIDE] = 0;
    }
    for (int odd = 0; odd < 2; odd++) {
        children[odd] = fork();
        if (children[odd] == 0) {
            work(odd, access[mode][odd], seed, n_stores / 2);
            _exit(0);
        }
    }
    for (int odd = 0; odd < 2; odd++) {
        n_failed += waitpid(children[odd], &status, 0) < 0 || status != 0;
    }
    must(xta_array_open(path, NULL, &array, &err), "open");
    for (int odd = 0; odd < 2 && n_failed == 0; odd++) {
        check_half(array, odd, "after both have closed");
    }
    must(xta_array_close(array, &err), "close");
    must(xta_array_delete(path, &err), "delete");
    printf("test_odd_even: %s: %llu stores, %s\n", mode_names[mode], (unsigned long long)n_stores,
           n_failed == 0 ? "none undone" : "some undone");
    return n_failed;
}

int main(void)
{
    uint64_t seed = test_seed("test_odd_even", 20261124);
    uint64_t n_stores = test_scale(1000000);
    int n_failed = 0;

    test_folder_make(&folder);
    test_folder_join(&folder, "a", path);
    model =
        mmap(NULL, sizeof *model * SIDE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (model == MAP_FAILED) {
        return 1;
    }
    for (int mode = 0; mode < 3; mode++) {
        n_failed += run(mode, seed, n_stores);
    }
    test_folder_remove(&folder);
    return n_failed;
}
