/* Bad input: files that are missing, corrupt or of another kind, changed under a reader, and ids
 * that are not open. Each gives a code of NetCDF; none ends the process.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <netcdf.h>

#include <xta/dataset.h>
#include <xta/netcdf_format.h>

#include "sets.h"
#include "support/folder.h"
#include "support/must.h"
#include "support/random.h"

static xta_error err;

static const char *file_of(const char *folder, const char *name)
{
    static char path[2 * TEST_PATH_BYTES];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* A data set that other tests do not change: members v(n), filled with ones, and names. */
static const char *make_set(const char *name)
{
    const char *folder = test_folder_path(&test_group_folder, name);
    const char *dimensions[] = {"n"};
    const xta_dimension n = {.name = "n", .hi = 4000, .unlimited = true};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    const int64_t chunk = 512;
    const double one = 1, fill = -5;
    xta_dataset *set = NULL;
    xta_array *array = NULL;

    options.chunk = &chunk;
    options.fill = &fill;
    test_must(xta_dataset_create(folder, NULL, &set, &err), &err);
    test_must(xta_dataset_set_dimension(set, &n, &err), &err);
    test_must(xta_dataset_set_text(set, NULL, "title", "a title", &err), &err);
    test_must(xta_dataset_add_member(set, "v", XTA_F64, 1, dimensions, &options, &array, &err),
              &err);
    const xta_box all = xta_array_bounds(array);
    test_must(xta_array_fill(array, &all, &one, &err), &err);
    test_must(xta_dataset_close(set, &err), &err);
    return folder;
}

/* Open, read everything, close. The first code that is no success. */
static int try_all(const char *address)
{
    static double cells[1 << 20];
    int file = -1, n = 0, code = nc_open(address, NC_NOWRITE, &file);

    if (code != NC_NOERR) {
        return code;
    }
    code = nc_inq_nvars(file, &n);
    for (int id = 0; id < n && code == NC_NOERR; id++) {
        int ndim = 0, dims[NC_MAX_VAR_DIMS];
        size_t values = 1, length = 0;
        nc_must(nc_inq_var(file, id, NULL, NULL, &ndim, dims, NULL));
        for (int d = 0; d < ndim; d++) {
            nc_must(nc_inq_dimlen(file, dims[d], &length));
            values = length < 1 << 20 ? values * length : 1 << 20;
        }
        code = values < 1 << 20 ? nc_get_var_double(file, id, cells) : NC_NOERR;
    }
    int closed = nc_close(file);
    return code != NC_NOERR ? code : closed;
}

static void test_missing(void **state)
{
    const char *folder = make_set("missing");
    const char *elsewhere = test_folder_path(&test_group_folder, "elsewhere");
    const char *other = test_folder_path(&test_group_folder, "other");
    char address[2 * TEST_PATH_BYTES];

    (void)state;
    assert_int_equal(try_all(set_address(elsewhere)), ENOENT);
    assert_int_equal(mkdir(other, 0700), 0);
    assert_int_equal(try_all(set_address(other)), NC_ENOTNC);
    snprintf(address, sizeof address, "file://%s/nothing.xmd#mode=udf1", folder);
    assert_int_equal(try_all(address), ENOENT);
    assert_int_equal(try_all(set_address(folder)), NC_NOERR);
    assert_int_equal(unlink(file_of(folder, "v.xta")), 0);
    assert_int_equal(try_all(set_address(folder)), ENOENT);
    assert_int_equal(try_all(file_of(folder, "v.xmd")), ENOENT);
    assert_int_equal(unlink(file_of(folder, "v.xmd")), 0);
    assert_int_equal(try_all(set_address(folder)), NC_NOERR); // a member that is gone
}

static void test_wrong_kind(void **state)
{
    const char *folder = make_set("wrong_kind");
    char address[2 * TEST_PATH_BYTES];

    (void)state;
    snprintf(address, sizeof address, "file://%s#mode=udf1", folder);
    assert_int_not_equal(try_all(address), NC_NOERR); // a folder is no array
    snprintf(address, sizeof address, "file://%s/v.xmd#mode=udf0", folder);
    assert_int_not_equal(try_all(address), NC_NOERR);
    test_file_write(file_of(folder, "dataset.xmd"), "not a journal, but text", 23);
    assert_int_equal(try_all(set_address(folder)), NC_ENOTNC);
    assert_int_equal(try_all(file_of(folder, "dataset.xmd")), NC_ENOTNC);
}

