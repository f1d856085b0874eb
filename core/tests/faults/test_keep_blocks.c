/* Blocks needed by stores through a mapping stay allocated, on a disk that another process keeps
 * full: stores fail with an error or succeed, and never cause a signal.
 *
 * On an image that on_image.sh has mounted ($XTA_TEST_DISK). One process stores while the other one
 * frees slots all the time; or the file shares its blocks with a copy.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/fs.h>

#include <xta/array.h>

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"
#include "support/skip.h"

enum { SIDE = 1024, CHUNK = 256 };

static test_folder folder;
static char path[TEST_PATH_BYTES], copy[TEST_PATH_BYTES];
static const xta_box dense = {.ndim = 2, .lo = {1, 1}, .hi = {SIDE - 1, SIDE - 1}};
static xta_error err;
static uint64_t seed;
static int64_t cells[SIDE * SIDE];
static const xta_box all = {.ndim = 2, .hi = {SIDE, SIDE}};

typedef struct shared {
    _Atomic(bool) prepared, done;
    _Atomic(uint64_t) n_stored, n_full, n_discarded, n_copied;
} shared;

static shared *common;

static void must(xta_status status, const char *what)
{
    if (status != XTA_OK) {
        fprintf(stderr, "test_keep_blocks: %s: %s\n", what, err.text);
        exit(1);
    }
}

/* The disk may be full; no other error may occur. */
static void may_be_full(xta_status status, const char *what)
{
    if (status == XTA_ENOSPC && err.os_errno == ENOSPC) {
        common->n_full++;
    } else {
        must(status, what);
    }
}

static xta_array *open_mapped(const char *name)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;

    options.writable = true;
    options.access = XTA_ACCESS_MAPPED;
    must(xta_array_open(name, &options, &array, &err), "open");
    return array;
}

static void make_array(void)
{
    const int64_t lengths[2] = {SIDE, SIDE}, chunk[2] = {CHUNK, CHUNK};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    for (int64_t k = 0; k < (int64_t)SIDE * SIDE; k++) {
        cells[k] = k | 1;
    }
    options.chunk = chunk;
    must(xta_array_create(path, XTA_I64, 2, lengths, &options, &array, &err), "create");
    must(xta_array_write(array, &all, NULL, cells, &err), "write");
    must(xta_array_close(array, &err), "close");
}

typedef void part(void);

static pid_t begin(part *what)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        what();
        _exit(0);
    }
    return child;
}

/* Allocate every free block, and those freed later, until killed. */
static void take_all(void)
{
    char name[TEST_PATH_BYTES];
    off_t at = 0;

    test_folder_join(&folder, "neighbour", name);
    int fd = open(name, O_RDWR | O_CREAT, 0600);
    while (fd >= 0) {
        off_t step = (off_t)8 << 20;
        while (step >= 4096) {
            if (fallocate(fd, 0, at, step) == 0) {
                at += step;
            } else {
                step /= 2;
            }
        }
    }
}

/* Dense parts and single cells. */
static void store(xta_array *array, test_random *rnd, int n_rounds)
{
    for (int round = 0; round < n_rounds; round++) {
        xta_status status = XTA_OK;
        if (test_random_chance(rnd, 20)) {
            status = xta_array_write(array, &dense, NULL, cells, &err);
        }
        for (int k = 0; k < 2000 && status == XTA_OK; k++) {
            const int64_t at[2] = {test_random_in(rnd, 0, SIDE - 1),
                                   test_random_in(rnd, 0, SIDE - 1)};
            const int64_t value = k;
            status = xta_array_put(array, at, &value, &err);
        }
        may_be_full(status, "store");
        common->n_stored++;
        if (test_random_chance(rnd, 1)) {
            may_be_full(xta_array_sync(array, &err), "sync");
        }
    }
}

static void store_and_end(void)
{
    test_random rnd = test_random_make(seed, 1);
    xta_array *array = open_mapped(path);

    // Through the mapping: all blocks are allocated.
    must(xta_array_write(array, &dense, NULL, cells, &err), "write");
    common->prepared = true;
    store(array, &rnd, (int)test_scale(1500));
    may_be_full(xta_array_close(array, &err), "close");
}

