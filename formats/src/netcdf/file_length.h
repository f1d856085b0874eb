/* The minimum length of a NetCDF file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NETCDF_FILE_LENGTH_H
#define XTA_FORMATS_NETCDF_FILE_LENGTH_H

/* Under the lock. The minimum length in bytes of a file in a classic format; 0 for other
 * formats. */
double xta__netcdf_least_bytes(int file);

#endif
