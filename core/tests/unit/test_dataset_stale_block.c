/* A block in memory that was made for older bounds of its member is not appended: it would be read
 * beyond its end, or its cells would go astray.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <xta/dataset_append.h>

#include "support/folder.h"
#include "support/must.h"

enum { N_TIMES = 2, N_Y = 3 };

static const char *const DIMENSIONS[2] = {"time", "y"};
static test_folder folder;
static char path[TEST_PATH_BYTES];
static xta_error err;

static xta_dataset *open_set(void)
{
    xta_dataset_options options = XTA_DATASET_OPTIONS_INIT;
    xta_dataset *set = NULL;
    xta_array *member = NULL;

    options.writable = true;
    test_must(xta_dataset_open(path, &options, &set, &err), &err);
    test_must(xta_dataset_member(set, "sst", &member, &err), &err);
    return set;
}

/* One more time, of `n_y` cells that lie in no more memory than they need. */
static xta_status append(xta_dataset *set, int64_t n_y)
{
    int32_t *block = malloc((size_t)n_y * sizeof *block);
    const xta_member_cells cells = {.member = "sst", .cells = block};
    const xta_dataset_slab slab = {
        .dimension = "time", .side = XTA_BACK, .by = 1, .cells = &cells, .n_cells = 1};

    assert_non_null(block);
    for (int64_t k = 0; k < n_y; k++) {
        block[k] = (int32_t)(100 + k);
    }
    xta_status status = xta_dataset_append(set, &slab, NULL, &err);
    free(block);
    return status;
}

static int64_t n_times(xta_dataset *set)
{
    xta_dimension time;

    test_must(xta_dataset_dimension(set, "time", &time, &err), &err);
    return time.hi - time.lo;
}

static int make_set(void **state)
{
    xta_dataset *set = NULL;
    const xta_dimension time = {.name = "time", .hi = N_TIMES}, y = {.name = "y", .hi = N_Y};

    (void)state;
    test_folder_make(&folder);
    test_folder_join(&folder, "ocean", path);
    test_must(xta_dataset_create(path, NULL, &set, &err), &err);
    test_must(xta_dataset_set_dimension(set, &time, &err), &err);
    test_must(xta_dataset_set_dimension(set, &y, &err), &err);
    test_must(xta_dataset_add_member(set, "sst", XTA_I32, 2, DIMENSIONS, NULL, NULL, &err), &err);
    test_must(xta_dataset_close(set, &err), &err);
    return 0;
}

static int remove_set(void **state)
{
    (void)state;
    test_folder_remove(&folder);
    return 0;
}

static void refused_until_refreshed(xta_side side)
{
    xta_dataset *ours = open_set(), *theirs = open_set();
    const xta_dimension_growth wider = {"y", side, 1000};
    xta_array *sst = NULL;
    int32_t cell = 0;

    test_must(xta_dataset_extend(theirs, &wider, 1, &err), &err);
    assert_int_equal(append(ours, N_Y), XTA_EBOX);
    assert_non_null(strstr(err.text, "member sst"));
    assert_non_null(strstr(err.text, "refresh"));
    test_must(xta_dataset_refresh(ours, NULL, &err), &err);
    assert_int_equal(n_times(ours), N_TIMES);

    test_must(append(ours, N_Y + 1000), &err);
    test_must(xta_dataset_member(ours, "sst", &sst, &err), &err);
    xta_box bounds = xta_array_bounds(sst);
    const int64_t last[2] = {bounds.hi[0] - 1, bounds.hi[1] - 1};
    test_must(xta_array_get(sst, last, &cell, &err), &err);
    assert_int_equal(cell, 100 + N_Y + 1000 - 1);
    test_must(xta_dataset_close(ours, &err), &err);
    test_must(xta_dataset_close(theirs, &err), &err);
}

static void test_wider_at_the_back(void **state)
{
    (void)state;
    refused_until_refreshed(XTA_BACK);
}

static void test_wider_at_the_front(void **state)
{
    (void)state;
    refused_until_refreshed(XTA_FRONT);
}

/* Times that others have appended meanwhile change nothing in the shape of a block. */
static void test_longer(void **state)
{
    xta_dataset *ours = open_set(), *theirs = open_set();

    (void)state;
    test_must(append(theirs, N_Y), &err);
    test_must(append(ours, N_Y), &err);
    assert_int_equal(n_times(ours), N_TIMES + 2);
    test_must(xta_dataset_close(ours, &err), &err);
    test_must(xta_dataset_close(theirs, &err), &err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_wider_at_the_back, make_set, remove_set),
        cmocka_unit_test_setup_teardown(test_wider_at_the_front, make_set, remove_set),
        cmocka_unit_test_setup_teardown(test_longer, make_set, remove_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
