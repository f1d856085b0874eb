/* xta copy: an array, a box of it, or the arrays of a folder, as new arrays.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include "transfer/verbs.h"

#include <stdlib.h>
#include <string.h>

#include <xta/copy.h>

#include "kit/cells/choice.h"
#include "kit/folder.h"
#include "kit/history.h"
#include "kit/interrupt.h"
#include "kit/print/json.h"
#include "util/os.h"

/* Values of the options. */
typedef struct copy_options {
    cli_choice cells;
    cli_cell_type type;
    cli_coords chunk;
    uint64_t chunk_bytes;
    xta_order order;
    const char *fill;
    bool overwrite;
    bool no_history;
    bool json;
    int64_t as_of;
} copy_options;

static const cli_option options[] = {
    CLI_CELLS(copy_options, "what to copy (everything)"),
    CLI_PARSED(copy_options, type, "type", "T", cli_parse_cell_type_value,
               "type of the copy; a cell that it cannot hold is an error"),
    CLI_PARSED(copy_options, chunk, "chunk", "N,N,...", cli_parse_coords_value,
               "cells of a chunk on each axis (as in A)"),
    CLI_BYTES(copy_options, chunk_bytes, "chunk-bytes", "SIZE", "choose chunks of about this size"),
    CLI_PARSED(copy_options, order, "order", "ORDER", cli_parse_order_value,
               "of the cells in a chunk (as in A): row, column, morton, hilbert"),
    CLI_STRING(copy_options, fill, "fill", "V",
               "value of cells that nobody writes later (as in A); copied cells keep theirs"),
    CLI_FLAG(copy_options, overwrite, "overwrite",
             "replace arrays that exist, each in one step, once its copy is complete"),
    CLI_FLAG(copy_options, no_history, "no-history",
             "of a folder: do not add this command to the history of the copy"),
    CLI_FLAG(copy_options, json, "json", "print one JSON object"),
    CLI_AS_OF(copy_options),
};

static const copy_options *values_of(const cli_args *args)
{
    return args->values;
}

/* The options of one copy, and the memory that they point to. */
typedef struct copy_plan {
    xta_copy_options copy;
    xta_create_options changes;
    xta_box box;
    void *fill;
} copy_plan;

static int stop_if_interrupted(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    (void)done;
    (void)total;
    return cli_interrupted();
}

static xta_status plan_fill(const cli_args *args, xta_array *array, copy_plan *plan, cli_error *err)
{
    const copy_options *values = values_of(args);
    bool typed = cli_has(args, "type");
    xta_type type = typed ? values->type.type : xta_array_type(array);
    size_t bytes = typed ? values->type.cell_bytes : xta_array_cell_bytes(array);

    plan->fill = calloc(bytes, 1);
    if (plan->fill == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "--fill: no memory for a cell");
    }
    plan->changes.fill = plan->fill;
    return cli_value_parse(values->fill, "--fill", type, bytes, plan->fill, err);
}

static xta_status plan_copy(const cli_args *args, xta_array *array, copy_plan *plan, cli_error *err)
{
    static const xta_copy_options copy = XTA_COPY_OPTIONS_INIT;
    static const xta_create_options changes = XTA_CREATE_OPTIONS_INIT;
    const copy_options *values = values_of(args);
    const xta_box bounds = xta_array_bounds(array);
    xta_array_info info;
    xta_status status = XTA_OK;

    plan->copy = copy;
    plan->changes = changes;
    plan->copy.changes = &plan->changes;
    plan->copy.overwrite = values->overwrite;
    plan->copy.progress = stop_if_interrupted;
    plan->copy.type = cli_has(args, "type") ? values->type.type : XTA_TYPE_SAME;
    XTA_TRY(xta_array_inquire(array, &info, &err->error));
    if (cli_has(args, "type") && info.type == XTA_BYTES &&
        values->type.cell_bytes != info.cell_bytes) {
        return cli_usage(err, "--type: cells of bytes:%zu keep their type", info.cell_bytes);
    }
    if (values->chunk.n > 0 && values->chunk.n != bounds.ndim) {
        return cli_usage(err, "--chunk: %d numbers for %d axes; give one for each", values->chunk.n,
                         bounds.ndim);
    }
    plan->changes.chunk = values->chunk.n > 0 ? values->chunk.at : NULL;
    plan->changes.chunk_bytes = values->chunk_bytes;
    plan->changes.order = cli_has(args, "order") ? values->order : info.order;
    plan->copy.box = cli_chosen(&values->cells) ? &plan->box : NULL;
    if (values->fill != NULL) {
        XTA_TRY(plan_fill(args, array, plan, err));
    }
done:
    return status;
}

