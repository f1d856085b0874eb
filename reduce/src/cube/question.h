/* What a question means: axes that are reduced, kept or grouped, and cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CUBE_QUESTION_H
#define XTA_CUBE_QUESTION_H

#include "cube/answer.h"

/* Choose what happens to each axis: sets grouping, cells and by of the axes of the answer, and
 * reads times that are needed. */
xta_status xta__question_axes(xta_cube *cube, const xta_cube_question *question,
                              xta_cube_answer *answer, xta_error *err);

/* The cells that a question selects on an axis, for the caller to free. */
xta_status xta__question_cells(const xta_cube *cube, const xta_cube_question *question, int k,
                               int64_t **cells, size_t *n, xta_error *err);

#endif
