/* What part of a scene a result covers, and what is new since.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "scene/coverage.h"

#include "scene/scene_private.h"

coverage xta__coverage_of(const xta_scene *scene)
{
    return (coverage){scene->now.lo[LINES], scene->now.hi[LINES], scene->now.signature};
}

int xta__coverage_new(const coverage *have, const xta_scene *scene, line_range fresh[2])
{
    int64_t lo = scene->now.lo[LINES], hi = scene->now.hi[LINES];
    int n = 0;

    if (have->line_lo >= have->line_hi) {
        fresh[0] = (line_range){lo, hi};
        return lo < hi;
    }
    if (have->signature != scene->now.signature || have->line_lo < lo || have->line_hi > hi) {
        return -1;
    }
    if (lo < have->line_lo) {
        fresh[n++] = (line_range){lo, have->line_lo};
    }
    if (have->line_hi < hi) {
        fresh[n++] = (line_range){have->line_hi, hi};
    }
    return n;
}
