/* Chunks of the data file, accessed through a mapping: the page cache is the buffer pool.
 *
 * Reading is a load. Whole chunks, long rows and scattered cells are written with system calls.
 * Cells that are written densely or repeatedly are stored through the mapping. Either way only the
 * written cells are changed, even if others write to the same chunk.
 *
 * A store into a hole on a full disk would raise a signal, and so would one into a folio that
 * extends into a hole. So stores are used only when all blocks of their 2 MiB are known to be
 * allocated (in_place.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "store/chunks/mapped_chunks.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "store/chunks/chunk_store_check.h"
#include "store/chunks/in_place.h"

#define FIRST_WINDOW_BYTES ((uint64_t)64 << 20)
/* Larger slots would need windows that fit into no address space. */
#define MOST_SLOT_BYTES XTA__MOST_MAPPED_SLOT
/* Preparing a unit in small pages takes longer than writing it with a call. After this many such
 * units whole chunks are no longer stored in place. */
#define MOST_SMALL_UNITS 4
#define MOST_FAULTS      16 /* page faults of a unit in large pages, at most */

typedef struct mapped_chunks {
    xta__data_file data;
    xta__windows windows;
    pthread_mutex_t lock; /* held while a window is opened */
    atomic_bool huge;     /* page faults map huge pages */
    atomic_uint n_small;  /* prepared units that had small pages */
    xta__in_place in_place;
} mapped_chunks;

static uint8_t *open_window(mapped_chunks *chunks, uint64_t address, xta_error *err)
{
    xta__windows *windows = &chunks->windows;
    unsigned k = xta__window_of(windows, address);

    pthread_mutex_lock(&chunks->lock);
    uint8_t *base = atomic_load_explicit(&windows->base[k], memory_order_acquire);
    if (base == NULL) {
        // The window may extend beyond the end of the file: as the file grows, more of it becomes
        // valid.
        uint64_t first = 0, bytes = 0;
        if (xta__mul_u64(xta__window_first(windows, k), windows->slot_bytes, &first) &&
            xta__mul_u64(xta__window_slots(windows, k), windows->slot_bytes, &bytes)) {
            base = xta__file_map(&chunks->data.file, first, bytes, chunks->data.writable);
        }
        if (base != NULL) {
            chunks->huge = xta__map_by_huge_pages(base, bytes);
            xta__window_open(windows, k, base);
            uint64_t place = chunks->data.file.origin + first;
            if (chunks->data.writable && ((uintptr_t)base - place) % XTA__HUGE_BYTES == 0) {
                xta__window_make_units(windows, k);
            }
        }
    }
    pthread_mutex_unlock(&chunks->lock);
    if (base == NULL) {
        xta__fail(err, XTA_EIO, 0,
                  "%s: %" PRIu64 " bytes cannot be mapped; open the array with cached access",
                  chunks->data.file.path, xta__window_slots(windows, k) * windows->slot_bytes);
        return NULL;
    }
    return xta__window_slot(windows, address);
}

static xta_status mapped_pin_read(xta__chunk_store *chunk_store, uint64_t address, xta__pin *pin,
                                  xta_error *err)
{
    mapped_chunks *chunks = (mapped_chunks *)chunk_store;

    pin->writing = false;
    pin->bytes = xta__window_slot(&chunks->windows, address);
    if (pin->bytes == NULL) {
        pin->bytes = open_window(chunks, address, err);
    }
    return pin->bytes != NULL ? XTA_OK : XTA_EIO;
}

/* Position of byte `offset` of a chunk in the file, from the file's first byte. */
static uint64_t place_of(const mapped_chunks *chunks, uint64_t address, size_t offset)
{
    return chunks->data.file.origin + address * chunks->data.chunk_store.slot_bytes + offset;
}

/* Whether all units that bytes at .. at + n of memory overlap are ready, or may be stored into with
 * calls. */
static bool are_ready(const xta__windows *windows, uint64_t address, const uint8_t *at, size_t n)
{
    uintptr_t begin = (uintptr_t)at >> XTA__UNIT_SHIFT;
    uintptr_t last = ((uintptr_t)at + n - 1) >> XTA__UNIT_SHIFT;
    const _Atomic(uint8_t) *unit = xta__window_unit(windows, address, at);
    bool all = unit != NULL;

    for (uintptr_t k = 0; all && k <= last - begin; k++) {
        all = atomic_load_explicit(&unit[k], memory_order_relaxed) >= XTA__UNIT_CHECKED;
    }
    return all;
}

