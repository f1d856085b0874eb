/* A holder of chunks in a file behind MPI-IO: what the engine sees of it.
 *
 * A call reads its chunks in rounds: the bytes it needs are fetched first, run by run, and then the
 * engine finds the chunks in memory. What it writes goes out at once where it lies together (whole
 * chunks, long rows), and is collected for one collective operation where it does not. Nothing but
 * the cells of the call is ever written: the rest of a chunk may be another rank's.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/parallel.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 30)   /* of one operation: counts are ints */
#define MOST_BITS  ((uint64_t)1 << 26) /* of slots that are remembered: 8 MiB */

/* A chunk outside a round: its bytes, and which of them were changed. */
typedef struct loose {
    uint64_t address;
    xta__round changed;
    uint8_t bytes[];
} loose;

/* ---- a full disk ---- */

/* Why a write failed. Neither MPI has a class for a full disk that one could rely on: Open MPI 4.1
 * says that all went well and nothing was written, MPICH speaks of another error. Whoever asks the
 * system for the space is told. */
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

static bool is_reserved(const xta__mpi_chunks *chunks, uint64_t slot)
{
    return slot < chunks->reserved_slots && (chunks->reserved[slot / 8] >> slot % 8 & 1) != 0;
}

/* Remember that slots first .. end have space. What is not remembered is reserved again, which is
 * slow but right. */
static void remember_slots(xta__mpi_chunks *chunks, uint64_t first, uint64_t end)
{
    if (end > chunks->reserved_slots && end <= MOST_BITS) {
        uint64_t room = end + end / 2;
        size_t old = chunks->reserved != NULL ? (size_t)(chunks->reserved_slots / 8 + 1) : 0;
        size_t bytes = (size_t)(room / 8 + 1);
        uint8_t *more = xta__realloc_array(chunks->reserved, bytes, 1);
        if (more != NULL) {
            memset(more + old, 0, bytes - old);
            chunks->reserved = more;
            chunks->reserved_slots = room;
        }
    }
    for (; first < end && first < chunks->reserved_slots; first++) {
        chunks->reserved[first / 8] |= (uint8_t)(1u << first % 8);
    }
}

/* Slots first .. end get space. */
static xta_status reserve_slots(xta__mpi_chunks *chunks, uint64_t first, uint64_t end,
                                xta_error *err)
{
    uint64_t slot_bytes = chunks->holder.slot_bytes;
    bool done = false;
    xta_status status = XTA_OK;

    while (first < end && is_reserved(chunks, first)) {
        first++;
    }
    if (first < end) {
        status = xta__file_reserve(&chunks->plain, first * slot_bytes, (end - first) * slot_bytes,
                                   &done, err);
        if (status == XTA_OK) {
            remember_slots(chunks, first, end);
        }
    }
    return status;
}

/* In a collective write the process that finds the disk full need not be the one whose cells are
 * lost, and Open MPI 4.1 tells neither. So every rank has the space of its own pieces, which
 * ascend, before it lets go of them; where the file system knows no reservations, MPI has the
 * word. */
