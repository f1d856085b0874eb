/* A pass over the tiles of a scene.
 *
 * A scan distributes the strips it covers to `members x threads` shares, contiguous and in order.
 * Each thread collects a partial result of its own; the caller merges partial results in order
 * (after a gather, on every member alike). Merging must not depend on where the shares were cut:
 * maxima with ties to the lowest pixel do not, and sums of doubles do not if they are kept as aligned
 * power-of-two subtrees (statistics/moments.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_SCAN_H
#define XTA_HYPER_SCENE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/scene.h>

#include "scene/tile.h"

/* What a scan does. `part` is memory of the caller, one for each part of this member, so no
 * locks. */
typedef struct scan_job {
    const char *what; /* for progress: "moments" */
    void *user;       /* shared by all parts, read only */
    /* A tile, strip by strip and in each strip by sample. Tiles without a valid pixel come too. */
    xta_status (*tile)(void *user, void *partial, const hyper_tile *tile, xta_error *err);
    /* After the last tile of a strip (its number is line / TILE_LINES); NULL if not wanted. */
    xta_status (*strip)(void *user, void *partial, int64_t strip, xta_error *err);
    /* Threads take strips as they come, which shares uneven work out better: only for what does not
     * depend on who did which strip, such as one result for each pixel. */
    bool any_order;
    void *partials;       /* n_threads of them, one after the other */
    size_t partial_bytes; /* of one */
} scan_job;

/* Collective. Run a job over lines (all of them for whole strips or parts of strips). The status is
 * agreed by the team. An empty range does nothing. Parts of this member come in the order of the
 * lines, and those of lower ranks before those of higher. Parts without strips stay as the caller
 * made them. */
xta_status xta__scan(xta_scene *scene, line_range lines, const scan_job *job, xta_error *err);

#endif
