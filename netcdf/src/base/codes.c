/* What NetCDF is told of an error, and the types of both libraries.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/codes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int xta__nc_code(xta_status status, const xta_error *err)
{
    static const struct {
        xta_status status;
        int code;
    } codes[] = {
        {XTA_EARG, NC_EINVAL},
        {XTA_EBOX, NC_EINVALCOORDS},
        {XTA_ETYPE, NC_EBADTYPE},
        {XTA_ERANGE, NC_ERANGE},
        {XTA_EOVERFLOW, NC_EDIMSIZE},
        {XTA_ENOMEM, NC_ENOMEM},
        {XTA_EIO, EIO},
        {XTA_ENOSPC, ENOSPC},
        {XTA_ENOENT, ENOENT},
        {XTA_EEXIST, NC_EEXIST},
        {XTA_EACCESS, EACCES},
        {XTA_EFORMAT, NC_ENOTNC},
        {XTA_ECORRUPT, NC_ENOTNC},
        {XTA_ESTATE, ESTALE},
        {XTA_EUNSUPPORTED, ENOTSUP},
        {XTA_EFOREIGN, EIO},
        {XTA_ECANCELLED, ECANCELED},
        {XTA_ETIMEDOUT, ETIMEDOUT},
        {XTA_EBUSY, EBUSY},
        {XTA_EUNFINISHED, EBUSY},
    };
    int code = EIO;

    if (status == XTA_OK) {
        return NC_NOERR;
    }
    for (size_t k = 0; k < sizeof codes / sizeof codes[0]; k++) {
        code = codes[k].status == status ? codes[k].code : code;
    }
    // nc_strerror knows the numbers of the system.
    if (status == XTA_EIO && err != NULL && err->os_errno > 0) {
        code = err->os_errno;
    }
    const char *verbose = getenv("XTA_NC_VERBOSE");
    if (err != NULL && verbose != NULL && verbose[0] != '\0' && strcmp(verbose, "0") != 0) {
        fprintf(stderr, "xta: %s\n", err->text);
    }
    return code;
}

static const struct {
    xta_type ours;
    nc_type theirs;
    size_t bytes;
} types[] = {
    {XTA_I8, NC_BYTE, 1},    {XTA_U8, NC_UBYTE, 1},   {XTA_I16, NC_SHORT, 2},
    {XTA_U16, NC_USHORT, 2}, {XTA_I32, NC_INT, 4},    {XTA_U32, NC_UINT, 4},
    {XTA_I64, NC_INT64, 8},  {XTA_U64, NC_UINT64, 8}, {XTA_F32, NC_FLOAT, 4},
    {XTA_F64, NC_DOUBLE, 8}, {XTA_BYTES, NC_CHAR, 1}, {XTA_BOOL, NC_BYTE, 1},
    {XTA_F16, NC_FLOAT, 4},  {XTA_C64, NC_FLOAT, 4},  {XTA_C128, NC_DOUBLE, 8},
};

#define N_TYPES (sizeof types / sizeof types[0])

nc_type xta__nc_type(xta_type type)
{
    for (size_t k = 0; k < N_TYPES; k++) {
        if (types[k].ours == type) {
            return types[k].theirs;
        }
    }
    return NC_NAT;
}

xta_type xta__nc_type_of(nc_type type)
{
    for (size_t k = 0; k < N_TYPES; k++) {
        if (types[k].theirs == type) {
            return types[k].ours;
        }
    }
    return XTA_TYPE_SAME;
}

size_t xta__nc_type_bytes(nc_type type)
{
    for (size_t k = 0; k < N_TYPES; k++) {
        if (types[k].theirs == type) {
            return types[k].bytes;
        }
    }
    return type == NC_STRING ? sizeof(char *) : 0;
}
