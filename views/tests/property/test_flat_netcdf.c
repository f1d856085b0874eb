/* NetCDF files that are computed beside those that xta_export and xta_dataset_export write: the
 * same dimensions, variables, attributes, and values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/bridge.h>
#include <xta/dataset_transfer.h>
#include <xta/flat.h>
#include <xta/xta.h>
#include <xta/zarr.h>

#include "property/flat_rig.h"
#include "property/netcdf_compare.h"

enum { N_ARRAYS = 60, N_SETS = 25 };

/* Types that both can write. */
static const xta_type types[] = {XTA_BOOL, XTA_I8,  XTA_U8,  XTA_I16, XTA_U16, XTA_I32,
                                 XTA_U32,  XTA_I64, XTA_U64, XTA_F32, XTA_F64};
enum { N_TYPES = sizeof types / sizeof types[0] };

static test_story story;
static test_folder folder;
static size_t n_values;

static void save(xta_flat *flat, const char *path)
{
    size_t n = 0, bytes = (size_t)xta_flat_bytes(flat);
    uint8_t *whole = malloc(bytes + 1);
    xta_error err;

    STORY_CHECK(&story, whole != NULL, "out of memory");
    STORY_OK(&story, xta_flat_read(flat, 0, bytes, whole, &n, &err), err);
    STORY_CHECK(&story, n == bytes, "%zu of %zu bytes", n, bytes);
    test_file_write(path, whole, n);
    free(whole);
}

static xta_type random_type(test_random *random)
{
    return types[test_random_in(random, 0, N_TYPES - 1)];
}

static xta_regular random_regular(test_random *random)
{
    bool real = test_random_chance(random, 50);

    return real ? (xta_regular){.type = test_random_chance(random, 50) ? XTA_F64 : XTA_F32,
                                .origin.f = 3.25,
                                .step.f = 0.5}
                : (xta_regular){.type = XTA_I32, .origin.i = -7, .step.i = 3};
}

/* Attributes of each type on the array, on an axis and on its file. */
static void add_attributes(test_random *random, xta_array *array)
{
    const int16_t shorts[] = {1, -2, 300};
    const double reals[] = {0.5, -1e300};
    const int64_t longs[] = {INT64_MAX};
    const xta_attribute all[] = {{"shorts", XTA_I16, 2, 3, shorts},
                                 {"reals", XTA_F64, 8, 2, reals},
                                 {"longs", XTA_I64, 8, 1, longs},
                                 {"xta_origin", XTA_I64, 8, 1, longs},
                                 {"global/title", XTA_TEXT, 1, 6, "a tale"},
                                 {"global/count", XTA_I16, 2, 2, shorts},
                                 {"xta/own", XTA_TEXT, 1, 1, "x"}};
    xta_error err;

    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        if (test_random_chance(random, 70)) {
            STORY_OK(&story, xta_attribute_set(array, XTA_ON_ARRAY, &all[k], &err), err);
        }
    }
    STORY_OK(&story,
             xta_attribute_set_text(array, XTA_ON_ARRAY, "long_name",
                                    "fl\xc3\xa4"
                                    "che",
                                    &err),
             err);
}

/* Integers that binary64 cannot hold. */
static void add_list(test_random *random, xta_array *array, int axis)
{
    const xta_box bounds = xta_array_bounds(array);
    int64_t list[64];
    size_t n = (size_t)(bounds.hi[axis] - bounds.lo[axis]);
    xta_error err;

    for (size_t k = 0; k < n && k < 64; k++) {
        list[k] = (INT64_C(1) << 60) + (int64_t)k * 3 + test_random_in(random, 0, 2);
    }
    const xta_attribute values = {"values", XTA_I64, sizeof list[0], n, list};
    if (n > 0 && n <= 64) {
        STORY_OK(&story, xta_attribute_set(array, axis, &values, &err), err);
    }
}