/* Whether storing a whole chunk in place pays: nothing else becomes dirty, and its pages are in
 * memory, judging by the first page of each unit. */
static bool is_settled(mapped_chunks *chunks, uint64_t address)
{
    uint64_t slot = chunks->data.chunk_store.slot_bytes;
    xta__pin pin;

    if (slot != chunks->data.chunk_store.chunk_bytes || chunks->in_place.checked ||
        place_of(chunks, address, 0) % XTA__HUGE_BYTES != 0 || slot % XTA__HUGE_BYTES != 0 ||
        atomic_load_explicit(&chunks->n_small, memory_order_relaxed) >= MOST_SMALL_UNITS ||
        mapped_pin_read(&chunks->data.chunk_store, address, &pin, NULL) != XTA_OK ||
        !chunks->huge || xta__window_unit(&chunks->windows, address, pin.bytes) == NULL) {
        return false;
    }
    for (uint64_t at = 0; at < slot; at += XTA__HUGE_BYTES) {
        if (xta__map_is_cold(&chunks->data.file, address * slot + at, pin.bytes + at)) {
            return false;
        }
    }
    return true;
}

static void mapped_facts(xta__chunk_store *chunk_store, uint64_t address, size_t offset, size_t n,
                         xta__range_facts *facts)
{
    mapped_chunks *chunks = (mapped_chunks *)chunk_store;
    const uint8_t *bytes = xta__window_slot(&chunks->windows, address);

    *facts = (xta__range_facts){.rows = true};
    facts->settled = n == chunk_store->slot_bytes && is_settled(chunks, address);
    facts->ready = bytes != NULL && are_ready(&chunks->windows, address, bytes + offset, n);
    if (!facts->ready) {
        xta__in_place_recall(&chunks->in_place, place_of(chunks, address, offset), n, facts);
    }
}

/* Populate bytes of a unit, and count whole units that are in small pages. */
static bool populate(mapped_chunks *chunks, uint8_t *bytes, size_t n)
{
    uint64_t before = n == XTA__HUGE_BYTES ? xta__thread_faults() : 0;
    bool well = xta__map_populate(bytes, n);

    if (n == XTA__HUGE_BYTES && xta__thread_faults() - before > MOST_FAULTS) {
        atomic_fetch_add_explicit(&chunks->n_small, 1, memory_order_relaxed);
    }
    return well;
}

/* Populate the first and the last page of a part of a unit. If the last one causes another fault
 * the pages are small. */
static bool populate_ends(uint8_t *bytes, size_t n, bool *small)
{
    bool well = xta__map_populate(bytes, 1);
    uint64_t before = xta__thread_faults();

    well = well && xta__map_populate(bytes + n - 1, 1);
    *small = *small || before == 0 || xta__thread_faults() != before;
    return well;
}

/* Iterates over the pages of runs of bytes; runs that share pages, or are on adjacent ones, are
 * joined. */
typedef struct page_walk {
    const xta__byte_runs *runs;
    uintptr_t zero, page; /* address of the chunk in memory; bytes of a page */
    size_t index[XTA_MAX_NDIM], at;
    bool more;
    uintptr_t first, end; /* numbers of pages */
} page_walk;

static bool next_pages(page_walk *w)
{
    bool found = w->more, joins = true;

    for (w->first = w->end = 0; w->more && joins;) {
        uintptr_t first = (w->zero + w->at) / w->page;
        uintptr_t end = (w->zero + w->at + w->runs->bytes - 1) / w->page + 1;
        joins = w->end == 0 || (first >= w->first && first <= w->end);
        if (joins) {
            w->first = w->end == 0 ? first : w->first;
            w->end = end > w->end ? end : w->end;
            w->more = xta__next_run(w->runs, w->index, &w->at);
        }
    }
    return found;
}

/* Populate a part of a chunk whose pages are small: only the pages that will be stored into. False
 * also if calls cost less. `bytes`: destination of the first store. */
