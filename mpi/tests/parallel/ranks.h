/* Ranks that share one array, and its model.
 *
 * Every rank runs the same generator from the same seed, so each knows the steps of all ranks, and
 * keeps the complete model. Independent calls of a rank (the boxes it reads) come from its own
 * generator. A difference on any rank ends the run with the steps of the array so far.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_PARALLEL_TEAM_H
#define XTA_TESTS_PARALLEL_TEAM_H

#include <xta/parallel.h>

#include "property/rig.h"

#define TEAM_MAX_PENDING 16

typedef struct team {
    rig rig; /* report, generator, model and type; rig.array is used only for the serial library */
    int rank, n_ranks;
    xta_parallel *p;
    xta_parallel_options options;
    MPI_Info hints; /* of the options; MPI_INFO_NULL: none */
    xta_box coming; /* the bounds after the changes of single processes are read */
    xta_growth pending[TEAM_MAX_PENDING];
    int n_pending;
    bool news; /* whether the next refresh must report a change */
} team;

/* A distribution of the chunks, with the memory that xta_distribution points to. */
typedef struct team_deal {
    xta_distribution how;
    int grid[XTA_MAX_NDIM];
    int64_t cycle[XTA_MAX_NDIM];
    const int64_t *cuts[XTA_MAX_NDIM];
    int64_t places[XTA_MAX_NDIM][64];
} team_deal;

/* team.c: opening, closing and structure. */
void team_begin(team *t);
void team_end(team *t);
void team_extend(team *t);
void team_extend_alone(team *t);
void team_foreign(team *t);
void team_refresh(team *t);
void team_shrink(team *t);
void team_add_axis(team *t);
void team_reopen(team *t);

/* team_cells.c: cells. */
void team_write_zones(team *t);
void team_write_slices(team *t);
void team_read(team *t);
void team_read_alone(team *t);
void team_refused(team *t);
void team_zone_memory(team *t);
/* Every rank reads all cells. */
void team_compare(team *t);
/* A random distribution over the chunks of the bounds. */
void team_deal_out(team *t, team_deal *deal);

#endif