static void add_coordinates(test_random *random, xta_array *array)
{
    const xta_box bounds = xta_array_bounds(array);
    xta_error err;

    for (int axis = 0; axis < bounds.ndim; axis++) {
        xta_regular regular = random_regular(random);
        if (xta_axis_name(array, axis)[0] != '\0' && test_random_chance(random, 60)) {
            STORY_OK(&story, xta_axis_set_regular(array, axis, &regular, &err), err);
            STORY_OK(&story, xta_attribute_set_text(array, axis, "long_name", "where", &err), err);
            STORY_OK(&story, xta_axis_set_unit(array, axis, "m", &err), err);
        } else if (xta_axis_name(array, axis)[0] != '\0' && test_random_chance(random, 50)) {
            add_list(random, array, axis);
        }
    }
}

static void check_array(uint64_t seed, uint64_t part)
{
    test_random random = test_random_make(seed, part);
    const char *path = test_folder_path(&folder, "array"),
               *left = test_folder_path(&folder, "l.nc"),
               *right = test_folder_path(&folder, "r.nc");
    xta_open_options open = XTA_OPEN_OPTIONS_INIT;
    xta_export_options options = XTA_EXPORT_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_flat *flat = NULL;
    xta_error err;

    test_story_begin(&story, "arrays", seed, part);
    rig_array(&story, &random, path, random_type(&random), false);
    open.writable = true;
    STORY_OK(&story, xta_array_open(path, &open, &array, &err), err);
    add_attributes(&random, array);
    add_coordinates(&random, array);
    STORY_OK(&story, xta_array_sync(array, &err), err);
    options.format = "netcdf-cdf5";
    options.overwrite = XTA_OVERWRITE_ANY;
    STORY_OK(&story, xta_export(array, right, &options, &err), err);
    STORY_OK(&story, xta_flat_open(path, XTA_FLAT_NETCDF, XTA_ACCESS_AUTO, &flat, &err), err);
    save(flat, left);
    n_values += netcdf_compare(&story, left, right);
    xta_flat_close(flat);
    STORY_OK(&story, xta_array_close(array, &err), err);
    test_pair_remove(path);
    remove(left);
    remove(right);
}

/* ---- data sets ---- */

static const char *const dimensions[] = {"time", "y", "x"};

static void add_dimension(test_random *random, xta_dataset *set, const char *name)
{
    xta_dimension d = {.name = name,
                       .lo = test_random_in(random, -4, 0),
                       .hi = test_random_in(random, 1, 6),
                       .unlimited = strcmp(name, "time") == 0};
    xta_error err;

    if (test_random_chance(random, 60)) {
        d.coordinates = XTA_COORDINATES_REGULAR;
        d.regular = random_regular(random);
    }
    STORY_OK(&story, xta_dataset_set_dimension(set, &d, &err), err);
    if (d.coordinates != 0) {
        STORY_OK(&story, xta_dataset_set_text(set, name, "units", "m", &err), err);
        if (test_random_chance(random, 40)) {
            STORY_OK(&story, xta_dataset_list_coordinates(set, name, &err), err);
        }
    }
}

static void add_member(test_random *random, xta_dataset *set, int number)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    const double fill = 7;
    int64_t chunk[3];
    const char *names[3];
    int ndim = 0;
    char name[16];
    xta_array *array = NULL;
    xta_error err;

    for (int k = 0; k < 3; k++) {
        // The first has the unlimited dimension, which has a length in a file by its records only.
        if (test_random_chance(random, 70) || (k == 2 && ndim == 0) || (k == 0 && number == 0)) {
            chunk[ndim] = test_random_in(random, 1, 4);
            names[ndim++] = dimensions[k];
        }
    }
    snprintf(name, sizeof name, "v%d", number);
    options.chunk = chunk;
    options.fill = number == 0 ? &fill : NULL;
    STORY_OK(&story,
             xta_dataset_add_member(set, name, number == 0 ? XTA_F64 : random_type(random), ndim,
                                    names, &options, &array, &err),
             err);
    rig_fill(&story, random, array);
    add_attributes(random, array);
}

