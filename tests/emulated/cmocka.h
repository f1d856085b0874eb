/* The part of cmocka that the tests of the core use, for emulated machines: Debian has their
 * compiler and libc for this machine, but not their cmocka. The first check that fails ends the
 * program.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_EMULATED_CMOCKA_H
#define XTA_TESTS_EMULATED_CMOCKA_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
    int (*setup)(void **state);
    int (*teardown)(void **state);
};

#define cmocka_unit_test(f) \
    {                       \
#f, f, NULL, NULL   \
    }
#define cmocka_unit_test_setup_teardown(f, s, t) \
    {                                            \
#f, f, s, t                              \
    }
#define cmocka_unit_test_setup(f, s)    cmocka_unit_test_setup_teardown(f, s, NULL)
#define cmocka_unit_test_teardown(f, t) cmocka_unit_test_setup_teardown(f, NULL, t)

static inline void emulated_check(int good, const char *what, const char *file, int line)
{
    if (!good) {
        fprintf(stderr, "%s:%d: %s\n", file, line, what);
        exit(1);
    }
}

#define assert_true(c)     emulated_check((c) ? 1 : 0, #c, __FILE__, __LINE__)
#define assert_false(c)    emulated_check(!(c), "not " #c, __FILE__, __LINE__)
#define assert_null(p)     emulated_check((p) == NULL, #p " is NULL", __FILE__, __LINE__)
#define assert_non_null(p) emulated_check((p) != NULL, #p " is not NULL", __FILE__, __LINE__)
#define assert_ptr_equal(a, b) \
    emulated_check((const void *)(a) == (const void *)(b), #a " == " #b, __FILE__, __LINE__)
#define assert_int_equal(a, b) \
    emulated_check((uintmax_t)(a) == (uintmax_t)(b), #a " == " #b, __FILE__, __LINE__)
#define assert_int_not_equal(a, b) \
    emulated_check((uintmax_t)(a) != (uintmax_t)(b), #a " != " #b, __FILE__, __LINE__)
#define assert_in_range(v, lo, hi)                                                             \
    emulated_check((uintmax_t)(v) >= (uintmax_t)(lo) && (uintmax_t)(v) <= (uintmax_t)(hi), #v, \
                   __FILE__, __LINE__)
#define assert_string_equal(a, b) \
    emulated_check(strcmp(a, b) == 0, #a " is " #b, __FILE__, __LINE__)
#define assert_memory_equal(a, b, n) \
    emulated_check(memcmp(a, b, n) == 0, #a " holds " #b, __FILE__, __LINE__)
#define assert_memory_not_equal(a, b, n) \
    emulated_check(memcmp(a, b, n) != 0, #a " does not hold " #b, __FILE__, __LINE__)
#define test_malloc      malloc
#define test_free        free
#define print_message    printf
#define print_error(...) fprintf(stderr, __VA_ARGS__)
#define fail_msg(...)                                      \
    do {                                                   \
        fprintf(stderr, __VA_ARGS__);                      \
        emulated_check(0, "fail_msg", __FILE__, __LINE__); \
    } while (0)

static inline int emulated_run(const struct CMUnitTest tests[], size_t n, int (*setup)(void **),
                               int (*teardown)(void **))
{
    void *group = NULL;

    emulated_check(setup == NULL || setup(&group) == 0, "the group's setup", __FILE__, __LINE__);
    for (size_t k = 0; k < n; k++) {
        void *state = group;
        printf("%s\n", tests[k].name);
        fflush(stdout);
        emulated_check(tests[k].setup == NULL || tests[k].setup(&state) == 0, "setup", __FILE__,
                       __LINE__);
        tests[k].test(&state);
        emulated_check(tests[k].teardown == NULL || tests[k].teardown(&state) == 0, "teardown",
                       __FILE__, __LINE__);
    }
    emulated_check(teardown == NULL || teardown(&group) == 0, "the group's teardown", __FILE__,
                   __LINE__);
    return 0;
}

#define cmocka_run_group_tests(tests, setup, teardown) \
    emulated_run(tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown) \
    cmocka_run_group_tests(tests, setup, teardown)

#endif
