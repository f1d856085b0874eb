/* What part of a scene a result covers, and what is new since.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_COVERAGE_H
#define XTA_HYPER_SCENE_COVERAGE_H

#include <stdint.h>

#include <xta/scene.h>

#include "scene/tile.h"

/* What part of a scene a result covers; the first thing in its blob. */
typedef struct coverage {
    int64_t line_lo, line_hi; /* lo == hi: nothing yet */
    uint64_t signature;
} coverage;
/* Which lines are new since: up to two ranges (front, back). Returns their number, or -1 if the
 * result cannot be continued (another signature, or lines were taken away) and must start again. */
int xta__coverage_new(const coverage *have, const xta_scene *scene, line_range fresh[2]);
coverage xta__coverage_of(const xta_scene *scene);

#endif
