/* Cells of types that NetCDF does not have, single arrays, folders of arrays, and coordinates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <netcdf.h>

#include <xta/attribute.h>
#include <xta/dataset.h>
#include <xta/netcdf_format.h>

#include "sets.h"
#include "support/folder.h"
#include "support/must.h"

enum { N = 6 };

static xta_error err;

static xta_array *new_array(const char *path, xta_type type, uint32_t cell_bytes)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    const char *names[] = {"line"};
    xta_array *array = NULL;

    options.cell_bytes = cell_bytes;
    options.names = names;
    test_must(xta_array_create(path, type, 1, &(int64_t){N}, &options, &array, &err), &err);
    return array;
}

static void write_all(xta_array *array, const void *cells)
{
    const xta_box all = xta_array_bounds(array);

    test_must(xta_array_write(array, &all, NULL, cells, &err), &err);
}

/* Open `path` with its suffix, by its first bytes. */
static int open_array(const char *path, int mode)
{
    char file[TEST_PATH_BYTES];
    int id = -1;

    snprintf(file, sizeof file, "%s.xmd", path);
    nc_must(nc_open(file, mode, &id));
    return id;
}

static void check_type(int file, nc_type type, int ndim, size_t inner)
{
    nc_type found = NC_NAT;
    int n = 0, dims[4];
    size_t length = 0;

    nc_must(nc_inq_var(file, 0, NULL, &found, &n, dims, NULL));
    assert_int_equal(found, type);
    assert_int_equal(n, ndim);
    nc_must(nc_inq_dimlen(file, dims[ndim - 1], &length));
    assert_int_equal(length, inner);
}

static void test_binary16(void **state)
{
    const char *path = test_folder_path(&test_group_folder, "half");
    const uint16_t cells[N] = {0x3c00, 0xc000, 0x3555, 0x7c00, 0x0001, 0x7bff};
    const float wanted[N] = {1, -2, 0.333251953125F, INFINITY, 5.9604644775390625e-8F, 65504};
    float values[N], two[2] = {0.5F, 3};
    xta_array *array = new_array(path, XTA_F16, 0);

    (void)state;
    write_all(array, cells);
    int file = open_array(path, NC_WRITE);
    check_type(file, NC_FLOAT, 1, N);
    nc_must(nc_get_var_float(file, 0, values));
    assert_memory_equal(values + 4, wanted + 4, 2 * sizeof *values);
    assert_memory_equal(values, wanted, 3 * sizeof *values);
    nc_must(nc_put_vara_float(file, 0, (size_t[]){1}, (size_t[]){2}, two));
    nc_must(nc_close(file));
    uint16_t after[N];
    const xta_box all = xta_array_bounds(array);
    test_must(xta_array_read(array, &all, NULL, after, &err), &err);
    assert_int_equal(after[1], 0x3800);
    assert_int_equal(after[2], 0x4200);
    assert_int_equal(after[3], cells[3]);
    test_must(xta_array_close(array, &err), &err);
}

static void test_complex(void **state)
{
    const char *path = test_folder_path(&test_group_folder, "complex");
    double cells[N][2], values[N][2], imaginary[3], one = 77;
    xta_array *array = new_array(path, XTA_C128, 0);

    (void)state;
    for (int k = 0; k < N; k++) {
        cells[k][0] = k;
        cells[k][1] = -k * 0.5;
    }
    write_all(array, cells);
    int file = open_array(path, NC_WRITE);
    check_type(file, NC_DOUBLE, 2, 2);
    nc_must(nc_get_var_double(file, 0, &values[0][0]));
    assert_memory_equal(values, cells, sizeof cells);
    nc_must(nc_get_vars_double(file, 0, (size_t[]){1, 1}, (size_t[]){3, 1}, (ptrdiff_t[]){2, 1},
                               imaginary));
    for (int k = 0; k < 3; k++) {
        assert_true(imaginary[k] == cells[1 + 2 * k][1]);
    }
    nc_must(nc_put_var1_double(file, 0, (size_t[]){2, 0}, &one));
    nc_must(nc_get_var_double(file, 0, &values[0][0]));
    cells[2][0] = 77;
    assert_memory_equal(values, cells, sizeof cells);
    nc_must(nc_close(file));
    test_must(xta_array_close(array, &err), &err);
}

