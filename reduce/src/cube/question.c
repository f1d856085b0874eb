/* What a question means: axes that are reduced, kept or grouped, and cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cube/question.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>

#include "util/checked.h"
#include "util/try.h"

/* Read the times of an axis, unless it has them. */
static xta_status need_times(xta_cube *cube, int k, xta_error *err)
{
    xta__cube_axis *axis = &cube->axes[k];
    xta_time_unit unit;

    if (axis->instants != NULL) {
        return XTA_OK;
    }
    xta_status status = xta_calendar_instants(cube->base, k, &unit, &axis->instants, err);
    if (status == XTA_OK) {
        axis->calendar = unit.calendar;
    }
    return status;
}

/* The one axis with times. */
static xta_status find_time_axis(xta_cube *cube, int *axis, xta_error *err)
{
    int found = -1, n = 0;

    for (int k = 0; k < cube->ndim; k++) {
        if (need_times(cube, k, NULL) == XTA_OK) {
            found = k;
            n++;
        }
    }
    if (n != 1) {
        return xta__fail(err, XTA_EARG, 0,
                         "groups of a calendar: %d axes have times; name the axis, as in "
                         "AXIS:month",
                         n);
    }
    *axis = found;
    return XTA_OK;
}

/* Parse "year", "time:season", "y:8"; the word is changed. */
static xta_status parse_by(xta_cube *cube, char *word, xta_cube_answer *answer, xta_error *err)
{
    char *colon = strrchr(word, ':'), *group = colon != NULL ? colon + 1 : word, *end;
    int k = 0;
    xta_status status = XTA_OK;

    if (colon != NULL) {
        *colon = '\0';
        XTA_TRY(xta_axis_find(cube->base, word, &k, err));
    } else {
        XTA_TRY(find_time_axis(cube, &k, err));
    }
    xta__answer_axis *axis = &answer->axes[k];
    if (axis->grouping != XTA__REDUCED) {
        XTA_TRY(xta__fail(err, XTA_EARG, 0, "groups: axis %s is given twice", cube->axes[k].name));
    }
    if (colon != NULL && group[0] >= '0' && group[0] <= '9') {
        axis->grouping = XTA__BLOCKS;
        axis->cells = strtoll(group, &end, 10);
        if (*end != '\0' || axis->cells < 1 || axis->cells > INT64_C(1) << 40) {
            XTA_TRY(xta__fail(err, XTA_EARG, 0,
                              "axis %s: \"%s\" is no number of cells from 1 to "
                              "2^40",
                              cube->axes[k].name, group));
        }
        goto done;
    }
    axis->grouping = XTA__PERIODS;
    XTA_TRY(xta_calendar_group_parse(group, &axis->by, err));
    XTA_TRY(need_times(cube, k, err));
done:
    return status;
}

static bool is_reduced(const xta_cube_question *q, const xta_cube_answer *answer, int k)
{
    if (answer->axes[k].grouping != XTA__REDUCED) {
        return false;
    }
    for (int j = 0; j < q->n_over; j++) {
        if (q->over[j] == k) {
            return true;
        }
    }
    return q->n_over == 0 && !q->keep_all;
}

xta_status xta__question_axes(xta_cube *cube, const xta_cube_question *question,
                              xta_cube_answer *answer, xta_error *err)
{
    char *copy = question->by != NULL ? xta__strdup(question->by) : NULL;
    xta_status status = XTA_OK;

    if (question->by != NULL && copy == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for a question");
    }
    for (char *rest = copy; rest != NULL;) {
        char *word = rest;
        rest = strchr(word, ',');
        if (rest != NULL) {
            *rest++ = '\0';
        }
        XTA_TRY(parse_by(cube, word, answer, err));
    }
    for (int j = 0; j < question->n_over; j++) {
        if (question->over[j] < 0 || question->over[j] >= cube->ndim) {
            XTA_TRY(xta__fail(err, XTA_EARG, 0, "over: no axis %d; there are 0 to %d",
                              question->over[j], cube->ndim - 1));
        }
    }
    for (int k = 0; k < cube->ndim; k++) {
        answer->axes[k].axis = k;
        if (answer->axes[k].grouping == XTA__REDUCED && !is_reduced(question, answer, k)) {
            answer->axes[k].grouping = XTA__KEPT;
        }
        if (answer->axes[k].grouping != XTA__REDUCED) {
            answer->shown[answer->n_shown++] = k;
        }
    }
done:
    free(copy);
    return status;
}

xta_status xta__question_cells(const xta_cube *cube, const xta_cube_question *question, int k,
                               int64_t **cells, size_t *n, xta_error *err)
{
    const xta_selection *s = question->selection;
    const xta_box *box = s != NULL               ? &s->box
                         : question->box != NULL ? question->box
                                                 : &cube->bounds;
    int64_t step = s != NULL ? s->step[k] : 1;
    bool listed = s != NULL && s->list[k] != NULL;

    *cells = NULL;
    *n = 0;
    if (box->ndim != cube->ndim) {
        return xta__fail(err, XTA_EARG, 0, "a box of %d axes; the base has %d", box->ndim,
                         cube->ndim);
    }
    if (box->lo[k] < cube->bounds.lo[k] || box->hi[k] > cube->bounds.hi[k]) {
        return xta__fail(
            err, XTA_EBOX, 0,
            "axis %s: cells %" PRId64 ":%" PRId64 " leave the bounds %" PRId64 ":%" PRId64,
            cube->axes[k].name, box->lo[k], box->hi[k], cube->bounds.lo[k], cube->bounds.hi[k]);
    }
    int64_t length = box->hi[k] > box->lo[k] ? box->hi[k] - box->lo[k] : 0;
    *n = listed ? (size_t)s->n_list[k] : (size_t)((length + step - 1) / step);
    *cells = xta__calloc(*n + 1, sizeof **cells);
    if (*cells == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for a question");
    }
    for (size_t j = 0; j < *n; j++) {
        (*cells)[j] = listed ? s->list[k][j] : box->lo[k] + (int64_t)j * step;
    }
    return XTA_OK;
}
