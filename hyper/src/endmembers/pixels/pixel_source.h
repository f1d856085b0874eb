/* Pixels for a selection, a few at a time: of a scene, of its components in a basis, or of a
 * matrix.
 *
 * A field is visited strip by strip, and a strip in blocks of at most FIELD_BLOCK pixels of one
 * tile. Beside each block stand columns, one number for each pixel in each of them; where memory
 * allows they are kept from visit to visit, so that products of pixels with endmembers need to be
 * made once. Whether they are kept cannot be seen in any result: every number in them depends on
 * one pixel and the endmembers alone, and is worked out in one order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_PIXELS_PIXEL_SOURCE_H
#define XTA_HYPER_ENDMEMBERS_PIXELS_PIXEL_SOURCE_H

#include <xta/endmembers.h>

#include "scene/scene_private.h"

enum { FIELD_BLOCK = 128 };

/* Pixels first .. first + n - 1 of a tile whose lines have `width` pixels. */
typedef struct pixel_block {
    size_t n;
    size_t first;
    size_t width;
    int64_t line, sample;       // of the tile's first pixel
    const unsigned char *cells; // of the tile's first pixel; NULL: the visit is without cells
    size_t line_bytes, pixel_bytes;
    const unsigned char *valid; // of the n pixels; NULL: all are
    double *columns;            // FIELD_BLOCK numbers in each; blanks at the end
    bool blank;                 // nothing was ever put into the columns
    double *row;                // scratch: one pixel
} pixel_block;

/* A copy of a basis, and a number that tells it from others. */
typedef struct frozen {
    size_t n_bands, n_dims;
    int64_t *band;
    double *mean;
    double *vectors; // n_dims x n_bands
    uint64_t identity;
} frozen;

typedef struct kept_field {
    double *columns;      // block after block
    unsigned char *valid; // pixel after pixel, in the order of the visit; NULL: all are valid
    double *points;       // with a basis: components of (line, sample); NULL: no room
    bool made;            // points are there
    bool filled;          // columns and valid hold what a visit put there
} kept_field;

typedef struct field {
    xta_scene *scene; // NULL: a matrix
    const frozen *basis;
    size_t n_dims; // numbers of a pixel: bands, or dimensions of the basis
    xta_type type; // of cells
    const double *matrix;
    size_t n_rows;
    size_t n_columns;
    bool keep_nothing;
    bool planned;        // xta__field_keep was called
    int64_t first_strip; // of this member's strips
    size_t n_strips;
    kept_field *kept;    // n_strips; NULL: nothing is kept
    uint64_t lines_read; // by visits with cells, of the whole team
} field;

/* A block; `strip_user` is what xta__field_visit made for the strip. */
typedef void field_block(void *user, void *strip_user, const pixel_block *block);
typedef struct field_visit {
    const char *what;
    line_range lines; // of a scene
    size_t n_columns; // beside each block; those of the field if they are kept ones
    bool kept;        // hand out the columns that the field keeps; lines must be all lines then
    bool with_cells;  // false only if every column that is needed was filled before
    void *user;
    size_t strip_bytes; // of strip_user, which is all zeros when a strip begins
    field_block *block;
    void (*strip)(void *user, void *strip_user); // after a strip; one thread at a time
} field_visit;

/* Not collective. A field over a scene, or over n_rows x n_dims numbers, whose row k stands for the
 * pixel of line k and sample 0. Both are borrowed. */
void xta__field_of_scene(field *f, xta_scene *scene, const frozen *basis, bool keep_nothing);
void xta__field_of_matrix(field *f, const double *matrix, size_t n_rows, size_t n_dims);
/* Keep n_columns columns if memory allows; what was kept before is dropped. Not collective. */
void xta__field_keep(field *f, size_t n_columns);
void xta__field_clear(field *f);

/* Collective over the scene's team; the status is agreed. */
xta_status xta__field_visit(field *f, const field_visit *visit, xta_error *err);

/* The coordinates of pixel k of a block. */
static inline void xta__block_pixel(const pixel_block *block, size_t k, int64_t *line,
                                    int64_t *sample)
{
    *line = block->line + (int64_t)((block->first + k) / block->width);
    *sample = block->sample + (int64_t)((block->first + k) % block->width);
}

/* Columns of products. For every pixel x of the block: column square = |x - centre|^2 (if wanted),
 * and columns[k] = (x - centre) . vectors[k]. A vector of NULL stands for zero. */
typedef struct field_products {
    const double *centre; // NULL: zero
    bool square_wanted;
    size_t square; // which column
    size_t n;
    const double *const *vectors;
    const size_t *columns;
} field_products;
void xta__field_products(const field *f, const pixel_block *block, const field_products *products);

/* A pixel as the scene has it (n_bands doubles), and as a point of the field: the same, or its
 * components. Not collective. */
xta_status xta__field_pixel(const field *f, int64_t line, int64_t sample, double *spectrum,
                            xta_error *err);
xta_status xta__field_point(const field *f, const double *spectrum, double *point, xta_error *err);

/* ---- endmembers_points.c: components in a basis ---- */

/* NULL for NULL. */
xta_status xta__frozen_new(const xta_basis *basis, frozen **into, xta_error *err);
void xta__frozen_free(frozen *basis);
/* Whether a basis (NULL: fits every scene) is for the bands of a scene. */
xta_status xta__frozen_fits(const frozen *basis, const xta_scene *scene, xta_error *err);
/* Components of n pixels of n_bands numbers; `row` is scratch for one pixel. The bits of a pixel do
 * not depend on the others. */
void xta__frozen_apply(const frozen *basis, const double *pixels, size_t n, double *row,
                       double *points);
/* Components of the pixels of a scene; lines of `points` are `width` pixels long. Those of pixels
 * that are not valid are NaN. */
xta_status xta__points_read(const field *f, const int64_t lines[2], const int64_t samples[2],
                            double *points, size_t width, xta_error *err);
/* Which pixels of a tile of points are valid. */
void xta__points_valid(const unsigned char *points, size_t line_bytes, size_t n_lines, size_t width,
                       size_t pixel_bytes, unsigned char *valid);

#endif
