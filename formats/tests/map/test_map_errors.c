/* What mappings refuse: each with its status, a line that names file, axis and values, and a file
 * that has the same bytes as before.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <fitsio.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <netcdf.h>

#include <xta/map_fits.h>
#include <xta/map_hdf5.h>
#include <xta/map_netcdf.h>

#include "support/folder.h"

#define NONE H5P_DEFAULT

static xta_error err;

/* ---- files as they were ---- */

typedef struct file_bytes {
    uint8_t *bytes;
    size_t n;
} file_bytes;

static file_bytes bytes_of(const char *path)
{
    file_bytes kept;
    kept.bytes = test_file_read(path, &kept.n);
    assert_non_null(kept.bytes);
    return kept;
}

static void assert_untouched(const char *path, file_bytes *kept)
{
    file_bytes now = bytes_of(path);
    assert_int_equal(now.n, kept->n);
    assert_memory_equal(now.bytes, kept->bytes, kept->n);
    free(now.bytes);
    free(kept->bytes);
}

static void assert_refused(xta_status status, const xta_error *why, xta_status expected,
                           const char *words)
{
    if (status != expected || strstr(why->text, words) == NULL) {
        print_error("%s: %s\n", xta_status_name(status), why->text);
    }
    assert_int_equal(status, expected);
    assert_int_equal(why->status, expected);
    assert_non_null(strstr(why->text, words));
    assert_null(strchr(why->text, '\n'));
}

static void grow(xta_mapping *map, int axis, xta_side side, int64_t by)
{
    xta_growth growth = {axis, side, by};
    assert_int_equal(xta_array_extend(xta_mapping_array(map), &growth, 1, NULL, &err), XTA_OK);
}

/* ---- HDF5 ---- */

static const char *hdf5_path(void)
{
    return test_folder_path(&test_group_folder, "e.h5");
}

static void put_dataset(hid_t file, const char *name, hid_t type, int ndim, hsize_t most,
                        bool chunked)
{
    hsize_t bounds[3] = {4, 3, 2}, limits[3] = {most, most, most}, chunk[3] = {2, 2, 2};
    int cells[24];
    for (int k = 0; k < 24; k++) {
        cells[k] = k;
    }
    hid_t storage = H5Pcreate(H5P_DATASET_CREATE);
    if (chunked) {
        H5Pset_chunk(storage, ndim, chunk);
    }
    hid_t space = H5Screate_simple(ndim, bounds, most > 0 ? limits : NULL);
    hid_t dataset = H5Dcreate2(file, name, type, space, NONE, storage, NONE);
    assert_true(dataset >= 0);
    if (H5Tget_class(type) == H5T_INTEGER) {
        assert_true(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, cells) >= 0);
    }
    H5Dclose(dataset);
    H5Sclose(space);
    H5Pclose(storage);
}

static hid_t make_hdf5(void)
{
    hid_t file = H5Fcreate(hdf5_path(), H5F_ACC_TRUNC, NONE, NONE);
    hid_t compound = H5Tcreate(H5T_COMPOUND, 8);
    hid_t string = H5Tcopy(H5T_C_S1);
    H5Tinsert(compound, "a", 0, H5T_NATIVE_INT);
    H5Tinsert(compound, "b", 4, H5T_NATIVE_FLOAT);
    H5Tset_size(string, H5T_VARIABLE);
    put_dataset(file, "free", H5T_STD_I32LE, 2, H5S_UNLIMITED, true);
    put_dataset(file, "short", H5T_STD_I16LE, 2, H5S_UNLIMITED, true);
    put_dataset(file, "three", H5T_STD_I32LE, 3, H5S_UNLIMITED, true);
    put_dataset(file, "limited", H5T_STD_I32LE, 2, 5, true);
    put_dataset(file, "contiguous", H5T_STD_I32LE, 2, 0, false);
    put_dataset(file, "compound", compound, 2, H5S_UNLIMITED, true);
    put_dataset(file, "strings", string, 2, H5S_UNLIMITED, true);
    put_dataset(file, "scale", H5T_STD_I32LE, 1, 0, false);
    put_dataset(file, "long scale", H5T_STD_I32LE, 1, H5S_UNLIMITED, true);
    put_dataset(file, "scaled", H5T_STD_I32LE, 2, H5S_UNLIMITED, true);
    hid_t space = H5Screate(H5S_SCALAR);
    H5Dclose(H5Dcreate2(file, "scalar", H5T_STD_I32LE, space, NONE, NONE, NONE));
    H5Sclose(space);
    H5Tclose(compound);
    H5Tclose(string);
    return file;
}

