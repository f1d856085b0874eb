/* Cubes in memory as scenes that can grow, for tests of hyper/.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_HYPER_CUBE_H
#define XTA_TESTS_HYPER_CUBE_H

#include <xta/scene.h>

#include "support/random.h"

/* A cube, of which a scene shows the lines [lo, hi). */
typedef struct hyper_cube {
    size_t n_lines, n_samples, n_bands;
    double *cells;
    unsigned char *valid;
    int64_t lo, hi, zero; /* line `zero` of the cube has coordinate 0 */
    bool whole;
} hyper_cube;

/* Patches of a few materials, mixed at their borders, with noise, pixels that are no-data or zero,
 * and, for integer cells, repeated pixels: then sums of angles that should be equal are equal. Not
 * more than 64 bands. */
hyper_cube hyper_cube_make(test_random *r, size_t n_lines, size_t n_samples, size_t n_bands,
                           bool whole);
void hyper_cube_free(hyper_cube *cube);

/* The lines [lo, hi) as a scene; a refresh reads their current values. NULL: see error. */
xta_scene *hyper_cube_open(hyper_cube *cube, int n_threads, uint64_t memory,
                           const xta_communicator *communicator, xta_error *error);

#endif
