/* Appending to several arrays in one step: what is refused, what cells may come from, and that a
 * failure in any of the arrays changes none.
 *
 * Three arrays share axis 0: `days` (binary64, one axis), `field` (i32, days x 5) and `count` (u8,
 * days x 3, in memory). Kills, losses of power and failing calls: faults/test_group.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <xta/xta.h>

#include "support/folder.h"
#include "support/must.h"

enum { START = 2, WIDTH = 5, NARROW = 3, N = 3 };

static xta_error err;

typedef struct set {
    char path[2][TEST_PATH_BYTES];
    xta_array *array[N]; /* days, field, count */
    xta_append_member member[N];
    xta_growth growth[N];
} set;

static const int64_t widths[N] = {1, WIDTH, NARROW};

static void open_again(set *s, xta_access access, bool exclusive)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;

    options.writable = true;
    options.access = access;
    options.exclusive_writer = exclusive;
    for (int k = 0; k < 2; k++) {
        test_must(xta_array_close(s->array[k], &err), &err);
        test_must(xta_array_open(s->path[k], &options, &s->array[k], &err), &err);
    }
}

/* All grow by `by` days at `side`; nobody brings cells yet. */
static void plan(set *s, xta_side side, int64_t by)
{
    for (int k = 0; k < N; k++) {
        s->growth[k] = (xta_growth){.axis = 0, .side = side, .by = by};
        s->member[k] =
            (xta_append_member){.array = s->array[k], .growths = &s->growth[k], .n_growths = 1};
    }
}

static void make(set *s, xta_access access, bool exclusive)
{
    static const int64_t lengths[N][2] = {{START}, {START, WIDTH}, {START, NARROW}};
    static const int64_t chunk[2] = {2, 2};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    options.chunk = chunk;
    test_folder_join(&test_group_folder, "days", s->path[0]);
    test_folder_join(&test_group_folder, "field", s->path[1]);
    test_must(xta_array_create(s->path[0], XTA_F64, 1, lengths[0], &options, &s->array[0], &err),
              &err);
    test_must(xta_array_create(s->path[1], XTA_I32, 2, lengths[1], &options, &s->array[1], &err),
              &err);
    test_must(xta_array_new(XTA_U8, 2, lengths[2], &options, &s->array[2], &err), &err);
    open_again(s, access, exclusive);
    plan(s, XTA_BACK, 1);
}

static void end(set *s)
{
    for (int k = 0; k < N; k++) {
        test_must(xta_array_close(s->array[k], &err), &err);
    }
    for (int k = 0; k < 2; k++) {
        test_must(xta_check(s->path[k], NULL, NULL, &err), &err);
        test_must(xta_array_delete(s->path[k], &err), &err);
    }
}

/* The value of a cell, at most 127. */
static double value_at(int k, int64_t day, int64_t column)
{
    return (double)(((k + 1) * 40 + 5 * day + column) & 63) + 1;
}

/* Rows [lo, hi) of array k, as binary64, row-major. */
static void put_rows(double cells[], int k, int64_t lo, int64_t hi)
{
    for (int64_t i = 0; i < (hi - lo) * widths[k]; i++) {
        cells[i] = value_at(k, lo + i / widths[k], i % widths[k]);
    }
}

/* Check that array k has the days [lo, hi), of which [from, to) have values, except those that it
 * had first, and the others fill. */
static void expect(set *s, int k, int64_t lo, int64_t hi, int64_t from, int64_t to)
{
    double cells[64 * WIDTH];
    xta_io_options wide = XTA_IO_OPTIONS_INIT;
    xta_box bounds = xta_array_bounds(s->array[k]);

    wide.type = XTA_F64;
    assert_int_equal(bounds.lo[0], lo);
    assert_int_equal(bounds.hi[0], hi);
    assert_true(hi - lo <= 64);
    test_must(xta_array_read(s->array[k], &bounds, &wide, cells, &err), &err);
    for (int64_t i = 0; i < (hi - lo) * widths[k]; i++) {
        int64_t day = lo + i / widths[k];
        bool given = day >= from && day < to && (day < 0 || day >= START);
        assert_true(cells[i] == (given ? value_at(k, day, i % widths[k]) : 0));
    }
}

