/* What the files of xta reduce share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_REDUCE_JOB_H
#define XTA_CLI_REDUCE_JOB_H

#include "kit/cli.h"

#include <xta/calendar_groups.h>
#include <xta/reduce.h>

/* A reduction, and its results. */
typedef struct cli_reduction {
    const char *path; // of the array
    xta_array *array;
    xta_box box; // of it, that is reduced
    xta_reduce_options options;
    int axes[XTA_MAX_NDIM];
    int64_t *labels;   // of the grouped axis; owned
    int64_t *distinct; // labels of the groups; owned
    size_t n_distinct;
    xta_calendar_group by; // groups of a calendar; 0: none
    xta_time_unit by_unit; // of the coordinates of the grouped axis
    char *by_unit_text;    // the same as it is written; owned
    int64_t by_least;      // what was taken off their labels, so that none is below 0
    uint8_t missing[8];
    xta_reduce_statistic statistics[XTA_REDUCE_STATISTICS];
    int n_statistics; // that are shown
    int n_computed;   // these, and after them the count, where printing needs it
    int count_at;     // which one is the count; -1: none
    xta_array *results[XTA_REDUCE_STATISTICS];
} cli_reduction;

/* ---- reduce_groups.c ---- */

/* Parse --groups: "AXIS:8", "labels.npy" or "AXIS:labels.npy". */
xta_status cli_reduce_groups(cli_reduction *job, const char *text, cli_error *err);

/* The axis of the results that has the groups of labels; -1: none. */
int cli_reduce_labelled_axis(const cli_reduction *job);

/* ---- reduce_by.c ---- */

/* Parse --by: "month", "AXIS:month". The axis is reduced, too. */
xta_status cli_reduce_by(cli_reduction *job, const char *text, cli_error *err);

/* A label of the groups of --by as text: "2014-03". */
void cli_reduce_by_text(const cli_reduction *job, int64_t label, char text[XTA_DATE_TEXT_BYTES]);

/* Give the grouped axis of a result the coordinates of the groups: when they begin, in the unit and
 * the calendar of the array; of the groups of all years their numbers. */
xta_status cli_reduce_by_coordinates(const cli_reduction *job, xta_array *result, cli_error *err);

/* ---- reduce_table.c ---- */

/* Print all results, one line for each cell. */
xta_status cli_reduce_csv(FILE *out, const cli_reduction *job, cli_error *err);
xta_status cli_reduce_json(FILE *out, const cli_reduction *job, cli_error *err);

#endif
