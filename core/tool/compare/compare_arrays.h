/* Comparing two arrays: structure, attributes, cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_COMPARE_COMPARE_ARRAYS_H
#define XTA_TOOL_COMPARE_COMPARE_ARRAYS_H

#include "compare/difference_report.h"

typedef struct cli_comparison {
    cli_tolerance tolerance; // of cells and listed coordinates
    bool cells_only;         // bounds and cells
    bool no_attributes;      // everything but attributes; coordinates are no attributes here
    bool history;            // the attribute `history`, too
    cli_report *report;
} cli_comparison;

/* Whether an attribute of an array or of a data set is not to be compared. */
bool cli_is_left_out(const cli_comparison *comparison, const char *attribute);

/* Whether two attributes have the same type, length and values; NaN equals NaN. */
bool cli_same_values(const xta_attribute *a, const xta_attribute *b);

/* Compare and report. Cells are read in the order of the first array's file, at most 4 MiB of each
 * at a time, where both arrays have cells. Fails only if an array cannot be read. */
xta_status cli_compare_arrays(const cli_comparison *comparison, xta_array *a, xta_array *b,
                              cli_error *err);

#endif
