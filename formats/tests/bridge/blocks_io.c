/* Block grids from scripts, using only the public API:
 *
 *     blocks_io move|run FROM TO [from.KEY=VALUE ...] [to.KEY=VALUE ...] [KEY=VALUE ...]
 *     blocks_io look FROM [from.KEY=VALUE ...]
 *     blocks_io serve (request_server.h), but for calls with kill=N
 *         KEY of a side: format variable type bounds block order suit memory edgesN
 *         other keys: resumable=1 resume=1 slices=1 stop=N kill=N memory=N strategy=N verify=1
 *         notes=PATH match=1
 *
 * `match` cuts dense files to match each other. `move` is the naive method: each block of the
 * target is assembled from the source's blocks, piece by piece, with strides, and read back.
 * `slices` writes it in slices and in several calls. `stop` gives up after N blocks, `kill` kills
 * the process after N blocks. `run` calls xta_repartition_run. `look` prints the grid: bounds,
 * type, home, number of blocks and largest lengths.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "request_server.h"

#include <xta/blocks.h>
#include <xta/repartition.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The options of one side, and the values that they point to. */
typedef struct side {
    xta_blocks_options options;
    int64_t bounds[XTA_MAX_NDIM];
    int64_t block[XTA_MAX_NDIM];
    int64_t suit[XTA_MAX_NDIM];
    xta_partition partition;
    int64_t edges[XTA_MAX_NDIM][64];
} side;

typedef struct job {
    side from;
    side to;
    bool slices;
    long stop;
    bool kill;
    bool match;
    xta_repartition_options run;
} job;

static int numbers(const char *text, int64_t out[])
{
    int n = 0;
    char *end = NULL;
    for (const char *at = text; n < 64; at = end + 1) {
        out[n++] = strtoll(at, &end, 10);
        if (*end != ',') {
            break;
        }
    }
    return n;
}

static void set_side(side *s, const char *key, const char *value)
{
    xta_blocks_options *o = &s->options;
    size_t bytes = 0;
    if (strcmp(key, "format") == 0) {
        o->format = value;
    } else if (strcmp(key, "variable") == 0) {
        o->variable = value;
    } else if (strcmp(key, "type") == 0) {
        if (xta_type_parse(value, &o->type, &bytes, NULL) == XTA_OK) {
            o->cell_bytes = (uint32_t)bytes;
        }
    } else if (strcmp(key, "bounds") == 0) {
        o->ndim = numbers(value, s->bounds);
        o->bounds = s->bounds;
    } else if (strcmp(key, "block") == 0) {
        numbers(value, s->block);
        o->block = s->block;
    } else if (strcmp(key, "suit") == 0) {
        numbers(value, s->suit);
        o->suit = s->suit;
    } else if (strcmp(key, "order") == 0) {
        o->order = strcmp(value, "column") == 0 ? XTA_COLUMN : XTA_ROW;
    } else if (strcmp(key, "memory") == 0) {
        o->memory_bytes = strtoull(value, NULL, 10);
    } else if (strncmp(key, "edges", 5) == 0) {
        int axis = atoi(key + 5);
        xta_cuts *cuts = &s->partition.axis[axis];
        cuts->n_edges = numbers(value, s->edges[axis]);
        cuts->edges = s->edges[axis];
        s->partition.ndim = axis + 1;
        o->partition = &s->partition;
    }
}

static void set(job *j, char *word)
{
    char *value = strchr(word, '=');
    *value++ = '\0';
    if (strncmp(word, "from.", 5) == 0) {
        set_side(&j->from, word + 5, value);
    } else if (strncmp(word, "to.", 3) == 0) {
        set_side(&j->to, word + 3, value);
    } else if (strcmp(word, "resumable") == 0) {
        j->to.options.resumable = true;
    } else if (strcmp(word, "resume") == 0) {
        j->to.options.resume = true;
        j->run.resume = true;
    } else if (strcmp(word, "slices") == 0) {
        j->slices = true;
    } else if (strcmp(word, "stop") == 0 || strcmp(word, "kill") == 0) {
        j->stop = atol(value);
        j->kill = word[0] == 'k';
    } else if (strcmp(word, "match") == 0) {
        j->match = true;
    } else if (strcmp(word, "memory") == 0) {
        j->run.memory_bytes = strtoull(value, NULL, 10);
    } else if (strcmp(word, "strategy") == 0) {
        j->run.strategy = (xta_rechunk_strategy)atoi(value);
    } else if (strcmp(word, "verify") == 0) {
        j->run.verify = true;
    } else if (strcmp(word, "notes") == 0) {
        j->run.resume_path = value;
    }
}

/* ---- grids ---- */

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && a < 0);
}