static void expect_all(set *s, int64_t lo, int64_t hi, int64_t from, int64_t to)
{
    for (int k = 0; k < N; k++) {
        expect(s, k, lo, hi, from, to);
    }
}

/* ---- cells from memory and from functions ---- */

typedef struct bringing {
    set *s;
    int k, n_calls;
    bool refuses;
} bringing;

static xta_status bring(void *user, xta_appending *appending, const xta_box *slab, xta_error *error)
{
    bringing *b = user;
    double cells[WIDTH];
    xta_io_options wide = XTA_IO_OPTIONS_INIT;
    xta_status status = XTA_OK;

    b->n_calls++;
    wide.type = XTA_F64;
    for (int64_t day = slab->lo[0]; day < slab->hi[0] && status == XTA_OK; day++) {
        xta_box row = *slab;
        row.lo[0] = day;
        row.hi[0] = day + 1;
        put_rows(cells, b->k, day, day + 1);
        status = xta_append_write(appending, &row, &wide, cells, error);
    }
    return status == XTA_OK && b->refuses ? xta_error_set(error, XTA_ECANCELLED, 0, "enough")
                                          : status;
}

static const struct {
    xta_access access;
    bool exclusive;
} kinds[] = {{XTA_ACCESS_MAPPED, false}, {XTA_ACCESS_CACHED, false}, {XTA_ACCESS_CACHED, true}};

static void all_grow_with_their_cells(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < 3; kind++) {
        set s;
        double cells[N][16 * WIDTH];
        xta_io_options wide = XTA_IO_OPTIONS_INIT;
        xta_box after[N];
        wide.type = XTA_F64;
        make(&s, kinds[kind].access, kinds[kind].exclusive);
        bringing b = {.s = &s, .k = 1};
        // Memory, a function, memory, at the back ...
        plan(&s, XTA_BACK, 5);
        for (int k = 0; k < N; k++) {
            put_rows(cells[k], k, START, START + 5);
            s.member[k].cells = cells[k];
            s.member[k].options = &wide;
        }
        s.member[1].cells = NULL;
        s.member[1].fn = bring;
        s.member[1].user = &b;
        test_must(xta_arrays_append(s.member, N, after, &err), &err);
        assert_int_equal(b.n_calls, 1);
        expect_all(&s, 0, START + 5, START, START + 5);
        // ... three functions at the front ...
        bringing each[N];
        plan(&s, XTA_FRONT, 3);
        for (int k = 0; k < N; k++) {
            each[k] = (bringing){.s = &s, .k = k};
            s.member[k].fn = bring;
            s.member[k].user = &each[k];
        }
        test_must(xta_arrays_append(s.member, N, after, &err), &err);
        for (int k = 0; k < N; k++) {
            xta_box now = xta_array_bounds(s.array[k]);
            assert_true(xta_box_equal(&now, &after[k]));
        }
        expect_all(&s, -3, START + 5, -3, START + 5);
        end(&s);
    }
}

static void the_others_have_fill(void **state)
{
    set s;
    double day = 7;
    (void)state;

    make(&s, XTA_ACCESS_AUTO, false);
    s.member[0].cells = &day;
    // The first array grows with a cell, the second on two axes, the third by nothing.
    const xta_growth two[2] = {{0, XTA_BACK, 1}, {1, XTA_FRONT, 2}};
    s.member[1].growths = two;
    s.member[1].n_growths = 2;
    s.growth[2].by = 0;
    test_must(xta_arrays_append(s.member, N, NULL, &err), &err);
    xta_box bounds = xta_array_bounds(s.array[1]);
    assert_int_equal(bounds.lo[1], -2);
    assert_int_equal(xta_array_bounds(s.array[2]).hi[0], START);
    int64_t coord[2] = {START, -2};
    int32_t cell = 1;
    double back = 0;
    test_must(xta_array_get(s.array[1], coord, &cell, &err), &err);
    test_must(xta_array_get(s.array[0], coord, &back, &err), &err);
    assert_true(cell == 0 && back == 7);
    end(&s);
}

