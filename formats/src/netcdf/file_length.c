/* The minimum length of a file in one of NetCDF's classic formats.
 *
 * The library reads zeros past the end of such a file. By the format's rules, the length of the
 * header follows from what the library reports, and that of the cells from the shapes; a shorter
 * file is truncated.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "netcdf/file_length.h"

#include <netcdf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Lengths of numbers in the format: counts, and offsets in the file. */
typedef struct layout {
    double count;
    double offset;
} layout;

static double padded_bytes(double bytes)
{
    double words = (double)(uint64_t)(bytes / 4);
    return 4 * (words * 4 < bytes ? words + 1 : words);
}

static double name_bytes(const layout *l, const char *name)
{
    return l->count + padded_bytes((double)strlen(name));
}

static double attribute_bytes(const layout *l, int file, int variable)
{
    char name[NC_MAX_NAME + 1];
    nc_type type;
    size_t n;
    size_t unit;
    int n_attributes = 0;
    double bytes = 4 + l->count;
    if (variable == NC_GLOBAL) {
        nc_inq_natts(file, &n_attributes);
    } else {
        nc_inq_varnatts(file, variable, &n_attributes);
    }
    for (int k = 0; k < n_attributes; k++) {
        if (nc_inq_attname(file, variable, k, name) == NC_NOERR &&
            nc_inq_att(file, variable, name, &type, &n) == NC_NOERR &&
            nc_inq_type(file, type, NULL, &unit) == NC_NOERR) {
            bytes += name_bytes(l, name) + 4 + l->count + padded_bytes((double)n * (double)unit);
        }
    }
    return bytes;
}

/* Bytes of the cells of one variable, or of one record if it has records. */
static double cell_bytes(int file, int variable, int unlimited, bool *record)
{
    int ndim = 0;
    int dimension[NC_MAX_VAR_DIMS];
    nc_type type = NC_NAT;
    size_t unit = 0;
    *record = false;
    if (nc_inq_var(file, variable, NULL, &type, &ndim, dimension, NULL) != NC_NOERR ||
        nc_inq_type(file, type, NULL, &unit) != NC_NOERR) {
        return 0;
    }
    double bytes = (double)unit;
    for (int d = 0; d < ndim; d++) {
        size_t n = 1;
        if (dimension[d] == unlimited) {
            *record = true;
        } else if (nc_inq_dimlen(file, dimension[d], &n) == NC_NOERR) {
            bytes *= (double)n;
        }
    }
    return bytes;
}

double xta__netcdf_least_bytes(int file)
{
    char name[NC_MAX_NAME + 1];
    int format = 0;
    int n_dimensions = 0;
    int n_variables = 0;
    int unlimited = -1;
    size_t n_records = 0;
    int n_record_variables = 0;
    double fixed = 0;
    double records = 0;
    if (nc_inq_format(file, &format) != NC_NOERR || format == NC_FORMAT_NETCDF4 ||
        format == NC_FORMAT_NETCDF4_CLASSIC ||
        nc_inq(file, &n_dimensions, &n_variables, NULL, &unlimited) != NC_NOERR) {
        return 0;
    }
    layout l = {format == NC_FORMAT_CDF5 ? 8 : 4, format == NC_FORMAT_CLASSIC ? 4 : 8};
    double header = 4 + l.count + 2 * (4 + l.count) + attribute_bytes(&l, file, NC_GLOBAL);
    for (int d = 0; d < n_dimensions; d++) {
        if (nc_inq_dimname(file, d, name) == NC_NOERR) {
            header += name_bytes(&l, name) + l.count;
        }
    }
    for (int v = 0; v < n_variables; v++) {
        bool record;
        int ndim = 0;
        double bytes = cell_bytes(file, v, unlimited, &record);
        if (nc_inq_varname(file, v, name) == NC_NOERR &&
            nc_inq_varndims(file, v, &ndim) == NC_NOERR) {
            header += name_bytes(&l, name) + l.count * (1 + ndim) + attribute_bytes(&l, file, v) +
                      4 + l.count + l.offset;
        }
        n_record_variables += record;
        if (record) {
            records += padded_bytes(bytes);
        } else {
            fixed += padded_bytes(bytes);
        }
    }
    if (unlimited >= 0 && nc_inq_dimlen(file, unlimited, &n_records) != NC_NOERR) {
        n_records = 0;
    }
    // records are then not padded
    for (int v = 0; v < n_variables && n_record_variables == 1; v++) {
        bool record;
        double bytes = cell_bytes(file, v, unlimited, &record);
        records = record ? bytes : records;
    }
    double cells = fixed + records * (double)n_records;
    return cells > 3 ? header + cells - 3 : header; // the padding at the end may be missing
}
