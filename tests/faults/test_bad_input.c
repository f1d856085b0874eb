/* Bad arguments and bad surroundings: a clear error, and nothing changed.
 *
 * Wrong boxes, types and options; bounds that overflow; half of a pair missing; files of another
 * format; a folder that may not be written; a full disk. Each error must say so in one line of
 * text, and where a file is to blame the text must name it. (Damaged journals and data files:
 * test_bad_files.)
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <xta/attribute.h>

#include "oracle/cells.h"
#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

#define LIMIT ((int64_t)1 << 62)

static test_story story;
static test_folder folder;
static xta_error err;

static const int64_t chunk_2x3[] = {2, 3};
static const int64_t bounds_5x4[] = {5, 4};

/* An array of 5 x 4 int16 cells that holds 0, 1, 2 ...; `path` NULL: in memory. */
static xta_array *make(const char *path)
{
    xta_array *array = NULL;
    int16_t cells[20];
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    for (int16_t i = 0; i < 20; i++) {
        cells[i] = i;
    }
    options.chunk = chunk_2x3;
    if (path != NULL) {
        STORY_OK(&story, xta_array_create(path, XTA_I16, 2, bounds_5x4, &options, &array, &err),
                 err);
    } else {
        STORY_OK(&story, xta_array_new(XTA_I16, 2, bounds_5x4, &options, &array, &err), err);
    }
    xta_box all = xta_array_bounds(array);
    STORY_OK(&story, xta_array_write(array, &all, NULL, cells, &err), err);
    return array;
}

/* It is still what `make` made. */
static void unchanged(xta_array *array)
{
    int16_t cells[20];
    xta_box bounds = {.ndim = 2, .hi = {5, 4}};
    xta_box has = xta_array_bounds(array);
    xta_array_info info;

    STORY_CHECK(&story, xta_box_equal(&has, &bounds), "the bounds changed");
    STORY_OK(&story, xta_array_inquire(array, &info, &err), err);
    STORY_CHECK(&story, info.n_chunks == 6 && info.n_segments == 1, "chunks were allocated");
    STORY_OK(&story, xta_array_read(array, &bounds, NULL, cells, &err), err);
    for (int i = 0; i < 20; i++) {
        STORY_CHECK(&story, cells[i] == i, "cell %d changed to %d", i, cells[i]);
    }
    STORY_CHECK(&story, xta_attribute_count(array, XTA_ON_ARRAY) == 0, "an attribute appeared");
}

static void names(const char *what)
{
    STORY_CHECK(&story, strstr(err.text, what) != NULL, "the text does not name %s: %s", what,
                err.text);
}

/* ---- creation ---- */

static void refuse_creation(xta_status expected, xta_type type, int ndim, const int64_t bounds[],
                            const xta_create_options *options)
{
    char path[TEST_PATH_BYTES];
    xta_array *array = (xta_array *)&err;

    STORY_FAILS(&story, xta_array_new(type, ndim, bounds, options, &array, &err), expected, err);
    STORY_CHECK(&story, array == NULL, "a refused array is not NULL");
    array = (xta_array *)&err;
    test_folder_join(&folder, "refused", path);
    STORY_FAILS(&story, xta_array_create(path, type, ndim, bounds, options, &array, &err), expected,
                err);
    STORY_CHECK(&story, array == NULL, "a refused array is not NULL");
    STORY_FAILS(&story, xta_array_open(path, NULL, &array, &err), XTA_ENOENT, err);
    char file[TEST_PATH_BYTES + 8];
    snprintf(file, sizeof(file), "%s.xmd", path);
    STORY_CHECK(&story, access(file, F_OK) != 0, "a refused array left a journal");
    snprintf(file, sizeof(file), "%s.xta", path);
    STORY_CHECK(&story, access(file, F_OK) != 0, "a refused array left a data file");
}

