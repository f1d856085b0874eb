/* Philox4x32-10 ([SALMON11]): random numbers that are a function of a counter and a key.
 *
 * A generator with a state gives number n only after n - 1 others, so what a pixel gets depends on
 * the calls before. Here the counter is the number of the skewer or of the draw: it does not matter
 * which process, thread or run asks for skewer 17, and skewers do not change when bands are left
 * out.
 *
 * Ten rounds of two 32-bit products, each round with a key increased by a constant; the known
 * answers of the paper are a unit test.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "numeric/philox.h"

#include <string.h>

#include "util/clones.h"

enum {
    ROUNDS = 10,
    LANES = 32,                // gcc unrolls shorter loops completely and does not vectorise them
    SKEWER_STREAM = 0x736b6577 // "skew": skewers and uniform numbers never share a counter
};

#define KEY_STEP_0 UINT32_C(0x9E3779B9)
#define KEY_STEP_1 UINT32_C(0xBB67AE85)

static inline void multiply(uint32_t a, uint32_t b, uint32_t *high, uint32_t *low)
{
    uint64_t product = (uint64_t)a * b;

    *high = (uint32_t)(product >> 32);
    *low = (uint32_t)product;
}

static inline void mix(uint32_t c[4], uint32_t k0, uint32_t k1)
{
    uint32_t high0, low0, high1, low1;

    multiply(UINT32_C(0xD2511F53), c[0], &high0, &low0);
    multiply(UINT32_C(0xCD9E8D57), c[2], &high1, &low1);
    c[0] = high1 ^ c[1] ^ k0;
    c[1] = low1;
    c[2] = high0 ^ c[3] ^ k1;
    c[3] = low0;
}

void xta__philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]};
    uint32_t k0 = key[0], k1 = key[1];

    for (int round = 0; round < ROUNDS; round++) {
        mix(c, k0, k1);
        k0 += KEY_STEP_0;
        k1 += KEY_STEP_1;
    }
    for (int i = 0; i < 4; i++) {
        out[i] = c[i];
    }
}

static void random_words(uint64_t seed, const uint32_t counter[4], uint32_t out[4])
{
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};

    xta__philox(counter, key, out);
}

/* The sum of eight uniform numbers of 16 bits is nearly Gaussian; floor(sum / 128) has a sigma of
 * 418. */
static inline int32_t near_gaussian(const uint32_t words[4])
{
    int32_t sum = -4 * 65535;

    for (int i = 0; i < 4; i++) {
        sum += (int32_t)(words[i] & 0xffff) + (int32_t)(words[i] >> 16);
    }
    return sum / 128 - (sum % 128 < 0);
}

/* The entries at LANES bands. The rounds are the outer loop, so that each one is a few instructions
 * on vectors with a lane for each band. */
static inline void skewer_lanes(uint64_t seed, uint64_t k, const uint32_t bands[LANES],
                                double entries[LANES])
{
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    uint32_t c0[LANES], c1[LANES], c2[LANES], c3[LANES];

    for (int l = 0; l < LANES; l++) {
        c0[l] = (uint32_t)k;
        c1[l] = (uint32_t)(k >> 32);
        c2[l] = bands[l];
        c3[l] = SKEWER_STREAM;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int l = 0; l < LANES; l++) {
            uint32_t c[4] = {c0[l], c1[l], c2[l], c3[l]};
            mix(c, k0, k1);
            c0[l] = c[0];
            c1[l] = c[1];
            c2[l] = c[2];
            c3[l] = c[3];
        }
        k0 += KEY_STEP_0;
        k1 += KEY_STEP_1;
    }
    for (int l = 0; l < LANES; l++) {
        const uint32_t words[4] = {c0[l], c1[l], c2[l], c3[l]};
        entries[l] = near_gaussian(words);
    }
}

XTA__CLONES void xta__skewer(uint64_t seed, uint64_t k, const int64_t *bands, size_t n,
                             double *entries)
{
    uint32_t block[LANES] = {0};
    double found[LANES];

    for (size_t d = 0; d < n; d += LANES) {
        size_t m = n - d < LANES ? n - d : LANES;
        for (size_t l = 0; l < m; l++) {
            block[l] = (uint32_t)(bands == NULL ? d + l : (uint64_t)bands[d + l]);
        }
        skewer_lanes(seed, k, block, found);
        memcpy(entries + d, found, m * sizeof *entries);
    }
}

double xta__uniform(uint64_t seed, uint64_t stream, uint64_t number)
{
    const uint32_t counter[4] = {(uint32_t)number, (uint32_t)(number >> 32), (uint32_t)stream,
                                 (uint32_t)(stream >> 32)};
    uint32_t words[4];

    random_words(seed, counter, words);
    uint64_t bits = (uint64_t)words[0] << 32 | words[1];
    return (double)(bits >> 11) * 0x1p-53;
}
