/* Printing plans: one as a description, several as a table.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rechunk.h"

#include <inttypes.h>
#include <string.h>

xta_status cli_plans_make(const xta_rechunk_problem *problem, bool every,
                          cli_plan plans[CLI_STRATEGIES], int *n, cli_error *err)
{
    xta_rechunk_problem one = *problem;
    xta_error first = {0};

    *n = every ? CLI_STRATEGIES : 1;
    for (int k = 0; k < *n; k++) {
        one.strategy = every ? (xta_rechunk_strategy)k : problem->strategy;
        plans[k] = (cli_plan){.strategy = one.strategy};
        xta_status status = xta_rechunk_plan_new(&one, &plans[k].plan, &plans[k].refusal);
        if (k == 0) {
            first = plans[k].refusal;
        }
        // A strategy that needs more memory gets a line in the table; any other error would be the
        // same for the next strategy.
        if (status != XTA_OK && (!every || status != XTA_ENOMEM)) {
            err->error = every ? plans[k].refusal : first;
            return status;
        }
    }
    return XTA_OK;
}

void cli_plans_clear(cli_plan plans[], int n)
{
    for (int k = 0; k < n; k++) {
        xta_rechunk_plan_free(plans[k].plan);
        plans[k].plan = NULL;
    }
}

const char *cli_bytes_text(uint64_t bytes, char text[32])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    size_t k = 0;

    while (value >= 1024 && k + 1 < CLI_COUNT(units)) {
        value /= 1024;
        k++;
    }
    if (k == 0) {
        snprintf(text, 32, "%" PRIu64 " bytes", bytes);
    } else {
        snprintf(text, 32, "%.2f %s", value, units[k]);
    }
    return text;
}

/* Print bytes twice: rounded with a unit, and exact. */
static void print_bytes(FILE *out, uint64_t bytes)
{
    char text[32];

    fputs(cli_bytes_text(bytes, text), out);
    if (bytes >= 1024) {
        fprintf(out, " (%" PRIu64 " bytes)", bytes);
    }
}

static void print_partition(FILE *out, const xta_partition *partition)
{
    for (int axis = 0; axis < partition->ndim; axis++) {
        const xta_cuts *cuts = &partition->axis[axis];
        fputs(axis > 0 ? "," : "", out);
        if (cuts->n_edges == 0) {
            fprintf(out, "%" PRId64, cuts->length);
        }
        for (int64_t k = 1; k < cuts->n_edges; k++) {
            if (k == 5 && cuts->n_edges > 6) {
                fprintf(out, "+...");
                break;
            }
            fprintf(out, "%s%" PRId64, k > 1 ? "+" : "", cuts->edges[k] - cuts->edges[k - 1]);
        }
    }
}

static void print_side(FILE *out, const char *name, const xta_partition *partition,
                       xta_block_home home, bool column)
{
    fputs(name, out);
    print_partition(out, partition);
    fprintf(out, " as %s%s\n", cli_home_name(home), column ? ", in column order" : "");
}

static void print_head(FILE *out, const cli_plan_head *head)
{
    const xta_rechunk_problem *problem = head->problem;
    uint64_t n_cells = 0;

    fprintf(out, "cells       ");
    cli_print_box(out, &problem->bounds);
    if (head->type != XTA_TYPE_SAME) {
        fprintf(out, ", %s", xta_type_name(head->type));
    }
    fprintf(out, ", %" PRIu64 " byte%s each", problem->cell_bytes,
            problem->cell_bytes == 1 ? "" : "s");
    if (xta_box_cells(&problem->bounds, &n_cells) == XTA_OK &&
        n_cells <= UINT64_MAX / problem->cell_bytes) {
        fprintf(out, ", in all ");
        print_bytes(out, n_cells * problem->cell_bytes);
    }
    fputc('\n', out);
    print_side(out, "from        ", &problem->from, problem->from_home, problem->from_column);
    print_side(out, "to          ", &problem->to, problem->to_home, problem->to_column);
    fprintf(out, "limit       ");
    print_bytes(out, problem->memory_bytes);
    fprintf(out, " of %s\n",
            problem->account == XTA_ACCOUNT_LIVE ? "cells alive" : "allocated buffers");
    if (problem->account == XTA_ACCOUNT_ALLOCATED) {
        fputs("beside it   16 MiB: the program, its tables, 1 to 4 MiB for each side; 64 MiB with "
              "formats of other libraries\n",
              out);
    }
}

static bool has_read_shape(const xta_rechunk_facts *facts, int ndim)
{
    for (int axis = 0; axis < ndim; axis++) {
        if (facts->read_shape[axis] != 0) {
            return true;
        }
    }
    return false;
}

static void print_seeks(FILE *out, const xta_rechunk_facts *facts)
{
    uint64_t reads, writes;
    uint64_t runs = facts->read_runs + facts->write_runs;
    uint64_t bound = facts->n_from + facts->n_to;

    fprintf(out, "runs (R)    %" PRIu64 " of reading, %" PRIu64 " of writing, %" PRIu64 " in all\n",
            facts->read_runs, facts->write_runs, runs);
    xta_repartition_calls(facts, &reads, &writes);
    fprintf(out, "calls       at most %" PRIu64 " to read, %" PRIu64 " to write\n", reads, writes);
    fprintf(out, "seeks (T)   %" PRIu64 " of reading, %" PRIu64 " of writing, %" PRIu64 " in all\n",
            facts->read_seeks, facts->write_seeks, facts->read_seeks + facts->write_seeks);
    fprintf(out, "bound       %" PRIu64 " runs, one for each block; ", bound);
    if (facts->at_lower_bound) {
        fprintf(out, "reached\n");
    } else {
        fprintf(out, "%.2f times as many are needed\n", (double)runs / (double)bound);
    }
}

