/* Levels of the axes of a cube.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cube/levels.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>

#include "util/checked.h"
#include "util/try.h"

/* ---- parsing ---- */

/* Parse "8" or "month". */
static xta_status parse_level(const char *word, const xta__cube_axis *axis, xta__level *level,
                              xta_error *err)
{
    char *end = NULL;

    memset(level, 0, sizeof *level);
    if (word[0] >= '0' && word[0] <= '9') {
        level->cells = strtoll(word, &end, 10);
        if (*end != '\0' || level->cells < 1 || level->cells > INT64_C(1) << 40) {
            return xta__fail(err, XTA_EARG, 0,
                             "axis %s: level \"%s\" is no number of cells from 1 to 2^40",
                             axis->name, word);
        }
        snprintf(level->name, sizeof level->name, "%" PRId64, level->cells);
        return XTA_OK;
    }
    if (xta_calendar_group_parse(word, &level->by, NULL) != XTA_OK || level->by > XTA_BY_YEAR ||
        level->by == XTA_BY_SEASON) {
        return xta__fail(err, XTA_EARG, 0,
                         "axis %s: \"%s\" is no level; want a number of cells, day, month or year",
                         axis->name, word);
    }
    snprintf(level->name, sizeof level->name, "%s", word);
    return XTA_OK;
}

/* Whether every group of `b` consists of groups of `a`. */
static bool divides(const xta__level *a, const xta__level *b)
{
    if (a->cells == 1) {
        return b->cells != 1;
    }
    if (a->cells == 0 || b->cells == 0) {
        return a->cells == b->cells && a->by < b->by;
    }
    return b->cells > a->cells && b->cells % a->cells == 0;
}

static xta_status add_level(const char *word, xta__cube_axis *axis, xta_error *err)
{
    xta__level level;
    xta_status status = parse_level(word, axis, &level, err);

    if (status != XTA_OK) {
        return status;
    }
    if (level.cells == 1 && axis->n_levels == 1 && axis->first != 0) {
        axis->first = 0;
        return XTA_OK;
    }
    const xta__level *last = &axis->levels[axis->n_levels - 1];
    if (!divides(last, &level)) {
        return xta__fail(err, XTA_EARG, 0,
                         "axis %s: level %s does not consist of groups of %s; list levels from "
                         "fine to coarse, each a multiple of the one before it",
                         axis->name, level.name, last->name);
    }
    if (axis->n_levels == XTA__CUBE_MOST_LEVELS) {
        return xta__fail(err, XTA_EARG, 0, "axis %s: more than %d levels", axis->name,
                         XTA__CUBE_MOST_LEVELS - 1);
    }
    axis->levels[axis->n_levels++] = level;
    return XTA_OK;
}

/* The axis of a name or number; without a base, of a number alone. */
static xta_status find_axis(const char *text, int ndim, xta_array *base, int *axis, xta_error *err)
{
    char *end = NULL;

    if (base != NULL) {
        return xta_axis_find(base, text, axis, err);
    }
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || number < 0 || number >= ndim) {
        return xta__fail(err, XTA_ECORRUPT, 0, "levels: \"%s\" is no axis", text);
    }
    *axis = (int)number;
    return XTA_OK;
}

/* Parse "y:1>8>64", which is changed. */
static xta_status parse_axis(char *text, xta__cube_axis axes[], int ndim, xta_array *base,
                             xta_error *err)
{
    char *colon = strrchr(text, ':'), *rest;
    int k = 0;
    xta_status status = XTA_OK;

    if (colon == NULL || colon[1] == '\0') {
        return xta__fail(err, XTA_EARG, 0, "levels \"%s\": want AXIS:LEVEL>LEVEL...", text);
    }
    *colon = '\0';
    XTA_TRY(find_axis(text, ndim, base, &k, err));
    if (axes[k].first >= 0) {
        XTA_TRY(xta__fail(err, XTA_EARG, 0, "levels: axis %s is given twice", text));
    }
    axes[k].first = 1;
    for (rest = colon + 1; rest != NULL;) {
        char *word = rest;
        rest = strchr(word, '>');
        if (rest != NULL) {
            *rest++ = '\0';
        }
        XTA_TRY(add_level(word, &axes[k], err));
    }
done:
    return status;
}