static void bad_creations(void)
{
    const xta_create_options plain = XTA_CREATE_OPTIONS_INIT;
    xta_create_options options = plain;
    int64_t many[XTA_MAX_NDIM + 1] = {0};

    test_story_add(&story, "bad creations");
    refuse_creation(XTA_EARG, XTA_I16, 0, bounds_5x4, NULL);
    refuse_creation(XTA_EARG, XTA_I16, -1, bounds_5x4, NULL);
    refuse_creation(XTA_EARG, XTA_I16, XTA_MAX_NDIM + 1, many, NULL);
    refuse_creation(XTA_EARG, XTA_I16, 2, (int64_t[]){5, -1}, NULL);
    refuse_creation(XTA_EARG, XTA_TEXT, 2, bounds_5x4, NULL);
    refuse_creation(XTA_EARG, (xta_type)0, 2, bounds_5x4, NULL);
    refuse_creation(XTA_EARG, (xta_type)99, 2, bounds_5x4, NULL);
    refuse_creation(XTA_EARG, XTA_BYTES, 2, bounds_5x4, NULL); // no cell_bytes
    options.chunk = (int64_t[]){2, 0};
    refuse_creation(XTA_EARG, XTA_I16, 2, bounds_5x4, &options);
    options.chunk = (int64_t[]){-2, 1};
    refuse_creation(XTA_EARG, XTA_I16, 2, bounds_5x4, &options);
    options.chunk = chunk_2x3;
    options.order = XTA_MORTON;
    refuse_creation(XTA_EARG, XTA_I16, 2, bounds_5x4, &options);
    options.order = XTA_HILBERT;
    refuse_creation(XTA_EARG, XTA_I16, 2, bounds_5x4, &options);
    options.order = (xta_order)17;
    refuse_creation(XTA_EARG, XTA_I16, 2, bounds_5x4, &options);
    options = plain;
    options.policy = (xta_policy)17;
    refuse_creation(XTA_EARG, XTA_I16, 2, bounds_5x4, &options);
    options.policy = XTA_EXPONENTIAL;
    options.policy_amount = 1;
    refuse_creation(XTA_EARG, XTA_I16, 2, bounds_5x4, &options);
    options = plain;
    options.layout = (xta_layout)17;
    refuse_creation(XTA_EARG, XTA_I16, 2, bounds_5x4, &options);
    options = plain;
    options.names = (const char *const[]){"x", "x"};
    xta_array *array = NULL;
    STORY_CHECK(&story, xta_array_new(XTA_I16, 2, bounds_5x4, &options, &array, &err) != XTA_OK,
                "two axes of one name");
}

static void overflowing_creations(void)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    test_story_add(&story, "creations that overflow");
    options.chunk = (int64_t[]){1, 1};
    refuse_creation(XTA_EOVERFLOW, XTA_I16, 2, (int64_t[]){LIMIT - 1, 4}, &options);
    refuse_creation(XTA_EARG, XTA_I16, 2, (int64_t[]){INT64_MAX, 1}, &options);
    refuse_creation(XTA_EOVERFLOW, XTA_I16, 2, (int64_t[]){(int64_t)1 << 31, (int64_t)1 << 31},
                    &options);
    options.chunk = (int64_t[]){(int64_t)1 << 31, (int64_t)1 << 31};
    refuse_creation(XTA_EOVERFLOW, XTA_I16, 2, bounds_5x4, &options);
    options.chunk = (int64_t[]){INT64_MAX, INT64_MAX};
    refuse_creation(XTA_EARG, XTA_I16, 2, bounds_5x4, &options);
}

/* ---- structure ---- */

static void refuse_growth(xta_array *array, xta_status expected, const xta_growth *growths, int n)
{
    xta_box after = {.ndim = 77};
    STORY_FAILS(&story, xta_array_extend(array, growths, n, &after, &err), expected, err);
    unchanged(array);
}

static void bad_growths(xta_array *array)
{
    test_story_add(&story, "bad growths");
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
    test_story_add(&story, "bad shrinks and axes");
    const xta_growth too_much = {0, XTA_BACK, 6};
    STORY_FAILS(&story, xta_array_shrink(array, &too_much, 1, &after, &err), XTA_EBOX, err);
    unchanged(array);
    const xta_growth together[] = {{0, XTA_BACK, 3}, {0, XTA_FRONT, 3}};
    STORY_FAILS(&story, xta_array_shrink(array, together, 2, &after, &err), XTA_EBOX, err);
    unchanged(array);
    const xta_growth negative = {1, XTA_BACK, -2};
    STORY_FAILS(&story, xta_array_shrink(array, &negative, 1, &after, &err), XTA_EARG, err);
    const xta_growth no_axis = {2, XTA_BACK, 1};
    STORY_FAILS(&story, xta_array_shrink(array, &no_axis, 1, &after, &err), XTA_EARG, err);
    STORY_FAILS(&story, xta_array_add_axis(array, -1, NULL, &err), XTA_EARG, err);
    STORY_FAILS(&story, xta_array_add_axis(array, 3, NULL, &err), XTA_EARG, err);
    unchanged(array);
}

