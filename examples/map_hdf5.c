/* A dataset of HDF5 that grows at both ends of two axes ([CXA] 7.3).
 *
 *   map_hdf5 [FILE DATASET]     without a file: one of its own, map_hdf5.h5
 *
 * HDF5 itself extends a dataset at the back; the mapped array also at the front.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <hdf5.h>

#include <xta/map_hdf5.h>

#include "example.h"

#define NONE H5P_DEFAULT

/* A compressed dataset of 4 x 6 cells, 10 * row + column, both axes unlimited. */
static void make_file(const char *path)
{
    const hsize_t bounds[2] = {4, 6}, most[2] = {H5S_UNLIMITED, H5S_UNLIMITED}, chunk[2] = {2, 4};
    const float fill = -1;
    float cells[4][6];
    for (int y = 0; y < 4; y++) {
        for (int x = 0; x < 6; x++) {
            cells[y][x] = (float)(10 * y + x);
        }
    }
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, NONE, NONE);
    hid_t group = H5Gcreate2(file, "field", NONE, NONE, NONE);
    hid_t space = H5Screate_simple(2, bounds, most);
    hid_t storage = H5Pcreate(H5P_DATASET_CREATE);
    EXPECT(H5Pset_chunk(storage, 2, chunk) >= 0 && H5Pset_deflate(storage, 6) >= 0);
    EXPECT(H5Pset_fill_value(storage, H5T_NATIVE_FLOAT, &fill) >= 0);
    hid_t dataset = H5Dcreate2(group, "rain", H5T_IEEE_F32LE, space, NONE, storage, NONE);
    EXPECT(H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, NONE, cells) >= 0);
    H5Dclose(dataset);
    H5Pclose(storage);
    H5Sclose(space);
    H5Gclose(group);
    EXPECT(H5Fclose(file) >= 0);
}

int main(int argc, char **argv)
{
    const char *path = argc > 2 ? argv[1] : "map_hdf5.h5";
    const char *name = argc > 2 ? argv[2] : "/field/rain";
    xta_error err;
    xta_box now;
    if (argc <= 2) {
        make_file(path);
    }
    hid_t fhdl = H5Fopen(path, H5F_ACC_RDWR, NONE);
    hid_t dathdl = H5Dopen2(fhdl, name, NONE);
    EXPECT(dathdl >= 0);

    xta_mapping *xta_hdf = xtaHDFmap(dathdl, NULL, &err);
    if (xta_hdf == NULL) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    for (size_t k = 0; k < xta_mapping_object_count(xta_hdf); k++) {
        xta_mapping_object object;
        TRY(xta_mapping_object_at(xta_hdf, k, &object, &err));
        printf("%s: %zu attributes%s\n", object.path, object.n_attributes,
               object.mapped ? " (mapped)" : "");
    }

    // Both ends of both axes, in one step; new cells have the dataset's fill value.
    const xta_growth growths[4] = {
        {0, XTA_FRONT, 2}, {0, XTA_BACK, 3}, {1, XTA_FRONT, 1}, {1, XTA_BACK, 2}};
    TRY(xta_array_extend(xta_mapping_array(xta_hdf), growths, 4, &now, &err));
    const float seven = 7;
    xta_box corner = {2, {now.lo[0], now.lo[1]}, {now.lo[0] + 1, now.lo[1] + 1}};
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    io.type = XTA_F32;
    TRY(xta_array_write(xta_mapping_array(xta_hdf), &corner, &io, &seven, &err));

    if (xtaHDFwrite(xta_hdf, dathdl) != XTA_OK) {
        fprintf(stderr, "%s\n", xta_mapping_error(xta_hdf)->text);
        (void)!xta_mapping_close(xta_hdf, NULL);
        return 1;
    }
    TRY(xta_mapping_close(xta_hdf, &err));

    // The dataset is an ordinary one: cell (-2, -1) of the array is its cell (0, 0).
    hsize_t bounds[2] = {0, 0};
    hid_t space = H5Dget_space(dathdl);
    H5Sget_simple_extent_dims(space, bounds, NULL);
    printf("%s is %llu x %llu, its first cell has the coordinates (%lld, %lld)\n", name,
           (unsigned long long)bounds[0], (unsigned long long)bounds[1], (long long)now.lo[0],
           (long long)now.lo[1]);
    EXPECT((int64_t)bounds[0] == now.hi[0] - now.lo[0]);
    EXPECT((int64_t)bounds[1] == now.hi[1] - now.lo[1]);
    H5Sclose(space);
    H5Dclose(dathdl);
    EXPECT(H5Fclose(fhdl) >= 0);
    return 0;
}
