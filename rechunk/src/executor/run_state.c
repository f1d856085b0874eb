/* The state of a run that its reader and writer share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "executor/run_state.h"

#include <time.h>

double xta__seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

bool xta__side_next(xta__side *side)
{
    while (!side->ready && xta_rechunk_iterator_next(side->walk, &side->op)) {
        side->reads = side->seen;
        side->seen += !side->op.write;
        side->ready = side->op.write == side->writes;
    }
    return side->ready;
}

void xta__enter_grid(xta__run *run)
{
    if (run->serial) {
        pthread_mutex_lock(&run->serial_lock);
    }
}

void xta__leave_grid(xta__run *run)
{
    if (run->serial) {
        pthread_mutex_unlock(&run->serial_lock);
    }
}

bool xta__is_finished(const void *user_run, uint64_t block)
{
    return xta__block_map_has(&((const xta__run *)user_run)->finished, block);
}

uint64_t xta__slice_bytes(const xta__run *run, uint64_t bytes, bool whole)
{
    uint64_t n = (bytes + XTA__SLICE_BYTES / 2) / XTA__SLICE_BYTES;
    uint64_t slice = whole || n <= 1 ? bytes : bytes / n + bytes / 64;

    return slice < run->staging_bytes ? slice : run->staging_bytes;
}
