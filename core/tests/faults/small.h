/* A small array that bad input must not change, and the report of the calls tried on it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_SMALL_H
#define XTA_TESTS_SMALL_H

#include <xta/array.h>
#include <xta/attribute.h>

#include "support/folder.h"
#include "support/report.h"

extern test_story small_story;
extern test_folder small_folder;
extern xta_error small_err; /* the error of the last call */

extern const int64_t small_chunk[2];  /* 2, 3 */
extern const int64_t small_bounds[2]; /* 5, 4 */

/* An array of 5 x 4 int16 cells that holds 0, 1, 2 ...; `path` NULL: in memory. */
xta_array *small_make(const char *path);

/* The array is as small_make made it. */
void small_unchanged(xta_array *array);

/* The text of the last error has `what` in it. */
void small_names(const char *what);

#endif
