/* The table of mounts: which line holds a file, and whether its locks reach other nodes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>

#include <cmocka.h>

#include "os/mounts.h"

static const char table[] =
    "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro\n"
    "30 22 0:26 / /scratch rw,noatime shared:12 master:3 - lustre 10.0.0.1@tcp:/lus rw,flock\n"
    "31 22 0:27 / /local rw - lustre 10.0.0.1@tcp:/lus rw,checksum,localflock\n"
    "32 22 0:28 / /old rw - lustre 10.0.0.1@tcp:/lus rw,user_xattr\n"
    "33 22 0:29 / /home rw - nfs4 srv:/home rw,vers=4.2,local_lock=none,addr=10.0.0.2\n"
    "34 22 0:30 / /my\\040data\\134x rw propagate_from:2 - nfs4 srv:/d rw,local_lock=posix\n"
    "35 22 0:31 / /v3 rw - nfs srv:/v3 rw,nolock,vers=3,local_lock=all\n"
    "36 22 0:29 /sub /home/deep rw - nfs4 srv:/home/sub rw,vers=4.2,local_lock=flock\n"
    "not a line at all\n"
    "37 22 0:32 / /smb rw,nobrl - cifs //s/x rw\n"
    "38 22 8:1 /srv /srv/bound rw - ext4 /dev/sda1 rw\n"
    "39 22 0:33 / /late rw - gfs2 /dev/g rw,localflocks\n"
    "40 22 0:34 / /late rw - ocfs2 /dev/o rw\n"
    "41 22 0:35 / /none\n"
    "42 22 0:36 / /last rw - nfs srv:/l rw,local_lock=flock";

static void check(unsigned minor, const char *path, const char *point, const char *flaw)
{
    xta__mount mount;

    if (!xta__mount_of(table, minor == 1 ? 8 : 0, minor, path, &mount)) {
        fail_msg("%s: no mount", path);
    }
    assert_int_equal(mount.point.n, strlen(point));
    assert_memory_equal(mount.point.text, point, mount.point.n);
    const xta__mount_flaw *found = xta__mount_lock_flaw(&mount);
    if (flaw == NULL) {
        assert_null(found);
        return;
    }
    assert_non_null(found);
    assert_string_equal(found->option, flaw);
    assert_true(strncmp(found->remedy, "mount it with", 13) == 0);
}

static void test_options(void **state)
{
    (void)state;
    check(1, "/etc/x.xmd", "/", NULL);
    check(26, "/scratch/x.xmd", "/scratch", NULL);
    check(27, "/local/x.xmd", "/local", "localflock");
    check(28, "/old/x.xmd", "/old", "no flock");
    check(29, "/home/x.xmd", "/home", NULL);
    check(31, "/v3/a/b/x.xmd", "/v3", "nolock");
    check(32, "/smb/x.xmd", "/smb", "nobrl");
    check(33, "/late/x.xmd", "/late", "localflocks");
    check(34, "/late/x.xmd", "/late", NULL);
    check(36, "/last/x.xmd", "/last", "local_lock=flock");
}

static void test_escapes_and_tags(void **state)
{
    (void)state;
    check(30, "/my data\\x/x.xmd", "/my\\040data\\134x", "local_lock=posix");
}

/* Of several mounts of a device, the one with the longest mount point. */
static void test_bind_mounts(void **state)
{
    (void)state;
    check(29, "/home/deep/x.xmd", "/home/deep", "local_lock=flock");
    check(29, "/home/deeper/x.xmd", "/home", NULL);
    check(29, "/home/deep", "/home/deep", "local_lock=flock");
    check(1, "/srv/bound/x.xmd", "/srv/bound", NULL);
}

/* A device that no line has: then the path alone decides, and later lines override earlier ones. */
static void test_without_device(void **state)
{
    xta__mount mount;

    (void)state;
    check(99, "/local/x.xmd", "/local", "localflock");
    check(99, "/late/x.xmd", "/late", NULL);
    check(99, "/elsewhere/x.xmd", "/", NULL);
    // A device that is in the table, with a path that is below none of its mount points.
    check(27, "/seen/from/another/namespace/x.xmd", "/local", "localflock");
    assert_false(xta__mount_of("", 8, 1, "/x", &mount));
    assert_false(xta__mount_of("\n\nrubbish\n1 2 3", 8, 1, "/x", &mount));
    assert_false(xta__mount_of("1 2 8:1 / /x rw\n", 8, 1, "/x", &mount));
    assert_false(xta__mount_of("1 2 8:2 / /xy rw - ext4 a rw\n", 8, 1, "/x", &mount));
}

/* Words of an option list, and nothing that only begins or ends like one. */
static void test_whole_words(void **state)
{
    static const char near[] = "1 2 0:1 / /a rw - lustre x rw,noflock\n"
                               "1 2 0:2 / /b rw - lustre x flock,rw\n"
                               "1 2 0:3 / /c rw - nfs x rw,local_lock=allow,nolocks\n"
                               "1 2 0:4 / /d rw,localflocks - ext4 x rw,nolock\n";
    static const bool flawed[] = {true, false, false, false};

    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        xta__mount mount;
        assert_true(xta__mount_of(near, 0, k + 1, "/", &mount));
        assert_int_equal(xta__mount_lock_flaw(&mount) != NULL, flawed[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options),     cmocka_unit_test(test_escapes_and_tags),
        cmocka_unit_test(test_bind_mounts), cmocka_unit_test(test_without_device),
        cmocka_unit_test(test_whole_words),
    };

    return cmocka_run_group_tests_name("mounts", tests, NULL, NULL);
}
