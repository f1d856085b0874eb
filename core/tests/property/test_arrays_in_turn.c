/* One array after another in the same process, which keeps the memory of closed ones: each begins
 * with the fill value, and holds what was written into it, whatever the arrays before it held.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <xta/array.h>

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"
#include "util/kept_memory.h"

enum { MOST_SIDE = 600 };

static test_story story;
static char path[TEST_PATH_BYTES];
static xta_error err;
static int64_t expected[MOST_SIDE * MOST_SIDE], found[MOST_SIDE * MOST_SIDE];

typedef struct random_array {
    xta_array *array;
    int64_t side, fill;
    bool in_memory;
} random_array;

static random_array make_array(test_random *random)
{
    static const int64_t sides[] = {3, 16, 64, 181, 256};
    const int64_t side = test_random_in(random, 1, MOST_SIDE), bounds[2] = {side, side};
    const int64_t chunk[2] = {sides[test_random_in(random, 0, 4)],
                              sides[test_random_in(random, 0, 4)]};
    random_array made = {.side = side, .fill = test_random_chance(random, 50) ? 0 : 77};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    options.chunk = chunk;
    options.fill = &made.fill;
    options.access = test_random_chance(random, 80) ? XTA_ACCESS_CACHED : XTA_ACCESS_MAPPED;
    // Some caches hold a few chunks, and write others back to use their memory.
    options.cache_bytes = (uint64_t)1 << test_random_in(random, 16, 26);
    made.in_memory = test_random_chance(random, 50);
    STORY_OK(&story,
             made.in_memory
                 ? xta_array_new(XTA_I64, 2, bounds, &options, &made.array, &err)
                 : xta_array_create(path, XTA_I64, 2, bounds, &options, &made.array, &err),
             err);
    return made;
}

static void compare(const random_array *made, const char *when)
{
    const xta_box all = {.ndim = 2, .hi = {made->side, made->side}};
    const size_t n = (size_t)(made->side * made->side);

    STORY_OK(&story, xta_array_read(made->array, &all, NULL, found, &err), err);
    for (size_t i = 0; i < n; i++) {
        STORY_CHECK(&story, found[i] == expected[i], "%s: cell %zu is %lld instead of %lld", when,
                    i, (long long)found[i], (long long)expected[i]);
    }
}

static void write_boxes(const random_array *made, test_random *random)
{
    const int64_t side = made->side;

    for (int64_t k = test_random_in(random, 1, 5); k > 0; k--) {
        int64_t value = test_random_in(random, -1, 1000);
        xta_box box = {
            .ndim = 2,
            .lo = {test_random_in(random, 0, side - 1), test_random_in(random, 0, side - 1)}};
        box.hi[0] = test_random_in(random, box.lo[0] + 1, side);
        box.hi[1] = test_random_in(random, box.lo[1] + 1, side);
        STORY_OK(&story, xta_array_fill(made->array, &box, &value, &err), err);
        for (int64_t y = box.lo[0]; y < box.hi[0]; y++) {
            for (int64_t x = box.lo[1]; x < box.hi[1]; x++) {
                expected[y * side + x] = value;
            }
        }
    }
}

static void use_one(test_random *random)
{
    random_array made = make_array(random);

    test_story_add(&story, "side %lld, fill %lld, %s", (long long)made.side, (long long)made.fill,
                   made.in_memory ? "in memory" : "in a file");
    for (int64_t i = 0; i < made.side * made.side; i++) {
        expected[i] = made.fill;
    }
    // Cells that nobody has read are loaded when a chunk is completed.
    if (test_random_chance(random, 70)) {
        compare(&made, "before it is written");
    }
    write_boxes(&made, random);
    compare(&made, "written");
    STORY_OK(&story, xta_array_close(made.array, &err), err);
    if (!made.in_memory) {
        STORY_OK(&story, xta_array_open(path, NULL, &made.array, &err), err);
        compare(&made, "opened again");
        STORY_OK(&story, xta_array_close(made.array, &err), err);
        test_pair_remove(path);
    }
}

int main(void)
{
    uint64_t seed = test_seed("test_arrays_in_turn", 1);
    const char *only = getenv("XTA_PART");
    test_folder folder;

    test_folder_make_fast(&folder);
    test_folder_join(&folder, "a", path);
    for (uint64_t part = 0, n = test_scale(20); part < n; part++) {
        test_random random = test_random_make(seed, part);
        if (only != NULL && part != strtoull(only, NULL, 10)) {
            continue;
        }
        test_story_begin(&story, "test_arrays_in_turn", seed, part);
        for (int k = 0; k < 20; k++) {
            use_one(&random);
        }
    }
    STORY_CHECK(&story, only != NULL || xta__kept_release() > 0, "no memory was kept");
    test_folder_remove(&folder);
    return 0;
}
