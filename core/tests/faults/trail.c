/* The possible states of an array after a kill or a loss of power.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "trail.h"

#include <string.h>

void life_begin(life *l)
{
    static const int64_t chunk[] = {4, 3, 2};
    static const int64_t bounds[] = {5, 4, 3};
    uint8_t fill = TRAIL_FILL;
    xta_array *array = NULL;
    xta_error err;
    int ndim = (int)test_random_in(&l->random, 2, 3);
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    options.chunk = chunk;
    options.fill = &fill;
    STORY_OK(&l->story, xta_array_create(l->path, XTA_U8, ndim, bounds, &options, &array, &err),
             err);
    STORY_OK(&l->story, xta_array_close(array, &err), err);
    oracle_cells_init(&l->model, ndim, bounds, TRAIL_FILL);
    l->note = -1;
}

void trail_clear(trail *t)
{
    for (int i = 0; i < t->n; i++) {
        oracle_cells_clear(&t->states[i]);
    }
    t->n = 0;
}

static const char *kind_name(script_kind kind)
{
    static const char *const names[] = {"extend", "append", "shrink", "write", "sync", "attribute"};
    return names[kind];
}

void trail_retrace(life *l, test_random script, uint32_t told, trail *t)
{
    t->n = 1;
    t->told = 0;
    t->states[0] = script_copy(&l->model);
    t->notes[0] = l->note;
    for (uint32_t k = 0; k <= told && k < TRAIL_MAX_STEPS; k++) {
        const oracle_cells *last = &t->states[t->n - 1];
        script_step step = script_next(&script, last);
        oracle_cells next = script_copy(last);
        script_model(&step, &next);
        test_story_add(&l->story, "%s axis %d side %d by %lld%s", kind_name(step.kind),
                       step.growth.axis, (int)step.growth.side, (long long)step.growth.by,
                       k == told ? "   (perhaps under way)" : "");
        double note = step.kind == SCRIPT_NOTE ? step.note : t->notes[t->n - 1];
        if (step.kind == SCRIPT_SYNC && k < told) { // Earlier states no longer matter.
            trail_clear(t);
        } else {
            t->steps[t->n - 1] = step;
        }
        t->states[t->n] = next;
        t->notes[t->n] = note;
        t->n++;
        t->told = k < told ? t->n - 1 : t->told;
    }
}

/* ---- comparing ---- */

/* The first state whose value a cell may still have. After a kill that is the state that added the
 * cell: with the cells of its slab for an append, with fill for an extend, even if the cell had
 * existed before. After a loss of power any state since the last sync is allowed. */
static int first_possible(const trail *t, int at, const int64_t coord[], bool power)
{
    for (int i = at; i > 0 && !power; i--) {
        if (oracle_cells_at(&t->states[i - 1], coord) == NULL) {
            return i;
        }
    }
    return 0;
}

/* Whether a cell may hold `code`, if the structure is that of state `at` and writes up to the last
 * state may have been started. */
static bool possible(const trail *t, int at, const int64_t coord[], uint16_t code, bool power)
{
    for (int i = first_possible(t, at, coord, power); i < t->n; i++) {
        const uint16_t *cell = oracle_cells_at(&t->states[i], coord);
        if ((cell != NULL ? *cell : t->states[i].fill) == code) {
            return true;
        }
    }
    return false;
}

/* Whether all cells found may be those of state `at`; if not, the reason is added to the report. */
static bool cells_possible(life *l, const oracle_cells *found, const trail *t, int at, bool power)
{
    int64_t coord[XTA_MAX_NDIM];

    if (oracle_cells_count(found) == 0) {
        return true;
    }
    memcpy(coord, found->bounds.lo, sizeof(coord));
    do {
        uint16_t code = *oracle_cells_at(found, coord);
        if (!possible(t, at, coord, code, power)) {
            const uint16_t *before = oracle_cells_at(&t->states[0], coord);
            const uint16_t *now = oracle_cells_at(&t->states[at], coord);
            test_story_add(
                &l->story,
                "state %d of %d: cell %lld,%lld,%lld holds %u; it was %d at the sync and "
                "should be %u now",
                at, t->n, (long long)coord[0], (long long)coord[1],
                found->bounds.ndim > 2 ? (long long)coord[2] : 0, (unsigned)code,
                before != NULL ? *before : -1, (unsigned)*now);
            return false;
        }
    } while (oracle_next(&found->bounds, NULL, coord));
    return true;
}

static void story_bounds(life *l, const char *what, const xta_box *box)
{
    test_story_add(&l->story, "%s: %lld:%lld %lld:%lld %lld:%lld", what, (long long)box->lo[0],
                   (long long)box->hi[0], (long long)box->lo[1], (long long)box->hi[1],
                   box->ndim > 2 ? (long long)box->lo[2] : 0,
                   box->ndim > 2 ? (long long)box->hi[2] : 0);
}

/* The state that was found, or -1. */
static int find_state(life *l, const oracle_cells *found, const trail *t, bool power)
{
    story_bounds(l, "found", &found->bounds);
    for (int i = power ? 0 : t->told; i < t->n; i++) {
        story_bounds(l, "possible", &t->states[i].bounds);
        if (xta_box_equal(&found->bounds, &t->states[i].bounds) &&
            cells_possible(l, found, t, i, power)) {
            return i;
        }
    }
    return -1;
}

static void judge_note(life *l, xta_array *array, const trail *t, int at_least)
{
    xta_attribute attribute;
    xta_error err;
    double note = -1;
    bool good = false;

    if (xta_attribute_get(array, XTA_ON_ARRAY, "note", &attribute, &err) == XTA_OK) {
        memcpy(&note, attribute.values, sizeof(note));
    }
    for (int i = at_least; i < t->n; i++) {
        good = good || t->notes[i] == note;
    }
    STORY_CHECK(&l->story, good, "the attribute is %.0f", note);
    l->note = note;
}

void life_finding(void *user, const xta_finding *finding)
{
    life *l = user;
    test_story_add(&l->story, "check: %s%s", finding->fatal ? "fatal: " : "", finding->text);
}

void trail_judge(life *l, const trail *t, bool power)
{
    xta_array *array = NULL;
    xta_error err;
    oracle_cells found;

    STORY_OK(&l->story, xta_check(l->path, life_finding, l, &err), err);
    STORY_OK(&l->story, xta_array_open(l->path, NULL, &array, &err), err);
    STORY_OK(&l->story, script_adopt(array, TRAIL_FILL, &found, &err), err);
    STORY_CHECK(&l->story, find_state(l, &found, t, power) >= 0,
                "the array is none that it may be (%d states, %d told)", t->n, t->told + 1);
    judge_note(l, array, t, power ? 0 : t->told);
    STORY_OK(&l->story, xta_array_close(array, &err), err);
    oracle_cells_clear(&l->model);
    l->model = found;
}
