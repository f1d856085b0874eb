/* What the files of xta stat share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_STAT_JOB_H
#define XTA_CLI_STAT_JOB_H

#include "kit/cli.h"

#include <xta/reduce.h>

/* In the order of the columns. */
enum { STAT_COUNT, STAT_MIN, STAT_MAX, STAT_MEAN, STAT_VAR, STAT_STATISTICS };

/* No cell has the extreme: no cell counts. */
#define STAT_NOWHERE UINT64_MAX

/* The statistics of one array. */
typedef struct cli_stat {
    const char *name; // of the array, as it is printed
    xta_array *array;
    xta_box box; // of the array: what is reduced
    xta_reduce_options options;
    int axes[XTA_MAX_NDIM];
    _Alignas(8) uint8_t missing[8];
    xta_array *results[STAT_STATISTICS];
    xta_box bounds; // of the results: the axes that remain, or one of length 1
    uint64_t n_results;
    uint64_t n_cells;   // of each result
    uint64_t *count;    // from here on: n_results of each
    void *least, *most; // of type `wide`
    xta_type wide;      // XTA_F64, XTA_I64 or XTA_U64
    double *mean, *deviation;
    uint64_t *least_at, *most_at; // number of the cell in the box, row-major; STAT_NOWHERE
} cli_stat;

/* ---- stat_places.c ---- */

/* Find the cell with each extreme that has the lowest coordinates, the last axis running fastest.
 * Reads the cells of the box in this order, and stops when every place is found. */
xta_status cli_stat_find_places(cli_stat *stat, cli_error *err);

/* ---- stat_print.c ---- */

/* One array: a line for each statistic; a table if axes remain. */
xta_status cli_stat_print(FILE *out, const cli_stat *stat, cli_error *err);

/* A line of the table of a folder. NULL: the header. `why`: instead of statistics. */
void cli_stat_print_line(FILE *out, const cli_stat *stat, const char *why);

/* A member of "arrays" in JSON, docs/JSON.md. `why`: instead of results. */
xta_status cli_stat_json(FILE *out, const cli_stat *stat, const char *why, cli_error *err);

#endif
