/* Where the pixels of a selection come from: a scene, its components in a basis, or a matrix. They
 * are visited a few at a time.
 *
 * A source is visited strip by strip, and a strip in blocks of at most BLOCK_PIXELS pixels of one
 * tile. Each block comes with columns, which have one number for each pixel. Where memory allows,
 * columns are kept from visit to visit, so that products of pixels with endmembers are computed
 * once. Whether they are kept makes no difference to results: each number in them depends on one
 * pixel and the endmembers alone, and is computed in one order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_PIXELS_PIXEL_SOURCE_H
#define XTA_HYPER_ENDMEMBERS_PIXELS_PIXEL_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/scene.h>

#include "endmembers/pixels/fixed_basis.h"
#include "scene/scene.h"
#include "scene/tile.h"

enum { BLOCK_PIXELS = 128 };

/* Pixels first .. first + n - 1 of a tile whose lines have `width` pixels. */
typedef struct pixel_block {
    size_t n;
    size_t first;
    size_t width;
    int64_t line, sample;       // of the tile's first pixel
    const unsigned char *cells; // of the tile's first pixel; NULL: the visit is without cells
    size_t line_bytes, pixel_bytes;
    const unsigned char *valid; // of the n pixels; NULL: all are
    double *columns;            // BLOCK_PIXELS numbers in each
    bool blank;                 // nothing has been put into the columns yet
} pixel_block;

typedef struct kept_columns {
    double *columns;      // block after block
    unsigned char *valid; // pixel after pixel, in the order of the visit; NULL: all are valid
    double *points;       // with a basis: components of (line, sample); NULL: not kept
    bool made;            // points have been computed
    bool filled;          // columns and valid are filled by a visit
} kept_columns;

typedef struct pixel_source {
    xta_scene *scene; // NULL: a matrix
    const fixed_basis *basis;
    size_t n_dims; // numbers of a pixel: bands, or dimensions of the basis
    xta_type type; // of cells
    const double *matrix;
    size_t n_rows;
    size_t n_columns;
    bool keep_nothing;
    bool planned;        // xta__pixel_source_keep_columns was called
    int64_t first_strip; // first strip of this member
    size_t n_strips;
    kept_columns *kept;  // n_strips; NULL: nothing is kept
    uint64_t lines_read; // by visits with cells, of all members
} pixel_source;

/* Called for each block; `strip_user` is memory of the strip. */
typedef void visit_block(void *user, void *strip_user, const pixel_block *block);
typedef struct pixel_visit {
    const char *what;
    line_range lines; // of a scene
    size_t n_columns; // that come with each block
    bool kept;        // use the kept columns; `lines` must be all lines then
    bool with_cells;  // false only if every column that is needed has been filled before
    void *user;
    size_t strip_bytes; // size of strip_user, which is all zeros when a strip begins
    visit_block *block;
    void (*strip)(void *user, void *strip_user); // called after a strip, by one thread at a time
} pixel_visit;

/* Not collective. A source over a scene, or over a matrix of n_rows x n_dims numbers, whose row k
 * is the pixel of line k and sample 0. Both are borrowed. */
void xta__pixel_source_of_scene(pixel_source *f, xta_scene *scene, const fixed_basis *basis,
                                bool keep_nothing);
void xta__pixel_source_of_matrix(pixel_source *f, const double *matrix, size_t n_rows,
                                 size_t n_dims);
/* Keep n_columns columns from now on if memory allows, and drop those kept before. Not collective.
 */
void xta__pixel_source_keep_columns(pixel_source *f, size_t n_columns);
void xta__pixel_source_clear(pixel_source *f);

/* Collective over the members of the scene; the status is agreed. */
xta_status xta__pixel_source_visit(pixel_source *f, const pixel_visit *visit, xta_error *err);

/* The coordinates of pixel k of a block. */
static inline void xta__block_pixel(const pixel_block *block, size_t k, int64_t *line,
                                    int64_t *sample)
{
    *line = block->line + (int64_t)((block->first + k) / block->width);
    *sample = block->sample + (int64_t)((block->first + k) % block->width);
}

/* A pixel as the scene has it (n_bands doubles), and as a point of the source: the same, or its
 * components. Not collective. */
xta_status xta__pixel_source_spectrum(const pixel_source *f, int64_t line, int64_t sample,
                                      double *spectrum, xta_error *err);
xta_status xta__pixel_source_point(const pixel_source *f, const double *spectrum, double *point,
                                   xta_error *err);

/* The communicator of the scene behind a source; NULL for a matrix. */
static inline const xta_communicator *xta__pixel_source_communicator(const pixel_source *f)
{
    return f->scene == NULL ? NULL : xta__scene_communicator(f->scene);
}

#endif
