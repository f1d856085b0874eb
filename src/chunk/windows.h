/* A room of chunk/: a place in memory for each address, that never moves.
 *
 * Window k holds the slots from (2^k - 1) w to (2^(k+1) - 1) w, where w is a power of two. So
 * windows are taken one by one as the array grows, none is ever copied, and the window of an
 * address is the number of its leading zeros: a pointer costs a shift, a subtraction and a load,
 * and takes no lock.
 *
 * What stands behind a window is the holder's affair: memory, or a mapping of the file. Beside each
 * window lies a bitmap, one bit for each slot, that a holder may use (the mapped file marks the
 * slots that are known to have disk space).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CHUNK_WINDOWS_H
#define XTA_CHUNK_WINDOWS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

#define XTA__MAX_WINDOWS 64

typedef struct xta__windows {
    uint64_t slot_bytes;
    unsigned shift; /* log2 of the slots in window 0 */
    _Atomic(uintptr_t)
        origin[XTA__MAX_WINDOWS]; /* base, moved to where address 0 would lie; 0: not open */
    _Atomic(uint8_t *) base[XTA__MAX_WINDOWS];
    _Atomic(_Atomic(uint8_t) *) bits[XTA__MAX_WINDOWS];
} xta__windows;

static inline unsigned xta__window_of(const xta__windows *windows, uint64_t address)
{
    return 63u ^ (unsigned)__builtin_clzll((address >> windows->shift) + 1);
}

static inline uint64_t xta__window_first(const xta__windows *windows, unsigned k)
{
    return (((uint64_t)1 << k) - 1) << windows->shift;
}

static inline uint64_t xta__window_slots(const xta__windows *windows, unsigned k)
{
    return ((uint64_t)1 << k) << windows->shift;
}

/* Where byte `offset` of the slot lies; false if its window has not been opened. */
static inline bool xta__window_cell(const xta__windows *windows, uint64_t address, uint64_t offset,
                                    uint8_t **cell)
{
    unsigned k = xta__window_of(windows, address);
    uintptr_t origin = atomic_load_explicit(&windows->origin[k], memory_order_acquire);

    *cell = (uint8_t *)(origin + address * windows->slot_bytes + offset);
    return origin != 0;
}

/* Where the slot lies, or NULL. */
static inline uint8_t *xta__window_slot(const xta__windows *windows, uint64_t address)
{
    uint8_t *slot;

    return xta__window_cell(windows, address, 0, &slot) ? slot : NULL;
}

/* The window's memory is there. */
static inline void xta__window_open(xta__windows *windows, unsigned k, uint8_t *base)
{
    uintptr_t before = (uintptr_t)(xta__window_first(windows, k) * windows->slot_bytes);

    atomic_store_explicit(&windows->base[k], base, memory_order_release);
    // Integers, because this place need not be within any object; slots are reached from it modulo
    // 2^64.
    atomic_store_explicit(&windows->origin[k], (uintptr_t)base - before, memory_order_release);
}

/* Whether the bit of a slot is set. */
static inline bool xta__window_bit(const xta__windows *windows, uint64_t address)
{
    unsigned k = xta__window_of(windows, address);
    _Atomic(uint8_t) *bits = atomic_load_explicit(&windows->bits[k], memory_order_acquire);
    uint64_t n = address - xta__window_first(windows, k);

    return bits != NULL &&
           (atomic_load_explicit(&bits[n / 8], memory_order_relaxed) >> (n % 8) & 1) != 0;
}

/* Set or clear the bits of a run of slots. Where there is no memory for a bitmap, or a window is so
 * large that it has none, bits stay clear. */
void xta__window_set_bits(xta__windows *windows, uint64_t address, uint64_t n, bool value);

/* Free the bitmaps; the windows themselves are the holder's. */
void xta__windows_clear(xta__windows *windows);

#endif
