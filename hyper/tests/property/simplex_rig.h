/* Random scenes that grow, for tests of endmember selection.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_SIMPLEX_RIG_H
#define XTA_TESTS_SIMPLEX_RIG_H

#include <xta/endmembers.h>
#include <xta/moments.h>

#include "endmembers/simplex/simplex.h"
#include "support/random.h"

/* The complete content of an array: lines [lo, hi) with lo <= 0 < hi. */
typedef struct world {
    int64_t lo, hi;
    size_t n_samples, n_bands;
    xta_type type;
    double *cells;
    double nodata; // 0: none
} world;

/* How many pixels and bands at most. */
typedef struct world_size {
    int64_t lines, samples, bands;
} world_size;

/* Mixtures with noise, of any stored type, sometimes with repeated pixels, zeros, no-data, NaN. */
void world_make(world *w, test_random *r, world_size most);
/* Cells that are all `value`. */
void world_blank(world *w, int64_t lo, int64_t hi, size_t n_samples, size_t n_bands, xta_type type,
                 double value);
void world_free(world *w);
double *world_pixel(const world *w, int64_t line, int64_t sample);
size_t world_pixels(const world *w);
/* One byte for each pixel; free it. */
unsigned char *world_valid(const world *w);

/* An array of lines [lo, hi) of the world, in memory; lo <= 0 < hi. */
xta_array *world_array(const world *w, int64_t lo, int64_t hi);
/* Append `by` lines at one side. */
void world_grow(const world *w, xta_array *array, xta_side side, int64_t by);

typedef struct world_view {
    int n_threads;
    bool short_of_memory;
    const xta_communicator *communicator;
} world_view;
xta_scene *world_scene(const world *w, xta_array *array, const world_view *view);

/* End the program with a message unless a call succeeded; works in every thread. */
void rig_ok(xta_status status, const xta_error *err, const char *what);

#endif
