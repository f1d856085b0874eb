/* Reading back the output of `xta rechunk --plan --json`, to draw it.
 *
 * Unknown names are skipped, so that later versions may add names.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rechunk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "util/checked.h"

#define MOST_BYTES ((size_t)64 << 20)

typedef struct reader {
    const char *path;
    cli_error *err;
} reader;

static xta_status refuse(const reader *r, const char *wanted)
{
    return cli_fail(r->err, XTA_EFORMAT, 0,
                    "%s: want %s; is it what xta rechunk --plan --json printed?", r->path, wanted);
}

/* Read a whole number of an object; `value` is unchanged if it has none of that name. */
static xta_status read_number(const reader *r, const json_t *in, const char *name, int64_t *value)
{
    const json_t *number = json_object_get(in, name);

    if (number == NULL) {
        return XTA_OK;
    }
    if (!json_is_integer(number)) {
        return refuse(r, "a whole number");
    }
    *value = json_integer_value(number);
    return XTA_OK;
}

/* A text of an object; "" if there is none. */
static const char *text_of(const json_t *in, const char *name)
{
    const char *text = json_string_value(json_object_get(in, name));

    return text != NULL ? text : "";
}

/* Read the edges of blocks; the caller frees the list. */
static xta_status read_edges(const reader *r, const json_t *list, int64_t **edges, int64_t *n)
{
    if (json_array_size(list) == 0) {
        return refuse(r, "a list of whole numbers");
    }
    *n = (int64_t)json_array_size(list);
    *edges = xta__calloc((size_t)*n, sizeof **edges);
    if (*edges == NULL) {
        return cli_fail(r->err, XTA_ENOMEM, 0, "%s: no memory for its cuts", r->path);
    }
    for (int64_t k = 0; k < *n; k++) {
        const json_t *edge = json_array_get(list, (size_t)k);
        if (!json_is_integer(edge)) {
            return refuse(r, "a whole number");
        }
        (*edges)[k] = json_integer_value(edge);
    }
    return XTA_OK;
}

/* {"length": .., "origin": ..} or {"edges": [..]} */
static xta_status read_axis(const reader *r, const json_t *axis, xta_cuts *cuts, int64_t **edges)
{
    const json_t *list = json_object_get(axis, "edges");
    xta_status status = XTA_OK;

    *cuts = (xta_cuts){0};
    if (!json_is_object(axis)) {
        return refuse(r, "an axis");
    }
    XTA_TRY(read_number(r, axis, "length", &cuts->length));
    XTA_TRY(read_number(r, axis, "origin", &cuts->origin));
    if (list != NULL) {
        XTA_TRY(read_edges(r, list, edges, &cuts->n_edges));
        cuts->edges = *edges;
    }
done:
    return status;
}

static xta_status read_side(const reader *r, const json_t *side, xta_partition *partition,
                            xta_block_home *home, bool *column, int64_t **edges)
{
    const json_t *axes = json_object_get(side, "axes");
    const char *name = text_of(side, "home");
    xta_status status = XTA_OK;
    bool known = name[0] == '\0';

    if (json_array_size(axes) > XTA_MAX_NDIM) {
        return refuse(r, "fewer axes");
    }
    for (int k = 0; k < 3; k++) {
        if (strcmp(name, cli_home_name((xta_block_home)k)) == 0) {
            *home = (xta_block_home)k;
            known = true;
        }
    }
    if (!known) {
        return refuse(r, "files, chunks or whole");
    }
    *column = strcmp(text_of(side, "order"), "column") == 0;
    partition->ndim = (int)json_array_size(axes);
    for (int axis = 0; axis < partition->ndim; axis++) {
        XTA_TRY(
            read_axis(r, json_array_get(axes, (size_t)axis), &partition->axis[axis], &edges[axis]));
    }
done:
    return status;
}

/* [[lo, hi], ...] */
static xta_status read_bounds(const reader *r, const json_t *list, xta_box *bounds)
{
    if (json_array_size(list) > XTA_MAX_NDIM) {
        return refuse(r, "fewer axes");
    }
    bounds->ndim = (int)json_array_size(list);
    for (int axis = 0; axis < bounds->ndim; axis++) {
        const json_t *pair = json_array_get(list, (size_t)axis);
        const json_t *lo = json_array_get(pair, 0), *hi = json_array_get(pair, 1);
        if (json_array_size(pair) != 2 || !json_is_integer(lo) || !json_is_integer(hi)) {
            return refuse(r, "two whole numbers for each axis");
        }
        bounds->lo[axis] = json_integer_value(lo);
        bounds->hi[axis] = json_integer_value(hi);
    }
    return XTA_OK;
}

/* The first feasible plan gives the strategy; its numbers are computed again. */
static bool read_strategy(const json_t *plans, xta_rechunk_strategy *strategy)
{
    for (size_t i = 0; i < json_array_size(plans); i++) {
        const json_t *plan = json_array_get(plans, i);
        const char *name = text_of(plan, "strategy");
        for (int k = 0; k < CLI_STRATEGIES && json_is_true(json_object_get(plan, "possible"));
             k++) {
            if (strcmp(name, xta_rechunk_strategy_name((xta_rechunk_strategy)k)) == 0) {
                *strategy = (xta_rechunk_strategy)k;
                return true;
            }
        }
    }
    return false;
}

