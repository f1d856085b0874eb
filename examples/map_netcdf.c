/* A variable of NetCDF that grows at both ends of two unlimited dimensions ([CXA] 7.3).
 *
 *   map_netcdf [FILE [GROUP] VARIABLE]     without a file: one of its own, map_netcdf.nc
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <netcdf.h>

#include <xta/map_netcdf.h>

#include "example.h"

#define GOOD(call) EXPECT((call) == NC_NOERR)

/* rain(time, x) of 4 x 6 cells with coordinates of time, both dimensions unlimited. */
static void make_file(const char *path)
{
    const size_t start[2] = {0, 0}, count[2] = {4, 6};
    const double times[4] = {100, 101, 102, 103};
    int file, dimensions[2], time, rain;
    short cells[4][6];
    for (int y = 0; y < 4; y++) {
        for (int x = 0; x < 6; x++) {
            cells[y][x] = (short)(10 * y + x);
        }
    }
    GOOD(nc_create(path, NC_NETCDF4 | NC_CLOBBER, &file));
    GOOD(nc_def_dim(file, "time", NC_UNLIMITED, &dimensions[0]));
    GOOD(nc_def_dim(file, "x", NC_UNLIMITED, &dimensions[1]));
    GOOD(nc_def_var(file, "time", NC_DOUBLE, 1, dimensions, &time));
    GOOD(nc_def_var(file, "rain", NC_SHORT, 2, dimensions, &rain));
    GOOD(nc_put_vara_double(file, time, start, count, times));
    GOOD(nc_put_vara_short(file, rain, start, count, cells[0]));
    GOOD(nc_close(file));
}

int main(int argc, char **argv)
{
    const char *path = argc > 2 ? argv[1] : "map_netcdf.nc";
    const char *name = argc > 2 ? argv[argc - 1] : "rain";
    int ncid, varid;
    xta_error err;
    xta_box now;
    if (argc <= 2) {
        make_file(path);
    }
    GOOD(nc_open(path, NC_WRITE, &ncid));
    int group = ncid;
    if (argc > 3) {
        GOOD(nc_inq_grp_full_ncid(ncid, argv[2], &group));
    }
    GOOD(nc_inq_varid(group, name, &varid));

    xta_mapping *xta_ndcf = xtaNetCDFmap(NULL, group, varid, NULL, &err);
    if (xta_ndcf == NULL) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    xta_array *array = xta_mapping_array(xta_ndcf);

    // Both ends of both axes; then coordinates for all times, where the file has them.
    const xta_growth growths[4] = {
        {0, XTA_FRONT, 2}, {0, XTA_BACK, 3}, {1, XTA_FRONT, 1}, {1, XTA_BACK, 2}};
    TRY(xta_array_extend(array, growths, 4, &now, &err));
    double times[4096];
    size_t n = (size_t)(now.hi[0] - now.lo[0]);
    EXPECT(n <= sizeof times / sizeof times[0]);
    for (size_t k = 0; k < n; k++) {
        times[k] = (double)(100 + now.lo[0]) + (double)k;
    }
    xta_attribute values = {"values", XTA_F64, sizeof times[0], n, times};
    TRY(xta_attribute_set(array, 0, &values, &err));

    if (xtaNetCDFwrite(xta_ndcf, varid) != XTA_OK) {
        fprintf(stderr, "%s\n", xta_mapping_error(xta_ndcf)->text);
        (void)!xta_mapping_close(xta_ndcf, NULL);
        return 1;
    }
    TRY(xta_mapping_close(xta_ndcf, &err));

    int dimensions[NC_MAX_VAR_DIMS];
    size_t length = 0;
    GOOD(nc_inq_vardimid(group, varid, dimensions));
    GOOD(nc_inq_dimlen(group, dimensions[0], &length));
    printf("%s has %zu cells on its first dimension, from coordinate %lld on\n", name, length,
           (long long)now.lo[0]);
    EXPECT(length == n);
    GOOD(nc_close(ncid));
    return 0;
}
