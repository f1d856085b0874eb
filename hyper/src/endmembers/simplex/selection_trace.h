/* The trace of a selection: every extreme that was searched for, and the pixels chosen.
 *
 * A step scores all pixels; the score depends on pixels chosen before and on nothing else. For each
 * position it may fill, the step knows the best pixel above a bound (below which nothing would
 * change), or that there is none. When a scene has grown, scoring the new pixels in the same way
 * brings the step up to date. As long as all steps decide as they did before, so does the
 * selection. From the first step that decides differently, steps are done again over all pixels.
 * The algorithms (sga.c, nfindr.c) do not know which of these happens: they ask for steps and
 * choose pixels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_SIMPLEX_SELECTION_TRACE_H
#define XTA_HYPER_ENDMEMBERS_SIMPLEX_SELECTION_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "endmembers/pixels/pixel_source.h"
#include "endmembers/pixels/winner.h"
#include "state/blob.h"

/* What the score of a step is. */
typedef enum step_kind {
    STEP_LONGEST = 0, // the largest |x|^2
    STEP_DIRECTION =
        1,             // the largest square of the projection on a direction orthogonal to the hull
    STEP_FARTHEST = 2, // the largest squared distance from the hull of the vertices
    STEP_EXCHANGE = 3  // for each vertex, the largest distance from the hull of the others
} step_kind;

typedef struct trace_step {
    step_kind kind;
    size_t n;       // vertices
    size_t *vertex; // numbers of pixels of the trace
    size_t n_winners;
    winner *winners;
} trace_step;

typedef struct trace_pixel {
    int64_t line, sample;
    double value;
    double *spectrum; // n_bands, as in the scene
    double *point;    // n_dims; the centre is that of pixel 0
    double *f;        // n_dims: point - centre
} trace_pixel;

typedef struct selection_trace {
    bool random; // begins with directions instead of lengths
    uint64_t seed;
    trace_pixel *pixels;
    size_t n_pixels, pixel_capacity;
    trace_step *steps;
    size_t n_steps, step_capacity;
    // The outcome.
    size_t n;
    size_t *vertex; // n numbers of pixels
    double *score;  // n
    double log_volume;
    uint32_t n_sweeps;
    bool converged;
} selection_trace;

void xta__trace_clear(selection_trace *p);
/* Keep the first n_steps steps and n_pixels pixels. */
void xta__trace_cut(selection_trace *p, size_t n_steps, size_t n_pixels);
/* Add a step with arrays of its own; NULL if out of memory. */
trace_step *xta__trace_add_step(selection_trace *p, step_kind kind, size_t n, const size_t vertex[],
                                size_t n_winners);
/* Add a pixel with arrays of its own; NULL if out of memory. */
trace_pixel *xta__trace_add_pixel(selection_trace *p, size_t n_bands, size_t n_dims);
void xta__trace_put(const selection_trace *p, size_t n_bands, blob *b);
/* Points are not stored: see xta__trace_points. False if the bytes are not a trace. */
bool xta__trace_get(selection_trace *p, size_t n_bands, size_t n_dims, blob_reader *r);
/* Compute the points of all pixels from their spectra. Not collective. */
xta_status xta__trace_points(selection_trace *p, const pixel_source *f, xta_error *err);

#endif