static void too_many_axes(void)
{
    xta_array *array = NULL;
    int64_t bounds[XTA_MAX_NDIM];
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        bounds[axis] = 1;
    }
    STORY_OK(&story, xta_array_new(XTA_U8, XTA_MAX_NDIM, bounds, NULL, &array, &err), err);
    STORY_FAILS(&story, xta_array_add_axis(array, 0, NULL, &err), XTA_EARG, err);
    STORY_CHECK(&story, xta_array_ndim(array) == XTA_MAX_NDIM, "an axis too many");
    STORY_OK(&story, xta_array_close(array, &err), err);
}

/* ---- cells ---- */

static void refuse_io(xta_array *array, xta_status expected, xta_box box,
                      const xta_io_options *options)
{
    uint8_t block[4096];
    uint8_t before[4096];

    memset(block, 0x5a, sizeof(block));
    memcpy(before, block, sizeof(block));
    STORY_FAILS(&story, xta_array_read(array, &box, options, block, &err), expected, err);
    STORY_CHECK(&story, expected == XTA_ERANGE || memcmp(block, before, sizeof(block)) == 0,
                "a refused read touched its buffer");
    STORY_FAILS(&story, xta_array_write(array, &box, options, before, &err), expected, err);
    unchanged(array);
}

static void bad_boxes(xta_array *array)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    const xta_box good = {.ndim = 2, .hi = {5, 4}};
    uint8_t cell[16] = {0};

    test_story_add(&story, "bad boxes and options");
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
    STORY_CHECK(&story, xta_array_read(array, &other_ndim, NULL, cell, &err) != XTA_OK,
                "a box of three axes is read from two");
    other_ndim.ndim = 0;
    STORY_CHECK(&story, xta_array_read(array, &other_ndim, NULL, cell, &err) != XTA_OK,
                "a box of no axes is read");
    other_ndim.ndim = 1000000;
    STORY_CHECK(&story, xta_array_fill(array, &other_ndim, cell, &err) != XTA_OK,
                "a box of a million axes is filled");
    STORY_FAILS(&story, xta_array_get(array, (int64_t[]){0, 4}, cell, &err), XTA_EBOX, err);
    STORY_FAILS(&story, xta_array_get(array, (int64_t[]){INT64_MIN, INT64_MAX}, cell, &err),
                XTA_EBOX, err);
    STORY_FAILS(&story, xta_array_put(array, (int64_t[]){-1, 0}, cell, &err), XTA_EBOX, err);
    unchanged(array);
}

static void bad_values(xta_array *array)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    const xta_box good = {.ndim = 2, .hi = {5, 4}};
    double values[20];
    int8_t small[20];

    test_story_add(&story, "values that do not fit");
    options.type = XTA_F64;
    for (int bad = 0; bad < 20; bad++) {
        static const double wrong[] = {32768, -32769, 0.5, 1e300};
        for (int i = 0; i < 20; i++) {
            values[i] = 100 + i;
        }
        values[bad] = wrong[bad % 4];
        STORY_FAILS(&story, xta_array_write(array, &good, &options, values, &err), XTA_ERANGE, err);
        char coord[16];
        snprintf(coord, sizeof(coord), "%d,%d", bad / 4, bad % 4);
        names(coord);
        unchanged(array);
    }
    xta_growth growth = {0, XTA_BACK, 5};
    STORY_FAILS(&story, xta_array_append(array, &growth, &options, values, NULL, &err), XTA_ERANGE,
                err);
    unchanged(array);
    STORY_OK(&story, xta_array_put(array, (int64_t[]){4, 3}, &(int16_t){300}, &err), err);
    options.type = XTA_I8;
    STORY_FAILS(&story, xta_array_read(array, &good, &options, small, &err), XTA_ERANGE, err);
    names("4,3");
    STORY_OK(&story, xta_array_put(array, (int64_t[]){4, 3}, &(int16_t){19}, &err), err);
    unchanged(array);
}

