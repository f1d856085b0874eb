/* Regular coordinates: values, their detection in lists, and what is kept with an axis.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <xta/xta.h>

#include "support/folder.h"
#include "support/random.h"

enum { MOST = 3000 };

static xta_error err;

/* A list that a program would write: origin + k * step, in the precision of the type. */
static void write_list(xta_type type, double origin, double step, int64_t lo, int64_t n, void *out)
{
    for (int64_t k = 0; k < n; k++) {
        volatile double way = (double)(lo + k) * step;
        volatile double value = origin + way;
        if (type == XTA_F32) {
            ((float *)out)[k] = (float)value;
        } else {
            ((double *)out)[k] = value;
        }
    }
}

static void detects_what_people_write(void **state)
{
    (void)state;
    static const struct {
        double origin, step;
    } lists[] = {{0, 1},         {-89.75, 0.5},     {0.1, 0.1},       {4324.5, 0.75},
                 {-180, 3.75},   {90, -2.5},        {1e-3, 1e-6},     {400.025, 4.99},
                 {0, 1.0 / 3},   {712224, 24},      {1.9e9, 86400},   {-1e5, 1e-2},
                 {418.24, 6.55}, {1013.25, -0.125}, {17.5, 1.0 / 24}, {-7, 1e12}};
    static double values[MOST], again[MOST];

    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++) {
        for (int64_t lo = -40; lo <= 40; lo += 40) {
            xta_regular found = {0};
            write_list(XTA_F64, lists[k].origin, lists[k].step, lo, 300, values);
            assert_true(xta_regular_detect(XTA_F64, values, 300, lo, &found));
            xta_regular_values(&found, lo, lo + 300, again);
            assert_memory_equal(values, again, 300 * sizeof(double));
            // Growth on both sides continues it.
            double before = lists[k].origin + (double)(lo - 1) * lists[k].step;
            assert_true(fabs(xta_regular_at(&found, lo - 1).f - before) <=
                        1e-9 * fabs(lists[k].step));
        }
    }
}

static void detects_short_floats(void **state)
{
    (void)state;
    static float values[MOST], again[MOST];
    static const double steps[] = {1, 0.5, 0.1, 0.25, -2.5, 1.25, 4.99, 0.01};

    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
        xta_regular found = {0};
        write_list(XTA_F32, 12.3, steps[k], 0, 200, values);
        assert_true(xta_regular_detect(XTA_F32, values, 200, 0, &found));
        xta_regular_values(&found, 0, 200, again);
        assert_memory_equal(values, again, 200 * sizeof(float));
    }
}

static void one_ulp_makes_a_list(void **state)
{
    (void)state;
    static double values[MOST];
    xta_regular found;
    test_random r = test_random_make(test_seed("coordinates", 20261125), 0);

    for (uint64_t round = 0; round < test_scale(2000); round++) {
        int64_t n = 3 + (int64_t)(test_random_u64(&r) % 50);
        double origin = (double)(int64_t)(test_random_u64(&r) % 2000) / 8;
        double step = (double)(1 + test_random_u64(&r) % 64) / 16;
        write_list(XTA_F64, origin, step, 0, n, values);
        assert_true(xta_regular_detect(XTA_F64, values, n, 0, &found));
        assert_true(found.origin.f == origin && found.step.f == step);
        // Any but the ends, which could be those of other coordinates only if all others were, too.
        int64_t k = 1 + (int64_t)(test_random_u64(&r) % (uint64_t)(n - 2));
        values[k] = nextafter(values[k], test_random_u64(&r) % 2 == 0 ? INFINITY : -INFINITY);
        if (xta_regular_detect(XTA_F64, values, n, 0, &found)) {
            // Then these are other coordinates, which have exactly these bits.
            for (int64_t c = 0; c < n; c++) {
                double own = xta_regular_at(&found, c).f;
                assert_memory_equal(&own, &values[c], sizeof own);
            }
        }
    }
    const double gaps[] = {0, 1, 2, 4}, equal[] = {1, 1, 1}, holes[] = {0, NAN, 2};
    const double zeros[] = {-0.0, 1, 2}, one[] = {7};
    assert_false(xta_regular_detect(XTA_F64, gaps, 4, 0, &found));
    assert_false(xta_regular_detect(XTA_F64, equal, 3, 0, &found));
    assert_false(xta_regular_detect(XTA_F64, holes, 3, 0, &found));
    assert_false(xta_regular_detect(XTA_F64, one, 1, 0, &found));
    // -0.0 would come back as 0.0 if the origin were 0.
    if (xta_regular_detect(XTA_F64, zeros, 3, 0, &found)) {
        assert_true(signbit(xta_regular_at(&found, 0).f));
    }
}

