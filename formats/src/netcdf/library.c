/* The NetCDF library: locking, translating errors, converting types.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "netcdf/library.h"

#include <netcdf.h>

#include <string.h>

#include "common/library_lock.h"

void xta__netcdf_lock(void)
{
    xta__library_lock();
}

void xta__netcdf_unlock(void)
{
    xta__library_unlock();
}

xta_status xta__netcdf_status(int code, const char *path, const char *what, xta_error *err)
{
    if (code == NC_NOERR) {
        return XTA_OK;
    }
    xta_status status = code == NC_ENOTNC    ? XTA_EFORMAT
                        : code == NC_ENOMEM  ? XTA_ENOMEM
                        : code == 2          ? XTA_ENOENT
                        : code == 13         ? XTA_EACCESS
                        : code == 28         ? XTA_ENOSPC
                        : code == NC_ENOTVAR ? XTA_ENOENT
                                             : XTA_EFOREIGN;
    return xta_error_set(err, status, code > 0 ? code : 0, "%s: %s: NetCDF says: %s", path, what,
                         nc_strerror(code));
}

static const struct {
    nc_type foreign;
    xta_type ours;
} types[] = {
    {NC_BYTE, XTA_I8},   {NC_UBYTE, XTA_U8},   {NC_SHORT, XTA_I16},  {NC_USHORT, XTA_U16},
    {NC_INT, XTA_I32},   {NC_UINT, XTA_U32},   {NC_INT64, XTA_I64},  {NC_UINT64, XTA_U64},
    {NC_FLOAT, XTA_F32}, {NC_DOUBLE, XTA_F64}, {NC_CHAR, XTA_BYTES}, {NC_BYTE, XTA_BOOL},
};

#define N_TYPES (sizeof types / sizeof types[0])

xta_type xta__netcdf_to_xta(nc_type type)
{
    for (size_t k = 0; k < N_TYPES; k++) {
        if (types[k].foreign == type) {
            return types[k].ours;
        }
    }
    return XTA_TYPE_SAME;
}

nc_type xta__netcdf_from_xta(xta_type type)
{
    for (size_t k = 0; k < N_TYPES; k++) {
        if (types[k].ours == type) {
            return types[k].foreign;
        }
    }
    return NC_NAT;
}

bool xta__netcdf_is_classic_type(nc_type type)
{
    return type == NC_BYTE || type == NC_CHAR || type == NC_SHORT || type == NC_INT ||
           type == NC_FLOAT || type == NC_DOUBLE;
}

const char *xta__netcdf_kind_of(int file)
{
    static const char *const names[] = {
        "?", "classic", "64-bit offset", "netCDF-4", "netCDF-4 classic model", "cdf5"};
    int format = 0;

    return nc_inq_format(file, &format) == NC_NOERR && format >= 1 && format <= 5 ? names[format]
                                                                                  : NULL;
}

static size_t put_fill(const void *value, size_t bytes, unsigned char *fill)
{
    memcpy(fill, value, bytes);
    return bytes;
}

size_t xta__netcdf_default_fill(xta_type type, unsigned char fill[XTA__NETCDF_FILL_BYTES])
{
    switch (type) {
    case XTA_I16:
        return put_fill(&(int16_t){NC_FILL_SHORT}, 2, fill);
    case XTA_U16:
        return put_fill(&(uint16_t){NC_FILL_USHORT}, 2, fill);
    case XTA_I32:
        return put_fill(&(int32_t){NC_FILL_INT}, 4, fill);
    case XTA_U32:
        return put_fill(&(uint32_t){NC_FILL_UINT}, 4, fill);
    case XTA_I64:
        return put_fill(&(int64_t){NC_FILL_INT64}, 8, fill);
    case XTA_U64:
        return put_fill(&(uint64_t){NC_FILL_UINT64}, 8, fill);
    case XTA_F32:
        return put_fill(&(float){NC_FILL_FLOAT}, 4, fill);
    case XTA_F64:
        return put_fill(&(double){NC_FILL_DOUBLE}, 8, fill);
    default:
        return 0;
    }
}
