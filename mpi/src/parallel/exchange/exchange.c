/* Moving the cells of chunks that several ranks need: each chunk is moved by the rank that owns it.
 *
 * An owner goes through its domain of the file window by window. In a write it receives from each
 * member the cells that the member has in the window, puts them into the image of its chunks, and
 * writes exactly the rows that it was given, joined where they touch. In a read it reads once
 * whatever any member needs, and sends each member its cells. A member goes through its shared
 * chunks window by window as well, and within a window owner by owner. Both sides compute from the
 * same claim which message comes next and how long it is, so nothing is sent but cells.
 *
 * Each rank has at most one message in progress as an owner, and one as a member. There is no
 * deadlock: messages are ordered by (window, owner, member), and owners and members both keep to
 * that order, so both ends of the first unfinished message are waiting for it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/exchange/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "parallel/exchange/chunk_bytes.h"
#include "private/transfer.h"
#include "util/vector.h"

/* A chunk that this rank shares. */
typedef struct item {
    uint64_t window;
    /* within a window this also sorts by owner, since domains follow each other */
    uint64_t address;
} item;

typedef struct exchange {
    xta__sharing *sharing;
    const xta__share_of_call *part;
    xta__mpi_chunks *chunks;
    xta_status status; /* the failure to report at the end */
    xta_error *err;
    /* as a member */
    xta__dense_pieces *parts;
    item *items;
    size_t n_items, begin, end; /* from `begin` to `end`: the message being moved */
    /* as an owner */
    uint64_t *addresses; /* shared chunks of the domain, ascending */
    size_t n_addresses;
    size_t next_address; /* the first one after the window */
    int member;          /* the member whose message is being moved */
    uint64_t domain;     /* number of this rank's domain; n_owners: it owns none */
} exchange;

enum { OWNER = 0, MEMBER = 1, HALVES = 2 };

/* ---- which chunks ---- */

static int by_window(const void *a, const void *b)
{
    const item *x = a, *y = b;

    if (x->window != y->window) {
        return x->window < y->window ? -1 : 1;
    }
    return x->address < y->address ? -1 : x->address > y->address;
}

static int by_address(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static uint64_t address_of(const exchange *x, const int64_t chunk[])
{
    return xta__address(x->part->p->array, x->part->structure, chunk);
}

static xta_status no_memory(const exchange *x, xta_error *err)
{
    return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for the chunks that ranks share",
                     x->part->p->array->path);
}

/* All shared chunks of this rank. */
static xta_status list_items(exchange *x, xta_error *err)
{
    const xta_box *chunks = &x->part->region.chunks;
    int64_t chunk[XTA_MAX_NDIM];
    size_t capacity = 0;

    if (x->part->nothing || !x->sharing->any) {
        return XTA_OK;
    }
    memcpy(chunk, chunks->lo, sizeof chunk);
    do {
        if (!xta__sharing_has(x->sharing, chunk)) {
            continue;
        }
        if (!XTA__RESERVE(x->items, capacity, x->n_items + 1)) {
            return no_memory(x, err);
        }
        uint64_t address = address_of(x, chunk);
        x->items[x->n_items++] = (item){xta__domain_window(&x->sharing->domains, address), address};
    } while (xta__next_of_box(chunks, chunk));
    qsort(x->items, x->n_items, sizeof x->items[0], by_window);
    return XTA_OK;
}

/* Sort the addresses, and keep each once. */
static void sort_addresses(exchange *x)
{
    size_t n = 0;

    if (x->n_addresses > 1) {
        qsort(x->addresses, x->n_addresses, sizeof x->addresses[0], by_address);
    }
    for (size_t k = 0; k < x->n_addresses; k++) {
        if (n == 0 || x->addresses[n - 1] != x->addresses[k]) {
            x->addresses[n++] = x->addresses[k];
        }
    }
    x->n_addresses = n;
}

/* The cells of one member in a chunk of this rank's domain. */
static uint64_t cells_of(const exchange *x, int member, const int64_t chunk[], xta_box *cells)
{
    const xta__member *m = &x->sharing->members[member];

    return xta__shared_cells(&m->shared, &m->region, x->part->direction, chunk, cells);
}

/* The number of chunks in the shared boxes of all members, each box counted by itself; at most
 * `most`. */
