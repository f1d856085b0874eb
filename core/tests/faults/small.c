/* A small array that bad input must not change.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "small.h"

#include <string.h>

test_story small_story;
test_folder small_folder;
xta_error small_err;

const int64_t small_chunk[] = {2, 3};
const int64_t small_bounds[] = {5, 4};

xta_array *small_make(const char *path)
{
    xta_array *array = NULL;
    int16_t cells[20];
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    for (int16_t i = 0; i < 20; i++) {
        cells[i] = i;
    }
    options.chunk = small_chunk;
    if (path != NULL) {
        STORY_OK(&small_story,
                 xta_array_create(path, XTA_I16, 2, small_bounds, &options, &array, &small_err),
                 small_err);
    } else {
        STORY_OK(&small_story,
                 xta_array_new(XTA_I16, 2, small_bounds, &options, &array, &small_err), small_err);
    }
    xta_box all = xta_array_bounds(array);
    STORY_OK(&small_story, xta_array_write(array, &all, NULL, cells, &small_err), small_err);
    return array;
}

void small_unchanged(xta_array *array)
{
    int16_t cells[20];
    xta_box bounds = {.ndim = 2, .hi = {5, 4}};
    xta_box has = xta_array_bounds(array);
    xta_array_info info;

    STORY_CHECK(&small_story, xta_box_equal(&has, &bounds), "the bounds changed");
    STORY_OK(&small_story, xta_array_inquire(array, &info, &small_err), small_err);
    STORY_CHECK(&small_story, info.n_chunks == 6 && info.n_segments == 1, "chunks were allocated");
    STORY_OK(&small_story, xta_array_read(array, &bounds, NULL, cells, &small_err), small_err);
    for (int i = 0; i < 20; i++) {
        STORY_CHECK(&small_story, cells[i] == i, "cell %d changed to %d", i, cells[i]);
    }
    STORY_CHECK(&small_story, xta_attribute_count(array, XTA_ON_ARRAY) == 0,
                "an attribute appeared");
}

void small_names(const char *what)
{
    STORY_CHECK(&small_story, strstr(small_err.text, what) != NULL, "the text does not name %s: %s",
                what, small_err.text);
}