static void check_set(uint64_t seed, uint64_t part)
{
    test_random random = test_random_make(seed, part);
    char name[32];
    xta_dataset_export_options options = XTA_DATASET_EXPORT_OPTIONS_INIT;
    xta_dataset *set = NULL;
    xta_flat *flat = NULL;
    xta_error err;

    test_story_begin(&story, "sets", seed, part);
    snprintf(name, sizeof name, "set%lu", (unsigned long)part);
    const char *path = test_folder_path(&folder, name), *left = test_folder_path(&folder, "l.nc"),
               *right = test_folder_path(&folder, "r.nc");
    STORY_OK(&story, xta_dataset_create(path, NULL, &set, &err), err);
    for (int k = 0; k < 3; k++) {
        add_dimension(&random, set, dimensions[k]);
    }
    for (int k = 0; k < 3; k++) {
        add_member(&random, set, k);
    }
    STORY_OK(&story, xta_dataset_set_text(set, NULL, "title", "of the set", &err), err);
    STORY_OK(&story, xta_dataset_sync(set, &err), err); // cells may be in its cache alone
    options.format = "netcdf-cdf5";
    options.overwrite = XTA_OVERWRITE_ANY;
    STORY_OK(&story, xta_dataset_export(set, right, &options, &err), err);
    STORY_OK(&story, xta_flat_open_set(path, XTA_ACCESS_AUTO, &flat, &err), err);
    save(flat, left);
    n_values += netcdf_compare(&story, left, right);
    xta_flat_close(flat);
    STORY_OK(&story, xta_dataset_close(set, &err), err);
}

/* A member alone has the coordinates of its data set: integers beyond 2^53, as they are. */
static void check_member_coordinates(void)
{
    const int64_t list[3] = {(INT64_C(1) << 60) + 1, (INT64_C(1) << 60) + 2, INT64_MAX};
    const xta_dimension line = {.name = "line", .hi = 3};
    const char *names[] = {"line"}, *path = test_folder_path(&folder, "large"),
               *member = test_folder_path(&folder, "large/cells"),
               *left = test_folder_path(&folder, "l.nc"),
               *right = test_folder_path(&folder, "r.nc");
    xta_export_options options = XTA_EXPORT_OPTIONS_INIT;
    const xta_zarr_node *node = NULL;
    xta_dataset *set = NULL;
    xta_array *array = NULL;
    xta_flat *flat = NULL;
    xta_zarr *zarr = NULL;
    xta_error err;

    test_story_begin(&story, "coordinates of a set", 0, 0);
    STORY_OK(&story, xta_dataset_create(path, NULL, &set, &err), err);
    STORY_OK(&story, xta_dataset_set_dimension(set, &line, &err), err);
    STORY_OK(&story, xta_dataset_add_member(set, "line", XTA_I64, 1, names, NULL, &array, &err),
             err);
    const xta_box all = xta_array_bounds(array);
    STORY_OK(&story, xta_array_write(array, &all, NULL, list, &err), err);
    STORY_OK(&story, xta_dataset_add_member(set, "cells", XTA_I16, 1, names, NULL, NULL, &err),
             err);
    STORY_OK(&story, xta_dataset_close(set, &err), err);
    STORY_OK(&story, xta_array_open(member, NULL, &array, &err), err);
    options.format = "netcdf-cdf5";
    options.overwrite = XTA_OVERWRITE_ANY;
    STORY_OK(&story, xta_export(array, right, &options, &err), err);
    STORY_OK(&story, xta_flat_open(member, XTA_FLAT_NETCDF, XTA_ACCESS_AUTO, &flat, &err), err);
    save(flat, left);
    n_values += netcdf_compare(&story, left, right);
    xta_flat_close(flat);
    STORY_OK(&story, xta_zarr_of_array(array, NULL, &zarr, &err), err);
    node = xta_zarr_node_at(zarr, 2);
    STORY_CHECK(&story,
                node != NULL && node->type == XTA_I64 &&
                    memcmp(node->values, list, sizeof list) == 0,
                "the coordinates of Zarr are others");
    xta_zarr_free(zarr);
    STORY_OK(&story, xta_array_close(array, &err), err);
}

