/* Projections of whole numbers of 16 bits on whole skewers of 16 bits, exact in 32 bits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_PPI_INTEGER_PROJECTION_H
#define XTA_HYPER_ENDMEMBERS_PPI_INTEGER_PROJECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Skewers are processed in groups of WHOLE_GROUP, pixels in groups of WHOLE_ROWS. */
enum { WHOLE_GROUP = 64, WHOLE_ROWS = 4 };

/* Project n_rows pixels (a multiple of WHOLE_ROWS, each of 2 n_pairs numbers) on one group of
 * skewers (n_pairs x WHOLE_GROUP x 2 numbers): projections[row * stride + skewer]. `high` and `low`
 * (WHOLE_GROUP numbers each) are widened to include them. */
typedef void whole_project(const int16_t *pixels, size_t n_rows, size_t n_pairs,
                           const int16_t *group, int32_t *projections, size_t stride, int32_t *high,
                           int32_t *low);

/* The versions that this processor can run, the fastest as number 0; NULL beyond the last. */
whole_project *xta__whole_project(size_t which);

#endif
