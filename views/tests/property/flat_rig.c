/* Random arrays for the tests of flat files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "property/flat_rig.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_NDIM = 5, MOST_CELLS = 6000 };

void rig_fill(test_story *story, test_random *random, xta_array *array)
{
    const xta_box bounds = xta_array_bounds(array);
    size_t bytes = xta_array_cell_bytes(array);
    uint64_t n = 0;
    xta_error err;

    STORY_OK(story, xta_box_cells(&bounds, &n), err);
    uint8_t *cells = malloc(n * bytes + 1);
    STORY_CHECK(story, cells != NULL, "out of memory");
    for (size_t k = 0; k < n * bytes; k++) {
        cells[k] = (uint8_t)test_random_u64(random);
        cells[k] = xta_array_type(array) == XTA_BOOL ? cells[k] & 1 : cells[k];
    }
    STORY_OK(story, xta_array_write(array, &bounds, NULL, cells, &err), err);
    free(cells);
}

/* Grow by a few cells at a random end of a random axis, while there are not too many. */
static void grow(test_story *story, test_random *random, xta_array *array)
{
    const xta_box bounds = xta_array_bounds(array);
    xta_growth growth = {.axis = (int)test_random_in(random, 0, bounds.ndim - 1),
                         .side = test_random_chance(random, 50) ? XTA_FRONT : XTA_BACK,
                         .by = test_random_in(random, 1, 7)};
    uint64_t n = 0;
    xta_error err;

    STORY_OK(story, xta_box_cells(&bounds, &n), err);
    if (n < MOST_CELLS) {
        STORY_OK(story, xta_array_extend(array, &growth, 1, NULL, &err), err);
    }
}

void rig_array(test_story *story, test_random *random, const char *path, xta_type type, bool empty)
{
    static const char *const names[MOST_NDIM] = {"time", "y", "x", NULL, "a/b"};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    int ndim = (int)test_random_in(random, 1, MOST_NDIM);
    int64_t bounds[MOST_NDIM], chunk[MOST_NDIM];
    xta_array *array = NULL;
    xta_error err;

    for (int axis = 0; axis < ndim; axis++) {
        bounds[axis] = test_random_in(random, empty ? 0 : 1, 6);
        chunk[axis] = test_random_in(random, 1, 5);
    }
    options.chunk = chunk;
    options.order = test_random_chance(random, 50) ? XTA_COLUMN : XTA_ROW;
    options.names = names;
    options.cell_bytes = (uint32_t)test_random_in(random, 1, 9);
    type = type != XTA_TYPE_SAME ? type : (xta_type)test_random_in(random, XTA_BOOL, XTA_BYTES);
    STORY_OK(story, xta_array_create(path, type, ndim, bounds, &options, &array, &err), err);
    for (int k = (int)test_random_in(random, 0, 6); k > 0; k--) {
        grow(story, random, array);
    }
    rig_fill(story, random, array);
    STORY_OK(story, xta_array_close(array, &err), err);
}