/* The names of "variants", and the buffers, where keep was asked for them. */
static xta_status read_keep(const reader *r, const json_t *whole, cli_plan_file *file)
{
    xta_rechunk_problem *problem = &file->problem;
    const json_t *names = json_object_get(whole, "variants");
    const json_t *buffer = json_object_get(whole, "buffer");
    xta_block_home home;
    bool column;
    xta_status status = XTA_OK;

    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        int k = 0;
        while (cli_variant_name(k) != NULL &&
               (name == NULL || strcmp(name, cli_variant_name(k)) != 0)) {
            k++;
        }
        if (cli_variant_name(k) == NULL) {
            return refuse(r, "any-order, uneven, mirrored or whole-reads");
        }
        problem->variants |= 1U << k;
    }
    if (buffer != NULL) {
        XTA_TRY(
            read_side(r, buffer, &problem->buffer, &home, &column, file->edges + 2 * XTA_MAX_NDIM));
    }
done:
    return status;
}

static xta_status read_whole(const reader *r, const json_t *whole, cli_plan_file *file)
{
    xta_rechunk_problem *problem = &file->problem;
    int64_t cell_bytes = (int64_t)problem->cell_bytes;
    int64_t memory_bytes = (int64_t)problem->memory_bytes;
    xta_status status = XTA_OK;

    XTA_TRY(read_bounds(r, json_object_get(whole, "bounds"), &problem->bounds));
    XTA_TRY(read_number(r, whole, "cell_bytes", &cell_bytes));
    XTA_TRY(read_number(r, whole, "memory_bytes", &memory_bytes));
    problem->cell_bytes = (uint64_t)cell_bytes;
    problem->memory_bytes = (uint64_t)memory_bytes;
    if (json_object_get(whole, "count") != NULL) {
        problem->account =
            strcmp(text_of(whole, "count"), "live") == 0 ? XTA_ACCOUNT_LIVE : XTA_ACCOUNT_ALLOCATED;
    }
    XTA_TRY(read_side(r, json_object_get(whole, "from"), &problem->from, &problem->from_home,
                      &problem->from_column, file->edges));
    XTA_TRY(read_side(r, json_object_get(whole, "to"), &problem->to, &problem->to_home,
                      &problem->to_column, file->edges + XTA_MAX_NDIM));
    XTA_TRY(read_keep(r, whole, file));
    if (problem->bounds.ndim == 0 || problem->from.ndim != problem->bounds.ndim ||
        problem->to.ndim != problem->bounds.ndim ||
        !read_strategy(json_object_get(whole, "plans"), &problem->strategy)) {
        status = refuse(r, "bounds, from, to of as many axes, and a plan that is possible");
    }
done:
    return status;
}

/* Input of jansson. */
typedef struct source {
    FILE *file;
    size_t n_read;
} source;

static size_t read_some(void *bytes, size_t n, void *user)
{
    source *from = user;
    size_t got = fread(bytes, 1, n, from->file);

    from->n_read += got;
    if (from->n_read > MOST_BYTES || ferror(from->file)) {
        return (size_t)-1;
    }
    return got;
}

xta_status cli_plan_read(const char *path, cli_plan_file *file, cli_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    source from = {.file = standard ? stdin : fopen(path, "rb")};
    reader r = {.path = path, .err = err};
    json_error_t why;
    xta_status status = XTA_OK;

    *file = (cli_plan_file){.problem = XTA_RECHUNK_PROBLEM_INIT};
    if (from.file == NULL) {
        return cli_fail(err, errno == ENOENT ? XTA_ENOENT : XTA_EIO, errno,
                        "%s: cannot be opened: %s", path, strerror(errno));
    }
    json_t *whole = json_load_callback(read_some, &from, 0, &why);
    if (whole != NULL) {
        status = read_whole(&r, whole, file);
    } else if (ferror(from.file)) {
        status = cli_fail(err, XTA_EIO, 0, "%s: cannot be read", path);
    } else if (from.n_read > MOST_BYTES) {
        status = cli_fail(err, XTA_EFORMAT, 0, "%s: is longer than %zu bytes, the most of a plan",
                          path, MOST_BYTES);
    } else {
        status = cli_fail(err, XTA_EFORMAT, 0,
                          "%s: byte %d: %s; is it what xta rechunk --plan --json printed?", path,
                          why.position, why.text);
    }
    json_decref(whole);
    if (!standard) {
        fclose(from.file);
    }
    return status;
}

void cli_plan_file_clear(cli_plan_file *file)
{
    for (int k = 0; k < 3 * XTA_MAX_NDIM; k++) {
        free(file->edges[k]);
        file->edges[k] = NULL;
    }
}
