/* Imports killed by SIGKILL at random moments: into a new array, appended (at once and in slabs),
 * and over existing cells, while another import into the same axis is not killed.
 *
 * Kills before the import has begun to write do not count. After each kill, everything that was
 * durable before is unchanged, cells of the import are marked as interrupted unless it is complete,
 * and the mark is removed, by resuming or by undoing. XTA_SCALE=20 makes some 1,000 kills.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <xta/bridge.h>
#include <xta/work.h>

#include "support/folder.h"
#include "support/random.h"

enum { COLUMNS = 96, OLD = 17, ROWS = 340, KILLS = 50 };

typedef enum way {
    CREATE,
    APPEND_SLABS,
    APPEND_ONCE,
    APPEND_PIECES,
    OVERWRITE,
    N_KINDS_OF_IMPORT
} way;

static test_random chance;

/* A source of `rows` rows, whose cell (i, j) is first + i * COLUMNS + j, little-endian. */
static void put_source(const char *name, int32_t first, int rows)
{
    FILE *file = fopen(test_folder_path(&test_group_folder, name), "wb");

    assert_non_null(file);
    for (int32_t k = 0; k < rows * COLUMNS; k++) {
        uint32_t value = (uint32_t)(first + k);
        const uint8_t bytes[4] = {value & 255U, value >> 8U & 255U, value >> 16U & 255U,
                                  value >> 24U};
        assert_int_equal(fwrite(bytes, sizeof bytes, 1, file), 1);
    }
    assert_int_equal(fclose(file), 0);
}

static const int64_t bounds_of_source[2] = {ROWS, COLUMNS};
static const int64_t chunk[2] = {8, 32};
static const int64_t at[2] = {5, 0};

static xta_import_options options_of(way how)
{
    xta_import_options options = XTA_IMPORT_OPTIONS_INIT;

    options.format = "raw";
    options.type = XTA_I32;
    options.ndim = 2;
    options.bounds = bounds_of_source;
    // Everything, eight rows, or less than one row.
    options.memory_bytes = how == APPEND_ONCE     ? 1 << 20
                           : how == APPEND_PIECES ? COLUMNS * 4 / 2
                                                  : 8 * COLUMNS * 4;
    options.chunk = how == CREATE ? chunk : NULL;
    options.placement = how == CREATE      ? XTA_PLACE_CREATE
                        : how == OVERWRITE ? XTA_PLACE_AT
                                           : XTA_PLACE_APPEND;
    options.axis = "0";
    options.at = at;
    return options;
}

/* ---- the child ---- */

static int report_progress(void *user, uint64_t done_bytes, uint64_t total_bytes)
{
    const int *out = user;
    const char byte = '.';

    (void)total_bytes;
    if (done_bytes > 0 && write(*out, &byte, 1) != 1) {
        return 1;
    }
    return 0;
}

static pid_t start(way how, const char *source, int out)
{
    pid_t child = fork();

    if (child == 0) {
        xta_import_options options = options_of(how);
        xta_error err;
        options.progress = (xta_progress){report_progress, &out};
        xta_status status =
            xta_import(test_folder_path(&test_group_folder, source),
                       test_folder_path(&test_group_folder, "a"), &options, NULL, &err);
        _exit(status == XTA_OK ? 0 : 1);
    }
    assert_true(child > 0);
    return child;
}

/* ---- what is left ---- */

typedef struct marks {
    int n, n_live;
    xta_unfinished last;
} marks;

static int count(void *user, const xta_unfinished *work)
{
    marks *m = user;

    m->n++;
    m->n_live += work->live;
    m->last = *work;
    return 0;
}

static marks read_marks(void)
{
    marks m = {0};
    xta_array *array = NULL;
    xta_error err;

    assert_int_equal(xta_array_open(test_folder_path(&test_group_folder, "a"), NULL, &array, &err),
                     XTA_OK);
    assert_int_equal(xta_array_unfinished(array, count, &m, &err), XTA_OK);
    assert_int_equal(xta_array_check_finished(array, &err),
                     m.n > m.n_live ? XTA_EUNFINISHED : XTA_OK);
    xta_status exported =
        xta_export(array, test_folder_path(&test_group_folder, "out.npy"), NULL, &err);
    assert_int_equal(exported, m.n > m.n_live ? XTA_EUNFINISHED : XTA_OK);
    if (exported == XTA_OK) {
        assert_int_equal(unlink(test_folder_path(&test_group_folder, "out.npy")), 0);
    }
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
    return m;
}

/* Rows [lo, hi) of the array are rows of a source from `first` on. */
static void expect_rows(int64_t lo, int64_t hi, int32_t first)
{
    static int32_t cells[ROWS * COLUMNS];
    xta_array *array = NULL;
    xta_error err;
    xta_box box = {.ndim = 2, .lo = {lo, 0}, .hi = {hi, COLUMNS}};

    assert_true(hi - lo <= ROWS);
    assert_int_equal(xta_array_open(test_folder_path(&test_group_folder, "a"), NULL, &array, &err),
                     XTA_OK);
    assert_int_equal(xta_array_read(array, &box, NULL, cells, &err), XTA_OK);
    for (int32_t k = 0; k < (int32_t)(hi - lo) * COLUMNS; k++) {
        assert_int_equal(cells[k], first + k);
    }
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
}

