/* A data set that another process makes grow at both ends of two dimensions, opened again and
 * again: each time bounds, coordinates and cells are of one moment. Every cell says which it is, as
 * tests/ways_in/grower.c writes them; reads of one handle do not change while others append.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <netcdf.h>

#include <xta/netcdf_format.h>

#include "sets.h"
#include "support/folder.h"
#include "support/random.h"

enum { TIME, Y, X, NDIM };
static const char *const names[NDIM] = {"time", "y", "x"};

typedef struct view {
    size_t length[NDIM];
    double *axis[NDIM];
} view;

static void read_axes(int file, view *v)
{
    for (int d = 0; d < NDIM; d++) {
        int id = -1;
        nc_must(nc_inq_dimid(file, names[d], &id));
        nc_must(nc_inq_dimlen(file, id, &v->length[d]));
        v->axis[d] = calloc(v->length[d] + 1, sizeof(double));
        nc_must(nc_inq_varid(file, names[d], &id));
        nc_must(nc_get_var_double(file, id, v->axis[d]));
    }
}

static double number_of(const view *v, int d, size_t k)
{
    return d == TIME ? v->axis[d][k] / 6 : (v->axis[d][k] - 500) / 1000;
}

/* Neighbours follow each other, and each cell is the one of its coordinates. */
static void check_cells(int file, const view *v)
{
    size_t n = v->length[TIME] * v->length[Y] * v->length[X], at = 0;
    double *temp = calloc(n, sizeof *temp);
    int *flag = calloc(n, sizeof *flag), id = -1;

    nc_must(nc_inq_varid(file, "temp", &id));
    nc_must(nc_get_var_double(file, id, temp));
    nc_must(nc_inq_varid(file, "flag", &id));
    nc_must(nc_get_var_int(file, id, flag));
    for (int d = 0; d < NDIM; d++) {
        for (size_t k = 1; k < v->length[d]; k++) {
            assert_true(number_of(v, d, k) == number_of(v, d, k - 1) + 1);
        }
    }
    for (size_t t = 0; t < v->length[TIME]; t++) {
        for (size_t y = 0; y < v->length[Y]; y++) {
            for (size_t x = 0; x < v->length[X]; x++, at++) {
                double a = number_of(v, TIME, t), b = number_of(v, Y, y), c = number_of(v, X, x);
                assert_true(temp[at] == 1e6 * a + 1e3 * b + c);
                assert_true(flag[at] == (int)(7 * a + 13 * b + c));
            }
        }
    }
    free(temp);
    free(flag);
}

static pid_t start_grower(const char *folder, const char *steps, int *out)
{
    int ends[2];
    char line[32] = {0};

    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl(NETCDF_GROWER, "grower", folder, steps, (char *)NULL);
        _exit(127);
    }
    assert_true(child > 0);
    close(ends[1]);
    assert_true(read(ends[0], line, sizeof line - 1) > 0);
    assert_memory_equal(line, "created", 7);
    *out = ends[0];
    return child;
}

static void test_growing(void **state)
{
    const char *folder = test_folder_path(&test_group_folder, "set");
    char steps[32];
    int out = -1, status = 0, opens = 0, seen = 0;
    double first = 0;
    bool ended = false;

    (void)state;
    snprintf(steps, sizeof steps, "%llu", (unsigned long long)test_scale(200));
    pid_t child = start_grower(folder, steps, &out);
    while (!ended || opens < 5) {
        ended = ended || waitpid(child, &status, WNOHANG) == child;
        int file = -1;
        view before, after;
        nc_must(nc_open(set_address(folder), NC_NOWRITE, &file));
        read_axes(file, &before);
        check_cells(file, &before);
        check_cells(file, &before); // the same, whatever has been appended
        read_axes(file, &after);
        for (int d = 0; d < NDIM; d++) {
            assert_int_equal(before.length[d], after.length[d]);
            assert_memory_equal(before.axis[d], after.axis[d], before.length[d] * sizeof(double));
        }
        seen += opens > 0 && before.axis[TIME][0] < first;
        first = before.axis[TIME][0];
        for (int d = 0; d < NDIM; d++) {
            free(before.axis[d]);
            free(after.axis[d]);
        }
        nc_must(nc_sync(file));
        read_axes(file, &after);
        check_cells(file, &after);
        for (int d = 0; d < NDIM; d++) {
            free(after.axis[d]);
        }
        nc_must(nc_close(file));
        opens++;
    }
    close(out);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(seen > 0); // it grew at the front while it was being opened
    printf("opened %d times during %s steps, further at the front %d times\n", opens, steps, seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_growing)};

    nc_must(xta_netcdf_register());
    return cmocka_run_group_tests(tests, test_group_begin, test_group_end);
}
