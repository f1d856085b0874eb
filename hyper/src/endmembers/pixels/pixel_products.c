/* Products of pixels with vectors.
 *
 * Each number is computed from one pixel and one vector by the sums of reproducible_dot.h, and so
 * does not depend on what is computed together with it. A pixel is converted to doubles once and
 * then serves four vectors at a time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/pixels/pixel_products.h"

#include <string.h>

#include "numeric/reproducible_dot.h"
#include "util/clones.h"

#define LESS(name, TYPE)                                                                   \
    XTA__CLONES static void less_##name(const void *cells, size_t n, const double *centre, \
                                        double *row)                                       \
    {                                                                                      \
        const TYPE *from = cells;                                                          \
        for (size_t k = 0; k < n; k++) {                                                   \
            row[k] = (double)from[k] - centre[k];                                          \
        }                                                                                  \
    }
LESS(i8, int8_t)
LESS(u8, uint8_t)
LESS(i16, int16_t)
LESS(u16, uint16_t)
LESS(f32, float)
LESS(f64, double)

typedef void subtract_function(const void *cells, size_t n, const double *centre, double *row);

/* For the types in which a scene keeps strips; see scene/cells.c. */
static subtract_function *subtract_of(xta_type type)
{
    switch (type) {
    case XTA_I8:
        return less_i8;
    case XTA_U8:
        return less_u8;
    case XTA_I16:
        return less_i16;
    case XTA_U16:
        return less_u16;
    case XTA_F32:
        return less_f32;
    default:
        return less_f64;
    }
}

/* Products of one pixel, minus the centre, with the vectors: number `k` of each column. */
static void row_products(const pixel_source *f, const pixel_products *p, const double *row,
                         size_t k, double *columns)
{
    const double *vectors[4];
    size_t column[4];
    size_t n = 0;

    for (size_t v = 0; v < p->n; v++) {
        if (p->vectors[v] == NULL) {
            columns[p->columns[v] * BLOCK_PIXELS + k] = 0;
            continue;
        }
        vectors[n] = p->vectors[v];
        column[n++] = p->columns[v];
        if (n == 4 || v + 1 == p->n) {
            double products[4];
            xta__dots(f->n_dims, row, vectors, n, products);
            for (size_t i = 0; i < n; i++) {
                columns[column[i] * BLOCK_PIXELS + k] = products[i];
            }
            n = 0;
        }
    }
    for (size_t i = 0; i < n; i++) {
        columns[column[i] * BLOCK_PIXELS + k] = xta__dot(f->n_dims, row, vectors[i]);
    }
}

void xta__pixel_products(const pixel_source *f, const pixel_block *block, const pixel_products *p)
{
    subtract_function *take = subtract_of(f->type);

    for (size_t k = 0; k < block->n; k++) {
        size_t pixel = block->first + k;
        const unsigned char *cells = block->cells + pixel / block->width * block->line_bytes +
                                     pixel % block->width * block->pixel_bytes;
        take(cells, f->n_dims, p->centre, block->row);
        if (p->square_wanted) {
            block->columns[p->square * BLOCK_PIXELS + k] =
                xta__dot(f->n_dims, block->row, block->row);
        }
        row_products(f, p, block->row, k, block->columns);
    }
}
