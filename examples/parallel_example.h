/* What the parallel examples share: options, ending at the first failure, and three clocks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef PARALLEL_EXAMPLE_H
#define PARALLEL_EXAMPLE_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/parallel.h>
#include <xta/xta.h>

/* Examples end at the first failure, on all ranks; a real program would handle the error. */
#define TRY(call)                                                         \
    do {                                                                  \
        if ((call) != XTA_OK) {                                           \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, err.text); \
            MPI_Abort(MPI_COMM_WORLD, 1);                                 \
        }                                                                 \
    } while (0)

/* Where the time goes. Messages between ranks count as computing. */
typedef enum clock_kind { GROWTH = 0, IO = 1, COMPUTE = 2, CLOCKS = 3 } clock_kind;

typedef struct job {
    int rank, n_ranks;
    bool small, csv;
    int reynolds;       /* used only by the cavity */
    const char *folder; /* where the arrays go */
    FILE *say;          /* with --csv standard error, since standard output is for rows only */
    double seconds[CLOCKS], since;
} job;

static inline job job_begin(int argc, char **argv)
{
    job j = {.folder = ".", .reynolds = 100, .say = stdout};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &j.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &j.n_ranks);
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--small") == 0) {
            j.small = true;
        } else if (strcmp(argv[k], "--csv") == 0) {
            j.csv = true;
            j.say = stderr;
        } else if (strcmp(argv[k], "--re") == 0 && k + 1 < argc) {
            j.reynolds = atoi(argv[++k]);
        } else if (argv[k][0] != '-') {
            j.folder = argv[k];
        } else {
            fprintf(stderr, "%s: no option %s\n", argv[0], argv[k]);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
    }
    if (j.csv && j.rank == 0) {
        printf("application,size,ranks,growths,growth_s,io_s,compute_s\n");
    }
    j.since = MPI_Wtime();
    return j;
}

/* Add the time since the last call to the clock `kind`. */
static inline void lap(job *j, clock_kind kind)
{
    double now = MPI_Wtime();

    j->seconds[kind] += now - j->since;
    j->since = now;
}

/* Print one row: on each clock, the time of the slowest rank since the previous row. */
static inline void row(job *j, const char *application, const char *size, int growths)
{
    double slowest[CLOCKS] = {0};

    MPI_Reduce(j->seconds, slowest, CLOCKS, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (j->csv && j->rank == 0) {
        printf("%s,%s,%d,%d,%.6f,%.6f,%.6f\n", application, size, j->n_ranks, growths,
               slowest[GROWTH], slowest[IO], slowest[COMPUTE]);
    }
    memset(j->seconds, 0, sizeof j->seconds);
    j->since = MPI_Wtime();
}

/* The exit code is decided by rank 0, which alone has the reference. */
static inline int job_end(const job *j, bool agrees)
{
    int good = agrees;

    MPI_Bcast(&good, 1, MPI_INT, 0, MPI_COMM_WORLD);
    fflush(j->say);
    MPI_Finalize();
    return good ? 0 : 1;
}

/* The path of an array in the job's folder. */
typedef struct path {
    char text[4096];
} path;

static inline path path_of(const job *j, const char *name)
{
    path p;

    snprintf(p.text, sizeof p.text, "%s/%s", j->folder, name);
    return p;
}

/* Create an array, after deleting one that an earlier run has left. */
static inline xta_parallel *create_anew(job *j, const char *name, int ndim, const int64_t bounds[],
                                        const int64_t chunk[], const double *fill)
{
    const path where = path_of(j, name);
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_parallel *array = NULL;
    xta_error err = {0};
    xta_status status = XTA_OK;

    if (j->rank == 0) {
        status = xta_array_delete(where.text, &err);
        TRY(status == XTA_ENOENT ? XTA_OK : status);
    }
    create.chunk = chunk;
    create.fill = fill;
    // Creation begins with rank 0, so the other ranks need not wait for the deletion.
    TRY(xta_parallel_create(MPI_COMM_WORLD, where.text, XTA_F64, ndim, bounds, &create, NULL,
                            &array, &err));
    lap(j, IO);
    return array;
}

/* The cells of this rank when the array is distributed in blocks; possibly none. */
static inline xta_box my_zone(const job *j, const xta_parallel *array)
{
    const xta_box bounds = xta_parallel_bounds(array);
    xta_zones *zones = NULL;
    xta_box mine = bounds;
    xta_error err = {0};

    mine.hi[0] = mine.lo[0];
    TRY(xta_parallel_zones(array, NULL, &zones, &err));
    if (xta_zones_n_boxes(zones, j->rank) > 0) {
        mine = xta_zones_cells(zones, j->rank, 0, &bounds);
    }
    xta_zones_free(zones);
    return mine;
}

/* Allocate memory, or end the program. */
static inline double *doubles(int64_t n)
{
    double *memory = calloc((size_t)(n > 0 ? n : 1), sizeof *memory);

    if (memory == NULL) {
        fprintf(stderr, "no memory for %lld numbers\n", (long long)n);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

#endif
