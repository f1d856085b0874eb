/* A pass over the tiles of a scene.
 *
 * A scan distributes its strips over `members x threads` shares, contiguous and in order. Each
 * thread collects a partial result of its own; the caller merges the partial results in order
 * (after a gather, on every member alike). The merged result must not depend on where the shares
 * were cut. That holds for maxima, with ties to the lowest pixel, and for sums of doubles if they
 * are pairwise sums (numeric/pairwise_sum.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_SCAN_H
#define XTA_HYPER_SCENE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/scene.h>

#include "scene/tile.h"

/* What a scan does. Each thread has a partial result of its own, so no locks are needed. */
typedef struct scan_job {
    const char *what; /* for progress: "moments" */
    void *user;       /* shared by all threads, read only */
    /* Called for each tile, strip by strip and in each strip by sample, also for tiles without a
     * valid pixel. */
    xta_status (*tile)(void *user, void *partial, const hyper_tile *tile, xta_error *err);
    /* Called after the last tile of a strip, with the number line / TILE_LINES; NULL if not wanted.
     */
    xta_status (*strip)(void *user, void *partial, int64_t strip, xta_error *err);
    /* Threads take the next strip when they have finished one, which balances uneven work better.
     * Only for results that do not depend on which thread had which strip, such as one number for
     * each pixel. */
    bool any_order;
    void *partials;       /* n_threads partial results, one after the other */
    size_t partial_bytes; /* bytes of one partial result */
} scan_job;

/* Collective. Run a job over a range of lines. The status is agreed; an empty range does nothing.
 * The partial results of one member are in the order of the lines, and those of lower ranks come
 * before those of higher ranks. Partial results of threads without strips stay as the caller made
 * them. */
xta_status xta__scan(xta_scene *scene, line_range lines, const scan_job *job, xta_error *err);

#endif
