/* Files that are repartitioned by the fault tests, and the resume log of a run.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_REPARTITION_FILES_H
#define XTA_TESTS_REPARTITION_FILES_H

#include <xta/repartition.h>

#include "support/folder.h"
#include "support/report.h"

extern test_story story;
extern xta_error err;
extern test_folder folder;

/* The number of distinct blocks in a resume log; is_noted has a flag for each of them. */
uint64_t noted_blocks(const char *path, bool is_noted[], uint64_t n_blocks);

/* An array of 120 x 90 cells in chunks of 7 x 11. */
void make_source(const char *path);

/* Check that the array has its cells; returns its chunk length on axis 0. */
int64_t check_file(const char *path);

/* Open the array for writing, and close it again. */
void open_to_write(const char *path);

#endif
