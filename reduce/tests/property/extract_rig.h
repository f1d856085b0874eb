/* A test case for extraction: a random array and random regions, and their expected contents.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_EXTRACT_RIG_H
#define XTA_TESTS_EXTRACT_RIG_H

#include <xta/extract.h>

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

#define MOST_CELLS   4096
#define MOST_REGIONS 12

typedef struct trial {
    test_story story;
    test_random random;
    test_folder folder;
    char path[TEST_PATH_BYTES];
    xta_array *array;
    xta_box bounds;
    xta_type type;
    size_t cell_bytes;
    uint8_t raw[MOST_CELLS * 8];
    uint64_t n_cells;

    // The regions, for the oracle: for each cell of the space its rank in the region, or
    // -1.
    int axes[XTA_MAX_NDIM];
    xta_box space;
    uint64_t n_space;
    uint64_t n_positions;
    size_t n_regions;
    int64_t *rank[MOST_REGIONS];
    uint64_t n_in[MOST_REGIONS];

    xta_array *mask;
    xta_regions *regions;

    // Observations of the extraction.
    uint8_t n_reads[MOST_CELLS];
    uint64_t last_address;
    bool any_read;
    uint64_t n_told;
    uint8_t *seen[MOST_REGIONS]; // n_in times n_positions
} trial;

/* The row-major number of a coordinate in a box. */
uint64_t trial_number(const xta_box *box, const int64_t at[]);

/* Step to the next coordinate; false after the last. */
bool trial_next(const xta_box *box, int64_t at[]);

void trial_make_array(trial *t);
void trial_make_regions(trial *t);

#endif