static int64_t n_rows(void)
{
    xta_array *array = NULL;
    xta_error err;

    assert_int_equal(xta_array_open(test_folder_path(&test_group_folder, "a"), NULL, &array, &err),
                     XTA_OK);
    int64_t n = xta_array_bounds(array).hi[0];
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
    return n;
}

static void make_old(void)
{
    xta_import_options options = options_of(CREATE);
    const int64_t bounds[2] = {OLD, COLUMNS};
    xta_error err;

    options.bounds = bounds;
    assert_int_equal(xta_import(test_folder_path(&test_group_folder, "old.raw"),
                                test_folder_path(&test_group_folder, "a"), &options, NULL, &err),
                     XTA_OK);
}

/* ---- a kill ---- */

/* Kill the import after its first write; returns whether it was still running. */
static bool kill_after_first_write(pid_t child, int in, long most_ns)
{
    char byte;
    int code = 0;
    bool began = read(in, &byte, 1) == 1;
    struct timespec rest = {0, (long)test_random_in(&chance, 0, most_ns)};

    nanosleep(&rest, NULL);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &code, 0), child);
    return began && WIFSIGNALED(code);
}

/* Remove the mark of an interrupted import, by resuming or by undoing. */
static void end_mark(way how, const marks *m)
{
    xta_import_options options = options_of(how);
    xta_undo_result result;
    xta_array *array = NULL;
    xta_error err;
    int64_t first = m->last.box.lo[0];

    if (test_random_chance(&chance, 50)) {
        options.resume = m->last.id;
        assert_int_equal(xta_import(test_folder_path(&test_group_folder, "new.raw"),
                                    test_folder_path(&test_group_folder, "a"), &options, NULL,
                                    &err),
                         XTA_OK);
        expect_rows(first, first + ROWS, 100000);
        return;
    }
    xta_status undone =
        xta_work_undo(test_folder_path(&test_group_folder, "a"), m->last.id, false, &result, &err);
    if (how == OVERWRITE) { // the old cells are lost
        assert_int_equal(undone, XTA_ESTATE);
        undone = xta_work_undo(test_folder_path(&test_group_folder, "a"), m->last.id, true, &result,
                               &err);
        assert_int_equal(result, XTA_UNDO_FILLED);
    }
    assert_int_equal(undone, XTA_OK);
    if (how == CREATE) {
        assert_int_equal(result, XTA_UNDO_DELETED);
        assert_int_equal(
            xta_array_open(test_folder_path(&test_group_folder, "a"), NULL, &array, &err),
            XTA_ENOENT);
    }
}

static void judge(way how, bool cut, bool rival)
{
    marks m = read_marks();
    xta_error err;
    int64_t old = how == CREATE ? 0 : how == OVERWRITE ? at[0] : OLD;

    assert_int_equal(m.n_live, 0);
    assert_true(m.n <= 1);
    if (how == APPEND_ONCE || how == APPEND_PIECES) {
        assert_int_equal(m.n, 0); // all or nothing
        assert_true(rival || n_rows() == OLD || n_rows() == OLD + ROWS);
    } else if (!cut) {
        assert_int_equal(m.n, 0);
    }
    if (how != CREATE) {
        expect_rows(0, old, 1);
    }
    if (m.n == 0 && !rival && n_rows() > OLD) {
        expect_rows(old, old + ROWS, 100000);
    }
    if (m.n == 1) {
        end_mark(how, &m);
    }
    if (m.n == 1 && how == CREATE &&
        access(test_folder_path(&test_group_folder, "a.xmd"), F_OK) != 0) {
        return;
    }
    assert_int_equal(read_marks().n, 0);
    if (how != CREATE) {
        expect_rows(0, old, 1);
    }
    if (rival) { // its rows are where it put them, and complete
        xta_array *array = NULL;
        int32_t cell = 0;
        int64_t n = n_rows(), row = -1;
        assert_int_equal(
            xta_array_open(test_folder_path(&test_group_folder, "a"), NULL, &array, &err), XTA_OK);
        for (int64_t i = OLD; i < n && row < 0; i++) {
            const int64_t first[2] = {i, 0};
            assert_int_equal(xta_array_get(array, first, &cell, &err), XTA_OK);
            row = cell == 500000 ? i : row;
        }
        assert_int_equal(xta_array_close(array, &err), XTA_OK);
        assert_true(row >= OLD);
        expect_rows(row, row + ROWS, 500000);
    }
    assert_int_equal(xta_check(test_folder_path(&test_group_folder, "a"), NULL, NULL, &err),
                     XTA_OK);
}

