/* Random data sets against a model in memory: members, dimensions, coordinates, attributes, groups
 * of growths, seen through the handle that changes them, through a second one that refreshes, and
 * after opening again. Some arrays are made and deleted without the data set, as files are.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/xta.h>

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

enum { N_DIMENSIONS = 4, MOST_MEMBERS = 6, N_ATTRIBUTES = 5, N_STEPS = 60, N_SETS = 60 };

static const char *const dimension_names[N_DIMENSIONS] = {"time", "lat", "lon", "level"};
static const char *const member_names[MOST_MEMBERS] = {"tas", "pr", "u", "v", "time", "lat"};
static const char *const attribute_names[N_ATTRIBUTES] = {"title", "units", "history", "n", "x"};

typedef struct model_dimension {
    bool set; /* the journal has it */
    int64_t lo, hi;
    bool unlimited, regular;
    xta_regular coordinates;
    char attributes[N_ATTRIBUTES][32]; /* "": none */
} model_dimension;

typedef struct model_member {
    bool there;
    int ndim;
    int dimension[N_DIMENSIONS];
    int64_t written[N_DIMENSIONS]; /* a cell that was written, and its value */
    int32_t value;
    bool has_value;
} model_member;

typedef struct model {
    test_story story;
    test_random random;
    char path[TEST_PATH_BYTES];
    xta_dataset *set, *reader;
    model_dimension dimension[N_DIMENSIONS];
    model_member member[MOST_MEMBERS];
    char attributes[N_ATTRIBUTES][32];
    xta_error err;
} model;

static int64_t random_in(model *m, int64_t lo, int64_t hi)
{
    return test_random_in(&m->random, lo, hi);
}

/* How many members have a dimension. */
static size_t users(const model *m, int d)
{
    size_t n = 0;

    for (int k = 0; k < MOST_MEMBERS; k++) {
        for (int axis = 0; axis < m->member[k].ndim && m->member[k].there; axis++) {
            n += m->member[k].dimension[axis] == d;
        }
    }
    return n;
}

/* The member that lists the coordinates of a dimension, or NULL. */
static const model_member *lister(const model *m, int d)
{
    for (int k = 0; k < MOST_MEMBERS; k++) {
        const model_member *member = &m->member[k];
        if (member->there && strcmp(member_names[k], dimension_names[d]) == 0 &&
            member->ndim == 1 && member->dimension[0] == d) {
            return member;
        }
    }
    return NULL;
}

static bool exists(const model *m, int d)
{
    return m->dimension[d].set || users(m, d) > 0;
}

/* ---- comparing ---- */

static void check_dimension(model *m, xta_dataset *set, int d)
{
    const model_dimension *want = &m->dimension[d];
    xta_dimension got;
    xta_status status = xta_dataset_dimension(set, dimension_names[d], &got, &m->err);

    if (!exists(m, d)) {
        STORY_CHECK(&m->story, status == XTA_ENOENT, "dimension %s exists", dimension_names[d]);
        return;
    }
    STORY_CHECK(&m->story, status == XTA_OK, "dimension %s: %s", dimension_names[d], m->err.text);
    STORY_CHECK(&m->story, got.lo == want->lo && got.hi == want->hi,
                "dimension %s is [%lld, %lld), not [%lld, %lld)", dimension_names[d],
                (long long)got.lo, (long long)got.hi, (long long)want->lo, (long long)want->hi);
    STORY_CHECK(&m->story, got.n_members == users(m, d), "dimension %s has %zu members",
                dimension_names[d], got.n_members);
    STORY_CHECK(&m->story, got.unlimited == (want->set && want->unlimited), "flag of %s",
                dimension_names[d]);
    xta_coordinates_kind kind = lister(m, d) != NULL         ? XTA_COORDINATES_LISTED
                                : want->set && want->regular ? XTA_COORDINATES_REGULAR
                                                             : 0;
    STORY_CHECK(&m->story, got.coordinates == kind, "dimension %s has coordinates of kind %d",
                dimension_names[d], (int)got.coordinates);
    if (kind == XTA_COORDINATES_REGULAR) {
        STORY_CHECK(&m->story,
                    got.regular.type == want->coordinates.type &&
                        memcmp(&got.regular.origin, &want->coordinates.origin, 8) == 0 &&
                        memcmp(&got.regular.step, &want->coordinates.step, 8) == 0,
                    "coordinates of %s", dimension_names[d]);
    }
}

