/* What xta cube and the files of xta query share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_CUBE_JOB_H
#define XTA_CLI_CUBE_JOB_H

#include <xta/cube.h>

#include "kit/cli.h"

enum { CLI_QUERY_MOST_MEASURES = 5, CLI_QUERY_MEAN = 4 };

/* A question to a cube, and its answer. */
typedef struct cli_query {
    const char *path;
    xta_cube *cube;
    xta_cube_answer *answer;
    int measures[CLI_QUERY_MOST_MEASURES]; // an xta_cube_measure, or CLI_QUERY_MEAN
    int n_measures;
    int pivot; // axis of the answer whose coordinates are columns; -1: none
} cli_query;

/* ---- query_print.c ---- */

const char *cli_query_measure_name(int measure);

void cli_query_csv(FILE *out, const cli_query *query);
void cli_query_pivot(FILE *out, const cli_query *query);
void cli_query_json(FILE *out, const cli_query *query, bool explain);
void cli_query_explain(FILE *out, const cli_query *query);

#endif