static xta_status reserve_pieces(xta__mpi_chunks *chunks, const xta__round *round, xta_error *err)
{
    uint64_t slot_bytes = chunks->holder.slot_bytes, first = 0, end = 0;
    xta_status status = XTA_OK;

    for (size_t k = 0; k < round->n_pieces && status == XTA_OK; k++) {
        const xta__piece *piece = &round->pieces[k];
        uint64_t begin = piece->offset / slot_bytes;
        if (begin > end) {
            status = reserve_slots(chunks, first, end, err);
            first = begin;
        }
        end = (piece->offset + piece->n - 1) / slot_bytes + 1;
    }
    return status == XTA_OK ? reserve_slots(chunks, first, end, err) : status;
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

/* What lies behind the end of the file is zero. */
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

void xta__round_add(xta__round *round, uint64_t offset, uint8_t *bytes, size_t n)
{
    xta__piece *last = round->n_pieces > 0 ? &round->pieces[round->n_pieces - 1] : NULL;

    if (last != NULL && last->offset + last->n == offset && last->bytes + last->n == bytes &&
        last->n + n <= MOST_BYTES) {
        last->n += n;
        return;
    }
    for (; n > MOST_BYTES; offset += MOST_BYTES, bytes += MOST_BYTES, n -= MOST_BYTES) {
        xta__round_add(round, offset, bytes, MOST_BYTES);
    }
    if (round->n_pieces == round->pieces_room) {
        size_t room = 2 * round->pieces_room + 64;
        xta__piece *more = xta__realloc_array(round->pieces, room, sizeof more[0]);
        if (more == NULL) {
            round->failed = true;
            return;
        }
        round->pieces = more;
        round->pieces_room = room;
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

xta_status xta__read_pieces(xta__mpi_chunks *chunks, const xta__round *round, xta_error *err)
{
    xta_status status = XTA_OK;

    for (size_t k = 0; k < round->n_pieces && status == XTA_OK; k++) {
        const xta__piece *piece = &round->pieces[k];
        status = read_bytes(chunks, piece->offset, piece->bytes, piece->n, err);
    }
    return status;
}

/* The place of a chunk in the buffer of the round; NULL if it is none of its chunks. */
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
               ? round->buffer + low * (size_t)chunks->holder.slot_bytes
               : NULL;
}

/* ---- the offer ---- */

static xta_status take_loose(xta__mpi_chunks *chunks, uint64_t address, xta__pin *pin,
                             xta_error *err)
{
    loose *l = xta__calloc(1, sizeof *l + (size_t)chunks->holder.chunk_bytes);

    if (l == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a chunk of %llu bytes",
                         chunks->path, (unsigned long long)chunks->holder.chunk_bytes);
    }
    l->address = address;
    pin->token = l;
    pin->bytes = l->bytes;
    return XTA_OK;
}

static xta_status mpi_pin_read(xta__holder *holder, uint64_t address, xta__pin *pin, xta_error *err)
{
    xta__mpi_chunks *chunks = (xta__mpi_chunks *)holder;

    pin->token = NULL;
    pin->writing = false;
    pin->bytes = chunks->round != NULL ? place_of(chunks, address) : NULL;
    if (pin->bytes != NULL) {
        return XTA_OK;
    }
    xta_status status = take_loose(chunks, address, pin, err);
    if (status == XTA_OK) {
        status = read_bytes(chunks, address * holder->slot_bytes, pin->bytes,
                            (size_t)holder->chunk_bytes, err);
        if (status != XTA_OK) {
            free(pin->token);
        }
    }
    return status;
}

static xta_status mpi_pin_write(xta__holder *holder, uint64_t address, bool whole, xta__pin *pin,
                                xta_error *err)
{
    xta__mpi_chunks *chunks = (xta__mpi_chunks *)holder;

    pin->writing = true;
    if (chunks->round == NULL) {
        return take_loose(chunks, address, pin, err);
    }
    pin->bytes = place_of(chunks, address);
    pin->token = NULL;
    if (whole) {
        xta__round_add(chunks->round, address * holder->slot_bytes, pin->bytes,
                       (size_t)holder->chunk_bytes);
        // Then marks say nothing new.
        pin->writing = false;
    }
    return XTA_OK;
}

static void mpi_mark(xta__holder *holder, xta__pin *pin, const xta__byte_runs *changed)
{
    xta__mpi_chunks *chunks = (xta__mpi_chunks *)holder;
    loose *l = pin->token;
    xta__round *round = l != NULL ? &l->changed : chunks->round;
    size_t index[XTA_MAX_NDIM] = {0}, at = changed->offset;

    if (l == NULL && !pin->writing) {
        return;
    }
    uint64_t address =
        l != NULL ? l->address
                  : round->addresses[(size_t)(pin->bytes - round->buffer) / holder->slot_bytes];
    do {
        xta__round_add(round, address * holder->slot_bytes + at, pin->bytes + at, changed->bytes);
    } while (xta__next_run(changed, index, &at));
}

static void mpi_unpin(xta__holder *holder, xta__pin *pin)
{
    xta__mpi_chunks *chunks = (xta__mpi_chunks *)holder;
    loose *l = pin->token;

    if (l == NULL) {
        return;
    }
    for (size_t k = 0; k < l->changed.n_pieces && chunks->failed.status == XTA_OK; k++) {
        const xta__piece *piece = &l->changed.pieces[k];
        // Told at the end of the call: there is no way to say it here.
        (void)!write_bytes(chunks, piece->offset, piece->bytes, piece->n, &chunks->failed);
    }
    if (l->changed.failed && chunks->failed.status == XTA_OK) {
        (void)!xta__fail(&chunks->failed, XTA_ENOMEM, 0, "%s: no memory for a chunk", chunks->path);
    }
    xta__round_clear(&l->changed);
    free(l);
}

static xta_status mpi_write_run(xta__holder *holder, uint64_t address, uint64_t n_chunks,
                                const uint8_t *bytes, xta_error *err)
{
    return write_bytes((xta__mpi_chunks *)holder, address * holder->slot_bytes, bytes,
                       (size_t)(n_chunks * holder->slot_bytes), err);
}

static xta_status mpi_write_part(xta__holder *holder, uint64_t address, size_t offset,
                                 const uint8_t *bytes, size_t n, xta_error *err)
{
    return write_bytes((xta__mpi_chunks *)holder, address * holder->slot_bytes + offset, bytes, n,
                       err);
}

static xta_status mpi_resize(xta__holder *holder, uint64_t n_chunks, xta_error *err)
{
    (void)err;
    holder->n_chunks = n_chunks;
    return XTA_OK;
}

/* Only the keeper gives space back. */
static xta_status mpi_discard(xta__holder *holder, uint64_t address, uint64_t n_chunks,
                              xta_error *err)
{
    (void)address;
    (void)n_chunks;
    return xta__fail(err, XTA_EUNSUPPORTED, 0, "%s: one rank gives no space back",
                     ((xta__mpi_chunks *)holder)->path);
}

static xta_status mpi_next_used(xta__holder *holder, uint64_t address, uint64_t *used,
                                xta_error *err)
{
    (void)err;
    *used = address < holder->n_chunks ? address : holder->n_chunks;
    return XTA_OK;
}

static xta_status mpi_sync(xta__holder *holder, xta_error *err)
{
    (void)holder;
    (void)err;
    return XTA_OK;
}

/* Another process may have given back the space of slots. */
static xta_status mpi_refresh(xta__holder *holder, xta_error *err)
{
    xta__mpi_chunks *chunks = (xta__mpi_chunks *)holder;

    (void)err;
    if (chunks->reserved != NULL) {
        memset(chunks->reserved, 0, (size_t)(chunks->reserved_slots / 8 + 1));
    }
    return XTA_OK;
}

static void mpi_free(xta__holder *holder)
{
    xta__mpi_chunks *chunks = (xta__mpi_chunks *)holder;

    xta__file_close(&chunks->plain);
    free(chunks->reserved);
    free(chunks);
}

static const xta__holder_ops direct_ops = {
    .pin_read = mpi_pin_read,
    .pin_write = mpi_pin_write,
    .mark = mpi_mark,
    .unpin = mpi_unpin,
    .write_run = mpi_write_run,
    .write_part = mpi_write_part,
    .resize = mpi_resize,
    .discard = mpi_discard,
    .next_used = mpi_next_used,
    .refresh = mpi_refresh,
    .sync = mpi_sync,
    .free = mpi_free,
};

/* The same, but whatever is written passes through the chunks of the round. */
static const xta__holder_ops collecting_ops = {
    .pin_read = mpi_pin_read,
    .pin_write = mpi_pin_write,
    .mark = mpi_mark,
    .unpin = mpi_unpin,
    .resize = mpi_resize,
    .discard = mpi_discard,
    .next_used = mpi_next_used,
    .refresh = mpi_refresh,
    .sync = mpi_sync,
    .free = mpi_free,
};

void xta__mpi_chunks_use(xta__mpi_chunks *chunks, xta__round *round, bool collects)
{
    chunks->round = round;
    chunks->holder.ops = collects ? &collecting_ops : &direct_ops;
}

/* Open the file for good, and as often as MPI will do it once more: what could fail there should
 * fail here, before anybody enters a collective call that would then hang. */
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
    // MPI may know no threads, and a round is one call's.
    chunks->holder = (xta__holder){.ops = &direct_ops,
                                   .slot_bytes = constants->slot_bytes,
                                   .chunk_bytes = chunk_bytes,
                                   .one_thread = true};
    chunks->file = MPI_FILE_NULL;
    chunks->path = path.name;
    chunks->at = path.at;
    return open_plain(chunks, writable, uuid, constants, err);
}

