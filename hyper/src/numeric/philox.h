/* Random numbers that are a function of their number ([SALMON11]: Philox4x32-10).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_NUMERIC_PHILOX_H
#define XTA_HYPER_NUMERIC_PHILOX_H

#include <stdint.h>

void xta__philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);
/* Entry of skewer `k` at array band coordinate `band`: a whole number, near Gaussian, |s| <=
 * 2048. */
int32_t xta__skewer(uint64_t seed, uint64_t k, int64_t band);
/* A uniform number in [0, 1) with 53 bits for (seed, stream, number). */
double xta__uniform(uint64_t seed, uint64_t stream, uint64_t number);

#endif
