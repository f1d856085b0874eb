/* The bitmaps beside the windows.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "chunk/windows.h"

#include <stdlib.h>

/* A window of more slots has no bitmap: the number comes from a file, and a sparse one can claim
 * any. */
#define MOST_SLOTS ((uint64_t)1 << 28)

static _Atomic(uint8_t) *bits_of_window(xta__windows *windows, unsigned k, bool make)
{
    _Atomic(uint8_t) *bits = atomic_load_explicit(&windows->bits[k], memory_order_acquire);

    if (bits != NULL || !make || xta__window_slots(windows, k) > MOST_SLOTS) {
        return bits;
    }
    _Atomic(uint8_t) *fresh = xta__calloc((size_t)(xta__window_slots(windows, k) / 8 + 1), 1);
    if (fresh == NULL) {
        return NULL;
    }
    // Two threads may come here at once; the first one wins.
    if (!atomic_compare_exchange_strong(&windows->bits[k], &bits, fresh)) {
        free(fresh);
        return bits;
    }
    return fresh;
}

void xta__window_set_bits(xta__windows *windows, uint64_t address, uint64_t n, bool value)
{
    while (n > 0) {
        unsigned k = xta__window_of(windows, address);
        uint64_t at = address - xta__window_first(windows, k);
        uint64_t left = xta__window_slots(windows, k) - at;
        uint64_t part = n < left ? n : left;
        _Atomic(uint8_t) *bits = bits_of_window(windows, k, value);

        for (uint64_t i = at; bits != NULL && i < at + part; i++) {
            uint8_t bit = (uint8_t)(1u << (i % 8));
            if (value) {
                atomic_fetch_or_explicit(&bits[i / 8], bit, memory_order_relaxed);
            } else {
                atomic_fetch_and_explicit(&bits[i / 8], (uint8_t)~bit, memory_order_relaxed);
            }
        }
        address += part;
        n -= part;
    }
}

void xta__windows_clear(xta__windows *windows)
{
    for (unsigned k = 0; k < XTA__MAX_WINDOWS; k++) {
        free(atomic_load_explicit(&windows->bits[k], memory_order_relaxed));
        atomic_store_explicit(&windows->bits[k], NULL, memory_order_relaxed);
    }
}
