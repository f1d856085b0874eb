/* Cubes whose base changes in ways that bounds do not show, and groups that are larger than memory
 * allows: never a wrong answer.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <xta/attribute.h>
#include <xta/coordinates.h>
#include <xta/cube.h>
#include <xta/dataset.h>

#include "support/folder.h"
#include "support/must.h"

static xta_error error;
static test_folder folder;
static char base[TEST_PATH_BYTES], cube[TEST_PATH_BYTES];

static int begin(void **state)
{
    (void)state;
    test_folder_make_fast(&folder);
    test_folder_join(&folder, "base", base);
    test_folder_join(&folder, "cube", cube);
    return 0;
}

static int end(void **state)
{
    (void)state;
    test_folder_remove(&folder);
    return 0;
}

/* ---- a base ---- */

static void make_base(xta_type type, int ndim, const int64_t lengths[], const char *const names[],
                      const void *cells)
{
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    o.names = names;
    test_must(xta_array_create(base, type, ndim, lengths, &o, &array, &error), &error);
    xta_box bounds = xta_array_bounds(array);
    test_must(xta_array_write(array, &bounds, NULL, cells, &error), &error);
    test_must(xta_array_close(array, &error), &error);
}

static const char *const names_xy[] = {"x", "y"};

/* 8 cells with the value 1. */
static void make_ones(void)
{
    const double ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    const int64_t length = 8;

    make_base(XTA_F64, 1, &length, names_xy, ones);
}

static xta_array *open_base(void)
{
    xta_open_options o = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;

    o.writable = true;
    test_must(xta_array_open(base, &o, &array, &error), &error);
    return array;
}

static void append(xta_side side, int64_t by, double value)
{
    xta_array *array = open_base();
    xta_growth growth = {0, side, by};
    double *cells = malloc((size_t)by * sizeof *cells);

    for (int64_t k = 0; k < by; k++) {
        cells[k] = value;
    }
    test_must(xta_array_append(array, &growth, NULL, cells, NULL, &error), &error);
    test_must(xta_array_close(array, &error), &error);
    free(cells);
}

static void shrink(xta_side side, int64_t by)
{
    xta_array *array = open_base();
    xta_growth growth = {0, side, by};

    test_must(xta_array_shrink(array, &growth, 1, NULL, &error), &error);
    test_must(xta_array_close(array, &error), &error);
}

static xta_status create(const char *levels)
{
    xta_cube_options o = XTA_CUBE_OPTIONS_INIT;

    o.levels = levels;
    return xta_cube_create(base, cube, &o, &error);
}

static void create_and_update(const char *levels)
{
    test_must(create(levels), &error);
    test_must(xta_cube_update(cube, NULL, &error), &error);
}

static xta_cube_values ask(xta_cube *open)
{
    xta_cube_answer *answer = NULL;

    test_must(xta_cube_query(open, NULL, &answer, &error), &error);
    xta_cube_values v = xta_cube_answer_values(answer, 0);
    xta_cube_answer_free(answer);
    return v;
}

/* Opening and updating fail with a status and a part of the text. */
static void refused(xta_status status, const char *text)
{
    xta_cube *open = NULL;

    assert_int_equal(xta_cube_open(cube, &open, &error), status);
    assert_null(open);
    assert_non_null(strstr(error.text, text));
    assert_int_equal(xta_cube_update(cube, NULL, &error), status);
    assert_non_null(strstr(error.text, text));
}

/* ---- cells that are others than before ---- */

static void test_shrunk_and_grown(void **state)
{
    xta_cube *open = NULL;
    bool changed = true;

    (void)state;
    make_ones();
    create_and_update("x:1>2>4");
    test_must(xta_cube_open(cube, &open, &error), &error);
    assert_true(xta_cube_is_current(open));
    shrink(XTA_BACK, 4);
    append(XTA_BACK, 4, 5);
    refused(XTA_ESTATE, "has grown again; make the cube again");
    assert_int_equal(xta_cube_refresh(open, &changed, &error), XTA_ESTATE);
    assert_false(changed);
    xta_cube_answer *answer = NULL;
    assert_int_equal(xta_cube_query(open, NULL, &answer, &error), XTA_ESTATE);
    assert_null(answer);
    test_must(xta_cube_close(open, &error), &error);
}

/* Cells that the cube never had come and go. */
static void test_others_removed(void **state)
{
    xta_cube *open = NULL;

    (void)state;
    make_ones();
    create_and_update("x:1>2>4");
    append(XTA_FRONT, 3, 2);
    shrink(XTA_FRONT, 2);
    append(XTA_BACK, 1, 4);
    test_must(xta_cube_open(cube, &open, &error), &error);
    assert_true(ask(open).sum.f == 8 + 2 + 4);
    test_must(xta_cube_close(open, &error), &error);
    test_must(xta_cube_update(cube, NULL, &error), &error);
    test_must(xta_cube_open(cube, &open, &error), &error);
    assert_true(ask(open).sum.f == 8 + 2 + 4);
    test_must(xta_cube_close(open, &error), &error);
}

