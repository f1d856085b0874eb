/* Projections of 16-bit numbers in 32 bits.
 *
 * Definition: for each pixel and skewer, the sum over all bands of their products. The naive loop
 * takes one product at a time.
 *
 * Here two bands are taken at a time, as processors multiply pairs of 16-bit numbers and add each
 * pair in one instruction; and four pixels and 64 skewers at a time, whose sums stay in registers
 * during the loop over the bands. That is some ten times as fast as doubles. The caller makes sure
 * that no sum exceeds 32 bits, so the result is exact, and the same as that of any other method.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/ppi/integer_projection.h"

#include <string.h>

#include "numeric/reproducible_dot.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define WHOLE_X86 1
#else
#define WHOLE_X86 0
#endif

static void project_plain(const int16_t *pixels, size_t n_rows, size_t n_pairs,
                          const int16_t *group, int32_t *projections, size_t stride, int32_t *high,
                          int32_t *low)
{
    for (size_t row = 0; row < n_rows; row++) {
        const int16_t *x = pixels + row * 2 * n_pairs;
        int32_t sum[WHOLE_GROUP] = {0};
        for (size_t k = 0; k < n_pairs; k++) {
            const int16_t *s = group + k * 2 * WHOLE_GROUP;
            for (size_t l = 0; l < WHOLE_GROUP; l++) {
                sum[l] += x[2 * k] * s[2 * l] + x[2 * k + 1] * s[2 * l + 1];
            }
        }
        memcpy(projections + row * stride, sum, sizeof sum);
        for (size_t l = 0; l < WHOLE_GROUP; l++) {
            high[l] = sum[l] > high[l] ? sum[l] : high[l];
            low[l] = sum[l] < low[l] ? sum[l] : low[l];
        }
    }
}

#if WHOLE_X86

static inline int32_t pair_of(const int16_t *x)
{
    int32_t pair;

    memcpy(&pair, x, sizeof pair);
    return pair;
}

/* The body for one width of registers: a register has LANES32 numbers, and REGISTERS of them hold
 * the skewers of a group. MADD adds products of pairs to a sum. */
#define WHOLE_BODY(VECTOR, LANES32, REGISTERS, ZERO, LOAD, STORE, SET, MADD, MAX, MIN)          \
    for (size_t partial = 0; partial < WHOLE_GROUP; partial += (LANES32) * (REGISTERS)) {       \
        VECTOR top[REGISTERS], bottom[REGISTERS];                                               \
        for (size_t v = 0; v < (REGISTERS); v++) {                                              \
            top[v] = LOAD((const void *)(high + partial + v * (LANES32)));                      \
            bottom[v] = LOAD((const void *)(low + partial + v * (LANES32)));                    \
        }                                                                                       \
        for (size_t row = 0; row < n_rows; row += WHOLE_ROWS) {                                 \
            const int16_t *x = pixels + row * 2 * n_pairs;                                      \
            VECTOR sum[WHOLE_ROWS][REGISTERS];                                                  \
            for (size_t r = 0; r < WHOLE_ROWS; r++) {                                           \
                for (size_t v = 0; v < (REGISTERS); v++) {                                      \
                    sum[r][v] = ZERO();                                                         \
                }                                                                               \
            }                                                                                   \
            for (size_t k = 0; k < n_pairs; k++) {                                              \
                const int16_t *s = group + (k * WHOLE_GROUP + partial) * 2;                     \
                for (size_t r = 0; r < WHOLE_ROWS; r++) {                                       \
                    VECTOR pair = SET(pair_of(x + (r * n_pairs + k) * 2));                      \
                    for (size_t v = 0; v < (REGISTERS); v++) {                                  \
                        sum[r][v] =                                                             \
                            MADD(sum[r][v], pair, LOAD((const void *)(s + v * 2 * (LANES32)))); \
                    }                                                                           \
                }                                                                               \
            }                                                                                   \
            for (size_t r = 0; r < WHOLE_ROWS; r++) {                                           \
                for (size_t v = 0; v < (REGISTERS); v++) {                                      \
                    STORE((void *)(projections + (row + r) * stride + partial + v * (LANES32)), \
                          sum[r][v]);                                                           \
                    top[v] = MAX(top[v], sum[r][v]);                                            \
                    bottom[v] = MIN(bottom[v], sum[r][v]);                                      \
                }                                                                               \
            }                                                                                   \
        }                                                                                       \
        for (size_t v = 0; v < (REGISTERS); v++) {                                              \
            STORE((void *)(high + partial + v * (LANES32)), top[v]);                            \
            STORE((void *)(low + partial + v * (LANES32)), bottom[v]);                          \
        }                                                                                       \
    }

#define MADD_256(sum, a, b) _mm256_add_epi32(sum, _mm256_madd_epi16(a, b))

__attribute__((target("avx2"))) static void with_avx2(const int16_t *pixels, size_t n_rows,
                                                      size_t n_pairs, const int16_t *group,
                                                      int32_t *projections, size_t stride,
                                                      int32_t *high, int32_t *low)
{
    WHOLE_BODY(__m256i, 8, 2, _mm256_setzero_si256, _mm256_loadu_si256, _mm256_storeu_si256,
               _mm256_set1_epi32, MADD_256, _mm256_max_epi32, _mm256_min_epi32)
}

__attribute__((target("avx512f,avx512bw,avx512vnni"))) static void
with_vnni(const int16_t *pixels, size_t n_rows, size_t n_pairs, const int16_t *group,
          int32_t *projections, size_t stride, int32_t *high, int32_t *low){
    WHOLE_BODY(__m512i, 16, 4, _mm512_setzero_si512, _mm512_loadu_si512, _mm512_storeu_si512,
               _mm512_set1_epi32, _mm512_dpwssd_epi32, _mm512_max_epi32, _mm512_min_epi32)}

#endif

whole_project *xta__whole_project(size_t which)
{
#if WHOLE_X86
    if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") &&
        which-- == 0) {
        return with_vnni;
    }
    if (__builtin_cpu_supports("avx2") && which-- == 0) {
        return with_avx2;
    }
#endif
    return which == 0 ? project_plain : NULL;
}
