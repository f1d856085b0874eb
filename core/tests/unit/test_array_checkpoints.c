/* The cost of opening depends on the array, not on its history: the records read are counted, not
 * timed. After a close, after a kill, while a writer is at work, by readers that follow; for
 * growths of one axis and of two in turn; with every step of the history preserved. Also what
 * remains of a checkpoint after a power loss. Shows F-111 to F-114 of docs/FORMAT.md.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <xta/xta.h>

#include "array/array.h"
#include "support/folder.h"
#include "support/must.h"
#include "support/random.h"

enum {
    N_IN_TURN = 20000,
    LEAST_RECORD_BYTES = 48, /* of a growth: head, counts, one growth */
    LONG_BYTES = 64 << 10,   /* of records without a checkpoint */
    MOST_RECORDS = LONG_BYTES / LEAST_RECORD_BYTES + 2
};

static xta_error err;
static test_folder folder;
static int64_t n_appends; /* 10^6, times XTA_SCALE */

static xta_array *make(const char *path, bool exclusive)
{
    const int64_t bounds[2] = {1, 1}, chunk[2] = {1, 1};
    xta_create_options how = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    how.chunk = chunk;
    how.exclusive_writer = exclusive;
    test_must(xta_array_create(path, XTA_U8, 2, bounds, &how, &array, &err), &err);
    return array;
}

static xta_array *open_array(const char *path, bool writable)
{
    xta_open_options how = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;

    how.writable = writable;
    test_must(xta_array_open(path, &how, &array, &err), &err);
    return array;
}

static void grow(xta_array *array, int axis)
{
    const xta_growth growth = {axis, XTA_BACK, 1};

    test_must(xta_array_extend(array, &growth, 1, NULL, &err), &err);
}

static void grow_many(xta_array *array, int64_t n, bool in_turn)
{
    for (int64_t k = 0; k < n; k++) {
        grow(array, in_turn ? (int)(k % 2) : 0);
    }
}

/* The bytes read by an opening, which must show these bounds. */
static uint64_t records_read(const char *path, int64_t rows, int64_t columns)
{
    xta_array *array = open_array(path, false);
    uint64_t n = array->journal.n_read;
    xta_box bounds = xta_array_bounds(array);

    assert_int_equal(bounds.hi[0] - bounds.lo[0], rows);
    assert_int_equal(bounds.hi[1] - bounds.lo[1], columns);
    test_must(xta_array_close(array, &err), &err);
    return n;
}

static uint64_t n_axial_records(const char *path)
{
    xta_array *array = open_array(path, false);
    uint64_t n = array->state.structure->mapping.n_records;

    test_must(xta_array_close(array, &err), &err);
    return n;
}

/* Bounds as of some steps between the first and the last: as many rows as growths. */
static void expect_history(const char *path, uint64_t n_steps, bool in_turn)
{
    const uint64_t steps[] = {0, 1, n_steps / 3, n_steps / 2 + 1, n_steps - 1, n_steps};

    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
        xta_open_options how = XTA_OPEN_OPTIONS_INIT;
        xta_array *array = NULL;
        how.at_step = true;
        how.step = steps[k];
        test_must(xta_array_open(path, &how, &array, &err), &err);
        xta_box bounds = xta_array_bounds(array);
        uint64_t rows = in_turn ? (steps[k] + 1) / 2 : steps[k];
        assert_int_equal(bounds.hi[0], 1 + rows);
        assert_int_equal(bounds.hi[1], 1 + steps[k] - rows);
        test_must(xta_array_close(array, &err), &err);
    }
}

typedef struct sizes {
    uint64_t all, of_checkpoints, n_checkpoints;
} sizes;

static xta_status add_size(void *user, const xta__record *record, const char **why)
{
    sizes *s = user;
    uint64_t bytes = XTA__RECORD_HEAD_BYTES + ((record->payload_bytes + 7) & ~(uint64_t)7);
    (void)why;

    s->all += bytes;
    if (record->type == XTA__RECORD_CHECKPOINT) {
        s->of_checkpoints += bytes;
        s->n_checkpoints++;
    }
    return XTA_OK;
}

