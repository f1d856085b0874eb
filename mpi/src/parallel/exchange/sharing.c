/* Which chunks several ranks need in one collective call.
 *
 * No rank knows all boxes. The addresses that the call touches are distributed to owners in equal
 * domains. Each rank claims its box with the owners of its chunks (in a write, of those chunks that
 * it has only a part of), and each owner answers which boxes of chunks others claim as well. So a
 * rank learns only of chunks that it may share, and nothing is sent where nothing can be shared.
 *
 * An owner cannot know how many claims it will get. So claims are sent synchronously (MPI_Issend):
 * the sender learns when they have been received, and then enters a non-blocking barrier. A rank
 * that sees the barrier end has received everything.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/exchange/sharing.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "util/vector.h"

#define MOST_SLOT ((uint64_t)1 << 30) /* lengths of messages are ints */

/* Longest message between an owner and a member. */
enum { CLAIM_WORDS = 3 * XTA_MAX_NDIM, ANSWER_WORDS = XTA__MOST_SHARED * 2 * XTA_MAX_NDIM };

/* A claim on its way, and the answer to it. */
typedef struct pending_claim {
    int64_t answer[ANSWER_WORDS];
} pending_claim;

/* ---- arithmetic ---- */

int xta__domain_of(const xta__domains *domains, uint64_t address)
{
    return (int)((address - domains->first) / domains->span);
}

int xta__domain_rank(const xta__domains *domains, int owner)
{
    return (int)((int64_t)owner * domains->n_ranks / domains->n_owners);
}

int xta__domain_of_rank(const xta__domains *domains, int rank)
{
    // The first k with k * n_ranks / n_owners >= rank.
    int64_t k = ((int64_t)rank * domains->n_owners + domains->n_ranks - 1) / domains->n_ranks;

    return k < domains->n_owners && xta__domain_rank(domains, (int)k) == rank ? (int)k
                                                                              : domains->n_owners;
}

uint64_t xta__domain_window(const xta__domains *domains, uint64_t address)
{
    return (address - domains->first) % domains->span / domains->window;
}

uint64_t xta__cells_in(const xta__region *region, const int64_t chunk[], bool *whole,
                       xta_box *cells)
{
    uint64_t n = 1;

    *whole = true;
    for (int axis = 0; axis < region->ndim; axis++) {
        xta__slice slice = xta__region_slice(region, axis, chunk[axis]);
        n *= (uint64_t)slice.count;
        *whole = *whole && slice.count == region->chunk[axis];
        if (cells != NULL && slice.count > 0) {
            cells->ndim = region->ndim;
            cells->lo[axis] = chunk[axis] * region->chunk[axis] + slice.within;
            cells->hi[axis] = cells->lo[axis] + (slice.count - 1) * region->step[axis] + 1;
        }
    }
    return n;
}

static bool contains_chunk(const xta_box *box, const int64_t chunk[])
{
    for (int axis = 0; axis < box->ndim; axis++) {
        if (chunk[axis] < box->lo[axis] || chunk[axis] >= box->hi[axis]) {
            return false;
        }
    }
    return true;
}

uint64_t xta__shared_cells(const xta__shared *shared, const xta__region *region,
                           xta__direction direction, const int64_t chunk[], xta_box *cells)
{
    for (int k = 0; k < shared->n; k++) {
        if (contains_chunk(&shared->boxes[k], chunk)) {
            bool whole = false;
            uint64_t n = xta__cells_in(region, chunk, &whole, cells);
            return direction == XTA__WRITE && whole ? 0 : n;
        }
    }
    return 0;
}

bool xta__next_of_box(const xta_box *chunks, int64_t chunk[])
{
    for (int axis = chunks->ndim - 1; axis >= 0; axis--) {
        if (++chunk[axis] < chunks->hi[axis]) {
            return true;
        }
        chunk[axis] = chunks->lo[axis];
    }
    return false;
}

