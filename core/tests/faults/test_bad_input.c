/* Bad arguments: a clear error, and nothing changed.
 *
 * Wrong boxes, types, options and attributes; values that do not fit; bounds that overflow. Each
 * error must say so in one line of text. (Faults of the file system: test_bad_place. Damaged files:
 * test_bad_files.)
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "small.h"

#define LIMIT ((int64_t)1 << 62)

/* ---- creation ---- */

static void refuse_creation(xta_status expected, xta_type type, int ndim, const int64_t bounds[],
                            const xta_create_options *options)
{
    char path[TEST_PATH_BYTES];
    xta_array *array = (xta_array *)&small_err;

    STORY_FAILS(&small_story, xta_array_new(type, ndim, bounds, options, &array, &small_err),
                expected, small_err);
    STORY_CHECK(&small_story, array == NULL, "a refused array is not NULL");
    array = (xta_array *)&small_err;
    test_folder_join(&small_folder, "refused", path);
    STORY_FAILS(&small_story,
                xta_array_create(path, type, ndim, bounds, options, &array, &small_err), expected,
                small_err);
    STORY_CHECK(&small_story, array == NULL, "a refused array is not NULL");
    STORY_FAILS(&small_story, xta_array_open(path, NULL, &array, &small_err), XTA_ENOENT,
                small_err);
    char file[TEST_PATH_BYTES + 8];
    snprintf(file, sizeof(file), "%s.xmd", path);
    STORY_CHECK(&small_story, access(file, F_OK) != 0, "a refused array left a journal");
    snprintf(file, sizeof(file), "%s.xta", path);
    STORY_CHECK(&small_story, access(file, F_OK) != 0, "a refused array left a data file");
}

static void bad_creations(void)
{
    const xta_create_options plain = XTA_CREATE_OPTIONS_INIT;
    xta_create_options options = plain;
    int64_t many[XTA_MAX_NDIM + 1] = {0};

    test_story_add(&small_story, "bad creations");
    refuse_creation(XTA_EARG, XTA_I16, 0, small_bounds, NULL);
    refuse_creation(XTA_EARG, XTA_I16, -1, small_bounds, NULL);
    refuse_creation(XTA_EARG, XTA_I16, XTA_MAX_NDIM + 1, many, NULL);
    refuse_creation(XTA_EARG, XTA_I16, 2, (int64_t[]){5, -1}, NULL);
    refuse_creation(XTA_EARG, XTA_TEXT, 2, small_bounds, NULL);
    refuse_creation(XTA_EARG, (xta_type)0, 2, small_bounds, NULL);
    refuse_creation(XTA_EARG, (xta_type)99, 2, small_bounds, NULL);
    refuse_creation(XTA_EARG, XTA_BYTES, 2, small_bounds, NULL); // no cell_bytes
    options.chunk = (int64_t[]){2, 0};
    refuse_creation(XTA_EARG, XTA_I16, 2, small_bounds, &options);
    options.chunk = (int64_t[]){-2, 1};
    refuse_creation(XTA_EARG, XTA_I16, 2, small_bounds, &options);
    options.chunk = small_chunk;
    options.order = XTA_MORTON;
    refuse_creation(XTA_EARG, XTA_I16, 2, small_bounds, &options);
    options.order = XTA_HILBERT;
    refuse_creation(XTA_EARG, XTA_I16, 2, small_bounds, &options);
    options.order = (xta_order)17;
    refuse_creation(XTA_EARG, XTA_I16, 2, small_bounds, &options);
    options = plain;
    options.policy = (xta_policy)17;
    refuse_creation(XTA_EARG, XTA_I16, 2, small_bounds, &options);
    options.policy = XTA_EXPONENTIAL;
    options.policy_amount = 1;
    refuse_creation(XTA_EARG, XTA_I16, 2, small_bounds, &options);
    options = plain;
    options.layout = (xta_layout)17;
    refuse_creation(XTA_EARG, XTA_I16, 2, small_bounds, &options);
    options = plain;
    options.names = (const char *const[]){"x", "x"};
    xta_array *array = NULL;
    STORY_CHECK(&small_story,
                xta_array_new(XTA_I16, 2, small_bounds, &options, &array, &small_err) != XTA_OK,
                "two axes of one name");
}

