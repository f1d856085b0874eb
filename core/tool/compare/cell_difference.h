/* Comparing cells: how many differ, which one is the first, and where the difference is largest.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_COMPARE_CELL_DIFFERENCE_H
#define XTA_TOOL_COMPARE_CELL_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/box.h>
#include <xta/type.h>

/* Two values agree if they are equal (NaN equals NaN), or differ by at most `absolute`, or by at
 * most `relative` times the larger magnitude. */
typedef struct cli_tolerance {
    double absolute, relative;
} cli_tolerance;

/* The type of cells on either side. */
typedef struct cli_cell_kind {
    xta_type type;
    size_t cell_bytes;
} cli_cell_kind;

/* A pair of cells that differ. */
typedef struct cli_different_pair {
    int64_t at[XTA_MAX_NDIM];
    double size;          // |a - b|, or that divided by the larger magnitude
    uint8_t a[16], b[16]; // numbers only
} cli_different_pair;

/* What a comparison found. Begins as zeros. `largest` and `largest_relative` are set if n_sized >
 * 0; of equal ones each is that with the lowest coordinates, the last axis running fastest. */
typedef struct cli_cell_differences {
    uint64_t n_cells;
    uint64_t n_different;
    uint64_t n_nan;   // of these: NaN on one side
    uint64_t n_sized; // of these: the difference is a number
    cli_different_pair first, largest, largest_relative;
} cli_cell_differences;

/* Whether cells of two types can be compared: both numbers, or bytes of one length. */
bool cli_kinds_compare(const cli_cell_kind *a, const cli_cell_kind *b);

/* Compare the cells of a box, row-major in either buffer, and add the result to *found. The kinds
 * can be compared. Pure. */
void cli_compare_cells(const cli_cell_kind *kind_a, const void *a, const cli_cell_kind *kind_b,
                       const void *b, const xta_box *box, const cli_tolerance *tolerance,
                       cli_cell_differences *found);

#endif
