/* Tiles: the unit of work of every method.
 *
 * A tile has TILE_LINES x TILE_SAMPLES pixels whose corner coordinates are multiples of these
 * numbers (floor, towards minus infinity), whatever the chunks of the file, the bounds of the
 * scene, the number of threads and of processes. A method gets it as a full matrix of TILE_PIXELS
 * rows; rows of pixels that lie outside the lines asked for, or are not valid, are zero and marked.
 * So BLAS always gets one shape, a pixel is always in the same row, and its results have the same
 * bits in every run. A row of tiles is a strip.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_TILE_H
#define XTA_HYPER_SCENE_TILE_H

#include <stddef.h>
#include <stdint.h>

enum { TILE_LINES = 32, TILE_SAMPLES = 32, TILE_PIXELS = TILE_LINES * TILE_SAMPLES };

/* A tile as methods see it. The pointers are valid during the call only. */
typedef struct hyper_tile {
    int64_t line, sample; /* coordinates of row 0; multiples of the tile's sides */
    const double *x;      /* TILE_PIXELS x n_bands, row-major; rows without `valid` are zero */
    const unsigned char *valid; /* TILE_PIXELS */
    size_t n_valid;
    size_t n_bands;
} hyper_tile;

/* Line and sample of a row. */
static inline int64_t xta__tile_line(const hyper_tile *tile, size_t row)
{
    return tile->line + (int64_t)(row / TILE_SAMPLES);
}
static inline int64_t xta__tile_sample(const hyper_tile *tile, size_t row)
{
    return tile->sample + (int64_t)(row % TILE_SAMPLES);
}

/* Which lines are scanned: [lo, hi) within the scene. */
typedef struct line_range {
    int64_t lo, hi;
} line_range;

#endif