static void test_bytes(void **state)
{
    const char *path = test_folder_path(&test_group_folder, "bytes");
    const char cells[N][4] = {"abcd", "e", "", "\xff\xfe", "ijkl", "mnop"};
    char values[N][4], part[N];
    xta_array *array = new_array(path, XTA_BYTES, 4);

    (void)state;
    write_all(array, cells);
    int file = open_array(path, NC_WRITE);
    check_type(file, NC_CHAR, 2, 4);
    nc_must(nc_get_var_text(file, 0, &values[0][0]));
    assert_memory_equal(values, cells, sizeof cells);
    nc_must(nc_get_vara_text(file, 0, (size_t[]){0, 1}, (size_t[]){N, 1}, part));
    assert_memory_equal(part, "b\0\0\xfejn", N);
    assert_int_equal(nc_get_var_double(file, 0, &(double){0}), NC_ECHAR);
    nc_must(nc_put_vara_text(file, 0, (size_t[]){4, 2}, (size_t[]){1, 2}, "XY"));
    nc_must(nc_get_vara_text(file, 0, (size_t[]){4, 0}, (size_t[]){1, 4}, part));
    assert_memory_equal(part, "ijXY", 4);
    nc_must(nc_close(file));
    test_must(xta_array_close(array, &err), &err);
}

static void test_bool(void **state)
{
    const char *path = test_folder_path(&test_group_folder, "bool");
    const unsigned char cells[N] = {1, 0, 1, 1, 0, 0};
    signed char values[N];
    xta_array *array = new_array(path, XTA_BOOL, 0);

    (void)state;
    write_all(array, cells);
    int file = open_array(path, NC_WRITE);
    check_type(file, NC_BYTE, 1, N);
    nc_must(nc_get_var_schar(file, 0, values));
    assert_memory_equal(values, cells, N);
    assert_int_equal(nc_put_var1_int(file, 0, (size_t[]){0}, &(int){2}), NC_ERANGE);
    nc_must(nc_put_var1_int(file, 0, (size_t[]){1}, &(int){1}));
    nc_must(nc_get_var_schar(file, 0, values));
    assert_int_equal(values[0], 1);
    assert_int_equal(values[1], 1);
    nc_must(nc_close(file));
    test_must(xta_array_close(array, &err), &err);
}

/* Coordinates of an axis alone: regular ones and lists of numbers and names. */
static void test_axes(void **state)
{
    const char *path = test_folder_path(&test_group_folder, "axes");
    const char *names[] = {"time", "lat", "place"};
    const int64_t bounds[3] = {2, 3, 2};
    const xta_regular hours = {XTA_I32, {.i = 6}, {.i = 12}};
    const float lats[3] = {10, 20.5F, 35};
    const char places[] = "Aa\nB b";
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    int times[3], id = -1;
    float found[3];
    char unit[64] = {0}, *texts[2];

    (void)state;
    options.names = names;
    test_must(xta_array_create(path, XTA_I32, 3, bounds, &options, &array, &err), &err);
    test_must(xta_axis_set_regular(array, 0, &hours, &err), &err);
    test_must(xta_axis_set_unit(array, 0, "hours since 2000-01-01", &err), &err);
    const xta_attribute list = {"values", XTA_F32, 4, 3, lats};
    test_must(xta_attribute_set(array, 1, &list, &err), &err);
    const xta_attribute lines = {"values", XTA_TEXT, 1, sizeof places - 1, places};
    test_must(xta_attribute_set(array, 2, &lines, &err), &err);
    const xta_growth front = {0, XTA_FRONT, 1};
    test_must(xta_array_extend(array, &front, 1, NULL, &err), &err);

    int file = open_array(path, NC_NOWRITE);
    nc_must(nc_inq_varid(file, "time", &id));
    nc_must(nc_get_var_int(file, id, times));
    assert_int_equal(times[0], -6);
    assert_int_equal(times[2], 18);
    nc_must(nc_get_att_text(file, id, "units", unit));
    assert_string_equal(unit, "hours since 2000-01-01");
    nc_must(nc_inq_varid(file, "lat", &id));
    nc_must(nc_get_var_float(file, id, found));
    assert_memory_equal(found, lats, sizeof lats);
    nc_must(nc_inq_varid(file, "place", &id));
    nc_must(nc_get_var_string(file, id, texts));
    assert_string_equal(texts[0], "Aa");
    assert_string_equal(texts[1], "B b");
    nc_must(nc_free_string(2, texts));
    nc_must(nc_inq_varid(file, "axes", &id));
    nc_must(nc_close(file));
    test_must(xta_array_close(array, &err), &err);
}

