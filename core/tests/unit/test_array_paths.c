/* The files of an array behind symbolic links, after chdir, with several names, and their owner and
 * mode: replacements replace the real files and nothing else.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cmocka.h>

#include <xta/array.h>
#include <xta/repartition.h>

#include "support/folder.h"
#include "util/os.h"

static test_folder base;
static int home;

static int begin(void **state)
{
    (void)state;
    test_folder_make(&base);
    home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(chdir(base.path), 0);
    assert_int_equal(mkdir("real", 0777), 0);
    assert_int_equal(mkdir("other", 0777), 0);
    return 0;
}

static int end(void **state)
{
    (void)state;
    assert_int_equal(fchdir(home), 0);
    close(home);
    test_folder_remove(&base);
    return 0;
}

static xta_array *open_array(const char *path, bool writable)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err = {0};

    options.writable = writable;
    if (xta_array_open(path, &options, &array, &err) != XTA_OK) {
        fail_msg("%s", err.text);
    }
    return array;
}

/* An array of one axis whose cells are 0, 1, 2 ... */
static void make_array(const char *path)
{
    const int64_t bounds[1] = {6}, chunk[1] = {2};
    const int32_t cells[6] = {0, 1, 2, 3, 4, 5};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    const xta_box all = {.ndim = 1, .hi = {6}};
    xta_array *array = NULL;
    xta_error err = {0};

    options.chunk = chunk;
    assert_int_equal(xta_array_create(path, XTA_I32, 1, bounds, &options, &array, &err), XTA_OK);
    assert_int_equal(xta_array_write(array, &all, NULL, cells, &err), XTA_OK);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
}

static void append_to(xta_array *array, int32_t value)
{
    const xta_growth growth = {.axis = 0, .side = XTA_BACK, .by = 1};
    xta_error err = {0};

    if (xta_array_append(array, &growth, NULL, &value, NULL, &err) != XTA_OK) {
        fail_msg("%s", err.text);
    }
}

static void append(const char *path, int32_t value)
{
    xta_array *array = open_array(path, true);
    xta_error err = {0};

    append_to(array, value);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
}

/* The cells are 0 .. n-1, by whichever path the array is opened. */
static void expect_cells(const char *path, int64_t n)
{
    xta_array *array = open_array(path, false);
    xta_error err = {0};

    assert_int_equal(xta_array_bounds(array).hi[0], n);
    for (int64_t k = 0; k < n; k++) {
        int32_t cell = -1;
        assert_int_equal(xta_array_get(array, &k, &cell, &err), XTA_OK);
        assert_int_equal(cell, k);
    }
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
    assert_int_equal(xta_check(path, NULL, NULL, &err), XTA_OK);
}

static bool is_link(const char *path)
{
    struct stat facts;

    return lstat(path, &facts) == 0 && S_ISLNK(facts.st_mode);
}

static bool is_file(const char *path)
{
    struct stat facts;

    return lstat(path, &facts) == 0 && S_ISREG(facts.st_mode);
}

static void make_link(const char *target, const char *path)
{
    assert_int_equal(symlink(target, path), 0);
}

static void compact(const char *path)
{
    xta_error err = {0};

    if (xta_compact(path, NULL, NULL, &err) != XTA_OK) {
        fail_msg("%s", err.text);
    }
}

static void rechunk(const char *path, int64_t chunk)
{
    xta_create_options changes = XTA_CREATE_OPTIONS_INIT;
    xta_error err = {0};

    changes.chunk = &chunk;
    if (xta_array_rechunk(path, &changes, NULL, NULL, &err) != XTA_OK) {
        fail_msg("%s", err.text);
    }
}

/* ---- links ---- */

/* Work through a link, check through both paths. `files`: the links that must still exist. */
static void use_link(const char *link, const char *const *links)
{
    append(link, 6);
    compact(link);
    append("real/a", 7);
    expect_cells(link, 8);
    rechunk(link, 3);
    append("real/a", 8);
    append(link, 9);
    expect_cells("real/a", 10);
    expect_cells(link, 10);
    assert_true(is_file("real/a.xmd") && is_file("real/a.xta"));
    for (; *links != NULL; links++) {
        assert_true(is_link(*links));
    }
}

static void test_both_links(void **state)
{
    (void)state;
    make_array("real/a");
    make_link("real/a.xmd", "l.xmd");
    make_link("real/a.xta", "l.xta");
    use_link("l", (const char *const[]){"l.xmd", "l.xta", NULL});
}

