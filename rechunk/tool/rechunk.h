/* What xta rechunk and its parallel form share: the request of a command line, its two ends, and
 * printing plans.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_RECHUNK_H
#define XTA_CLI_RECHUNK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <xta/rechunk.h>
#include <xta/repartition.h>
#include <xta/work.h>

#include "kit/cli.h"

/* Values of the options; `xta-mpi rechunk` has a subset of them. */
typedef struct cli_rechunk_values {
    const char *chunk, *from; // lengths, or sums of lengths
    uint64_t memory_bytes;
    const char *strategy;
    const char *variants, *read; // names; lengths, or sums of lengths
    bool plan, explain;
    const char *draw;
    bool json, verify, resume, in_place, no_history;
    int64_t threads;
    xta_order order, from_order;
    const char *variable, *format, *to_format;
    cli_coords bounds;
    cli_cell_type type;
    bool no_coordinates, allow_unfinished, trust;
    const char *blocks, *count;
} cli_rechunk_values;

/* Number of strategies. */
#define CLI_STRATEGIES 5

/* The request of a command line. Texts point into the command line. */
typedef struct cli_request {
    const cli_args *args;
    const cli_rechunk_values *values; // values of the options
    const char *source;               // NULL: planned from shapes alone
    const char *target;               // NULL: none named
    bool plan, json, verify, resume, in_place;
    bool every; // plan with every strategy, for comparison
    xta_rechunk_strategy strategy;
    unsigned variants; // of keep
    xta_rechunk_account account;
    uint64_t memory_bytes;
    int n_threads;
    xta_order order; // of the cells in a chunk of a new array
    bool has_order;
    xta_order from_order; // of a raw source
    // of shapes, and of sources that do not state it; XTA_TYPE_SAME if not given
    xta_type type;
    size_t cell_bytes;
    int ndim;                      // of --bounds; 0: not given
    int64_t lengths[XTA_MAX_NDIM]; // --bounds
    bool has_homes;
    xta_block_home homes[2]; // of source and target
    int64_t *edges[3];       // edges of irregular cuts, of source, target and buffers; owned
    bool joins;              // another process has created the target, and ends the work on it
    bool made_folder;        // the folder of the target's block files did not exist before
} cli_request;

/* ---- rechunk_request.c ---- */

/* Parse a command line into a request; contradictions are usage errors. */
xta_status cli_rechunk_parse(const cli_args *args, cli_request *request, cli_error *err);
void cli_rechunk_clear(cli_request *request);

/* Apply the cuts of --from (`side` 0), --chunk (1) or --read (2) to the bounds. */
xta_status cli_rechunk_cuts(cli_request *request, int side, const xta_box *bounds,
                            xta_partition *partition, cli_error *err);

/* One shape for all blocks, as arrays require; a usage error if the cuts are irregular. */
xta_status cli_rechunk_block(const cli_request *request, const char *option, int ndim,
                             int64_t block[], cli_error *err);

/* The options of a run. Read buffers are not among them, as they depend on the bounds. */
void cli_rechunk_options(const cli_request *request, xta_repartition_options *options);

/* The read buffers of --read for the bounds; of no axes if it is not given. */
xta_status cli_rechunk_buffer(cli_request *request, const xta_box *bounds, xta_partition *buffer,
                              cli_error *err);

/* The name of a variant, bit number `k` of XTA_VARIANT_...; NULL: there are no more. */
const char *cli_variant_name(int k);

/* The name of a home: "files", "chunks", "whole". */
const char *cli_home_name(xta_block_home home);

/* ---- rechunk_ends.c ---- */

/* A source or a target. */
typedef struct cli_end {
    xta_blocks blocks;
    xta_array *array;     // the array of the blocks, if it was opened without the bridges
    const char *doomed;   // path of an array that is deleted if it is closed incomplete
    char *file;           // the path without the variable; owned
    const char *variable; // points into `file`; NULL: none named
    int64_t block[XTA_MAX_NDIM];
    xta_work *work; // the mark of a target that is not complete yet
    bool open;
} cli_end;

xta_status cli_rechunk_open_source(cli_request *request, cli_end *source, cli_error *err);

/* Create the target, or open the target of an earlier run (`resume`). `keep`: what is written is
 * kept if the target is closed incomplete. */
