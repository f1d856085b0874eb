/* The path of a data set in what nc_open is given.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_CALLS_PATH_H
#define XTA_NETCDF_CALLS_PATH_H

/* The path in `file:///abs/ocean#mode=udf0`, or in a path itself; `%XX` in the former stands for a
 * byte, as xta-nc writes it. NULL: out of memory. The caller frees it. */
char *xta__nc_local_path(const char *given);

#endif
