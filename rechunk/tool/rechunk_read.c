/* Reading back what `xta rechunk --plan --json` has printed, to draw it.
 *
 * Only as much of JSON is understood as that takes: objects, lists, whole numbers, strings without
 * escapes that matter, and three words. Unknown names are skipped, so that later versions may say
 * more.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rechunk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)64 << 20)

typedef struct reader {
    const char *path;
    const char *begin;
    const char *at;
    cli_plan_file *file;
    bool has_strategy;
    cli_error *err;
} reader;

static xta_status refuse(const reader *r, const char *wanted)
{
    return cli_fail(r->err, XTA_EFORMAT, 0,
                    "%s: byte %zu: want %s; is it what xta rechunk --plan --json printed?", r->path,
                    (size_t)(r->at - r->begin), wanted);
}

/* ---- tokens ---- */

static void skip_blanks(reader *r)
{
    r->at += strspn(r->at, " \t\r\n");
}

/* Step over one sign if it is next. */
static bool take(reader *r, char sign)
{
    skip_blanks(r);
    if (*r->at != sign) {
        return false;
    }
    r->at++;
    return true;
}

static xta_status need(reader *r, char sign)
{
    char wanted[4] = {'\'', sign, '\'', '\0'};

    return take(r, sign) ? XTA_OK : refuse(r, wanted);
}

static xta_status take_text(reader *r, char text[64])
{
    size_t n = 0;
    xta_status status = XTA_OK;

    XTA_TRY(need(r, '"'));
    for (; *r->at != '"' && *r->at != '\0'; r->at++) {
        r->at += *r->at == '\\' && r->at[1] != '\0';
        if (n < 63) {
            text[n++] = *r->at;
        }
    }
    text[n] = '\0';
    XTA_TRY(need(r, '"'));
done:
    return status;
}

static xta_status take_number(reader *r, int64_t *value)
{
    char *end;

    skip_blanks(r);
    errno = 0;
    *value = strtoll(r->at, &end, 10);
    if (end == r->at || errno != 0 || *end == '.') {
        return refuse(r, "a whole number");
    }
    r->at = end;
    return XTA_OK;
}

/* Step over a value of any kind. */
static xta_status skip_value(reader *r)
{
    int depth = 0;

    do {
        char text[64];
        skip_blanks(r);
        if (*r->at == '"') {
            xta_status status = take_text(r, text);
            if (status != XTA_OK) {
                return status;
            }
        } else if (*r->at == '\0') {
            return refuse(r, "a value");
        } else if (depth == 0 && strchr("{[", *r->at) == NULL) {
            r->at += strcspn(r->at, ",]} \t\r\n");
        } else {
            depth += *r->at == '{' || *r->at == '[';
            depth -= *r->at == '}' || *r->at == ']';
            r->at++;
        }
    } while (depth > 0);
    return XTA_OK;
}

/* ---- what a plan says ---- */

/* A list of numbers, such as cuts; the list is the caller's. */
static xta_status take_list(reader *r, int64_t **list, int64_t *n)
{
    size_t capacity = 0;
    xta_status status = XTA_OK;

    *n = 0;
    XTA_TRY(need(r, '['));
    while (*n == 0 || take(r, ',')) {
        if ((size_t)*n == capacity) {
            capacity = 2 * capacity + 16;
            int64_t *grown = realloc(*list, capacity * sizeof *grown);
            if (grown == NULL) {
                return cli_fail(r->err, XTA_ENOMEM, 0, "%s: no memory for its cuts", r->path);
            }
            *list = grown;
        }
        XTA_TRY(take_number(r, &(*list)[*n]));
        (*n)++;
    }
    XTA_TRY(need(r, ']'));
done:
    return status;
}

/* {"length": .., "origin": ..} or {"edges": [..]} */
static xta_status take_axis(reader *r, xta_cuts *cuts, int64_t **edges)
{
    char name[64];
    xta_status status = XTA_OK;

    *cuts = (xta_cuts){0};
    XTA_TRY(need(r, '{'));
    do {
        XTA_TRY(take_text(r, name));
        XTA_TRY(need(r, ':'));
        if (strcmp(name, "length") == 0) {
            XTA_TRY(take_number(r, &cuts->length));
        } else if (strcmp(name, "origin") == 0) {
            XTA_TRY(take_number(r, &cuts->origin));
        } else if (strcmp(name, "edges") == 0 && *edges == NULL) {
            XTA_TRY(take_list(r, edges, &cuts->n_edges));
            cuts->edges = *edges;
        } else {
            XTA_TRY(skip_value(r));
        }
    } while (take(r, ','));
    XTA_TRY(need(r, '}'));
done:
    return status;
}

