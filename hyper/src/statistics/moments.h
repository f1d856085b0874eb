/* Moments as their files and follow.c see them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_STATISTICS_MOMENTS_H
#define XTA_HYPER_STATISTICS_MOMENTS_H

#include <xta/moments.h>

#include "numeric/pairwise_sum.h"

struct xta_moments {
    bool noise;
    size_t n_bands;
    int64_t *band; // coordinates; n_bands
    double *shift; // what was taken from every cell before it was summed
    coverage have;
    tree tree;
    // All of the tree added up: see moments_total.
    uint64_t n[2];
    double *sums;
    int64_t n_lines_read;
    bool restarted;
};

/* Where things lie in the sums of a node: sums of cells, upper triangle of their products column by
 * column; with noise the same of differences. */
static inline size_t xta__triangle(size_t n_bands)
{
    return n_bands * (n_bands + 1) / 2;
}
static inline size_t xta__moments_sums(size_t n_bands, bool noise)
{
    return (n_bands + xta__triangle(n_bands)) * (noise ? 2 : 1);
}

/* Collective. Sums of some lines, strip by strip, appended to a tree on every member alike. */
xta_status xta__moments_scan(xta_scene *scene, line_range lines, bool noise, tree *into,
                             xta_error *err);

/* What is known, into a blob; and back into moments that were made with the same options. Where the
 * bytes are not whole or belong to other options `get` answers XTA_ESTATE, and the moments are as
 * new: the caller goes on with them and everything is done from the start. */
void xta__moments_put(const xta_moments *moments, blob *b);
xta_status xta__moments_get(xta_moments *moments, blob_reader *r, xta_error *err);

#endif
