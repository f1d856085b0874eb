/* Attributes, axis names and units, the history of steps, and arrays as of an earlier step.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- attributes ---- */

static int find_note(const rig *r, int axis, const char *name)
{
    for (int i = 0; i < r->n_notes; i++) {
        if (r->notes[i].axis == axis && strcmp(r->notes[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static void random_note(rig *r, rig_note *note)
{
    memset(note, 0, sizeof(*note));
    note->axis = (int)test_random_in(&r->random, XTA_ON_ARRAY, r->model.bounds.ndim - 1);
    snprintf(note->name, sizeof(note->name), "n%d", (int)test_random_in(&r->random, 0, 3));
    note->type = (xta_type)test_random_in(&r->random, XTA_BOOL, XTA_TEXT);
    note->cell_bytes = note->type == XTA_BYTES ? 5 : xta_type_bytes(note->type);
    note->count = (size_t)test_random_in(&r->random, note->type != XTA_TEXT, 12);
    for (size_t i = 0; i < note->count; i++) {
        uint16_t code = (uint16_t)test_random_in(&r->random, 0, 1);
        if (note->type == XTA_TEXT) {
            note->values[i] = (uint8_t)test_random_in(&r->random, 'a', 'z');
        } else {
            oracle_encode(note->type, note->cell_bytes, code, note->values + i * note->cell_bytes);
        }
    }
}

static void set_text_of_axis(rig *r)
{
    xta_error err;
    int axis = (int)test_random_in(&r->random, 0, r->model.bounds.ndim - 1);
    char text[16];

    snprintf(text, sizeof(text), "u%d", (int)test_random_in(&r->random, 0, 3));
    test_story_add(&r->story, "unit of axis %d: %s", axis, text);
    STORY_OK(&r->story, xta_axis_set_unit(r->array, axis, text, &err), err);
    snprintf(r->axis_unit[axis], sizeof(r->axis_unit[axis]), "%s", text);

    snprintf(text, sizeof(text), "a%d", (int)test_random_in(&r->random, 0, 7));
    bool taken = false;
    for (int other = 0; other < r->model.bounds.ndim; other++) {
        taken = taken || (other != axis && strcmp(r->axis_name[other], text) == 0);
    }
    test_story_add(&r->story, "name of axis %d: %s", axis, text);
    if (taken) {
        STORY_FAILS(&r->story, xta_axis_set_name(r->array, axis, text, &err), XTA_EEXIST, err);
    } else {
        int found = -1;
        STORY_OK(&r->story, xta_axis_set_name(r->array, axis, text, &err), err);
        snprintf(r->axis_name[axis], sizeof(r->axis_name[axis]), "%s", text);
        STORY_OK(&r->story, xta_axis_find(r->array, text, &found, &err), err);
        STORY_CHECK(&r->story, found == axis, "an axis is found at the wrong place");
    }
}

void rig_note_set(rig *r)
{
    xta_error err;
    rig_note note;

    if (test_random_chance(&r->random, 30)) {
        set_text_of_axis(r);
        return;
    }
    random_note(r, &note);
    int at = find_note(r, note.axis, note.name);
    if (at < 0 && r->n_notes == RIG_MAX_NOTES) {
        return;
    }
    test_story_add(&r->story, "attribute %s of axis %d: %zu of type %s", note.name, note.axis,
                   note.count, xta_type_name(note.type));
    xta_attribute attribute = {.name = note.name,
                               .type = note.type,
                               .cell_bytes = note.cell_bytes,
                               .count = note.count,
                               .values = note.values};
    STORY_OK(&r->story, xta_attribute_set(r->array, note.axis, &attribute, &err), err);
    r->notes[at < 0 ? r->n_notes++ : at] = note;
}

void rig_note_remove(rig *r)
{
    xta_error err;
    char name[16];
    int axis = (int)test_random_in(&r->random, XTA_ON_ARRAY, r->model.bounds.ndim - 1);

    snprintf(name, sizeof(name), "n%d", (int)test_random_in(&r->random, 0, 3));
    int at = find_note(r, axis, name);
    test_story_add(&r->story, "remove attribute %s of axis %d", name, axis);
    if (at < 0) {
        STORY_FAILS(&r->story, xta_attribute_remove(r->array, axis, name, &err), XTA_ENOENT, err);
        return;
    }
    STORY_OK(&r->story, xta_attribute_remove(r->array, axis, name, &err), err);
    r->n_notes--;
    memmove(&r->notes[at], &r->notes[at + 1], (size_t)(r->n_notes - at) * sizeof(r->notes[0]));
}

static void compare_note(rig *r, const rig_note *note, const xta_attribute *has)
{
    STORY_CHECK(&r->story, strcmp(has->name, note->name) == 0, "attribute %s instead of %s",
                has->name, note->name);
    STORY_CHECK(&r->story, has->type == note->type && has->count == note->count,
                "attribute %s of axis %d: type %s, count %zu", note->name, note->axis,
                xta_type_name(has->type), has->count);
    STORY_CHECK(&r->story, memcmp(has->values, note->values, note->count * note->cell_bytes) == 0,
                "attribute %s of axis %d: values", note->name, note->axis);
    if (note->type == XTA_TEXT) {
        STORY_CHECK(&r->story, ((const char *)has->values)[has->count] == '\0',
                    "attribute %s: text does not end", note->name);
    }
}

void rig_notes_compare(rig *r, xta_array *array)
{
    xta_error err;
    xta_attribute has;

    for (int axis = XTA_ON_ARRAY; axis < r->model.bounds.ndim; axis++) {
        size_t n = 0;
        for (int i = 0; i < r->n_notes; i++) {
            if (r->notes[i].axis == axis) {
                STORY_OK(&r->story, xta_attribute_at(array, axis, n++, &has, &err), err);
                compare_note(r, &r->notes[i], &has);
                STORY_OK(&r->story, xta_attribute_get(array, axis, r->notes[i].name, &has, &err),
                         err);
                compare_note(r, &r->notes[i], &has);
            }
        }
        STORY_CHECK(&r->story, xta_attribute_count(array, axis) == n,
                    "axis %d has %zu attributes instead of %zu", axis,
                    xta_attribute_count(array, axis), n);
        STORY_FAILS(&r->story, xta_attribute_at(array, axis, n, &has, &err), XTA_ENOENT, err);
        if (axis >= 0) {
            STORY_CHECK(&r->story, strcmp(xta_axis_name(array, axis), r->axis_name[axis]) == 0,
                        "axis %d is named '%s' instead of '%s'", axis, xta_axis_name(array, axis),
                        r->axis_name[axis]);
            STORY_CHECK(&r->story, strcmp(xta_axis_unit(array, axis), r->axis_unit[axis]) == 0,
                        "axis %d has unit '%s' instead of '%s'", axis, xta_axis_unit(array, axis),
                        r->axis_unit[axis]);
        }
    }
}

/* ---- steps ---- */

static void push_step(rig *r, int added_axis)
{
    rig_step *last = r->n_steps > 0 ? &r->steps[r->n_steps - 1] : NULL;
    STORY_CHECK(&r->story, r->n_steps < RIG_MAX_STEPS, "too many steps for this test");
    r->steps[r->n_steps].step = last != NULL ? last->step + 1 : 0;
    r->steps[r->n_steps].added_axis = added_axis;
    r->steps[r->n_steps].bounds = r->model.bounds;
    r->n_steps++;
}

void rig_step_unseen(rig *r)
{
    push_step(r, -1);
}

void rig_step_taken(rig *r, int added_axis, bool grew)
{
    xta_error err;
    xta_array_info info;

    STORY_OK(&r->story, xta_array_inquire(r->array, &info, &err), err);
    STORY_CHECK(&r->story, xta_box_equal(&info.bounds, &r->model.bounds), "not the bounds");
    if (r->path[0] == '\0') {
        return;
    }
    if (r->n_steps > 0 && !grew && info.n_steps == r->steps[r->n_steps - 1].step) {
        return; // Nothing changed, so there need not be a step.
    }
    push_step(r, added_axis);
    STORY_CHECK(&r->story, info.n_steps == r->steps[r->n_steps - 1].step,
                "the last step is %llu instead of %llu", (unsigned long long)info.n_steps,
                (unsigned long long)r->steps[r->n_steps - 1].step);
}

typedef struct history_walk {
    rig *r;
    int next;
} history_walk;

static int take_step(void *user, const xta_step *step)
{
    history_walk *walk = user;
    rig *r = walk->r;
    STORY_CHECK(&r->story, walk->next < r->n_steps, "the history has too many steps");
    const rig_step *expected = &r->steps[walk->next++];
    STORY_CHECK(&r->story, step->step == expected->step, "step %llu instead of %llu",
                (unsigned long long)step->step, (unsigned long long)expected->step);
    STORY_CHECK(&r->story, xta_box_equal(&step->bounds, &expected->bounds),
                "step %llu: not the bounds after it", (unsigned long long)step->step);
    if (expected->added_axis >= 0 && walk->next > 1) {
        STORY_CHECK(&r->story,
                    step->kind == XTA_STEP_ADD_AXIS && step->axis == expected->added_axis,
                    "step %llu added another axis", (unsigned long long)step->step);
    }
    return 0;
}

void rig_history(rig *r)
{
    xta_error err;
    history_walk walk = {r, 0};

    if (r->path[0] == '\0') {
        return;
    }
    STORY_OK(&r->story, xta_array_history(r->array, take_step, &walk, &err), err);
    STORY_CHECK(&r->story, walk.next == r->n_steps, "the history has %d steps instead of %d",
                walk.next, r->n_steps);
}

/* The current coordinate of a cell of an earlier step: axes added since then have coordinate 0. */
static void coordinate_now(const rig *r, int at, const int64_t coord[], int64_t now[])
{
    int ndim = r->steps[at].bounds.ndim;
    memcpy(now, coord, (size_t)ndim * sizeof(int64_t));
    for (int i = at + 1; i < r->n_steps; i++) {
        int position = r->steps[i].added_axis;
        if (position >= 0) {
            memmove(now + position + 1, now + position,
                    (size_t)(ndim - position) * sizeof(int64_t));
            now[position] = 0;
            ndim++;
        }
    }
}

static void compare_as_of(rig *r, int at, xta_array *array)
{
    xta_error err;
    const xta_box *bounds = &r->steps[at].bounds;
    int64_t coord[XTA_MAX_NDIM];
    int64_t now[XTA_MAX_NDIM];
    uint8_t expected[64];
    uint64_t n = 0;

    xta_box has = xta_array_bounds(array);
    STORY_CHECK(&r->story, xta_box_equal(&has, bounds), "as of step %llu: not the bounds",
                (unsigned long long)r->steps[at].step);
    if (xta_box_cells(bounds, &n) != XTA_OK || n == 0) {
        return;
    }
    uint8_t *cells = malloc((size_t)n * r->cell_bytes);
    uint8_t *cell = cells;
    STORY_OK(&r->story, xta_array_read(array, bounds, NULL, cells, &err), err);
    memcpy(coord, bounds->lo, sizeof(coord));
    do {
        coordinate_now(r, at, coord, now);
        const uint16_t *code = oracle_cells_at(&r->model, now);
        oracle_encode(r->type, r->cell_bytes, code != NULL ? *code : r->model.fill, expected);
        STORY_CHECK(&r->story, memcmp(cell, expected, r->cell_bytes) == 0,
                    "as of step %llu: a cell is wrong", (unsigned long long)r->steps[at].step);
        cell += r->cell_bytes;
    } while (oracle_next(bounds, NULL, coord));
    free(cells);
}

void rig_as_of(rig *r)
{
    xta_error err;
    xta_array *array = NULL;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    int at = (int)test_random_in(&r->random, 0, r->n_steps - 1);

    if (r->path[0] == '\0') {
        return;
    }
    rig_publish(r);
    rig_history(r);
    options.at_step = true;
    options.step = r->steps[at].step;
    options.access = (xta_access)test_random_in(&r->random, XTA_ACCESS_AUTO, XTA_ACCESS_CACHED);
    test_story_add(&r->story, "open as of step %llu", (unsigned long long)options.step);
    STORY_OK(&r->story, xta_array_open(r->path, &options, &array, &err), err);
    compare_as_of(r, at, array);
    xta_growth growth = {0, XTA_BACK, 1};
    STORY_FAILS(&r->story, xta_array_extend(array, &growth, 1, NULL, &err), XTA_EACCESS, err);
    STORY_OK(&r->story, xta_array_close(array, &err), err);
    options.step = r->steps[r->n_steps - 1].step + 1;
    array = (xta_array *)&options;
    STORY_FAILS(&r->story, xta_array_open(r->path, &options, &array, &err), XTA_ENOENT, err);
    STORY_CHECK(&r->story, array == NULL, "a failed open leaves a handle");
}