/* The interval of a block on one axis; false if there is no such block. */
static bool interval(const xta_blocks *g, int axis, int64_t k, int64_t *lo, int64_t *hi)
{
    const xta_cuts *cuts = &g->partition.axis[axis];
    int64_t begin = g->bounds.lo[axis];
    int64_t end = g->bounds.hi[axis];
    if (cuts->length == 0) {
        if (k + 1 >= cuts->n_edges) {
            return false;
        }
        *lo = cuts->edges[k];
        *hi = cuts->edges[k + 1];
        return true;
    }
    *lo = cuts->origin + (floor_div(begin - cuts->origin, cuts->length) + k) * cuts->length;
    *hi = *lo + cuts->length < end ? *lo + cuts->length : end;
    *lo = *lo > begin ? *lo : begin;
    return *lo < end;
}

static bool block_box(const xta_blocks *g, const int64_t block[], xta_box *box)
{
    box->ndim = g->bounds.ndim;
    for (int axis = 0; axis < box->ndim; axis++) {
        if (!interval(g, axis, block[axis], &box->lo[axis], &box->hi[axis])) {
            return false;
        }
    }
    return true;
}

/* The next block, row-major; false after the last one. */
static bool next_block(const xta_blocks *g, int64_t block[])
{
    int64_t lo;
    int64_t hi;
    for (int axis = g->bounds.ndim - 1; axis >= 0; axis--) {
        if (interval(g, axis, ++block[axis], &lo, &hi)) {
            return true;
        }
        block[axis] = 0;
    }
    return false;
}

static size_t bytes_of(const xta_box *box, size_t cell_bytes)
{
    for (int axis = 0; axis < box->ndim; axis++) {
        cell_bytes *= (size_t)(box->hi[axis] - box->lo[axis]);
    }
    return cell_bytes;
}

static void dense_strides(const xta_box *box, size_t cell_bytes, int64_t strides[])
{
    int64_t stride = (int64_t)cell_bytes;
    for (int axis = box->ndim - 1; axis >= 0; axis--) {
        strides[axis] = stride;
        stride *= box->hi[axis] - box->lo[axis];
    }
}

/* ---- the naive way ---- */

/* Assemble `box` from all blocks of the source that intersect it. */
static xta_status gather(xta_blocks *from, const xta_box *box, char *cells, xta_error *err)
{
    int64_t block[XTA_MAX_NDIM] = {0};
    int64_t strides[XTA_MAX_NDIM];
    xta_box there;
    dense_strides(box, from->cell_bytes, strides);
    do {
        if (!block_box(from, block, &there)) {
            continue;
        }
        xta_box piece = xta_box_intersect(box, &there);
        if (xta_box_empty(&piece)) {
            continue;
        }
        char *at = cells;
        for (int axis = 0; axis < box->ndim; axis++) {
            at += (piece.lo[axis] - box->lo[axis]) * strides[axis];
        }
        xta_status status = from->calls->read(from->self, block, &piece, at, strides, err);
        if (status != XTA_OK) {
            return status;
        }
    } while (next_block(from, block));
    return XTA_OK;
}

/* Write a block in one call, or in slices of one cell on axis 0. */
static xta_status put(xta_blocks *to, const int64_t block[], const xta_box *box, const char *cells,
                      bool slices, xta_error *err)
{
    int64_t strides[XTA_MAX_NDIM];
    xta_status status = XTA_OK;
    if (!slices || to->home == XTA_BLOCKS_WHOLE) {
        return to->calls->write(to->self, block, box, cells, NULL, err);
    }
    dense_strides(box, to->cell_bytes, strides);
    xta_box slice = *box;
    for (int64_t k = box->hi[0]; k-- > box->lo[0] && status == XTA_OK;) { // the last one first
        slice.lo[0] = k;
        slice.hi[0] = k + 1;
        status = to->calls->write(to->self, block, &slice, cells + (k - box->lo[0]) * strides[0],
                                  k % 2 != 0 ? strides : NULL, err);
    }
    return status;
}

static xta_status read_back(xta_blocks *to, const int64_t block[], const xta_box *box,
                            const char *cells, xta_error *err)
{
    size_t n = bytes_of(box, to->cell_bytes);
    char *again = malloc(n + 1);
    xta_status status = to->calls->read(to->self, block, box, again, NULL, err);
    if (status == XTA_OK && memcmp(again, cells, n) != 0) {
        status =
            xta_error_set(err, XTA_ECORRUPT, 0, "%s: a block reads back differently", to->name);
    }
    free(again);
    return status;
}

