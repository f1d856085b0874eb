/* From array to array: both ends are opened by libxta alone.
 *
 * Every other kind of end is opened by the bridges, which load a hundred libraries; most runs of
 * rechunk do not need them, nor the time and memory to load them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "rechunk.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xta/work.h>

#include "util/text.h"

/* Whether an array of this name exists, or of this name without a suffix. */
static bool is_array(const char *path, const char *format)
{
    static const char *const suffixes[] = {".xmd", ".pma", ".xta", ".pta"};
    size_t bytes = strlen(path) + 8;
    char *name = malloc(bytes);
    bool found = false;

    for (size_t k = 0; name != NULL && k < CLI_COUNT(suffixes); k++) {
        snprintf(name, bytes, "%s%s", path, suffixes[k]);
        found = found || xta__ends_with(path, suffixes[k]) || (k < 2 && access(name, F_OK) == 0);
    }
    free(name);
    return format != NULL ? strcmp(format, "xta") == 0 : found && strpbrk(path, "{:") == NULL;
}

/* Whether a new target of this name would be an array: the format says so, or no suffix says
 * otherwise. */
static bool would_be_array(const char *path, const char *format)
{
    const char *slash = strrchr(path, '/');
    const char *variable = NULL;
    char *file = NULL;
    cli_error unheard = {0};

    if (format != NULL) {
        return strcmp(format, "xta") == 0;
    }
    xta_status status = cli_split_variable(path, &file, &variable, &unheard);
    bool named = status == XTA_OK && variable != NULL; // "out.nc:group/v"
    free(file);
    return !named && strpbrk(slash != NULL ? slash : path, ".{:") == NULL;
}

bool cli_rechunk_of_arrays(const cli_request *request)
{
    return is_array(request->source, request->values->format) &&
           request->values->variable == NULL &&
           (request->target == NULL || would_be_array(request->target, request->values->to_format));
}

xta_status cli_rechunk_open_array(const cli_request *request, cli_end *source, cli_error *err)
{
    xta_status status = XTA_OK;

    if (request->values->from != NULL) {
        return cli_usage(err,
                         "--from: the blocks of %s are what they are; only raw block files, "
                         "with --bounds and --type, need it",
                         request->source);
    }
    XTA_TRY(xta_array_open(request->source, NULL, &source->array, &err->error));
    if (!request->values->allow_unfinished) {
        XTA_TRY(xta_array_check_finished(source->array, &err->error));
    }
    XTA_TRY(xta_blocks_of_array(source->array, &source->blocks, &err->error));
    source->open = true;
done:
    return status;
}

/* The target of an interrupted run must be the one that this run would have made. */
static xta_status check_resumed(const cli_request *request, const cli_end *source,
                                const cli_end *target, cli_error *err)
{
    xta_box before = xta_array_bounds(source->array);
    xta_box after = xta_array_bounds(target->array);

    if (!xta_box_equal(&before, &after) ||
        xta_array_type(source->array) != xta_array_type(target->array)) {
        return cli_fail(err, XTA_ESTATE, 0,
                        "%s: has other bounds or another type than %s; it cannot be the target to "
                        "resume",
                        request->target, request->source);
    }
    return XTA_OK;
}

xta_status cli_rechunk_make_array(cli_request *request, const cli_end *source, bool keep,
                                  bool resume, cli_end *target, cli_error *err)
{
    xta_create_options changes = XTA_CREATE_OPTIONS_INIT;
    xta_array_info info;
    xta_status status = XTA_OK;

    XTA_TRY(xta_array_inquire(source->array, &info, &err->error));
    if (request->values->chunk != NULL) {
        XTA_TRY(cli_rechunk_block(request, "chunk", info.ndim, target->block, err));
        changes.chunk = target->block;
    }
    changes.order = request->has_order ? request->order : info.order;
    if (resume) {
        XTA_TRY(cli_open_writable(request->target, &target->array, err));
        XTA_TRY(check_resumed(request, source, target, err));
        if (!request->joins) {
            XTA_TRY(
                xta_work_resume_any(target->array, XTA_WORK_RECHUNK, &target->work, &err->error));
        }
    } else {
        XTA_TRY(xta_work_create_like(source->array, request->target, &changes, XTA_WORK_RECHUNK,
                                     &target->array, &target->work, &err->error));
    }
    target->doomed = keep ? NULL : request->target;
    XTA_TRY(xta_blocks_into_array(target->array, &target->blocks, &err->error));
    target->open = true;
done:
    return status;
}