static void overflowing_creations(void)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    test_story_add(&small_story, "creations that overflow");
    options.chunk = (int64_t[]){1, 1};
    refuse_creation(XTA_EOVERFLOW, XTA_I16, 2, (int64_t[]){LIMIT - 1, 4}, &options);
    refuse_creation(XTA_EARG, XTA_I16, 2, (int64_t[]){INT64_MAX, 1}, &options);
    refuse_creation(XTA_EOVERFLOW, XTA_I16, 2, (int64_t[]){(int64_t)1 << 31, (int64_t)1 << 31},
                    &options);
    options.chunk = (int64_t[]){(int64_t)1 << 31, (int64_t)1 << 31};
    refuse_creation(XTA_EOVERFLOW, XTA_I16, 2, small_bounds, &options);
    options.chunk = (int64_t[]){INT64_MAX, INT64_MAX};
    refuse_creation(XTA_EARG, XTA_I16, 2, small_bounds, &options);
}

/* ---- structure ---- */

static void refuse_growth(xta_array *array, xta_status expected, const xta_growth *growths, int n)
{
    xta_box after = {.ndim = 77};
    STORY_FAILS(&small_story, xta_array_extend(array, growths, n, &after, &small_err), expected,
                small_err);
    small_unchanged(array);
}

static void bad_growths(xta_array *array)
{
    test_story_add(&small_story, "bad growths");
    refuse_growth(array, XTA_EARG, &(xta_growth){2, XTA_BACK, 1}, 1);
    refuse_growth(array, XTA_EARG, &(xta_growth){-1, XTA_BACK, 1}, 1);
    refuse_growth(array, XTA_EARG, &(xta_growth){0, XTA_BACK, -1}, 1);
    refuse_growth(array, XTA_EARG, &(xta_growth){0, (xta_side)5, 1}, 1);
    refuse_growth(array, XTA_EARG, &(xta_growth){0, XTA_BACK, 1}, 0);
    refuse_growth(array, XTA_EARG, &(xta_growth){0, XTA_BACK, 1}, -3);
    refuse_growth(array, XTA_EARG, (xta_growth[]){{0, XTA_BACK, 1}, {5, XTA_BACK, 1}}, 2);
    refuse_growth(array, XTA_EOVERFLOW, &(xta_growth){0, XTA_BACK, LIMIT}, 1);
    refuse_growth(array, XTA_EOVERFLOW, &(xta_growth){0, XTA_FRONT, INT64_MAX}, 1);
    refuse_growth(array, XTA_EOVERFLOW,
                  (xta_growth[]){{0, XTA_BACK, LIMIT - 100}, {0, XTA_BACK, LIMIT - 100}}, 2);
    refuse_growth(array, XTA_EOVERFLOW,
                  (xta_growth[]){{0, XTA_BACK, LIMIT / 2}, {1, XTA_BACK, LIMIT / 2}}, 2);
    refuse_growth(array, XTA_EOVERFLOW,
                  (xta_growth[]){{1, XTA_FRONT, 1}, {1, XTA_FRONT, LIMIT - 2}}, 2);
}

static void bad_shrinks_and_axes(xta_array *array)
{
    xta_box after;
    test_story_add(&small_story, "bad shrinks and axes");
    const xta_growth too_much = {0, XTA_BACK, 6};
    STORY_FAILS(&small_story, xta_array_shrink(array, &too_much, 1, &after, &small_err), XTA_EBOX,
                small_err);
    small_unchanged(array);
    const xta_growth together[] = {{0, XTA_BACK, 3}, {0, XTA_FRONT, 3}};
    STORY_FAILS(&small_story, xta_array_shrink(array, together, 2, &after, &small_err), XTA_EBOX,
                small_err);
    small_unchanged(array);
    const xta_growth negative = {1, XTA_BACK, -2};
    STORY_FAILS(&small_story, xta_array_shrink(array, &negative, 1, &after, &small_err), XTA_EARG,
                small_err);
    const xta_growth no_axis = {2, XTA_BACK, 1};
    STORY_FAILS(&small_story, xta_array_shrink(array, &no_axis, 1, &after, &small_err), XTA_EARG,
                small_err);
    STORY_FAILS(&small_story, xta_array_add_axis(array, -1, NULL, &small_err), XTA_EARG, small_err);
    STORY_FAILS(&small_story, xta_array_add_axis(array, 3, NULL, &small_err), XTA_EARG, small_err);
    small_unchanged(array);
}

static void too_many_axes(void)
{
    xta_array *array = NULL;
    int64_t bounds[XTA_MAX_NDIM];
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        bounds[axis] = 1;
    }
    STORY_OK(&small_story, xta_array_new(XTA_U8, XTA_MAX_NDIM, bounds, NULL, &array, &small_err),
             small_err);
    STORY_FAILS(&small_story, xta_array_add_axis(array, 0, NULL, &small_err), XTA_EARG, small_err);
    STORY_CHECK(&small_story, xta_array_ndim(array) == XTA_MAX_NDIM, "an axis too many");
    STORY_OK(&small_story, xta_array_close(array, &small_err), small_err);
}