static void bad_addresses(xta_array *array)
{
    uint64_t address;
    xta_location location;
    xta_chunk chunk;
    int64_t coord[2];

    test_story_add(&story, "bad addresses");
    STORY_FAILS(&story, xta_array_chunk_address(array, (int64_t[]){3, 0}, &address, &err), XTA_EBOX,
                err);
    STORY_FAILS(&story,
                xta_array_chunk_address(array, (int64_t[]){INT64_MIN, INT64_MAX}, &address, &err),
                XTA_EBOX, err);
    STORY_FAILS(&story, xta_array_chunk_at(array, 6, &chunk, &err), XTA_EBOX, err);
    STORY_FAILS(&story, xta_array_chunk_at(array, UINT64_MAX, &chunk, &err), XTA_EBOX, err);
    STORY_FAILS(&story, xta_array_locate(array, (int64_t[]){5, 0}, &location, &err), XTA_EBOX, err);
    STORY_FAILS(&story, xta_array_cell_at(array, UINT64_MAX, coord, NULL, &err), XTA_EBOX, err);
    STORY_FAILS(&story, xta_array_cell_at(array, 6 * 12, coord, NULL, &err), XTA_EBOX, err);
    xta_segment segment;
    STORY_FAILS(&story, xta_array_segment(array, UINT64_MAX, &segment, &err), XTA_EARG, err);
}

static void bad_attributes(xta_array *array)
{
    char name[300];
    xta_attribute attribute = {.name = "a", .type = XTA_F64, .count = 1, .values = &(double){1}};

    test_story_add(&story, "bad attributes");
    STORY_FAILS(&story, xta_attribute_set(array, 2, &attribute, &err), XTA_EARG, err);
    STORY_FAILS(&story, xta_attribute_set(array, -2, &attribute, &err), XTA_EARG, err);
    attribute.name = "";
    STORY_FAILS(&story, xta_attribute_set(array, 0, &attribute, &err), XTA_EARG, err);
    attribute.name = "a\nb";
    STORY_FAILS(&story, xta_attribute_set(array, 0, &attribute, &err), XTA_EARG, err);
    memset(name, 'n', sizeof(name));
    name[256] = '\0';
    attribute.name = name;
    STORY_FAILS(&story, xta_attribute_set(array, 0, &attribute, &err), XTA_EARG, err);
    attribute.name = "a";
    attribute.type = (xta_type)99;
    STORY_FAILS(&story, xta_attribute_set(array, 0, &attribute, &err), XTA_EARG, err);
    attribute.type = XTA_F64;
    attribute.count = ((size_t)64 << 20) / 8 + 1;
    STORY_FAILS(&story, xta_attribute_set(array, 0, &attribute, &err), XTA_EARG, err);
    attribute.count = SIZE_MAX / 4;
    STORY_FAILS(&story, xta_attribute_set(array, 0, &attribute, &err), XTA_EARG, err);
    STORY_FAILS(&story, xta_attribute_get(array, 0, "a", &attribute, &err), XTA_ENOENT, err);
    STORY_FAILS(&story, xta_attribute_remove(array, 0, "a", &err), XTA_ENOENT, err);
    STORY_CHECK(&story, xta_attribute_count(array, 9) == 0, "attributes of no axis");
    int axis = 77;
    STORY_FAILS(&story, xta_axis_find(array, "nowhere", &axis, &err), XTA_ENOENT, err);
    STORY_CHECK(&story, axis == 77, "a failed search set its result");
    unchanged(array);
}

static void arguments(const char *path)
{
    xta_array *array = make(path);
    bad_growths(array);
    bad_shrinks_and_axes(array);
    bad_boxes(array);
    bad_values(array);
    bad_addresses(array);
    bad_attributes(array);
    unchanged(array);
    STORY_OK(&story, xta_array_close(array, &err), err);
}

/* ---- files ---- */

static void refuse_open(const char *path, xta_status expected)
{
    xta_array *array = (xta_array *)&err;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;

    STORY_FAILS(&story, xta_array_open(path, NULL, &array, &err), expected, err);
    STORY_CHECK(&story, array == NULL, "a failed open leaves a handle");
    const char *name = strrchr(path, '/') + 1;
    names(name);
    options.writable = true;
    array = (xta_array *)&err;
    STORY_FAILS(&story, xta_array_open(path, &options, &array, &err), expected, err);
    STORY_CHECK(&story, array == NULL, "a failed open leaves a handle");
    STORY_FAILS(&story, xta_array_load(path, &array, &err), expected, err);
    STORY_CHECK(&story, xta_check(path, NULL, NULL, &err) != XTA_OK, "check finds nothing");
}

