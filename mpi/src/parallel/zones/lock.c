/* A lock for each zone, which MPI does not have.
 *
 * MPI_Accumulate is atomic for each element of a predefined type. A cell of XTA_BYTES is many such
 * elements, so a rank that writes it needs the zone for itself. The same holds for unsigned cells
 * where MPI compares them wrongly (types.c).
 *
 * The lock lies after the cells of the zone: two words, the next ticket and the ticket being
 * served. A rank that needs the zone draws a ticket and waits until it is served; when it is done,
 * it serves the next ticket. So ranks get the zone in the order in which they asked, and none is
 * passed over. Both words only grow, by MPI_SUM, and are read by MPI_NO_OP: by MPI's default
 * (accumulate_ops) no other two operations may be used on a word at the same time.
 * MPI_Compare_and_swap is not used: Open MPI 4.1.4 crashes in it where ranks share a machine.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "parallel/zones/lock.h"

#include <time.h>

/* Windows consist of whole cache lines: MPICH 4.0.2 looks for the windows of other ranks in the
 * wrong place if their length is not a multiple of 16 bytes. */
#define LINE_BYTES 64

/* Offset from the word of the next ticket to that of the ticket being served. */
#define SERVED ((MPI_Aint)sizeof(int64_t))

#define TURN_NS       20000L /* between two polls, for each rank ahead of this one */
#define MOST_PAUSE_NS 1000000L

MPI_Aint xta__zone_lock_place(uint64_t zone_bytes)
{
    return (MPI_Aint)((zone_bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES);
}

MPI_Aint xta__zone_window_bytes(uint64_t zone_bytes)
{
    return xta__zone_lock_place(zone_bytes) + LINE_BYTES;
}

/* Add to a word of another rank, or (MPI_NO_OP) only read it. *before: its old value. */
static int fetch(MPI_Win window, int owner, MPI_Aint place, int64_t by, MPI_Op op, int64_t *before)
{
    int code = MPI_Fetch_and_op(&by, before, MPI_INT64_T, owner, place, op, window);

    // Flush even if it failed: until then MPI may write to the memory it was given.
    int flushed = MPI_Win_flush(owner, window);
    return code == MPI_SUCCESS ? flushed : code;
}

int xta__zone_lock(MPI_Win window, int owner, MPI_Aint place)
{
    int64_t ticket = 0, served = 0;
    int code = fetch(window, owner, place, 1, MPI_SUM, &ticket);

    while (code == MPI_SUCCESS) {
        code = fetch(window, owner, place + SERVED, 0, MPI_NO_OP, &served);
        if (code != MPI_SUCCESS || served == ticket) {
            break;
        }
        // The more ranks are ahead, the longer the wait, and the less often they should be
        // disturbed.
        int64_t before = ticket - served;
        long pause = before < MOST_PAUSE_NS / TURN_NS ? (long)before * TURN_NS : MOST_PAUSE_NS;
        nanosleep(&(struct timespec){0, pause}, NULL);
    }
    return code;
}

int xta__zone_unlock(MPI_Win window, int owner, MPI_Aint place)
{
    int64_t served = 0;

    return fetch(window, owner, place + SERVED, 1, MPI_SUM, &served);
}
