/* Growth at the limits of integers and with a small stack.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <xta/array.h>

enum {
    STACK_BYTES = 1 << 20,
    PAINT = 0xa5,
    /* Sanitizers put space around every variable. */
    MOST_STACK_BYTES = 32 << 10
};

static xta_array *make(int ndim)
{
    xta_array *array = NULL;
    xta_error err;

    assert_int_equal(xta_array_new(XTA_I64, ndim, (const int64_t[]){4, 4}, NULL, &array, &err),
                     XTA_OK);
    return array;
}

static void growth_beyond_the_coordinates(void **state)
{
    const int64_t by[] = {INT64_MAX, INT64_MAX - 1, (int64_t)1 << 62, ((int64_t)1 << 62) - 1};
    int64_t cell = 1;
    xta_error err;
    (void)state;

    for (int k = 0; k < 4; k++) {
        for (xta_side side = XTA_BACK; side <= XTA_FRONT; side++) {
            xta_array *array = make(1);
            const xta_growth growth = {0, side, by[k]};
            xta_status expected = by[k] >= (int64_t)1 << 62 || side == XTA_BACK ? XTA_EOVERFLOW : 0;
            xta_box before = xta_array_bounds(array);
            for (int step = 0; step < 2; step++) {
                xta_status status = step == 0
                                        ? xta_array_append(array, &growth, NULL, &cell, NULL, &err)
                                        : xta_array_extend(array, &growth, 1, NULL, &err);
                assert_int_not_equal(status, XTA_OK);
                assert_true(expected == 0 || status == expected);
                xta_box after = xta_array_bounds(array);
                assert_true(xta_box_equal(&before, &after));
            }
            assert_int_equal(xta_array_shrink(array, &growth, 1, NULL, &err), XTA_EBOX);
            assert_int_equal(xta_array_close(array, &err), XTA_OK);
        }
    }
}

static void *grow(void *user)
{
    xta_array *array = user;
    const int64_t cells[4] = {1, 2, 3, 4};
    const xta_growth growth = {0, XTA_BACK, 1};
    intptr_t n_failed = 0;

    n_failed += xta_array_append(array, &growth, NULL, cells, NULL, NULL) != XTA_OK;
    n_failed += xta_array_extend(array, &growth, 1, NULL, NULL) != XTA_OK;
    n_failed += xta_array_shrink(array, &growth, 1, NULL, NULL) != XTA_OK;
    return (void *)n_failed;
}

static void a_step_needs_little_stack(void **state)
{
    uint8_t *stack = NULL;
    pthread_attr_t attributes;
    pthread_t thread;
    void *n_failed = NULL;
    size_t untouched = 0;
    (void)state;

    xta_array *array = make(2);
    assert_int_equal(posix_memalign((void **)&stack, 4096, STACK_BYTES), 0);
    memset(stack, PAINT, STACK_BYTES);
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK_BYTES), 0);
    assert_int_equal(pthread_create(&thread, &attributes, grow, array), 0);
    pthread_join(thread, &n_failed);
    assert_null(n_failed);
    while (stack[untouched] == PAINT) {
        untouched++;
    }
    print_message("%zu bytes of stack\n", (size_t)STACK_BYTES - untouched);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    assert_true((size_t)STACK_BYTES - untouched < MOST_STACK_BYTES);
#endif
    pthread_attr_destroy(&attributes);
    free(stack);
    xta_error err;
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(growth_beyond_the_coordinates),
        cmocka_unit_test(a_step_needs_little_stack),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