static hid_t reopen_hdf5(hid_t file, unsigned mode)
{
    assert_true(H5Fclose(file) >= 0);
    file = H5Fopen(hdf5_path(), mode, NONE);
    assert_true(file >= 0);
    return file;
}

static xta_mapping *map_hdf5(hid_t file, const char *name, hid_t *dataset)
{
    *dataset = H5Dopen2(file, name, NONE);
    xta_mapping *map = xtaHDFmap(*dataset, NULL, &err);
    if (map == NULL) {
        print_error("%s\n", err.text);
    }
    assert_non_null(map);
    return map;
}

static void test_hdf5_handles(void **unused)
{
    (void)unused;
    hid_t file = make_hdf5();
    hid_t group = H5Gopen2(file, "/", NONE);
    hid_t closed = H5Dopen2(file, "free", NONE);
    H5Dclose(closed);
    const hid_t wrong[] = {-1, 0, group, file, closed};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        assert_null(xtaHDFmap(wrong[k], NULL, &err));
        assert_refused(err.status, &err, XTA_EARG, "not the handle of an open HDF5 dataset");
        assert_null(xtaHDFmap(wrong[k], NULL, NULL));
    }
    hid_t dataset;
    xta_mapping *map = map_hdf5(file, "free", &dataset);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        assert_refused(xtaHDFwrite(map, wrong[k]), xta_mapping_error(map), XTA_EARG,
                       "not the handle of an open HDF5 dataset");
    }
    assert_int_equal(xtaHDFwrite(NULL, dataset), XTA_EARG);
    assert_refused(xtaNetCDFwrite(map, 0), xta_mapping_error(map), XTA_EARG, "mapping of HDF5");
    assert_refused(xtaFITSwrite(map, NULL), xta_mapping_error(map), XTA_EARG, "mapping of HDF5");
    assert_int_equal(xtaHDFwrite(map, dataset), XTA_OK);
    assert_int_equal(xta_mapping_error(map)->status, XTA_OK);
    H5Dclose(dataset);
    assert_refused(xtaHDFwrite(map, dataset), xta_mapping_error(map), XTA_EARG, "not the handle");
    assert_int_equal(xta_mapping_close(map, &err), XTA_OK);
    assert_int_equal(xta_mapping_close(NULL, &err), XTA_OK);
    H5Gclose(group);
    H5Fclose(file);
}

static void test_hdf5_types(void **unused)
{
    (void)unused;
    static const struct {
        const char *name, *words;
    } cases[] = {{"compound", "compounds"}, {"strings", "fixed length"}, {"scalar", "scalar"}};
    hid_t file = make_hdf5();
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        hid_t dataset = H5Dopen2(file, cases[k].name, NONE);
        assert_null(xtaHDFmap(dataset, NULL, &err));
        assert_refused(err.status, &err, XTA_EUNSUPPORTED, cases[k].words);
        assert_non_null(strstr(err.text, cases[k].name));
        H5Dclose(dataset);
    }
    hid_t dataset = H5Dopen2(file, "free", NONE);
    xta_mapping_options options = XTA_MAPPING_OPTIONS_INIT;
    options.struct_size = 3;
    assert_null(xtaHDFmap(dataset, &options, &err));
    assert_int_equal(err.status, XTA_EARG);
    H5Dclose(dataset);
    H5Fclose(file);
}

/* Write to `other` after growing `name` as given, or shrinking it if `by` is negative: refused, and
 * the file is as it was. */
