/* Data sets that tests of the format open, and the same as files of NetCDF-4.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_TESTS_SETS_H
#define XTA_NETCDF_TESTS_SETS_H

#include <xta/dataset.h>

/* Fails the test, with NetCDF's text, unless `code` is NC_NOERR. */
void nc_must(int code);

/* A file with all types, unlimited and other dimensions, coordinates that are regular and others,
 * strings, scalars, groups and attributes of all types; cells by the seed. */
void source_make(const char *path, uint64_t seed);

/* A data set of that file; with `grown`, with more cells at the front of three dimensions. */
void set_make(const char *source, const char *folder, bool grown);

/* The data set as a file of NetCDF-4. */
void set_export(const char *folder, const char *file);

/* "file://FOLDER#mode=udf0", in memory that the next call but three reuses. */
const char *set_address(const char *folder);

#endif
