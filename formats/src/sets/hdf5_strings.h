/* Strings of a fixed length in HDF5 files, which NetCDF cannot read: NetCDF 4.9 takes them for
 * pointers, and writes beyond its memory. The caller holds the library's lock (library_lock.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_HDF5_STRINGS_H
#define XTA_FORMATS_SETS_HDF5_STRINGS_H

#include <stdbool.h>
#include <stddef.h>

#include <xta/box.h>
#include <xta/status.h>

/* What the strings of a dataset are. */
typedef enum hdf5_strings {
    HDF5_STRINGS_VARIABLE, /* of any length */
    HDF5_STRINGS_FIXED,    /* *bytes each */
    HDF5_STRINGS_UNKNOWN   /* it cannot be told: there is no HDF5, or it failed */
} hdf5_strings;

/* `name`: path of the dataset in the file. */
hdf5_strings xta__hdf5_strings_of(const char *path, const char *name, size_t *bytes);

/* Read a box of strings of `bytes` bytes, padded with zeros; all of a scalar dataset if `scalar`.
 * False: HDF5 failed. */
bool xta__hdf5_read_fixed_strings(const char *path, const char *name, bool scalar,
                                  const xta_box *box, size_t bytes, void *cells);

#endif
