/* An answer, and the question that it is made from.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CUBE_QUERY_H
#define XTA_CUBE_QUERY_H

#include "cube/runs.h"

struct xta_cube_answer {
    xta__answer_axis axes[XTA_MAX_NDIM]; // of the base
    int ndim;                            // of the base
    int shown[XTA_MAX_NDIM];             // those that remain
    int n_shown;
    xta__planes planes;
    xta__cube_arithmetic arithmetic;
    xta_cube_reading *readings; // of each combination, then of the base
    size_t n_readings;
};

/* Choose what happens to each axis: sets grouping, cells and by of the axes of the answer, and
 * reads times that are needed. */
xta_status xta__question_axes(xta_cube *cube, const xta_cube_question *question,
                              xta_cube_answer *answer, xta_error *err);

/* The cells that a question selects on an axis, for the caller to free. */
xta_status xta__question_cells(const xta_cube *cube, const xta_cube_question *question, int k,
                               int64_t **cells, size_t *n, xta_error *err);

#endif
