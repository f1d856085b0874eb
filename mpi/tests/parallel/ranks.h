/* Ranks that share one array, and its model.
 *
 * Every rank runs the same generator from the same seed, so each knows the steps of all ranks, and
 * keeps the complete model. Independent calls of a rank (the boxes it reads) come from its own
 * generator. A difference on any rank ends the run with the steps of the array so far.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_PARALLEL_RANKS_H
#define XTA_TESTS_PARALLEL_RANKS_H

#include <xta/parallel.h>

#include "property/rig.h"

#define RANKS_MAX_PENDING 16

typedef struct ranks {
    rig rig; /* report, generator, model and type; rig.array is used only for the serial library */
    int rank, n_ranks;
    xta_parallel *p;
    xta_parallel_options options;
    MPI_Info hints; /* of the options; MPI_INFO_NULL: none */
    xta_box coming; /* the bounds after the changes of single processes are read */
    xta_growth pending[RANKS_MAX_PENDING];
    int n_pending;
    bool news; /* whether the next refresh must report a change */
} ranks;

/* A distribution of the chunks, with the memory that xta_distribution points to. */
typedef struct rank_distribution {
    xta_distribution how;
    int grid[XTA_MAX_NDIM];
    int64_t cycle[XTA_MAX_NDIM];
    const int64_t *cuts[XTA_MAX_NDIM];
    int64_t places[XTA_MAX_NDIM][64];
} rank_distribution;

/* ranks.c: opening, closing and structure. */
void ranks_begin(ranks *t);
void ranks_end(ranks *t);
void ranks_extend(ranks *t);
void ranks_extend_alone(ranks *t);
void ranks_foreign(ranks *t);
void ranks_refresh(ranks *t);
void ranks_shrink(ranks *t);
void ranks_add_axis(ranks *t);
void ranks_reopen(ranks *t);

/* ranks_cells.c: cells. */
void ranks_write_zones(ranks *t);
void ranks_write_slices(ranks *t);
void ranks_read(ranks *t);
void ranks_read_alone(ranks *t);
void ranks_refused(ranks *t);
void ranks_zone_memory(ranks *t);
/* Every rank reads all cells. */
void ranks_compare(ranks *t);
/* A random distribution over the chunks of the bounds. */
void ranks_distribute(ranks *t, rank_distribution *distribution);

#endif
