/* A place in memory for each address; it never moves.
 *
 * Window k holds the slots from (2^k - 1) w to (2^(k+1) - 1) w, where w is a power of two. So
 * windows are opened one by one as the array grows, none is ever copied, and the number of leading
 * zeros of an address gives its window: a pointer costs a shift, a subtraction and a load, and
 * takes no lock.
 *
 * The chunk store decides what a window is: memory, or a mapping of the file. A window of a mapping
 * also has a byte for each unit of 2 MiB of addresses, which says whether stores there have been
 * prepared.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_WINDOWS_H
#define XTA_STORE_CHUNKS_WINDOWS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

#define XTA__MAX_WINDOWS 64

typedef enum xta__unit {
    XTA__UNIT_UNKNOWN,
    XTA__UNIT_OWN,     /* the file has a block for each byte of it, and keeps it */
    XTA__UNIT_CHECKED, /* and it may be stored into by calls that fail once it no longer has one */
    XTA__UNIT_READY    /* and pages are ready to be stored into */
} xta__unit;

typedef struct xta__windows {
    uint64_t slot_bytes;
    unsigned shift; /* log2 of the slots in window 0 */
    _Atomic(uintptr_t)
        origin[XTA__MAX_WINDOWS]; /* base, moved to where address 0 would lie; 0: not open */
    _Atomic(uint8_t *) base[XTA__MAX_WINDOWS];
    _Atomic(_Atomic(uint8_t) *) units[XTA__MAX_WINDOWS];
    /* pointer to where the byte of address 0 would lie */
    _Atomic(uintptr_t) moved_units[XTA__MAX_WINDOWS];
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

/* Open the window with its memory. */
static inline void xta__window_open(xta__windows *windows, unsigned k, uint8_t *base)
{
    uintptr_t before = (uintptr_t)(xta__window_first(windows, k) * windows->slot_bytes);

    atomic_store_explicit(&windows->base[k], base, memory_order_release);
    // Integers, because this place may lie outside any object; slots are reached from it modulo
    // 2^64.
    atomic_store_explicit(&windows->origin[k], (uintptr_t)base - before, memory_order_release);
}

/* The byte of the unit in which `cell` of a slot lies; NULL if the window has none. */
static inline _Atomic(uint8_t) *xta__window_unit(const xta__windows *windows, uint64_t address,
                                                 const uint8_t *cell)
{
    unsigned k = xta__window_of(windows, address);
    uintptr_t moved = atomic_load_explicit(&windows->moved_units[k], memory_order_acquire);

    return moved != 0 ? (_Atomic(uint8_t) *)(moved + ((uintptr_t)cell >> XTA__UNIT_SHIFT)) : NULL;
}

/* Whether a cell may be stored in place. */
static inline bool xta__window_is_ready(const xta__windows *windows, uint64_t address,
                                        const uint8_t *cell)
{
    const _Atomic(uint8_t) *unit = xta__window_unit(windows, address, cell);

    return unit != NULL && atomic_load_explicit(unit, memory_order_relaxed) == XTA__UNIT_READY;
}

/* Give window k, which is open, bytes for its units. If there is no memory for them, or the window
 * is so large that it gets none, no unit of it is ever ready. */
void xta__window_make_units(xta__windows *windows, unsigned k);

/* Make every unit that is READY or CHECKED OWN. */
void xta__windows_unready(xta__windows *windows);

/* Forget what is known about the units that overlap bytes begin .. end of a file, in which address
 * 0 is at byte `origin`. A unit of the file may lie in two windows, at the end of one and the start
 * of the next. */
void xta__windows_forget(xta__windows *windows, uint64_t origin, uint64_t begin, uint64_t end);

/* Free the bytes of units; the chunk store frees the windows themselves. */
void xta__windows_clear(xta__windows *windows);

#endif