static bool populate_small(const xta__pin *pin, const uint8_t *bytes)
{
    const page_walk start = {.runs = pin->stores,
                             .zero = (uintptr_t)bytes - pin->stores->offset,
                             .page = (uintptr_t)xta__page_bytes(),
                             .at = pin->stores->offset,
                             .more = true};
    uint64_t n_pages = 0;
    bool well = true;

    for (page_walk w = start; next_pages(&w);) {
        n_pages += w.end - w.first;
    }
    if (xta__calls_cost_less(pin->ask, n_pages)) {
        return false;
    }
    for (page_walk w = start; well && next_pages(&w);) {
        well = xta__map_populate((void *)(w.first * w.page), (w.end - w.first) * w.page);
    }
    return well;
}

/* Iterates over the units of a range. */
typedef struct unit_walk {
    _Atomic(uint8_t) *state;
    uint64_t place, number; /* position of the range in the file; number of the unit */
    size_t n, at, part;     /* bytes of the range, before the unit, and in the unit */
} unit_walk;

static bool next_unit(unit_walk *u)
{
    u->state += u->part > 0;
    u->at += u->part;
    u->number = (u->place + u->at) / XTA__HUGE_BYTES;
    uint64_t left = (u->number + 1) * XTA__HUGE_BYTES - (u->place + u->at);
    u->part = (size_t)(left < u->n - u->at ? left : u->n - u->at);
    return u->part > 0;
}

/* Make all units of a range ready; false if that is not possible for some of them. */
static bool prepare(mapped_chunks *chunks, uint64_t address, size_t offset, size_t n, bool reserve,
                    const xta__pin *pin)
{
    uint8_t *bytes = pin->bytes + offset;
    const unit_walk start = {.state = xta__window_unit(&chunks->windows, address, bytes),
                             .place = place_of(chunks, address, offset),
                             .n = n};
    bool well = start.state != NULL, small = false;

    pthread_mutex_lock(&chunks->in_place.lock);
    for (unit_walk u = start; well && next_unit(&u);) {
        uint8_t now = atomic_load_explicit(u.state, memory_order_relaxed);
        if (now == XTA__UNIT_UNKNOWN) {
            well = xta__in_place_own(&chunks->in_place, &chunks->data, u.number, reserve);
        }
        if (well && now < XTA__UNIT_CHECKED && !chunks->in_place.checked) {
            well = pin->stores != NULL ? populate_ends(bytes + u.at, u.part, &small)
                                       : populate(chunks, bytes + u.at, u.part);
        }
    }
    well = well && (!small || populate_small(pin, bytes));
    uint8_t now = chunks->in_place.checked ? XTA__UNIT_CHECKED : XTA__UNIT_READY;
    for (unit_walk u = start; well && next_unit(&u);) {
        atomic_store_explicit(u.state, now, memory_order_release);
    }
    pthread_mutex_unlock(&chunks->in_place.lock);
    return well;
}

static xta_status mapped_pin_in_place(xta__chunk_store *chunk_store, uint64_t address,
                                      size_t offset, size_t n, bool reserve, xta__pin *pin,
                                      xta_error *err)
{
    mapped_chunks *chunks = (mapped_chunks *)chunk_store;

    pthread_rwlock_rdlock(&chunks->in_place.discarding);
    pin->checked = false;
    xta_status status = mapped_pin_read(chunk_store, address, pin, err);
    if (status == XTA_OK && offset + n > chunk_store->slot_bytes &&
        xta__window_of(&chunks->windows, address) !=
            xta__window_of(&chunks->windows,
                           address + (offset + n - 1) / chunk_store->slot_bytes)) {
        pin->bytes = NULL; // several chunks that are not contiguous in memory
    } else if (status == XTA_OK && !are_ready(&chunks->windows, address, pin->bytes + offset, n) &&
               !prepare(chunks, address, offset, n, reserve, pin)) {
        pin->bytes = NULL;
    }
    if (status == XTA_OK && pin->bytes != NULL && chunks->in_place.checked) {
        pin->checked = pin->may_check && !chunks->in_place.cannot_check;
        pin->bytes = NULL;
    }
    pin->writing = status == XTA_OK && (pin->bytes != NULL || pin->checked);
    if (!pin->writing) {
        pthread_rwlock_unlock(&chunks->in_place.discarding);
    }
    return status;
}

static void mapped_unpin(xta__chunk_store *chunk_store, xta__pin *pin)
{
    if (pin->writing) {
        pthread_rwlock_unlock(&((mapped_chunks *)chunk_store)->in_place.discarding);
    }
}

