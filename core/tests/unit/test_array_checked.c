/* Checked stores, for files whose blocks copies may share: random boxes, cells and fills compared
 * with a model, on systems where the call works, does not exist, fails now and then, or stores only
 * half of the bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cmocka.h>

#include "array/array.h"
#include "support/folder.h"
#include "support/must.h"
#include "support/random.h"
#include "util/os.h"

enum { ROWS = 300, COLUMNS = 500, N_STEPS = 300 };

typedef enum fault { NONE, NO_CALL, SOMETIMES, HALF, N_FAULTS } fault;

static char path[TEST_PATH_BYTES];
static xta_error err;
static xta__os_calls real, replaced;
static test_random rnd;
static fault now;
static uint64_t n_stores, n_failed, n_plain;
static int64_t model[ROWS][COLUMNS], cells[ROWS * COLUMNS];

static int say_shares(int fd)
{
    (void)fd;
    return 1;
}

/* By the system or, if it has no such call (an emulator, for example), in place of it. */
static ssize_t store_well(const struct iovec *to, size_t n_to, const struct iovec *from,
                          size_t n_from)
{
    ssize_t n = real.store(to, n_to, from, n_from);
    size_t source = 0, at = 0;

    if (n >= 0 || (errno != ENOSYS && errno != EPERM)) {
        return n;
    }
    n = 0;
    for (size_t k = 0, done = 0; k < n_to && source < n_from; n++) {
        ((uint8_t *)to[k].iov_base)[done++] = ((const uint8_t *)from[source].iov_base)[at++];
        if (done == to[k].iov_len) {
            done = 0;
            k++;
        }
        if (at == from[source].iov_len) {
            at = 0;
            source++;
        }
    }
    return n;
}

static ssize_t store(const struct iovec *to, size_t n_to, const struct iovec *from, size_t n_from)
{
    bool fails = now == NO_CALL || (now != NONE && test_random_chance(&rnd, 30));

    n_stores++;
    n_failed += fails;
    if (fails && now == HALF) {
        struct iovec some = *to;
        some.iov_len = 1;
        return store_well(&some, 1, from, 1);
    }
    if (fails) {
        errno = now == NO_CALL ? EPERM : EFAULT;
        return -1;
    }
    return store_well(to, n_to, from, n_from);
}

/* Pages are never prepared for plain stores. */
static int count_populates(void *address, size_t bytes)
{
    n_plain++;
    return real.populate(address, bytes);
}

static int set_up(void **state)
{
    (void)state;
    test_folder_join(&test_group_folder, "a", path);
    real = *xta__os();
    replaced = real;
    replaced.shares_blocks = say_shares;
    replaced.store = store;
    replaced.populate = count_populates;
    xta__os_replace(&replaced);
    n_stores = n_failed = n_plain = 0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    xta__os_replace(NULL);
    test_pair_remove(path);
    return 0;
}

static xta_box random_box(void)
{
    xta_box box = {.ndim = 2};
    const int64_t lengths[2] = {ROWS, COLUMNS};
    bool small = test_random_chance(&rnd, 50);

    for (int axis = 0; axis < 2; axis++) {
        int64_t most = small ? 8 : lengths[axis];
        box.lo[axis] = test_random_in(&rnd, 0, lengths[axis] - 1);
        box.hi[axis] = box.lo[axis] + test_random_in(&rnd, 1, most);
        box.hi[axis] = box.hi[axis] < lengths[axis] ? box.hi[axis] : lengths[axis];
    }
    return box;
}

/* One random change of the array and of the model. */
static void change(xta_array *array)
{
    xta_box box = random_box();
    uint32_t kind = (uint32_t)test_random_in(&rnd, 0, 9);
    int64_t value = test_random_in(&rnd, 1, 1 << 30), *at = cells;

    for (int64_t i = box.lo[0]; i < box.hi[0]; i++) {
        for (int64_t j = box.lo[1]; j < box.hi[1]; j++) {
            *at++ = kind < 6 ? ++value : value;
            if (kind < 9 || (i == box.lo[0] && j == box.lo[1])) {
                model[i][j] = value;
            }
        }
    }
    if (kind < 6) {
        test_must(xta_array_write(array, &box, NULL, cells, &err), &err);
    } else if (kind < 9) {
        test_must(xta_array_fill(array, &box, &value, &err), &err);
    } else {
        test_must(xta_array_put(array, box.lo, &value, &err), &err);
    }
    if (test_random_chance(&rnd, 3)) {
        test_must(xta_array_sync(array, &err), &err);
    }
}

static void compare(xta_array *array)
{
    const xta_box all = {.ndim = 2, .hi = {ROWS, COLUMNS}};

    test_must(xta_array_read(array, &all, NULL, cells, &err), &err);
    assert_memory_equal(cells, model, sizeof model);
}

static xta_array *open_mapped(void)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;

    options.writable = true;
    options.access = XTA_ACCESS_MAPPED;
    test_must(xta_array_open(path, &options, &array, &err), &err);
    return array;
}

