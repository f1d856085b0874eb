/* The two ends of a rechunk: the files that the command line names, opened through the bridges'
 * interface for block grids.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "rechunk.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats_loader.h"

/* Split a path and its variable. The names of block files contain colons: {0:03}. */
static xta_status split(const char *text, const char *variable, cli_end *end, cli_error *err)
{
    xta_status status = XTA_OK;

    if (strchr(text, '{') != NULL || variable != NULL) {
        end->file = strdup(text);
        end->variable = variable;
        return end->file != NULL ? XTA_OK
                                 : cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for the name", text);
    }
    XTA_TRY(cli_split_variable(text, &end->file, &end->variable, err));
done:
    return status;
}

xta_status cli_rechunk_open_source(cli_request *request, cli_end *source, cli_error *err)
{
    xta_blocks_options options = XTA_BLOCKS_OPTIONS_INIT;
    cli_formats bridges;
    xta_status status = XTA_OK;

    if (cli_rechunk_of_arrays(request)) {
        return cli_rechunk_open_array(request, source, err);
    }
    XTA_TRY(cli_formats_load(&bridges, &err->error));
    XTA_TRY(split(request->source, request->values->variable, source, err));
    options.format = request->values->format;
    options.variable = source->variable;
    options.type = request->type;
    options.cell_bytes = (uint32_t)request->cell_bytes;
    options.memory_bytes = request->memory_bytes;
    options.order = request->from_order;
    options.trust = request->values->trust;
    options.allow_unfinished = request->values->allow_unfinished;
    if (request->ndim > 0) {
        options.ndim = request->ndim;
        options.bounds = request->lengths;
    }
    if (request->values->from != NULL) {
        if (request->ndim == 0) {
            return cli_usage(err,
                             "--from: the blocks of %s are what they are; only raw block files, "
                             "with --bounds and --type, need it",
                             request->source);
        }
        XTA_TRY(cli_rechunk_block(request, "from", request->ndim, source->block, err));
        options.block = source->block;
    }
    status = bridges.blocks_open(source->file, &options, &source->blocks, &err->error);
    // such as a file with several variables, none of which is named
    err->usage = status == XTA_EARG;
    XTA_TRY(status);
    source->open = true;
done:
    return status;
}

/* The folder of block files, or NULL if the target is not a folder of block files or is in the
 * current folder; the caller frees it. */
static char *folder_of(const char *target)
{
    const char *slash = strrchr(target, '/');
    char *folder = strchr(target, '{') != NULL && slash != NULL ? strdup(target) : NULL;

    if (folder != NULL) {
        folder[slash - target] = '\0';
    }
    return folder;
}

xta_status cli_rechunk_open_target(cli_request *request, const cli_end *source, bool keep,
                                   bool resume, cli_end *target, cli_error *err)
{
    xta_blocks_options options = XTA_BLOCKS_OPTIONS_INIT;
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_partition cuts;
    cli_formats bridges;
    char *folder = NULL;
    xta_status status = XTA_OK;

    if (source->array != NULL) {
        return cli_rechunk_make_array(request, source, keep, resume, target, err);
    }
    XTA_TRY(cli_formats_load(&bridges, &err->error));
    XTA_TRY(split(request->target, NULL, target, err));
    options.format = request->values->to_format;
    options.variable = target->variable;
    if (request->values->chunk != NULL) {
        XTA_TRY(cli_rechunk_cuts(request, 1, &source->blocks.bounds, &cuts, err));
        if (strchr(request->values->chunk, '+') != NULL) {
            options.partition = &cuts;
        } else {
            XTA_TRY(cli_rechunk_block(request, "chunk", source->blocks.bounds.ndim, target->block,
                                      err));
            options.block = target->block;
        }
    }
    create.order = request->order;
    options.order = request->order;
    options.create = request->has_order ? &create : NULL;
    options.memory_bytes = request->memory_bytes;
    options.resumable = keep;
    options.resume = resume;
    options.join = request->joins;
    options.no_coordinates = request->values->no_coordinates;
    folder = folder_of(request->target);
    request->made_folder = request->made_folder || (folder != NULL && access(folder, F_OK) != 0);
    XTA_TRY(bridges.blocks_create(target->file, &source->blocks, &options, &target->blocks,
                                  &err->error));
    target->open = true;
done:
    free(folder);
    return status;
}

/* Record a failure unless there is one already. */
static void take_failure(xta_status closed, const xta_error *closing, xta_status *status,
                         cli_error *err)
{
    if (*status == XTA_OK && closed != XTA_OK) {
        err->error = *closing;
        *status = closed;
    }
}

