/* Chunks in memory: the same interface as chunks in a file.
 *
 * Windows of addresses are opened one by one, each twice as large as the previous one, and are
 * neither closed nor moved until the array is closed; so growth copies nothing, and a pointer into
 * a chunk stays valid. Large windows are address space only, whose pages do not exist until they
 * are touched: a sparse array may be larger than the memory of the machine. Chunks that are
 * discarded give their pages back.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/chunks/memory_chunks.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "store/chunks/chunk_store_check.h"
#include "util/kept_memory.h"
#include "util/os.h"

#define FIRST_WINDOW_BYTES ((uint64_t)64 << 10)
#define LARGE_WINDOW_BYTES ((uint64_t)1 << 20)

typedef struct memory_chunks {
    xta__chunk_store chunk_store;
    xta__windows windows;
} memory_chunks;

static xta_status memory_pin(xta__chunk_store *chunk_store, uint64_t address, xta__pin *pin,
                             xta_error *err)
{
    (void)err;
    pin->bytes = xta__window_slot(&((memory_chunks *)chunk_store)->windows, address);
    return XTA_OK;
}

static xta_status memory_pin_write(xta__chunk_store *chunk_store, uint64_t address, bool whole,
                                   xta__pin *pin, xta_error *err)
{
    (void)whole;
    return memory_pin(chunk_store, address, pin, err);
}

static void *take_window(uint64_t bytes)
{
    if (bytes >= LARGE_WINDOW_BYTES) {
        return xta__memory_reserve(bytes);
    }
    void *kept = xta__kept_find((size_t)bytes);
    return kept != NULL ? memset(kept, 0, (size_t)bytes) : xta__calloc(1, (size_t)bytes);
}

static xta_status memory_resize(xta__chunk_store *chunk_store, uint64_t n_chunks, xta_error *err)
{
    xta__windows *windows = &((memory_chunks *)chunk_store)->windows;
    uint64_t have = chunk_store->n_chunks;

    if (n_chunks > 0) {
        // The windows of the chunks that there are have memory.
        for (unsigned k = have > 0 ? xta__window_of(windows, have - 1) : 0;
             k <= xta__window_of(windows, n_chunks - 1); k++) {
            if (atomic_load_explicit(&windows->base[k], memory_order_relaxed) != NULL) {
                continue;
            }
            uint64_t bytes = 0;
            void *base = NULL;
            if (xta__mul_u64(xta__window_slots(windows, k), windows->slot_bytes, &bytes)) {
                base = take_window(bytes);
            }
            if (base == NULL) {
                return xta__fail(err, XTA_ENOMEM, 0, "no memory for an array of %" PRIu64 " chunks",
                                 n_chunks);
            }
            xta__window_open(windows, k, base);
        }
    }
    chunk_store->n_chunks = n_chunks;
    return XTA_OK;
}

static xta_status memory_discard(xta__chunk_store *chunk_store, uint64_t address, uint64_t n_chunks,
                                 xta_error *err)
{
    const xta__windows *windows = &((memory_chunks *)chunk_store)->windows;
    uint64_t end = address + n_chunks;

    (void)err;
    while (address < end) {
        unsigned k = xta__window_of(windows, address);
        uint64_t slots = xta__window_slots(windows, k);
        uint64_t rest = xta__window_first(windows, k) + slots - address;
        uint64_t n = rest < end - address ? rest : end - address;
        uint8_t *slot = xta__window_slot(windows, address);
        if (slots * windows->slot_bytes < LARGE_WINDOW_BYTES) {
            memset(slot, 0, (size_t)(n * windows->slot_bytes));
        } else {
            xta__memory_zero(slot, n * windows->slot_bytes);
        }
        address += n;
    }
    return XTA_OK;
}

static xta_status memory_next_used(xta__chunk_store *chunk_store, uint64_t address, uint64_t *used,
                                   xta_error *err)
{
    (void)chunk_store;
    (void)err;
    *used = address;
    return XTA_OK;
}

static xta_status memory_sync(xta__chunk_store *chunk_store, xta_error *err)
{
    (void)chunk_store;
    (void)err;
    return XTA_OK;
}

static void memory_free(xta__chunk_store *chunk_store)
{
    memory_chunks *chunks = (memory_chunks *)chunk_store;

    for (unsigned k = 0; k < XTA__MAX_WINDOWS; k++) {
        void *base = atomic_load_explicit(&chunks->windows.base[k], memory_order_relaxed);
        uint64_t bytes = xta__window_slots(&chunks->windows, k) * chunks->windows.slot_bytes;
        if (base != NULL && bytes >= LARGE_WINDOW_BYTES) {
            xta__memory_drop(base, bytes);
        } else {
            xta__kept_free(base, (size_t)bytes);
        }
    }
    xta__windows_clear(&chunks->windows);
    free(chunks);
}

static const xta__chunk_store_ops memory_ops = {
    .pin_read = memory_pin,
    .pin_write = memory_pin_write,
    .resize = memory_resize,
    .discard = memory_discard,
    .next_used = memory_next_used,
    .sync = memory_sync,
    .free = memory_free,
};

xta_status xta__memory_chunks_new(uint64_t slot_bytes, uint64_t chunk_bytes, uint64_t n_chunks,
                                  xta__chunk_store **out, xta_error *err)
{
    memory_chunks *chunks = xta__calloc(1, sizeof *chunks);

    if (chunks == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for an array");
    }
    chunks->chunk_store = (xta__chunk_store){.ops = &memory_ops,
                                             .slot_bytes = slot_bytes,
                                             .chunk_bytes = chunk_bytes,
                                             .windows = &chunks->windows};
    chunks->windows.slot_bytes = slot_bytes;
    while (chunks->windows.shift < 62 &&
           (slot_bytes << chunks->windows.shift) < FIRST_WINDOW_BYTES) {
        chunks->windows.shift++;
    }
    xta_status status = memory_resize(&chunks->chunk_store, n_chunks, err);
    if (status != XTA_OK) {
        memory_free(&chunks->chunk_store);
        return status;
    }
    *out = &chunks->chunk_store;
    assert(xta__check_chunk_store(*out) == NULL);
    return XTA_OK;
}
