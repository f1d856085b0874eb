/* Files that replace others: the file has the old or the new bytes, never anything else, and no
 * other file is left beside it, whichever step fails.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/failing_alloc.h"
#include "support/faulty_os.h"
#include "support/folder.h"
#include "util/files.h"
#include "util/os.h"
#include "util/replace.h"

static const char old_text[] = "old", new_text[] = "what is new";

static const char *path_of(const char *name)
{
    return test_folder_path(&test_group_folder, name);
}

static int entries(void)
{
    DIR *folder = opendir(test_group_folder.path);
    int n = 0;

    assert_non_null(folder);
    while (readdir(folder) != NULL) {
        n++;
    }
    closedir(folder);
    return n - 2;
}

static bool holds(const char *path, const char *text)
{
    size_t n = 0;
    uint8_t *bytes = test_file_read(path, &n);
    bool same = bytes != NULL && n == strlen(text) && memcmp(bytes, text, n) == 0;

    free(bytes);
    return same;
}

static void make_old(void)
{
    test_file_write(path_of("file"), old_text, strlen(old_text));
    assert_int_equal(chmod(path_of("file"), 0640), 0);
}

static void links_and_modes_stay(void **state)
{
    struct stat facts;
    const char *file = path_of("file"), *link = path_of("link");

    (void)state;
    assert_int_equal(xta__replace_bytes(file, new_text, strlen(new_text), false), 0);
    assert_true(holds(file, new_text));
    make_old();
    assert_int_equal(symlink("file", link), 0);
    assert_int_equal(xta__replace_bytes(link, new_text, strlen(new_text), true), 0);
    assert_true(holds(file, new_text));
    assert_int_equal(lstat(link, &facts), 0);
    assert_true(S_ISLNK(facts.st_mode));
    assert_int_equal(stat(file, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0640);
    assert_int_equal(entries(), 2);
    assert_int_equal(unlink(link), 0);
    assert_int_equal(unlink(file), 0);
}

static void a_link_that_leads_nowhere_is_followed(void **state)
{
    const char *file = path_of("file"), *link = path_of("link");

    (void)state;
    assert_int_equal(symlink("file", link), 0);
    assert_int_equal(xta__replace_bytes(link, new_text, strlen(new_text), false), 0);
    assert_true(holds(file, new_text));
    assert_int_equal(unlink(link), 0);
    assert_int_equal(unlink(file), 0);
}

static void two_at_once_and_one_discarded(void **state)
{
    xta__new_file one, two, none = {0};

    (void)state;
    xta__new_file_discard(&none);
    assert_int_equal(fcntl(0, F_GETFD) >= 0, 1);
    make_old();
    assert_int_equal(xta__new_file_create(&one, path_of("file")), 0);
    assert_int_equal(xta__new_file_create(&two, path_of("file")), 0);
    assert_true(strcmp(one.part, two.part) != 0);
    assert_int_equal(xta__new_file_write(&one, "o", 1), 0);
    assert_int_equal(xta__new_file_write(&one, "ne", 2), 0);
    assert_int_equal(xta__new_file_write(&two, "two", 3), 0);
    assert_true(holds(path_of("file"), old_text));
    xta__new_file_discard(&two);
    xta__new_file_discard(&two);
    assert_int_equal(xta__new_file_commit(&one, false), 0);
    xta__new_file_discard(&one);
    assert_true(holds(path_of("file"), "one"));
    assert_int_equal(entries(), 1);
}

static void a_closed_file_cannot_be_made_durable(void **state)
{
    xta__new_file file;

    (void)state;
    for (int durable = 0; durable < 2; durable++) {
        make_old();
        assert_int_equal(xta__new_file_create(&file, path_of("file")), 0);
        assert_int_equal(xta__new_file_write(&file, "new", 3), 0);
        assert_int_equal(close(file.fd), 0);
        file.fd = -1;
        assert_int_equal(xta__new_file_commit(&file, durable), durable ? EINVAL : 0);
        assert_null(file.part);
        assert_true(holds(path_of("file"), durable ? old_text : "new"));
        assert_int_equal(entries(), 1);
    }
}

/* The last call of all is the sync of the folder. */
static void a_folder_that_cannot_be_synced_has_the_new_file(void **state)
{
    (void)state;
    make_old();
    faulty_os_start();
    faulty_os_fail_at(0, 0, false);
    assert_int_equal(xta__replace_bytes(path_of("file"), new_text, strlen(new_text), true), 0);
    uint64_t n = faulty_os_calls();
    make_old();
    faulty_os_fail_at(n, EIO, false);
    assert_int_equal(xta__replace_bytes(path_of("file"), new_text, strlen(new_text), true), EIO);
    assert_true(faulty_os_happened());
    faulty_os_stop();
    assert_true(holds(path_of("file"), new_text));
    assert_int_equal(entries(), 1);
}

