/* What xta rechunk and its parallel form share: the request that a command line makes, its two
 * ends, and plans in print.
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

/* Values of the options; `xta-mpi rechunk` has some of them. */
typedef struct cli_rechunk_values {
    const char *chunk, *from; // lengths, or sums of lengths
    uint64_t memory_bytes;
    const char *strategy;
    bool plan, explain;
    const char *draw;
    bool json, verify, resume, in_place;
    int64_t threads;
    xta_order order, from_order;
    const char *variable, *format, *to_format;
    cli_coords bounds;
    cli_cell_type type;
    bool no_coordinates, allow_unfinished, trust;
    const char *blocks, *count;
} cli_rechunk_values;

/* How many strategies there are. */
#define CLI_STRATEGIES 5

/* What a command line asks for. Texts point into it. */
typedef struct cli_request {
    const cli_args *args;
    const cli_rechunk_values *values; // of the options
    const char *source;               // NULL: planned from shapes alone
    const char *target;               // NULL: none named
    bool plan, json, verify, resume, in_place;
    bool every; // strategies: each of them, for comparison
    xta_rechunk_strategy strategy;
    xta_rechunk_account account;
    uint64_t memory_bytes;
    int n_threads;
    xta_order order; // of the cells in a chunk of a new array
    bool has_order;
    xta_order from_order; // of a raw source
    xta_type type;        // of shapes and of sources that do not say: XTA_TYPE_SAME where not given
    size_t cell_bytes;
    int ndim;                      // of --bounds; 0: not given
    int64_t lengths[XTA_MAX_NDIM]; // --bounds
    bool has_homes;
    xta_block_home homes[2]; // of source and target
    int64_t *edges[2];       // owned: of irregular cuts, of source and target
    bool joins;              // another process has made the target, and ends the work on it
    bool made_folder;        // the folder of the target's block files was not there before
} cli_request;

/* ---- rechunk_request.c ---- */

/* Take a command line into a request; whatever contradicts itself is a usage error. */
xta_status cli_rechunk_parse(const cli_args *args, cli_request *request, cli_error *err);
void cli_rechunk_clear(cli_request *request);

/* The cuts of --from (`side` 0) or --chunk (1) over the bounds. */
xta_status cli_rechunk_cuts(cli_request *request, int side, const xta_box *bounds,
                            xta_partition *partition, cli_error *err);

/* One shape for all blocks, as chunks have it; a usage error if the cuts are irregular. */
xta_status cli_rechunk_block(const cli_request *request, const char *option, int ndim,
                             int64_t block[], cli_error *err);

/* The options of a run. */
void cli_rechunk_options(const cli_request *request, xta_repartition_options *options);

/* The name of a home: "files", "chunks", "whole". */
const char *cli_home_name(xta_block_home home);

/* ---- rechunk_ends.c ---- */

/* A source or a target. */
typedef struct cli_end {
    xta_blocks blocks;
    xta_array *array;     // behind the blocks, if it was opened without the bridges
    const char *doomed;   // the path of an array that goes if it is closed incomplete
    char *file;           // the path without the variable; owned
    const char *variable; // into `file`; NULL: none named
    int64_t block[XTA_MAX_NDIM];
    xta_work *work; // the mark of a target that is not whole yet
    bool open;
} cli_end;

xta_status cli_rechunk_open_source(cli_request *request, cli_end *source, cli_error *err);

/* Create the target, or open what an earlier run has left (`resume`). `keep`: what is written stays
 * if it is closed incomplete. */
xta_status cli_rechunk_open_target(cli_request *request, const cli_end *source, bool keep,
                                   bool resume, cli_end *target, cli_error *err);

/* Close, and give back `status`, or what the close said if everything before went well. */
xta_status cli_rechunk_close(cli_end *end, bool complete, xta_status status, cli_error *err);

