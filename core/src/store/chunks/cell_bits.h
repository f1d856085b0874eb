/* A private header of store/: one bit for each cell of a chunk.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_CELL_BITS_H
#define XTA_STORE_CHUNKS_CELL_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Set bits begin .. end, at least one. */
static inline void xta__mark_bits(uint8_t *bits, size_t begin, size_t end)
{
    uint8_t first = (uint8_t)(0xffu << begin % 8), last = (uint8_t)(0xffu >> (8 - end % 8));
    uint8_t *from = bits + begin / 8, *to = bits + end / 8;

    if (from == to) {
        *from |= (uint8_t)(first & last);
        return;
    }
    *from++ |= first;
    memset(from, 0xff, (size_t)(to - from));
    if (last != 0) {
        *to |= last;
    }
}

/* The first of the bits at .. n whose value is `set`; n if there is none. */
static inline size_t xta__next_bit(const uint8_t *bits, size_t n, size_t at, bool set)
{
    const uint64_t other = set ? 0 : UINT64_MAX;

    while (at < n && (bits[at / 8] >> at % 8 & 1) != set) {
        at++;
        while (at % 8 == 0 && at + 64 <= n) {
            uint64_t word;
            memcpy(&word, bits + at / 8, sizeof word);
            if (word != other) {
                break;
            }
            at += 64;
        }
        while (at % 8 == 0 && at < n && bits[at / 8] == (uint8_t)other) {
            at += 8;
        }
    }
    return at < n ? at : n;
}

/* How many of the first n bits are set. */
static inline uint64_t xta__count_bits(const uint8_t *bits, size_t n)
{
    uint64_t count = 0;

    for (size_t i = 0; i < n; i++) {
        count += bits[i / 8] >> (i % 8) & 1;
    }
    return count;
}

#endif