static void integers_are_exact(void **state)
{
    (void)state;
    // Nanoseconds since 1970: binary64 could not hold them.
    const int64_t origin = 1420070400000000001, day = 86400000000000;
    int64_t values[100], again[100];
    xta_regular found;

    for (int k = 0; k < 100; k++) {
        values[k] = origin + (k - 50) * day;
    }
    assert_true(xta_regular_detect(XTA_I64, values, 100, -50, &found));
    assert_true(found.origin.i == origin && found.step.i == day);
    xta_regular_values(&found, -50, 50, again);
    assert_memory_equal(values, again, sizeof values);
    values[99]++;
    assert_false(xta_regular_detect(XTA_I64, values, 100, -50, &found));

    const int64_t wide[] = {INT64_MIN, INT64_MAX};
    assert_false(xta_regular_detect(XTA_I64, wide, 2, 0, &found));
    const int8_t narrow[] = {-100, 100};
    assert_true(xta_regular_detect(XTA_I8, narrow, 2, 0, &found));
    assert_int_equal(found.step.i, 200);
    const uint8_t down[] = {5, 3, 1};
    assert_true(xta_regular_detect(XTA_U8, down, 3, 0, &found));
    assert_int_equal(xta_regular_check(&found, 0, 4, &err), XTA_ERANGE);
    assert_int_equal(xta_regular_check(&found, 0, 3, &err), XTA_OK);
    const uint64_t large[] = {1, 2};
    assert_false(xta_regular_detect(XTA_U64, large, 2, 0, &found));
}

static void refuses_what_cannot_be(void **state)
{
    (void)state;
    xta_regular r = {XTA_F64, {.f = 0}, {.f = 0}};

    assert_int_equal(xta_regular_check(&r, 0, 1, &err), XTA_EARG);
    r.step.f = NAN;
    assert_int_equal(xta_regular_check(&r, 0, 1, &err), XTA_EARG);
    r.step.f = 1;
    r.origin.f = INFINITY;
    assert_int_equal(xta_regular_check(&r, 0, 1, &err), XTA_EARG);
    r.origin.f = DBL_MAX;
    r.step.f = DBL_MAX / 4;
    assert_int_equal(xta_regular_check(&r, 0, 2, &err), XTA_ERANGE);
    r = (xta_regular){XTA_F32, {.f = 1e8}, {.f = 1}};
    assert_int_equal(xta_regular_check(&r, 0, 100, &err), XTA_ERANGE);
    r.type = XTA_F64;
    assert_int_equal(xta_regular_check(&r, 0, 100, &err), XTA_OK);
    r.type = XTA_U64;
    assert_int_equal(xta_regular_check(&r, 0, 1, &err), XTA_EARG);
    r = (xta_regular){XTA_I32, {.i = 0}, {.i = 0}};
    assert_int_equal(xta_regular_check(&r, 0, 1, &err), XTA_EARG);
    r.step.i = INT64_MAX;
    assert_int_equal(xta_regular_check(&r, 0, 3, &err), XTA_ERANGE);
}