/* Add a box to those shared; if there are too many, the last becomes the hull of both. */
static void add_shared(xta__shared *shared, const xta_box *box)
{
    for (int k = 0; k < shared->n; k++) {
        if (xta_box_contains(&shared->boxes[k], box)) {
            return;
        }
    }
    if (shared->n < XTA__MOST_SHARED) {
        shared->boxes[shared->n++] = *box;
        return;
    }
    xta_box *last = &shared->boxes[shared->n - 1];
    for (int axis = 0; axis < box->ndim; axis++) {
        last->lo[axis] = box->lo[axis] < last->lo[axis] ? box->lo[axis] : last->lo[axis];
        last->hi[axis] = box->hi[axis] > last->hi[axis] ? box->hi[axis] : last->hi[axis];
    }
}

static uint64_t address_of(const xta__share_of_call *part, const int64_t chunk[])
{
    return xta__address(part->p->array, part->structure, chunk);
}

/* ---- domains ---- */

/* How many addresses the first chunk of the file lies behind a multiple of `per` chunks. */
static uint64_t behind_unit(const xta_array *array, uint64_t slot, uint64_t per)
{
    uint64_t offset = array->state.constants.data_offset;

    return offset % slot == 0 ? offset / slot % per : 0;
}

/* Make the domains by one reduction, which finds the least and the greatest address that any rank
 * has, and the longest stripe that any of them knows. False if there is nothing to move.
 *
 * Domains begin on multiples of a stripe where a chunk begins there, else on the chunk before. */
static bool make_domains(xta__sharing *s)
{
    const xta__share_of_call *part = s->part;
    const xta_parallel *p = part->p;
    uint64_t slot = p->array->chunk_store->slot_bytes, ends[3] = {0, 0, p->unit_bytes};
    int64_t chunk[XTA_MAX_NDIM];

    // One reduction by MPI_MAX finds both ends of the range a to b: of b + 1, and of ~a.
    if (!part->nothing) {
        memcpy(chunk, part->region.chunks.lo, sizeof chunk);
        do {
            uint64_t address = address_of(part, chunk);
            ends[0] = ~address > ends[0] ? ~address : ends[0];
            ends[1] = address + 1 > ends[1] ? address + 1 : ends[1];
        } while (xta__next_of_box(&part->region.chunks, chunk));
    }
    MPI_Allreduce(MPI_IN_PLACE, ends, 3, MPI_UINT64_T, MPI_MAX, p->comm);
    if (ends[1] == 0) {
        return false;
    }
    uint64_t unit = ends[2] > slot ? ends[2] / slot : 1;
    uint64_t behind = behind_unit(p->array, slot, unit);
    // May lie before address 0: only differences modulo 2^64 are used.
    s->domains.first = (~ends[0] + behind) / unit * unit - behind;
    s->domains.n_ranks = p->n_ranks;
    s->domains.n_owners = p->n_owners;
    s->domains.window = p->window_bytes > slot ? p->window_bytes / slot : 1;
    uint64_t units = (ends[1] - s->domains.first - 1) / unit + 1;
    s->domains.span = ((units - 1) / (uint64_t)p->n_owners + 1) * unit;
    return true;
}

/* The owners with whom this rank has to claim its box, ascending, as answers without boxes. */
static xta_status choose_owners(xta__sharing *s, xta_error *err)
{
    const xta__share_of_call *part = s->part;
    int64_t chunk[XTA_MAX_NDIM];
    size_t capacity = 0;
    int last = -1;

    memcpy(chunk, part->region.chunks.lo, sizeof chunk);
    do {
        bool whole = false;
        uint64_t n = xta__cells_in(&part->region, chunk, &whole, NULL);
        int owner = xta__domain_of(&s->domains, address_of(part, chunk));
        if (n == 0 || owner == last || (whole && part->direction == XTA__WRITE)) {
            continue;
        }
        last = owner;
        int at = s->n_answers;
        while (at > 0 && s->answers[at - 1].owner >= owner) {
            at--;
        }
        if (at < s->n_answers && s->answers[at].owner == owner) {
            continue;
        }
        if (!XTA__RESERVE(s->answers, capacity, (size_t)s->n_answers + 1)) {
            s->n_answers = 0;
            return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a collective call",
                             part->p->array->path);
        }
        memmove(&s->answers[at + 1], &s->answers[at],
                (size_t)(s->n_answers - at) * sizeof s->answers[0]);
        s->answers[at] = (xta__answer){.owner = owner};
        s->n_answers++;
    } while (xta__next_of_box(&part->region.chunks, chunk));
    return XTA_OK;
}