static void check_attributes(model *m, xta_dataset *set, const char *dimension, char (*want)[32])
{
    size_t n = 0;

    for (int k = 0; k < N_ATTRIBUTES; k++) {
        xta_attribute got;
        xta_status status =
            xta_dataset_attribute(set, dimension, attribute_names[k], &got, &m->err);
        n += want[k][0] != '\0';
        STORY_CHECK(&m->story, status == (want[k][0] != '\0' ? XTA_OK : XTA_ENOENT),
                    "attribute %s of %s: %s", attribute_names[k],
                    dimension != NULL ? dimension : "the set", xta_status_name(status));
        STORY_CHECK(&m->story, status != XTA_OK || strcmp(got.values, want[k]) == 0,
                    "attribute %s is '%s'", attribute_names[k], (const char *)got.values);
    }
    STORY_CHECK(&m->story, xta_dataset_attribute_count(set, dimension) == n,
                "%zu attributes, not %zu", xta_dataset_attribute_count(set, dimension), n);
}

static void check_member(model *m, xta_dataset *set, int k)
{
    const model_member *want = &m->member[k];
    xta_array *array = NULL;
    xta_status status = xta_dataset_member(set, member_names[k], &array, &m->err);

    if (!want->there) {
        STORY_CHECK(&m->story, status == XTA_ENOENT, "member %s exists", member_names[k]);
        return;
    }
    STORY_CHECK(&m->story, status == XTA_OK, "member %s: %s", member_names[k], m->err.text);
    xta_box bounds = xta_array_bounds(array);
    STORY_CHECK(&m->story, bounds.ndim == want->ndim, "member %s has %d axes", member_names[k],
                bounds.ndim);
    bool inside = true;
    for (int axis = 0; axis < want->ndim; axis++) {
        const model_dimension *d = &m->dimension[want->dimension[axis]];
        STORY_CHECK(&m->story, bounds.lo[axis] == d->lo && bounds.hi[axis] == d->hi,
                    "member %s: axis %d differs from its dimension", member_names[k], axis);
        STORY_CHECK(&m->story,
                    strcmp(xta_axis_name(array, axis), dimension_names[want->dimension[axis]]) == 0,
                    "member %s: axis %d is called %s", member_names[k], axis,
                    xta_axis_name(array, axis));
        inside = inside && want->written[axis] >= d->lo && want->written[axis] < d->hi;
    }
    if (want->has_value && inside) {
        int32_t value = 0;
        STORY_OK(&m->story, xta_array_get(array, want->written, &value, &m->err), m->err);
        STORY_CHECK(&m->story, value == want->value, "member %s has lost a cell: %d, not %d",
                    member_names[k], value, want->value);
    }
}

static void check_set(model *m, xta_dataset *set)
{
    size_t n = 0, n_dimensions = 0, count = 0;

    for (int k = 0; k < MOST_MEMBERS; k++) {
        n += m->member[k].there;
        check_member(m, set, k);
    }
    STORY_CHECK(&m->story, xta_dataset_member_count(set) == n, "%zu members, not %zu",
                xta_dataset_member_count(set), n);
    for (int d = 0; d < N_DIMENSIONS; d++) {
        n_dimensions += exists(m, d);
        check_dimension(m, set, d);
        check_attributes(m, set, dimension_names[d], m->dimension[d].attributes);
    }
    STORY_OK(&m->story, xta_dataset_dimension_count(set, &count, &m->err), m->err);
    STORY_CHECK(&m->story, count == n_dimensions, "%zu dimensions, not %zu", count, n_dimensions);
    check_attributes(m, set, NULL, m->attributes);
}

/* ---- steps ---- */

