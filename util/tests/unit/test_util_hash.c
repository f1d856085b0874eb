/* FNV-1a against published values, which saved states of hyper/ hold too.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util/hash.h"

static void known_answers(void **state)
{
    (void)state;
    assert_true(xta__hash_bytes(XTA__HASH_OF_NOTHING, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(xta__hash_bytes(XTA__HASH_OF_NOTHING, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    uint64_t foo = xta__hash_bytes(XTA__HASH_OF_NOTHING, "foo", 3);
    assert_true(xta__hash_bytes(foo, "bar", 3) == UINT64_C(0x85944171f73967e8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_answers)};

    return cmocka_run_group_tests_name("util_hash", tests, NULL, NULL);
}
