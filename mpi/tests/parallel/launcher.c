/* The program that launcher.sh starts with the launchers of both MPIs: launcher <what> <path>
 *
 *   all    all ranks create one array, open it, and say how many they are
 *   self   each rank creates an array of its own, of MPI_COMM_SELF
 *   open   all ranks open an existing array
 *   whole  all ranks become one xta communicator
 *
 * Failures are printed with their status, and the exit code is then 1.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include <xta/parallel.h>

static xta_error err;

static xta_status create(MPI_Comm comm, const char *path)
{
    static const int64_t bounds[2] = {6, 5};
    xta_parallel *p = NULL;
    xta_status status = xta_parallel_create(comm, path, XTA_I32, 2, bounds, NULL, NULL, &p, &err);

    return status == XTA_OK ? xta_parallel_close(p, &err) : status;
}

static xta_status open_it(MPI_Comm comm, const char *path)
{
    xta_parallel *p = NULL;
    xta_status status = xta_parallel_open(comm, path, NULL, &p, &err);

    return status == XTA_OK ? xta_parallel_close(p, &err) : status;
}

static xta_status form_communicator(MPI_Comm comm)
{
    xta_communicator *group = NULL;
    xta_status status = xta_communicator_mpi(comm, &group, &err);

    xta_communicator_mpi_free(group);
    return status;
}

int main(int argc, char **argv)
{
    char own[1024];
    xta_status status = XTA_EARG;
    int rank = 0, n_ranks = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    const char *what = argc > 2 ? argv[1] : "";
    if (strcmp(what, "all") == 0) {
        status = create(MPI_COMM_WORLD, argv[2]);
        status = status == XTA_OK ? open_it(MPI_COMM_WORLD, argv[2]) : status;
    } else if (strcmp(what, "self") == 0) {
        snprintf(own, sizeof own, "%s%d", argv[2], rank);
        status = create(MPI_COMM_SELF, own);
        status = status == XTA_OK ? form_communicator(MPI_COMM_SELF) : status;
    } else if (strcmp(what, "open") == 0) {
        status = open_it(MPI_COMM_WORLD, argv[2]);
    } else if (strcmp(what, "whole") == 0) {
        status = form_communicator(MPI_COMM_WORLD);
    }
    if (status != XTA_OK) {
        fprintf(stderr, "%s: %s\n", xta_status_name(status), err.text);
    } else if (rank == 0) {
        printf("%d ranks\n", n_ranks);
    }
    MPI_Finalize();
    return status != XTA_OK;
}
