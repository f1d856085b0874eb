/* Values of attributes of the shadow, converted by NetCDF from and to a type in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "calls/attribute_values.h"

int xta__nc_get_values(int shadow, int id, const char *name, void *values, nc_type memory)
{
    switch (memory) {
    case NC_CHAR:
        return nc_get_att_text(shadow, id, name, values);
    case NC_BYTE:
        return nc_get_att_schar(shadow, id, name, values);
    case NC_UBYTE:
        return nc_get_att_uchar(shadow, id, name, values);
    case NC_SHORT:
        return nc_get_att_short(shadow, id, name, values);
    case NC_USHORT:
        return nc_get_att_ushort(shadow, id, name, values);
    case NC_INT:
        return nc_get_att_int(shadow, id, name, values);
    case NC_UINT:
        return nc_get_att_uint(shadow, id, name, values);
    case NC_INT64:
        return nc_get_att_longlong(shadow, id, name, values);
    case NC_UINT64:
        return nc_get_att_ulonglong(shadow, id, name, values);
    case NC_FLOAT:
        return nc_get_att_float(shadow, id, name, values);
    case NC_DOUBLE:
        return nc_get_att_double(shadow, id, name, values);
    case NC_STRING:
        return nc_get_att_string(shadow, id, name, values);
    default:
        return nc_get_att(shadow, id, name, values);
    }
}

int xta__nc_put_values(int shadow, int id, const char *name, nc_type type, size_t n,
                       const void *values, nc_type memory)
{
    if (memory == type || memory == NC_NAT) {
        return nc_put_att(shadow, id, name, type, n, values);
    }
    switch (memory) {
    case NC_BYTE:
        return nc_put_att_schar(shadow, id, name, type, n, values);
    case NC_UBYTE:
        return nc_put_att_uchar(shadow, id, name, type, n, values);
    case NC_SHORT:
        return nc_put_att_short(shadow, id, name, type, n, values);
    case NC_USHORT:
        return nc_put_att_ushort(shadow, id, name, type, n, values);
    case NC_INT:
        return nc_put_att_int(shadow, id, name, type, n, values);
    case NC_UINT:
        return nc_put_att_uint(shadow, id, name, type, n, values);
    case NC_INT64:
        return nc_put_att_longlong(shadow, id, name, type, n, values);
    case NC_UINT64:
        return nc_put_att_ulonglong(shadow, id, name, type, n, values);
    case NC_FLOAT:
        return nc_put_att_float(shadow, id, name, type, n, values);
    case NC_DOUBLE:
        return nc_put_att_double(shadow, id, name, type, n, values);
    case NC_CHAR:
    case NC_STRING:
        return NC_ECHAR;
    default:
        return NC_EBADTYPE;
    }
}
