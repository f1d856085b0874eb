/* One step of a selection over the pixels of a source.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_SIMPLEX_SELECTION_STEP_H
#define XTA_HYPER_ENDMEMBERS_SIMPLEX_SELECTION_STEP_H

#include <stdbool.h>
#include <stddef.h>

#include "endmembers/pixels/pixel_source.h"
#include "endmembers/pixels/winner.h"
#include "endmembers/simplex/affine_hull.h"
#include "endmembers/simplex/selection.h"

/* What is needed to score a block for a step. */
typedef struct step_scorer {
    step_kind kind;
    size_t n_winners;
    winner *bounds; // n_winners
    affine_hull hull;
    size_t *product;   // columns of the vertices
    double *direction; // n_dims, of length one
    double *zero;      // n_dims
    const double *centre;
    size_t square, spare; // columns
} step_scorer;

enum { COLUMN_SQUARE = 0, COLUMN_SPARE = 1, COLUMN_FIRST = 2 };

/* Prepare the scoring for a step; product[k] is the column of its vertex k (copied). Not
 * collective. */
xta_status xta__step_scorer_init(step_scorer *v, const selection *s, const trace_step *step,
                                 const size_t product[], xta_error *err);
void xta__step_scorer_clear(step_scorer *v);
/* Score a block and update `best`. `scores` has space for max(1, n_winners) columns. The products
 * of the vertices must have been computed. */
void xta__step_scorer_block(const step_scorer *v, const pixel_source *f, const pixel_block *block,
                            winner *best, double *scores);

/* Collective. Begin and end a selection along a trace. What the kept columns held before is
 * forgotten. */
xta_status xta__selection_begin(selection *s, selection_trace *p, xta_error *err);
void xta__selection_end(selection *s);
/* Collective. Do the next step: as the trace has it, or else over all pixels. */
xta_status xta__selection_step(selection *s, step_kind kind, size_t n, const size_t vertex[],
                               const winner **winners, xta_error *err);
/* Collective. Choose a pixel; *number is its number in the trace. */
xta_status xta__selection_add_pixel(selection *s, const winner *w, size_t *number, xta_error *err);

#endif