static xta_status take_axes(reader *r, xta_partition *partition, int64_t **edges)
{
    xta_status status = XTA_OK;

    XTA_TRY(need(r, '['));
    partition->ndim = 0;
    do {
        if (partition->ndim == XTA_MAX_NDIM) {
            return refuse(r, "fewer axes");
        }
        XTA_TRY(take_axis(r, &partition->axis[partition->ndim], &edges[partition->ndim]));
        partition->ndim++;
    } while (take(r, ','));
    XTA_TRY(need(r, ']'));
done:
    return status;
}

static xta_status take_home(reader *r, xta_block_home *home)
{
    char text[64];
    xta_status status = XTA_OK;

    XTA_TRY(take_text(r, text));
    for (int k = 0; k < 3; k++) {
        if (strcmp(text, cli_home_name((xta_block_home)k)) == 0) {
            *home = (xta_block_home)k;
            return XTA_OK;
        }
    }
    status = refuse(r, "files, chunks or whole");
done:
    return status;
}

static xta_status take_side(reader *r, xta_partition *partition, xta_block_home *home, bool *column,
                            int64_t **edges)
{
    char name[64], order[64];
    xta_status status = XTA_OK;

    XTA_TRY(need(r, '{'));
    do {
        XTA_TRY(take_text(r, name));
        XTA_TRY(need(r, ':'));
        if (strcmp(name, "home") == 0) {
            XTA_TRY(take_home(r, home));
        } else if (strcmp(name, "order") == 0) {
            XTA_TRY(take_text(r, order));
            *column = strcmp(order, "column") == 0;
        } else if (strcmp(name, "axes") == 0) {
            XTA_TRY(take_axes(r, partition, edges));
        } else {
            XTA_TRY(skip_value(r));
        }
    } while (take(r, ','));
    XTA_TRY(need(r, '}'));
done:
    return status;
}

static xta_status take_bounds(reader *r, xta_box *bounds)
{
    xta_status status = XTA_OK;

    XTA_TRY(need(r, '['));
    bounds->ndim = 0;
    do {
        int axis = bounds->ndim;
        if (axis == XTA_MAX_NDIM) {
            return refuse(r, "fewer axes");
        }
        XTA_TRY(need(r, '['));
        XTA_TRY(take_number(r, &bounds->lo[axis]));
        XTA_TRY(need(r, ','));
        XTA_TRY(take_number(r, &bounds->hi[axis]));
        XTA_TRY(need(r, ']'));
        bounds->ndim++;
    } while (take(r, ','));
    XTA_TRY(need(r, ']'));
done:
    return status;
}

/* The first plan that is possible says the strategy; its numbers are computed again. */
static xta_status take_plan(reader *r)
{
    char name[64], strategy[64] = "", possible[64] = "";
    xta_status status = XTA_OK;

    XTA_TRY(need(r, '{'));
    do {
        XTA_TRY(take_text(r, name));
        XTA_TRY(need(r, ':'));
        skip_blanks(r);
        if (strcmp(name, "strategy") == 0) {
            XTA_TRY(take_text(r, strategy));
        } else {
            if (strcmp(name, "possible") == 0) {
                snprintf(possible, sizeof possible, "%.4s", r->at);
            }
            XTA_TRY(skip_value(r));
        }
    } while (take(r, ','));
    XTA_TRY(need(r, '}'));
    for (int k = 0; k < CLI_STRATEGIES && !r->has_strategy; k++) {
        if (strcmp(possible, "true") == 0 &&
            strcmp(strategy, xta_rechunk_strategy_name((xta_rechunk_strategy)k)) == 0) {
            r->file->problem.strategy = (xta_rechunk_strategy)k;
            r->has_strategy = true;
        }
    }
done:
    return status;
}