static void missing_halves(void)
{
    char path[TEST_PATH_BYTES];
    char half[TEST_PATH_BYTES + 8];
    char aside[TEST_PATH_BYTES + 8];
    xta_array *array;
    static const char *const suffixes[] = {"xmd", "xta"};

    test_story_add(&story, "missing halves");
    test_folder_join(&folder, "half", path);
    refuse_open(path, XTA_ENOENT);
    STORY_FAILS(&story, xta_array_delete(path, &err), XTA_ENOENT, err);
    STORY_OK(&story, xta_array_close(make(path), &err), err);
    STORY_FAILS(&story, xta_array_create(path, XTA_I16, 2, bounds_5x4, NULL, &array, &err),
                XTA_EEXIST, err);
    for (int i = 0; i < 2; i++) {
        snprintf(half, sizeof(half), "%s.%s", path, suffixes[i]);
        snprintf(aside, sizeof(aside), "%s.aside", path);
        STORY_CHECK(&story, rename(half, aside) == 0, "rename");
        refuse_open(path, XTA_ENOENT);
        STORY_CHECK(&story, access(half, F_OK) != 0, "a failed open made a file");
        STORY_FAILS(&story, xta_array_create(path, XTA_I16, 2, bounds_5x4, NULL, &array, &err),
                    XTA_EEXIST, err);
        STORY_CHECK(&story, rename(aside, half) == 0, "rename");
    }
    STORY_OK(&story, xta_array_open(path, NULL, &array, &err), err);
    unchanged(array);
    STORY_OK(&story, xta_array_close(array, &err), err);
    STORY_OK(&story, xta_array_delete(path, &err), err);
}

static void other_formats(void)
{
    char path[TEST_PATH_BYTES];
    char file[TEST_PATH_BYTES + 8];
    uint8_t bytes[8192] = "\x89HDF\r\n\x1a\n";
    xta_array *array = NULL;

    test_story_add(&story, "files of another format");
    test_folder_join(&folder, "other", path);
    snprintf(file, sizeof(file), "%s.xta", path);
    test_file_write(file, bytes, sizeof(bytes));
    snprintf(file, sizeof(file), "%s.xmd", path);
    test_file_write(file, bytes, sizeof(bytes));
    refuse_open(path, XTA_EFORMAT);
    memset(bytes, 0, sizeof(bytes));
    test_file_write(file, bytes, sizeof(bytes));
    refuse_open(path, XTA_EFORMAT);
    test_file_write(file, "CDF\x01", 4);
    refuse_open(path, XTA_EFORMAT);
    test_random random = test_random_make(1, 1);
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)test_random_u64(&random);
    }
    test_file_write(file, bytes, sizeof(bytes));
    refuse_open(path, XTA_EFORMAT);
    unlink(file);
    STORY_CHECK(&story, mkdir(file, 0777) == 0, "mkdir");
    STORY_CHECK(&story, xta_array_open(path, NULL, &array, &err) != XTA_OK, "a folder is opened");
    names("other");
    rmdir(file);
    test_pair_remove(path);

    char nowhere[TEST_PATH_BYTES];
    test_folder_join(&folder, "no/such/folder/a", nowhere);
    STORY_FAILS(&story, xta_array_create(nowhere, XTA_I16, 2, bounds_5x4, NULL, &array, &err),
                XTA_ENOENT, err);
    STORY_FAILS(&story, xta_dataset_list(nowhere, NULL, NULL, &err), XTA_ENOENT, err);
}

/* ---- a folder that may not be written ---- */

/* In a child without privileges. The texts of failures come out as usual; its status is that
 * of the child. */
static void in_read_only_folder(const char *path, const char *fresh)
{
    xta_array *array = NULL;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;

    STORY_FAILS(&story, xta_array_create(fresh, XTA_I16, 2, bounds_5x4, NULL, &array, &err),
                XTA_EACCESS, err);
    names("fresh");
    options.writable = true;
    STORY_FAILS(&story, xta_array_open(path, &options, &array, &err), XTA_EACCESS, err);
    names("kept");
    STORY_FAILS(&story, xta_compact(path, NULL, NULL, &err), XTA_EACCESS, err);
    STORY_FAILS(&story, xta_array_delete(path, &err), XTA_EACCESS, err);
    STORY_OK(&story, xta_array_open(path, NULL, &array, &err), err);
    unchanged(array);
    STORY_FAILS(&story, xta_array_save(array, fresh, &err), XTA_EACCESS, err);
    STORY_OK(&story, xta_array_close(array, &err), err);
    STORY_OK(&story, xta_check(path, NULL, NULL, &err), err);
}

