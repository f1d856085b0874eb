/* Copies of cells in a line.
 *
 * Definition: n cells, one after another, from one place to another, each number byte-swapped on
 * big-endian machines and each cell XORed with a mask if there is one. Naive version: cell by cell,
 * byte by byte. Improvement: without a coding it is memcpy; a mask whose length divides a word is
 * replicated over the word; if there is a step between cells, each usual cell length has its own
 * loop, whose copies compilers turn into single loads and stores.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "chunk/cells.h"

#include <string.h>

/* XOR with a mask whose length is a power of two, up to eight bytes, replicated over a word. */
static void xor_words(uint8_t *to, const uint8_t *from, size_t n, const uint8_t *mask,
                      size_t mask_bytes)
{
    uint8_t spread[8];
    uint64_t word, pattern;
    size_t i = 0;

    for (size_t k = 0; k < 8; k++) {
        spread[k] = mask[k % mask_bytes];
    }
    memcpy(&pattern, spread, 8);
    for (; i + 8 <= n; i += 8) {
        memcpy(&word, from + i, 8);
        word ^= pattern;
        memcpy(to + i, &word, 8);
    }
    for (; i < n; i++) {
        to[i] = from[i] ^ spread[i % 8];
    }
}

#define REVERSED_LOOP(type, reversed)                                                            \
    for (size_t i = 0, k = 0; i < n; i += sizeof(type)) {                                        \
        type number, mask = 0;                                                                   \
        memcpy(&number, source + i, sizeof number);                                              \
        if (coding->mask != NULL) {                                                              \
            memcpy(&mask, coding->mask + k, sizeof mask);                                        \
        }                                                                                        \
        number =                                                                                 \
            (type)(coding->storing ? reversed((type)(number ^ mask)) : reversed(number) ^ mask); \
        memcpy(target + i, &number, sizeof number);                                              \
        k = k + sizeof number < coding->cell_bytes ? k + sizeof number : 0;                      \
    }

void xta__copy_reversed(void *to, const void *from, size_t n, const xta__coding *coding)
{
    uint8_t *target = to;
    const uint8_t *source = from;

    switch (coding->unit) {
    case 2:
        REVERSED_LOOP(uint16_t, __builtin_bswap16)
        break;
    case 4:
        REVERSED_LOOP(uint32_t, __builtin_bswap32)
        break;
    default:
        REVERSED_LOOP(uint64_t, __builtin_bswap64)
    }
}

void xta__copy_coded(void *to, const void *from, size_t n, const xta__coding *coding)
{
    uint8_t *target = to;
    const uint8_t *source = from;

    if (XTA__BIG_ENDIAN && coding->unit > 1) {
        xta__copy_reversed(to, from, n, coding);
        return;
    }
    const uint8_t *mask = coding->mask;
    size_t mask_bytes = coding->cell_bytes;
    if (mask_bytes <= 8 && 8 % mask_bytes == 0) {
        xor_words(target, source, n, mask, mask_bytes);
        return;
    }
    for (size_t i = 0; i < n; i += mask_bytes) {
        for (size_t k = 0; k < mask_bytes; k++) {
            target[i + k] = source[i + k] ^ mask[k];
        }
    }
}

void xta__fill_cells(void *to, const void *value, size_t cell_bytes, size_t n)
{
    uint8_t *target = to;
    size_t total = n * cell_bytes;

    if (n == 0) {
        return;
    }
    // Doubling: each memcpy copies what has been written so far.
    memcpy(target, value, cell_bytes);
    for (size_t done = cell_bytes; done < total;) {
        size_t part = done < total - done ? done : total - done;
        memcpy(target + done, target, part);
        done += part;
    }
}

#define STRIDED_LOOP(type)                                           \
    for (size_t i = 0; i < n; i++) {                                 \
        type cell;                                                   \
        memcpy(&cell, from + (ptrdiff_t)i * from_step, sizeof cell); \
        memcpy(to + (ptrdiff_t)i * to_step, &cell, sizeof cell);     \
    }

void xta__copy_strided(uint8_t *to, ptrdiff_t to_step, const uint8_t *from, ptrdiff_t from_step,
                       size_t n, size_t cell_bytes)
{
    typedef struct sixteen {
        uint64_t half[2];
    } sixteen;

    switch (cell_bytes) {
    case 1:
        STRIDED_LOOP(uint8_t)
        break;
    case 2:
        STRIDED_LOOP(uint16_t)
        break;
    case 4:
        STRIDED_LOOP(uint32_t)
        break;
    case 8:
        STRIDED_LOOP(uint64_t)
        break;
    case 16:
        STRIDED_LOOP(sixteen)
        break;
    default:
        for (size_t i = 0; i < n; i++) {
            memcpy(to + (ptrdiff_t)i * to_step, from + (ptrdiff_t)i * from_step, cell_bytes);
        }
    }
}