/* Checkpoints are at most half of a journal. */
static sizes expect_short_checkpoints(const char *path)
{
    char file[TEST_PATH_BYTES + 8];
    xta__journal journal;
    sizes s = {0};

    snprintf(file, sizeof file, "%s.xmd", path);
    test_must(xta__journal_open((xta__path){file, file}, false, false, &journal, &err), &err);
    test_must(xta__journal_read(&journal, add_size, &s, &err), &err);
    xta__journal_close(&journal);
    assert_true(2 * s.of_checkpoints <= s.all);
    return s;
}

static void told(const char *what, uint64_t n)
{
    print_message("%s: %llu records read at open\n", what, (unsigned long long)n);
}

static void test_closed(void **state)
{
    const char *path = test_folder_path(&folder, "closed");
    (void)state;

    for (int exclusive = 0; exclusive < 2; exclusive++) {
        xta_array *array = make(path, exclusive != 0);
        grow_many(array, n_appends, false);
        test_must(xta_array_close(array, &err), &err);
        uint64_t n = records_read(path, n_appends + 1, 1);
        told(exclusive != 0 ? "appends of an exclusive writer" : "appends", n);
        assert_true(n <= MOST_RECORDS);
        expect_short_checkpoints(path);
        expect_history(path, n_appends, false);
        test_must(xta_check(path, NULL, NULL, &err), &err);
        test_must(xta_array_delete(path, &err), &err);
    }
}

/* A process that appends and is killed: nothing is closed and nothing synced. */
static void test_killed(void **state)
{
    const char *path = test_folder_path(&folder, "killed");
    (void)state;

    for (int exclusive = 0; exclusive < 2; exclusive++) {
        test_must(xta_array_close(make(path, false), &err), &err);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            xta_open_options how = XTA_OPEN_OPTIONS_INIT;
            xta_array *array = NULL;
            how.writable = true;
            how.exclusive_writer = exclusive != 0;
            if (xta_array_open(path, &how, &array, &err) != XTA_OK) {
                _exit(1);
            }
            grow_many(array, n_appends, false);
            kill(getpid(), SIGKILL);
        }
        int how_ended = 0;
        assert_int_equal(waitpid(child, &how_ended, 0), child);
        assert_true(WIFSIGNALED(how_ended));
        uint64_t n = records_read(path, n_appends + 1, 1);
        told(exclusive != 0 ? "killed as an exclusive writer" : "killed", n);
        assert_true(n <= MOST_RECORDS);
        expect_history(path, n_appends, false);
        test_must(xta_array_delete(path, &err), &err);
    }
}

/* Readers open at any time while a writer that syncs nothing is at work; one that keeps refreshing
 * reads every record once. */
static void test_while_appending(void **state)
{
    const char *path = test_folder_path(&folder, "followed");
    const int64_t step = 9973;
    xta_array *writer = make(path, true), *follower = open_array(path, false);
    uint64_t most = 0;
    int64_t done = 0;
    (void)state;

    while (done < n_appends) {
        int64_t n = step < n_appends - done ? step : n_appends - done;
        grow_many(writer, n, false);
        done += n;
        uint64_t found = records_read(path, done + 1, 1);
        most = found > most ? found : most;
        test_must(xta_array_refresh(follower, NULL, &err), &err);
        assert_int_equal(xta_array_bounds(follower).hi[0], done + 1);
    }
    told("beside a writer", most);
    assert_true(most <= MOST_RECORDS);
    sizes s = {.n_checkpoints = 0};
    test_must(xta_array_close(writer, &err), &err);
    s = expect_short_checkpoints(path);
    assert_true(follower->journal.n_read <= n_appends + 1 + s.n_checkpoints);
    test_must(xta_array_close(follower, &err), &err);
    test_must(xta_array_delete(path, &err), &err);
}