static void a_growth_by_nothing_brings_nothing(void **state)
{
    set s;
    bringing b = {.s = &s, .k = 1};
    xta_box after[N];
    xta_array_info info;
    (void)state;

    make(&s, XTA_ACCESS_AUTO, false);
    plan(&s, XTA_BACK, 0);
    s.member[1].fn = bring;
    s.member[1].user = &b;
    test_must(xta_arrays_append(s.member, N, after, &err), &err);
    assert_int_equal(b.n_calls, 0);
    assert_int_equal(after[0].hi[0], START);
    test_must(xta_array_inquire(s.array[1], &info, &err), &err);
    assert_int_equal(info.n_steps, 0);
    // Others grow, this one does not: its function is not called either.
    s.growth[0].by = 1;
    test_must(xta_arrays_append(s.member, N, after, &err), &err);
    assert_int_equal(b.n_calls, 0);
    assert_int_equal(after[0].hi[0], START + 1);
    assert_int_equal(after[1].hi[0], START);
    end(&s);
}

/* ---- what is refused ---- */

/* The call fails, and neither array has changed. */
static void fails(set *s, int n, xta_status expected, const char *words)
{
    xta_status status = xta_arrays_append(s->member, n, NULL, &err);

    if (status != expected || strstr(err.text, words) == NULL) {
        print_error("%s: %s, not \"%s\"\n", xta_status_name(status), err.text, words);
    }
    assert_int_equal(status, expected);
    assert_non_null(strstr(err.text, words));
    expect_all(s, 0, START, 0, 0);
}

static void bad_arguments(void **state)
{
    set s;
    double cells[64] = {0};
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    const xta_growth two[3] = {{0, XTA_BACK, 1}, {0, XTA_FRONT, 2}, {0, XTA_BACK, 0}};
    const xta_growth one[3] = {{1, XTA_BACK, 0}, {0, XTA_BACK, 1}, {0, XTA_BACK, 0}};
    const int64_t step[2] = {1, 1};
    bringing b = {.s = &s, .k = 1};
    (void)state;

    make(&s, XTA_ACCESS_AUTO, false);
    fails(&s, 0, XTA_EARG, "give 1 to 8192");
    fails(&s, 8193, XTA_EARG, "give 1 to 8192");
    s.member[1].cells = cells;
    s.member[1].fn = bring;
    s.member[1].user = &b;
    fails(&s, N, XTA_EARG, "give one of both");
    s.member[1].cells = NULL;
    s.member[1].growths = two;
    s.member[1].n_growths = 3;
    fails(&s, N, XTA_EARG, "cells for 2 growths; give cells with a single growth");
    s.member[1].growths = &two[1];
    s.member[1].n_growths = 65;
    fails(&s, N, XTA_EARG, "give 1 to 64");
    plan(&s, XTA_BACK, 1);
    s.member[1].cells = cells;
    s.member[1].options = &io;
    io.step = step;
    fails(&s, N, XTA_EARG, "append takes no steps");
    io.step = NULL;
    io.order = (xta_order)7;
    fails(&s, N, XTA_EARG, "memory order 7");
    io.order = XTA_ROW;
    io.type = XTA_BYTES;
    fails(&s, N, XTA_ETYPE, "cannot be taken as");
    io.struct_size = 1;
    fails(&s, N, XTA_EARG, "xta_io_options");
    s.member[1].options = NULL;
    s.member[2].array = s.array[0];
    fails(&s, N, XTA_EARG, "given twice");
    plan(&s, XTA_BACK, 1);
    s.growth[1].axis = 2;
    fails(&s, N, XTA_EARG, "axis 2: the array has axes 0 to 1");
    plan(&s, XTA_BACK, (int64_t)1 << 62);
    s.member[1].cells = cells;
    fails(&s, N, XTA_EOVERFLOW, "grow by less");
    // One growth with cells among some by nothing is a single growth.
    plan(&s, XTA_BACK, 1);
    s.member[1].cells = cells;
    s.member[1].growths = one;
    s.member[1].n_growths = 3;
    test_must(xta_arrays_append(s.member, N, NULL, &err), &err);
    expect_all(&s, 0, START + 1, 0, 0);
    end(&s);
}

