/* xta info: what an array is, where its bytes are, and its history.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "inquiry/verbs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <xta/io_plan.h>

#include "inquiry/dataset_cdl.h"
#include "inquiry/dataset_json.h"
#include "kit/cells/choice.h"
#include "kit/folder.h"
#include "kit/print/describe.h"
#include "kit/print/info_json.h"
#include "kit/print/json.h"
#include "kit/print/unfinished.h"

/* Only part of a longer history is printed. */
#define STEPS_SHOWN 40

/* Values of the options. */
typedef struct info_options {
    bool json;
    bool io;
    cli_choice cells;
    bool history;
    int64_t as_of;
} info_options;

static const cli_option options[] = {
    CLI_FLAG(info_options, json, "json", "print one JSON object"),
    CLI_FLAG(info_options, io, "io", "print how a write would get into the file, and nothing else"),
    CLI_CELLS(info_options, "with --io: of these cells (all)"),
    CLI_FLAG(info_options, history, "history",
             "print every step of a long history, not its ends alone"),
    CLI_AS_OF(info_options),
};

static const info_options *values_of(const cli_args *args)
{
    return args->values;
}

typedef struct history {
    uint64_t n_steps;
    uint64_t n_seen;
    bool whole;
} history;

static int print_step(void *user, const xta_step *step)
{
    history *state = user;
    uint64_t k = state->n_seen++;

    if (!state->whole && state->n_steps > STEPS_SHOWN && k >= STEPS_SHOWN / 2 &&
        k < state->n_steps - STEPS_SHOWN / 2) {
        if (k == STEPS_SHOWN / 2) {
            printf("  ... %" PRIu64 " steps; --history prints them\n",
                   state->n_steps - STEPS_SHOWN);
        }
        return 0;
    }
    printf("  %-6" PRIu64 "%-12s", step->step, cli_step_name(step->kind));
    cli_print_box(stdout, &step->bounds);
    for (int g = 0; g < step->n_growths; g++) {
        printf("%s axis %d by %" PRId64 " %s", g == 0 ? "\t" : ",", step->growths[g].axis,
               step->growths[g].by, step->growths[g].side == XTA_FRONT ? "front" : "back");
    }
    if (step->kind == XTA_STEP_ADD_AXIS) {
        printf("\t axis %d", step->axis);
    }
    printf("\n");
    return 0;
}

static void print_counts(const xta_array_info *info)
{
    printf("chunks      %" PRIu64 " in %" PRIu64 " segments\n", info->n_chunks, info->n_segments);
    printf("journal     %" PRIu64 " bytes\n", info->journal_bytes);
    printf("data        %" PRIu64 " bytes apparent, %" PRIu64 " bytes real\n",
           info->data_apparent_bytes, info->data_real_bytes);
    printf("moved       %" PRIu64 " bytes\n", info->moved_bytes);
}

static xta_status print_shape(xta_array *array, const xta_array_info *info, cli_error *err)
{
    size_t capacity = cli_value_capacity(info->type, info->cell_bytes);
    char *fill = malloc(capacity);

    if (fill == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for a cell of %zu bytes", info->cell_bytes);
    }
    cli_value_text(info->type, info->cell_bytes, xta_array_fill_value(array), fill);
    printf("array       %s\nuuid        ", xta_array_path(array));
    for (size_t k = 0; k < sizeof info->uuid; k++) {
        printf("%02x", info->uuid[k]);
    }
    printf("\ntype        %s, %zu bytes a cell\nbounds      ", xta_type_name(info->type),
           info->cell_bytes);
    cli_print_box(stdout, &info->bounds);
    printf("\nallocated   ");
    cli_print_box(stdout, &info->allocated);
    printf(" chunks\nchunk       ");
    cli_print_coords(stdout, info->chunk, info->ndim);
    printf(" cells, %" PRIu64 " bytes, %s order\n", info->chunk_bytes, cli_order_name(info->order));
    if (info->slot_bytes != info->chunk_bytes) {
        printf("slot        %" PRIu64 " bytes\n", info->slot_bytes);
    }
    if (info->layout == XTA_HEADERLESS) {
        printf("layout      headerless: nothing ties the two files together; see xta-upgrade(1)\n");
    }
    printf("fill        %s\npolicy      %s", fill, cli_policy_name(info->policy));
    if (info->policy == XTA_LINEAR || info->policy == XTA_EXPONENTIAL) {
        printf(":%" PRIu32, info->policy_amount);
    }
    printf("\n");
    free(fill);
    return XTA_OK;
}

static xta_status print_described(xta_array *array, cli_error *err)
{
    int ndim = xta_array_ndim(array);
    xta_status status = XTA_OK;

    for (int axis = 0; axis < ndim; axis++) {
        const char *name = xta_axis_name(array, axis);
        const char *unit = xta_axis_unit(array, axis);
        printf("axis %-7d", axis);
        cli_print_name(stdout, name[0] != '\0' ? name : "(no name)");
        printf("%s", unit[0] != '\0' ? " [" : "");
        cli_print_name(stdout, unit);
        printf("%s\n", unit[0] != '\0' ? "]" : "");
    }
    XTA_TRY(cli_print_attributes(stdout, array, XTA_ON_ARRAY, "attribute   ", err));
    for (int axis = 0; axis < ndim; axis++) {
        char prefix[512];
        char number[16];
        snprintf(prefix, sizeof prefix, "attribute   %.400s:", cli_axis_label(array, axis, number));
        XTA_TRY(cli_print_attributes(stdout, array, axis, prefix, err));
    }
done:
    return status;
}

