/* Power is lost at every call of a repartition in place, one after another: afterwards the path has
 * the old array or the new one, with all cells, whichever of the unsynced writes and names had
 * reached the disk; and the array can be repartitioned again.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>
#include <xta/repartition.h>

#include "support/faulty_os.h"
#include "support/folder.h"
#include "support/report.h"

#define ROWS    23
#define COLUMNS 17

static test_story story;
static xta_error err;
static uint16_t cells[ROWS * COLUMNS];

static void make_array(const char *path)
{
    const int64_t bounds[2] = {ROWS, COLUMNS}, chunk[2] = {7, 5};
    const xta_box box = xta_box_make(2, (int64_t[]){0, 0}, bounds);
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    o.chunk = chunk;
    for (size_t k = 0; k < ROWS * COLUMNS; k++) {
        cells[k] = (uint16_t)(k * 40503u >> 3);
    }
    STORY_OK(&story, xta_array_create(path, XTA_U16, 2, bounds, &o, &array, &err), err);
    STORY_OK(&story, xta_array_write(array, &box, NULL, cells, &err), err);
    STORY_OK(&story, xta_attribute_set_text(array, XTA_ON_ARRAY, "what", "a test", &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
}

/* Check that an array has the cells; returns its chunk length on axis 0. */
static int64_t check_array(const char *path, bool writable)
{
    uint16_t found[ROWS * COLUMNS];
    xta_open_options o = XTA_OPEN_OPTIONS_INIT;
    xta_attribute what;
    xta_array *array = NULL;
    xta_array_info info;

    o.writable = writable;
    STORY_OK(&story, xta_array_open(path, &o, &array, &err), err);
    const xta_box bounds = xta_array_bounds(array);
    STORY_OK(&story, xta_array_inquire(array, &info, &err), err);
    STORY_CHECK(&story, bounds.hi[0] == ROWS && bounds.hi[1] == COLUMNS, "other bounds");
    STORY_OK(&story, xta_array_read(array, &bounds, NULL, found, &err), err);
    STORY_CHECK(&story, memcmp(cells, found, sizeof cells) == 0, "cells differ");
    STORY_OK(&story, xta_attribute_get(array, XTA_ON_ARRAY, "what", &what, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
    return info.chunk[0];
}

static xta_status rechunk(const char *path, int64_t length, bool resume)
{
    const int64_t chunk[2] = {length, 6};
    xta_create_options changes = XTA_CREATE_OPTIONS_INIT;
    xta_repartition_options o = XTA_REPARTITION_OPTIONS_INIT;

    changes.chunk = chunk;
    changes.access = XTA_ACCESS_CACHED;
    o.memory_bytes = 2048;
    o.n_threads = 1;
    o.resume = resume;
    return xta_array_rechunk(path, &changes, &o, NULL, &err);
}

/* Whether power was lost, that is, whether there were enough calls. */
static bool lose_power(const char *path, uint64_t n, test_random *random, int *n_new)
{
    test_story_add(&story, "power is lost at call %llu", (unsigned long long)n);
    make_array(path);
    faulty_os_start();
    faulty_os_cut_at(n);
    xta_status status = rechunk(path, 9, false);
    bool happened = faulty_os_happened();
    faulty_os_restart(random);
    faulty_os_stop();
    // First read-only, then for writing, which may complete the replacement.
    int64_t length = check_array(path, false);
    STORY_CHECK(&story, length == 7 || length == 9, "chunks of length %lld", (long long)length);
    STORY_CHECK(&story, status != XTA_OK || length == 9, "what was done is lost");
    STORY_CHECK(&story, check_array(path, true) == length, "readers and writers see two arrays");
    STORY_OK(&story, xta_check(path, NULL, NULL, &err), err);
    STORY_OK(&story, rechunk(path, 4, test_random_chance(random, 50)), err);
    STORY_CHECK(&story, check_array(path, false) == 4, "it cannot be repartitioned any more");
    *n_new += length == 9;
    test_pair_remove(path);
    return happened;
}

int main(void)
{
    uint64_t seed = test_seed("test_replacement_power", 8), n = 0;
    char path[TEST_PATH_BYTES];
    test_folder folder;
    int n_new = 0;

    test_folder_make_fast(&folder);
    test_folder_join(&folder, "here", path);
    for (uint64_t round = 0; round < test_scale(6); round++) {
        bool more = true;
        for (n = 1; more; n++) {
            test_random random = test_random_make(seed, 1000 * round + n);
            test_story_begin(&story, "test_replacement_power", seed, n);
            more = lose_power(path, n, &random, &n_new);
        }
    }
    STORY_CHECK(&story, n > 30 && n_new > 0, "only %llu calls, %d new arrays",
                (unsigned long long)n, n_new);
    test_folder_remove(&folder);
    printf("test_replacement_power: %llu calls\n", (unsigned long long)n);
    return 0;
}