static xta_status mapped_write_run(xta__chunk_store *chunk_store, uint64_t address,
                                   uint64_t n_chunks, const uint8_t *bytes, xta_error *err)
{
    mapped_chunks *chunks = (mapped_chunks *)chunk_store;

    return xta__file_write_at(&chunks->data.file, address * chunk_store->slot_bytes, bytes,
                              n_chunks * chunk_store->slot_bytes, err);
}

static xta_status mapped_write_part(xta__chunk_store *chunk_store, uint64_t address, size_t offset,
                                    const uint8_t *bytes, size_t n, xta_error *err)
{
    mapped_chunks *chunks = (mapped_chunks *)chunk_store;

    if (n < XTA__LONG_ROW_BYTES) {
        xta__in_place_note(&chunks->in_place, place_of(chunks, address, offset), n);
    }
    return xta__file_write_at(&chunks->data.file, address * chunk_store->slot_bytes + offset, bytes,
                              n, err);
}

static xta_status mapped_store_spans(xta__chunk_store *chunk_store, uint64_t address,
                                     const xta__span spans[], size_t n, xta_error *err)
{
    mapped_chunks *chunks = (mapped_chunks *)chunk_store;
    uint8_t *bytes = xta__window_slot(&chunks->windows, address);
    xta_status status = XTA_OK;
    xta__store stores[XTA__MOST_STORES];
    bool can = !chunks->in_place.cannot_check;

    for (size_t first = 0; first < n && status == XTA_OK;) {
        size_t some = n - first < XTA__MOST_STORES ? n - first : XTA__MOST_STORES;
        for (size_t k = 0; k < some; k++) {
            const xta__span *span = &spans[first + k];
            stores[k] = (xta__store){bytes + span->offset, span->from, span->n};
        }
        bool stored = can && xta__map_store(stores, some, &can);
        if (!can) {
            chunks->in_place.cannot_check = true;
        }
        for (size_t k = 0; !stored && k < some && status == XTA_OK; k++) {
            const xta__span *span = &spans[first + k];
            status =
                mapped_write_part(chunk_store, address, span->offset, span->from, span->n, err);
        }
        first += some;
    }
    return status;
}

static xta_status mapped_resize(xta__chunk_store *chunk_store, uint64_t n_chunks, xta_error *err)
{
    return xta__data_file_resize(chunk_store, n_chunks, err);
}

static xta_status mapped_discard(xta__chunk_store *chunk_store, uint64_t address, uint64_t n_chunks,
                                 xta_error *err)
{
    mapped_chunks *chunks = (mapped_chunks *)chunk_store;

    pthread_rwlock_wrlock(&chunks->in_place.discarding);
    xta__windows_forget(&chunks->windows, chunks->data.file.origin, place_of(chunks, address, 0),
                        place_of(chunks, address + n_chunks, 0));
    xta_status status = xta__data_file_empty(&chunks->data.file, chunks->data.stores_in_place,
                                             address * chunk_store->slot_bytes,
                                             n_chunks * chunk_store->slot_bytes, err);
    pthread_rwlock_unlock(&chunks->in_place.discarding);
    return status;
}

static void mapped_will_need(xta__chunk_store *chunk_store, uint64_t address)
{
    mapped_chunks *chunks = (mapped_chunks *)chunk_store;
    uint8_t *bytes = xta__window_slot(&chunks->windows, address);

    // With huge pages one fault reads 2 MiB.
    if (bytes != NULL && !chunks->huge) {
        xta__file_will_need(bytes, chunk_store->slot_bytes);
    }
}

static bool mapped_is_cold(xta__chunk_store *chunk_store, uint64_t at)
{
    mapped_chunks *chunks = (mapped_chunks *)chunk_store;
    uint64_t slot = chunk_store->slot_bytes;
    xta__pin pin;

    return mapped_pin_read(chunk_store, at / slot, &pin, NULL) == XTA_OK && chunks->huge &&
           xta__map_is_cold(&chunks->data.file, at, pin.bytes + at % slot);
}

static void mapped_fetch(xta__chunk_store *chunk_store, uint64_t begin, uint64_t n, bool exact)
{
    mapped_chunks *chunks = (mapped_chunks *)chunk_store;
    const xta__windows *windows = &chunks->windows;

    (void)exact; // always exact
    while (n > 0) {
        uint64_t address = begin / chunk_store->slot_bytes;
        unsigned k = xta__window_of(windows, address);
        uint64_t end = (xta__window_first(windows, k) + xta__window_slots(windows, k)) *
                       chunk_store->slot_bytes;
        uint64_t part = end - begin < n ? end - begin : n;
        xta__pin pin;
        if (mapped_pin_read(chunk_store, address, &pin, NULL) == XTA_OK) {
            xta__map_fetch(pin.bytes + begin % chunk_store->slot_bytes, (size_t)part);
        }
        begin += part;
        n -= part;
    }
}