/* ---- claims ---- */

static void encode_claim(const xta__share_of_call *part, int64_t words[])
{
    int ndim = part->structure->ndim;

    for (int axis = 0; axis < ndim; axis++) {
        words[axis] = part->box.lo[axis];
        words[ndim + axis] = part->box.hi[axis];
        words[2 * ndim + axis] = part->region.step[axis];
    }
}

/* Receive a claim. If there is no memory for it, it is answered as if nothing were shared; the call
 * then fails on all ranks, and nothing is moved. */
static xta_status receive_claim(xta__sharing *s, int rank, xta_error *err)
{
    const xta__share_of_call *part = s->part;
    int ndim = part->structure->ndim;
    int64_t words[CLAIM_WORDS], chunk[XTA_MAX_NDIM];

    MPI_Recv(words, 3 * ndim, MPI_INT64_T, rank, XTA__TAG_CLAIM, part->p->comm, MPI_STATUS_IGNORE);
    if (!XTA__RESERVE(s->members, s->members_capacity, (size_t)s->n_members + 1)) {
        MPI_Send(words, 0, MPI_INT64_T, rank, XTA__TAG_ANSWER, part->p->comm);
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for the claims of %d ranks",
                         part->p->array->path, s->n_members + 1);
    }
    int at = s->n_members++;
    for (int axis = 0; axis < ndim; axis++) {
        chunk[axis] = part->structure->axis[axis].chunk;
    }
    xta_box box = xta_box_make(ndim, words, words + ndim);
    s->members[at] = (xta__member){.rank = rank};
    // The sender has computed the same region without an overflow.
    return xta__region_init(&s->members[at].region, &box, words + 2 * ndim, chunk);
}

static int by_rank(const void *a, const void *b)
{
    return ((const xta__member *)a)->rank - ((const xta__member *)b)->rank;
}

/* Receive claims until all ranks know that all of theirs have arrived. */
static xta_status gather_claims(xta__sharing *s, MPI_Request *sent, xta_error *err)
{
    MPI_Comm comm = s->part->p->comm;
    MPI_Request barrier = MPI_REQUEST_NULL;
    xta_status status = XTA_OK;
    bool entered = false;
    int n_sent = 0;

    for (int done = 0; !done;) {
        int there = 0;
        MPI_Status where;
        MPI_Iprobe(MPI_ANY_SOURCE, XTA__TAG_CLAIM, comm, &there, &where);
        if (there) {
            xta_status taken = receive_claim(s, where.MPI_SOURCE, status == XTA_OK ? err : NULL);
            status = status == XTA_OK ? taken : status;
        } else if (!entered) {
            for (int arrived = 1; arrived && n_sent < s->n_answers; n_sent += arrived != 0) {
                MPI_Test(&sent[n_sent], &arrived, MPI_STATUS_IGNORE);
            }
            entered = n_sent == s->n_answers;
            if (entered) {
                MPI_Ibarrier(comm, &barrier);
            }
        } else {
            MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
            if (!done) {
                sched_yield();
            }
        }
    }
    // Members are large: inserting each at its position would move n^2 of them.
    if (s->n_members > 1) {
        qsort(s->members, (size_t)s->n_members, sizeof s->members[0], by_rank);
    }
    return status;
}

/* ---- answers ---- */

/* What a member shares with the others. */
static void find_shared(xta__sharing *s, int which)
{
    xta__member *m = &s->members[which];

    for (int k = 0; k < s->n_members; k++) {
        if (k == which) {
            continue;
        }
        xta_box both = xta_box_intersect(&m->region.chunks, &s->members[k].region.chunks);
        if (!xta_box_empty(&both)) {
            add_shared(&m->shared, &both);
        }
        if (m->shared.n > 0 && xta_box_contains(&m->shared.boxes[0], &m->region.chunks)) {
            break;
        }
    }
}

