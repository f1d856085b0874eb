/* Appends whose cells come in pieces: all of them are added or none, whatever happens between the
 * pieces.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <xta/xta.h>

#include "support/folder.h"
#include "support/random.h"

enum {
    ROWS = 3, /* rows of a new array */
    COLUMNS = 10
};

static xta_error err;

static int32_t value_at(int64_t row, int64_t column)
{
    return (int32_t)(1000 * row + column + 100000);
}

static void put_box(int32_t cells[], const xta_box *box)
{
    size_t n = 0;
    for (int64_t row = box->lo[0]; row < box->hi[0]; row++) {
        for (int64_t column = box->lo[1]; column < box->hi[1]; column++) {
            cells[n++] = value_at(row, column);
        }
    }
}

static xta_array *make(char path[TEST_PATH_BYTES], bool in_memory, xta_access access)
{
    xta_create_options how = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    int32_t cells[ROWS * COLUMNS];
    int32_t fill = -9;
    const int64_t bounds[2] = {ROWS, COLUMNS};
    const int64_t chunk[2] = {2, 4};

    how.chunk = chunk;
    how.fill = &fill;
    how.access = access;
    if (in_memory) {
        assert_int_equal(xta_array_new(XTA_I32, 2, bounds, &how, &array, &err), XTA_OK);
    } else {
        test_folder_join(&test_group_folder, "a", path);
        assert_int_equal(xta_array_create(path, XTA_I32, 2, bounds, &how, &array, &err), XTA_OK);
    }
    xta_box all = xta_array_bounds(array);
    put_box(cells, &all);
    assert_int_equal(xta_array_write(array, &all, NULL, cells, &err), XTA_OK);
    assert_int_equal(xta_array_sync(array, &err), XTA_OK);
    return array;
}

/* Every cell that lies within `written` has its value, every other one the fill value. */
static void check_cells(xta_array *array, const xta_box *written)
{
    xta_box bounds = xta_array_bounds(array);
    for (int64_t row = bounds.lo[0]; row < bounds.hi[0]; row++) {
        for (int64_t column = bounds.lo[1]; column < bounds.hi[1]; column++) {
            const int64_t coord[2] = {row, column};
            int32_t cell = 0;
            bool in = row >= written->lo[0] && row < written->hi[0] && column >= written->lo[1] &&
                      column < written->hi[1];
            assert_int_equal(xta_array_get(array, coord, &cell, &err), XTA_OK);
            assert_int_equal(cell, in ? value_at(row, column) : -9);
        }
    }
}

static void close_and_delete(xta_array *array, const char *path)
{
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
    if (path[0] != '\0') {
        assert_int_equal(xta_check(path, NULL, NULL, &err), XTA_OK);
        assert_int_equal(xta_array_delete(path, &err), XTA_OK);
    }
}

/* ---- pieces ---- */

typedef struct bringing {
    xta_array *array;
    xta_array *other; /* another handle of it */
    pid_t grower;     /* another process that waits */
    test_random random;
    xta_box slab; /* as passed */
    int n_calls;
    int fails_after; /* pieces before the failure; -1: it does not fail */
} bringing;

static xta_status bring(bringing *b, xta_appending *appending, const xta_box *piece, int *n_pieces,
                        xta_error *error)
{
    int32_t cells[64 * COLUMNS];
    uint64_t n = 0;

    assert_int_equal(xta_box_cells(piece, &n), XTA_OK);
    assert_true(n <= 64 * COLUMNS);
    if (b->fails_after >= 0 && *n_pieces >= b->fails_after) {
        return xta_error_set(error, XTA_ECANCELLED, 0, "enough");
    }
    put_box(cells, piece);
    (*n_pieces)++;
    return xta_append_write(appending, piece, NULL, cells, error);
}

/* Cut at random positions: along rows first, then each part along columns. */
static xta_status bring_pieces(void *user, xta_appending *appending, const xta_box *slab,
                               xta_error *error)
{
    bringing *b = user;
    int n_pieces = 0;
    b->slab = *slab;
    b->n_calls++;
    for (int64_t row = slab->lo[0]; row < slab->hi[0];) {
        int64_t row_end = test_random_in(&b->random, row + 1, slab->hi[0]);
        for (int64_t column = slab->lo[1]; column < slab->hi[1];) {
            int64_t column_end = test_random_in(&b->random, column + 1, slab->hi[1]);
            xta_box piece = {.ndim = 2, .lo = {row, column}, .hi = {row_end, column_end}};
            xta_status status = bring(b, appending, &piece, &n_pieces, error);
            if (status != XTA_OK) {
                return status;
            }
            column = column_end;
        }
        row = row_end;
    }
    return XTA_OK;
}