static xta_status mapped_sync(xta__chunk_store *chunk_store, xta_error *err)
{
    mapped_chunks *chunks = (mapped_chunks *)chunk_store;

    // Pages are clean afterwards: the choice between calls and stores starts over.
    xta__windows_unready(&chunks->windows);
    xta__in_place_forget(&chunks->in_place);
    // On Linux pages that were changed through a shared mapping are dirty pages of the file.
    return xta__file_sync(&chunks->data.file, err);
}

static void mapped_free(xta__chunk_store *chunk_store)
{
    mapped_chunks *chunks = (mapped_chunks *)chunk_store;

    for (unsigned k = 0; k < XTA__MAX_WINDOWS; k++) {
        xta__file_unmap(atomic_load_explicit(&chunks->windows.base[k], memory_order_relaxed),
                        xta__window_slots(&chunks->windows, k) * chunks->windows.slot_bytes);
    }
    xta__windows_clear(&chunks->windows);
    xta__data_file_close(chunk_store);
    xta__in_place_clear(&chunks->in_place);
    pthread_mutex_destroy(&chunks->lock);
    free(chunks);
}

static const xta__chunk_store_ops mapped_ops = {
    .pin_read = mapped_pin_read,
    .facts = mapped_facts,
    .pin_in_place = mapped_pin_in_place,
    .store_spans = mapped_store_spans,
    .unpin = mapped_unpin,
    .write_run = mapped_write_run,
    .write_part = mapped_write_part,
    .resize = mapped_resize,
    .discard = mapped_discard,
    .next_used = xta__data_file_next_used,
    .is_cold = mapped_is_cold,
    .fetch = mapped_fetch,
    .will_need = mapped_will_need,
    .sync = mapped_sync,
    .free = mapped_free,
};

xta_status xta__mapped_chunks_new(xta__file *file, uint64_t slot_bytes, uint64_t chunk_bytes,
                                  uint64_t n_chunks, bool writable, xta__chunk_store **out,
                                  xta_error *err)
{
    mapped_chunks *chunks = slot_bytes <= MOST_SLOT_BYTES ? xta__calloc(1, sizeof *chunks) : NULL;

    if (slot_bytes > MOST_SLOT_BYTES) {
        xta_status status = xta__fail(err, XTA_EUNSUPPORTED, 0,
                                      "%s: slots of %" PRIu64 " bytes are too large to be mapped; "
                                      "open the array with cached access",
                                      file->path, slot_bytes);
        xta__file_close(file);
        return status;
    }
    if (chunks == NULL) {
        xta_status status = xta__fail(err, XTA_ENOMEM, 0, "%s: no memory", file->path);
        xta__file_close(file);
        return status;
    }
    chunks->data.chunk_store = (xta__chunk_store){.ops = &mapped_ops,
                                                  .slot_bytes = slot_bytes,
                                                  .chunk_bytes = chunk_bytes,
                                                  .n_chunks = n_chunks,
                                                  .ahead = {.unit = XTA__HUGE_BYTES,
                                                            .phase = file->origin % XTA__HUGE_BYTES,
                                                            .most = UINT64_MAX},
                                                  .windows = &chunks->windows};
    chunks->data.file = *file;
    atomic_init(&chunks->data.exact_fd, XTA__EXACT_UNKNOWN);
    chunks->data.writable = writable;
    chunks->data.length = n_chunks * slot_bytes;
    *file = (xta__file)XTA__FILE_CLOSED;
    pthread_mutex_init(&chunks->lock, NULL);
    xta__in_place_init(&chunks->in_place);

    // The first window is large enough to be worth a system call, and every window begins at a page
    // boundary.
    chunks->windows.slot_bytes = slot_bytes;
    while ((slot_bytes << chunks->windows.shift) < FIRST_WINDOW_BYTES ||
           (slot_bytes << chunks->windows.shift) % xta__page_bytes() != 0) {
        chunks->windows.shift++;
    }
    *out = &chunks->data.chunk_store;
    assert(xta__check_chunk_store(*out) == NULL);
    return XTA_OK;
}
