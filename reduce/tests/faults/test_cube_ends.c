/* The process ends before each call that changes a file while a cube is made and brought up to
 * date: questions are answered right whatever is left, and the next update completes it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include <xta/attribute.h>
#include <xta/coordinates.h>
#include <xta/cube.h>

#include "support/ending_os.h"
#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

static test_story story;
static test_folder folder;
static char base[TEST_PATH_BYTES], cube[TEST_PATH_BYTES];
static double sum;
static uint64_t n_cells;

/* ---- the base ---- */

static void grow(int axis, xta_side side, int64_t by)
{
    const xta_growth growth = {axis, side, by};
    xta_open_options o = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    double cells[256];
    xta_error err;
    int64_t n = by;

    o.writable = true;
    STORY_OK(&story, xta_array_open(base, &o, &array, &err), err);
    xta_box bounds = xta_array_bounds(array);
    n *= bounds.hi[1 - axis] - bounds.lo[1 - axis];
    for (int64_t k = 0; k < n; k++) {
        cells[k] = (double)(n_cells % 13);
        sum += cells[k];
        n_cells++;
    }
    STORY_OK(&story, xta_array_append(array, &growth, NULL, cells, NULL, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
}

static void make_base(void)
{
    static const char *const names[] = {"time", "x"};
    const int64_t lengths[2] = {0, 4}, chunk[2] = {16, 4};
    const xta_regular weeks = {.type = XTA_I64, .origin.i = 0, .step.i = 7};
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err;

    o.names = names;
    o.chunk = chunk;
    STORY_OK(&story, xta_array_create(base, XTA_F64, 2, lengths, &o, &array, &err), err);
    STORY_OK(&story, xta_axis_set_regular(array, 0, &weeks, &err), err);
    STORY_OK(&story, xta_axis_set_unit(array, 0, "days since 2000-01-01", &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
    sum = 0;
    n_cells = 0;
    grow(0, XTA_BACK, 9);
}

/* ---- what is ended ---- */

static xta_status create(void *user, xta_error *err)
{
    xta_cube_options o = XTA_CUBE_OPTIONS_INIT;

    (void)user;
    o.levels = "time:month,x:1>3";
    o.measures = "sum";
    return xta_cube_create(base, cube, &o, err);
}

static xta_status update(void *user, xta_error *err)
{
    (void)user;
    return xta_cube_update(cube, NULL, err);
}

/* ---- checks ---- */

static void check_answer(void)
{
    xta_cube_question q = XTA_CUBE_QUESTION_INIT;
    xta_cube_answer *answer = NULL;
    xta_cube *open = NULL;
    xta_error err;
    uint64_t count = 0;
    double total = 0;

    q.by = "month,x:3";
    STORY_OK(&story, xta_cube_open(cube, &open, &err), err);
    STORY_OK(&story, xta_cube_query(open, &q, &answer, &err), err);
    uint64_t n = (uint64_t)(xta_cube_answer_length(answer, 0) * xta_cube_answer_length(answer, 1));
    for (uint64_t k = 0; k < n; k++) {
        xta_cube_values v = xta_cube_answer_values(answer, k);
        count += v.count;
        total += v.sum.f;
    }
    STORY_CHECK(&story, count == n_cells && total == sum, "%lu cells with the sum %g, not %lu, %g",
                (unsigned long)count, total, (unsigned long)n_cells, sum);
    xta_cube_answer_free(answer);
    STORY_OK(&story, xta_cube_close(open, &err), err);
}

/* An interrupted creation is made again; nothing of the first one is in the way. */
static uint64_t end_creations(void)
{
    uint64_t n = 1;
    bool ended = true;
    xta_error err;

    for (; ended; n++) {
        char name[32];
        snprintf(name, sizeof name, "cube%lu", (unsigned long)n);
        test_folder_join(&folder, name, cube);
        test_story_begin(&story, "create", 0, n);
        ended = ending_os_run(&story, create, NULL, n, false);
        xta_status status = create(NULL, &err);
        STORY_CHECK(&story, status == XTA_OK || (status == XTA_EEXIST && err.text[0] != '\0'),
                    "%s: %s", xta_status_name(status), err.text);
        if (n % 4 == 0) { // an update costs many calls
            STORY_OK(&story, update(NULL, &err), err);
            check_answer();
        }
    }
    return n - 2;
}

static uint64_t end_updates(void)
{
    test_random random = test_random_make(test_seed("cube ends", 40), 0);
    uint64_t seen = 0;
    bool ended = true;
    xta_error err;

    for (uint64_t n = 1; ended; n += 1 + n / 12) {
        test_story_begin(&story, "update", 0, n);
        int axis = (int)test_random_in(&random, 0, n_cells < 600 ? 1 : 0);
        grow(axis, test_random_chance(&random, 50) ? XTA_FRONT : XTA_BACK, 1);
        ended = ending_os_run(&story, update, NULL, n, false);
        check_answer();
        if (test_random_chance(&random, 30)) {
            grow(0, test_random_chance(&random, 50) ? XTA_FRONT : XTA_BACK, 1);
            check_answer();
        }
        STORY_OK(&story, update(NULL, &err), err);
        check_answer();
        seen = n;
    }
    return seen;
}

int main(void)
{
    xta_error err;

    test_folder_make_fast(&folder);
    test_folder_join(&folder, "base", base);
    test_story_begin(&story, "test_cube_ends", 0, 0);
    make_base();
    uint64_t created = end_creations();
    test_folder_join(&folder, "cube", cube);
    STORY_OK(&story, create(NULL, &err), err);
    STORY_OK(&story, update(NULL, &err), err);
    uint64_t updated = end_updates();
    STORY_CHECK(&story, created > 5 && updated > 30, "only %lu and %lu calls",
                (unsigned long)created, (unsigned long)updated);
    printf("ended before each of %lu calls of a creation, up to %lu of an update\n",
           (unsigned long)created, (unsigned long)updated);
    test_folder_remove(&folder);
    return 0;
}
