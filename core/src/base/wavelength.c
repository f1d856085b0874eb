/* Units of wavelengths.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/wavelength.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* If the largest wavelength is below this, all are in micrometres. */
#define LARGEST_MICROMETRE 100

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Whether `text` begins with `word`, or equals it, ignoring case. */
static bool matches(const char *text, const char *word, bool whole)
{
    size_t k = 0;

    while (word[k] != '\0' && lower(text[k]) == word[k]) {
        k++;
    }
    return word[k] == '\0' && (!whole || text[k] == '\0');
}

double xta_wavelength_nanometres(const char *unit)
{
    static const struct {
        const char *word;
        bool whole;
        double nm;
    } units[] = {{"nm", true, 1},           {"nanomet", false, 1},     {"um", true, 1000},
                 {"\302\265m", true, 1000}, {"\316\274m", true, 1000}, {"micromet", false, 1000},
                 {"micron", true, 1000},    {"microns", true, 1000},   {"angstrom", true, 0.1},
                 {"angstroms", true, 0.1},  {"mm", true, 1e6},         {"m", true, 1e9}};

    for (size_t k = 0; unit != NULL && k < sizeof units / sizeof units[0]; k++) {
        if (matches(unit, units[k].word, units[k].whole)) {
            return units[k].nm;
        }
    }
    return 0;
}

const char *xta_wavelength_guess(const double *wavelengths, size_t n)
{
    double largest = 0;

    for (size_t k = 0; k < n; k++) {
        if (isfinite(wavelengths[k]) && wavelengths[k] > largest) {
            largest = wavelengths[k];
        }
    }
    return largest <= 0 ? NULL : largest < LARGEST_MICROMETRE ? "um" : "nm";
}
