/* Days are appended one by one to a data set with two-dimensional coordinates: how long its
 * journals are at the end, and that a reader finds each day under its date. First with regular
 * times and one variable, then with a list of times and bounds of cells, which grow, too.
 *
 * XTA_SCALE=10 appends 10,000 days.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <xta/xta.h>

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

enum { N_DAYS = 1000, N_Y = 6, N_X = 8, N_MEMBERS = 5 };

/* Bytes of all journals for each day: regular times, listed times. */
static const int64_t most_bytes[2] = {130, 623};

#define UNIT "days since 1950-01-01"

static const char *const members[N_MEMBERS] = {"time", "time_bnds", "tas", "lat", "lon"};
static test_story story;
static xta_error err;

static void add(xta_dataset *set, const char *name, xta_type type, int ndim,
                const char *const dimensions[])
{
    STORY_OK(&story, xta_dataset_add_member(set, name, type, ndim, dimensions, NULL, NULL, &err),
             err);
}

static void make_set(const char *path, bool listed)
{
    static const char *const time[1] = {"time"}, *const bounds[2] = {"time", "edge"},
                             *const cube[3] = {"time", "y", "x"}, *const map[2] = {"y", "x"};
    static const xta_dimension dimensions[] = {{.name = "time"},
                                               {.name = "edge", .hi = 2},
                                               {.name = "y", .hi = N_Y},
                                               {.name = "x", .hi = N_X}};
    xta_dimension regular = {.name = "time",
                             .coordinates = XTA_COORDINATES_REGULAR,
                             .regular = {.type = XTA_F64, .origin.f = 0.5, .step.f = 1}};
    xta_dataset *set = NULL;
    xta_array *list = NULL;

    STORY_OK(&story, xta_dataset_create(path, NULL, &set, &err), err);
    for (size_t k = 0; k < sizeof dimensions / sizeof dimensions[0]; k++) {
        STORY_OK(&story, xta_dataset_set_dimension(set, &dimensions[k], &err), err);
    }
    if (listed) {
        add(set, "time", XTA_F64, 1, time);
        add(set, "time_bnds", XTA_F64, 2, bounds);
        STORY_OK(&story, xta_dataset_member(set, "time", &list, &err), err);
        STORY_OK(&story, xta_attribute_set_text(list, XTA_ON_ARRAY, "units", UNIT, &err), err);
    } else {
        STORY_OK(&story, xta_dataset_set_dimension(set, &regular, &err), err);
        STORY_OK(&story, xta_dataset_set_text(set, "time", "units", UNIT, &err), err);
    }
    add(set, "tas", XTA_F32, 3, cube);
    add(set, "lat", XTA_F32, 2, map);
    add(set, "lon", XTA_F32, 2, map);
    STORY_OK(&story, xta_dataset_close(set, &err), err);
}

static void append_day(xta_dataset *set, int64_t day, bool listed)
{
    // Hours that are not quite regular, so that the days are a list.
    double when = (double)day + (listed && day % 7 > 0 ? 0.25 : 0.5);
    const double bounds[2] = {(double)day, (double)day + 1};
    float tas[N_Y * N_X];
    const xta_new_coordinates c = {.n = 1, .type = XTA_F64, .values = &when};
    const xta_member_cells cells[2] = {{.member = "tas", .cells = tas},
                                       {.member = "time_bnds", .cells = bounds}};
    const xta_dataset_slab slab = {
        .dimension = "time", .by = 1, .coordinates = &c, .cells = cells, .n_cells = listed ? 2 : 1};

    for (int k = 0; k < N_Y * N_X; k++) {
        tas[k] = (float)(day * 100 + k);
    }
    STORY_OK(&story, xta_dataset_append(set, &slab, NULL, &err), err);
}

static int64_t bytes_of(const char *path, const char *name)
{
    struct stat facts;
    char file[TEST_PATH_BYTES + 20];

    snprintf(file, sizeof file, "%s/%s.xmd", path, name);
    return stat(file, &facts) == 0 ? facts.st_size : 0;
}

