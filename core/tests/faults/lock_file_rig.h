/* For tests of lock files: an array of four cells, its lock file, and lock files of others in its
 * place. Include cmocka.h first.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_LOCK_FILE_RIG_H
#define XTA_TESTS_LOCK_FILE_RIG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <xta/array.h>

#include "store/lock/lock_owner.h"
#include "support/folder.h"
#include "support/must.h"
#include "util/os.h"

static xta_error err;
static char path[TEST_PATH_BYTES], lock_path[TEST_PATH_BYTES + 16];
static xta__os_calls calls;
static const xta_growth one_more = {0, XTA_BACK, 1};

static inline void make(const char *name)
{
    const int64_t bounds[1] = {4};
    xta_array *array = NULL;

    snprintf(path, sizeof path, "%s", test_folder_path(&test_group_folder, name));
    snprintf(lock_path, sizeof lock_path, "%s.xmd.lock", path);
    test_must(xta_array_create(path, XTA_U8, 1, bounds, NULL, &array, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    calls = *xta__os();
}

static inline int end_test(void **state)
{
    (void)state;
    xta__os_replace(NULL);
    unsetenv("XTA_LOCK");
    unsetenv("XTA_LOCK_WAIT");
    return 0;
}

static inline xta_status open_as(xta_locking lock, bool writable, bool exclusive, xta_array **array)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;

    options.writable = writable;
    options.exclusive_writer = exclusive;
    options.lock = lock;
    return xta_array_open(path, &options, array, &err);
}

static inline xta_array *open_it(void)
{
    xta_array *array = NULL;

    test_must(open_as(XTA_LOCK_FILE, true, false, &array), &err);
    return array;
}

static inline bool is_there(void)
{
    struct stat facts;

    return lstat(lock_path, &facts) == 0;
}

/* The folder has no files but those of the array. */
static inline void assert_clean(void)
{
    xta__folder_entry *names = NULL;
    size_t n = 0;
    const char *name = strrchr(path, '/') + 1;

    test_must(xta__folder_list(test_group_folder.path, &names, &n, &err), &err);
    for (size_t k = 0; k < n; k++) {
        if (strncmp(names[k].name, name, strlen(name)) == 0 &&
            strstr(names[k].name, ".lock") != NULL) {
            fail_msg("%s is left", names[k].name);
        }
    }
    xta__folder_entries_free(names, n);
}

static inline void assert_says(const char *word)
{
    if (strstr(err.text, word) == NULL) {
        fail_msg("no '%s' in: %s", word, err.text);
    }
}

/* This process, as a lock file describes it. */
static inline xta__lock_owner myself(void)
{
    xta__lock_owner owner = {.nonce = "00112233445566778899aabbccddeeff"};
    char text[256];

    xta__host_name(text, sizeof text);
    xta__lock_owner_set(owner.host, text);
    xta__machine_id(text, sizeof text);
    xta__lock_owner_set(owner.machine, text);
    xta__boot_id(text, sizeof text);
    xta__lock_owner_set(owner.boot, text);
    xta__process_spaces(&owner.space, &owner.clock);
    owner.pid = xta__process_number();
    assert_int_equal(xta__process_state_of(owner.pid, &owner.start), XTA__PROCESS_THERE);
    assert_true(owner.start > 0);
    return owner;
}

static inline void put_lock(const xta__lock_owner *owner)
{
    char text[XTA__LOCK_FILE_BYTES];

    test_file_write(lock_path, text, xta__lock_owner_encode(owner, text));
}

/* A process that has ended and was waited for. */
static inline uint64_t ended_process(void)
{
    pid_t child = fork();

    if (child == 0) {
        _exit(0);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    return (uint64_t)child;
}

/* A change of `array` fails with XTA_EBUSY after about a second, with this text, and the file
 * stays. */
static inline void assert_busy(xta_array *array, const char *const words[], size_t n)
{
    uint64_t before = xta__clock_ms();

    assert_int_equal(xta_array_extend(array, &one_more, 1, NULL, &err), XTA_EBUSY);
    assert_in_range(xta__clock_ms() - before, 950, 20000);
    assert_says(".xmd.lock");
    for (size_t k = 0; k < n; k++) {
        assert_says(words[k]);
    }
    assert_true(is_there());
}

#endif
