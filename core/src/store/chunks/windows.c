/* The bytes that describe the units of windows.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/chunks/windows.h"

#include <stdlib.h>

/* A window of more units gets no bytes: the number comes from a file, and a sparse file can claim
 * any number. */
#define MOST_UNITS ((uint64_t)1 << 28)

static uint64_t units_of(const xta__windows *windows, unsigned k)
{
    // The window need not begin or end where a unit does.
    return (xta__window_slots(windows, k) * windows->slot_bytes >> XTA__UNIT_SHIFT) + 2;
}

void xta__window_make_units(xta__windows *windows, unsigned k)
{
    uintptr_t base =
        (uintptr_t)atomic_load_explicit(&windows->base[k], memory_order_acquire) >> XTA__UNIT_SHIFT;
    uint64_t n = units_of(windows, k);
    _Atomic(uint8_t) *units = n <= MOST_UNITS ? xta__calloc((size_t)n, 1) : NULL;

    if (units != NULL) {
        atomic_store_explicit(&windows->units[k], units, memory_order_release);
        atomic_store_explicit(&windows->moved_units[k], (uintptr_t)units - base,
                              memory_order_release);
    }
}

void xta__windows_unready(xta__windows *windows)
{
    for (unsigned k = 0; k < XTA__MAX_WINDOWS; k++) {
        _Atomic(uint8_t) *units = atomic_load_explicit(&windows->units[k], memory_order_acquire);
        uint64_t n = units != NULL ? units_of(windows, k) : 0;
        for (uint64_t i = 0; i < n; i++) {
            uint8_t now = atomic_load_explicit(&units[i], memory_order_relaxed);
            if (now > XTA__UNIT_OWN) {
                // Without overwriting what a concurrent discard stores.
                atomic_compare_exchange_strong(&units[i], &now, XTA__UNIT_OWN);
            }
        }
    }
}

void xta__windows_forget(xta__windows *windows, uint64_t origin, uint64_t begin, uint64_t end)
{
    for (unsigned k = 0; k < XTA__MAX_WINDOWS; k++) {
        _Atomic(uint8_t) *units = atomic_load_explicit(&windows->units[k], memory_order_acquire);
        if (units == NULL) {
            continue; // none of it was ever ready
        }
        uint64_t at = origin + xta__window_first(windows, k) * windows->slot_bytes;
        uint64_t bytes = xta__window_slots(windows, k) * windows->slot_bytes;
        uint64_t first = at >> XTA__UNIT_SHIFT, last = (at + bytes - 1) >> XTA__UNIT_SHIFT;
        uint64_t from = begin >> XTA__UNIT_SHIFT, to = (end - 1) >> XTA__UNIT_SHIFT;
        from = from > first ? from : first;
        to = to < last ? to : last;
        for (uint64_t unit = from; unit <= to; unit++) {
            atomic_store_explicit(&units[unit - first], XTA__UNIT_UNKNOWN, memory_order_release);
        }
    }
}

void xta__windows_clear(xta__windows *windows)
{
    for (unsigned k = 0; k < XTA__MAX_WINDOWS; k++) {
        free(atomic_load_explicit(&windows->units[k], memory_order_relaxed));
        atomic_store_explicit(&windows->units[k], NULL, memory_order_relaxed);
        atomic_store_explicit(&windows->moved_units[k], 0, memory_order_relaxed);
    }
}
