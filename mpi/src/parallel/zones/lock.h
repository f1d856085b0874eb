/* A lock for each zone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PARALLEL_ZONES_LOCK_H
#define XTA_PARALLEL_ZONES_LOCK_H

#include <mpi.h>
#include <stdint.h>

/* Where the lock of a zone stands in its window, behind the cells; and what the window takes. */
MPI_Aint xta__zone_lock_place(uint64_t zone_bytes);
MPI_Aint xta__zone_window_bytes(uint64_t zone_bytes);

/* Begin and end the exclusive use of a zone, among those that use these two. What was put while it
 * was locked is to be flushed before it is unlocked. Return codes of MPI. */
int xta__zone_lock(MPI_Win window, int owner, MPI_Aint place);
int xta__zone_unlock(MPI_Win window, int owner, MPI_Aint place);

#endif