static void test_journal_link(void **state)
{
    (void)state;
    make_array("real/a");
    make_link("../real/a.xmd", "other/b.xmd");
    use_link("other/b", (const char *const[]){"other/b.xmd", NULL});
    assert_int_not_equal(access("other/b.xta", F_OK), 0);
}

static void test_data_link(void **state)
{
    (void)state;
    make_array("real/a");
    make_link("real/a.xta", "l.xta");
    use_link("l.xta", (const char *const[]){"l.xta", NULL});
    assert_int_not_equal(access("l.xmd", F_OK), 0);
}

static void test_chain_and_folder(void **state)
{
    (void)state;
    make_array("real/a");
    make_link("real", "folder");
    make_link("folder/a.xmd", "one.xmd");
    make_link("one.xmd", "two.xmd");
    use_link("two.xmd", (const char *const[]){"one.xmd", "two.xmd", "folder", NULL});
    expect_cells("folder/a", 10);
}

static void test_name_without_suffix(void **state)
{
    (void)state;
    make_array("real/a");
    make_link("real/a", "base");
    use_link("base", (const char *const[]){"base", NULL});
    make_link("real/a.xmd", "journal");
    expect_cells("journal", 10);
}

static void test_working_folder(void **state)
{
    xta_array *array;
    xta_error err = {0};
    bool changed = false;

    (void)state;
    make_array("real/a");
    make_link("real/a.xmd", "l.xmd");
    array = open_array("l", true);
    assert_int_equal(chdir("other"), 0);
    compact("../real/a");
    // The handle continues with the journal that replaced its own.
    append_to(array, 6);
    compact("../real/a");
    assert_int_equal(xta_array_refresh(array, &changed, &err), XTA_OK);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
    assert_int_equal(chdir(".."), 0);
    expect_cells("real/a", 7);
}

/* The link is changed to another array while a handle is open: the handle keeps its array. */
static void test_link_is_turned(void **state)
{
    xta_array *array;
    xta_error err = {0};

    (void)state;
    make_array("real/a");
    make_array("other/b");
    make_link("real/a.xmd", "l.xmd");
    array = open_array("l", true);
    assert_int_equal(unlink("l.xmd"), 0);
    make_link("other/b.xmd", "l.xmd");
    compact("real/a");
    append_to(array, 6);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
    expect_cells("real/a", 7);
    expect_cells("other/b", 6);
    expect_cells("l", 6);
}

static void test_create_through_link(void **state)
{
    (void)state;
    make_link("real/new.xmd", "l.xmd");
    make_array("l");
    assert_true(is_link("l.xmd"));
    assert_true(is_file("real/new.xmd") && is_file("real/new.xta"));
    assert_int_not_equal(access("l.xta", F_OK), 0);
    expect_cells("l", 6);
    expect_cells("real/new", 6);
    assert_int_equal(xta_array_delete("l", NULL), XTA_OK);
    assert_true(is_link("l.xmd"));
    assert_int_not_equal(access("real/new.xta", F_OK), 0);
}

/* A link to a folder of the same name is not a link to an array. */
static void test_link_to_folder(void **state)
{
    (void)state;
    make_array("real");
    make_link("real", "l");
    make_array("l");
    assert_true(is_file("l.xmd") && is_link("l"));
}

static void test_apart(void **state)
{
    xta_error err = {0};
    xta_create_options changes = XTA_CREATE_OPTIONS_INIT;
    const int64_t chunk = 3;

    (void)state;
    make_array("real/a");
    assert_int_equal(rename("real/a.xta", "other/cells.xta"), 0);
    make_link("../other/cells.xta", "real/a.xta");
    append("real/a", 6);
    compact("real/a");
    expect_cells("real/a", 7);
    assert_true(is_link("real/a.xta"));
    changes.chunk = &chunk;
    assert_int_equal(xta_array_rechunk("real/a", &changes, NULL, NULL, &err), XTA_EACCESS);
    assert_non_null(strstr(err.text, "other/cells.xta"));
    expect_cells("real/a", 7);
}

