/* A trial of reductions: a random array, what is to be reduced, and what the definition in
 * xta/reduce.h says about it, computed naively from the list of cells of each result.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_REDUCE_RIG_H
#define XTA_TESTS_REDUCE_RIG_H

#include <xta/reduce.h>

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

#define RIG_CELLS 8000

typedef struct reduce_trial {
    test_story story;
    test_random random;
    test_folder folder;

    xta_type type;
    size_t cell_bytes;
    xta_box bounds;
    uint64_t n_cells;
    uint8_t raw[RIG_CELLS * 8]; // row-major

    int axes[XTA_MAX_NDIM];
    int64_t labels[RIG_CELLS];
    int64_t group[RIG_CELLS]; // of each coordinate of the grouped axis, in the result; -1: none
    uint8_t missing[8];
    xta_reduce_options options;
    xta_box result; // bounds of the results
    uint64_t n_results;
} reduce_trial;

__extension__ typedef __int128 rig_exact;

/* What the definition says about one result cell. */
typedef struct reduce_answer {
    uint64_t count;
    bool has_nan; // NaN that is not missing
    double sum;   // of floats
    rig_exact exact;
    double least, most;
    int64_t least_i, most_i; // of integers
    uint64_t least_u, most_u;
    long double mean, m2; // in two passes
    long double scale;    // sum of the magnitudes
} reduce_answer;

/* Random type, bounds, cells and options. */
void rig_make(reduce_trial *t);

/* An array with the cells of the trial: random chunks, order, access and history of growth.
 * `number` makes its name. */
xta_array *rig_array(reduce_trial *t, int number);

/* The answer for the result cell `at`. */
void rig_answer(const reduce_trial *t, const int64_t at[], reduce_answer *answer);

/* Count a coordinate on; false behind the last. */
bool rig_next(const xta_box *box, int64_t at[]);

#endif
