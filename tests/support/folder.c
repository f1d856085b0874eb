/* A folder of its own for a test.
 *
 * A failure here has nothing to do with what is tested, so it ends the program at once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "support/folder.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void give_up(const char *what, const char *path)
{
    perror(what);
    fprintf(stderr, "test folder: %s: %s\n", what, path);
    abort();
}

static void make_under(test_folder *folder, const char *root)
{
    int n = snprintf(folder->path, sizeof(folder->path), "%s/xta-test-XXXXXX", root);
    if (n < 0 || (size_t)n >= sizeof(folder->path) || mkdtemp(folder->path) == NULL) {
        give_up("mkdtemp", folder->path);
    }
}

void test_folder_make(test_folder *folder)
{
    const char *root = getenv("XTA_TEST_DIR");
    root = root != NULL ? root : getenv("TMPDIR");
    make_under(folder, root != NULL ? root : P_tmpdir);
}

void test_folder_make_fast(test_folder *folder)
{
    const char *memory = "/dev/shm";
    if (getenv("XTA_TEST_DIR") == NULL && access(memory, W_OK | X_OK) == 0) {
        make_under(folder, memory);
    } else {
        test_folder_make(folder);
    }
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

void test_folder_remove(const test_folder *folder)
{
    if (nftw(folder->path, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0) {
        give_up("remove", folder->path);
    }
}

test_folder test_group_folder;

int test_group_begin(void **state)
{
    (void)state;
    test_folder_make(&test_group_folder);
    return 0;
}

int test_group_end(void **state)
{
    (void)state;
    test_folder_remove(&test_group_folder);
    return 0;
}

const char *test_folder_join(const test_folder *folder, const char *name, char *path)
{
    int n = snprintf(path, TEST_PATH_BYTES, "%s/%s", folder->path, name);
    if (n < 0 || n >= TEST_PATH_BYTES) {
        give_up("path too long", name);
    }
    return path;
}

const char *test_folder_path(const test_folder *folder, const char *name)
{
    static char path[8][TEST_PATH_BYTES];
    static int turn;

    turn = (turn + 1) % 8;
    return test_folder_join(folder, name, path[turn]);
}

uint8_t *test_file_read(const char *path, size_t *n_bytes)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    if (fseek(file, 0, SEEK_END) != 0) {
        give_up("seek", path);
    }
    size_t n = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(n + 1);
    if (bytes == NULL || fread(bytes, 1, n, file) != n) {
        give_up("read", path);
    }
    fclose(file);
    *n_bytes = n;
    return bytes;
}

void test_file_write(const char *path, const void *bytes, size_t n_bytes)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, n_bytes, file) != n_bytes || fclose(file) != 0) {
        give_up("write", path);
    }
}

bool test_file_copy(const char *from, const char *to)
{
    size_t n = 0;
    uint8_t *bytes = test_file_read(from, &n);
    if (bytes == NULL) {
        return false;
    }
    int fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0 || ftruncate(fd, (off_t)n) != 0) {
        give_up("copy", to);
    }
    static const uint8_t zeros[4096];
    for (size_t at = 0; at < n; at += sizeof(zeros)) {
        size_t part = n - at < sizeof(zeros) ? n - at : sizeof(zeros);
        bool hole = memcmp(bytes + at, zeros, part) == 0;
        if (!hole && pwrite(fd, bytes + at, part, (off_t)at) != (ssize_t)part) {
            give_up("copy", to);
        }
    }
    close(fd);
    free(bytes);
    return true;
}

void test_pair_remove(const char *path)
{
    char file[TEST_PATH_BYTES + 8];
    snprintf(file, sizeof(file), "%s.xmd", path);
    unlink(file);
    snprintf(file, sizeof(file), "%s.xta", path);
    unlink(file);
}
