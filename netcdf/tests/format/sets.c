/* Data sets that tests of the format open, and the same as files of NetCDF-4.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <netcdf.h>

#include <xta/dataset_append.h>
#include <xta/dataset_transfer.h>

#include "sets.h"
#include "support/must.h"
#include "support/random.h"

enum { N_T = 7, N_Y = 5, N_X = 6, N_Z = 4 };

static const struct {
    const char *name;
    nc_type type;
} numbers[] = {
    {"i1", NC_BYTE}, {"u1", NC_UBYTE}, {"i2", NC_SHORT},  {"u2", NC_USHORT}, {"i4", NC_INT},
    {"u4", NC_UINT}, {"i8", NC_INT64}, {"u8", NC_UINT64}, {"f4", NC_FLOAT},  {"f8", NC_DOUBLE},
};

enum { N_NUMBERS = sizeof numbers / sizeof numbers[0] };

void nc_must(int code)
{
    if (code != NC_NOERR) {
        print_error("%s\n", nc_strerror(code));
    }
    assert_int_equal(code, NC_NOERR);
}

const char *set_address(const char *folder)
{
    static char addresses[4][600];
    static unsigned next;
    char *address = addresses[next++ % 4];

    snprintf(address, sizeof addresses[0], "file://%s#mode=udf0", folder);
    return address;
}

/* Values of all sizes, so that conversions go out of range. */
static double random_number(test_random *random)
{
    double value = (double)test_random_in(random, -1000, 1000);

    for (int64_t k = test_random_in(random, 0, 6); k > 0; k--) {
        value *= 37.5;
    }
    return value;
}

static void put_numbers(int group, int id, nc_type type, size_t n, test_random *random)
{
    double *values = calloc(n, sizeof *values);
    char low = (char)type;

    assert_non_null(values);
    for (size_t k = 0; k < n; k++) {
        values[k] = type >= NC_INT && type != NC_UBYTE && type != NC_USHORT
                        ? random_number(random)
                        : (double)test_random_in(random, low == NC_UBYTE ? 0 : -100, 100);
        values[k] = type == NC_USHORT || type == NC_UINT || type == NC_UINT64
                        ? (values[k] < 0 ? -values[k] : values[k])
                        : values[k];
    }
    int code = nc_put_var_double(group, id, values);
    assert_true(code == NC_NOERR || code == NC_ERANGE);
    free(values);
}

static void put_records(int file, const int dims[3], test_random *random)
{
    static const size_t start[3] = {0}, count[3] = {N_T, N_Y, N_X};

    for (int k = 0; k < N_NUMBERS; k++) {
        int id = -1;
        double cells[N_T * N_Y * N_X];
        nc_must(nc_def_var(file, numbers[k].name, numbers[k].type, 3, dims, &id));
        // Bytes have no fill value in NetCDF unless they are given one; in an array it is 0.
        if (k % 2 == 1 || numbers[k].type == NC_BYTE) {
            static const unsigned char fill[8] = {0, 0, 0x40, 0x40, 0, 0, 0x40, 0x40};
            nc_must(nc_put_att(file, id, "_FillValue", numbers[k].type, 1, fill));
        }
        nc_must(nc_put_att_text(file, id, "units", 1, "K"));
        for (size_t i = 0; i < N_T * N_Y * N_X; i++) {
            cells[i] = random_number(random);
        }
        int code = nc_put_vara_double(file, id, start, count, cells);
        assert_true(code == NC_NOERR || code == NC_ERANGE);
    }
}

static void put_coordinates(int file, const int dims[3])
{
    static const size_t start = 0, count = N_T;
    int t, y, x;
    double times[N_T] = {0, 1, 2.5, 4, 6, 7, 9}, rows[N_Y];
    float columns[N_X] = {-3, 1, 2, 5.5F, 8, 100};

    for (int k = 0; k < N_Y; k++) {
        rows[k] = 0.5 + k * 2.0;
    }
    nc_must(nc_def_var(file, "t", NC_DOUBLE, 1, &dims[0], &t));
    nc_must(nc_put_att_text(file, t, "units", 21, "days since 1990-01-01"));
    nc_must(nc_put_att_text(file, t, "calendar", 8, "standard"));
    nc_must(nc_def_var(file, "y", NC_DOUBLE, 1, &dims[1], &y));
    nc_must(nc_put_att_text(file, y, "units", 1, "m"));
    nc_must(nc_def_var(file, "x", NC_FLOAT, 1, &dims[2], &x));
    nc_must(nc_put_vara_double(file, t, &start, &count, times));
    nc_must(nc_put_var_double(file, y, rows));
    nc_must(nc_put_var_float(file, x, columns));
}

