/* Plans and reports as JSON (RFC 8259). The names are documented in xta-rechunk(1) and do not
 * change; more may be added. `xta draw --plan` reads the head back (rechunk_read.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rechunk.h"

#include <inttypes.h>

#include "kit/print/describe.h"

/* The axes of a partition, and the end of its object. */
static void put_axes(FILE *out, const xta_partition *partition)
{
    fputs("\"axes\": [", out);
    for (int axis = 0; axis < partition->ndim; axis++) {
        const xta_cuts *cuts = &partition->axis[axis];
        fputs(axis > 0 ? ", " : "", out);
        if (cuts->n_edges == 0) {
            fprintf(out, "{\"length\": %" PRId64 ", \"origin\": %" PRId64 "}", cuts->length,
                    cuts->origin);
            continue;
        }
        fputs("{\"edges\": [", out);
        for (int64_t k = 0; k < cuts->n_edges; k++) {
            fprintf(out, "%s%" PRId64, k > 0 ? ", " : "", cuts->edges[k]);
        }
        fputs("]}", out);
    }
    fputs("]},\n", out);
}

static void put_partition(FILE *out, const char *name, const xta_partition *partition,
                          xta_block_home home, bool column)
{
    fprintf(out, "  \"%s\": {\"home\": \"%s\", \"order\": \"%s\", ", name, cli_home_name(home),
            column ? "column" : "row");
    put_axes(out, partition);
}

/* What keep was asked for, if anything. */
static void put_keep(FILE *out, const xta_rechunk_problem *problem)
{
    const char *before = "  \"variants\": [";

    for (int k = 0; cli_variant_name(k) != NULL && problem->variants != 0; k++) {
        if ((problem->variants >> k & 1U) != 0) {
            fprintf(out, "%s\"%s\"", before, cli_variant_name(k));
            before = ", ";
        }
    }
    fputs(problem->variants != 0 ? "],\n" : "", out);
    if (problem->buffer.ndim != 0) {
        fputs("  \"buffer\": {", out);
        put_axes(out, &problem->buffer);
    }
}

/* A set of axes as a list. */
static void put_axis_set(FILE *out, const char *name, unsigned axes)
{
    const char *before = "";

    fprintf(out, "     \"%s\": [", name);
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        if ((axes >> axis & 1U) != 0) {
            fprintf(out, "%s%d", before, axis);
            before = ", ";
        }
    }
    fputs("],\n", out);
}

static void put_counts(FILE *out, const xta_rechunk_facts *facts)
{
    uint64_t reads, writes;
    xta_repartition_calls(facts, &reads, &writes);
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {{"n_from", facts->n_from},
                  {"n_to", facts->n_to},
                  {"n_reads", facts->n_reads},
                  {"n_writes", facts->n_writes},
                  {"read_runs", facts->read_runs},
                  {"write_runs", facts->write_runs},
                  {"most_read_calls", reads},
                  {"most_write_calls", writes},
                  {"read_seeks", facts->read_seeks},
                  {"write_seeks", facts->write_seeks},
                  {"bytes_read", facts->bytes_read},
                  {"bytes_written", facts->bytes_written},
                  {"peak_live_bytes", facts->peak_live_bytes},
                  {"peak_allocated_bytes", facts->peak_allocated_bytes},
                  {"staging_bytes", facts->staging_bytes},
                  {"n_components", facts->n_components}};

    for (size_t k = 0; k < CLI_COUNT(counts); k++) {
        fprintf(out, "     \"%s\": %" PRIu64 ",\n", counts[k].name, counts[k].value);
    }
}

static void put_plan(FILE *out, const cli_plan *plan, int ndim)
{
    const xta_rechunk_facts *facts;

    fprintf(out, "    {\"strategy\": \"%s\", \"possible\": %s,\n",
            xta_rechunk_strategy_name(plan->strategy), plan->plan != NULL ? "true" : "false");
    if (plan->plan == NULL) {
        fputs("     \"refusal\": ", out);
        cli_json_text(out, plan->refusal.text);
        fputs("}", out);
        return;
    }
    facts = xta_rechunk_plan_facts(plan->plan);
    fputs("     \"way\": ", out);
    cli_json_text(out, facts->way);
    fprintf(out, ",\n     \"hold\": \"%s\",\n",
            facts->hold == XTA_HOLD_PIECES ? "pieces" : "parts");
    put_counts(out, facts);
    fputs("     \"read_shape\": [", out);
    for (int axis = 0; axis < ndim; axis++) {
        fprintf(out, "%s%" PRId64, axis > 0 ? ", " : "", facts->read_shape[axis]);
    }
    fputs("],\n     \"buffer_order\": [", out);
    for (int axis = 0; axis < ndim; axis++) {
        fprintf(out, "%s%d", axis > 0 ? ", " : "", facts->buffer_order[axis]);
    }
    fputs("],\n", out);
    put_axis_set(out, "uneven_axes", facts->uneven_axes);
    put_axis_set(out, "mirrored_axes", facts->mirrored_axes);
    fprintf(out, "     \"at_lower_bound\": %s}", facts->at_lower_bound ? "true" : "false");
}

void cli_plans_json(FILE *out, const cli_plan_head *head, const cli_plan plans[], int n)
{
    const xta_rechunk_problem *problem = head->problem;

    fputs("{\n  \"bounds\": ", out);
    cli_json_box(out, &problem->bounds);
    fprintf(out, ",\n  \"type\": ");
    if (head->type != XTA_TYPE_SAME) {
        fprintf(out, "\"%s\"", xta_type_name(head->type));
    } else {
        fputs("null", out);
    }
    fprintf(out, ",\n  \"cell_bytes\": %" PRIu64 ",\n  \"memory_bytes\": %" PRIu64 ",\n",
            problem->cell_bytes, problem->memory_bytes);
    fprintf(out, "  \"count\": \"%s\",\n",
            problem->account == XTA_ACCOUNT_LIVE ? "live" : "allocated");
    put_partition(out, "from", &problem->from, problem->from_home, problem->from_column);
    put_partition(out, "to", &problem->to, problem->to_home, problem->to_column);
    put_keep(out, problem);
    fputs("  \"plans\": [\n", out);
    for (int k = 0; k < n; k++) {
        put_plan(out, &plans[k], problem->bounds.ndim);
        fputs(k + 1 < n ? ",\n" : "\n", out);
    }
    fputs("  ]\n}\n", out);
}
