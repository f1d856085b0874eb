/* Waiting for the other ranks, with a time limit.
 *
 * A collective operation of MPI cannot be given up once begun, so before it the ranks make sure by
 * plain messages that all have come. They form a tree: before rank r is (r - 1) / 2, behind it are
 * 2 r + 1 and 2 r + 2. So no rank has more than three partners, however many ranks there are.
 *
 *   behind the rank      the rank               before it
 *   ---------------      --------               ---------
 *   ARRIVE  --------->   both have: ARRIVE ---->
 *           <---------   READY       <--------- rank 0: when both have
 *   ACK     --------->   both have: ACK ------->
 *           <---------   GO          <--------- rank 0: when both have
 *
 * Until it has sent ACK, a rank whose time is up sends WITHDRAW and leaves. After ACK it waits for
 * the answer of the rank before it, which is sure to come: a rank that has sent READY stays in the
 * call until each rank behind it has answered, with ACK or with a WITHDRAW that crossed the READY.
 * If a rank behind has withdrawn, the rank withdraws its own arrival and sends AGAIN to the other
 * one, which waits as before (the one that withdrew may come back in time). A rank that leaves
 * sends RESET to those behind that have arrived: they send ARRIVE again, for when it comes back. So
 * a rank that proceeds knows that all proceed, and no state is kept between calls.
 *
 * Each arrival of a rank has a number, which is in all messages about it: messages about one that
 * was withdrawn are dropped.
 *
 * When the time of rank 0 is up it asks all ranks (ASK, HERE), to report which are missing, and
 * sends ABORT with their numbers to those that are there. Only then does a rank exchange messages
 * with all others. Another rank whose time is up first waits a moment for that ABORT; by itself it
 * can report only whether the rank before it is there.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "parallel/agree/rendezvous.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "util/checked.h"
#include "util/try.h"

enum { ARRIVE, WITHDRAW, RESET, READY, ACK, AGAIN, GO, ASK, HERE, ABORT };

enum { N_BEHIND = 2, MOST_NAMED = 6, SHORT = 2, LONG = 3 + MOST_NAMED };

/* How long to wait for answers about which ranks are there: at most, and as a fraction of the time
 * limit. */
#define GRACE_S    0.2
#define GRACE_PART 0.25

typedef struct message {
    int64_t kind, number;
    int64_t n_missing, missing[MOST_NAMED]; /* used by ABORT only */
} message;

/* One call of one rank. */
typedef struct wait {
    xta__rendezvous *r;
    double deadline;
    int64_t arrived[N_BEHIND]; /* number of the arrival that counts, or 0 */
    bool announced;            /* the rank before this one counts it as arrived */
    int64_t question;          /* rank 0's question that was answered last */
    bool aborted;              /* rank 0 has aborted the call by `word` */
    message word;
} wait;

static double grace_of(const xta__rendezvous *r)
{
    double part = GRACE_PART * r->timeout_s;

    return part < GRACE_S ? part : GRACE_S;
}

static int before(const xta__rendezvous *r)
{
    return (r->rank - 1) / 2;
}

static int behind(const xta__rendezvous *r, int k)
{
    return 2 * r->rank + 1 + k;
}

/* ---- messages ---- */

static void send_words(const xta__rendezvous *r, int to, const message *m, int n)
{
    MPI_Send(m, n, MPI_INT64_T, to, r->tag, r->comm);
}

static void send(const xta__rendezvous *r, int to, int kind, int64_t number)
{
    const message m = {.kind = kind, .number = number};

    send_words(r, to, &m, SHORT);
}

/* The next message of `source` (a rank, or any), if one comes before the deadline (negative: wait
 * for ever). */
static bool receive(const xta__rendezvous *r, int source, double deadline, message *m, int *from)
{
    const struct timespec pause = {0, 50000};
    MPI_Status where;
    int there = 0, n = 0;

    for (;;) {
        MPI_Iprobe(source, r->tag, r->comm, &there, &where);
        if (there) {
            MPI_Get_count(&where, MPI_INT64_T, &n);
            *from = where.MPI_SOURCE;
            MPI_Recv(m, n <= LONG ? n : LONG, MPI_INT64_T, *from, r->tag, r->comm,
                     MPI_STATUS_IGNORE);
            return true;
        }
        if (deadline >= 0 && MPI_Wtime() >= deadline) {
            return false;
        }
        nanosleep(&pause, NULL);
    }
}

