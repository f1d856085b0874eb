/* Chunks of the data file, reached through a mapping: the page cache is the buffer pool.
 *
 * Reading is a load. Whole runs of chunks are written with one system call. Single cells and parts
 * of chunks are stored through the mapping, so that nothing but the cells that are written is ever
 * touched, whoever else writes to the same chunk. A store into a hole of a full disk would be a
 * signal; so the first store into a slot is preceded by a reservation of its space, whose failure
 * is an error like any other. The bit of a slot says that its space is known to be there.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/data_file.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_WINDOW_BYTES ((uint64_t)64 << 20)
/* Larger slots would make windows that no address space holds. */
#define MOST_SLOT_BYTES  XTA__MOST_MAPPED_SLOT
#define MOST_SLACK_BYTES ((uint64_t)1 << 30)
/* Of a sole writer, who has the file to itself. */
#define LEAST_SOLE_SLACK_BYTES ((uint64_t)64 << 20)
#define MOST_SOLE_SLACK_BYTES  ((uint64_t)1 << 40)
#define SOLE_SLACK             127 /* times what is needed now */

typedef struct mapped_chunks {
    xta__data_file data;
    xta__windows windows;
    pthread_mutex_t lock; /* of opening a window */
} mapped_chunks;

xta__file *xta__chunks_file(xta__holder *holder)
{
    return &((xta__data_file *)holder)->file;
}

void xta__chunks_disown(xta__holder *holder)
{
    xta__data_file *data = (xta__data_file *)holder;

    xta__file_disown(&data->file);
    data->sole = false;
}

static void take_length(xta__data_file *data, uint64_t length)
{
    data->length = length;
    data->holder.n_room = length / data->holder.slot_bytes;
}

/* By how much the file is to be longer than its slots need. A hole costs nothing but a look of
 * surprise, so a sole writer, who takes it back, is generous. */
static uint64_t slack_of(const xta__data_file *data, uint64_t need)
{
    uint64_t slack = data->length / 8 < MOST_SLACK_BYTES ? data->length / 8 : MOST_SLACK_BYTES;

    if (data->sole) {
        slack =
            need < MOST_SOLE_SLACK_BYTES / SOLE_SLACK ? SOLE_SLACK * need : MOST_SOLE_SLACK_BYTES;
        slack = slack > LEAST_SOLE_SLACK_BYTES ? slack : LEAST_SOLE_SLACK_BYTES;
    }
    return slack / data->holder.slot_bytes * data->holder.slot_bytes;
}

void xta__chunks_of_sole_writer(xta__holder *holder)
{
    xta__data_file *data = (xta__data_file *)holder;
    uint64_t need = holder->n_chunks * holder->slot_bytes;
    xta_error ignored = {0};

    data->sole = xta__file_sizes(&data->file, &data->least, NULL, &ignored) == XTA_OK;
    if (!data->sole) {
        return;
    }
    take_length(data, data->least);
    uint64_t ahead = need + slack_of(data, need);
    if (ahead > data->length && xta__file_truncate(&data->file, ahead, &ignored) == XTA_OK) {
        take_length(data, ahead);
    }
}

/* The file is never shorter than its slots, and may be longer: setting its length costs more than
 * all else in a growth by one chunk. It never gets shorter than other handles can know it, so what
 * they know of its length stays a lower limit. */
xta_status xta__data_file_resize(xta__holder *holder, uint64_t n_chunks, xta_error *err)
{
    xta__data_file *data = (xta__data_file *)holder;
    uint64_t need = n_chunks * holder->slot_bytes;

    if (need > data->length) {
        uint64_t old = data->length, actual = old;
        xta_status status = data->sole ? XTA_OK : xta__file_sizes(&data->file, &actual, NULL, err);
        if (status == XTA_OK && actual < need) {
            actual = old > 0 ? need + slack_of(data, need) : need;
            xta_error first = {0};
            status = xta__file_truncate(&data->file, actual, &first);
            if (status != XTA_OK) {
                // The file system may have a limit between what is needed and what would be handy.
                actual = need;
                status = xta__file_truncate(&data->file, actual, err);
            }
        }
        if (status != XTA_OK) {
            return status;
        }
        take_length(data, actual);
    }
    holder->n_chunks = n_chunks;
    return XTA_OK;
}