static void refused_write(const char *name, const char *other, xta_growth growth, xta_status code,
                          const char *words)
{
    hid_t dataset;
    hid_t target;
    file_bytes kept = bytes_of(hdf5_path());
    hid_t file = H5Fopen(hdf5_path(), H5F_ACC_RDWR, NONE);
    xta_mapping *map = map_hdf5(file, name, &dataset);
    if (growth.by > 0) {
        grow(map, growth.axis, growth.side, growth.by);
    } else {
        const xta_growth less = {growth.axis, growth.side, -growth.by};
        assert_int_equal(xta_array_shrink(xta_mapping_array(map), &less, 1, NULL, &err), XTA_OK);
    }
    target = H5Dopen2(file, other, NONE);
    assert_refused(xtaHDFwrite(map, target), xta_mapping_error(map), code, words);
    assert_non_null(strstr(xta_mapping_error(map)->text, other));
    // The array is as it was, too.
    xta_box bounds = xta_array_bounds(xta_mapping_array(map));
    assert_int_equal(bounds.hi[growth.axis] - bounds.lo[growth.axis],
                     (growth.axis == 0 ? 4 : 3) + growth.by);
    assert_int_equal(xta_mapping_close(map, &err), XTA_OK);
    H5Dclose(target);
    H5Dclose(dataset);
    H5Fclose(file);
    assert_untouched(hdf5_path(), &kept);
}

static void test_hdf5_refused(void **unused)
{
    (void)unused;
    hid_t file = make_hdf5();
    hid_t scaled = H5Dopen2(file, "scaled", NONE);
    hid_t other = H5Dopen2(file, "short", NONE);
    hid_t scale = H5Dopen2(file, "scale", NONE);
    hid_t shared = H5Dopen2(file, "long scale", NONE);
    hsize_t four = 4;
    H5Dset_extent(shared, &four);
    H5DSset_scale(scale, "s");
    H5DSset_scale(shared, "l");
    H5DSattach_scale(scaled, scale, 0);
    H5DSattach_scale(other, shared, 0);
    hid_t free_one = H5Dopen2(file, "free", NONE);
    H5DSattach_scale(free_one, shared, 0);
    H5Dclose(free_one);
    H5Dclose(shared);
    H5Dclose(scale);
    H5Dclose(other);
    H5Dclose(scaled);
    H5Fclose(file);

    refused_write("limited", "limited", (xta_growth){0, XTA_BACK, 2}, XTA_EUNSUPPORTED,
                  "axis 0 (): the array has 6 cells and the dataset can have 5 at most");
    refused_write("limited", "limited", (xta_growth){1, XTA_FRONT, 3}, XTA_EUNSUPPORTED,
                  "axis 1 (): the array has 6 cells and the dataset can have 5 at most");
    refused_write("contiguous", "contiguous", (xta_growth){1, XTA_BACK, 1}, XTA_EUNSUPPORTED,
                  "axis 1 (): the array has 4 cells and the dataset 3, which is not chunked");
    refused_write("scaled", "scaled", (xta_growth){0, XTA_BACK, 1}, XTA_EUNSUPPORTED,
                  "its scale /scale has a fixed length");
    refused_write("free", "free", (xta_growth){0, XTA_FRONT, 1}, XTA_EUNSUPPORTED,
                  "its scale /long scale is used by other datasets");
    // Those of other datasets would lose their coordinates.
    refused_write("free", "free", (xta_growth){0, XTA_BACK, -1}, XTA_EUNSUPPORTED,
                  "its scale /long scale is used by other datasets");
    refused_write("free", "three", (xta_growth){0, XTA_BACK, 1}, XTA_EARG,
                  "has 3 axes and the array 2");
    refused_write("free", "short", (xta_growth){0, XTA_BACK, 1}, XTA_ETYPE,
                  "cells of type i16 (2 bytes) and the array of i32 (4)");
}