static void step_set_dimension(model *m)
{
    int d = (int)random_in(m, 0, N_DIMENSIONS - 1);
    model_dimension *want = &m->dimension[d];
    xta_dimension set = {.name = dimension_names[d]};

    set.lo = random_in(m, -5, 5);
    set.hi = set.lo + random_in(m, 0, 6);
    set.unlimited = test_random_chance(&m->random, 50);
    set.coordinates = test_random_chance(&m->random, 60) ? XTA_COORDINATES_REGULAR : 0;
    set.regular = (xta_regular){XTA_F64, {.f = (double)random_in(m, -100, 100) / 4}, {.f = 0.25}};
    if (test_random_chance(&m->random, 30)) {
        set.regular = (xta_regular){XTA_I64, {.i = random_in(m, -100, 100)}, {.i = -24}};
    }
    bool taken = false;
    for (int k = 0; k < MOST_MEMBERS; k++) {
        taken = taken || (m->member[k].there && strcmp(member_names[k], set.name) == 0);
    }
    test_story_add(&m->story, "set dimension %s [%lld, %lld) kind %d", set.name, (long long)set.lo,
                   (long long)set.hi, (int)set.coordinates);
    if (taken && set.coordinates != 0) {
        STORY_FAILS(&m->story, xta_dataset_set_dimension(m->set, &set, &m->err), XTA_EEXIST,
                    m->err);
        return;
    }
    STORY_OK(&m->story, xta_dataset_set_dimension(m->set, &set, &m->err), m->err);
    if (users(m, d) == 0) {
        want->lo = set.lo;
        want->hi = set.hi;
    }
    want->set = true;
    want->unlimited = set.unlimited;
    want->regular = set.coordinates != 0;
    want->coordinates = set.regular;
}

static void step_remove_dimension(model *m)
{
    int d = (int)random_in(m, 0, N_DIMENSIONS - 1);
    xta_status want = !m->dimension[d].set ? XTA_ENOENT : users(m, d) > 0 ? XTA_ESTATE : XTA_OK;

    test_story_add(&m->story, "remove dimension %s", dimension_names[d]);
    xta_status status = xta_dataset_remove_dimension(m->set, dimension_names[d], &m->err);
    STORY_CHECK(&m->story, status == want, "%s: %s", xta_status_name(status), m->err.text);
    if (status == XTA_OK) {
        m->dimension[d] = (model_dimension){0};
    }
}

static void step_add_member(model *m)
{
    int k = (int)random_in(m, 0, MOST_MEMBERS - 1);
    model_member fresh = {.there = true, .ndim = (int)random_in(m, 1, 3)};
    const char *names[N_DIMENSIONS];
    int first = (int)random_in(m, 0, N_DIMENSIONS - 1);
    bool all = true, regular = false;
    const int32_t fill = -7;
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    options.fill = &fill;
    for (int axis = 0; axis < fresh.ndim; axis++) {
        fresh.dimension[axis] = (first + axis) % N_DIMENSIONS;
        names[axis] = dimension_names[fresh.dimension[axis]];
        all = all && exists(m, fresh.dimension[axis]);
    }
    for (int d = 0; d < N_DIMENSIONS; d++) {
        regular =
            regular || (strcmp(dimension_names[d], member_names[k]) == 0 && m->dimension[d].set &&
                        m->dimension[d].regular && lister(m, d) == NULL);
    }
    xta_status want = m->member[k].there || regular ? XTA_EEXIST : !all ? XTA_ENOENT : XTA_OK;
    test_story_add(&m->story, "add member %s with %d dimensions from %s", member_names[k],
                   fresh.ndim, names[0]);
    xta_array *array = NULL;
    xta_status status = xta_dataset_add_member(m->set, member_names[k], XTA_I32, fresh.ndim, names,
                                               &options, &array, &m->err);
    STORY_CHECK(&m->story, status == want, "%s instead of %s: %s", xta_status_name(status),
                xta_status_name(want), m->err.text);
    if (status == XTA_OK) {
        m->member[k] = fresh;
    }
}