static void all_pieces_are_there(void **state)
{
    (void)state;
    for (int k = 0; k < 400; k++) {
        char path[TEST_PATH_BYTES] = "";
        bringing b = {.random = test_random_make(11, (uint64_t)k), .fails_after = -1};
        xta_array *array = make(path, k % 4 == 0, k % 2 ? XTA_ACCESS_MAPPED : XTA_ACCESS_CACHED);
        b.array = array;
        for (int step = 0; step < 4; step++) {
            const xta_growth growth = {0, (xta_side)test_random_in(&b.random, 0, 1),
                                       test_random_in(&b.random, 0, 12)};
            xta_box before = xta_array_bounds(array), after;
            b.fails_after =
                test_random_chance(&b.random, 30) ? (int)test_random_in(&b.random, 0, 3) : -1;
            b.n_calls = 0;
            xta_status status =
                xta_array_append_from(array, &growth, bring_pieces, &b, &after, &err);
            assert_int_equal(b.n_calls, growth.by > 0);
            xta_box now = xta_array_bounds(array);
            if (status != XTA_OK) {
                assert_int_equal(status, XTA_ECANCELLED);
                assert_string_equal(err.text, "enough");
                assert_true(xta_box_equal(&now, &before));
            } else {
                assert_true(xta_box_equal(&now, &after));
                assert_true(now.hi[0] - now.lo[0] == before.hi[0] - before.lo[0] + growth.by);
                assert_true(growth.by == 0 ||
                            b.slab.lo[0] == (growth.side == XTA_BACK ? before.hi[0] : now.lo[0]));
            }
            check_cells(array, &now);
        }
        // Remains of an abandoned append are not visible after later growth.
        xta_box whole = xta_array_bounds(array);
        const xta_growth both[2] = {{0, XTA_BACK, 9}, {0, XTA_FRONT, 9}};
        b.fails_after = 2;
        assert_true(xta_array_append_from(array, &both[k % 2], bring_pieces, &b, NULL, &err) !=
                        XTA_OK ||
                    b.n_calls > 0);
        xta_box now = xta_array_bounds(array);
        whole = xta_box_equal(&whole, &now) ? whole : now;
        assert_int_equal(xta_array_extend(array, both, 2, NULL, &err), XTA_OK);
        check_cells(array, &whole);
        close_and_delete(array, path);
    }
}

/* ---- what may be done meanwhile ---- */

static void check_nobody_sees(xta_array *other, const xta_box *before)
{
    xta_array *reader = NULL;

    assert_int_equal(xta_array_open(xta_array_path(other), NULL, &reader, &err), XTA_OK);
    xta_box bounds = xta_array_bounds(reader);
    assert_true(xta_box_equal(&bounds, before));
    check_cells(reader, before);
    assert_int_equal(xta_array_close(reader, &err), XTA_OK);
    assert_int_equal(xta_array_refresh(other, NULL, &err), XTA_OK);
    bounds = xta_array_bounds(other);
    assert_true(xta_box_equal(&bounds, before));
    check_cells(other, before);
}

/* Another process that grows the array as soon as it gets the lock. */
static pid_t start_growing(const char *path)
{
    pid_t child = fork();
    if (child == 0) {
        xta_open_options writable = XTA_OPEN_OPTIONS_INIT;
        const xta_growth growth = {0, XTA_BACK, 1};
        xta_array *array = NULL;
        writable.writable = true;
        bool good = xta_array_open(path, &writable, &array, NULL) == XTA_OK &&
                    xta_array_extend(array, &growth, 1, NULL, NULL) == XTA_OK &&
                    xta_array_bounds(array).hi[0] == ROWS + 5 + 1 &&
                    xta_array_close(array, NULL) == XTA_OK;
        _exit(good ? 0 : 1);
    }
    usleep(20000); // it is most likely waiting by now
    return child;
}