xta_status cli_rechunk_open_target(cli_request *request, const cli_end *source, bool keep,
                                   bool resume, cli_end *target, cli_error *err);

/* Close, and return `status`, or the status of the close if there was no error before. */
xta_status cli_rechunk_close(cli_end *end, bool complete, xta_status status, cli_error *err);

/* Open the target of a run: a new one or, if the run is resumed, the existing one. If an earlier
 * run was killed between creating the resume log and creating the target, there is only a resume
 * log; then the target is new, too. */
xta_status cli_rechunk_begin_target(cli_request *request, const cli_end *source, bool resume,
                                    cli_end *target, cli_error *err);

/* Cut dense files, which have no blocks, to match the other side. Both ends are open. */
xta_status cli_rechunk_match(cli_end *source, cli_end *target, uint64_t memory_bytes,
                             cli_error *err);

/* Delete a target in which nothing is finished. */
void cli_rechunk_discard(cli_request *request, const cli_end *source);

/* The problem to plan. If the source is closed, only shapes are known; if the target is closed, its
 * shape is that of --chunk. */
xta_status cli_rechunk_problem(cli_request *request, const cli_end *source, const cli_end *target,
                               xta_rechunk_problem *problem, cli_error *err);

/* ---- rechunk_arrays.c ---- */

/* Whether both ends are arrays; if so, the two functions below open them. */
bool cli_rechunk_of_arrays(const cli_request *request);
xta_status cli_rechunk_open_array(const cli_request *request, cli_end *source, cli_error *err);
xta_status cli_rechunk_make_array(cli_request *request, const cli_end *source, bool keep,
                                  bool resume, cli_end *target, cli_error *err);

/* ---- rechunk_plan.c, rechunk_json.c: printing plans ---- */

/* A plan, or the reason why there is none. */
typedef struct cli_plan {
    xta_rechunk_strategy strategy;
    xta_rechunk_plan *plan; // NULL: refused
    xta_error refusal;
} cli_plan;

/* Heading of the plans. */
typedef struct cli_plan_head {
    const xta_rechunk_problem *problem;
    xta_type type; // XTA_TYPE_SAME: only the bytes of a cell are known
    bool explain;  // print the reasons as well
} cli_plan_head;

/* Plan the problem with its strategy, or with each one (`every`). Fails if there is only one
 * strategy and it is refused. */
xta_status cli_plans_make(const xta_rechunk_problem *problem, bool every,
                          cli_plan plans[CLI_STRATEGIES], int *n, cli_error *err);
void cli_plans_clear(cli_plan plans[], int n);

void cli_plans_print(FILE *out, const cli_plan_head *head, const cli_plan plans[], int n);
void cli_plans_json(FILE *out, const cli_plan_head *head, const cli_plan plans[], int n);

/* "3.28 GiB". */
const char *cli_bytes_text(uint64_t bytes, char text[32]);

/* ---- rechunk_read.c ---- */

/* The problem in a file that `xta rechunk --plan --json` has printed. */
typedef struct cli_plan_file {
    xta_rechunk_problem problem;
    int64_t *edges[3 * XTA_MAX_NDIM]; // owned
} cli_plan_file;

xta_status cli_plan_read(const char *path, cli_plan_file *file, cli_error *err);
void cli_plan_file_clear(cli_plan_file *file);

/* ---- rechunk_run.c ---- */

/* Progress on standard error, if it is a terminal. */
typedef struct cli_run_meter {
    const char *name;
    double last;
    bool terminal; // standard error is a terminal
    bool shown;
} cli_run_meter;

void cli_run_meter_begin(cli_run_meter *meter, const char *name, xta_repartition_options *options);
void cli_run_meter_end(cli_run_meter *meter);

/* Print what a run did, as text or as JSON. */
void cli_report_print(FILE *out, const xta_repartition_report *done, bool json);

/* The name of the resume log of runs to this target, with `more` appended; the caller frees it. */
char *cli_notes_path(const char *target, const char *more);

/* Create the resume log before the target, so that an incomplete target always has one. Without
 * `resume`, the resume log of an earlier run is an error. `*there`: whether there was one. */
xta_status cli_notes_begin(const char *path, bool resume, bool *there, cli_error *err);

/* Whether the resume log has anything finished. */
bool cli_notes_progress(const char *path);

#endif