static uint64_t chunks_named(const exchange *x, uint64_t most)
{
    uint64_t sum = 0;

    for (int k = 0; k < x->sharing->n_members; k++) {
        const xta__shared *shared = &x->sharing->members[k].shared;
        for (int i = 0; i < shared->n; i++) {
            uint64_t n = 0;
            if (xta_box_cells(&shared->boxes[i], &n) != XTA_OK || n > most - sum) {
                return most;
            }
            sum += n;
        }
    }
    return sum;
}

/* All shared chunks of one member in this rank's domain. */
static void list_member(exchange *x, int member)
{
    const xta__shared *shared = &x->sharing->members[member].shared;
    int64_t chunk[XTA_MAX_NDIM];

    for (int k = 0; k < shared->n; k++) {
        memcpy(chunk, shared->boxes[k].lo, sizeof chunk);
        do {
            // A box may be the hull of several, so it may have chunks that are not this member's.
            uint64_t address = address_of(x, chunk);
            if ((uint64_t)xta__domain_of(&x->sharing->domains, address) == x->domain &&
                cells_of(x, member, chunk, NULL) > 0) {
                x->addresses[x->n_addresses++] = address;
            }
        } while (xta__next_of_box(&shared->boxes[k], chunk));
    }
}

/* All shared chunks in a range of addresses, found address by address. */
static void list_domain(exchange *x, uint64_t first, uint64_t end)
{
    int64_t chunk[XTA_MAX_NDIM];

    for (uint64_t address = first; address < end; address++) {
        bool any = false;
        xta__mapping_inverse(&x->part->structure->mapping, address, chunk);
        for (int k = 0; k < x->sharing->n_members && !any; k++) {
            any = cells_of(x, k, chunk, NULL) > 0;
        }
        if (any) {
            x->addresses[x->n_addresses++] = address;
        }
    }
}

/* All shared chunks of this rank's domain. Many ranks may name the same chunks, and boxes may be
 * larger than the domain, but neither memory nor time exceeds that for the whole domain. */
static xta_status list_addresses(exchange *x, xta_error *err)
{
    const xta__domains *domains = &x->sharing->domains;
    uint64_t n_chunks = x->part->structure->mapping.n_chunks;

    if (x->sharing->n_members == 0) {
        return XTA_OK;
    }
    uint64_t first = domains->first + x->domain * domains->span;
    uint64_t end = first + domains->span;
    first = first >= n_chunks ? 0 : first; // the domain begins before address 0
    end = end > n_chunks ? n_chunks : end;
    uint64_t named = chunks_named(x, end - first);
    if (named == 0) {
        return XTA_OK;
    }
    x->addresses = xta__realloc_array(NULL, (size_t)named, sizeof x->addresses[0]);
    if (x->addresses == NULL) {
        return no_memory(x, err);
    }
    if (named == end - first) {
        list_domain(x, first, end);
        return XTA_OK;
    }
    for (int k = 0; k < x->sharing->n_members; k++) {
        list_member(x, k);
    }
    sort_addresses(x);
    return XTA_OK;
}

/* ---- messages ---- */

/* Move the cells that a member has in the window between its message and the image: pack them in a
 * read, unpack them in a write. *n_bytes becomes the length of the message; if `image` is false,
 * nothing else is done. */
static void move_message(exchange *x, bool image, size_t *n_bytes)
{
    const xta__member *m = &x->sharing->members[x->member];
    const xta__round *round = &x->part->p->round;
    xta_array *array = x->part->p->array;
    uint8_t *message = x->part->p->messages[OWNER];
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    int64_t chunk[XTA_MAX_NDIM];
    xta_box cells;

    options.step = m->region.step;
    *n_bytes = 0;
    for (size_t k = 0; k < round->n; k++) {
        xta__mapping_inverse(&x->part->structure->mapping, round->addresses[k], chunk);
        uint64_t n = cells_of(x, x->member, chunk, &cells);
        if (n > 0 && image && x->status == XTA_OK) {
            x->status = xta__transfer_box_piece(array, &cells, &options, x->part->direction,
                                                message + *n_bytes, 0, NULL, NULL, x->err);
        }
        *n_bytes += (size_t)n * array->cell_bytes;
    }
}

/* ---- the owner's half ---- */

