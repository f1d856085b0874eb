/* Products of pixels with vectors, column by column.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_PIXELS_PIXEL_PRODUCTS_H
#define XTA_HYPER_ENDMEMBERS_PIXELS_PIXEL_PRODUCTS_H

#include <stdbool.h>
#include <stddef.h>

#include "endmembers/pixels/pixel_source.h"

/* For every pixel x of a block: column `square` = |x - centre|^2 (if wanted), and columns[k] = (x -
 * centre) . vectors[k]. A vector of NULL stands for zero. */
typedef struct pixel_products {
    const double *centre;
    bool square_wanted;
    size_t square; // which column
    size_t n;
    const double *const *vectors;
    const size_t *columns;
} pixel_products;
void xta__pixel_products(const pixel_source *f, const pixel_block *block,
                         const pixel_products *products);

#endif
