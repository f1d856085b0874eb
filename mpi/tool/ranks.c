/* One status for all ranks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "mpi_tool.h"

/* The lowest rank in error, or the number of ranks. */
static int first_in_error(const mpi_ranks *ranks, xta_status status)
{
    int mine = status != XTA_OK ? ranks->rank : ranks->n_ranks;
    int first = 0;

    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, ranks->comm);
    return first;
}

xta_status xta__ranks_agree(const mpi_ranks *ranks, xta_status status, cli_error *err)
{
    int first = first_in_error(ranks, status);

    if (first == ranks->n_ranks) {
        return XTA_OK;
    }
    if (first == ranks->rank) {
        err->error.status = status;
    }
    // All ranks run the same program on machines of one kind: an error is a plain value.
    MPI_Bcast(err, sizeof *err, MPI_BYTE, first, ranks->comm);
    return err->error.status;
}
