/* Running the sides in turn; see measure.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "measure.h"

#include <stdio.h>
#include <string.h>

#include <xta/zones.h>

void begin_ranks(task *t, int *argc, char ***argv, const char *topic, const char *timed)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int n = 0;

    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &t->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &t->n_ranks);
    if (t->n_ranks > MOST_RANKS) {
        bench_die("no more than %d ranks", MOST_RANKS);
    }
    if (t->rank == 0) {
        MPI_Get_library_version(version, &n);
        version[strcspn(version, ",\n")] = '\0';
        bench_begin(topic);
        printf("# mpi: %s\n# timed: %s\n", version, timed);
    }
}

void end_ranks(void)
{
    side_dra.finish();
    MPI_Finalize();
}

void distribute(task *t)
{
    xta_zones *zones = NULL;
    xta_box bounds = bench_box(AXES, (int64_t[AXES]){0}, t->bounds);
    xta_box chunks = t->section;

    for (int axis = 0; axis < AXES; axis++) {
        chunks.lo[axis] = t->section.lo[axis] / t->chunk[axis];
        chunks.hi[axis] = (t->section.hi[axis] - 1) / t->chunk[axis] + 1;
    }
    BENCH_XTA(xta_zones_new(&chunks, t->chunk, t->n_ranks, NULL, &zones, &bench_error));
    for (int rank = 0; rank < t->n_ranks; rank++) {
        t->boxes[rank] = bounds;
        t->boxes[rank].hi[0] = 0;
        if (xta_zones_n_boxes(zones, rank) > 0) {
            t->boxes[rank] = xta_zones_cells(zones, rank, 0, &bounds);
        }
    }
    xta_zones_free(zones);
}

void distribute_unaligned(task *t)
{
    static const int64_t before = 13, after = 19;

    distribute(t);
    for (int axis = 0; axis < AXES; axis++) {
        int64_t all = t->section.hi[axis] - t->section.lo[axis];
        t->section.lo[axis] += before;
        t->section.hi[axis] -= after;
        int64_t left = t->section.hi[axis] - t->section.lo[axis];
        for (int rank = 0; rank < t->n_ranks; rank++) {
            xta_box *box = &t->boxes[rank];
            box->lo[axis] = t->section.lo[axis] + box->lo[axis] * left / all;
            box->hi[axis] = t->section.lo[axis] + box->hi[axis] * left / all;
        }
    }
}

void fill_cells(const side *s, const task *t)
{
    xta_box mine = task_mine(t);

    if (s->fill != NULL) {
        s->fill(t);
    } else if (!xta_box_empty(&mine)) {
        bench_fill(&mine, t->cells);
    }
}

void clear_cells(const side *s, const task *t)
{
    if (s->clear != NULL) {
        s->clear(t);
    } else {
        memset(t->cells, 0, task_bytes(t));
    }
}

void verify_cells(const side *s, const task *t)
{
    xta_box mine = task_mine(t);

    if (s->verify != NULL) {
        s->verify(t);
    } else if (!xta_box_empty(&mine)) {
        bench_verify(&mine, t->cells, s->name);
    }
}

double begin_together(void)
{
    check_mpi(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
    return bench_now();
}

double end_together(double begin)
{
    double seconds;

    check_mpi(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
    seconds = bench_now() - begin;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD),
              "MPI_Allreduce");
    return seconds;
}

/* Write one and a half times the size of the array into a file that is deleted before it reaches
 * the disk. */
static void use_memory(const task *t)
{
    static uint8_t piece[1 << 20];
    double bytes = 1.5 * sizeof(double);
    char path[SIDE_PATH_BYTES];
    FILE *file = fopen(side_path(path, "scratch"), "w");

    if (file == NULL) {
        bench_die("cannot create %s", path);
    }
    setvbuf(file, NULL, _IONBF, 0);
    for (int axis = 0; axis < AXES; axis++) {
        bytes *= (double)t->bounds[axis];
    }
    for (; bytes > 0; bytes -= sizeof piece) {
        if (fwrite(piece, sizeof piece, 1, file) != 1) {
            bench_die("cannot write %s", path);
        }
    }
    fclose(file);
    bench_remove(path);
}

void settle_disk(const task *t)
{
    check_mpi(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
    if (t->rank == 0) {
        bench_settle();
    }
    check_mpi(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
}

void settle_machine(const task *t)
{
    settle_disk(t);
    if (t->rank == 0) {
        use_memory(t);
    }
    check_mpi(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
}

double median_of(const task *t, const char *what, const side *s, double seconds[], int n)
{
    double median = bench_median(seconds, n);

    if (t->rank == 0) {
        fprintf(stderr, "%s; %s:", what, s->name);
        for (int i = 0; i < n; i++) {
            fprintf(stderr, " %.3f", seconds[i]);
        }
        fputs(" s\n", stderr);
    }
    return median;
}
