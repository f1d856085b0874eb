/* Arrays that grow together on axis 0, one row at a time, and rows that say what must be in them.
 *
 * A row with coordinate i divisible by 3 is plain: a growth without cells. Every other row comes
 * with cells in some of the arrays, which are drawn anew at each attempt. Each of these arrays
 * notes in its first three cells of the row which arrays they are, and which columns were given;
 * the others have the fill value, 0. So if an array lacks its part of a row, or shows a part of an
 * earlier attempt that failed, the arrays contradict each other.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_FAULTS_FLEET_H
#define XTA_TESTS_FAULTS_FLEET_H

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

#define FLEET_MOST 4

typedef struct fleet {
    test_story story;
    test_random random;
    test_folder folder;
    char path[FLEET_MOST][TEST_PATH_BYTES];
    int n;
    xta_access access;
    int64_t length; /* on axis 0, as last read */
} fleet;

/* Once: the paths, in different folders. */
void fleet_paths(fleet *f);

/* New arrays of 3 x 3 cells, and their end. */
void fleet_begin(fleet *f);
void fleet_end(fleet *f);

xta_status fleet_open(const fleet *f, bool writable, xta_array *arrays[], xta_error *err);
void fleet_close(const fleet *f, xta_array *arrays[]);

int64_t fleet_length(xta_array *array);

/* One row more in all arrays, at a random side: by xta_arrays_append, or without cells by either
 * function. `alone`: nobody else changes the arrays, so their bounds are known, and cells may be in
 * memory; otherwise functions bring them. `refusing`: the function of one array writes half of its
 * cells and refuses, so the call must fail with XTA_ECANCELLED. */
xta_status fleet_grow(const fleet *f, test_random *random, xta_array *arrays[], bool alone,
                      bool refusing, xta_error *err);

/* Which arrays brought cells of a row, as array k notes; 0 if its row has the fill value. Its cells
 * are checked. */
int fleet_mask(const fleet *f, int k, xta_array *array, int64_t row);

/* Check rows lo <= i < hi of all arrays, whose bounds hold them. */
void fleet_check_rows(const fleet *f, xta_array *arrays[], int64_t lo, int64_t hi);

/* Check that all lengths are equal and between `least` and `most`, and all cells: for readers,
 * which find journals as they were left, then for writers, and for readers again. */
void fleet_judge(fleet *f, int64_t least, int64_t most);

#endif