/* A handle of another process knows of slots only as far as records gave them out, or as the file
 * was long before there was a sole writer. */
void xta__data_file_close(xta__holder *holder)
{
    xta__data_file *data = (xta__data_file *)holder;
    uint64_t need = holder->n_chunks * holder->slot_bytes;
    uint64_t least = need > data->least ? need : data->least;
    xta_error ignored = {0};

    if (data->sole && data->length > least) {
        (void)!xta__file_truncate(&data->file, least, &ignored);
    }
    xta__file_close(&data->file);
}

xta_status xta__data_file_next_used(xta__holder *holder, uint64_t address, uint64_t *used,
                                    xta_error *err)
{
    xta__data_file *data = (xta__data_file *)holder;
    uint64_t limit = holder->n_chunks * holder->slot_bytes, begin = 0, end = 0;

    xta_status status =
        xta__file_next_data(&data->file, address * holder->slot_bytes, limit, &begin, &end, err);
    *used = status == XTA_OK && begin < limit ? begin / holder->slot_bytes : holder->n_chunks;
    return status;
}

static uint8_t *open_window(mapped_chunks *chunks, uint64_t address, xta_error *err)
{
    xta__windows *windows = &chunks->windows;
    unsigned k = xta__window_of(windows, address);

    pthread_mutex_lock(&chunks->lock);
    uint8_t *base = atomic_load_explicit(&windows->base[k], memory_order_acquire);
    if (base == NULL) {
        // The window may reach beyond the end of the file: as the file grows, more of it becomes
        // valid.
        uint64_t first = 0, bytes = 0;
        if (xta__mul_u64(xta__window_first(windows, k), windows->slot_bytes, &first) &&
            xta__mul_u64(xta__window_slots(windows, k), windows->slot_bytes, &bytes)) {
            base = xta__file_map(&chunks->data.file, first, bytes, chunks->data.writable);
        }
        if (base != NULL) {
            xta__window_open(windows, k, base);
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

static xta_status mapped_pin_read(xta__holder *holder, uint64_t address, xta__pin *pin,
                                  xta_error *err)
{
    mapped_chunks *chunks = (mapped_chunks *)holder;

    pin->bytes = xta__window_slot(&chunks->windows, address);
    if (pin->bytes == NULL) {
        pin->bytes = open_window(chunks, address, err);
    }
    return pin->bytes != NULL ? XTA_OK : XTA_EIO;
}

static xta_status mapped_pin_write(xta__holder *holder, uint64_t address, bool whole, xta__pin *pin,
                                   xta_error *err)
{
    mapped_chunks *chunks = (mapped_chunks *)holder;
    bool done = true;
    xta_status status = XTA_OK;

    (void)whole;
    if (!xta__window_bit(&chunks->windows, address)) {
        XTA_TRY(xta__file_reserve(&chunks->data.file, address * holder->slot_bytes,
                                  holder->slot_bytes, &done, err));
        if (!done) {
            XTA_TRY(xta__fail(err, XTA_EUNSUPPORTED, 0,
                              "%s: this file system cannot reserve space; open the array with "
                              "cached access",
                              chunks->data.file.path));
        }
        // Without a bitmap every store is preceded by a reservation, which is slow but right.
        xta__window_set_bits(&chunks->windows, address, 1, true);
    }
    XTA_TRY(mapped_pin_read(holder, address, pin, err));

done:
    return status;
}

static xta_status mapped_write_run(xta__holder *holder, uint64_t address, uint64_t n_chunks,
                                   const uint8_t *bytes, xta_error *err)
{
    mapped_chunks *chunks = (mapped_chunks *)holder;

    return xta__file_write_at(&chunks->data.file, address * holder->slot_bytes, bytes,
                              n_chunks * holder->slot_bytes, err);
}

static xta_status mapped_write_part(xta__holder *holder, uint64_t address, size_t offset,
                                    const uint8_t *bytes, size_t n, xta_error *err)
{
    mapped_chunks *chunks = (mapped_chunks *)holder;

    return xta__file_write_at(&chunks->data.file, address * holder->slot_bytes + offset, bytes, n,
                              err);
}

static xta_status mapped_resize(xta__holder *holder, uint64_t n_chunks, xta_error *err)
{
    return xta__data_file_resize(holder, n_chunks, err);
}

static xta_status mapped_discard(xta__holder *holder, uint64_t address, uint64_t n_chunks,
                                 xta_error *err)
{
    mapped_chunks *chunks = (mapped_chunks *)holder;

    xta__window_set_bits(&chunks->windows, address, n_chunks, false);
    return xta__file_punch(&chunks->data.file, address * holder->slot_bytes,
                           n_chunks * holder->slot_bytes, err);
}

/* Another process may have given back the space of slots; their bits are no longer to be
 * trusted. */
static xta_status mapped_refresh(xta__holder *holder, xta_error *err)
{
    mapped_chunks *chunks = (mapped_chunks *)holder;

    (void)err;
    for (unsigned k = 0; k < XTA__MAX_WINDOWS; k++) {
        if (atomic_load_explicit(&chunks->windows.bits[k], memory_order_acquire) != NULL) {
            uint64_t first = xta__window_first(&chunks->windows, k);
            uint64_t n = xta__window_slots(&chunks->windows, k);
            uint64_t left = holder->n_chunks > first ? holder->n_chunks - first : 0;
            xta__window_set_bits(&chunks->windows, first, left < n ? left : n, false);
        }
    }
    return XTA_OK;
}

static void mapped_will_need(xta__holder *holder, uint64_t address)
{
    mapped_chunks *chunks = (mapped_chunks *)holder;
    uint8_t *bytes = xta__window_slot(&chunks->windows, address);

    if (bytes != NULL) {
        xta__file_will_need(bytes, holder->slot_bytes);
    }
}

static xta_status mapped_sync(xta__holder *holder, xta_error *err)
{
    // On Linux pages that were changed through a shared mapping are dirty pages of the file.
    return xta__file_sync(&((mapped_chunks *)holder)->data.file, err);
}

static void mapped_free(xta__holder *holder)
{
    mapped_chunks *chunks = (mapped_chunks *)holder;

    for (unsigned k = 0; k < XTA__MAX_WINDOWS; k++) {
        xta__file_unmap(atomic_load_explicit(&chunks->windows.base[k], memory_order_relaxed),
                        xta__window_slots(&chunks->windows, k) * chunks->windows.slot_bytes);
    }
    xta__windows_clear(&chunks->windows);
    xta__data_file_close(holder);
    pthread_mutex_destroy(&chunks->lock);
    free(chunks);
}

static const xta__holder_ops mapped_ops = {
    .pin_read = mapped_pin_read,
    .pin_write = mapped_pin_write,
    .write_run = mapped_write_run,
    .write_part = mapped_write_part,
    .resize = mapped_resize,
    .discard = mapped_discard,
    .next_used = xta__data_file_next_used,
    .refresh = mapped_refresh,
    .will_need = mapped_will_need,
    .sync = mapped_sync,
    .free = mapped_free,
};

xta_status xta__mapped_chunks_new(xta__file *file, uint64_t slot_bytes, uint64_t chunk_bytes,
                                  uint64_t n_chunks, bool writable, xta__holder **out,
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
    chunks->data.holder = (xta__holder){.ops = &mapped_ops,
                                        .slot_bytes = slot_bytes,
                                        .chunk_bytes = chunk_bytes,
                                        .n_chunks = n_chunks,
                                        .windows = &chunks->windows};
    chunks->data.file = *file;
    chunks->data.writable = writable;
    chunks->data.length = n_chunks * slot_bytes;
    *file = (xta__file)XTA__FILE_CLOSED;
    pthread_mutex_init(&chunks->lock, NULL);

    // The first window is large enough to be worth a system call, and every window begins on a
    // page.
    chunks->windows.slot_bytes = slot_bytes;
    while ((slot_bytes << chunks->windows.shift) < FIRST_WINDOW_BYTES ||
           (slot_bytes << chunks->windows.shift) % xta__page_bytes() != 0) {
        chunks->windows.shift++;
    }
    *out = &chunks->data.holder;
    return XTA_OK;
}