static void test_hdf5_rank_and_mode(void **unused)
{
    (void)unused;
    hid_t dataset;
    hid_t file = reopen_hdf5(make_hdf5(), H5F_ACC_RDONLY);
    file_bytes kept = bytes_of(hdf5_path());
    xta_mapping *map = map_hdf5(file, "free", &dataset);
    assert_refused(xtaHDFwrite(map, dataset), xta_mapping_error(map), XTA_EACCESS, "read-only");
    assert_int_equal(xta_array_add_axis(xta_mapping_array(map), 0, "run", &err), XTA_OK);
    assert_refused(xtaHDFwrite(map, dataset), xta_mapping_error(map), XTA_EARG,
                   "has 2 axes and the array 3");
    assert_int_equal(xta_mapping_close(map, &err), XTA_OK);
    H5Dclose(dataset);
    H5Fclose(file);
    assert_untouched(hdf5_path(), &kept);
}

/* What HDF5 can do without growth, it does: contiguous datasets, and shorter ones. */
static void test_hdf5_accepted(void **unused)
{
    (void)unused;
    hid_t dataset;
    hsize_t bounds[2];
    int cells[12] = {0}, hundred = 100;
    hid_t file = make_hdf5();
    xta_mapping *map = map_hdf5(file, "contiguous", &dataset);
    assert_int_equal(xta_array_put(xta_mapping_array(map), (int64_t[]){3, 2}, &hundred, &err),
                     XTA_OK);
    assert_int_equal(
        xta_attribute_set_text(xta_mapping_array(map), XTA_ON_ARRAY, "units", "mm", &err), XTA_OK);
    assert_int_equal(xtaHDFwrite(map, dataset), XTA_OK);
    assert_true(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, cells) >= 0);
    assert_int_equal(cells[10], 10);
    assert_int_equal(cells[11], 100);
    assert_true(H5Aexists(dataset, "units") > 0);
    assert_int_equal(H5Aexists(dataset, "xta_origin"), 0);
    assert_int_equal(xta_mapping_close(map, &err), XTA_OK);
    H5Dclose(dataset);

    map = map_hdf5(file, "limited", &dataset);
    xta_growth away[2] = {{0, XTA_FRONT, 1}, {1, XTA_BACK, 2}};
    assert_int_equal(xta_array_shrink(xta_mapping_array(map), away, 2, NULL, &err), XTA_OK);
    assert_int_equal(xtaHDFwrite(map, dataset), XTA_OK);
    hid_t space = H5Dget_space(dataset);
    H5Sget_simple_extent_dims(space, bounds, NULL);
    H5Sclose(space);
    assert_int_equal(bounds[0], 3);
    assert_int_equal(bounds[1], 1);
    assert_true(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, cells) >= 0);
    assert_int_equal(cells[0], 3);
    assert_int_equal(cells[2], 9);
    assert_int_equal(xta_mapping_close(map, &err), XTA_OK);
    map = xtaHDFmap(dataset, NULL, &err);
    assert_non_null(map);
    assert_int_equal(xta_array_bounds(xta_mapping_array(map)).lo[0], 1);
    assert_int_equal(xta_mapping_close(map, &err), XTA_OK);
    H5Dclose(dataset);
    H5Fclose(file);
}

static void test_hdf5_origin(void **unused)
{
    (void)unused;
    const long long far[2] = {INT64_MIN, 0}, one = 3;
    hid_t file = make_hdf5();
    hid_t dataset = H5Dopen2(file, "free", NONE);
    assert_true(H5LTset_attribute_long_long(file, "free", "xta_origin", far, 2) >= 0);
    assert_null(xtaHDFmap(dataset, NULL, &err));
    assert_refused(err.status, &err, XTA_EUNSUPPORTED, "first cell on axis 0 has coordinate");
    assert_true(H5LTset_attribute_long_long(file, "free", "xta_origin", &one, 1) >= 0);
    assert_null(xtaHDFmap(dataset, NULL, &err));
    assert_refused(err.status, &err, XTA_EUNSUPPORTED, "not one whole number for each");
    assert_true(H5LTset_attribute_string(file, "free", "xta_origin", "here") >= 0);
    assert_null(xtaHDFmap(dataset, NULL, &err));
    assert_refused(err.status, &err, XTA_EUNSUPPORTED, "not one whole number for each");
    H5Dclose(dataset);
    H5Fclose(file);
}

