/* nprocs: 1 2 3 4 5; mpich: 1 2 3 */
/* The lock of a zone: one rank at a time has it, in the order in which they asked; and cells of
 * type bytes, which are put under the lock, are never mixed when several ranks write at once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "parallel/mpi_test.h"

#include <string.h>
#include <time.h>

#include "parallel/zones/lock.h"
#include "parallel/zones/memory.h"

static xta_error err;

/* ---- the lock alone ---- */

enum { CELLS_BYTES = 100, TURNS = 60 };

/* A window like that of zones, whose first word stands for the cells. */
typedef struct locked {
    MPI_Win window;
    MPI_Aint lock;
} locked;

static locked make_locked(void)
{
    locked l = {.lock = xta__zone_lock_place(CELLS_BYTES)};
    MPI_Aint bytes = xta__zone_window_bytes(CELLS_BYTES);
    void *local = NULL;

    MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &local, &l.window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, l.window);
    memset(local, 0, (size_t)bytes);
    MPI_Win_sync(l.window);
    MPI_Barrier(MPI_COMM_WORLD);
    return l;
}

static void free_locked(locked *l)
{
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(l->window);
    MPI_Win_free(&l->window);
}

/* Read a word of the window, then write it plus one: two operations, so that only the lock excludes
 * others. */
static int64_t count_up(const locked *l, int owner)
{
    int64_t before = -1, after;

    MPI_Get(&before, 1, MPI_INT64_T, owner, 0, 1, MPI_INT64_T, l->window);
    MPI_Win_flush(owner, l->window);
    after = before + 1;
    MPI_Put(&after, 1, MPI_INT64_T, owner, 0, 1, MPI_INT64_T, l->window);
    MPI_Win_flush(owner, l->window);
    return before;
}

static int64_t take_turn(const locked *l, int owner)
{
    XTA_CHECK(xta__zone_lock(l->window, owner, l->lock) == MPI_SUCCESS, "no lock of %d", owner);
    int64_t before = count_up(l, owner);
    XTA_CHECK(xta__zone_unlock(l->window, owner, l->lock) == MPI_SUCCESS, "no unlock of %d", owner);
    return before;
}

/* All ranks increment the words of all zones, each many times: no increment is lost. */
static void test_exclusion(void)
{
    locked l = make_locked();
    int64_t found = -1;

    for (int k = 0; k < TURNS; k++) {
        take_turn(&l, (k + xta_test_rank) % xta_test_ranks);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Get(&found, 1, MPI_INT64_T, xta_test_rank, 0, 1, MPI_INT64_T, l.window);
    MPI_Win_flush(xta_test_rank, l.window);
    // Each zone was visited equally often by each rank, or once more.
    int64_t wanted = 0;
    for (int rank = 0; rank < xta_test_ranks; rank++) {
        for (int k = 0; k < TURNS; k++) {
            wanted += (k + rank) % xta_test_ranks == xta_test_rank;
        }
    }
    XTA_CHECK(found == wanted, "%lld turns were counted, %lld taken", (long long)found,
              (long long)wanted);
    free_locked(&l);
}

/* Wait until this many ranks have asked for a zone. */
static void wait_for_tickets(const locked *l, int owner, int64_t wanted)
{
    const struct timespec pause = {0, 100000};
    int64_t none = 0, drawn = -1;

    while (drawn < wanted) {
        nanosleep(&pause, NULL);
        MPI_Fetch_and_op(&none, &drawn, MPI_INT64_T, owner, l->lock, MPI_NO_OP, l->window);
        MPI_Win_flush(owner, l->window);
    }
}

/* Rank 0 has the lock until all others have asked for it, in the order of their ranks. Then it
 * releases it and asks again at once: the others get it first, in that order. */
static void test_fairness(void)
{
    enum { ROUNDS = 10 };
    locked l = make_locked();
    int owner = xta_test_ranks - 1;

    for (int64_t round = 0; round < ROUNDS; round++) {
        int64_t drawn = round * (xta_test_ranks + 1), counted = drawn;
        if (xta_test_rank == 0) {
            xta__zone_lock(l.window, owner, l.lock);
            MPI_Barrier(MPI_COMM_WORLD);
            wait_for_tickets(&l, owner, drawn + xta_test_ranks);
            XTA_CHECK(count_up(&l, owner) == counted, "round %d: not the first", (int)round);
            xta__zone_unlock(l.window, owner, l.lock);
            int64_t at = take_turn(&l, owner) - counted;
            XTA_CHECK(at == xta_test_ranks, "round %d: turn %d of rank 0, who asked last",
                      (int)round, (int)at);
        } else {
            MPI_Barrier(MPI_COMM_WORLD);
            wait_for_tickets(&l, owner, drawn + xta_test_rank);
            int64_t at = take_turn(&l, owner) - counted;
            XTA_CHECK(at == xta_test_rank, "round %d: turn %d", (int)round, (int)at);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    free_locked(&l);
}

/* ---- cells of bytes ---- */

enum { CELL = 24, LENGTH = 40, PUTS = 30 };

/* All ranks put the same box at once, again and again, each with cells of one letter: every cell of
 * it is completely one rank's, and a rank that was last finds its own letter. */
static void test_whole_cells(void)
{
    static const int64_t bounds[1] = {LENGTH}, chunk[1] = {4};
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_box all = {.ndim = 1, .hi = {LENGTH}};
    char mine[LENGTH * CELL], found[LENGTH * CELL];
    xta_parallel *p = NULL;
    xta_zone_memory *memory = NULL;
    int torn = 0;

    create.chunk = chunk;
    create.cell_bytes = CELL;
    XTA_CHECK_OK(xta_parallel_create(MPI_COMM_WORLD, xta_test_path("letters"), XTA_BYTES, 1, bounds,
                                     &create, NULL, &p, &err),
                 err);
    XTA_CHECK_OK(xta_zone_memory_new(p, NULL, XTA_ROW, &memory, &err), err);
    memset(mine, 'a' + xta_test_rank, sizeof mine);
    for (int k = 0; k < PUTS; k++) {
        XTA_CHECK_OK(xta_zone_memory_put(memory, &all, XTA_ROW, mine, &err), err);
        XTA_CHECK_OK(xta_zone_memory_accumulate(memory, &all, XTA_ROW, mine, MPI_REPLACE, &err),
                     err);
    }
    XTA_CHECK_OK(xta_zone_memory_fence(memory, &err), err);
    XTA_CHECK_OK(xta_zone_memory_get(memory, &all, XTA_ROW, found, &err), err);
    for (int k = 0; k < LENGTH; k++) {
        const char *cell = &found[k * CELL];
        torn += cell[0] < 'a' || cell[0] >= 'a' + xta_test_ranks ||
                memcmp(cell, cell + 1, CELL - 1) != 0;
    }
    XTA_CHECK(torn == 0, "%d of %d cells are torn", torn, (int)LENGTH);
    XTA_CHECK_OK(xta_zone_memory_free(memory, &err), err);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

int main(int argc, char **argv)
{
    xta_test_begin(&argc, &argv);
    test_exclusion();
    test_fairness();
    test_whole_cells();
    return xta_test_end();
}
