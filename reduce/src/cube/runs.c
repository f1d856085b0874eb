/* What a question selects on one axis.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cube/runs.h"

#include <stdlib.h>

#include <xta/reduce.h>

#include "util/checked.h"
#include "util/try.h"
#include "util/vector.h"

static xta_status no_memory(xta_error *err)
{
    return xta__fail(err, XTA_ENOMEM, 0, "no memory for a question");
}

/* ---- labels ---- */

static int64_t label_of(const xta__cube_axis *axis, const xta__answer_axis *answer, int64_t cell)
{
    int64_t label = 0;

    switch (answer->grouping) {
    case XTA__KEPT:
        return cell;
    case XTA__BLOCKS:
        return xta__floor_div(cell, answer->cells);
    case XTA__PERIODS:
        (void)!xta_calendar_group_of(axis->calendar, answer->by, &axis->instants[cell - axis->lo],
                                     &label, NULL);
        return label;
    default:
        return 0;
    }
}

/* Labels of all cells, and those of the answer. */
static xta_status find_labels(const xta__cube_axis *axis, const int64_t *cells, size_t n,
                              xta__answer_axis *answer, int64_t *of_cell, xta_error *err)
{
    int64_t least = 0;

    for (size_t k = 0; k < n; k++) {
        of_cell[k] = label_of(axis, answer, cells[k]);
        least = of_cell[k] < least ? of_cell[k] : least;
    }
    answer->calendar = axis->calendar;
    if (answer->grouping == XTA__KEPT) {
        answer->n = n;
        answer->labels = xta__calloc(n + 1, sizeof answer->labels[0]);
        for (size_t k = 0; answer->labels != NULL && k < n; k++) {
            answer->labels[k] = cells[k];
        }
        return answer->labels != NULL ? XTA_OK : no_memory(err);
    }
    for (size_t k = 0; k < n; k++) {
        of_cell[k] -= least; // labels below 0 would be no groups
    }
    xta_status status =
        xta_reduce_distinct_labels(of_cell, (int64_t)n, &answer->labels, &answer->n, err);
    for (size_t k = 0; k < n; k++) {
        of_cell[k] += least;
    }
    for (size_t k = 0; status == XTA_OK && k < answer->n; k++) {
        answer->labels[k] += least;
    }
    return status;
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static size_t item_of(const xta__answer_axis *answer, int64_t label, size_t position)
{
    if (answer->grouping == XTA__KEPT) {
        return position;
    }
    const int64_t *found =
        bsearch(&label, answer->labels, answer->n, sizeof answer->labels[0], compare);
    return found != NULL ? (size_t)(found - answer->labels) : 0;
}

/* ---- runs ---- */

static xta_status add_group(xta__axis_runs *runs, int level, int64_t group, size_t item,
                            xta_error *err)
{
    xta__run *last = runs->n > 0 ? &runs->runs[runs->n - 1] : NULL;

    if (last == NULL || last->level != level || last->hi != group) {
        if (!xta__reserve(&runs->runs, sizeof runs->runs[0], &runs->capacity, runs->n + 1)) {
            return no_memory(err);
        }
        last = &runs->runs[runs->n++];
        *last = (xta__run){.level = level, .lo = group, .hi = group};
    }
    size_t at = (size_t)(last->hi - last->lo);
    if (!xta__reserve(&last->item, sizeof last->item[0], &last->capacity, at + 1)) {
        return no_memory(err);
    }
    last->item[at] = item;
    last->hi++;
    return XTA_OK;
}

/* The end of the group of a level that begins with cell `a`, if it is complete in the cube and ends
 * at `b` or before; else `a`. */
static int64_t group_end(const xta__cube_axis *axis, int level, int64_t covered_hi, int64_t a,
                         int64_t b)
{
    int64_t group = xta__level_parent(axis, 0, level, a), end;

    if (axis->levels[level].cells > 0) {
        end = (group + 1) * axis->levels[level].cells;
        return group * axis->levels[level].cells == a && end <= b && end <= covered_hi ? end : a;
    }
    if (a == axis->lo || xta__level_parent(axis, 0, level, a - 1) == group) {
        return a; // it begins before, or may
    }
    end = xta__level_lower_bound(axis, 0, level, a, axis->hi, group + 1);
    return end <= b && end <= covered_hi && end < axis->hi ? end : a;
}

/* Divide the cells [a, b) into groups. */
static xta_status add_stretch(const xta_cube *cube, int k, int64_t a, int64_t b, size_t item,
                              xta__axis_runs *runs, xta_error *err)
{
    const xta__cube_axis *axis = &cube->axes[k];
    bool empty = xta_box_empty(&cube->covered);
    xta_status status = XTA_OK;

    while (status == XTA_OK && a < b) {
        if (empty || a < cube->covered.lo[k] || a >= cube->covered.hi[k]) {
            status = add_group(runs, XTA__FROM_BASE, a, item, err);
            a++;
            continue;
        }
        int level = axis->n_levels - 1;
        int64_t end = a;
        while (level > 0 && (end = group_end(axis, level, cube->covered.hi[k], a, b)) == a) {
            level--;
        }
        if (level > 0) {
            status = add_group(runs, level, xta__level_parent(axis, 0, level, a), item, err);
            a = end;
        } else {
            status = add_group(runs, axis->first == 0 ? 0 : XTA__FROM_BASE, a, item, err);
            a++;
        }
    }
    return status;
}

xta_status xta__runs_find(const xta_cube *cube, int k, const int64_t *cells, size_t n,
                          xta__answer_axis *answer, xta__axis_runs *runs, xta_error *err)
{
    int64_t *labels = xta__calloc(n + 1, sizeof *labels);
    xta_status status = XTA_OK;

    if (labels == NULL) {
        return no_memory(err);
    }
    XTA_TRY(find_labels(&cube->axes[k], cells, n, answer, labels, err));
    for (size_t from = 0, to; from < n; from = to) {
        to = from + 1;
        while (to < n && cells[to] == cells[to - 1] + 1 && labels[to] == labels[from]) {
            to++;
        }
        XTA_TRY(add_stretch(cube, k, cells[from], cells[to - 1] + 1,
                            item_of(answer, labels[from], from), runs, err));
    }
done:
    free(labels);
    return status;
}

void xta__runs_clear(xta__axis_runs *runs)
{
    for (size_t k = 0; k < runs->n; k++) {
        free(runs->runs[k].item);
    }
    free(runs->runs);
}

xta_status xta__run_of_cells(const xta__cube_axis *axis, const xta__run *run, xta__run *cells,
                             xta_error *err)
{
    int level = run->level > 0 ? run->level : 0;

    *cells = (xta__run){.level = 0, .lo = run->lo, .hi = run->hi};
    if (level > 0) {
        cells->lo = xta__level_lower_bound(axis, 0, level, axis->lo, axis->hi, run->lo);
        cells->hi = xta__level_lower_bound(axis, 0, level, axis->lo, axis->hi, run->hi);
    }
    cells->item = xta__calloc((size_t)(cells->hi - cells->lo) + 1, sizeof cells->item[0]);
    if (cells->item == NULL) {
        return no_memory(err);
    }
    for (int64_t c = cells->lo; c < cells->hi; c++) {
        cells->item[c - cells->lo] = run->item[xta__level_parent(axis, 0, level, c) - run->lo];
    }
    return XTA_OK;
}
