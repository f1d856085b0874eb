/* The oracle of repartitioning plans: it goes through all operations cell by cell, independently of
 * the planner.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_RECHUNK_JUDGE_H
#define XTA_TESTS_RECHUNK_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/rechunk.h>

#include "support/report.h"

/* Cuts of one axis of one side, as a list, clipped to the bounds. */
typedef struct judge_cuts {
    int64_t n; /* blocks */
    int64_t edge[64];
    int64_t slot; /* length of all blocks as stored; 0: their own */
} judge_cuts;

typedef struct judge {
    const test_story *story;
    const xta_rechunk_problem *problem;
    judge_cuts cuts[2][XTA_MAX_NDIM];
    uint64_t n_cells;
    int64_t *reader; /* number of the operation that read the cell; -1: none */
    bool *written;
    int64_t *owner[2]; /* component that moved a cell's block; -1: none */
    /* Cells in memory: for each operation that reads, and for each of its fragments by output
     * blocks. */
    int64_t n_ops, capacity;
    uint64_t *left;          /* cells of its piece not yet written */
    uint64_t *bytes;         /* of its piece */
    uint64_t n_to;           /* output blocks */
    uint64_t *fragment_left; /* for each operation and output block */
    uint64_t *fragment_bytes;
    uint64_t live, pieces, parts; /* now, in bytes */
    xta_rechunk_facts seen;       /* counted again */
    uint64_t peak_pieces, peak_parts;
} judge;

void judge_init(judge *j, const test_story *story, const xta_rechunk_problem *problem);
void judge_op(judge *j, const xta_rechunk_op *op);

/* Check that all cells have been moved, and that the facts of the plan were right. */
void judge_end(judge *j, const xta_rechunk_facts *facts);
void judge_clear(judge *j);

#endif
