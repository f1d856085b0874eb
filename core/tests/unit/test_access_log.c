/* Access logs: what is logged, by several threads, and how the log is used; what is refused.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include <xta/access.h>

#include "support/folder.h"

#define THREADS 4
#define TURNS   200

static test_folder folder;

static xta_array *new_array(int ndim, const int64_t bounds[])
{
    xta_array *array = NULL;
    xta_error err;

    assert_int_equal(xta_array_new(XTA_I32, ndim, bounds, NULL, &array, &err), XTA_OK);
    return array;
}

static void access_box(xta_array *array, bool write, int64_t lo, int64_t hi, int64_t step)
{
    const int64_t from[2] = {lo, 3}, to[2] = {hi, 7}, steps[2] = {step, 1};
    int32_t cells[4000] = {0};
    xta_box box = xta_box_make(2, from, to);
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_error err;

    io.step = steps;
    assert_int_equal(write ? xta_array_write(array, &box, &io, cells, &err)
                           : xta_array_read(array, &box, step > 1 ? &io : NULL, cells, &err),
                     XTA_OK);
}

static void write_file(const char *name, const char *text, char path[TEST_PATH_BYTES])
{
    test_file_write(test_folder_join(&folder, name, path), text, strlen(text));
}

static void lines(void **state)
{
    static const char wanted[] = "# XTA access log 1\n"
                                 "r 2:5,3:7\n"
                                 "w -1:1,3:7\n"
                                 "r 0:100,3:7 step 10,1\n"
                                 "r 4:5,3:7\n";
    const int64_t bounds[2] = {100, 10};
    xta_array *array = new_array(2, bounds);
    xta_growth growth = {0, XTA_FRONT, 1};
    xta_access_log *log = NULL;
    char path[TEST_PATH_BYTES];
    size_t n = 0;
    xta_error err;

    (void)state;
    test_folder_join(&folder, "lines", path);
    assert_int_equal(xta_array_extend(array, &growth, 1, NULL, &err), XTA_OK);
    assert_int_equal(xta_access_log_open(path, &log, &err), XTA_OK);
    access_box(array, false, 0, 1, 1); // Not logged yet.
    xta_access_log_watch(log, array);
    access_box(array, false, 2, 5, 1);
    access_box(array, true, -1, 1, 1);
    access_box(array, false, 0, 100, 10);
    // Refused calls are not logged.
    const int64_t lo[2] = {0, 9}, hi[2] = {1, 11};
    xta_box outside = xta_box_make(2, lo, hi);
    int32_t cells[4];
    assert_int_equal(xta_array_read(array, &outside, NULL, cells, &err), XTA_EBOX);
    xta_array_watch(array, NULL, NULL);
    access_box(array, false, 0, 1, 1);
    assert_int_equal(xta_access_log_close(log, &err), XTA_OK);
    // A second log is appended to the existing lines.
    assert_int_equal(xta_access_log_open(path, &log, &err), XTA_OK);
    xta_access_log_watch(log, array);
    access_box(array, false, 4, 5, 1);
    xta_array_watch(array, NULL, NULL);
    assert_int_equal(xta_access_log_close(log, &err), XTA_OK);
    uint8_t *text = test_file_read(path, &n);
    assert_int_equal(n, strlen(wanted));
    assert_memory_equal(text, wanted, n);
    free(text);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
}

static void *reader(void *user)
{
    for (int k = 0; k < TURNS; k++) {
        access_box(user, false, k % 5, k % 5 + 2, 1);
    }
    return NULL;
}

static int count(void *user, const xta_access_entry *entry)
{
    uint64_t *n = user;

    assert_true(!entry->write && entry->box.ndim == 2 && entry->box.hi[1] == 7);
    ++*n;
    return 0;
}

static void threads(void **state)
{
    const int64_t bounds[2] = {100, 10};
    xta_array *array = new_array(2, bounds);
    xta_access_log *log = NULL;
    pthread_t thread[THREADS];
    char path[TEST_PATH_BYTES];
    xta_query *queries = NULL;
    xta_box all = xta_array_bounds(array);
    size_t n_queries = 0;
    uint64_t n = 0;
    xta_error err;

    (void)state;
    test_folder_join(&folder, "threads", path);
    assert_int_equal(xta_access_log_open(path, &log, &err), XTA_OK);
    xta_access_log_watch(log, array);
    for (int k = 0; k < THREADS; k++) {
        assert_int_equal(pthread_create(&thread[k], NULL, reader, array), 0);
    }
    for (int k = 0; k < THREADS; k++) {
        pthread_join(thread[k], NULL);
    }
    xta_array_watch(array, NULL, NULL);
    assert_int_equal(xta_access_log_close(log, &err), XTA_OK);
    assert_int_equal(xta_access_log_read(path, count, &n, &err), XTA_OK);
    assert_int_equal(n, THREADS * TURNS);
    assert_int_equal(xta_access_log_queries(path, &all, NULL, &queries, &n_queries, &err), XTA_OK);
    assert_int_equal(n_queries, 1);
    assert_true(queries[0].weight == THREADS * TURNS && queries[0].length[0] == 2 &&
                queries[0].length[1] == 4 && !queries[0].placed);
    free(queries);
    const xta_access_choice placed = {.placed = true};
    assert_int_equal(xta_access_log_queries(path, &all, &placed, &queries, &n_queries, &err),
                     XTA_OK);
    assert_int_equal(n_queries, 5);
    for (size_t k = 0; k < 5; k++) {
        assert_true(queries[k].placed && queries[k].weight == THREADS * TURNS / 5.0);
    }
    free(queries);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
}

/* Queries are cut to the bounds, and selected. */
static void queries(void **state)
{
    const int64_t zero[2] = {0}, length[2] = {10, 10};
    xta_box bounds = xta_box_make(2, zero, length);
    const xta_access_choice reads = {.no_writes = true}, writes = {.no_reads = true};
    const xta_access_choice none = {.no_reads = true, .no_writes = true};
    char path[TEST_PATH_BYTES];
    xta_query *found = NULL;
    size_t n = 0;
    xta_error err;

    (void)state;
    write_file("queries",
               "# XTA access log 1\r\n\nr 0:3,0:3\r\nr 5:8,5:8\nr 8:11,8:11\n"
               "r 10:12,0:1\nw 0:3,0:3\nr 0:3,0:3 step 2,1\n",
               path);
    assert_int_equal(xta_access_log_queries(path, &bounds, &reads, &found, &n, &err), XTA_OK);
    assert_int_equal(n, 3);
    assert_true(found[0].weight == 2 && found[0].length[0] == 3);
    assert_true(found[1].weight == 1 && found[1].length[0] == 2 && found[1].length[1] == 2);
    assert_true(found[2].weight == 1 && found[2].step[0] == 2);
    free(found);
    assert_int_equal(xta_access_log_queries(path, &bounds, &writes, &found, &n, &err), XTA_OK);
    assert_int_equal(n, 1);
    free(found);
    assert_int_equal(xta_access_log_queries(path, &bounds, &none, &found, &n, &err), XTA_OK);
    assert_true(n == 0 && found == NULL);
}

