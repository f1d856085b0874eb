/* Random old arrays in a folder: the labels of every axis are the same before and after their
 * coordinates move to the data set, after a call that fails, and after a kill at each call.
 *
 * The oracle is the table of dimensions from which the arrays are made.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <xta/xta.h>

#include "open_set.h"
#include "support/ending_os.h"
#include "support/faulty_os.h"
#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

enum { N_CASES = 100, N_BROKEN = 2, N_DIMENSIONS = 4, MOST_MEMBERS = 4, MOST_CELLS = 9 };

typedef enum truth_kind { NONE, REGULAR, LIST, NAMES } truth_kind;

/* What the coordinates of a dimension are; value[1 + k] is that of cell lo + k. */
typedef struct truth {
    truth_kind kind;
    xta_type type;
    int64_t lo, hi;
    xta_regular regular;
    double value[MOST_CELLS + 2];
    const char *unit, *calendar;
} truth;

typedef struct member {
    char name[8];
    int ndim;
    int dimension[N_DIMENSIONS];
    bool holds[N_DIMENSIONS];
} member;

typedef struct rig {
    test_story story;
    test_random random;
    test_folder folder;
    char path[TEST_PATH_BYTES];
    xta_error err;
    truth truths[N_DIMENSIONS];
    member members[MOST_MEMBERS];
    int n_members;
    int spoilt_member, spoilt_axis; /* the axis that disagrees with the others; -1: none */
    int spoilt_what;                /* 0: a value, 1: the unit, 2: the calendar */
} rig;

static const char *const dimension_names[N_DIMENSIONS] = {"t", "x", "y", "z"};

/* ---- old arrays ---- */

static void choose_regular(rig *r, truth *t)
{
    static const xta_type types[] = {XTA_F64, XTA_F32, XTA_I32, XTA_I64};
    bool whole = false;

    t->type = types[test_random_in(&r->random, 0, 3)];
    whole = t->type == XTA_I32 || t->type == XTA_I64;
    t->regular.type = t->type;
    if (whole) {
        t->regular.origin.i = test_random_in(&r->random, -1000, 1000);
        t->regular.step.i =
            test_random_in(&r->random, 1, 50) * (test_random_chance(&r->random, 50) ? 1 : -1);
    } else {
        t->regular.origin.f = (float)test_random_in(&r->random, -1000, 1000) / 8; // exact
        t->regular.step.f = (float)test_random_in(&r->random, 1, 50) / 8;
    }
    for (int k = 0; k < MOST_CELLS + 2; k++) {
        xta_coordinate c = xta_regular_at(&t->regular, t->lo - 1 + k);
        t->value[k] = whole ? (double)c.i : c.f;
    }
}

static void choose_truth(rig *r, truth *t)
{
    static const xta_type types[] = {XTA_F64, XTA_F32, XTA_I16, XTA_U8, XTA_U64};
    static const char *const units[] = {"", "m", "days since 2000-01-01"};

    *t = (truth){.kind = (truth_kind)test_random_in(&r->random, 0, 3)};
    t->lo = test_random_in(&r->random, -3, 0);
    t->hi = test_random_in(&r->random, 1, 5);
    t->unit = units[test_random_in(&r->random, 0, 2)];
    t->calendar = t->unit[0] == 'd' && test_random_chance(&r->random, 50) ? "noleap" : "";
    if (t->kind == REGULAR) {
        choose_regular(r, t);
        return;
    }
    t->type = t->kind == NAMES ? XTA_TEXT : types[test_random_in(&r->random, 0, 4)];
    for (int k = 0; k < MOST_CELLS + 2; k++) {
        t->value[k] = (double)(3 * k * k + test_random_in(&r->random, 0, 2)) *
                      (t->type == XTA_F32 || t->type == XTA_F64 ? 0.5 : 1);
    }
}

static void set_text(rig *r, xta_array *array, int axis, const char *name, const char *text)
{
    STORY_OK(&r->story, xta_attribute_set_text(array, axis, name, text, &r->err), r->err);
}

