/* The path of a selection: every extreme that was looked for, and which pixels were taken.
 *
 * A step looks at all pixels with a score that depends on pixels taken before and on nothing else.
 * It knows, for each place it may fill, the best pixel above a bound (below which nothing would be
 * done), or that there is none. So, when a scene has grown, looking at the new pixels with the same
 * scores brings the step up to date; and as long as all steps decide as they did, so does the
 * selection. From the first that decides otherwise on, steps are done anew over all pixels. The
 * program of a selection (sga.c, nfindr.c) does not know which happens: it asks for steps and takes
 * pixels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_SIMPLEX_SELECTION_TRACE_H
#define XTA_HYPER_ENDMEMBERS_SIMPLEX_SELECTION_TRACE_H

#include "endmembers/pixels/pixel_source.h"
#include "endmembers/simplex/affine_hull.h"

/* A pixel with its score. Nothing but numbers of eight bytes, as it is sent to other members. */
typedef struct winner {
    double value; // the bound, while nothing is found
    int64_t line, sample;
    uint64_t found;
} winner;

/* What a step looks for. */
typedef enum step_kind {
    STEP_LONGEST = 0,   // the largest |x|^2
    STEP_DIRECTION = 1, // the largest square on a direction orthogonal to the vertices' hull
    STEP_FARTHEST = 2,  // the largest squared distance from the hull of the vertices
    STEP_EXCHANGE = 3   // for each vertex, the largest distance from the hull of the others
} step_kind;

typedef struct path_step {
    step_kind kind;
    size_t n;       // vertices
    size_t *vertex; // numbers of pixels of the path
    size_t n_winners;
    winner *winners;
} path_step;

typedef struct path_pixel {
    int64_t line, sample;
    double value;
    double *spectrum; // n_bands, as in the scene
    double *point;    // n_dims; the centre is that of pixel 0
    double *f;        // n_dims: point - centre
} path_pixel;

typedef struct path {
    bool random; // begins with directions instead of lengths
    uint64_t seed;
    path_pixel *pixels;
    size_t n_pixels, pixel_room;
    path_step *steps;
    size_t n_steps, step_room;
    // What came of it.
    size_t n;
    size_t *vertex; // n numbers of pixels
    double *score;  // n
    double log_volume;
    uint32_t n_sweeps;
    bool converged;
} path;

/* A pixel beats another by its score, then by its place. */
static inline bool xta__winner_beats(const winner *a, const winner *b)
{
    if (!a->found || !b->found || a->value != b->value) {
        return a->found && (!b->found || a->value > b->value);
    }
    return a->line != b->line ? a->line < b->line : a->sample < b->sample;
}

/* ---- path.c ---- */

void xta__path_clear(path *p);
/* Keep the first n_steps steps and n_pixels pixels. */
void xta__path_cut(path *p, size_t n_steps, size_t n_pixels);
/* Add a step (NULL: no memory), whose arrays are made here. */
path_step *xta__path_step(path *p, step_kind kind, size_t n, const size_t vertex[],
                          size_t n_winners);
/* Add a pixel whose arrays are made here; NULL: no memory. */
path_pixel *xta__path_pixel(path *p, size_t n_bands, size_t n_dims);
void xta__path_put(const path *p, size_t n_bands, blob *b);
/* Points are not stored: see xta__path_points. False: the bytes make no path. */
bool xta__path_get(path *p, size_t n_bands, size_t n_dims, blob_reader *r);
/* Work out the points of all pixels from their spectra. Not collective. */
xta_status xta__path_points(path *p, const field *f, xta_error *err);

/* ---- path_step.c: one step over a field ---- */

/* What is wanted of a selection, and where it stands. */
typedef struct selection {
    field *f;
    const int64_t *band; // numbers for the entries of directions; NULL: 0, 1, 2 ...
    size_t n_wanted;
    size_t max_sweeps;
    bool exchange;
    path *p;
    size_t at;    // steps asked for
    size_t taken; // pixels taken
    uint64_t n_kept, n_scanned;
    // Whose products the kept columns hold: pixels of the scene; found: 0 for none.
    winner centre;
    winner *column;
} selection;

/* What it takes to look at a block with a step. */
typedef struct step_view {
    step_kind kind;
    size_t n_winners;
    winner *bounds; // n_winners
    hull hull;
    size_t *product;   // columns of the vertices
    double *direction; // n_dims, of length one
    double *zero;      // n_dims
    const double *centre;
    size_t square, spare; // columns
} step_view;

enum { COLUMN_SQUARE = 0, COLUMN_SPARE = 1, COLUMN_FIRST = 2 };

/* Prepare a step of a path; product[k] is the column of its vertex k (copied). Not collective. */
xta_status xta__view_make(step_view *v, const selection *s, const path_step *step,
                          const size_t product[], xta_error *err);
void xta__view_clear(step_view *v);
/* Look at a block; `scores` has room for max(1, n_winners) columns. Products of vertices must be
 * there. */
void xta__view_block(const step_view *v, const field *f, const pixel_block *block, winner *best,
                     double *scores);

/* Collective. Merge winners of all members, in place. */
xta_status xta__winners_gather(const field *f, winner *winners, size_t n, xta_error *err);

/* Collective. Begin and end a selection; kept columns are dropped. */
xta_status xta__selection_begin(selection *s, path *p, xta_error *err);
void xta__selection_end(selection *s);
/* Collective. The next step of the path: as it is known, or looked for over all pixels. */
xta_status xta__selection_step(selection *s, step_kind kind, size_t n, const size_t vertex[],
                               const winner **winners, xta_error *err);
/* Collective. Take a pixel; its number in the path comes out. */
xta_status xta__selection_take(selection *s, const winner *w, size_t *number, xta_error *err);

/* ---- path_replay.c ---- */

/* Collective. Let all steps of n paths look at lines that are new. */
xta_status xta__paths_replay(path *paths, size_t n, const selection *like, line_range fresh,
                             xta_error *err);

/* ---- the programs ---- */

/* The direction of step n of a random path: the seed's, orthogonal to f of the pixels 1 .. n - 1,
 * of length one; `scratch` has (n + 1) n_dims numbers. False: no such direction is left. vca.c */
bool xta__vca_direction(const selection *s, size_t n, double *direction, double *scratch);
/* Collective. Run the selection along s->p: sga.c, then nfindr.c if s->exchange. */
xta_status xta__select(selection *s, xta_error *err);
xta_status xta__nfindr_exchange(selection *s, size_t n, size_t vertex[], xta_error *err);

#endif