/* Cells of a member of a data set keep its coordinates. */
static xta_status copy_coordinates(xta_array *from, const char *to, cli_error *err)
{
    xta_array *copy = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(cli_open_writable(to, &copy, err));
    for (int axis = 0; axis < xta_array_ndim(copy); axis++) {
        XTA_TRY(xta_coordinates_copy(from, axis, NULL, copy, axis, &err->error));
    }
done:
    return cli_close(copy, status, err);
}

static void print_copy(cli_json_list *made, const char *from, const char *to, const xta_box *bounds)
{
    if (!cli_json_list_next(made)) {
        return;
    }
    fputs("{\"from\": ", made->out);
    cli_json_text(made->out, from);
    fputs(", \"array\": ", made->out);
    cli_json_text(made->out, to);
    fputs(", \"bounds\": ", made->out);
    cli_json_box(made->out, bounds);
    fputc('}', made->out);
}

/* Copy one array. An interrupted one may still be filled: its copy would pass for whole. */
static xta_status copy_array(const cli_args *args, const char *from, const char *to,
                             cli_json_list *made, cli_error *err)
{
    copy_plan plan = {.fill = NULL};
    xta_array *array = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(cli_open(args, from, &array, err));
    XTA_TRY(xta_array_check_finished(array, &err->error));
    XTA_TRY(cli_choose_cells(&values_of(args)->cells, &array, &plan.box, err));
    XTA_TRY(plan_copy(args, array, &plan, err));
    status = xta_array_copy(array, to, &plan.copy, &err->error);
    if (status == XTA_EEXIST && !values_of(args)->overwrite) {
        xta_error why = err->error;
        xta_error_set(&err->error, status, why.os_errno, "%.400s; --overwrite replaces an array",
                      why.text);
    }
    if (status == XTA_OK && plan.copy.box != NULL) {
        status = copy_coordinates(array, to, err);
    }
    XTA_TRY(status);
    const xta_box bounds = xta_array_bounds(array);
    print_copy(made, from, to, plan.copy.box != NULL ? plan.copy.box : &bounds);
done:
    free(plan.fill);
    return cli_close(array, status, err);
}

/* ---- folders ---- */

/* Two folders. */
typedef struct folder_pair {
    const cli_args *args;
    const char *from, *to;
    cli_json_list *made;
    bool copies; // false: check that nothing is in the way
} folder_pair;

/* Attributes, dimensions and order of the data set in a folder, if it has a `dataset.xmd`. */
static xta_status copy_entries(const char *from, const char *to, cli_error *err)
{
    xta_dataset_options how = XTA_DATASET_OPTIONS_INIT;
    xta_dataset *source = NULL, *target = NULL;
    xta_status status = XTA_OK;

    if (!xta_dataset_exists(from)) {
        return XTA_OK;
    }
    how.writable = true;
    XTA_TRY(xta_dataset_open(from, NULL, &source, &err->error));
    XTA_TRY(xta_dataset_open(to, &how, &target, &err->error));
    XTA_TRY(xta_dataset_copy_entries(source, target, &err->error));
    status = xta_dataset_close(target, &err->error);
    target = NULL;
done:
    xta_dataset_close(source, NULL);
    xta_dataset_close(target, NULL);
    return status;
}

/* A folder with what its data set says; the arrays come later. */
static xta_status copy_one_folder(const char *from, const char *to, bool *made, cli_error *err)
{
    xta_status status = xta__path_make_folder(to, made, &err->error);

    return status == XTA_OK ? copy_entries(from, to, err) : status;
}

static xta_status check_absent(const char *path, cli_error *err)
{
    xta_array *array = NULL;
    xta_status status = xta_array_open(path, NULL, &array, NULL);

    (void)xta_array_close(array, NULL);
    return status == XTA_ENOENT
               ? XTA_OK
               : cli_fail(err, XTA_EEXIST, 0,
                          "%s: an array of this name exists; --overwrite replaces it; nothing has "
                          "been copied",
                          path);
}

