/* The oracle of cells: a plain array in memory, all of which is copied whenever its bounds change.
 *
 * A cell holds a code, a small natural number. Only oracle_encode knows the bytes of code v in each
 * element type, so that one model serves all types and the conversions between them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_ORACLE_CELLS_H
#define XTA_TESTS_ORACLE_CELLS_H

#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>

typedef struct oracle_cells {
    xta_box bounds;
    uint16_t fill;  /* code of a cell that was never written */
    uint16_t *code; /* row-major over the bounds */
} oracle_cells;

void oracle_cells_init(oracle_cells *cells, int ndim, const int64_t bounds[], uint16_t fill);
void oracle_cells_clear(oracle_cells *cells);

/* New bounds: cells inside both the old and the new bounds keep their value, the rest is fill. */
void oracle_cells_extend(oracle_cells *cells, const xta_growth *growth);
void oracle_cells_shrink(oracle_cells *cells, const xta_growth *growth);
void oracle_cells_add_axis(oracle_cells *cells, int position);

/* The code at a coordinate, for reading and writing; NULL outside the bounds. */
uint16_t *oracle_cells_at(const oracle_cells *cells, const int64_t coord[]);

uint64_t oracle_cells_count(const oracle_cells *cells);

/* Step through a box: coord goes to its next cell, row-major, `step` apart (NULL: every cell).
 * False after the last. Start with coord = lo of a box that is not empty. */
int oracle_next(const xta_box *box, const int64_t step[], int64_t coord[]);

/* The largest code that has a distinct value in the type. */
uint16_t oracle_max_code(xta_type type);

/* Write the cell of code v: the number v in every real type; v and v / 2 as a complex number;
 * for bytes a pattern that depends on v in each byte. */
void oracle_encode(xta_type type, size_t cell_bytes, uint16_t code, void *cell);

#endif
