/* Notes of sources and `history`, against a list in memory: random notes of several dimensions, the
 * set reopened, refreshed from a second handle and copied; and the size of the journal after many.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <xta/xta.h>

#include "support/faulty_os.h"
#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"
#include "util/os.h"

enum { N_STEPS = 1200, N_MANY = 10000, N_DIMENSIONS = 3, MOST_NOTES = 4096 };

static const char *const dimension_names[N_DIMENSIONS] = {"time", "y", "x"};

typedef struct note {
    int dimension;
    int64_t lo, hi;
    char source[32];
} note;

typedef struct rig {
    test_story story;
    test_random random;
    char path[TEST_PATH_BYTES], copy[TEST_PATH_BYTES];
    xta_dataset *set, *other;
    note notes[MOST_NOTES];
    size_t n;
    xta_error err;
} rig;

static xta_dataset *open_set(rig *r, const char *path, bool writable)
{
    xta_dataset_options options = XTA_DATASET_OPTIONS_INIT;
    xta_dataset *set = NULL;

    options.writable = writable;
    STORY_OK(&r->story, xta_dataset_open(path, &options, &set, &r->err), r->err);
    return set;
}

static void check(rig *r, xta_dataset *set)
{
    xta_dataset_source s;

    STORY_CHECK(&r->story, xta_dataset_source_count(set) == r->n, "%zu notes instead of %zu",
                xta_dataset_source_count(set), r->n);
    for (size_t k = 0; k < r->n; k++) {
        const note *want = &r->notes[k];
        STORY_OK(&r->story, xta_dataset_source_at(set, k, &s, &r->err), r->err);
        STORY_CHECK(&r->story,
                    strcmp(s.dimension, dimension_names[want->dimension]) == 0 &&
                        s.lo == want->lo && s.hi == want->hi && s.time == 1764068400 &&
                        strcmp(s.source, want->source) == 0,
                    "note %zu: %s [%lld, %lld) %s", k, s.dimension, (long long)s.lo,
                    (long long)s.hi, s.source);
    }
    STORY_CHECK(&r->story, xta_dataset_source_at(set, r->n, &s, NULL) == XTA_ENOENT,
                "a note behind the last");
}

static note random_note(rig *r)
{
    note one = {.dimension = (int)test_random_in(&r->random, 0, N_DIMENSIONS - 1)};
    int n = (int)test_random_in(&r->random, 1, 20);

    one.lo = test_random_in(&r->random, -5, 4);
    one.hi = test_random_in(&r->random, one.lo + 1, 5);
    for (int k = 0; k < n; k++) {
        one.source[k] = (char)('a' + test_random_in(&r->random, 0, 2));
    }
    return one;
}

static void add_note(rig *r)
{
    note one = random_note(r);
    bool fails = test_random_chance(&r->random, 20), happened = false;

    if (fails) {
        faulty_os_start();
        faulty_os_fail_at((uint64_t)test_random_in(&r->random, 1, 12), EIO, true);
    }
    xta_status status = xta_dataset_note_source(r->set, dimension_names[one.dimension], one.lo,
                                                one.hi, one.source, &r->err);
    if (fails) {
        happened = faulty_os_happened();
        faulty_os_stop();
    }
    STORY_CHECK(&r->story, status == XTA_OK || happened, "%s", r->err.text);
    if (status == XTA_OK) {
        r->notes[r->n++] = one;
    } else {
        (void)!xta_dataset_close(r->set, NULL);
        r->set = open_set(r, r->path, true);
        // A write whose failure was reported may have happened.
        if (xta_dataset_source_count(r->set) == r->n + 1) {
            r->notes[r->n++] = one;
        }
    }
}

static void copy_set(rig *r)
{
    xta_dataset *copy = open_set(r, r->copy, true);

    STORY_OK(&r->story, xta_dataset_copy_entries(r->set, copy, &r->err), r->err);
    check(r, copy);
    STORY_OK(&r->story, xta_dataset_close(copy, &r->err), r->err);
}

static void make_sets(rig *r)
{
    for (int k = 0; k < 2; k++) {
        xta_dataset *set = NULL;
        STORY_OK(&r->story, xta_dataset_create(k == 0 ? r->path : r->copy, NULL, &set, &r->err),
                 r->err);
        for (int d = 0; d < N_DIMENSIONS; d++) {
            const xta_dimension dimension = {.name = dimension_names[d], .lo = -5, .hi = 5};
            STORY_OK(&r->story, xta_dataset_set_dimension(set, &dimension, &r->err), r->err);
        }
        STORY_OK(&r->story, xta_dataset_close(set, &r->err), r->err);
    }
}

static void step(rig *r)
{
    switch (test_random_in(&r->random, 0, 9)) {
    case 0:
        STORY_OK(&r->story, xta_dataset_close(r->set, &r->err), r->err);
        r->set = open_set(r, r->path, true);
        break;
    case 1:
        STORY_OK(&r->story, xta_dataset_refresh(r->other, NULL, &r->err), r->err);
        check(r, r->other);
        break;
    case 2:
        STORY_OK(&r->story, xta_dataset_set_text(r->set, "y", "note", "any", &r->err), r->err);
        break;
    case 3:
        if (test_random_chance(&r->random, 10)) {
            copy_set(r);
        }
        break;
    default:
        add_note(r);
        break;
    }
    check(r, r->set);
}

/* Refusals, and texts that do not fit. */
static void refuse(rig *r)
{
    char text[400];
    xta_dataset_source s;
    size_t n = r->n;

    STORY_CHECK(&r->story,
                xta_dataset_note_source(r->set, "z", 0, 1, "a", &r->err) == XTA_ENOENT &&
                    xta_dataset_note_source(r->set, "x", 0, 0, "a", &r->err) == XTA_EBOX &&
                    xta_dataset_note_source(r->set, "x", 4, 6, "a", &r->err) == XTA_EBOX &&
                    xta_dataset_note_source(r->set, "x", 0, 1, "", &r->err) == XTA_EARG &&
                    xta_dataset_note_source(r->other, "x", 0, 1, "a", &r->err) == XTA_EACCESS,
                "a wrong note is taken: %s", r->err.text);
    check(r, r->set);
    memset(text, 'q', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    text[sizeof text - 2] = '\n';
    STORY_OK(&r->story, xta_dataset_note_source(r->set, "x", 0, 1, text, &r->err), r->err);
    STORY_OK(&r->story, xta_dataset_source_at(r->set, n, &s, &r->err), r->err);
    STORY_CHECK(&r->story,
                strlen(s.source) == 255 && strncmp(s.source, "...q", 4) == 0 &&
                    s.source[254] == '?',
                "a long text: %s", s.source);
}

static void check_history(rig *r)
{
    const char *const want = "Tue Nov 25 11:00:00 2025: xta b\nTue Nov 25 11:00:00 2025: xta a?";
    const double number = 1;
    const xta_attribute wrong = {.name = "history", .type = XTA_F64, .count = 1, .values = &number};
    xta_attribute a;

    STORY_OK(&r->story, xta_dataset_add_history(r->set, "xta a\n", &r->err), r->err);
    STORY_OK(&r->story, xta_dataset_add_history(r->set, "xta b", &r->err), r->err);
    STORY_OK(&r->story, xta_dataset_attribute(r->set, NULL, "history", &a, &r->err), r->err);
    STORY_CHECK(&r->story, a.count == strlen(want) && memcmp(a.values, want, a.count) == 0,
                "history: %.*s", (int)a.count, (const char *)a.values);
    STORY_OK(&r->story, xta_dataset_set_attribute(r->set, NULL, &wrong, &r->err), r->err);
    STORY_CHECK(&r->story, xta_dataset_add_history(r->set, "c", &r->err) == XTA_EARG,
                "numbers as history");
}

/* As 10,000 appends of one day would note them. */
static void many(rig *r, const char *path)
{
    xta_dataset *set = NULL;
    const xta_dimension days = {.name = "time", .lo = 0, .hi = N_MANY};
    char journal[TEST_PATH_BYTES + 16], source[64];
    struct stat facts;
    long long most = 0;

    STORY_OK(&r->story, xta_dataset_create(path, NULL, &set, &r->err), r->err);
    STORY_OK(&r->story, xta_dataset_set_dimension(set, &days, &r->err), r->err);
    snprintf(journal, sizeof journal, "%s/dataset.xmd", path);
    for (int k = 0; k < N_MANY; k++) {
        snprintf(source, sizeof source, "run/ocean_%04d-%02d-%02d.nc", 1990 + k / 372,
                 k / 31 % 12 + 1, k % 31 + 1);
        STORY_OK(&r->story, xta_dataset_note_source(set, "time", k, k + 1, source, &r->err),
                 r->err);
        STORY_CHECK(&r->story, stat(journal, &facts) == 0, "no journal");
        most = facts.st_size > most ? (long long)facts.st_size : most;
    }
    STORY_OK(&r->story, xta_dataset_close(set, &r->err), r->err);
    printf("%d notes: %lld bytes at most, %lld at the end\n", N_MANY, most,
           (long long)facts.st_size);
    STORY_CHECK(&r->story, most < 1000000, "%lld bytes", most);
    set = open_set(r, path, false);
    STORY_CHECK(&r->story, xta_dataset_source_count(set) == N_MANY, "%zu notes",
                xta_dataset_source_count(set));
    STORY_OK(&r->story, xta_dataset_close(set, &r->err), r->err);
}

int main(void)
{
    static rig r;
    test_folder folder;
    uint64_t seed = test_seed("test_dataset_provenance", 20261125);
    char path[TEST_PATH_BYTES];

    setenv("SOURCE_DATE_EPOCH", "1764068400", 1);
    test_folder_make_fast(&folder);
    test_folder_join(&folder, "set", r.path);
    test_folder_join(&folder, "copy", r.copy);
    test_folder_join(&folder, "many", path);
    r.random = test_random_make(seed, 0);
    test_story_begin(&r.story, "test_dataset_provenance", seed, 0);
    make_sets(&r);
    r.set = open_set(&r, r.path, true);
    r.other = open_set(&r, r.path, false);
    for (uint64_t k = 0; k < test_scale(N_STEPS) && r.n < MOST_NOTES - 1; k++) {
        test_story_begin(&r.story, "test_dataset_provenance", seed, k);
        step(&r);
    }
    copy_set(&r);
    check_history(&r);
    refuse(&r);
    STORY_OK(&r.story, xta_dataset_close(r.set, &r.err), r.err);
    STORY_OK(&r.story, xta_dataset_close(r.other, &r.err), r.err);
    many(&r, path);
    test_folder_remove(&folder);
    return 0;
}