/* Growths of two axes in turn make an axial record each, and the bytes read are proportional to
 * them. */
static void test_in_turn(void **state)
{
    const char *path = test_folder_path(&folder, "in_turn");
    const int64_t side = N_IN_TURN / 2 + 1;
    (void)state;

    for (int exclusive = 0; exclusive < 2; exclusive++) {
        xta_array *array = make(path, exclusive != 0);
        grow_many(array, N_IN_TURN, true);
        test_must(xta_array_close(array, &err), &err);
        uint64_t n = records_read(path, side, side), axial = n_axial_records(path);
        print_message("%d growths of two axes in turn: %llu axial records, %llu records read\n",
                      N_IN_TURN, (unsigned long long)axial, (unsigned long long)n);
        // Records of 48 bytes and more, up to twice the 16 bytes of each axial record.
        assert_true(n <= MOST_RECORDS + axial);
        expect_short_checkpoints(path);
        expect_history(path, N_IN_TURN, true);
        test_must(xta_array_delete(path, &err), &err);
    }
}

/* A long list: checkpoints contain it, so each is written only after as many bytes of other
 * records. */
static void test_long_list(void **state)
{
    enum { N_VALUES = 40000 };
    const char *path = test_folder_path(&folder, "list");
    xta_array *array = make(path, false);
    double *many = calloc(N_VALUES, sizeof *many);
    xta_attribute list = {"values", XTA_F64, sizeof *many, N_VALUES, many}, found;
    (void)state;

    assert_non_null(many);
    test_must(xta_attribute_set(array, 0, &list, &err), &err);
    list.count = 1;
    for (int k = 0; k < 20000; k++) {
        many[0] = k;
        test_must(xta_attribute_extend(array, 0, (xta_side)(k % 2), &list, &err), &err);
        grow(array, 0);
    }
    test_must(xta_array_close(array, &err), &err);
    sizes s = expect_short_checkpoints(path);
    print_message("%llu checkpoints in %llu bytes\n", (unsigned long long)s.n_checkpoints,
                  (unsigned long long)s.all);
    assert_true(s.n_checkpoints >= 1 && s.n_checkpoints <= 8);
    array = open_array(path, false);
    test_must(xta_attribute_get(array, 0, "values", &found, &err), &err);
    assert_int_equal(found.count, N_VALUES + 20000);
    assert_true(((const double *)found.values)[0] == 19999);
    assert_true(((const double *)found.values)[found.count - 1] == 19998);
    test_must(xta_array_close(array, &err), &err);
    free(many);
}

/* Two handles write marks in turn: the newest one is used, whoever wrote it. */
static void test_two_writers(void **state)
{
    const char *path = test_folder_path(&folder, "two");
    xta_array *first = make(path, false), *second = open_array(path, true);
    (void)state;

    for (int k = 0; k < 40; k++) {
        xta_array *writer = k % 3 == 0 ? first : second;
        grow_many(writer, 400, false);
        if (k % 4 == 0) {
            test_must(xta_array_sync(writer, &err), &err);
            xta_array *reader = open_array(path, false);
            assert_int_equal(reader->journal.synced_bytes, writer->journal.end);
            test_must(xta_array_close(reader, &err), &err);
        }
        uint64_t n = records_read(path, 400 * (k + 1) + 1, 1);
        assert_true(n <= MOST_RECORDS);
    }
    test_must(xta_array_close(first, &err), &err);
    test_must(xta_array_close(second, &err), &err);
    expect_history(path, 16000, false);
    expect_short_checkpoints(path);
}

/* ---- loss of power ---- */

static uint32_t other_boot(void)
{
    return 0x1234567;
}

static void set_boot(bool other)
{
    static xta__os_calls calls;

    calls = *xta__os();
    calls.boot = other_boot;
    xta__os_replace(other ? &calls : NULL);
}

