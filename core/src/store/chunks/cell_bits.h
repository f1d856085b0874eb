/* A private header of store/: one bit for each cell of a chunk.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_CELL_BITS_H
#define XTA_STORE_CHUNKS_CELL_BITS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "store/chunks/chunk_store.h"

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

/* Set the bits of the cells that runs of bytes touch. Strides are multiples of a cell, so there is
 * one division for each axis instead of one for each run. */
static inline void xta__mark_runs(uint8_t *bits, size_t cell_bytes, const xta__byte_runs *changed)
{
    size_t stride[XTA_MAX_NDIM], index[XTA_MAX_NDIM];
    size_t at = changed->offset / cell_bytes;
    size_t n = (changed->bytes + cell_bytes - 1) / cell_bytes;
    xta__byte_runs runs = {.ndim = changed->ndim, .count = changed->count, .stride = stride};

    for (int k = 0; k < runs.ndim; k++) {
        assert(changed->stride[k] % cell_bytes == 0);
        stride[k] = changed->stride[k] / cell_bytes;
        index[k] = 0;
    }
    do {
        if (n == 1) {
            bits[at / 8] |= (uint8_t)(1u << at % 8);
        } else {
            xta__mark_bits(bits, at, at + n);
        }
    } while (xta__next_run(&runs, index, &at));
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
