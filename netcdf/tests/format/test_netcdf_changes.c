/* Writing through NetCDF as libxta sees it: attributes, growth in one step, coordinates that go on
 * or become a list, what is refused, and readers that call nc_sync.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <netcdf.h>

#include <xta/dataset_append.h>
#include <xta/netcdf_format.h>

#include "sets.h"
#include "support/folder.h"
#include "support/must.h"

static xta_error err;

/* time, regular in hours and unlimited; x; members v(time, x) and w(time). */
static const char *make_set(const char *name)
{
    const char *folder = test_folder_path(&test_group_folder, name);
    const char *dimensions[] = {"time", "x"};
    xta_dataset *set = NULL;
    xta_dimension time = {.name = "time",
                          .hi = 2,
                          .unlimited = true,
                          .coordinates = XTA_COORDINATES_REGULAR,
                          .regular = {XTA_I32, {.i = 0}, {.i = 6}}};
    const xta_dimension x = {.name = "x", .hi = 3};

    test_must(xta_dataset_create(folder, NULL, &set, &err), &err);
    test_must(xta_dataset_set_dimension(set, &time, &err), &err);
    test_must(xta_dataset_set_dimension(set, &x, &err), &err);
    test_must(xta_dataset_add_member(set, "v", XTA_I32, 2, dimensions, NULL, NULL, &err), &err);
    test_must(xta_dataset_add_member(set, "w", XTA_F64, 1, dimensions, NULL, NULL, &err), &err);
    test_must(xta_dataset_close(set, &err), &err);
    return folder;
}

static int open_set(const char *folder, int mode, int *time, int *v)
{
    int file = -1;

    nc_must(nc_open(set_address(folder), mode, &file));
    nc_must(nc_inq_varid(file, "time", time));
    nc_must(nc_inq_varid(file, "v", v));
    return file;
}

static size_t length_of(int file, const char *name)
{
    int id = -1;
    size_t length = 0;

    nc_must(nc_inq_dimid(file, name, &id));
    nc_must(nc_inq_dimlen(file, id, &length));
    return length;
}

static int count_step(void *user, const xta_step *step)
{
    (void)step;
    ++*(int *)user;
    return 0;
}

/* Structural steps of a member. */
static int steps_of(const char *folder, const char *member)
{
    xta_dataset *set = NULL;
    xta_array *array = NULL;
    int n = 0;

    test_must(xta_dataset_open(folder, NULL, &set, &err), &err);
    test_must(xta_dataset_member(set, member, &array, &err), &err);
    test_must(xta_array_history(array, count_step, &n, &err), &err);
    test_must(xta_dataset_close(set, &err), &err);
    return n;
}