static void test_two_arrays(void **state)
{
    xta_array *array = NULL;
    xta_error err = {0};

    (void)state;
    make_array("real/a");
    make_array("other/b");
    make_link("real/a.xmd", "l.xmd");
    make_link("other/b.xta", "l.xta");
    assert_int_equal(xta_array_open("l", NULL, &array, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "l: its links lead to two arrays"));
    // A copied journal with the data file of another array.
    assert_true(test_file_copy("real/a.xmd", "c.xmd"));
    make_link("real/a.xta", "c.xta");
    assert_int_equal(xta_array_open("c", NULL, &array, &err), XTA_EARG);
    expect_cells("real/a", 6);
    expect_cells("other/b", 6);
}

static void test_errors(void **state)
{
    xta_array *array = NULL;
    xta_error err = {0};

    (void)state;
    make_link("ring.xmd", "ring.xmd");
    assert_int_equal(xta_array_open("ring", NULL, &array, &err), XTA_EIO);
    assert_int_equal(err.os_errno, ELOOP);
    assert_int_equal(strncmp(err.text, "ring.xmd: ", 10), 0);
    // Messages use the path as given.
    assert_int_equal(xta_array_open("real/none", NULL, &array, &err), XTA_ENOENT);
    assert_int_equal(strncmp(err.text, "real/none: ", 11), 0);
    assert_int_equal(xta_array_open("nowhere/none", NULL, &array, &err), XTA_ENOENT);
    test_file_write("real/bad.xmd", "no journal", 10);
    test_file_write("real/bad.xta", "", 0);
    make_link("real/bad.xmd", "l.xmd");
    assert_int_equal(xta_array_open("l", NULL, &array, &err), XTA_EFORMAT);
    assert_int_equal(strncmp(err.text, "l.xmd: ", 7), 0);
}

/* ---- arrays that grow together ---- */

static void test_group(void **state)
{
    xta_growth growth = {.axis = 0, .side = XTA_BACK, .by = 2};
    xta_error err = {0};

    (void)state;
    make_array("real/a");
    make_array("other/b");
    make_link("../real/a.xmd", "other/a.xmd");
    make_link("other/b.xmd", "b.xmd");
    xta_array *a = open_array("other/a", true), *b = open_array("b", true);
    xta_array_growth both[2] = {{.array = a, .growths = &growth, .n_growths = 1},
                                {.array = b, .growths = &growth, .n_growths = 1}};
    assert_int_equal(chdir("other"), 0);
    assert_int_equal(xta_arrays_extend(both, 2, NULL, &err), XTA_OK);
    assert_int_equal(xta_array_close(a, &err), XTA_OK);
    assert_int_equal(xta_array_close(b, &err), XTA_OK);
    assert_int_equal(chdir(".."), 0);
    a = open_array("real/a", false);
    b = open_array("other/b", false);
    assert_int_equal(xta_array_bounds(a).hi[0], 8);
    assert_int_equal(xta_array_bounds(b).hi[0], 8);
    xta_array_close(a, NULL);
    xta_array_close(b, NULL);
}

/* Temporary journals of killed processes are removed when the next one is made; nothing else is. */
static void test_leftovers(void **state)
{
    (void)state;
    make_array("real/a");
    test_file_write("real/a.xmd.new-0123abcd", "", 0);
    test_file_write("real/a.rechunk.xmd.new-89abcdef", "", 0);
    test_file_write("real/a.xmd.new-0123abcd.mine", "", 0);
    test_file_write("real/ab.xmd.new-0123abcd", "", 0);
    compact("real/a");
    assert_false(is_file("real/a.xmd.new-0123abcd"));
    assert_true(is_file("real/a.rechunk.xmd.new-89abcdef"));
    test_file_write("real/a.xmd.new-0123abcd", "", 0);
    rechunk("real/a", 3);
    assert_false(is_file("real/a.xmd.new-0123abcd"));
    assert_false(is_file("real/a.rechunk.xmd.new-89abcdef"));
    assert_true(is_file("real/a.xmd.new-0123abcd.mine"));
    assert_true(is_file("real/ab.xmd.new-0123abcd"));
    expect_cells("real/a", 6);
}

/* ---- names, owners, modes ---- */

