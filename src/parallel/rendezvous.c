/* Waiting for the other ranks, with a time limit.
 *
 * A collective operation of MPI cannot be given up once begun, so before it the ranks make sure by
 * plain messages that all have come. Rank 0 coordinates:
 *
 *   others                          rank 0
 *   ------                          ------
 *   ARRIVE  ------------------->    counts
 *                                   when all have arrived:
 *           <-------------------    READY
 *   ACK     ------------------->    when all have answered:
 *           <-------------------    GO
 *
 * Until it has sent ACK a rank may lose patience: it sends WITHDRAW and leaves. After ACK it waits
 * for the word of rank 0, which comes: rank 0 is in the call and gets an answer from each rank, ACK
 * or a WITHDRAW that crossed its READY. If somebody has withdrawn, the others get AGAIN, and wait
 * as before (whoever withdrew may come back in time). When rank 0 loses patience it sends ABORT to
 * everybody who has arrived. So who goes on knows that all go on.
 *
 * Each try of a rank has a number, which is in all messages about it: what belongs to a try that
 * was given up is dropped.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "parallel/parallel.h"

#include <time.h>

enum { ARRIVE, WITHDRAW, READY, ACK, AGAIN, GO, ABORT };

typedef struct message {
    int64_t kind;
    int64_t attempt;
} message;

static void send(const xta__rendezvous *r, int to, int kind, int64_t attempt)
{
    message m = {kind, attempt};

    MPI_Send(&m, 2, MPI_INT64_T, to, r->tag, r->comm);
}

/* The next message of `source` (a rank, or any), if one comes before the deadline (negative: wait
 * for ever). */
static bool receive(const xta__rendezvous *r, int source, double deadline, message *m, int *from)
{
    const struct timespec pause = {0, 50000};
    MPI_Status where;
    int there = 0;

    for (;;) {
        MPI_Iprobe(source, r->tag, r->comm, &there, &where);
        if (there) {
            MPI_Recv(m, 2, MPI_INT64_T, where.MPI_SOURCE, r->tag, r->comm, MPI_STATUS_IGNORE);
            *from = where.MPI_SOURCE;
            return true;
        }
        if (deadline >= 0 && MPI_Wtime() >= deadline) {
            return false;
        }
        nanosleep(&pause, NULL);
    }
}

static xta_status too_late(const xta__rendezvous *r, const char *what, xta_error *err)
{
    return xta__fail(err, XTA_ETIMEDOUT, 0,
                     "%s: not all %d ranks came within %g s; nothing has changed: call it on all "
                     "ranks, or allow more time",
                     what, r->n_ranks, r->timeout_s);
}

static xta_status wait_as_other(xta__rendezvous *r, const char *what, double deadline,
                                xta_error *err)
{
    bool committed = false;
    message m;
    int from = 0;

    send(r, 0, ARRIVE, r->attempt);
    while (receive(r, 0, committed ? -1 : deadline, &m, &from)) {
        if (m.attempt != r->attempt) {
            continue;
        }
        if (m.kind == READY) {
            committed = true;
            send(r, 0, ACK, r->attempt);
        } else if (m.kind == AGAIN) {
            committed = false;
        } else {
            return m.kind == GO ? XTA_OK : too_late(r, what, err);
        }
    }
    send(r, 0, WITHDRAW, r->attempt);
    return too_late(r, what, err);
}

/* Rank 0: tell all that have arrived. With the last word they are gone. */
static void tell(xta__rendezvous *r, int kind)
{
    for (int k = 1; k < r->n_ranks; k++) {
        if (r->arrived[k] != 0) {
            send(r, k, kind, r->arrived[k]);
        }
        if (kind == GO || kind == ABORT) {
            r->arrived[k] = 0;
        }
    }
}

/* Everybody has arrived and been told READY: do they all stay? Each rank gives one answer, and its
 * messages come in the order it sent them: what follows the answer (of a rank that has withdrawn
 * and come back, perhaps more than once) belongs to later tries and is left for count_arrivals. */
static bool collect_answers(xta__rendezvous *r)
{
    bool all = true;
    int from = 0;
    message m;

    for (int k = 1; k < r->n_ranks; k++) {
        do {
            receive(r, k, -1, &m, &from);
        } while (m.attempt != r->arrived[k] || (m.kind != ACK && m.kind != WITHDRAW));
        if (m.kind == WITHDRAW) {
            r->arrived[k] = 0;
            all = false;
        }
    }
    return all;
}

/* Until all have arrived; false if the deadline passes first. */
static bool count_arrivals(xta__rendezvous *r, double deadline)
{
    int n = 0, from = 0;
    message m;

    for (int k = 1; k < r->n_ranks; k++) {
        n += r->arrived[k] != 0;
    }
    while (n < r->n_ranks - 1 && receive(r, MPI_ANY_SOURCE, deadline, &m, &from)) {
        if (m.kind == ARRIVE) {
            n += r->arrived[from] == 0;
            r->arrived[from] = m.attempt;
        } else if (m.kind == WITHDRAW && m.attempt == r->arrived[from]) {
            r->arrived[from] = 0;
            n--;
        }
    }
    return n == r->n_ranks - 1;
}

static xta_status wait_as_first(xta__rendezvous *r, const char *what, double deadline,
                                xta_error *err)
{
    while (count_arrivals(r, deadline)) {
        tell(r, READY);
        if (collect_answers(r)) {
            tell(r, GO);
            return XTA_OK;
        }
        tell(r, AGAIN);
    }
    tell(r, ABORT);
    return too_late(r, what, err);
}

xta_status xta__rendezvous_wait(xta__rendezvous *r, const char *what, xta_error *err)
{
    double deadline = MPI_Wtime() + r->timeout_s;

    r->attempt++;
    return r->rank == 0 ? wait_as_first(r, what, deadline, err)
                        : wait_as_other(r, what, deadline, err);
}
