/* Courses: how one axis of a component is gone along.
 *
 * All of a course follows from the edges of its pieces and the ends of its events: up to an event's
 * end at x the pieces that begin before x are read, and those that end at x or before are written.
 * So a piece read holds no cell that was to be written earlier.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "planner/model/axis_schedule.h"

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

/* For each event the first piece that is not its: those before it begin below (end at or below) the
 * event's end. */
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

static void set_groups(xta__course *course, const xta__course_parts *parts)
{
    int64_t g = 0;

    course->n_groups = 1;
    course->group[0] = 0;
    for (int64_t e = 0; e < course->n_events; e++) {
        int64_t begin = e == 0 ? 0 : parts->event[e - 1];
        int64_t x = parts->by_begin ? begin + 1 : parts->event[e];
        int64_t before = g;
        while (g + 1 < parts->n_groups && x > parts->group[g]) {
            g++;
        }
        if (g > before && e > 0) {
            course->group[course->n_groups++] = e;
        }
    }
    course->group[course->n_groups] = course->n_events;
}

/* Give the arrays of a course their places in one piece of memory. */
static xta_status course_room(xta__course *course, int64_t most_parts)
{
    int64_t events = course->n_events + 1;
    size_t n = (size_t)(course->n[0] + course->n[1] + 2 + 9 * events + most_parts + 1);
    int64_t *at = xta__calloc(n, sizeof *at);

    if (at == NULL) {
        return XTA_ENOMEM;
    }
    course->edge[0] = at;
    course->edge[1] = at += course->n[0] + 1;
    course->first[0] = at += course->n[1] + 1;
    course->first[1] = at += events;
    course->group = at += events;
    course->part_come = at += events;
    course->part_gone = at += events;
    course->come = at += events;
    for (int m = 0; m < 3; m++) {
        course->gone[m] = at += events;
    }
    course->part = at + events;
    return XTA_OK;
}

/* Cuts of a side strictly between two places of a span; *k: the fold that holds the first one,
 * which does not fall from call to call. */
static int64_t cuts_between(const xta__span *span, int side, int64_t begin, int64_t end, int64_t *k)
{
    while (span->edge[side][*k + 1] <= begin) {
        ++*k;
    }
    int64_t block = xta__fold_block(span, side, *k);
    int64_t within = begin - span->edge[side][*k];
    return (within + end - begin - 1) / block - within / block;
}

/* Parts in the stretch that ends at part[stretch + 1]. */
static int64_t parts_in(const xta__course *course, const xta__span *span, int64_t stretch,
                        int64_t fold[2])
{
    int64_t n = 1;

    for (int side = 0; side < 2; side++) {
        if (span->count[side] != NULL) {
            n += cuts_between(span, side, course->part[stretch], course->part[stretch + 1],
                              &fold[side]);
        }
    }
    return n;
}

/* What is read and gone at the end of each event. */
static void set_counts(xta__course *course, const xta__span *span)
{
    int64_t *edge = course->edge[XTA__FROM];
    int64_t pieces_gone = 0;

    for (int64_t e = 0; e <= course->n_events; e++) {
        int64_t written = course->edge[XTA__TO][course->first[XTA__TO][e]];
        course->come[e] = edge[course->first[XTA__FROM][e]];
        while (pieces_gone < course->n[XTA__FROM] && edge[pieces_gone + 1] <= written) {
            pieces_gone++;
        }
        course->gone[XTA__LIVE][e] = written;
        course->gone[XTA__PIECES][e] = edge[pieces_gone];
    }
    int64_t come = 0, gone = 0, n_come = 0, n_gone = 0;
    int64_t come_fold[2] = {0, 0}, gone_fold[2] = {0, 0};
    for (int64_t e = 0; e <= course->n_events; e++) {
        while (come < course->n_stretches && course->part[come + 1] <= course->come[e]) {
            n_come += parts_in(course, span, come++, come_fold);
        }
        while (gone < course->n_stretches && course->part[gone + 1] <= course->gone[XTA__LIVE][e]) {
            n_gone += parts_in(course, span, gone++, gone_fold);
        }
        course->part_come[e] = n_come;
        course->part_gone[e] = n_gone;
        course->gone[XTA__PARTS][e] = course->part[gone];
    }
    course->n_parts = n_come;
}

