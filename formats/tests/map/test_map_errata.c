/* What [CXA] 7 says of HDF5 and NetCDF, against the libraries: docs/ERRATA.md, "[CXA] 7.3:
 * mappings".
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <hdf5.h>
#include <netcdf.h>

#include <xta/map_netcdf.h>

#include "support/folder.h"

#define NONE H5P_DEFAULT

static hid_t make(hid_t file, const char *name, int n_unlimited)
{
    const hsize_t bounds[2] = {2, 2}, chunk[2] = {2, 2};
    hsize_t most[2] = {H5S_UNLIMITED, 6};
    const int cells[4] = {1, 2, 3, 4};
    if (n_unlimited == 2) {
        most[1] = H5S_UNLIMITED;
    }
    hid_t storage = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(storage, 2, chunk);
    hid_t space = H5Screate_simple(2, bounds, most);
    hid_t dataset = H5Dcreate2(file, name, H5T_STD_I32LE, space, NONE, storage, NONE);
    assert_true(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, cells) >= 0);
    H5Sclose(space);
    H5Pclose(storage);
    return dataset;
}

/* 7.1.1 and 7.1.1's list: extension "can only be performed on the first dimension", and a bound is
 * "either fixed or unlimited". */
static void test_any_dimension(void **unused)
{
    (void)unused;
    const hsize_t wide[2] = {2, 5}, too_wide[2] = {2, 7};
    int cells[10] = {0};
    const char *path = test_folder_path(&test_group_folder, "any.h5");
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, NONE, NONE);
    hid_t dataset = make(file, "a", 1);
    assert_true(H5Dset_extent(dataset, wide) >= 0);    // the second dimension
    assert_true(H5Dset_extent(dataset, too_wide) < 0); // has a maximum of 6
    assert_true(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, cells) >= 0);
    assert_int_equal(cells[1], 2);
    assert_int_equal(cells[5], 3); // row 1 begins behind five cells
    assert_int_equal(cells[9], 0);
    H5Dclose(dataset);
    H5Fclose(file);
}

static H5D_chunk_index_t index_of(hid_t dataset)
{
    H5D_chunk_index_t type = H5D_CHUNK_IDX_SINGLE;
    assert_true(H5Dget_chunk_index_type(dataset, &type) >= 0);
    return type;
}

/* 7.2: the chunks are "indexed using the extendible array (EA) structure". */
static void test_chunk_index(void **unused)
{
    (void)unused;
    const char *path = test_folder_path(&test_group_folder, "index.h5");
    for (int latest = 0; latest < 2; latest++) {
        hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        if (latest == 1) {
            H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
        }
        hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, NONE, access);
        hid_t one = make(file, "one", 1);
        hid_t two = make(file, "two", 2);
        assert_int_equal(index_of(one), latest == 1 ? H5D_CHUNK_IDX_EARRAY : H5D_CHUNK_IDX_BTREE);
        assert_int_equal(index_of(two), latest == 1 ? H5D_CHUNK_IDX_BT2 : H5D_CHUNK_IDX_BTREE);
        H5Dclose(one);
        H5Dclose(two);
        H5Fclose(file);
        H5Pclose(access);
    }
}

/* 7.3: ncidp is a pointer in nc_open and then given to nc_inq_varid; nc_get_var_type stands for the
 * functions nc_get_var_float, nc_get_var_int, ... What it means, in the library's calls. */
static void test_calls(void **unused)
{
    (void)unused;
    const char *path = test_folder_path(&test_group_folder, "calls.nc");
    int ncid, dimension, varid;
    float datap[3] = {1.5F, 2.5F, 3.5F};
    xta_error err;
    assert_int_equal(nc_create(path, NC_CLOBBER, &ncid), NC_NOERR);
    assert_int_equal(nc_def_dim(ncid, "x", NC_UNLIMITED, &dimension), NC_NOERR);
    assert_int_equal(nc_def_var(ncid, "v", NC_FLOAT, 1, &dimension, &varid), NC_NOERR);
    assert_int_equal(nc_enddef(ncid), NC_NOERR);
    assert_int_equal(nc_put_vara_float(ncid, varid, (size_t[]){0}, (size_t[]){3}, datap), NC_NOERR);
    assert_int_equal(nc_close(ncid), NC_NOERR);

    int *ncidp = &ncid;
    assert_int_equal(nc_open(path, NC_WRITE, ncidp), NC_NOERR);
    assert_int_equal(nc_inq_varid(*ncidp, "v", &varid), NC_NOERR);
    assert_int_equal(nc_get_var_float(*ncidp, varid, datap), NC_NOERR);
    xta_mapping *xta_ndcf = xtaNetCDFmap(datap, *ncidp, varid, NULL, &err);
    assert_non_null(xta_ndcf);
    float value = 0;
    assert_int_equal(xta_array_get(xta_mapping_array(xta_ndcf), (int64_t[]){2}, &value, &err),
                     XTA_OK);
    assert_true(value == 3.5F);
    assert_int_equal(xtaNetCDFwrite(xta_ndcf, varid), XTA_OK);
    assert_int_equal(xta_mapping_close(xta_ndcf, &err), XTA_OK);
    assert_int_equal(nc_close(ncid), NC_NOERR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_dimension),
        cmocka_unit_test(test_chunk_index),
        cmocka_unit_test(test_calls),
    };
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return cmocka_run_group_tests_name("map_errata", tests, test_group_begin, test_group_end);
}
