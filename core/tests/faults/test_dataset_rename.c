/* Renaming members, groups and dimensions of a data set: whichever call fails, everything is there
 * under exactly one name, in its place, and the same call completes the rest.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <xta/xta.h>

#include "support/faulty_os.h"
#include "support/folder.h"
#include "support/report.h"
#include "util/os.h"

static test_story story;
static xta_error err;

static xta_dataset *open_set(const char *path)
{
    xta_dataset_options options = XTA_DATASET_OPTIONS_INIT;
    xta_dataset *set = NULL;

    options.writable = true;
    STORY_OK(&story, xta_dataset_open(path, &options, &set, &err), err);
    return set;
}

static void fill(xta_array *array, uint8_t first)
{
    const xta_box box = xta_array_bounds(array);
    const uint8_t cells[6] = {first, 1, 2, 3, 4, 5};

    STORY_OK(&story, xta_array_write(array, &box, NULL, cells, &err), err);
}

/* Members a, time, b; groups f, g, h; regular x, listed time. */
static void make(const char *path)
{
    const xta_dimension time = {.name = "time", .hi = 2};
    const xta_dimension x = {.name = "x",
                             .hi = 3,
                             .unlimited = true,
                             .coordinates = XTA_COORDINATES_REGULAR,
                             .regular = {XTA_I32, {.i = 10}, {.i = 5}}};
    const char *const names[] = {"time", "x"};
    static const char *const members[] = {"a", "time", "b"};
    static const char *const groups[] = {"f", "g", "h"};
    xta_dataset *set = NULL, *group = NULL;
    xta_array *array = NULL;

    STORY_OK(&story, xta_dataset_create(path, NULL, &set, &err), err);
    STORY_OK(&story, xta_dataset_set_dimension(set, &time, &err), err);
    STORY_OK(&story, xta_dataset_set_dimension(set, &x, &err), err);
    STORY_OK(&story, xta_dataset_set_text(set, "x", "units", "m", &err), err);
    for (int k = 0; k < 3; k++) {
        STORY_OK(&story,
                 xta_dataset_add_member(set, members[k], XTA_U8, k == 1 ? 1 : 2, names, NULL,
                                        &array, &err),
                 err);
        fill(array, (uint8_t)(10 + k));
        STORY_OK(&story, xta_dataset_group(set, groups[k], true, &group, &err), err);
        STORY_OK(&story, xta_dataset_close(group, &err), err);
    }
    // The last array is b.
    STORY_OK(&story, xta_attribute_set_text(array, XTA_ON_ARRAY, "coordinates", "a  time x", &err),
             err);
    STORY_OK(&story, xta_attribute_set_text(array, XTA_ON_ARRAY, "cell_measures", "a: a", &err),
             err);
    STORY_OK(&story,
             xta_attribute_set_text(array, XTA_ON_ARRAY, "cell_methods",
                                    "time: mean x: sum (x: 3) a: b", &err),
             err);
    STORY_OK(&story, xta_attribute_set_text(array, XTA_ON_ARRAY, "title", "a b x time", &err), err);
    STORY_OK(&story, xta_dataset_set_text(set, "x", "bounds", "b", &err), err);
    STORY_OK(&story, xta_dataset_note_source(set, "x", 0, 3, "file", &err), err);
    STORY_OK(&story, xta_dataset_close(set, &err), err);
}

static void delete_set(const char *path)
{
    xta_dataset *set = open_set(path);
    char name[TEST_PATH_BYTES + 64];

    while (xta_dataset_member_count(set) > 0) {
        snprintf(name, sizeof name, "%s", xta_dataset_member_name(set, 0));
        STORY_OK(&story, xta_dataset_remove_member(set, name, &err), err);
    }
    for (size_t k = 0; k < xta_dataset_group_count(set); k++) {
        snprintf(name, sizeof name, "%s/%s/dataset.xmd", path, xta_dataset_group_name(set, k));
        (void)!remove(name);
        *strrchr(name, '/') = '\0';
        (void)!remove(name);
    }
    STORY_OK(&story, xta_dataset_close(set, &err), err);
    snprintf(name, sizeof name, "%s/dataset.xmd", path);
    (void)!remove(name);
    (void)!remove(path);
}

/* What is renamed, and what the data set is then. */
typedef struct rename_case {
    const char *what, *from, *to;
    const char *members, *groups; /* in their order; `from` where it has not happened */
    const char *coordinates, *measures, *methods, *bounds; /* then */
} rename_case;

