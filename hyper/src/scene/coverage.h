/* The lines that a result covers, and the signature it was computed under. Stored first in the
 * bytes of each result.
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
    uint64_t signature;       /* differs if bands, no-data values or bounds of samples do */
} coverage;
/* Lines that are not covered yet: up to two ranges, at the front and at the back. Returns the
 * number of ranges, or -1 if the result cannot be continued and must be computed from the start,
 * because the signature differs or lines were removed. */
int xta__coverage_new(const coverage *have, const xta_scene *scene, line_range fresh[2]);
coverage xta__coverage_of(const xta_scene *scene);

#endif
