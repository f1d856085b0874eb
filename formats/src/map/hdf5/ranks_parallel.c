/* Whether several processes have a file open together, by an HDF5 that has MPI-IO.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "map/hdf5/ranks.h"

#include <hdf5.h>
#include <mpi.h>

int xta__mapping_hdf5_ranks(hid_t file)
{
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Info info = MPI_INFO_NULL;
    int ranks = 1;
    hid_t access = H5Fget_access_plist(file);
    if (H5Pget_driver(access) == H5FD_MPIO && H5Pget_fapl_mpio(access, &communicator, &info) >= 0) {
        MPI_Comm_size(communicator, &ranks);
        MPI_Comm_free(&communicator);
        if (info != MPI_INFO_NULL) {
            MPI_Info_free(&info);
        }
    }
    H5Pclose(access);
    return ranks;
}