static void compact(void)
{
    uint64_t before, after;

    test_must(xta_compact(base, &before, &after, &error), &error);
}

/* A compacted history does not say whether cells were removed. */
static void test_compacted(void **state)
{
    xta_cube *open = NULL;

    (void)state;
    make_ones();
    create_and_update("x:2");
    append(XTA_BACK, 4, 1);
    test_must(xta_cube_update(cube, NULL, &error), &error);
    compact();
    test_must(xta_cube_open(cube, &open, &error), &error);
    assert_true(ask(open).sum.f == 12);
    test_must(xta_cube_close(open, &error), &error);
    append(XTA_BACK, 4, 1);
    test_must(xta_cube_update(cube, NULL, &error), &error);
    shrink(XTA_BACK, 2);
    append(XTA_BACK, 2, 5);
    compact();
    refused(XTA_ESTATE, "no longer says whether cells were removed");
}

static void set_days(int64_t origin)
{
    xta_array *array = open_base();
    const xta_regular days = {.type = XTA_I64, .origin.i = origin, .step.i = 1};

    test_must(xta_axis_set_regular(array, 0, &days, &error), &error);
    test_must(xta_axis_set_unit(array, 0, "days since 2014-01-31", &error), &error);
    test_must(xta_array_close(array, &error), &error);
}

static void test_times_changed(void **state)
{
    xta_cube *open = NULL;

    (void)state;
    make_ones();
    set_days(0);
    create_and_update("x:month>year");
    test_must(xta_cube_open(cube, &open, &error), &error);
    set_days(20);
    refused(XTA_ESTATE, "axis x: the times of its cells have changed");
    assert_int_equal(xta_cube_refresh(open, NULL, &error), XTA_ESTATE);
    set_days(0);
    test_must(xta_cube_refresh(open, NULL, &error), &error);
    assert_true(ask(open).sum.f == 8);
    test_must(xta_cube_close(open, &error), &error);
}

/* ---- names ---- */

static void set_names(const char *const names[])
{
    xta_array *array = open_base();

    for (int k = 0; k < 2; k++) {
        test_must(xta_axis_set_name(array, k, names[k], &error), &error);
    }
    test_must(xta_array_close(array, &error), &error);
}

static void test_names_collide(void **state)
{
    static const char *const names[] = {"axis1", "", "y", "y_2", "1", "0"};
    const int64_t lengths[2] = {8, 6};
    double cells[48] = {0};
    xta_cube_facts facts;

    (void)state;
    make_base(XTA_F64, 2, lengths, names, cells);
    assert_int_equal(create("0:2,1:2"), XTA_EARG);
    assert_non_null(strstr(error.text, "two axes are called axis1"));
    assert_false(xta_dataset_exists(cube));
    set_names(&names[2]);
    test_must(create("y:3,y_2:1>3"), &error); // not twice the dimension y_2
    set_names(&names[4]);                     // each axis is called as the other's number
    test_must(xta_cube_update(cube, &facts, &error), &error);
    assert_int_equal(facts.n_groups, 3 * 6 + 3 * 2); // blocks of 3 on axis 0; 1 and 3 on axis 1
}

/* ---- live ---- */

static void test_refresh(void **state)
{
    xta_cube *open = NULL;
    bool changed = true;

    (void)state;
    make_ones();
    create_and_update("x:1>2>4");
    test_must(xta_cube_open(cube, &open, &error), &error);
    test_must(xta_cube_refresh(open, &changed, &error), &error);
    assert_false(changed);
    append(XTA_FRONT, 5, 2);
    assert_true(ask(open).sum.f == 8);
    test_must(xta_cube_refresh(open, &changed, &error), &error);
    assert_true(changed && !xta_cube_is_current(open));
    assert_true(ask(open).sum.f == 18);
    test_must(xta_cube_update(cube, NULL, &error), &error);
    assert_true(ask(open).sum.f == 18);
    test_must(xta_cube_refresh(open, &changed, &error), &error);
    assert_true(changed && xta_cube_is_current(open));
    assert_true(ask(open).sum.f == 18);
    assert_int_equal(ask(open).count, 13);
    test_must(xta_cube_close(open, &error), &error);
}

/* The open cube notices that another one has taken its place. */
static void test_made_again(void **state)
{
    xta_cube *open = NULL;
    char moved[TEST_PATH_BYTES];

    (void)state;
    make_ones();
    create_and_update("x:1>2>4");
    test_must(xta_cube_open(cube, &open, &error), &error);
    test_folder_join(&folder, "moved", moved);
    assert_int_equal(rename(cube, moved), 0);
    create_and_update("x:1>2>4");
    xta_status status = xta_cube_refresh(open, NULL, &error);
    assert_true(status != XTA_OK || ask(open).sum.f == 8);
    test_must(xta_cube_close(open, &error), &error);
}