static void discard_all_the_time(void)
{
    const int64_t zero = 0;
    xta_array *array = open_mapped(path);

    while (!common->prepared && !common->done) {
        usleep(1000);
    }
    while (!common->done) {
        may_be_full(xta_array_fill(array, &all, &zero, &err), "fill");
        common->n_discarded++;
        usleep(1000);
    }
}

/* 0 if it ended without error. */
static int end(pid_t child, const char *who)
{
    int status = 0;

    if (waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return 0;
    }
    fprintf(stderr, "test_keep_blocks: %s: %s %d\n", who,
            WIFSIGNALED(status) ? "ended by signal" : "ended with",
            WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return 1;
}

static void end_neighbour(pid_t child)
{
    char name[TEST_PATH_BYTES];

    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    test_folder_join(&folder, "neighbour", name);
    unlink(name);
}

static int discard_beside_stores(void)
{
    make_array();
    pid_t neighbour = begin(take_all);
    pid_t storing = begin(store_and_end), discarding = begin(discard_all_the_time);
    int n_failed = end(storing, "the process that stores");
    common->done = true;
    n_failed += end(discarding, "the process that gives slots back");
    end_neighbour(neighbour);
    printf("test_keep_blocks: %llu rounds of stores beside %llu of discards, %llu calls found the "
           "disk full\n",
           (unsigned long long)common->n_stored, (unsigned long long)common->n_discarded,
           (unsigned long long)common->n_full);
    must(xta_array_delete(path, &err), "delete");
    return n_failed;
}

/* ---- a copy that shares its blocks ---- */

static bool clone_file(const char *suffix, bool share)
{
    static char bytes[1 << 16];
    char from_name[TEST_PATH_BYTES + 8], to_name[TEST_PATH_BYTES + 8];
    ssize_t n = 0;

    snprintf(from_name, sizeof from_name, "%s%s", path, suffix);
    snprintf(to_name, sizeof to_name, "%s%s", copy, suffix);
    int from = open(from_name, O_RDONLY), to = open(to_name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    bool well = from >= 0 && to >= 0;
    if (well && share) {
        well = ioctl(to, FICLONE, from) == 0;
    }
    while (well && !share && (n = read(from, bytes, sizeof bytes)) > 0) {
        well = write(to, bytes, (size_t)n) == n;
    }
    close(from);
    close(to);
    return well;
}

static void store_into_both(void)
{
    test_random rnd = test_random_make(seed, 2);
    xta_array *one = open_mapped(path), *other = open_mapped(copy);

    for (int k = 0; k < 20; k++) {
        store(one, &rnd, 5);
        store(other, &rnd, 5);
    }
    may_be_full(xta_array_close(one, &err), "close");
    may_be_full(xta_array_close(other, &err), "close");
}

static int store_into_a_copy(void)
{
    int n_failed = 0;

    make_array();
    if (!clone_file(".xta", true)) {
        printf("test_keep_blocks: no copies that share blocks here: %s\n", strerror(errno));
    } else if (!clone_file(".xmd", false)) {
        must(XTA_EIO, "copying the journal");
    } else {
        common->n_full = 0;
        pid_t neighbour = begin(take_all);
        usleep(500000);
        n_failed = end(begin(store_into_both), "the process that stores into a file and its copy");
        end_neighbour(neighbour);
        printf("test_keep_blocks: %llu calls on a file and its copy found the disk full\n",
               (unsigned long long)common->n_full);
        n_failed += common->n_full == 0;
        must(xta_array_delete(copy, &err), "delete");
    }
    must(xta_array_delete(path, &err), "delete");
    return n_failed;
}

/* Copies that share blocks are made while a handle stores, on a disk without space for unshared
 * blocks. */
static void store_beside_copies(void)
{
    test_random rnd = test_random_make(seed, 3);
    xta_array *array = open_mapped(path);

    must(xta_array_write(array, &dense, NULL, cells, &err), "write");
    must(xta_array_sync(array, &err), "sync");
    store(array, &rnd, 2);
    common->prepared = true;
    store(array, &rnd, (int)test_scale(500));
    may_be_full(xta_array_close(array, &err), "close");
}

static void copy_all_the_time(void)
{
    while (!common->prepared) {
        usleep(1000);
    }
    for (;;) {
        common->n_copied += clone_file(".xta", true);
        usleep(1000);
    }
}

static int store_while_copied(void)
{
    char name[TEST_PATH_BYTES + 8];

    make_array();
    bool can = clone_file(".xta", true);
    snprintf(name, sizeof name, "%s.xta", copy);
    can = can && truncate(name, 0) == 0; // a full disk may have no space for a new name
    if (!can) {
        must(xta_array_delete(path, &err), "delete");
        return 0; // already reported
    }
    common->n_full = common->n_copied = 0;
    common->prepared = false;
    pid_t neighbour = begin(take_all);
    usleep(500000);
    pid_t copying = begin(copy_all_the_time);
    int n_failed = end(begin(store_beside_copies), "the process that stores beside copies");
    kill(copying, SIGKILL);
    waitpid(copying, NULL, 0);
    end_neighbour(neighbour);
    printf("test_keep_blocks: beside %llu copies %llu calls found the disk full\n",
           (unsigned long long)common->n_copied, (unsigned long long)common->n_full);
    n_failed += common->n_full == 0 || common->n_copied == 0;
    unlink(name);
    must(xta_array_delete(path, &err), "delete");
    return n_failed;
}

/* ---- little space ---- */

static uint64_t free_bytes(void)
{
    struct statvfs facts;

    return statvfs(folder.path, &facts) == 0 ? (uint64_t)facts.f_bavail * facts.f_frsize : 0;
}

/* Cells for whose pages there is space are written, and not refused because the handle itself has
 * reserved that space. */
static int write_with_little_space(void)
{
    enum { PARTS = 4, ROWS = 100, LENGTH = 512, COLUMNS = 512, LEFT = 2500000 };
    const int64_t lengths[2] = {PARTS * LENGTH, COLUMNS}, chunk[2] = {LENGTH, COLUMNS};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    char name[TEST_PATH_BYTES];
    xta_array *array = NULL;

    options.chunk = chunk;
    options.access = XTA_ACCESS_MAPPED;
    must(xta_array_create(path, XTA_I64, 2, lengths, &options, &array, &err), "create");
    must(xta_array_sync(array, &err), "sync");
    test_folder_join(&folder, "neighbour", name);
    int fd = open(name, O_RDWR | O_CREAT, 0600);
    if (fd < 0 || fallocate(fd, 0, 0, (off_t)(free_bytes() - LEFT)) != 0) {
        must(XTA_EIO, "filling the disk");
    }
    for (int64_t k = 0; k < PARTS; k++) {
        const xta_box column = {
            .ndim = 2, .lo = {k * LENGTH + 7, 5}, .hi = {k * LENGTH + 7 + ROWS, 6}};
        must(xta_array_write(array, &column, NULL, cells, &err), "a column, little space");
    }
    printf("test_keep_blocks: %d columns of %d cells took %llu of %d bytes\n", PARTS, ROWS,
           (unsigned long long)(LEFT - free_bytes()), LEFT);
    unlink(name);
    close(fd);
    must(xta_array_close(array, &err), "close");
    must(xta_array_delete(path, &err), "delete");
    return 0;
}

int main(void)
{
    const char *disk = getenv("XTA_TEST_DISK");

    seed = test_seed("test_keep_blocks", 20261125);
    if (disk == NULL) {
        test_skip("a disk of its own: $XTA_TEST_DISK names none (see on_image.sh)");
        return test_end(0);
    }
    snprintf(folder.path, sizeof folder.path, "%s", disk);
    test_folder_join(&folder, "a", path);
    test_folder_join(&folder, "b", copy);
    common = mmap(NULL, sizeof *common, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (common == MAP_FAILED) {
        return 1;
    }
    int n_failed = discard_beside_stores();
    n_failed += store_into_a_copy();
    n_failed += store_while_copied();
    n_failed += write_with_little_space();
    return n_failed;
}
