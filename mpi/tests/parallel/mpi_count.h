/* MPI calls of a rank, counted between the library and MPI through MPI's profiling interface:
 * calls, and the bytes passed to each. The number of messages of a collective call is up to MPI: a
 * broadcast takes at least P - 1, a reduction to all at least 2 (P - 1).
 *
 * Probing (MPI_Iprobe) is not counted: how often a waiting rank probes depends on the clock.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_PARALLEL_MPI_COUNT_H
#define XTA_TESTS_PARALLEL_MPI_COUNT_H

#include <stdbool.h>

typedef enum mpi_kind {
    MPI_KIND_BCAST,
    MPI_KIND_ALLREDUCE,
    MPI_KIND_POINT,  /* messages from rank to rank that this rank sends or receives */
    MPI_KIND_COMM,   /* communicators created and freed */
    MPI_KIND_FILE,   /* files opened and closed by MPI-IO */
    MPI_KIND_SENT,   /* non-blocking sends; bytes */
    MPI_KIND_WANTED, /* non-blocking receives; no bytes */
    MPI_KIND_IBARRIER,
    MPI_KIND_READ, /* independent MPI-IO operations, and their bytes */
    MPI_KIND_WRITE,
    MPI_KIND_OTHER, /* every other collective call and one-sided transfer */
    MPI_N_KINDS
} mpi_kind;

typedef struct mpi_count {
    long calls[MPI_N_KINDS];
    long bytes[MPI_N_KINDS];
} mpi_count;

/* Start counting from zero. */
void mpi_count_start(void);

/* The difference since an earlier count. */
mpi_count mpi_count_read(void);

bool mpi_count_equal(const mpi_count *a, const mpi_count *b);
long mpi_count_calls(const mpi_count *count);
long mpi_count_bytes(const mpi_count *count);

#endif
