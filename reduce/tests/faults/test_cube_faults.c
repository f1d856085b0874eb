/* Allocations are refused while a cube is made, brought up to date and asked: the call answers with
 * a status and a text, nothing stays allocated, and the next update ends right.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>
#include <xta/coordinates.h>
#include <xta/cube.h>

#include "support/failing_alloc.h"
#include "support/folder.h"
#include "support/report.h"

static test_story story;
static test_folder folder;
static char base[TEST_PATH_BYTES], cube[TEST_PATH_BYTES], fresh[TEST_PATH_BYTES];
static uint64_t n_cells;

/* Add 3 x 4 cells at one end of the times; all are 1. */
static void grow(xta_side side)
{
    const xta_growth growth = {0, side, 3};
    float ones[12];
    xta_open_options o = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err;

    for (int k = 0; k < 12; k++) {
        ones[k] = 1;
    }
    o.writable = true;
    STORY_OK(&story, xta_array_open(base, &o, &array, &err), err);
    STORY_OK(&story, xta_array_append(array, &growth, NULL, ones, NULL, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
    n_cells += 12;
}

static void make_base(void)
{
    static const char *const names[] = {"time", "x"};
    const int64_t lengths[2] = {0, 4}, chunk[2] = {64, 4};
    const xta_regular days = {.type = XTA_I64, .origin.i = 0, .step.i = 1};
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err;

    o.names = names;
    o.chunk = chunk;
    STORY_OK(&story, xta_array_create(base, XTA_F32, 2, lengths, &o, &array, &err), err);
    STORY_OK(&story, xta_axis_set_regular(array, 0, &days, &err), err);
    STORY_OK(&story, xta_axis_set_unit(array, 0, "days since 2000-01-01", &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
}

static xta_status create(xta_error *err)
{
    xta_cube_options o = XTA_CUBE_OPTIONS_INIT;

    o.levels = "time:1>month>year,x:1>2";
    return xta_cube_create(base, fresh, &o, err);
}

static xta_status update(xta_error *err)
{
    return xta_cube_update(cube, NULL, err);
}

/* Ask for months, and check that every cell was counted. */
static xta_status ask(xta_error *err)
{
    xta_cube_question q = XTA_CUBE_QUESTION_INIT;
    xta_cube_answer *answer = NULL;
    xta_cube *open = NULL;
    xta_status status = xta_cube_open(cube, &open, err);
    xta_error closing;
    uint64_t count = 0;

    q.by = "month";
    if (status == XTA_OK) {
        status = xta_cube_query(open, &q, &answer, err);
    }
    for (int64_t k = 0; status == XTA_OK && k < xta_cube_answer_length(answer, 0); k++) {
        xta_cube_values v = xta_cube_answer_values(answer, (uint64_t)k);
        count += v.count;
        STORY_CHECK(&story, v.sum.f == (double)v.count && v.min.f == 1 && v.max.f == 1,
                    "wrong values: sum %g of %lu", v.sum.f, (unsigned long)v.count);
    }
    STORY_CHECK(&story, status != XTA_OK || count == n_cells, "%lu cells, not %lu",
                (unsigned long)count, (unsigned long)n_cells);
    xta_cube_answer_free(answer);
    (void)!xta_cube_close(open, &closing);
    return status;
}

static void nothing(uint64_t n)
{
    (void)n;
}

static void grow_either(uint64_t n)
{
    grow(n % 2 == 0 ? XTA_BACK : XTA_FRONT);
}

static void another_folder(uint64_t n)
{
    char name[32];

    snprintf(name, sizeof name, "fresh%lu", (unsigned long)n);
    test_folder_join(&folder, name, fresh);
}

/* Refuse allocation number n, for more and more distant n, after a preparation. */
static uint64_t refuse(const char *name, void (*prepare)(uint64_t), xta_status (*call)(xta_error *))
{
    for (uint64_t n = 1;; n += 1 + n / 16) {
        xta_error err = {0};
        test_story_begin(&story, name, 0, n);
        prepare(n);
        int64_t live = failing_alloc_live();
        failing_alloc_at(n, false);
        failing_alloc_arm(true);
        xta_status status = call(&err);
        failing_alloc_arm(false);
        bool refused = failing_alloc_happened();
        failing_alloc_at(0, false);
        STORY_CHECK(&story, status == XTA_OK || (refused && err.text[0] != '\0'), "%s: %s",
                    xta_status_name(status), err.text);
        STORY_CHECK(&story, failing_alloc_live() == live, "%ld blocks are left",
                    (long)(failing_alloc_live() - live));
        if (!refused) {
            STORY_OK(&story, status, err);
            return n;
        }
    }
}

int main(void)
{
    xta_error err;

    test_folder_make_fast(&folder);
    test_folder_join(&folder, "base", base);
    test_folder_join(&folder, "cube", cube);
    test_story_begin(&story, "test_cube_faults", 0, 0);
    make_base();
    for (int k = 0; k < 30; k++) {
        grow_either((uint64_t)k);
    }
    memcpy(fresh, cube, sizeof fresh);
    STORY_OK(&story, create(&err), err);
    uint64_t first = refuse("update", nothing, update);
    uint64_t grown = refuse("growth", grow_either, update);
    STORY_OK(&story, ask(&err), err);
    grow(XTA_BACK); // so that cells come from the base, too
    uint64_t asked = refuse("query", nothing, ask);
    uint64_t created = refuse("create", another_folder, create);
    STORY_CHECK(&story, grown > 100 && asked > 100 && created > 20,
                "only %lu, %lu, %lu allocations", (unsigned long)grown, (unsigned long)asked,
                (unsigned long)created);
    printf("allocations up to %lu, %lu, %lu and %lu were refused\n", (unsigned long)first,
           (unsigned long)grown, (unsigned long)asked, (unsigned long)created);
    test_folder_remove(&folder);
    return 0;
}