/* Each byte may be anything, and the file may end anywhere. */
static void damage(const char *folder, const char *name, test_random *random)
{
    size_t n = 0;
    uint8_t *bytes = test_file_read(file_of(folder, name), &n);

    assert_non_null(bytes);
    for (uint64_t k = 0; k < test_scale(300); k++) {
        size_t at = (size_t)test_random_in(random, 0, (int64_t)n - 1);
        uint8_t old = bytes[at];
        bytes[at] = (uint8_t)test_random_in(random, 0, 255);
        bool cut = test_random_chance(random, 20);
        test_file_write(file_of(folder, name), bytes, cut ? at : n);
        (void)try_all(set_address(folder));
        bytes[at] = old;
    }
    test_file_write(file_of(folder, name), bytes, n);
    nc_must(try_all(set_address(folder)));
    free(bytes);
}

static void test_damaged(void **state)
{
    const char *folder = make_set("damaged");
    test_random random = test_random_make(test_seed("test_netcdf_errors", 5), 0);

    (void)state;
    damage(folder, "dataset.xmd", &random);
    damage(folder, "v.xmd", &random);
}

static void test_truncated_before(void **state)
{
    const char *folder = make_set("truncated_before");

    (void)state;
    assert_int_equal(truncate(file_of(folder, "v.xta"), 5000), 0);
    assert_int_not_equal(try_all(set_address(folder)), NC_NOERR);
}

/* Under a reader that has the file open. */
static void test_truncated(void **state)
{
    const char *folder = make_set("truncated");
    double cell = 0;
    int file = -1;

    (void)state;
    nc_must(nc_open(set_address(folder), NC_NOWRITE, &file));
    nc_must(nc_get_var1_double(file, 0, (size_t[]){3999}, &cell));
    assert_true(cell == 1);
    assert_int_equal(truncate(file_of(folder, "v.xta"), 5000), 0);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL); // a tick of the coarse clock
    assert_int_equal(nc_get_var1_double(file, 0, (size_t[]){3999}, &cell), EIO);
    nc_must(nc_close(file));
}

