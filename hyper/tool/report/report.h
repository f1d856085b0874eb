/* The report of an analysis: its inputs and its sections.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_REPORT_H
#define XTA_CLI_HYPER_REPORT_H

#include <xta/report.h>

#include "support/labels.h"
#include "support/spectra.h"

/* Coordinate of an endmember whose pixel is not known. */
#define CLI_NOWHERE INT64_MIN

/* Inputs and state of a report. Start from zeros; missing inputs are not shown. */
typedef struct cli_report {
    const cli_args *args;
    xta_report *page;
    const char *pictures; // folder for a separate file of each picture; NULL: none

    cli_scene scene; // without an array: none
    cli_spectra endmembers, reference;
    xta_endmember_score angles; // of the reference, if there is one
    int64_t *line, *sample;     // of the pixel of each endmember, CLI_NOWHERE if it is not known
    char *notes;                // the other comments of their file, one line each
    const char **label_names;   // of labels from 0 on; default names of labels without a name
    xta_picture_mark *marks;
    char (*mark_text)[24];

    xta_array *abundances;
    size_t n_layers;
    int layer_axis;
    double *mean; // of each layer
    xta_array *residual, *ppi, *mei;

    xta_label_map labels, truth; // without an array: none
    cli_area area;               // of the labels
    bool same_labels;            // label k is class k
    xta_accuracy accuracy;       // of the labels, if there is a truth
} cli_report;

/* report.c: one section each; empty if its inputs are missing. */
xta_status cli_report_scene(cli_report *report, cli_error *err);
xta_status cli_report_abundances(cli_report *report, cli_error *err);
xta_status cli_report_purity(cli_report *report, cli_error *err);
xta_status cli_report_classes(cli_report *report, cli_error *err);

/* report_spectra.c */
xta_status cli_report_endmembers(cli_report *report, cli_error *err);

/* report_score.c */
xta_status cli_report_score(cli_report *report, cli_error *err);

/* report.c: path of the picture with that name, with --pictures. */
xta_status cli_report_path(const cli_report *report, const char *name, char path[4096],
                           cli_error *err);

/* ---- tables of text, row by row ---- */

/* A table being filled. Start from zeros. */
typedef struct cli_cells {
    char **text;
    size_t n, capacity;
    bool failed;
} cli_cells;

void cli_cells_add(cli_cells *cells, const char *format, ...) XTA_PRINTF(2, 3);
/* Add the table to the report; `table` has everything but rows and cells. Clears the cells. */
xta_status cli_cells_end(cli_cells *cells, cli_report *report, xta_report_table *table,
                         cli_error *err);

#endif
