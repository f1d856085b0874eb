/* Whole files in a build without HDF5: NetCDF gets all that lie on it, and nothing is known of
 * their strings.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/hdf5_source.h"

#include "sets/hdf5_strings.h"

bool xta__set_is_plain_hdf5(const char *path)
{
    (void)path;
    return false;
}

const set_reader xta__set_hdf5 = {0};

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
