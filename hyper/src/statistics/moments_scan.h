/* Sums of the cells of a scene and of their products.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_STATISTICS_MOMENTS_SCAN_H
#define XTA_HYPER_STATISTICS_MOMENTS_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include <xta/moments.h>

#include "numeric/pairwise_sum.h"
#include "scene/tile.h"

/* Layout of the sums of a node: the sums of cells, then the upper triangle of their products column
 * by column; with noise, the same of differences. */
static inline size_t xta__triangle(size_t n_bands)
{
    return n_bands * (n_bands + 1) / 2;
}
static inline size_t xta__moments_sums(size_t n_bands, bool noise)
{
    return (n_bands + xta__triangle(n_bands)) * (noise ? 2 : 1);
}

/* Collective. Sum a range of lines strip by strip; the sums are appended to `into` on every member
 * alike. */
xta_status xta__moments_scan(xta_scene *scene, line_range lines, bool noise, pairwise_sum *into,
                             xta_error *err);

#endif
