/* Two open files that have to be the same for a program.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <netcdf.h>

#include "same.h"
#include "sets.h"

enum { MOST = 64 };

size_t bytes_of(int type)
{
    static const size_t bytes[NC_STRING + 1] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8, sizeof(char *)};

    return bytes[type];
}

static void same_strings(char **a, char **b, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        assert_string_equal(a[k] != NULL ? a[k] : "", b[k] != NULL ? b[k] : "");
    }
    nc_must(nc_free_string(n, a));
    nc_must(nc_free_string(n, b));
}

/* Values of one type: bit by bit, strings by their characters. They are freed. */
static void same_memory(nc_type type, void *a, void *b, size_t n)
{
    if (type == NC_STRING) {
        same_strings(a, b, n);
    } else {
        assert_memory_equal(a, b, n * bytes_of(type));
    }
    free(a);
    free(b);
}

static void same_attribute(int ours, int theirs, int id, int number)
{
    char a[NC_MAX_NAME + 1], b[NC_MAX_NAME + 1];
    nc_type types[2];
    size_t n[2];
    int numbers[2] = {-1, -2};

    nc_must(nc_inq_attname(ours, id, number, a));
    nc_must(nc_inq_attname(theirs, id, number, b));
    assert_string_equal(a, b);
    nc_must(nc_inq_att(ours, id, a, &types[0], &n[0]));
    nc_must(nc_inq_att(theirs, id, a, &types[1], &n[1]));
    assert_int_equal(types[0], types[1]);
    assert_int_equal(n[0], n[1]);
    nc_must(nc_inq_attid(ours, id, a, &numbers[0]));
    nc_must(nc_inq_attid(theirs, id, a, &numbers[1]));
    assert_int_equal(numbers[0], numbers[1]);
    void *values[2] = {calloc(n[0] + 1, 8), calloc(n[0] + 1, 8)};
    nc_must(nc_get_att(ours, id, a, values[0]));
    nc_must(nc_get_att(theirs, id, a, values[1]));
    same_memory(types[0], values[0], values[1], n[0]);
    double converted[2][MOST] = {{0}};
    if (n[0] <= MOST) {
        assert_int_equal(nc_get_att_double(ours, id, a, converted[0]),
                         nc_get_att_double(theirs, id, a, converted[1]));
        assert_memory_equal(converted[0], converted[1], sizeof converted[0]);
    }
}

static void same_variable(int ours, int theirs, int id)
{
    char names[2][NC_MAX_NAME + 1];
    nc_type types[2];
    int ndim[2], dims[2][MOST], n[2], none[2] = {7, 7}, deflate[3], shuffle = 7;
    unsigned char fills[2][8] = {{0}};

    nc_must(nc_inq_var(ours, id, names[0], &types[0], &ndim[0], dims[0], &n[0]));
    nc_must(nc_inq_var(theirs, id, names[1], &types[1], &ndim[1], dims[1], &n[1]));
    assert_string_equal(names[0], names[1]);
    assert_int_equal(types[0], types[1]);
    assert_int_equal(ndim[0], ndim[1]);
    assert_memory_equal(dims[0], dims[1], (size_t)ndim[0] * sizeof dims[0][0]);
    assert_int_equal(n[0], n[1]);
    for (int k = 0; k < n[0]; k++) {
        same_attribute(ours, theirs, id, k);
    }
    if (types[0] != NC_STRING) {
        nc_must(nc_inq_var_fill(ours, id, &none[0], fills[0]));
        nc_must(nc_inq_var_fill(theirs, id, &none[1], fills[1]));
        assert_int_equal(none[0], none[1]);
        assert_memory_equal(fills[0], fills[1], sizeof fills[0]);
    }
    nc_must(nc_inq_var_deflate(ours, id, &shuffle, &deflate[0], &deflate[1]));
    assert_int_equal(shuffle + deflate[0], 0);
}