static xta_array *make(xta_order order, xta_type type)
{
    const int64_t lengths[2] = {ROWS, COLUMNS}, chunk[2] = {128, 256};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    options.chunk = chunk;
    options.order = order;
    options.access = XTA_ACCESS_MAPPED;
    test_must(xta_array_create(path, type, 2, lengths, &options, &array, &err), &err);
    memset(model, 0, sizeof model);
    return array;
}

static void one_history(fault f, xta_order order)
{
    uint64_t before = n_stores, failed_before = n_failed;

    rnd = test_random_make(20261124, (uint64_t)f * 10 + (uint64_t)order);
    now = f;
    xta_array *array = make(order, XTA_I64);
    for (int k = 0; k < N_STEPS; k++) {
        change(array);
        if (k % 50 == 0) {
            compare(array);
        }
    }
    compare(array);
    test_must(xta_array_close(array, &err), &err);
    array = open_mapped();
    compare(array);
    test_must(xta_array_close(array, &err), &err);
    test_pair_remove(path);
    // If there is no such call it is tried once.
    assert_true(f == NO_CALL ? n_stores == before + 1 : n_stores > before + 50);
    assert_int_equal(n_failed > failed_before, f != NONE);
}

static void test_histories(void **state)
{
    (void)state;
    for (int f = NONE; f < N_FAULTS; f++) {
        for (int order = XTA_ROW; order <= XTA_HILBERT; order++) {
            one_history((fault)f, (xta_order)order);
        }
    }
    assert_int_equal(n_plain, 0);
}

/* ---- a disk that is full ---- */

static ssize_t refuse_write(int fd, const void *bytes, size_t n, off_t offset)
{
    (void)fd;
    (void)bytes;
    (void)n;
    (void)offset;
    errno = ENOSPC;
    return -1;
}

static ssize_t refuse_store(const struct iovec *to, size_t n_to, const struct iovec *from,
                            size_t n_from)
{
    (void)to;
    (void)n_to;
    (void)from;
    (void)n_from;
    errno = EFAULT;
    return -1;
}

/* Cells that cannot be stored are written by calls, whose errno is returned; later changes
 * succeed. */
static void test_full(void **state)
{
    const xta_box box = {.ndim = 2, .lo = {3, 5}, .hi = {200, 400}};
    const int64_t one = 1, at[2] = {10, 10};
    xta_array *array = make(XTA_ROW, XTA_I64);

    (void)state;
    now = NONE;
    for (size_t k = 0; k < ROWS * COLUMNS; k++) {
        cells[k] = (int64_t)k;
    }
    test_must(xta_array_write(array, &box, NULL, cells, &err), &err);
    test_must(xta_array_write(array, &box, NULL, cells, &err), &err);
    uint64_t before = n_stores;
    test_must(xta_array_put(array, at, &one, &err), &err);
    assert_int_equal(n_stores, before + 1);
    replaced.write_at = refuse_write;
    replaced.store = refuse_store;
    xta__os_replace(&replaced);
    assert_int_equal(xta_array_write(array, &box, NULL, cells, &err), XTA_ENOSPC);
    assert_int_equal(err.os_errno, ENOSPC);
    assert_int_equal(xta_array_fill(array, &box, &one, &err), XTA_ENOSPC);
    assert_int_equal(xta_array_put(array, at, &one, &err), XTA_ENOSPC);
    assert_int_equal(err.os_errno, ENOSPC);
    replaced.write_at = real.write_at;
    replaced.store = store;
    xta__os_replace(&replaced);
    before = n_stores;
    test_must(xta_array_fill(array, &box, &one, &err), &err);
    assert_true(n_stores > before);
    test_must(xta_array_get(array, at, cells, &err), &err);
    assert_int_equal(cells[0], 1);
    test_must(xta_array_close(array, &err), &err);
}

/* Cells that are converted as they are written. */
static void write_converted(xta_array *array, const xta_io_options *options)
{
    xta_box box = random_box();
    int64_t *at = cells;

    for (int64_t i = box.lo[0]; i < box.hi[0]; i++) {
        for (int64_t j = box.lo[1]; j < box.hi[1]; j++) {
            *at++ = model[i][j] = test_random_in(&rnd, -1000, 1000);
        }
    }
    test_must(xta_array_write(array, &box, options, cells, &err), &err);
}

static void test_conversion(void **state)
{
    const xta_box all = {.ndim = 2, .hi = {ROWS, COLUMNS}};
    xta_io_options options = XTA_IO_OPTIONS_INIT;

    (void)state;
    now = SOMETIMES;
    options.type = XTA_I64;
    for (int order = XTA_ROW; order <= XTA_HILBERT; order++) {
        xta_array *array = make((xta_order)order, XTA_I32);
        uint64_t before = n_stores;
        for (int k = 0; k < 40; k++) {
            write_converted(array, &options);
        }
        test_must(xta_array_read(array, &all, &options, cells, &err), &err);
        assert_memory_equal(cells, model, sizeof model);
        assert_true(n_stores > before);
        test_must(xta_array_close(array, &err), &err);
        test_pair_remove(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_histories, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_full, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_conversion, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, test_group_begin, test_group_end);
}