static void test_two_updates(void **state)
{
    int how = 0;

    (void)state;
    make_ones();
    create_and_update("x:1>2>4");
    for (int round = 0; round < 20; round++) {
        pid_t child;
        append(round % 2 == 0 ? XTA_FRONT : XTA_BACK, 3, 1);
        child = fork();
        if (child == 0) {
            _exit(xta_cube_update(cube, NULL, NULL) == XTA_OK ? 0 : 1);
        }
        test_must(xta_cube_update(cube, NULL, &error), &error);
        assert_int_equal(waitpid(child, &how, 0), child);
        assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    }
    xta_cube *open = NULL;
    test_must(xta_cube_open(cube, &open, &error), &error);
    assert_true(xta_cube_is_current(open) && ask(open).sum.f == 68);
    test_must(xta_cube_close(open, &error), &error);
}

/* ---- numbers ---- */

static void test_overflow(void **state)
{
    const int64_t cells[4] = {INT64_MAX, 1, -5, -6}, length = 4;
    xta_cube_options o = XTA_CUBE_OPTIONS_INIT;
    xta_cube *open = NULL;

    (void)state;
    make_base(XTA_I64, 1, &length, names_xy, cells);
    test_must(create("x:2"), &error);
    assert_int_equal(xta_cube_update(cube, NULL, &error), XTA_ERANGE);
    assert_non_null(strstr(error.text, "sum_2, axis x from group 0"));
    test_folder_join(&folder, "other", cube);
    o.levels = "x:2";
    o.measures = "min,max";
    o.missing = &cells[2];
    test_must(xta_cube_create(base, cube, &o, &error), &error);
    test_must(xta_cube_update(cube, NULL, &error), &error);
    test_must(xta_cube_open(cube, &open, &error), &error);
    xta_cube_values v = ask(open);
    assert_true(v.count == 3 && v.min.i == -6 && v.max.i == INT64_MAX);
    test_must(xta_cube_close(open, &error), &error);
}

/* A single group has more cells than are read at once, on every axis but the last: the sum has the
 * bits of axes folded one after the other. */
static void test_large_groups(void **state)
{
    enum { A = 3, B = 700, C = 800 };
    static const char *const names[] = {"a", "b", "c"};
    const int64_t lengths[3] = {A, B, C};
    double *cells = malloc(sizeof *cells * A * B * C), want = 0;
    xta_cube *open = NULL;
    xta_cube_facts facts;

    (void)state;
    assert_non_null(cells);
    for (int a = 0; a < A; a++) {
        double of_a = 0;
        for (int b = 0; b < B; b++) {
            double of_b = 0;
            for (int c = 0; c < C; c++) {
                double v = 1.0 / (1 + (a * 31 + b * 17 + c * 7) % 1000);
                cells[(a * B + b) * C + c] = v;
                of_b += v;
            }
            of_a += of_b;
        }
        want += of_a;
    }
    make_base(XTA_F64, 3, lengths, names, cells);
    test_must(create("a:1024,b:1024,c:1024"), &error);
    test_must(xta_cube_update(cube, &facts, &error), &error);
    assert_int_equal(facts.n_base_cells, A * B * C);
    test_must(xta_cube_open(cube, &open, &error), &error);
    xta_array *sums = NULL;
    xta_dataset *set = NULL;
    double got = 0;
    test_must(xta_dataset_open(cube, NULL, &set, &error), &error);
    test_must(xta_dataset_member(set, "sum_1024_1024_1024", &sums, &error), &error);
    xta_box bounds = xta_array_bounds(sums);
    test_must(xta_array_read(sums, &bounds, NULL, &got, &error), &error);
    assert_memory_equal(&got, &want, sizeof got);
    test_must(xta_dataset_close(set, &error), &error);
    test_must(xta_cube_close(open, &error), &error);
    free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_shrunk_and_grown, begin, end),
        cmocka_unit_test_setup_teardown(test_others_removed, begin, end),
        cmocka_unit_test_setup_teardown(test_compacted, begin, end),
        cmocka_unit_test_setup_teardown(test_times_changed, begin, end),
        cmocka_unit_test_setup_teardown(test_names_collide, begin, end),
        cmocka_unit_test_setup_teardown(test_refresh, begin, end),
        cmocka_unit_test_setup_teardown(test_made_again, begin, end),
        cmocka_unit_test_setup_teardown(test_two_updates, begin, end),
        cmocka_unit_test_setup_teardown(test_overflow, begin, end),
        cmocka_unit_test_setup_teardown(test_large_groups, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