static void same_dimensions(int ours, int theirs)
{
    int n[2], ids[2][MOST], unlimited[2][MOST], n_unlimited[2], one[2];
    char names[2][NC_MAX_NAME + 1];
    size_t lengths[2];

    nc_must(nc_inq_dimids(ours, &n[0], ids[0], 1));
    nc_must(nc_inq_dimids(theirs, &n[1], ids[1], 1));
    assert_int_equal(n[0], n[1]);
    for (int k = 0; k < n[0]; k++) {
        assert_int_equal(ids[0][k], ids[1][k]);
        nc_must(nc_inq_dim(ours, ids[0][k], names[0], &lengths[0]));
        nc_must(nc_inq_dim(theirs, ids[0][k], names[1], &lengths[1]));
        assert_string_equal(names[0], names[1]);
        assert_int_equal(lengths[0], lengths[1]);
        nc_must(nc_inq_dimid(ours, names[0], &one[0]));
        nc_must(nc_inq_dimid(theirs, names[0], &one[1]));
        assert_int_equal(one[0], one[1]);
    }
    nc_must(nc_inq_unlimdims(ours, &n_unlimited[0], unlimited[0]));
    nc_must(nc_inq_unlimdims(theirs, &n_unlimited[1], unlimited[1]));
    assert_int_equal(n_unlimited[0], n_unlimited[1]);
    nc_must(nc_inq_unlimdim(ours, &one[0]));
    nc_must(nc_inq_unlimdim(theirs, &one[1]));
    assert_int_equal(one[0], one[1]);
}

/* Both files' groups inside a group, in their order. */
static int inner_groups(int ours, int theirs, int groups[2][MOST])
{
    int n[2];

    nc_must(nc_inq_grps(ours, &n[0], groups[0]));
    nc_must(nc_inq_grps(theirs, &n[1], groups[1]));
    assert_int_equal(n[0], n[1]);
    for (int k = 0; k < n[0]; k++) {
        char names[2][NC_MAX_NAME + 1];
        int found = -1;
        nc_must(nc_inq_grpname(groups[0][k], names[0]));
        nc_must(nc_inq_grpname(groups[1][k], names[1]));
        assert_string_equal(names[0], names[1]);
        nc_must(nc_inq_grp_ncid(ours, names[0], &found));
        assert_int_equal(found, groups[0][k]);
        nc_must(nc_inq_grp_parent(found, &found));
        assert_int_equal(found, ours);
    }
    return n[0];
}

void same_definitions(int ours, int theirs)
{
    int n[2][4], groups[2][MOST];

    nc_must(nc_inq(ours, &n[0][0], &n[0][1], &n[0][2], &n[0][3]));
    nc_must(nc_inq(theirs, &n[1][0], &n[1][1], &n[1][2], &n[1][3]));
    assert_memory_equal(n[0], n[1], sizeof n[0]);
    same_dimensions(ours, theirs);
    for (int k = 0; k < n[0][2]; k++) {
        same_attribute(ours, theirs, NC_GLOBAL, k);
    }
    for (int id = 0; id < n[0][1]; id++) {
        same_variable(ours, theirs, id);
    }
    int n_groups = inner_groups(ours, theirs, groups);
    for (int k = 0; k < n_groups; k++) {
        same_definitions(groups[0][k], groups[1][k]);
    }
}

void same_values(int ours, int theirs)
{
    int n = 0, groups[2][MOST];

    nc_must(nc_inq_nvars(ours, &n));
    for (int id = 0; id < n; id++) {
        int ndim = 0, dims[MOST];
        nc_type type = NC_NAT;
        size_t values = 1, length = 0;
        nc_must(nc_inq_var(ours, id, NULL, &type, &ndim, dims, NULL));
        for (int d = 0; d < ndim; d++) {
            nc_must(nc_inq_dimlen(ours, dims[d], &length));
            values *= length;
        }
        void *memory[2] = {calloc(values + 1, 8), calloc(values + 1, 8)};
        nc_must(nc_get_var(ours, id, memory[0]));
        nc_must(nc_get_var(theirs, id, memory[1]));
        same_memory(type, memory[0], memory[1], values);
    }
    int n_groups = inner_groups(ours, theirs, groups);
    for (int k = 0; k < n_groups; k++) {
        same_values(groups[0][k], groups[1][k]);
    }
}