static void send_answers(xta__sharing *s)
{
    int ndim = s->part->structure->ndim;
    size_t bytes = (size_t)ndim * sizeof(int64_t);
    int64_t words[ANSWER_WORDS];

    for (int k = 0; k < s->n_members; k++) {
        const xta__member *m = &s->members[k];
        int64_t *at = words;
        find_shared(s, k);
        for (int i = 0; i < m->shared.n; i++, at += 2 * ndim) {
            memcpy(at, m->shared.boxes[i].lo, bytes);
            memcpy(at + ndim, m->shared.boxes[i].hi, bytes);
        }
        // The member waits for it: this does not block.
        MPI_Send(words, (int)(at - words), MPI_INT64_T, m->rank, XTA__TAG_ANSWER, s->part->p->comm);
    }
}

static void read_answers(xta__sharing *s, const pending_claim *pending, MPI_Request *wanted)
{
    int ndim = s->part->structure->ndim;

    for (int k = 0; k < s->n_answers; k++) {
        xta__shared *shared = &s->answers[k].shared;
        const int64_t *at = pending[k].answer;
        MPI_Status got;
        int n = 0;
        MPI_Wait(&wanted[k], &got);
        MPI_Get_count(&got, MPI_INT64_T, &n);
        for (shared->n = 0; shared->n < n / (2 * ndim); shared->n++, at += 2 * ndim) {
            shared->boxes[shared->n] = xta_box_make(ndim, at, at + ndim);
        }
        s->any = s->any || shared->n > 0;
    }
}

xta_status xta__sharing_find(xta__sharing *s, const xta__share_of_call *part, xta_error *err)
{
    int64_t claim[CLAIM_WORDS];
    xta_status status = XTA_OK;

    *s = (xta__sharing){.part = part};
    if (part->p->n_ranks == 1 || part->p->chunks->chunk_store.slot_bytes > MOST_SLOT ||
        !make_domains(s)) {
        return XTA_OK;
    }
    if (!part->nothing) {
        status = choose_owners(s, err);
        encode_claim(part, claim);
    }
    MPI_Comm comm = part->p->comm;
    pending_claim *pending = xta__calloc((size_t)s->n_answers + 1, sizeof pending[0]);
    MPI_Request *requests = xta__calloc(2 * (size_t)s->n_answers + 1, sizeof(MPI_Request));
    if (pending == NULL || requests == NULL) {
        s->n_answers = 0;
        status = xta__fail(status == XTA_OK ? err : NULL, XTA_ENOMEM, 0,
                           "%s: no memory for a collective call", part->p->array->path);
    }
    MPI_Request *sent = requests, *wanted = s->n_answers > 0 ? requests + s->n_answers : NULL;
    for (int k = 0; k < s->n_answers; k++) {
        int rank = xta__domain_rank(&s->domains, s->answers[k].owner);
        MPI_Irecv(pending[k].answer, ANSWER_WORDS, MPI_INT64_T, rank, XTA__TAG_ANSWER, comm,
                  &wanted[k]);
        MPI_Issend(claim, 3 * part->structure->ndim, MPI_INT64_T, rank, XTA__TAG_CLAIM, comm,
                   &sent[k]);
    }
    xta_status gathered = gather_claims(s, sent, status == XTA_OK ? err : NULL);
    send_answers(s);
    read_answers(s, pending, wanted);
    free(pending);
    free(requests);
    return status == XTA_OK ? gathered : status;
}

void xta__sharing_clear(xta__sharing *s)
{
    free(s->answers);
    free(s->members);
    *s = (xta__sharing){0};
}

static int by_owner(const void *key, const void *item)
{
    return *(const int *)key - ((const xta__answer *)item)->owner;
}

bool xta__sharing_has(void *sharing, const int64_t chunk[])
{
    const xta__sharing *s = sharing;
    int owner = xta__domain_of(&s->domains, address_of(s->part, chunk));
    const xta__answer *answer =
        bsearch(&owner, s->answers, (size_t)s->n_answers, sizeof s->answers[0], by_owner);

    return answer != NULL && xta__shared_cells(&answer->shared, &s->part->region,
                                               s->part->direction, chunk, NULL) > 0;
}
