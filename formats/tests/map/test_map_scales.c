/* Scales of HDF5 that a mapping can or cannot resize with its dataset: an undefined fill value, and
 * one scale on two axes.
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

#include <hdf5.h>
#include <hdf5_hl.h>

#include <xta/map_hdf5.h>

#include "support/folder.h"

#define NONE H5P_DEFAULT

static xta_error err;

static const char *hdf5_path(void)
{
    return test_folder_path(&test_group_folder, "s.h5");
}

static void grow(xta_mapping *map, int axis, xta_side side, int64_t by)
{
    xta_growth growth = {axis, side, by};
    assert_int_equal(xta_array_extend(xta_mapping_array(map), &growth, 1, NULL, &err), XTA_OK);
}

/* A dataset whose fill value is undefined, as its scale's is; both cells and scale were written, or
 * the cells alone. */
static hid_t make_without_fill(hid_t file, bool scale_written, hid_t *scale)
{
    const hsize_t bounds[2] = {3, 2}, most[2] = {H5S_UNLIMITED, H5S_UNLIMITED}, chunk[2] = {2, 2};
    const double times[3] = {5, 6, 7};
    const int cells[6] = {1, 2, 3, 4, 5, 6};
    hid_t storage = H5Pcreate(H5P_DATASET_CREATE), plane = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(storage, 1, chunk);
    H5Pset_chunk(plane, 2, chunk);
    assert_true(H5Pset_fill_value(storage, H5T_NATIVE_DOUBLE, NULL) >= 0);
    assert_true(H5Pset_fill_value(plane, H5T_NATIVE_INT, NULL) >= 0);
    hid_t line = H5Screate_simple(1, bounds, most), area = H5Screate_simple(2, bounds, most);
    *scale = H5Dcreate2(file, "t", H5T_IEEE_F64LE, line, NONE, storage, NONE);
    hid_t dataset = H5Dcreate2(file, "d", H5T_STD_I32LE, area, NONE, plane, NONE);
    assert_true(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, cells) >= 0);
    if (scale_written) {
        assert_true(H5Dwrite(*scale, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, NONE, times) >= 0);
    }
    H5DSset_scale(*scale, "t");
    assert_true(H5DSattach_scale(dataset, *scale, 0) >= 0);
    H5Sclose(line);
    H5Sclose(area);
    H5Pclose(storage);
    H5Pclose(plane);
    return dataset;
}

/* An undefined fill value: new coordinates are 0, and nothing is refused. */
static void try_without_fill(bool scale_written, const double expected[5])
{
    hid_t scale;
    double after[5] = {-1, -1, -1, -1, -1};
    hid_t file = H5Fcreate(hdf5_path(), H5F_ACC_TRUNC, NONE, NONE);
    hid_t dataset = make_without_fill(file, scale_written, &scale);
    xta_mapping *map = xtaHDFmap(dataset, NULL, &err);
    assert_non_null(map);
    for (int k = 0; k < 2; k++) { // without growth, then with it
        if (xtaHDFwrite(map, dataset) != XTA_OK) {
            fail_msg("%s", xta_mapping_error(map)->text);
        }
        if (k == 0) {
            grow(map, 0, XTA_FRONT, 1);
            grow(map, 0, XTA_BACK, 1);
        }
    }
    assert_true(H5Dread(scale, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, NONE, after) >= 0);
    assert_memory_equal(after, expected, sizeof after);
    assert_int_equal(xta_mapping_close(map, &err), XTA_OK);
    H5Dclose(scale);
    H5Dclose(dataset);
    assert_int_equal(H5Fget_obj_count(file, H5F_OBJ_ALL), 1);
    H5Fclose(file);
}

static void test_hdf5_scale_without_fill(void **unused)
{
    (void)unused;
    try_without_fill(true, (double[]){0, 5, 6, 7, 0});
    try_without_fill(false, (double[]){0, 0, 0, 0, 0});
}

static void make_square(void)
{
    const hsize_t bounds[2] = {4, 4}, most[2] = {H5S_UNLIMITED, H5S_UNLIMITED}, chunk[2] = {2, 2};
    const int cells[16] = {1, 2, 3};
    hid_t file = H5Fcreate(hdf5_path(), H5F_ACC_TRUNC, NONE, NONE);
    hid_t storage = H5Pcreate(H5P_DATASET_CREATE), plane = H5Pcreate(H5P_DATASET_CREATE);
    hid_t line = H5Screate_simple(1, bounds, most), area = H5Screate_simple(2, bounds, most);
    assert_true(H5Pset_chunk(storage, 1, chunk) >= 0 && H5Pset_chunk(plane, 2, chunk) >= 0);
    hid_t scale = H5Dcreate2(file, "scale", H5T_STD_I32LE, line, NONE, storage, NONE);
    hid_t square = H5Dcreate2(file, "square", H5T_STD_I32LE, area, NONE, plane, NONE);
    assert_true(H5Dwrite(scale, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, cells) >= 0);
    assert_true(H5Dwrite(square, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, cells) >= 0);
    assert_true(H5DSset_scale(scale, "s") >= 0);
    assert_true(H5DSattach_scale(square, scale, 0) >= 0 && H5DSattach_scale(square, scale, 1) >= 0);
    H5Dclose(square);
    H5Dclose(scale);
    H5Sclose(line);
    H5Sclose(area);
    H5Pclose(storage);
    H5Pclose(plane);
    H5Fclose(file);
}

/* One scale on both axes of a dataset: which of its values are whose cannot be said, so that the
 * dataset cannot grow; the file has the same bytes as before. */
static void test_hdf5_scale_on_two_axes(void **unused)
{
    (void)unused;
    static const xta_growth cases[] = {
        {0, XTA_BACK, 1}, {1, XTA_BACK, 2}, {0, XTA_FRONT, 1}, {1, XTA_FRONT, 1}};
    make_square();
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char words[100];
        size_t before_bytes = 0, after_bytes = 0;
        uint8_t *before = test_file_read(hdf5_path(), &before_bytes);
        hid_t file = H5Fopen(hdf5_path(), H5F_ACC_RDWR, NONE);
        hid_t dataset = H5Dopen2(file, "square", NONE);
        xta_mapping *map = xtaHDFmap(dataset, NULL, &err);
        assert_non_null(map);
        grow(map, cases[k].axis, cases[k].side, cases[k].by);
        snprintf(words, sizeof words,
                 "axis %d: its scale /scale is used by another axis of the dataset, too; detach it",
                 cases[k].axis);
        assert_int_equal(xtaHDFwrite(map, dataset), XTA_EUNSUPPORTED);
        assert_non_null(strstr(xta_mapping_error(map)->text, words));
        assert_int_equal(xta_mapping_close(map, &err), XTA_OK);
        H5Dclose(dataset);
        H5Fclose(file);
        uint8_t *after = test_file_read(hdf5_path(), &after_bytes);
        assert_int_equal(after_bytes, before_bytes);
        assert_memory_equal(after, before, before_bytes);
        free(before);
        free(after);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hdf5_scale_without_fill),
        cmocka_unit_test(test_hdf5_scale_on_two_axes),
    };
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return cmocka_run_group_tests_name("map_scales", tests, test_group_begin, test_group_end);
}
