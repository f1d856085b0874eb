/* What the files of xta-mpi share.
 *
 * xta-mpi is the tool for many processes. Every rank parses the same command line and opens source
 * and target itself; rank 0 alone creates the target and gives it its name at the end. No rank
 * leaves a step before all know its outcome: a rank in error takes part with an empty request, and
 * all ranks get the status and the text of the lowest rank in error.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_MPI_TOOL_H
#define XTA_MPI_TOOL_H

#include <mpi.h>

#include "kit/cli.h"
#include "rechunk.h"
#include "verb_loader.h"

/* The ranks that take part. */
typedef struct mpi_ranks {
    MPI_Comm comm;
    int rank, n_ranks;
} mpi_ranks;

/* One status for all: that of the lowest rank in error, with its text. Collective. */
xta_status xta__ranks_agree(const mpi_ranks *ranks, xta_status status, cli_error *err);

/* ---- distribute.c ---- */

/* The share of the work of one rank: components of the plan, or a box of the array. */
typedef struct mpi_share {
    bool boxed;
    uint64_t first, n; // components
    xta_box box;       // cells; may be empty
} mpi_share;

/* Compute the share of this rank: components that follow one another and hold about as many bytes
 * as those of any other rank; if they cannot be distributed evenly, a slab of whole output blocks.
 * Every rank computes the same distribution. */
xta_status xta__share_distribute(const mpi_ranks *ranks, const xta_blocks *to,
                                 const xta_rechunk_plan *plan, mpi_share *share, xta_error *err);

/* ---- slab.c ---- */

/* A box of a grid, as a separate grid. The original grid must outlive it. */
typedef struct mpi_slab {
    xta_blocks blocks;
    const xta_blocks *whole;
    xta_blocks_calls calls;
    int64_t first[XTA_MAX_NDIM]; // number of the first block of the box on each axis
    int64_t *edges[XTA_MAX_NDIM];
} mpi_slab;

xta_status xta__slab_init(mpi_slab *slab, const xta_blocks *whole, const xta_box *box,
                          xta_error *err);
void xta__slab_clear(mpi_slab *slab);

/* ---- hyper.c ---- */

/* Run a command of xta hyper: argv begins with its name. Collective; all ranks get the same
 * status. */
xta_status xta__mpi_hyper_run(const mpi_ranks *ranks, int argc, char *argv[], cli_error *err);

/* ---- rechunk.c ---- */

extern const cli_command xta__mpi_rechunk;

/* Run xta-mpi rechunk. Collective; all ranks get the same status. */
xta_status xta__mpi_rechunk_run(const mpi_ranks *ranks, const cli_args *args, cli_error *err);

#endif