/* Two names that are one in NetCDF, and fill values that are none. The file is read by netCDF-C. */
static void check_names(void)
{
    const xta_dimension dims[] = {
        {.name = "a/b", .hi = 3}, {.name = "a_b", .hi = 4}, {.name = "v_dim0", .hi = 2}};
    const char *names[] = {"a/b", "a_b"}, *none[] = {NULL, "a/b"};
    const char *path = test_folder_path(&folder, "names"),
               *left = test_folder_path(&folder, "l.nc");
    const double two[] = {1, 2};
    const xta_attribute fills = {"_FillValue", XTA_F64, 8, 2, two};
    xta_dataset *set = NULL;
    xta_array *v = NULL, *w = NULL;
    xta_flat *flat = NULL;
    xta_error err;

    test_story_begin(&story, "names", 0, 0);
    STORY_OK(&story, xta_dataset_create(path, NULL, &set, &err), err);
    for (size_t k = 0; k < 3; k++) {
        STORY_OK(&story, xta_dataset_set_dimension(set, &dims[k], &err), err);
    }
    STORY_OK(&story, xta_dataset_add_member(set, "v", XTA_I16, 2, none, NULL, &v, &err), err);
    STORY_OK(&story, xta_dataset_add_member(set, "w", XTA_F32, 2, names, NULL, &w, &err), err);
    STORY_OK(&story, xta_attribute_set_text(w, XTA_ON_ARRAY, "netcdf/name", "v", &err), err);
    STORY_OK(&story, xta_attribute_set_text(v, XTA_ON_ARRAY, "_FillValue", "text", &err), err);
    STORY_OK(&story, xta_attribute_set(w, XTA_ON_ARRAY, &fills, &err), err);
    STORY_OK(&story, xta_dataset_close(set, &err), err);
    STORY_OK(&story, xta_flat_open_set(path, XTA_ACCESS_AUTO, &flat, &err), err);
    save(flat, left);
    netcdf_check_names(&story, left, "a_b=3 a_b_=4 v_dim0=2 v_dim0_=1 v(v_dim0_,a_b) v_(a_b,a_b_)");
    xta_flat_close(flat);
}

/* An array that was put into a folder under the name of regular coordinates: one node has it. */
static void check_stranger(void)
{
    const xta_dimension line = {.name = "line",
                                .hi = 3,
                                .coordinates = XTA_COORDINATES_REGULAR,
                                .regular = {XTA_I32, {.i = 1}, {.i = 1}}};
    const char *path = test_folder_path(&folder, "stranger"), *names[] = {"line", "x"};
    const int64_t bounds[] = {3, 2};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    const xta_zarr_node *node = NULL;
    xta_dataset *set = NULL;
    xta_array *array = NULL;
    xta_zarr *zarr = NULL;
    xta_error err;
    size_t n = 0;

    test_story_begin(&story, "a stranger", 0, 0);
    STORY_OK(&story, xta_dataset_create(path, NULL, &set, &err), err);
    STORY_OK(&story, xta_dataset_set_dimension(set, &line, &err), err);
    STORY_OK(&story, xta_dataset_close(set, &err), err);
    options.names = names;
    STORY_OK(&story,
             xta_array_create(test_folder_path(&folder, "stranger/line"), XTA_I8, 2, bounds,
                              &options, &array, &err),
             err);
    STORY_OK(&story, xta_array_close(array, &err), err);
    STORY_OK(&story, xta_dataset_open(path, NULL, &set, &err), err);
    STORY_OK(&story, xta_zarr_of_dataset(set, NULL, &zarr, &err), err);
    for (size_t k = 0; (node = xta_zarr_node_at(zarr, k)) != NULL; k++) {
        n += strcmp(node->path, "line") == 0;
        STORY_CHECK(&story, node->array == NULL, "the array stands for coordinates");
    }
    STORY_CHECK(&story, n == 1, "%zu nodes of one name", n);
    xta_zarr_free(zarr);
    STORY_OK(&story, xta_dataset_close(set, &err), err);
}

int main(void)
{
    uint64_t seed = test_seed("test_flat_netcdf", 20261125);

    test_folder_make_fast(&folder);
    for (uint64_t k = 0; k < test_scale(N_ARRAYS); k++) {
        check_array(seed, k);
    }
    for (uint64_t k = 0; k < test_scale(N_SETS); k++) {
        check_set(seed, k);
    }
    check_member_coordinates();
    check_names();
    check_stranger();
    test_folder_remove(&folder);
    printf("test_flat_netcdf: %lu arrays and %lu sets beside their exports, %zu values\n",
           (unsigned long)test_scale(N_ARRAYS), (unsigned long)test_scale(N_SETS), n_values);
    return 0;
}
