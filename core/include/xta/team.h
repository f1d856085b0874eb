/** @file
 * A team: the processes that do one job together, as a small struct of functions. The analysis
 * knows nothing else of them: alone it is its own team, under MPI xta_team_mpi (xta/parallel.h)
 * makes one.
 *
 * Every result is the same whatever the size of the team: processes exchange what they found and
 * each of them merges it in the same order. Nothing is ever added up by the transport.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_TEAM_H
#define XTA_TEAM_H

#include <stddef.h>

#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Who works together. NULL wherever a team is asked for means: alone. */
typedef struct xta_team {
    size_t struct_size; /**< sizeof(xta_team) */
    int rank;           /**< 0 <= rank < size */
    int size;
    void *context; /**< handed to the functions */
    /** Collective. Give every member's `bytes` bytes to every member, in the order of the ranks;
     * `bytes` is the same everywhere, `all` holds size * bytes. Fails on all members alike. */
    xta_status (*gather)(void *context, const void *mine, size_t bytes, void *all, xta_error *err);
    /** Collective. XTA_OK if all members say so, else status and text of the lowest rank in error;
     * every member returns the same. */
    xta_status (*agree)(void *context, xta_status mine, xta_error *err);
} xta_team;

/** The rank in a team; 0 for NULL. Not collective. Never fails. */
static inline int xta_team_rank(const xta_team *team)
{
    return team != NULL ? team->rank : 0;
}

/** The size of a team; 1 for NULL. Not collective. Never fails. */
static inline int xta_team_size(const xta_team *team)
{
    return team != NULL ? team->size : 1;
}

#ifdef __cplusplus
}
#endif
#endif
