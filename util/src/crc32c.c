/* CRC-32C, the checksum of every record and header in the files.
 *
 * Definition. The bytes are the coefficients of a polynomial over the field of two elements, least
 * significant bit first. It is multiplied by x^32 and divided by the Castagnoli polynomial, whose
 * coefficients, in the same order, are 0x82F63B78. The remainder is the checksum; before and
 * after, all its bits are inverted, so that leading and trailing zero bytes count.
 *
 * Naive version. Shift the remainder right one bit at a time, and subtract the polynomial
 * wherever a one falls out: eight steps for each byte. It is kept in
 * util/tests/unit/test_util_crc32c.c as the judge.
 *
 * First improvement. Division is linear: the remainder of a byte is the sum of the remainders of
 * its bits, so a table of 256 remainders does eight steps at once. The same holds for a byte that
 * is followed by k others, so eight tables process eight bytes at once, with eight independent
 * look-ups ("slicing").
 *
 * Second improvement. Processors with SSE4.2 have an instruction for eight bytes. Whether it exists
 * is tested at run time, so that one library serves all machines.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "util/crc32c.h"

#include <string.h>

#include "util/bytes.h"
#include "util/compiler.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_SSE42_PATH 1
#include <nmmintrin.h>
#else
#define HAVE_SSE42_PATH 0
#endif

/* An entry is the sum of the remainders of the bits of `i`; b0 ... b7 are these remainders. */
#define ENTRY(i, b0, b1, b2, b3, b4, b5, b6, b7)                                     \
    (((i)&1 ? b0 : 0U) ^ ((i)&2 ? b1 : 0U) ^ ((i)&4 ? b2 : 0U) ^ ((i)&8 ? b3 : 0U) ^ \
     ((i)&16 ? b4 : 0U) ^ ((i)&32 ? b5 : 0U) ^ ((i)&64 ? b6 : 0U) ^ ((i)&128 ? b7 : 0U))
#define ENTRY_4(i, ...)                                                                \
    ENTRY((i), __VA_ARGS__), ENTRY((i) + 1, __VA_ARGS__), ENTRY((i) + 2, __VA_ARGS__), \
        ENTRY((i) + 3, __VA_ARGS__)
#define ENTRY_16(i, ...)                                                                     \
    ENTRY_4((i), __VA_ARGS__), ENTRY_4((i) + 4, __VA_ARGS__), ENTRY_4((i) + 8, __VA_ARGS__), \
        ENTRY_4((i) + 12, __VA_ARGS__)
#define ENTRY_64(i, ...)                                                                          \
    ENTRY_16((i), __VA_ARGS__), ENTRY_16((i) + 16, __VA_ARGS__), ENTRY_16((i) + 32, __VA_ARGS__), \
        ENTRY_16((i) + 48, __VA_ARGS__)
#define SLICE(...)                                                                   \
    ENTRY_64(0, __VA_ARGS__), ENTRY_64(64, __VA_ARGS__), ENTRY_64(128, __VA_ARGS__), \
        ENTRY_64(192, __VA_ARGS__)

/* slices[k][byte]: the remainder of `byte` followed by k zero bytes. Only the remainders of
 * single bits are written down; the compiler adds them up. */
// clang-format off
static const uint32_t slices[8][256] = {
    {SLICE(0xf26b8303U, 0xe13b70f7U, 0xc79a971fU, 0x8ad958cfU,
           0x105ec76fU, 0x20bd8edeU, 0x417b1dbcU, 0x82f63b78U)},
    {SLICE(0x13a29877U, 0x274530eeU, 0x4e8a61dcU, 0x9d14c3b8U,
           0x3fc5f181U, 0x7f8be302U, 0xff17c604U, 0xfbc3faf9U)},
    {SLICE(0xa541927eU, 0x4f6f520dU, 0x9edea41aU, 0x38513ec5U,
           0x70a27d8aU, 0xe144fb14U, 0xc76580d9U, 0x8b277743U)},
    {SLICE(0xdd45aab8U, 0xbf672381U, 0x7b2231f3U, 0xf64463e6U,
           0xe964b13dU, 0xd725148bU, 0xaba65fe7U, 0x52a0c93fU)},
    {SLICE(0x38116facU, 0x7022df58U, 0xe045beb0U, 0xc5670b91U,
           0x8f2261d3U, 0x1ba8b557U, 0x37516aaeU, 0x6ea2d55cU)},
    {SLICE(0xef306b19U, 0xdb8ca0c3U, 0xb2f53777U, 0x6006181fU,
           0xc00c303eU, 0x85f4168dU, 0x0e045bebU, 0x1c08b7d6U)},
    {SLICE(0x68032cc8U, 0xd0065990U, 0xa5e0c5d1U, 0x4e2dfd53U,
           0x9c5bfaa6U, 0x3d5b83bdU, 0x7ab7077aU, 0xf56e0ef4U)},
    {SLICE(0x493c7d27U, 0x9278fa4eU, 0x211d826dU, 0x423b04daU,
           0x847609b4U, 0x0d006599U, 0x1a00cb32U, 0x34019664U)},
};
// clang-format on

uint32_t xta__crc32c_portable(uint32_t crc, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;

    crc = ~crc;
    for (; n >= 8; n -= 8, p += 8) {
        uint32_t low = crc ^ xta__get_u32(p);
        uint32_t high = xta__get_u32(p + 4);
        crc = slices[7][low & 0xff] ^ slices[6][low >> 8 & 0xff] ^ slices[5][low >> 16 & 0xff] ^
              slices[4][low >> 24] ^ slices[3][high & 0xff] ^ slices[2][high >> 8 & 0xff] ^
              slices[1][high >> 16 & 0xff] ^ slices[0][high >> 24];
    }
    for (; n > 0; n--, p++) {
        crc = crc >> 8 ^ slices[0][(crc ^ *p) & 0xff];
    }
    return ~crc;
}

#if HAVE_SSE42_PATH
__attribute__((target("sse4.2"))) XTA__HOT static uint32_t crc32c_sse42(uint32_t crc,
                                                                        const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    uint64_t wide = ~crc;

    for (; n >= 8; n -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, sizeof word);
        wide = _mm_crc32_u64(wide, word);
    }
    crc = (uint32_t)wide;
    if (n >= 4) {
        uint32_t word;
        memcpy(&word, p, sizeof word);
        crc = _mm_crc32_u32(crc, word);
        n -= 4;
        p += 4;
    }
    for (; n > 0; n--, p++) {
        crc = _mm_crc32_u8(crc, *p);
    }
    return ~crc;
}
#endif

XTA__HOT uint32_t xta__crc32c(uint32_t crc, const void *bytes, size_t n)
{
#if HAVE_SSE42_PATH
    // The compiler's run-time support queried the processor once, at start; this reads one word.
    if (__builtin_cpu_supports("sse4.2")) {
        return crc32c_sse42(crc, bytes, n);
    }
#endif
    return xta__crc32c_portable(crc, bytes, n);
}
