/* nprocs: 2 4 5; mpich: 4 */
/* Zones of several groups of ranks of one machine, made at the same moment: no group sees the cells
 * of another one. (Open MPI 4.1.4 names the shared memory behind MPI_Win_allocate by node, job and
 * a number of the communicator that such groups have in common.)
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include <xta/parallel.h>

#include "parallel/mpi_test.h"

enum { ROUNDS = 60, LENGTH = 24 };

static xta_error err;

/* All ranks of the group add to all cells; each cell is their sum. */
static void check_sums(xta_zone_memory *memory, int n_ranks, int64_t value)
{
    const xta_box all = {.ndim = 1, .hi = {LENGTH}};
    int64_t cells[LENGTH];
    int wrong = 0;

    for (int k = 0; k < LENGTH; k++) {
        cells[k] = value + k;
    }
    XTA_CHECK_OK(xta_zone_memory_accumulate(memory, &all, XTA_ROW, cells, MPI_SUM, &err), err);
    XTA_CHECK_OK(xta_zone_memory_fence(memory, &err), err);
    XTA_CHECK_OK(xta_zone_memory_get(memory, &all, XTA_ROW, cells, &err), err);
    for (int k = 0; k < LENGTH; k++) {
        wrong += cells[k] != n_ranks * (value + k);
    }
    XTA_CHECK(wrong == 0, "%d of %d cells are wrong", wrong, (int)LENGTH);
    XTA_CHECK_OK(xta_zone_memory_fence(memory, &err), err);
}

int main(int argc, char **argv)
{
    const int64_t bounds[1] = {LENGTH}, chunk[1] = {4};
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_parallel *p = NULL;
    MPI_Comm half;
    char name[32];
    int n_ranks = 0;

    xta_test_begin(&argc, &argv);
    int which = xta_test_rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, which, xta_test_rank, &half);
    MPI_Comm_size(half, &n_ranks);
    snprintf(name, sizeof name, "half%d", which);
    create.chunk = chunk;
    XTA_CHECK_OK(
        xta_parallel_create(half, xta_test_path(name), XTA_I64, 1, bounds, &create, NULL, &p, &err),
        err);
    for (int k = 0; k < ROUNDS; k++) {
        xta_zone_memory *memory = NULL;
        MPI_Barrier(MPI_COMM_WORLD);
        xta_status status = xta_zone_memory_new(p, NULL, XTA_ROW, &memory, &err);
        XTA_CHECK_OK(status, err);
        if (status == XTA_OK) {
            check_sums(memory, n_ranks, 1000 * (which + 1));
            XTA_CHECK_OK(xta_zone_memory_free(memory, &err), err);
        }
    }
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
    MPI_Comm_free(&half);
    return xta_test_end();
}
