/* A chunk store in a file accessed by MPI-IO, as the engine sees it.
 *
 * A call reads its chunks in rounds: the bytes it needs are fetched first, run by run, and then the
 * engine finds the chunks in memory. What it writes goes out row by row; in a round, writes are
 * collected in its chunks first, so that rows of several ranks can be joined. Only the cells of the
 * call are ever written, since the rest of a chunk may belong to another rank.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/chunks/mpi_chunks.h"

#include <stdlib.h>
#include <string.h>

#include "parallel/agree/agree.h"
#include "util/vector.h"

#define MOST_BYTES ((size_t)1 << 30)    /* of one operation: MPI counts are ints */
#define GAP_BYTES  ((uint64_t)64 << 10) /* a gap that costs less to read than another read */

/* ---- a full disk ---- */

/* Find out why a write failed. Neither MPI reports a full disk reliably: Open MPI 4.1 reports
 * success with nothing written, MPICH another error. So the system is asked to reserve the space,
 * and its answer is the reason. */
static xta_status write_failed(const xta__mpi_chunks *chunks, uint64_t offset, size_t n, int code,
                               xta_error *err)
{
    bool done = false;
    xta_status status = xta__file_reserve(&chunks->plain, offset, n, &done, err);

    if (status != XTA_OK) {
        return status;
    }
    return code != MPI_SUCCESS
               ? xta__mpi_failed(err, chunks->path, "write cells", code)
               : xta__fail(err, XTA_ENOSPC, 0,
                           "%s: nothing more can be written; make room and try again",
                           chunks->path);
}

/* ---- plain offsets ---- */

/* Where byte `offset` of the cells lies in the file. */
static MPI_Offset place(const xta__mpi_chunks *chunks, uint64_t offset)
{
    uint64_t at = chunks->plain.origin + offset;

    return (MPI_Offset)at;
}

static xta_status write_bytes(xta__mpi_chunks *chunks, uint64_t offset, const uint8_t *bytes,
                              size_t n, xta_error *err)
{
    while (n > 0) {
        size_t part = n < MOST_BYTES ? n : MOST_BYTES;
        MPI_Status got;
        int count = 0;
        int code = MPI_File_write_at(chunks->file, place(chunks, offset), bytes, (int)part,
                                     MPI_BYTE, &got);
        if (code == MPI_SUCCESS) {
            MPI_Get_count(&got, MPI_BYTE, &count);
        }
        if (count <= 0) {
            return write_failed(chunks, offset, part, code, err);
        }
        offset += (uint64_t)count;
        bytes += count;
        n -= (size_t)count;
    }
    return XTA_OK;
}

/* Bytes beyond the end of the file are zero. */
static xta_status read_bytes(xta__mpi_chunks *chunks, uint64_t offset, uint8_t *bytes, size_t n,
                             xta_error *err)
{
    while (n > 0) {
        size_t part = n < MOST_BYTES ? n : MOST_BYTES;
        MPI_Status got;
        int count = 0;
        int code =
            MPI_File_read_at(chunks->file, place(chunks, offset), bytes, (int)part, MPI_BYTE, &got);
        if (code != MPI_SUCCESS) {
            return xta__mpi_failed(err, chunks->path, "read cells", code);
        }
        MPI_Get_count(&got, MPI_BYTE, &count);
        if (count <= 0) {
            memset(bytes, 0, n);
            return XTA_OK;
        }
        offset += (uint64_t)count;
        bytes += count;
        n -= (size_t)count;
    }
    return XTA_OK;
}

/* ---- rounds ---- */

/* Add bytes to read or write. They are joined with the previous piece if they continue it and the
 * result does not exceed an MPI count. */
