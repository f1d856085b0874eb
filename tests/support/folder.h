/* A folder of its own for a test, and small things to do with files in it.
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

/* The same in memory where the machine has such a folder: for tests that sync thousands of
 * times and do not ask what a disk does. */
void test_folder_make_fast(test_folder *folder);

/* Remove it and all it holds. */
void test_folder_remove(const test_folder *folder);

/* The folder of a group of cmocka's, with its set-up and tear-down. */
extern test_folder test_group_folder;
int test_group_begin(void **state);
int test_group_end(void **state);

/* `folder/name` into `path` (TEST_PATH_BYTES long). Returns path. */
const char *test_folder_join(const test_folder *folder, const char *name, char *path);

/* The same in one of eight buffers of its own, taken in turn. */
const char *test_folder_path(const test_folder *folder, const char *name);

/* The whole of a file, to be freed; NULL where there is none. */
uint8_t *test_file_read(const char *path, size_t *n_bytes);

/* Make a file hold exactly these bytes. */
void test_file_write(const char *path, const void *bytes, size_t n_bytes);

/* Copy the file `from` over `to`, keeping holes. False where there is no `from`. */
bool test_file_copy(const char *from, const char *to);

/* Remove both files of the array at `path`, if there. */
void test_pair_remove(const char *path);

#endif
