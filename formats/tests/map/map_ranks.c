/* A file that two ranks have open through MPI-IO is refused; one that a rank has alone is mapped.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/map_hdf5.h>

#define EXPECT(condition)                                                           \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            MPI_Abort(MPI_COMM_WORLD, 1);                                           \
        }                                                                           \
    } while (0)

static hid_t make(const char *path, MPI_Comm communicator, hid_t *dataset)
{
    const hsize_t bounds[2] = {3, 4}, most[2] = {H5S_UNLIMITED, H5S_UNLIMITED}, chunk[2] = {2, 2};
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t storage = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = H5Screate_simple(2, bounds, most);
    H5Pset_fapl_mpio(access, communicator, MPI_INFO_NULL);
    H5Pset_chunk(storage, 2, chunk);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    *dataset = H5Dcreate2(file, "data", H5T_STD_I32LE, space, H5P_DEFAULT, storage, H5P_DEFAULT);
    H5Sclose(space);
    H5Pclose(storage);
    H5Pclose(access);
    EXPECT(*dataset >= 0);
    return file;
}

int main(int argc, char **argv)
{
    int rank = 0, ranks = 0;
    char path[64];
    xta_error err;
    hid_t dataset;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    EXPECT(ranks == 2);

    hid_t file = make("together.h5", MPI_COMM_WORLD, &dataset);
    EXPECT(xtaHDFmap(dataset, NULL, &err) == NULL);
    EXPECT(err.status == XTA_EUNSUPPORTED);
    EXPECT(strstr(err.text, "is open through MPI-IO on 2 ranks") != NULL);
    H5Dclose(dataset);
    EXPECT(H5Fclose(file) >= 0);

    snprintf(path, sizeof path, "alone%d.h5", rank);
    file = make(path, MPI_COMM_SELF, &dataset);
    xta_mapping *map = xtaHDFmap(dataset, NULL, &err);
    EXPECT(map != NULL);
    const xta_growth growth = {1, XTA_FRONT, rank + 1};
    EXPECT(xta_array_extend(xta_mapping_array(map), &growth, 1, NULL, &err) == XTA_OK);
    EXPECT(xtaHDFwrite(map, dataset) == XTA_OK);
    EXPECT(xta_mapping_close(map, &err) == XTA_OK);
    hsize_t bounds[2];
    hid_t space = H5Dget_space(dataset);
    H5Sget_simple_extent_dims(space, bounds, NULL);
    EXPECT(bounds[0] == 3 && bounds[1] == 5 + (hsize_t)rank);
    H5Sclose(space);
    H5Dclose(dataset);
    EXPECT(H5Fclose(file) >= 0);
    MPI_Finalize();
    return 0;
}
