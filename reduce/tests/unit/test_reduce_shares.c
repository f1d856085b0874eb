/* A result of one cell, of an array with one block on each axis: all threads compute it, to the
 * same bits. (faults/test_reduce_faults.c has reads that fail while they do.)
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include <xta/reduce.h>

#include "support/must.h"
#include "support/random.h"

enum { ROWS = 96, LINES = 32, SAMPLES = 40, STATISTICS = 4, THREADS = 4, PATIENCE_S = 20 };

static const xta_reduce_statistic wanted[STATISTICS] = {XTA_REDUCE_SUM, XTA_REDUCE_MIN,
                                                        XTA_REDUCE_VAR, XTA_REDUCE_COUNT};

/* Cells stored by columns are read by xta_array_read, which an observer sees. */
static xta_array *array_by_columns(void)
{
    const int64_t bounds[3] = {ROWS, LINES, SAMPLES}, chunk[3] = {4, 16, 16};
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    static float cells[ROWS * LINES * SAMPLES];
    test_random random = test_random_make(20260014, 0);
    xta_array *array = NULL;
    xta_error err;

    for (size_t k = 0; k < sizeof cells / sizeof cells[0]; k++) {
        cells[k] = (float)test_random_in(&random, -1000000, 1000000) / 7;
    }
    create.chunk = chunk;
    create.order = XTA_COLUMN;
    test_must(xta_array_new(XTA_F32, 3, bounds, &create, &array, &err), &err);
    const xta_box box = xta_array_bounds(array);
    test_must(xta_array_write(array, &box, NULL, cells, &err), &err);
    return array;
}

/* ---- who reads ---- */

typedef struct readers {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread[THREADS];
    int n, wanted;
} readers;

/* Each thread waits at its first read until as many as are wanted have come, or for PATIENCE_S. */
static void meet(void *user, xta_array *array, bool write, const xta_box *box, const int64_t *step)
{
    readers *r = user;
    struct timespec end;
    int k = 0;

    (void)array;
    (void)write;
    (void)box;
    (void)step;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += PATIENCE_S;
    pthread_mutex_lock(&r->lock);
    while (k < r->n && pthread_equal(r->thread[k], pthread_self()) == 0) {
        k++;
    }
    if (k == r->n && r->n < THREADS) {
        r->thread[r->n++] = pthread_self();
        pthread_cond_broadcast(&r->changed);
        while (r->n < r->wanted && pthread_cond_timedwait(&r->changed, &r->lock, &end) == 0) {}
    }
    pthread_mutex_unlock(&r->lock);
}

typedef struct answers {
    double value[STATISTICS];
} answers;

static answers reduce_all(xta_array *array, int threads, int *n_readers)
{
    readers r = {
        .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .wanted = threads};
    const xta_box one = xta_box_make(1, (const int64_t[]){0}, (const int64_t[]){1});
    xta_reduce_options options = XTA_REDUCE_OPTIONS_INIT;
    xta_array *results[STATISTICS] = {NULL};
    answers a = {{0}};
    xta_error err;

    options.threads = threads;
    for (int k = 0; k < STATISTICS; k++) {
        test_must(xta_reduce_create(array, &options, wanted[k], NULL, &results[k], &err), &err);
    }
    xta_array_watch(array, meet, &r);
    test_must(xta_reduce(array, &options, wanted, STATISTICS, results, NULL, &err), &err);
    xta_array_watch(array, NULL, NULL);
    for (int k = 0; k < STATISTICS; k++) {
        test_must(xta_array_read(results[k], &one, NULL, &a.value[k], &err), &err);
        test_must(xta_array_close(results[k], &err), &err);
    }
    *n_readers = r.n;
    return a;
}

static void all_threads_read(void **state)
{
    xta_array *array = array_by_columns();
    int n_readers = 0;
    xta_error err;

    (void)state;
    const answers one = reduce_all(array, 1, &n_readers);
    assert_int_equal(n_readers, 1);
    for (int threads = 2; threads <= THREADS; threads++) {
        const answers other = reduce_all(array, threads, &n_readers);
        assert_int_equal(n_readers, threads);
        assert_memory_equal(&other, &one, sizeof one);
    }
    test_must(xta_array_close(array, &err), &err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_threads_read)};

    return cmocka_run_group_tests_name("reduce_shares", tests, NULL, NULL);
}