static void add_to_round(xta__round *round, uint64_t offset, uint8_t *bytes, size_t n)
{
    xta__piece *last = round->n_pieces > 0 ? &round->pieces[round->n_pieces - 1] : NULL;

    if (last != NULL && last->offset + last->n == offset && last->bytes + last->n == bytes &&
        last->n + n <= MOST_BYTES) {
        last->n += n;
        return;
    }
    for (; n > MOST_BYTES; offset += MOST_BYTES, bytes += MOST_BYTES, n -= MOST_BYTES) {
        add_to_round(round, offset, bytes, MOST_BYTES);
    }
    if (!XTA__RESERVE(round->pieces, round->pieces_capacity, round->n_pieces + 1)) {
        round->failed = true;
        return;
    }
    round->pieces[round->n_pieces++] = (xta__piece){offset, bytes, n};
}

void xta__round_clear(xta__round *round)
{
    free(round->addresses);
    free(round->buffer);
    free(round->pieces);
    *round = (xta__round){0};
}

xta_status xta__round_reserve(const xta__mpi_chunks *chunks, xta__round *round, size_t n,
                              xta_error *err)
{
    size_t slot = (size_t)chunks->chunk_store.slot_bytes;

    if (n > SIZE_MAX / slot) {
        return xta__fail(err, XTA_EOVERFLOW, 0, "%s: too many chunks at once", chunks->path);
    }
    if (n > round->addresses_capacity) {
        free(round->addresses);
        round->addresses = xta__calloc(n, sizeof round->addresses[0]);
        round->addresses_capacity = round->addresses != NULL ? n : 0;
    }
    if (n * slot > round->buffer_capacity) {
        free(round->buffer);
        round->buffer = xta__memory_of_huge_pages(n * slot);
        round->buffer_capacity = round->buffer != NULL ? n * slot : 0;
    }
    if (round->addresses == NULL || round->buffer == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for %zu chunks of %zu bytes",
                         chunks->path, n, slot);
    }
    return XTA_OK;
}

void xta__round_request(const xta__mpi_chunks *chunks, xta__round *round, size_t k, size_t begin,
                        size_t end)
{
    uint64_t slot = chunks->chunk_store.slot_bytes, offset = round->addresses[k] * slot + begin;
    uint8_t *bytes = round->buffer + k * (size_t)slot + begin;
    xta__piece *last = round->n_pieces > 0 ? &round->pieces[round->n_pieces - 1] : NULL;

    if (begin >= end) {
        return;
    }
    if (last != NULL && offset - (last->offset + last->n) <= GAP_BYTES &&
        (size_t)(bytes - last->bytes) == offset - last->offset) {
        last->n = (size_t)(offset - last->offset) + (end - begin);
        return;
    }
    add_to_round(round, offset, bytes, end - begin);
}