static void json_share(const xta_io_share *share)
{
    printf("\"n_chunks\": %" PRIu64 ", \"n_rows\": %" PRIu64 ", \"n_bytes\": %" PRIu64,
           share->n_chunks, share->n_rows, share->n_bytes);
}

static void print_io_json(const char *path, const xta_box *box, const xta_io_plan *plan)
{
    const char *before = "";

    fputs("{\"path\": ", stdout);
    cli_json_text(stdout, path);
    fputs(", \"box\": ", stdout);
    cli_json_box(stdout, box);
    printf(", \"access\": \"%s\", \"all\": {",
           plan->access == XTA_ACCESS_MAPPED ? "mapped" : "cached");
    json_share(&plan->total);
    fputs("}, \"methods\": [", stdout);
    for (int k = 0; k < XTA_IO_METHODS; k++) {
        if (plan->by_method[k].n_chunks > 0) {
            printf("%s{\"name\": \"%s\", ", before, xta_io_method_name((xta_io_method)k));
            json_share(&plan->by_method[k]);
            fputc('}', stdout);
            before = ", ";
        }
    }
    printf("], \"n_whole\": %" PRIu64 "}\n", plan->n_whole);
}

static void print_share(const char *name, const xta_io_share *share)
{
    printf("%-20s%" PRIu64 " chunks, %" PRIu64 " rows, %" PRIu64 " bytes\n", name, share->n_chunks,
           share->n_rows, share->n_bytes);
}

/* Print the I/O plan of a handle that has written nothing yet. */
static xta_status print_io(const cli_args *args, xta_array *array, cli_error *err)
{
    xta_box box;
    xta_io_plan plan;
    xta_status status = XTA_OK;

    XTA_TRY(cli_choose_box(&values_of(args)->cells, array, &box, err));
    XTA_TRY(xta_array_plan_write(array, &box, NULL, &plan, &err->error));
    if (values_of(args)->json) {
        print_io_json(args->words[0], &box, &plan);
        return XTA_OK;
    }
    printf("box                 ");
    cli_print_box(stdout, &box);
    printf("\naccess              %s\n", plan.access == XTA_ACCESS_MAPPED ? "mapped" : "cached");
    print_share("all", &plan.total);
    for (int k = 0; k < XTA_IO_METHODS; k++) {
        if (plan.by_method[k].n_chunks > 0) {
            print_share(xta_io_method_name((xta_io_method)k), &plan.by_method[k]);
        }
    }
    printf("whole chunks        %" PRIu64 "\n", plan.n_whole);
done:
    return status;
}

static xta_status print_set(const cli_args *args, cli_error *err)
{
    const char *folder = args->words[0];

    for (int k = 0; k < args->n_given; k++) {
        const char *name = args->given[k].option->name;
        if (strcmp(name, "json") != 0) {
            return cli_usage(err, "%s is a data set; leave out --%s", folder, name);
        }
    }
    return values_of(args)->json ? cli_dataset_json(stdout, folder, err)
                                 : cli_print_dataset(stdout, folder, err);
}

static xta_status run(const cli_args *args, cli_error *err)
{
    xta_array *array = NULL;
    xta_array_info info;
    history state = {.whole = values_of(args)->history};
    xta_status status = XTA_OK;

    if (cli_chosen(&values_of(args)->cells) && !values_of(args)->io) {
        return cli_usage(err, "--%s goes with --io; xta read prints cells",
                         values_of(args)->cells.box != NULL ? "box" : "sel");
    }
    if (values_of(args)->io && values_of(args)->history) {
        return cli_usage(err, "--io prints nothing else: leave out --history");
    }
    if (cli_is_folder(args->words[0])) {
        return print_set(args, err);
    }
    XTA_TRY(cli_open(args, args->words[0], &array, err));
    XTA_TRY(xta_array_inquire(array, &info, &err->error));
    if (values_of(args)->json && !values_of(args)->io) {
        status = cli_info_json(stdout, array, &info, err);
        goto done;
    }
    if (values_of(args)->io) {
        status = print_io(args, array, err);
        goto done;
    }
    XTA_TRY(print_shape(array, &info, err));
    print_counts(&info);
    XTA_TRY(print_described(array, err));
    XTA_TRY(cli_print_unfinished(stdout, array, "unfinished  ", NULL, err));
    printf("history\n");
    state.n_steps = info.n_steps + 1;
    XTA_TRY(xta_array_history(array, print_step, &state, &err->error));
done:
    return cli_close(array, status, err);
}

const cli_command cli_info = {
    .name = "info",
    .summary = "describe an array or a data set",
    .usage = "A [--json] [--history] [--as-of STEP] [--io [--box LO:HI,...] [--sel "
             "AXIS=LABELS,...]] | DIR [--json]",
    .details =
        "Prints type, bounds in cells, the allocated box in chunks, chunk shape, number of chunks "
        "and segments, bytes of the journal, apparent and real bytes of the data file, bytes "
        "that growth has moved (always 0), axes, attributes, unfinished work, and the history: "
        "each "
        "structural step with the bounds after it. In JSON a NaN or an infinity is the string "
        "\"nan\", \"inf\" or \"-inf\", a complex number the pair [real, imaginary]. "
        "With --io: by which method the cells of a write would get into the file, and how many "
        "chunks, rows (runs of cells that lie together) and bytes that makes. "
        "Of a folder, its dimensions, variables, attributes and groups as ncdump -h prints them.",
    .example = "  xta info runs --json",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(info_options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