/* Cells that are gone are fill values, as they are through the library; nc_sync tells. */
static void test_shrunk(void **state)
{
    const char *folder = make_set("shrunk");
    static double cells[4000];
    const xta_growth both[] = {{0, XTA_BACK, 1000}, {0, XTA_FRONT, 900}};
    xta_open_options writable = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    size_t length = 0;
    int file = -1;

    (void)state;
    writable.writable = true;
    nc_must(nc_open(set_address(folder), NC_NOWRITE, &file));
    test_must(xta_array_open(file_of(folder, "v"), &writable, &array, &err), &err);
    test_must(xta_array_shrink(array, both, 2, NULL, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    nc_must(nc_get_var_double(file, 0, cells));
    assert_true(cells[2000] == 1 && cells[900] == 1 && cells[2999] == 1);
    assert_true(cells[100] == -5 && cells[3900] == -5);
    nc_must(nc_sync(file));
    nc_must(nc_inq_dimlen(file, 0, &length));
    assert_int_equal(length, 2100);
    nc_must(nc_get_var_double(file, 0, cells));
    assert_true(cells[0] == 1 && cells[2099] == 1);
    nc_must(nc_close(file));
}

/* A writer whose handle has seen that the array is shorter. */
static void test_shrunk_under_writer(void **state)
{
    const char *folder = make_set("shrunk_writer");
    static double cells[4001];
    const xta_growth front = {0, XTA_FRONT, 1001};
    const double seven = 7;
    xta_open_options writable = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    int file = -1;

    (void)state;
    writable.writable = true;
    nc_must(nc_open(set_address(folder), NC_WRITE, &file));
    test_must(xta_array_open(file_of(folder, "v"), &writable, &array, &err), &err);
    test_must(xta_array_shrink(array, &front, 1, NULL, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    nc_must(nc_put_var1_double(file, 0, (size_t[]){4000}, &seven));
    nc_must(nc_get_vara_double(file, 0, (size_t[]){0}, (size_t[]){4001}, cells));
    assert_true(cells[0] == -5 && cells[1000] == -5 && cells[1001] == 1 && cells[4000] == 7);
    nc_must(nc_get_vars_double(file, 0, (size_t[]){0}, (size_t[]){1334}, (ptrdiff_t[]){3}, cells));
    assert_true(cells[333] == -5 && cells[334] == 1 && cells[1333] == 1);
    nc_must(nc_close(file));
}

static void test_removed_member(void **state)
{
    const char *folder = make_set("removed");
    xta_dataset_options writable = XTA_DATASET_OPTIONS_INIT;
    xta_dataset *set = NULL;
    double cell = 0;
    int file = -1;

    (void)state;
    writable.writable = true;
    nc_must(nc_open(set_address(folder), NC_NOWRITE, &file));
    test_must(xta_dataset_open(folder, &writable, &set, &err), &err);
    test_must(xta_dataset_remove_member(set, "v", &err), &err);
    test_must(xta_dataset_close(set, &err), &err);
    nc_must(nc_get_var1_double(file, 0, (size_t[]){7}, &cell)); // the handle keeps its files
    assert_true(cell == 1);
    nc_must(nc_sync(file));
    assert_int_equal(nc_get_var1_double(file, 0, (size_t[]){7}, &cell), ENOENT);
    nc_must(nc_close(file));
}

static void test_read_only(void **state)
{
    const char *folder = make_set("read_only");
    int file = -1;

    (void)state;
    if (geteuid() != 0) { // root may write everything
        assert_int_equal(chmod(file_of(folder, "v.xta"), 0400), 0);
        assert_int_equal(nc_open(set_address(folder), NC_WRITE, &file), EACCES);
    }
    nc_must(nc_open(set_address(folder), NC_NOWRITE, &file));
    assert_int_equal(nc_put_var1_double(file, 0, (size_t[]){0}, &(double){1}), NC_EPERM);
    assert_int_equal(nc_redef(file), NC_EPERM);
    nc_must(nc_close(file));
}

static void test_ids(void **state)
{
    const char *folder = make_set("ids");
    double cell = 0;
    int file = -1, n = 0;

    (void)state;
    nc_must(nc_open(set_address(folder), NC_NOWRITE, &file));
    assert_int_equal(nc_get_var1_double(file, 5, (size_t[]){0}, &cell), NC_ENOTVAR);
    assert_int_equal(nc_get_var1_double(file, -3, (size_t[]){0}, &cell), NC_ENOTVAR);
    assert_int_equal(nc_inq_dimlen(file, 7, &(size_t){0}), NC_EBADDIM);
    assert_int_equal(nc_inq_varid(file, "q", &n), NC_ENOTVAR);
    assert_int_not_equal(nc_get_var1_double(file + 9, 0, (size_t[]){0}, &cell), NC_NOERR);
    assert_int_not_equal(nc_inq_nvars(file + 9, &n), NC_NOERR);
    nc_must(nc_close(file));
    assert_int_equal(nc_inq_nvars(file, &n), NC_EBADID);
    assert_int_equal(nc_close(file), NC_EBADID);
    assert_int_not_equal(nc_open(set_address(folder), NC_DISKLESS, &file), NC_NOERR);
}

/* Many at once, of which each has definitions of its own in memory. */
static void test_many(void **state)
{
    enum { MANY = 50 };
    const char *folder = make_set("many");
    int files[MANY];
    double cell = 0;

    (void)state;
    for (int k = 0; k < MANY; k++) {
        nc_must(nc_open(set_address(folder), NC_NOWRITE, &files[k]));
    }
    for (int k = 0; k < MANY; k++) {
        nc_must(nc_get_var1_double(files[k], 0, (size_t[]){(size_t)k}, &cell));
        assert_true(cell == 1);
        nc_must(nc_close(files[k]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_wrong_kind),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_truncated_before),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_shrunk),
        cmocka_unit_test(test_shrunk_under_writer),
        cmocka_unit_test(test_removed_member),
        cmocka_unit_test(test_read_only),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_many),
    };

    nc_must(xta_netcdf_register());
    return cmocka_run_group_tests(tests, test_group_begin, test_group_end);
}