/* Also an array of files that nobody added to the data set. */
static void step_remove_member(model *m)
{
    int k = (int)random_in(m, 0, MOST_MEMBERS - 1);
    model_member *member = &m->member[k];

    test_story_add(&m->story, "remove member %s", member_names[k]);
    // A handle keeps an array from being deleted.
    STORY_OK(&m->story, xta_dataset_close(m->reader, &m->err), m->err);
    xta_status status = xta_dataset_remove_member(m->set, member_names[k], &m->err);
    STORY_CHECK(&m->story, status == (member->there ? XTA_OK : XTA_ENOENT), "%s: %s",
                xta_status_name(status), m->err.text);
    STORY_OK(&m->story, xta_dataset_open(m->path, NULL, &m->reader, &m->err), m->err);
    for (int axis = 0; axis < member->ndim && member->there; axis++) {
        if (users(m, member->dimension[axis]) == 1) {
            m->dimension[member->dimension[axis]].set = true;
        }
    }
    *member = (model_member){0};
}

static void step_write(model *m)
{
    int k = (int)random_in(m, 0, MOST_MEMBERS - 1);
    model_member *member = &m->member[k];
    xta_array *array = NULL;
    int64_t cell[N_DIMENSIONS] = {0};

    for (int axis = 0; axis < member->ndim; axis++) {
        const model_dimension *d = &m->dimension[member->dimension[axis]];
        if (d->lo == d->hi) {
            return;
        }
        cell[axis] = random_in(m, d->lo, d->hi - 1);
    }
    if (!member->there) {
        return;
    }
    memcpy(member->written, cell, sizeof cell);
    member->value = (int32_t)random_in(m, -1000, 1000);
    member->has_value = true;
    test_story_add(&m->story, "write a cell of %s", member_names[k]);
    STORY_OK(&m->story, xta_dataset_member(m->set, member_names[k], &array, &m->err), m->err);
    STORY_OK(&m->story, xta_array_put(array, member->written, &member->value, &m->err), m->err);
}

static void step_extend(model *m)
{
    xta_dimension_growth growths[2];
    int n = (int)random_in(m, 1, 2), d[2];
    xta_status want = XTA_OK;

    for (int k = 0; k < n; k++) {
        d[k] = (int)random_in(m, 0, N_DIMENSIONS - 1);
        growths[k] = (xta_dimension_growth){
            dimension_names[d[k]], test_random_chance(&m->random, 40) ? XTA_FRONT : XTA_BACK,
            random_in(m, 0, 4)};
        bool twice = k == 1 && d[0] == d[1] && growths[0].side == growths[1].side;
        xta_status one = !exists(m, d[k])          ? XTA_ENOENT
                         : twice                   ? XTA_EARG
                         : lister(m, d[k]) != NULL ? XTA_ESTATE
                                                   : XTA_OK;
        want = want == XTA_OK ? one : want;
        test_story_add(&m->story, "extend %s on side %d by %lld", growths[k].dimension,
                       (int)growths[k].side, (long long)growths[k].by);
    }
    xta_status status = xta_dataset_extend(m->set, growths, n, &m->err);
    STORY_CHECK(&m->story, status == want, "%s instead of %s: %s", xta_status_name(status),
                xta_status_name(want), m->err.text);
    for (int k = 0; k < n && status == XTA_OK; k++) {
        m->dimension[d[k]].lo -= growths[k].side == XTA_FRONT ? growths[k].by : 0;
        m->dimension[d[k]].hi += growths[k].side == XTA_BACK ? growths[k].by : 0;
    }
}

