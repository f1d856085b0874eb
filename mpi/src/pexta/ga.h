/* Global arrays: what they are, and their cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PEXTA_GA_H
#define XTA_PEXTA_GA_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/box.h>
#include <xta/pexta.h>

#include "pexta/session.h"
#include "pexta/worker.h"

typedef struct xta__ga {
    int g_a, type, ndim;
    int64_t dims[PEXTA_MAX_NDIM];
    bool one_block; /* each process holds one box: neither block-cyclic nor tiled */
} xta__ga;

/* Fails if `g_a` is not a global array, or not one of all processes. Not collective. */
xta_status xta__ga_inquire(int g_a, xta__ga *ga, xta_error *err);

/* The block of a process, half-open, possibly empty. Only where `one_block`. */
xta_box xta__ga_block(const xta__ga *ga, int rank);

/* The longest block on each axis. */
void xta__ga_block_lengths(const xta__ga *ga, int64_t lengths[]);

/* The axis of the file for one of the global array. */
int xta__file_axis(const xta__move *move, int g_axis);

/* Get the cells of a job from the global array. */
void xta__get_job(const xta__move *move, const xta__job *job);

/* Put the cells that a job has read into the global array. */
void xta__put_job(const xta__move *move, const xta__job *job);

#endif
