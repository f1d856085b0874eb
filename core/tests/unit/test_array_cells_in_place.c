/* Cells read where they lie: the same as a read, wherever there is such a place; and the numbers of
 * coordinates in their own type.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <xta/xta.h>

#include "support/folder.h"
#include "support/must.h"
#include "support/random.h"

static xta_error err;

static xta_array *make(const char *name, int ndim, const int64_t bounds[],
                       const xta_create_options *options)
{
    xta_array *array = NULL;

    test_must(xta_array_create(test_folder_path(&test_group_folder, name), XTA_I32, ndim, bounds,
                               options, &array, &err),
              &err);
    return array;
}

/* An array of 1 to 3 axes that has grown at random, whose cells are numbered. */
static xta_array *make_random(test_random *random, int number)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    int ndim = (int)test_random_in(random, 1, 3);
    int64_t bounds[3], chunk[3];
    char name[32];

    for (int axis = 0; axis < ndim; axis++) {
        bounds[axis] = test_random_in(random, 1, 6);
        chunk[axis] = test_random_in(random, 1, 4);
    }
    options.chunk = chunk;
    options.order = test_random_chance(random, 50) ? XTA_ROW : XTA_COLUMN;
    snprintf(name, sizeof name, "a%d", number);
    xta_array *array = make(name, ndim, bounds, &options);
    for (int k = 0; k < 4; k++) {
        xta_growth growth = {(int)test_random_in(random, 0, ndim - 1),
                             test_random_chance(random, 50) ? XTA_FRONT : XTA_BACK,
                             test_random_in(random, 0, 3)};
        test_must(xta_array_extend(array, &growth, 1, NULL, &err), &err);
    }
    xta_box all = xta_array_bounds(array);
    uint64_t n = 0;
    test_must(xta_box_cells(&all, &n), NULL);
    int32_t *cells = malloc((size_t)n * sizeof *cells);
    assert_non_null(cells);
    for (uint64_t k = 0; k < n; k++) {
        cells[k] = (int32_t)k + 1;
    }
    test_must(xta_array_write(array, &all, NULL, cells, &err), &err);
    free(cells);
    return array;
}

static xta_box random_box(test_random *random, const xta_box *bounds)
{
    xta_box box = *bounds;

    for (int axis = 0; axis < box.ndim; axis++) {
        box.lo[axis] = test_random_in(random, bounds->lo[axis], bounds->hi[axis] - 1);
        box.hi[axis] = test_random_in(random, box.lo[axis] + 1, bounds->hi[axis]);
    }
    return box;
}

/* Compare the cells in place with those of a read. */
static void compare(const xta_box *box, const void *place, const int64_t strides[],
                    const int32_t *read)
{
    int64_t at[3] = {0};
    uint64_t n = 0;

    test_must(xta_box_cells(box, &n), NULL);
    for (uint64_t k = 0; k < n; k++) {
        const uint8_t *cell = place;
        int32_t value;
        for (int axis = 0; axis < box->ndim; axis++) {
            cell += at[axis] * strides[axis];
        }
        memcpy(&value, cell, sizeof value);
        assert_int_equal(value, read[k]);
        for (int axis = box->ndim - 1; axis >= 0; axis--) {
            if (++at[axis] < box->hi[axis] - box->lo[axis]) {
                break;
            }
            at[axis] = 0;
        }
    }
}

static void test_same_as_read(void **state)
{
    (void)state;
    uint64_t seed = test_seed("test_array_cells_in_place", 20261125), n_found = 0;
    uint64_t n_arrays = test_scale(100);

    for (uint64_t part = 0; part < n_arrays; part++) {
        test_random random = test_random_make(seed, part);
        xta_array *array = make_random(&random, (int)part);
        xta_box bounds = xta_array_bounds(array);
        for (int k = 0; k < 10; k++) {
            xta_box box = random_box(&random, &bounds);
            int32_t read[15 * 15 * 15];
            const void *place;
            int64_t strides[3];
            xta_status status = xta_array_in_place(array, &box, &place, strides, &err);
            if (status == XTA_EUNSUPPORTED) {
                assert_non_null(strstr(err.text, "read"));
                continue;
            }
            test_must(status, &err);
            test_must(xta_array_read(array, &box, NULL, read, &err), &err);
            compare(&box, place, strides, read);
            n_found++;
        }
        test_must(xta_array_close(array, &err), &err);
    }
    // Files are little-endian: elsewhere no cell lies in a file as it is in memory.
    assert_true(n_found > n_arrays || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__);
}

static void refused(xta_array *array, xta_status wanted, const char *word)
{
    xta_box box = xta_array_bounds(array);
    const void *place = &box;
    int64_t strides[3];

    assert_int_equal(xta_array_in_place(array, &box, &place, strides, &err), wanted);
    // A big-endian machine refuses all files, and some of them for that reason.
    assert_true(strstr(err.text, word) != NULL || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__);
    assert_ptr_equal(place, &box);
    test_must(xta_array_close(array, &err), &err);
}

