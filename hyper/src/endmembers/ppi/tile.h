/* Projections of the pixels of a tile on all skewers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_PPI_TILE_H
#define XTA_HYPER_ENDMEMBERS_PPI_TILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "endmembers/pixels/fixed_basis.h"
#include "endmembers/ppi/extremes.h"
#include "endmembers/ppi/integer_projection.h"
#include "scene/tile.h"

/* Skewers are projected on in blocks of this many, so that BLAS always sees the same shape. */
enum { PPI_BLOCK = 256 };

/* What one thread of a scan works with. */
typedef struct ppi_partial {
    ppi_extremes known;
    // Doubles, or (projections of whole numbers) 32-bit numbers: TILE_PIXELS x PPI_BLOCK.
    void *projections;
    bool whole;
    int16_t *pixels; // TILE_PIXELS x 2 n_pairs, for whole numbers
    double *points;  // TILE_PIXELS x n_dims, with a basis
    double *row;
    uint64_t near_bytes;
} ppi_partial;

/* What all threads read. */
typedef struct ppi_job {
    size_t n_skewers, n_blocks, n_dims;
    const double *skewers; // n_blocks * PPI_BLOCK x n_dims
    const double *margin;  // n_skewers
    const fixed_basis *basis;
    uint64_t most_near_bytes; // of a part
    const char *name;
    // Skewers of whole numbers, for whole_project; NULL: not so.
    const int16_t *whole; // groups, one after the other
    size_t n_pairs;
    int64_t most; // the greatest pixel for which no sum leaves 32 bits
    whole_project *project;
} ppi_job;

xta_status xta__ppi_tile(void *user, void *partial, const hyper_tile *tile, xta_error *err);
/* Skewers as whole numbers of 16 bits: n_blocks * PPI_BLOCK * 2 n_pairs of them; and job->most.
 * False if they are none. */
bool xta__ppi_whole_skewers(ppi_job *job, int16_t *groups);

#endif