#define METHODS "time: mean x: sum (x: 3) a: b"

static const rename_case cases[] = {
    {"member", "a", "z", "a time b", "f g h", "z  time x", "a: z", METHODS, "b"},
    {"member", "b", "c", "a time b", "f g h", "a  time x", "a: a", METHODS, "c"},
    {"group", "g", "i", "a time b", "f g h", "a  time x", "a: a", METHODS, "b"},
    {"dimension", "x", "lon", "a time b", "f g h", "a  time lon", "a: a",
     "time: mean lon: sum (x: 3) a: b", "b"},
    {"dimension", "time", "t", "a time b", "f g h", "a  t x", "a: a", "t: mean x: sum (x: 3) a: b",
     "b"},
};

/* Attributes that name what was renamed. */
static void check_references(xta_dataset *set, const rename_case *c, const char *x)
{
    const char *const names[] = {"coordinates", "cell_measures", "cell_methods", "title"};
    const char *const want[] = {c->coordinates, c->measures, c->methods, "a b x time"};
    xta_array *array = NULL;
    xta_attribute a;

    STORY_OK(&story, xta_dataset_member(set, xta_dataset_member_name(set, 2), &array, &err), err);
    for (int k = 0; k < 4; k++) {
        STORY_OK(&story, xta_attribute_get(array, XTA_ON_ARRAY, names[k], &a, &err), err);
        STORY_CHECK(&story, strcmp(a.values, want[k]) == 0, "%s is \"%s\", not \"%s\"", names[k],
                    (const char *)a.values, want[k]);
    }
    STORY_OK(&story, xta_dataset_attribute(set, x, "bounds", &a, &err), err);
    STORY_CHECK(&story, strcmp(a.values, c->bounds) == 0, "bounds are \"%s\"",
                (const char *)a.values);
}

static xta_status rename_one(xta_dataset *set, const rename_case *c)
{
    switch (c->what[0]) {
    case 'm':
        return xta_dataset_rename_member(set, c->from, c->to, &err);
    case 'g':
        return xta_dataset_rename_group(set, c->from, c->to, &err);
    default:
        return xta_dataset_rename_dimension(set, c->from, c->to, &err);
    }
}

/* Whether the names in order are those of `want`, with `from` or `to` in the place of `from`. */
static void check_names(xta_dataset *set, const rename_case *c, bool groups, bool renames,
                        bool complete)
{
    char text[64], *at = text, *word = NULL;
    size_t k = 0;

    snprintf(text, sizeof text, "%s", groups ? c->groups : c->members);
    while ((word = at) != NULL) {
        char *space = strchr(at, ' ');
        const char *have =
            groups ? xta_dataset_group_name(set, k) : xta_dataset_member_name(set, k);
        bool is = renames && strncmp(word, c->from, strlen(c->from)) == 0 &&
                  (space == NULL ? word[strlen(c->from)] == '\0'
                                 : (size_t)(space - word) == strlen(c->from));
        if (space != NULL) {
            *space = '\0';
        }
        STORY_CHECK(&story,
                    have != NULL &&
                        (is ? strcmp(have, c->to) == 0 || (!complete && strcmp(have, c->from) == 0)
                            : strcmp(have, word) == 0),
                    "%s number %zu is %s instead of %s", groups ? "group" : "member", k,
                    have != NULL ? have : "(none)", word);
        k++;
        at = space != NULL ? space + 1 : NULL;
    }
    STORY_CHECK(&story,
                (groups ? xta_dataset_group_count(set) : xta_dataset_member_count(set)) == k,
                "other members or groups");
}