/* Print the reasons for the plan. */
static void print_reasons(FILE *out, const xta_rechunk_facts *facts)
{
    fprintf(out, "reason      %s\n", xta_rechunk_method_reason(facts->method));
    fprintf(out, "holding     %s\n",
            facts->hold == XTA_HOLD_PIECES
                ? "a piece read is one buffer, which costs one copy of each cell"
                : "a piece read is a buffer for each output block it meets, which are freed one by "
                  "one; it costs two copies of each cell");
}

/* Print the axes of a set, as " on axis 0, 2"; nothing if it is empty. */
static void print_axes(FILE *out, const char *what, unsigned axes, int ndim)
{
    const char *before = what;

    for (int axis = 0; axis < ndim; axis++) {
        if ((axes >> axis & 1U) != 0) {
            fprintf(out, "%s %d", before, axis);
            before = ",";
        }
    }
}

/* Print what buffers are beyond one shape in row-major order. */
static void print_buffers(FILE *out, const xta_rechunk_facts *facts, int ndim)
{
    fprintf(out, "buffers     axes ");
    for (int i = 0; i < ndim; i++) {
        fprintf(out, "%s%d", i > 0 ? "," : "", facts->buffer_order[i]);
    }
    fprintf(out, ", the slowest first");
    print_axes(out, "; uneven on axis", facts->uneven_axes, ndim);
    print_axes(out, "; of what is written on axis", facts->mirrored_axes, ndim);
    fputc('\n', out);
}

static void print_plan(FILE *out, const xta_rechunk_facts *facts, int ndim, bool explain)
{
    fprintf(out, "strategy    %s, by %s, holding %s\n", xta_rechunk_strategy_name(facts->strategy),
            facts->way, facts->hold == XTA_HOLD_PIECES ? "pieces" : "parts");
    if (explain) {
        print_reasons(out, facts);
    }
    if (has_read_shape(facts, ndim)) {
        fprintf(out, "read shape  ");
        cli_print_coords(out, facts->read_shape, ndim);
        fputc('\n', out);
        if (facts->method == XTA_RECHUNK_BY_BUFFERS) {
            print_buffers(out, facts, ndim);
        }
    }
    fprintf(out, "blocks      %" PRIu64 " to read, %" PRIu64 " to write\n", facts->n_from,
            facts->n_to);
    fprintf(out, "operations  %" PRIu64 " reads, %" PRIu64 " writes\n", facts->n_reads,
            facts->n_writes);
    print_seeks(out, facts);
    fprintf(out, "read        ");
    print_bytes(out, facts->bytes_read);
    fprintf(out, "\nwritten     ");
    print_bytes(out, facts->bytes_written);
    fprintf(out, "\nalive       ");
    print_bytes(out, facts->peak_live_bytes);
    fprintf(out, " at most\nallocated   ");
    print_bytes(out, facts->peak_allocated_bytes);
    fprintf(out, " at most, each staging buffer ");
    print_bytes(out, facts->staging_bytes);
    fprintf(out, "\ncomponents  %" PRIu64 "%s\n", facts->n_components,
            facts->n_components == 1 ? "" : " that share no block");
}

static void print_row(FILE *out, const cli_plan *plan)
{
    char live[32], allocated[32], moved[32];

    fprintf(out, "%-10s", xta_rechunk_strategy_name(plan->strategy));
    if (plan->plan == NULL) {
        fprintf(out, "refused: %s\n", plan->refusal.text);
        return;
    }
    const xta_rechunk_facts *facts = xta_rechunk_plan_facts(plan->plan);
    fprintf(out, "%-24s%-8s%15" PRIu64 "%15" PRIu64 "%12.2f%13s%13s%13s\n", facts->way,
            facts->hold == XTA_HOLD_PIECES ? "pieces" : "parts",
            facts->read_runs + facts->write_runs, facts->read_seeks + facts->write_seeks,
            (double)(facts->read_runs + facts->write_runs) / (double)(facts->n_from + facts->n_to),
            cli_bytes_text(facts->bytes_read + facts->bytes_written, moved),
            cli_bytes_text(facts->peak_live_bytes, live),
            cli_bytes_text(facts->peak_allocated_bytes, allocated));
}

void cli_plans_print(FILE *out, const cli_plan_head *head, const cli_plan plans[], int n)
{
    print_head(out, head);
    if (n == 1) {
        print_plan(out, xta_rechunk_plan_facts(plans[0].plan), head->problem->bounds.ndim,
                   head->explain);
        return;
    }
    fprintf(out, "%-10s%-24s%-8s%15s%15s%12s%13s%13s%13s\n", "strategy", "way", "holding",
            "runs (R)", "seeks (T)", "R/bound", "moved", "alive", "allocated");
    for (int k = 0; k < n; k++) {
        print_row(out, &plans[k]);
    }
    for (int k = 0; k < n && head->explain; k++) {
        if (plans[k].plan != NULL) {
            fprintf(out, "%-10s%s\n", xta_rechunk_strategy_name(plans[k].strategy),
                    xta_rechunk_method_reason(xta_rechunk_plan_facts(plans[k].plan)->method));
        }
    }
}