static xta_status take_plans(reader *r)
{
    xta_status status = XTA_OK;

    XTA_TRY(need(r, '['));
    do {
        XTA_TRY(take_plan(r));
    } while (take(r, ','));
    XTA_TRY(need(r, ']'));
done:
    return status;
}

/* One member of the whole. */
static xta_status take_member(reader *r, const char *name)
{
    xta_rechunk_problem *problem = &r->file->problem;
    char text[64];
    int64_t value = 0;
    xta_status status = XTA_OK;

    if (strcmp(name, "bounds") == 0) {
        XTA_TRY(take_bounds(r, &problem->bounds));
    } else if (strcmp(name, "cell_bytes") == 0) {
        XTA_TRY(take_number(r, &value));
        problem->cell_bytes = (uint64_t)value;
    } else if (strcmp(name, "memory_bytes") == 0) {
        XTA_TRY(take_number(r, &value));
        problem->memory_bytes = (uint64_t)value;
    } else if (strcmp(name, "count") == 0) {
        XTA_TRY(take_text(r, text));
        problem->account = strcmp(text, "live") == 0 ? XTA_ACCOUNT_LIVE : XTA_ACCOUNT_ALLOCATED;
    } else if (strcmp(name, "from") == 0) {
        XTA_TRY(take_side(r, &problem->from, &problem->from_home, &problem->from_column,
                          r->file->edges));
    } else if (strcmp(name, "to") == 0) {
        XTA_TRY(take_side(r, &problem->to, &problem->to_home, &problem->to_column,
                          r->file->edges + XTA_MAX_NDIM));
    } else if (strcmp(name, "plans") == 0) {
        XTA_TRY(take_plans(r));
    } else {
        XTA_TRY(skip_value(r));
    }
done:
    return status;
}

static xta_status take_whole(reader *r)
{
    const xta_rechunk_problem *problem = &r->file->problem;
    char name[64];
    xta_status status = XTA_OK;

    XTA_TRY(need(r, '{'));
    do {
        XTA_TRY(take_text(r, name));
        XTA_TRY(need(r, ':'));
        XTA_TRY(take_member(r, name));
    } while (take(r, ','));
    XTA_TRY(need(r, '}'));
    if (problem->bounds.ndim == 0 || problem->from.ndim != problem->bounds.ndim ||
        problem->to.ndim != problem->bounds.ndim || !r->has_strategy) {
        status = refuse(r, "bounds, from, to of as many axes, and a plan that is possible");
    }
done:
    return status;
}

/* The whole file as a text. */
static xta_status read_all(const char *path, char **text, cli_error *err)
{
    FILE *in = fopen(path, "rb");
    size_t n = 0, capacity = 0;

    if (in == NULL) {
        return cli_fail(err, errno == ENOENT ? XTA_ENOENT : XTA_EIO, errno,
                        "%s: cannot be opened: %s", path, strerror(errno));
    }
    while (n < MOST_BYTES) {
        if (n + 1 >= capacity) {
            capacity = 2 * capacity + 65536;
            char *grown = realloc(*text, capacity);
            if (grown == NULL) {
                fclose(in);
                return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory to read it", path);
            }
            *text = grown;
        }
        size_t got = fread(*text + n, 1, capacity - n - 1, in);
        n += got;
        if (got == 0) {
            break;
        }
    }
    bool failed = ferror(in) != 0;
    fclose(in);
    if (*text != NULL) {
        (*text)[n] = '\0';
    }
    return failed ? cli_fail(err, XTA_EIO, 0, "%s: cannot be read", path) : XTA_OK;
}

xta_status cli_plan_read(const char *path, cli_plan_file *file, cli_error *err)
{
    char *text = NULL;
    xta_status status = XTA_OK;

    *file = (cli_plan_file){.problem = XTA_RECHUNK_PROBLEM_INIT};
    XTA_TRY(read_all(path, &text, err));
    reader r = {.path = path, .begin = text, .at = text, .file = file, .err = err};
    status = take_whole(&r);
done:
    free(text);
    return status;
}

void cli_plan_file_clear(cli_plan_file *file)
{
    for (int k = 0; k < 2 * XTA_MAX_NDIM; k++) {
        free(file->edges[k]);
        file->edges[k] = NULL;
    }
}