/* Send a message to those ranks behind whose arrival counts. */
static void notify_behind(const wait *w, int kind)
{
    for (int k = 0; k < N_BEHIND; k++) {
        if (w->arrived[k] != 0) {
            send(w->r, behind(w->r, k), kind, w->arrived[k]);
        }
    }
}

static void withdraw(wait *w)
{
    if (w->announced) {
        send(w->r, before(w->r), WITHDRAW, w->r->attempt);
        w->announced = false;
    }
}

/* Handle arrivals and questions, which may come at any time. */
static void note_message(wait *w, const message *m, int from)
{
    int k = from - behind(w->r, 0);
    bool is_behind = k >= 0 && k < N_BEHIND;

    if (m->kind == ARRIVE && is_behind) {
        w->arrived[k] = m->number;
    } else if (m->kind == WITHDRAW && is_behind && w->arrived[k] == m->number) {
        w->arrived[k] = 0;
        withdraw(w);
    } else if (m->kind == ASK) {
        w->question = from == 0 ? m->number : w->question;
        send(w->r, from, HERE, m->number);
    } else if (m->kind == ABORT && from == 0 && m->number == w->question) {
        w->aborted = true;
        w->word = *m;
    }
}

static bool all_behind(const wait *w)
{
    for (int k = 0; k < N_BEHIND; k++) {
        if (behind(w->r, k) < w->r->n_ranks && w->arrived[k] == 0) {
            return false;
        }
    }
    return true;
}

/* READY has been sent to the ranks behind: find out whether they all stay. Each sends one answer,
 * and messages of a rank come in the order in which it sent them, so whatever follows the answer
 * belongs to later arrivals. */
static bool collect_answers(wait *w)
{
    bool all = true;
    int from = 0;
    message m;

    for (int k = 0; k < N_BEHIND; k++) {
        if (w->arrived[k] == 0) {
            continue;
        }
        do {
            receive(w->r, behind(w->r, k), -1, &m, &from);
        } while (m.number != w->arrived[k] || (m.kind != ACK && m.kind != WITHDRAW));
        if (m.kind == WITHDRAW) {
            w->arrived[k] = 0;
            all = false;
        }
    }
    return all;
}

/* ---- timeouts ---- */

static xta_status too_late(const wait *w, const char *what, const char *who, xta_error *err)
{
    return xta__fail(err, XTA_ETIMEDOUT, 0,
                     "%s: not all %d ranks came within %g s (%s); nothing has changed: call it on "
                     "all ranks, or allow more time",
                     what, w->r->n_ranks, w->r->timeout_s, who);
}

/* "rank 3, rank 5 and 7 more are missing" */
static void name_missing(const message *word, char *text, size_t capacity)
{
    size_t used = 0;
    int64_t named = word->n_missing < MOST_NAMED ? word->n_missing : MOST_NAMED;

    if (word->n_missing == 0) {
        snprintf(text, capacity, "the last ones too late");
        return;
    }
    for (int64_t k = 0; k < named && used < capacity; k++) {
        used += (size_t)snprintf(text + used, capacity - used, "%srank %lld", k > 0 ? ", " : "",
                                 (long long)word->missing[k]);
    }
    if (word->n_missing > named && used < capacity) {
        used += (size_t)snprintf(text + used, capacity - used, " and %lld more",
                                 (long long)(word->n_missing - named));
    }
    if (used < capacity) {
        snprintf(text + used, capacity - used,
                 word->n_missing == 1 ? " is missing" : " are missing");
    }
}

/* Rank 0: mark in `here` which ranks answer within the grace period. */
static void ask_all(wait *w, char *here)
{
    double end = MPI_Wtime() + grace_of(w->r);
    int n = 0, from = 0;
    message m;

    // Every question has a new number, since answers to an earlier one may come late.
    int64_t question = ++w->r->attempt;
    for (int rank = 1; rank < w->r->n_ranks; rank++) {
        send(w->r, rank, ASK, question);
    }
    while (n < w->r->n_ranks - 1 && receive(w->r, MPI_ANY_SOURCE, end, &m, &from)) {
        if (m.kind == HERE && m.number == question) {
            here[from] = 1;
            n++;
        } else {
            note_message(w, &m, from);
        }
    }
    w->question = question;
}