static int by_offset(const void *a, const void *b)
{
    const xta__piece *x = a, *y = b;

    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Sort the pieces by offset, and join those that touch or overlap. */
static void join_pieces(xta__round *round)
{
    size_t n = 0, k = 1;

    while (k < round->n_pieces && round->pieces[k].offset >= round->pieces[k - 1].offset) {
        k++;
    }
    if (k < round->n_pieces) {
        qsort(round->pieces, round->n_pieces, sizeof round->pieces[0], by_offset);
    }
    for (k = 0; k < round->n_pieces; k++) {
        xta__piece *last = n > 0 ? &round->pieces[n - 1] : NULL, *piece = &round->pieces[k];
        uint64_t end = piece->offset + piece->n;
        if (last == NULL || piece->offset > last->offset + last->n ||
            (uint64_t)(piece->bytes - last->bytes) != piece->offset - last->offset) {
            round->pieces[n++] = *piece;
        } else if (end > last->offset + last->n) {
            last->n = (size_t)(end - last->offset);
        }
    }
    round->n_pieces = n;
}

xta_status xta__write_pieces(xta__mpi_chunks *chunks, xta__round *round, xta_error *err)
{
    xta_status status = XTA_OK;

    join_pieces(round);
    for (size_t k = 0; k < round->n_pieces && status == XTA_OK; k++) {
        const xta__piece *piece = &round->pieces[k];
        status = write_bytes(chunks, piece->offset, piece->bytes, piece->n, err);
    }
    return status;
}

xta_status xta__read_pieces(xta__mpi_chunks *chunks, const xta__round *round, xta_error *err)
{
    xta_status status = XTA_OK;

    for (size_t k = 0; k < round->n_pieces && status == XTA_OK; k++) {
        const xta__piece *piece = &round->pieces[k];
        status = read_bytes(chunks, piece->offset, piece->bytes, piece->n, err);
    }
    return status;
}

/* The position of a chunk in the buffer of the round; NULL if the round does not have it. */
static uint8_t *place_of(const xta__mpi_chunks *chunks, uint64_t address)
{
    const xta__round *round = chunks->round;
    size_t low = 0, high = round->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (round->addresses[middle] < address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < round->n && round->addresses[low] == address
               ? round->buffer + low * (size_t)chunks->chunk_store.slot_bytes
               : NULL;
}

/* ---- the functions of the store ---- */

static xta_status mpi_pin_read(xta__chunk_store *chunk_store, uint64_t address, xta__pin *pin,
                               xta_error *err)
{
    xta__mpi_chunks *chunks = (xta__mpi_chunks *)chunk_store;
    size_t n = (size_t)chunk_store->chunk_bytes;

    pin->token = NULL;
    pin->bytes = chunks->round != NULL ? place_of(chunks, address) : NULL;
    if (pin->bytes != NULL) {
        return XTA_OK;
    }
    // Single cells, outside a round.
    pin->token = pin->bytes = xta__calloc(1, n);
    if (pin->bytes == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a chunk of %zu bytes", chunks->path,
                         n);
    }
    xta_status status = read_bytes(chunks, address * chunk_store->slot_bytes, pin->bytes, n, err);
    if (status != XTA_OK) {
        free(pin->token);
    }
    return status;
}

static void mpi_unpin(xta__chunk_store *chunk_store, xta__pin *pin)
{
    (void)chunk_store;
    free(pin->token);
}

/* Collect what is written into a chunk of the round. */
static xta_status round_pin_write(xta__chunk_store *chunk_store, uint64_t address, bool whole,
                                  xta__pin *pin, xta_error *err)
{
    (void)whole;
    (void)err;
    pin->bytes = place_of((xta__mpi_chunks *)chunk_store, address);
    pin->token = NULL;
    return XTA_OK;
}

static void round_mark(xta__chunk_store *chunk_store, xta__pin *pin, const xta__byte_runs *changed)
{
    xta__mpi_chunks *chunks = (xta__mpi_chunks *)chunk_store;
    size_t k = (size_t)(pin->bytes - chunks->round->buffer) / (size_t)chunk_store->slot_bytes;
    uint64_t begin = chunks->round->addresses[k] * chunk_store->slot_bytes;
    size_t index[XTA_MAX_NDIM] = {0}, at = changed->offset;

    do {
        add_to_round(chunks->round, begin + at, pin->bytes + at, changed->bytes);
    } while (xta__next_run(changed, index, &at));
}

static xta_status mpi_write_run(xta__chunk_store *chunk_store, uint64_t address, uint64_t n_chunks,
                                const uint8_t *bytes, xta_error *err)
{
    return write_bytes((xta__mpi_chunks *)chunk_store, address * chunk_store->slot_bytes, bytes,
                       (size_t)(n_chunks * chunk_store->slot_bytes), err);
}

static xta_status mpi_write_part(xta__chunk_store *chunk_store, uint64_t address, size_t offset,
                                 const uint8_t *bytes, size_t n, xta_error *err)
{
    return write_bytes((xta__mpi_chunks *)chunk_store, address * chunk_store->slot_bytes + offset,
                       bytes, n, err);
}

static xta_status mpi_resize(xta__chunk_store *chunk_store, uint64_t n_chunks, xta_error *err)
{
    (void)err;
    chunk_store->n_chunks = n_chunks;
    return XTA_OK;
}

/* Only the root handle gives space back. */
static xta_status mpi_discard(xta__chunk_store *chunk_store, uint64_t address, uint64_t n_chunks,
                              xta_error *err)
{
    (void)address;
    (void)n_chunks;
    return xta__fail(err, XTA_EUNSUPPORTED, 0, "%s: one rank gives no space back",
                     ((xta__mpi_chunks *)chunk_store)->path);
}

static xta_status mpi_next_used(xta__chunk_store *chunk_store, uint64_t address, uint64_t *used,
                                xta_error *err)
{
    (void)err;
    *used = address < chunk_store->n_chunks ? address : chunk_store->n_chunks;
    return XTA_OK;
}

static xta_status mpi_sync(xta__chunk_store *chunk_store, xta_error *err)
{
    (void)chunk_store;
    (void)err;
    return XTA_OK;
}

static void mpi_free(xta__chunk_store *chunk_store)
{
    xta__mpi_chunks *chunks = (xta__mpi_chunks *)chunk_store;

    xta__file_close(&chunks->plain);
    free(chunks);
}

static const xta__chunk_store_ops direct_ops = {
    .pin_read = mpi_pin_read,
    .unpin = mpi_unpin,
    .write_run = mpi_write_run,
    .write_part = mpi_write_part,
    .resize = mpi_resize,
    .discard = mpi_discard,
    .next_used = mpi_next_used,
    .sync = mpi_sync,
    .free = mpi_free,
};

/* The same functions, but writes go into the chunks of the round. */
static const xta__chunk_store_ops collecting_ops = {
    .pin_read = mpi_pin_read,
    .pin_write = round_pin_write,
    .mark = round_mark,
    .unpin = mpi_unpin,
    .resize = mpi_resize,
    .discard = mpi_discard,
    .next_used = mpi_next_used,
    .sync = mpi_sync,
    .free = mpi_free,
};

void xta__mpi_chunks_use(xta__mpi_chunks *chunks, xta__round *round, bool collects)
{
    chunks->round = round;
    chunks->chunk_store.ops = collects ? &collecting_ops : &direct_ops;
}

/* Open the file and keep it open, and try to open it as many more times as MPI will. What would
 * fail there should fail here, before any rank enters a collective call that would then hang. */
static xta_status open_plain(xta__mpi_chunks *chunks, bool writable,
                             const uint8_t uuid[XTA__UUID_BYTES], const xta__constants *constants,
                             xta_error *err)
{
    enum { AS_OFTEN_AS_MPI = 4 }; // Open MPI 4.1, for two handles; MPICH two.
    xta__file_mode mode = writable ? XTA__FILE_WRITE : XTA__FILE_READ;
    xta__file spare[AS_OFTEN_AS_MPI];
    int n = 0;
    const xta__path path = {chunks->at, chunks->path};
    xta_status status = xta__data_file_open(path, mode, uuid, constants, &chunks->plain, err);

    for (; status == XTA_OK && n < AS_OFTEN_AS_MPI; n++) {
        status = xta__file_open_at(path, mode, &spare[n], err);
    }
    while (n > 0) {
        xta__file_close(&spare[--n]);
    }
    return status;
}

xta_status xta__mpi_chunks_new(xta__path path, bool writable, const uint8_t uuid[XTA__UUID_BYTES],
                               const xta__constants *constants, uint64_t chunk_bytes,
                               xta__mpi_chunks **out, xta_error *err)
{
    xta__mpi_chunks *chunks = xta__calloc(1, sizeof *chunks);

    *out = chunks;
    if (chunks == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory", path.name);
    }
    // MPI may not allow threads, and a round belongs to one call.
    chunks->chunk_store = (xta__chunk_store){.ops = &direct_ops,
                                             .slot_bytes = constants->slot_bytes,
                                             .chunk_bytes = chunk_bytes,
                                             .one_thread = true};
    chunks->file = MPI_FILE_NULL;
    chunks->path = path.name;
    chunks->at = path.at;
    return open_plain(chunks, writable, uuid, constants, err);
}