static xta_status visit_member(void *user, const cli_member *member, cli_error *err)
{
    const folder_pair *pair = user;
    char *from = NULL, *to = NULL;
    bool made = false;
    xta_status status = XTA_OK;

    XTA_TRY(cli_join(pair->from, member->name, &from, err));
    XTA_TRY(cli_join(pair->to, member->name, &to, err));
    if (!pair->copies) {
        status = member->array ? check_absent(to, err) : XTA_OK;
    } else {
        status = member->array ? copy_array(pair->args, from, to, pair->made, err)
                               : copy_one_folder(from, to, &made, err);
    }
done:
    free(from);
    free(to);
    return status;
}

/* Whether `inner` lies in `outer`, or is it: its copies would be copied again. */
static bool lies_in(const char *inner, const char *outer)
{
    char *folder = realpath(outer, NULL), *resolved = realpath(inner, NULL);
    size_t n = folder != NULL ? strlen(folder) : 0;
    bool inside = folder != NULL && resolved != NULL && strncmp(resolved, folder, n) == 0 &&
                  (resolved[n] == '/' || resolved[n] == '\0');

    free(folder);
    free(resolved);
    return inside;
}

static xta_status copy_folder(const cli_args *args, const char *from, const char *to,
                              cli_json_list *made_list, cli_error *err)
{
    static const char *const single[] = {"box", "sel", "type", "chunk", "fill", "as-of"};
    folder_pair pair = {.args = args, .from = from, .to = to, .made = made_list};
    bool made = false;
    xta_status status = XTA_OK;

    for (size_t k = 0; k < CLI_COUNT(single); k++) {
        if (cli_has(args, single[k])) {
            return cli_usage(err, "--%s belongs to a single array; %s is a folder", single[k],
                             from);
        }
    }
    if (!values_of(args)->overwrite) {
        XTA_TRY(cli_members_visit(from, true, visit_member, &pair, err));
    }
    XTA_TRY(xta__path_make_folder(to, &made, &err->error));
    if (lies_in(to, from)) {
        if (made) {
            xta_error ignored;
            (void)!xta__path_remove_folder(to, &ignored);
        }
        return cli_fail(err, XTA_EARG, 0, "%s: lies in %s, which is to be copied; choose another",
                        to, from);
    }
    pair.copies = true;
    XTA_TRY(copy_entries(from, to, err));
    XTA_TRY(cli_members_visit(from, true, visit_member, &pair, err));
    status = values_of(args)->no_history ? XTA_OK : cli_add_history(args, to, err);
done:
    return status;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    const char *from = args->words[0], *to = args->words[1];

    cli_json_list made = {.out = values_of(args)->json ? stdout : NULL, .name = "arrays"};
    xta_status status = XTA_OK;

    cli_interrupt_watch();
    XTA_TRY(cli_is_folder(from) ? copy_folder(args, from, to, &made, err)
                                : copy_array(args, from, to, &made, err));
    cli_json_list_end(&made);
done:
    return status;
}

const cli_command cli_copy = {
    .name = "copy",
    .summary = "copy an array, a box of it, or a folder",
    .usage = "A B [--box LO:HI,...] [--sel AXIS=LABELS,...] [--type T] [--chunk N,N,... | "
             "--chunk-bytes SIZE] "
             "[--order ORDER] [--fill V] [--overwrite] [--no-history] [--json] [--as-of STEP]",
    .details =
        "Makes the new array B with the cells, bounds, names, units, coordinates and attributes of "
        "A. Cells keep their coordinates: an array that begins at -5 stays so, and the copy of a "
        "box has that box as its bounds. Where --sel gives steps or lists, the cells of axes of "
        "which "
        "a part is copied are numbered from 0. Holes stay holes. If A is a folder, its arrays and "
        "those "
        "of the folders in it are copied into the folder B, which is made if it does not exist; "
        "nothing is copied if one of them is there already; the command is added to the history of "
        "the copy. For other chunks of large arrays xta "
        "rechunk keeps within a memory budget.",
    .example = "  xta copy runs first --box 0:1,:,:",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(copy_options),
    .min_words = 2,
    .max_words = 2,
    .run = run,
};
