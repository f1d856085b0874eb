/* Unmixing the pixels of a tile.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_UNMIXING_UNMIX_BLOCK_H
#define XTA_HYPER_UNMIXING_UNMIX_BLOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "unmixing/support_maps.h"

typedef struct unmix_work {
    const xta_unmixer *unmixer;
    set_maps *maps;
    double *x; /* TILE_PIXELS x n_bands: normalised pixels, residuals */
    double *y; /* TILE_PIXELS x q */
    double *small;
    double *abundances; /* TILE_PIXELS x p */
    double *residual;   /* TILE_PIXELS */
    bool *direction;    /* TILE_PIXELS: the pixel is not zero */
} unmix_work;

/* False if out of memory; then nothing needs to be cleared. */
bool xta__unmix_work_init(unmix_work *work, const xta_unmixer *unmixer, size_t most_bytes);
void xta__unmix_work_clear(unmix_work *work);
/* Unmix a full block of rows. Rows that are not `valid` are zero and get NaN. The results are in
 * `work`. */
xta_status xta__unmix_block(unmix_work *work, const double *x, const unsigned char *valid,
                            bool residual, xta_error *err);

#endif
