/* Libraries that are loaded while the program runs: found, absent, and of another version.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "util/library.h"

#define C_LIBRARY "libc.so.6"

typedef struct functions {
    size_t (*length)(const char *);
    int (*compare)(const char *, const char *);
} functions;

static const xta__library_function known[] = {{"strlen", offsetof(functions, length)},
                                              {"strcmp", offsetof(functions, compare)}};
static const xta__library_function partly_known[] = {
    {"strlen", offsetof(functions, length)}, {"no_function_of_libc", offsetof(functions, compare)}};

static xta_error err;

static void loaded(void **state)
{
    const xta__library library = {C_LIBRARY, "libc", "does it all", known, 2};
    functions table = {0};

    (void)state;
    for (int k = 0; k < 2; k++) { // The second time it is loaded already.
        memset(&table, 0, sizeof table);
        assert_int_equal(xta__library_load(&library, &table, "a.txt", &err), XTA_OK);
        assert_int_equal(table.length("seven77"), 7);
        assert_true(table.compare("a", "b") < 0);
    }
}

static void absent(void **state)
{
    const xta__library library = {"libxta_absent.so.7", "Absent", "draws maps", known, 2};
    functions table = {0};

    (void)state;
    err = (xta_error){.status = XTA_EIO, .text = "an earlier failure"};
    assert_int_equal(xta__library_load(&library, &table, "a.txt", &err), XTA_EUNSUPPORTED);
    assert_int_equal(err.status, XTA_EUNSUPPORTED);
    static const char begins[] = "a.txt: Absent, which draws maps, cannot be loaded (";
    assert_memory_equal(err.text, begins, sizeof begins - 1);
    assert_non_null(strstr(err.text, "; install libxta_absent.so.7"));
    assert_null(table.length);
    assert_int_equal(xta__library_load(&library, &table, "a.txt", NULL), XTA_EUNSUPPORTED);
}

static void of_another_version(void **state)
{
    const xta__library library = {C_LIBRARY, "libc", "does it all", partly_known, 2};
    functions table = {0};

    (void)state;
    err = (xta_error){0};
    assert_int_equal(xta__library_load(&library, &table, "a.txt", &err), XTA_EUNSUPPORTED);
    assert_string_equal(err.text, "a.txt: " C_LIBRARY
                                  " has no function no_function_of_libc; install the version of "
                                  "libc that XTA was built with");
    assert_null(table.compare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loaded), cmocka_unit_test(absent),
                                       cmocka_unit_test(of_another_version)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