static xta_status try_everything(void *user, xta_appending *appending, const xta_box *slab,
                                 xta_error *error)
{
    bringing *b = user;
    const xta_growth growth = {0, XTA_BACK, 1};
    const int64_t step[2] = {2, 1};
    int32_t cells[64 * COLUMNS], cell = 0;
    xta_box before = xta_array_bounds(b->array), piece = *slab;
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_attribute attribute = {.name = "x", .type = XTA_I32, .count = 1, .values = cells};

    assert_true(before.hi[0] == slab->lo[0]);
    put_box(cells, slab);
    // The structure stays as it is ...
    assert_int_equal(xta_array_extend(b->array, &growth, 1, NULL, &err), XTA_ESTATE);
    assert_non_null(strstr(err.text, "an append"));
    assert_int_equal(xta_array_shrink(b->array, &growth, 1, NULL, &err), XTA_ESTATE);
    assert_int_equal(xta_array_append(b->array, &growth, NULL, cells, NULL, &err), XTA_ESTATE);
    assert_int_equal(xta_array_append_from(b->array, &growth, bring_pieces, b, NULL, &err),
                     XTA_ESTATE);
    assert_int_equal(xta_array_add_axis(b->array, 0, NULL, &err), XTA_ESTATE);
    assert_int_equal(xta_attribute_set(b->array, XTA_ON_ARRAY, &attribute, &err), XTA_ESTATE);
    // ... for other handles too, but cells can be read and written.
    check_nobody_sees(b->other, &before);
    b->grower = start_growing(xta_array_path(b->array));
    assert_int_equal(xta_array_refresh(b->array, NULL, &err), XTA_OK);
    check_cells(b->array, &before);
    assert_int_equal(xta_array_get(b->array, slab->lo, &cell, &err), XTA_EBOX);
    cell = value_at(0, 0);
    assert_int_equal(xta_array_put(b->array, before.lo, &cell, &err), XTA_OK);
    // Pieces lie within the slab, without steps.
    piece.hi[0]++;
    assert_int_equal(xta_append_write(appending, &piece, NULL, cells, &err), XTA_EBOX);
    piece = *slab;
    piece.lo[0]--;
    assert_int_equal(xta_append_write(appending, &piece, NULL, cells, &err), XTA_EBOX);
    io.step = step;
    assert_int_equal(xta_append_write(appending, slab, &io, cells, &err), XTA_EARG);
    io.struct_size = 1;
    assert_int_equal(xta_append_write(appending, slab, &io, cells, &err), XTA_EARG);
    return xta_append_write(appending, slab, NULL, cells, error);
}

static void structure_stays_meanwhile(void **state)
{
    char path[TEST_PATH_BYTES];
    const xta_growth growth = {0, XTA_BACK, 5};
    (void)state;

    for (int k = 0; k < 2; k++) {
        xta_array *array = make(path, false, k ? XTA_ACCESS_MAPPED : XTA_ACCESS_CACHED);
        bringing b = {.array = array, .fails_after = -1};
        xta_open_options writable = XTA_OPEN_OPTIONS_INIT;
        writable.writable = true;
        assert_int_equal(xta_array_open(path, &writable, &b.other, &err), XTA_OK);
        assert_int_equal(xta_array_append_from(array, &growth, try_everything, &b, NULL, &err),
                         XTA_OK);
        xta_box all = xta_array_bounds(array);
        assert_int_equal(all.hi[0], ROWS + 5);
        check_cells(array, &all);
        int how = 0;
        assert_true(waitpid(b.grower, &how, 0) == b.grower && how == 0);
        // Afterwards it can be changed again.
        assert_int_equal(xta_array_extend(b.other, &growth, 1, NULL, &err), XTA_OK);
        assert_int_equal(xta_array_extend(array, &growth, 1, NULL, &err), XTA_OK);
        check_cells(array, &all);
        assert_int_equal(xta_array_close(b.other, &err), XTA_OK);
        close_and_delete(array, path);
    }
}

static xta_status bring_nothing(void *user, xta_appending *appending, const xta_box *slab,
                                xta_error *error)
{
    (void)user, (void)appending, (void)slab, (void)error;
    return XTA_OK;
}