/* In files: they stay, and none is left where mapping fails. */
static void test_path(void **unused)
{
    (void)unused;
    char path[TEST_PATH_BYTES];
    xta_mapping_options options = XTA_MAPPING_OPTIONS_INIT;
    xta_array *array = NULL;
    int cell = 0;
    hid_t file = make_hdf5();
    hid_t dataset = H5Dopen2(file, "free", NONE);
    options.path = test_folder_join(&test_group_folder, "mapped", path);
    xta_mapping *map = xtaHDFmap(dataset, &options, &err);
    assert_non_null(map);
    assert_int_equal(xta_mapping_close(map, &err), XTA_OK);
    assert_int_equal(xta_array_open(path, NULL, &array, &err), XTA_OK);
    assert_int_equal(xta_array_get(array, (int64_t[]){3, 2}, &cell, &err), XTA_OK);
    assert_int_equal(cell, 11);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
    assert_null(xtaHDFmap(dataset, &options, &err));
    assert_int_equal(err.status, XTA_EEXIST);
    assert_int_equal(xta_array_open(path, NULL, &array, &err), XTA_OK); // it was not deleted
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
    H5Dclose(dataset);
    H5Fclose(file);
}

static void test_objects(void **unused)
{
    (void)unused;
    xta_mapping_object object;
    xta_attribute attribute;
    hid_t dataset;
    size_t n_mapped = 0;
    hid_t file = make_hdf5();
    assert_true(H5LTset_attribute_string(file, "/", "title", "all of it") >= 0);
    assert_true(H5LTset_attribute_int(file, "short", "level", (int[]){5}, 1) >= 0);
    assert_true(H5Lcreate_soft("/nowhere", file, "soft", NONE, NONE) >= 0);
    xta_mapping *map = map_hdf5(file, "free", &dataset);
    assert_int_equal(xta_mapping_object_count(map), 1 + 11 + 1);
    assert_int_equal(xta_mapping_object_at(map, 0, &object, &err), XTA_OK);
    assert_string_equal(object.path, "/");
    assert_int_equal(object.kind, XTA_MAPPED_GROUP);
    assert_int_equal(xta_mapping_object_attribute(map, 0, 0, &attribute, &err), XTA_OK);
    assert_string_equal(attribute.name, "title");
    assert_string_equal(attribute.values, "all of it");
    for (size_t k = 1; k < xta_mapping_object_count(map); k++) {
        assert_int_equal(xta_mapping_object_at(map, k, &object, &err), XTA_OK);
        n_mapped += object.mapped && strcmp(object.path, "/free") == 0;
        if (strcmp(object.path, "/three") == 0) {
            assert_int_equal(object.ndim, 3);
            assert_int_equal(object.bounds[0], 4);
            assert_int_equal(object.type, XTA_I32);
        } else if (strcmp(object.path, "/short") == 0) {
            assert_int_equal(xta_mapping_object_attribute(map, k, 0, &attribute, &err), XTA_OK);
            assert_int_equal(*(const int32_t *)attribute.values, 5);
        } else if (strcmp(object.path, "/soft") == 0) {
            assert_int_equal(object.kind, XTA_MAPPED_LINK);
        }
    }
    assert_int_equal(n_mapped, 1);
    assert_int_equal(xta_mapping_object_at(map, 99, &object, &err), XTA_ENOENT);
    assert_int_equal(xta_mapping_object_attribute(map, 0, 99, &attribute, &err), XTA_ENOENT);
    assert_int_equal(xta_mapping_close(map, &err), XTA_OK);
    H5Dclose(dataset);
    H5Fclose(file);
}

/* ---- NetCDF ---- */

#define GOOD(call) assert_int_equal(call, NC_NOERR)

static const char *netcdf_path(void)
{
    return test_folder_path(&test_group_folder, "e.nc");
}