static void put_attributes(int file, int id)
{
    static const char *strings[] = {"one", "", "three\nand more"};
    static const double values[] = {-3, 0, 100};
    char name[16];

    for (int k = 0; k < N_NUMBERS; k++) {
        bool is_unsigned = numbers[k].name[0] == 'u';
        snprintf(name, sizeof name, "a_%s", numbers[k].name);
        nc_must(nc_put_att_double(file, id, name, numbers[k].type, is_unsigned ? 2 : 3,
                                  is_unsigned ? values + 1 : values));
    }
    nc_must(nc_put_att_string(file, id, "strings", 3, strings));
    nc_must(nc_put_att_text(file, id, "text", 11, "two\nlines\xc3\xa9"));
    nc_must(nc_put_att_text(file, id, "empty", 0, ""));
}

static void put_texts(int file, const int dims[3])
{
    static const char *const names[N_Y] = {"a", "", "a longer text", "\xc3\xa9", "z"};
    char letters[N_Y * N_X];
    int id = -1;

    for (int k = 0; k < N_Y * N_X; k++) {
        letters[k] = (char)('a' + k % 26);
    }
    nc_must(nc_def_var(file, "letters", NC_CHAR, 2, dims + 1, &id));
    nc_must(nc_put_var_text(file, id, letters));
    nc_must(nc_def_var(file, "names", NC_STRING, 1, dims + 1, &id));
    nc_must(nc_put_var_string(file, id, (const char **)(uintptr_t)names));
}

void source_make(const char *path, uint64_t seed)
{
    test_random random = test_random_make(seed, 0);
    int file = -1, group = -1, inner = -1, id = -1, dims[3], z = -1;
    int mixed[2];

    nc_must(nc_create(path, NC_NETCDF4 | NC_CLOBBER, &file));
    nc_must(nc_def_dim(file, "t", NC_UNLIMITED, &dims[0]));
    nc_must(nc_def_dim(file, "y", N_Y, &dims[1]));
    nc_must(nc_def_dim(file, "x", N_X, &dims[2]));
    put_attributes(file, NC_GLOBAL);
    put_records(file, dims, &random);
    put_coordinates(file, dims);
    put_texts(file, dims);
    nc_must(nc_def_var(file, "crs", NC_INT, 0, NULL, &id));
    nc_must(nc_put_var_int(file, id, &(int){42}));
    put_attributes(file, id);
    nc_must(nc_def_grp(file, "group one", &group));
    nc_must(nc_def_dim(group, "z", N_Z, &z));
    mixed[0] = z;
    mixed[1] = dims[2];
    nc_must(nc_def_var(group, "depths", NC_FLOAT, 2, mixed, &id));
    put_numbers(group, id, NC_FLOAT, N_Z * N_X, &random);
    nc_must(nc_def_grp(group, "inner", &inner));
    nc_must(nc_put_att_text(inner, NC_GLOBAL, "about", 5, "inner"));
    nc_must(nc_def_var(inner, "line", NC_SHORT, 1, &z, &id));
    put_numbers(inner, id, NC_SHORT, N_Z, &random);
    nc_must(nc_close(file));
}

/* At the front: a listed dimension with its coordinates, a regular one, and one without any. */
static void grow(xta_dataset *set)
{
    xta_error err = {0};
    const double earlier[2] = {-8, -3};
    const xta_new_coordinates times = {.n = 2, .type = XTA_F64, .values = earlier};
    const xta_dataset_slab slab = {
        .dimension = "t", .side = XTA_FRONT, .by = 2, .coordinates = &times};
    const xta_dimension_growth rows = {"y", XTA_FRONT, 1}, depths = {"z", XTA_FRONT, 3};
    xta_dataset *group = NULL;

    test_must(xta_dataset_append(set, &slab, NULL, &err), &err);
    test_must(xta_dataset_extend(set, &rows, 1, &err), &err);
    test_must(xta_dataset_group(set, "group one", false, &group, &err), &err);
    test_must(xta_dataset_extend(group, &depths, 1, &err), &err);
    test_must(xta_dataset_close(group, &err), &err);
}

void set_make(const char *source, const char *folder, bool grown)
{
    xta_error err = {0};
    xta_dataset_options writable = XTA_DATASET_OPTIONS_INIT;
    xta_dataset *set = NULL;

    test_must(xta_dataset_import(source, folder, NULL, &err), &err);
    if (grown) {
        writable.writable = true;
        test_must(xta_dataset_open(folder, &writable, &set, &err), &err);
        grow(set);
        test_must(xta_dataset_close(set, &err), &err);
    }
}

void set_export(const char *folder, const char *file)
{
    xta_error err = {0};
    xta_dataset *set = NULL;
    xta_dataset_export_options options = XTA_DATASET_EXPORT_OPTIONS_INIT;

    options.format = "netcdf-4";
    test_must(xta_dataset_open(folder, NULL, &set, &err), &err);
    test_must(xta_dataset_export(set, file, &options, &err), &err);
    test_must(xta_dataset_close(set, &err), &err);
}
