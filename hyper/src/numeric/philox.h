/* Random numbers that are a function of their number ([SALMON11]: Philox4x32-10).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_NUMERIC_PHILOX_H
#define XTA_HYPER_NUMERIC_PHILOX_H

#include <stddef.h>
#include <stdint.h>

void xta__philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);
/* The entries of skewer `k` at n band coordinates of the array, or at 0 to n - 1 if `bands` is
 * NULL: whole numbers, nearly Gaussian, |s| <= 2048. */
void xta__skewer(uint64_t seed, uint64_t k, const int64_t *bands, size_t n, double *entries);
/* A uniform number in [0, 1) with 53 bits for (seed, stream, number). */
double xta__uniform(uint64_t seed, uint64_t stream, uint64_t number);

#endif
