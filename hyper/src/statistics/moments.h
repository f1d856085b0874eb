/* The internals of moments, and what is kept of them between runs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_STATISTICS_MOMENTS_H
#define XTA_HYPER_STATISTICS_MOMENTS_H

#include <xta/moments.h>

#include "numeric/pairwise_sum.h"
#include "scene/coverage.h"
#include "state/blob.h"

struct xta_moments {
    bool noise;
    size_t n_bands;
    int64_t *band; // coordinates; n_bands
    double *shift; // the shift: subtracted from every cell before it is summed
    coverage have;
    pairwise_sum strips;
    // The sums over all strips.
    uint64_t n[2];
    double *sums;
    int64_t n_lines_read;
    bool restarted;
};

/* Write moments to a blob, and read them into moments that were made with the same options. If the
 * bytes are incomplete or belong to other options, `get` returns XTA_ESTATE and the moments are as
 * new, so that all is computed from the start. */
void xta__moments_put(const xta_moments *moments, blob *b);
xta_status xta__moments_get(xta_moments *moments, blob_reader *r, xta_error *err);

#endif
