/* What [CXA] 6.4.1 and 7.1.1 say of HDF5, against the library of HDF5; docs/ERRATA.md 13. The file
 * is in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <hdf5.h>

static hid_t file;

static int begin(void **state)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);

    (void)state;
    assert_true(H5Pset_fapl_core(access, 1 << 16, 0) >= 0);
    file = H5Fcreate("errata.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    assert_true(file >= 0);
    H5Pclose(access);
    return 0;
}

static int end(void **state)
{
    (void)state;
    return H5Fclose(file) < 0;
}

/* 4 x 6 cells in chunks of 2 x 3, each cell its row-major number. */
static hid_t make(const char *name, const hsize_t most[2])
{
    static const hsize_t bounds[] = {4, 6}, chunk[] = {2, 3};
    int cells[24];
    hid_t space = H5Screate_simple(2, bounds, most);
    hid_t create = H5Pcreate(H5P_DATASET_CREATE);

    for (int k = 0; k < 24; k++) {
        cells[k] = k;
    }
    assert_true(H5Pset_chunk(create, 2, chunk) >= 0);
    hid_t set = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, create, H5P_DEFAULT);
    assert_true(set >= 0);
    assert_true(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells) >= 0);
    assert_true(H5Fflush(file, H5F_SCOPE_LOCAL) >= 0);
    H5Sclose(space);
    H5Pclose(create);
    return set;
}

static haddr_t place_of(hid_t set, hsize_t row, hsize_t column)
{
    const hsize_t at[] = {row, column};
    haddr_t address = HADDR_UNDEF;
    hsize_t bytes = 0;
    unsigned mask;

    assert_true(H5Dget_chunk_info_by_coord(set, at, &mask, &address, &bytes) >= 0);
    assert_int_equal(bytes, 6 * sizeof(int));
    return address;
}

static void check_grown(hid_t set, hsize_t columns)
{
    int cells[4 * 32];

    assert_true(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells) >= 0);
    for (hsize_t row = 0; row < 4; row++) {
        for (hsize_t column = 0; column < columns; column++) {
            assert_int_equal(cells[row * columns + column],
                             column < 6 ? (int)(row * 6 + column) : 0);
        }
    }
}

/* 7.1.1, 7.2: "extension can only be performed on the first dimension". 6.4.1, 8.5.2: HDF5 incurs
 * "the cost of reorganising already allocated array elements". */
static void the_second_dimension_grows_in_place(void **state)
{
    static const hsize_t any[] = {H5S_UNLIMITED, H5S_UNLIMITED}, wider[] = {4, 32};
    haddr_t before[4];

    (void)state;
    hid_t set = make("any", any);
    for (hsize_t k = 0; k < 4; k++) {
        before[k] = place_of(set, k / 2 * 2, k % 2 * 3);
    }
    assert_true(H5Dset_extent(set, wider) >= 0);
    check_grown(set, 32);
    for (hsize_t k = 0; k < 4; k++) {
        assert_int_equal(place_of(set, k / 2 * 2, k % 2 * 3), before[k]);
    }
    H5Dclose(set);
}

/* 7.1.1: "To enable extensions, the dimensional bound must be set to unlimited." */
static void a_limit_is_no_obstacle_below_it(void **state)
{
    static const hsize_t most[] = {4, 20}, wider[] = {4, 20}, too_wide[] = {4, 21};
    hid_t set = make("limited", most);
    herr_t status;

    (void)state;
    assert_true(H5Dset_extent(set, wider) >= 0);
    check_grown(set, 20);
    H5E_BEGIN_TRY
    {
        status = H5Dset_extent(set, too_wide);
    }
    H5E_END_TRY;
    assert_true(status < 0);
    H5Dclose(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_second_dimension_grows_in_place),
        cmocka_unit_test(a_limit_is_no_obstacle_below_it),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