/* The bytes of a chunk that any member needs, from the first to the last of them. */
static void bytes_wanted(const exchange *x, const int64_t chunk[], size_t *begin, size_t *end)
{
    *begin = SIZE_MAX;
    *end = 0;
    for (int k = 0; k < x->sharing->n_members; k++) {
        xta_box cells;
        size_t b, e;
        if (cells_of(x, k, chunk, &cells) == 0) {
            continue;
        }
        xta__bytes_of_chunk(x->part->p->array, &cells, chunk, &b, &e);
        *begin = b < *begin ? b : *begin;
        *end = e > *end ? e : *end;
    }
}

static void read_window(exchange *x)
{
    xta__round *round = &x->part->p->round;
    int64_t chunk[XTA_MAX_NDIM];
    xta_error *err = x->err;

    for (size_t k = 0; k < round->n; k++) {
        size_t begin, end;
        xta__mapping_inverse(&x->part->structure->mapping, round->addresses[k], chunk);
        bytes_wanted(x, chunk, &begin, &end);
        xta__round_request(x->chunks, round, k, begin, end);
    }
    if (x->status == XTA_OK) {
        x->status = round->failed ? no_memory(x, err) : xta__read_pieces(x->chunks, round, err);
    }
}

/* Go to the next window: find its chunks and, in a read, read their bytes. False at the end of the
 * domain. */
static bool begin_window(exchange *x)
{
    xta__round *round = &x->part->p->round;
    const xta__domains *domains = &x->sharing->domains;
    size_t first = x->next_address;

    if (first == x->n_addresses) {
        return false;
    }
    uint64_t window = xta__domain_window(domains, x->addresses[first]);
    while (x->next_address < x->n_addresses &&
           xta__domain_window(domains, x->addresses[x->next_address]) == window) {
        x->next_address++;
    }
    round->n = x->next_address - first;
    round->n_pieces = 0;
    memcpy(round->addresses, x->addresses + first, round->n * sizeof round->addresses[0]);
    xta__mpi_chunks_use(x->chunks, round, x->part->direction == XTA__WRITE);
    x->member = 0;
    if (x->part->direction == XTA__READ) {
        read_window(x);
    }
    return true;
}

static void end_window(exchange *x)
{
    xta__round *round = &x->part->p->round;

    if (x->part->direction == XTA__WRITE && x->status == XTA_OK) {
        x->status =
            round->failed ? no_memory(x, x->err) : xta__write_pieces(x->chunks, round, x->err);
    }
}

/* Send or wait for the next message; false when there are no more. */
static bool owner_start(exchange *x, MPI_Request *request)
{
    const xta_parallel *p = x->part->p;
    const xta__sharing *s = x->sharing;
    bool reading = x->part->direction == XTA__READ;
    size_t n = 0;

    for (;; x->member++) {
        while (x->member == s->n_members) {
            end_window(x);
            if (!begin_window(x)) {
                return false;
            }
        }
        move_message(x, false, &n);
        if (n > 0) {
            break;
        }
    }
    if (reading) {
        move_message(x, true, &n);
        MPI_Isend(p->messages[OWNER], (int)n, MPI_BYTE, s->members[x->member].rank, XTA__TAG_CELLS,
                  p->comm, request);
    } else {
        // NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): as in member_start
        MPI_Irecv(p->messages[OWNER], (int)n, MPI_BYTE, s->members[x->member].rank, XTA__TAG_CELLS,
                  p->comm, request);
    }
    return true;
}

static void owner_finish(exchange *x)
{
    size_t n = 0;

    if (x->part->direction == XTA__WRITE) {
        move_message(x, true, &n);
    }
    x->member++;
}

/* ---- the member's half ---- */

/* Move cells between this rank's memory and its message. *n_bytes becomes the length of the
 * message. */
static void move_items(exchange *x, bool move, size_t *n_bytes)
{
    const xta__share_of_call *part = x->part;
    int64_t chunk[XTA_MAX_NDIM];

    *n_bytes = 0;
    for (size_t k = x->begin; k < x->end; k++) {
        bool whole = false;
        xta__mapping_inverse(&part->structure->mapping, x->items[k].address, chunk);
        size_t n = (size_t)xta__cells_in(&part->region, chunk, &whole, NULL);
        if (move && x->status == XTA_OK) {
            x->status = xta__dense_pieces_move(x->parts, chunk,
                                               part->p->messages[MEMBER] + *n_bytes, &n, x->err);
        } else {
            n *= part->p->array->cell_bytes;
        }
        *n_bytes += n;
    }
}