static void read_only_folder(void)
{
    char inner[TEST_PATH_BYTES];
    char path[TEST_PATH_BYTES + 8];
    char fresh[TEST_PATH_BYTES + 8];
    char file[TEST_PATH_BYTES + 16];

    test_story_add(&story, "a read-only folder");
    test_folder_join(&folder, "locked", inner);
    snprintf(path, sizeof(path), "%s/kept", inner);
    snprintf(fresh, sizeof(fresh), "%s/fresh", inner);
    STORY_CHECK(&story, mkdir(inner, 0755) == 0, "mkdir");
    STORY_OK(&story, xta_array_close(make(path), &err), err);
    snprintf(file, sizeof(file), "%s.xmd", path);
    STORY_CHECK(&story, chmod(file, 0444) == 0, "chmod");
    snprintf(file, sizeof(file), "%s.xta", path);
    STORY_CHECK(&story, chmod(file, 0444) == 0, "chmod");
    STORY_CHECK(&story, chmod(inner, 0555) == 0 && chmod(folder.path, 0755) == 0, "chmod");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0) {
            printf("SKIPPED: a read-only folder (cannot give up privileges)\n");
            exit(0);
        }
        in_read_only_folder(path, fresh);
        exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    STORY_CHECK(&story, status == 0, "the child failed (status %d)", status);
    STORY_CHECK(&story, chmod(inner, 0755) == 0, "chmod");
}

/* ---- a full disk ---- */

/* Take all space but about `leave` bytes. */
static void take_space(const char *ballast, size_t leave)
{
    static uint8_t bytes[4096];
    int fd = open(ballast, O_WRONLY | O_CREAT | O_APPEND, 0666);
    memset(bytes, 1, sizeof(bytes));
    off_t n = 0;
    while (write(fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes)) {
        n += (off_t)sizeof(bytes);
    }
    off_t keep = n > (off_t)leave ? n - (off_t)leave : 0;
    STORY_CHECK(&story, ftruncate(fd, keep) == 0, "ftruncate");
    close(fd);
}