/* The list of the cells, or of one more on each side with a box that says so. */
static void set_list(rig *r, xta_array *array, int axis, const truth *t, int spoilt_cell)
{
    bool wider = test_random_chance(&r->random, 40);
    int64_t n = t->hi - t->lo, first = wider ? 0 : 1, count = wider ? n + 2 : n;
    const int64_t box[2] = {t->lo - 1, t->hi + 1};
    bool other_type = t->kind == LIST && t->type != XTA_U64 && test_random_chance(&r->random, 20);
    double value[MOST_CELLS + 2];
    char text[512] = "", cells[8 * (MOST_CELLS + 2)];
    xta_attribute list = {.name = "values", .type = other_type ? XTA_F64 : t->type};
    const xta_attribute covers = {
        .name = "values//box", .type = XTA_I64, .count = 2, .values = box};

    memcpy(value, t->value, sizeof value);
    value[spoilt_cell + 1] += spoilt_cell >= 0;
    if (t->kind == NAMES) {
        for (int64_t k = first; k < first + count; k++) {
            snprintf(text + strlen(text), 40, "name %g\n", value[k]);
        }
        list.values = text;
        list.count = strlen(text);
    } else {
        list.values = cells;
        list.count = (size_t)count;
        STORY_OK(&r->story,
                 xta_type_convert(XTA_F64, value + first, list.type, cells, (size_t)count, NULL),
                 r->err);
    }
    STORY_OK(&r->story, xta_attribute_set(array, axis, &list, &r->err), r->err);
    if (wider) {
        STORY_OK(&r->story, xta_attribute_set(array, axis, &covers, &r->err), r->err);
    }
}

static void set_coordinates(rig *r, xta_array *array, int m, int axis)
{
    const truth *t = &r->truths[r->members[m].dimension[axis]];
    bool spoilt = m == r->spoilt_member && axis == r->spoilt_axis;
    int what = spoilt ? r->spoilt_what : -1;
    const char *unit = what == 1 ? "furlong" : t->unit;
    const char *calendar = what == 2 ? "julian" : t->calendar;

    if (t->kind == REGULAR && what != 0 && test_random_chance(&r->random, 50)) {
        STORY_OK(&r->story, xta_axis_set_regular(array, axis, &t->regular, &r->err), r->err);
    } else {
        set_list(r, array, axis, t,
                 what == 0 ? (int)test_random_in(&r->random, 0, t->hi - t->lo - 1) : -1);
    }
    if (unit[0] != '\0' && test_random_chance(&r->random, 50)) {
        STORY_OK(&r->story, xta_axis_set_unit(array, axis, unit, &r->err), r->err);
    } else if (unit[0] != '\0') {
        set_text(r, array, axis, "units", unit);
    }
    if (calendar[0] != '\0') {
        set_text(r, array, axis, "calendar", calendar);
    }
    set_text(r, array, axis, "long_name", dimension_names[r->members[m].dimension[axis]]);
}

static void make_array(rig *r, int m)
{
    const member *is = &r->members[m];
    const char *names[N_DIMENSIONS];
    int64_t first[N_DIMENSIONS];
    xta_growth growths[N_DIMENSIONS];
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    char path[TEST_PATH_BYTES + 16];

    for (int axis = 0; axis < is->ndim; axis++) {
        const truth *t = &r->truths[is->dimension[axis]];
        names[axis] = dimension_names[is->dimension[axis]];
        first[axis] = t->hi;
        growths[axis] = (xta_growth){axis, XTA_FRONT, -t->lo};
    }
    options.names = names;
    snprintf(path, sizeof path, "%s/%s", r->path, is->name);
    STORY_OK(&r->story, xta_array_create(path, XTA_U8, is->ndim, first, &options, &array, &r->err),
             r->err);
    STORY_OK(&r->story, xta_array_extend(array, growths, is->ndim, NULL, &r->err), r->err);
    for (int axis = 0; axis < is->ndim; axis++) {
        if (is->holds[axis]) {
            set_coordinates(r, array, m, axis);
        }
    }
    STORY_OK(&r->story, xta_array_close(array, &r->err), r->err);
}

/* Axes with coordinates of a dimension, in the order of the names; the last one in *last. */
static int count_axes_with(const rig *r, int d, int *last_member, int *last_axis)
{
    int n = 0;

    for (int m = 0; m < r->n_members; m++) {
        for (int axis = 0; axis < r->members[m].ndim; axis++) {
            if (r->members[m].dimension[axis] == d && r->members[m].holds[axis]) {
                *last_member = m;
                *last_axis = axis;
                n++;
            }
        }
    }
    return n;
}

