/* Opening and closing for the subcommands, and the output and command line parsing that several of
 * them share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "kit/open.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kit/log.h"
#include "kit/options.h"
#include "kit/parse.h"
#include "util/checked.h"

static xta_status open_quiet(const cli_args *args, const char *path, uint64_t cache_bytes,
                             xta_array **array, cli_error *err)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    const int64_t *as_of = cli_value(args, "as-of");

    if (as_of != NULL) {
        options.at_step = true;
        options.step = (uint64_t)*as_of;
    }
    options.access = cache_bytes > 0 ? XTA_ACCESS_CACHED : XTA_ACCESS_AUTO;
    options.cache_bytes = cache_bytes;
    return xta_array_open(path, &options, array, &err->error);
}

xta_status cli_open_quiet(const cli_args *args, const char *path, xta_array **array, cli_error *err)
{
    return open_quiet(args, path, 0, array, err);
}

/* Log accesses to an array that has been opened; if that fails, the array is closed. */
static xta_status watch(const cli_args *args, xta_status status, xta_array **array, cli_error *err)
{
    if (status != XTA_OK) {
        return status;
    }
    status = cli_log_watch(args, *array, err);
    if (status != XTA_OK) {
        status = cli_close(*array, status, err);
        *array = NULL;
    }
    return status;
}

xta_status cli_open(const cli_args *args, const char *path, xta_array **array, cli_error *err)
{
    return watch(args, cli_open_quiet(args, path, array, err), array, err);
}

xta_status cli_open_cached(const cli_args *args, const char *path, uint64_t cache_bytes,
                           xta_array **array, cli_error *err)
{
    return watch(args, open_quiet(args, path, cache_bytes, array, err), array, err);
}

xta_status cli_open_writable(const char *path, xta_array **array, cli_error *err)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;

    options.writable = true;
    return watch(NULL, xta_array_open(path, &options, array, &err->error), array, err);
}

xta_status cli_close(xta_array *array, xta_status status, cli_error *err)
{
    xta_error closing;
    xta_status closed = xta_array_close(array, &closing);

    if (status == XTA_OK && closed != XTA_OK) {
        err->error = closing;
        return closed;
    }
    return status;
}

void cli_print_box(FILE *out, const xta_box *box)
{
    for (int axis = 0; axis < box->ndim; axis++) {
        fprintf(out, "%s%" PRId64 ":%" PRId64, axis > 0 ? "," : "", box->lo[axis], box->hi[axis]);
    }
}

void cli_print_coords(FILE *out, const int64_t coord[], int n)
{
    for (int axis = 0; axis < n; axis++) {
        fprintf(out, "%s%" PRId64, axis > 0 ? "," : "", coord[axis]);
    }
}

/* A growth is complete once it has both its axis and its cells. */
static xta_status check_pair(const char *axis, bool has_by, cli_error *err)
{
    if (axis != NULL && !has_by) {
        return cli_usage(err, "--axis %s has no --by; say by how many cells, as in --by 1", axis);
    }
    return XTA_OK;
}

/* Add one option to the growths; `axis` is the name given last, `*has_by` whether it has its
 * cells. */
static xta_status take_growth(const cli_given *given, xta_array *array, xta_growth growths[],
                              int *n_growths, const char **axis, bool *has_by, cli_error *err)
{
    const char *name = given->option->name;
    xta_growth *growth = *n_growths > 0 ? &growths[*n_growths - 1] : NULL;
    xta_status status = XTA_OK;

    if (strcmp(name, "axis") == 0) {
        XTA_TRY(check_pair(*axis, *has_by, err));
        if (*n_growths == 2 * XTA_MAX_NDIM) {
            return cli_usage(err, "more than %d pairs of --axis and --by", 2 * XTA_MAX_NDIM);
        }
        growths[*n_growths] = (xta_growth){0, XTA_BACK, 0};
        XTA_TRY(xta_axis_find(array, given->value, &growths[*n_growths].axis, &err->error));
        *axis = given->value;
        *has_by = false;
        (*n_growths)++;
    } else if (strcmp(name, "by") == 0) {
        if (growth == NULL || *has_by) {
            return cli_usage(err, "--by %s has no --axis before it", given->value);
        }
        XTA_TRY(cli_parse_int(given->value, "--by", &growth->by, err));
        *has_by = true;
    } else if (strcmp(name, "front") == 0) {
        if (growth == NULL) {
            return cli_usage(err, "--front belongs behind the --axis and --by that it is about");
        }
        growth->side = XTA_FRONT;
    }
done:
    return status;
}

xta_status cli_growths(const cli_args *args, xta_array *array, xta_growth growths[], int *n_growths,
                       cli_error *err)
{
    const char *axis = NULL;
    bool has_by = false;

    *n_growths = 0;
    for (int k = 0; k < args->n_given; k++) {
        xta_status status =
            take_growth(&args->given[k], array, growths, n_growths, &axis, &has_by, err);
        if (status != XTA_OK) {
            return status;
        }
    }
    if (*n_growths == 0) {
        return cli_usage(err, "--axis and --by are missing: xta %s %s", args->command->name,
                         args->command->usage);
    }
    return check_pair(axis, has_by, err);
}

/* Whether `text`, up to `end`, names something that exists. */
static bool exists_up_to(char *text, char *end)
{
    char kept = *end;
    *end = '\0';
    bool there = access(text, F_OK) == 0;
    *end = kept;
    return there;
}

/* The colon between a file and one of its variables: the last one with an existing file before it.
 * For a file that does not exist yet, the last one, unless it belongs to the name of a folder. */
static char *find_colon(char *text)
{
    for (char *c = text + strlen(text) - 1; c > text; c--) {
        if (*c == ':' && c[1] != '\0' && exists_up_to(text, c)) {
            return c;
        }
    }
    char *colon = strrchr(text, ':');
    char *slash = strrchr(text, '/');
    if (colon == NULL || colon == text || colon[1] == '\0' || colon[-1] == '/' ||
        (slash != NULL && slash > colon && exists_up_to(text, slash))) {
        return NULL;
    }
    return colon;
}

xta_status cli_split_variable(const char *text, char **file, const char **variable, cli_error *err)
{
    size_t bytes = strlen(text) + 1;
    char *copy = xta__strdup(text);
    char *colon;
    char *bracket;

    if (copy == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for the name", text);
    }
    bracket = strrchr(copy, '[');
    *file = copy;
    *variable = NULL;
    if (bracket != NULL && bracket != copy && bracket[1] != ']' && copy[bytes - 2] == ']' &&
        access(text, F_OK) != 0) { // notation of CFITSIO
        copy[bytes - 2] = *bracket = '\0';
        if (access(copy, F_OK) == 0) {
            *variable = bracket + 1;
            return XTA_OK;
        }
        memcpy(copy, text, bytes);
    }
    colon = text[0] != '\0' && access(text, F_OK) != 0 ? find_colon(copy) : NULL;
    if (colon != NULL) {
        *colon = '\0';
        *variable = colon + 1;
    }
    return XTA_OK;
}