static void fill_the_disk(const char *path, const char *ballast, xta_access access)
{
    xta_array *array = NULL;
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    static const int64_t bounds[] = {64, 4096};
    static const int64_t chunk[] = {1, 4096};
    static uint8_t line[4096];
    int64_t full = -1;

    test_story_add(&story, "full disk, access %d", (int)access);
    options.chunk = chunk;
    options.access = access;
    options.cache_bytes = 8192;
    STORY_OK(&story, xta_array_create(path, XTA_U8, 2, bounds, &options, &array, &err), err);
    memset(line, 9, sizeof(line));
    xta_box box = {.ndim = 2, .lo = {0, 0}, .hi = {1, 4096}};
    STORY_OK(&story, xta_array_write(array, &box, NULL, line, &err), err);
    STORY_OK(&story, xta_array_sync(array, &err), err);
    take_space(ballast, 10 * 4096);
    for (int64_t i = 1; i < 64 && full < 0; i++) {
        box.lo[0] = i;
        box.hi[0] = i + 1;
        xta_status status = xta_array_write(array, &box, NULL, line, &err);
        status = status == XTA_OK ? xta_array_sync(array, &err) : status;
        if (status != XTA_OK) {
            STORY_CHECK(&story, status == XTA_ENOSPC, "a full disk gives %s: %s",
                        xta_status_name(status), err.text);
            names("full.xta");
            full = i;
        }
    }
    STORY_CHECK(&story, full > 1, "the disk did not fill");
    unlink(ballast); // Space again: what was refused goes well now, what was written is there.
    STORY_OK(&story, xta_array_write(array, &box, NULL, line, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
    STORY_OK(&story, xta_check(path, NULL, NULL, &err), err);
    STORY_OK(&story, xta_array_open(path, NULL, &array, &err), err);
    for (int64_t i = 0; i <= full; i++) {
        static uint8_t back[4096];
        box.lo[0] = i;
        box.hi[0] = i + 1;
        STORY_OK(&story, xta_array_read(array, &box, NULL, back, &err), err);
        STORY_CHECK(&story, memcmp(back, line, sizeof(line)) == 0, "line %lld was lost",
                    (long long)i);
    }
    STORY_OK(&story, xta_array_close(array, &err), err);
    STORY_OK(&story, xta_array_delete(path, &err), err);
}

/* Structure and attributes on a full disk: refused, and then as before. */
static void fill_the_journal(const char *path, const char *ballast)
{
    xta_array *array = make(path);
    xta_status status = XTA_OK;
    xta_box bounds = xta_array_bounds(array);
    xta_growth growth = {0, XTA_BACK, 1};
    static char text[1500];

    test_story_add(&story, "a journal on a full disk");
    STORY_OK(&story, xta_array_sync(array, &err), err);
    take_space(ballast, 0);
    memset(text, 't', sizeof(text) - 1);
    int n_texts = 0;
    while (status == XTA_OK && n_texts < 1000) {
        text[0] = (char)('a' + n_texts % 26);
        status = xta_attribute_set_text(array, XTA_ON_ARRAY, "t", text, &err);
        n_texts += status == XTA_OK;
    }
    STORY_CHECK(&story, status == XTA_ENOSPC, "a full disk gives %s: %s", xta_status_name(status),
                err.text);
    names("full.xmd");
    for (int i = 0; i < 200; i++) { // Small records may still find room.
        status = xta_array_extend(array, &growth, 1, &bounds, &err);
        STORY_CHECK(&story, status == XTA_OK || status == XTA_ENOSPC, "extend on a full disk: %s",
                    xta_status_name(status));
        xta_box has = xta_array_bounds(array);
        STORY_CHECK(&story, xta_box_equal(&has, &bounds), "a refused extend changed the bounds");
    }
    STORY_CHECK(&story, status == XTA_ENOSPC, "two hundred records found room on a full disk");
    unlink(ballast);
    STORY_OK(&story, xta_array_extend(array, &growth, 1, &bounds, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
    STORY_OK(&story, xta_check(path, NULL, NULL, &err), err);
    STORY_OK(&story, xta_array_open(path, NULL, &array, &err), err);
    xta_box has = xta_array_bounds(array);
    STORY_CHECK(&story, xta_box_equal(&has, &bounds), "reopened: other bounds");
    xta_attribute attribute;
    if (n_texts > 0) {
        STORY_OK(&story, xta_attribute_get(array, XTA_ON_ARRAY, "t", &attribute, &err), err);
        char expected = (char)('a' + (n_texts - 1) % 26);
        STORY_CHECK(&story, ((const char *)attribute.values)[0] == expected,
                    "the attribute is not the last that was set");
    }
    STORY_OK(&story, xta_array_close(array, &err), err);
    STORY_OK(&story, xta_array_delete(path, &err), err);
}

static void full_disk(void)
{
    char disk[TEST_PATH_BYTES];
    char path[TEST_PATH_BYTES + 8];
    char ballast[TEST_PATH_BYTES + 8];

    test_folder_join(&folder, "disk", disk);
    STORY_CHECK(&story, mkdir(disk, 0777) == 0, "mkdir");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) { // The mount is the child's alone and goes with it.
        if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
            mount("none", disk, "tmpfs", 0, "size=512k") != 0) {
            printf("SKIPPED: a full disk (cannot mount a small file system: needs root)\n");
            exit(0);
        }
        snprintf(path, sizeof(path), "%s/full", disk);
        snprintf(ballast, sizeof(ballast), "%s/ballast", disk);
        fill_the_disk(path, ballast, XTA_ACCESS_AUTO);
        fill_the_disk(path, ballast, XTA_ACCESS_MAPPED);
        fill_the_disk(path, ballast, XTA_ACCESS_CACHED);
        fill_the_journal(path, ballast);
        exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    STORY_CHECK(&story, status == 0, "the child failed (status %d; a signal is a crash)", status);
}

int main(void)
{
    char path[TEST_PATH_BYTES];

    test_story_begin(&story, "test_bad_input", 0, 0);
    test_folder_make(&folder);
    bad_creations();
    overflowing_creations();
    too_many_axes();
    arguments(NULL);
    arguments(test_folder_join(&folder, "a", path));
    missing_halves();
    other_formats();
    read_only_folder();
    full_disk();
    test_folder_remove(&folder);
    printf("test_bad_input: done\n");
    return 0;
}