static void choose_members(rig *r)
{
    r->n_members = (int)test_random_in(&r->random, 1, MOST_MEMBERS);
    for (int m = 0; m < r->n_members; m++) {
        member *is = &r->members[m];
        int shift = (int)test_random_in(&r->random, 0, N_DIMENSIONS - 1);
        snprintf(is->name, sizeof is->name, "m%d", m);
        is->ndim = (int)test_random_in(&r->random, 1, 3);
        for (int axis = 0; axis < is->ndim; axis++) {
            is->dimension[axis] = (axis + shift) % N_DIMENSIONS;
            is->holds[axis] =
                r->truths[is->dimension[axis]].kind != NONE && test_random_chance(&r->random, 70);
        }
    }
}

/* The same arrays for the same generator. */
static void make_folder(rig *r, bool may_disagree)
{
    test_folder folder;

    memcpy(folder.path, r->path, sizeof folder.path);
    if (access(r->path, F_OK) == 0) {
        test_folder_remove(&folder);
    }
    STORY_CHECK(&r->story, mkdir(r->path, 0777) == 0, "no folder");
    for (int d = 0; d < N_DIMENSIONS; d++) {
        choose_truth(r, &r->truths[d]);
    }
    choose_members(r);
    r->spoilt_member = r->spoilt_axis = -1;
    r->spoilt_what = (int)test_random_in(&r->random, 0, 2);
    int d = (int)test_random_in(&r->random, 0, N_DIMENSIONS - 1), m = -1, axis = -1;
    if (may_disagree && count_axes_with(r, d, &m, &axis) > 1) {
        r->spoilt_member = m;
        r->spoilt_axis = axis;
    }
    for (m = 0; m < r->n_members; m++) {
        make_array(r, m);
    }
}

/* ---- checks ---- */

static xta_array *open_array(rig *r, const char *name)
{
    char path[TEST_PATH_BYTES + 64];
    xta_array *array = NULL;

    snprintf(path, sizeof path, "%s/%s", r->path, name);
    STORY_OK(&r->story, xta_array_open(path, NULL, &array, &r->err), r->err);
    return array;
}

static void check_labels(rig *r, const xta_coordinates *c, const truth *t, const char *where)
{
    char name[40];

    STORY_CHECK(&r->story, strcmp(xta_coordinates_unit(c), t->unit) == 0, "%s: its unit is %s",
                where, xta_coordinates_unit(c));
    STORY_CHECK(&r->story, strcmp(xta_coordinates_calendar(c), t->calendar) == 0,
                "%s: its calendar is %s", where, xta_coordinates_calendar(c));
    STORY_CHECK(&r->story, xta_coordinates_lo(c) <= t->lo && xta_coordinates_hi(c) >= t->hi,
                "%s: other cells", where);
    for (int64_t k = t->lo; k < t->hi; k++) {
        double want = t->value[k - t->lo + 1];
        snprintf(name, sizeof name, "name %g", want);
        STORY_CHECK(&r->story,
                    t->kind == NAMES ? strcmp(xta_coordinates_name(c, k), name) == 0
                                     : xta_coordinates_at(c, k) == want,
                    "%s: cell %d is %.17g instead of %.17g", where, (int)k,
                    xta_coordinates_at(c, k), want);
    }
}

/* Every axis that had labels has the same; all axes of its name have them, once they have moved. */
static void check_folder(rig *r, bool moved)
{
    xta_coordinates *c = NULL;
    char where[32];
    int m2 = 0, axis2 = 0;

    for (int m = 0; m < r->n_members; m++) {
        xta_array *array = open_array(r, r->members[m].name);
        for (int axis = 0; axis < r->members[m].ndim; axis++) {
            int d = r->members[m].dimension[axis];
            bool gains = moved && count_axes_with(r, d, &m2, &axis2) > 0;
            snprintf(where, sizeof where, "%s of %s", dimension_names[d], r->members[m].name);
            xta_status status = xta_coordinates_read(array, axis, &c, &r->err);
            STORY_CHECK(&r->story, status == XTA_OK || status == XTA_ENOENT, "%s: %s", where,
                        r->err.text);
            STORY_CHECK(&r->story, status == XTA_OK || !(r->members[m].holds[axis] || gains),
                        "%s has lost its labels", where);
            if (status == XTA_OK && (m != r->spoilt_member || axis != r->spoilt_axis)) {
                check_labels(r, c, &r->truths[d], where);
            }
            xta_coordinates_free(c);
        }
        STORY_OK(&r->story, xta_array_close(array, &r->err), r->err);
    }
}