/* An array whose growths have an unsynced checkpoint, and the offset of a record before it. */
static uint64_t make_unsynced(const char *path, int64_t n)
{
    xta_array *array = make(path, false);
    uint64_t middle;

    grow_many(array, 10, false);
    test_must(xta_array_sync(array, &err), &err);
    middle = array->journal.end;
    grow_many(array, n, false);
    assert_true(array->journal.marked_checkpoint > middle);
    assert_int_equal(array->journal.synced_bytes, middle);
    // As if it had been killed.
    xta__break(array);
    (void)!xta_array_close(array, NULL);
    return middle;
}

static void wipe(const char *path, uint64_t offset, size_t n)
{
    char file[TEST_PATH_BYTES + 8];
    size_t bytes = 0;

    snprintf(file, sizeof file, "%s.xmd", path);
    uint8_t *all = test_file_read(file, &bytes);
    assert_true(all != NULL && offset + n < bytes);
    memset(all + offset, 0, n);
    test_file_write(file, all, bytes);
    free(all);
}

/* The disk kept a checkpoint and lost records before it. After the next boot the checkpoint is
 * ignored: synced changes are there, and the history has no gap. */
static void test_power_loss(void **state)
{
    const char *path = test_folder_path(&folder, "power");
    uint64_t middle = make_unsynced(path, 5000);
    (void)state;

    wipe(path, middle + 4800, 4096);
    set_boot(true);
    // Records have 64 bytes, so 4800 bytes are 75 growths.
    uint64_t n = records_read(path, 1 + 10 + 75, 1);
    assert_true(n >= 85);
    xta_array *array = open_array(path, true);
    grow_many(array, 5, false);
    test_must(xta_array_close(array, &err), &err);
    test_must(xta_check(path, NULL, NULL, &err), &err);
    expect_history(path, 90, false);
    set_boot(false);
    test_must(xta_check(path, NULL, NULL, &err), &err);
    (void)records_read(path, 91, 1);
}

/* If all records exist, after a later boot each opening reads them from the first on, until the
 * next writer adds a checkpoint. */
static void test_later_boot(void **state)
{
    const char *path = test_folder_path(&folder, "later");
    (void)make_unsynced(path, 5000);
    (void)state;

    assert_true(records_read(path, 5011, 1) <= MOST_RECORDS);
    set_boot(true);
    assert_true(records_read(path, 5011, 1) >= 5010);
    xta_array *array = open_array(path, true);
    grow_many(array, 1, false);
    test_must(xta_array_sync(array, &err), &err);
    assert_true(records_read(path, 5012, 1) <= MOST_RECORDS);
    test_must(xta_array_close(array, &err), &err);
    set_boot(false);
    assert_true(records_read(path, 5012, 1) <= MOST_RECORDS);
}

/* Slots of a valid unsynced checkpoint must exist: they can be missing only if the file was cut. */
static void test_cut_data(void **state)
{
    const char *path = test_folder_path(&folder, "cut");
    char file[TEST_PATH_BYTES + 8];
    xta_array *array = NULL;
    (void)make_unsynced(path, 5000);
    (void)state;

    snprintf(file, sizeof file, "%s.xta", path);
    assert_int_equal(truncate(file, 4096 + 1000), 0);
    assert_int_equal(xta_array_open(path, NULL, &array, &err), XTA_ECORRUPT);
    assert_non_null(strstr(err.text, "the file ends"));
}

/* Growths of several arrays: a checkpoint never comes between announcement and commit. */
static void test_group(void **state)
{
    enum { N = 1500 };
    const char *paths[2] = {test_folder_path(&folder, "one"), test_folder_path(&folder, "other")};
    xta_array *arrays[2] = {make(paths[0], false), make(paths[1], false)};
    const xta_growth growth = {0, XTA_BACK, 1};
    (void)state;

    for (int k = 0; k < N; k++) {
        const xta_array_growth growths[2] = {{arrays[0], &growth, 1}, {arrays[1], &growth, 1}};
        test_must(xta_arrays_extend(growths, 2, NULL, &err), &err);
    }
    for (int k = 0; k < 2; k++) {
        test_must(xta_array_close(arrays[k], &err), &err);
        assert_true(records_read(paths[k], N + 1, 1) <= MOST_RECORDS);
        expect_history(paths[k], N, false);
        assert_true(expect_short_checkpoints(paths[k]).n_checkpoints > 0);
    }
}

