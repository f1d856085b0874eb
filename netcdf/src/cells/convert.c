/* Conversions between types, by NetCDF's own function.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cells/convert.h"

#include <stdbool.h>
#include <string.h>

/* Exported by the library and declared in libsrc4/nc4internal.h of NetCDF 4.9.0, which is not
 * installed. xta_netcdf_register refuses libraries of another version of the dispatch table. */
extern int nc4_convert_type(const void *src, void *dest, nc_type src_type, nc_type dest_type,
                            size_t len, int *range_error, const void *fill_value, int strict_nc3,
                            int quantize_mode, int nsd);

void xta__nc_cast(xta_type from, const void *value, xta_type to, void *out)
{
    if (xta_type_convert(from, value, to, out, 1, NULL) != XTA_OK) {
        memset(out, 0, xta_type_bytes(to));
    }
}

int xta__nc_convert(const void *from, nc_type from_type, void *to, nc_type to_type, size_t n,
                    int *out_of_range)
{
    int errors = 0;
    int code =
        nc4_convert_type(from, to, from_type, to_type, n, &errors, NULL, 0, NC_NOQUANTIZE, 0);

    *out_of_range = *out_of_range || errors != 0;
    return code;
}

/* Move on to the next value; false: there is none. `at` counts values of the map. */
static bool next_value(int ndim, const size_t count[], const ptrdiff_t map[], size_t position[],
                       ptrdiff_t *at)
{
    for (int d = ndim - 1; d >= 0; d--) {
        position[d]++;
        *at += map[d];
        if (position[d] < count[d]) {
            return true;
        }
        *at -= (ptrdiff_t)count[d] * map[d];
        position[d] = 0;
    }
    return false;
}

void xta__nc_scatter(const void *dense, void *mapped, size_t value_bytes, int ndim,
                     const size_t count[], const ptrdiff_t map[])
{
    size_t position[NC_MAX_VAR_DIMS] = {0};
    const char *from = dense;
    ptrdiff_t at = 0;

    do {
        memcpy((char *)mapped + at * (ptrdiff_t)value_bytes, from, value_bytes);
        from += value_bytes;
    } while (next_value(ndim, count, map, position, &at));
}

void xta__nc_gather(const void *mapped, void *dense, size_t value_bytes, int ndim,
                    const size_t count[], const ptrdiff_t map[])
{
    size_t position[NC_MAX_VAR_DIMS] = {0};
    char *to = dense;
    ptrdiff_t at = 0;

    do {
        memcpy(to, (const char *)mapped + at * (ptrdiff_t)value_bytes, value_bytes);
        to += value_bytes;
    } while (next_value(ndim, count, map, position, &at));
}