/* One import, killed or not, possibly beside another one. */
static bool round_of(way how, long most_ns)
{
    bool rival = (how == APPEND_SLABS || how == APPEND_PIECES) && test_random_chance(&chance, 40);
    pid_t other = -1;
    int pipes[2], code = 0;
    xta_error err;

    if (how != CREATE) {
        make_old();
    }
    assert_int_equal(pipe(pipes), 0);
    pid_t child = start(how, "new.raw", pipes[1]);
    if (rival) {
        other = start(how, "rival.raw", open("/dev/null", O_WRONLY));
    }
    close(pipes[1]);
    bool cut = kill_after_first_write(child, pipes[0], most_ns);
    close(pipes[0]);
    if (rival) {
        assert_int_equal(waitpid(other, &code, 0), other);
        assert_true(WIFEXITED(code) && WEXITSTATUS(code) == 0);
    }
    if (how != CREATE || access(test_folder_path(&test_group_folder, "a.xmd"), F_OK) == 0) {
        judge(how, cut, rival);
    }
    if (access(test_folder_path(&test_group_folder, "a.xmd"), F_OK) == 0) {
        assert_int_equal(xta_array_delete(test_folder_path(&test_group_folder, "a"), &err), XTA_OK);
    }
    return cut;
}

/* Roughly how long an import runs after its first write. */
static long time_of(way how)
{
    struct timespec begin, end;
    int pipes[2], code = 0;
    char byte;
    xta_error err;

    if (how != CREATE) {
        make_old();
    }
    assert_int_equal(pipe(pipes), 0);
    pid_t child = start(how, "new.raw", pipes[1]);
    close(pipes[1]);
    assert_int_equal(read(pipes[0], &byte, 1), 1);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    while (read(pipes[0], &byte, 1) == 1) {}
    clock_gettime(CLOCK_MONOTONIC, &end);
    close(pipes[0]);
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
    assert_int_equal(xta_array_delete(test_folder_path(&test_group_folder, "a"), &err), XTA_OK);
    long ns = (end.tv_sec - begin.tv_sec) * 1000000000L + (end.tv_nsec - begin.tv_nsec);
    return ns < 100000 ? 100000 : ns > 900000000 ? 900000000 : ns;
}

static void kill_way(way how, const char *name)
{
    uint64_t wanted = test_scale(KILLS), done = 0, rounds = 0;
    long ns = time_of(how);

    // One import may have been much slower or faster than the others, so the span in which kills
    // fall is adjusted until about one in five comes after the end.
    for (; done < wanted && rounds < 20 * wanted; rounds++) {
        bool cut = round_of(how, ns);
        done += cut;
        ns = cut ? ns + ns / 12 : ns - ns / 4;
        ns = ns < 100000 ? 100000 : ns > 900000000 ? 900000000 : ns;
    }
    printf("%s: %llu kills in %llu rounds, spread over %ld us in the end\n", name,
           (unsigned long long)done, (unsigned long long)rounds, ns / 1000);
    assert_true(done >= wanted);
}

static void test_create(void **state)
{
    (void)state;
    kill_way(CREATE, "new array");
}

static void test_append_slabs(void **state)
{
    (void)state;
    kill_way(APPEND_SLABS, "append in slabs");
}

static void test_append_pieces(void **state)
{
    (void)state;
    kill_way(APPEND_PIECES, "append of large rows");
}

static void test_overwrite(void **state)
{
    (void)state;
    kill_way(OVERWRITE, "over cells");
}

/* Kills before, during and after the single call. */
static void test_append_once(void **state)
{
    uint64_t n = test_scale(KILLS), cut = 0;
    xta_error err;

    (void)state;
    for (uint64_t k = 0; k < n; k++) {
        int code = 0;
        struct timespec rest = {0, (long)test_random_in(&chance, 0, 6000000)};
        make_old();
        pid_t child = start(APPEND_ONCE, "new.raw", open("/dev/null", O_WRONLY));
        nanosleep(&rest, NULL);
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &code, 0), child);
        cut += WIFSIGNALED(code);
        judge(APPEND_ONCE, WIFSIGNALED(code), false);
        assert_int_equal(xta_array_delete(test_folder_path(&test_group_folder, "a"), &err), XTA_OK);
    }
    printf("append at once: %llu kills of %llu\n", (unsigned long long)cut, (unsigned long long)n);
}

static int begin(void **state)
{
    int code = test_group_begin(state);
    put_source("old.raw", 1, OLD);
    put_source("new.raw", 100000, ROWS);
    put_source("rival.raw", 500000, ROWS);
    return code;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_create),      cmocka_unit_test(test_append_slabs),
        cmocka_unit_test(test_append_once), cmocka_unit_test(test_append_pieces),
        cmocka_unit_test(test_overwrite),
    };

    chance = test_random_make(test_seed("bridge_kill", 20261122), 0);
    return cmocka_run_group_tests(tests, begin, test_group_end);
}
