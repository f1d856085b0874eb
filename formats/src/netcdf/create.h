/* A new NetCDF file with one variable.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NETCDF_CREATE_H
#define XTA_FORMATS_NETCDF_CREATE_H

#include "description/format.h"

bool xta__netcdf_accepts(const char *format, const char *suffix);
xta_status xta__netcdf_create(const char *path, const xta_export_options *options,
                              bridge_description *what, void **state, xta_error *err);

/* The mode of a kind of file, by its name in options or in the words of ncdump -k. */
bool xta__netcdf_find_kind(const char *name, int *mode);

/* Whether it has only the types of the classic model. */
bool xta__netcdf_is_classic_mode(int mode);

#endif
