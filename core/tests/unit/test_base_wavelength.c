/* Units of wavelengths: their size in nanometres, and the unit guessed if none is stated.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <xta/wavelength.h>

static void units(void **state)
{
    static const struct {
        const char *unit;
        double nm;
    } known[] = {{"nm", 1},          {"NM", 1},        {"Nanometers", 1},
                 {"nanometre", 1},   {"um", 1000},     {"Micrometers", 1e3},
                 {"micron", 1e3},    {"\u00b5m", 1e3}, {"\u03bcm", 1000},
                 {"Angstroms", 0.1}, {"mm", 1e6},      {"m", 1e9}};
    static const char *const other[] = {"",     "Unknown", "Index",       "cm-1", "Wavenumber",
                                        "nmol", "nan",     "microns per", NULL};

    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        assert_true(xta_wavelength_nanometres(known[k].unit) == known[k].nm);
    }
    for (size_t k = 0; k < sizeof other / sizeof other[0]; k++) {
        assert_true(xta_wavelength_nanometres(other[k]) == 0);
    }
}

static void guesses(void **state)
{
    const double micro[] = {0.4, 2.5, NAN, 14}, nano[] = {NAN, 380, INFINITY, 99};
    const double last[] = {99.9, 100}, none[] = {NAN, -5, 0, INFINITY};

    (void)state;
    assert_string_equal(xta_wavelength_guess(micro, 4), "um");
    assert_string_equal(xta_wavelength_guess(nano, 4), "nm");
    assert_string_equal(xta_wavelength_guess(last, 1), "um");
    assert_string_equal(xta_wavelength_guess(last, 2), "nm");
    assert_null(xta_wavelength_guess(none, 4));
    assert_null(xta_wavelength_guess(NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(units), cmocka_unit_test(guesses)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
