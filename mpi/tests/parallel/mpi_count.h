/* What a rank asks of MPI, counted between the library and MPI through MPI's profiling interface:
 * calls, and the bytes that each is given. How many messages a collective call becomes is MPI's
 * affair: a broadcast takes at least P - 1, a reduction to all at least 2 (P - 1).
 *
 * Probing (MPI_Iprobe) is not counted: how often a waiting rank looks depends on the clock.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_PARALLEL_MPI_COUNT_H
#define XTA_TESTS_PARALLEL_MPI_COUNT_H

#include <stdbool.h>

typedef enum mpi_kind {
    MPI_KIND_BCAST,
    MPI_KIND_ALLREDUCE,
    MPI_KIND_POINT,  /* messages from rank to rank that this rank sends or receives */
    MPI_KIND_COMM,   /* communicators made and freed */
    MPI_KIND_FILE,   /* files opened and closed by MPI-IO */
    MPI_KIND_SENT,   /* messages that are sent without waiting; bytes */
    MPI_KIND_WANTED, /* messages that are waited for without blocking; no bytes */
    MPI_KIND_IBARRIER,
    MPI_KIND_READ, /* operations of MPI-IO on single ranks, and their bytes */
    MPI_KIND_WRITE,
    MPI_KIND_OTHER, /* every other collective call and one-sided transfer */
    MPI_N_KINDS
} mpi_kind;

typedef struct mpi_count {
    long calls[MPI_N_KINDS];
    long bytes[MPI_N_KINDS];
} mpi_count;

/* From zero. */
void mpi_count_start(void);

/* What there was since. */
mpi_count mpi_count_read(void);

bool mpi_count_equal(const mpi_count *a, const mpi_count *b);
long mpi_count_calls(const mpi_count *count);
long mpi_count_bytes(const mpi_count *count);

#endif
