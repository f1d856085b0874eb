/* Schedules: in which order the pieces of one axis are moved.
 *
 * A schedule follows entirely from the edges of its pieces and the ends of its events: by the end
 * of an event at x, the pieces that begin before x have been read, and those that end at or before
 * x have been written. So a piece that is read contains no cell that should have been written
 * earlier.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "planner/model/axis_schedule.h"
#include "util/vector.h"

#include <stdlib.h>
#include <string.h>

int64_t xta__merge_edges(const int64_t *a, int64_t n_a, const int64_t *b, int64_t n_b, int64_t *out)
{
    int64_t n = 0;

    for (int64_t i = 0, j = 0; i < n_a || j < n_b;) {
        int64_t x = j == n_b || (i < n_a && a[i] <= b[j]) ? a[i] : b[j];
        i += i < n_a && a[i] == x;
        j += j < n_b && b[j] == x;
        out[n++] = x;
    }
    return n;
}

/* For each event, the first piece that belongs to a later event. Pieces before it begin below the
 * event's end (`by_begin`), or end at or before it. */
static void assign(const int64_t *edge, int64_t n, const int64_t *event, int64_t n_events,
                   bool by_begin, int64_t *first)
{
    int64_t k = 0;

    first[0] = 0;
    for (int64_t e = 0; e < n_events; e++) {
        while (k < n && (by_begin ? edge[k] < event[e] : edge[k + 1] <= event[e])) {
            k++;
        }
        first[e + 1] = k;
    }
}

static void set_groups(xta__axis_schedule *schedule, const xta__schedule_spec *spec)
{
    int64_t g = 0;

    schedule->n_groups = 1;
    schedule->group[0] = 0;
    for (int64_t e = 0; e < schedule->n_events; e++) {
        int64_t begin = e == 0 ? 0 : spec->event[e - 1];
        int64_t x = spec->by_begin ? begin + 1 : spec->event[e];
        int64_t before = g;
        while (g + 1 < spec->n_groups && x > spec->group[g]) {
            g++;
        }
        if (g > before && e > 0) {
            schedule->group[schedule->n_groups++] = e;
        }
    }
    schedule->group[schedule->n_groups] = schedule->n_events;
}

/* Allocate all arrays of a schedule at once. */
static xta_status schedule_allocate(xta__axis_schedule *schedule, int64_t most_fragments)
{
    int64_t events = schedule->n_events + 1;
    size_t n = (size_t)(schedule->n[0] + schedule->n[1] + 2 + 9 * events + most_fragments + 1);
    int64_t *at = xta__calloc(n, sizeof *at);

    if (at == NULL) {
        return XTA_ENOMEM;
    }
    schedule->edge[0] = at;
    schedule->edge[1] = at += schedule->n[0] + 1;
    schedule->first[0] = at += schedule->n[1] + 1;
    schedule->first[1] = at += events;
    schedule->group = at += events;
    schedule->fragment_first = at += events;
    schedule->fragment_last = at += events;
    schedule->come = at += events;
    for (int m = 0; m < 3; m++) {
        schedule->gone[m] = at += events;
    }
    schedule->part = at + events;
    return XTA_OK;
}

/* The number of cuts of a side strictly between two positions in a span; *k: the fold that contains
 * the first position, which does not decrease from call to call. */
static int64_t cuts_between(const xta__span *span, int side, int64_t begin, int64_t end, int64_t *k)
{
    while (span->edge[side][*k + 1] <= begin) {
        ++*k;
    }
    int64_t block = xta__fold_block(span, side, *k);
    int64_t within = begin - span->edge[side][*k];
    return (within + end - begin - 1) / block - within / block;
}

/* The number of fragments in the stretch that ends at part[stretch + 1]. */
static int64_t parts_in(const xta__axis_schedule *schedule, const xta__span *span, int64_t stretch,
                        int64_t fold[2])
{
    int64_t n = 1;

    for (int side = 0; side < 2; side++) {
        if (span->count[side] != NULL) {
            n += cuts_between(span, side, schedule->part[stretch], schedule->part[stretch + 1],
                              &fold[side]);
        }
    }
    return n;
}

/* Compute what has been read and freed by the end of each event. */
static void set_counts(xta__axis_schedule *schedule, const xta__span *span)
{
    int64_t *edge = schedule->edge[XTA__FROM];
    int64_t pieces_gone = 0;

    for (int64_t e = 0; e <= schedule->n_events; e++) {
        int64_t written = schedule->edge[XTA__TO][schedule->first[XTA__TO][e]];
        schedule->come[e] = edge[schedule->first[XTA__FROM][e]];
        while (pieces_gone < schedule->n[XTA__FROM] && edge[pieces_gone + 1] <= written) {
            pieces_gone++;
        }
        schedule->gone[XTA__LIVE][e] = written;
        schedule->gone[XTA__PIECES][e] = edge[pieces_gone];
    }
    int64_t come = 0, gone = 0, n_come = 0, n_gone = 0;
    int64_t come_fold[2] = {0, 0}, gone_fold[2] = {0, 0};
    for (int64_t e = 0; e <= schedule->n_events; e++) {
        while (come < schedule->n_stretches && schedule->part[come + 1] <= schedule->come[e]) {
            n_come += parts_in(schedule, span, come++, come_fold);
        }
        while (gone < schedule->n_stretches &&
               schedule->part[gone + 1] <= schedule->gone[XTA__LIVE][e]) {
            n_gone += parts_in(schedule, span, gone++, gone_fold);
        }
        schedule->fragment_first[e] = n_come;
        schedule->fragment_last[e] = n_gone;
        schedule->gone[XTA__FRAGMENTS][e] = schedule->part[gone];
    }
    schedule->n_fragments = n_come;
}