xta_status cli_rechunk_close(cli_end *end, bool complete, xta_status status, cli_error *err)
{
    xta_error closing = {0};

    if (end->open) {
        take_failure(xta_blocks_close(&end->blocks, complete, &closing), &closing, &status, err);
    }
    if (end->work != NULL && complete && status == XTA_OK) {
        take_failure(xta_work_end(end->array, end->work, &closing), &closing, &status, err);
        end->work = NULL;
    }
    if (end->array != NULL) {
        take_failure(xta_array_close(end->array, &closing), &closing, &status, err);
    }
    if (end->doomed != NULL && !complete) {
        take_failure(xta_array_delete(end->doomed, &closing), &closing, &status, err);
    }
    xta_work_abandon(end->work); // the mark stays with a target that can be continued
    free(end->file);
    *end = (cli_end){0};
    return status;
}

xta_status cli_rechunk_begin_target(cli_request *request, const cli_end *source, bool resume,
                                    cli_end *target, cli_error *err)
{
    xta_status status = cli_rechunk_open_target(request, source, true, resume, target, err);

    if (status == XTA_ENOENT && resume) {
        *err = (cli_error){0};
        cli_rechunk_close(target, false, XTA_OK, err);
        status = cli_rechunk_open_target(request, source, true, false, target, err);
    }
    return status;
}

xta_status cli_rechunk_match(cli_end *source, cli_end *target, uint64_t memory_bytes,
                             cli_error *err)
{
    cli_formats bridges;
    xta_status status = XTA_OK;

    if (source->array != NULL) {
        return XTA_OK; // An array has chunks.
    }
    status = cli_formats_load(&bridges, &err->error);
    if (status == XTA_OK) {
        bridges.blocks_match(&source->blocks, &target->blocks, memory_bytes);
    }
    return status;
}

void cli_rechunk_discard(cli_request *request, const cli_end *source)
{
    char *folder = request->made_folder ? folder_of(request->target) : NULL;
    cli_end target = {0};
    cli_error unheard = {0};

    if (source->open) {
        (void)cli_rechunk_open_target(request, source, false, true, &target, &unheard);
    }
    (void)cli_rechunk_close(&target, false, XTA_OK, &unheard);
    if (folder != NULL) {
        rmdir(folder);
    }
    free(folder);
}

/* The bounds of a plan that is made from shapes alone. */
static xta_status shape_bounds(const cli_request *request, xta_box *bounds, cli_error *err)
{
    static const int64_t zero[XTA_MAX_NDIM] = {0};

    for (int axis = 0; axis < request->ndim; axis++) {
        if (request->lengths[axis] < 1) {
            return cli_usage(err, "--bounds: axis %d: %lld is no length; want 1 or more", axis,
                             (long long)request->lengths[axis]);
        }
    }
    *bounds = xta_box_make(request->ndim, zero, request->lengths);
    return XTA_OK;
}

xta_status cli_rechunk_problem(cli_request *request, const cli_end *source, const cli_end *target,
                               xta_rechunk_problem *problem, cli_error *err)
{
    xta_status status = XTA_OK;

    *problem = (xta_rechunk_problem)XTA_RECHUNK_PROBLEM_INIT;
    problem->memory_bytes = request->memory_bytes;
    problem->account = request->account;
    problem->strategy = request->strategy;
    problem->variants = request->variants;
    problem->to_home = XTA_BLOCKS_CHUNKS;
    if (source->open) {
        problem->bounds = source->blocks.bounds;
        problem->from = source->blocks.partition;
        problem->from_home = source->blocks.home;
        problem->from_column = source->blocks.column;
        problem->cell_bytes = source->blocks.cell_bytes;
    } else {
        XTA_TRY(shape_bounds(request, &problem->bounds, err));
        XTA_TRY(cli_rechunk_cuts(request, 0, &problem->bounds, &problem->from, err));
        problem->from_home = XTA_BLOCKS_CHUNKS;
        problem->cell_bytes = request->cell_bytes;
    }
    if (target->open) {
        problem->to = target->blocks.partition;
        problem->to_home = target->blocks.home;
        problem->to_column = target->blocks.column;
    } else {
        XTA_TRY(cli_rechunk_cuts(request, 1, &problem->bounds, &problem->to, err));
    }
    XTA_TRY(cli_rechunk_buffer(request, &problem->bounds, &problem->buffer, err));
    if (request->has_homes) {
        problem->from_home = request->homes[0];
        problem->to_home = request->homes[1];
    }
done:
    return status;
}
