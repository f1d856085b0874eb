/* How often each pixel was an extreme.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_PPI_COUNTS_H
#define XTA_HYPER_ENDMEMBERS_PPI_COUNTS_H

#include <stddef.h>

#include <xta/endmembers.h>

#include "endmembers/ppi/extremes.h"

/* Count how often each pixel occurs; the list is sorted by descending count, then by (line,
 * sample). */
xta_status xta__ppi_count(const ppi_extremes *known, xta_ppi_pixel **pixels, size_t *n,
                          xta_error *err);

#endif
