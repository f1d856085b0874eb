/* Functions common to both chunk stores of a file: its length, its space, and when space may be
 * freed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/chunks/data_file.h"

#include <assert.h>

#include "store/chunks/chunk_store_check.h"

#define MOST_SLACK_BYTES ((uint64_t)1 << 30)
/* For an exclusive writer, the only one that lengthens the file. */
#define LEAST_EXCLUSIVE_SLACK_BYTES ((uint64_t)64 << 20)
#define MOST_EXCLUSIVE_SLACK_BYTES  ((uint64_t)1 << 40)
#define EXCLUSIVE_SLACK             127 /* times the bytes needed now */
/* Locked while the length of the file is set, so that no handle cuts off what another has just
 * added. The owner of this lock waits for no other lock. */
#define LENGTH_BYTE (((uint64_t)1 << 62) - 24)

xta__file *xta__chunks_file(xta__chunk_store *chunk_store)
{
    return &((xta__data_file *)chunk_store)->file;
}

void xta__chunks_disown(xta__chunk_store *chunk_store)
{
    xta__data_file *data = (xta__data_file *)chunk_store;

    xta__file_disown(&data->file);
    xta__file_exact_end(&data->exact_fd);
    data->exclusive = false;
}

static void set_length(xta__data_file *data, uint64_t length)
{
    data->length = length;
    data->chunk_store.n_reserved = length / data->chunk_store.slot_bytes;
}

/* How much longer than its slots need the file is made. A hole costs nothing, and an exclusive
 * writer cuts it off when it closes, so its slack is large. */
static uint64_t slack_of(const xta__data_file *data, uint64_t need)
{
    uint64_t slack = data->length / 8 < MOST_SLACK_BYTES ? data->length / 8 : MOST_SLACK_BYTES;

    if (data->exclusive) {
        slack = need < MOST_EXCLUSIVE_SLACK_BYTES / EXCLUSIVE_SLACK ? EXCLUSIVE_SLACK * need
                                                                    : MOST_EXCLUSIVE_SLACK_BYTES;
        slack = slack > LEAST_EXCLUSIVE_SLACK_BYTES ? slack : LEAST_EXCLUSIVE_SLACK_BYTES;
    }
    return slack / data->chunk_store.slot_bytes * data->chunk_store.slot_bytes;
}

/* If there are no such locks only an exclusive writer truncates the file. */
static void begin_length(const xta__file *file)
{
    xta_error ignored = {0};

    (void)!xta__file_lock_byte(file, LENGTH_BYTE, false, &ignored);
}

static void end_length(const xta__file *file)
{
    xta__file_unlock_byte(file, LENGTH_BYTE);
}

static void become_exclusive(xta__data_file *data)
{
    const xta__chunk_store *chunk_store = &data->chunk_store;
    uint64_t need = chunk_store->n_chunks * chunk_store->slot_bytes;
    xta_error ignored = {0};

    data->exclusive = xta__file_sizes(&data->file, &data->least, NULL, &ignored) == XTA_OK;
    if (!data->exclusive) {
        return;
    }
    set_length(data, data->least);
    uint64_t ahead = need + slack_of(data, need);
    if (ahead > data->length && xta__file_truncate(&data->file, ahead, &ignored) == XTA_OK) {
        set_length(data, ahead);
    }
}

void xta__chunks_of_exclusive_writer(xta__chunk_store *chunk_store)
{
    xta__data_file *data = (xta__data_file *)chunk_store;

    begin_length(&data->file);
    become_exclusive(data);
    end_length(&data->file);
}

void xta__chunks_of_lock_file(xta__chunk_store *chunk_store)
{
    ((xta__data_file *)chunk_store)->by_lock_file = true;
}

/* Make the file at least `need` bytes long. */
static xta_status lengthen_file(xta__data_file *data, uint64_t need, xta_error *err)
{
    uint64_t old = data->length, actual = old;
    xta_status status = data->exclusive ? XTA_OK : xta__file_sizes(&data->file, &actual, NULL, err);

    if (status == XTA_OK && actual < need) {
        actual = old > 0 ? need + slack_of(data, need) : need;
        xta_error first = {0};
        status = xta__file_truncate(&data->file, actual, &first);
        if (status != XTA_OK) {
            // The file system may have a limit between the needed and the requested length.
            actual = need;
            status = xta__file_truncate(&data->file, actual, err);
        }
    }
    if (status == XTA_OK) {
        set_length(data, actual);
    }
    return status;
}

