/* Where results go: arrays whose coordinates are far from 0 take no more memory and no more of a
 * disk than their cells; a chunk store of one thread is written by one thread; sums may have any
 * value that 64 bits hold.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <xta/reduce.h>

#include "private/array.h"
#include "support/folder.h"
#include "support/must.h"
#include "support/resident.h"
#include "util/os.h"

#define FAR    100000000 // a sum is 8 bytes: 800 MB from here to 0
#define ROWS   10
#define LITTLE (48L << 20) // bytes

/* Bytes of the disk that the cells of an array occupy. */
static long on_disk(const char *name)
{
    char path[TEST_PATH_BYTES + 8];
    struct stat s;

    snprintf(path, sizeof path, "%s.xta", name);
    assert_int_equal(stat(path, &s), 0);
    return (long)s.st_blocks * 512;
}

/* An array of u8 in files with ROWS rows of three cells; row k is k, k + 1, k + 2. It begins at
 * `lo`, which its neighbours have been removed before. */
static xta_array *far_array(const char *path, int64_t lo)
{
    int64_t hi = lo + ROWS;
    const int64_t bounds[2] = {hi > 0 ? hi : 0, 3}, chunk[2] = {1 << 16, 3};
    const xta_growth front = {0, XTA_FRONT, lo > 0 ? lo : -lo}, back = {0, XTA_BACK, -hi};
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    uint8_t cells[ROWS][3];
    xta_array *array = NULL;
    xta_error err;

    create.chunk = chunk;
    test_must(xta_array_create(path, XTA_U8, 2, bounds, &create, &array, &err), &err);
    if (lo > 0) {
        test_must(xta_array_shrink(array, &front, 1, NULL, &err), &err);
    } else {
        test_must(xta_array_extend(array, &front, 1, NULL, &err), &err);
        test_must(xta_array_shrink(array, &back, 1, NULL, &err), &err);
    }
    for (int k = 0; k < ROWS; k++) {
        for (int i = 0; i < 3; i++) {
            cells[k][i] = (uint8_t)(k + i);
        }
    }
    const xta_box box = xta_array_bounds(array);
    assert_int_equal(box.lo[0], lo);
    assert_int_equal(box.hi[0], hi);
    test_must(xta_array_write(array, &box, NULL, cells, &err), &err);
    return array;
}

/* The sums of the rows, into an array in memory (`path` NULL) or in files. */
static void sum_rows(xta_array *array, const char *path)
{
    const xta_reduce_statistic sum = XTA_REDUCE_SUM;
    xta_reduce_options options = XTA_REDUCE_OPTIONS_INIT;
    const int samples = 1;
    uint64_t sums[ROWS] = {0};
    xta_array *result = NULL;
    xta_reduce_facts facts;
    xta_error err;

    options.axes = &samples;
    options.n_axes = 1;
    options.memory_bytes = 4 << 20;
    long before = test_resident();
    test_must(xta_reduce_create(array, &options, sum, path, &result, &err), &err);
    test_must(xta_reduce(array, &options, &sum, 1, &result, &facts, &err), &err);
    long more = test_resident() - before;
    if (more > LITTLE) {
        fail_msg("%ld bytes more for %d results", more, ROWS);
    }
    assert_true(facts.memory_bytes <= options.memory_bytes);
    const xta_box from = xta_array_bounds(array), box = xta_array_bounds(result);
    assert_int_equal(box.ndim, 1);
    assert_int_equal(box.lo[0], from.lo[0]);
    assert_int_equal(box.hi[0], from.hi[0]);
    test_must(xta_array_read(result, &box, NULL, sums, &err), &err);
    for (uint64_t k = 0; k < ROWS; k++) {
        assert_int_equal(sums[k], 3 * k + 3);
    }
    test_must(xta_array_close(result, &err), &err);
    if (path != NULL && on_disk(path) > 4 << 20) {
        fail_msg("%ld bytes of the disk for %d results", on_disk(path), ROWS);
    }
}

/* Results whose axis begins at 10^8, or ends 10^8 before 0. */
static void far_from_zero(void **state)
{
    static const int64_t begins[] = {FAR, -FAR - ROWS, -FAR - ROWS / 2};
    xta_error err;

    (void)state;
    for (size_t k = 0; k < sizeof begins / sizeof begins[0]; k++) {
        const char *path = test_folder_path(&test_group_folder, "far");
        xta_array *array = far_array(path, begins[k]);
        sum_rows(array, NULL);
        sum_rows(array, test_folder_path(&test_group_folder, "sums"));
        test_must(xta_array_close(array, &err), &err);
        test_pair_remove(path);
        test_pair_remove(test_folder_path(&test_group_folder, "sums"));
    }
}

/* ---- chunk stores of one thread ---- */

typedef struct writers {
    pthread_mutex_t lock;
    pthread_t first;
    unsigned n_writes, n_by_others;
} writers;

