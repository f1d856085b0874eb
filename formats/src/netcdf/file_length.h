/* How long a NetCDF file has to be.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NETCDF_FILE_LENGTH_H
#define XTA_FORMATS_NETCDF_FILE_LENGTH_H

/* Under the lock. Bytes that a file of a classic format has at least; 0 for others. */
double xta__netcdf_least_bytes(int file);

#endif
