/* MEI by definition.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_HYPER_AMEE_H
#define XTA_TESTS_HYPER_AMEE_H

#include <stddef.h>

/* A cube n_lines x n_samples x n_bands and which of its pixels are valid. */
typedef struct oracle_cube {
    size_t n_lines, n_samples, n_bands;
    const double *cells;
    const unsigned char *valid;
} oracle_cube;

/* MEI of every pixel; NaN for those that are invalid or zero. With `last` above `radius` the window
 * grows from one to the other and nothing is replaced, else there are `iterations`. */
void oracle_amee(const oracle_cube *cube, int radius, int iterations, int last, double *mei);

#endif
