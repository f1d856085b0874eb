/* Arrays made of selected cells: random boxes, steps and lists against one cell after the other,
 * and what becomes of coordinates, lists and texts; entries of a selection.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <xta/attribute.h>
#include <xta/select.h>

#include "support/must.h"
#include "support/random.h"

enum { NDIM = 3 };

static xta_error err;

/* Cells -2:9, 0:7 and 0:5, numbered in row-major order; regular, listed and named coordinates. */
static xta_array *numbered(void)
{
    static const int64_t bounds[NDIM] = {9, 7, 5};
    static const xta_growth front = {0, XTA_FRONT, 2};
    static const xta_regular regular = {XTA_F64, {.f = 0.5}, {.f = 0.25}};
    static const float listed[] = {1, 2, 4, 8, 16, 32, 64};
    static const int32_t bad[] = {1, 0, 1, 1, 0, 1, 1};
    const xta_attribute list = {"values", XTA_F32, 4, 7, listed};
    const xta_attribute bbl = {"bbl", XTA_I32, 4, 7, bad};
    xta_array *array = NULL;
    int32_t cells[11 * 7 * 5];

    test_must(xta_array_new(XTA_I32, NDIM, bounds, NULL, &array, &err), &err);
    test_must(xta_array_extend(array, &front, 1, NULL, &err), &err);
    for (int32_t k = 0; k < 11 * 7 * 5; k++) {
        cells[k] = k;
    }
    const xta_box box = xta_array_bounds(array);
    test_must(xta_array_write(array, &box, NULL, cells, &err), &err);
    test_must(xta_axis_set_regular(array, 0, &regular, &err), &err);
    test_must(xta_attribute_set(array, 1, &list, &err), &err);
    test_must(xta_attribute_set(array, 1, &bbl, &err), &err);
    test_must(xta_attribute_set_text(array, 2, "values",
                                     "a\n"
                                     "b\n"
                                     "c\n"
                                     "d\n"
                                     "last",
                                     &err),
              &err);
    return array;
}

static int32_t cell(xta_array *array, int64_t a, int64_t b, int64_t c)
{
    const xta_box box = {.ndim = NDIM, .lo = {a, b, c}, .hi = {a + 1, b + 1, c + 1}};
    int32_t value = -1;

    test_must(xta_array_read(array, &box, NULL, &value, &err), &err);
    return value;
}

/* A random selection of one axis; `cells` gets them, the result is their number. */
static int64_t choose(test_random *random, const xta_box *bounds, int axis, xta_selection *s,
                      int64_t cells[])
{
    int64_t lo = bounds->lo[axis], length = bounds->hi[axis] - lo, n = 0;
    int64_t first = test_random_in(random, 0, length - 1);
    int64_t end = test_random_in(random, first + 1, length);
    int kind = (int)test_random_in(random, 0, 3);

    s->step[axis] = kind == 1 ? test_random_in(random, 1, 4) : 1;
    if (kind == 2) {
        n = test_random_in(random, 1, 8);
        s->list[axis] = calloc((size_t)n, sizeof cells[0]);
        assert_non_null(s->list[axis]);
        s->n_list[axis] = n;
    }
    s->box.lo[axis] = kind == 3 ? lo : lo + first;
    s->box.hi[axis] = kind == 3 ? lo + length : lo + end;
    for (int64_t k = 0; k < n; k++) {
        cells[k] = s->list[axis][k] = test_random_in(random, lo, lo + length - 1);
        s->box.lo[axis] = k == 0 || cells[k] < s->box.lo[axis] ? cells[k] : s->box.lo[axis];
        s->box.hi[axis] = k == 0 || cells[k] >= s->box.hi[axis] ? cells[k] + 1 : s->box.hi[axis];
    }
    for (int64_t c = s->box.lo[axis]; kind != 2 && c < s->box.hi[axis]; c += s->step[axis]) {
        cells[n++] = c;
    }
    return n;
}

static void same_coordinates(xta_array *from, xta_array *to, int axis, const int64_t cells[],
                             int64_t n)
{
    xta_coordinates *a = NULL, *b = NULL;
    int64_t lo = xta_array_bounds(to).lo[axis];

    test_must(xta_coordinates_read(from, axis, &a, &err), &err);
    test_must(xta_coordinates_read(to, axis, &b, &err), &err);
    assert_int_equal(xta_coordinates_type(a), xta_coordinates_type(b));
    for (int64_t k = 0; k < n && axis < 2; k++) {
        assert_true(xta_coordinates_at(a, cells[k]) == xta_coordinates_at(b, lo + k));
    }
    for (int64_t k = 0; k < n && axis == 2; k++) {
        assert_string_equal(xta_coordinates_name(a, cells[k]), xta_coordinates_name(b, lo + k));
    }
    xta_coordinates_free(a);
    xta_coordinates_free(b);
}