xta_status xta__levels_parse(const char *text, xta__cube_axis axes[], int ndim, xta_array *base,
                             xta_error *err)
{
    char *copy = xta__strdup(text), *rest;
    bool any = false;
    xta_status status = XTA_OK;

    if (copy == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for levels");
    }
    for (int k = 0; k < ndim; k++) {
        axes[k].levels[0] = (xta__level){.cells = 1, .name = "1"};
        axes[k].n_levels = 1;
        axes[k].first = -1;
    }
    for (rest = copy; rest != NULL;) {
        char *word = rest;
        rest = strchr(word, ',');
        if (rest != NULL) {
            *rest++ = '\0';
        }
        XTA_TRY(parse_axis(word, axes, ndim, base, err));
    }
    for (int k = 0; k < ndim; k++) {
        axes[k].first = axes[k].first < 0 ? 0 : axes[k].first;
        any = any || axes[k].n_levels > 1;
    }
    if (!any) {
        XTA_TRY(xta__fail(err, XTA_EARG, 0,
                          "levels \"%s\": no axis has a level above its cells; give one", text));
    }
done:
    free(copy);
    return status;
}

/* ---- times ---- */

bool xta__levels_need_times(const xta__cube_axis *axis)
{
    return axis->levels[axis->n_levels - 1].cells == 0;
}

xta_status xta__levels_read_times(xta__cube_axis *axis, xta_array *base, int k, xta_error *err)
{
    xta_time_unit unit;
    xta_status status = xta_calendar_instants(base, k, &unit, &axis->instants, err);

    for (int64_t c = 0; status == XTA_OK && c < axis->hi - axis->lo; c++) {
        xta_date date; // no level fails later
        if (c > 0 && xta_instant_compare(&axis->instants[c - 1], &axis->instants[c]) >= 0) {
            return xta__fail(err, XTA_EBOX, 0,
                             "axis %s: the time of cell %" PRId64 " is not after that of the cell "
                             "before it; levels of a calendar need ascending times",
                             axis->name, axis->lo + c);
        }
        status = xta_instant_to_date(unit.calendar, &axis->instants[c], &date, err);
    }
    axis->calendar = unit.calendar;
    return status;
}

/* ---- groups ---- */

int64_t xta__level_parent(const xta__cube_axis *axis, int from, int to, int64_t index)
{
    const xta__level *a = &axis->levels[from], *b = &axis->levels[to];
    int64_t label = 0;

    if (from == to) {
        return index;
    }
    if (b->cells > 0) {
        return xta__floor_div(index, b->cells / a->cells);
    }
    xta_instant instant;
    if (a->cells == 0 && a->by == XTA_BY_MONTH) {
        return xta__floor_div(index, 12);
    }
    if (a->cells > 0) {
        instant = axis->instants[index - axis->lo];
    } else {
        (void)!xta_calendar_group_begin(axis->calendar, a->by, index, &instant, NULL);
    }
    (void)!xta_calendar_group_of(axis->calendar, b->by, &instant, &label, NULL);
    return label;
}

void xta__level_groups(const xta__cube_axis *axis, int level, int64_t lo, int64_t hi,
                       int64_t range[2])
{
    range[0] = xta__level_parent(axis, 0, level, lo);
    range[1] = xta__level_parent(axis, 0, level, hi - 1) + 1;
}

int64_t xta__level_lower_bound(const xta__cube_axis *axis, int from, int to, int64_t lo, int64_t hi,
                               int64_t parent)
{
    while (lo < hi) {
        int64_t middle = lo + (hi - lo) / 2;
        if (xta__level_parent(axis, from, to, middle) < parent) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo;
}

void xta__levels_clear(xta__cube_axis *axis)
{
    free(axis->name);
    free(axis->instants);
    axis->name = NULL;
    axis->instants = NULL;
}