static void a_reader_grows_nothing(void **state)
{
    set s;
    double day = 1;
    (void)state;

    make(&s, XTA_ACCESS_AUTO, false);
    test_must(xta_array_close(s.array[1], &err), &err);
    test_must(xta_array_open(s.path[1], NULL, &s.array[1], &err), &err);
    plan(&s, XTA_BACK, 1);
    s.member[0].cells = &day;
    fails(&s, N, XTA_EACCESS, "field");
    end(&s);
}

/* After a failure nothing of the slabs may be visible, wherever the arrays grow next. */
static void check_afterwards(set *s)
{
    plan(s, XTA_FRONT, 3);
    test_must(xta_arrays_append(s->member, N, NULL, &err), &err);
    plan(s, XTA_BACK, 5);
    test_must(xta_arrays_append(s->member, N, NULL, &err), &err);
    expect_all(s, -3, START + 5, 0, 0);
}

static void one_failure_fails_all(void **state)
{
    (void)state;
    for (size_t run = 0; run < 6 * N; run++) {
        set s;
        double cells[N][4 * WIDTH];
        bringing b[N];
        xta_io_options wide = XTA_IO_OPTIONS_INIT;
        int bad = (int)(run % N);
        bool by_function = run / N % 2 == 1;
        make(&s, kinds[run / N / 2].access, kinds[run / N / 2].exclusive);
        plan(&s, run % 2 == 0 ? XTA_BACK : XTA_FRONT, 4);
        wide.type = XTA_F64;
        // The array that fails comes last, so that others have been written.
        xta_append_member last = s.member[bad];
        s.member[bad] = s.member[N - 1];
        s.member[N - 1] = last;
        for (int i = 0; i < N; i++) {
            int k = s.member[i].array == s.array[0] ? 0 : s.member[i].array == s.array[1] ? 1 : 2;
            put_rows(cells[k], k, 0, 4);
            b[k] = (bringing){.s = &s, .k = k, .refuses = k == bad};
            s.member[i].cells = by_function ? NULL : cells[k];
            s.member[i].options = &wide;
            s.member[i].fn = by_function ? bring : NULL;
            s.member[i].user = &b[k];
        }
        if (!by_function && bad > 0) {
            cells[bad][4 * widths[bad] - 1] = 1e12;
            fails(&s, N, XTA_ERANGE, bad == 1 ? "field" : "");
        } else if (by_function) {
            fails(&s, N, XTA_ECANCELLED, "enough");
            assert_true(b[0].n_calls == 1 && b[1].n_calls == 1 && b[2].n_calls == 1);
        }
        check_afterwards(&s);
        end(&s);
    }
}

/* ---- changes by others ---- */