/* A handle with unwritten cells reads a compaction and a checkpoint after it: it follows all
 * changes in between. */
static void test_deferred(void **state)
{
    const char *path = test_folder_path(&folder, "deferred");
    const uint8_t cell = 7;
    const int64_t at[2] = {0, 0};
    uint8_t found = 0;
    xta_open_options how = XTA_OPEN_OPTIONS_INIT;
    xta_array *cached = NULL, *other = make(path, false);
    (void)state;

    how.writable = true;
    how.access = XTA_ACCESS_CACHED;
    test_must(xta_array_open(path, &how, &cached, &err), &err);
    test_must(xta_array_put(cached, at, &cell, &err), &err);
    test_must(xta_compact(path, NULL, NULL, &err), &err);
    grow_many(other, 5000, false);
    test_must(xta_array_close(cached, &err), &err);
    test_must(xta_array_get(other, at, &found, &err), &err);
    assert_int_equal(found, cell);
    test_must(xta_array_close(other, &err), &err);
}

/* An upgraded journal keeps its history, and its marks name the last checkpoint in it. */
static void test_upgraded(void **state)
{
    const char *path = test_folder_path(&folder, "upgraded");
    const int64_t bounds[2] = {1, 1}, chunk[2] = {1, 1};
    xta_create_options how = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    bool upgraded = false;
    (void)state;

    how.chunk = chunk;
    how.layout = XTA_HEADERLESS;
    test_must(xta_array_create(path, XTA_U8, 2, bounds, &how, &array, &err), &err);
    grow_many(array, 10000, false);
    test_must(xta_array_close(array, &err), &err);
    test_must(xta_upgrade(path, &upgraded, &err), &err);
    assert_true(upgraded);
    assert_true(records_read(path, 10001, 1) <= MOST_RECORDS);
    expect_history(path, 10000, false);
}

/* A handle finds a compacted journal, in which the array has a new axis: it keeps the structure
 * that its calls may be using, and the intermediate ones made by reading the journal. */
static void test_wider_since(void **state)
{
    const char *path = test_folder_path(&folder, "wider");
    xta_array *array = make(path, false), *other = NULL;
    const xta__structure *before = xta__structure_of(array);
    int n_kept = 0;
    bool there = false;
    (void)state;

    test_must(xta_compact(path, NULL, NULL, &err), &err);
    other = open_array(path, true);
    test_must(xta_array_add_axis(other, 0, "t", &err), &err);
    test_must(xta_array_close(other, &err), &err);
    test_must(xta_array_refresh(array, NULL, &err), &err);
    assert_int_equal(xta_array_ndim(array), 3);
    for (const xta__structure *s = xta__structure_of(array)->retired; s != NULL; s = s->retired) {
        n_kept++;
        there = there || s == before;
    }
    assert_true(there);
    assert_int_equal(n_kept, 2);
    test_must(xta_array_close(array, &err), &err);
}

int main(void)
{
    n_appends = (int64_t)test_scale(1000000);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed),          cmocka_unit_test(test_killed),
        cmocka_unit_test(test_while_appending), cmocka_unit_test(test_in_turn),
        cmocka_unit_test(test_long_list),       cmocka_unit_test(test_two_writers),
        cmocka_unit_test(test_power_loss),      cmocka_unit_test(test_later_boot),
        cmocka_unit_test(test_cut_data),        cmocka_unit_test(test_group),
        cmocka_unit_test(test_upgraded),        cmocka_unit_test(test_deferred),
        cmocka_unit_test(test_wider_since),
    };

    test_folder_make_fast(&folder);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_folder_remove(&folder);
    return failed;
}
