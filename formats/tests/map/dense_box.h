/* The oracle of mappings: a dense array over a box, all of which is copied whenever it grows.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_TESTS_MAP_DENSE_BOX_H
#define XTA_FORMATS_TESTS_MAP_DENSE_BOX_H

#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>

typedef struct dense_box {
    xta_box box;
    size_t cell_bytes;
    unsigned char fill[16];
    unsigned char *cells; /* row-major */
} dense_box;

/* Cells of `fill`. */
void dense_box_init(dense_box *dense, const xta_box *box, size_t cell_bytes, const void *fill);
void dense_box_clear(dense_box *dense);
size_t dense_box_count(const dense_box *dense);
/* The cell at a coordinate within the box. */
unsigned char *dense_box_at(const dense_box *dense, const int64_t coord[]);
void dense_box_grow(dense_box *dense, const xta_growth *growth);

#endif