/* fixed(y, x), free(time, x), text(time) of strings; ids are in this order. */
static int make_netcdf(void)
{
    int file, ids[3], variable, compound;
    size_t start[2] = {0, 0}, count[2] = {3, 4};
    int cells[12] = {1, 2, 3};
    const char *words[3] = {"a", "b", "c"};
    GOOD(nc_create(netcdf_path(), NC_NETCDF4 | NC_CLOBBER, &file));
    GOOD(nc_def_dim(file, "time", NC_UNLIMITED, &ids[0]));
    GOOD(nc_def_dim(file, "x", 4, &ids[1]));
    GOOD(nc_def_dim(file, "y", 3, &ids[2]));
    GOOD(nc_def_var(file, "fixed", NC_INT, 2, (int[]){ids[2], ids[1]}, &variable));
    GOOD(nc_def_var(file, "free", NC_INT, 2, ids, &variable));
    GOOD(nc_def_var(file, "text", NC_STRING, 1, ids, &variable));
    GOOD(nc_def_var(file, "scalar", NC_INT, 0, NULL, &variable));
    GOOD(nc_def_compound(file, 8, "pair", &compound));
    GOOD(nc_insert_compound(file, compound, "a", 0, NC_INT));
    GOOD(nc_insert_compound(file, compound, "b", 4, NC_INT));
    GOOD(nc_def_var(file, "pairs", compound, 1, &ids[2], &variable));
    GOOD(nc_def_var(file, "short", NC_SHORT, 2, ids, &variable));
    GOOD(nc_def_var(file, "line", NC_INT, 1, &ids[2], &variable));
    GOOD(nc_put_vara_int(file, 0, start, count, cells));
    GOOD(nc_put_vara_int(file, 1, start, count, cells));
    GOOD(nc_put_vara_string(file, 2, start, count, words));
    GOOD(nc_close(file));
    GOOD(nc_open(netcdf_path(), NC_WRITE, &file));
    return file;
}

static void test_netcdf_handles(void **unused)
{
    (void)unused;
    static const struct {
        int variable;
        const char *words;
    } cases[] = {{2, "strings"}, {3, "scalar"}, {4, "compounds"}};
    int file = make_netcdf();
    assert_null(xtaNetCDFmap(NULL, file, 99, NULL, &err));
    assert_refused(err.status, &err, XTA_EARG, "varid 99");
    assert_null(xtaNetCDFmap(NULL, 12345 << 16, 0, NULL, &err));
    assert_refused(err.status, &err, XTA_EARG, "open file");
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assert_null(xtaNetCDFmap(NULL, file, cases[k].variable, NULL, &err));
        assert_refused(err.status, &err, XTA_EUNSUPPORTED, cases[k].words);
    }
    xta_mapping *map = xtaNetCDFmap(NULL, file, 1, NULL, &err);
    assert_non_null(map);
    assert_refused(xtaNetCDFwrite(map, 99), xta_mapping_error(map), XTA_EARG, "varid 99");
    assert_refused(xtaNetCDFwrite(map, 5), xta_mapping_error(map), XTA_ETYPE, "type i16");
    assert_refused(xtaNetCDFwrite(map, 6), xta_mapping_error(map), XTA_EARG, "has 1 axes");
    assert_refused(xtaHDFwrite(map, 1), xta_mapping_error(map), XTA_EARG, "mapping of NetCDF");
    assert_int_equal(xtaNetCDFwrite(NULL, 1), XTA_EARG);
    GOOD(nc_close(file));
    assert_refused(xtaNetCDFwrite(map, 1), xta_mapping_error(map), XTA_EARG, "was closed");
    assert_int_equal(xta_mapping_close(map, &err), XTA_OK);
}

/* The variable after this growth (or, if negative, shrink): refused, and the file is as it was. */
static void netcdf_refused(int variable, xta_growth growth, int mode, xta_status code,
                           const char *words)
{
    int file;
    file_bytes kept = bytes_of(netcdf_path());
    GOOD(nc_open(netcdf_path(), mode, &file));
    xta_mapping *map = xtaNetCDFmap(NULL, file, variable, NULL, &err);
    assert_non_null(map);
    if (growth.by >= 0) {
        grow(map, growth.axis, growth.side, growth.by);
    } else {
        growth.by = -growth.by;
        assert_int_equal(xta_array_shrink(xta_mapping_array(map), &growth, 1, NULL, &err), XTA_OK);
    }
    assert_refused(xtaNetCDFwrite(map, variable), xta_mapping_error(map), code, words);
    assert_int_equal(xta_mapping_close(map, &err), XTA_OK);
    GOOD(nc_close(file));
    assert_untouched(netcdf_path(), &kept);
}