static void other_axes_have_changed(void **state)
{
    set s;
    double cells[2 * WIDTH] = {0};
    xta_open_options writable = XTA_OPEN_OPTIONS_INIT;
    xta_array *other = NULL;
    const xta_growth day = {0, XTA_BACK, 1}, wider = {1, XTA_BACK, 1};
    (void)state;

    make(&s, XTA_ACCESS_AUTO, false);
    writable.writable = true;
    test_must(xta_array_open(s.path[1], &writable, &other, &err), &err);
    // On the axis of the growth: the slab is as long as before.
    test_must(xta_array_extend(other, &day, 1, NULL, &err), &err);
    s.member[1].cells = cells;
    test_must(xta_arrays_append(s.member, 2, NULL, &err), &err);
    assert_int_equal(xta_array_bounds(s.array[1]).hi[0], START + 2);
    // On another one: the slab has the wrong shape.
    test_must(xta_array_extend(other, &wider, 1, NULL, &err), &err);
    assert_int_equal(xta_arrays_append(s.member, N, NULL, &err), XTA_EBOX);
    assert_non_null(strstr(err.text, "refresh, and append a slab of the new shape"));
    assert_int_equal(xta_array_bounds(s.array[0]).hi[0], START + 1);
    assert_int_equal(xta_array_bounds(s.array[2]).hi[0], START);
    // The call has read the change, so the next one is for the new shape.
    assert_int_equal(xta_array_bounds(s.array[1]).hi[1], WIDTH + 1);
    test_must(xta_arrays_append(s.member, N, NULL, &err), &err);
    // An array without cells may have any shape.
    test_must(xta_array_extend(other, &wider, 1, NULL, &err), &err);
    s.member[1].cells = NULL;
    test_must(xta_arrays_append(s.member, N, NULL, &err), &err);
    test_must(xta_array_close(other, &err), &err);
    end(&s);
}

/* ---- while a function writes ---- */

static xta_status try_everything(void *user, xta_appending *appending, const xta_box *slab,
                                 xta_error *error)
{
    bringing *b = user;
    set *s = b->s;
    const xta_growth day = {0, XTA_BACK, 1};
    double cells[4 * WIDTH], cell = 0;
    const int64_t first[2] = {0, 0};

    for (int k = 0; k < N; k++) {
        xta_append_member again = {.array = s->array[k], .growths = &day, .n_growths = 1};
        xta_box bounds = xta_array_bounds(s->array[k]);
        assert_int_equal(xta_array_extend(s->array[k], &day, 1, NULL, &err), XTA_ESTATE);
        assert_int_equal(xta_array_shrink(s->array[k], &day, 1, NULL, &err), XTA_ESTATE);
        assert_int_equal(xta_array_append(s->array[k], &day, NULL, cells, NULL, &err), XTA_ESTATE);
        assert_int_equal(xta_arrays_append(&again, 1, NULL, &err), XTA_ESTATE);
        assert_int_equal(xta_attribute_set_f64(s->array[k], XTA_ON_ARRAY, "x", 1, &err),
                         XTA_ESTATE);
        // Nobody sees the growth, and cells within the bounds can be read and written.
        assert_int_equal(bounds.hi[0], START);
        test_must(xta_array_refresh(s->array[k], NULL, &err), &err);
        test_must(xta_array_get(s->array[k], first, cells, &err), &err);
        test_must(xta_array_put(s->array[k], first, &cell, &err), &err);
        assert_int_equal(xta_array_get(s->array[k], slab->lo, cells, &err), XTA_EBOX);
    }
    return bring(user, appending, slab, error);
}

static void structures_stay_meanwhile(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < 3; kind++) {
        set s;
        bringing b[N];
        make(&s, kinds[kind].access, kinds[kind].exclusive);
        for (int k = 0; k < N; k++) {
            b[k] = (bringing){.s = &s, .k = k};
            s.member[k].fn = try_everything;
            s.member[k].user = &b[k];
        }
        test_must(xta_arrays_append(s.member, N, NULL, &err), &err);
        expect_all(&s, 0, START + 1, START, START + 1);
        // Afterwards each can be changed again.
        for (int k = 0; k < N; k++) {
            test_must(xta_array_extend(s.array[k], &s.growth[k], 1, NULL, &err), &err);
        }
        expect_all(&s, 0, START + 2, START, START + 1);
        end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_grow_with_their_cells),
        cmocka_unit_test(the_others_have_fill),
        cmocka_unit_test(a_growth_by_nothing_brings_nothing),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(a_reader_grows_nothing),
        cmocka_unit_test(one_failure_fails_all),
        cmocka_unit_test(other_axes_have_changed),
        cmocka_unit_test(structures_stay_meanwhile),
    };
    return cmocka_run_group_tests(tests, test_group_begin, test_group_end);
}
