/* A lock for each zone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PARALLEL_ZONES_LOCK_H
#define XTA_PARALLEL_ZONES_LOCK_H

#include <mpi.h>
#include <stdint.h>

/* The offset of a zone's lock in its window, after the cells; and the length of the window. */
MPI_Aint xta__zone_lock_place(uint64_t zone_bytes);
MPI_Aint xta__zone_window_bytes(uint64_t zone_bytes);

/* Begin and end the exclusive use of a zone, among callers of these two functions. Whatever was put
 * under the lock must be flushed before the unlock. They return codes of MPI. */
int xta__zone_lock(MPI_Win window, int owner, MPI_Aint place);
int xta__zone_unlock(MPI_Win window, int owner, MPI_Aint place);

#endif