static void step_attribute(model *m)
{
    int d = (int)random_in(m, -1, N_DIMENSIONS - 1), k = (int)random_in(m, 0, N_ATTRIBUTES - 1);
    const char *dimension = d >= 0 ? dimension_names[d] : NULL;
    char *slot = d >= 0 ? m->dimension[d].attributes[k] : m->attributes[k];
    char text[32];

    if (test_random_chance(&m->random, 30)) {
        test_story_add(&m->story, "remove attribute %s", attribute_names[k]);
        xta_status want = slot[0] != '\0' ? XTA_OK : XTA_ENOENT;
        xta_status status =
            xta_dataset_remove_attribute(m->set, dimension, attribute_names[k], &m->err);
        STORY_CHECK(&m->story, status == want, "%s", xta_status_name(status));
        slot[0] = '\0';
        return;
    }
    snprintf(text, sizeof text, "text %lld", (long long)random_in(m, 0, 99999));
    test_story_add(&m->story, "set attribute %s of %s", attribute_names[k],
                   dimension != NULL ? dimension : "the set");
    xta_status want = d >= 0 && !exists(m, d)          ? XTA_ENOENT
                      : d >= 0 && lister(m, d) != NULL ? XTA_EARG
                                                       : XTA_OK;
    xta_status status = xta_dataset_set_text(m->set, dimension, attribute_names[k], text, &m->err);
    STORY_CHECK(&m->story, status == want, "%s instead of %s", xta_status_name(status),
                xta_status_name(want));
    if (status == XTA_OK) {
        strcpy(slot, text);
    }
}

static void open_set(model *m)
{
    xta_dataset_options options = XTA_DATASET_OPTIONS_INIT;

    options.writable = true;
    STORY_OK(&m->story, xta_dataset_open(m->path, &options, &m->set, &m->err), m->err);
}

static void step_reopen(model *m)
{
    test_story_add(&m->story, "open again");
    STORY_OK(&m->story, xta_dataset_close(m->set, &m->err), m->err);
    open_set(m);
}

static void run(uint64_t seed, uint64_t part, const test_folder *folder)
{
    static void (*const steps[])(model *) = {
        step_set_dimension, step_set_dimension, step_remove_dimension,
        step_add_member,    step_add_member,    step_add_member,
        step_remove_member, step_write,         step_write,
        step_extend,        step_extend,        step_extend,
        step_attribute,     step_attribute,     step_reopen};
    model *m = calloc(1, sizeof *m);
    char name[32], command[2 * TEST_PATH_BYTES];

    m->random = test_random_make(seed, part);
    test_story_begin(&m->story, "test_dataset_model", seed, part);
    snprintf(name, sizeof name, "set%llu", (unsigned long long)part);
    test_folder_join(folder, name, m->path);
    STORY_OK(&m->story, xta_dataset_create(m->path, NULL, &m->set, &m->err), m->err);
    STORY_OK(&m->story, xta_dataset_open(m->path, NULL, &m->reader, &m->err), m->err);
    for (int k = 0; k < N_STEPS; k++) {
        steps[random_in(m, 0, (int64_t)(sizeof steps / sizeof steps[0]) - 1)](m);
        check_set(m, m->set);
        if (test_random_chance(&m->random, 30)) {
            // Cells in a chunk cache are seen by others once they have been synced.
            STORY_OK(&m->story, xta_dataset_sync(m->set, &m->err), m->err);
            STORY_OK(&m->story, xta_dataset_refresh(m->reader, NULL, &m->err), m->err);
            check_set(m, m->reader);
        }
    }
    STORY_OK(&m->story, xta_dataset_close(m->set, &m->err), m->err);
    STORY_OK(&m->story, xta_dataset_close(m->reader, &m->err), m->err);
    open_set(m);
    check_set(m, m->set);
    STORY_OK(&m->story, xta_dataset_close(m->set, &m->err), m->err);
    free(m);
    snprintf(command, sizeof command, "rm -rf '%s/%s'", folder->path, name);
    if (system(command) != 0) {
        exit(1);
    }
}

int main(void)
{
    uint64_t seed = test_seed("test_dataset_model", 20261125);
    const char *part = getenv("XTA_PART");
    test_folder folder;

    test_folder_make_fast(&folder);
    for (uint64_t k = 0; k < test_scale(N_SETS); k++) {
        if (part == NULL || strtoull(part, NULL, 10) == k) {
            run(seed, k, &folder);
        }
    }
    test_folder_remove(&folder);
    return 0;
}