/* ---- all ranks at once ---- */

static int by_offset(const void *a, const void *b)
{
    const xta__piece *x = a, *y = b;

    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Offsets of a view must ascend. */
static void sort_pieces(xta__round *round)
{
    for (size_t k = 1; k < round->n_pieces; k++) {
        if (round->pieces[k].offset < round->pieces[k - 1].offset) {
            qsort(round->pieces, round->n_pieces, sizeof round->pieces[0], by_offset);
            return;
        }
    }
}

/* The pieces as a type for memory and one for the file. */
static xta_status make_types(const char *path, const xta__round *round, MPI_Datatype *memory,
                             MPI_Datatype *file, xta_error *err)
{
    int n = (int)round->n_pieces;
    int *lengths = xta__calloc(round->n_pieces + 1, sizeof lengths[0]);
    MPI_Aint *places = xta__calloc(round->n_pieces + 1, sizeof places[0]);
    MPI_Aint *offsets = xta__calloc(round->n_pieces + 1, sizeof offsets[0]);
    xta_status status = XTA_OK;

    if (lengths == NULL || places == NULL || offsets == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for %d pieces", path, n));
    }
    for (int k = 0; k < n; k++) {
        lengths[k] = (int)round->pieces[k].n;
        places[k] = (MPI_Aint)(round->pieces[k].bytes - round->buffer);
        offsets[k] = (MPI_Aint)round->pieces[k].offset;
    }
    MPI_Type_create_hindexed(n, lengths, places, MPI_BYTE, memory);
    MPI_Type_create_hindexed(n, lengths, offsets, MPI_BYTE, file);
    MPI_Type_commit(memory);
    MPI_Type_commit(file);

done:
    free(lengths);
    free(places);
    free(offsets);
    return status;
}

xta_status xta__write_pieces_all(xta__mpi_chunks *chunks, MPI_File file, xta__round *round,
                                 xta_status status, xta_error *err)
{
    MPI_Datatype memory_type = MPI_BYTE, file_type = MPI_BYTE;
    bool typed = false;
    const char *path = chunks->path;

    sort_pieces(round);
    if (status == XTA_OK && round->n_pieces > 0) {
        status = reserve_pieces(chunks, round, err);
    }
    if (status == XTA_OK && round->n_pieces > 0) {
        status = make_types(path, round, &memory_type, &file_type, err);
        typed = status == XTA_OK;
    }
    int code = MPI_File_set_view(file, (MPI_Offset)chunks->plain.origin, MPI_BYTE, file_type,
                                 "native", MPI_INFO_NULL);
    if (code != MPI_SUCCESS && status == XTA_OK) {
        status = xta__mpi_failed(err, path, "set a view of the file", code);
    }
    code = MPI_File_write_at_all(file, 0, round->buffer, typed ? 1 : 0, memory_type,
                                 MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS && status == XTA_OK) {
        status = xta__mpi_failed(err, path, "write cells", code);
    }
    if (typed) {
        MPI_Type_free(&memory_type);
        MPI_Type_free(&file_type);
    }
    return status;
}