static bool member_start(exchange *x, MPI_Request *request)
{
    const xta_parallel *p = x->part->p;
    const xta__domains *domains = &x->sharing->domains;
    bool writing = x->part->direction == XTA__WRITE;
    size_t n = 0;

    x->begin = x->end;
    if (x->begin == x->n_items) {
        return false;
    }
    const item *first = &x->items[x->begin];
    int owner = xta__domain_of(domains, first->address), rank = xta__domain_rank(domains, owner);
    while (x->end < x->n_items && x->items[x->end].window == first->window &&
           xta__domain_of(domains, x->items[x->end].address) == owner) {
        x->end++;
    }
    // A failure is reported at the end; until then messages keep their lengths.
    move_items(x, false, &n);
    if (writing) {
        size_t moved = 0;
        move_items(x, true, &moved);
        MPI_Isend(p->messages[MEMBER], (int)n, MPI_BYTE, rank, XTA__TAG_CELLS, p->comm, request);
    } else {
        // The analyzer does not know MPI_Waitany, by which exchange_run waits for every request.
        // NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker)
        MPI_Irecv(p->messages[MEMBER], (int)n, MPI_BYTE, rank, XTA__TAG_CELLS, p->comm, request);
    }
    return true;
}

static void member_finish(exchange *x)
{
    size_t n = 0;

    if (x->part->direction == XTA__READ) {
        move_items(x, true, &n);
    }
}

/* ---- the whole exchange ---- */

static void exchange_run(exchange *x)
{
    MPI_Request requests[HALVES] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    bool going[HALVES] = {true, true};

    for (;;) {
        if (going[OWNER] && requests[OWNER] == MPI_REQUEST_NULL) {
            going[OWNER] = owner_start(x, &requests[OWNER]);
        }
        if (going[MEMBER] && requests[MEMBER] == MPI_REQUEST_NULL) {
            going[MEMBER] = member_start(x, &requests[MEMBER]);
        }
        if (!going[OWNER] && !going[MEMBER]) {
            // NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker)
            return;
        }
        int which = MPI_UNDEFINED;
        MPI_Waitany(HALVES, requests, &which, MPI_STATUS_IGNORE);
        if (which == OWNER) {
            owner_finish(x);
        } else if (which == MEMBER) {
            member_finish(x);
        }
    }
}

/* Allocate everything before any rank sends. */
static xta_status exchange_prepare(exchange *x, xta_error *err)
{
    xta__sharing *s = x->sharing;
    const xta__share_of_call *part = x->part;
    xta_parallel *p = part->p;
    xta_status status = list_items(x, err);

    status = status == XTA_OK ? list_addresses(x, err) : status;
    if (status == XTA_OK && (x->n_items > 0 || x->n_addresses > 0)) {
        size_t bytes = (size_t)(s->domains.window * p->array->chunk_store->slot_bytes);
        size_t chunks = (size_t)s->domains.window;
        status = xta__round_reserve(p->chunks, &p->round, chunks, err);
        for (int k = 0; k < HALVES && status == XTA_OK; k++) {
            if (p->messages[k] == NULL) {
                p->messages[k] = xta__memory_of_huge_pages(bytes);
            }
            status = p->messages[k] != NULL ? XTA_OK : no_memory(x, err);
        }
    }
    if (status == XTA_OK && x->n_items > 0) {
        status = xta__dense_pieces_new(p->array, &part->box, &part->options, part->direction,
                                       part->memory, &x->parts, err);
    }
    return status;
}

xta_status xta__move_shared(xta__sharing *sharing, xta_status status, xta_error *err)
{
    const xta__share_of_call *part = sharing->part;
    xta_parallel *p = part->p;
    exchange x = {.sharing = sharing,
                  .part = part,
                  .chunks = p->chunks,
                  .err = err,
                  .member = sharing->n_members,
                  .domain = (uint64_t)xta__domain_of_rank(&sharing->domains, p->rank)};

    status = status == XTA_OK ? exchange_prepare(&x, err) : status;
    x.status = xta_agree(p->comm, status, err);
    if (x.status == XTA_OK) {
        p->round.n = p->round.n_pieces = 0;
        p->round.failed = false;
        exchange_run(&x);
    }
    xta__mpi_chunks_use(p->chunks, NULL, false);
    xta__dense_pieces_free(x.parts);
    free(x.items);
    free(x.addresses);
    return x.status;
}