static bool has(xta_array *array, int axis, const char *name)
{
    xta_attribute found;

    return xta_attribute_get(array, axis, name, &found, NULL) == XTA_OK;
}

/* No axis holds coordinates any more, and the dimensions have the right kind. */
static void check_moved(rig *r)
{
    xta_dataset *set = test_open_set(&r->story, r->path);
    xta_dimension d;
    int m2 = 0, axis2 = 0;

    for (int m = 0; m < r->n_members; m++) {
        xta_array *array = open_array(r, r->members[m].name);
        for (int axis = 0; axis < r->members[m].ndim; axis++) {
            STORY_CHECK(&r->story,
                        !has(array, axis, "values") && !has(array, axis, "values//regular") &&
                            !has(array, axis, "values//box"),
                        "axis %d of %s still holds coordinates", axis, r->members[m].name);
        }
        STORY_OK(&r->story, xta_array_close(array, &r->err), r->err);
    }
    for (int k = 0; k < N_DIMENSIONS; k++) {
        const truth *t = &r->truths[k];
        if (count_axes_with(r, k, &m2, &axis2) == 0) {
            continue;
        }
        STORY_OK(&r->story, xta_dataset_dimension(set, dimension_names[k], &d, &r->err), r->err);
        STORY_CHECK(&r->story, d.coordinates != 0, "%s has no coordinates", d.name);
        STORY_CHECK(
            &r->story,
            t->kind != REGULAR || t->hi - t->lo < 2 || d.coordinates == XTA_COORDINATES_REGULAR,
            "%s is listed: %s, %.17g + cell * %.17g, cells %d to %d", d.name,
            xta_type_name(t->type), t->regular.origin.f, t->regular.step.f, (int)t->lo, (int)t->hi);
        STORY_CHECK(&r->story, t->kind != NAMES || d.coordinates == XTA_COORDINATES_LISTED,
                    "%s is regular", d.name);
    }
    STORY_CHECK(&r->story, xta_dataset_missing_name(set, 0) == NULL, "%s is missing",
                xta_dataset_missing_name(set, 0));
    STORY_OK(&r->story, xta_dataset_close(set, &r->err), r->err);
}

/* ---- cases ---- */

/* One of the changes that move coordinates. */
static void change(rig *r, xta_dataset *set)
{
    const char *name = dimension_names[r->members[0].dimension[0]];
    const xta_dimension_growth growth = {name, XTA_BACK, 1};
    xta_status status = XTA_OK;

    switch (test_random_in(&r->random, 0, 3)) {
    case 0:
        STORY_OK(&r->story, xta_dataset_upgrade(set, NULL, &r->err), r->err);
        return;
    case 1: // refused if it is listed
        status = xta_dataset_set_text(set, name, "long_name", "what", &r->err);
        STORY_CHECK(&r->story, status == XTA_OK || status == XTA_EARG, "%s", r->err.text);
        return;
    case 2:
        STORY_OK(&r->story,
                 xta_dataset_add_member(set, "new", XTA_U8, 1, &name, NULL, NULL, &r->err), r->err);
        return;
    default:
        status = xta_dataset_extend(set, &growth, 1, &r->err);
        STORY_CHECK(&r->story, status == XTA_OK || status == XTA_ESTATE, "%s", r->err.text);
    }
}

static void check_refused(rig *r)
{
    const member *is = &r->members[r->spoilt_member];
    const char *d = dimension_names[is->dimension[r->spoilt_axis]];
    size_t n = 1;
    xta_dataset *set = test_open_set(&r->story, r->path);
    xta_status status = xta_dataset_upgrade(set, &n, &r->err);

    STORY_CHECK(&r->story, status == XTA_ESTATE && n == 0, "members disagree: %d", (int)status);
    STORY_CHECK(&r->story,
                strstr(r->err.text, is->name) != NULL && strstr(r->err.text, " in m") != NULL &&
                    strstr(r->err.text, d) != NULL && strstr(r->err.text, "xta attr") != NULL,
                "the text is: %s", r->err.text);
    STORY_OK(&r->story, xta_dataset_close(set, &r->err), r->err);
    for (int m = 0; m < r->n_members; m++) {
        xta_array *array = open_array(r, r->members[m].name);
        for (int axis = 0; axis < r->members[m].ndim; axis++) {
            bool holds = has(array, axis, "values") || has(array, axis, "values//regular");
            STORY_CHECK(&r->story, holds == r->members[m].holds[axis], "axis %d of %s changed",
                        axis, r->members[m].name);
        }
        STORY_OK(&r->story, xta_array_close(array, &r->err), r->err);
    }
    check_folder(r, false);
}

