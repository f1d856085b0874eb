/* The report of an analysis: what it is made of, and its sections.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_REPORT_H
#define XTA_CLI_HYPER_REPORT_H

#include <xta/report.h>

#include "support/labels.h"
#include "support/spectra.h"

/* Where the pixel of an endmember is not known. */
#define CLI_NOWHERE INT64_MIN

/* What a report has in hand. Begin with zeros; what is not there is not shown. */
typedef struct cli_report {
    const cli_args *args;
    xta_report *page;
    const char *pictures; // folder for each picture as a file of its own; NULL: none

    cli_scene scene; // without an array: none
    cli_spectra endmembers, reference;
    xta_endmember_score angles; // of the reference, if there is one
    int64_t *line, *sample;   // of the pixel of each endmember, CLI_NOWHERE where that is not known
    char *notes;              // the other comments of their file, a line each
    const char **label_names; // of labels from 0 on; what those are called that nobody named
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

/* hyper_report.c: one section each; nothing if what it shows is not there. */
xta_status cli_report_scene(cli_report *report, cli_error *err);
xta_status cli_report_abundances(cli_report *report, cli_error *err);
xta_status cli_report_purity(cli_report *report, cli_error *err);
xta_status cli_report_classes(cli_report *report, cli_error *err);

/* hyper_report_spectra.c */
xta_status cli_report_endmembers(cli_report *report, cli_error *err);

/* hyper_report_score.c */
xta_status cli_report_score(cli_report *report, cli_error *err);

/* hyper_report.c: where a picture of that name goes, with --pictures. */
xta_status cli_report_path(const cli_report *report, const char *name, char path[4096],
                           cli_error *err);

/* ---- tables of text, row by row ---- */

/* Begin with zeros. */
typedef struct cli_cells {
    char **text;
    size_t n, capacity;
    bool failed;
} cli_cells;

void cli_cells_add(cli_cells *cells, const char *format, ...) XTA_PRINTF(2, 3);
/* Put it into the report; `table` has everything but rows and cells. Clears the cells. */
xta_status cli_cells_end(cli_cells *cells, cli_report *report, xta_report_table *table,
                         cli_error *err);

#endif
