/* Arrays that grow: how often they are copied, and what remains when memory runs out.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/failing_alloc.h"
#include "util/vector.h"

typedef struct item {
    int64_t number;
    char letters[5];
} item;

static void items_stay_as_the_array_grows(void **state)
{
    item *items = NULL;
    size_t n = 0, capacity = 0, n_grown = 0;

    (void)state;
    for (int64_t k = 0; k < 100000; k++) {
        size_t before = capacity;
        assert_true(XTA__RESERVE(items, capacity, n + 1));
        n_grown += capacity != before;
        assert_true(capacity == before || before == 0 || capacity == 2 * before);
        items[n++] = (item){.number = k, .letters = "abcd"};
    }
    for (int64_t k = 0; k < 100000; k++) {
        assert_int_equal(items[k].number, k);
        assert_string_equal(items[k].letters, "abcd");
    }
    assert_true(n_grown < 20);
    free(items);
}

static void many_at_once(void **state)
{
    double *numbers = NULL;
    size_t capacity = 0;

    (void)state;
    assert_true(XTA__RESERVE(numbers, capacity, 0));
    assert_null(numbers);
    assert_true(XTA__RESERVE(numbers, capacity, 1000));
    assert_int_equal(capacity, 1000);
    numbers[999] = 1.5;
    assert_true(XTA__RESERVE(numbers, capacity, 10));
    assert_int_equal(capacity, 1000);
    assert_true(XTA__RESERVE(numbers, capacity, 1001));
    assert_int_equal(capacity, 2000);
    assert_true(numbers[999] == 1.5);
    free(numbers);
}

static void without_memory_all_stays(void **state)
{
    item *items = NULL;
    size_t capacity = 0;

    (void)state;
    assert_true(XTA__RESERVE(items, capacity, 1));
    items[0].number = 42;
    item *before = items;
    size_t old_capacity = capacity;
    assert_false(XTA__RESERVE(items, capacity, SIZE_MAX));
    assert_false(XTA__RESERVE(items, capacity, SIZE_MAX / sizeof(item) + 1));
    failing_alloc_at(1, true);
    failing_alloc_arm(true);
    assert_false(XTA__RESERVE(items, capacity, capacity + 1));
    failing_alloc_arm(false);
    assert_true(failing_alloc_happened());
    failing_alloc_at(0, false);
    assert_true(items == before);
    assert_int_equal(capacity, old_capacity);
    assert_int_equal(items[0].number, 42);
    free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_stay_as_the_array_grows),
        cmocka_unit_test(many_at_once),
        cmocka_unit_test(without_memory_all_stays),
    };
    return cmocka_run_group_tests_name("util_vector", tests, NULL, NULL);
}