static int stop(void *user, const xta_access_entry *entry)
{
    (void)user;
    return entry->line == 3;
}

static void refused(void **state)
{
    static const char *const wrong[] = {"x 0:1",        "r",
                                        "r ",           "r 0",
                                        "r 0:1,",       "r 2:1",
                                        "r 0:1 ",       "r 0:1 step",
                                        "r 0:1 step 0", "r 0:1 step 1,1",
                                        "r 0:1;2:3",    "r 99999999999999999999:1",
                                        "r a:b",        "R 0:1",
                                        "r 0:1 step 1 "};
    char path[TEST_PATH_BYTES], text[256];
    xta_access_log *log = NULL;
    const int64_t zero[1] = {0}, ten[1] = {10};
    xta_box bounds = xta_box_make(1, zero, ten);
    xta_query *found = NULL;
    size_t n = 0;
    uint64_t lines_seen = 0;
    xta_error err;

    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        snprintf(text, sizeof text, "# XTA access log 1\nr 0:1\n%s\n", wrong[k]);
        write_file("wrong", text, path);
        assert_int_equal(xta_access_log_queries(path, &bounds, NULL, &found, &n, &err),
                         XTA_EFORMAT);
        assert_non_null(strstr(err.text, "wrong: line 3: "));
        assert_true(found == NULL && n == 0);
    }
    write_file("axes", "# XTA access log 1\nr 0:1,0:1\n", path);
    assert_int_equal(xta_access_log_queries(path, &bounds, NULL, &found, &n, &err), XTA_EFORMAT);
    assert_non_null(strstr(err.text, "line 2: an access of 2 axes; the array has 1"));
    write_file("other", "something else\n", path);
    assert_int_equal(xta_access_log_open(path, &log, &err), XTA_EFORMAT);
    assert_null(log);
    test_folder_join(&folder, "none/log", path);
    assert_int_equal(xta_access_log_open(path, &log, &err), XTA_ENOENT);
    assert_int_equal(xta_access_log_read(path, count, &lines_seen, &err), XTA_ENOENT);
    write_file("stop", "# XTA access log 1\nr 0:1\nr 0:1\nr 0:1\n", path);
    assert_int_equal(xta_access_log_read(path, stop, NULL, &err), XTA_ECANCELLED);
    assert_non_null(strstr(err.text, "line 3"));
    assert_int_equal(xta_access_log_close(NULL, &err), XTA_OK);
}

/* A line that cannot be written is reported at the end; the logged access itself does not fail. */
static void full(void **state)
{
    const int64_t bounds[2] = {100, 10};
    xta_array *array = new_array(2, bounds);
    xta_access_log *log = NULL;
    char path[TEST_PATH_BYTES];
    struct rlimit before, small;
    xta_error err;

    (void)state;
    test_folder_join(&folder, "full", path);
    assert_int_equal(xta_access_log_open(path, &log, &err), XTA_OK);
    xta_access_log_watch(log, array);
    access_box(array, false, 2, 5, 1);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 32;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    access_box(array, false, 2, 5, 1);
    access_box(array, false, 2, 5, 1);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    xta_array_watch(array, NULL, NULL);
    xta_status status = xta_access_log_close(log, &err);
    assert_true(status == XTA_ENOSPC || status == XTA_EIO);
    assert_non_null(strstr(err.text, "not every access could be noted"));
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),   cmocka_unit_test(threads), cmocka_unit_test(queries),
        cmocka_unit_test(refused), cmocka_unit_test(full),
    };

    test_folder_make(&folder);
    int failed = cmocka_run_group_tests_name("access_log", tests, NULL, NULL);
    test_folder_remove(&folder);
    return failed;
}