/* The file is never shorter than its slots, and may be longer, because setting its length costs
 * more than the rest of a growth by one chunk. It never becomes shorter than the length other
 * handles may have read, so that length remains a lower limit. */
xta_status xta__data_file_resize(xta__chunk_store *chunk_store, uint64_t n_chunks, xta_error *err)
{
    xta__data_file *data = (xta__data_file *)chunk_store;
    uint64_t need = n_chunks * chunk_store->slot_bytes;

    if (need > data->length) {
        begin_length(&data->file);
        xta_status status = lengthen_file(data, need, err);
        end_length(&data->file);
        if (status != XTA_OK) {
            return status;
        }
    }
    chunk_store->n_chunks = n_chunks;
    assert(xta__check_chunk_store(chunk_store) == NULL);
    return XTA_OK;
}

xta_status xta__data_file_store_in_place(xta__data_file *data, xta_error *err)
{
    return data->stores_in_place
               ? XTA_OK
               : xta__file_share_byte(&data->file, XTA__IN_PLACE_BYTE, &data->stores_in_place, err);
}

/* Whether no handle but the caller's stores through a mapping. If so none starts to do so before
 * end_alone. */
static bool begin_alone(const xta__file *file)
{
    bool got = false;
    xta_error ignored = {0};
    xta_status status = xta__file_try_lock_byte(file, XTA__IN_PLACE_BYTE, &got, &ignored);

    // If there are no such locks no handle stores through a mapping.
    return got || status == XTA_EUNSUPPORTED;
}

static void end_alone(const xta__file *file, bool stores_in_place)
{
    bool locked = false;
    xta_error ignored = {0};

    // Changing an exclusive lock to a shared one never waits.
    if (!stores_in_place ||
        xta__file_share_byte(file, XTA__IN_PLACE_BYTE, &locked, &ignored) != XTA_OK) {
        xta__file_unlock_byte(file, XTA__IN_PLACE_BYTE);
    }
}

xta_status xta__data_file_empty(const xta__file *file, bool stores_in_place, uint64_t offset,
                                uint64_t bytes, xta_error *err)
{
    if (!begin_alone(file)) {
        return xta__file_zero(file, offset, bytes, err);
    }
    xta_status status = xta__file_punch(file, offset, bytes, err);
    end_alone(file, stores_in_place);
    return status;
}

/* Truncate the file after the chunks, unless another handle may be storing near its end. */
static void cut_back(xta__data_file *data, uint64_t need)
{
    uint64_t least = need > data->least ? need : data->least, length = 0;
    xta_error ignored = {0};
    bool longer = data->exclusive && data->length > least;

    bool reserved = data->reserved_behind && !data->by_lock_file;
    if ((!longer && !reserved) || !begin_alone(&data->file)) {
        return;
    }
    begin_length(&data->file);
    // Setting the length that a file already has frees the space reserved after it.
    if (longer) {
        (void)!xta__file_truncate(&data->file, least, &ignored);
    } else if (xta__file_sizes(&data->file, &length, NULL, &ignored) == XTA_OK) {
        (void)!xta__file_truncate(&data->file, length, &ignored);
    }
    end_length(&data->file);
    end_alone(&data->file, false);
}

/* A handle of another process uses slots only up to those assigned by records, or up to the length
 * of the file before there was an exclusive writer. */
void xta__data_file_close(xta__chunk_store *chunk_store)
{
    xta__data_file *data = (xta__data_file *)chunk_store;

    if (data->file.fd >= 0) {
        cut_back(data, chunk_store->n_chunks * chunk_store->slot_bytes);
    }
    xta__file_exact_end(&data->exact_fd);
    xta__file_close(&data->file);
}

xta_status xta__data_file_next_used(xta__chunk_store *chunk_store, uint64_t address, uint64_t *used,
                                    xta_error *err)
{
    xta__data_file *data = (xta__data_file *)chunk_store;
    uint64_t limit = chunk_store->n_chunks * chunk_store->slot_bytes, begin = 0, end = 0;

    xta_status status = xta__file_next_data(&data->file, address * chunk_store->slot_bytes, limit,
                                            &begin, &end, err);
    *used =
        status == XTA_OK && begin < limit ? begin / chunk_store->slot_bytes : chunk_store->n_chunks;
    return status;
}

bool xta__data_file_reaches(const xta__data_file *data, uint64_t bytes)
{
    uint64_t length = 0;
    xta_error ignored = {0};

    return xta__file_sizes(&data->file, &length, NULL, &ignored) == XTA_OK && bytes <= length;
}