static void test_netcdf_refused(void **unused)
{
    (void)unused;
    GOOD(nc_close(make_netcdf()));
    netcdf_refused(0, (xta_growth){0, XTA_BACK, 1}, NC_WRITE, XTA_EUNSUPPORTED,
                   "dimension 0 (y): the array has 4 cells and the dimension is fixed at 3");
    netcdf_refused(1, (xta_growth){1, XTA_FRONT, 2}, NC_WRITE, XTA_EUNSUPPORTED,
                   "dimension 1 (x): the array has 6 cells and the dimension is fixed at 4");
    netcdf_refused(1, (xta_growth){0, XTA_FRONT, 2}, NC_WRITE, XTA_EUNSUPPORTED,
                   "variable text, which has it too");
    netcdf_refused(1, (xta_growth){0, XTA_BACK, -1}, NC_WRITE, XTA_EUNSUPPORTED, "cannot shorten");
    netcdf_refused(1, (xta_growth){0, XTA_FRONT, -1}, NC_WRITE, XTA_EUNSUPPORTED, "cannot shorten");
    netcdf_refused(1, (xta_growth){0, XTA_BACK, 1}, NC_NOWRITE, XTA_EACCESS, "read-only");
}

/* Strings along a dimension that grows at the back become longer. */
static void test_netcdf_strings(void **unused)
{
    (void)unused;
    int file = make_netcdf();
    char *words[5] = {NULL};
    xta_mapping *map = xtaNetCDFmap(NULL, file, 1, NULL, &err);
    assert_non_null(map);
    grow(map, 0, XTA_BACK, 2);
    assert_int_equal(xtaNetCDFwrite(map, 1), XTA_OK);
    GOOD(nc_get_var_string(file, 2, words));
    assert_string_equal(words[2], "c");
    assert_string_equal(words[4], "");
    nc_free_string(5, words);
    assert_int_equal(xta_mapping_close(map, &err), XTA_OK);
    GOOD(nc_close(file));
}

/* ---- FITS ---- */

static fitsfile *make_fits(bool compressed)
{
    fitsfile *file = NULL;
    const char *path = test_folder_path(&test_group_folder, "e.fits");
    long bounds[2] = {8, 8};
    int code = 0;
    short cells[64] = {1, 2, 3};
    char *columns[1] = {"a"}, *forms[1] = {"1J"};
    remove(path);
    fits_create_file(&file, path, &code);
    if (compressed) {
        fits_set_compression_type(file, RICE_1, &code);
    }
    fits_create_img(file, SHORT_IMG, 2, bounds, &code);
    fits_write_img(file, TSHORT, 1, 64, cells, &code);
    fits_create_tbl(file, BINARY_TBL, 2, 1, columns, forms, NULL, "table", &code);
    fits_close_file(file, &code);
    fits_open_file(&file, path, READWRITE, &code);
    assert_int_equal(code, 0);
    return file;
}