static void once(rig *r)
{
    make_folder(r, test_random_chance(&r->random, 20));
    check_folder(r, false);
    if (r->spoilt_member >= 0) {
        check_refused(r);
        return;
    }
    xta_dataset *set = test_open_set(&r->story, r->path);
    change(r, set);
    STORY_OK(&r->story, xta_dataset_close(set, &r->err), r->err);
    check_folder(r, true);
    check_moved(r);
}

/* ---- failures and kills ---- */

static xta_status upgrade(void *user, xta_error *err)
{
    rig *r = user;

    return xta_dataset_upgrade(test_open_set(&r->story, r->path), NULL, err);
}

/* Whether a child was killed at call number `n` of the migration. */
static bool kill_at(rig *r, uint64_t n)
{
    return ending_os_run(&r->story, upgrade, r, n, false);
}

static bool fail_at(rig *r, uint64_t n)
{
    xta_dataset *set = test_open_set(&r->story, r->path);

    faulty_os_start();
    faulty_os_fail_at(n, EIO, true);
    xta_status status = xta_dataset_upgrade(set, NULL, &r->err);
    bool happened = faulty_os_happened();
    faulty_os_stop();
    STORY_CHECK(&r->story, happened || status == XTA_OK, "%s", r->err.text);
    (void)!xta_dataset_close(set, NULL);
    return happened;
}

/* Power is lost at call `n`: what was not synced is lost in any order. */
static bool cut_at(rig *r, uint64_t n)
{
    faulty_os_start();
    faulty_os_cut_at(n);
    xta_dataset_options options = XTA_DATASET_OPTIONS_INIT;
    xta_dataset *set = NULL;
    options.writable = true;
    if (xta_dataset_open(r->path, &options, &set, &r->err) == XTA_OK) {
        (void)!xta_dataset_upgrade(set, NULL, &r->err);
        (void)!xta_dataset_close(set, NULL);
    }
    bool happened = faulty_os_happened();
    if (happened) {
        faulty_os_restart(&r->random);
    }
    faulty_os_stop();
    return happened;
}

/* At each `every`-th call. */
static uint64_t break_all(rig *r, uint64_t seed, uint64_t part, uint64_t every,
                          bool (*break_at)(rig *, uint64_t))
{
    bool broken = true;
    uint64_t n = part % every;

    while (broken) {
        n += every * test_stride();
        r->random = test_random_make(seed, part);
        test_story_begin(&r->story, "test_dataset_migration", seed, part);
        test_story_add(&r->story, "broken at call %d", (int)n);
        make_folder(r, false);
        broken = break_at(r, n);
        check_folder(r, false);
        xta_dataset *set = test_open_set(&r->story, r->path);
        STORY_OK(&r->story, xta_dataset_upgrade(set, NULL, &r->err), r->err);
        STORY_OK(&r->story, xta_dataset_close(set, &r->err), r->err);
        check_folder(r, true);
        check_moved(r);
    }
    return n;
}

static void break_cases(rig *r, uint64_t seed)
{
    uint64_t killed = 0, failed = 0, cut = 0;

    for (uint64_t k = 0; k < N_BROKEN; k++) {
        killed += break_all(r, seed, 1000 + k, 1, kill_at);
        failed += break_all(r, seed, 1000 + k, 5, fail_at);
        cut += break_all(r, seed, 1000 + k, 2, cut_at);
    }
    printf("killed, failed and cut off up to call %d, %d, %d in all\n", (int)killed, (int)failed,
           (int)cut);
}

int main(void)
{
    static rig r;
    uint64_t seed = test_seed("test_dataset_migration", 20261125);

    test_folder_make_fast(&r.folder);
    test_folder_join(&r.folder, "set", r.path);
    for (uint64_t k = 0; k < test_scale(N_CASES); k++) {
        r.random = test_random_make(seed, k);
        test_story_begin(&r.story, "test_dataset_migration", seed, k);
        once(&r);
    }
    break_cases(&r, seed);
    test_folder_remove(&r.folder);
    return 0;
}
