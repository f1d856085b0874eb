/* Calls into the HDF5 library: one at a time, without output, with errors translated.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HDF5_BASE_LIBRARY_H
#define XTA_FORMATS_HDF5_BASE_LIBRARY_H

#include <hdf5.h>
#include <stdbool.h>

#include <xta/status.h>

/* Take the lock that HDF5 and NetCDF share; HDF5 prints nothing until xta__hdf5_leave. */
void xta__hdf5_enter(void);
void xta__hdf5_leave(void);

/* Under the lock. Put the library's own message about the last failure into the error. */
xta_status xta__hdf5_failed(const char *path, const char *doing, xta_error *err);

/* Whether HDF5 has no fill value for the cells of a dataset, and fails where it is asked for it. */
bool xta__hdf5_fill_is_undefined(hid_t dataset);
/* Whether, besides, no cell was ever written: HDF5 then fails to read any. */
bool xta__hdf5_is_unwritten(hid_t dataset);

#endif
