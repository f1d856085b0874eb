/* Whether two NetCDF files hold the same.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "property/netcdf_compare.h"

#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NC(call)                                                                        \
    do {                                                                                \
        int nc_code = (call);                                                           \
        STORY_CHECK(story, nc_code == NC_NOERR, "%s: %s", #call, nc_strerror(nc_code)); \
    } while (0)

static void compare_dimensions(test_story *story, int left, int right)
{
    int n = 0, m = 0, id = 0;
    size_t a = 0, b = 0;
    char name[NC_MAX_NAME + 1];

    NC(nc_inq_ndims(left, &n));
    NC(nc_inq_ndims(right, &m));
    STORY_CHECK(story, n == m, "%d dimensions and %d", n, m);
    for (int k = 0; k < n; k++) {
        NC(nc_inq_dim(left, k, name, &a));
        STORY_CHECK(story, nc_inq_dimid(right, name, &id) == NC_NOERR, "dimension %s is missing",
                    name);
        NC(nc_inq_dimlen(right, id, &b));
        STORY_CHECK(story, a == b, "dimension %s: %zu cells and %zu", name, a, b);
    }
}

static void compare_attribute(test_story *story, int left, int of_left, int right, int of_right,
                              const char *name)
{
    nc_type a = NC_NAT, b = NC_NAT;
    size_t n = 0, m = 0, bytes = 0;

    NC(nc_inq_att(left, of_left, name, &a, &n));
    STORY_CHECK(story, nc_inq_att(right, of_right, name, &b, &m) == NC_NOERR,
                "attribute %s is missing", name);
    STORY_CHECK(story, a == b && n == m, "attribute %s: %zu of type %d and %zu of %d", name, n,
                (int)a, m, (int)b);
    NC(nc_inq_type(left, a, NULL, &bytes));
    char *x = calloc(n + 1, bytes), *y = calloc(n + 1, bytes);
    STORY_CHECK(story, x != NULL && y != NULL, "out of memory");
    NC(nc_get_att(left, of_left, name, x));
    NC(nc_get_att(right, of_right, name, y));
    STORY_CHECK(story, memcmp(x, y, n * bytes) == 0, "attribute %s differs", name);
    free(x);
    free(y);
}

static void compare_attributes(test_story *story, int left, int of_left, int right, int of_right)
{
    int n = 0, m = 0;
    char name[NC_MAX_NAME + 1];

    NC(nc_inq_varnatts(left, of_left, &n));
    NC(nc_inq_varnatts(right, of_right, &m));
    for (int k = 0; k < n; k++) {
        NC(nc_inq_attname(left, of_left, k, name));
        compare_attribute(story, left, of_left, right, of_right, name);
    }
    STORY_CHECK(story, n == m, "%d attributes and %d", n, m);
}

/* The dimensions of a variable by name, and how many values it has. */
static size_t compare_shape(test_story *story, int left, int of_left, int right, int of_right)
{
    int n = 0, m = 0, a[NC_MAX_VAR_DIMS], b[NC_MAX_VAR_DIMS];
    char name[NC_MAX_NAME + 1], other[NC_MAX_NAME + 1];
    size_t count = 1, length = 0;

    NC(nc_inq_varndims(left, of_left, &n));
    NC(nc_inq_varndims(right, of_right, &m));
    STORY_CHECK(story, n == m, "%d axes and %d", n, m);
    NC(nc_inq_vardimid(left, of_left, a));
    NC(nc_inq_vardimid(right, of_right, b));
    for (int k = 0; k < n; k++) {
        NC(nc_inq_dim(left, a[k], name, &length));
        NC(nc_inq_dimname(right, b[k], other));
        STORY_CHECK(story, strcmp(name, other) == 0, "axis %d is %s and %s", k, name, other);
        count *= length;
    }
    return count;
}

static size_t compare_variable(test_story *story, int left, int of_left, int right)
{
    int of_right = 0;
    nc_type a = NC_NAT, b = NC_NAT;
    size_t bytes = 0;
    char name[NC_MAX_NAME + 1];

    NC(nc_inq_var(left, of_left, name, &a, NULL, NULL, NULL));
    STORY_CHECK(story, nc_inq_varid(right, name, &of_right) == NC_NOERR, "variable %s is missing",
                name);
    NC(nc_inq_vartype(right, of_right, &b));
    STORY_CHECK(story, a == b, "variable %s: types %d and %d", name, (int)a, (int)b);
    size_t n = compare_shape(story, left, of_left, right, of_right);
    compare_attributes(story, left, of_left, right, of_right);
    NC(nc_inq_type(left, a, NULL, &bytes));
    char *x = calloc(n + 1, bytes), *y = calloc(n + 1, bytes);
    STORY_CHECK(story, x != NULL && y != NULL, "out of memory");
    NC(nc_get_var(left, of_left, x));
    NC(nc_get_var(right, of_right, y));
    STORY_CHECK(story, memcmp(x, y, n * bytes) == 0, "values of %s differ", name);
    free(x);
    free(y);
    return n;
}

size_t netcdf_compare(test_story *story, const char *left_path, const char *right_path)
{
    int left = 0, right = 0, n = 0, m = 0;
    size_t n_values = 0;

    NC(nc_open(left_path, NC_NOWRITE, &left));
    NC(nc_open(right_path, NC_NOWRITE, &right));
    compare_dimensions(story, left, right);
    compare_attributes(story, left, NC_GLOBAL, right, NC_GLOBAL);
    NC(nc_inq_nvars(left, &n));
    NC(nc_inq_nvars(right, &m));
    STORY_CHECK(story, n == m, "%d variables and %d", n, m);
    for (int k = 0; k < n; k++) {
        n_values += compare_variable(story, left, k, right);
    }
    NC(nc_close(left));
    NC(nc_close(right));
    return n_values;
}

void netcdf_check_names(test_story *story, const char *path, const char *wanted)
{
    char found[1000] = "", name[NC_MAX_NAME + 1];
    int file = -1, n_dims = 0, n_vars = 0, ndim = 0, dims[NC_MAX_VAR_DIMS], attribute = 0;
    size_t length = 0;

    STORY_CHECK(story, nc_open(path, NC_NOWRITE, &file) == NC_NOERR, "%s: no NetCDF file", path);
    nc_inq(file, &n_dims, &n_vars, NULL, NULL);
    for (int d = 0; d < n_dims; d++) {
        nc_inq_dim(file, d, name, &length);
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s=%zu ", name, length);
    }
    for (int v = 0; v < n_vars; v++) {
        nc_inq_var(file, v, name, NULL, &ndim, dims, NULL);
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s(", name);
        for (int d = 0; d < ndim; d++) {
            nc_inq_dimname(file, dims[d], name);
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", name,
                     d + 1 < ndim     ? ","
                     : v + 1 < n_vars ? ") "
                                      : ")");
        }
        STORY_CHECK(story, nc_inq_attid(file, v, "_FillValue", &attribute) == NC_ENOTATT,
                    "variable %d has a fill value", v);
    }
    nc_close(file);
    STORY_CHECK(story, strcmp(found, wanted) == 0, "%s has %s, want %s", path, found, wanted);
}