xta_status xta__axis_schedule_init(xta__axis_schedule *schedule, const xta__span *span,
                                   const xta__schedule_spec *spec)
{
    int64_t most_fragments = spec->n[XTA__FROM] + span->n[XTA__TO] + 2;

    *schedule = (xta__axis_schedule){.length = span->length, .n_events = spec->n_events};
    schedule->n[XTA__FROM] = spec->n[XTA__FROM];
    schedule->n[XTA__TO] = spec->n[XTA__TO];
    if (schedule_allocate(schedule, most_fragments) != XTA_OK) {
        return XTA_ENOMEM;
    }
    for (int side = 0; side < 2; side++) {
        memcpy(schedule->edge[side], spec->edge[side],
               (size_t)(spec->n[side] + 1) * sizeof(int64_t));
        assign(spec->edge[side], spec->n[side], spec->event, spec->n_events, side == XTA__FROM,
               schedule->first[side]);
    }
    schedule->n_stretches =
        xta__merge_edges(spec->edge[XTA__FROM], spec->n[XTA__FROM] + 1, span->edge[XTA__TO],
                         span->n[XTA__TO] + 1, schedule->part) -
        1;
    set_groups(schedule, spec);
    set_counts(schedule, span);
    return XTA_OK;
}

static xta_status copy_schedule(xta__axis_schedule *schedule, const xta__axis_schedule *from)
{
    *schedule = *from;
    if (schedule_allocate(schedule, from->n_stretches + 1) != XTA_OK) {
        *schedule = (xta__axis_schedule){0};
        return XTA_ENOMEM;
    }
    size_t events = (size_t)(from->n_events + 1) * sizeof(int64_t);
    for (int side = 0; side < 2; side++) {
        memcpy(schedule->edge[side], from->edge[side],
               (size_t)(from->n[side] + 1) * sizeof(int64_t));
        memcpy(schedule->first[side], from->first[side], events);
    }
    memcpy(schedule->group, from->group, (size_t)(from->n_groups + 1) * sizeof(int64_t));
    memcpy(schedule->part, from->part, (size_t)(from->n_stretches + 1) * sizeof(int64_t));
    memcpy(schedule->fragment_first, from->fragment_first, events);
    memcpy(schedule->fragment_last, from->fragment_last, events);
    memcpy(schedule->come, from->come, events);
    for (int m = 0; m < 3; m++) {
        memcpy(schedule->gone[m], from->gone[m], events);
    }
    return XTA_OK;
}

void xta__axis_schedule_clear(xta__axis_schedule *schedule)
{
    free(schedule->edge[0]);
    *schedule = (xta__axis_schedule){0};
}

void xta__recipe_order(xta__recipe *recipe, const int order[])
{
    for (int i = 0; i < recipe->ndim; i++) {
        recipe->group_order[i] = recipe->event_order[i] = order[i];
    }
}

/* ---- pools ---- */

static xta__axis_schedule *schedule_pool_new_item(xta__schedule_pool *pool)
{
    if (!XTA__RESERVE(pool->schedule, pool->capacity, pool->n + 1)) {
        return NULL;
    }
    return xta__calloc(1, sizeof(xta__axis_schedule));
}

xta_status xta__schedule_pool_add(xta__schedule_pool *pool, const xta__span *span,
                                  const xta__schedule_spec *spec,
                                  const xta__axis_schedule **schedule)
{
    xta__axis_schedule *made = schedule_pool_new_item(pool);

    if (made == NULL || xta__axis_schedule_init(made, span, spec) != XTA_OK) {
        free(made);
        return XTA_ENOMEM;
    }
    pool->schedule[pool->n++] = made;
    *schedule = made;
    return XTA_OK;
}

void xta__schedule_pool_drop(xta__schedule_pool *pool)
{
    pool->n--;
    xta__axis_schedule_clear(pool->schedule[pool->n]);
    free(pool->schedule[pool->n]);
}

xta_status xta__schedule_pool_keep(xta__schedule_pool *pool, xta__recipe *recipe)
{
    for (int d = 0; d < recipe->ndim; d++) {
        xta__axis_schedule *made = schedule_pool_new_item(pool);
        if (made == NULL || copy_schedule(made, recipe->schedule[d]) != XTA_OK) {
            free(made);
            return XTA_ENOMEM;
        }
        pool->schedule[pool->n++] = made;
        recipe->schedule[d] = made;
    }
    return XTA_OK;
}

void xta__schedule_pool_clear(xta__schedule_pool *pool)
{
    for (size_t k = 0; k < pool->n; k++) {
        xta__axis_schedule_clear(pool->schedule[k]);
        free(pool->schedule[k]);
    }
    free(pool->schedule);
    *pool = (xta__schedule_pool){0};
}