static void test_hard_links(void **state)
{
    xta_error err = {0};
    xta_create_options changes = XTA_CREATE_OPTIONS_INIT;
    const int64_t chunk = 3;

    (void)state;
    make_array("real/a");
    assert_int_equal(link("real/a.xmd", "other/a.xmd"), 0);
    assert_int_equal(link("real/a.xta", "other/a.xta"), 0);
    assert_int_equal(xta_compact("real/a", NULL, NULL, &err), XTA_EACCESS);
    assert_non_null(strstr(err.text, "2 names"));
    changes.chunk = &chunk;
    assert_int_equal(xta_array_rechunk("real/a", &changes, NULL, NULL, &err), XTA_EACCESS);
    assert_int_equal(unlink("other/a.xmd"), 0);
    assert_int_equal(xta_array_rechunk("real/a", &changes, NULL, NULL, &err), XTA_EACCESS);
    append("real/a", 6);
    expect_cells("real/a", 7);
    compact("real/a");
    expect_cells("real/a", 7);
}

static void expect_access(const char *path, mode_t mode, uid_t owner)
{
    struct stat facts;

    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 07777, mode);
    assert_int_equal(facts.st_uid, owner);
    assert_int_equal(facts.st_gid, owner == getuid() ? facts.st_gid : owner);
}

static void test_access(void **state)
{
    uid_t owner = getuid() == 0 ? 12345 : getuid();
    char tag[8] = "";

    (void)state;
    make_array("real/a");
    assert_int_equal(chmod("real/a.xmd", 0640), 0);
    assert_int_equal(chmod("real/a.xta", 0600), 0);
    bool tagged = setxattr("real/a.xta", "user.tag", "kept", 4, 0) == 0;
    if (getuid() == 0) {
        assert_int_equal(chown("real/a.xmd", owner, owner), 0);
        assert_int_equal(chown("real/a.xta", owner, owner), 0);
    }
    compact("real/a");
    expect_access("real/a.xmd", 0640, owner);
    rechunk("real/a", 3);
    expect_access("real/a.xmd", 0640, owner);
    expect_access("real/a.xta", 0600, owner);
    assert_int_equal(getxattr("real/a.xta", "user.tag", tag, sizeof tag), tagged ? 4 : -1);
    expect_cells("real/a", 6);
}

static int refused(int fd, int like)
{
    (void)fd;
    (void)like;
    return EPERM;
}

/* A process that cannot keep the owner replaces nothing. */
static void test_foreign_owner(void **state)
{
    xta__os_calls calls = *xta__os();
    xta_create_options changes = XTA_CREATE_OPTIONS_INIT;
    const int64_t chunk = 3;
    xta_error err = {0};

    (void)state;
    make_array("real/a");
    calls.keep_access = refused;
    xta__os_replace(&calls);
    assert_int_equal(xta_compact("real/a", NULL, NULL, &err), XTA_EACCESS);
    assert_non_null(strstr(err.text, "could not keep owner, group and mode"));
    changes.chunk = &chunk;
    assert_int_equal(xta_array_rechunk("real/a", &changes, NULL, NULL, &err), XTA_EACCESS);
    xta__os_replace(NULL);
    expect_cells("real/a", 6);
    // No file is left over.
    xta__folder_entry *names = NULL;
    size_t n = 0;
    assert_int_equal(xta__folder_list("real", &names, &n, &err), XTA_OK);
    assert_int_equal(n, 2);
    xta__folder_entries_free(names, n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_both_links, begin, end),
        cmocka_unit_test_setup_teardown(test_journal_link, begin, end),
        cmocka_unit_test_setup_teardown(test_data_link, begin, end),
        cmocka_unit_test_setup_teardown(test_chain_and_folder, begin, end),
        cmocka_unit_test_setup_teardown(test_name_without_suffix, begin, end),
        cmocka_unit_test_setup_teardown(test_working_folder, begin, end),
        cmocka_unit_test_setup_teardown(test_link_is_turned, begin, end),
        cmocka_unit_test_setup_teardown(test_create_through_link, begin, end),
        cmocka_unit_test_setup_teardown(test_link_to_folder, begin, end),
        cmocka_unit_test_setup_teardown(test_apart, begin, end),
        cmocka_unit_test_setup_teardown(test_two_arrays, begin, end),
        cmocka_unit_test_setup_teardown(test_errors, begin, end),
        cmocka_unit_test_setup_teardown(test_group, begin, end),
        cmocka_unit_test_setup_teardown(test_leftovers, begin, end),
        cmocka_unit_test_setup_teardown(test_hard_links, begin, end),
        cmocka_unit_test_setup_teardown(test_access, begin, end),
        cmocka_unit_test_setup_teardown(test_foreign_owner, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
