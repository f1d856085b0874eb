/* One lock for foreign libraries that are not thread-safe.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_COMMON_LIBRARY_LOCK_H
#define XTA_FORMATS_COMMON_LIBRARY_LOCK_H

/* NetCDF, HDF5 and CFITSIO are not thread-safe: calls into them are made one at a time. */
void xta__library_lock(void);
void xta__library_unlock(void);

#endif