static void test_growth(void **state)
{
    const char *folder = make_set("growth");
    const size_t start[2] = {2, 0}, count[2] = {3, 3};
    const int cells[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    int time, v, found[15] = {0}, times[5] = {0};
    int before = steps_of(folder, "v"), file = open_set(folder, NC_WRITE, &time, &v);
    double w[5] = {1, 1, 1, 1, 1};

    (void)state;
    nc_must(nc_put_vara_int(file, v, start, count, cells));
    assert_int_equal(length_of(file, "time"), 5);
    nc_must(nc_close(file));
    assert_int_equal(steps_of(folder, "v"), before + 1);
    assert_int_equal(steps_of(folder, "w"), before + 1);
    file = open_set(folder, NC_NOWRITE, &time, &v);
    nc_must(nc_get_var_int(file, v, found));
    assert_memory_equal(found + 6, cells, sizeof cells);
    nc_must(nc_get_var_int(file, time, times));
    assert_int_equal(times[4], 24);
    nc_must(nc_get_var_double(file, v + 1, w));
    assert_true(w[4] == 0);
    assert_int_equal(nc_put_vara_int(file, v, start, count, cells), NC_EPERM);
    nc_must(nc_close(file));
}

/* Another process has appended meanwhile: positions stay, nothing is lost. */
static void test_growth_of_two(void **state)
{
    const char *folder = make_set("growth_of_two");
    const size_t start[2] = {4, 0}, count[2] = {1, 3};
    int time, v, cells[3] = {7, 8, 9}, found[18] = {0};
    int file = open_set(folder, NC_WRITE, &time, &v);
    xta_dataset_options writable = XTA_DATASET_OPTIONS_INIT;
    const xta_dimension_growth both[] = {{"time", XTA_BACK, 1}, {"time", XTA_FRONT, 2}};
    xta_dataset *set = NULL;

    (void)state;
    writable.writable = true;
    test_must(xta_dataset_open(folder, &writable, &set, &err), &err);
    test_must(xta_dataset_extend(set, both, 2, &err), &err);
    test_must(xta_dataset_close(set, &err), &err);
    assert_int_equal(length_of(file, "time"), 2);
    nc_must(nc_put_vara_int(file, v, start, count, cells));
    assert_int_equal(length_of(file, "time"), 5);
    nc_must(nc_get_vara_int(file, v, start, count, found));
    assert_memory_equal(found, cells, sizeof cells);
    nc_must(nc_sync(file));
    assert_int_equal(length_of(file, "time"), 7);
    nc_must(nc_get_vara_int(file, v, (size_t[]){6, 0}, count, found));
    assert_memory_equal(found, cells, sizeof cells);
    nc_must(nc_close(file));
}

/* Coordinates that go on stay regular; others become a list. */
static void test_coordinates(void **state)
{
    const char *folder = make_set("coordinates");
    const size_t start = 2, count = 2;
    int time, v, file = open_set(folder, NC_WRITE, &time, &v);
    int found[5] = {0};
    xta_dataset *set = NULL;
    xta_dimension about;

    (void)state;
    nc_must(nc_put_vara_int(file, time, &start, &count, (int[]){12, 18}));
    assert_int_equal(length_of(file, "time"), 4);
    test_must(xta_dataset_open(folder, NULL, &set, &err), &err);
    test_must(xta_dataset_dimension(set, "time", &about, &err), &err);
    assert_int_equal(about.coordinates, XTA_COORDINATES_REGULAR);
    assert_int_equal(about.hi, 4);
    test_must(xta_dataset_close(set, &err), &err);
    nc_must(nc_put_var1_int(file, time, (size_t[]){4}, &(int){100}));
    nc_must(nc_get_var_int(file, time, found));
    assert_memory_equal(found, ((int[]){0, 6, 12, 18, 100}), sizeof found);
    nc_must(nc_close(file));
    test_must(xta_dataset_open(folder, NULL, &set, &err), &err);
    test_must(xta_dataset_dimension(set, "time", &about, &err), &err);
    assert_int_equal(about.coordinates, XTA_COORDINATES_LISTED);
    test_must(xta_dataset_close(set, &err), &err);
}

/* A reader keeps its snapshot until it calls nc_sync. */
static void test_sync(void **state)
{
    const char *folder = make_set("sync");
    int time, v, file = open_set(folder, NC_NOWRITE, &time, &v), first = 0;
    xta_dataset_options writable = XTA_DATASET_OPTIONS_INIT;
    const xta_dimension_growth both[] = {{"time", XTA_BACK, 3}, {"time", XTA_FRONT, 2}};
    xta_dataset *set = NULL;

    (void)state;
    writable.writable = true;
    test_must(xta_dataset_open(folder, &writable, &set, &err), &err);
    test_must(xta_dataset_extend(set, both, 2, &err), &err);
    test_must(xta_dataset_close(set, &err), &err);
    assert_int_equal(length_of(file, "time"), 2);
    nc_must(nc_get_var1_int(file, time, (size_t[]){0}, &first));
    assert_int_equal(first, 0);
    nc_must(nc_sync(file));
    assert_int_equal(length_of(file, "time"), 7);
    nc_must(nc_get_var1_int(file, time, (size_t[]){0}, &first));
    assert_int_equal(first, -12);
    nc_must(nc_close(file));
}

static void test_attributes(void **state)
{
    const char *folder = make_set("attributes");
    const char *strings[] = {"a", "b\nc"};
    int time, v, file = open_set(folder, NC_WRITE, &time, &v);
    xta_dataset *set = NULL;
    xta_array *array = NULL;
    xta_attribute a;
    char *back[2];
    char text[8] = {0};

    (void)state;
    nc_must(nc_put_att_text(file, NC_GLOBAL, "title", 3, "abc"));
    nc_must(nc_put_att_text(file, time, "units", 5, "hours"));
    nc_must(nc_put_att_double(file, v, "range", NC_SHORT, 2, (double[]){-1, 300}));
    nc_must(nc_put_att_string(file, v, "list", 2, strings));
    nc_must(nc_put_att_text(file, v, "bytes", 2, "\xff\x01"));
    nc_must(nc_put_att_text(file, v, "gone", 1, "x"));
    nc_must(nc_rename_att(file, v, "gone", "going"));
    nc_must(nc_del_att(file, v, "going"));
    assert_int_equal(nc_put_att_double(file, v, "big", NC_SHORT, 1, &(double){1e9}), NC_ERANGE);
    assert_int_equal(nc_put_att_int(file, v, "_FillValue", NC_INT, 1, &(int){1}), NC_ELATEFILL);
    assert_int_equal(nc_del_att(file, v, "none"), NC_ENOTATT);
    assert_int_equal(nc_put_att_text(file, 99, "a", 1, "x"), NC_ENOTVAR);
    nc_must(nc_close(file));

    test_must(xta_dataset_open(folder, NULL, &set, &err), &err);
    test_must(xta_dataset_attribute(set, NULL, "title", &a, &err), &err);
    assert_string_equal(a.values, "abc");
    test_must(xta_dataset_attribute(set, "time", "units", &a, &err), &err);
    assert_string_equal(a.values, "hours");
    test_must(xta_dataset_member(set, "v", &array, &err), &err);
    test_must(xta_attribute_get(array, XTA_ON_ARRAY, "range", &a, &err), &err);
    assert_int_equal(a.type, XTA_I16);
    assert_memory_equal(a.values, ((int16_t[]){-1, 300}), 4);
    assert_int_equal(xta_attribute_get(array, XTA_ON_ARRAY, "going", &a, NULL), XTA_ENOENT);
    assert_int_equal(xta_attribute_get(array, XTA_ON_ARRAY, "gone", &a, NULL), XTA_ENOENT);
    test_must(xta_dataset_close(set, &err), &err);

    file = open_set(folder, NC_NOWRITE, &time, &v);
    nc_must(nc_get_att_string(file, v, "list", back));
    assert_string_equal(back[0], "a");
    assert_string_equal(back[1], "b\nc");
    nc_must(nc_free_string(2, back));
    nc_must(nc_get_att_text(file, v, "bytes", text));
    assert_memory_equal(text, "\xff\x01", 2);
    assert_int_equal(nc_put_att_text(file, v, "a", 1, "x"), NC_EPERM);
    nc_must(nc_close(file));
}

/* Definitions are xta's matter. */
static void test_refused(void **state)
{
    const char *folder = make_set("refused");
    int time, v, id = 0, file = open_set(folder, NC_WRITE, &time, &v);

    (void)state;
    assert_int_equal(nc_def_dim(file, "q", 3, &id), NC_EPERM);
    assert_int_equal(nc_def_var(file, "q", NC_INT, 0, NULL, &id), NC_EPERM);
    assert_int_equal(nc_def_grp(file, "q", &id), NC_EPERM);
    assert_int_equal(nc_rename_dim(file, 0, "q"), NC_EPERM);
    assert_int_equal(nc_rename_var(file, v, "q"), NC_EPERM);
    assert_int_equal(nc_def_var_fill(file, v, 0, &id), NC_EPERM);
    assert_int_equal(nc_set_fill(file, 77, &id), NC_EINVAL);
    nc_must(nc_redef(file));
    nc_must(nc_enddef(file));
    nc_must(nc_close(file));
    assert_int_not_equal(nc_create(set_address(folder), NC_CLOBBER, &file), NC_NOERR);
    assert_int_equal(steps_of(folder, "v"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_growth),      cmocka_unit_test(test_growth_of_two),
        cmocka_unit_test(test_coordinates), cmocka_unit_test(test_sync),
        cmocka_unit_test(test_attributes),  cmocka_unit_test(test_refused),
    };

    nc_must(xta_netcdf_register());
    return cmocka_run_group_tests(tests, test_group_begin, test_group_end);
}
