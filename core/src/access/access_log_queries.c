/* The queries of an access log.
 *
 * Definition: one query for each distinct access, weighted by how often it occurs. Naive version:
 * compare each access with all queries so far. Improvement: a hash table of query numbers, so that
 * a long log of a few shapes takes little time and memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/access.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/checked.h"
#include "util/vector.h"

typedef struct gathering {
    const char *path;
    const xta_box *bounds;
    xta_access_choice choice;
    xta_query *query;
    size_t n;
    size_t capacity;
    size_t *slot; // twice the capacity; the number of a query plus 1, or 0
    xta_status status;
    xta_error *err;
} gathering;

static uint64_t mix(uint64_t hash, int64_t value)
{
    hash = (hash ^ (uint64_t)value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t hash_of(const xta_query *query, int ndim)
{
    uint64_t hash = 1;

    for (int axis = 0; axis < ndim; axis++) {
        hash = mix(mix(mix(hash, query->lo[axis]), query->length[axis]), query->step[axis]);
    }
    return hash;
}

static bool same_query(const xta_query *a, const xta_query *b, int ndim)
{
    size_t bytes = (size_t)ndim * sizeof a->lo[0];

    return memcmp(a->lo, b->lo, bytes) == 0 && memcmp(a->length, b->length, bytes) == 0 &&
           memcmp(a->step, b->step, bytes) == 0;
}

/* The slot of a query, or the free one where it belongs. */
static size_t *find_slot(gathering *g, const xta_query *query)
{
    size_t n_slots = 2 * g->capacity;
    size_t at = (size_t)(hash_of(query, g->bounds->ndim) % n_slots);

    while (g->slot[at] != 0 && !same_query(&g->query[g->slot[at] - 1], query, g->bounds->ndim)) {
        at = (at + 1) % n_slots;
    }
    return &g->slot[at];
}

static bool reserve_query(gathering *g)
{
    size_t before = g->capacity;

    if (!XTA__RESERVE(g->query, g->capacity, g->n + 1)) {
        return false;
    }
    if (g->capacity == before) {
        return true;
    }
    free(g->slot);
    g->slot = xta__calloc(g->capacity, 2 * sizeof g->slot[0]);
    for (size_t k = 0; g->slot != NULL && k < g->n; k++) {
        *find_slot(g, &g->query[k]) = k + 1;
    }
    return g->slot != NULL;
}

static int end_walk(gathering *g, xta_status status)
{
    g->status = status;
    return 1;
}

static int add_access(void *user, const xta_access_entry *entry)
{
    gathering *g = user;
    xta_query query = {.weight = 1, .placed = g->choice.placed};

    if (entry->box.ndim != g->bounds->ndim) {
        xta_error_set(g->err, XTA_EFORMAT, 0,
                      "%s: line %" PRIu64 ": an access of %d axes; the array has %d", g->path,
                      entry->line, entry->box.ndim, g->bounds->ndim);
        return end_walk(g, XTA_EFORMAT);
    }
    xta_box box = xta_box_intersect(&entry->box, g->bounds);
    if (xta_box_empty(&box) || (entry->write ? g->choice.no_writes : g->choice.no_reads)) {
        return 0;
    }
    for (int axis = 0; axis < box.ndim; axis++) {
        query.lo[axis] = g->choice.placed ? box.lo[axis] : 0;
        query.length[axis] = box.hi[axis] - box.lo[axis];
        query.step[axis] = entry->step[axis];
    }
    if (!reserve_query(g)) {
        xta_error_set(g->err, XTA_ENOMEM, 0, "%s: no memory for %zu different accesses", g->path,
                      g->n + 1);
        return end_walk(g, XTA_ENOMEM);
    }
    size_t *slot = find_slot(g, &query);
    if (*slot != 0) {
        g->query[*slot - 1].weight += 1;
    } else {
        g->query[g->n++] = query;
        *slot = g->n;
    }
    return 0;
}

xta_status xta_access_log_queries(const char *path, const xta_box *bounds,
                                  const xta_access_choice *choice, xta_query **queries, size_t *n,
                                  xta_error *err)
{
    xta_error own;
    gathering g = {.path = path, .bounds = bounds, .err = err};

    *queries = NULL;
    *n = 0;
    g.choice = choice != NULL ? *choice : (xta_access_choice){0};
    xta_status status = xta_access_log_read(path, add_access, &g, &own);
    if (g.status != XTA_OK) {
        status = g.status; // Reading was stopped for a reason that `err` already holds.
    } else if (status != XTA_OK) {
        xta_error_set(err, status, own.os_errno, "%s", own.text);
    }
    free(g.slot);
    if (status != XTA_OK || g.n == 0) {
        free(g.query);
        return status;
    }
    *queries = g.query;
    *n = g.n;
    return XTA_OK;
}