static xta_status move_all(const job *j, xta_blocks *from, xta_blocks *to, bool *complete,
                           xta_error *err)
{
    int64_t block[XTA_MAX_NDIM] = {0};
    xta_status status = XTA_OK;
    long done = 0;
    do {
        xta_box box;
        if (!block_box(to, block, &box)) {
            continue;
        }
        if (j->stop > 0 && done++ >= j->stop) {
            if (j->kill) {
                raise(SIGKILL);
            }
            return to->calls->sync(to->self, err);
        }
        char *cells = malloc(bytes_of(&box, to->cell_bytes) + 1);
        status = gather(from, &box, cells, err);
        if (status == XTA_OK) {
            status = put(to, block, &box, cells, j->slices, err);
        }
        if (status == XTA_OK && to->calls->finish != NULL) {
            status = to->calls->finish(to->self, block, err);
        }
        if (status == XTA_OK) {
            status = read_back(to, block, &box, cells, err);
        }
        free(cells);
    } while (status == XTA_OK && next_block(to, block));
    *complete = status == XTA_OK;
    return status == XTA_OK ? to->calls->sync(to->self, err) : status;
}

/* ---- */

static void show_blocks(const xta_blocks *g)
{
    static const char *const homes[] = {"files", "chunks", "whole"};
    long n = 0;
    int64_t block[XTA_MAX_NDIM] = {0};
    do {
        xta_box box;
        n += block_box(g, block, &box);
    } while (next_block(g, block));
    for (int axis = 0; axis < g->bounds.ndim; axis++) {
        printf("%s%lld:%lld", axis == 0 ? "" : ",", (long long)g->bounds.lo[axis],
               (long long)g->bounds.hi[axis]);
    }
    printf(" %s %s %ld ", xta_type_name(g->type), homes[g->home], n);
    for (int axis = 0; axis < g->bounds.ndim; axis++) {
        printf("%s%lld", axis == 0 ? "" : ",", (long long)g->partition.axis[axis].length);
    }
    printf("\n");
}

static xta_status copy(job *j, const char *how, const char *source, const char *target,
                       xta_error *err)
{
    xta_blocks from = {.calls = NULL};
    xta_blocks to = {.calls = NULL};
    xta_repartition_report report;
    bool complete = false;
    xta_status status = xta_blocks_open(source, &j->from.options, &from, err);
    if (status == XTA_OK) {
        status = xta_blocks_create(target, &from, &j->to.options, &to, err);
    }
    if (status == XTA_OK && j->match) {
        xta_blocks_match(&from, &to, j->run.memory_bytes);
    }
    if (status == XTA_OK && strcmp(how, "move") == 0) {
        status = move_all(j, &from, &to, &complete, err);
    } else if (status == XTA_OK) {
        status = xta_repartition_run(&from, &to, &j->run, &report, err);
        complete = status == XTA_OK;
    }
    if (status == XTA_OK && complete) {
        show_blocks(&to);
    }
    if (to.calls != NULL) {
        xta_status closed = xta_blocks_close(&to, complete, status == XTA_OK ? err : NULL);
        status = status == XTA_OK ? closed : status;
    }
    if (from.calls != NULL) {
        xta_status closed = xta_blocks_close(&from, true, status == XTA_OK ? err : NULL);
        status = status == XTA_OK ? closed : status;
    }
    return status;
}

static xta_status inspect(job *j, const char *source, xta_error *err)
{
    xta_blocks from = {.calls = NULL};
    xta_status status = xta_blocks_open(source, &j->from.options, &from, err);
    if (status == XTA_OK) {
        show_blocks(&from);
        status = xta_blocks_close(&from, true, err);
    }
    return status;
}

static int run(int argc, char **argv)
{
    static job j;
    xta_error err = {XTA_OK, 0, ""};
    memset(&j, 0, sizeof(j));
    j.from.options = (xta_blocks_options)XTA_BLOCKS_OPTIONS_INIT;
    j.to.options = (xta_blocks_options)XTA_BLOCKS_OPTIONS_INIT;
    j.run = (xta_repartition_options)XTA_REPARTITION_OPTIONS_INIT;
    bool looking = argc > 2 && strcmp(argv[1], "look") == 0;
    if (argc < 4 && !looking) {
        fprintf(stderr, "usage: blocks_io move|run FROM TO ... | look FROM ...\n");
        return 99;
    }
    for (int k = looking ? 3 : 4; k < argc; k++) {
        set(&j, argv[k]);
    }
    xta_status status =
        looking ? inspect(&j, argv[2], &err) : copy(&j, argv[1], argv[2], argv[3], &err);
    if (status != XTA_OK) {
        fprintf(stderr, "%s: %s\n", xta_status_name(status), err.text);
    }
    return (int)status;
}

int main(int argc, char **argv)
{
    return argc == 2 && strcmp(argv[1], "serve") == 0 ? serve_requests(run, false)
                                                      : run(argc, argv);
}
