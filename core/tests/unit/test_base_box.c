/* Boxes: counting with overflow, containing, intersecting, and texts that never pass their buffer.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "support/random.h"

static uint64_t seed;

static xta_box box_1(int64_t lo, int64_t hi)
{
    return xta_box_make(1, &lo, &hi);
}

static void counting(void **state)
{
    const int64_t lo[3] = {-2, 0, 5};
    const int64_t hi[3] = {2, 3, 10};
    const int64_t huge[3] = {(int64_t)1 << 61, 4, 1};
    const int64_t most[3] = {INT64_MAX, 1, 1};
    const int64_t zeros[3] = {0, 0, 0};
    xta_box box = xta_box_make(3, lo, hi);
    uint64_t n = 99;

    (void)state;
    assert_int_equal(box.ndim, 3);
    assert_int_equal(xta_box_cells(&box, &n), XTA_OK);
    assert_int_equal(n, 60);
    box.hi[1] = box.lo[1];
    assert_true(xta_box_empty(&box));
    assert_int_equal(xta_box_cells(&box, &n), XTA_OK);
    assert_int_equal(n, 0);
    box = xta_box_make(3, zeros, huge);
    n = 99;
    assert_int_equal(xta_box_cells(&box, &n), XTA_EOVERFLOW);
    assert_int_equal(n, 99);
    box = xta_box_make(3, zeros, most);
    assert_int_equal(xta_box_cells(&box, &n), XTA_OK);
    assert_true(n == INT64_MAX);
    box = box_1(INT64_MIN, INT64_MAX);
    assert_int_equal(xta_box_cells(&box, &n), XTA_EOVERFLOW);
    // An empty axis makes the box empty, however large the others are.
    box = xta_box_make(3, zeros, most);
    box.hi[2] = -1;
    assert_int_equal(xta_box_cells(&box, &n), XTA_OK);
    assert_int_equal(n, 0);
}

static bool inside(const xta_box *box, int64_t x, int64_t y)
{
    return x >= box->lo[0] && x < box->hi[0] && y >= box->lo[1] && y < box->hi[1];
}

/* Small boxes in two dimensions, checked cell by cell. */
static void containing_and_intersecting(void **state)
{
    test_random random = test_random_make(seed, 1);

    (void)state;
    for (uint64_t trial = 0; trial < test_scale(3000); trial++) {
        xta_box b[2];
        for (int i = 0; i < 2; i++) {
            int64_t lo[2];
            int64_t hi[2];
            for (int axis = 0; axis < 2; axis++) {
                lo[axis] = test_random_in(&random, -4, 3);
                hi[axis] = lo[axis] + test_random_in(&random, 0, 5);
            }
            b[i] = xta_box_make(2, lo, hi);
        }
        xta_box common = xta_box_intersect(&b[0], &b[1]);
        bool all = true;
        bool any = false;
        for (int64_t x = -5; x < 10; x++) {
            for (int64_t y = -5; y < 10; y++) {
                bool both = inside(&b[0], x, y) && inside(&b[1], x, y);
                assert_int_equal(inside(&common, x, y), both);
                all = all && (inside(&b[0], x, y) || !inside(&b[1], x, y));
                any = any || inside(&b[1], x, y);
            }
        }
        assert_int_equal(xta_box_contains(&b[0], &b[1]), all);
        assert_int_equal(xta_box_empty(&b[1]), !any);
        assert_int_equal(xta_box_equal(&b[0], &b[1]),
                         memcmp(b[0].lo, b[1].lo, 16) == 0 && memcmp(b[0].hi, b[1].hi, 16) == 0);
    }
    xta_box line = box_1(0, 3);
    const int64_t zeros[2] = {0, 0};
    const int64_t threes[2] = {3, 3};
    xta_box square = xta_box_make(2, zeros, threes);
    assert_false(xta_box_contains(&square, &line));
    assert_false(xta_box_equal(&square, &line));
}

static void texts(void **state)
{
    const int64_t lo[2] = {0, -2};
    const int64_t hi[2] = {4, 3};
    int64_t wide[XTA_MAX_NDIM];
    xta_box box = xta_box_make(2, lo, hi);
    char text[32];

    (void)state;
    assert_string_equal(xta__box_text(&box, text, sizeof text), "0:4,-2:3");
    assert_string_equal(xta__coord_text(lo, 2, text, sizeof text), "0,-2");
    assert_string_equal(xta__coord_text(lo, 0, text, sizeof text), "");
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        wide[axis] = INT64_MIN;
    }
    box = xta_box_make(XTA_MAX_NDIM, wide, wide);
    for (size_t capacity = 1; capacity < sizeof text; capacity++) {
        memset(text, 'x', sizeof text);
        xta__box_text(&box, text, capacity);
        assert_int_equal(strlen(text), capacity - 1);
        assert_int_equal(text[capacity], 'x');
        memset(text, 'x', sizeof text);
        xta__coord_text(wide, XTA_MAX_NDIM, text, capacity);
        assert_int_equal(strlen(text), capacity - 1);
        assert_int_equal(text[capacity], 'x');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counting),
        cmocka_unit_test(containing_and_intersecting),
        cmocka_unit_test(texts),
    };

    seed = test_seed("base_box", 20240507);
    return cmocka_run_group_tests_name("base_box", tests, NULL, NULL);
}
