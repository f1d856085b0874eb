/* xta create: a new array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "kit/cells.h"
#include "kit/problem.h"

static const cli_option options[] = {
    {"type", "T", "type of a cell: bool, i8 ... i64, u8 ... u64, f16, f32, f64, c64, c128, bytes:N",
     false},
    {"bounds", "N,N,...", "cells on each axis; 0 is allowed", false},
    {"chunk", "N,N,...", "cells of a chunk on each axis; without it a shape is chosen and said",
     false},
    {"chunk-bytes", "SIZE", "what to aim at when the shape is chosen (1MiB)", false},
    {"order", "ORDER", "of the cells in a chunk: row (default), column, morton, hilbert", false},
    {"fill", "V", "value of cells that nobody wrote (0); complex as 1+2i, also nan and inf", false},
    {"names", "A,B,...", "names of the axes", false},
    {"policy", "P", "growth policy: exact (default), linear:N, exponential:N, cubical, shell",
     false},
    {"align", "SIZE", "round the place of a chunk in the file up to a multiple of this", false},
    {"headerless", NULL, "a data file that releases before 0.2 can read: without header", false},
    {"problem", "TEXT", "type, bounds, chunk, order and policy in one word, as f64:512x512:c64x64",
     false},
};

/* What the command line says, in the form in which the library takes it. */
typedef struct create_plan {
    cli_problem problem;
    xta_create_options options;
    void *fill;
    char *names_text; // cut into names
    const char *names[XTA_MAX_NDIM];
} create_plan;

static void plan_clear(create_plan *plan)
{
    free(plan->fill);
    free(plan->names_text);
}

/* The array's shape, from --problem or from the options of their own. */
static xta_status plan_shape(const cli_args *args, cli_problem *problem, cli_error *err)
{
    static const char *const single[] = {"type", "bounds", "chunk", "order", "policy"};
    const char *text = cli_get(args, "problem");
    const char *type = NULL;
    const char *bounds = NULL;
    xta_status status = XTA_OK;

    if (text != NULL) {
        for (size_t k = 0; k < CLI_COUNT(single); k++) {
            if (cli_has(args, single[k])) {
                return cli_usage(err, "--problem says it all; leave out --%s", single[k]);
            }
        }
        status = cli_problem_parse(text, problem, &err->error);
        err->usage = status != XTA_OK;
        return status;
    }
    CLI_TRY(cli_need(args, "type", &type, err));
    CLI_TRY(cli_need(args, "bounds", &bounds, err));
    CLI_TRY(cli_parse_cell_type(type, &problem->type, &problem->cell_bytes, err));
    CLI_TRY(cli_parse_coords(bounds, "--bounds", problem->bounds, &problem->ndim, err));
    if (cli_has(args, "chunk")) {
        problem->has_chunk = true;
        int n = 0;
        CLI_TRY(cli_parse_coords(cli_get(args, "chunk"), "--chunk", problem->chunk, &n, err));
        if (n != problem->ndim) {
            return cli_usage(err, "--chunk: %d numbers for %d axes; give one for each", n,
                             problem->ndim);
        }
    }
    if (cli_has(args, "order")) {
        CLI_TRY(cli_parse_order(cli_get(args, "order"), &problem->order, err));
    }
    if (cli_has(args, "policy")) {
        CLI_TRY(cli_parse_policy(cli_get(args, "policy"), &problem->policy, &problem->policy_amount,
                                 err));
    }
done:
    return status;
}

static xta_status plan_names(const char *text, create_plan *plan, cli_error *err)
{
    size_t bytes = strlen(text) + 1;
    char *at = malloc(bytes);
    int n = 0;

    plan->names_text = at;
    if (at == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "--names: no memory for %zu bytes", bytes);
    }
    memcpy(at, text, bytes);
    for (; at != NULL; n++) {
        char *comma = strchr(at, ',');
        if (comma != NULL) {
            *comma++ = '\0';
        }
        if (n < plan->problem.ndim) {
            plan->names[n] = *at == '\0' ? NULL : at;
        }
        at = comma;
    }
    if (n != plan->problem.ndim) {
        return cli_usage(err, "--names: %d names for %d axes; give one for each", n,
                         plan->problem.ndim);
    }
    plan->options.names = plan->names;
    return XTA_OK;
}

