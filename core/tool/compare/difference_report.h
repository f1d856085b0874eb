/* What diff prints: a line of text, or a member of a JSON array, for each difference.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_COMPARE_DIFFERENCE_REPORT_H
#define XTA_TOOL_COMPARE_DIFFERENCE_REPORT_H

#include "kit/cli.h"

#include "compare/cell_difference.h"

typedef enum cli_report_form {
    CLI_REPORT_TEXT,
    CLI_REPORT_JSON,
    CLI_REPORT_NOTHING
} cli_report_form;

typedef struct cli_report {
    FILE *out;
    cli_report_form form;
    const char *name;       // of the array in its folder; NULL: a single array
    uint64_t n_differences; // of all arrays
    uint64_t n_arrays;      // begun
    uint64_t n_in_array;    // differences of this one
} cli_report;

/* The frame of everything, with the paths on either side; and of each pair of arrays. */
void cli_report_begin(cli_report *report, const char *a, const char *b);
void cli_report_end(cli_report *report);
void cli_report_array_begin(cli_report *report, const char *name);
void cli_report_array_end(cli_report *report);

/* An array that only one side has: "a" or "b". */
void cli_report_lone(cli_report *report, const char *name, const char *side, const char *path);

/* Differences. `axis` is the number of an axis, or XTA_ON_ARRAY; `label` names it. */
void cli_report_boxes(cli_report *report, const xta_box *a, const xta_box *b);
void cli_report_texts(cli_report *report, const char *what, int axis, const char *label,
                      const char *a, const char *b);

/* An attribute; NULL: that side has none. XTA_ENOMEM. */
xta_status cli_report_attributes(cli_report *report, int axis, const char *label, const char *name,
                                 const xta_attribute *a, const xta_attribute *b, cli_error *err);

/* Cells, or coordinates of an axis, of `ndim` axes. */
xta_status cli_report_cells(cli_report *report, const char *what, int axis, const char *label,
                            int ndim, const cli_cell_kind *a, const cli_cell_kind *b,
                            const cli_cell_differences *found, cli_error *err);

#endif