/* Open the target of a run: a new one or, if the run is resumed, what is there. Killed between the
 * making of the notes and that of the target, an earlier run has left the notes alone; then it is a
 * new one, too. */
xta_status cli_rechunk_begin_target(cli_request *request, const cli_end *source, bool resume,
                                    cli_end *target, cli_error *err);

/* Let dense files, which have no blocks, be cut as suits the other side. Both ends are open. */
xta_status cli_rechunk_match(cli_end *source, cli_end *target, uint64_t memory_bytes,
                             cli_error *err);

/* Delete a target of which nothing is finished. */
void cli_rechunk_discard(cli_request *request, const cli_end *source);

/* What is to be planned. The source may be closed, then there are shapes alone; so may be the
 * target, then it is the shape of --chunk. */
xta_status cli_rechunk_problem(cli_request *request, const cli_end *source, const cli_end *target,
                               xta_rechunk_problem *problem, cli_error *err);

/* ---- rechunk_arrays.c ---- */

/* Whether both ends are arrays; then these two open them. */
bool cli_rechunk_of_arrays(const cli_request *request);
xta_status cli_rechunk_open_array(const cli_request *request, cli_end *source, cli_error *err);
xta_status cli_rechunk_make_array(cli_request *request, const cli_end *source, bool keep,
                                  bool resume, cli_end *target, cli_error *err);

/* ---- rechunk_plan.c, rechunk_json.c: plans in print ---- */

/* A plan, or why there is none. */
typedef struct cli_plan {
    xta_rechunk_strategy strategy;
    xta_rechunk_plan *plan; // NULL: refused
    xta_error refusal;
} cli_plan;

/* What stands above the plans. */
typedef struct cli_plan_head {
    const xta_rechunk_problem *problem;
    xta_type type; // XTA_TYPE_SAME: only the bytes of a cell are known
    bool explain;  // say why as well
} cli_plan_head;

/* Plan the problem with its strategy, or with each (`every`). Fails if the only one is refused. */
xta_status cli_plans_make(const xta_rechunk_problem *problem, bool every,
                          cli_plan plans[CLI_STRATEGIES], int *n, cli_error *err);
void cli_plans_clear(cli_plan plans[], int n);

void cli_plans_print(FILE *out, const cli_plan_head *head, const cli_plan plans[], int n);
void cli_plans_json(FILE *out, const cli_plan_head *head, const cli_plan plans[], int n);

/* "3.28 GiB". */
const char *cli_bytes_text(uint64_t bytes, char text[32]);

/* ---- rechunk_read.c ---- */

/* The problem that a file holds which `xta rechunk --plan --json` has printed. */
typedef struct cli_plan_file {
    xta_rechunk_problem problem;
    int64_t *edges[2 * XTA_MAX_NDIM]; // owned
} cli_plan_file;

xta_status cli_plan_read(const char *path, cli_plan_file *file, cli_error *err);
void cli_plan_file_clear(cli_plan_file *file);

/* ---- rechunk_run.c ---- */

/* Progress on standard error, if that is a terminal. */
typedef struct cli_run_meter {
    const char *name;
    double last;
    bool terminal; // standard error is one
    bool shown;
} cli_run_meter;

void cli_run_meter_begin(cli_run_meter *meter, const char *name, xta_repartition_options *options);
void cli_run_meter_end(cli_run_meter *meter);

/* What a run did, for people or as JSON. */
void cli_report_print(FILE *out, const xta_repartition_report *done, bool json);

/* The name of the notes from which a run of this target can be resumed, with `more` behind it; the
 * caller's. */
char *cli_notes_path(const char *target, const char *more);

/* Make sure that there are notes before there is a target, so that whatever happens a half target
 * has some. Without `resume` those of an earlier run are an error. `*there`: whether there were
 * any. */
xta_status cli_notes_begin(const char *path, bool resume, bool *there, cli_error *err);

/* Whether anything was finished. */
bool cli_notes_progress(const char *path);

#endif