xta_status xta__course_init(xta__course *course, const xta__span *span,
                            const xta__course_parts *parts)
{
    int64_t most_parts = parts->n[XTA__FROM] + span->n[XTA__TO] + 2;

    *course = (xta__course){.length = span->length, .n_events = parts->n_events};
    course->n[XTA__FROM] = parts->n[XTA__FROM];
    course->n[XTA__TO] = parts->n[XTA__TO];
    if (course_room(course, most_parts) != XTA_OK) {
        return XTA_ENOMEM;
    }
    for (int side = 0; side < 2; side++) {
        memcpy(course->edge[side], parts->edge[side],
               (size_t)(parts->n[side] + 1) * sizeof(int64_t));
        assign(parts->edge[side], parts->n[side], parts->event, parts->n_events, side == XTA__FROM,
               course->first[side]);
    }
    course->n_stretches =
        xta__merge_edges(parts->edge[XTA__FROM], parts->n[XTA__FROM] + 1, span->edge[XTA__TO],
                         span->n[XTA__TO] + 1, course->part) -
        1;
    set_groups(course, parts);
    set_counts(course, span);
    return XTA_OK;
}

xta_status xta__course_copy(xta__course *course, const xta__course *from)
{
    *course = *from;
    if (course_room(course, from->n_stretches + 1) != XTA_OK) {
        *course = (xta__course){0};
        return XTA_ENOMEM;
    }
    size_t events = (size_t)(from->n_events + 1) * sizeof(int64_t);
    for (int side = 0; side < 2; side++) {
        memcpy(course->edge[side], from->edge[side], (size_t)(from->n[side] + 1) * sizeof(int64_t));
        memcpy(course->first[side], from->first[side], events);
    }
    memcpy(course->group, from->group, (size_t)(from->n_groups + 1) * sizeof(int64_t));
    memcpy(course->part, from->part, (size_t)(from->n_stretches + 1) * sizeof(int64_t));
    memcpy(course->part_come, from->part_come, events);
    memcpy(course->part_gone, from->part_gone, events);
    memcpy(course->come, from->come, events);
    for (int m = 0; m < 3; m++) {
        memcpy(course->gone[m], from->gone[m], events);
    }
    return XTA_OK;
}

void xta__course_clear(xta__course *course)
{
    free(course->edge[0]);
    *course = (xta__course){0};
}

void xta__recipe_order(xta__recipe *recipe, const int order[])
{
    for (int i = 0; i < recipe->ndim; i++) {
        recipe->group_order[i] = recipe->event_order[i] = order[i];
    }
}

/* ---- pools ---- */

static xta__course *pool_room(xta__pool *pool)
{
    if (pool->n == pool->room) {
        size_t room = pool->room == 0 ? 16 : 2 * pool->room;
        xta__course **more = xta__realloc_array(pool->course, room, sizeof *more);
        if (more == NULL) {
            return NULL;
        }
        pool->course = more;
        pool->room = room;
    }
    return xta__calloc(1, sizeof(xta__course));
}

xta_status xta__pool_add(xta__pool *pool, const xta__span *span, const xta__course_parts *parts,
                         const xta__course **course)
{
    xta__course *made = pool_room(pool);

    if (made == NULL || xta__course_init(made, span, parts) != XTA_OK) {
        free(made);
        return XTA_ENOMEM;
    }
    pool->course[pool->n++] = made;
    *course = made;
    return XTA_OK;
}

void xta__pool_drop(xta__pool *pool)
{
    pool->n--;
    xta__course_clear(pool->course[pool->n]);
    free(pool->course[pool->n]);
}

xta_status xta__pool_keep(xta__pool *pool, xta__recipe *recipe)
{
    for (int d = 0; d < recipe->ndim; d++) {
        xta__course *made = pool_room(pool);
        if (made == NULL || xta__course_copy(made, recipe->course[d]) != XTA_OK) {
            free(made);
            return XTA_ENOMEM;
        }
        pool->course[pool->n++] = made;
        recipe->course[d] = made;
    }
    return XTA_OK;
}

void xta__pool_clear(xta__pool *pool)
{
    for (size_t k = 0; k < pool->n; k++) {
        xta__course_clear(pool->course[k]);
        free(pool->course[k]);
    }
    free(pool->course);
    *pool = (xta__pool){0};
}
