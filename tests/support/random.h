/* Random numbers for tests: reproducible from one seed, which is printed and can be given again.
 *
 * XTA_SEED=n runs a test again with the seed that a failure printed; XTA_SCALE=f multiplies the
 * number of histories or steps (0.01 for a quick run, 10 for a night); XTA_PART=n runs only part n,
 * as a failure names it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_RANDOM_H
#define XTA_TESTS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct test_random {
    uint64_t state;
} test_random;

/* The seed of this run: XTA_SEED or, without it, `fallback`. Printed with the name of the test. */
uint64_t test_seed(const char *test, uint64_t fallback);

/* `count` times XTA_SCALE, at least 1. */
uint64_t test_scale(uint64_t count);

/* The spacing with which a test that tries 1, 2, 3, ... runs through them: 1 / XTA_SCALE, at least
 * 1. So 0.2 tries each fifth. */
uint64_t test_stride(void);

/* A separate generator for part `part` of a run, so that one part can be run again alone. */
test_random test_random_make(uint64_t seed, uint64_t part);

uint64_t test_random_u64(test_random *random);

/* Uniform in [lo, hi], both included. */
int64_t test_random_in(test_random *random, int64_t lo, int64_t hi);

/* True with a probability of `percent` in a hundred. */
bool test_random_chance(test_random *random, int percent);

#endif