/* Neighbours that pass the check are never equal, as a brute-force search confirms. */
static void neighbours_differ(void **state)
{
    (void)state;
    test_random r = test_random_make(test_seed("coordinates", 20261125), 1);

    for (uint64_t round = 0; round < test_scale(3000); round++) {
        xta_regular c = {round % 2 == 0 ? XTA_F32 : XTA_F64, {0}, {0}};
        c.origin.f =
            ldexp((double)(int64_t)test_random_u64(&r) / 9.3e18, (int)(test_random_u64(&r) % 60));
        c.step.f =
            ldexp((double)(int64_t)test_random_u64(&r) / 9.3e18, -(int)(test_random_u64(&r) % 40));
        int64_t lo = (int64_t)(test_random_u64(&r) % 2000) - 1000, hi = lo + 60;
        if (xta_regular_check(&c, lo, hi, NULL) != XTA_OK) {
            continue;
        }
        for (int64_t cell = lo + 1; cell < hi; cell++) {
            double a = xta_regular_at(&c, cell - 1).f, b = xta_regular_at(&c, cell).f;
            assert_true(c.step.f > 0 ? b > a : b < a);
        }
    }
}

static void an_axis_keeps_them(void **state)
{
    (void)state;
    const char *path = test_folder_path(&test_group_folder, "a");
    const int64_t bounds[2] = {4, 3};
    const double list[] = {5, 6, 8, 9};
    const int64_t box[] = {0, 4};
    xta_regular set = {XTA_F32, {.f = 0.1}, {.f = 0.25}}, got;
    xta_attribute values = {"values", XTA_F64, sizeof(double), 4, list}, found;
    xta_attribute values_box = {"values//box", XTA_I64, sizeof(int64_t), 2, box};
    const xta_growth front = {0, XTA_FRONT, 2};
    xta_array *array = NULL;

    assert_int_equal(xta_array_create(path, XTA_U8, 2, bounds, NULL, &array, &err), XTA_OK);
    assert_int_equal(xta_axis_regular(array, 0, &got, &err), XTA_ENOENT);
    assert_int_equal(xta_attribute_set(array, 0, &values, &err), XTA_OK);
    assert_int_equal(xta_attribute_set(array, 0, &values_box, &err), XTA_OK);
    assert_int_equal(xta_axis_set_regular(array, 0, &set, &err), XTA_OK);
    assert_int_equal(xta_attribute_get(array, 0, "values", &found, &err), XTA_ENOENT);
    assert_int_equal(xta_attribute_get(array, 0, "values//box", &found, &err), XTA_ENOENT);
    assert_int_equal(xta_array_extend(array, &front, 1, NULL, &err), XTA_OK);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);

    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    options.writable = true;
    assert_int_equal(xta_array_open(path, &options, &array, &err), XTA_OK);
    assert_int_equal(xta_axis_regular(array, 0, &got, &err), XTA_OK);
    assert_int_equal(got.type, XTA_F32);
    assert_true(got.origin.f == 0.1 && got.step.f == 0.25);
    assert_true(xta_regular_at(&got, -2).f == (double)(float)(0.1 - 0.5));
    assert_int_equal(xta_axis_set_regular(array, 0, NULL, &err), XTA_OK);
    assert_int_equal(xta_axis_regular(array, 0, &got, &err), XTA_ENOENT);
    assert_int_equal(xta_axis_set_regular(array, 2, &set, &err), XTA_EARG);
    assert_int_equal(xta_axis_regular(array, -1, &got, &err), XTA_EARG);
    set.step.f = 0;
    assert_int_equal(xta_axis_set_regular(array, 1, &set, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "axis 1"));
    values = (xta_attribute){"values//regular", XTA_F64, sizeof(double), 4, list};
    assert_int_equal(xta_attribute_set(array, 1, &values, &err), XTA_OK);
    assert_int_equal(xta_axis_regular(array, 1, &got, &err), XTA_ECORRUPT);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(detects_what_people_write), cmocka_unit_test(detects_short_floats),
        cmocka_unit_test(one_ulp_makes_a_list),      cmocka_unit_test(integers_are_exact),
        cmocka_unit_test(refuses_what_cannot_be),    cmocka_unit_test(neighbours_differ),
        cmocka_unit_test(an_axis_keeps_them),
    };

    return cmocka_run_group_tests(tests, test_group_begin, test_group_end);
}