static void random_selections(void **state)
{
    xta_array *array = numbered();
    const xta_box bounds = xta_array_bounds(array);
    test_random random = test_random_make(test_seed("select_gather", 39), 0);
    int turns = (int)test_scale(300);

    (void)state;

    for (int turn = 0; turn < turns; turn++) {
        xta_selection s = {.box = bounds};
        int64_t cells[NDIM][16], n[NDIM];
        xta_array *made = NULL;
        xta_attribute bbl;
        for (int axis = 0; axis < NDIM; axis++) {
            n[axis] = choose(&random, &bounds, axis, &s, cells[axis]);
        }
        test_must(xta_array_select(array, &s, 0, &made, &err), &err);
        const xta_box b = xta_array_bounds(made);
        for (int axis = 0; axis < NDIM; axis++) {
            assert_int_equal(b.hi[axis] - b.lo[axis], n[axis]);
            same_coordinates(array, made, axis, cells[axis], n[axis]);
        }
        for (int64_t k = 0; k < n[0] * n[1] * n[2]; k++) {
            int64_t i = k / (n[1] * n[2]), j = k / n[2] % n[1], l = k % n[2];
            assert_int_equal(cell(made, b.lo[0] + i, b.lo[1] + j, b.lo[2] + l),
                             cell(array, cells[0][i], cells[1][j], cells[2][l]));
        }
        test_must(xta_attribute_get(made, 1, "bbl", &bbl, &err), &err);
        assert_int_equal(bbl.count, n[1]);
        for (int64_t k = 0; k < n[1]; k++) {
            bool bad = cells[1][k] == 1 || cells[1][k] == 4;
            assert_int_equal(((const int32_t *)bbl.values)[k], !bad);
        }
        xta_array_close(made, NULL);
        xta_selection_clear(&s);
    }
    xta_array_close(array, NULL);
}

static void limits(void **state)
{
    xta_array *array = numbered(), *made = NULL;
    xta_selection s;

    (void)state;
    test_must(xta_box_select(array, "1=[4,1],0=::2", &s, &err), &err);
    assert_true(s.named[0] && s.named[1] && !s.named[2]);
    assert_false(xta_selection_is_box(&s, 0) || xta_selection_is_box(&s, 1));
    assert_true(xta_selection_is_box(&s, 2));
    assert_int_equal(xta_array_select(array, &s, 6 * 2 * 5 * 4 - 1, &made, &err), XTA_ENOMEM);
    assert_null(made);
    test_must(xta_array_select(array, &s, 6 * 2 * 5 * 4, &made, &err), &err);
    xta_array_close(made, NULL);
    s.box.hi[2] = 6;
    assert_int_equal(xta_array_select(array, &s, 0, &made, &err), XTA_EBOX);
    assert_non_null(strstr(err.text, "axis 2: cells 0:6 leave the bounds 0:5"));
    assert_int_equal(xta_coordinates_copy(array, 0, &s, array, 1, &err), XTA_EBOX);
    assert_int_equal(xta_coordinates_copy(array, 3, NULL, array, 1, &err), XTA_EARG);
    xta_selection_clear(&s);
    xta_array_close(array, NULL);
}

static void entries(void **state)
{
    const char *text = "time=2015-01:2015-02,name=[\"a, b\",c],lat=40~2";
    const char *next = NULL;
    char axis[XTA_SELECTION_AXIS_BYTES];
    size_t n = 0;

    (void)state;
    test_must(xta_selection_entry(text, axis, &n, &next, &err), &err);
    assert_string_equal(axis, "time");
    assert_int_equal(n, strlen("time=2015-01:2015-02"));
    test_must(xta_selection_entry(next, axis, &n, &next, &err), &err);
    assert_string_equal(axis, "name");
    assert_int_equal(n, strlen("name=[\"a, b\",c]"));
    test_must(xta_selection_entry(next, axis, &n, &next, &err), &err);
    assert_string_equal(axis, "lat");
    assert_int_equal(n, strlen("lat=40~2"));
    assert_null(next);
    assert_int_equal(xta_selection_entry("time", axis, &n, &next, &err), XTA_EARG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_selections),
                                       cmocka_unit_test(limits), cmocka_unit_test(entries)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
