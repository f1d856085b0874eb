/* The NetCDF library: locking, translating errors, converting types.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NETCDF_LIBRARY_H
#define XTA_FORMATS_NETCDF_LIBRARY_H

#include <netcdf.h>
#include <stdbool.h>

#include <xta/status.h>
#include <xta/type.h>

/* The NetCDF library is not thread-safe: calls into it are made one at a time. */
void xta__netcdf_lock(void);
void xta__netcdf_unlock(void);

/* Put the library's message into an error. Returns XTA_OK for NC_NOERR. */
xta_status xta__netcdf_status(int code, const char *path, const char *what, xta_error *err);

/* XTA_TYPE_SAME, NC_NAT: none. */
xta_type xta__netcdf_to_xta(nc_type type);
nc_type xta__netcdf_from_xta(xta_type type);
/* Whether the classic model has this type. */
bool xta__netcdf_is_classic_type(nc_type type);

/* The kind of an open file, in the words of ncdump -k; NULL: not known. Under the lock. */
const char *xta__netcdf_kind_of(int file);

/* The value of cells that nobody wrote, unless an attribute says otherwise, by the type in an
 * array. Returns its bytes; 0: bytes, texts and complex numbers have none. */
enum { XTA__NETCDF_FILL_BYTES = 8 };
size_t xta__netcdf_default_fill(xta_type type, unsigned char fill[XTA__NETCDF_FILL_BYTES]);

#endif