static void test_refused(void **state)
{
    (void)state;
    const int64_t bounds[2] = {4, 4}, chunk[2] = {4, 4}, small[2] = {2, 2}, none[2] = {0, 4};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    const int32_t fill = 7;
    xta_array *memory = NULL;

    options.chunk = chunk;
    options.order = XTA_HILBERT;
    refused(make("curve", 2, bounds, &options), XTA_EUNSUPPORTED, "curve");
    options.order = XTA_ROW;
    options.fill = &fill;
    refused(make("fill", 2, bounds, &options), XTA_EUNSUPPORTED, "fill");
    options.fill = NULL;
    options.access = XTA_ACCESS_CACHED;
    refused(make("cached", 2, bounds, &options), XTA_EUNSUPPORTED, "mapped");
    options.access = XTA_ACCESS_AUTO;
    options.chunk = small;
    refused(make("chunks", 2, bounds, &options), XTA_EUNSUPPORTED, "together");
    refused(make("none", 2, none, &options), XTA_EBOX, "no cell");
    test_must(xta_array_new(XTA_I32, 2, bounds, NULL, &memory, &err), &err);
    refused(memory, XTA_EUNSUPPORTED, "memory");

    xta_array *array = make("beyond", 2, bounds, NULL);
    xta_box box = {.ndim = 2, .lo = {0, 0}, .hi = {5, 4}};
    const void *place;
    int64_t strides[2];
    assert_int_equal(xta_array_in_place(array, &box, &place, strides, &err), XTA_EBOX);
    assert_non_null(strstr(err.text, "axis 0"));
    test_must(xta_array_close(array, &err), &err);
}

/* Integers that binary64 cannot hold, as a list and as regular coordinates. */
static void test_numbers(void **state)
{
    (void)state;
    const int64_t bounds[2] = {3, 3}, big = INT64_C(1) << 60;
    const int64_t list[3] = {big + 1, big + 2, big + 5};
    xta_attribute values = {"values", XTA_I64, sizeof list[0], 3, list};
    xta_regular regular = {XTA_I64, {.i = big + 1}, {.i = 3}};
    xta_coordinates *c = NULL;
    int64_t found[3] = {0};
    xta_array *array = make("numbers", 2, bounds, NULL);

    test_must(xta_attribute_set(array, 0, &values, &err), &err);
    test_must(xta_axis_set_regular(array, 1, &regular, &err), &err);
    test_must(xta_coordinates_read(array, 0, &c, &err), &err);
    xta_coordinates_values(c, 0, 3, found);
    assert_memory_equal(found, list, sizeof list);
    xta_coordinates_values(c, 2, 3, found);
    assert_int_equal(found[0], list[2]);
    xta_coordinates_free(c);
    const uint64_t large[3] = {UINT64_MAX - 2, UINT64_MAX - 1, UINT64_MAX};
    values = (xta_attribute){"values", XTA_U64, sizeof large[0], 3, large};
    test_must(xta_attribute_set(array, 0, &values, &err), &err);
    test_must(xta_coordinates_read(array, 0, &c, &err), &err);
    xta_coordinates_values(c, 0, 3, found);
    assert_memory_equal(found, large, sizeof large);
    assert_int_equal(xta_coordinates_direction(c), 1);
    xta_coordinates_free(c);
    test_must(xta_coordinates_read(array, 1, &c, &err), &err);
    xta_coordinates_values(c, 1, 3, found);
    assert_int_equal(found[0], big + 4);
    assert_int_equal(found[1], big + 7);
    xta_coordinates_free(c);
    test_must(xta_array_close(array, &err), &err);
}

/* Integers beyond 2^63 - 1, which int64 does not hold. */
static void test_large_numbers(void **state)
{
    (void)state;
    const int64_t bounds[1] = {3};
    const uint64_t list[3] = {UINT64_MAX, UINT64_C(1) << 63, 7};
    xta_attribute values = {"values", XTA_U64, sizeof list[0], 3, list};
    xta_coordinates *c = NULL;
    uint64_t found[3] = {0};
    xta_array *array = make("large", 1, bounds, NULL);

    test_must(xta_attribute_set(array, 0, &values, &err), &err);
    test_must(xta_coordinates_read(array, 0, &c, &err), &err);
    xta_coordinates_values(c, 0, 3, found);
    assert_memory_equal(found, list, sizeof list);
    xta_coordinates_free(c);
    test_must(xta_array_close(array, &err), &err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_read),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_large_numbers),
    };
    return cmocka_run_group_tests(tests, test_group_begin, test_group_end);
}