/* ---- cells ---- */

static void refuse_io(xta_array *array, xta_status expected, xta_box box,
                      const xta_io_options *options)
{
    uint8_t block[4096];
    uint8_t before[4096];

    memset(block, 0x5a, sizeof(block));
    memcpy(before, block, sizeof(block));
    STORY_FAILS(&small_story, xta_array_read(array, &box, options, block, &small_err), expected,
                small_err);
    STORY_CHECK(&small_story, expected == XTA_ERANGE || memcmp(block, before, sizeof(block)) == 0,
                "a refused read touched its buffer");
    STORY_FAILS(&small_story, xta_array_write(array, &box, options, before, &small_err), expected,
                small_err);
    small_unchanged(array);
}

static void bad_boxes(xta_array *array)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    const xta_box good = {.ndim = 2, .hi = {5, 4}};
    uint8_t cell[16] = {0};

    test_story_add(&small_story, "bad boxes and options");
    refuse_io(array, XTA_EBOX, (xta_box){.ndim = 2, .hi = {6, 4}}, NULL);
    refuse_io(array, XTA_EBOX, (xta_box){.ndim = 2, .lo = {-1, 0}, .hi = {5, 4}}, NULL);
    refuse_io(array, XTA_EBOX, (xta_box){.ndim = 2, .lo = {0, INT64_MIN}, .hi = {5, INT64_MAX}},
              NULL);
    options.step = (int64_t[]){1, 0};
    refuse_io(array, XTA_EARG, good, &options);
    options.step = (int64_t[]){-1, 1};
    refuse_io(array, XTA_EARG, good, &options);
    options.step = NULL;
    options.order = XTA_MORTON;
    refuse_io(array, XTA_EARG, good, &options);
    options.order = XTA_ROW;
    options.type = XTA_BYTES;
    refuse_io(array, XTA_ETYPE, good, &options);
    xta_box other_ndim = {.ndim = 3, .hi = {1, 1, 1}};
    STORY_CHECK(&small_story, xta_array_read(array, &other_ndim, NULL, cell, &small_err) != XTA_OK,
                "a box of three axes is read from two");
    other_ndim.ndim = 0;
    STORY_CHECK(&small_story, xta_array_read(array, &other_ndim, NULL, cell, &small_err) != XTA_OK,
                "a box of no axes is read");
    other_ndim.ndim = 1000000;
    STORY_CHECK(&small_story, xta_array_fill(array, &other_ndim, cell, &small_err) != XTA_OK,
                "a box of a million axes is filled");
    STORY_FAILS(&small_story, xta_array_get(array, (int64_t[]){0, 4}, cell, &small_err), XTA_EBOX,
                small_err);
    STORY_FAILS(&small_story,
                xta_array_get(array, (int64_t[]){INT64_MIN, INT64_MAX}, cell, &small_err), XTA_EBOX,
                small_err);
    STORY_FAILS(&small_story, xta_array_put(array, (int64_t[]){-1, 0}, cell, &small_err), XTA_EBOX,
                small_err);
    small_unchanged(array);
}

static void bad_values(xta_array *array)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    const xta_box good = {.ndim = 2, .hi = {5, 4}};
    double values[20];
    int8_t small[20];

    test_story_add(&small_story, "values that do not fit");
    options.type = XTA_F64;
    for (int bad = 0; bad < 20; bad++) {
        static const double wrong[] = {32768, -32769, 0.5, 1e300};
        for (int i = 0; i < 20; i++) {
            values[i] = 100 + i;
        }
        values[bad] = wrong[bad % 4];
        STORY_FAILS(&small_story, xta_array_write(array, &good, &options, values, &small_err),
                    XTA_ERANGE, small_err);
        char coord[16];
        snprintf(coord, sizeof(coord), "%d,%d", bad / 4, bad % 4);
        small_names(coord);
        small_unchanged(array);
    }
    xta_growth growth = {0, XTA_BACK, 5};
    STORY_FAILS(&small_story, xta_array_append(array, &growth, &options, values, NULL, &small_err),
                XTA_ERANGE, small_err);
    small_unchanged(array);
    STORY_OK(&small_story, xta_array_put(array, (int64_t[]){4, 3}, &(int16_t){300}, &small_err),
             small_err);
    options.type = XTA_I8;
    STORY_FAILS(&small_story, xta_array_read(array, &good, &options, small, &small_err), XTA_ERANGE,
                small_err);
    small_names("4,3");
    STORY_OK(&small_story, xta_array_put(array, (int64_t[]){4, 3}, &(int16_t){19}, &small_err),
             small_err);
    small_unchanged(array);
}