/* A write of results, slow enough for other threads to come in between. */
static void note_writer(void *user, xta_array *array, bool write, const xta_box *box,
                        const int64_t *step)
{
    writers *w = user;

    (void)array;
    (void)box;
    (void)step;
    if (write) {
        xta__pause_ms(1);
        pthread_mutex_lock(&w->lock);
        w->n_writes++;
        w->n_by_others += pthread_equal(pthread_self(), w->first) == 0;
        pthread_mutex_unlock(&w->lock);
    }
}

/* Reduce with four threads into an array that one thread, or any, may write. */
static unsigned writes_by_others(bool one_thread)
{
    const int64_t bounds[2] = {3, 200000}, chunk[2] = {3, 1024};
    const xta_reduce_statistic sum = XTA_REDUCE_SUM;
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_reduce_options options = XTA_REDUCE_OPTIONS_INIT;
    const int rows = 0;
    writers w = {.lock = PTHREAD_MUTEX_INITIALIZER, .first = pthread_self()};
    xta_array *array = NULL, *result = NULL;
    xta_error err;

    create.chunk = chunk;
    test_must(xta_array_new(XTA_F32, 2, bounds, &create, &array, &err), &err);
    options.axes = &rows;
    options.n_axes = 1;
    options.threads = 4;
    test_must(xta_reduce_create(array, &options, sum, NULL, &result, &err), &err);
    result->chunk_store->one_thread = one_thread;
    xta_array_watch(result, note_writer, &w);
    test_must(xta_reduce(array, &options, &sum, 1, &result, NULL, &err), &err);
    xta_array_watch(result, NULL, NULL);
    result->chunk_store->one_thread = false;
    assert_true(w.n_writes >= 20);
    test_must(xta_array_close(result, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    return w.n_by_others;
}

static void one_thread_writes(void **state)
{
    (void)state;
    assert_int_not_equal(writes_by_others(false), 0);
    assert_int_equal(writes_by_others(true), 0);
}

/* ---- the largest sums ---- */

/* The sum of two cells, as the bits of the result. */
static xta_status sum_of_two(xta_type type, const void *cells, uint64_t *bits, xta_error *err)
{
    const xta_reduce_statistic sum = XTA_REDUCE_SUM;
    const xta_box box = xta_box_make(1, (const int64_t[]){0}, (const int64_t[]){2});
    const xta_box one = xta_box_make(1, (const int64_t[]){0}, (const int64_t[]){1});
    xta_array *array = NULL, *result = NULL;
    xta_error other;

    test_must(xta_array_new(type, 1, (const int64_t[]){2}, NULL, &array, &other), &other);
    test_must(xta_array_write(array, &box, NULL, cells, &other), &other);
    test_must(xta_reduce_create(array, NULL, sum, NULL, &result, &other), &other);
    xta_status status = xta_reduce(array, NULL, &sum, 1, &result, NULL, err);
    if (status == XTA_OK) {
        test_must(xta_array_read(result, &one, NULL, bits, &other), &other);
    }
    test_must(xta_array_close(result, &other), &other);
    test_must(xta_array_close(array, &other), &other);
    return status;
}

static void the_largest_sums(void **state)
{
    static const uint64_t greatest[2] = {UINT64_MAX - 7, 7}, too_great[2] = {UINT64_MAX - 7, 8};
    static const int64_t least[2] = {INT64_MIN + 7, -7}, too_little[2] = {INT64_MIN + 7, -8};
    static const int64_t most[2] = {INT64_MAX - 7, 7}, too_much[2] = {INT64_MAX - 7, 8};
    uint64_t bits = 0;
    xta_error err;

    (void)state;
    test_must(sum_of_two(XTA_U64, greatest, &bits, &err), &err);
    assert_true(bits == UINT64_MAX);
    test_must(sum_of_two(XTA_I64, least, &bits, &err), &err);
    assert_true(bits == (uint64_t)INT64_MIN);
    test_must(sum_of_two(XTA_I64, most, &bits, &err), &err);
    assert_true(bits == (uint64_t)INT64_MAX);
    assert_int_equal(sum_of_two(XTA_U64, too_great, &bits, &err), XTA_ERANGE);
    assert_non_null(strstr(err.text, "leaves the range of u64"));
    assert_int_equal(sum_of_two(XTA_I64, too_little, &bits, &err), XTA_ERANGE);
    assert_non_null(strstr(err.text, "leaves the range of i64"));
    assert_int_equal(sum_of_two(XTA_I64, too_much, &bits, &err), XTA_ERANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_from_zero),
        cmocka_unit_test(one_thread_writes),
        cmocka_unit_test(the_largest_sums),
    };

    return cmocka_run_group_tests_name("reduce_results", tests, test_group_begin, test_group_end);
}