static xta_status plan_rest(const cli_args *args, create_plan *plan, cli_error *err)
{
    const cli_problem *problem = &plan->problem;
    xta_status status = XTA_OK;

    plan->options = (xta_create_options)XTA_CREATE_OPTIONS_INIT;
    plan->options.chunk = problem->has_chunk ? problem->chunk : NULL;
    plan->options.order = problem->order;
    plan->options.policy = problem->policy;
    plan->options.policy_amount = problem->policy_amount;
    plan->options.cell_bytes = problem->type == XTA_BYTES ? (uint32_t)problem->cell_bytes : 0;
    if (cli_has(args, "chunk-bytes")) {
        CLI_TRY(cli_parse_bytes(cli_get(args, "chunk-bytes"), "--chunk-bytes",
                                &plan->options.chunk_bytes, err));
    }
    if (cli_has(args, "align")) {
        CLI_TRY(cli_parse_bytes(cli_get(args, "align"), "--align", &plan->options.alignment_bytes,
                                err));
    }
    plan->options.layout = cli_has(args, "headerless") ? XTA_HEADERLESS : XTA_LAYOUT_DEFAULT;
    if (cli_has(args, "names")) {
        CLI_TRY(plan_names(cli_get(args, "names"), plan, err));
    }
    if (cli_has(args, "fill")) {
        plan->fill = calloc(problem->cell_bytes, 1);
        if (plan->fill == NULL) {
            return cli_fail(err, XTA_ENOMEM, 0, "--fill: no memory for a cell");
        }
        CLI_TRY(cli_value_parse(cli_get(args, "fill"), "--fill", problem->type, problem->cell_bytes,
                                plan->fill, err));
        plan->options.fill = plan->fill;
    }
done:
    return status;
}

/* Of an array that is yet to be made the library knows the shape, and says what is wrong with it;
 * the name is put before its words. */
static xta_status create(const char *path, const create_plan *plan, xta_array **array,
                         cli_error *err)
{
    xta_error said;
    xta_status status = xta_array_create(path, plan->problem.type, plan->problem.ndim,
                                         plan->problem.bounds, &plan->options, array, &said);

    if (status != XTA_OK && strncmp(said.text, path, strlen(path)) != 0) {
        return cli_fail(err, status, said.os_errno, "%s: %s", path, said.text);
    }
    err->error = said;
    return status;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    create_plan plan = {0};
    xta_array *array = NULL;
    xta_array_info info;
    xta_status status = XTA_OK;

    CLI_TRY(plan_shape(args, &plan.problem, err));
    CLI_TRY(plan_rest(args, &plan, err));
    CLI_TRY(create(args->words[0], &plan, &array, err));
    CLI_TRY(xta_array_inquire(array, &info, &err->error));
    if (!plan.problem.has_chunk) {
        printf("chunk ");
        cli_print_coords(stdout, info.chunk, info.ndim);
        printf(" chosen\n");
    }
done:
    plan_clear(&plan);
    return cli_close(array, status, err);
}

const cli_command cli_create = {
    .name = "create",
    .summary = "make a new array",
    .usage = "A --type T --bounds N,N,... [--chunk N,N,...] [--order ORDER] [--fill V] "
             "[--names A,B,...] [--policy P]",
    .details =
        "Makes the array A: the journal A.xmd and the data file A.xta. It covers 0:N on each "
        "axis, holds the fill value everywhere and takes no disk for cells until they are "
        "written.",
    .example = "  xta create runs --type f64 --bounds 4,3,1 --chunk 2,3,1 --names t,y,x",
    .options = options,
    .n_options = CLI_COUNT(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