/* Integers that binary64 cannot hold, and cells that a list lacks. */
static void test_large_coordinates(void **state)
{
    const char *path = test_folder_path(&test_group_folder, "large");
    const int64_t list[N] = {-(INT64_C(1) << 60) - 1, 1,        2, (INT64_C(1) << 60) + 1,
                             (INT64_C(1) << 60) + 2,  INT64_MAX};
    const uint64_t beyond[N] = {1, 2, 3, 4, UINT64_MAX - 1, UINT64_MAX};
    long long found[N];
    unsigned long long large[N];
    int id = -1;
    xta_array *array = new_array(path, XTA_I8, 0);

    (void)state;
    xta_attribute values = {"values", XTA_I64, 8, N, list};
    test_must(xta_attribute_set(array, 0, &values, &err), &err);
    int file = open_array(path, NC_NOWRITE);
    nc_must(nc_inq_varid(file, "line", &id));
    nc_must(nc_get_var_longlong(file, id, found));
    assert_memory_equal(found, list, sizeof list);
    const xta_growth front = {0, XTA_FRONT, 1};
    test_must(xta_array_extend(array, &front, 1, NULL, &err), &err);
    assert_int_equal(nc_sync(file), NC_EINVALCOORDS); // the new cell has no coordinate
    assert_int_equal(nc_get_var_longlong(file, id, found), NC_EINVALCOORDS);
    nc_must(nc_get_vara_longlong(file, id, &(size_t){1}, &(size_t){N}, found));
    assert_memory_equal(found, list, sizeof list);
    nc_must(nc_close(file));

    test_must(xta_array_shrink(array, &front, 1, NULL, &err), &err);
    values = (xta_attribute){"values", XTA_U64, 8, N, beyond};
    test_must(xta_attribute_set(array, 0, &values, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    file = open_array(path, NC_NOWRITE);
    nc_must(nc_get_var_ulonglong(file, id, large));
    assert_memory_equal(large, beyond, sizeof beyond);
    nc_must(nc_close(file));
}

/* The list of an axis is no attribute that a program can replace. */
static void test_list_of_axis(void **state)
{
    const double list[N] = {1, 2, 4, 8, 16, 32}, other[N] = {0};
    double found[N];
    int id = -1;
    xta_array *array = new_array(test_folder_path(&test_group_folder, "list"), XTA_I8, 0);

    (void)state;
    const xta_attribute values = {"values", XTA_F64, 8, N, list};
    test_must(xta_attribute_set(array, 0, &values, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    int file = open_array(test_folder_path(&test_group_folder, "list"), NC_WRITE);
    nc_must(nc_inq_varid(file, "line", &id));
    assert_int_equal(nc_put_att_double(file, id, "values", NC_DOUBLE, N, other), NC_EPERM);
    nc_must(nc_put_att_double(file, id, "others", NC_DOUBLE, N, other));
    assert_int_equal(nc_rename_att(file, id, "others", "values"), NC_EPERM);
    assert_int_equal(nc_inq_attid(file, id, "values", NULL), NC_ENOTATT);
    nc_must(nc_close(file));
    file = open_array(test_folder_path(&test_group_folder, "list"), NC_NOWRITE);
    nc_must(nc_get_var_double(file, id, found));
    assert_memory_equal(found, list, sizeof list);
    nc_must(nc_close(file));
}

static void check_origin(int file, const char *name, int wanted)
{
    int id = -1, origin[2] = {0};
    size_t n = 0;

    nc_must(nc_inq_varid(file, name, &id));
    if (wanted == 0) {
        assert_int_equal(nc_inq_attlen(file, id, "xta_origin", &n), NC_ENOTATT);
        return;
    }
    nc_must(nc_inq_attlen(file, id, "xta_origin", &n));
    assert_int_equal(n, 1);
    nc_must(nc_get_att_int(file, id, "xta_origin", origin));
    assert_int_equal(origin[0], wanted);
}

/* Where an array begins that has no coordinates, alone and in a data set, also after a sync; not
 * what an attribute of that name says. */
static void test_origin(void **state)
{
    const char *folder = test_folder_path(&test_group_folder, "origin");
    const char *names[] = {"line"};
    const xta_dimension line = {.name = "line", .hi = N};
    const xta_growth front = {0, XTA_FRONT, 2}, back = {0, XTA_BACK, 1};
    xta_dataset *set = NULL;
    xta_array *array = NULL;
    int alone = -1, all = -1;

    (void)state;
    test_must(xta_dataset_create(folder, NULL, &set, &err), &err);
    test_must(xta_dataset_set_dimension(set, &line, &err), &err);
    test_must(xta_dataset_add_member(set, "cells", XTA_I8, 1, names, NULL, &array, &err), &err);
    const xta_attribute other = {"xta_origin", XTA_I64, 8, 1, &(int64_t){7}};
    test_must(xta_attribute_set(array, XTA_ON_ARRAY, &other, &err), &err);
    alone = open_array(test_folder_path(&test_group_folder, "origin/cells"), NC_NOWRITE);
    nc_must(nc_open(set_address(folder), NC_NOWRITE, &all));
    check_origin(alone, "cells", 0);
    check_origin(all, "cells", 0);
    for (int k = 1; k <= 2; k++) {
        test_must(xta_array_extend(array, &front, 1, NULL, &err), &err);
        test_must(xta_array_extend(array, &back, 1, NULL, &err), &err);
        nc_must(nc_sync(alone));
        nc_must(nc_sync(all));
        check_origin(alone, "cells", -2 * k);
        check_origin(all, "cells", -2 * k);
    }
    nc_must(nc_close(alone));
    nc_must(nc_close(all));
    test_must(xta_dataset_close(set, &err), &err);
    alone = open_array(test_folder_path(&test_group_folder, "origin/cells"), NC_NOWRITE);
    check_origin(alone, "cells", -4);
    nc_must(nc_close(alone));
}

/* A folder without dataset.xmd: its arrays, with the coordinates that their axes hold. */
static void test_folder_of_arrays(void **state)
{
    const double list[N] = {1, 2, 4, 8, 16, 32};
    double found[N] = {0};
    xta_array *array = new_array(test_folder_path(&test_group_folder, "half2"), XTA_F64, 0);
    int file = -1, id = -1;

    (void)state;
    const xta_attribute values = {"values", XTA_F64, 8, N, list};
    test_must(xta_attribute_set(array, 0, &values, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    nc_must(nc_open(set_address(test_group_folder.path), NC_NOWRITE, &file));
    nc_must(nc_inq_varid(file, "half2", &id));
    nc_must(nc_inq_varid(file, "complex", &id));
    nc_must(nc_inq_varid(file, "line", &id));
    nc_must(nc_get_var_double(file, id, found));
    assert_memory_equal(found, list, sizeof list);
    nc_must(nc_close(file));
}

/* Names that NetCDF does not accept, and two that become one. */
static void test_names(void **state)
{
    const char *folder = test_folder_path(&test_group_folder, "names");
    const char *dimensions[] = {"(n)/a"};
    const char *wanted[] = {"_(n)_a", "_-x", "same", "same_", "_complex"};
    const xta_dimension n = {.name = "(n)/a",
                             .hi = 3,
                             .coordinates = XTA_COORDINATES_REGULAR,
                             .regular = {XTA_I32, {.i = 1}, {.i = 1}}};
    const xta_dimension two = {.name = "complex", .hi = 3};
    const char *second[] = {"complex"};
    xta_dataset *set = NULL, *group = NULL;
    xta_array *array = NULL;
    char name[NC_MAX_NAME + 1];
    int file = -1, inner = -1, id = -1;

    (void)state;
    test_must(xta_dataset_create(folder, NULL, &set, &err), &err);
    test_must(xta_dataset_set_dimension(set, &n, &err), &err);
    test_must(xta_dataset_set_dimension(set, &two, &err), &err);
    test_must(xta_dataset_add_member(set, "-x", XTA_I8, 1, dimensions, NULL, NULL, &err), &err);
    test_must(xta_dataset_add_member(set, "same", XTA_I8, 1, dimensions, NULL, NULL, &err), &err);
    test_must(xta_dataset_add_member(set, "other", XTA_I8, 1, dimensions, NULL, &array, &err),
              &err);
    test_must(xta_attribute_set_text(array, XTA_ON_ARRAY, "netcdf/name", "same", &err), &err);
    test_must(xta_dataset_add_member(set, "_complex", XTA_C64, 1, second, NULL, NULL, &err), &err);
    test_must(xta_dataset_group(set, "(g", true, &group, &err), &err);
    test_must(xta_dataset_close(group, &err), &err);
    test_must(xta_dataset_close(set, &err), &err);
    nc_must(nc_open(set_address(folder), NC_NOWRITE, &file));
    for (int k = 0; k < 5; k++) {
        nc_must(nc_inq_varname(file, k, name));
        assert_string_equal(name, wanted[k]);
    }
    nc_must(nc_inq_dimid(file, "_(n)_a", &id));
    nc_must(nc_inq_dimid(file, "complex_", &id)); // both parts; the name is a dimension's already
    nc_must(nc_inq_grp_ncid(file, "_(g", &inner));
    nc_must(nc_close(file));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_binary16),
        cmocka_unit_test(test_complex),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_bool),
        cmocka_unit_test(test_folder_of_arrays),
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_large_coordinates),
        cmocka_unit_test(test_list_of_axis),
        cmocka_unit_test(test_origin),
        cmocka_unit_test(test_names),
    };

    nc_must(xta_netcdf_register());
    return cmocka_run_group_tests(tests, test_group_begin, test_group_end);
}