static void check(const char *path, const rename_case *c, bool complete)
{
    xta_dataset *set = open_set(path);
    bool listed = strcmp(c->from, "time") == 0, is_dimension = c->what[0] == 'd';
    const char *x = is_dimension && !listed ? c->to : "x";
    xta_dimension d;
    xta_attribute units;
    xta_dataset_source source;
    uint8_t cells[6];
    xta_array *array = NULL;

    check_names(set, c, false, c->what[0] == 'm' || (is_dimension && listed), complete);
    check_names(set, c, true, c->what[0] == 'g', complete);
    for (size_t k = 0; k < 3; k++) {
        STORY_OK(&story, xta_dataset_member(set, xta_dataset_member_name(set, k), &array, &err),
                 err);
        const xta_box box = xta_array_bounds(array);
        STORY_OK(&story, xta_array_read(array, &box, NULL, cells, &err), err);
        STORY_CHECK(&story, cells[0] == 10 + k, "other cells in member %zu", k);
    }
    if (complete) {
        STORY_OK(&story, xta_dataset_dimension(set, x, &d, &err), err);
        STORY_CHECK(&story,
                    d.coordinates == XTA_COORDINATES_REGULAR && d.regular.origin.i == 10 &&
                        d.unlimited && d.n_members == 2 && d.hi == 3,
                    "other coordinates of %s", x);
        STORY_OK(&story, xta_dataset_attribute(set, x, "units", &units, &err), err);
        check_references(set, c, x);
        STORY_OK(&story, xta_dataset_source_at(set, 0, &source, &err), err);
        STORY_CHECK(&story, strcmp(source.dimension, x) == 0 && xta_dataset_source_count(set) == 1,
                    "the source is of %s", source.dimension);
        STORY_OK(&story,
                 xta_dataset_dimension(set, is_dimension && listed ? c->to : "time", &d, &err),
                 err);
        STORY_CHECK(&story, d.coordinates == XTA_COORDINATES_LISTED && d.n_members == 3,
                    "time has lost its list");
        STORY_CHECK(&story, xta_dataset_missing_name(set, 0) == NULL, "%s is missing",
                    xta_dataset_missing_name(set, 0));
        STORY_CHECK(&story,
                    !is_dimension || xta_dataset_dimension(set, c->from, &d, NULL) == XTA_ENOENT,
                    "the old dimension is still there");
    }
    STORY_OK(&story, xta_dataset_close(set, &err), err);
}

static void with_failures(const char *path, const rename_case *c)
{
    bool happened = true;
    uint64_t n = 0;

    while (happened) {
        n++;
        test_story_begin(&story, "test_dataset_rename", 0, n);
        test_story_add(&story, "rename %s, call %d fails", c->from, (int)n);
        make(path);
        xta_dataset *set = open_set(path);
        faulty_os_start();
        faulty_os_fail_at(n, EIO, true);
        xta_status status = rename_one(set, c);
        (void)!xta_dataset_close(set, NULL);
        happened = faulty_os_happened();
        faulty_os_stop();
        check(path, c, false);
        set = open_set(path);
        xta_status again = rename_one(set, c);
        STORY_CHECK(&story, again == XTA_OK || again == XTA_ENOENT, "again: %s", err.text);
        STORY_CHECK(&story, again == XTA_OK || status == XTA_OK || happened, "%s", err.text);
        STORY_OK(&story, xta_dataset_close(set, &err), err);
        check(path, c, true);
        delete_set(path);
    }
    printf("%s %s: %d calls\n", c->what, c->from, (int)n);
}

static void refuse(const char *path)
{
    make(path);
    xta_dataset *set = open_set(path);

    test_story_begin(&story, "test_dataset_rename", 0, 0);
    STORY_CHECK(&story,
                xta_dataset_rename_member(set, "a", "b", &err) == XTA_EEXIST &&
                    xta_dataset_rename_member(set, "c", "d", &err) == XTA_ENOENT &&
                    xta_dataset_rename_member(set, "a", "dataset", &err) == XTA_EARG &&
                    xta_dataset_rename_member(set, "time", "t", &err) == XTA_ESTATE &&
                    xta_dataset_rename_group(set, "g", "h", &err) == XTA_EEXIST &&
                    xta_dataset_rename_group(set, "k", "l", &err) == XTA_ENOENT &&
                    xta_dataset_rename_dimension(set, "x", "time", &err) == XTA_EEXIST &&
                    xta_dataset_rename_dimension(set, "y", "z", &err) == XTA_ENOENT,
                "a wrong rename: %s", err.text);
    STORY_OK(&story, xta_dataset_close(set, &err), err);
    const rename_case nothing = {"nothing",   "",     "",      "a time b", "f g h",
                                 "a  time x", "a: a", METHODS, "b"};
    check(path, &nothing, true);
    delete_set(path);
}

int main(void)
{
    test_folder folder;
    char path[TEST_PATH_BYTES];

    test_folder_make_fast(&folder);
    test_folder_join(&folder, "set", path);
    refuse(path);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        with_failures(path, &cases[k]);
    }
    test_folder_remove(&folder);
    return 0;
}