static xta_status give_up_first(wait *w, const char *what, xta_error *err)
{
    char *here = xta__calloc((size_t)w->r->n_ranks, 1);
    char who[160] = "which ones cannot be said for want of memory";
    message word = {.kind = ABORT};

    if (here != NULL) {
        ask_all(w, here);
        word.number = w->question;
        for (int rank = 1; rank < w->r->n_ranks; rank++) {
            if (!here[rank] && word.n_missing++ < MOST_NAMED) {
                word.missing[word.n_missing - 1] = rank;
            }
        }
        for (int rank = 1; rank < w->r->n_ranks; rank++) {
            if (here[rank]) {
                send_words(w->r, rank, &word, LONG);
            }
        }
        name_missing(&word, who, sizeof who);
    }
    notify_behind(w, RESET);
    free(here);
    return too_late(w, what, who, err);
}

static xta_status give_up(wait *w, const char *what, xta_error *err)
{
    // Long enough for rank 0, whose time may be up as well, to report more.
    double end = MPI_Wtime() + 3 * grace_of(w->r);
    char who[160];
    int from = 0, first = before(w->r);
    bool there = false;
    message m;

    withdraw(w);
    if (!w->aborted) {
        int64_t question = ++w->r->attempt;
        send(w->r, first, ASK, question);
        while (!w->aborted && receive(w->r, MPI_ANY_SOURCE, end, &m, &from)) {
            there = there || (m.kind == HERE && m.number == question);
            note_message(w, &m, from);
        }
    }
    notify_behind(w, RESET);
    if (w->aborted) {
        name_missing(&w->word, who, sizeof who);
    } else if (!there) {
        snprintf(who, sizeof who, "rank %d is missing", first);
    } else {
        snprintf(who, sizeof who, "rank 0 may tell which are missing");
    }
    return too_late(w, what, who, err);
}

/* ---- waiting ---- */

/* Called when READY has come. True if GO has come, too. */
static bool commit(wait *w)
{
    int from = 0;
    message m;

    notify_behind(w, READY);
    if (!collect_answers(w)) {
        notify_behind(w, AGAIN);
        withdraw(w);
        return false;
    }
    send(w->r, before(w->r), ACK, w->r->attempt);
    do {
        receive(w->r, before(w->r), -1, &m, &from);
    } while (m.number != w->r->attempt || (m.kind != GO && m.kind != AGAIN));
    notify_behind(w, (int)m.kind);
    return m.kind == GO;
}

static xta_status wait_as_other(wait *w, const char *what, xta_error *err)
{
    int from = 0;
    message m;

    for (;;) {
        if (!w->announced && all_behind(w)) {
            send(w->r, before(w->r), ARRIVE, ++w->r->attempt);
            w->announced = true;
        }
        if (w->aborted || !receive(w->r, MPI_ANY_SOURCE, w->deadline, &m, &from)) {
            return give_up(w, what, err);
        }
        bool word = w->announced && from == before(w->r) && m.number == w->r->attempt;
        if (word && m.kind == READY) {
            if (commit(w)) {
                return XTA_OK;
            }
        } else if (word && m.kind == RESET) {
            w->announced = false;
        } else {
            note_message(w, &m, from);
        }
    }
}

static xta_status wait_as_first(wait *w, const char *what, xta_error *err)
{
    int from = 0;
    message m;

    for (;;) {
        while (!all_behind(w)) {
            if (!receive(w->r, MPI_ANY_SOURCE, w->deadline, &m, &from)) {
                return give_up_first(w, what, err);
            }
            note_message(w, &m, from);
        }
        notify_behind(w, READY);
        if (collect_answers(w)) {
            notify_behind(w, GO);
            return XTA_OK;
        }
        notify_behind(w, AGAIN);
    }
}

xta_status xta__rendezvous_wait(xta__rendezvous *r, const char *what, xta_error *err)
{
    wait w = {.r = r, .deadline = MPI_Wtime() + r->timeout_s};

    return r->rank == 0 ? wait_as_first(&w, what, err) : wait_as_other(&w, what, err);
}