/* Of all journals. */
static int64_t journal_bytes(const char *path)
{
    int64_t bytes = bytes_of(path, "dataset");

    for (int k = 0; k < N_MEMBERS; k++) {
        bytes += bytes_of(path, members[k]);
    }
    return bytes;
}

static double open_ms(const char *path, int64_t n_days)
{
    struct timespec a, b;
    xta_dataset *set = NULL;
    xta_dimension d;

    clock_gettime(CLOCK_MONOTONIC, &a);
    STORY_OK(&story, xta_dataset_open(path, NULL, &set, &err), err);
    STORY_OK(&story, xta_dataset_dimension(set, "time", &d, &err), err);
    clock_gettime(CLOCK_MONOTONIC, &b);
    STORY_CHECK(&story, d.hi - d.lo == n_days, "%lld days", (long long)(d.hi - d.lo));
    STORY_OK(&story, xta_dataset_close(set, &err), err);
    return (double)(b.tv_sec - a.tv_sec) * 1e3 + (double)(b.tv_nsec - a.tv_nsec) * 1e-6;
}

/* Some days, by their dates. */
static void check_days(const char *path, int64_t n_days, test_random *random)
{
    char name[TEST_PATH_BYTES + 8], text[64];
    xta_array *tas = NULL;
    float cell = 0;

    snprintf(name, sizeof name, "%s/tas", path);
    STORY_OK(&story, xta_array_open(name, NULL, &tas, &err), err);
    for (int k = 0; k < 20; k++) {
        int64_t day = test_random_in(random, 0, n_days - 1);
        const xta_instant at = {2433283 + day, 0}; // 1950-01-01 is Julian day 2433283
        xta_date date;
        xta_selection selection;
        STORY_OK(&story, xta_instant_to_date(XTA_CALENDAR_STANDARD, &at, &date, &err), err);
        size_t n = (size_t)snprintf(text, sizeof text, "time=");
        xta_date_text(&date, XTA_PRECISION_DAY, text + n);
        STORY_OK(&story, xta_box_select(tas, text, &selection, &err), err);
        STORY_CHECK(&story, selection.box.lo[0] == day && selection.box.hi[0] == day + 1,
                    "%s is cell %lld, not %lld", text, (long long)selection.box.lo[0],
                    (long long)day);
        const int64_t first[3] = {day, 0, 0};
        STORY_OK(&story, xta_array_get(tas, first, &cell, &err), err);
        STORY_CHECK(&story, cell == (float)(day * 100), "day %lld has %g", (long long)day, cell);
        xta_selection_clear(&selection);
    }
    STORY_OK(&story, xta_array_close(tas, &err), err);
}

static void run(const test_folder *folder, bool listed, test_random *random)
{
    xta_dataset_options options = XTA_DATASET_OPTIONS_INIT;
    int64_t n_days = (int64_t)test_scale(N_DAYS);
    char path[TEST_PATH_BYTES];
    xta_dataset *set = NULL;

    test_folder_join(folder, listed ? "listed" : "regular", path);
    make_set(path, listed);
    options.writable = true;
    STORY_OK(&story, xta_dataset_open(path, &options, &set, &err), err);
    for (int64_t day = 0; day < n_days; day++) {
        append_day(set, day, listed);
    }
    STORY_OK(&story, xta_dataset_close(set, &err), err);
    int64_t bytes = journal_bytes(path);
    double first = open_ms(path, n_days), second = open_ms(path, n_days);
    printf("%lld days, times %s: journals %lld bytes; opened in %.2f ms, again in %.2f ms\n",
           (long long)n_days, listed ? "listed" : "regular", (long long)bytes, first, second);
    STORY_CHECK(&story, bytes <= n_days * most_bytes[listed] + 8192, "%lld bytes",
                (long long)bytes);
    check_days(path, n_days, random);
}

int main(void)
{
    uint64_t seed = test_seed("test_dataset_days", 20261125);
    test_random random = test_random_make(seed, 0);
    test_folder folder;

    test_folder_make_fast(&folder);
    test_story_begin(&story, "test_dataset_days", seed, 0);
    run(&folder, false, &random);
    run(&folder, true, &random);
    test_folder_remove(&folder);
    return 0;
}
