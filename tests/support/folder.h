/* A folder of its own for a test, and helpers for files in it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_FOLDER_H
#define XTA_TESTS_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEST_PATH_BYTES 512

typedef struct test_folder {
    char path[TEST_PATH_BYTES];
} test_folder;

/* Make a new folder under $XTA_TEST_DIR, else $TMPDIR, else the system's folder for temporary
 * files. */
void test_folder_make(test_folder *folder);

/* Make a new folder on a file system in memory, where the machine has one: for tests that sync
 * thousands of times and need no real disk. */
void test_folder_make_fast(test_folder *folder);

/* Remove the folder and everything in it. */
void test_folder_remove(const test_folder *folder);

/* The folder of a cmocka group, with its set-up and tear-down. */
extern test_folder test_group_folder;
int test_group_begin(void **state);
int test_group_end(void **state);

/* `folder/name` into `path` (TEST_PATH_BYTES long). Returns path. */
const char *test_folder_join(const test_folder *folder, const char *name, char *path);

/* `folder/name` in one of eight static buffers, used in turn. */
const char *test_folder_path(const test_folder *folder, const char *name);

/* The content of a file, for the caller to free; NULL if there is no such file. */
uint8_t *test_file_read(const char *path, size_t *n_bytes);

/* Replace the content of a file with these bytes. */
void test_file_write(const char *path, const void *bytes, size_t n_bytes);

/* Copy the file `from` over `to`, keeping holes. False if `from` does not exist. */
bool test_file_copy(const char *from, const char *to);

/* Remove both files of the array at `path`, if they exist. */
void test_pair_remove(const char *path);

#endif