static void bad_addresses(xta_array *array)
{
    uint64_t address;
    xta_location location;
    xta_chunk chunk;
    int64_t coord[2];

    test_story_add(&small_story, "bad addresses");
    STORY_FAILS(&small_story,
                xta_array_chunk_address(array, (int64_t[]){3, 0}, &address, &small_err), XTA_EBOX,
                small_err);
    STORY_FAILS(
        &small_story,
        xta_array_chunk_address(array, (int64_t[]){INT64_MIN, INT64_MAX}, &address, &small_err),
        XTA_EBOX, small_err);
    STORY_FAILS(&small_story, xta_array_chunk_at(array, 6, &chunk, &small_err), XTA_EBOX,
                small_err);
    STORY_FAILS(&small_story, xta_array_chunk_at(array, UINT64_MAX, &chunk, &small_err), XTA_EBOX,
                small_err);
    STORY_FAILS(&small_story, xta_array_locate(array, (int64_t[]){5, 0}, &location, &small_err),
                XTA_EBOX, small_err);
    STORY_FAILS(&small_story, xta_array_cell_at(array, UINT64_MAX, coord, NULL, &small_err),
                XTA_EBOX, small_err);
    STORY_FAILS(&small_story, xta_array_cell_at(array, 6 * 12, coord, NULL, &small_err), XTA_EBOX,
                small_err);
    xta_segment segment;
    STORY_FAILS(&small_story, xta_array_segment(array, UINT64_MAX, &segment, &small_err), XTA_EARG,
                small_err);
}

static void bad_attributes(xta_array *array)
{
    char name[300];
    xta_attribute attribute = {.name = "a", .type = XTA_F64, .count = 1, .values = &(double){1}};

    test_story_add(&small_story, "bad attributes");
    STORY_FAILS(&small_story, xta_attribute_set(array, 2, &attribute, &small_err), XTA_EARG,
                small_err);
    STORY_FAILS(&small_story, xta_attribute_set(array, -2, &attribute, &small_err), XTA_EARG,
                small_err);
    attribute.name = "";
    STORY_FAILS(&small_story, xta_attribute_set(array, 0, &attribute, &small_err), XTA_EARG,
                small_err);
    attribute.name = "a\nb";
    STORY_FAILS(&small_story, xta_attribute_set(array, 0, &attribute, &small_err), XTA_EARG,
                small_err);
    memset(name, 'n', sizeof(name));
    name[256] = '\0';
    attribute.name = name;
    STORY_FAILS(&small_story, xta_attribute_set(array, 0, &attribute, &small_err), XTA_EARG,
                small_err);
    attribute.name = "a";
    attribute.type = (xta_type)99;
    STORY_FAILS(&small_story, xta_attribute_set(array, 0, &attribute, &small_err), XTA_EARG,
                small_err);
    attribute.type = XTA_F64;
    attribute.count = ((size_t)64 << 20) / 8 + 1;
    STORY_FAILS(&small_story, xta_attribute_set(array, 0, &attribute, &small_err), XTA_EARG,
                small_err);
    attribute.count = SIZE_MAX / 4;
    STORY_FAILS(&small_story, xta_attribute_set(array, 0, &attribute, &small_err), XTA_EARG,
                small_err);
    STORY_FAILS(&small_story, xta_attribute_get(array, 0, "a", &attribute, &small_err), XTA_ENOENT,
                small_err);
    STORY_FAILS(&small_story, xta_attribute_remove(array, 0, "a", &small_err), XTA_ENOENT,
                small_err);
    STORY_CHECK(&small_story, xta_attribute_count(array, 9) == 0, "attributes of no axis");
    int axis = 77;
    STORY_FAILS(&small_story, xta_axis_find(array, "nowhere", &axis, &small_err), XTA_ENOENT,
                small_err);
    STORY_CHECK(&small_story, axis == 77, "a failed search set its result");
    small_unchanged(array);
}

static void arguments(const char *path)
{
    xta_array *array = small_make(path);
    bad_growths(array);
    bad_shrinks_and_axes(array);
    bad_boxes(array);
    bad_values(array);
    bad_addresses(array);
    bad_attributes(array);
    small_unchanged(array);
    STORY_OK(&small_story, xta_array_close(array, &small_err), small_err);
}

int main(void)
{
    char path[TEST_PATH_BYTES];

    test_story_begin(&small_story, "test_bad_input", 0, 0);
    test_folder_make(&small_folder);
    bad_creations();
    overflowing_creations();
    too_many_axes();
    arguments(NULL);
    arguments(test_folder_join(&small_folder, "a", path));
    test_folder_remove(&small_folder);
    printf("test_bad_input: done\n");
    return 0;
}