static void test_fits(void **unused)
{
    (void)unused;
    int code = 0;
    int hdus = 0;
    xta_mapping_object object;
    assert_null(xtaFITSmap(NULL, NULL, &err));
    assert_refused(err.status, &err, XTA_EARG, "NULL");
    fitsfile *file = make_fits(false);
    fits_movabs_hdu(file, 2, NULL, &code);
    assert_null(xtaFITSmap(file, NULL, &err));
    assert_refused(err.status, &err, XTA_EARG, "not at an image");
    fits_movabs_hdu(file, 1, NULL, &code);
    xta_mapping *map = xtaFITSmap(file, NULL, &err);
    assert_non_null(map);
    assert_int_equal(xta_mapping_object_count(map), 2);
    assert_int_equal(xta_mapping_object_at(map, 1, &object, &err), XTA_OK);
    assert_string_equal(object.path, "/table");
    assert_int_equal(object.kind, XTA_MAPPED_TABLE);
    fits_movabs_hdu(file, 2, NULL, &code);
    assert_refused(xtaFITSwrite(map, file), xta_mapping_error(map), XTA_EARG, "not at an image");
    assert_int_equal(xta_array_add_axis(xta_mapping_array(map), 0, NULL, &err), XTA_OK);
    fits_movabs_hdu(file, 1, NULL, &code);
    assert_refused(xtaFITSwrite(map, file), xta_mapping_error(map), XTA_EARG, "has 2 axes");
    assert_refused(xtaNetCDFwrite(map, 1), xta_mapping_error(map), XTA_EARG, "mapping of FITS");
    assert_int_equal(xta_mapping_close(map, &err), XTA_OK);
    fits_get_num_hdus(file, &hdus, &code);
    assert_int_equal(hdus, 2);
    fits_close_file(file, &code);
    assert_int_equal(code, 0);
}

static void test_fits_refused(void **unused)
{
    (void)unused;
    const char *path = test_folder_path(&test_group_folder, "e.fits");
    int code = 0;
    fitsfile *file = make_fits(true);
    file_bytes kept = bytes_of(path);
    fits_movabs_hdu(file, 2, NULL, &code);
    xta_mapping *map = xtaFITSmap(file, NULL, &err);
    assert_non_null(map);
    grow(map, 0, XTA_BACK, 1);
    assert_refused(xtaFITSwrite(map, file), xta_mapping_error(map), XTA_EUNSUPPORTED, "compressed");
    fits_close_file(file, &code);
    fits_open_file(&file, path, READONLY, &code);
    fits_movabs_hdu(file, 2, NULL, &code);
    assert_refused(xtaFITSwrite(map, file), xta_mapping_error(map), XTA_EACCESS, "read-only");
    assert_int_equal(xta_mapping_close(map, &err), XTA_OK);
    fits_close_file(file, &code);
    assert_int_equal(code, 0);
    assert_untouched(path, &kept);
}

/* CFITSIO scales cells again after a mapping, which has them as they are stored. */
static void test_fits_scale(void **unused)
{
    (void)unused;
    int code = 0;
    double scale = 2, cells[4] = {0};
    short cell = 0;
    fitsfile *file = make_fits(false);
    fits_update_key(file, TDOUBLE, "BSCALE", &scale, NULL, &code);
    fits_set_hdustruc(file, &code);
    xta_mapping *map = xtaFITSmap(file, NULL, &err);
    assert_non_null(map);
    grow(map, 1, XTA_FRONT, 1);
    assert_int_equal(xta_array_get(xta_mapping_array(map), (int64_t[]){0, 2}, &cell, &err), XTA_OK);
    assert_int_equal(cell, 3);
    assert_int_equal(xtaFITSwrite(map, file), XTA_OK);
    fits_read_img(file, TDOUBLE, 1, 4, NULL, cells, NULL, &code);
    assert_int_equal(code, 0);
    assert_true(cells[0] == 0 && cells[1] == 2 && cells[3] == 6);
    assert_int_equal(xta_mapping_close(map, &err), XTA_OK);
    fits_close_file(file, &code);
    assert_int_equal(code, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hdf5_handles),   cmocka_unit_test(test_hdf5_types),
        cmocka_unit_test(test_hdf5_refused),   cmocka_unit_test(test_hdf5_rank_and_mode),
        cmocka_unit_test(test_hdf5_accepted),  cmocka_unit_test(test_hdf5_origin),
        cmocka_unit_test(test_path),           cmocka_unit_test(test_objects),
        cmocka_unit_test(test_netcdf_handles), cmocka_unit_test(test_netcdf_refused),
        cmocka_unit_test(test_netcdf_strings), cmocka_unit_test(test_fits),
        cmocka_unit_test(test_fits_refused),   cmocka_unit_test(test_fits_scale),
    };
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return cmocka_run_group_tests_name("map_errors", tests, test_group_begin, test_group_end);
}
