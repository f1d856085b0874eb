/* The choice of a method, one line for each case: a change of a limit is a change of this table.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chunk/write_method.h"

static void test_choices(void **state)
{
    static const struct {
        xta__method_ask ask;
        xta__method want;
    } cases[] = {
        // No calls for rows: a cache, or memory.
        {{.n_rows = 1, .row_bytes = 8}, XTA__BY_CACHE},
        {{.whole = true, .n_rows = 1, .row_bytes = 1 << 20}, XTA__BY_CACHE},
        // Whole chunks and long rows.
        {{.whole = true, .n_rows = 4096, .row_bytes = 512, .facts = {.rows = true}},
         XTA__BY_STREAM},
        {{.n_rows = 1000, .row_bytes = 4096, .facts = {.rows = true}}, XTA__BY_ROWS},
        // Whole chunks over large pages, and conditions that matter for partly covered chunks only.
        {{.whole = true,
          .n_rows = 4096,
          .row_bytes = 512,
          .facts = {.rows = true, .settled = true}},
         XTA__IN_PLACE},
        {{.whole = true, .n_rows = 1, .row_bytes = 2 << 20, .facts = {.rows = true, .ready = true}},
         XTA__BY_STREAM},
        {{.whole = true, .n_rows = 1, .row_bytes = 8, .facts = {.settled = true}}, XTA__BY_CACHE},
        {{.n_rows = 1, .row_bytes = 8, .facts = {.rows = true, .settled = true}}, XTA__BY_ROWS},
        // Prepared already.
        {{.n_rows = 1, .row_bytes = 8, .facts = {.rows = true, .ready = true}}, XTA__IN_PLACE},
        {{.n_rows = 9999, .row_bytes = 8, .facts = {.rows = true, .ready = true}}, XTA__IN_PLACE},
        {{.n_rows = 1, .row_bytes = 4096, .facts = {.rows = true, .ready = true}}, XTA__IN_PLACE},
        // Few rows: by calls, until pages are written repeatedly.
        {{.n_rows = 1, .row_bytes = 8, .facts = {.rows = true}}, XTA__BY_ROWS},
        {{.n_rows = 1, .row_bytes = 8, .facts = {.rows = true, .operations = 2, .again = 1}},
         XTA__BY_ROWS},
        {{.n_rows = 1, .row_bytes = 8, .facts = {.rows = true, .operations = 12, .again = 2}},
         XTA__BY_ROWS},
        {{.n_rows = 16, .row_bytes = 32, .facts = {.rows = true, .operations = 191, .again = 46}},
         XTA__BY_ROWS},
        {{.n_rows = 1, .row_bytes = 8, .facts = {.rows = true, .operations = 11, .again = 2}},
         XTA__IN_PLACE},
        {{.n_rows = 1, .row_bytes = 8, .facts = {.rows = true, .operations = 192}},
         XTA__IN_PLACE_RESERVED},
        // More rows, enough to justify 2 MiB of disk space.
        {{.n_rows = 17, .row_bytes = 8, .facts = {.rows = true}}, XTA__IN_PLACE},
        {{.n_rows = 64, .row_bytes = 8, .facts = {.rows = true}}, XTA__IN_PLACE},
        {{.n_rows = 65, .row_bytes = 8, .facts = {.rows = true}}, XTA__IN_PLACE_RESERVED},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        xta__method method = xta__choose_method(&cases[k].ask);
        if (method != cases[k].want) {
            fail_msg("case %zu: %s, not %s", k, xta__method_name(method),
                     xta__method_name(cases[k].want));
        }
    }
    assert_string_equal(xta__method_name((xta__method)99), "?");
}

/* Rows of a chunk made by an append: the next ones will be stores, if a unit has only one chunk. */
static void test_fresh(void **state)
{
    xta__method_ask ask = {.fresh = true, .n_rows = 1, .row_bytes = 4096, .facts = {.rows = true}};

    (void)state;
    ask.slot_bytes = 2 << 20;
    assert_int_equal(xta__choose_method(&ask), XTA__IN_PLACE_RESERVED);
    ask.slot_bytes = 1 << 20;
    assert_int_equal(xta__choose_method(&ask), XTA__BY_ROWS);
    ask.slot_bytes = 4 << 20;
    ask.row_bytes = 4088;
    assert_int_equal(xta__choose_method(&ask), XTA__BY_ROWS);
}

static void test_small_pages(void **state)
{
    xta__method_ask ask = {.n_rows = 64};

    (void)state;
    assert_true(xta__calls_cost_less(&ask, 64));
    assert_true(xta__calls_cost_less(&ask, 32));
    assert_false(xta__calls_cost_less(&ask, 31));
    // Cells that are written repeatedly justify the page faults.
    ask.facts.again = 1;
    assert_false(xta__calls_cost_less(&ask, 64));
    ask.facts = (xta__range_facts){.operations = 191};
    assert_true(xta__calls_cost_less(&ask, 64));
    ask.facts.operations = 192;
    assert_false(xta__calls_cost_less(&ask, 64));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_choices), cmocka_unit_test(test_fresh),
                                       cmocka_unit_test(test_small_pages)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
