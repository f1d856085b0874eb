/* Whether a chunk store is valid; the invariants are in the header.
 *
 * Debug builds check a store when it has been created and after each resize.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/chunks/chunk_store_check.h"

static const char *check_operations(const xta__chunk_store_ops *ops)
{
    if (ops->pin_read == NULL || ops->resize == NULL || ops->discard == NULL ||
        ops->next_used == NULL || ops->sync == NULL || ops->free == NULL) {
        return "C1: an operation is missing";
    }
    if (ops->facts != NULL
            ? ops->pin_write != NULL || ops->pin_in_place == NULL || ops->write_part == NULL
            : ops->pin_write == NULL) {
        return "C1: there is not one way to write a part of a chunk";
    }
    return (ops->flush == NULL) == (ops->unwritten == NULL)
               ? NULL
               : "C1: it defers cells and does not tell how many, or the other way round";
}

static const char *check_windows(const xta__windows *windows)
{
    for (unsigned k = 0; k < XTA__MAX_WINDOWS; k++) {
        // Another thread may be opening it, and stores these in the opposite order.
        bool moved = atomic_load_explicit(&windows->moved_units[k], memory_order_acquire) != 0;
        bool units = atomic_load_explicit(&windows->units[k], memory_order_acquire) != NULL;
        uintptr_t origin = atomic_load_explicit(&windows->origin[k], memory_order_acquire);
        const uint8_t *base = atomic_load_explicit(&windows->base[k], memory_order_acquire);
        if ((base == NULL && (origin != 0 || units)) || (moved && !units)) {
            return "C3: a window that is not open can be reached";
        }
        uintptr_t before = base == NULL || origin == 0
                               ? 0
                               : (uintptr_t)(xta__window_first(windows, k) * windows->slot_bytes);
        if (base != NULL && origin != 0 && origin + before != (uintptr_t)base) {
            return "C3: a window is not where its addresses lead";
        }
    }
    return NULL;
}

const char *xta__check_chunk_store(const xta__chunk_store *store)
{
    uint64_t bytes = 0;
    const char *flaw = check_operations(store->ops);

    if (flaw == NULL && (store->chunk_bytes == 0 || store->chunk_bytes > store->slot_bytes)) {
        flaw = "C2: a chunk does not fit its slot";
    }
    if (flaw == NULL &&
        (!xta__mul_u64(store->n_chunks, store->slot_bytes, &bytes) || bytes > XTA__OFFSET_LIMIT)) {
        flaw = "C2: the slots pass the limit of offsets";
    }
    if (flaw == NULL && store->windows != NULL && store->windows->slot_bytes != store->slot_bytes) {
        flaw = "C3: the windows have slots of another length";
    }
    return flaw != NULL || store->windows == NULL ? flaw : check_windows(store->windows);
}