static void no_folder(void **state)
{
    (void)state;
    assert_int_equal(xta__replace_bytes(path_of("none/file"), "x", 1, false), ENOENT);
}

/* ---- a system that writes less than requested ---- */

static ssize_t (*real_write_at)(int fd, const void *bytes, size_t n, off_t offset);
static int n_writes;
static bool takes_all_in_the_end;

/* The first call is interrupted, the second writes one byte, and the third none. */
static ssize_t reluctant_write_at(int fd, const void *bytes, size_t n, off_t offset)
{
    switch (n_writes++) {
    case 0:
        errno = EINTR;
        return -1;
    case 1:
        return real_write_at(fd, bytes, 1, offset);
    default:
        return takes_all_in_the_end ? real_write_at(fd, bytes, n, offset) : 0;
    }
}

static int replace_reluctantly(bool in_the_end)
{
    xta__os_calls calls = *xta__os();

    real_write_at = calls.write_at;
    calls.write_at = reluctant_write_at;
    n_writes = 0;
    takes_all_in_the_end = in_the_end;
    make_old();
    xta__os_replace(&calls);
    alarm(60); // Instead of an endless loop.
    int number = xta__replace_bytes(path_of("file"), new_text, strlen(new_text), true);
    alarm(0);
    xta__os_replace(NULL);
    return number;
}

static void short_writes_go_on(void **state)
{
    (void)state;
    assert_int_equal(replace_reluctantly(true), 0);
    assert_true(holds(path_of("file"), new_text));
    assert_int_equal(n_writes, 3);
}

static void a_write_that_takes_nothing_is_a_full_disk(void **state)
{
    (void)state;
    assert_int_equal(replace_reluctantly(false), ENOSPC);
    assert_true(holds(path_of("file"), old_text));
    assert_int_equal(n_writes, 3);
    assert_int_equal(entries(), 1);
}

/* Each system call fails once. */
static void each_step_fails(void **state)
{
    bool happened = true, reads[] = {false, true};

    (void)state;
    for (int k = 0; k < 4; k++) {
        bool durable = k >= 2;
        happened = true;
        for (uint64_t n = 1; happened; n++) {
            make_old();
            faulty_os_start();
            faulty_os_fail_at(n, ENOSPC, reads[k % 2]);
            int number = xta__replace_bytes(path_of("file"), new_text, strlen(new_text), durable);
            happened = faulty_os_happened();
            faulty_os_stop();
            bool replaced = holds(path_of("file"), new_text);
            assert_true(replaced || holds(path_of("file"), old_text));
            // A failure after the rename: the name may not be on the disk yet.
            assert_true(number != 0 ? happened && (!replaced || durable) : replaced);
            assert_int_equal(entries(), 1);
        }
    }
}

static void each_allocation_fails(void **state)
{
    bool happened = true;
    int64_t before = failing_alloc_live();

    (void)state;
    for (uint64_t n = 1; happened; n++) {
        make_old();
        failing_alloc_at(n, false);
        failing_alloc_arm(true);
        int number = xta__replace_bytes(path_of("file"), new_text, strlen(new_text), true);
        failing_alloc_arm(false);
        happened = failing_alloc_happened();
        failing_alloc_at(0, false);
        assert_true(number == 0 || (happened && number == ENOMEM));
        assert_true(holds(path_of("file"), number == 0 ? new_text : old_text) ||
                    holds(path_of("file"), new_text));
        assert_int_equal(entries(), 1);
    }
    assert_int_equal(failing_alloc_live(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_and_modes_stay),
        cmocka_unit_test(a_link_that_leads_nowhere_is_followed),
        cmocka_unit_test(two_at_once_and_one_discarded),
        cmocka_unit_test(a_closed_file_cannot_be_made_durable),
        cmocka_unit_test(a_folder_that_cannot_be_synced_has_the_new_file),
        cmocka_unit_test(no_folder),
        cmocka_unit_test(short_writes_go_on),
        cmocka_unit_test(a_write_that_takes_nothing_is_a_full_disk),
        cmocka_unit_test(each_step_fails),
        cmocka_unit_test(each_allocation_fails),
    };
    return cmocka_run_group_tests_name("util_replace", tests, test_group_begin, test_group_end);
}
