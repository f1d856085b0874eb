/* Writing and reading a 3-d array of doubles on many ranks: XTA against plain MPI-IO, parallel
 * HDF5, PnetCDF and the stock Disk Resident Arrays, aligned with chunks and not, collectively and
 * independently.
 *
 * Only the transfer is timed, from when all ranks are ready to when all are done, without creating,
 * opening, closing and syncing. Every write goes into a new file, every read comes from the page
 * cache, and the cells read are compared with those written. The sides run in one program and in
 * turn, starting with a different one in each round, and the disk is given time to finish between
 * them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

enum { WRITING = 0, READING = 1, DIRECTIONS = 2 };

/* A side in one of its modes. `mpi`: XTA by MPI-IO even where it could be mapped. */
typedef struct entry {
    const side *side;
    bool collective;
    double seconds[DIRECTIONS][MOST_REPETITIONS];
    double median[DIRECTIONS];
} entry;

static entry entries[] = {
    {.side = &side_ours, .collective = true},
    {.side = &side_plain, .collective = true},
    {.side = &side_hdf5, .collective = true},
    {.side = &side_pnetcdf, .collective = true},
    {.side = &side_ours, .collective = false},
    {.side = &side_plain, .collective = false},
    {.side = &side_hdf5, .collective = false},
    {.side = &side_pnetcdf, .collective = false},
    {.side = &side_dra, .collective = true},
    {.side = &side_ours_mpi, .collective = true},
    {.side = &side_ours_mpi},
};
enum { ENTRIES = sizeof entries / sizeof entries[0] };

static bool is_ours(const entry *e)
{
    return e->side == &side_ours || e->side == &side_ours_mpi;
}

/* XTA_BENCH_IO: `auto`, `mpi` or `both` (the default): which I/O paths of XTA are measured. */
static bool is_wanted(const entry *e)
{
    const char *io = getenv("XTA_BENCH_IO");

    if (!is_ours(e) || io == NULL || strcmp(io, "both") == 0) {
        return true;
    }
    return (strcmp(io, "mpi") == 0) == (e->side == &side_ours_mpi);
}

/* Create, write, read and delete an array once. */
static void run_once(const task *t, const side *s, double seconds[DIRECTIONS])
{
    double begin;

    s->create(t);
    if (s->take != NULL) {
        s->take(t);
    }
    fill_cells(s, t);
    settle_machine(t);
    begin = begin_together();
    s->write(t);
    seconds[WRITING] = end_together(begin);
    s->close(t);
    settle_disk(t);
    s->open(t);
    clear_cells(s, t);
    begin = begin_together();
    s->read(t);
    seconds[READING] = end_together(begin);
    verify_cells(s, t);
    s->close(t);
    s->remove(t);
}

/* One line for XTA and a peer. */
static void print_row(const task *t, const char *name, const entry *ours, const entry *peer,
                      int direction)
{
    double gigabytes = sizeof(double) * 1e-9;
    char metric[80];
    char full[120];
    bool plain = peer->side == &side_plain;
    bool target = !plain || ours->collective;

    for (int axis = 0; axis < AXES; axis++) {
        gigabytes *= (double)(t->section.hi[axis] - t->section.lo[axis]);
    }
    snprintf(metric, sizeof metric, "%s%s", direction == WRITING ? "write" : "read",
             ours->collective ? " (collective)" : " (independent)");
    snprintf(full, sizeof full, "%s%s", name, ours->side == &side_ours_mpi ? "; by MPI-IO" : "");
    bench_print(&(bench_row){.name = full,
                             .metric = metric,
                             .ours = gigabytes / ours->median[direction],
                             .peer_name = peer->side->name,
                             .peer = gigabytes / peer->median[direction],
                             .unit = "GB/s",
                             .sense = BENCH_RATE,
                             .target = !target ? 0
                                       : plain ? 0.8
                                               : 1});
}

/* XTA against every peer in the same mode; the disk arrays have one mode only. */
static void print_peers(const task *t, const char *name, const entry *ours, int direction)
{
    for (int k = 0; k < ENTRIES; k++) {
        const entry *peer = &entries[k];
        bool alike = peer->collective == ours->collective || peer->side == &side_dra;
        if (alike && !is_ours(peer)) {
            print_row(t, name, ours, peer, direction);
        }
    }
}

static void print_rows(const task *t, const char *name)
{
    for (int k = 0; k < ENTRIES; k++) {
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            if (is_ours(&entries[k]) && is_wanted(&entries[k])) {
                print_peers(t, name, &entries[k], direction);
            }
        }
    }
}

static void compare(task *t, bool aligned, int repetitions)
{
    char name[80], what[120];

    t->section = bench_box(AXES, (int64_t[AXES]){0}, t->bounds);
    if (aligned) {
        distribute(t);
    } else {
        distribute_unaligned(t);
    }
    t->cells = bench_memory(task_bytes(t) + 1);
    for (int repetition = -1; repetition < repetitions; repetition++) {
        for (int turn = 0; turn < ENTRIES; turn++) {
            entry *e = &entries[(turn + repetition + 1) % ENTRIES];
            double seconds[DIRECTIONS];
            if (!is_wanted(e)) {
                continue;
            }
            t->collective = e->collective;
            run_once(t, e->side, seconds);
            for (int k = 0; k < DIRECTIONS && repetition >= 0; k++) {
                e->seconds[k][repetition] = seconds[k];
            }
        }
    }
    free(t->cells);
    snprintf(name, sizeof name, "%lld^3 f64; %s; ranks: %d", (long long)t->bounds[0],
             aligned ? "aligned" : "unaligned", t->n_ranks);
    for (int k = 0; k < ENTRIES; k++) {
        entry *e = &entries[k];
        for (int direction = 0; direction < DIRECTIONS && is_wanted(e); direction++) {
            snprintf(what, sizeof what, "%s; %s%s", name, direction == WRITING ? "write" : "read",
                     e->collective ? " (collective)" : " (independent)");
            e->median[direction] = median_of(t, what, e->side, e->seconds[direction], repetitions);
        }
    }
    if (t->rank == 0) {
        print_rows(t, name);
    }
}

int main(int argc, char **argv)
{
    int64_t side_cells = bench_small() ? 256 : 512;
    /* The chunk size that the library would choose for such an array: 1 MiB. */
    task t = {.bounds = {side_cells, side_cells, side_cells}, .chunk = {32, 64, 64}};
    int repetitions = bench_small() ? 5 : 3;

    begin_ranks(&t, &argc, &argv, "parallel",
                "the transfer alone; new files are written, reads come from the page cache");
    compare(&t, true, repetitions);
    compare(&t, false, repetitions);
    end_ranks();
    return 0;
}
