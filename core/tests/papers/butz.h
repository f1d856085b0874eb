/* Butz's algorithm as [CXA] 5.4.2 prints it, bit by bit, with each of its slips or without.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_PAPERS_BUTZ_H
#define XTA_TESTS_PAPERS_BUTZ_H

#include <stdint.h>

/* The slips, to be combined. */
enum {
    BUTZ_CORRECTED = 0,
    BUTZ_SHIFT_J_MINUS_1 = 1, /* J counts from 0, and yet J - 1 is what is shifted by */
    BUTZ_RHO_OF_SIGMA = 2,    /* rho_j = sigma_j + sigma_{j-1} */
    BUTZ_TAU_LEFT = 4,        /* tau~ from tau "in the same fashion", to the left */
    BUTZ_KEY_OF_TAU = 8       /* the tau~ are "concatenated together to form the derived key" */
};

/* The position of a cell on the curve of `order` in k axes, k at most 8. */
uint64_t butz_position(int k, int order, const int64_t coord[], unsigned slips);

#endif
