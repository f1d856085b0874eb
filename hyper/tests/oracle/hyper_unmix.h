/* Abundances by the naive method.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_HYPER_UNMIX_H
#define XTA_TESTS_HYPER_UNMIX_H

#include <stdbool.h>
#include <stddef.h>

enum { ORACLE_UNMIX_MOST = 16 };

/* Least squares of one pixel in all endmembers, with or without the constraint that the sum is one.
 * Exact to far below double precision; false if the equations are singular. */
bool oracle_unmix_free(size_t p, size_t n_bands, const double *endmembers, const double *pixel,
                       bool sum_is_one, double *abundances);

/* Least squares with no abundance below 0: the best of all subsets of endmembers. */
bool oracle_unmix_not_negative(size_t p, size_t n_bands, const double *endmembers,
                               const double *pixel, bool sum_is_one, double *abundances);

#endif
