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

/* Pixels are projected on this many skewers at a time, so that BLAS always gets the same shape. */
enum { PPI_BLOCK = 256 };

/* The partial result of one thread, and its memory. */
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

/* Shared by all threads, read only. */
typedef struct ppi_job {
    size_t n_skewers, n_blocks, n_dims;
    const double *skewers; // n_blocks * PPI_BLOCK x n_dims
    const double *margin;  // n_skewers
    const fixed_basis *basis;
    uint64_t most_near_bytes; // of one thread
    const char *name;
    // Convert the skewers to 16-bit numbers (n_blocks * PPI_BLOCK * 2 n_pairs of them) and set
    // job->most. False if they are not such numbers.
    const int16_t *whole; // groups, one after the other
    size_t n_pairs;
    int64_t most; // the largest cell for which no sum exceeds 32 bits
    whole_project *project;
} ppi_job;

xta_status xta__ppi_tile(void *user, void *partial, const hyper_tile *tile, xta_error *err);
/* Skewers as whole numbers of 16 bits: n_blocks * PPI_BLOCK * 2 n_pairs of them; and job->most.
 * False if they are not whole numbers of 16 bits. */
bool xta__ppi_whole_skewers(ppi_job *job, int16_t *groups);

#endif
