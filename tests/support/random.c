/* Random numbers for tests: splitmix64, whose state is one word and for which every seed is good.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

uint64_t test_seed(const char *test, uint64_t fallback)
{
    const char *text = getenv("XTA_SEED");
    uint64_t seed = text != NULL ? strtoull(text, NULL, 0) : fallback;
    printf("%s: seed %" PRIu64 " (XTA_SEED gives another)\n", test, seed);
    fflush(stdout);
    return seed;
}

uint64_t test_scale(uint64_t count)
{
    const char *text = getenv("XTA_SCALE");
    double scaled = text != NULL ? (double)count * strtod(text, NULL) : (double)count;
    return scaled < 1 ? 1 : (uint64_t)scaled;
}

uint64_t test_stride(void)
{
    const char *text = getenv("XTA_SCALE");
    double scale = text != NULL ? strtod(text, NULL) : 1;
    return scale > 0 && scale < 1 ? (uint64_t)(1 / scale + 0.5) : 1;
}

test_random test_random_make(uint64_t seed, uint64_t part)
{
    test_random random = {seed};
    random.state = test_random_u64(&random) + part * UINT64_C(0xd1342543de82ef95);
    return random;
}

uint64_t test_random_u64(test_random *random)
{
    uint64_t z = (random->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

int64_t test_random_in(test_random *random, int64_t lo, int64_t hi)
{
    uint64_t n = (uint64_t)hi - (uint64_t)lo + 1;
    uint64_t r = test_random_u64(random);
    return lo + (int64_t)(n == 0 ? r : r % n);
}

bool test_random_chance(test_random *random, int percent)
{
    return test_random_in(random, 0, 99) < percent;
}
