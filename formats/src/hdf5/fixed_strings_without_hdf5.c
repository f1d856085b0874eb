/* Strings of HDF5 files in a build without HDF5: nothing is known of them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hdf5/fixed_strings.h"

hdf5_strings xta__hdf5_strings_of(const char *path, const char *name, size_t *bytes)
{
    (void)path;
    (void)name;
    *bytes = 0;
    return HDF5_STRINGS_UNKNOWN;
}

bool xta__hdf5_read_fixed_strings(const char *path, const char *name, bool scalar,
                                  const xta_box *box, size_t bytes, void *cells)
{
    (void)path;
    (void)name;
    (void)scalar;
    (void)box;
    (void)bytes;
    (void)cells;
    return false;
}