static void what_no_piece_brought_is_fill(void **state)
{
    char path[TEST_PATH_BYTES];
    const xta_growth growth = {1, XTA_FRONT, 7};
    (void)state;

    xta_array *array = make(path, false, XTA_ACCESS_AUTO);
    xta_box before = xta_array_bounds(array);
    assert_int_equal(xta_array_append_from(array, &growth, bring_nothing, NULL, NULL, &err),
                     XTA_OK);
    check_cells(array, &before);
    close_and_delete(array, path);
}

static void an_exclusive_writer_appends_in_pieces(void **state)
{
    xta_open_options exclusive = XTA_OPEN_OPTIONS_INIT;
    char path[TEST_PATH_BYTES];
    const xta_growth growth = {0, XTA_BACK, 20};
    (void)state;

    xta_array *array = make(path, false, XTA_ACCESS_AUTO);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
    exclusive.writable = exclusive.exclusive_writer = true;
    assert_int_equal(xta_array_open(path, &exclusive, &array, &err), XTA_OK);
    bringing b = {.array = array, .random = test_random_make(12, 0), .fails_after = 2};
    for (int k = 0; k < 3; k++) {
        b.fails_after = k == 1 ? -1 : 2;
        xta_box before = xta_array_bounds(array);
        xta_status status = xta_array_append_from(array, &growth, bring_pieces, &b, NULL, &err);
        xta_box now = xta_array_bounds(array);
        assert_true(status == XTA_OK || xta_box_equal(&before, &now));
        check_cells(array, &now);
    }
    close_and_delete(array, path);
}

/* ---- killed between two pieces ---- */

static xta_status die_after_some(void *user, xta_appending *appending, const xta_box *slab,
                                 xta_error *error)
{
    bringing *b = user;
    int n_pieces = 0;
    for (int64_t row = slab->lo[0]; row < slab->hi[0]; row++) {
        xta_box piece = {.ndim = 2, .lo = {row, slab->lo[1]}, .hi = {row + 1, slab->hi[1]}};
        if (bring(b, appending, &piece, &n_pieces, error) != XTA_OK || row == slab->lo[0] + 6) {
            raise(SIGKILL);
        }
    }
    return XTA_OK;
}

static void a_kill_leaves_nothing(void **state)
{
    char path[TEST_PATH_BYTES];
    const xta_growth growth = {0, XTA_BACK, 12};
    const xta_growth wider = {1, XTA_BACK, 3};
    xta_open_options writable = XTA_OPEN_OPTIONS_INIT;
    (void)state;

    writable.writable = true;
    for (int k = 0; k < 20; k++) {
        xta_array *array = make(path, false, XTA_ACCESS_AUTO);
        assert_int_equal(xta_array_close(array, &err), XTA_OK);
        pid_t child = fork();
        if (child == 0) {
            bringing b = {.fails_after = -1};
            writable.access = k % 2 ? XTA_ACCESS_MAPPED : XTA_ACCESS_CACHED;
            if (xta_array_open(path, &writable, &array, NULL) == XTA_OK) {
                (void)!xta_array_append_from(array, &growth, die_after_some, &b, NULL, NULL);
            }
            _exit(1);
        }
        int how = 0;
        assert_true(waitpid(child, &how, 0) == child && WIFSIGNALED(how));
        assert_int_equal(xta_check(path, NULL, NULL, &err), XTA_OK);
        writable.access = XTA_ACCESS_AUTO;
        assert_int_equal(xta_array_open(path, &writable, &array, &err), XTA_OK);
        xta_box before = xta_array_bounds(array);
        assert_int_equal(before.hi[0], ROWS);
        check_cells(array, &before);
        // Its slots are assigned to other chunks; cells it had written are not in them.
        assert_int_equal(xta_array_extend(array, k % 3 ? &wider : &growth, 1, NULL, &err), XTA_OK);
        assert_int_equal(xta_array_extend(array, k % 3 ? &growth : &wider, 1, NULL, &err), XTA_OK);
        check_cells(array, &before);
        close_and_delete(array, path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pieces_are_there),
        cmocka_unit_test(structure_stays_meanwhile),
        cmocka_unit_test(what_no_piece_brought_is_fill),
        cmocka_unit_test(an_exclusive_writer_appends_in_pieces),
        cmocka_unit_test(a_kill_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, test_group_begin, test_group_end);
}
